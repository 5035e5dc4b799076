// Reducers on the heap that begin to exist after a spawn, in a strand that may have been stolen: they are registered.
#include <cilk/hyperobject_base.h>
#include <stdio.h>
#include <stdlib.h>
struct text { int n; char s[200]; };
static void nothing(void *view) { ((struct text *)view)->n = 0; }
static void append(void *left, void *right) {
    struct text *l = left, *r = right;
    for (int i = 0; i < r->n; i++) l->s[l->n++] = r->s[i];
}
typedef struct text cilk_reducer(nothing, append) reducer;
static void write(reducer *to, int lo, int hi) {
    if (hi - lo == 1) {
        to->s[to->n++] = 'a' + lo % 26;
        return;
    }
    cilk_spawn write(to, lo, (lo + hi) / 2);
    write(to, (lo + hi) / 2, hi);
    cilk_sync;
}
static int twice(int k) { return 2 * k; }
static void work(int k, char *out) {
    int before = cilk_spawn twice(k);
    struct text *object = calloc(1, sizeof *object);
    object->s[object->n++] = '0' + k % 10;
    __cilkrts_reducer_register(object, sizeof *object, nothing, append);
    reducer *to = (void *)object;
    cilk_spawn write(to, k, k + 40);
    write(to, k + 1, k + 50);
    cilk_sync;
    __cilkrts_reducer_unregister(object);
    sprintf(out, "%d %.*s", before, object->n, object->s);
    free(object);
}
int main(void) {
    static char out[20][200];
    for (int k = 0; k < 20; k++) cilk_spawn work(k, out[k]);
    cilk_sync;
    for (int k = 0; k < 20; k++) puts(out[k]);
    return 0;
}
