/* The system's <stdarg.h>; in C23 va_start takes the list alone, and anything that follows it is not looked at. */
#pragma GCC system_header
#include_next <stdarg.h>
#if defined va_start && !defined __cplusplus && __STDC_VERSION__ > 201710L
#undef va_start
#define va_start(list, ...) __builtin_va_start(list, 0)
#endif
