/* cilk/cilk_types.h: for the reducers of arithmetic types. CILK_INTEGERS(X), CILK_FLOATS(X) expand X(name, type,
 * least, greatest) for each type. The names are those of Cilk Plus: a type of two words cannot be a part of an
 * identifier. */
#ifndef CILK_CILK_TYPES_H
#define CILK_CILK_TYPES_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "hyperobject_base.h"
#include <float.h>
#include <limits.h>
#include <wchar.h>

#define CILK_INTEGERS(X) \
    X(char, char, CHAR_MIN, CHAR_MAX) \
    X(schar, signed char, SCHAR_MIN, SCHAR_MAX) \
    X(uchar, unsigned char, 0, UCHAR_MAX) \
    X(wchar_t, wchar_t, WCHAR_MIN, WCHAR_MAX) \
    X(short, short, SHRT_MIN, SHRT_MAX) \
    X(ushort, unsigned short, 0, USHRT_MAX) \
    X(int, int, INT_MIN, INT_MAX) \
    X(uint, unsigned int, 0, UINT_MAX) \
    X(unsigned, unsigned int, 0, UINT_MAX) \
    X(long, long, LONG_MIN, LONG_MAX) \
    X(ulong, unsigned long, 0, ULONG_MAX) \
    X(longlong, long long, LLONG_MIN, LLONG_MAX) \
    X(ulonglong, unsigned long long, 0, ULLONG_MAX)

#define CILK_FLOATS(X) \
    X(float, float, -__builtin_inff(), __builtin_inff()) \
    X(double, double, -__builtin_inf(), __builtin_inf()) \
    X(longdouble, long double, -__builtin_infl(), __builtin_infl())

#define CILK_TYPEDEF_(name, type, least, greatest) typedef type cilk_##name;
CILK_INTEGERS(CILK_TYPEDEF_)
CILK_FLOATS(CILK_TYPEDEF_)
#undef CILK_TYPEDEF_

#endif
