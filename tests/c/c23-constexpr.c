// FLAGS: -std=gnu23
// constexpr variables are constants: array sizes, cases, widths, enumerators, static initialisers; at file scope they belong to their unit.
#include <stdio.h>
constexpr int width = 4;
constexpr unsigned long long big = 1ull << 40;
constexpr double half = 0.5;
static int table[width];
static_assert(sizeof table == 4 * sizeof(int) && big >> 40 == 1 && half * 2 == 1.0);
enum { twice = width * 2 };
struct bits { unsigned low : width; };
static const double scaled = half * width;
static int pick(int n) {
  constexpr int first = width + 1;
  static int calls[first];
  switch (n) {
  case width: return 1;
  case first: return (int)(sizeof calls / sizeof calls[0]);
  default: return 0;
  }
}
int main() {
  struct bits b = {19};
  if (twice != 8 || b.low != 3 || scaled != 2.0) return 1;
  if (pick(4) != 1 || pick(5) != 5 || pick(6) != 0) return 2;
  constexpr char letter = 'x';
  static_assert(letter == 'x');
  const int *p = &width;
  return *p != 4;
}
