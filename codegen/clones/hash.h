// hash.h - a number for a list of texts and numbers, the same in each compilation (FNV-1a; each text counts with its
// end). Private to clones/.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace cilkc::cg {

struct Hash {
  uint64_t value = 0xcbf29ce484222325;
  void add(std::string_view text) {
    for (unsigned char c : text) value = (value ^ c) * prime;
    value = (value ^ 0xff) * prime;
  }
  void add(uint64_t n) { add(std::to_string(n)); }

private:
  static constexpr uint64_t prime = 0x100000001b3;
};

}  // namespace cilkc::cg
