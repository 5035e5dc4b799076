// A child writes a part of a variable, or a variable that _Generic or __builtin_choose_expr selects: the parent has it after the join.
#include <stdio.h>
typedef int four __attribute__((vector_size(16)));

static int by_pointer(void) {
    four v = { 1, 2, 3, 4 };
    int *third = &v[2], seen = 0;
    cilk_spawn { *third += 27; seen = v[2]; }
    cilk_sync;
    return seen + v[0];
}

int main(void) {
    int a = 1, b = 1, c = 1, d = 1, *p = &d;
    _Complex double z = 1, y = 1;
    four v = { 1, 2, 3, 4 }, w = v, u = v, pair[2] = { v, v };
    cilk_spawn {
        _Generic(0, int: a, default: b) = 5;
        __builtin_choose_expr(1, (b), 0) += 6;
        v[2] = 30;
        p[0]++;
        pair[1][3] -= 8;
        __real__ z = 4;
    }
    cilk_for (int i = 0; i < 9; i++) {
        if (i < 4) w[i] *= 10;
        if (i == 5) _Generic(&c, int *: c, default: p)++;
        if (i == 7) __imag__ _Generic(0, default: y) = 7;
        if (i == 8) cilk_spawn { u[3] = 9; }
    }
    cilk_sync;
    printf("%d %d %d %d %d %d %g %g\n", a, b, c, d, v[2], pair[1][3], __real__ z, __imag__ y);
    for (int i = 0; i < 4; i++) printf("%d %d ", w[i], u[i]);
    printf("%d\n", by_pointer());
    return 0;
}
