// Breadth-first search with the layer in a reducer of list segments (a "bag"), and a benign race made atomic.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cilk/cilk.h>
#define HUNK 16
typedef struct hunk { struct hunk *next; int used, vertex[HUNK]; } hunk;
typedef struct { hunk *first, *last; long count; } bag;
void bag_create(void *v) { bag *b = v; b->first = b->last = NULL; b->count = 0; }
void bag_union(void *left, void *right) {
    bag *l = (bag *)left, *r = (bag *)right;
    if (r->first == NULL) return;
    if (l->first == NULL) *l = *r;
    else { l->last->next = r->first; l->last = r->last; l->count += r->count; }
}
static void bag_insert(bag *b, int v) {
    if (b->last == NULL || b->last->used == HUNK) {
        hunk *h = malloc(sizeof *h);
        h->next = NULL, h->used = 0;
        if (b->last) b->last->next = h; else b->first = h;
        b->last = h;
    }
    b->last->vertex[b->last->used++] = v;
    b->count++;
}
enum { N = 2000, DEGREE = 5 };
static int edge[N][DEGREE], distance[N];
static bag cilk_reducer(bag_create, bag_union) next_layer;
static void process_hunk(const hunk *h, int d) {
    for (int i = 0; i < h->used; i++)
        for (int k = 0; k < DEGREE; k++) {
            int w = edge[h->vertex[i]][k], unseen = -1;
            if (__atomic_compare_exchange_n(&distance[w], &unseen, d + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) bag_insert(&next_layer, w);
        }
}
static void process_layer(const bag *layer, int d) {
    for (const hunk *h = layer->first; h; h = h->next) cilk_spawn process_hunk(h, d);
    cilk_sync;
}
int main(void) {
    for (int v = 0; v < N; v++) for (int k = 0; k < DEGREE; k++) edge[v][k] = (v * (k + 3) + 17 * k * k + 1) % N;
    memset(distance, -1, sizeof distance);
    bag layer = {0};
    bag_create(&next_layer);
    distance[0] = 0;
    bag_insert(&layer, 0);
    for (int d = 0; layer.count; d++) {
        printf("layer %d: %ld\n", d, layer.count);
        process_layer(&layer, d);
        layer = next_layer;
        bag_create(&next_layer);
    }
    long s = 0;
    for (int v = 0; v < N; v++) s = (s * 5 + distance[v] + 1) % 1000003;
    printf("%ld\n", s);
    return 0;
}
