/* pedigree.h - the symbol by which objects with pedigrees agree (abi_tags.def). */
#ifndef CILK_RT_PEDIGREE_H
#define CILK_RT_PEDIGREE_H

extern const char cilk_pedigree_on;

#endif
