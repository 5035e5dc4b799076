// liveness.cpp - analyzeProcedure: scopes give the homes, data-flow problems over the graph of cfg.cpp give the entry points.
//   forward may:   whether children may be out
//   forward must:  whether a release point was already passed
//   and those that ask about single variables, in live.cpp: what is live, and which slots are up to date.
#include <unordered_set>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/flow/live.h"
#include "frontend/plan/prefix.h"
#include "frontend/sema/builtins.h"

namespace cilkc {

const FunctionDecl *knownCallee(const Spawn *s) {
  const FunctionDecl *callee = directCallee(s);
  return callee && !callee->attrs.weak ? callee : nullptr;
}

namespace {

constexpr size_t kLarge = 256;        // entry points of a procedure that makes its code small rather than fast (ProcedureFlow::large)

// Finds the variables in whose scope a spawn or sync lies, and whether the procedure allocates dynamically.
class Scopes {
public:
  std::unordered_map<const VarDecl *, bool> crosses;   // declared in a scope with a Cilk point
  bool dynamic = false;

  bool stmt(const Stmt *s) { return s && dispatch(*this, s); }   // does it contain a Cilk point?

  bool on(const CompoundStmt &s) {
    size_t mark = open.size();
    bool point = false;
    for (auto *c : s.body) point |= stmt(c);
    close(mark, point);
    return point;
  }
  bool on(const DeclStmt &s) {
    if (s.decl)
      for (auto &id : s.decl->declarators)
        if (id.decl && id.decl->kind == DeclKind::Var) {
          open.push_back(id.decl->as<VarDecl>());
          if (const Initializer *init = id.decl->as<VarDecl>()->init) eachChild(init, Walk::Evaluated, [this](const auto *child) { part(child); });
        }
    return false;
  }
  bool on(const IfStmt &s) {
    bool point = false;
    const Stmt *at = &s;
    while (at && at->kind == StmtKind::If) {
      part(at->as<IfStmt>()->cond);
      point |= stmt(at->as<IfStmt>()->then);
      at = at->as<IfStmt>()->otherwise;
    }
    return stmt(at) || point;
  }
  bool on(const ForStmt &f) {
    size_t mark = open.size();
    stmt(f.init);
    part(f.cond);
    part(f.step);
    bool point = stmt(f.body);
    close(mark, point);
    return point;
  }
  bool on(const ExprStmt &s) {
    part(s.expr);
    return containsCilkPoint(&s);
  }
  bool on(const SyncStmt &) { return true; }
  // All others open no scope.
  template <class N> bool on(const N &s) {
    bool point = false;
    eachChild(static_cast<const Stmt *>(&s), Walk::Evaluated, [&](const auto *child) { point |= part(child); });
    return point;
  }

private:
  std::vector<VarDecl *> open;
  void close(size_t mark, bool point) {
    for (size_t i = mark; i < open.size(); i++) crosses[open[i]] = point;
    open.resize(mark);
  }
  bool part(const FunctionDef *) { return false; }
  template <class N> std::enable_if_t<std::is_base_of_v<Stmt, N>, bool> part(const N *s) { return stmt(s); }
  template <class N> std::enable_if_t<!std::is_base_of_v<Stmt, N>, bool> part(const N *n) {
    eachExpr(n, Walk::Evaluated, [this](const Expr *e) {              // no point stands in an expression
      if (e->kind == ExprKind::CompoundLit && e->as<CompoundLit>()->object) open.push_back(e->as<CompoundLit>()->object);
      if (e->kind == ExprKind::Call && allocatesOnFrame(e->as<Call>()->builtin)) dynamic = true;
      if (e->kind != ExprKind::StmtExpr) return true;
      stmt(e->as<StmtExpr>()->body);
      return false;
    });
    return false;
  }
};

struct Analysis {
  const FunctionDef *def;
  bool keepAll = false;
  ProcedureFlow flow;
  Cfg cfg;
  std::vector<VarDecl *> vars;

  void homes() {
    Scopes scopes;
    bool points = scopes.stmt(def->body);
    std::unordered_map<const VarDecl *, bool> received;
    for (auto &b : cfg.blocks)
      for (auto &e : b.events) if (e.kind == Event::Deliver) received[e.var] = true;
    std::unordered_map<const VarDecl *, bool> sizes;     // hidden size variables of variably modified types
    auto collect = [&](VarDecl *v) {
      for (const Type *t = v->type.type; t;) {
        if (t->isArray()) {
          if (t->as<ArrayType>()->sizeVar) sizes[t->as<ArrayType>()->sizeVar] = true;
          t = t->as<ArrayType>()->elem.type;
        } else if (t->isPointer()) t = t->as<PointerType>()->pointee.type;
        else break;
      }
    };
    for (auto *v : def->fn->params) collect(v);
    for (auto *v : def->fn->locals) collect(v);
    bool anyClosure = false;
    auto decide = [&](VarDecl *v, bool isParam) {
      bool crosses = points;
      if (!isParam)
        if (auto it = scopes.crosses.find(v); it != scopes.crosses.end()) crosses = it->second;
      VarHome h;
      if (!crosses || v->constant) h = VarHome::Scratch;
      else if (v->addressTaken || v->type.isVolatile() || v->type.isAtomic() || v->type->isArray() || v->attrs.cleanup || v->crossesNested || sizes.count(v) ||
               (v->attrs.align > 16 && !v->type->isScalar()))
        h = VarHome::Closure;
      else if (v->isReceiver || v->inletTouches || received.count(v)) h = VarHome::Delivered;
      else h = VarHome::Register;
      flow.homes[v] = h;
      if (h == VarHome::Closure) anyClosure = true;
      if (h == VarHome::Register || h == VarHome::Delivered) {
        vars.push_back(v);
      }
    };
    for (auto *v : def->fn->params) decide(v, true);
    for (auto *v : def->fn->locals) if (!flow.homes.count(v)) decide(v, false);
    flow.closureAtEntry = anyClosure || scopes.dynamic;
  }

