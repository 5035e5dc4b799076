// memory.cpp - loads, stores, copies; bit-fields. Atomic accesses are in atomic.cpp.
#include "codegen/function.h"

namespace cilkc::cg {

LLVMValueRef FunctionEmitter::loadRaw(LLVMTypeRef type, LLVMValueRef p, uint32_t align) {
  LLVMValueRef v = LLVMBuildLoad2(builder, type, p, "");
  LLVMSetAlignment(v, align ? align : 1);
  return v;
}
void FunctionEmitter::storeRaw(LLVMValueRef v, LLVMValueRef p, uint32_t align) {
  LLVMValueRef s = LLVMBuildStore(builder, v, p);
  LLVMSetAlignment(s, align ? align : 1);
}

LLVMValueRef FunctionEmitter::toMemory(LLVMValueRef v, const Type *ty) {
  LLVMTypeRef mt = t.memory(ty);
  if (LLVMTypeOf(v) == t.i1 && mt == t.i8) return LLVMBuildZExt(builder, v, t.i8, "");
  if (ty->kind == TypeKind::WideBits) return LLVMBuildIntCast2(builder, v, mt, t.isSigned(ty), "");
  return v;
}
LLVMValueRef FunctionEmitter::fromMemory(LLVMValueRef v, const Type *ty) {
  if (t.value(ty) == t.i1 && LLVMTypeOf(v) == t.i8) return LLVMBuildTrunc(builder, v, t.i1, "");
  if (ty->kind == TypeKind::WideBits) return LLVMBuildTrunc(builder, v, t.value(ty), "");
  return v;
}

// volatile, alias metadata.
void FunctionEmitter::annotate(LLVMValueRef access, const Address &a, const Type *ty) {
  if (a.isVolatile()) LLVMSetVolatile(access, true);
  if (!m.optimizing()) return;
  if (LLVMValueRef tag = t.tbaa(a.mayAlias ? m.ast.basic(TypeKind::Char) : ty)) LLVMSetMetadata(access, LLVMGetMDKindIDInContext(context, "tbaa", 4), tag);
}

LLVMValueRef FunctionEmitter::loadScalar(const Address &a) {
  if (enabled) checkLoad(a);
  if (a.bitField) return loadBitField(a);
  if (a.namedRegister) {
    LLVMTypeRef it = t.intN(static_cast<unsigned>(t.size(a.type) * 8));
    LLVMValueRef v = callIntrinsic("llvm.read_register", {it}, {LLVMMetadataAsValue(context, a.namedRegister)});
    return a.type->isPointer() ? LLVMBuildIntToPtr(builder, v, t.ptr, "") : v;
  }
  if (a.isAtomic()) return loadAtomic(a).value;
  LLVMValueRef v = loadRaw(t.memory(a.type), a.ptr, a.align);
  annotate(v, a, a.type.type);
  return fromMemory(v, a.type.type);
}

void FunctionEmitter::storeScalar(const Address &a, LLVMValueRef v) {
  if (enabled) checkStore(a);
  if (a.bitField) { storeBitField(a, v); return; }
  if (a.namedRegister) {
    if (a.type->isPointer()) v = LLVMBuildPtrToInt(builder, v, t.i64, "");
    callIntrinsic("llvm.write_register", {LLVMTypeOf(v)}, {LLVMMetadataAsValue(context, a.namedRegister), v});
    return;
  }
  if (a.isAtomic()) { storeAtomic(a, RValue::scalar(v)); return; }
  LLVMValueRef s = LLVMBuildStore(builder, toMemory(v, a.type.type), a.ptr);
  LLVMSetAlignment(s, a.align);
  annotate(s, a, a.type.type);
}

RValue FunctionEmitter::load(const Address &a) {
  if (a.isAtomic() && !a.bitField) return loadAtomic(a);
  if (a.type->isComplex()) {
    const Type *e = a.type->as<ComplexType>()->elem;
    Address re = a, im = a;
    re.type = im.type = QualType(e, a.type.quals);
    uint64_t n = t.size(e);
    im.ptr = offsetPtr(a.ptr, n);
    im.align = static_cast<uint32_t>(std::min<uint64_t>(a.align, n));
    LLVMValueRef r = loadScalar(re);
    return RValue::complex(r, loadScalar(im));
  }
  if (isScalarType(a.type.type)) return RValue::scalar(loadScalar(a));
  if (a.type->isVoid()) return {};
  return RValue::aggregate(a);
}

void FunctionEmitter::storeToLvalue(const Address &a, const RValue &v) {
  switch (v.kind) {
  case RValue::None: break;
  case RValue::Scalar: storeScalar(a, v.value); break;
  case RValue::Complex: {
    if (a.isAtomic()) { storeAtomic(a, v); break; }
    const Type *e = a.type->as<ComplexType>()->elem;
    Address re = a, im = a;
    re.type = im.type = QualType(e, a.type.quals);
    uint64_t n = t.size(e);
    im.ptr = offsetPtr(a.ptr, n);
    im.align = static_cast<uint32_t>(std::min<uint64_t>(a.align, n));
    storeScalar(re, v.value);
    storeScalar(im, v.imag);
    break;
  }
  case RValue::Aggregate:
    if (a.isAtomic()) storeAtomic(a, v);
    else copyAggregate(a, v.addr);
    break;
  }
}

void FunctionEmitter::copyBytes(LLVMValueRef dest, uint32_t dalign, LLVMValueRef src, uint32_t salign, LLVMValueRef size, bool isVolatile) {
  LLVMValueRef c = LLVMBuildMemCpy(builder, dest, dalign, src, salign, size);
  if (isVolatile) LLVMSetOperand(c, 3, LLVMConstInt(t.i1, 1, false));
}
void FunctionEmitter::zeroFill(LLVMValueRef dest, uint32_t align, LLVMValueRef size, bool isVolatile) {
  LLVMValueRef c = LLVMBuildMemSet(builder, dest, LLVMConstInt(t.i8, 0, false), size, align);
  if (isVolatile) LLVMSetOperand(c, 3, LLVMConstInt(t.i1, 1, false));
}

void FunctionEmitter::copyAggregate(const Address &dest, const Address &src, bool mayOverlap) {
  if (enabled) { checkLoad(src); checkStore(dest); }
  if (dest.ptr == src.ptr) return;
  LLVMValueRef size = hasVariableSize(dest.type.type) ? sizeOfType(dest.type) : i64c(static_cast<int64_t>(t.size(dest.type)));
  if (LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) == 0) return;
  if (mayOverlap) LLVMBuildMemMove(builder, dest.ptr, dest.align, src.ptr, src.align, size);
  else copyBytes(dest.ptr, dest.align, src.ptr, src.align, size, dest.isVolatile() || src.isVolatile());
}

