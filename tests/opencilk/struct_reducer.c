// Struct views of several sizes: mean and variance, minimum with its place, a small matrix under multiplication.
#include <cilk/cilk.h>
#include <float.h>
#include <stdio.h>
struct stats { long n; long sum, squares; };
static void s_id(void *v) { *(struct stats *)v = (struct stats){0, 0, 0}; }
static void s_red(void *l, void *r) {
    struct stats *a = l, *b = r;
    a->n += b->n, a->sum += b->sum, a->squares += b->squares;
}
struct least { double value; int where; };
static void l_id(void *v) { struct least *p = v; p->value = DBL_MAX; p->where = -1; }
static void l_red(void *l, void *r) { if (((struct least *)r)->value < ((struct least *)l)->value) *(struct least *)l = *(struct least *)r; }
struct mat { unsigned a, b, c, d; };
static void m_id(void *v) { *(struct mat *)v = (struct mat){1, 0, 0, 1}; }
static struct mat mul(struct mat x, struct mat y) {
    return (struct mat){x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
}
static void m_red(void *l, void *r) { *(struct mat *)l = mul(*(struct mat *)l, *(struct mat *)r); }
int main(void) {
    struct stats cilk_reducer(s_id, s_red) s = {0};
    struct least cilk_reducer(l_id, l_red) least = {DBL_MAX, -1};
    struct mat cilk_reducer(m_id, m_red) product = {1, 0, 0, 1};
    cilk_for (int i = 0; i < 1000; i++) {
        int x = i * 7919 % 1009;
        s.n++;
        s.sum += x;
        s.squares += (long)x * x;
        double v = (x - 500) * (x - 500) / 3.0;
        if (v < least.value) { least.value = v; least.where = i; }
        product = mul(product, (struct mat){x, 1, 1, i & 1});
    }
    printf("%ld %ld %ld\n", s.n, s.sum, s.squares);
    printf("%.3f at %d\n", least.value, least.where);
    printf("%u %u %u %u\n", product.a, product.b, product.c, product.d);
    struct mat copy = product;
    product = (struct mat){2, 0, 0, 2};
    printf("%u %u\n", copy.d, product.a + product.d);
    return 0;
}
