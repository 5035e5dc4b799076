// A backtracking search that copies its board by value into each child, counts solutions, and keeps the first in serial order.
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>
typedef struct { unsigned char cell[16]; } board;
typedef struct { int count; board first; } result;
static int fits(const board *b, int at, int v) {
    int r = at / 4, c = at % 4;
    for (int k = 0; k < 4; k++)
        if (b->cell[r * 4 + k] == v || b->cell[k * 4 + c] == v || b->cell[(r / 2 * 2 + k / 2) * 4 + c / 2 * 2 + k % 2] == v) return 0;
    return 1;
}
static result solve(board b, int at) {
    while (at < 16 && b.cell[at]) at++;
    result total = {0};
    if (at == 16) { total.count = 1; total.first = b; return total; }
    result found[4];
    memset(found, 0, sizeof found);
    for (int v = 1; v <= 4; v++)
        if (fits(&b, at, v)) {
            board next = b;
            next.cell[at] = v;
            found[v - 1] = cilk_spawn solve(next, at + 1);
        }
    cilk_sync;
    for (int v = 0; v < 4; v++) {
        if (!total.count && found[v].count) total.first = found[v].first;
        total.count += found[v].count;
    }
    return total;
}
int main(void) {
    board empty = {{0}}, some = {{0, 2, 0, 0, 0, 0, 0, 3}};
    result a = solve(empty, 0), b = solve(some, 0);
    printf("%d %d\n", a.count, b.count);
    for (int i = 0; i < 16; i++) printf("%d%c", b.first.cell[i], i % 4 == 3 ? '\n' : ' ');
    return 0;
}
