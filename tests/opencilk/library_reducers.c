// The reducers of the library: opadd, opmul, min, max, strings, lists, vectors, files.
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opxor.h>
#include <stdio.h>
int main(void) {
    CILK_C_REDUCER_OPADD(sum, long, 10);
    CILK_C_REDUCER_MAX(most, int, 0);
    CILK_C_REDUCER_MIN_INDEX(least, double, 1e9);
    CILK_C_REDUCER_OPXOR(bits, uint, 0);
    CILK_C_REGISTER_REDUCER(sum);
    CILK_C_REGISTER_REDUCER(most);
    CILK_C_REGISTER_REDUCER(least);
    CILK_C_REGISTER_REDUCER(bits);
    cilk_for (int i = 0; i < 2000; i++) {
        int v = i * 7919 % 2003;
        REDUCER_VIEW(sum) += v;
        CILK_C_REDUCER_MAX_CALC(most, v);
        CILK_C_REDUCER_MIN_INDEX_CALC(least, i, (v - 700) * (v - 700) / 2.0);
        REDUCER_VIEW(bits) ^= v * 3u;
    }
    printf("%ld %d %ld %.1f %u\n", sum.value, most.value, (long)least.value.index, least.value.value, REDUCER_VIEW(bits));
    CILK_C_UNREGISTER_REDUCER(sum);
    CILK_C_UNREGISTER_REDUCER(most);
    CILK_C_UNREGISTER_REDUCER(least);
    CILK_C_UNREGISTER_REDUCER(bits);
    return 0;
}
