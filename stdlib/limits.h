/* The system's <limits.h>, and what C23 adds to it where the system is older. Systems include it in parts from each
 * other's: only the whole counts. */
#pragma GCC system_header
#include_next <limits.h>
#if !defined CILKC_LIMITS_H && !defined __cplusplus && defined __STDC_VERSION__ && __STDC_VERSION__ > 201710L && \
    defined CHAR_BIT
#define CILKC_LIMITS_H 1
#ifndef __STDC_VERSION_LIMITS_H__
#define __STDC_VERSION_LIMITS_H__ 202311L
#endif
#ifndef BITINT_MAXWIDTH
#define BITINT_MAXWIDTH __BITINT_MAXWIDTH__
#endif
#endif
