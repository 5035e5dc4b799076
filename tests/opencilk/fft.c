// A recursive transform over C99 complex numbers; complex results of spawned functions.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cilk/cilk.h>
typedef double complex cplx;
static void fft(cplx *out, const cplx *in, int n, int step) {
    if (n == 1) { out[0] = in[0]; return; }
    cilk_spawn fft(out, in, n / 2, 2 * step);
    fft(out + n / 2, in + step, n / 2, 2 * step);
    cilk_sync;
    for (int k = 0; k < n / 2; k++) {
        cplx w = cexp(-2 * M_PI * I * k / n) * out[k + n / 2], e = out[k];
        out[k] = e + w;
        out[k + n / 2] = e - w;
    }
}
static cplx energy(cplx *a, int n) {
    if (n == 1) return a[0] * conj(a[0]);
    cplx l = cilk_spawn energy(a, n / 2);
    cplx r = energy(a + n / 2, n - n / 2);
    cilk_sync;
    return l + r;
}
static long double complex wide(int n) {
    if (n < 2) return n + 2.0L * n * I;
    long double complex a = cilk_spawn wide(n - 1), b;
    b = cilk_spawn wide(n - 2);
    cilk_sync;
    return a + b * I;
}
int main(void) {
    enum { N = 64 };
    cplx a[N], b[N];
    for (int i = 0; i < N; i++) a[i] = cos(i) + I * (i % 5);
    fft(b, a, N, 1);
    cplx e = energy(b, N), g = energy(a, N);
    printf("%.6f %.6f\n", creal(e) / N - creal(g), fabs(cimag(e)));
    for (int i = 0; i < 4; i++) printf("%.9f %.9f\n", creal(b[i]), cimag(b[i]));
    long double complex w = wide(9);
    printf("%.3Lf %.3Lf\n", creall(w), cimagl(w));
    return 0;
}
