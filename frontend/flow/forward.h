// forward.h - the graph turned round, and forward problems with one bit: what may have happened, or must have, on the
// ways to a place.
#pragma once
#include <functional>
#include <vector>
#include "frontend/flow/cfg.h"

namespace cilkc {

struct Graph {
  explicit Graph(const Cfg &);
  const Cfg &cfg;
  std::vector<std::vector<int>> preds;
  std::vector<char> reached;         // blocks to which control can come at all
};

enum class Join : uint8_t { May, Must };      // on some way, on every way
enum class Effect : uint8_t { Keeps, Sets, Clears };

// The bit at the start of each block. It is clear where the function begins.
std::vector<char> solveForward(const Graph &, Join, const std::function<Effect(const Event &)> &);

}  // namespace cilkc
