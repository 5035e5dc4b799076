// memory.cpp - loads, stores, copies; bit-fields. No other file in codegen/ makes instructions that read or write
// memory (tests/house/test_guards.py): atomic accesses (atomic.cpp) and the traffic with the runtime (runtimeLoad and
// its like) ask for them here.
//
// Each access that the C program makes is reported to the modes that want it (Memory::access), once, in the size that C
// gives it: not what the compiler does with objects of its own making (Address::own) or by the functions whose names
// end in Raw or Bytes.
#include "codegen/core/events.h"
#include "codegen/core/function.h"

namespace cilkc::cg {

// Adjacent bit-fields share one memory location, up to one of width 0 (C17 3.14); members of unions do not follow each
// other.
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

Memory::Memory(FunctionEmitter &fe)
    : BodyStage(fe), watching(m.options.modes.wants(ModeProperty::Accesses)),
      reportingObjects(m.options.modes.wants(ModeProperty::Objects)) {}

void Memory::access(const Address &a, AccessMode mode, AccessKind kind) {
  if (!watching || a.own || a.namedRegister || !fe.open()) return;
  Access x{a, nullptr, mode, kind};
  uint64_t bytes = 0;
  if (a.bitField) x.at = memoryLocation(fe, a, bytes);
  else if (hasVariableSize(a.type.type)) x.size = fe.locals.sizeOfType(a.type);
  else bytes = t.size(a.type);
  if (!x.size) x.size = fe.i64c(static_cast<int64_t>(bytes));
  if (x.size != fe.i64c(0)) events.access(fe, x);
}

void Memory::reportObject(bool begins, Object::Kind kind, const VarDecl *v, LLVMValueRef ptr, LLVMValueRef size,
    Range where) {
  if (!reportingObjects || !fe.open()) return;
  Object o{kind, v, ptr, size, v ? v->range : where};
  begins ? events.objectBegins(fe, o) : events.objectEnds(fe, o);
}

void Memory::access(LLVMValueRef ptr, LLVMValueRef size, AccessMode mode, AccessKind kind, Range where) {
  if (!watching || !fe.open()) return;
  Address a{ptr, 1, m.ast.basic(TypeKind::Char)};
  a.where = where;
  events.access(fe, Access{a, size, mode, kind});
}

LLVMValueRef Memory::loadAt(LLVMTypeRef type, LLVMValueRef p, uint32_t align, Range where) {
  access(p, fe.i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, type))), AccessMode::Read, AccessKind::Plain,
      where);
  return fe.loadRaw(type, p, align);
}
LLVMValueRef Memory::storeAt(LLVMValueRef v, LLVMValueRef p, uint32_t align, Range where) {
  access(p, fe.i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, LLVMTypeOf(v)))), AccessMode::Write,
      AccessKind::Plain, where);
  return fe.storeRaw(v, p, align);
}

LLVMValueRef runtimeLoad(LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef p, uint32_t align, LLVMAtomicOrdering order,
    const char *name) {
  LLVMValueRef v = LLVMBuildLoad2(b, type, p, name);
  if (order != plainOrder) LLVMSetOrdering(v, order);
  LLVMSetAlignment(v, align);
  return v;
}
LLVMValueRef runtimeStore(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef p, uint32_t align, LLVMAtomicOrdering order) {
  LLVMValueRef s = LLVMBuildStore(b, v, p);
  if (order != plainOrder) LLVMSetOrdering(s, order);
  LLVMSetAlignment(s, align);
  return s;
}
LLVMValueRef runtimeExchange(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef p, LLVMAtomicOrdering order) {
  return LLVMBuildAtomicRMW(b, LLVMAtomicRMWBinOpXchg, p, v, order, false);
}

LLVMValueRef FunctionBuilder::rmwRaw(LLVMAtomicRMWBinOp op, LLVMValueRef p, LLVMValueRef value,
    LLVMAtomicOrdering order) {
  return LLVMBuildAtomicRMW(builder, op, p, value, order, false);
}
LLVMValueRef FunctionBuilder::cmpXchgRaw(LLVMValueRef p, LLVMValueRef expected, LLVMValueRef desired,
    LLVMAtomicOrdering success, LLVMAtomicOrdering failure) {
  return LLVMBuildAtomicCmpXchg(builder, p, expected, desired, success, failure, false);
}

LLVMValueRef FunctionBuilder::loadRaw(LLVMTypeRef type, LLVMValueRef p, uint32_t align) {
  LLVMValueRef v = LLVMBuildLoad2(builder, type, p, "");
  LLVMSetAlignment(v, align ? align : 1);
  return v;
}
LLVMValueRef FunctionBuilder::storeRaw(LLVMValueRef v, LLVMValueRef p, uint32_t align) {
  LLVMValueRef s = LLVMBuildStore(builder, v, p);
  LLVMSetAlignment(s, align ? align : 1);
  return s;
}

