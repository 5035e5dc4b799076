// FLAGS: -std=c23
constexpr int one = 1;
constexpr int none;                                // ERROR: constexpr
int f(int n) {
  constexpr int twice = 2 * n;                     // ERROR: constexpr
  constexpr int fine = one + sizeof n;
  return twice + fine;
}
