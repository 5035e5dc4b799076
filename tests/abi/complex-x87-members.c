// long double _Complex is returned in the x87 registers, a record that has one as a member in memory; so is _Complex _Float128.
struct only { long double _Complex z; };
struct more { long double _Complex z; int i; };
union either { long double _Complex z; char c; };
long double _Complex plain(int n);
struct only only(int n);
struct more more(long n, struct only o, union either e);
union either either(void);
_Complex _Float128 quad(int n, _Complex _Float128 q);
#ifdef CALLEE
long double _Complex plain(int n) { return n + 2.0iL; }
struct only only(int n) { return (struct only){n + 3.0iL}; }
struct more more(long n, struct only o, union either e) { return (struct more){o.z * 2.0L, (int)n + e.c}; }
union either either(void) { return (union either){.z = 4.0iL}; }
_Complex _Float128 quad(int n, _Complex _Float128 q) { return q + n; }
#else
int main(void) {
  union either e = {.c = 5};
  struct only o = only(7);
  struct more m = more(1, o, e);
  long double _Complex p = plain(9);
  _Complex _Float128 q = quad(3, 1.0Q);
  return !(__imag__ o.z == 3 && __real__ o.z == 7 && __imag__ m.z == 6 && m.i == 6 && __real__ p == 9 && __imag__ p == 2 && __imag__ either().z == 4 && __real__ q == 4);
}
#endif
