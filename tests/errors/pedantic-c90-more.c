/* FLAGS: -std=c90 -pedantic-errors */
/* Arrays that are not objects, designators, and constants that have a value but no constant form. */
struct s { char c[2]; int n; };
struct s make(void);
int g(void);
char *p;
int (*plain)[3]; const int (*fixed)[3]; int (*four)[4];
int use(void)
{
    int i;
    char c = make().c[0];                       /* ERROR: c99-extensions */
    p = make().c;                               /* ERROR: non-lvalue-array */
    make().c;
    i = sizeof(0, make().c) == 2;
    return i + c + (plain == four);             /* ERROR: compare-distinct-pointer-types */
}
struct s old = { { 1, 2 }, n: 3 };              /* ERROR: c99-extensions */ /* ERROR: pedantic */
struct s designated = { .n = 3 };               /* ERROR: c99-extensions */
enum last { LAST, };                            /* ERROR: c99-extensions */
void star(int a[*]);                            /* ERROR: c99-extensions */
void quals(int a[const 3]);                     /* ERROR: c99-extensions */
_Complex double z;                              /* ERROR: c99-extensions */
double hex = 0x1p3;                             /* ERROR: c99-extensions */
struct s *literal(void) { struct s *q = &(struct s){{1}, 2}; return q; }    /* ERROR: c99-extensions */
typedef const int cint;
const cint twice = 1;                           /* ERROR: duplicate-decl-specifier */
static int comma = 1 ? 2 : (3, 4);              /* ERROR: pedantic */
static int call = 1 ? 2 : g();                  /* ERROR: pedantic */
static int shift = 0 << 40;                     /* ERROR: pedantic */
enum { OVER = 0 * (2147483647 + 1) };           /* ERROR: overflow */
static int negative = -1 << 2;
extern void nothing;
void *address(void) { return &nothing; }        /* ERROR: address-of-void */
__extension__ struct t { int n; int open[]; };
