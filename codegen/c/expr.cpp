// expr.cpp - values of expressions: what kind of value each has, conditions and what is evaluated only under one.
// Operators are in operator.cpp, complex values in complex.cpp, records in aggregate.cpp, calls in call.cpp.
#include <algorithm>
#include <stdexcept>
#include <vector>
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"

namespace cilkc::cg {

void Exprs::bindExpr(const Expr *e, const RValue &v) { bound[e] = v; }
void Exprs::unbindExpr(const Expr *e) { bound.erase(e); }

RValue Exprs::emitExpr(const Expr *e) {
  const Type *ty = e->type.type;
  if (ty->isVoid()) {
    emitIgnored(e);
    return {};
  }
  if (ty->isComplex()) return fe.complexes.emitComplex(e);
  if (ty->isRecord() || ty->isArray()) return RValue::aggregate(fe.aggregates.emitAggregate(e));
  return RValue::scalar(emitScalar(e));
}

void Exprs::emitInto(const Expr *e, const Address &dest) {
  const Type *ty = e->type.type;
  if (ty->isVoid()) {
    emitIgnored(e);
    return;
  }
  if (ty->isRecord() || ty->isArray()) {
    fe.aggregates.emitAggregateInto(e, dest);
    return;
  }
  fe.memory.storeToLvalue(dest, emitExpr(e));
}

// An expression statement's value is not wanted: assignments and increments skip the reload, an lvalue is not read
// (unless volatile).
void Exprs::emitIgnored(const Expr *e) {
  if (!fe.open()) fe.ensureOpen();
  switch (e->kind) {
    case ExprKind::Error: throw std::logic_error("a statement that sema should have rejected");
    case ExprKind::Paren: return emitIgnored(e->as<ParenExpr>()->sub);
    case ExprKind::Cast:
      if (e->as<Cast>()->castKind == CastKind::ToVoid) return emitIgnored(e->as<Cast>()->sub);
      break;
    case ExprKind::ImplicitCast: {
      auto *c = e->as<ImplicitCast>();
      if (c->castKind == CastKind::ToVoid) return emitIgnored(c->sub);
      if (c->castKind == CastKind::LvalueToRvalue && c->sub->type->isRecord() && !c->sub->type.isVolatile()) {
        if (c->sub->lvalue) fe.lvalues.emitLvalue(c->sub);
        else emitIgnored(c->sub);
        return;
      }
      break;
    }
    case ExprKind::Assign: fe.ops.emitAssign(e->as<Assign>()); return;
    case ExprKind::Unary: {
      auto *u = e->as<Unary>();
      if (isIncDec(u->op)) {
        RValue c;
        fe.ops.emitIncDec(u, &c);
        return;
      }
      break;
    }
    case ExprKind::Binary: {
      auto *b = e->as<Binary>();
      if (b->op == BinaryOp::Comma) {
        emitIgnored(b->lhs);
        emitIgnored(b->rhs);
        return;
      }
      break;
    }
    case ExprKind::Conditional: {
      auto *c = e->as<Conditional>();
      if (!c->then) break;
      LLVMBasicBlockRef yes = fe.newBlock("cond.true"), no = fe.newBlock("cond.false"), end = fe.newBlock("cond.end");
      emitBranch(c->cond, yes, no);
      fe.place(yes);
      fe.weights.weigh(c->then);
      emitIgnored(c->then);
      emitSizesFrom(c->otherwise, c->type);
      fe.jump(end);
      fe.place(no);
      fe.weights.weigh(c->otherwise);
      emitIgnored(c->otherwise);
      emitSizesFrom(c->then, c->type);
      fe.place(end);
      return;
    }
    case ExprKind::Generic: return emitIgnored(e->as<Generic>()->chosen);
    case ExprKind::ChooseExpr: return emitIgnored(e->as<ChooseExpr>()->chosen);
    case ExprKind::StmtExpr: fe.stmts.emitStmtExpr(e->as<StmtExpr>()); return;
    case ExprKind::Call: fe.calls.emitCall(e->as<Call>()); return;
    case ExprKind::IntLit:
    case ExprKind::FloatLit:
    case ExprKind::CharLit:
    case ExprKind::StringLit:
    case ExprKind::Data:
    case ExprKind::Ident:
    case ExprKind::CompoundLit:
    case ExprKind::Member:
    case ExprKind::Index:
    case ExprKind::SizeofExpr:
    case ExprKind::SizeofType:
    case ExprKind::AlignofExpr:
    case ExprKind::AlignofType:
    case ExprKind::LabelAddr:
    case ExprKind::VaArg:
    case ExprKind::Offsetof:
    case ExprKind::TypesCompatible:
    case ExprKind::Spawn:
    case ExprKind::Touch:
    case ExprKind::Hole:
    case ExprKind::ChildResult:
    case ExprKind::Synched: break;
  }
  if (e->lvalue || e->type->isFunction() || e->type->isArray()) {
    if (!e->bitField || e->kind == ExprKind::Member) fe.lvalues.emitLvalue(e);
    return;
  }
  if (e->type->isVoid()) {
    if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::Deref) emitScalar(e->as<Unary>()->sub);
    return;
  }
  emitExpr(e);
}

