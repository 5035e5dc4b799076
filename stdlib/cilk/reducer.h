/* <cilk/reducer.h> belongs to OpenCilk and Cilk Plus. */
#if __has_include_next(<cilk/reducer.h>)
#include_next <cilk/reducer.h>
#else
#error "<cilk/reducer.h> is OpenCilk's: Cilk-5 has no reducers; `x += spawn f(..)` and inlets collect results (cilkc explain opencilk-word)"
#endif
