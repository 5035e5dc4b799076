/* GNU nested functions: captured variables by reference, depth two, recursion, addresses (trampolines), struct results. */
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
struct r { long a, b, c; };
static int apply(int (*f)(int), int n) { int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }
static int outer(int k, short p) {
  int count = 0, arr[4] = { 1, 2, 3, 4 };
  int add(int x) { count++; return x + k + arr[x & 3] + p; }
  struct r three(int x) { struct r v = { x, k, count }; return v; }
  int deep(int n) {
    int local = n;
    int inner(int m) { local += m; count += 10; return local + k; }
    return n ? inner(1) + deep(n - 1) : inner(100);
  }
  int s = add(1) + add(2);
  struct r v = three(9); CHECK(v.a == 9 && v.b == k && v.c == 2);
  s += deep(2);
  CHECK(count == 32);
  s += apply(add, 4);
  CHECK(count == 36);
  return s;
}
int main(void) {
  CHECK(outer(100, 7) == (1 + 100 + 2 + 7) + (2 + 100 + 3 + 7) + (103 + 102 + 200) + (400 + 6 + 10 + 28));
  int n = 5; char vla[n];
  void set(int i, char c) { vla[i] = c; }
  set(3, 'x'); CHECK(vla[3] == 'x');
  return fails ? 1 : 0;
}
