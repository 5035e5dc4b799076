/* The sizes of a nested function's array parameters may use, and change, variables of the function around it; transparent unions as
   parameters fit their members' types; a library function without declaration. */
static int fails;
#define CHECK(e) do { if (!(e)) fails++; } while (0)
static void outer(int n) {
  void f(int a[2][n++]) { CHECK(sizeof *a == n * sizeof(int) - sizeof(int)); a[1][0] = 7; }
  int a[2][n];
  f(a);
  int b[2][n];
  f(b);
  CHECK(a[1][0] == 7 && b[1][0] == 7 && n == 5);
}
typedef union { const int *i; const char *c; } either __attribute__((transparent_union));
extern int first(either);
static int call(void) { int v = 9; return first(&v) + first((const char *)&v); }
int first(const int *p) { return *p; }
int main(void) {
  outer(3);
  CHECK(call() == 18);
  return fails;
}
