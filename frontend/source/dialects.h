// dialects.h - words of other Cilks (Cilk Plus, OpenCilk, Cilk++) and what Cilk-5 has in their place, for notes to those who come from there.
#pragma once
#include <string_view>

namespace cilkc {

// Empty if the name is no such word.
inline std::string_view adviceForWord(std::string_view name) {
  static constexpr struct { const char *word, *advice; } words[] = {
      {"cilk_spawn", "Cilk-5 writes `spawn`; the procedure that spawns and the one spawned are declared with `cilk`"},
      {"_Cilk_spawn", "Cilk-5 writes `spawn`; the procedure that spawns and the one spawned are declared with `cilk`"},
      {"cilk_sync", "Cilk-5 writes `sync`"},
      {"_Cilk_sync", "Cilk-5 writes `sync`"},
      {"cilk_for", "Cilk-5 has no parallel loop; <par.cilkh> has par_for, or spawn the halves of the range"},
      {"_Cilk_for", "Cilk-5 has no parallel loop; <par.cilkh> has par_for, or spawn the halves of the range"},
      {"cilk_scope", "Cilk-5 has no such block: a procedure waits for its children at `sync` and before it returns"},
      {"cilk_reducer", "Cilk-5 has no reducers; `x += spawn f(..)` and inlets collect results"},
  };
  for (auto &w : words) if (name == w.word) return w.advice;
  return {};
}

}  // namespace cilkc
