// FLAGS: -std=c23
// Storage classes before the type of a compound literal, auto at file scope and beside other storage classes, constexpr elements and literals.
#include <stdio.h>
auto ratio = 2.5;
static auto count = 3u;
const auto letter = 'x';
static_assert(_Generic(ratio, double: 1) && _Generic(count, unsigned: 1) && _Generic(&letter, const int *: 1));
constexpr int table[4] = {1, [2] = 5};
constexpr char word[] = "abc";
constexpr struct { struct { short a[2]; } in[2]; char name[4]; } deep = {{{{1, 2}}, {{3, 4}}}, "xy"};
static_assert(table[2] == 5 && table[3] == 0 && word[1] == 'b' && word[3] == 0 && deep.in[1].a[1] == 4 && deep.name[1] == 'y' && deep.name[3] == 0);
static_assert((constexpr int){5} == 5 && (constexpr struct { int a, b; }){.b = 7}.b == 7);
static int *kept(void) { return (static int[]){10, 20}; }
static int *mine(void) { return &(static thread_local int){4}; }
static int *here = (static int[2]){7};
int main(void) {
  kept()[1]++;
  kept()[1]++;
  ++*mine();
  int r = (register int){3}, last = 0;
  auto int plain = 2;
  static auto once = 1L;
  once++;
  for (auto i = 0; i < 3; i++) last = i;
  auto p = &plain;
  auto q = p;
  switch (r) { case table[2] - 2: break; default: return 1; }
  int sized[table[2]];
  printf("%d %d %d %d %ld %d %zu %g\n", kept()[1], *mine(), *here, last, once, *q, sizeof sized / sizeof *sized, ratio);
  return kept()[1] != 22 || *mine() != 5 || *here != 7 || once != 2;
}
