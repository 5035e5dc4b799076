/* zones.h - memory around the objects of closures that no program may touch, under AddressSanitizer. */
#ifndef CILK_RT_ZONES_H
#define CILK_RT_ZONES_H

#ifdef CILK_ASAN
enum { CILK_ZONE_BYTES = 32 };            /* before a block */
void cilk_zone_before_block(void *from);
#endif

#endif
