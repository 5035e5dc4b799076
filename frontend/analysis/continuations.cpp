// continuations.cpp - what a thread of Cilk-1 does with its continuations: each takes one value, so each should be used
// up once, on every path.
//
// Followed are parameters and locals of type `cont T` whose address is not taken. "Used" is: sent through, passed on,
// copied. An error is only what is certain: a continuation made by `?k` that no path uses afterwards, for then the
// closure never gets its argument.
#include <map>
#include "frontend/analysis/analysis.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/flow/cfg.h"
#include "diag/cilk1.h"

namespace cilkc {

namespace {

using Set = std::unordered_set<const VarDecl *>;

struct Earlier {
  bool operator()(const VarDecl *a, const VarDecl *b) const { return a->range.begin < b->range.begin; }
};

class Thread {
public:
  Thread(const FunctionDecl *f, DiagnosticEngine &d)
      : fn(f), diags(d), cfg(buildCfg(f->def)), before(cfg.blocks.size()) {
    for (const VarDecl *v : f->params) follow(v);
    for (const VarDecl *v : f->locals) follow(v);
  }

  void check() {
    tailCalls();
    if (followed.empty()) return;
    for (const Block &b : cfg.blocks)
      for (const Event &e : b.events)
        if (e.kind == Event::Use || e.kind == Event::Modify) used.insert(e.var);
    loops();
    forward();
    unsent();
    for (auto [v, where] : early) diags.report(diag::cont_unset, where) << v->name;
    for (const VarDecl *v : fn->params)
      if (followed.count(v) && !used.count(v) && !v->name.empty() && !v->attrs.unused)
        diags.report(diag::cont_unused, v->range) << v->name;
  }

private:
  const FunctionDecl *fn;
  DiagnosticEngine &diags;
  Cfg cfg;
  Set followed, used;
  struct State {
    bool reached = false;
    Set spent, fresh;  // used on all paths so far; parameters not used on some path
    Set unset;  // locals that lead nowhere yet, whatever the path
  };
  std::vector<State> before;
  std::map<const VarDecl *, Range, Earlier> early;  // used before they led anywhere, and where
  Set looped;  // used up each time around a loop: reported

  void follow(const VarDecl *v) {
    if (v->type && v->type->isCont() && !v->addressTaken && !v->hidden) followed.insert(v);
  }

  static const Hole *holeOf(const Stmt *s, const VarDecl *v) {
    if (s && s->kind == StmtKind::Thread)
      for (const Expr *a : s->as<ThreadStmt>()->arguments)
        if (a->kind == ExprKind::Hole && namedVariable(a->as<Hole>()->sub) == v) return a->as<Hole>();
    return nullptr;
  }

  // Backwards: which continuations are used later?
  void unsent() {
    std::vector<Set> live(cfg.blocks.size());
    for (bool more = true; more;) {
      more = false;
      for (size_t b = cfg.blocks.size(); b-- > 0;) {
        Set s = after(b, live);
        for (auto e = cfg.blocks[b].events.rbegin(); e != cfg.blocks[b].events.rend(); ++e) step(*e, s);
        if (s.size() != live[b].size()) live[b] = std::move(s), more = true;
      }
    }
    for (size_t b = 0; b < cfg.blocks.size(); b++) {
      Set s = after(b, live);
      const auto &events = cfg.blocks[b].events;
      for (size_t i = events.size(); i-- > 0;) {
        if (events[i].kind == Event::Define && followed.count(events[i].var) && !s.count(events[i].var)) {
          const Stmt *at = nullptr;
          for (size_t j = i; j-- > 0 && !at;)
            if (events[j].kind == Event::Evaluate) at = events[j].stmt;
          if (const Hole *h = holeOf(at, events[i].var)) {
            auto d = diags.report(diag::cont_unsent, h->range);
            d << events[i].var->name << at->as<ThreadStmt>()->thread->name;
            if (early.erase(events[i].var))
              d.note(h->range, "it was used before it led anywhere: this statement must come first");
          }
        }
        step(events[i], s);
      }
    }
  }
  Set after(size_t b, const std::vector<Set> &live) const {
    Set s;
    for (int n : cfg.blocks[b].next) s.insert(live[n].begin(), live[n].end());
    return s;
  }
  void step(const Event &e, Set &s) const {
    if (!followed.count(e.var)) return;
    if (e.kind == Event::Define || e.kind == Event::Undefine) s.erase(e.var);
    else if (e.kind == Event::Use || e.kind == Event::Modify) s.insert(e.var);
  }

  // Is there a way from block b around to itself, not through `without`? All blocks that are seen on the way.
  bool around(int b, int without, std::vector<char> &seen) const {
    std::vector<int> work(cfg.blocks[static_cast<size_t>(b)].next.begin(),
        cfg.blocks[static_cast<size_t>(b)].next.end());
    while (!work.empty()) {
      int n = work.back();
      work.pop_back();
      if (n == b) return true;
      if (n == without || seen[static_cast<size_t>(n)]) continue;
      seen[static_cast<size_t>(n)] = 1;
      for (int next : cfg.blocks[static_cast<size_t>(n)].next) work.push_back(next);
    }
    return false;
  }

