// cilk_for: every form, ranges at the ends of their types, strides, what the body may do.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int evaluated;
static int end_of(int n) { evaluated++; return n; }
static int slow(int n) { return n < 2 ? 1 : slow(n - 1) + slow(n - 2); }
static int twice(int n) { int a = cilk_spawn slow(n), b = slow(n); cilk_sync; return a + b; }
enum colour { red, green, blue, none };
struct point { int x, y; };

static unsigned char seen[600];
static int count_seen(void) {
    int n = 0;
    for (int i = 0; i < 600; i++) n = n * 3 % 10007 + seen[i];
    memset(seen, 0, sizeof seen);
    return n;
}

int main(void) {
    enum { N = 500 };
    static double a[N], b[N];
    cilk_for (int i = 0; i < N; i++) a[i] = i * 0.5;
    cilk_for (int i = N - 1; i >= 0; --i) b[i] = a[i] + 1;
    double s = 0;
    for (int i = 0; i < N; i++) s += b[i] * i;
    printf("%g\n", s);

    cilk_for (int i = 0, e = end_of(N); i < e; i += 3) seen[i] = 1;
    printf("%d %d\n", count_seen(), evaluated);
    cilk_for (int i = 0; i < end_of(100); i++) seen[i] = 2;
    printf("%d\n", count_seen());
    cilk_for (long i = 10; 100 > i; i = i + 7) seen[i] = 3;
    printf("%d\n", count_seen());
    int step = 9;
    cilk_for (unsigned i = 0; i <= 99; i = step + i) seen[i] = 4;
    printf("%d\n", count_seen());
    cilk_for (int i = 99; i != -1; i -= 4) seen[i] = 5;
    printf("%d\n", count_seen());
    step = -2;
    cilk_for (int i = 100; i != 0; i += step) seen[i] = 6;
    printf("%d\n", count_seen());
    cilk_for (unsigned char i = 250; i < 255; i++) seen[i] = 7;
    cilk_for (signed char i = -128; i < 127; i++) seen[i + 200]++;
    printf("%d\n", count_seen());
    cilk_for (int i = INT_MAX - 5; i < INT_MAX; i++) seen[i - (INT_MAX - 5)] = 8;
    cilk_for (int i = INT_MIN + 5; i > INT_MIN; i--) seen[i - INT_MIN + 100] = 9;
    cilk_for (long long i = LLONG_MIN; i < LLONG_MIN + 4; i++) seen[i - LLONG_MIN + 200] = 10;
    cilk_for (unsigned long i = ULONG_MAX - 3; i < ULONG_MAX; i++) seen[i - (ULONG_MAX - 3) + 300] = 11;
    cilk_for (int i = INT_MIN; i < (1 << 30); i += 1 << 30) seen[400 + (i + 2147483648LL) / (1 << 30)] = 12;
    cilk_for (short i = 5; i < 5; i++) seen[i] = 13;
    cilk_for (unsigned i = 7; i < 3; i++) seen[i] = 14;
    unsigned long long m = 77;
    cilk_for (int i = 0; i < m; i++) seen[i + 500] = 15;
    cilk_for (enum colour c = red; c < none; c++) seen[590 + c] = 16;
    printf("%d\n", count_seen());
    struct point *points = malloc(100 * sizeof *points);
    cilk_for (struct point *p = points; p < points + 100; p++) p->x = (int)(p - points), p->y = 2 * p->x;
    cilk_for (struct point *p = points + 99; p >= points; p -= 3) p->y++;
    const char *const text = "parallel";
    cilk_for (const char *p = text; p != text + 8; ++p) seen[p - text] = (unsigned char)*p;
    long t = 0;
    for (int i = 0; i < 100; i++) t = t * 5 % 100003 + points[i].x * points[i].y;
    printf("%ld %d\n", t, count_seen());
    free(points);

    int table[20][10], where = 3;
    cilk_for (int i = 0; i < 20; i++) {
        if (i % 5 == 4) {
            for (int j = 0; j < 10; j++) table[i][j] = -1;
            continue;
        }
        for (int j = 0; j < 10; j++) {
            if (j > i) { table[i][j] = 0; continue; }
            table[i][j] = i * j + where;
        }
        switch (i) { case 3: table[i][0] = 99; break; default: break; }
    }
    cilk_for (int i = 0; i < 20; i++)
        cilk_for (int j = 0; j < 10; j++) table[i][j] += i - j;
    t = 0;
    for (int i = 0; i < 20; i++) for (int j = 0; j < 10; j++) t = t * 3 % 100003 + table[i][j] + 50;
    printf("%ld\n", t);

    int r[30];
    cilk_for (int i = 0; i < 30; i++) {
        int x = cilk_spawn slow(i % 8), y;
        y = twice(i % 5);
        cilk_sync;
        r[i] = x * 100 + y;
        cilk_spawn { r[i] += i; }
    }
#pragma cilk grainsize 4
    cilk_for (int i = 0; i < 30; i++) r[i] += 1;
#pragma cilk grainsize = 1
    cilk_for (int i = 0; i < 30; i++) r[i] += twice(i % 3);
    int grain = 1000;
#pragma cilk grainsize(grain)
    cilk_for (int i = 0; i < 30; i++) r[i] *= 2;
    t = 0;
    for (int i = 0; i < 30; i++) t = t * 7 % 1000003 + r[i];
    printf("%ld\n", t);
    long big = 0;
    static int hits[100];
    cilk_for (long i = 0; i < 100000; i++) if (i % 1000 == 0) hits[i / 1000]++;
    for (int i = 0; i < 100; i++) big += hits[i];
    printf("%ld\n", big);
    return 0;
}
