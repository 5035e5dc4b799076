// Sizes of variably modified types where no table of shapes reaches: composite types, parameters, records, functions.
#include <stdarg.h>
#include <stdio.h>

static char buf[4096];
static int ticks, line;
static volatile int no = 0, yes = 1;
static void *give(void) { return buf; }
static int count(void) { return ++ticks; }

#define SHOW(x) do { size_t s_ = (size_t)(x); printf("%d: %zu %d\n", ++line, s_, ticks); } while (0)

static void parameters(int n, int m, int a[n][m], int (*b)[m], int c[static n + 1][m + 1][2], int d[count()],
    double (*e[n])[m]) {
  n = 100, m = 200;
  SHOW(sizeof a[0]); SHOW(sizeof *b); SHOW(sizeof *c); SHOW(sizeof **c); SHOW(sizeof d); SHOW(sizeof **e);
}
__attribute__((noipa))  // gcc 12 crashes where it inlines this
static void function(int n, int (*(*f)(void))[n]) { n = 9; SHOW(sizeof *f()); }
static void old(n, m, a) int n, m; int a[n][m]; { m = 4; SHOW(sizeof a[0]); }
static void star(int, int, int [*][*]);
static void star(int n, int m, int a[n][m]) { SHOW(sizeof a[0]); }
static void variadic(int n, ...) {
  va_list ap;
  va_start(ap, n);
  SHOW(sizeof *va_arg(ap, int (*)[n + count()]));
  va_end(ap);
}

int main(void) {
  int n = 5, m = 7;
  void *p = buf;
  SHOW(sizeof *(yes ? (int (*)[n])p : (int (*)[5])p));
  SHOW(sizeof *(no ? (int (*)[])p : (int (*)[n])p));
  SHOW(sizeof *(yes ? (int (*)[3][n])p : (int (*)[][5])p));
  SHOW(sizeof *(yes ? (int (*)[n][3])p : (int (*)[5][3])p));
  SHOW(sizeof **(yes ? (int (*(*)[n])[])p : (int (*(*)[n])[5])p)[0]);
  SHOW(sizeof **(yes ? (int (*(*)[])[4])p : (int (*(*)[n])[])p)[0]);
  parameters(n, m, p, p, p, p, p);
  function(6, give);
  old(n, m, p);
  star(n, m, p);
  variadic(n, p);

  struct { int a[n]; char b; int c[m]; } s;
  SHOW(sizeof s); SHOW(sizeof s.c); SHOW(sizeof *(no ? &s : 0)); SHOW(sizeof *(0 ? (struct { int a[n], b; } *)p : 0));
  n = 8;
  SHOW(sizeof s);
  n = 5;

  __typeof__((int (*(*)(void))[n + count()])give) f = (void *)give;
  SHOW(sizeof *f());
  __typeof__(*(int (*(*)(void))[n + count()])give) *g = (void *)give;
  SHOW(sizeof *g());
  int k = 1;
back:;
  { typedef char T[k]; k += 3; T x; SHOW(sizeof x); if (k < 10) goto back; }
  int (*q)[n] = p;
  n = 6;
  int nested(int (*r)[n]) { int (*t)[n + m] = p; SHOW(sizeof *q); SHOW(sizeof *t); return sizeof *r; }
  SHOW(nested(p));
  SHOW((char *)&((int (*)[n + count()][m])p)[1][2][3] - buf);
  SHOW(sizeof(__typeof__(int[n + count()])[2]));

  const int fixed[n];
  n = 40;
  { __typeof__(fixed) copy; SHOW(sizeof copy); }
#ifndef __cilkc__  // gcc 12 has no typeof_unqual
#define __typeof_unqual__ __typeof__
#endif
  { __typeof_unqual__(fixed) copy; SHOW(sizeof copy); }
  return 0;
}
