// FLAGS: -std=c17 -pedantic -Wno-unused-value
/* __extension__ says that GNU C is meant, for the expression or declaration that it begins: to its ';' or ',', or to the bracket around it. */
int plain(void) { return ({ 1; }); }                                   // WARNING: pedantic
int meant(void) { return __extension__ ({ 1; }); }
int within(int a) { return (__extension__ a + ({ 1; })) + ({ 2; }); }  // WARNING: pedantic
int argument(int (*f)(int, int)) { return f(__extension__ ({ 1; }), ({ 2; })); }  // WARNING: pedantic
int nested(void) { return __extension__ ({ int a = ({ 1; }); __extension__ a; ({ a; }); }); }
int in_text(void) { return "__extension__"[0] + ({ 1; }); }            // WARNING: pedantic
__extension__ struct s { int a; struct { int b; }; int none[0]; };
struct t { int a; int none[0]; };                                      // WARNING: zero-length-array
__extension__ typedef int array[0];
typedef int other[0];                                                  // WARNING: zero-length-array
