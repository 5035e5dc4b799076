// Reducers of Cilk Plus as programs have them: arrays from malloc, set by compound literals; without initial values or destroy; not registered.
#include <cilk/cilk.h>
#include <cilk/common.h>
#include <cilk/reducer.h>
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { long n; char *text; } words;
static void sum_identity(void *r, void *v) { (void)r; *(uint64_t *)v = 0; }
static void sum_reduce(void *r, void *left, void *right) { (void)r; *(uint64_t *)left += *(uint64_t *)right; }
static void words_identity(void *r, void *v) { (void)r; *(words *)v = (words){0, calloc(1, 4000)}; }
static void words_reduce(void *r, void *left, void *right) {
    words *a = left, *b = right;
    (void)r;
    for (long i = 0; i < b->n; i++) a->text[a->n++] = b->text[i];
}
static void words_destroy(void *r, void *v) { (void)r; free(((words *)v)->text); }
typedef CILK_C_DECLARE_REDUCER(uint64_t) counter;
typedef CILK_C_DECLARE_REDUCER(words) letters;
_Static_assert(_Alignof(counter) <= _Alignof(max_align_t), "malloc's memory will do");
counter total = CILK_C_INIT_REDUCER(uint64_t, sum_reduce, sum_identity, 0);
letters order = CILK_C_INIT_REDUCER(words, words_reduce, words_identity, words_destroy, {0});
static counter *histogram;
static void count(const int *v, int n) {
    #pragma cilk grainsize = 16
    cilk_for (int i = 0; i < n; i++) {
        REDUCER_VIEW(histogram[v[i] % 10])++;
        REDUCER_VIEW(total) += v[i];
        words *w = &REDUCER_VIEW(order);
        w->text[w->n++] = 'a' + v[i] % 26;
    }
}
// A reducer of a named type is passed by address.
static void tally(CILK_C_REDUCER_OPADD_TYPE(int) *n, CILK_C_REDUCER_MAX_INDEX_TYPE(int) *greatest, int i, int value) {
    REDUCER_VIEW(*n)++;
    CILK_C_REDUCER_MAX_INDEX_CALC(*greatest, i, value);
}
static void passed(const int *v, int n) {
    CILK_C_REDUCER_OPADD(count, int, 0);
    CILK_C_REDUCER_MAX_INDEX(greatest, int, -1);
    CILK_C_REGISTER_REDUCER(count);
    CILK_C_REGISTER_REDUCER(greatest);
    cilk_for (int i = 0; i < n; i++) tally(&count, &greatest, i, v[i]);
    CILK_C_UNREGISTER_REDUCER(greatest);
    CILK_C_UNREGISTER_REDUCER(count);
    printf("%d %d %d\n", count.value, (int)greatest.value.index, greatest.value.value);
}
static double center(const int *v, int n) {
    CILK_C_REDUCER_OPADD(weight, double, 0.0);
    CILK_C_REDUCER_OPADD(moment, double, 0.0);
    cilk_for (int i = 0; i < n; i++) {
        REDUCER_VIEW(weight) += v[i];
        REDUCER_VIEW(moment) += v[i] * (double)i;
    }
    return moment.value / weight.value;
}
static int run(void) {
    int v[500], n = 500;
    for (int i = 0; i < n; i++) v[i] = i * i % 37;
    histogram = malloc(10 * sizeof *histogram);
    for (int i = 0; i < 10; i++) histogram[i] = (counter)CILK_C_INIT_REDUCER(uint64_t, sum_reduce, sum_identity, 0, 0);
    for (int i = 0; i < 10; i++) CILK_C_REGISTER_REDUCER(histogram[i]);
    CILK_C_REGISTER_REDUCER(total);
    CILK_C_REGISTER_REDUCER(order);
    *(&REDUCER_VIEW(total)) = 5;
    REDUCER_VIEW(order).text = calloc(1, 4000);
    count(v, n);
    passed(v, n);
    for (int i = 0; i < 10; i++) printf("%d ", (int)REDUCER_VIEW(histogram[i]));
    printf("%d %s %.9f\n", (int)total.value, order.value.text, center(v, n));
    CILK_C_UNREGISTER_REDUCER(order);
    CILK_C_UNREGISTER_REDUCER(total);
    for (int i = 0; i < 10; i++) CILK_C_UNREGISTER_REDUCER(histogram[i]);
    free(order.value.text);
    free(histogram);
    return n;
}
int main(void) {
    int n = 0;
    cilk_spawn { n = run(); }
    cilk_sync;
    return n != 500;
}