// ---- truth values -------------------------------------------------------------------------------------------------

LLVMValueRef Exprs::emitBool(const Expr *e) {
  const Expr *s = e;
  s = ignoreParens(s);
  if (s->type->isComplex())
    return fe.conv.convert(fe.complexes.emitComplex(s), s->type, m.ast.basic(TypeKind::Bool)).value;
  if (s->kind == ExprKind::Binary && !s->type->isVector()) {
    BinaryOp op = s->as<Binary>()->op;
    if (isComparison(op)) return fe.ops.emitCompare(s->as<Binary>());
    if (isLogical(op)) return emitLogical(s->as<Binary>());
  }
  if (s->kind == ExprKind::Unary && s->as<Unary>()->op == UnaryOp::Not && !s->type->isVector())
    return LLVMBuildNot(builder, emitBool(s->as<Unary>()->sub), "");
  return fe.conv.toBool(emitScalar(s));
}

void Exprs::emitBranch(const Expr *e, LLVMBasicBlockRef yes, LLVMBasicBlockRef no) {
  e = ignoreParens(e);
  if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::Not) return emitBranch(e->as<Unary>()->sub, no, yes);
  if (e->kind == ExprKind::Binary) {
    auto *b = e->as<Binary>();
    if (isLogical(b->op)) {
      bool isAnd = b->op == BinaryOp::LogAnd;
      // A chain is not evaluated again at each of its operators: its value shows below.
      const Expr *left = b->lhs;
      left = ignoreParens(left);
      bool chain = left->kind == ExprKind::Binary && (isLogical(left->as<Binary>()->op));
      if (auto k = chain ? std::nullopt : evaluate(b->lhs, m.ast, EvalMode::Fold); k && k->kind == ConstValue::Int) {
        if ((k->i != 0) == isAnd) {
          fe.weights.weigh(b->rhs);
          return emitBranch(b->rhs, yes, no);
        }
        fe.jump(isAnd ? no : yes);
        return;
      }
      LLVMBasicBlockRef next = fe.newBlock(isAnd ? "land.lhs.true" : "lor.lhs.false");
      if (isAnd) emitBranch(b->lhs, next, no);
      else emitBranch(b->lhs, yes, next);
      if (!LLVMGetFirstUse(LLVMBasicBlockAsValue(next))) {  // the left side decides
        LLVMAppendExistingBasicBlock(function, next);
        LLVMDeleteBasicBlock(next);
        return;
      }
      fe.place(next);
      fe.weights.weigh(b->rhs);
      return emitBranch(b->rhs, yes, no);
    }
    if (b->op == BinaryOp::Comma) {
      emitIgnored(b->lhs);
      return emitBranch(b->rhs, yes, no);
    }
  }
  LLVMValueRef c = emitBool(e);
  fe.branch(c, yes, no);
}

