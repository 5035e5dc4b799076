/* cilk/cilkscale.h - OpenCilk's Cilkscale: work and span of a part of a program.
 *
 *     wsp_t start = wsp_getworkspan();
 *     ...                                           what was spawned here is joined here
 *     wsp_t end = wsp_getworkspan();
 *     wsp_dump(wsp_sub(end, start), "sort");
 *
 * -fcilktool=cilkscale             measures in time: the fields are nanoseconds
 * -fcilktool=cilkscale-instructions counts units of the text (docs/profile.md): the same in each run
 * -fcilktool=cilkscale-benchmark   runs in parallel; `work` is the wall time since the start, the others are 0
 *
 * The first two run the program serially. Each prints a table to standard output, or to the file CILKSCALE_OUT: a row
 * for each wsp_dump, and at exit one for the whole run. Without a tool the functions give zeros, and print nothing. */
#ifndef _CILK_CILKSCALE_H
#define _CILK_CILKSCALE_H

#include <stdint.h>

typedef struct wsp_t {
    /* from the start of the program to here, on the path to this strand. bspan: the span with what steals cost on it */
    int64_t work, span, bspan;
} wsp_t;

static __inline__ wsp_t wsp_zero(void)
{
    wsp_t w = { 0, 0, 0 };
    return w;
}
static __inline__ wsp_t wsp_add(wsp_t a, wsp_t b)
{
    a.work += b.work;
    a.span += b.span;
    a.bspan += b.bspan;
    return a;
}
static __inline__ wsp_t wsp_sub(wsp_t a, wsp_t b)
{
    a.work -= b.work;
    a.span -= b.span;
    a.bspan -= b.bspan;
    return a;
}

#ifdef __cilkscale__
#ifdef __cilkscale_benchmark__
#define wsp_getworkspan __cilkscale_benchmark_time
#define wsp_dump __cilkscale_benchmark_dump
#endif
#ifdef __cplusplus
extern "C" {
#endif
wsp_t wsp_getworkspan(void);
void wsp_dump(wsp_t w, const char *tag);
#ifdef __cplusplus
}
#endif
#else
static __inline__ wsp_t wsp_getworkspan(void) { return wsp_zero(); }
static __inline__ void wsp_dump(wsp_t w, const char *tag) { (void)w; (void)tag; }
#endif

#endif
