// constants.cpp - constant parameters: an optimistic fixed point over the calls of the unit (Wegman and Zadeck's
// lattice, on parameters only).
//
// A procedure takes part when each expression that names it is the callee of a spawn; then its spawns are all its
// calls. A parameter starts as "no call seen"; each argument that is a constant, or a parameter that takes part, lowers
// it; anything else makes it unknown. Passing a parameter on to itself, as recursive procedures do, changes nothing.
//
// C compilers find these by themselves in static functions (interprocedural constant propagation). In Cilk clones they
// cannot: a slow clone reads its parameters from the closure. So it is done here, before the clones are planned; such a
// parameter is a constant in every clone and is never saved.
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include "frontend/ast/query.h"
#include "frontend/plan/build.h"
#include "frontend/consteval/consteval.h"

namespace cilkc {
namespace {

bool equal(const ConstValue &a, const ConstValue &b) {
  if (a.kind != b.kind) return false;
  if (a.kind == ConstValue::Int) return a.i == b.i;
  if (a.kind == ConstValue::WideInt) return *a.wide == *b.wide;
  if (a.kind != ConstValue::Address) return false;  // floating: not worth the question of signed zeros
  return a.base == b.base && a.string == b.string && a.label == b.label && a.minusLabel == b.minusLabel &&
         a.offset == b.offset;
}

class Parameters {
public:
  Parameters(const TranslationUnit &unit, const AstContext &context) : context(context) {
    std::unordered_set<std::string_view> names;
    std::unordered_set<std::string_view> aliased;
    for (auto *f : unit.functions) {
      names.insert(f->name);
      aliased.insert(f->attrs.alias);
    }
    std::unordered_map<const FunctionDecl *, uint32_t> spawned;
    for (auto *f : unit.functions)
      for (auto *s : f->spawns)
        if (auto *callee = directCallee(s)) {
          spawned[callee]++;
          calls.push_back({callee, s->call});
        }
    for (auto *f : unit.functions) {
      if (!f->isCilk || !f->def || f->linkage != Linkage::Internal || f->references != spawned[f]) continue;
      if (f->entered) continue;  // its C function calls it, with any arguments
      // called under another name, or from another unit
      if (f->attrs.used || aliased.count(f->name)) continue;
      if (names.count("mt_" + std::string(f->name))) continue;  // EXPORTed: C calls it, too
      for (auto *p : f->params) {
        bool plain = p->type->isScalar() && !p->type.isVolatile() && !p->type.isAtomic();
        if (plain && !p->assigned && !p->addressTaken && !p->inletTouches && !p->isReceiver && !p->crossesNested)
          params[p] = Value{};
      }
    }
  }

  planning::Constants run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto &[fn, call] : calls)
        for (size_t i = 0; i < fn->params.size(); i++) {
          auto it = params.find(fn->params[i]);
          if (it == params.end() || it->second.state == Value::Unknown) continue;
          changed |= lower(it->first, it->second, i < call->args.size() ? call->args[i] : nullptr);
        }
    }
    planning::Constants found;
    for (auto &[p, v] : params)
      if (v.state == Value::Known) found.emplace(p, v.expr);
    return found;
  }

private:
  struct Value {
    enum { NotSeen, Known, Unknown } state = NotSeen;
    ConstValue value;
    const Expr *expr = nullptr;
  };
  struct CallSite {
    const FunctionDecl *fn;
    const Call *call;
  };
  const AstContext &context;
  std::vector<CallSite> calls;
  std::unordered_map<const VarDecl *, Value> params;

  bool lower(const VarDecl *param, Value &to, const Expr *arg) {
    if (!arg) {
      to.state = Value::Unknown;
      return true;
    }
    Value from;
    const Expr *inner = ignoreParensAndImplicit(arg);
    if (inner->kind == ExprKind::Ident && inner->as<Ident>()->decl && inner->as<Ident>()->decl->kind == DeclKind::Var) {
      auto *v = inner->as<Ident>()->decl->as<VarDecl>();
      if (auto it = params.find(v); it != params.end() && v->type.unqual() == param->type.unqual()) {
        if (v == param || it->second.state == Value::NotSeen) return false;
        from = it->second;
      } else {
        from = evaluated(arg);  // an array or function designator, else unknown
      }
    } else {
      from = evaluated(arg);
    }
    if (from.state == Value::Known && to.state == Value::NotSeen) {
      to = from;
      return true;
    }
    if (from.state == Value::Known && equal(from.value, to.value)) return false;
    to.state = Value::Unknown;
    return true;
  }

  Value evaluated(const Expr *e) const {
    Value v;
    v.state = Value::Unknown;
    auto c = cilkc::evaluate(e, context, EvalMode::Static);
    if (!c || (c->kind != ConstValue::Int && c->kind != ConstValue::Address) || c->label || c->minusLabel) return v;
    v.state = Value::Known;
    v.value = *c;
    v.expr = e;
    return v;
  }
};

}  // namespace

planning::Constants planning::findConstants(const TranslationUnit &unit, const AstContext &context) {
  return Parameters(unit, context).run();
}

}  // namespace cilkc
