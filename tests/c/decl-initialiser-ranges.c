// Ranges of elements that later initialisers override: cut in pieces, whole structs in part, ranges within ranges.
static int line;
#define CHECK(c) do { if (!(c) && !line) line = __LINE__; } while (0)
struct p { int x, y; };
int a[10] = { [0 ... 9] = 4, [3] = 5, [5 ... 6] = 1, [0] = 9, [9] = 8, [4 ... 8] = 2, [7] = 3 };
struct p b[6] = { [0 ... 5] = { 1, 2 }, [2] = { 7 }, [4].y = 9, [5] = { .y = 1 } };
int c[3][4] = { [0 ... 2][1 ... 2] = 5, [1][2] = 6, [2] = { 1 } };
int d[] = { [9] = 1, [8] = 2, [7] = 3, [8] = 4, [9] = 5 };
union u { char c[8]; long l; } e[4] = { [0 ... 3].l = -1, [1].c = "ab", [2] = { { 1 } } };
struct n { struct p q[3]; int z; } f[3] = { [0 ... 2] = { .q[0 ... 2] = { 1, 2 }, 3 }, [1].q[1].x = 8, [1].z = 4 };
struct bits { unsigned a : 3, b : 7, c : 9; } g[3] = { [0 ... 2] = { 1, 2, 3 }, [1].b = 99 };
struct p h[3][2] = { { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } }, [0 ... 1][0] = { .y = 9 } };
struct p j[4] = { { 1, 2 }, { 3, 4 }, { 5, 6 }, [0 ... 3].x = 7 };
static int back[1000] = {
#define D(n) [999 - (n)] = (n) + 1
#define D10(n) D(n), D(n + 1), D(n + 2), D(n + 3), D(n + 4), D(n + 5), D(n + 6), D(n + 7), D(n + 8), D(n + 9)
  D10(0), D10(10), D10(20), D10(10), D10(0), [0] = 7
};
int main(int argc, char **argv) {
  static const int want[10] = { 9, 4, 4, 5, 2, 2, 2, 3, 2, 8 };
  for (int i = 0; i < 10; i++) CHECK(a[i] == want[i]);
  CHECK(b[0].x == 1 && b[1].y == 2 && b[2].x == 7 && b[2].y == 0 && b[3].y == 2 && b[4].x == 1 && b[4].y == 9 && b[5].x == 0 && b[5].y == 1);
  CHECK(c[0][0] == 0 && c[0][1] == 5 && c[0][2] == 5 && c[0][3] == 0 && c[1][1] == 5 && c[1][2] == 6 && c[2][0] == 1 && c[2][1] == 0);
  CHECK(d[7] == 3 && d[8] == 4 && d[9] == 5 && sizeof d == 40);
  CHECK(e[0].l == -1 && e[3].l == -1 && e[1].l == 'a' + ('b' << 8) && e[2].l == 1);
  CHECK(f[0].q[2].y == 2 && f[0].z == 3 && f[1].q[1].x == 8 && f[1].q[1].y == 2 && f[1].q[0].x == 1 && f[1].z == 4 && f[2].q[1].x == 1);
  CHECK(g[0].b == 2 && g[1].b == 99 && g[1].a == 1 && g[1].c == 3 && g[2].b == 2);
  CHECK(h[0][0].x == 0 && h[0][0].y == 9 && h[0][1].x == 3 && h[1][0].x == 0 && h[1][0].y == 9 && h[1][1].y == 8 && h[2][0].y == 0);
  CHECK(j[0].x == 7 && j[0].y == 2 && j[2].x == 7 && j[2].y == 6 && j[3].x == 7 && j[3].y == 0);
  CHECK(back[999] == 1 && back[970] == 30 && back[0] == 7 && back[969] == 0);
  int k = argc + 5;
  struct p l[6] = { [0 ... 5] = { k, k + 1 }, [2].x = 1 };
  CHECK(l[0].x == k && l[2].x == 1 && l[5].y == k + 1 && argv);
  struct p one = { k, 3 }, m[4] = { [0 ... 3] = one, [1].x = 2 };
  CHECK(m[0].x == k && m[1].x == 2 && m[3].y == 3);
  return line;
}
