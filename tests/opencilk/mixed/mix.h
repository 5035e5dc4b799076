/* A program of files in three languages, which call each other and share reducers. */
#pragma once
static void mix_zero(void *v) { *(long *)v = 0; }
static void mix_plus(void *l, void *r) { *(long *)l += *(long *)r; }
typedef long cilk_reducer(mix_zero, mix_plus) mix_sum;
extern mix_sum calls, parts[2];
long open_fib(int n);
long open_apply(long (*f)(int), int n);
long five_bridge(int n);
long one_bridge(int n);
