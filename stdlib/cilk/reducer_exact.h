/* cilk/reducer_exact.h: sums of floating-point numbers that are exact. So they have the same bits in each schedule, for
 * each number of workers and grain, and in the elision.
 *
 *     cilk_exact_reducer s = { 0 };                 where the compiler knows cilk_reducer
 *     cilk_for (...) cilk_exact_add(&s, x[i]);      a double, or a float
 *     cilk_exact_sub(&s, y);
 *     double sum = cilk_exact_value(&s);            the exact sum, rounded once: to nearest, ties to even
 *     float f = cilk_exact_value_float(&s);
 *     *cilk_exact_view(&t) ...                      the view of an ordinary object t of the type cilk_exact
 *
 * Price: about 40 instructions for each addition, where a sum in a register takes one or fewer. A view has 544 bytes.
 * Infinities and NaNs give what any order of additions gives: NaN if there was one, or infinities of both signs. A sum
 * of no numbers, or of zeros alone, is +0.
 *
 * The accumulator is a number of fixed point with all bits of a double's range. Each part holds 32 bits of it and has
 * room for the carries of 1000 additions, after which they are passed on (R. Neal, Fast exact summation using small and
 * large superaccumulators, 2015, describes the method). */
#ifndef CILK_REDUCER_EXACT_H
#define CILK_REDUCER_EXACT_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "hyperobject_base.h"
#include <stdint.h>
#include <string.h>

enum { CILK_EXACT_PARTS = 67, CILK_EXACT_ADDITIONS = 1000 };

typedef struct cilk_exact {
    int64_t part[CILK_EXACT_PARTS];     /* part k counts 2^(32 k - 1075) */
    uint32_t additions;                 /* since the carries were passed on */
    uint32_t special;                   /* 1: +infinity was added, 2: -infinity, 4: a NaN */
} cilk_exact;

/* Afterwards all parts but the last are below 2^32, and not negative: each sum has one form. */
static __inline__ void cilk_exact_carry(cilk_exact *s)
{
    int64_t carry = 0;
    for (int k = 0; k < CILK_EXACT_PARTS - 1; k++) {
        int64_t sum = s->part[k] + carry;
        carry = sum >> 32;
        s->part[k] = sum & INT64_C(0xffffffff);
    }
    s->part[CILK_EXACT_PARTS - 1] += carry;
    s->additions = 0;
}

static __inline__ void cilk_exact_add(cilk_exact *s, double x)
{
    uint64_t bits, digits;
    memcpy(&bits, &x, sizeof bits);
    uint32_t exponent = (uint32_t)(bits >> 52) & 0x7ff;
    digits = bits & UINT64_C(0xfffffffffffff);
    if (__builtin_expect(exponent == 0x7ff, 0)) {
        s->special |= digits ? 4 : bits >> 63 ? 2 : 1;
        return;
    }
    if (__builtin_expect(exponent != 0, 1))
        digits |= UINT64_C(1) << 52;
    else
        exponent = 1;
    int64_t sign = (int64_t)bits >> 63;  /* 0 or -1 */
    uint32_t shift = exponent & 31, k = exponent >> 5;
    int64_t low = (int64_t)(digits << shift & UINT64_C(0xffffffff)), high = (int64_t)(digits >> (32 - shift));
    s->part[k] += (low ^ sign) - sign;
    s->part[k + 1] += (high ^ sign) - sign;
    if (__builtin_expect(++s->additions == CILK_EXACT_ADDITIONS, 0))
        cilk_exact_carry(s);
}
static __inline__ void cilk_exact_sub(cilk_exact *s, double x) { cilk_exact_add(s, -x); }

/* Rounded to so many digits, as the digits, and the exponent of the last one in units of 2^-1075. Not 0. */
static __inline__ uint64_t cilk_exact_round(cilk_exact s, int digits, int least, int *exponent, int *negative)
{
    cilk_exact_carry(&s);
    *negative = s.part[CILK_EXACT_PARTS - 1] < 0;
    if (*negative) {
        for (int k = 0; k < CILK_EXACT_PARTS; k++)
            s.part[k] = -s.part[k];
        cilk_exact_carry(&s);
    }
    int top = CILK_EXACT_PARTS - 1;
    while (top > 0 && s.part[top] == 0)
        top--;
    int highest = 32 * top + 63 - __builtin_clzll((uint64_t)s.part[top] | 1);   /* the last part may have 63 bits */
    int last = highest - digits + 1 > least ? highest - digits + 1 : least;
    uint64_t result = 0;
    int half = 0, rest = 0;
    for (int k = 0; k < CILK_EXACT_PARTS; k++) {
        int at = 32 * k - last;          /* where the part's bits go */
        uint64_t part = (uint64_t)s.part[k];
        if (!part)
            continue;
        if (at >= 0) {
            result += at < 64 ? part << at : 0;
        } else if (at > -64) {
            uint64_t below = part & ((UINT64_C(1) << -at) - 1), middle = UINT64_C(1) << (-at - 1);
            result += part >> -at;
            half |= (below & middle) != 0;
            rest |= (below & (middle - 1)) != 0;
        } else {
            rest = 1;
        }
    }
    result += half && (rest || (result & 1));
    *exponent = last;
    return result;
}

static __inline__ double cilk_exact_value(const cilk_exact *s)
{
    uint64_t bits;
    double value;
    int exponent, negative;
    if (s->special)
        return s->special == 1 ? __builtin_inf() : s->special == 2 ? -__builtin_inf() : __builtin_nan("");
    uint64_t digits = cilk_exact_round(*s, 53, 1, &exponent, &negative);
    if (digits >> 53) {
        digits >>= 1;
        exponent++;
    }
    if (exponent > 0x7fe)
        bits = UINT64_C(0x7ff) << 52;
    else
        bits = digits + ((uint64_t)(exponent - 1) << 52);   /* the first digit adds 1 to the exponent */
    bits |= (uint64_t)negative << 63;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static __inline__ float cilk_exact_value_float(const cilk_exact *s)
{
    uint32_t bits;
    float value;
    int exponent, negative;
    if (s->special)
        return (float)cilk_exact_value(s);
    uint64_t digits = cilk_exact_round(*s, 24, 1075 - 149, &exponent, &negative);
    exponent -= 1075 - 150;              /* 1: 2^-149 */
    if (digits >> 24) {
        digits >>= 1;
        exponent++;
    }
    if (exponent > 0xfe)
        bits = UINT32_C(0xff) << 23;
    else
        bits = (uint32_t)digits + ((uint32_t)(exponent - 1) << 23);
    bits |= (uint32_t)negative << 31;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static __inline__ void cilk_exact_identity(void *view) { memset(view, 0, sizeof(cilk_exact)); }
static __inline__ void cilk_exact_reduce(void *left, void *right)
{
    cilk_exact *l = (cilk_exact *)left, *r = (cilk_exact *)right;
    cilk_exact_carry(l);
    cilk_exact_carry(r);
    for (int k = 0; k < CILK_EXACT_PARTS; k++)
        l->part[k] += r->part[k];
    cilk_exact_carry(l);
    l->special |= r->special;
}

#define cilk_exact_reducer cilk_exact cilk_reducer(cilk_exact_identity, cilk_exact_reduce)
#define cilk_exact_view(object) \
    ((cilk_exact *)__cilkrts_reducer_lookup(object, sizeof(cilk_exact), cilk_exact_identity, cilk_exact_reduce))

#endif
