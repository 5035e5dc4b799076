// types.cpp - C types as LLVM types, the alias-analysis metadata of accesses, and the cache of lowered signatures.
//
// Records are [size x i8]: their members are reached by byte offset. So LLVM never needs to know their shape, and a
// bit-field or a packed member is not a special case. Alias metadata is one scalar node per C type, all children of
// "char", which may alias everything.
#include <algorithm>
#include "codegen/core/module.h"
#include "codegen/core/target.h"

namespace cilkc::cg {

TypeLowering::TypeLowering(ModuleEmitter &me) : context(me.context), m(me) {
  i1 = LLVMInt1TypeInContext(context);
  i8 = LLVMInt8TypeInContext(context);
  i16 = LLVMInt16TypeInContext(context);
  i32 = LLVMInt32TypeInContext(context);
  i64 = LLVMInt64TypeInContext(context);
  i128 = LLVMInt128TypeInContext(context);
  ptr = LLVMPointerTypeInContext(context, 0);
  voidTy = LLVMVoidTypeInContext(context);
  f16 = LLVMHalfTypeInContext(context);
  f32 = LLVMFloatTypeInContext(context);
  f64 = LLVMDoubleTypeInContext(context);
  f80 = LLVMX86FP80TypeInContext(context);
  f128 = LLVMFP128TypeInContext(context);
  lowering = m.target.abi(*this, m.options);
  windows = m.target.msAbi(*this);
}

uint64_t TypeLowering::size(const Type *t) const { return sizeOf(t, m.ast.target); }
uint32_t TypeLowering::align(const Type *t) const {
  uint32_t a = alignOf(t, m.ast.target);
  return a ? a : 1;
}
bool TypeLowering::isSigned(const Type *t) const { return cilkc::isSigned(t, m.ast.target); }
LLVMTypeRef TypeLowering::intN(unsigned bits) { return LLVMIntTypeInContext(context, bits); }

LLVMTypeRef TypeLowering::value(const Type *ty) {
  if (ty->kind == TypeKind::WideBits) return intN(ty->as<WideBitsType>()->width);
  return ty->isBool() || (ty->isEnum() && ty->as<EnumType>()->underlying && ty->as<EnumType>()->underlying->isBool())
             ? i1
             : memory(ty);
}

// LLVM aligns an i192 to 16 bytes and so makes it 32 bytes long: as an object a wide integer is an array of words.
LLVMTypeRef TypeLowering::stored(const Type *ty) {
  return ty->isWide() ? intN(static_cast<unsigned>(size(ty)) * 8) : memory(ty);
}

LLVMTypeRef TypeLowering::memory(const Type *ty) {
  LLVMTypeRef &slot = memTypes[ty];
  if (slot && !(ty->isRecord() && LLVMGetArrayLength2(slot) != ty->as<RecordType>()->size)) return slot;
  LLVMTypeRef r = build(ty);
  if (!ty->isEnum() || ty->as<EnumType>()->complete) memTypes[ty] = r;
  return r;
}

LLVMTypeRef TypeLowering::build(const Type *ty) {
  switch (ty->kind) {
    case TypeKind::Bool:
    case TypeKind::Char:
    case TypeKind::SChar:
    case TypeKind::UChar: return i8;
    case TypeKind::Short:
    case TypeKind::UShort: return i16;
    case TypeKind::Int:
    case TypeKind::UInt: return i32;
    case TypeKind::Long:
    case TypeKind::ULong:
    case TypeKind::LongLong:
    case TypeKind::ULongLong: return i64;
    case TypeKind::Int128:
    case TypeKind::UInt128: return i128;
    case TypeKind::Float16: return f16;
    case TypeKind::Float:
    case TypeKind::Float32: return f32;
    case TypeKind::Double:
    case TypeKind::Float64:
    case TypeKind::Float32x: return f64;
    case TypeKind::LongDouble:
    case TypeKind::Float64x: return m.ast.target.facts->quadLongDouble ? f128 : f80;
    case TypeKind::Float128: return f128;
    case TypeKind::Complex: {
      LLVMTypeRef e = memory(ty->as<ComplexType>()->elem);
      LLVMTypeRef both[] = {e, e};
      return LLVMStructTypeInContext(context, both, 2, false);
    }
    case TypeKind::WideBits:
      return ty->isWide() ? LLVMArrayType2(i64, size(ty) / 8) : memory(ty->as<WideBitsType>()->declared);
    case TypeKind::Pointer: return ptr;
    case TypeKind::Array: {
      auto *a = ty->as<ArrayType>();
      return LLVMArrayType2(memory(a->elem), a->arrayKind == ArrayKind::Constant ? a->count : 0);
    }
    case TypeKind::Vector: {
      auto *v = ty->as<VectorType>();
      return LLVMVectorType(memory(v->elem), static_cast<unsigned>(v->count));
    }
    case TypeKind::Record: return LLVMArrayType2(i8, ty->as<RecordType>()->size);
    case TypeKind::Enum: {
      auto *e = ty->as<EnumType>();
      return e->underlying ? memory(e->underlying) : i32;
    }
    case TypeKind::Void:
    case TypeKind::Function:
    case TypeKind::Error:
    case TypeKind::Auto: return i8;
  }
  return i8;
}

// ---- alias metadata -----------------------------------------------------------------------------------------------

static const char *aliasName(const Type *ty) {
  switch (ty->kind) {
    case TypeKind::Bool: return "_Bool";
    case TypeKind::Short:
    case TypeKind::UShort: return "short";
    case TypeKind::Int:
    case TypeKind::UInt: return "int";
    case TypeKind::Long:
    case TypeKind::ULong: return "long";
    case TypeKind::LongLong:
    case TypeKind::ULongLong: return "long long";
    case TypeKind::Int128:
    case TypeKind::UInt128: return "__int128";
    case TypeKind::Float16: return "_Float16";
    case TypeKind::Float:
    case TypeKind::Float32: return "float";
    case TypeKind::Double:
    case TypeKind::Float64:
    case TypeKind::Float32x: return "double";
    case TypeKind::LongDouble:
    case TypeKind::Float64x: return "long double";
    case TypeKind::Float128: return "__float128";
    case TypeKind::Pointer: return "any pointer";
    case TypeKind::Enum: return ty->as<EnumType>()->underlying ? aliasName(ty->as<EnumType>()->underlying) : nullptr;
    default: return nullptr;   // char, vectors, everything else: may alias anything
  }
}

LLVMMetadataRef TypeLowering::tbaaNode(const std::string &name, LLVMMetadataRef parent) {
  LLVMMetadataRef &n = tbaaNodes[name];
  if (!n) {
    LLVMMetadataRef ops[3] = {LLVMMDStringInContext2(context, name.data(), name.size()), parent,
        LLVMValueAsMetadata(LLVMConstInt(i64, 0, false))};
    n = LLVMMDNodeInContext2(context, ops, parent ? 3 : 1);
  }
  return n;
}

LLVMValueRef TypeLowering::tbaa(const Type *ty) {
  if (!m.optimizing() || !m.options.strictAliasing) return nullptr;
  LLVMValueRef &tag = tbaaTags[ty];
  if (!tag) {
    LLVMMetadataRef chr = tbaaNode("omnipotent char", tbaaNode("C types", nullptr));
    const char *name = aliasName(ty);
    LLVMMetadataRef node = name ? tbaaNode(name, chr) : chr;
    LLVMMetadataRef ops[3] = {node, node, LLVMValueAsMetadata(LLVMConstInt(i64, 0, false))};
    tag = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, ops, 3));
  }
  return tag;
}

