// Loop headers as people write them: pointers, unsigned and 64-bit counters, downwards, strides, !=, ends that are calls, char counters.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <string.h>
static int hits[4096];
#define CLEAR memset(hits, 0, sizeof hits)
static void show(const char *what) {
    unsigned h = 0, n = 0;
    for (int i = 0; i < 4096; i++) { h = h * 31 + hits[i]; n += hits[i] != 0; }
    printf("%-10s %u %u\n", what, n, h);
    CLEAR;
}
static int end_calls;
static int the_end(void) { end_calls++; return 77; }
struct cell { double x; int n; };
int main(void) {
    static struct cell cells[50];
    cilk_for (struct cell *p = cells; p != cells + 50; ++p) hits[p - cells] = 1 + (int)(p - cells);
    show("pointer");
    cilk_for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) hits[i] = (int)i * 2;
    show("size_t");
    cilk_for (unsigned u = 100; u > 0; u--) hits[u] = u;
    show("unsigned");
    cilk_for (unsigned u = 99; u >= 3; u -= 7) hits[u] = u;
    show("minus");
    cilk_for (int64_t i = -20; i <= 20; i += 3) hits[i + 20] = 5;
    show("int64");
    cilk_for (uint8_t c = 0; c < 200; c++) hits[c] = c + 1;
    show("byte");
    cilk_for (char c = 'a'; c <= 'z'; ++c) hits[c] = c;
    show("char");
    cilk_for (int i = 0; i != the_end(); i++) hits[i] += 3;
    show("call");
    printf("%d\n", end_calls > 0);
    cilk_for (int i = 100; 0 <= i; i--) hits[i]++;
    show("mirrored");
    long step = 5;
    cilk_for (long i = 3; i < 300; i = i + step) hits[i] = 2;
    cilk_for (short i = 299; i > 3; i = i - 10) hits[i] += 4;
    show("variable");
    cilk_for (int i = 10; i < 10; i++) hits[i] = 1;
    cilk_for (int i = 10; i < -10; i++) hits[0] = 1;
    show("empty");
    int lo = 5, hi = 25;
    cilk_for (int i = lo, e = hi; i < e; ++i) hits[i] = e - i;
    show("two");
    enum color { RED, GREEN, BLUE, LAST };
    cilk_for (enum color c = RED; c < LAST; c++) hits[c] = 10 + c;
    show("enum");
    cilk_for (int *p = hits + 9; p >= hits; p -= 3) *p = 6;
    show("down");
    cilk_for (ptrdiff_t d = 7; d >= 0; --d) { if (d & 1) continue; hits[d] = 9; }
    show("continue");
    return 0;
}
