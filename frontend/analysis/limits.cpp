// limits.cpp - one walk over the unit: aliases, operands of inline assembly, functions that ask about their call, gotos
// between functions, and what the closure of a Cilk procedure can hold.
#include "frontend/analysis/limits.h"
#include <algorithm>
#include <memory>
#include <string>
#include <unordered_set>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/plan/plan.h"
#include "frontend/builtins/builtins.h"
#include "diag/sema_expr.h"

namespace cilkc {
namespace {

class Limits {
public:
  Limits(const TranslationUnit &u, const AstContext &c, DiagnosticEngine &d, const PlanOptions &o)
      : unit(u), cx(c), diags(d), options(o) {}

  void run() {
    for (const FunctionDecl *f : unit.functions) alias(f, f->attrs);
    for (const VarDecl *g : unit.globals) alias(g, g->attrs);
    anyAsks =
        std::any_of(unit.functions.begin(), unit.functions.end(), [](const FunctionDecl *f) { return f->asksCall; });
    for (const FunctionDecl *f : unit.functions) function(f);
    for (const VarDecl *g : unit.globals)
      if (anyAsks && g->init) expressions(g->init);
    packs();
  }

private:
  const TranslationUnit &unit;
  const AstContext &cx;
  DiagnosticEngine &diags;
  const PlanOptions &options;
  std::unique_ptr<UnitPlan> plans;  // made when it is asked for
  bool anyAsks = false;
  std::unordered_set<const FunctionDecl *> seen;

  // ---- aliases: of something that this file defines, maybe through other aliases

  static std::string_view symbol(const Decl *d, const DeclAttrs &a) { return a.hasAsmLabel ? a.asmLabel : d->name; }

  bool defined(std::string_view name, const Decl *except, unsigned depth) const {
    if (depth > 100) return false;  // in a circle
    auto is = [&](const Decl *d, const DeclAttrs &a, bool definition) {
      if (d == except || symbol(d, a) != name) return false;
      return definition || (!a.alias.empty() && defined(a.alias, d, depth + 1));
    };
    for (const FunctionDecl *f : unit.functions)
      if (!f->parent && is(f, f->attrs, f->def)) return true;
    for (const VarDecl *g : unit.globals)
      if (!g->fn && is(g, g->attrs, g->isDefinition)) return true;
    return false;
  }

  void alias(const Decl *d, const DeclAttrs &a) {
    std::string_view target = a.ifuncResolver.empty() ? a.alias : a.ifuncResolver;
    if (!target.empty() && !a.weakref && !defined(target, d, 0))
      diags.report(diag::alias_undefined, d->range) << d->name << target;
  }

  // ---- functions

  void function(const FunctionDecl *f) {
    if (!f->def || !f->def->body || !seen.insert(f).second) return;
    // few functions need the walk
    if (anyAsks || f->usesAsm || f->parent) expressions(static_cast<const Stmt *>(f->def->body), f);
    if (f->isCilk && !cx.lang.serial) closure(f);
    for (const FunctionDecl *inner : f->inlets) function(inner);
  }

  template <class N> void expressions(const N *root, const FunctionDecl *f = nullptr) {
    eachNode(root, Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>) {
        if (node->kind == StmtKind::Asm) operands(node->template as<AsmStmt>());
        else if (node->kind == StmtKind::Goto) jump(node->template as<GotoStmt>(), f);
      } else if (node->kind == ExprKind::Call) call(node->template as<Call>(), f);
      else if (node->kind == ExprKind::Ident) name(node->template as<Ident>());
    });
  }
  void expressions(const Initializer *i) {
    if (i->expr) expressions(i->expr);
    if (i->list && i->list->plan)
      for (const InitStore &s : i->list->plan->stores)
        if (s.value) expressions(static_cast<const Expr *>(s.value));
  }

  // A goto out of a nested function finds its frame by setjmp; a Cilk procedure has none that stays.
  void jump(const GotoStmt *s, const FunctionDecl *f) {
    const FunctionDecl *to = s->label ? s->label->fn : nullptr;
    if (to && f && to != f && f->parent && !f->isInlet && (to->isCilk || to->isInlet))
      diags.report(diag::unsupported, s->range) << "a goto out of a nested function into a cilk procedure";
  }

  // ---- inline assembly: a register holds a scalar, or a record of its size

  static bool fitsRegister(QualType q, uint64_t size) {
    return q->isInteger() || q->isFloating() || q->isPointer() || q->isVector() || size == 1 || size == 2 ||
           size == 4 || size == 8 || size == 16;
  }

  void operands(const AsmStmt *s) {
    auto check = [&](const AsmOperand &o, bool output) {
      if (!o.expr || !o.expr->type.type || !isComplete(o.expr->type.type) || hasVariableSize(o.expr->type.type)) return;
      AsmPlaces can = asmPlaces(o.constraint, *cx.target.facts);
      bool needsRegister = output ? can.reg && !can.mem : can.reg || can.imm || !can.mem;
      if (needsRegister && !fitsRegister(o.expr->type, sizeOf(o.expr->type.type, cx.target)))
        diags.report(diag::asm_operand, o.range) << "an operand of type '" + toString(o.expr->type) + "' in a register";
    };
    for (const AsmOperand &o : s->outputs) check(o, true);
    for (const AsmOperand &o : s->inputs) check(o, false);
  }