// ---- signatures ---------------------------------------------------------------------------------------------------

LLVMTypeRef TypeLowering::signature(AbiFunction &f) {
  std::vector<LLVMTypeRef> args;
  LLVMTypeRef ret = voidTy;
  switch (f.result.kind) {
    case AbiSlot::Ignore: break;
    case AbiSlot::Indirect: args.push_back(ptr); break;
    case AbiSlot::Stacked:
    case AbiSlot::Direct:
    case AbiSlot::Pieces:
      if (f.result.pieces.size() == 1) ret = f.result.pieces[0].type;
      else {
        std::vector<LLVMTypeRef> parts;
        for (auto &p : f.result.pieces) parts.push_back(p.type);
        ret = LLVMStructTypeInContext(context, parts.data(), static_cast<unsigned>(parts.size()), false);
      }
      break;
  }
  for (size_t i = 0; i < f.fixed; i++) {
    const AbiSlot &p = f.params[i];
    if (p.kind == AbiSlot::Ignore || p.kind == AbiSlot::Stacked) continue;
    for (unsigned i = 0; i < p.padBefore; i++) args.push_back(i64);
    if (p.kind == AbiSlot::Indirect) args.push_back(ptr);
    else
      for (auto &x : p.pieces) args.push_back(x.type);
  }
  f.stack.index = static_cast<unsigned>(args.size());
  if (f.stack) args.push_back(ptr);
  return LLVMFunctionType(ret, args.data(), static_cast<unsigned>(args.size()), f.variadic);
}

