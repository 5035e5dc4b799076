// forward.cpp - see forward.h. Blocks are taken in their order, which follows the text, until nothing changes.
#include "frontend/flow/forward.h"

namespace cilkc {

Graph::Graph(const Cfg &cfg) : cfg(cfg), preds(cfg.blocks.size()), reached(cfg.blocks.size(), 0) {
  for (size_t b = 0; b < cfg.blocks.size(); b++)
    for (int n : cfg.blocks[b].next) preds[n].push_back(static_cast<int>(b));
  std::vector<int> work{0};
  reached[0] = 1;
  while (!work.empty()) {
    int b = work.back();
    work.pop_back();
    for (int n : cfg.blocks[b].next)
      if (!reached[n]) {
        reached[n] = 1;
        work.push_back(n);
      }
  }
}

std::vector<char> solveForward(const Graph &g, Join join, const std::function<Effect(const Event &)> &effect) {
  size_t nb = g.cfg.blocks.size();
  std::vector<Effect> ofBlock(nb, Effect::Keeps);
  for (size_t b = 0; b < nb; b++)
    for (auto &e : g.cfg.blocks[b].events)
      if (Effect x = effect(e); x != Effect::Keeps) ofBlock[b] = x;
  bool must = join == Join::Must;
  std::vector<char> in(nb, must);
  in[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = 1; b < nb; b++) {
      bool bit = must;
      for (int p : g.preds[b]) {
        if (!g.reached[p]) continue;
        bool after = ofBlock[p] == Effect::Keeps ? in[p] : ofBlock[p] == Effect::Sets;
        bit = must ? bit && after : bit || after;
      }
      if (bit != static_cast<bool>(in[b])) {
        in[b] = bit;
        changed = true;
      }
    }
  }
  return in;
}

}  // namespace cilkc
