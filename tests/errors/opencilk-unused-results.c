// FLAGS: -Wall -fopencilk
// A call of a spawning function becomes a variable and a statement before. No warning is about the variable.
int p(int n) {
  if (n < 2) return n;
  int a = cilk_spawn p(n - 1);
  cilk_sync;
  return a;
}
[[nodiscard]] int q(int n) {
  if (n < 2) return n;
  int a = cilk_spawn q(n - 1);
  cilk_sync;
  return a;
}

int f(int n) {
  int k = cilk_spawn p(2);
  p(3);
  (p(3));
  (int)p(3);
  n ? p(3) : 0;
  p(3), p(4);
  (void)p(3);
  cilk_spawn p(5);
  q(3);                         // WARNING: unused-result
  (q(3));                       // WARNING: unused-result
  (q(3)), p(1);                 // WARNING: unused-result
  p(1), q(3);                   // WARNING: unused-result
  cilk_spawn q(5);              // WARNING: unused-result
  n && p(3);
  q(4), p(3);                   // WARNING: unused-result
  (void)q(4);
  cilk_sync;
  k + p(3);                     // WARNING: unused-value
  return k;
}
