// arena.cpp - the rare steps: a new chunk, a new name, the end.
#include "frontend/support/arena.h"
#include <cstring>

namespace cilkc {

Arena::~Arena() {
  for (size_t i = destructors.size(); i-- > 0;) destructors[i].destroy(destructors[i].object);
}

void *Arena::allocateSlowly(size_t size, size_t align) {
  bool alone = size + align > chunkSize / 4;                   // a big object keeps its chunk for itself
  size_t want = alone ? size + align : chunkSize;
  chunks.emplace_back(new char[want]);
  total += want;
  uintptr_t begin = reinterpret_cast<uintptr_t>(chunks.back().get()), p = (begin + align - 1) & ~(uintptr_t(align) - 1);
  if (!alone) at = p + size, end = begin + want;
  return reinterpret_cast<void *>(p);
}

std::string_view Arena::intern(std::string_view s) {
  if (s.empty()) return {};
  auto it = strings.find(s);
  if (it != strings.end()) return *it;
  char *p = static_cast<char *>(allocate(s.size() + 1, 1));   // a zero follows, for the C API of code generation
  std::memcpy(p, s.data(), s.size());
  p[s.size()] = 0;
  return *strings.emplace(p, s.size()).first;
}

}  // namespace cilkc
