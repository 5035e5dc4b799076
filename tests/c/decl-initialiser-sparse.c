// Values that are megabytes apart in one object, given in any order, some of them twice: the space between is zero.
static int line;
#define CHECK(c) do { if (!(c) && !line) line = __LINE__; } while (0)
enum { M = 1 << 20 };
struct bits { unsigned a : 5, b : 20; int : 0; unsigned char c[3]; };
static int i[] = { [2 * M] = 7, [5] = 3, [M + 1 ... M + 3] = 8, [2 * M] = 9, [M + 2] = 1 };
static const char *p[3 * M] = { [M / 4] = "ab", [2 * M + 1] = "cd", [2 * M] = (char *)&i[5] };
static struct bits s[M] = { [M - 1] = { 3, 77777, "xyz" }, [M / 2] = { .c[2] = 6 }, [M / 2].b = 5 };
static char t[4 * M] = { [3 * M + 1] = 'q', [3 * M + 3] = 'r' };
static struct { char first; long double far[M / 4]; char name[3 * M]; double last; } r = { .last = 2.5, .name = "name", .far[M / 5] = 1.25L };
static int nothing[M] = { [M - 1] = 0, [0 ... M - 2] = 0 };
static long same[M / 2] = { [0 ... M / 2 - 1] = -2, [M / 4] = 0 };
static struct { int n; short more[]; } open = { 4, { [M] = 5, [3] = 6 } };
static int (*calls[M])(void);
static int two(void) { return 2; }
static int (*called[M])(void) = { [M - 2] = two };

int main(void) {
  for (long k = 0; k < 2 * M + 1; k++) CHECK(i[k] == (k == 5 ? 3 : k == M + 1 || k == M + 3 ? 8 : k == M + 2 ? 1 : k == 2 * M ? 9 : 0));
  CHECK(sizeof i == (2l * M + 1) * sizeof(int));
  for (long k = 0; k < 3 * M; k++) CHECK(!p[k] == !(k == M / 4 || k == 2 * M || k == 2 * M + 1));
  CHECK(p[M / 4][1] == 'b' && p[2 * M + 1][0] == 'c' && *(const int *)p[2 * M] == 3);
  for (long k = 0; k < M; k++)
    CHECK(s[k].a == (k == M - 1 ? 3 : 0) && s[k].b == (k == M - 1 ? 77777 : k == M / 2 ? 5 : 0) && s[k].c[2] == (k == M - 1 ? 'z' : k == M / 2 ? 6 : 0));
  for (long k = 0; k < 4 * M; k++) CHECK(t[k] == (k == 3 * M + 1 ? 'q' : k == 3 * M + 3 ? 'r' : 0));
  CHECK(r.first == 0 && r.last == 2.5 && r.name[3] == 'e' && r.name[4] == 0);
  for (long k = 0; k < M / 4; k++) CHECK(r.far[k] == (k == M / 5 ? 1.25L : 0));
  for (long k = 0; k < M; k++) CHECK(nothing[k] == 0 && calls[k] == 0 && (k == M - 2 || !called[k]));
  for (long k = 0; k < M / 2; k++) CHECK(same[k] == (k == M / 4 ? 0 : -2));
  CHECK(open.n == 4 && open.more[2] == 0 && open.more[3] == 6 && open.more[M - 1] == 0 && open.more[M] == 5);
  CHECK(called[M - 2]() == 2);
  return line & 255 ? line & 255 : line;
}
