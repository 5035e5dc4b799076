// cast.cpp - conversions between scalar types, to and from _Bool, complex and vectors.
#include "codegen/core/function.h"
#include "codegen/shim/shim.h"
#include "frontend/ast/query.h"

namespace cilkc::cg {

LLVMValueRef Conversions::toBool(LLVMValueRef v) {
  LLVMTypeRef lt = LLVMTypeOf(v);
  if (lt == t.i1) return v;
  switch (LLVMGetTypeKind(lt)) {
    case LLVMIntegerTypeKind:
    // (zext i1) != 0 is the i1.
    // (The caller may go on to use v itself, as in `a && b ?: c`.)
      if (LLVMIsAZExtInst(v) && LLVMTypeOf(LLVMGetOperand(v, 0)) == t.i1) return LLVMGetOperand(v, 0);
      return LLVMBuildICmp(builder, LLVMIntNE, v, LLVMConstNull(lt), "");
    case LLVMPointerTypeKind: return LLVMBuildICmp(builder, LLVMIntNE, v, LLVMConstNull(lt), "");
    default: break;
  }
  return LLVMBuildFCmp(builder, LLVMRealUNE, v, LLVMConstNull(lt), "");
}

LLVMValueRef Conversions::convertScalar(LLVMValueRef v, QualType fromQ, QualType toQ, Range where) {
  const Type *from = fromQ.type, *to = toQ.type;
  LLVMTypeRef lt = t.value(to), lf = LLVMTypeOf(v);
  if (to->isVoid() || to->isError() || from->isError()) return v;
  if (to->isVector()) {
    if (lt == lf) return v;
    if (from->isVector() || t.size(from) == t.size(to)) return LLVMBuildBitCast(builder, v, lt, "");
    const Type *e = to->as<VectorType>()->elem;                // a scalar: into every element
    v = convertScalar(v, fromQ, e);
    LLVMValueRef r = LLVMBuildInsertElement(builder, LLVMGetUndef(lt), v, fe.i32c(0), "");
    return LLVMBuildShuffleVector(builder, r, LLVMGetUndef(lt),
        LLVMConstNull(LLVMVectorType(t.i32, static_cast<unsigned>(to->as<VectorType>()->count))), "");
  }
  if (from->isVector()) {
    if (to->isPointer()) return v;
    return LLVMBuildBitCast(builder, v, lt, "");
  }
  if (to->isBool() || lt == t.i1) return toBool(v);
  if (lf == lt && !(to->isInteger() && from->isFloating())) return v;
  bool fromInt = LLVMGetTypeKind(lf) == LLVMIntegerTypeKind, toInt = LLVMGetTypeKind(lt) == LLVMIntegerTypeKind;
  if (to->isPointer()) {
    if (from->isPointer()) return v;
    if (fromInt) {
      if (lf != t.i64) v = LLVMBuildIntCast2(builder, v, t.i64, t.isSigned(from) && lf != t.i1, "");
      return LLVMBuildIntToPtr(builder, v, lt, "");
    }
    return LLVMConstNull(lt);
  }
  if (from->isPointer()) {
    if (!toInt) return LLVMConstNull(lt);
    return LLVMBuildPtrToInt(builder, v, lt, "");
  }
  if (fromInt && toInt) return LLVMBuildIntCast2(builder, v, lt, lf != t.i1 && t.isSigned(from), "");
  // LLVM has no conversions of wider integers that round at run time, and its inliner would make such ones.
  const bool fixed = (m.options.roundingMath || m.options.trappingMath) && (fromInt || toInt) &&
                     LLVMGetIntTypeWidth(fromInt ? lf : lt) > 128;
  auto convert = [&](auto build) {
    if (!fixed) return build(builder, v, lt, "");
    constexpr auto F = static_cast<unsigned>(LLVMAttributeFunctionIndex);
    LLVMRemoveEnumAttributeAtIndex(fe.function, F, LLVMGetEnumAttributeKindForName("alwaysinline", 12));
    m.attributes.attr(fe.function, F, "noinline");
    shimConstrainFloats(builder, false, false);
    LLVMValueRef r = build(builder, v, lt, "");
    shimConstrainFloats(builder, m.options.roundingMath, m.options.trappingMath);
    return r;
  };
  if (fromInt) return convert(lf != t.i1 && t.isSigned(from) ? LLVMBuildSIToFP : LLVMBuildUIToFP);
  if (toInt) {
    if (fe.ubsan.enabled()) fe.ubsan.checkFloatCast(v, from, to, where.begin);
    LLVMValueRef r = convert(t.isSigned(to) ? LLVMBuildFPToSI : LLVMBuildFPToUI);
    // A constant out of range: undefined in C, the nearest value as gcc has it.
    return LLVMIsPoison(r) ? fe.callIntrinsic(t.isSigned(to) ? "llvm.fptosi.sat" : "llvm.fptoui.sat", {lt, lf}, {v})
                           : r;
  }
  auto rank = [](LLVMTypeRef type) {  // the kinds of floating types are in the order of their sizes
    return LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
  };
  return rank(lf) > rank(lt) ? LLVMBuildFPTrunc(builder, v, lt, "") : LLVMBuildFPExt(builder, v, lt, "");
}

RValue Conversions::convert(const RValue &v, QualType from, QualType to, Range where) {
  if (to->isVoid()) return {};
  if (v.kind == RValue::Aggregate || v.kind == RValue::None) return v;
  if (to->isComplex()) {
    const Type *e = to->as<ComplexType>()->elem;
    if (v.kind == RValue::Complex) {
      const Type *part = from->as<ComplexType>()->elem;
      return RValue::complex(convertScalar(v.value, part, e), convertScalar(v.imag, part, e));
    }
    return RValue::complex(convertScalar(v.value, from, e), LLVMConstNull(t.memory(e)));
  }
  if (v.kind == RValue::Complex) {
    const Type *part = from->as<ComplexType>()->elem;
    if (to->isBool()) return RValue::scalar(LLVMBuildOr(builder, toBool(v.value), toBool(v.imag), ""));
    return RValue::scalar(convertScalar(v.value, part, to));
  }
  return RValue::scalar(convertScalar(v.value, from, to, where));
}

LLVMValueRef Conversions::emitCast(const Expr *e, CastKind kind, const Expr *sub, QualType to) {
  switch (kind) {
    case CastKind::LvalueToRvalue: {
      const Expr *s = sub;
      s = ignoreParens(s);
      if (!s->lvalue && !s->type->isAggregate()) return fe.exprs.emitScalar(s);
      Address a = fe.lvalues.emitLvalue(sub);
      if (fe.ubsan.checks(Check::Bool) && a.type->isBool() && !a.bitField && !a.isAtomic() && !a.namedRegister &&
          !LLVMIsAAllocaInst(a.ptr)) {
        fe.ubsan.checkLoad(a);
        fe.ubsan.checkBool(fe.loadRaw(t.i8, a.ptr, a.align), a.type, sub->range.begin);
        a.through = {};
      }
      LLVMValueRef v = fe.memory.loadScalar(a);
      return a.bitField && LLVMTypeOf(v) != t.value(to)
                 ? LLVMBuildIntCast2(builder, v, t.value(to), t.isSigned(a.bitField->type.type), "")
                 : v;
    }
    case CastKind::ArrayToPointer:
      return (sub->lvalue ? fe.lvalues.emitLvalue(sub) : fe.aggregates.emitAggregate(sub)).ptr;
    case CastKind::FunctionToPointer: return fe.lvalues.emitLvalue(sub).ptr;
    case CastKind::NullToPointer: {
      if (!(sub->kind == ExprKind::IntLit)) fe.exprs.emitIgnored(sub);
      return LLVMConstNull(t.ptr);
    }
    case CastKind::NoOp:
    case CastKind::PointerToPointer:
      if (sub->lvalue && kind == CastKind::NoOp && (sub->type->isArray() || sub->type->isFunction()))
        return fe.lvalues.emitLvalue(sub).ptr;
      break;
    case CastKind::ComplexToReal:
    case CastKind::ToBool:
    case CastKind::RealToComplex:
    case CastKind::ComplexToComplex:
      if (sub->type->isComplex()) return convert(fe.complexes.emitComplex(sub), sub->type, to).value;
      break;
    case CastKind::ToVoid: fe.exprs.emitIgnored(sub); return nullptr;
    default: break;
  }
  if (sub->type->isComplex()) return convert(fe.complexes.emitComplex(sub), sub->type, to).value;
  if (sub->type->isVoid()) {
    fe.exprs.emitIgnored(sub);
    return LLVMGetUndef(t.value(to));
  }
  if (sub->type->isRecord() || sub->type->isArray()) {   // va_list and the like
    Address a = sub->lvalue ? fe.lvalues.emitLvalue(sub) : fe.aggregates.emitAggregate(sub);
    return a.ptr;
  }
  LLVMValueRef v = fe.exprs.emitScalar(sub);
  return convertScalar(v, sub->type, to, e->range);
}

}  // namespace cilkc::cg
