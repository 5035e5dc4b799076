// Heat diffusion: divides columns, swaps old and new between steps; row pointers and a macro for the kernel.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <cilk/cilk.h>
#define f(x, y) (sin(x) * sin(y))
#define leafmaxcol 4
static double **allocate(int nx, int ny) {
    double **m = malloc(nx * sizeof(double *));
    for (int i = 0; i < nx; i++) m[i] = calloc(ny, sizeof(double));
    return m;
}
static int nx = 24, ny = 20, nt = 6;
static double dx = 0.1, dy = 0.1, dt = 0.001, dtdxsq, dtdysq;
static void diffuse(double **out, double **in, int lb, int ub, int t) {
    if (ub - lb > leafmaxcol) {
        cilk_spawn diffuse(out, in, lb, (ub + lb) / 2, t);
        cilk_spawn diffuse(out, in, (ub + lb) / 2, ub, t);
        cilk_sync;
        return;
    }
    for (int i = lb; i < ub; i++)
        for (int j = 0; j < ny; j++) {
            if (i == 0 || j == 0 || i == nx - 1 || j == ny - 1) out[i][j] = t * dt;
            else
                out[i][j] = dtdysq * (in[i][j + 1] - 2.0 * in[i][j] + in[i][j - 1]) + dtdxsq * (in[i + 1][j] - 2.0 * in[i][j] + in[i - 1][j]) + in[i][j];
        }
}
int main(int argc, char **argv) {
    double **odd = allocate(nx, ny), **even = allocate(nx, ny);
    dtdxsq = dt / (dx * dx), dtdysq = dt / (dy * dy);
    for (int i = 0; i < nx; i++) for (int j = 0; j < ny; j++) even[i][j] = f(i * dx, j * dy);
    for (int c = 1; c <= nt; c++)
        if (c % 2) diffuse(odd, even, 0, nx, c);
        else diffuse(even, odd, 0, nx, c);
    double mx = 0, s = 0;
    for (int i = 0; i < nx; i++) for (int j = 0; j < ny; j++) { s += even[i][j]; mx = fmax(mx, fabs(even[i][j])); }
    printf("%.12f %.12f\n", s, mx);
    return 0;
}
