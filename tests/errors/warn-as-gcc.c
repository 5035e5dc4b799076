/* Warnings that must be asked for: the same places as gcc's. */
// FLAGS: -Wconversion -Wsign-conversion -Wdeclaration-after-statement -Wstrict-prototypes -Wold-style-definition -Wmissing-prototypes -Wmissing-declarations
int f() { return 1; }                   // WARNING: 3:5 strict-prototypes   WARNING: 3:5 old-style-definition  WARNING: 3:5 missing-prototypes
int k(x) int x; { return x; }           // WARNING: 4:5 strict-prototypes   WARNING: 4:5 old-style-definition  WARNING: 4:5 missing-prototypes
static int h(int n)
{
    int a;
    a = n;
    int b;                              // WARNING: 9:5 declaration-after-statement
    int c;
    b = a;
    unsigned u = -1;                    // WARNING: 12:5 declaration-after-statement    WARNING: 12:18 sign-conversion
    int z = 2.5, exact = 2.0;           // WARNING: 13:13 float-conversion
    c = b;
    return c + z + exact + (int)u;
}
int main(void) { return h(1); }