LLVMValueRef Exprs::emitLogical(const Binary *e) {
  bool isAnd = e->op == BinaryOp::LogAnd;
  if (auto k = evaluate(e->lhs, m.ast, EvalMode::Fold); k && k->kind == ConstValue::Int) {
    if ((k->i != 0) == isAnd) {
      fe.weights.weigh(e->rhs);
      return emitBool(e->rhs);
    }
    return LLVMConstInt(t.i1, !isAnd, false);
  }
  LLVMBasicBlockRef rhs = fe.newBlock(isAnd ? "land.rhs" : "lor.rhs"),
                    skip = fe.newBlock(isAnd ? "land.skip" : "lor.skip"),
                    end = fe.newBlock(isAnd ? "land.end" : "lor.end");
  // All edges that skip the right side meet before the end: a phi with n of them would be looked through for each.
  if (isAnd) emitBranch(e->lhs, rhs, skip);
  else emitBranch(e->lhs, skip, rhs);
  fe.place(rhs);
  fe.weights.weigh(e->rhs);
  LLVMValueRef r = emitBool(e->rhs), skipped = LLVMConstInt(t.i1, !isAnd, false);
  LLVMBasicBlockRef from = LLVMGetInsertBlock(builder);
  bool reaches = fe.open();
  fe.jump(end);
  fe.place(skip);
  fe.place(end);
  LLVMValueRef phi = LLVMBuildPhi(builder, t.i1, "");
  LLVMAddIncoming(phi, &skipped, &skip, 1);
  if (reaches) LLVMAddIncoming(phi, &r, &from, 1);
  return phi;
}

// ---- conditional --------------------------------------------------------------------------------------------------

namespace {
// What sets the sizes of a type: the hidden variables of its arrays, or a record of variable size.
std::vector<const void *> sizesOf(const Type *t) {
  std::vector<const void *> sizes;
  for (;;) {
    if (t->isPointer()) t = t->as<PointerType>()->pointee.type;
    else if (t->isFunction()) t = t->as<FunctionType>()->result.type;
    else if (t->isArray()) {
      if (t->as<ArrayType>()->sizeVar) sizes.push_back(t->as<ArrayType>()->sizeVar);
      t = t->as<ArrayType>()->elem.type;
    } else {
      if (t->isRecord() && t->as<RecordType>()->variable) sizes.push_back(t);
      return sizes;
    }
  }
}
}  // namespace

// The type of a conditional expression may have a size that only the arm names which is not evaluated, as in
// `c ? (int (*)[n])p : 0`. The size is evaluated on both paths, since the type holds on both paths.
void Exprs::emitSizesFrom(const Expr *skipped, QualType result) {
  if (!isVariablyModified(result.type) || !fe.open()) return;
  std::vector<const void *> wanted = sizesOf(result.type);
  auto named = [&](QualType q, const void *owner) {
    auto isWanted = [&](const void *v) { return std::ranges::find(wanted, v) != wanted.end(); };
    if (q.type && std::ranges::any_of(sizesOf(q.type), isWanted)) fe.locals.emitVlaSizes(q, owner);
  };
  eachNode(skipped, Walk::Evaluated, [&](const auto *x) {
    if constexpr (std::is_same_v<decltype(x), const Expr *>) {
      if (x->kind == ExprKind::Cast || x->kind == ExprKind::CompoundLit || x->kind == ExprKind::VaArg)
        named(x->type, nullptr);
    } else if (x->kind == StmtKind::Decl && x->template as<DeclStmt>()->decl) {
      for (const InitDeclarator &d : x->template as<DeclStmt>()->decl->declarators)
        if (d.decl) named(d.decl->type, d.decl);
    }
    return true;
  });
}

