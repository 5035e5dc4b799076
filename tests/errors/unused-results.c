// FLAGS: -Wall
// The places where gcc warns, too: both sides of a comma, statement expressions, headers of loops.
[[nodiscard]] int made(void);
struct [[nodiscard]] s { int i; };
struct s structure(void);
int other(void);

void f(int n) {
  made();                       // WARNING: unused-result
  (made());                     // WARNING: unused-result
  (long)made();
  made(), other();              // WARNING: unused-result
  other(), made();              // WARNING: unused-result
  ({ made(); });                // WARNING: unused-result
  for (made(); n; n--) break;   // WARNING: unused-result
  for (; n; made()) break;      // WARNING: unused-result
  structure();                  // WARNING: unused-result
  (other(), made()), n--;       // WARNING: unused-result
  made(nothing);                // ERROR: undeclared
  (void)made();
  n ? made() : 0;
  n = made(), other();
  int m = ({ made(); });
  n = (other(), made()) + m;
  sizeof(made(), 1) > 1 ? other() : 0;
}
