/* Complex and vector arithmetic, and the floating types of TS 18661. */
#include <complex.h>
#include <stdio.h>
static int bad;
#define CHECK(e) do { if (!(e)) { printf("line %d: %s\n", __LINE__, #e); bad = 1; } } while (0)
typedef int v4i __attribute__((vector_size(16)));
typedef unsigned v4u __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef short v8s __attribute__((vector_size(16)));

/* Integers are divided by the ratio of the divisor's parts. */
static _Complex int quotient = (_Complex int)(7 + 9i) / (_Complex int)(2 + 1i);
static void divide(_Complex int a, _Complex int b)
{
    _Complex int q = a / b;
    _Complex unsigned u = (_Complex unsigned)a / (_Complex unsigned)b;
    _Complex signed char c = (_Complex signed char)a / (_Complex signed char)b;
    printf("%d %d, %u %u, %d %d, %d %d\n", __real__ q, __imag__ q, __real__ u, __imag__ u, __real__ c, __imag__ c, __real__ (a / 3), __imag__ (100 / b));
}

int main(void)
{
    divide(7 + 9i, 2 + 1i); divide(100 - 33i, 2 + 1i); divide(-50 + 7i, 3 - 8i); divide(5, -2i); divide(-7 - 90i, -11 + 11i);
    printf("%d %d\n", __real__ quotient, __imag__ quotient);
    double complex z = 1 + 2 * I, w = 3 - I; float complex f = 1.5f + 2.0fi;
    CHECK(creal(z * w) == 5 && cimag(z * w) == 5); CHECK(z + w == 4 + I); CHECK(z - 1 == 2 * I); CHECK(__real__ z == 1 && __imag__ z == 2); CHECK(z / z == 1); CHECK(-z == -1 - 2 * I); CHECK(~z == 1 - 2 * I);
    __real__ z = 5; __imag__ z += 1; CHECK(z == 5 + 3 * I); z *= 2; CHECK(z == 10 + 6 * I); z += 1.0f; CHECK(creal(z) == 11); z = f; CHECK(z == 1.5 + 2 * I); CHECK((double)z == 1.5 && (int)z == 1); CHECK(_Generic(f + 1.0, double complex: 1, default: 0)); CHECK(!(_Bool)(0 * I) && (_Bool)(I));
    _Complex int ci = 3 + 4i; CHECK(__imag__ (ci * ci) == 24 && __real__ (ci * ci) == -7); double complex arr[2] = { 1, I }; CHECK(arr[0] == 1 && arr[1] == I); z = 1 ? w : f; CHECK(z == w); CHECK(__builtin_complex(1.0, 2.0) == 1 + 2 * I); CHECK(sizeof(f) == 8 && sizeof(long double complex) == 32);
    v4i a = { 1, 2, 3, 4 }, b = { 10, 20, 30, 40 }, c; c = a + b; CHECK(c[0] == 11 && c[3] == 44); c = a * 2; CHECK(c[2] == 6); c = 1 - a; CHECK(c[3] == -3); c = a < 3; CHECK(c[0] == -1 && c[2] == 0); c = -a; CHECK(c[1] == -2); c = ~a; CHECK(c[0] == -2); c = a << 1; CHECK(c[3] == 8); c[1] = 99; CHECK(c[1] == 99);
    c += a; c &= 15; CHECK(c[0] == 3); v4u u = (v4u)a; CHECK(u[1] == 2); v4f vf = { 1.5f, 2.5f, -1, 0 }; vf = vf * vf; CHECK(vf[1] == 6.25f); v4i ci4 = __builtin_convertvector(vf, v4i); CHECK(ci4[0] == 2); CHECK(((v4i)(vf == vf))[0] == -1); v2d d = (v2d){ 1, 2 } + 1; CHECK(d[1] == 3); v4i m = { 3, 2, 1, 0 }; c = __builtin_shuffle(a, m); CHECK(c[0] == 4); c = __builtin_shuffle(a, b, (v4i){ 0, 4, 1, 5 }); CHECK(c[1] == 10);
    c = __builtin_shufflevector(a, b, 7, 0, 6, 1); CHECK(c[0] == 40 && c[1] == 1); v8s s8 = { 1, 2, 3 }; CHECK(s8[2] == 3 && s8[7] == 0); long long bits = (long long)(__attribute__((vector_size(8))) int){ 1, 0 }; CHECK(bits == 1);
    _Float16 h = 1.5f16; h = h * 2; CHECK(h == 3); _Float128 q = 1; q /= 3; CHECK(q * 3 - 1 < 1e-30Q && (double)q == 1.0 / 3); __float128 q2 = 2.5; CHECK((int)q2 == 2); _Float32x x = 1.5f32x; CHECK(x == 1.5); _Float64x y = 1.25f64x; CHECK(y == 1.25L); long double ld = 0.1L; CHECK(ld != 0.1);
    return bad;
}
