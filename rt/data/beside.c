/* beside.c - the mark of work that is no closure of Cilk-5. */
#include "data/beside.h"

cilk_closure cilk_found_beside;
