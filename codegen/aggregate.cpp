// aggregate.cpp - values of record (and array) type, which live in memory; initialisers of automatic objects.
#include <algorithm>
#include "codegen/core/function.h"
#include "frontend/ast/query.h"

namespace cilkc::cg {

// The value in memory: the object itself where the expression is a plain read of one, a temporary otherwise.
Address FunctionEmitter::emitAggregate(const Expr *e) {
  if (!open()) ensureOpen();
  if (!bound.empty()) {
    auto it = bound.find(e);
    if (it != bound.end()) return it->second.addr;
  }
  switch (e->kind) {
    case ExprKind::Paren: return emitAggregate(e->as<ParenExpr>()->sub);
    case ExprKind::ImplicitCast:
    case ExprKind::Cast: {
      CastKind k = e->kind == ExprKind::Cast ? e->as<Cast>()->castKind : e->as<ImplicitCast>()->castKind;
      const Expr *sub = e->kind == ExprKind::Cast ? e->as<Cast>()->sub : e->as<ImplicitCast>()->sub;
      if (k == CastKind::ToUnion) {
        Address tmp = temporary(e->type);
        Address member = tmp;
        member.type = sub->type.unqual();
        emitInto(sub, member);
        return tmp;
      }
      if (k == CastKind::LvalueToRvalue || k == CastKind::NoOp) {
        if (!sub->lvalue) return emitAggregate(sub);
        Address a = emitLvalue(sub);
        if (a.isAtomic()) return loadAtomic(a).addr;
        a.type = QualType(e->type.type, a.type.quals);
        return a;
      }
      return emitAggregate(sub);
    }
    case ExprKind::Generic: return emitAggregate(e->as<Generic>()->chosen);
    case ExprKind::ChooseExpr: return emitAggregate(e->as<ChooseExpr>()->chosen);
    case ExprKind::Binary:
      if (e->as<Binary>()->op == BinaryOp::Comma) {
        emitIgnored(e->as<Binary>()->lhs);
        return emitAggregate(e->as<Binary>()->rhs);
      }
      break;
    case ExprKind::Assign: {
      auto *a = e->as<Assign>();
      Address dest = emitLvalue(a->lhs);
      return emitAssignTo(a, dest).addr;
    }
    case ExprKind::Call: return emitCall(e->as<Call>()).addr;
    case ExprKind::StmtExpr: {
      RValue r = emitStmtExpr(e->as<StmtExpr>());
      return r.kind == RValue::Aggregate ? r.addr : temporary(e->type);
    }
    case ExprKind::VaArg: return emitVaArg(e->as<VaArg>()).addr;
    case ExprKind::Conditional: {
      auto *c = e->as<Conditional>();
      if (c->then && hasVariableSize(e->type.type)) break;
      Address tmp = temporary(e->type, "cond");
      emitAggregateInto(e, tmp);
      return tmp;
    }
    case ExprKind::Ident:
    case ExprKind::Member:
    case ExprKind::Index:
    case ExprKind::CompoundLit:
    case ExprKind::StringLit:
    case ExprKind::Unary: return emitLvalue(e);
    default: break;
  }
  return temporary(e->type);
}

void FunctionEmitter::emitAggregateInto(const Expr *e, const Address &dest) {
  const Expr *s = e;
  for (;;) {
    if (s->kind == ExprKind::Paren) s = s->as<ParenExpr>()->sub;
    else if (s->kind == ExprKind::Generic) s = s->as<Generic>()->chosen;
    else if (s->kind == ExprKind::ChooseExpr) s = s->as<ChooseExpr>()->chosen;
    else break;
  }
  bool known = !bound.empty() && bound.count(s);
  if (!known && s->kind == ExprKind::Call && !dest.isAtomic()) {
    RValue r = emitCall(s->as<Call>(), dest);
    if (r.kind == RValue::Aggregate) copyAggregate(dest.as(QualType(s->type.type, dest.type.quals)), r.addr);
    return;
  }
  if (!known && s->kind == ExprKind::Conditional) {
    auto *c = s->as<Conditional>();
    if (c->then) {
      LLVMBasicBlockRef yes = newBlock("cond.true"), no = newBlock("cond.false"), end = newBlock("cond.end");
      emitBranch(c->cond, yes, no);
      place(yes);
      weigh(c->then);
      emitAggregateInto(c->then, dest);
      jump(end);
      place(no);
      weigh(c->otherwise);
      emitAggregateInto(c->otherwise, dest);
      place(end);
      return;
    }
  }
  Address a = emitAggregate(s);
  if (!a.ptr) return;
  if (dest.isAtomic()) {
    storeAtomic(dest, RValue::aggregate(a));
    return;
  }
  copyAggregate(dest.as(QualType(e->type->isRecord() ? e->type.type : dest.type.type, dest.type.quals)), a);
}

// ---- initialisers of automatic objects ------------------------------------------------------------------------------------------------------

void FunctionEmitter::emitInitializer(const Initializer *init, const Address &dest) {
  Address d = dest;
  d.type = QualType(dest.type.type, dest.type.quals & QVolatile);
  if (init->list) {
    if (!init->list->plan) return;
    auto &plan = *init->list->plan;
    if (isScalarType(dest.type.type) && !dest.type->isVector()) {
      if (plan.stores.empty()) storeScalar(d, LLVMConstNull(t.value(dest.type)));
      else emitInto(plan.stores.back().value, d);
      return;
    }
    emitPlan(plan, d);
    return;
  }
  if (!init->expr) return;
  const Expr *e = init->expr;
  e = ignoreParens(e);
  if (e->kind == ExprKind::StringLit && dest.type->isArray()) {
    auto *s = e->as<StringLit>();
    uint64_t n = t.size(dest.type);
    access(dest, AccessMode::Write, AccessKind::Initial);
    copyString(dest.ptr, dest.align, s, dest.type, n);
    return;
  }
  emitInto(init->expr, d);
}

// An array that is much larger than its text is filled with zeros behind it; the literal is not made as large as the array.
void FunctionEmitter::copyString(LLVMValueRef to, uint32_t align, const StringLit *s, QualType array, uint64_t size) {
  uint64_t text = (s->length() + 1) * s->unit;
  if (size < (1u << 16) || text > size / 4) {
    copyBytes(to, align, m.stringLiteral(s, array), s->unit, i64c(static_cast<int64_t>(size)));
    return;
  }
  copyBytes(to, align, m.stringLiteral(s, {}), s->unit, i64c(static_cast<int64_t>(text)));
  zeroFill(offsetPtr(to, text), s->unit, i64c(static_cast<int64_t>(size - text)));
}

// Whether a store's value is a constant that needs no code.
static bool isConstantStore(const InitStore &s, const AstContext &ast) {
  const Expr *e = s.value;
  e = ignoreParens(e);
  if (e->kind == ExprKind::StringLit || e->kind == ExprKind::Data) return true;
  if (s.type->isRecord() || s.type->isArray() || s.type->isVector()) return false;
  return evaluate(s.value, ast, EvalMode::Static).has_value();
}

// Small plans are stores; a plan that is mostly constant is copied from a private constant first, and what is not constant is stored on top.
void FunctionEmitter::emitPlan(const InitPlan &plan, const Address &object) {
  emitStores(plan, object);
  access(object, AccessMode::Write, AccessKind::Initial);       // one access, however it is put together
}

void FunctionEmitter::emitStores(const InitPlan &plan, const Address &object) {
  Address dest = object;
  dest.own = true;
  uint64_t size = std::max(plan.size, t.size(plan.type));
  if (!size) {
    for (auto &s : plan.stores) emitIgnored(s.value);
    return;
  }
  bool vol = dest.isVolatile();
  uint64_t covered = 0;
  for (auto &s : plan.stores)
    if (!s.bitField) covered += t.size(s.type) * std::max<uint64_t>(s.repeat, 1);
  size_t nstores = 0;
  for (auto &s : plan.stores) nstores += std::max<uint64_t>(s.repeat, 1) * (s.value->kind == ExprKind::Data ? s.value->as<Data>()->count : 1);

  std::vector<const InitStore *> dynamic;
  if (nstores > 4 && !vol) {
    InitPlan constants;
    constants.type = plan.type;
    constants.size = plan.size;
    bool any = false;
    for (auto &s : plan.stores) {
      if (isConstantStore(s, m.ast)) {
        constants.stores.push_back(s);
        any = true;
      } else dynamic.push_back(&s);
    }
    LLVMValueRef image = any && dynamic.size() * 2 <= nstores ? m.tryPlanConstant(constants) : nullptr;
    if (image) {
      if (LLVMIsNull(image)) zeroFill(dest.ptr, dest.align, i64c(static_cast<int64_t>(size)));
      else
        copyBytes(dest.ptr, dest.align, m.privateConstant(image, std::max(dest.align, 1u), ".init"), std::max(dest.align, 1u),
            i64c(static_cast<int64_t>(size)));
    } else {
      dynamic.clear();
      for (auto &s : plan.stores) dynamic.push_back(&s);
      if (covered < size || plan.stores.empty()) zeroFill(dest.ptr, dest.align, i64c(static_cast<int64_t>(size)));
    }
  } else {
    for (auto &s : plan.stores) dynamic.push_back(&s);
    if (covered < size) zeroFill(dest.ptr, dest.align, i64c(static_cast<int64_t>(size)), vol);
  }
  for (const InitStore *s : dynamic) {
    Address a = dest;
    a.ptr = offsetPtr(dest.ptr, s->offset);
    uint32_t align = dest.align;
    while (align > 1 && s->offset % align) align /= 2;
    a.align = align ? align : 1;
    a.type = QualType(s->type.type, dest.type.quals & QVolatile);
    a.bitField = s->bitField;
    const Expr *e = s->value;
    e = ignoreParens(e);
    bool literal = s->type->isArray() && (e->kind == ExprKind::StringLit || e->kind == ExprKind::Data);
    auto copyLiteral = [&](const Address &to) {
      if (e->kind == ExprKind::StringLit) copyString(to.ptr, to.align, e->as<StringLit>(), s->type, t.size(s->type));
      else copyBytes(to.ptr, to.align, m.dataConstant(e->as<Data>()), std::max(t.align(s->type), 1u), i64c(static_cast<int64_t>(t.size(s->type))));
    };
    if (s->repeat <= 1) {
      literal ? copyLiteral(a) : emitInto(s->value, a);
      continue;
    }
    // [lo ... hi] = value: evaluated once, stored in a loop.
    RValue v = literal ? RValue() : emitExpr(s->value);
    LLVMBasicBlockRef loop = newBlock("init.loop"), end = newBlock("init.end");
    LLVMValueRef counter = entryAlloca(t.i64, 8, "init.i");
    storeRaw(i64c(0), counter, 8);
    place(loop);
    LLVMValueRef i = loadRaw(t.i64, counter, 8);
    LLVMValueRef off = LLVMBuildMul(builder, i, i64c(static_cast<int64_t>(s->stride)), "");
    Address at = a;
    at.ptr = LLVMBuildInBoundsGEP2(builder, t.i8, a.ptr, &off, 1, "");
    while (at.align > 1 && s->stride % at.align) at.align /= 2;
    literal ? copyLiteral(at) : storeToLvalue(at, v);
    i = LLVMBuildAdd(builder, i, i64c(1), "");
    storeRaw(i, counter, 8);
    branch(LLVMBuildICmp(builder, LLVMIntULT, i, i64c(static_cast<int64_t>(s->repeat)), ""), loop, end);
    place(end);
  }
}

}  // namespace cilkc::cg