// ---- bit-fields: the unit of unitBytes at ptr is loaded as one integer ----------------------------------------------------------------------

LLVMValueRef FunctionEmitter::loadBitField(const Address &a) {
  const FieldDecl *f = a.bitField;
  unsigned bits = f->unitBytes * 8;
  LLVMTypeRef ut = t.intN(bits);
  LLVMTypeRef vt = t.value(f->type);
  if (!f->width) return LLVMConstNull(vt);
  LLVMValueRef v = loadRaw(ut, a.ptr, a.align);
  if (a.isVolatile() || f->type.isVolatile()) LLVMSetVolatile(v, true);
  bool sign = t.isSigned(f->type.type) && vt != t.i1;
  unsigned left = bits - f->bitOffset - f->width;
  if (sign) {
    if (left) v = LLVMBuildShl(builder, v, LLVMConstInt(ut, left, false), "");
    if (left + f->bitOffset) v = LLVMBuildAShr(builder, v, LLVMConstInt(ut, left + f->bitOffset, false), "");
  } else {
    if (f->bitOffset) v = LLVMBuildLShr(builder, v, LLVMConstInt(ut, f->bitOffset, false), "");
    if (left) v = LLVMBuildAnd(builder, v, m.intConst(ut, (static_cast<__int128>(1) << f->width) - 1), "");
  }
  return LLVMBuildIntCast2(builder, v, vt, sign, "");
}

LLVMValueRef FunctionEmitter::storeBitField(const Address &a, LLVMValueRef v) {
  if (enabled) checkStore(a);
  const FieldDecl *f = a.bitField;
  unsigned bits = f->unitBytes * 8;
  LLVMTypeRef ut = t.intN(bits), vt = t.value(f->type);
  if (!f->width) return v;
  bool isVol = a.isVolatile() || f->type.isVolatile();
  LLVMValueRef unit = LLVMBuildIntCast2(builder, v, ut, false, "");
  unsigned __int128 mask = f->width >= 128 ? ~static_cast<unsigned __int128>(0) : (static_cast<unsigned __int128>(1) << f->width) - 1;
  LLVMValueRef field = LLVMBuildAnd(builder, unit, m.intConst(ut, static_cast<__int128>(mask)), "");
  LLVMValueRef out = field;
  if (f->width < bits) {
    LLVMValueRef old = loadRaw(ut, a.ptr, a.align);
    if (isVol) LLVMSetVolatile(old, true);
    if (f->bitOffset) field = LLVMBuildShl(builder, field, LLVMConstInt(ut, f->bitOffset, false), "");
    old = LLVMBuildAnd(builder, old, m.intConst(ut, static_cast<__int128>(~(mask << f->bitOffset))), "");
    field = LLVMBuildOr(builder, old, field, "");
  }
  LLVMValueRef s = LLVMBuildStore(builder, field, a.ptr);
  LLVMSetAlignment(s, a.align);
  if (isVol) LLVMSetVolatile(s, true);
  // The value of the assignment: what a read would give.
  if (vt == t.i1) return LLVMBuildICmp(builder, LLVMIntNE, out, LLVMConstNull(ut), "");
  if (t.isSigned(f->type.type) && f->width < bits) {
    out = LLVMBuildShl(builder, out, LLVMConstInt(ut, bits - f->width, false), "");
    out = LLVMBuildAShr(builder, out, LLVMConstInt(ut, bits - f->width, false), "");
  }
  return LLVMBuildIntCast2(builder, out, vt, t.isSigned(f->type.type), "");
}

}  // namespace cilkc::cg
