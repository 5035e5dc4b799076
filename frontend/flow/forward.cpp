// forward.cpp - see forward.h. One value of the bit spreads: what may be spreads as set, what must be as clear. Each
// block is passed on once at most.
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
  bool spreads = join == Join::May;
  std::vector<char> in(nb, !spreads);
  in[0] = 0;
  std::vector<int> work;
  for (size_t b = 0; b < nb; b++) {
    bool after = ofBlock[b] == Effect::Keeps ? in[b] : ofBlock[b] == Effect::Sets;
    if (g.reached[b] && after == spreads) work.push_back(static_cast<int>(b));
  }
  while (!work.empty()) {
    int b = work.back();
    work.pop_back();
    for (int n : g.cfg.blocks[b].next)
      if (n != 0 && static_cast<bool>(in[n]) != spreads) {
        in[n] = spreads;
        if (ofBlock[n] == Effect::Keeps) work.push_back(n);
      }
  }
  return in;
}

}  // namespace cilkc
