// expr.cpp - scalar values: operators, assignment, conditionals. Complex ones are in complex.cpp, records in aggregate.cpp, calls in call.cpp.
#include <cstring>
#include <stdexcept>
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "codegen/core/shim.h"
#include "frontend/ast/query.h"

namespace cilkc::cg {

void FunctionEmitter::bindExpr(const Expr *e, const RValue &v) { bound[e] = v; }
void FunctionEmitter::unbindExpr(const Expr *e) { bound.erase(e); }

RValue FunctionEmitter::emitExpr(const Expr *e) {
  const Type *ty = e->type.type;
  if (ty->isVoid()) {
    emitIgnored(e);
    return {};
  }
  if (ty->isComplex()) return emitComplex(e);
  if (ty->isRecord() || ty->isArray()) return RValue::aggregate(emitAggregate(e));
  return RValue::scalar(emitScalar(e));
}

void FunctionEmitter::emitInto(const Expr *e, const Address &dest) {
  const Type *ty = e->type.type;
  if (ty->isVoid()) {
    emitIgnored(e);
    return;
  }
  if (ty->isRecord() || ty->isArray()) {
    emitAggregateInto(e, dest);
    return;
  }
  storeToLvalue(dest, emitExpr(e));
}

// An expression statement's value is not wanted: assignments and increments skip the reload, an lvalue is not read (unless volatile).
void FunctionEmitter::emitIgnored(const Expr *e) {
  if (!open()) ensureOpen();
  switch (e->kind) {
    case ExprKind::Error: throw std::logic_error("a statement that sema should have refused");
    case ExprKind::Paren: return emitIgnored(e->as<ParenExpr>()->sub);
    case ExprKind::Cast:
      if (e->as<Cast>()->castKind == CastKind::ToVoid) return emitIgnored(e->as<Cast>()->sub);
      break;
    case ExprKind::ImplicitCast: {
      auto *c = e->as<ImplicitCast>();
      if (c->castKind == CastKind::ToVoid) return emitIgnored(c->sub);
      if (c->castKind == CastKind::LvalueToRvalue && c->sub->type->isRecord() && !c->sub->type.isVolatile()) {
        if (c->sub->lvalue) emitLvalue(c->sub);
        else emitIgnored(c->sub);
        return;
      }
      break;
    }
    case ExprKind::Assign: emitAssign(e->as<Assign>()); return;
    case ExprKind::Unary: {
      auto *u = e->as<Unary>();
      if (isIncDec(u->op)) {
        RValue c;
        emitIncDec(u, &c);
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
      LLVMBasicBlockRef yes = newBlock("cond.true"), no = newBlock("cond.false"), end = newBlock("cond.end");
      emitBranch(c->cond, yes, no);
      place(yes);
      weigh(c->then);
      emitIgnored(c->then);
      jump(end);
      place(no);
      weigh(c->otherwise);
      emitIgnored(c->otherwise);
      place(end);
      return;
    }
    case ExprKind::Generic: return emitIgnored(e->as<Generic>()->chosen);
    case ExprKind::ChooseExpr: return emitIgnored(e->as<ChooseExpr>()->chosen);
    case ExprKind::StmtExpr: emitStmtExpr(e->as<StmtExpr>()); return;
    case ExprKind::Call: emitCall(e->as<Call>()); return;
    default: break;
  }
  if (e->lvalue || e->type->isFunction() || e->type->isArray()) {
    if (!e->bitField || e->kind == ExprKind::Member) emitLvalue(e);
    return;
  }
  if (e->type->isVoid()) {
    if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::Deref) emitScalar(e->as<Unary>()->sub);
    return;
  }
  emitExpr(e);
}

// ---- truth values -------------------------------------------------------------------------------------------------------------------

LLVMValueRef FunctionEmitter::emitBool(const Expr *e) {
  const Expr *s = e;
  s = ignoreParens(s);
  if (s->type->isComplex()) return convert(emitComplex(s), s->type, m.ast.basic(TypeKind::Bool)).value;
  if (s->kind == ExprKind::Binary && !s->type->isVector()) {
    BinaryOp op = s->as<Binary>()->op;
    if (isComparison(op)) return emitCompare(s->as<Binary>());
    if (isLogical(op)) return emitLogical(s->as<Binary>());
  }
  if (s->kind == ExprKind::Unary && s->as<Unary>()->op == UnaryOp::Not && !s->type->isVector()) return LLVMBuildNot(builder, emitBool(s->as<Unary>()->sub), "");
  return toBool(emitScalar(s));
}

void FunctionEmitter::emitBranch(const Expr *e, LLVMBasicBlockRef yes, LLVMBasicBlockRef no) {
  e = ignoreParens(e);
  if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::Not) return emitBranch(e->as<Unary>()->sub, no, yes);
  if (e->kind == ExprKind::Binary) {
    auto *b = e->as<Binary>();
    if (isLogical(b->op)) {
      bool isAnd = b->op == BinaryOp::LogAnd;
      // A chain is not evaluated anew at each of its operators: what it comes to shows below.
      const Expr *left = b->lhs;
      left = ignoreParens(left);
      bool chain = left->kind == ExprKind::Binary && (isLogical(left->as<Binary>()->op));
      if (auto k = chain ? std::nullopt : evaluate(b->lhs, m.ast, EvalMode::Fold); k && k->kind == ConstValue::Int) {
        if ((k->i != 0) == isAnd) {
          weigh(b->rhs);
          return emitBranch(b->rhs, yes, no);
        }
        jump(isAnd ? no : yes);
        return;
      }
      LLVMBasicBlockRef next = newBlock(isAnd ? "land.lhs.true" : "lor.lhs.false");
      if (isAnd) emitBranch(b->lhs, next, no);
      else emitBranch(b->lhs, yes, next);
      if (!LLVMGetFirstUse(LLVMBasicBlockAsValue(next))) {     // the left side decides
        LLVMAppendExistingBasicBlock(function, next);
        LLVMDeleteBasicBlock(next);
        return;
      }
      place(next);
      weigh(b->rhs);
      return emitBranch(b->rhs, yes, no);
    }
    if (b->op == BinaryOp::Comma) {
      emitIgnored(b->lhs);
      return emitBranch(b->rhs, yes, no);
    }
  }
  LLVMValueRef c = emitBool(e);
  branch(c, yes, no);
}

