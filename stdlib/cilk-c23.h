/* Read before the first line with -std=c23: names that preprocessors from before the standard was finished have otherwise, or not at all. */
#pragma GCC system_header
#if __STDC_VERSION__ < 202311L
#undef __STDC_VERSION__
#define __STDC_VERSION__ 202311L
#endif
#undef __BITINT_MAXWIDTH__
#define __BITINT_MAXWIDTH__ 128
