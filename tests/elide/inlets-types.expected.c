#include <stdio.h>
#include <stdlib.h>
typedef struct { int best; } state;
#define BUMP(v) ((v)++)
int f(int n) { return n; }
state g(int n) { state s; s.best = n; return s; }
typedef int number;

struct pt { int x; struct pt *next; };

union t1_u { int i; float f; };

static void t1_one(unsigned long buf_0, volatile int *const flag, struct pt **const pa, struct pt *const a, int (*const matrix)[2][3], char (*const buf)[buf_0], double **const d, union t1_u *const u, int *restrict *const p, int (**const cb)(int), int *const n, const char **const name, int (**const proc)(int), int r) { number k = r; if (k > 7) (*flag) = 1; (*pa)->x += k; a->x++; (*matrix)[1][2] += r; (*buf)[0] = 'a'; (*d)[1] += r; u->i = r; (*p)[0] = (*cb) ? (*cb)(r) : (*n); *name = "x"; (void)(*proc); }

static void t1_two(const char **const name, volatile int *const flag, state s, number k) { printf("%d %d %s\n", s.best, k, (*name)); for (int n = 0; n < 2; n++) (*flag) += n; }

static void t1_three(volatile int *const flag, int r)
{
    struct local { int q; } z = { r };
    *flag += z.q; goto out; out: ;
#ifdef SOMETHING
    ;
#endif
}

int t1(int n, int *restrict p, double d[4], const char *name, int (*cb)(int), int (*proc)(int))
{
    enum { LIMIT = 7 };
    struct pt a = { 0, 0 }, *pa = &a;
    volatile int flag = 0;
    int matrix[2][3] = {{0}};
    char buf[n + 1];
    union t1_u u;
    t1_one(sizeof buf / sizeof buf[0], &flag, &pa, &a, &matrix, &buf, &d, &u, &p, &cb, &n, &name, &proc, f(n)); t1_two(&name, &flag, g(3), 4); t1_three(&flag, f(2)); t1_three(&flag, proc(1));
    ;
    return flag + a.x + matrix[1][2] + (int)d[1];
}
int main(int argc, char **argv)
{
    int x, arr[3]; double d[4] = {0};
    x = t1(5, arr, d, "n", NULL, f); ;
    printf("%d\n", x);
    return 0;
}