  // ---- __builtin_va_arg_pack: its function is expanded at its calls, and exists nowhere else

  struct Pack {
    const Call *call;
    const FunctionDecl *fn;
  };
  std::vector<Pack> all;
  // packs that are arguments of calls; names in calls that are expanded
  std::unordered_set<const Expr *> arguments, callees;
  std::unordered_set<const FunctionDecl *> asking, named;  // functions with packs; functions that are named elsewhere

  static bool is(const Call *c, BuiltinId id) { return c->builtin == static_cast<int>(id); }

  void call(const Call *c, const FunctionDecl *f) {
    if (is(c, BuiltinId::va_arg_pack) || is(c, BuiltinId::va_arg_pack_len)) {
      all.push_back({c, f});
      asking.insert(f);
    }
    for (const Expr *a : c->args) {
      const Expr *plain = ignoreParensAndImplicit(a);
      if (plain->kind == ExprKind::Call && is(plain->as<Call>(), BuiltinId::va_arg_pack)) arguments.insert(plain);
    }
    const FunctionDecl *callee = directCallee(c);
    if (callee && callee->asksCall && callee != f && !callee->usesVaStart && !callee->callsSetjmp &&
        callee->inlets.empty() && c->args.size() >= callee->params.size())
      callees.insert(ignoreParensAndImplicit(c->callee));
  }
  void name(const Ident *i) {
    if (i->decl && i->decl->kind == DeclKind::Function && i->decl->as<FunctionDecl>()->asksCall && !callees.count(i))
      named.insert(i->decl->as<FunctionDecl>());
  }
  // An `extern inline` of gnu89, or a C99 inline without extern: the definition is elsewhere.
  static bool inlineOnly(const FunctionDecl *f) {
    if (!f->isInline || f->linkage != Linkage::External) return false;
    return f->attrs.gnuInline ? f->storage == StorageClass::Extern : !f->externInline;
  }
  void packs() {
    for (const Pack &p : all) {
      std::string_view word = builtinInfo(static_cast<BuiltinId>(p.call->builtin)).name;
      if (is(p.call, BuiltinId::va_arg_pack) && !arguments.count(p.call))
        diags.report(diag::va_arg_pack_unexpanded, p.call->range) << word << "it is not an argument of a call";
      else if (p.fn && !inlineOnly(p.fn) && (p.fn->linkage == Linkage::External || named.count(p.fn)))
        diags.report(diag::va_arg_pack_unexpanded, p.call->range)
            << word
            << (named.count(p.fn) ? "'" + std::string(p.fn->name) + "' is called in other ways, too"
                                  : "'" + std::string(p.fn->name) + "' is called from other files, too");
    }
  }

  // ---- the closure of a Cilk procedure

  void closure(const FunctionDecl *f) {
    bool aligned = false;
    auto alignment = [&](const VarDecl *v) {
      if (!v->type.type || !isComplete(v->type.type) || hasVariableSize(v->type.type)) return v->attrs.align;
      return std::max(alignOf(v->type.type, cx.target), v->attrs.align);
    };
    auto each = [&](auto &&see) {
      for (const VarDecl *v : f->params) see(v);
      for (const VarDecl *v : f->locals) see(v);
    };
    each([&](const VarDecl *v) { aligned |= !hasVariableSize(v->type.type) && alignment(v) > kLargestLocalAlign; });
    if (aligned) {
      if (!plans) plans = std::make_unique<UnitPlan>(unit, cx, options);
      const ClonePlan &plan = plans->of(f);
      each([&](const VarDecl *v) {
        if (!hasVariableSize(v->type.type) && alignment(v) > kLargestLocalAlign && plan.home(v) != VarHome::Scratch)
          diags.report(diag::unsupported, v->range) << "alignment above 64 bytes for a local of a cilk procedure";
      });
    }
    constexpr uint64_t most = UINT32_MAX;  // of the fields of cilk_entry
    for (const SpawnStmt *s : f->spawns) {
      QualType result = s->type()->result;
      if (!s->isVoid() && isComplete(result.type) && sizeOf(result.type, cx.target) > most)
        diags.report(diag::unsupported, s->spawned) << "a spawn with a result of more than 4 gigabytes";
    }
    for (const FunctionDecl *i : f->inlets) {
      if (!i->isInlet) continue;
      uint64_t size = 0;
      for (size_t k = 1; k < i->params.size(); k++)
        size += isComplete(i->params[k]->type.type) ? sizeOf(i->params[k]->type.type, cx.target) + 64 : 0;
      if (size > most) diags.report(diag::unsupported, i->range) << "an inlet with arguments of more than 4 gigabytes";
    }
  }
};

}  // namespace

void checkLimits(const TranslationUnit &unit, const AstContext &cx, DiagnosticEngine &diags,
    const PlanOptions &options) {
  Limits(unit, cx, diags, options).run();
}

}  // namespace cilkc
