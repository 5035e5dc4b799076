/* work_source.c - the mark of work that is not a closure of Cilk-5. */
#include "data/work_source.h"

cilk_closure cilk_found_other_work;
