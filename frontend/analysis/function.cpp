// function.cpp - warnings that need a whole function: missing return, implicit fall-through, use of variables without a value.
//
// Read off the graph of frontend/flow. Ways that constants close (`while (1)`, `if (0)`) are left out, and so is what stands behind a call that does not come
// back. For each watched variable the state at a point is whether it *may* have a value; a read where it has none on any way is reported. So what is said is
// true on every path: no false alarms, at the price of some silence.
#include <algorithm>
#include "frontend/analysis/analysis.h"
#include "frontend/analysis/closed.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/consteval/consteval.h"
#include "frontend/flow/cfg.h"
#include "frontend/source/layout.h"

namespace cilkc {
namespace {


class Function {
public:
  Function(const FunctionDef *def, const AstContext &cx, DiagnosticEngine &diags) : def(def), fn(def->fn), cx(cx), diags(diags), cfg(buildCfg(def)) {
    analysis::closeWays(cfg, cx);
  }

  void run() {
    watch();
    solve();
    if (reached[static_cast<size_t>(cfg.exit)]) ending();
    if (diags.wants(diag::implicit_fallthrough)) fallThrough();
    readings();
  }

private:
  const FunctionDef *def;
  const FunctionDecl *fn;
  const AstContext &cx;
  DiagnosticEngine &diags;
  Cfg cfg;
  std::unordered_map<const VarDecl *, size_t> watched;
  std::vector<char> reached;
  using Bits = std::vector<bool>;                // by watched variable: it may have a value
  std::vector<Bits> in;

  void watch() {
    if (!diags.wants(diag::uninitialized) || fn->callsSetjmp || fn->locals.size() >= 3000) return;
    for (const VarDecl *v : fn->locals) {
      if (v->isParam || v->hidden || v->init || v->addressTaken || v->crossesNested || v->inletTouches || !v->type || v->type.isVolatile()) continue;
      if (v->type->isScalar()) watched.emplace(v, watched.size());
    }
    if (watched.size() * cfg.blocks.size() > 50000000) watched.clear();
  }

  template <class R> void transfer(const Block &b, Bits &has, R &&reads) const {
    for (const Event &e : b.events) {
      if (e.kind == Event::SpawnPoint && e.spawn->form == SpawnForm::Op) reads(e.spawn->receiver(), namedVariable(e.spawn->receiver()));
      if (e.kind == Event::Use && e.expr) reads(e.expr, e.var);
      if (e.kind != Event::Define && e.kind != Event::Modify && e.kind != Event::Deliver) continue;
      if (auto it = watched.find(e.var); it != watched.end()) has[it->second] = true;
    }
  }

  void solve() {
    reached.assign(cfg.blocks.size(), 0);
    in.assign(cfg.blocks.size(), {});
    std::vector<size_t> work{0};
    std::vector<char> waiting(cfg.blocks.size(), 0);
    reached[0] = 1;
    in[0].assign(watched.size(), false);
    while (!work.empty()) {
      size_t b = work.back();
      work.pop_back();
      waiting[b] = 0;
      Bits has = in[b];
      transfer(cfg.blocks[b], has, [](const Expr *, const VarDecl *) {});
      for (int next : cfg.blocks[b].next) {
        const auto n = static_cast<size_t>(next);
        bool changed = !reached[n];
        if (changed) reached[n] = 1, in[n] = has;
        else
          for (size_t i = 0; i < has.size(); i++)
            if (has[i] && !in[n][i]) in[n][i] = changed = true;
        if (changed && !waiting[n]) waiting[n] = 1, work.push_back(n);
      }
    }
  }

  void readings() {
    if (watched.empty()) return;
    Bits told(watched.size(), false);
    for (size_t b = 0; b < cfg.blocks.size(); b++) {
      if (!reached[b]) continue;
      Bits &has = in[b];
      transfer(cfg.blocks[b], has, [&](const Expr *at, const VarDecl *v) {
        auto it = watched.find(v);
        if (it == watched.end() || has[it->second] || told[it->second]) return;
        told[it->second] = true;
        diags.report(diag::uninitialized, at->range).note(v->range, "'" + std::string(v->name) + "' is declared here without a value") << v->name;
      });
    }
  }

