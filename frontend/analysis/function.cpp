// function.cpp - warnings that need a whole function: missing return, implicit fall-through, endless recursion.
// Variables without a value have values.cpp, pointers pointers.cpp.
//
// Read off the graph of frontend/flow. Ways that constants close (`while (1)`, `if (0)`) are left out, and so is what
// follows a call that does not come back.
#include <algorithm>
#include "frontend/analysis/analysis.h"
#include "frontend/analysis/closed.h"
#include "frontend/analysis/pointers.h"
#include "frontend/analysis/values.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/consteval/consteval.h"
#include "frontend/flow/forward.h"
#include "frontend/source/layout.h"
#include "diag/warn.h"

namespace cilkc {
namespace {


class Function {
public:
  Function(const FunctionDef *def, const AstContext &cx, DiagnosticEngine &diags)
      : def(def), fn(def->fn), cx(cx), diags(diags), cfg(closed(def, cx)), graph(cfg) {}

  void run() {
    if (graph.reached[static_cast<size_t>(cfg.exit)]) ending();
    if (diags.wants(diag::implicit_fallthrough)) fallThrough();
    recursion();
    if (diags.wants(diag::strncpy_unterminated)) truncation();
    analysis::checkValues(def, graph, diags);
    analysis::checkPointers(def, graph, diags);
  }

private:
  const FunctionDef *def;
  const FunctionDecl *fn;
  const AstContext &cx;
  DiagnosticEngine &diags;
  Cfg cfg;
  Graph graph;

  static Cfg closed(const FunctionDef *def, const AstContext &cx) {
    Cfg cfg = buildCfg(def);
    analysis::closeWays(cfg, cx);
    return cfg;
  }

  // Does every way from the entry to an end of the function lead over a call of the function itself?
  void recursion() {
    if (!diags.wants(diag::infinite_recursion) || fn->isInlet || fn->callsSetjmp || fn->attrs.weak) return;
    const Range *first = nullptr;
    std::vector<char> seen(cfg.blocks.size(), 0);
    std::vector<int> work{0};
    seen[0] = 1;
    while (!work.empty()) {
      const Block &b = cfg.blocks[static_cast<size_t>(work.back())];
      work.pop_back();
      if (const Range *call = callsItself(b)) {
        if (!first || call->begin < first->begin) first = call;
        continue;
      }
      if (b.ends ||
          std::any_of(b.events.begin(), b.events.end(), [](const Event &e) { return e.kind == Event::ReturnPoint; }))
        return;
      for (int n : b.next)
        if (!seen[static_cast<size_t>(n)]) seen[static_cast<size_t>(n)] = 1, work.push_back(n);
    }
    if (first)
      diags.report(diag::infinite_recursion, fn->range)
              .note(*first, "it is called again here, whatever its arguments are")
          << fn->name;
  }

  // Where the block certainly calls or spawns the function.
  const Range *callsItself(const Block &b) const {
    const Range *found = nullptr;
    auto in = [&](const Expr *whole) {
      eachExpr(whole, Walk::Evaluated, [&](const Expr *e) {
        if (found) return false;
        if (e->kind == ExprKind::Call && directCallee(e->as<Call>()) == fn) found = &e->range;
        if (e->kind == ExprKind::Binary && isLogical(e->as<Binary>()->op)) later.push_back(e->as<Binary>()->lhs);
        else if (e->kind == ExprKind::Conditional) later.push_back(e->as<Conditional>()->cond);
        else return e->kind != ExprKind::StmtExpr;
        return false;
      });
    };
    auto all = [&](const Expr *whole) {
      later.clear();
      if (whole) in(whole);
      while (!found && !later.empty()) {
        const Expr *e = later.back();
        later.pop_back();
        in(e);
      }
    };
    for (const Event &e : b.events) {
      if (e.kind == Event::Evaluate) all(e.expr);
      else if (e.kind == Event::SpawnPoint && directCallee(e.spawn) == fn) found = &e.spawn->spawned;
      if (found || e.kind == Event::ReturnPoint) return found;
    }
    all(b.condition);
    return found;
  }
  mutable std::vector<const Expr *> later;  // operands that are evaluated whatever the others are

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

