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
  (int)made();                  // WARNING: unused-result
  (*made)();                    // WARNING: unused-result
  (&made)();                    // WARNING: unused-result
  (**made)();                   // WARNING: unused-result
  (*structure)();               // WARNING: unused-result
  (void)(int)made();
  (*other)();
  made(), other();              // WARNING: unused-result
  other(), made();              // WARNING: unused-result
  ({ made(); });                // WARNING: unused-result
  for (made(); n; n--) break;   // WARNING: unused-result
  for (; n; made()) break;      // WARNING: unused-result
  structure();                  // WARNING: unused-result
  (other(), made()), n--;       // WARNING: unused-result
  _Generic(1, int: made());     // WARNING: unused-result
  _Generic(1, int: (other(), made()), default: 0), n--;  // WARNING: unused-result
  __builtin_choose_expr(1, made(), 0);    // WARNING: unused-result
  __builtin_choose_expr(1, 0, made()), n--;
  made(), n = nothing;          // WARNING: unused-result
                                // ERROR: 30:15 undeclared
  made(missing);                // ERROR: undeclared
  (void)made();
  n ? made() : 0;
  n = made(), other();
  int m = ({ made(); });
  n = (other(), made()) + m;
  sizeof(made(), 1) > 1 ? other() : 0;
}