LLVMValueRef FunctionEmitter::emitLogical(const Binary *e) {
  bool isAnd = e->op == BinaryOp::LogAnd;
  if (auto k = evaluate(e->lhs, m.ast, EvalMode::Fold); k && k->kind == ConstValue::Int) {
    if ((k->i != 0) == isAnd) {
      weigh(e->rhs);
      return emitBool(e->rhs);
    }
    return LLVMConstInt(t.i1, !isAnd, false);
  }
  LLVMBasicBlockRef rhs = newBlock(isAnd ? "land.rhs" : "lor.rhs"), end = newBlock(isAnd ? "land.end" : "lor.end");
  // Every edge that skips the right side brings the same constant.
  if (isAnd) emitBranch(e->lhs, rhs, end);
  else emitBranch(e->lhs, end, rhs);
  place(rhs);
  weigh(e->rhs);
  LLVMValueRef r = emitBool(e->rhs);
  LLVMBasicBlockRef from = LLVMGetInsertBlock(builder);
  bool reaches = open();
  place(end);
  LLVMValueRef phi = LLVMBuildPhi(builder, t.i1, "");
  LLVMValueRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(end)) ? LLVMBasicBlockAsValue(end) : nullptr;
  std::vector<LLVMBasicBlockRef> preds;
  if (use)
    for (LLVMUseRef u = LLVMGetFirstUse(use); u; u = LLVMGetNextUse(u)) {
      LLVMValueRef user = LLVMGetUser(u);
      if (LLVMIsATerminatorInst(user)) preds.push_back(LLVMGetInstructionParent(user));
    }
  for (auto p : preds) {
    LLVMValueRef v = p == from && reaches ? r : LLVMConstInt(t.i1, !isAnd, false);
    LLVMAddIncoming(phi, &v, &p, 1);
  }
  if (preds.empty()) {
    LLVMReplaceAllUsesWith(phi, LLVMGetUndef(t.i1));
    LLVMInstructionEraseFromParent(phi);
    return LLVMConstInt(t.i1, 0, false);
  }
  return phi;
}

