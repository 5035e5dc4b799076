/* <cilk/cilk.h> belongs to OpenCilk and Cilk Plus.  Cilk-5 is found here only to say so, in one message instead of many. */
#if __has_include_next(<cilk/cilk.h>)
#include_next <cilk/cilk.h>
#else
#error "<cilk/cilk.h> is OpenCilk's: Cilk-5 has `spawn` and `sync` as words of the language, and a .cilk file needs no header for them (cilkc explain opencilk-word)"
#endif