LLVMValueRef Exprs::emitConditional(const Conditional *e) {
  if (e->cond->type->isVector()) {
    fe.weights.weigh(e->then);
    fe.weights.weigh(e->otherwise);
    LLVMValueRef c = emitScalar(e->cond), a = emitScalar(e->then ? e->then : e->cond), b = emitScalar(e->otherwise);
    LLVMValueRef mask = LLVMBuildICmp(builder, LLVMIntNE, c, LLVMConstNull(LLVMTypeOf(c)), "");
    if (LLVMTypeOf(a) != t.value(e->type)) a = fe.conv.convertScalar(a, e->then->type, e->type);
    if (LLVMTypeOf(b) != t.value(e->type)) b = fe.conv.convertScalar(b, e->otherwise->type, e->type);
    return LLVMBuildSelect(builder, mask, a, b, "");
  }
  if (e->then)
    if (auto k = evaluate(e->cond, m.ast, EvalMode::Fold); k && k->kind == ConstValue::Int) {
      const Expr *taken = k->i ? e->then : e->otherwise;
      fe.weights.weigh(taken);
      emitSizesFrom(k->i ? e->otherwise : e->then, e->type);
      return emitScalar(taken);
    }
  LLVMBasicBlockRef yes = fe.newBlock("cond.true"), no = fe.newBlock("cond.false"), end = fe.newBlock("cond.end");
  LLVMValueRef common = nullptr;
  if (e->then) emitBranch(e->cond, yes, no);
  else {  // a ?: b
    RValue v = emitExpr(e->cond);
    LLVMValueRef c = fe.conv.convert(v, e->cond->type, m.ast.basic(TypeKind::Bool)).value;
    common = fe.conv.convert(v, e->cond->type, e->type).value;
    fe.branch(c, yes, no);
  }
  LLVMTypeRef lt = t.value(e->type);
  fe.place(yes);
  fe.weights.weigh(e->then);
  LLVMValueRef a = e->then ? emitScalar(e->then) : common;
  LLVMBasicBlockRef fromA = fe.open() ? LLVMGetInsertBlock(builder) : nullptr;
  if (fromA && LLVMTypeOf(a) != lt) a = fe.conv.convertScalar(a, (e->then ? e->then : e->cond)->type, e->type);
  if (fromA) emitSizesFrom(e->otherwise, e->type);
  if (fromA) fromA = LLVMGetInsertBlock(builder);
  fe.jump(end);
  fe.place(no);
  fe.weights.weigh(e->otherwise);
  LLVMValueRef b = emitScalar(e->otherwise);
  LLVMBasicBlockRef fromB = fe.open() ? LLVMGetInsertBlock(builder) : nullptr;
  if (fromB && LLVMTypeOf(b) != lt) b = fe.conv.convertScalar(b, e->otherwise->type, e->type);
  if (fromB && e->then) emitSizesFrom(e->then, e->type);
  if (fromB) fromB = LLVMGetInsertBlock(builder);
  fe.place(end);
  LLVMValueRef phi = LLVMBuildPhi(builder, lt, "");
  if (fromA) LLVMAddIncoming(phi, &a, &fromA, 1);
  if (fromB) LLVMAddIncoming(phi, &b, &fromB, 1);
  if (!fromA && !fromB) {
    LLVMInstructionEraseFromParent(phi);
    return LLVMGetUndef(lt);
  }
  return phi;
}

// ---- the dispatcher -----------------------------------------------------------------------------------------------

LLVMValueRef Exprs::emitSizeof(QualType q, LLVMTypeRef lt) {
  return hasVariableSize(q.type) ? LLVMBuildIntCast2(builder, fe.locals.sizeOfType(q), lt, false, "")
                                 : LLVMConstInt(lt, t.size(q), false);
}

LLVMValueRef Exprs::emitOffsetof(const Offsetof *o, LLVMTypeRef lt) {
  LLVMValueRef v = LLVMConstInt(t.i64, o->constant, false);
  for (auto &term : o->terms) {
    LLVMValueRef i = emitScalar(term.second);
    if (LLVMTypeOf(i) != t.i64) i = LLVMBuildIntCast2(builder, i, t.i64, t.isSigned(term.second->type.type), "");
    v = LLVMBuildAdd(builder, v, LLVMBuildMul(builder, i, LLVMConstInt(t.i64, term.first, false), ""), "");
  }
  return LLVMBuildIntCast2(builder, v, lt, false, "");
}