LLVMValueRef FunctionEmitter::emitCompare(const Binary *e) {
  const Type *ty = e->lhs->type.type;
  if (ty->isComplex() || e->rhs->type->isComplex()) {
    RValue a = emitComplex(e->lhs), b = emitComplex(e->rhs);
    const Type *el = ty->as<ComplexType>()->elem;
    bool eq = e->op == BinaryOp::Eq;
    LLVMValueRef r, i;
    if (el->isFloating()) {
      LLVMRealPredicate p = eq ? LLVMRealOEQ : LLVMRealUNE;
      r = LLVMBuildFCmp(builder, p, a.value, b.value, "");
      i = LLVMBuildFCmp(builder, p, a.imag, b.imag, "");
    } else {
      LLVMIntPredicate p = eq ? LLVMIntEQ : LLVMIntNE;
      r = LLVMBuildICmp(builder, p, a.value, b.value, "");
      i = LLVMBuildICmp(builder, p, a.imag, b.imag, "");
    }
    return eq ? LLVMBuildAnd(builder, r, i, "") : LLVMBuildOr(builder, r, i, "");
  }
  LLVMValueRef a = emitScalar(e->lhs), b = emitScalar(e->rhs);
  const Type *elem = ty->isVector() ? ty->as<VectorType>()->elem : ty;
  if (LLVMTypeOf(a) != LLVMTypeOf(b)) b = convertScalar(b, e->rhs->type, e->lhs->type);
  if (elem->isFloating()) {
    static const LLVMRealPredicate preds[] = {LLVMRealOLT, LLVMRealOGT, LLVMRealOLE, LLVMRealOGE, LLVMRealOEQ, LLVMRealUNE};
    return LLVMBuildFCmp(builder, preds[int(e->op) - int(BinaryOp::Lt)], a, b, "");
  }
  static const LLVMIntPredicate s[] = {LLVMIntSLT, LLVMIntSGT, LLVMIntSLE, LLVMIntSGE, LLVMIntEQ, LLVMIntNE};
  static const LLVMIntPredicate u[] = {LLVMIntULT, LLVMIntUGT, LLVMIntULE, LLVMIntUGE, LLVMIntEQ, LLVMIntNE};
  bool sign = elem->isInteger() && t.isSigned(elem);
  return LLVMBuildICmp(builder, (sign ? s : u)[int(e->op) - int(BinaryOp::Lt)], a, b, "");
}

// ---- arithmetic -----------------------------------------------------------------------------------------------------------------------------

void FunctionEmitter::emitTrap() {
  callIntrinsic("llvm.trap", {}, {});
  LLVMBuildUnreachable(builder);
}

// a * b + c in one rounding, where the options allow it and the product is a value of its own here.
LLVMValueRef FunctionEmitter::emitFMulAdd(LLVMValueRef a, LLVMValueRef b, bool sub, bool) {
  auto product = [&](LLVMValueRef v) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMFMul && !LLVMGetFirstUse(v) &&
           LLVMGetInstructionParent(v) == LLVMGetInsertBlock(builder);
  };
  LLVMTypeRef ty = LLVMTypeOf(a);
  LLVMTypeRef e = LLVMGetTypeKind(ty) == LLVMVectorTypeKind ? LLVMGetElementType(ty) : ty;
  if (e == t.f80 || e == t.f128) return nullptr;
  LLVMValueRef mul = nullptr, x, y, add;
  if (product(a)) {
    mul = a;
    x = LLVMGetOperand(a, 0);
    y = LLVMGetOperand(a, 1);
    add = sub ? LLVMBuildFNeg(builder, b, "") : b;
  } else if (product(b)) {
    mul = b;
    x = LLVMGetOperand(b, 0);
    y = LLVMGetOperand(b, 1);
    if (sub) x = LLVMBuildFNeg(builder, x, "");
    add = a;
  } else return nullptr;
  LLVMInstructionEraseFromParent(mul);
  return callIntrinsic("llvm.fmuladd", {ty}, {x, y, add});
}

static LLVMFastMathFlags fastFlags(const CodegenOptions &o) {
  LLVMFastMathFlags f = 0;
  if (o.fastMath) f = LLVMFastMathAll;
  if (o.finiteMath) f |= LLVMFastMathNoNaNs | LLVMFastMathNoInfs;
  if (o.noSignedZeros) f |= LLVMFastMathNoSignedZeros;
  if (o.associativeMath) f |= LLVMFastMathAllowReassoc;
  if (o.reciprocalMath) f |= LLVMFastMathAllowReciprocal;
  if (o.fpContract == FpContract::Fast) f |= LLVMFastMathAllowContract;
  return f;
}

