// values.cpp - variables that are read before they have a value: on every way to the place, or whenever one branch is
// taken.
//
// Two forward problems over the graph, with a bit for each watched variable: on some way to here it got a value, and on
// every way. A store whose value is made of the variable itself, as in `s += i`, gives it none that it did not have.
//
// A read that no store reaches is `uninitialized`. A read that only some stores reach is often right, since the program
// knows more than the graph: two tests of one condition belong together. `maybe-uninitialized` is therefore reported
// only where one decision leads there for certain. The decision is a branch at which the variable has no value on any
// way. From one side of this branch, all ways lead to the read without a store. (Where this goes for the function's
// entry, the read is `uninitialized`, though a later round of a loop finds a value.)
#include "frontend/analysis/values.h"
#include <algorithm>
#include <unordered_map>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "diag/warn.h"

namespace cilkc::analysis {
namespace {

using Bits = std::vector<bool>;  // by watched variable

struct State {
  Bits may, must;  // it got a value on some way, on every way
};

bool namesItself(const VarDecl *v) {
  return v->init->expr && anyExpr(v->init->expr, Walk::Evaluated,
                              [&](const Expr *e) { return e->kind == ExprKind::Ident && namedVariable(e) == v; });
}

class Values {
public:
  Values(const FunctionDef *def, const Graph &graph, DiagnosticEngine &diags)
      : fn(def->fn), graph(graph), cfg(graph.cfg), diags(diags) {}

  void run() {
    watch();
    if (watched.empty()) return;
    solve();
    for (size_t b = 0; b < cfg.blocks.size(); b++) {
      if (!graph.reached[b]) continue;
      State state = in[b];
      transfer(cfg.blocks[b], state, [&](const Expr *at, const VarDecl *v, size_t i) {
        if (!state.must[i] && !reported[i]) read(static_cast<int>(b), at, v, i, state.may[i]);
      });
    }
  }

private:
  static constexpr unsigned maxReads = 8;  // of one variable, for which branches are looked for

  const FunctionDecl *fn;
  const Graph &graph;
  const Cfg &cfg;
  DiagnosticEngine &diags;
  std::unordered_map<const VarDecl *, size_t> watched;
  std::vector<State> in, out;  // of blocks
  Bits reported;
  std::vector<unsigned> reads;

  void watch() {
    if ((!diags.wants(diag::uninitialized) && !diags.wants(diag::maybe_uninitialized)) || fn->callsSetjmp ||
        fn->locals.size() >= 3000)
      return;
    for (const VarDecl *v : fn->locals) {
      if (v->isParam || v->hidden || v->addressTaken || v->crossesNested || v->inletTouches || !v->type ||
          v->type.isVolatile())
        continue;
      if (v->type->isScalar() && (!v->init || namesItself(v))) watched.emplace(v, watched.size());
    }
    if (watched.size() * cfg.blocks.size() > 50000000) watched.clear();
    reported.assign(watched.size(), false);
    reads.assign(watched.size(), 0);
  }

  template <class R> void transfer(const Block &b, State &state, R &&reads) const {
    std::vector<const VarDecl *> used;  // since the last store: the next one may be made of them
    auto use = [&](const Expr *at, const VarDecl *v) {
      auto it = watched.find(v);
      if (it == watched.end()) return;
      used.push_back(v);
      if (at) reads(at, v, it->second);
    };
    for (const Event &e : b.events) {
      switch (e.kind) {
        case Event::Evaluate: used.clear(); break;
        case Event::Use: use(e.expr, e.var); break;
        case Event::SpawnPoint:
          used.clear();
          if (e.spawn->form == SpawnForm::Op) use(e.spawn->receiver(), namedVariable(e.spawn->receiver()));
          break;
        case Event::Undefine:
          if (auto it = watched.find(e.var); it != watched.end())
            state.may[it->second] = state.must[it->second] = false;
          break;
        case Event::Define:
        case Event::Modify:
        case Event::Deliver:
          if (auto it = watched.find(e.var);
              it != watched.end() && std::find(used.begin(), used.end(), e.var) == used.end())
            state.may[it->second] = state.must[it->second] = true;
          used.clear();
          break;
        default: break;
      }
    }
  }

