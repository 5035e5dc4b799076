/* Constraints of operators: one error for each mistake. */
struct s { int i; int b : 4; } s, t;
struct incomplete *inc;
int i, *p, a[3];
double d;
char *cp;
void v(void);
const int k = 1;
const struct s ks;
int f(int);

void operators(void)
{
    register int r = 0;
    i = s + 1;                       // ERROR: 15:11 bad-operands
    i = d % 2;                       // ERROR: 16:11 bad-operands
    i = p * 2;                       // ERROR: 17:11 bad-operands
    i = d << 1;                      // ERROR: 18:11 bad-operands
    i = ~d;                          // ERROR: 19:9 bad-operand
    i = -p;                          // ERROR: 20:9 bad-operand
    i = !s;                          // ERROR: 21:9 bad-operand
    i = *i;                          // ERROR: 22:9 deref-non-pointer
    p = &1;                          // ERROR: 23:9 address-of-rvalue
    p = &s.b;                        // ERROR: 24:9 address-of-bit-field
    p = &r;                          // ERROR: 25:9 address-of-register
    i = s == t;                      // ERROR: 26:11 bad-operands
    i = s && 1;                      // ERROR: 27:11 bad-operands
    i = s ? 1 : 2;                   // ERROR: 28:9 not-scalar
    i = cp - p;                      // ERROR: 29:12 pointer-subtraction
    inc + 1;                         // ERROR: 30:9 incomplete-type
    i = 1 ? s : 2;                   // ERROR: 31:9 conditional-types
}
