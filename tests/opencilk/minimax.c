// Tic-tac-toe by minimax: enums, recursion in both roles, an array of scores, the best move by ties.
#include <cilk/cilk.h>
#include <stdio.h>
enum mark { NONE, X, O };
typedef struct { unsigned x : 9, o : 9; } pos;
static const unsigned lines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
static int won(unsigned m) { for (int i = 0; i < 8; i++) if ((m & lines[i]) == lines[i]) return 1; return 0; }
static int score(pos p, enum mark turn, int depth) {
    if (won(p.x)) return 10 - depth;
    if (won(p.o)) return depth - 10;
    if ((p.x | p.o) == 0777) return 0;
    int value[9], best = turn == X ? -100 : 100;
    for (int i = 0; i < 9; i++) {
        value[i] = 1000;
        if ((p.x | p.o) >> i & 1) continue;
        pos q = p;
        if (turn == X) q.x |= 1u << i; else q.o |= 1u << i;
        if (depth < 3) value[i] = cilk_spawn score(q, turn == X ? O : X, depth + 1);
        else value[i] = score(q, turn == X ? O : X, depth + 1);
    }
    cilk_sync;
    for (int i = 0; i < 9; i++)
        if (value[i] != 1000 && (turn == X ? value[i] > best : value[i] < best)) best = value[i];
    return best;
}
int main(void) {
    pos starts[] = {{0, 0}, {1, 0}, {1, 020}, {0101, 020}, {0405, 0022}};
    for (unsigned i = 1; i < sizeof starts / sizeof *starts; i++)
        printf("%d %d\n", score(starts[i], X, 0), score(starts[i], O, 0));
    return 0;
}