// The ABIs know no records of variable size: they go by reference, and come back in memory that the caller provides.
static void classifyAll(AbiLowering &lowering, TypeLowering &t, AbiFunction &f) {
  auto variable = [](QualType q) { return q.type && q->isRecord() && q->as<RecordType>()->variable; };
  static const RecordType *const large = [] {
    auto *r = new RecordType;
    r->size = 4096;
    r->complete = true;
    return r;
  }();
  static const PointerType *const reference = new PointerType(QualType(large));
  QualType result = f.resultType;
  std::vector<QualType> types = f.types;
  if (variable(result)) f.resultType = large;
  for (QualType &q : f.types)
    if (variable(q)) q = reference;
  lowering.classify(f);
  f.resultType = result;
  if (variable(result)) f.result.align = t.align(result);
  for (size_t i = 0; i < types.size() && i < f.params.size(); i++)
    if (variable(types[i])) {
      f.params[i].kind = AbiSlot::Indirect;
      f.params[i].byval = false;
      f.params[i].align = t.align(types[i]);
    }
  f.types = std::move(types);
}

// What an argument of this type is passed as where there is no prototype.
static QualType promoted(QualType q, const AstContext &cx) {
  if (q->kind == TypeKind::Float) return cx.basic(TypeKind::Double);
  const Type *ty = q->isEnum() && q->as<EnumType>()->underlying ? q->as<EnumType>()->underlying : q.type;
  if (ty->isInteger() && sizeOf(ty, cx.target) < 4) return cx.basic(TypeKind::Int);
  return q.unqual();
}

const AbiFunction &TypeLowering::abi(const FunctionType *ft, bool definition) {
  auto &slot = abis[definition][ft];
  if (!slot) {
    slot = std::make_unique<AbiFunction>();
    slot->resultType = ft->result;
    slot->types = ft->params;
    if (!ft->prototype)
      for (auto &q : slot->types) q = promoted(q, m.ast);
    slot->variadic = ft->variadic || (!ft->prototype && ft->params.empty() && !definition);
    slot->fixed = ft->params.size();
    classifyAll(loweringOf(ft), *this, *slot);
    slot->type = signature(*slot);
  }
  return *slot;
}

// The LLVM type has only the fixed parameters: variadic and unprototyped arguments follow after them.
AbiFunction TypeLowering::abiForCall(const FunctionType *ft, const std::vector<QualType> &args) {
  AbiFunction f;
  f.resultType = ft->result;
  f.types = args;
  f.fixed = ft->prototype ? std::min(args.size(), ft->params.size()) : 0;
  for (size_t i = 0; i < f.fixed; i++) f.types[i] = ft->params[i];
  f.variadic = ft->variadic || !ft->prototype;
  classifyAll(loweringOf(ft), *this, f);
  f.type = signature(f);
  return f;
}

}  // namespace cilkc::cg