// a op b on values of `type` (for shifts b has rhsType; for pointer +/- a is the pointer).
LLVMValueRef FunctionEmitter::applyBinaryOp(BinaryOp op, LLVMValueRef a, LLVMValueRef b, QualType type, QualType rhsType, Range where) {
  const Type *ty = type.type;
  if (ty->isPointer()) return emitPointerArith(a, b, type, op == BinaryOp::Sub, where.begin);
  if (enabled && (op == BinaryOp::Div || op == BinaryOp::Rem)) checkDivision(a, b, type, where.begin);
  const Type *elem = ty->isVector() ? ty->as<VectorType>()->elem : ty;
  if (elem->isFloating()) {
    LLVMValueRef r = nullptr;
    switch (op) {
      case BinaryOp::Add:
      case BinaryOp::Sub:
        if (m.options.fpContract == FpContract::On) r = emitFMulAdd(a, b, op == BinaryOp::Sub, false);
        if (!r) r = op == BinaryOp::Add ? LLVMBuildFAdd(builder, a, b, "") : LLVMBuildFSub(builder, a, b, "");
        break;
      case BinaryOp::Mul: r = LLVMBuildFMul(builder, a, b, ""); break;
      case BinaryOp::Div: r = LLVMBuildFDiv(builder, a, b, ""); break;
      case BinaryOp::Rem: r = LLVMBuildFRem(builder, a, b, ""); break;
      default: return LLVMGetUndef(LLVMTypeOf(a));
    }
    LLVMFastMathFlags f = fastFlags(m.options);
    if (f && LLVMIsAInstruction(r) && shimCanUseFastMath(r)) LLVMSetFastMathFlags(r, f);
    return r;
  }
  bool sign = t.isSigned(elem);
  bool nsw = sign && !m.options.wrapv && !ty->isVector();
  bool checked = !ty->isVector() && overflowChecked(ty);
  switch (op) {
    case BinaryOp::Add:
      if (checked) return emitCheckedArith(op, a, b, type, where.begin);
      return nsw ? LLVMBuildNSWAdd(builder, a, b, "") : LLVMBuildAdd(builder, a, b, "");
    case BinaryOp::Sub:
      if (checked) return emitCheckedArith(op, a, b, type, where.begin);
      return nsw ? LLVMBuildNSWSub(builder, a, b, "") : LLVMBuildSub(builder, a, b, "");
    case BinaryOp::Mul:
      if (checked) return emitCheckedArith(op, a, b, type, where.begin);
      return nsw ? LLVMBuildNSWMul(builder, a, b, "") : LLVMBuildMul(builder, a, b, "");
    case BinaryOp::Div: return sign ? LLVMBuildSDiv(builder, a, b, "") : LLVMBuildUDiv(builder, a, b, "");
    case BinaryOp::Rem: return sign ? LLVMBuildSRem(builder, a, b, "") : LLVMBuildURem(builder, a, b, "");
    case BinaryOp::And: return LLVMBuildAnd(builder, a, b, "");
    case BinaryOp::Xor: return LLVMBuildXor(builder, a, b, "");
    case BinaryOp::Or: return LLVMBuildOr(builder, a, b, "");
    case BinaryOp::Shl:
    case BinaryOp::Shr: {
      if (enabled) checkShift(op == BinaryOp::Shl, a, b, type, rhsType, where.begin);
      if (LLVMTypeOf(b) != LLVMTypeOf(a)) {
        if (ty->isVector() && !rhsType->isVector()) b = convertScalar(b, rhsType, type);
        else b = LLVMBuildIntCast2(builder, b, LLVMTypeOf(a), false, "");
      }
      if (op == BinaryOp::Shl) return LLVMBuildShl(builder, a, b, "");
      return sign ? LLVMBuildAShr(builder, a, b, "") : LLVMBuildLShr(builder, a, b, "");
    }
    default: break;
  }
  return LLVMGetUndef(LLVMTypeOf(a));
}

LLVMValueRef FunctionEmitter::emitBinary(const Binary *e) {
  switch (e->op) {
    case BinaryOp::Comma: emitIgnored(e->lhs); return emitScalar(e->rhs);
    case BinaryOp::LogAnd:
    case BinaryOp::LogOr: return LLVMBuildZExt(builder, emitLogical(e), t.value(e->type), "");
    case BinaryOp::Lt:
    case BinaryOp::Gt:
    case BinaryOp::Le:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne: {
      LLVMValueRef c = emitCompare(e);
      if (e->type->isVector()) return LLVMBuildSExt(builder, c, t.value(e->type), "");
      return LLVMBuildZExt(builder, c, t.value(e->type), "");
    }
    default: break;
  }
  QualType lt = e->lhs->type, rt = e->rhs->type;
  if (e->op == BinaryOp::Add && lt->isInteger() && rt->isPointer()) {
    LLVMValueRef i = emitScalar(e->lhs), p = emitScalar(e->rhs);
    if (LLVMTypeOf(i) != t.i64) i = LLVMBuildIntCast2(builder, i, t.i64, t.isSigned(lt.type), "");
    if (enabled) checkIndex(e->rhs, i, e->lhs, false, e->range.begin);
    return emitPointerArith(p, i, rt, false, e->range.begin);
  }
  if (e->op == BinaryOp::Sub && lt->isPointer() && rt->isPointer()) {
    LLVMValueRef a = LLVMBuildPtrToInt(builder, emitScalar(e->lhs), t.i64, ""), b = LLVMBuildPtrToInt(builder, emitScalar(e->rhs), t.i64, "");
    LLVMValueRef d = LLVMBuildSub(builder, a, b, "");
    QualType elem = lt->as<PointerType>()->pointee;
    if (elem->isVoid() || elem->isFunction()) return d;
    LLVMValueRef size = sizeOfType(elem);
    if (LLVMIsAConstantInt(size)) {
      uint64_t n = LLVMConstIntGetZExtValue(size);
      if (n <= 1) return d;
    }
    return LLVMBuildExactSDiv(builder, d, size, "");
  }
  LLVMValueRef a = emitScalar(e->lhs), b = emitScalar(e->rhs);
  if (lt->isPointer() && LLVMTypeOf(b) != t.i64) b = LLVMBuildIntCast2(builder, b, t.i64, t.isSigned(rt.type), "");
  if (enabled && lt->isPointer() && e->op == BinaryOp::Add) checkIndex(e->lhs, b, e->rhs, false, e->range.begin);
  return applyBinaryOp(e->op, a, b, lt, rt, e->range);
}

