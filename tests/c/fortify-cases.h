// Calls that write beyond what they are given, one process each, and right ones beside them. Which ones the C library's checks stop depends on
// FORTIFY; what stops one says so on standard error.
#define _FORTIFY_SOURCE FORTIFY
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static volatile int many = 12;                     // not known to the compiler
static const char *volatile text = "abcdefghijk";  // 12 bytes
static const wchar_t *volatile wide = L"abcdefghijk";

struct pair { char first[8], second[24]; };
struct tail { int n; char rest[8]; };

static int formatted(char *to, size_t n, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  int r = vsnprintf(to, n, format, list);
  va_end(list);
  return r;
}

static void keep(void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

#define CASE(name, ...) static void name(void) { __VA_ARGS__; }
CASE(c_memcpy, char b[8]; memcpy(b, text, many); keep(b))
CASE(c_memmove, char b[8]; memmove(b, text, many); keep(b))
CASE(c_memset, char b[8]; memset(b, 'x', many); keep(b))
CASE(c_strcpy, char b[8]; strcpy(b, text); keep(b))
CASE(c_stpcpy, char b[8]; keep(stpcpy(b, text)); keep(b))
CASE(c_strncpy, char b[8]; strncpy(b, text, many); keep(b))
CASE(c_strcat, char b[8] = "123"; strcat(b, text); keep(b))
CASE(c_strncat, char b[8] = "123"; strncat(b, text, many); keep(b))
CASE(c_sprintf, char b[8]; sprintf(b, "%d-%s", many, text); keep(b))
CASE(c_snprintf, char b[8]; snprintf(b, many, "%d-%s", many, text); keep(b))
CASE(c_swprintf, wchar_t b[8]; swprintf(b, many, L"%d", many); keep(b))
CASE(c_wcscpy, wchar_t b[8]; wcscpy(b, wide); keep(b))
CASE(c_wmemset, wchar_t b[8]; wmemset(b, L'x', many); keep(b))
CASE(c_fgets, char b[8]; FILE *f = fopen("/dev/zero", "r"); keep(fgets(b, many, f)); keep(b))
CASE(c_read, char b[8]; int f = open("/dev/null", O_RDONLY); if (read(f, b, many)) many = 13; keep(b))
CASE(c_getcwd, char b[8]; keep(getcwd(b, many)); keep(b))
CASE(c_poll, struct pollfd p[1]; if (poll(p, many, 0)) many = 13; keep(p))
CASE(c_fdset, fd_set s; FD_ZERO(&s); FD_SET(many * 1000, &s); keep(&s))
CASE(c_member, struct pair p; strcpy(p.first, text); keep(&p))
CASE(c_member_pointer, struct pair p; struct pair *q = &p; keep(q); strcpy(q->first, text); keep(&p))
CASE(c_member_copy, struct pair p; memcpy(p.first, text, many); keep(&p))
CASE(c_middle, struct pair p[2]; strcpy(&p[0].first[2], text); keep(p))
CASE(c_offset, char b[16]; strcpy(b + 6, text); keep(b))
CASE(c_heap, char *b = malloc(8); strcpy(b, text); keep(b); free(b))
CASE(c_heap_unknown, char *b = malloc(many); memset(b, 0, many + 4); keep(b); free(b))
CASE(c_written_format, char f[] = "%n"; f[0] = '%'; keep(f); int n; printf(f, &n); keep(&n))
CASE(c_right, char b[16]; strcpy(b, text); strcat(b, "xyz"); memmove(b + 1, b, 8); printf("%s %d %s\n", b, formatted(b, sizeof b, "%d", many), b))
CASE(c_right_members, struct pair p; strcpy(p.first, "seven"); strcpy(p.second, text); memcpy(&p, text, many); struct tail *t = malloc(sizeof *t + 16); memset(t->rest, 'x', 24); printf("%.3s %.3s %.3s\n", p.first, p.second, t->rest); free(t))
CASE(c_right_pack, char b[64]; struct { double d; long l; } s = {1.5, 2}; int n = snprintf(b, sizeof b, "%d %s %g %ld %c %Lg", many, text, s.d, s.l, 'x', 2.5L); printf("%d %s\n", n, b); printf("plain\n"); fprintf(stdout, "%s%%\n", "1"))
CASE(c_right_pointer, char *(*f)(char *, const char *) = strcpy; char b[16]; puts(f(b, text)))
CASE(c_right_open, int f = open("/dev/null", O_RDONLY), g = open("/dev/null", O_WRONLY | O_CREAT, 0600); printf("%d\n", f >= 0 && g >= 0))

#define ROW(name) {#name, c_##name}
static const struct { const char *name; void (*run)(void); } cases[] = {
  ROW(memcpy), ROW(memmove), ROW(memset), ROW(strcpy), ROW(stpcpy), ROW(strncpy), ROW(strcat), ROW(strncat), ROW(sprintf), ROW(snprintf), ROW(swprintf), ROW(wcscpy),
  ROW(wmemset), ROW(fgets), ROW(read), ROW(getcwd), ROW(poll), ROW(fdset), ROW(member), ROW(member_pointer), ROW(member_copy), ROW(middle), ROW(offset), ROW(heap),
#if FORTIFY == 3
  ROW(heap_unknown),
#endif
#if FORTIFY > 1
  ROW(written_format),
#endif
  ROW(right), ROW(right_members), ROW(right_pack), ROW(right_pointer), ROW(right_open),
};

int main(void)
{
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    char said[200] = "";
    int ends[2], status;
    fflush(stdout);
    if (pipe(ends))
      return 1;
    pid_t child = fork();
    if (!child) {
      dup2(ends[1], 2);
      cases[i].run();
      fflush(stdout);
      _exit(0);
    }
    close(ends[1]);
    for (size_t n = 0; n < sizeof said - 1; n++)
      if (read(ends[0], said + n, 1) != 1)
        break;
    close(ends[0]);
    waitpid(child, &status, 0);
    int stopped = WIFSIGNALED(status) && WTERMSIG(status) == 6;
    // One that is not stopped may run into the stack protector, or into nothing: that is not compared.
    printf("%s: %s", cases[i].name, stopped && strstr(said, "***") && !strstr(said, "smashing") ? said : "not stopped\n");
  }
  return 0;
}
