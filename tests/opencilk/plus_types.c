// The macros of Cilk Plus for C, with each name of a type that they take. All values of maxima are below 0, and all of
// minima are above 0. So a view that does not begin with the end of its type shows.
#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <stdio.h>
#define SUMS(name, type) \
    CILK_C_REDUCER_OPADD(add, name, 1); \
    CILK_C_REDUCER_OPMUL(mul, name, 3); \
    CILK_C_REDUCER_MAX(max, name, (type)-120); \
    CILK_C_REDUCER_MIN(min, name, 120); \
    CILK_C_REDUCER_MAX_INDEX(last, name, (type)-120); \
    CILK_C_REDUCER_MIN_INDEX(first, name, 120); \
    _Static_assert(__builtin_types_compatible_p(__typeof__(add.value), type), "sum"); \
    _Static_assert(__builtin_types_compatible_p(__typeof__(last.value.value), type), "maximum"); \
    CILK_C_REGISTER_REDUCER(add); \
    cilk_for (int i = 0; i < 90; i++) { \
        __typeof__(add.value) v = i * 37 % 101; \
        REDUCER_VIEW(add) += v; \
        if (i % 30 == 0) REDUCER_VIEW(mul) *= 2; \
        type below = -2 - v, above = v + 2; \
        CILK_C_REDUCER_MAX_CALC(max, below); \
        CILK_C_REDUCER_MIN_CALC(min, above); \
        CILK_C_REDUCER_MAX_INDEX_CALC(last, i, below); \
        CILK_C_REDUCER_MIN_INDEX_CALC(first, i, above); \
    } \
    CILK_C_UNREGISTER_REDUCER(add); \
    printf(#name " %g %g %g %g", (double)add.value, (double)mul.value, (double)max.value, (double)min.value); \
    printf(" %d %g %d %g", (int)last.value.index, (double)last.value.value, (int)first.value.index, (double)first.value.value);
#define BITS(name) \
    CILK_C_REDUCER_OPAND(and, name, 127); \
    CILK_C_REDUCER_OPOR(or, name, 0); \
    CILK_C_REDUCER_OPXOR(xor, name, 5); \
    cilk_for (int i = 0; i < 90; i++) { \
        int v = i * 37 % 101; \
        REDUCER_VIEW(and) &= v | 65; \
        REDUCER_VIEW(or) |= v & 77; \
        REDUCER_VIEW(xor) ^= v; \
    } \
    printf(" %d %d %d", (int)and.value, (int)or.value, (int)xor.value);
#define INTEGER(name, type) static void run_##name(void) { SUMS(name, type) BITS(name) puts(""); }
#define FLOATING(name, type) static void run_##name(void) { SUMS(name, type) puts(""); }
INTEGER(char, char) INTEGER(uchar, unsigned char) INTEGER(schar, signed char) INTEGER(wchar_t, wchar_t)
INTEGER(short, short) INTEGER(ushort, unsigned short) INTEGER(int, int) INTEGER(uint, unsigned) INTEGER(long, long)
INTEGER(ulong, unsigned long) INTEGER(longlong, long long) INTEGER(ulonglong, unsigned long long)
FLOATING(float, float) FLOATING(double, double) FLOATING(longdouble, long double)
int main(void) {
    run_char(), run_uchar(), run_schar(), run_wchar_t(), run_short(), run_ushort(), run_int(), run_uint();
    run_long(), run_ulong(), run_longlong(), run_ulonglong(), run_float(), run_double(), run_longdouble();
    return 0;
}
