// dialects.h - OpenCilk's words in text where they are names: C without -fopencilk.
#pragma once
#include <string_view>

namespace cilkc {

// Empty if the name is no such word. The text completes "'WORD' is a word of OpenCilk: ".
inline std::string_view adviceForWord(std::string_view name) {
  for (std::string_view word : {"cilk_spawn", "cilk_sync", "cilk_for", "cilk_scope", "cilk_reducer", "_Cilk_spawn",
           "_Cilk_sync", "_Cilk_for", "_Cilk_scope", "_Hyperobject"})
    if (name == word) return "compile this file with -fopencilk, or name it .cilk";
  return {};
}

}  // namespace cilkc
