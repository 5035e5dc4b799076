/* Read before the first line with -std=c23. It defines names that older preprocessors define otherwise, or not at
 * all. */
#pragma GCC system_header
#if __STDC_VERSION__ < 202311L
#undef __STDC_VERSION__
#define __STDC_VERSION__ 202311L
#endif
#undef __BITINT_MAXWIDTH__
#ifdef __x86_64__
#define __BITINT_MAXWIDTH__ 4096
#else
#define __BITINT_MAXWIDTH__ 128
#endif
/* 1 and 0 in #if, too, where only the newer ones know these keywords. */
#if !true
#define true ((_Bool) + 1u)
#define false ((_Bool) + 0u)
#endif
/* Whether #embed finds a file: the command has made a file of this name, in a folder for this answer, where it does. */
#ifndef __has_embed
#define __cilkc_text(...) #__VA_ARGS__
#define __has_embed(...) \
  (__has_include(__cilkc_text(found/__VA_ARGS__)) + 2 * __has_include(__cilkc_text(empty/__VA_ARGS__)))
#define __STDC_EMBED_NOT_FOUND__ 0
#define __STDC_EMBED_FOUND__ 1
#define __STDC_EMBED_EMPTY__ 2
#endif
