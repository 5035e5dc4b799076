// The forms of cilk_spawn: what it calls, and where its value goes.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int square(int n) { return n * n; }
static int cube(int n) { return n * n * n; }
static double half(int n) { return n / 2.0; }
static void put(int *where, int n) { *where = n; }
static int total(int n, ...) {
    va_list list;
    int s = 0;
    va_start(list, n);
    while (n--) s += va_arg(list, int);
    va_end(list);
    return s;
}
struct op { int (*call)(int); const char *name; };
static struct op table[] = { { square, "square" }, { cube, "cube" } };
struct big { int n; char text[120]; };
static struct big fill(int n) {
    struct big b = { n, "" };
    snprintf(b.text, sizeof b.text, "number %d", n);
    return b;
}
static int use(int a, int b) { return a * 100 + b; }
static int later;
static void store(int n) { later = n; }

int main(void) {
    int (*f)(int) = cube;
    struct op *op = &table[1];
    int a, b, c, d, e, g, h;
    long wide;
    _Bool truth;
    char small;
    float single;
    a = cilk_spawn square(3);
    b = cilk_spawn f(3);
    c = cilk_spawn (*f)(4);
    d = cilk_spawn table[0].call(5);
    e = cilk_spawn op->call(2);
    g = cilk_spawn (op != table ? square : cube)(2);
    h = cilk_spawn total(4, 1, 2, 3, 4);
    wide = cilk_spawn half(7);
    truth = cilk_spawn square(6);
    small = cilk_spawn square(5);
    single = cilk_spawn sqrt(2.25);
    cilk_sync;
    printf("%d %d %d %d %d %d %d %ld %d %d %g\n", a, b, c, d, e, g, h, wide, truth, small, single);

    int x = cilk_spawn square(7), y = 5, z = cilk_spawn cube(y);
    const int fixed = cilk_spawn square(8);
    cilk_spawn put(&y, 9);
    cilk_spawn square(99);
    cilk_sync;
    printf("%d %d %d %d\n", x, y, z, fixed);

    int v[10];
    for (int i = 0; i < 10; i++) v[i] = cilk_spawn square(i);
    cilk_sync;
    for (int i = 0; i < 10; i++) printf(" %d", v[i]);
    struct big one = cilk_spawn fill(1), two;
    struct { struct big in[2]; } nest;
    two = cilk_spawn fill(2);
    nest.in[1] = cilk_spawn fill(3);
    cilk_sync;
    printf("\n%s, %s, %s\n", one.text, two.text, nest.in[1].text);

    int chosen = x > 3 ? cilk_spawn square(2) : 1, other;
    other = x < 3 ? cilk_spawn square(3) : x == 49 ? cilk_spawn cube(3) : 0;
    cilk_sync;
    printf("%d %d\n", chosen, other);

    store(cilk_spawn square(11));
    cilk_sync;
    int s = 1;
    cilk_spawn s += square(3);
    cilk_sync;
    char from[] = "copied", to[10];
    cilk_spawn memcpy(to, from, sizeof from);
    cilk_spawn { v[0] = use(v[1], v[2]); for (int i = 1; i < 10; i++) v[i] += 1000; }
    cilk_sync;
    printf("%d %d %s %d %d\n", later, s, to, v[0], v[9]);
    return 0;
}
