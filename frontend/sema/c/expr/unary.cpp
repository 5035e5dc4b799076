// unary.cpp - unary operators (C17 6.5.2.4, 6.5.3): & * + - ~ ! ++ -- __real__ __imag__.
#include "frontend/ast/query.h"
#include "frontend/sema/c/core/sema.h"
#include "diag/sema_expr.h"
#include "diag/warn.h"

namespace cilkc {

namespace {

struct UnaryRules : Exprs {
  using Exprs::Exprs;
  Expr *addressOf(Unary *);
  Expr *dereference(Unary *);
  Expr *sign(Unary *);
  Expr *complement(Unary *);
  Expr *negation(Unary *);
  Expr *part(Unary *);
};

Expr *UnaryRules::addressOf(Unary *u) {
  Expr *e = u->sub = expr(u->sub);
  if (e->type->isError()) return sema.conv.error(u->range);
  const Expr *s = ignoreParens(e);
  if (e->type->isFunction()) {
    u->type = cx.pointerTo(e->type);
    return u;
  }
  if (e->type->isVoid() && !e->type.quals && e->lvalue && s->kind != ExprKind::Unary)
    diags.report(diag::address_of_void, u->range);
  if (!e->lvalue) {
    // &*p and &a[i] of void are harmless.
    bool derefVoid = e->type->isVoid() && s->kind == ExprKind::Unary && s->as<Unary>()->op == UnaryOp::Deref;
    if (!derefVoid) {
      auto d = diags.report(diag::address_of_rvalue, u->range);
      d << toString(e->type);
      return sema.conv.error(u->range);
    }
  }
  if (e->bitField) {
    const FieldDecl *f = sema.conv.bitFieldOf(e);
    diags.report(diag::address_of_bit_field, u->range) << (f ? f->name : std::string_view("?"));
    return sema.conv.error(u->range);
  }
  if (VarDecl *v = sema.conv.rootVariable(e)) {
    if (v->storage == StorageClass::Register && !sema.unevaluated) {
      diags.report(diag::address_of_register, u->range) << (v->hidden ? "compound literal" : v->name);
      return sema.conv.error(u->range);
    }
  }
  sema.conv.markAddressTaken(e);
  u->type = cx.pointerTo(e->type);
  return u;
}

Expr *UnaryRules::dereference(Unary *u) {
  Expr *e = u->sub = rvalue(u->sub);
  if (e->type->isError()) return sema.conv.error(u->range);
  if (!e->type->isPointer()) {
    diags.report(diag::deref_non_pointer, u->range) << toString(e->type);
    return sema.conv.error(u->range);
  }
  QualType p = e->type->as<PointerType>()->pointee;
  u->type = p;
  u->lvalue = true;
  if (p->isError()) return sema.conv.error(u->range);
  return u;
}

Expr *UnaryRules::sign(Unary *u) {
  Expr *e = sema.conv.promote(rvalue(u->sub));
  if (e->type->isError()) return sema.conv.error(u->range);
  if (!e->type->isArithmetic() && !e->type->isVector()) {
    diags.report(diag::bad_unary_operand, u->range)
        << (u->op == UnaryOp::Plus ? "unary +" : "unary -") << toString(e->type);
    return sema.conv.error(u->range);
  }
  u->sub = e;
  u->type = e->type.unqual();
  if (e->type->isInteger())
    if (auto v = sema.conv.knownInteger(e)) {
      __int128 r = u->op == UnaryOp::Plus ? *v : static_cast<__int128>(-static_cast<unsigned __int128>(*v));
      __int128 w = wrapInt(r, e->type.type, cx.target);
      if (w != r && isSigned(e->type.type, cx.target) && !sema.deadCode && !sema.unevaluated)
        diags.report(diag::integer_overflow, u->range) << toString(e->type);
      sema.es.folded[u] = w;
    }
  return u;
}

Expr *UnaryRules::complement(Unary *u) {
  Expr *e = sema.conv.promote(rvalue(u->sub));
  if (e->type->isError()) return sema.conv.error(u->range);
  const Type *t = e->type.type;
  bool ok = t->isInteger() || t->isComplex() || (t->isVector() && t->as<VectorType>()->elem->isInteger());
  if (!ok) {
    diags.report(diag::bad_unary_operand, u->range) << "~" << toString(e->type);
    return sema.conv.error(u->range);
  }
  if (t->isComplex()) diags.report(diag::pedantic_gnu, u->range) << "'~' for the conjugate of a complex number";
  for (const Expr *x = e;; x = x->kind == ExprKind::Paren ? x->as<ParenExpr>()->sub : x->as<ImplicitCast>()->sub) {
    if (x->type->isBool()) {
      diags.report(diag::bool_operation, u->range) << "~";
      break;
    }
    if (x->kind != ExprKind::Paren && x->kind != ExprKind::ImplicitCast) break;
  }
  u->sub = e;
  u->type = e->type.unqual();
  if (t->isInteger())
    if (auto v = sema.conv.knownInteger(e)) sema.es.folded[u] = wrapInt(~*v, t, cx.target);
  return u;
}

Expr *UnaryRules::negation(Unary *u) {
  Expr *e = rvalue(u->sub);
  if (e->type->isError()) return sema.conv.error(u->range);
  if (e->type->isVector()) {
    u->sub = e;
    const auto *v = e->type->as<VectorType>();
    static const TypeKind bySize[] = {TypeKind::SChar, TypeKind::SChar, TypeKind::Short, TypeKind::Short, TypeKind::Int,
        TypeKind::Int, TypeKind::Int, TypeKind::Int, TypeKind::Long};
    uint64_t n = sizeOf(v->elem, cx.target);
    u->type = cx.vectorOf(cx.basic(n <= 8 ? bySize[n] : TypeKind::Int128), v->count);
    return u;
  }
  if (!e->type->isScalar()) {
    diags.report(diag::bad_unary_operand, u->range) << "!" << toString(e->type);
    return sema.conv.error(u->range);
  }
  sema.warn.checkTruth(e);
  u->sub = e;
  u->type = cx.basic(TypeKind::Int);
  if (e->type->isInteger())
    if (auto v = sema.conv.knownInteger(e)) sema.es.folded[u] = *v == 0;
  return u;
}

Expr *UnaryRules::part(Unary *u) {
  Expr *e = u->sub = expr(u->sub);
  if (e->type->isError()) return sema.conv.error(u->range);
  if (e->type->isComplex()) {
    u->type = QualType(e->type->as<ComplexType>()->elem, e->type.quals);
    u->lvalue = e->lvalue;
    return u;
  }
  if (!e->type->isArithmetic()) {
    diags.report(diag::bad_unary_operand, u->range)
        << (u->op == UnaryOp::Real ? "__real__" : "__imag__") << toString(e->type);
    return sema.conv.error(u->range);
  }
  if (u->op == UnaryOp::Real) {
    u->type = e->type;
    u->lvalue = e->lvalue;
    u->bitField = e->bitField;
    return u;
  }
  u->sub = sema.conv.load(e);
  u->type = u->sub->type.unqual();
  return u;
}

}  // namespace

Expr *Exprs::exprUnary(Unary *u) {
  UnaryRules rules(sema);
  switch (u->op) {
    case UnaryOp::PreInc:
    case UnaryOp::PreDec:
    case UnaryOp::PostInc:
    case UnaryOp::PostDec: return exprIncDec(u);
    case UnaryOp::AddrOf: return rules.addressOf(u);
    case UnaryOp::Deref: return rules.dereference(u);
    case UnaryOp::Plus:
    case UnaryOp::Minus: return rules.sign(u);
    case UnaryOp::BitNot: return rules.complement(u);
    case UnaryOp::Not: return rules.negation(u);
    case UnaryOp::Real:
    case UnaryOp::Imag: return rules.part(u);
  }
  return sema.conv.error(u->range);
}

Expr *Exprs::exprIncDec(Unary *u) {
  bool inc = u->op == UnaryOp::PreInc || u->op == UnaryOp::PostInc;
  Expr *raw = u->sub;
  VarDecl *plain = nullptr;
  raw = ignoreParens(raw);
  Expr *e = u->sub = storedTo(u, u->sub);
  if (e->type->isError()) return sema.conv.error(u->range);
  if (!sema.conv.isModifiableLvalue(e, u->range, true)) return sema.conv.error(u->range);
  checkPastTheEnd(e);
  const Type *t = e->type.type;
  if (t->isBool()) diags.report(diag::bool_operation, u->range) << (inc ? "++" : "--");
  if (t->isPointer() && !t->isNullptr()) {
    QualType p = t->as<PointerType>()->pointee;
    if (p->isFunction() || p->isVoid()) {
      if (cx.lang.pedantic) diags.report(diag::pedantic_pointer_arith, u->range) << toString(e->type);
    } else if (!sema.types.requireComplete(p, u->range, "pointer arithmetic")) {
      return sema.conv.error(u->range);
    }
  } else if (!t->isArithmetic() && !t->isVector()) {
    diags.report(diag::bad_unary_operand, u->range) << (inc ? "++" : "--") << toString(e->type);
    return sema.conv.error(u->range);
  }
  if (t->isComplex()) diags.report(diag::pedantic_gnu, u->range) << "'++' and '--' on complex numbers";
  if ((plain = sema.conv.rootVariable(e))) plain->assigned = true;
  u->type = e->type.unqual();
  return u;
}

}  // namespace cilkc
