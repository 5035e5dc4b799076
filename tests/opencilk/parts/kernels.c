/* Loops over arrays, whose iterations cost what they cost in C: KERNEL chooses one, T is the type of the variable.
 * With -DSERIAL they are C's. */
#include <stdlib.h>
#ifdef SERIAL
#define cilk_for for
#endif
static float a[1 << 19], b[1 << 19];
static double d[1 << 19], e[1 << 19];
static long l[1 << 19];
static unsigned char c[1 << 19];

int main(int argc, char **argv)
{
    T n = argc > 1 ? (T)atol(argv[1]) : 9;
    cilk_for (T i = 0; i < n; i++) a[i] += 2.5f * b[i];
    cilk_for (T i = 1; i < n - 1; i++) e[i] = (d[i - 1] + d[i] + d[i + 1]) / 3;
    cilk_for (T i = 0; i < n; i++) l[i] = i * 3;
    cilk_for (T i = 0; i < n; i++) c[i] = l[i] & 255;
    cilk_for (T i = 0; i < n; i += 2) a[i] = b[i] + 1;
    cilk_for (T i = n - 1; i > 0; i--) b[i] = a[i] + 1;
    return l[n / 2] + a[n / 3] + e[n / 2] + b[n / 2] + c[n / 5] == 0;
}