  // A use that every round of its loop comes to, of a continuation that no round makes again.
  void loops() {
    int n = static_cast<int>(cfg.blocks.size());
    if (n > 256) return;  // the search takes n^2 time and more
    for (int b = 0; b < n; b++) {
      std::vector<char> after(static_cast<size_t>(n));
      const Stmt *at = nullptr;
      bool asked = false, inside = false;
      for (const Event &e : cfg.blocks[static_cast<size_t>(b)].events) {
        if (e.kind == Event::Evaluate) at = e.stmt;
        if (e.kind != Event::Use || !followed.count(e.var) || !at) continue;
        if (!asked) asked = true, inside = around(b, -1, after) && everyRound(b, after);
        if (inside && !definedIn(b, after, e.var) && looped.insert(e.var).second)
          diags.report(diag::sent_in_loop, at->range) << e.var->name;
      }
    }
  }
  // Does no other block of the loop come around without b? after: what can be reached from b.
  bool everyRound(int b, const std::vector<char> &after) const {
    for (size_t c = 0; c < after.size(); c++) {
      std::vector<char> seen(after.size()), back(after.size());
      if (static_cast<int>(c) == b || !after[c] || !around(static_cast<int>(c), b, seen)) continue;
      if (leads(static_cast<int>(c), b)) return false;
    }
    return true;
  }
  bool leads(int from, int to) const {
    std::vector<char> seen(cfg.blocks.size());
    std::vector<int> work{from};
    while (!work.empty()) {
      int n = work.back();
      work.pop_back();
      for (int next : cfg.blocks[static_cast<size_t>(n)].next) {
        if (next == to) return true;
        if (!seen[static_cast<size_t>(next)]) seen[static_cast<size_t>(next)] = 1, work.push_back(next);
      }
    }
    return false;
  }
  bool definedIn(int b, const std::vector<char> &after, const VarDecl *v) const {
    for (size_t c = 0; c < after.size(); c++)
      if ((after[c] && leads(static_cast<int>(c), b)) || static_cast<int>(c) == b)
        for (const Event &e : cfg.blocks[c].events)
          if (e.var == v && (e.kind == Event::Define || e.kind == Event::Undefine || e.kind == Event::Modify))
            return true;
    return false;
  }

  // Forwards: which are used up on every path, which are not yet on some?
  void forward() {
    State entry;
    entry.reached = true;
    for (const VarDecl *v : fn->params)
      if (followed.count(v) && used.count(v)) entry.fresh.insert(v);
    for (const VarDecl *v : fn->locals)
      if (followed.count(v)) entry.unset.insert(v);
    before[0] = entry;
    std::vector<size_t> work{0};
    while (!work.empty()) {
      size_t b = work.back();
      work.pop_back();
      State s = before[b];
      through(b, s, false);
      for (int n : cfg.blocks[b].next)
        if (meet(before[n], s)) work.push_back(static_cast<size_t>(n));
    }
    for (size_t b = 0; b < cfg.blocks.size(); b++) {
      if (!before[b].reached) continue;
      State s = before[b];
      through(b, s, true);
      if (static_cast<int>(b) == cfg.exit) reportDropped(s, fn->def->body->closing);
    }
  }
  void through(size_t b, State &s, bool report) {
    const Stmt *at = nullptr;
    for (const Event &e : cfg.blocks[b].events) {
      if (e.kind == Event::Evaluate) at = e.stmt;
      if (e.kind == Event::ReturnPoint && report && e.stmt) reportDropped(s, e.stmt->range);
      if (!followed.count(e.var)) continue;
      if (e.kind == Event::Define || e.kind == Event::Undefine) {
        s.spent.erase(e.var);
        s.fresh.erase(e.var);
        if (e.kind == Event::Define) s.unset.erase(e.var);
        else s.unset.insert(e.var);
      } else if (e.kind == Event::Use) {
        if (report && e.expr && s.unset.count(e.var) && at) early.emplace(e.var, at->range);
        if (report && s.spent.count(e.var) && at && !looped.count(e.var))
          diags.report(diag::sent_twice, at->range) << e.var->name;
        s.spent.insert(e.var);
        s.fresh.erase(e.var);
      }
    }
  }
  static bool meet(State &into, const State &s) {
    if (!into.reached) {
      into = s;
      return true;
    }
    size_t spent = into.spent.size(), fresh = into.fresh.size(), unset = into.unset.size();
    std::erase_if(into.spent, [&](const VarDecl *v) { return !s.spent.count(v); });
    std::erase_if(into.unset, [&](const VarDecl *v) { return !s.unset.count(v); });
    into.fresh.insert(s.fresh.begin(), s.fresh.end());
    return spent != into.spent.size() || fresh != into.fresh.size() || unset != into.unset.size();
  }
  void reportDropped(const State &s, Range where) {
    for (const VarDecl *v : fn->params)
      if (s.fresh.count(v) && !looped.count(v)) diags.report(diag::cont_dropped, where) << v->name;
  }

  void tailCalls() {
    eachNode(static_cast<const Stmt *>(fn->def->body), Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>) {
        if (node->kind != StmtKind::Compound) return;
        const auto &body = node->template as<CompoundStmt>()->body;
        for (size_t i = 0; i + 1 < body.size(); i++) {
          if (body[i]->kind != StmtKind::Thread || body[i]->template as<ThreadStmt>()->form != ThreadForm::TailCall)
            continue;
          StmtKind next = body[i + 1]->kind;
          if (next != StmtKind::Label && next != StmtKind::Case && next != StmtKind::Default)
            diags.report(diag::tail_call_unreachable, body[i + 1]->range);
        }
      }
    });
  }
};

}  // namespace

void refuseThreads(const TranslationUnit &unit, DiagnosticEngine &diags, std::string_view tool,
    std::string_view instead) {
  for (const FunctionDecl *f : unit.functions)
    if (f->isThread) {
      diags.report(diag::thread_tool, f->range).note(f->range, std::string(instead)) << tool;
      return;
    }
}

void checkThreads(const TranslationUnit &unit, DiagnosticEngine &diags) {
  for (const FunctionDecl *f : unit.functions)
    if (f->isThread && f->def && f->def->body) Thread(f, diags).check();
}

}  // namespace cilkc
