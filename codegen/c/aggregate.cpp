// aggregate.cpp - values of record (and array) type, which live in memory; initialisers of automatic objects.
#include <algorithm>
#include <map>
#include "codegen/core/function.h"
#include "frontend/ast/query.h"

namespace cilkc::cg {

// The value in memory: the object itself where the expression is a plain read of one, a temporary otherwise.
Address Aggregates::emitAggregate(const Expr *e) {
  if (!fe.open()) fe.ensureOpen();
  if (const RValue *known = fe.exprs.boundTo(e)) return known->addr;
  switch (e->kind) {
    case ExprKind::Paren: return emitAggregate(e->as<ParenExpr>()->sub);
    case ExprKind::ImplicitCast:
    case ExprKind::Cast: {
      CastKind k = e->kind == ExprKind::Cast ? e->as<Cast>()->castKind : e->as<ImplicitCast>()->castKind;
      const Expr *sub = e->kind == ExprKind::Cast ? e->as<Cast>()->sub : e->as<ImplicitCast>()->sub;
      if (k == CastKind::ToUnion) {
        Address tmp = fe.locals.temporary(e->type);
        Address member = tmp;
        member.type = sub->type.unqual();
        fe.exprs.emitInto(sub, member);
        return tmp;
      }
      if (k == CastKind::LvalueToRvalue || k == CastKind::NoOp) {
        if (!sub->lvalue) return emitAggregate(sub);
        Address a = fe.lvalues.emitLvalue(sub);
        if (a.isAtomic()) return fe.atomics.loadAtomic(a).addr;
        a.type = QualType(e->type.type, a.type.quals);
        return a;
      }
      return emitAggregate(sub);
    }
    case ExprKind::Generic: return emitAggregate(e->as<Generic>()->chosen);
    case ExprKind::ChooseExpr: return emitAggregate(e->as<ChooseExpr>()->chosen);
    case ExprKind::Binary:
      if (e->as<Binary>()->op == BinaryOp::Comma) {
        fe.exprs.emitIgnored(e->as<Binary>()->lhs);
        return emitAggregate(e->as<Binary>()->rhs);
      }
      break;
    case ExprKind::Assign: {
      auto *a = e->as<Assign>();
      Address dest = fe.lvalues.emitLvalue(a->lhs);
      return fe.ops.emitAssignTo(a, dest).addr;
    }
    case ExprKind::Call: return fe.calls.emitCall(e->as<Call>()).addr;
    case ExprKind::StmtExpr: {
      RValue r = fe.stmts.emitStmtExpr(e->as<StmtExpr>());
      return r.kind == RValue::Aggregate ? r.addr : fe.locals.temporary(e->type);
    }
    case ExprKind::VaArg: return fe.varargs.emitVaArg(e->as<VaArg>()).addr;
    case ExprKind::Conditional: {
      auto *c = e->as<Conditional>();
      if (c->then && hasVariableSize(e->type.type)) break;
      Address tmp = fe.locals.temporary(e->type, "cond");
      emitAggregateInto(e, tmp);
      return tmp;
    }
    case ExprKind::Ident:
    case ExprKind::Member:
    case ExprKind::Index:
    case ExprKind::CompoundLit:
    case ExprKind::StringLit:
    case ExprKind::Unary: return fe.lvalues.emitLvalue(e);
    case ExprKind::Error:
    case ExprKind::IntLit:
    case ExprKind::FloatLit:
    case ExprKind::CharLit:
    case ExprKind::Data:
    case ExprKind::SizeofExpr:
    case ExprKind::SizeofType:
    case ExprKind::AlignofExpr:
    case ExprKind::AlignofType:
    case ExprKind::LabelAddr:
    case ExprKind::Offsetof:
    case ExprKind::TypesCompatible:
    case ExprKind::Spawn:
    case ExprKind::Touch:
    case ExprKind::Hole:
    case ExprKind::ChildResult:
    case ExprKind::Synched: break;
  }
  return fe.locals.temporary(e->type);
}

void Aggregates::emitAggregateInto(const Expr *e, const Address &dest) {
  const Expr *s = ignoreParens(e);
  bool known = fe.exprs.boundTo(s);
  if (!known && s->kind == ExprKind::Call && !dest.isAtomic()) {
    RValue r = fe.calls.emitCall(s->as<Call>(), dest);
    if (r.kind == RValue::Aggregate) fe.memory.copyAggregate(dest.as(QualType(s->type.type, dest.type.quals)), r.addr);
    return;
  }
  if (!known && s->kind == ExprKind::Conditional) {
    auto *c = s->as<Conditional>();
    if (c->then) {
      LLVMBasicBlockRef yes = fe.newBlock("cond.true"), no = fe.newBlock("cond.false"), end = fe.newBlock("cond.end");
      fe.exprs.emitBranch(c->cond, yes, no);
      fe.place(yes);
      fe.weights.weigh(c->then);
      emitAggregateInto(c->then, dest);
      fe.jump(end);
      fe.place(no);
      fe.weights.weigh(c->otherwise);
      emitAggregateInto(c->otherwise, dest);
      fe.place(end);
      return;
    }
  }
  Address a = emitAggregate(s);
  if (!a.ptr) return;
  if (dest.isAtomic()) {
    fe.atomics.storeAtomic(dest, RValue::aggregate(a));
    return;
  }
  fe.memory.copyAggregate(dest.as(QualType(e->type->isRecord() ? e->type.type : dest.type.type, dest.type.quals)), a);
}

// ---- initialisers of automatic objects ----------------------------------------------------------------------------

void Aggregates::emitInitializer(const Initializer *init, const Address &dest) {
  Address d = dest;
  d.type = QualType(dest.type.type, dest.type.quals & QVolatile);
  if (init->list) {
    if (!init->list->plan) return;
    auto &plan = *init->list->plan;
    if (isScalarType(dest.type.type) && !dest.type->isVector()) {
      if (plan.stores.empty()) fe.memory.storeScalar(d, LLVMConstNull(t.value(dest.type)));
      else fe.exprs.emitInto(plan.stores.back().value, d);
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
    fe.memory.access(dest, AccessMode::Write, AccessKind::Initial);
    copyString(dest.ptr, dest.align, s, dest.type, n);
    return;
  }
  fe.exprs.emitInto(init->expr, d);
}

// An array that is much larger than its text is filled with zeros after it; the literal is not made as large as the
// array.
void Aggregates::copyString(LLVMValueRef to, uint32_t align, const StringLit *s, QualType array, uint64_t size) {
  uint64_t text = (s->length() + 1) * s->unit;
  if (size < (1u << 16) || text > size / 4) {
    fe.copyBytes(to, align, m.stringLiteral(s, array), s->unit, fe.i64c(static_cast<int64_t>(size)));
    return;
  }
  fe.copyBytes(to, align, m.stringLiteral(s, {}), s->unit, fe.i64c(static_cast<int64_t>(text)));
  fe.zeroFill(fe.offsetPtr(to, text), s->unit, fe.i64c(static_cast<int64_t>(size - text)));
}

// Whether a store's value is a constant that needs no code.
static bool isConstantStore(const InitStore &s, const AstContext &ast) {
  const Expr *e = s.value;
  e = ignoreParens(e);
  if (e->kind == ExprKind::StringLit || e->kind == ExprKind::Data) return true;
  if (s.type->isRecord() || s.type->isArray() || s.type->isVector()) return false;
  return evaluate(s.value, ast, EvalMode::Static).has_value();
}

// Small plans are stores; a plan that is mostly constant is copied from a private constant first, and what is not
// constant is stored on top.
void Aggregates::emitPlan(const InitPlan &plan, const Address &object) {
  emitStores(plan, object);
  fe.memory.access(object, AccessMode::Write, AccessKind::Initial);       // one access, however it is put together
}

void Aggregates::emitStores(const InitPlan &plan, const Address &object) {
  Address dest = object;
  dest.own = true;
  uint64_t size = std::max(plan.size, t.size(plan.type));
  if (!size) {
    for (auto &s : plan.stores) fe.exprs.emitIgnored(s.value);
    return;
  }
  bool vol = dest.isVolatile();
  size_t nstores = 0;
  for (auto &s : plan.stores)
    nstores += std::max<uint64_t>(s.repeat, 1) * (s.value->kind == ExprKind::Data ? s.value->as<Data>()->count : 1);

  // What overrides a part of a larger store comes after it: if that is made by code, by code as well. Bytes that both
  // write count once.
  struct Larger {
    uint64_t to;
    bool constant;
  };
  std::map<uint64_t, Larger> larger;  // by their offsets; none within another
  auto below = [&](const InitStore &s) {
    auto next = larger.lower_bound(s.offset + (std::max<uint64_t>(s.repeat, 1) - 1) * s.stride + t.size(s.type));
    return next != larger.begin() && std::prev(next)->second.to > s.offset ? &std::prev(next)->second : nullptr;
  };
  uint64_t covered = 0;
  std::vector<const InitStore *> dynamic;
  InitPlan constants;
  constants.type = plan.type;
  constants.size = plan.size;
  for (auto &s : plan.stores) {
    Larger *under = below(s);
    bool constant = nstores > 4 && !vol && isConstantStore(s, m.ast) && (!under || (under->constant && s.repeat <= 1));
    if (constant) constants.stores.push_back(s);
    else dynamic.push_back(&s);
    if (!under && !s.bitField) covered += t.size(s.type) * std::max<uint64_t>(s.repeat, 1);
    if (s.repeat > 1 || !(s.type->isRecord() || s.type->isArray() || s.type->isVector())) continue;
    if (under) under->constant &= constant;
    else larger[s.offset] = Larger{s.offset + t.size(s.type), constant};
  }
  if (nstores > 4 && !vol) {
    const bool any = !constants.stores.empty();
    LLVMValueRef image = any && dynamic.size() * 2 <= nstores ? m.tryPlanConstant(constants) : nullptr;
    if (image) {
      if (LLVMIsNull(image)) fe.zeroFill(dest.ptr, dest.align, fe.i64c(static_cast<int64_t>(size)));
      else
        fe.copyBytes(dest.ptr, dest.align, m.privateConstant(image, std::max(dest.align, 1u), ".init"),
            std::max(dest.align, 1u), fe.i64c(static_cast<int64_t>(size)));
    } else {
      dynamic.clear();
      for (auto &s : plan.stores) dynamic.push_back(&s);
      if (covered < size || plan.stores.empty()) fe.zeroFill(dest.ptr, dest.align, fe.i64c(static_cast<int64_t>(size)));
    }
  } else if (covered < size) {
    fe.zeroFill(dest.ptr, dest.align, fe.i64c(static_cast<int64_t>(size)), vol);
  }
  for (const InitStore *s : dynamic) {
    Address a = dest;
    a.ptr = fe.offsetPtr(dest.ptr, s->offset);
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
      else
        fe.copyBytes(to.ptr, to.align, m.dataConstant(e->as<Data>()), std::max(t.align(s->type), 1u),
            fe.i64c(static_cast<int64_t>(t.size(s->type))));
    };
    if (s->repeat <= 1) {
      literal ? copyLiteral(a) : fe.exprs.emitInto(s->value, a);
      continue;
    }
    // [lo ... hi] = value: evaluated once, stored in a loop.
    RValue v = literal ? RValue() : fe.exprs.emitExpr(s->value);
    LLVMBasicBlockRef loop = fe.newBlock("init.loop"), end = fe.newBlock("init.end");
    LLVMValueRef counter = fe.entryAlloca(t.i64, 8, "init.i");
    fe.storeRaw(fe.i64c(0), counter, 8);
    fe.place(loop);
    LLVMValueRef i = fe.loadRaw(t.i64, counter, 8);
    LLVMValueRef off = LLVMBuildMul(builder, i, fe.i64c(static_cast<int64_t>(s->stride)), "");
    Address at = a;
    at.ptr = LLVMBuildInBoundsGEP2(builder, t.i8, a.ptr, &off, 1, "");
    while (at.align > 1 && s->stride % at.align) at.align /= 2;
    literal ? copyLiteral(at) : fe.memory.storeToLvalue(at, v);
    i = LLVMBuildAdd(builder, i, fe.i64c(1), "");
    fe.storeRaw(i, counter, 8);
    fe.branch(LLVMBuildICmp(builder, LLVMIntULT, i, fe.i64c(static_cast<int64_t>(s->repeat)), ""), loop, end);
    fe.place(end);
  }
}

}  // namespace cilkc::cg
