// RUN: -O1 -c %s -o /dev/null
// STATUS: 1
// What an instruction of the processor needs is named, where LLVM's text only says that none is found.
#include <tmmintrin.h>
__m128i permuted(__m128i a, __m128i b) { return _mm_shuffle_epi8(a, b); }
// CHECK: error: the code generator reported: Cannot select:
// CHECK: note: the target has no instruction for this: an option may be missing, as -mssse3 or -march=native
