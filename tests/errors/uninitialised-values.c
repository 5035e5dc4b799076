// FLAGS: -Wall -Wno-unused-but-set-variable -Wno-parentheses
/* Variables without a value: on every way, in an accumulator, when one decision is taken. Silent where two tests may belong together. */
#include <stdlib.h>
int sum(int n) { int s; for (int i = 0; i < n; i++) s += i; return s; }              // WARNING: uninitialized
int sum2(int n) { int s; while (n--) s = s + n; return s; }                          // WARNING: uninitialized
int product(int n) { int s; do s *= n; while (--n); return s; }                      // WARNING: uninitialized
int count(int n) { int c; while (n--) if (n & 1) c++; return c; }                    // WARNING: uninitialized
int self(void) { int x = x; return x; }                                              // WARNING: uninitialized
int *self_pointer(void) { int *p = p + 1; return p; }                                // WARNING: uninitialized
int size_of_self(void) { int *p = malloc(sizeof *p); return p != 0; }
void *address_of_self(void) { void *p = &p; return p; }
int in_loop(int n) { int t = 0; for (int i = 0; i < n; i++) { int x; t += x; x = i; } return t; }   // WARNING: uninitialized

int one_way(int c) { int x; if (c > 1) x = 1; return x; }                            // WARNING: maybe-uninitialized
int other_way(int c) { int x; if (c > 1) ; else x = 1; return x; }                   // WARNING: maybe-uninitialized
int chain(int c) { int x; if (c > 1) x = 1; else if (c > 0) x = 2; return x; }       // WARNING: maybe-uninitialized
int by_default(int k) { int x; switch (k) { case 0: x = 1; break; default: break; } return x; }     // WARNING: maybe-uninitialized
int by_case(int k) { int x; switch (k) { case 0: break; default: x = 1; } return x; }               // WARNING: maybe-uninitialized
int by_goto(int n) { int x; if (n == 1) goto out; x = 2; out: return x; }            // WARNING: maybe-uninitialized
int by_do(int n) { int x; do { if (n == 3) { x = 1; break; } } while (n--); return x; }             // WARNING: maybe-uninitialized
int each_round(int n) { int t = 0; for (int i = 0; i < n; i++) { int x; if (i & 1) x = i; t += x; } return t; }   // WARNING: maybe-uninitialized
int by_choice(int a) { int x; if (a) x = 2; return a > 3 ? x : 0; }                  // WARNING: maybe-uninitialized

int two_tests(int n) { int fd, open = 0; if (n) { fd = 3; open = 1; } if (open) return fd; return 0; }
int found(int *a, int n) { int x, f = 0; for (int i = 0; i < n; i++) if (a[i] == 3) { x = i; f = 1; break; } if (!f) return -1; return x; }
int in_rounds(int n) { int x; for (int i = 0; i < n; i++) x = i; return x; }
int no_default(int k) { int x; switch (k) { case 0: x = 1; break; case 1: x = 2; break; } return x; }
enum way { left, right };
int all_named(enum way w) { int x; switch (w) { case left: x = 1; break; case right: x = 2; } return x; }
int in_condition(int n) { int x; if (n > 0 && (x = n) > 3) return x; return 0; }
int endless(int n) { int x; for (;;) { if (n) { x = 1; break; } n++; } return x; }
int leaves(int n) { int x; if (n) x = 2; else exit(1); return x; }
int late(int n) { int x; for (;;) { if (n++ > 3) { if (n > 9) return x; } x = n; } }
int dropped(int c) { int x; if (c) x = 1; (void)x; return c; }
int address(int c) { int x; int *p = &x; if (c) *p = 1; return x; }
