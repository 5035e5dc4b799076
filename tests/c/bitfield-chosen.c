/* A bit-field is promoted by its width where _Generic, __builtin_choose_expr or a statement expression gives it. */
#include <stdio.h>

static struct { unsigned i : 8; unsigned long long l : 40; unsigned long long m : 20; } s;

#define SHOW(e) printf("%-40s %d %zu\n", #e, ~(e) < 0, sizeof(+(e)))

int main(void) {
  SHOW(_Generic(1, int: s.i));
  SHOW(__builtin_choose_expr(1, s.i, 0));
  SHOW(({ s.i; }));
  SHOW(({ s.i = 3; }));
  SHOW(1 ? ({ s.i; }) : s.i);
  SHOW((0, ({ s.i; })));
  SHOW(({ s.m; }));
  SHOW(_Generic(1, int: s.l));
  printf("%d\n", ~({ goto last; last: s.i; }) < 0);
  s.l = 1ull << 39;
  printf("%llx %llx\n", ({ s.l; }) << 1, _Generic(1, int: s.l) << 1);
  _Generic(1, int: s.i) = 300;
  printf("%d\n", s.i);
  printf("%d\n", _Generic(1, int: s.i) += 250);
  return 0;
}