  void solve() {
    in.resize(cfg.blocks.size());
    out.resize(cfg.blocks.size());
    std::vector<char> met(cfg.blocks.size(), 0), waiting(cfg.blocks.size(), 0);
    std::vector<size_t> work{0};
    met[0] = 1;
    in[0].may.assign(watched.size(), false);
    in[0].must = in[0].may;
    while (!work.empty()) {
      size_t b = work.back();
      work.pop_back();
      waiting[b] = 0;
      State &out = this->out[b] = in[b];
      transfer(cfg.blocks[b], out, [](const Expr *, const VarDecl *, size_t) {});
      for (int next : cfg.blocks[b].next) {
        const auto n = static_cast<size_t>(next);
        bool changed = !met[n];
        if (changed) met[n] = 1, in[n] = out;
        else
          for (size_t i = 0; i < reported.size(); i++) {
            if (out.may[i] && !in[n].may[i]) in[n].may[i] = changed = true;
            if (!out.must[i] && in[n].must[i]) in[n].must[i] = false, changed = true;
          }
        if (changed && !waiting[n]) waiting[n] = 1, work.push_back(n);
      }
    }
  }

  // `may`: some store reaches the read.
  void read(int block, const Expr *at, const VarDecl *v, size_t i, bool may) {
    int branch = -1, side = -1;
    if (may && (reads[i]++ >= maxReads || !decided(block, i, branch, side))) return;
    reported[i] = true;
    auto declared = [&](DiagBuilder &&report) {
      report.note(v->range, "'" + std::string(v->name) + "' is declared here without a value") << v->name;
    };
    if (branch < 0) {
      declared(std::move(diags.report(diag::uninitialized, at->range)));
      return;
    }
    auto [when, where] = decision(cfg.blocks[static_cast<size_t>(branch)], side);
    DiagBuilder report = diags.report(diag::maybe_uninitialized, at->range);
    report << v->name << when;
    report.note(where, "this decides")
        .note(v->range, "'" + std::string(v->name) + "' is declared here without a value");
  }

  // Goes back from the read over the blocks from which every way leads there without a store. Does a branch end there,
  // or the entry?
  bool decided(int block, size_t i, int &branch, int &side) const {
    std::unordered_map<int, size_t> led;  // successors that lead to the read, by block
    std::vector<int> work{block};
    led[block] = cfg.blocks[static_cast<size_t>(block)].next.size();
    while (!work.empty()) {
      int b = work.back();
      work.pop_back();
      if (b == 0) return true;
      for (int p : graph.preds[static_cast<size_t>(b)]) {
        if (!graph.reached[static_cast<size_t>(p)] || out[static_cast<size_t>(p)].must[i]) continue;
        size_t ways = cfg.blocks[static_cast<size_t>(p)].next.size();
        size_t &count = led[p];
        if (count < ways && ++count == ways) work.push_back(p);
      }
    }
    // The first of them in the text decides.
    for (auto [b, count] : led) {
      const Block &from = cfg.blocks[static_cast<size_t>(b)];
      if (!count || count >= from.next.size() || (!from.condition && !from.selector) || (branch >= 0 && b > branch) ||
          out[static_cast<size_t>(b)].may[i])
        continue;
      for (int n : from.next)
        if (auto it = led.find(n);
            it != led.end() && it->second >= cfg.blocks[static_cast<size_t>(n)].next.size() && !isImplied(from, n)) {
          branch = b, side = n;
          break;
        }
    }
    return branch >= 0;
  }

  // Past all cases of a switch without a default: its author may know that no other value occurs.
  static bool isImplied(const Block &b, int to) {
    if (!b.selector || to != b.otherwise) return false;
    for (const Event &e : b.events)
      if (e.kind == Event::Evaluate && e.expr == b.selector) return !e.stmt || !e.stmt->as<SwitchStmt>()->def;
    return true;
  }

  std::pair<std::string, Range> decision(const Block &b, int side) const {
    if (b.condition) {
      std::string text = diags.sources().asWritten(b.condition->range, 40);
      return {(text.empty() ? "this condition" : "'" + text + "'") + (side == b.whenTrue ? " is true" : " is false"),
          b.condition->range};
    }
    for (auto [label, block] : b.cases)
      if (block == side) return {"this case of the 'switch' is chosen", label->low ? label->low->range : label->range};
    return {"the 'switch' goes to its default", b.selector->range};
  }
};

}  // namespace

void checkValues(const FunctionDef *def, const Graph &graph, DiagnosticEngine &diags) {
  Values(def, graph, diags).run();
}

}  // namespace cilkc::analysis
