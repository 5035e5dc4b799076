/* 4096 draws of one strand, of a loop's iterations, and of a tree's leaves. */
#include <cilk/cilk_api.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 4096 };
static uint64_t strand[N], loop[N], tree[N];
static void draw(int lo, int hi) {
    if (hi - lo == 1) { tree[lo] = __cilkrts_get_dprand(); return; }
    cilk_spawn draw(lo, (lo + hi) / 2);
    draw((lo + hi) / 2, hi);
}
static void print(const uint64_t *numbers) {
    for (int i = 0; i < N; i++) printf("%016llx%c", (unsigned long long)numbers[i], i + 1 == N ? '\n' : ' ');
}
int main(int argc, char **argv) {
    if (argc > 1) __cilkrts_dprand_set_seed((uint64_t)atoi(argv[1]));
    for (int i = 0; i < N; i++) strand[i] = __cilkrts_get_dprand();
    cilk_for (int i = 0; i < N; i++) loop[i] = __cilkrts_get_dprand();
    draw(0, N);
    print(strand);
    print(loop);
    print(tree);
    return 0;
}