LLVMValueRef FunctionEmitter::emitUnary(const Unary *e) {
  const Type *ty = e->type.type;
  switch (e->op) {
    case UnaryOp::Plus: return emitScalar(e->sub);
    case UnaryOp::Minus: {
      LLVMValueRef v = emitScalar(e->sub);
      const Type *el = ty->isVector() ? ty->as<VectorType>()->elem : ty;
      if (el->isFloating()) return LLVMBuildFNeg(builder, v, "");
      if (t.isSigned(el) && !m.options.wrapv && !ty->isVector()) {
        if (overflowChecked(ty)) return emitCheckedArith(BinaryOp::Sub, LLVMConstNull(LLVMTypeOf(v)), v, e->type, e->range.begin, true);
        return LLVMBuildNSWNeg(builder, v, "");
      }
      return LLVMBuildNeg(builder, v, "");
    }
    case UnaryOp::BitNot: return LLVMBuildNot(builder, emitScalar(e->sub), "");
    case UnaryOp::Not:
      if (ty->isVector()) {
        LLVMValueRef v = emitScalar(e->sub);
        LLVMValueRef z = LLVMConstNull(LLVMTypeOf(v));
        LLVMValueRef c =
            e->sub->type->as<VectorType>()->elem->isFloating() ? LLVMBuildFCmp(builder, LLVMRealOEQ, v, z, "") : LLVMBuildICmp(builder, LLVMIntEQ, v, z, "");
        return LLVMBuildSExt(builder, c, t.value(ty), "");
      }
      return LLVMBuildZExt(builder, LLVMBuildNot(builder, emitBool(e->sub), ""), t.value(ty), "");
    case UnaryOp::Deref: return loadScalar(emitLvalue(e));
    case UnaryOp::AddrOf: {
      const Expr *sub = e->sub;
      sub = ignoreParens(sub);
      if (enabled && sub->kind == ExprKind::Index) return emitIndex(sub->as<Index>(), false).ptr;
      return emitLvalue(e->sub).ptr;
    }
    case UnaryOp::PreInc:
    case UnaryOp::PreDec:
    case UnaryOp::PostInc:
    case UnaryOp::PostDec: return emitIncDec(e);
    case UnaryOp::Real:
    case UnaryOp::Imag:
      if (e->sub->type->isComplex()) {
        RValue c = emitComplex(e->sub);
        return e->op == UnaryOp::Real ? c.value : c.imag;
      }
      if (e->op == UnaryOp::Real) return e->sub->lvalue ? loadScalar(emitLvalue(e->sub)) : emitScalar(e->sub);
      emitIgnored(e->sub);
      return LLVMConstNull(t.value(ty));
  }
  return nullptr;
}

LLVMValueRef FunctionEmitter::emitIncDec(const Unary *e, RValue *complexOut) {
  bool inc = e->op == UnaryOp::PreInc || e->op == UnaryOp::PostInc, pre = e->op == UnaryOp::PreInc || e->op == UnaryOp::PreDec;
  Address a = emitLvalue(e->sub);
  QualType q = a.bitField ? QualType(a.bitField->type.type) : a.type.unqual();
  auto step = [&](const RValue &old) -> RValue {
    const Type *ty = q.type;
    if (ty->isComplex()) {
      const Type *el = ty->as<ComplexType>()->elem;
      LLVMValueRef one = el->isFloating() ? LLVMConstReal(t.memory(el), 1) : LLVMConstInt(t.memory(el), 1, false);
      return RValue::complex(applyBinaryOp(inc ? BinaryOp::Add : BinaryOp::Sub, old.value, one, el, el, e->range), old.imag);
    }
    LLVMValueRef v = old.value;
    if (ty->isPointer()) return RValue::scalar(emitPointerArith(v, i64c(inc ? 1 : -1), q, false, e->range.begin));
    if (ty->isBool()) return RValue::scalar(inc ? LLVMConstInt(t.i1, 1, false) : LLVMBuildNot(builder, v, ""));
    if (ty->isFloating())
      return RValue::scalar(
          inc ? LLVMBuildFAdd(builder, v, LLVMConstReal(LLVMTypeOf(v), 1), "") : LLVMBuildFAdd(builder, v, LLVMConstReal(LLVMTypeOf(v), -1), ""));
    if (ty->isVector()) {
      LLVMValueRef one = convertScalar(i32c(1), m.ast.basic(TypeKind::Int), q);
      if (ty->as<VectorType>()->elem->isFloating()) return RValue::scalar(inc ? LLVMBuildFAdd(builder, v, one, "") : LLVMBuildFSub(builder, v, one, ""));
      return RValue::scalar(inc ? LLVMBuildAdd(builder, v, one, "") : LLVMBuildSub(builder, v, one, ""));
    }
    // char and short are promoted: the addition itself cannot overflow.
    bool nsw = t.isSigned(ty) && !m.options.wrapv && t.size(ty) >= 4;
    LLVMValueRef by = m.intConst(LLVMTypeOf(v), inc ? 1 : -1);
    if (t.size(ty) >= 4 && overflowChecked(ty))
      return RValue::scalar(emitCheckedArith(inc ? BinaryOp::Add : BinaryOp::Sub, v, m.intConst(LLVMTypeOf(v), 1), q, e->range.begin));
    return RValue::scalar(nsw ? LLVMBuildNSWAdd(builder, v, by, "") : LLVMBuildAdd(builder, v, by, ""));
  };
  if (a.isAtomic() && !a.bitField) {
    RValue r = atomicUpdate(a, step, !pre);
    if (complexOut) *complexOut = r;
    return r.value;
  }
  RValue old = load(a);
  a.through = {};
  if (a.bitField && old.kind == RValue::Scalar && LLVMTypeOf(old.value) != t.value(q))
    old.value = LLVMBuildIntCast2(builder, old.value, t.value(q), t.isSigned(q.type), "");
  RValue now = step(old);
  if (a.bitField) now.value = storeBitField(a, now.value);
  else storeToLvalue(a, now);
  RValue r = pre ? now : old;
  if (complexOut) *complexOut = r;
  return r.value;
}

