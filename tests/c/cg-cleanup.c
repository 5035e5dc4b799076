/* __attribute__((cleanup)): order, every way out of a block, loops, return values, goto. */
static int fails, log_[64], nlog;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
static void done(int *p) { log_[nlog++] = *p; }
#define C __attribute__((cleanup(done)))
static int early(int n) { C int a = 1; if (n == 1) return a + 10; { C int b = 2; if (n == 2) { a = 7; return b; } } C int c = 3; return c + n; }
static void loop(void) { for (int i = 0; i < 4; i++) { C int v = 100 + i; if (i == 1) continue; if (i == 2) break; } }
static int jumps(int n) { int r = 0; again: { C int x = 50 + r; r++; if (r < 3) goto again; if (n) goto out; r = 10; } out: return r; }
static int expr(void) { int v = ({ C int t = 9; t + 1; }); return v; }
static int sw(int n) { switch (n) { case 1: { C int s = 11; break; } default: { C int d = 12; return 1; } } return 0; }
int main(void) {
  CHECK(early(1) == 11 && nlog == 1 && log_[0] == 1); nlog = 0;
  CHECK(early(2) == 2 && nlog == 2 && log_[0] == 2 && log_[1] == 7); nlog = 0;
  CHECK(early(3) == 6 && nlog == 3 && log_[0] == 2 && log_[1] == 3 && log_[2] == 1); nlog = 0;
  loop(); CHECK(nlog == 3 && log_[0] == 100 && log_[2] == 102); nlog = 0;
  CHECK(jumps(1) == 3 && nlog == 3 && log_[2] == 52); nlog = 0;
  CHECK(jumps(0) == 10 && nlog == 3); nlog = 0;
  CHECK(expr() == 10 && nlog == 1 && log_[0] == 9); nlog = 0;
  CHECK(sw(1) == 0 && log_[0] == 11); CHECK(sw(2) == 1 && log_[1] == 12);
  int n = 3; nlog = 0; for (int i = 0; i < 100; i++) { C int z = i; char v[n * 100]; v[0] = 1; if (i > 50) break; nlog = 0; } CHECK(nlog == 2);
  return fails ? 1 : 0;
}
