/* What can be assigned, and to what. */
struct s { int i; const int k; } s, t;
struct u { int i; } u;
int i, *p, a[3];
double d;
const int k = 1;
void v(void);
int f(int);

void assignments(const int n)
{
    1 = i;                           // ERROR: 12:7 not-an-lvalue
    i + 1 = 2;                       // ERROR: 13:11 not-an-lvalue
    f(1) = 2;                        // ERROR: 14:10 not-an-lvalue
    a = p;                           // ERROR: 15:7 array-not-assignable
    f = 0;                           // ERROR: 16:7 not-assignable
    k = 2;                           // ERROR: 17:7 assign-to-const
    n++;                             // ERROR: 18:5 assign-to-const
    s = t;                           // ERROR: 19:7 assign-to-const
    s.k = 1;                         // ERROR: 20:9 assign-to-const
    i = u;                           // ERROR: 21:9 incompatible-types
    u = i;                           // ERROR: 22:9 incompatible-types
    i = v();                         // ERROR: 23:9 void-value
    p = d;                           // ERROR: 24:9 incompatible-types
    d = p;                           // ERROR: 25:9 incompatible-types
    d += p;                          // ERROR: 26:7 bad-operands
    p *= 2;                          // ERROR: 27:7 bad-operands
    d %= 2;                          // ERROR: 28:7 bad-operands
    u += 1;                          // ERROR: 29:7 bad-operands
    (i ? i : i) = 1;                 // ERROR: 30:17 not-an-lvalue
}
