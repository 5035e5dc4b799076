// Polynomials multiplied by Karatsuba's scheme: malloc'd temporaries, memset, three children each.
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef int64_t coef;
static void mul(coef *out, const coef *a, const coef *b, size_t n) {
    if (n <= 4) {
        memset(out, 0, 2 * n * sizeof *out);
        for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < n; ++j) out[i + j] += a[i] * b[j];
        return;
    }
    const size_t h = n / 2;
    coef *t = malloc(n * sizeof(coef) + 2 * n * sizeof(coef)), *s = t + h, *mid = t + n;
    for (size_t i = 0; i < h; ++i) t[i] = a[i] + a[i + h], s[i] = b[i] + b[i + h];
    cilk_spawn mul(out, a, b, h);
    cilk_spawn mul(out + n, a + h, b + h, h);
    mul(mid, t, s, h);
    cilk_sync;
    for (size_t i = 0; i < n; ++i) mid[i] -= out[i] + out[i + n];
    cilk_for (size_t i = 0; i < n; ++i) out[i + h] += mid[i];
    free(t);
}
int main(void) {
    enum { N = 128 };
    coef a[N], b[N], c[2 * N], d[2 * N] = {0};
    for (int i = 0; i < N; i++) a[i] = i % 19 - 9, b[i] = (i * 5) % 23 - 11;
    mul(c, a, b, N);
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) d[i + j] += a[i] * b[j];
    printf("%s %lld %lld\n", memcmp(c, d, sizeof(coef) * (2 * N - 1)) ? "wrong" : "right", (long long)c[N], (long long)c[200]);
    return 0;
}
