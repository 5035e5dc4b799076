// Reducers: global, static, local, in arrays and structures, on the heap; operations that do not commute; views in loops, blocks and callees.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void zero(void *view) { *(long *)view = 0; }
static void plus(void *left, void *right) { *(long *)left += *(long *)right; }
static void one(void *view) { *(double *)view = 1; }
static void times(void *left, void *right) { *(double *)left *= *(double *)right; }
// A map x -> a x + b, composed in order: not commutative.
struct map { unsigned a, b; };
static void same(void *view) { *(struct map *)view = (struct map){ 1, 0 }; }
static void compose(void *left, void *right) {
    struct map *l = left, *r = right;
    *l = (struct map){ l->a * r->a, l->b * r->a + r->b };
}
struct text { char *s; size_t n; };
static void empty(void *view) { *(struct text *)view = (struct text){ NULL, 0 }; }
static void append(struct text *t, const char *s, size_t n) {
    t->s = realloc(t->s, t->n + n + 1);
    memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = 0;
}
static void join(void *left, void *right) {
    struct text *r = right;
    if (r->s) append(left, r->s, r->n);
    free(r->s);
}
typedef long cilk_reducer(zero, plus) sum_t;
typedef struct map cilk_reducer(same, compose) map_t;

sum_t total = 100;
static map_t order;
double cilk_reducer(one, times) product = 2, plain = 3;
static sum_t counts[5];
struct tally { int before; sum_t in; map_t maps[2]; } tally = { 1, 7 };

static void then(map_t *m, unsigned k) { struct map v = { 3, k }; compose(m ? &*m : NULL, &v); }

static void walk(int depth, unsigned path, sum_t *hits) {
    total += depth;
    then(__builtin_addressof(order), path);
    counts[path % 5]++;
    ++*hits;
    if (!depth) return;
    cilk_spawn walk(depth - 1, 2 * path, hits);
    tally.in += path % 3;
    walk(depth - 1, 2 * path + 1, hits);
    then(__builtin_addressof(tally.maps[depth & 1]), path);
    cilk_sync;
    total -= 1;
}
static struct text collect(int n) {
    struct text cilk_reducer(empty, join) out = { NULL, 0 };
    cilk_for (int i = 0; i < n; i++) {
        char word[16];
        int k = snprintf(word, sizeof word, "%d,", i);
        append(&out, word, (size_t)k);
    }
    struct text result = out;
    return result;
}
static long local(int n) {
    long cilk_reducer(zero, plus) s = 5;
    cilk_for (int i = 0; i < n; i++) {
        if (i % 7 == 3) continue;
        s += i;
        s++;
    }
    cilk_spawn { s += 1000; }
    s *= 1;
    cilk_sync;
    cilk_scope {
        for (int i = 0; i < 4; i++) cilk_spawn { s += i; }
    }
    return s;
}
static long nested(int n) { return n < 2 ? local(10) : nested(n - 1) + local(n); }

int main(void) {
    sum_t *heap = malloc(sizeof *heap);
    *(long *)heap = 0;
    walk(9, 1, heap);
    printf("%ld %u %u %ld\n", total, order.a, order.b, *heap);
    for (int i = 0; i < 5; i++) printf(" %ld", counts[i]);
    printf("\n%ld %u %u %u %u\n", tally.in, tally.maps[0].a, tally.maps[0].b, tally.maps[1].a, tally.maps[1].b);
    free(heap);
    cilk_for (int i = 1; i < 12; i++) product *= i;
    plain += 1;
    printf("%.0f %g %zu\n", product, plain, sizeof total + sizeof tally.in);
    struct text t = collect(300);
    unsigned long h = 5381;
    for (size_t i = 0; i < t.n; i++) h = h * 33 + (unsigned char)t.s[i];
    printf("%zu %lu\n", t.n, h);
    free(t.s);
    printf("%ld %ld\n", local(1000), nested(30));
    return 0;
}