// ---- assignment -------------------------------------------------------------------------------------------------------------------------------

// The lhs is evaluated already. An atomic compound assignment is one compare-and-exchange loop.
RValue FunctionEmitter::emitAssignTo(const Assign *e, const Address &target, const RValue *evaluated) {
  Address lhs = target;
  QualType lt = lhs.bitField ? QualType(lhs.bitField->type.type) : lhs.type.unqual();
  auto written = [&] {                                         // its value, which is not read again
    Address a = lhs;
    a.own = true;
    return RValue::aggregate(a);
  };
  auto result = [&](const RValue &v) {
    if (lhs.bitField) return RValue::scalar(storeBitField(lhs, v.value));
    storeToLvalue(lhs, v);
    return v.kind == RValue::Aggregate ? written() : v;
  };
  if (!e->compound) {
    if (lt->isRecord() || lt->isArray()) {
      if (lhs.isAtomic()) {
        storeAtomic(lhs, RValue::aggregate(emitAggregate(e->rhs)));
        return written();
      }
      Address src = emitAggregate(e->rhs);
      copyAggregate(lhs, src);
      return written();
    }
    return result(evaluated ? *evaluated : emitExpr(e->rhs));
  }
  QualType ct = e->computeType ? e->computeType : lt;
  RValue rhs = evaluated ? *evaluated : emitExpr(e->rhs);
  auto compute = [&](const RValue &old) -> RValue {
    RValue r, a = convert(old, lt, ct->isComplex() && !lt->isComplex() ? QualType(ct->as<ComplexType>()->elem) : ct);
    if (ct->isComplex()) r = applyComplexOp(e->op, a, rhs, ct);
    else {
      LLVMValueRef b = rhs.value;
      if (ct->isPointer() && LLVMTypeOf(b) != t.i64) b = LLVMBuildIntCast2(builder, b, t.i64, t.isSigned(e->rhs->type.type), "");
      r = RValue::scalar(applyBinaryOp(e->op, a.value, b, ct, e->rhs->type, e->range));
    }
    return convert(r, ct, lt);
  };
  if (lhs.isAtomic() && !lhs.bitField) return atomicUpdate(lhs, compute, false);
  RValue old = load(lhs);
  lhs.through = {};                                            // checked by the load
  if (lhs.bitField && LLVMTypeOf(old.value) != t.value(lt)) old.value = LLVMBuildIntCast2(builder, old.value, t.value(lt), t.isSigned(lt.type), "");
  return result(compute(old));
}

RValue FunctionEmitter::emitAssign(const Assign *e) {
  QualType lt = e->lhs->type;
  // The right side first, as long as it leaves only registers behind.
  if (!lt->isRecord() && !lt->isArray()) {
    RValue rhs = emitExpr(e->rhs);
    ensureOpen();
    Address lhs = emitLvalue(e->lhs);
    return emitAssignTo(e, lhs, &rhs);
  }
  Address lhs = emitLvalue(e->lhs);
  return emitAssignTo(e, lhs);
}

// ---- conditional --------------------------------------------------------------------------------------------------------------------------------

