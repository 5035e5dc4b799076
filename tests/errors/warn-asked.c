// FLAGS: -Wextra -Wmissing-braces -Wmissing-declarations -Wmissing-prototypes -Wold-style-definition -Wredundant-decls
int a[2][2] = { 1, 2, 3, 4 };           // WARNING: missing-braces // WARNING: missing-braces
int f(void) { return 1; }               // WARNING: missing-prototypes
const int g(void);                      // WARNING: ignored-qualifiers
int h(int);
int h(x) int x; { return x; }           // WARNING: old-style-definition
int i(void);
int i(void);                            // WARNING: redundant-decls
static int j(int x) { x = 1; return 2; }    // WARNING: unused-but-set-parameter
int k(void);
int k(void) { return j(1); }
