// Conway's life on a torus, boards swapped by pointers to arrays, rows in parallel.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ROWS 24
#define COLS 40
typedef unsigned char board[ROWS][COLS];
static inline int wrap(int i, int n) { return (i % n + n) % n; }
static int neighbours(board *b, int r, int c) {
    int n = 0;
    for (int dr = -1; dr <= 1; ++dr)
        for (int dc = -1; dc <= 1; ++dc)
            if (dr || dc) n += (*b)[wrap(r + dr, ROWS)][wrap(c + dc, COLS)];
    return n;
}
int main(void) {
    board *now = malloc(sizeof(board)), *next = malloc(sizeof(board));
    memset(*now, 0, sizeof *now);
    const char *glider[] = {".#.", "..#", "###"};
    for (int k = 0; k < 4; k++)
        for (int r = 0; r < 3; r++) for (int c = 0; c < 3; c++) (*now)[r + 5 * k][c + 8 * k] = glider[r][c] == '#';
    for (int step = 0; step < 30; step++) {
        cilk_for (int r = 0; r < ROWS; r++) {
            for (int c = 0; c < COLS; c++) {
                int n = neighbours(now, r, c);
                (*next)[r][c] = n == 3 || (n == 2 && (*now)[r][c]);
            }
        }
        board *t = now;
        now = next;
        next = t;
    }
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < COLS; c++) putchar((*now)[r][c] ? '#' : '.');
        putchar('\n');
    }
    free(now), free(next);
    return 0;
}
