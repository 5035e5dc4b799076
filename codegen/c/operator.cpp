// operator.cpp - operators on scalars and vectors; assignments. Logical ones, which are control flow, are in expr.cpp,
// complex ones in complex.cpp.
#include <cstring>
#include "codegen/core/function.h"
#include "codegen/shim/shim.h"
#include "frontend/ast/query.h"

namespace cilkc::cg {

LLVMValueRef Operators::fast(LLVMValueRef v) {
  const CodegenOptions &o = m.options;
  LLVMFastMathFlags f = 0;
  if (o.fastMath) f = LLVMFastMathAll;
  if (o.finiteMath) f |= LLVMFastMathNoNaNs | LLVMFastMathNoInfs;
  if (o.noSignedZeros) f |= LLVMFastMathNoSignedZeros;
  if (o.associativeMath) f |= LLVMFastMathAllowReassoc;
  if (o.reciprocalMath) f |= LLVMFastMathAllowReciprocal;
  if (o.fpContract == FpContract::Fast) f |= LLVMFastMathAllowContract;
  if (f && LLVMIsAInstruction(v) && shimCanUseFastMath(v)) LLVMSetFastMathFlags(v, f);
  return v;
}

LLVMValueRef Operators::emitCompare(const Binary *e) {
  const Type *ty = e->lhs->type.type;
  if (ty->isComplex() || e->rhs->type->isComplex()) {
    RValue a = fe.complexes.emitComplex(e->lhs), b = fe.complexes.emitComplex(e->rhs);
    const Type *el = ty->as<ComplexType>()->elem;
    bool eq = e->op == BinaryOp::Eq;
    LLVMValueRef r, i;
    if (el->isFloating()) {
      LLVMRealPredicate p = eq ? LLVMRealOEQ : LLVMRealUNE;
      r = fast(LLVMBuildFCmp(builder, p, a.value, b.value, ""));
      i = fast(LLVMBuildFCmp(builder, p, a.imag, b.imag, ""));
    } else {
      LLVMIntPredicate p = eq ? LLVMIntEQ : LLVMIntNE;
      r = LLVMBuildICmp(builder, p, a.value, b.value, "");
      i = LLVMBuildICmp(builder, p, a.imag, b.imag, "");
    }
    return eq ? LLVMBuildAnd(builder, r, i, "") : LLVMBuildOr(builder, r, i, "");
  }
  LLVMValueRef a = fe.exprs.emitScalar(e->lhs), b = fe.exprs.emitScalar(e->rhs);
  const Type *elem = ty->isVector() ? ty->as<VectorType>()->elem : ty;
  if (LLVMTypeOf(a) != LLVMTypeOf(b)) b = fe.conv.convertScalar(b, e->rhs->type, e->lhs->type);
  if (elem->isFloating()) {
    static const LLVMRealPredicate preds[] = {LLVMRealOLT, LLVMRealOGT, LLVMRealOLE, LLVMRealOGE, LLVMRealOEQ,
        LLVMRealUNE};
    return fast(LLVMBuildFCmp(builder, preds[int(e->op) - int(BinaryOp::Lt)], a, b, ""));
  }
  static const LLVMIntPredicate s[] = {LLVMIntSLT, LLVMIntSGT, LLVMIntSLE, LLVMIntSGE, LLVMIntEQ, LLVMIntNE};
  static const LLVMIntPredicate u[] = {LLVMIntULT, LLVMIntUGT, LLVMIntULE, LLVMIntUGE, LLVMIntEQ, LLVMIntNE};
  bool sign = elem->isInteger() && t.isSigned(elem);
  return LLVMBuildICmp(builder, (sign ? s : u)[int(e->op) - int(BinaryOp::Lt)], a, b, "");
}

// ---- arithmetic ---------------------------------------------------------------------------------------------------

// a * b + c in one rounding, where the options allow it and the product is a value of its own here.
LLVMValueRef Operators::emitFMulAdd(LLVMValueRef a, LLVMValueRef b, bool sub) {
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
  return fe.callIntrinsic("llvm.fmuladd", {ty}, {x, y, add});
}

// a op b on values of `type` (for shifts b has rhsType; for pointer +/- a is the pointer).
LLVMValueRef Operators::applyBinaryOp(BinaryOp op, LLVMValueRef a, LLVMValueRef b, QualType type, QualType rhsType,
    Range where) {
  const Type *ty = type.type;
  if (ty->isPointer()) return emitPointerArith(a, b, type, op == BinaryOp::Sub, where.begin);
  if (fe.ubsan.enabled() && (op == BinaryOp::Div || op == BinaryOp::Rem))
    fe.ubsan.checkDivision(a, b, type, where.begin);
  const Type *elem = ty->isVector() ? ty->as<VectorType>()->elem : ty;
  if (elem->isFloating()) {
    LLVMValueRef r = nullptr;
    switch (op) {
      case BinaryOp::Add:
      case BinaryOp::Sub:
        if (m.options.fpContract == FpContract::On) r = emitFMulAdd(a, b, op == BinaryOp::Sub);
        if (!r) r = op == BinaryOp::Add ? LLVMBuildFAdd(builder, a, b, "") : LLVMBuildFSub(builder, a, b, "");
        break;
      case BinaryOp::Mul: r = LLVMBuildFMul(builder, a, b, ""); break;
      case BinaryOp::Div: r = LLVMBuildFDiv(builder, a, b, ""); break;
      case BinaryOp::Rem: r = LLVMBuildFRem(builder, a, b, ""); break;
      default: return LLVMGetUndef(LLVMTypeOf(a));
    }
    return fast(r);
  }
  bool sign = t.isSigned(elem);
  bool nsw = sign && !m.options.wrapv && !ty->isVector();
  bool checked = !ty->isVector() && fe.ubsan.overflowChecked(ty);
  switch (op) {
    case BinaryOp::Add:
      if (checked) return fe.ubsan.emitCheckedArith(op, a, b, type, where.begin);
      return nsw ? LLVMBuildNSWAdd(builder, a, b, "") : LLVMBuildAdd(builder, a, b, "");
    case BinaryOp::Sub:
      if (checked) return fe.ubsan.emitCheckedArith(op, a, b, type, where.begin);
      return nsw ? LLVMBuildNSWSub(builder, a, b, "") : LLVMBuildSub(builder, a, b, "");
    case BinaryOp::Mul:
      if (checked) return fe.ubsan.emitCheckedArith(op, a, b, type, where.begin);
      return nsw ? LLVMBuildNSWMul(builder, a, b, "") : LLVMBuildMul(builder, a, b, "");
    case BinaryOp::Div: return sign ? LLVMBuildSDiv(builder, a, b, "") : LLVMBuildUDiv(builder, a, b, "");
    case BinaryOp::Rem: return sign ? LLVMBuildSRem(builder, a, b, "") : LLVMBuildURem(builder, a, b, "");
    case BinaryOp::And: return LLVMBuildAnd(builder, a, b, "");
    case BinaryOp::Xor: return LLVMBuildXor(builder, a, b, "");
    case BinaryOp::Or: return LLVMBuildOr(builder, a, b, "");
    case BinaryOp::Shl:
    case BinaryOp::Shr: {
      if (fe.ubsan.enabled()) fe.ubsan.checkShift(op == BinaryOp::Shl, a, b, type, rhsType, where.begin);
      if (LLVMTypeOf(b) != LLVMTypeOf(a)) {
        if (ty->isVector() && !rhsType->isVector()) b = fe.conv.convertScalar(b, rhsType, type);
        else b = LLVMBuildIntCast2(builder, b, LLVMTypeOf(a), false, "");
      }
      if (op == BinaryOp::Shl) return LLVMBuildShl(builder, a, b, "");
      return sign ? LLVMBuildAShr(builder, a, b, "") : LLVMBuildLShr(builder, a, b, "");
    }
    default: break;
  }
  return LLVMGetUndef(LLVMTypeOf(a));
}

LLVMValueRef Operators::emitPointerArith(LLVMValueRef p, LLVMValueRef i, QualType pointerType, bool subtract,
    Loc where) {
  QualType elem = pointerType->as<PointerType>()->pointee;
  if (LLVMTypeOf(i) != t.i64) i = LLVMBuildIntCast2(builder, i, t.i64, true, "");
  if (hasVariableSize(elem.type)) {
    LLVMValueRef size = fe.locals.sizeOfType(elem);
    i = m.options.wrapv ? LLVMBuildMul(builder, i, size, "") : LLVMBuildNSWMul(builder, i, size, "");
    elem = m.ast.basic(TypeKind::Char);
  }
  if (subtract) i = LLVMBuildNeg(builder, i, "");
  if (fe.ubsan.enabled())
    fe.ubsan.checkPointerArith(p, i,
        fe.i64c(
            elem->isFunction() || elem->isVoid() || !isComplete(elem.type) ? 1 : static_cast<int64_t>(t.size(elem))),
        where);
  LLVMTypeRef et = elem->isFunction() || elem->isVoid() || !isComplete(elem.type) ? t.i8 : t.memory(elem);
  return m.options.wrapv ? LLVMBuildGEP2(builder, et, p, &i, 1, "") : LLVMBuildInBoundsGEP2(builder, et, p, &i, 1, "");
}

LLVMValueRef Operators::emitBinary(const Binary *e) {
  switch (e->op) {
    case BinaryOp::Comma: fe.exprs.emitIgnored(e->lhs); return fe.exprs.emitScalar(e->rhs);
    case BinaryOp::LogAnd:
    case BinaryOp::LogOr: return LLVMBuildZExt(builder, fe.exprs.emitLogical(e), t.value(e->type), "");
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
    LLVMValueRef i = fe.exprs.emitScalar(e->lhs), p = fe.exprs.emitScalar(e->rhs);
    if (LLVMTypeOf(i) != t.i64) i = LLVMBuildIntCast2(builder, i, t.i64, t.isSigned(lt.type), "");
    if (fe.ubsan.enabled()) fe.ubsan.checkIndex(e->rhs, i, e->lhs, false, e->range.begin);
    return emitPointerArith(p, i, rt, false, e->range.begin);
  }
  if (e->op == BinaryOp::Sub && lt->isPointer() && rt->isPointer()) {
    LLVMValueRef a = LLVMBuildPtrToInt(builder, fe.exprs.emitScalar(e->lhs), t.i64, ""),
                 b = LLVMBuildPtrToInt(builder, fe.exprs.emitScalar(e->rhs), t.i64, "");
    LLVMValueRef d = LLVMBuildSub(builder, a, b, "");
    QualType elem = lt->as<PointerType>()->pointee;
    if (elem->isVoid() || elem->isFunction()) return d;
    LLVMValueRef size = fe.locals.sizeOfType(elem);
    if (LLVMIsAConstantInt(size)) {
      uint64_t n = LLVMConstIntGetZExtValue(size);
      if (n <= 1) return d;
    }
    return LLVMBuildExactSDiv(builder, d, size, "");
  }
  LLVMValueRef a = fe.exprs.emitScalar(e->lhs), b = fe.exprs.emitScalar(e->rhs);
  if (lt->isPointer() && LLVMTypeOf(b) != t.i64) b = LLVMBuildIntCast2(builder, b, t.i64, t.isSigned(rt.type), "");
  if (fe.ubsan.enabled() && lt->isPointer() && e->op == BinaryOp::Add)
    fe.ubsan.checkIndex(e->lhs, b, e->rhs, false, e->range.begin);
  return applyBinaryOp(e->op, a, b, lt, rt, e->range);
}

LLVMValueRef Operators::emitUnary(const Unary *e) {
  const Type *ty = e->type.type;
  switch (e->op) {
    case UnaryOp::Plus: return fe.exprs.emitScalar(e->sub);
    case UnaryOp::Minus: {
      LLVMValueRef v = fe.exprs.emitScalar(e->sub);
      const Type *el = ty->isVector() ? ty->as<VectorType>()->elem : ty;
      if (el->isFloating()) return fast(LLVMBuildFNeg(builder, v, ""));
      if (t.isSigned(el) && !m.options.wrapv && !ty->isVector()) {
        if (fe.ubsan.overflowChecked(ty))
          return fe.ubsan.emitCheckedArith(BinaryOp::Sub, LLVMConstNull(LLVMTypeOf(v)), v, e->type, e->range.begin,
              true);
        return LLVMBuildNSWNeg(builder, v, "");
      }
      return LLVMBuildNeg(builder, v, "");
    }
    case UnaryOp::BitNot: return LLVMBuildNot(builder, fe.exprs.emitScalar(e->sub), "");
    case UnaryOp::Not:
      if (ty->isVector()) {
        LLVMValueRef v = fe.exprs.emitScalar(e->sub);
        LLVMValueRef z = LLVMConstNull(LLVMTypeOf(v));
        LLVMValueRef c = e->sub->type->as<VectorType>()->elem->isFloating()
                             ? LLVMBuildFCmp(builder, LLVMRealOEQ, v, z, "")
                             : LLVMBuildICmp(builder, LLVMIntEQ, v, z, "");
        return LLVMBuildSExt(builder, c, t.value(ty), "");
      }
      return LLVMBuildZExt(builder, LLVMBuildNot(builder, fe.exprs.emitBool(e->sub), ""), t.value(ty), "");
    case UnaryOp::Deref: return fe.memory.loadScalar(fe.lvalues.emitLvalue(e));
    case UnaryOp::AddrOf: {
      const Expr *sub = e->sub;
      sub = ignoreParens(sub);
      if (fe.ubsan.enabled() && sub->kind == ExprKind::Index) return fe.lvalues.emitIndex(sub->as<Index>(), false).ptr;
      return fe.lvalues.emitLvalue(e->sub).ptr;
    }
    case UnaryOp::PreInc:
    case UnaryOp::PreDec:
    case UnaryOp::PostInc:
    case UnaryOp::PostDec: return emitIncDec(e);
    case UnaryOp::Real:
    case UnaryOp::Imag:
      if (e->sub->type->isComplex()) {
        RValue c = fe.complexes.emitComplex(e->sub);
        return e->op == UnaryOp::Real ? c.value : c.imag;
      }
      if (e->op == UnaryOp::Real)
        return e->sub->lvalue ? fe.memory.loadScalar(fe.lvalues.emitLvalue(e->sub)) : fe.exprs.emitScalar(e->sub);
      fe.exprs.emitIgnored(e->sub);
      return LLVMConstNull(t.value(ty));
  }
  return nullptr;
}

LLVMValueRef Operators::emitIncDec(const Unary *e, RValue *complexOut) {
  bool inc = e->op == UnaryOp::PreInc || e->op == UnaryOp::PostInc,
       pre = e->op == UnaryOp::PreInc || e->op == UnaryOp::PreDec;
  Address a = fe.lvalues.emitLvalue(e->sub);
  QualType q = a.bitField ? QualType(a.bitField->type.type) : a.type.unqual();
  auto step = [&](const RValue &old) -> RValue {
    const Type *ty = q.type;
    if (ty->isComplex()) {
      const Type *el = ty->as<ComplexType>()->elem;
      LLVMValueRef one = el->isFloating() ? LLVMConstReal(t.memory(el), 1) : LLVMConstInt(t.memory(el), 1, false);
      return RValue::complex(applyBinaryOp(inc ? BinaryOp::Add : BinaryOp::Sub, old.value, one, el, el, e->range),
          old.imag);
    }
    LLVMValueRef v = old.value;
    if (ty->isPointer()) return RValue::scalar(emitPointerArith(v, fe.i64c(inc ? 1 : -1), q, false, e->range.begin));
    if (ty->isBool()) return RValue::scalar(inc ? LLVMConstInt(t.i1, 1, false) : LLVMBuildNot(builder, v, ""));
    if (ty->isFloating())
      return RValue::scalar(inc ? LLVMBuildFAdd(builder, v, LLVMConstReal(LLVMTypeOf(v), 1), "")
                                : LLVMBuildFAdd(builder, v, LLVMConstReal(LLVMTypeOf(v), -1), ""));
    if (ty->isVector()) {
      LLVMValueRef one = fe.conv.convertScalar(fe.i32c(1), m.ast.basic(TypeKind::Int), q);
      if (ty->as<VectorType>()->elem->isFloating())
        return RValue::scalar(inc ? LLVMBuildFAdd(builder, v, one, "") : LLVMBuildFSub(builder, v, one, ""));
      return RValue::scalar(inc ? LLVMBuildAdd(builder, v, one, "") : LLVMBuildSub(builder, v, one, ""));
    }
    // char and short are promoted: the addition itself cannot overflow.
    bool nsw = t.isSigned(ty) && !m.options.wrapv && t.size(ty) >= 4;
    LLVMValueRef by = m.intConst(LLVMTypeOf(v), inc ? 1 : -1);
    if (t.size(ty) >= 4 && fe.ubsan.overflowChecked(ty))
      return RValue::scalar(fe.ubsan.emitCheckedArith(inc ? BinaryOp::Add : BinaryOp::Sub, v,
          m.intConst(LLVMTypeOf(v), 1), q, e->range.begin));
    return RValue::scalar(nsw ? LLVMBuildNSWAdd(builder, v, by, "") : LLVMBuildAdd(builder, v, by, ""));
  };
  if (a.isAtomic() && !a.bitField) {
    RValue r = fe.atomics.atomicUpdate(a, step, !pre);
    if (complexOut) *complexOut = r;
    return r.value;
  }
  RValue old = fe.memory.load(a);
  a.through = {};
  if (a.bitField && old.kind == RValue::Scalar && LLVMTypeOf(old.value) != t.value(q))
    old.value = LLVMBuildIntCast2(builder, old.value, t.value(q), t.isSigned(q.type), "");
  RValue now = step(old);
  if (a.bitField) now.value = fe.memory.storeBitField(a, now.value);
  else fe.memory.storeToLvalue(a, now);
  RValue r = pre ? now : old;
  if (complexOut) *complexOut = r;
  return r.value;
}

// ---- assignment ---------------------------------------------------------------------------------------------------

// The lhs is evaluated already. An atomic compound assignment is one compare-and-exchange loop.
RValue Operators::emitAssignTo(const Assign *e, const Address &target, const RValue *evaluated) {
  Address lhs = target;
  QualType lt = lhs.bitField ? QualType(lhs.bitField->type.type) : lhs.type.unqual();
  auto written = [&] {                                         // its value, which is not read again
    Address a = lhs;
    a.own = true;
    return RValue::aggregate(a);
  };
  auto result = [&](const RValue &v) {
    if (lhs.bitField) return RValue::scalar(fe.memory.storeBitField(lhs, v.value));
    fe.memory.storeToLvalue(lhs, v);
    return v.kind == RValue::Aggregate ? written() : v;
  };
  if (!e->compound) {
    if (lt->isRecord() || lt->isArray()) {
      if (lhs.isAtomic()) {
        fe.atomics.storeAtomic(lhs, RValue::aggregate(fe.aggregates.emitAggregate(e->rhs)));
        return written();
      }
      Address src = fe.aggregates.emitAggregate(e->rhs);
      fe.memory.copyAggregate(lhs, src);
      return written();
    }
    return result(evaluated ? *evaluated : fe.exprs.emitExpr(e->rhs));
  }
  QualType ct = e->computeType ? e->computeType : lt;
  RValue rhs = evaluated ? *evaluated : fe.exprs.emitExpr(e->rhs);
  auto compute = [&](const RValue &old) -> RValue {
    RValue r,
        a = fe.conv.convert(old, lt, ct->isComplex() && !lt->isComplex() ? QualType(ct->as<ComplexType>()->elem) : ct);
    if (ct->isComplex()) r = fe.complexes.applyComplexOp(e->op, a, rhs, ct);
    else {
      LLVMValueRef b = rhs.value;
      if (ct->isPointer() && LLVMTypeOf(b) != t.i64)
        b = LLVMBuildIntCast2(builder, b, t.i64, t.isSigned(e->rhs->type.type), "");
      r = RValue::scalar(applyBinaryOp(e->op, a.value, b, ct, e->rhs->type, e->range));
    }
    return fe.conv.convert(r, ct, lt);
  };
  if (lhs.isAtomic() && !lhs.bitField) return fe.atomics.atomicUpdate(lhs, compute, false);
  RValue old = fe.memory.load(lhs);
  lhs.through = {};                                            // checked by the load
  if (lhs.bitField && LLVMTypeOf(old.value) != t.value(lt))
    old.value = LLVMBuildIntCast2(builder, old.value, t.value(lt), t.isSigned(lt.type), "");
  return result(compute(old));
}

RValue Operators::emitAssign(const Assign *e) {
  QualType lt = e->lhs->type;
  // The right side first, as long as it leaves only registers.
  if (!lt->isRecord() && !lt->isArray()) {
    RValue rhs = fe.exprs.emitExpr(e->rhs);
    fe.ensureOpen();
    Address lhs = fe.lvalues.emitLvalue(e->lhs);
    return emitAssignTo(e, lhs, &rhs);
  }
  Address lhs = fe.lvalues.emitLvalue(e->lhs);
  return emitAssignTo(e, lhs);
}

}  // namespace cilkc::cg
