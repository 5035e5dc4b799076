// memory.cpp - loads, stores, copies; bit-fields. Atomic accesses are in atomic.cpp. Nobody else in codegen/ makes instructions that read or write memory
// (tests/test_source.py), but for the clones' traffic with the worker and the deque (clones/ops.cpp).
//
// Each access that the C program makes is told to the modes that want to know (FunctionEmitter::access), once, in the size that C gives it: not what the
// compiler does with objects of its own making (Address::own) or by the functions whose names end in Raw or Bytes.
#include "codegen/core/events.h"
#include "codegen/core/function.h"

namespace cilkc::cg {

// Adjacent bit-fields share one memory location, up to one of width 0 (C17 3.14); members of unions do not follow each other.
static Address memoryLocation(FunctionEmitter &fe, const Address &a, uint64_t &bytes) {
  const FieldDecl *f = a.bitField;
  uint64_t first = f->offset * 8 + f->bitOffset, end = first + f->width;
  if (f->parent && !f->parent->isUnion) {
    auto &all = f->parent->fields;
    auto at = std::find(all.begin(), all.end(), f);
    auto within = [](const FieldDecl *x) { return x->bitField && x->width; };
    for (auto i = at; i != all.begin() && within(*(i - 1));) first = (*--i)->offset * 8 + (*i)->bitOffset;
    for (auto i = at; i != all.end() && within(*i); ++i) end = (*i)->offset * 8 + (*i)->bitOffset + (*i)->width;
  }
  Address location = a;
  location.bitField = nullptr;
  location.ptr = fe.offsetPtr(a.ptr, first / 8 - f->offset);
  bytes = (end + 7) / 8 - first / 8;
  return location;
}

void FunctionEmitter::access(const Address &a, AccessMode mode, AccessKind kind) {
  if (!watching || a.own || a.namedRegister || !open()) return;
  Access x{a, nullptr, mode, kind};
  uint64_t bytes = 0;
  if (a.bitField) x.at = memoryLocation(*this, a, bytes);
  else if (hasVariableSize(a.type.type)) x.size = sizeOfType(a.type);
  else bytes = t.size(a.type);
  if (!x.size) x.size = i64c(static_cast<int64_t>(bytes));
  if (x.size != i64c(0)) events.access(*this, x);
}

void FunctionEmitter::access(LLVMValueRef ptr, LLVMValueRef size, AccessMode mode, AccessKind kind, Range where) {
  if (!watching || !open()) return;
  Address a{ptr, 1, m.ast.basic(TypeKind::Char)};
  a.where = where;
  events.access(*this, Access{a, size, mode, kind});
}

LLVMValueRef FunctionEmitter::loadAt(LLVMTypeRef type, LLVMValueRef p, uint32_t align, Range where) {
  access(p, i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, type))), AccessMode::Read, AccessKind::Plain, where);
  return loadRaw(type, p, align);
}
LLVMValueRef FunctionEmitter::storeAt(LLVMValueRef v, LLVMValueRef p, uint32_t align, Range where) {
  access(p, i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, LLVMTypeOf(v)))), AccessMode::Write, AccessKind::Plain, where);
  return storeRaw(v, p, align);
}

LLVMValueRef FunctionEmitter::loadRaw(LLVMTypeRef type, LLVMValueRef p, uint32_t align) {
  LLVMValueRef v = LLVMBuildLoad2(builder, type, p, "");
  LLVMSetAlignment(v, align ? align : 1);
  return v;
}
LLVMValueRef FunctionEmitter::storeRaw(LLVMValueRef v, LLVMValueRef p, uint32_t align) {
  LLVMValueRef s = LLVMBuildStore(builder, v, p);
  LLVMSetAlignment(s, align ? align : 1);
  return s;
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
  access(a, AccessMode::Read);
  LLVMValueRef v = loadRaw(t.memory(a.type), a.ptr, a.align);
  annotate(v, a, a.type.type);
  return fromMemory(v, a.type.type);
}

void FunctionEmitter::storeScalar(const Address &a, LLVMValueRef v) {
  if (enabled) checkStore(a);
  if (a.bitField) {
    storeBitField(a, v);
    return;
  }
  if (a.namedRegister) {
    if (a.type->isPointer()) v = LLVMBuildPtrToInt(builder, v, t.i64, "");
    callIntrinsic("llvm.write_register", {LLVMTypeOf(v)}, {LLVMMetadataAsValue(context, a.namedRegister), v});
    return;
  }
  if (a.isAtomic()) {
    storeAtomic(a, RValue::scalar(v));
    return;
  }
  access(a, AccessMode::Write);
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
      if (a.isAtomic()) {
        storeAtomic(a, v);
        break;
      }
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
void FunctionEmitter::moveBytes(LLVMValueRef dest, uint32_t dalign, LLVMValueRef src, uint32_t salign, LLVMValueRef size) {
  LLVMBuildMemMove(builder, dest, dalign, src, salign, size);
}
void FunctionEmitter::fillBytes(LLVMValueRef dest, uint32_t align, LLVMValueRef byte, LLVMValueRef size) { LLVMBuildMemSet(builder, dest, byte, size, align); }
void FunctionEmitter::zeroFill(LLVMValueRef dest, uint32_t align, LLVMValueRef size, bool isVolatile) {
  LLVMValueRef c = LLVMBuildMemSet(builder, dest, LLVMConstInt(t.i8, 0, false), size, align);
  if (isVolatile) LLVMSetOperand(c, 3, LLVMConstInt(t.i1, 1, false));
}

void FunctionEmitter::copyAggregate(const Address &dest, const Address &src, bool mayOverlap) {
  if (enabled) {
    checkLoad(src);
    checkStore(dest);
  }
  access(src, AccessMode::Read);
  access(dest, AccessMode::Write);           // also where the value is there already, since a call was given this place for its result
  if (dest.ptr == src.ptr) return;
  LLVMValueRef size = hasVariableSize(dest.type.type) ? sizeOfType(dest.type) : i64c(static_cast<int64_t>(t.size(dest.type)));
  if (LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) == 0) return;
  if (mayOverlap) moveBytes(dest.ptr, dest.align, src.ptr, src.align, size);
  else copyBytes(dest.ptr, dest.align, src.ptr, src.align, size, dest.isVolatile() || src.isVolatile());
}

// ---- bit-fields: the unit of unitBytes at ptr is loaded as one integer ----------------------------------------------------------------------

LLVMValueRef FunctionEmitter::loadBitField(const Address &a) {
  const FieldDecl *f = a.bitField;
  unsigned bits = f->unitBytes * 8;
  LLVMTypeRef ut = t.intN(bits);
  LLVMTypeRef vt = t.value(f->type);
  if (!f->width) return LLVMConstNull(vt);
  access(a, AccessMode::Read);
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
  access(a, AccessMode::Write);
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
