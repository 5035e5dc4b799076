// access.h - pointers to a typedef whose `aligned` attribute asks for less than the type's own alignment:
// `typedef int u __attribute__((aligned(1)))`, `*(u *)p`. What is accessed through them is loaded and stored with the
// lesser alignment. The pointee's QualType carries it in the upper half of its qualifiers, as 1 + log2, 0 for the
// type's own; these bits are no qualifiers: they are compared, merged and printed nowhere.
#pragma once
#include <algorithm>
#include "frontend/types/type.h"

namespace cilkc {

constexpr unsigned QualBits = 0x0f;

inline unsigned accessBits(uint32_t align) {
  unsigned code = 1;
  for (; align > 1; align /= 2) code++;
  return code << 4;
}
// The alignment of an object of this type that a pointer leads to; `natural` is the type's.
inline uint32_t accessAlign(QualType t, uint32_t natural) {
  unsigned code = t.quals >> 4;
  return code ? std::min(natural, 1u << (code - 1)) : natural;
}
// The access of a pointee that is merged from two: the lesser one.
inline unsigned mergedAccess(QualType a, QualType b) {
  unsigned x = a.quals & ~QualBits, y = b.quals & ~QualBits;
  return x && y ? std::min(x, y) : x | y;
}

}  // namespace cilkc