LLVMValueRef FunctionEmitter::emitConditional(const Conditional *e) {
  if (e->cond->type->isVector()) {
    weigh(e->then);
    weigh(e->otherwise);
    LLVMValueRef c = emitScalar(e->cond), a = emitScalar(e->then ? e->then : e->cond), b = emitScalar(e->otherwise);
    LLVMValueRef mask = LLVMBuildICmp(builder, LLVMIntNE, c, LLVMConstNull(LLVMTypeOf(c)), "");
    if (LLVMTypeOf(a) != t.value(e->type)) a = convertScalar(a, e->then->type, e->type);
    if (LLVMTypeOf(b) != t.value(e->type)) b = convertScalar(b, e->otherwise->type, e->type);
    return LLVMBuildSelect(builder, mask, a, b, "");
  }
  if (e->then)
    if (auto k = evaluate(e->cond, m.ast, EvalMode::Fold); k && k->kind == ConstValue::Int) {
      const Expr *taken = k->i ? e->then : e->otherwise;
      weigh(taken);
      return emitScalar(taken);
    }
  LLVMBasicBlockRef yes = newBlock("cond.true"), no = newBlock("cond.false"), end = newBlock("cond.end");
  LLVMValueRef common = nullptr;
  if (e->then) emitBranch(e->cond, yes, no);
  else {                                                       // a ?: b
    RValue v = emitExpr(e->cond);
    LLVMValueRef c = convert(v, e->cond->type, m.ast.basic(TypeKind::Bool)).value;
    common = convert(v, e->cond->type, e->type).value;
    branch(c, yes, no);
  }
  LLVMTypeRef lt = t.value(e->type);
  place(yes);
  weigh(e->then);
  LLVMValueRef a = e->then ? emitScalar(e->then) : common;
  LLVMBasicBlockRef fromA = open() ? LLVMGetInsertBlock(builder) : nullptr;
  if (fromA && LLVMTypeOf(a) != lt) a = convertScalar(a, (e->then ? e->then : e->cond)->type, e->type);
  jump(end);
  place(no);
  weigh(e->otherwise);
  LLVMValueRef b = emitScalar(e->otherwise);
  LLVMBasicBlockRef fromB = open() ? LLVMGetInsertBlock(builder) : nullptr;
  if (fromB && LLVMTypeOf(b) != lt) b = convertScalar(b, e->otherwise->type, e->type);
  place(end);
  LLVMValueRef phi = LLVMBuildPhi(builder, lt, "");
  if (fromA) LLVMAddIncoming(phi, &a, &fromA, 1);
  if (fromB) LLVMAddIncoming(phi, &b, &fromB, 1);
  if (!fromA && !fromB) {
    LLVMInstructionEraseFromParent(phi);
    return LLVMGetUndef(lt);
  }
  return phi;
}

LLVMValueRef FunctionEmitter::emitLabelAddress(const LabelDecl *l) {
  if (l->fn && l->fn != fn && !inlineDepth && !l->fn->isCilk) {   // of a function around this one
    LLVMBasicBlockRef b = m.labelBlock(l);
    return LLVMBlockAddress(m.function(l->fn), b);
  }
  LLVMBasicBlockRef b = labelBlock(l);
  if (!LLVMGetBasicBlockParent(b)) LLVMAppendExistingBasicBlock(function, b);
  bool known = false;
  for (auto &x : addressTaken) known |= x.first == l;
  if (!known) addressTaken.emplace_back(l, b);
  return LLVMBlockAddress(function, b);
}

// ---- the dispatcher -------------------------------------------------------------------------------------------------------------------------------

LLVMValueRef FunctionEmitter::emitSizeof(QualType q, LLVMTypeRef lt) {
  return hasVariableSize(q.type) ? LLVMBuildIntCast2(builder, sizeOfType(q), lt, false, "") : LLVMConstInt(lt, t.size(q), false);
}

LLVMValueRef FunctionEmitter::emitOffsetof(const Offsetof *o, LLVMTypeRef lt) {
  LLVMValueRef v = LLVMConstInt(t.i64, o->constant, false);
  for (auto &term : o->terms) {
    LLVMValueRef i = emitScalar(term.second);
    if (LLVMTypeOf(i) != t.i64) i = LLVMBuildIntCast2(builder, i, t.i64, t.isSigned(term.second->type.type), "");
    v = LLVMBuildAdd(builder, v, LLVMBuildMul(builder, i, LLVMConstInt(t.i64, term.first, false), ""), "");
  }
  return LLVMBuildIntCast2(builder, v, lt, false, "");
}

