/* A product of constants whose parts are known to be NaNs: one that is infinite is made so by Annex G. */
#include <stdio.h>
#define P(a, b, c, d) show(__builtin_complex(a, b) * __builtin_complex(c, d))
static void show(_Complex double z)
{
    printf("%d %d, ", __builtin_isnan(__real__ z), __builtin_isnan(__imag__ z));
    printf("%d %d\n", __builtin_isinf_sign(__real__ z), __builtin_isinf_sign(__imag__ z));
}

int main(void)
{
    double inf = __builtin_inf(), nan = __builtin_nan("");
    P(__builtin_inf(), __builtin_nan(""), 1.0, 1.0);
    P(__builtin_nan(""), __builtin_nan(""), 1.0, 1.0);
    P(__builtin_inf(), __builtin_inf(), 1.0, 1.0);
    P(__builtin_inf(), 0.0, 1.0, 0.0);
    P(inf, nan, 1.0, 1.0);
    P(inf, inf, 0.0, nan);
    P(2.0, 3.0, 4.0, nan);
    _Complex float f = __builtin_complex(__builtin_inff(), __builtin_nanf("")) * __builtin_complex(1.0f, 1.0f);
    _Complex long double l = __builtin_complex(__builtin_infl(), __builtin_nanl("")) * __builtin_complex(1.0L, 1.0L);
    show(f); show(l);
    return 0;
}
