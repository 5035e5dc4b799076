// FLAGS: -std=c17 -pedantic-errors
/* What ISO C forbids and GNU C does not mind. */
int f(void);;                                   // ERROR: extra-semi
static int hidden(void) { return 1; }
inline int shared(void) { return hidden(); }    // ERROR: static-in-inline
inline int counter(void)
{
    static int n;                               // ERROR: static-in-inline
    return n++;
}
struct open { int n; int a[]; };
struct holder { struct open o; };               // ERROR: flexible-array-extensions
_Atomic(const int) atomic;                      // ERROR: bad-atomic
int escape = '\q';                              // ERROR: unknown-escape
char *ucn = "\u0041";                           // ERROR: bad-escape
char *octal = "\400";                           // ERROR: escape-out-of-range
int binary = 0b11;                              // ERROR: pedantic
int generic = _Generic(1, void: 1, int: 2);     // ERROR: generic-type
int value(void) { return; }                     // ERROR: return-type
void none(void) { return 1; }                   // ERROR: return-type

int operators(int *p, void *v, int a, unsigned char *u, char *c)
{
    if (p < 0) return 1;                        // ERROR: pedantic
    if (v == f) return 2;                       // ERROR: pedantic
    a = a ? : 3;                                // ERROR: pedantic
    a += ({ a; });                              // ERROR: pedantic
    a += __extension__ ({ a; });
    a += _Alignof(a);                           // ERROR: pedantic
    u = c;                                      // ERROR: pointer-sign
    return a + *u;
}

void statements(int a)
{
    for (static int i = 0; i < 3; i++) ;        // ERROR: for-declaration
    for (extern int j; a < 3; a++) ;            // ERROR: for-declaration
    for (int k(void); a < 3; a++) ;             // ERROR: for-declaration
    for (struct t { int a; } x = {0}; x.a < 3; x.a++) ;     // ERROR: for-tag
    for (struct { int a; } x = {0}; x.a < 3; x.a++) ;
    int nested(void) { return 1; }              // ERROR: pedantic
    switch (a + nested()) {
    case 1:                                     // ERROR: pedantic
        int d;
        d = 1;
        a += d;
        break;
    case 2:                                     // ERROR: pedantic
    }
end:                                            // ERROR: pedantic
}

static int main(double x, char **v) { return x > 0 && v; }  // ERROR: main // ERROR: main
void variable_member(int n) { struct { int a[n]; } s; (void)s; }    // ERROR: pedantic
void local_label(void) { __label__ l; l:; }                         // ERROR: pedantic
int by_type = _Generic(int, int: 1);                                // ERROR: pedantic
