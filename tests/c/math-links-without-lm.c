/* fabs, creal, cimag, conj and theirs for float and long double need no -lm at any level, declared by hand or not: the
 * test links without it. -fno-builtin's own functions are called (not here). */
#include <stdio.h>

double fabs(double), creal(double _Complex), cimag(double _Complex);
float fabsf(float), crealf(float _Complex), cimagf(float _Complex);
long double fabsl(long double), creall(long double _Complex), cimagl(long double _Complex);
double _Complex conj(double _Complex);
float _Complex conjf(float _Complex);
long double _Complex conjl(long double _Complex);

static int calls;

static double _Complex next(void)
{
    calls++;
    return calls - 2.5i;
}

int main(int argc, char **argv)
{
    volatile float x = -argc;
    volatile double y = -2.5;
    volatile long double z = -0.0L;
    volatile double _Complex c = 1 + 2i;
    volatile float _Complex f = 3 - 4i;
    volatile long double _Complex l = -5 + 6i;
    (void)argv;
    printf("%g %g %d %g %g\n", fabsf(x), fabs(y), !__builtin_signbit(fabsl(z)), fabs(x), (fabs)(y));
    printf("%g %g %g %g %Lg %Lg\n", creal(c), cimag(c), crealf(f), cimagf(f), creall(l), cimagl(l));
    printf("%g %g %Lg %g\n", cimag(conj(c)), cimagf(conjf(f)), cimagl(conjl(l)), creal(conj(c)));
    printf("%g %g %g\n", cimag(next()), creal(argc), cimag(conj(next())));
    printf("%d %g\n", calls, cimag(conj(3.0)));
    return 0;
}
