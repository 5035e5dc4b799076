// dialects.h - words of other Cilks (Cilk Plus, OpenCilk, Cilk++) and what Cilk-5 has in their place, for notes to those who come from there.
#pragma once
#include <string_view>

namespace cilkc {

// Empty if the name is no such word. The text completes "'WORD' is not Cilk-5: ".
inline std::string_view adviceForWord(std::string_view name) {
  static constexpr struct {
    const char *word, *advice;
  } words[] = {
      {"cilk_spawn", "write `spawn`, and declare both procedures with `cilk`"},
      {"_Cilk_spawn", "write `spawn`, and declare both procedures with `cilk`"},
      {"cilk_sync", "write `sync`"},
      {"_Cilk_sync", "write `sync`"},
      {"cilk_for", "there is no parallel loop; <par.cilkh> has par_for, or spawn the halves of the range"},
      {"_Cilk_for", "there is no parallel loop; <par.cilkh> has par_for, or spawn the halves of the range"},
      {"cilk_scope", "there is no such block; a procedure waits for its children at `sync` and before it returns"},
      {"cilk_reducer", "there are no reducers; `x += spawn f(..)` and inlets collect results"},
  };
  for (auto &w : words)
    if (name == w.word) return w.advice;
  return {};
}

}  // namespace cilkc
