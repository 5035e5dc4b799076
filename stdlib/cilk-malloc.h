/* cilk-malloc.h: malloc and its like are the heap that checkpoints keep (docs/travel.md).
 *
 *     cilkc build -include cilk-malloc.h prog.cilk
 *
 * Memory that the C library allocates by itself (getline, asprintf, opendir) is not of that heap; free takes it,
 * too. */
#ifndef CILK_MALLOC_H
#define CILK_MALLOC_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#ifdef __cplusplus
#error "cilk-malloc.h is for C and Cilk"
#endif

#include <stdlib.h>
#include <string.h>
#include "cilk.h"

#if !defined(CILK_ELISION) && !defined(CILK_RACE) && !defined(CILK_MEMORY)
extern void *Cilk_memalign(size_t align, size_t size);
extern char *Cilk_strdup(const char *text);

static __inline__ int cilk_h_posix_memalign(void **block, size_t align, size_t size)
{
    void *p = Cilk_memalign(align, size);
    if (p)
        *block = p;
    return p ? 0 : align & (align - 1) ? 22 : 12;   /* EINVAL, ENOMEM */
}

#undef strdup
#define malloc Cilk_malloc
#define calloc Cilk_calloc
#define realloc Cilk_realloc
#define free Cilk_free
#define strdup Cilk_strdup
#define aligned_alloc Cilk_memalign
#define memalign Cilk_memalign
#define posix_memalign cilk_h_posix_memalign
#endif
#endif
