// FLAGS: -Wall -Wextra -Wfloat-equal
/* Operators that do not mean what they look like, and comparisons whose outcome is known. */
enum a { A };
enum b { B };
struct s { int x; };

int parentheses(int a, int b, int c)
{
    int r = 0;
    r += a && b || c;               // WARNING: parentheses
    r += (a && b) || c;
    r += a << b + c;                // WARNING: parentheses
    r += a & b == c;                // WARNING: parentheses
    r += a & b | c;                 // WARNING: parentheses
    r += a | b + c;                 // WARNING: parentheses
    r += a == b != c;               // WARNING: parentheses
    r += a < b < c;                 // WARNING: parentheses
    r += (a & b) | (c ^ 1);
    r += !a == b;                   // WARNING: logical-not-parentheses
    r += !a == !b;
    r += (!a) == b;
    return r;
}

int comparisons(int a, unsigned u, _Bool t, double d, enum a x, enum b y, struct s *p)
{
    int r = 0;
    r += (a < 3) == 2;              // WARNING: bool-compare
    r += t > 1;                     // WARNING: bool-compare
    r += t == 1;
    r += (a < 3) != 0;
    r += a == a;                    // WARNING: tautological-compare
    r += p->x == p->x;              // WARNING: tautological-compare
    r += d != d;                    // WARNING: float-equal
    r += u < 0;                     // WARNING: type-limits
    r += u >= 0;                    // WARNING: type-limits
    r += u > 0;
    r += x == y;                    // WARNING: enum-compare
    r += x == A;
    r += ~t;                        // WARNING: bool-operation
    r += -1 << a;                   // WARNING: shift-negative-value
    return r;
}

unsigned long sizes(int v[10], int *p)
{
    typedef int unused;             // WARNING: unused-local-typedefs
    typedef int used;
    used x = 1;
    return sizeof v + sizeof p + (unsigned long)x;      // WARNING: sizeof-array-argument
}

int indentation(int a)
{
    if (a)                          // WARNING: misleading-indentation
        a++;
        a--;
    for (int i = 0; i < 3; i++)     // WARNING: misleading-indentation
        a++; a--;
    while (a > 3)
        a--;
    a++;
    if (a) a++;
    if (a)
        a++;
    else                            // an else belongs to its if
        a--;
    return a;
}
