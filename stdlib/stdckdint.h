/* <stdckdint.h> of C23, for systems that have none: checked arithmetic. Each yields true where the exact result does
 * not fit *r. */
#pragma GCC system_header
#ifndef CILKC_STDCKDINT_H
#define CILKC_STDCKDINT_H 1
#if __has_include_next(<stdckdint.h>)
#include_next <stdckdint.h>
#else
#define __STDC_VERSION_STDCKDINT_H__ 202311L
#define ckd_add(r, a, b) ((_Bool)__builtin_add_overflow(a, b, r))
#define ckd_sub(r, a, b) ((_Bool)__builtin_sub_overflow(a, b, r))
#define ckd_mul(r, a, b) ((_Bool)__builtin_mul_overflow(a, b, r))
#endif
#endif
