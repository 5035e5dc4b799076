/* Between programs and the C library's features.h: the checked variants of its functions (_FORTIFY_SOURCE) are written with
   GCC's __builtin_va_arg_pack, which only its own inliner can expand. The driver drops the macro from the command line; programs
   that define it in a configuration header of theirs are caught here. */
#pragma GCC system_header
#undef _FORTIFY_SOURCE
#include_next <features.h>
