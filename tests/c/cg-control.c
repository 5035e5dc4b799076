/* setjmp, statement expressions, recursion, function pointers, static locals, string functions, signal handlers, huge frames, deep expressions. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int fails; static jmp_buf env; static sigjmp_buf senv; static void *bb[5];
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
static void thrower(int n) { if (n == 0) longjmp(env, 7); thrower(n - 1); }
static int jumps(void) { volatile int tries = 0; int r = setjmp(env); if (r) { tries++; if (tries < 3) thrower(2); return tries; } thrower(5); return -1; }
__attribute__((noinline)) static void bj(void) { __builtin_longjmp(bb, 1); }
static int builtin_jumps(void) { if (__builtin_setjmp(bb)) return 5; bj(); return 1; }
static void handler(int s) { siglongjmp(senv, s); }
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
static int counter(void) { static int n = 10; static int *p = &n; return ++*p; }
static int op_add(int a, int b) { return a + b; } static int op_mul(int a, int b) { return a * b; }
static int (*choose(int k))(int, int) { return k ? op_mul : op_add; }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static long huge(int n) { char buf[200000]; memset(buf, n, sizeof buf); return buf[n] + buf[199999]; }
static int loops(void) { int s = 0; for (int i = 0; i < 5; i++) for (int j = 0; ; j++) { if (j > i) break; if (j == 2) continue; s += ({ if (i == 4 && j == 3) continue; i * 10 + j; }); } return s; }
int main(int argc, char **argv) {
  CHECK(jumps() == 3); CHECK(builtin_jumps() == 5); signal(SIGFPE, handler); if (sigsetjmp(senv, 1) == 0) { raise(SIGFPE); fails++; } CHECK(MAX(3, 4.5) == 4.5 && MAX(MAX(1, 2), 0) == 2); CHECK(counter() == 11 && counter() == 12);
  CHECK(choose(0)(3, 4) == 7 && choose(1)(3, 4) == 12 && (*choose(1))(2, 2) == 4); int (*tab[])(int, int) = { op_add, &op_mul, *op_add }; CHECK(tab[1](5, 6) == 30 && (**tab[2])(1, 1) == 2); CHECK(ack(2, 3) == 9);
  int v[] = { 5, 3, 9, 1 }; qsort(v, 4, sizeof *v, cmp); CHECK(v[0] == 1 && v[3] == 9); CHECK(huge(5) == 10); char line[64]; snprintf(line, sizeof line, "%d-%s-%c-%.2f-%lx", 42, "str", 'c', 3.14159, 255L); CHECK(!strcmp(line, "42-str-c-3.14-ff")); CHECK(loops() == 0 + (10 + 11) + (20 + 21) + (30 + 31 + 33) + (40 + 41 + 44));
  int x = ({ int y = argc; while (y < 10) { y++; if (y == 7) break; } y; }); CHECK(x == 7); void *vp = ({ goto skip; skip: (void *)argv; }); CHECK(vp == argv); CHECK(({ struct { int a[3]; } s = { { 1, 2, 3 } }; s; }).a[2] == 3);
  unsigned h = 5381; for (const char *p = "hash me"; *p; p++) h = h * 33 ^ (unsigned char)*p; printf("%u\n", h); if (argc > 5) abort(); CHECK(argv[argc] == NULL); atexit((void (*)(void))counter);
  return fails ? 1 : 0;
}
