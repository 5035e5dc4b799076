/* Pedigrees and draws of spawns, calls, loops, blocks, scopes and nests. GRAIN is the grain of two loops. */
#include <cilk/cilk_api.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef GRAIN
static const int grain = GRAIN;
#endif
static uint64_t out[1 << 16];   /* each draw has a place of its own */
static void leaf(int i) { out[i] = __cilkrts_get_dprand(); }
static void draw(int lo, int hi) {
    if (hi - lo == 1) { out[lo] = __cilkrts_get_dprand(); return; }
    int mid = (lo + hi) / 2;
    cilk_spawn draw(lo, mid);
    draw(mid, hi);
    cilk_sync;
    out[lo] ^= __cilkrts_get_dprand();
}
static uint64_t sub(int n) {
    cilk_spawn leaf(3000 + n);
    cilk_spawn leaf(3100 + n);
    return __cilkrts_get_dprand();
}
static void show(const char *what) {
    __cilkrts_pedigree p = __cilkrts_get_pedigree();
    const __cilkrts_pedigree *l = &p;
    printf("%s:", what);
    for (; l; l = l->parent) printf(" %lu", (unsigned long)l->rank);
    printf("\n");
}
static void child(const char *w) { show(w); }
static void nest(int n) {
    if (n == 0) return show("deep");
    cilk_spawn nest(n - 1);
    cilk_sync;
}
static void deep(int n) {               /* deeper than OpenCilk's table of 4096 */
    if (n == 0) { leaf(7000); return; }
    cilk_spawn deep(n - 1);
    cilk_sync;
}
int main(int argc, char **argv) {
    if (argc > 1) __cilkrts_dprand_set_seed((uint64_t)atoi(argv[1]));
    show("start");
    cilk_spawn child("a"); cilk_sync;
    show("after");
    cilk_spawn child("b"); cilk_sync;
    draw(0, 1000);
    show("drawn");
    uint64_t s = 0;
    for (int i = 0; i < 50; i++) s += sub(i);
    out[5000] = s;
    show("subs");
#ifdef GRAIN
    #pragma cilk grainsize grain
#endif
    cilk_for (int i = 0; i < 1000; i++) {
        out[10000 + i] = __cilkrts_get_dprand();
        cilk_spawn leaf(20000 + i);
        leaf(30000 + i);
        cilk_sync;
        out[40000 + i] = __cilkrts_get_dprand();
    }
    show("for");
    cilk_for (int i = 0; i < 1; i++) show("it");
#ifdef GRAIN
    #pragma cilk grainsize grain
#endif
    cilk_for (int i = 0; i < 3; i++) cilk_for (int j = 0; j < 300; j++) out[50000 + i * 300 + j] = __cilkrts_get_dprand();
    cilk_scope { cilk_spawn leaf(6000); cilk_spawn { leaf(6001); leaf(6002); } }
    nest(5);
    deep(6000);
    show("end");
    uint64_t h = 0;
    for (int i = 0; i < 1 << 16; i++) h = h * 6364136223846793005u + out[i];
    printf("%016lx\n", (unsigned long)h);
}