LLVMValueRef FunctionEmitter::emitScalar(const Expr *e) {
  if (!open()) ensureOpen();
  if (!bound.empty()) {
    auto it = bound.find(e);
    if (it != bound.end()) return it->second.value;
  }
  LLVMTypeRef lt = t.value(e->type);
  switch (e->kind) {
    case ExprKind::IntLit: return m.intConst(lt, static_cast<__int128>(e->as<IntLit>()->value));
    case ExprKind::CharLit: return m.intConst(lt, e->as<CharLit>()->value);
    case ExprKind::FloatLit: {
      auto c = evaluate(e, m.ast, EvalMode::Fold);
      LLVMValueRef v = c ? m.constant(*c, e->type) : nullptr;
      return v ? v : LLVMConstNull(lt);
    }
    case ExprKind::Ident: {
      const Decl *d = e->as<Ident>()->decl;
      if (d->kind == DeclKind::EnumConst) return m.intConst(lt, d->as<EnumConstDecl>()->value);
      Address a = emitLvalue(e);
      return d->kind == DeclKind::Function ? a.ptr : loadScalar(a);
    }
    case ExprKind::Paren: return emitScalar(e->as<ParenExpr>()->sub);
    case ExprKind::Unary: return emitUnary(e->as<Unary>());
    case ExprKind::Binary: return emitBinary(e->as<Binary>());
    case ExprKind::Assign: {
      RValue r = emitAssign(e->as<Assign>());
      return r.value ? r.value : LLVMGetUndef(lt);
    }
    case ExprKind::Conditional: return emitConditional(e->as<Conditional>());
    case ExprKind::Cast: {
      if (isVariablyModified(e->type.type)) emitVlaSizes(e->type, nullptr);      // (int (*)[n])p
      LLVMValueRef v = emitCast(e, e->as<Cast>()->castKind, e->as<Cast>()->sub, e->type);
      return v ? v : LLVMGetUndef(lt);
    }
    case ExprKind::ImplicitCast: {
      LLVMValueRef v = emitCast(e, e->as<ImplicitCast>()->castKind, e->as<ImplicitCast>()->sub, e->type);
      return v ? v : LLVMGetUndef(lt);
    }
    case ExprKind::Call: {
      RValue r = emitCall(e->as<Call>());
      return r.value ? r.value : LLVMGetUndef(lt);
    }
    case ExprKind::Member: {
      LLVMValueRef v = loadScalar(emitMember(e->as<Member>()));
      return LLVMTypeOf(v) != lt && LLVMGetTypeKind(lt) == LLVMIntegerTypeKind ? LLVMBuildIntCast2(builder, v, lt, t.isSigned(e->type.type), "") : v;
    }
    case ExprKind::Index: return loadScalar(emitIndex(e->as<Index>()));
    case ExprKind::SizeofExpr: {
      const Expr *sub = e->as<SizeofExpr>()->sub;
      if (hasVariableSize(sub->type.type) && sub->kind != ExprKind::Ident) emitLvalue(sub);
      return emitSizeof(sub->type, lt);
    }
    case ExprKind::SizeofType: {
      QualType q = e->as<SizeofType>()->target->type;
      if (hasVariableSize(q.type)) emitVlaSizes(q, nullptr);
      return emitSizeof(q, lt);
    }
    case ExprKind::AlignofExpr:
    case ExprKind::AlignofType: {
      auto c = evaluate(e, m.ast, EvalMode::Fold);
      if (c) return m.constant(*c, e->type);
      return LLVMConstInt(lt, t.align(e->kind == ExprKind::AlignofExpr ? e->as<SizeofExpr>()->sub->type : e->as<SizeofType>()->target->type), false);
    }
    case ExprKind::Generic: return emitScalar(e->as<Generic>()->chosen);
    case ExprKind::ChooseExpr: return emitScalar(e->as<ChooseExpr>()->chosen);
    case ExprKind::StmtExpr: {
      RValue r = emitStmtExpr(e->as<StmtExpr>());
      return r.value ? r.value : LLVMGetUndef(lt);
    }
    case ExprKind::LabelAddr: return emitLabelAddress(e->as<LabelAddr>()->label);
    case ExprKind::VaArg: return emitVaArg(e->as<VaArg>()).value;
    case ExprKind::Offsetof: return emitOffsetof(e->as<Offsetof>(), lt);
    case ExprKind::TypesCompatible: return LLVMConstInt(lt, e->as<TypesCompatible>()->value, false);
    case ExprKind::Synched: {
      LLVMValueRef answer = strategy.emitSynched(*this, e->as<Synched>());
      events.asksSynched(*this, answer);
      return answer;
    }
    case ExprKind::CompoundLit: return loadScalar(emitLvalue(e));
    case ExprKind::StringLit: return emitLvalue(e).ptr;
    case ExprKind::Data:
    case ExprKind::Spawn:
    case ExprKind::Touch:
    case ExprKind::Hole:
    case ExprKind::ChildResult:
    case ExprKind::Error: break;
  }
  throw std::logic_error("an expression that sema should have refused");
}

}  // namespace cilkc::cg
