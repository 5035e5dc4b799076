// Spawns in spawns, deeper than the deque of a worker at its start: no limit but memory.
#include <stdio.h>
static int depth(int n) {
    if (n == 0) return 0;
    int below = cilk_spawn depth(n - 1);
    cilk_sync;
    return below + 1;
}
static int beside(int n) {
    if (n == 0) return 1;
    int below = cilk_spawn beside(n - 1), here = n % 7;
    cilk_sync;
    return (below + here) % 1000;
}
int main(void) {
    printf("%d %d\n", depth(5000), beside(20000));
    return 0;
}