LLVMValueRef Exprs::emitScalar(const Expr *e) {
  if (!fe.open()) fe.ensureOpen();
  if (const RValue *known = boundTo(e)) return known->value;
  LLVMTypeRef lt = t.value(e->type);
  switch (e->kind) {
    case ExprKind::IntLit:
      if (!e->as<IntLit>()->wide.empty()) return m.constant(*evaluate(e, m.ast, EvalMode::Fold), e->type);
      return m.intConst(lt, static_cast<__int128>(e->as<IntLit>()->value));
    case ExprKind::CharLit: return m.intConst(lt, e->as<CharLit>()->value);
    case ExprKind::FloatLit: {
      auto c = evaluate(e, m.ast, EvalMode::Fold);
      LLVMValueRef v = c ? m.constant(*c, e->type) : nullptr;
      return v ? v : LLVMConstNull(lt);
    }
    case ExprKind::Ident: {
      const Decl *d = e->as<Ident>()->decl;
      if (d->kind == DeclKind::EnumConst) return m.intConst(lt, d->as<EnumConstDecl>()->value);
      Address a = fe.lvalues.emitLvalue(e);
      return d->kind == DeclKind::Function ? a.ptr : fe.memory.loadScalar(a);
    }
    case ExprKind::Paren: return emitScalar(e->as<ParenExpr>()->sub);
    case ExprKind::Unary: return fe.ops.emitUnary(e->as<Unary>());
    case ExprKind::Binary: return fe.ops.emitBinary(e->as<Binary>());
    case ExprKind::Assign: {
      RValue r = fe.ops.emitAssign(e->as<Assign>());
      return r.value ? r.value : LLVMGetUndef(lt);
    }
    case ExprKind::Conditional: return emitConditional(e->as<Conditional>());
    case ExprKind::Cast: {
      if (isVariablyModified(e->type.type)) fe.locals.emitVlaSizes(e->type, nullptr);  // (int (*)[n])p
      LLVMValueRef v = fe.conv.emitCast(e, e->as<Cast>()->castKind, e->as<Cast>()->sub, e->type);
      return v ? v : LLVMGetUndef(lt);
    }
    case ExprKind::ImplicitCast: {
      LLVMValueRef v = fe.conv.emitCast(e, e->as<ImplicitCast>()->castKind, e->as<ImplicitCast>()->sub, e->type);
      return v ? v : LLVMGetUndef(lt);
    }
    case ExprKind::Call: {
      RValue r = fe.calls.emitCall(e->as<Call>());
      return r.value ? r.value : LLVMGetUndef(lt);
    }
    case ExprKind::Member: {
      LLVMValueRef v = fe.memory.loadScalar(fe.lvalues.emitMember(e->as<Member>()));
      return LLVMTypeOf(v) != lt && LLVMGetTypeKind(lt) == LLVMIntegerTypeKind
                 ? LLVMBuildIntCast2(builder, v, lt, t.isSigned(e->type.type), "")
                 : v;
    }
    case ExprKind::Index: return fe.memory.loadScalar(fe.lvalues.emitIndex(e->as<Index>()));
    case ExprKind::SizeofExpr: {
      const Expr *sub = e->as<SizeofExpr>()->sub;
      if (hasVariableSize(sub->type.type) && sub->kind != ExprKind::Ident) fe.lvalues.emitLvalue(sub);
      return emitSizeof(sub->type, lt);
    }
    case ExprKind::SizeofType: {
      QualType q = e->as<SizeofType>()->target->type;
      if (hasVariableSize(q.type)) fe.locals.emitVlaSizes(q, nullptr);
      return emitSizeof(q, lt);
    }
    case ExprKind::AlignofExpr:
    case ExprKind::AlignofType: {
      auto c = evaluate(e, m.ast, EvalMode::Fold);
      if (c) return m.constant(*c, e->type);
      return LLVMConstInt(lt,
          t.align(
              e->kind == ExprKind::AlignofExpr ? e->as<SizeofExpr>()->sub->type : e->as<SizeofType>()->target->type),
          false);
    }
    case ExprKind::Generic: return emitScalar(e->as<Generic>()->chosen);
    case ExprKind::ChooseExpr: return emitScalar(e->as<ChooseExpr>()->chosen);
    case ExprKind::StmtExpr: {
      RValue r = fe.stmts.emitStmtExpr(e->as<StmtExpr>());
      return r.value ? r.value : LLVMGetUndef(lt);
    }
    case ExprKind::LabelAddr: return fe.labels.emitLabelAddress(e->as<LabelAddr>()->label);
    case ExprKind::VaArg: return fe.varargs.emitVaArg(e->as<VaArg>()).value;
    case ExprKind::Offsetof: return emitOffsetof(e->as<Offsetof>(), lt);
    case ExprKind::TypesCompatible: return LLVMConstInt(lt, e->as<TypesCompatible>()->value, false);
    case ExprKind::Synched: {
      LLVMValueRef answer = strategy.emitSynched(fe, e->as<Synched>());
      events.asksSynched(fe, answer);
      return answer;
    }
    case ExprKind::CompoundLit: return fe.memory.loadScalar(fe.lvalues.emitLvalue(e));
    case ExprKind::StringLit: return fe.lvalues.emitLvalue(e).ptr;
    case ExprKind::Data:
    case ExprKind::Spawn:
    case ExprKind::Touch:
    case ExprKind::Hole:
    case ExprKind::ChildResult:
    case ExprKind::Error: break;
  }
  throw std::logic_error("an expression that sema should have rejected");
}

}  // namespace cilkc::cg
