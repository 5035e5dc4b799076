// FLAGS: -std=c23
// Parts of C23 that are older here than the switch's new name: each by its value.
#include <stdio.h>
enum small : unsigned char { least, most = 255 };
static_assert(sizeof(enum small) == 1 && __STDC_VERSION__ >= 202311L);
static_assert(0b1011 == 11 && 1'000'000 == 1000000 && 0x1'0000 == 65536);
[[nodiscard]] static int unnamed(int, [[maybe_unused]] double) { return 5; }
#define LIST(first, ...) sum(first __VA_OPT__(, ) __VA_ARGS__)
#define sum(...) ((int[]){__VA_ARGS__}[0] + (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)))
#ifdef NOTHING
#elifdef __STDC__
#define CHOSEN 3
#endif
thread_local int mine = 2;
alignas(32) static char aligned[3];
int main() {
  bool yes = true, no = false;
  auto d = 1.5;
  const int ci = 3;
  typeof_unqual(ci) plain = 4;
  plain++;
  typeof(d) e = d * 2;
  struct { int a, b[3]; } empty = {};
  int zero[4] = {};
  unsigned n = 3;
  char text[n] = {};
  switch (n) { case 3: int inside = 7; plain += inside; }
  if (plain != 12 || e != 3.0 || empty.b[2] || zero[3] || text[0] || text[2]) return 1;
  if (sizeof true != 1 && sizeof true != sizeof(int)) return 2;
  if (!yes || no || unnamed(1, 2) != 5 || CHOSEN != 3 || mine != 2 || alignof(aligned) < 1) return 3;
  if (LIST(4) != 5 || LIST(4, 5) != 6) return 4;
  if (u8'x' != 120 || sizeof u8"ab" != 3 || (__UINTPTR_TYPE__)aligned % 32) return 5;
  goto end;
end:
}