LLVMValueRef Memory::toMemory(LLVMValueRef v, const Type *ty) {
  LLVMTypeRef mt = t.stored(ty);
  if (LLVMTypeOf(v) == t.i1 && mt == t.i8) return LLVMBuildZExt(builder, v, t.i8, "");
  if (ty->kind == TypeKind::WideBits) return LLVMBuildIntCast2(builder, v, mt, t.isSigned(ty), "");
  return v;
}
LLVMValueRef Memory::fromMemory(LLVMValueRef v, const Type *ty) {
  if (t.value(ty) == t.i1 && LLVMTypeOf(v) == t.i8) return LLVMBuildTrunc(builder, v, t.i1, "");
  if (ty->kind == TypeKind::WideBits) return LLVMBuildTrunc(builder, v, t.value(ty), "");
  return v;
}

// volatile, alias metadata.
void Memory::annotate(LLVMValueRef access, const Address &a, const Type *ty) {
  // An x87 value beside integers in a union, or in a variable whose bytes may be written: LLVM would put it together
  // from constant integers in x86_fp80, whose constants lose the bits of a value that is not complete yet.
  bool bytes = a.mayAlias || (a.object && a.object->addressTaken && a.object->type.type == ty);
  bool assembled = bytes && t.memory(ty) == t.f80;
  if (a.isVolatile() || assembled) LLVMSetVolatile(access, true);
  if (!m.optimizing()) return;
  if (LLVMValueRef tag = t.tbaa(a.mayAlias ? m.ast.basic(TypeKind::Char) : ty))
    LLVMSetMetadata(access, LLVMGetMDKindIDInContext(context, "tbaa", 4), tag);
}

LLVMValueRef Memory::loadScalar(const Address &a) {
  if (fe.ubsan.enabled()) fe.ubsan.checkLoad(a);
  if (a.bitField) return loadBitField(a);
  if (a.namedRegister) {
    LLVMTypeRef it = t.intN(static_cast<unsigned>(t.size(a.type) * 8));
    LLVMValueRef v = fe.callIntrinsic("llvm.read_register", {it}, {LLVMMetadataAsValue(context, a.namedRegister)});
    return a.type->isPointer() ? LLVMBuildIntToPtr(builder, v, t.ptr, "") : v;
  }
  if (a.isAtomic()) return fe.atomics.loadAtomic(a).value;
  access(a, AccessMode::Read);
  LLVMValueRef v = fe.loadRaw(t.stored(a.type.type), a.ptr, a.align);
  if (a.type->isNullptr()) return LLVMConstNull(t.ptr);  // the type has one value, whatever a union holds
  annotate(v, a, a.type.type);
  return fromMemory(v, a.type.type);
}

void Memory::storeScalar(const Address &a, LLVMValueRef v) {
  if (fe.ubsan.enabled()) fe.ubsan.checkStore(a);
  if (a.bitField) {
    storeBitField(a, v);
    return;
  }
  if (a.namedRegister) {
    if (a.type->isPointer()) v = LLVMBuildPtrToInt(builder, v, t.i64, "");
    fe.callIntrinsic("llvm.write_register", {LLVMTypeOf(v)}, {LLVMMetadataAsValue(context, a.namedRegister), v});
    return;
  }
  if (a.isAtomic()) {
    fe.atomics.storeAtomic(a, RValue::scalar(v));
    return;
  }
  access(a, AccessMode::Write);
  LLVMValueRef s = LLVMBuildStore(builder, toMemory(v, a.type.type), a.ptr);
  LLVMSetAlignment(s, a.align);
  annotate(s, a, a.type.type);
}

// The real and the imaginary part of a complex object.
static std::pair<Address, Address> complexParts(FunctionEmitter &fe, const Address &a) {
  const Type *e = a.type->as<ComplexType>()->elem;
  Address re = a, im = a;
  re.type = im.type = QualType(e, a.type.quals);
  uint64_t n = fe.t.size(e);
  im.ptr = fe.offsetPtr(a.ptr, n);
  im.align = static_cast<uint32_t>(std::min<uint64_t>(a.align, n));
  return {re, im};
}

RValue Memory::load(const Address &a) {
  if (a.isAtomic() && !a.bitField) return fe.atomics.loadAtomic(a);
  if (a.type->isComplex()) {
    auto [re, im] = complexParts(fe, a);
    LLVMValueRef r = loadScalar(re);
    return RValue::complex(r, loadScalar(im));
  }
  if (isScalarType(a.type.type)) return RValue::scalar(loadScalar(a));
  if (a.type->isVoid()) return {};
  return RValue::aggregate(a);
}

void Memory::storeToLvalue(const Address &a, const RValue &v) {
  switch (v.kind) {
    case RValue::None: break;
    case RValue::Scalar: storeScalar(a, v.value); break;
    case RValue::Complex: {
      if (a.isAtomic()) {
        fe.atomics.storeAtomic(a, v);
        break;
      }
      auto [re, im] = complexParts(fe, a);
      storeScalar(re, v.value);
      storeScalar(im, v.imag);
      break;
    }
    case RValue::Aggregate:
      if (a.isAtomic()) fe.atomics.storeAtomic(a, v);
      else copyAggregate(a, v.addr);
      break;
  }
}

