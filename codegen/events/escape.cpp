// escape.cpp - an address that is taken and used at once, as in a[i] or *&x, goes nowhere; every other one does.
#include "codegen/events/escape.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"

namespace cilkc::cg {

const VarDecl *variableAround(const Expr *e) {
  for (;;) {
    e = ignoreParens(e);
    if (const VarDecl *v = baseVariable(e)) return v;
    if (!e) return nullptr;
    if (e->kind == ExprKind::Member && !e->as<Member>()->arrow) e = e->as<Member>()->base;
    else if (e->kind == ExprKind::Index) {
      const Expr *base = ignoreParens(e->as<Index>()->base);
      if (base->kind == ExprKind::ImplicitCast && base->as<ImplicitCast>()->castKind == CastKind::ArrayToPointer)
        base = base->as<ImplicitCast>()->sub;
      else if (!base->type->isVector()) return nullptr;
      e = base;
    } else return nullptr;
  }
}

namespace {

void walk(const FunctionDecl *f, std::unordered_set<const VarDecl *> &out) {
  auto keep = [&](const VarDecl *v) {
    if (v->crossesNested || v->attrs.cleanup) out.insert(v);
  };
  for (auto *v : f->params) keep(v);
  for (auto *v : f->locals) keep(v);
  if (!f->def || !f->def->body) return;
  std::unordered_set<const Expr *> usedAtOnce;
  eachNode(f->def->body, Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Expr *>) {
      // Where the code generator knows the object: an element of an array, and *&x.
      const Expr *used = node->kind == ExprKind::Index ? ignoreParens(node->template as<Index>()->base)
                         : node->kind == ExprKind::Unary && node->template as<Unary>()->op == UnaryOp::Deref
                             ? ignoreParens(node->template as<Unary>()->sub)
                             : nullptr;
      if (used && used->kind == (node->kind == ExprKind::Index ? ExprKind::ImplicitCast : ExprKind::Unary))
        usedAtOnce.insert(used);
      const Expr *place = nullptr;
      if (node->kind == ExprKind::ImplicitCast &&
          node->template as<ImplicitCast>()->castKind == CastKind::ArrayToPointer)
        place = node->template as<ImplicitCast>()->sub;
      else if (node->kind == ExprKind::Unary && node->template as<Unary>()->op == UnaryOp::AddrOf)
        place = node->template as<Unary>()->sub;
      if (!place || usedAtOnce.count(node)) return;
      if (const VarDecl *v = variableAround(place)) out.insert(v);
    }
  });
  for (auto *inlet : f->inlets) walk(inlet, out);
}

}  // namespace

const FunctionDecl *ownerOfFrame(const FunctionDecl *f) {
  while (f->isInlet && f->parent) f = f->parent;
  return f;
}

bool Escapes::has(const FunctionDecl *f, const VarDecl *v) {
  f = ownerOfFrame(f);
  auto [it, isNew] = found.try_emplace(f);
  if (isNew) walk(f, it->second);
  return it->second.count(v);
}

bool isReachable(const Address &a, const std::function<bool(const FunctionDecl *, const VarDecl *)> &local) {
  if (const VarDecl *v = a.object) {
    if (v->threadLocal || v->isPrivate) return false;
    if (v->isLocal || v->isParam) return !v->fn || local(v->fn, v);
    return !(v->type->isArray() ? a.type.quals & QConst : v->type.quals & QConst);
  }
  LLVMValueRef p = a.ptr;
  if (LLVMIsACallInst(p)) {  // errno
    size_t n;
    LLVMValueRef f = LLVMGetCalledValue(p);
    return !LLVMIsAFunction(f) || std::string_view(LLVMGetValueName2(f, &n)) != "__errno_location";
  }
  while (LLVMIsAGetElementPtrInst(p) || (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr))
    p = LLVMGetOperand(p, 0);
  return !(LLVMIsAGlobalVariable(p) && (LLVMIsGlobalConstant(p) || LLVMIsThreadLocal(p)));
}

}  // namespace cilkc::cg
