// What blocks and loops share with the function around them: scalars, arrays, structures, arrays of variable size, pointers, parameters, statics.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state { int n; double a[5]; struct { char c; } in; };

static long work(int n, double scale, struct state s, int *out, int vla) {
    int local = n, changed = 0, *p = &changed;
    double matrix[3][4] = { { 0 } };
    static int counter;
    int sized[vla], square[vla][vla + 1];
    float (*rows)[vla] = malloc(sizeof(float[4][vla]));
    long double precise = 1.5L;
    _Complex double z = 1.0;
    cilk_for (int i = 0; i < vla; i++) {
        sized[i] = i + local;
        for (int j = 0; j <= vla; j++) square[i][j] = i * j;
        for (int j = 0; j < 4; j++) rows[j][i] = (float)(i + j);
    }
    cilk_spawn { matrix[1][2] = scale * local; s.a[3] = s.n; s.in.c = 'x'; }
    cilk_spawn { precise *= 2; z += 2.0i; }
    cilk_spawn { out[0] = sized[vla - 1] + square[2][3]; }
    cilk_spawn { *p = 5; counter++; }
    cilk_sync;
    cilk_for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) matrix[i][j] += sizeof matrix / sizeof matrix[0];
    double sum = 0;
    for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) sum += matrix[i][j] * (i + 1);
    long t = 0;
    for (int i = 0; i < vla; i++) t += sized[i] * square[i][vla] + (long)rows[3][i];
    free(rows);
    local++;
    cilk_for (int i = 0; i < 10; i++) {
        int inner = i * local;
        cilk_for (int j = 0; j < 5; j++) {
            int *mine = &inner;
            if (j == 4) out[i] += *mine + n;
        }
    }
    return t + (long)sum + changed + counter + (long)s.a[3] + s.in.c + (long)precise + (long)__real__ z * 10 + (long)__imag__ z + local;
}

static const char *names[3];
static void named(void) {
    cilk_for (int i = 0; i < 2; i++) names[i] = __func__;
    cilk_spawn { names[2] = __FUNCTION__; }
}
int main(void) {
    struct state s = { 7, { 1, 2, 3, 4, 5 }, { 'a' } };
    int out[10] = { 0 };
    for (int n = 3; n < 7; n++) printf("%ld\n", work(n, 0.5, s, out, n + 4));
    for (int i = 0; i < 10; i++) printf(" %d", out[i]);
    named();
    printf("\n%s %s %s\n", names[0], names[1], names[2]);
    return 0;
}
