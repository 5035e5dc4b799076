/* The system's <stddef.h>, and what C23 adds to it where the system is older. It is included many times, for parts:
 * only the whole counts. */
#pragma GCC system_header
#include_next <stddef.h>
#if defined _STDDEF_H && !defined CILKC_STDDEF_H && !defined __cplusplus && __STDC_VERSION__ > 201710L
#define CILKC_STDDEF_H 1
#if defined __GNUC__ && __GNUC__ < 13
#define __STDC_VERSION_STDDEF_H__ 202311L
typedef __typeof__(nullptr) nullptr_t;
#define unreachable() __builtin_unreachable()
#endif
#endif