void FunctionBuilder::copyBytes(LLVMValueRef dest, uint32_t dalign, LLVMValueRef src, uint32_t salign,
    LLVMValueRef size, bool isVolatile) {
  LLVMValueRef c = LLVMBuildMemCpy(builder, dest, dalign, src, salign, size);
  if (isVolatile) LLVMSetOperand(c, 3, LLVMConstInt(t.i1, 1, false));
}
void FunctionBuilder::moveBytes(LLVMValueRef dest, uint32_t dalign, LLVMValueRef src, uint32_t salign,
    LLVMValueRef size) {
  LLVMBuildMemMove(builder, dest, dalign, src, salign, size);
}
void FunctionBuilder::fillBytes(LLVMValueRef dest, uint32_t align, LLVMValueRef byte, LLVMValueRef size) {
  LLVMBuildMemSet(builder, dest, byte, size, align);
}
void FunctionBuilder::zeroFill(LLVMValueRef dest, uint32_t align, LLVMValueRef size, bool isVolatile) {
  LLVMValueRef c = LLVMBuildMemSet(builder, dest, LLVMConstInt(t.i8, 0, false), size, align);
  if (isVolatile) LLVMSetOperand(c, 3, LLVMConstInt(t.i1, 1, false));
}

void Memory::copyAggregate(const Address &dest, const Address &src, bool mayOverlap) {
  if (fe.ubsan.enabled()) {
    fe.ubsan.checkLoad(src);
    fe.ubsan.checkStore(dest);
  }
  access(src, AccessMode::Read);
  // also where the value is there already, since a call was given this place for its result
  access(dest, AccessMode::Write);
  if (dest.ptr == src.ptr) return;
  LLVMValueRef size = hasVariableSize(dest.type.type) ? fe.locals.sizeOfType(dest.type)
                                                      : fe.i64c(static_cast<int64_t>(t.size(dest.type)));
  if (LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) == 0) return;
  if (mayOverlap) fe.moveBytes(dest.ptr, dest.align, src.ptr, src.align, size);
  else fe.copyBytes(dest.ptr, dest.align, src.ptr, src.align, size, dest.isVolatile() || src.isVolatile());
}

// ---- bit-fields: the unit of unitBytes at ptr is loaded as one integer --------------------------------------------

// How far the bit-field is from the least significant bit of its unit.
static unsigned shiftOf(const FieldDecl *f, LLVMTargetDataRef layout) {
  return LLVMByteOrder(layout) == LLVMBigEndian ? f->unitBytes * 8 - f->bitOffset - f->width : f->bitOffset;
}

LLVMValueRef Memory::loadBitField(const Address &a) {
  const FieldDecl *f = a.bitField;
  unsigned bits = f->unitBytes * 8;
  LLVMTypeRef ut = t.intN(bits);
  LLVMTypeRef vt = t.value(f->type);
  if (!f->width) return LLVMConstNull(vt);
  access(a, AccessMode::Read);
  LLVMValueRef v = fe.loadRaw(ut, a.ptr, a.align);
  if (a.isVolatile() || f->type.isVolatile()) LLVMSetVolatile(v, true);
  bool sign = t.isSigned(f->type.type) && vt != t.i1;
  unsigned shift = shiftOf(f, m.layout), left = bits - shift - f->width;
  if (sign) {
    if (left) v = LLVMBuildShl(builder, v, LLVMConstInt(ut, left, false), "");
    if (left + shift) v = LLVMBuildAShr(builder, v, LLVMConstInt(ut, left + shift, false), "");
  } else {
    if (shift) v = LLVMBuildLShr(builder, v, LLVMConstInt(ut, shift, false), "");
    if (left) v = LLVMBuildAnd(builder, v, m.intConst(ut, Wide::lowBits(f->width)), "");
  }
  return LLVMBuildIntCast2(builder, v, vt, sign, "");
}

LLVMValueRef Memory::storeBitField(const Address &a, LLVMValueRef v) {
  if (fe.ubsan.enabled()) fe.ubsan.checkStore(a);
  const FieldDecl *f = a.bitField;
  unsigned bits = f->unitBytes * 8, shift = shiftOf(f, m.layout);
  LLVMTypeRef ut = t.intN(bits), vt = t.value(f->type);
  if (!f->width) return v;
  access(a, AccessMode::Write);
  bool isVol = a.isVolatile() || f->type.isVolatile();
  LLVMValueRef unit = LLVMBuildIntCast2(builder, v, ut, false, "");
  const Wide mask = Wide::lowBits(f->width);
  LLVMValueRef field = LLVMBuildAnd(builder, unit, m.intConst(ut, mask), "");
  LLVMValueRef out = field;
  if (f->width < bits) {
    LLVMValueRef old = fe.loadRaw(ut, a.ptr, a.align);
    if (isVol) LLVMSetVolatile(old, true);
    if (shift) field = LLVMBuildShl(builder, field, LLVMConstInt(ut, shift, false), "");
    old = LLVMBuildAnd(builder, old, m.intConst(ut, ~mask.shifted(static_cast<int>(shift))), "");
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