  // Control reaches the closing brace.
  void ending() {
    if (fn->attrs.naked) return;
    Range end = def->body->closing.valid() ? def->body->closing : def->body->range;
    if (fn->isNoreturn || fn->attrs.noreturn) {
      diags.report(diag::noreturn_returns, end) << fn->name;
      return;
    }
    QualType result = fn->type->as<FunctionType>()->result;
    bool isMain = fn->name == "main" && !fn->parent;
    if (result->isVoid() || result->isError() || isMain || fn->isInlet) return;
    diags.report(fn->isCilk ? diag::cilk_missing_return : diag::missing_return, end) << fn->name << toString(result);
  }

  // ---- falling through ----
  void fallThrough() {
    std::unordered_map<const Stmt *, const Stmt *> before;
    eachNode(static_cast<const Stmt *>(def->body), Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>) {
        if (node->kind != StmtKind::Compound) return;
        const Stmt *previous = nullptr;
        for (const Stmt *s : node->template as<CompoundStmt>()->body) {
          if (previous && isCase(s)) before[s] = previous;
          previous = s;
        }
      }
    });
    for (auto [label, from] : cfg.fallsInto) {
      const Block &b = cfg.blocks[static_cast<size_t>(from)];
      auto it = before.find(label);
      if (it == before.end() || !reached[static_cast<size_t>(from)] || b.ends || (isCase(it->second) && !below(it->second))) continue;
      if (!meant(it->second, label)) diags.report(diag::implicit_fallthrough, label->range);
    }
  }
  static bool isCase(const Stmt *s) { return s->kind == StmtKind::Case || s->kind == StmtKind::Default; }
  static const Stmt *below(const Stmt *label) { return label->kind == StmtKind::Case ? label->as<CaseStmt>()->sub : label->as<DefaultStmt>()->sub; }
  static const Stmt *behindLabels(const Stmt *s) {
    while (s && isCase(s)) s = below(s);
    return s;
  }

  // Was it said to be meant, by an attribute or a comment on the lines before the label? Or is nothing done before it, or nothing left to do behind it?
  bool meant(const Stmt *previous, const Stmt *label) const {
    for (const Stmt *p = previous; p;) {
      for (const Attr *a : p->attrs)
        if (a->name == "fallthrough") return true;
      if (p->kind == StmtKind::Compound && !p->as<CompoundStmt>()->body.empty()) p = p->as<CompoundStmt>()->body.back();
      else if (isCase(p)) p = below(p);
      else if (p->kind == StmtKind::Label) p = p->as<LabelStmt>()->sub;
      else break;
    }
    const Stmt *last = behindLabels(previous), *then = behindLabels(label);
    if (last && last->kind == StmtKind::Expr)                                 // assert() under NDEBUG
      if (const Expr *e = ignoreParens(last->as<ExprStmt>()->expr); e && e->kind == ExprKind::Cast && e->type->isVoid() && e->as<Cast>()->sub->type &&
                                                                    e->as<Cast>()->sub->type->isInteger() && evaluate(e->as<Cast>()->sub, cx, EvalMode::Fold))
        return true;
    if (then && (then->kind == StmtKind::Null || then->kind == StmtKind::Break || then->kind == StmtKind::Continue || then->kind == StmtKind::Goto ||
                    (then->kind == StmtKind::Return && !then->as<ReturnStmt>()->value)))
      return true;
    const SourceManager &sm = diags.sources();
    if (!label->range.valid()) return false;
    // The comments in a macro's definition are out of sight; assert() and the like end otherwise.
    if (sm.resolve(label->range.begin).fromMacro || (last && last->range.valid() && sm.resolve(last->range.begin).fromMacro)) return true;
    return saidBefore(sm, label->range.begin, {"fall", "FALL", "Fall"});
  }
};

void checkFunction(const FunctionDecl *f, const AstContext &cx, DiagnosticEngine &diags) {
  if (f->def && f->def->fn == f && f->def->body && !f->isAdapter && f->type && f->type->isFunction() && !diags.sources().inSystemHeader(f->range.begin))
    Function(f->def, cx, diags).run();
  for (const FunctionDecl *inner : f->inlets) checkFunction(inner, cx, diags);
}

}  // namespace

void checkFunctions(const TranslationUnit &unit, const AstContext &cx, DiagnosticEngine &diags) {
  for (const FunctionDecl *f : unit.functions)
    if (!f->parent) checkFunction(f, cx, diags);
}

}  // namespace cilkc