  std::vector<std::vector<int>> predecessors() const {
    std::vector<std::vector<int>> p(cfg.blocks.size());
    for (size_t i = 0; i < cfg.blocks.size(); i++)
      for (int n : cfg.blocks[i].next) p[n].push_back(static_cast<int>(i));
    return p;
  }

  std::vector<char> reached;                // blocks

  void run() {
    size_t nb = cfg.blocks.size();
    auto preds = predecessors();

    // Reachability, children out (may), release point passed (must): forward.
    reached.assign(nb, 0);
    std::vector<char> outIn(nb), testedIn(nb, 1);
    std::vector<int> work{0};
    reached[0] = 1;
    while (!work.empty()) {
      int b = work.back();
      work.pop_back();
      for (int n : cfg.blocks[b].next) if (!reached[n]) { reached[n] = 1; work.push_back(n); }
    }
    testedIn[0] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = 0; b < nb; b++) {
        bool out = false, tested = b != 0;
        for (int p : preds[b]) {
          if (!reached[p]) continue;
          out |= outAfter(p, outIn[p]);
          tested &= testedAfter(p, testedIn[p]);
        }
        if (b == 0) { tested = false; }
        if (out != bool(outIn[b]) || tested != bool(testedIn[b])) { outIn[b] = out; testedIn[b] = tested; changed = true; }
      }
    }

    // Number the entries. The order of the blocks' creation follows the text closely enough for humans; all that matters is that the numbers are fixed.
    flow.entries.assign(1, EntryPoint{});
    auto add = [&](EntryPoint::Kind k, const Stmt *s, Spawn *sp, Range r, bool out) {
      EntryPoint p;
      p.kind = k;
      p.stmt = s;
      p.spawn = sp;
      p.range = r;
      p.mayBeOutstanding = out;
      flow.entries.push_back(std::move(p));
      return static_cast<int>(flow.entries.size()) - 1;
    };
    std::unordered_set<const Spawn *> numbered;
    std::vector<LivePoint> points;
    for (size_t b = 0; b < nb; b++) {
      bool out = outIn[b], tested = testedIn[b];
      int at = -1;
      for (auto &e : cfg.blocks[b].events) {
        at++;
        auto point = [&](int entry, const Spawn *s) { points.push_back({static_cast<int>(b), at, entry, s}); };
        switch (e.kind) {
          case Event::SpawnPoint:
            if (numbered.insert(e.spawn).second) {
              e.spawn->entry = add(EntryPoint::AfterSpawn, e.stmt, e.spawn, e.spawn->range, out);
              point(e.spawn->entry, e.spawn);
            }
            out = tested = true;
            break;
          case Event::BeforePoint:
            if (!tested && reached[b]) point(flow.before[e.stmt] = add(EntryPoint::BeforeSpawn, e.stmt, nullptr, e.stmt->range, out), nullptr);
            tested = true;
            break;
          case Event::SyncPoint: {
            int n = add(EntryPoint::AtSync, e.stmt, nullptr, e.stmt->range, out);
            point(n, nullptr);
            const_cast<Stmt *>(e.stmt)->as<SyncStmt>()->entry = n;
            out = false;
            break;
          }
          case Event::ReturnPoint:
            if (e.stmt) flow.returnOutstanding[e.stmt] = out;
            else { flow.endOutstanding = out; flow.endReachable = reached[b]; }
            if (out && !flow.returnEntry) flow.returnEntry = add(EntryPoint::AtReturn, nullptr, nullptr, def->body->closing, true);
            break;
          default: break;
        }
      }
    }
    LiveProblem problem{cfg, preds, reached, vars, std::move(points), keepAll};
    flow.large = flow.entries.size() > kLarge;
    for (auto *v : findLive(problem, flow.entries, flow.large)) {
      flow.homes[v] = VarHome::Closure;
      flow.closureAtEntry = true;
    }
    if (flow.large)
      for (auto *v : vars)
        if (VarHome &h = flow.homes[v]; h == VarHome::Delivered) { h = VarHome::Closure; flow.closureAtEntry = true; }
  }

  bool outAfter(int b, bool out) const {
    for (auto &e : cfg.blocks[b].events) {
      if (e.kind == Event::SpawnPoint) out = true;
      if (e.kind == Event::SyncPoint) out = false;
    }
    return out;
  }
  bool testedAfter(int b, bool tested) const {
    for (auto &e : cfg.blocks[b].events)
      if (e.kind == Event::SpawnPoint || e.kind == Event::BeforePoint) tested = true;
    return tested;
  }
};

}  // namespace

ProcedureFlow analyzeProcedure(const FunctionDef *def, bool keepAll) {
  Analysis a;
  a.keepAll = keepAll;
  a.def = def;
  a.flow.def = def;
  for (auto *s : def->fn->spawns) s->entry = 0;
  a.cfg = buildCfg(def);
  a.homes();
  a.run();
  findLeafPrefix(a.flow);
  return std::move(a.flow);
}

}  // namespace cilkc
