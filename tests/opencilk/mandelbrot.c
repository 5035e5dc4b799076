// Mandelbrot with a palette string; the image is one malloc'd block; a row is a child.
#include <cilk/cilk.h>
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
static int iterations(double complex c) {
    double complex z = 0;
    int n = 0;
    while (n < 60 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) z = z * z + c, n++;
    return n;
}
static void row(char *line, int y, int w, int h) {
    for (int x = 0; x < w; x++) line[x] = " .:-=+*#%@"[iterations(3.0 * x / w - 2.2 + (2.0 * y / h - 1) * I) / 7];
    line[w] = '\0';
}
int main(int argc, char *argv[]) {
    const int w = 60, h = 20;
    char (*image)[w + 1] = malloc(h * sizeof *image);
    for (int y = 0; y < h; y++) cilk_spawn row(image[y], y, w, h);
    cilk_sync;
    for (int y = 0; y < h; y++) puts(image[y]);
    long inside = 0;
    for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) inside += image[y][x] == '%';
    printf("%ld\n", inside);
    free(image);
    return 0;
}
