// The last value in the order of the serial execution, of those iterations that set one: <cilk/reducer_last.h>.
#include <cilk/cilk.h>
#include <cilk/reducer_last.h>
#include <stdio.h>
static cilk_last_int below;
static cilk_last_reducer(long) square = {0, -1};
static cilk_last_reducer(double) never = {0, 2.5};
static void visit(int low, int high, cilk_last_unsigned *leaf) {
    if (high - low > 1) {
        cilk_spawn visit(low, (low + high) / 2, leaf);
        visit((low + high) / 2, high, leaf);
        cilk_sync;
        return;
    }
    if (low % 10 == 3) cilk_last_set(cilk_last_view(unsigned, leaf), 3000000000u + low);
    if (low > 1000) cilk_last_set(&never, low);
}
int main(void) {
    cilk_last_unsigned leaf = {0, 7};
    CILK_C_REDUCER_LAST(odd, int, -5);
    CILK_C_REDUCER_LAST(none, uint, 9);
    CILK_C_REGISTER_REDUCER(odd);
    CILK_C_REGISTER_REDUCER(none);
    #pragma cilk grainsize 4
    cilk_for (int i = 0; i < 1000; i++) {
        if (i * 7919 % 1009 < 50) cilk_last_set(cilk_last_view(int, &below), i);
        if (i % 100 == 41) cilk_last_set(&square, (long)i * i);
        if (i % 2) CILK_C_REDUCER_LAST_SET(odd, -i);
        if (i < 0) CILK_C_REDUCER_LAST_SET(none, i);
    }
    visit(0, 500, &leaf);
    CILK_C_UNREGISTER_REDUCER(none);
    CILK_C_UNREGISTER_REDUCER(odd);
    printf("%d %d, %ld %d, %u %d, %g %d\n", below.value, below.set, square.value, square.set, leaf.value, leaf.set,
           never.value, never.set);
    printf("%d %d, %u %d\n", odd.value.value, odd.value.set, none.value.value, none.value.set);
    return 0;
}
