// Programs define names such as `ulong` as macros, before the headers of reducers or after them.
#define ulong unsigned long
#define uint unsigned
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_opadd.h>
#include <stdio.h>
#define ushort unsigned short
static cilk_opadd_reducer(ulong) sum;
static cilk_max_index_ushort where = {-1, 0};
int main(void) {
    uint greatest = 0;
    CILK_C_REDUCER_OPADD(count, ulong, 0);
    CILK_C_REDUCER_MAX_INDEX(last, ushort, 0);
    cilk_for (int i = 0; i < 1000; i++) {
        sum += i;
        cilk_max_calc(cilk_max_view(uint, &greatest), i * 7919u % 1009);
        cilk_max_index_calc(cilk_max_index_view(ushort, &where), i, i * 7919 % 1009);
        REDUCER_VIEW(count)++;
        CILK_C_REDUCER_MAX_INDEX_CALC(last, i, i % 100);
    }
    printf("%lu %u %d %d %lu %d\n", sum, greatest, (int)where.index, where.value, count.value, (int)last.value.index);
    return 0;
}