  // strncpy(b, s, sizeof b) into a local array that is used as a string, and whose last element nothing sets.
  void truncation() {
    std::vector<const Call *> copies;
    std::unordered_set<const VarDecl *> stored, read;
    auto array = [](const Expr *e) -> const VarDecl * {
      e = ignoreCasts(e);  // null: it names no array
      return e && e->type->isArray() ? namedVariable(e) : nullptr;
    };
    eachExpr(static_cast<const Stmt *>(def->body), Walk::Evaluated, [&](const Expr *e) {
      if (e->kind == ExprKind::Assign) {
        eachExpr(e->as<Assign>()->lhs, Walk::Evaluated, [&](const Expr *x) { stored.insert(array(x)); });
        return;
      }
      const FunctionDecl *f = e->kind == ExprKind::Call ? directCallee(e->as<Call>()) : nullptr;
      if (!f || f->def) return;
      const auto &args = e->as<Call>()->args;
      if (f->name == "strncpy" && args.size() == 3) {
        const VarDecl *v = array(args[0]);
        auto n = evaluate(args[2], cx, EvalMode::Fold);
        if (v && v->isLocal && v->type->isArray() && v->type->as<ArrayType>()->arrayKind == ArrayKind::Constant && n &&
            n->kind == ConstValue::Int && n->i == static_cast<__int128>(v->type->as<ArrayType>()->count) &&
            ignoreCasts(args[1])->kind != ExprKind::StringLit)
          copies.push_back(e->as<Call>());
        return;
      }
      static constexpr std::string_view readers[] = {"strlen", "puts", "fputs", "printf", "fprintf", "strcmp", "strcat",
          "strdup", "strchr", "strstr", "atoi"};
      if (std::find(std::begin(readers), std::end(readers), f->name) == std::end(readers)) return;
      for (const Expr *a : args)
        if (const VarDecl *v = array(a)) read.insert(v);
    });
    for (const Call *c : copies)
      if (const VarDecl *v = array(c->args[0]); read.contains(v) && !stored.contains(v))
        diags.report(diag::strncpy_unterminated, c->range)
                .note(c->range, "copy one character less, and store '\\0' in the last element")
            << directCallee(c)->name << v->name;
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
      if (it == before.end() || !graph.reached[static_cast<size_t>(from)] || b.ends ||
          (isCase(it->second) && !below(it->second)))
        continue;
      if (!meant(it->second, label)) diags.report(diag::implicit_fallthrough, label->range);
    }
  }
  static bool isCase(const Stmt *s) { return s->kind == StmtKind::Case || s->kind == StmtKind::Default; }
  static const Stmt *below(const Stmt *label) {
    return label->kind == StmtKind::Case ? label->as<CaseStmt>()->sub : label->as<DefaultStmt>()->sub;
  }
  static const Stmt *afterLabels(const Stmt *s) {
    while (s && isCase(s)) s = below(s);
    return s;
  }

  // Does an attribute or a comment on the lines before the label say that it is meant? Or is nothing done before it, or
  // nothing left to do after it?
  bool meant(const Stmt *previous, const Stmt *label) const {
    for (const Stmt *p = previous; p;) {
      for (const Attr *a : p->attrs)
        if (a->name == "fallthrough") return true;
      if (p->kind == StmtKind::Compound && !p->as<CompoundStmt>()->body.empty()) p = p->as<CompoundStmt>()->body.back();
      else if (isCase(p)) p = below(p);
      else if (p->kind == StmtKind::Label) p = p->as<LabelStmt>()->sub;
      else break;
    }
    const Stmt *last = afterLabels(previous), *then = afterLabels(label);
    if (last && last->kind == StmtKind::Expr)  // assert() under NDEBUG
      if (const Expr *e = ignoreParens(last->as<ExprStmt>()->expr);
          e && e->kind == ExprKind::Cast && e->type->isVoid() && e->as<Cast>()->sub->type &&
          e->as<Cast>()->sub->type->isInteger() && evaluate(e->as<Cast>()->sub, cx, EvalMode::Fold))
        return true;
    if (then && (then->kind == StmtKind::Null || then->kind == StmtKind::Break || then->kind == StmtKind::Continue ||
                    then->kind == StmtKind::Goto || (then->kind == StmtKind::Return && !then->as<ReturnStmt>()->value)))
      return true;
    const SourceManager &sm = diags.sources();
    if (!label->range.valid()) return false;
    // The comments in a macro's definition are out of sight; assert() and the like end otherwise.
    if (sm.resolve(label->range.begin).fromMacro ||
        (last && last->range.valid() && sm.resolve(last->range.begin).fromMacro))
      return true;
    return commentBefore(sm, label->range.begin, {"fall", "FALL", "Fall"});
  }
};

void checkFunction(const FunctionDecl *f, const AstContext &cx, DiagnosticEngine &diags) {
  if (f->def && f->def->fn == f && f->def->body && !f->isAdapter && f->type && f->type->isFunction() &&
      !diags.sources().inSystemHeader(f->range.begin))
    Function(f->def, cx, diags).run();
  for (const FunctionDecl *inner : f->inlets) checkFunction(inner, cx, diags);
}

}  // namespace

void checkFunctions(const TranslationUnit &unit, const AstContext &cx, DiagnosticEngine &diags) {
  for (const FunctionDecl *f : unit.functions)
    if (!f->parent) checkFunction(f, cx, diags);
}

}  // namespace cilkc
