// Selection and iteration statements and their substatements are blocks: a tag declared in one of their expressions is not seen after them.
#include <complex.h>

struct tag { char c[3]; };
static double _Complex z = CMPLX(1.5, -2.0), q = CMPLX(3.0, 4.0) / CMPLX(0.0, 1.0);

int main(void)
{
    int a, b;
    if ((a = sizeof(struct tag { char c[5]; })))
        b = sizeof(struct tag { char c[7]; });
    else
        b = sizeof(struct tag { char c[9]; });
    if (a != 5 || b != 7 || sizeof(struct tag) != 3) return 1;
    for (a = sizeof(struct tag { char c[11]; }); a == 11; a++)
        b = sizeof(struct tag);
    if (b != 11 || sizeof(struct tag) != 3) return 2;
    while ((a = sizeof(enum { one = 41 }))) { b = one; break; }
    enum { one = 2 };
    if (b != 41 || one != 2) return 3;
    switch (sizeof(struct tag { char c[13]; })) {
    case 13: a = sizeof(struct tag); break;
    default: a = 0;
    }
    do b = sizeof(struct tag { char c[17]; }); while (b == sizeof(struct tag));
    if (a != 13 || b != 17) return 4;
    if (creal(z) != 1.5 || cimag(z) != -2.0 || creal(q) != 4.0 || cimag(q) != -3.0) return 5;
    {
        __label__ unused;
        a = 0;
    }
    return a;
}
