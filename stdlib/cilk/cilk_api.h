/* <cilk/cilk_api.h> belongs to OpenCilk and Cilk Plus. */
#if __has_include_next(<cilk/cilk_api.h>)
#include_next <cilk/cilk_api.h>
#else
#error "<cilk/cilk_api.h> is OpenCilk's: in Cilk-5 the number of workers is Cilk_active_size and one's own number is Self (cilkc explain opencilk-word)"
#endif
