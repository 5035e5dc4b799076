// type.h - C types. Types are immutable once complete and owned by a TypeTable. Except for records and enums (one per
// definition) equal types are the same pointer. Qualifiers are beside the pointer, in QualType. So type identity is
// pointer comparison plus qualifiers; *compatibility* (C17 6.2.7) is compat.h's affair. Typedef names are not kept in
// types.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
#include "frontend/types/target.h"

namespace cilkc {

struct Type;
struct RecordType;
struct EnumType;
struct Expr;
struct VarDecl;
struct EnumConstDecl;

enum Quals : uint8_t { QConst = 1, QVolatile = 2, QRestrict = 4, QAtomic = 8 };

struct QualType {
  const Type *type = nullptr;
  uint8_t quals = 0;
  QualType() = default;
  QualType(const Type *t, unsigned q = 0) : type(t), quals(static_cast<uint8_t>(q)) {}
  const Type *operator->() const { return type; }
  explicit operator bool() const { return type != nullptr; }
  QualType unqual() const { return {type, 0}; }
  QualType with(unsigned q) const { return {type, unsigned(quals) | q}; }
  bool isConst() const { return quals & QConst; }
  bool isVolatile() const { return quals & QVolatile; }
  bool isRestrict() const { return quals & QRestrict; }
  bool isAtomic() const { return quals & QAtomic; }
  friend bool operator==(QualType a, QualType b) { return a.type == b.type && a.quals == b.quals; }
};

enum class TypeKind : uint8_t {
  Error,            // replaces a type after a reported error; compatible with everything
  Void,
  Bool,
  Char,
  SChar,
  UChar,
  Short,
  UShort,
  Int,
  UInt,
  Long,
  ULong,
  LongLong,
  ULongLong,
  Int128,
  UInt128,
  WideBits,         // an integer of any width: _BitInt(n), or what a bit-field wider than int promotes to
  Float16,
  Float,
  Double,
  LongDouble,
  Float128,          // Float128 = __float128 = _Float128
  Float32,
  Float64,
  Float32x,
  Float64x,                  // distinct types with the formats of float, double, double, long double
  Complex,          // of a floating or (GNU) integer type: elem
  Pointer,
  Array,
  Vector,
  Function,
  Record,
  Enum,
  Auto              // __auto_type before deduction
};

enum class ArrayKind : uint8_t {
  Constant,         // [n]
  Incomplete,       // [] (also a flexible array member)
  Variable,         // [expr], size known at run time
  Star              // [*] in a prototype
};

struct Type {
  TypeKind kind;
  bool isInteger() const { return (kind >= TypeKind::Bool && kind <= TypeKind::WideBits) || kind == TypeKind::Enum; }
  bool isFloating() const { return kind >= TypeKind::Float16 && kind <= TypeKind::Float64x; }
  bool isComplex() const { return kind == TypeKind::Complex; }
  bool isArithmetic() const { return isInteger() || isFloating() || isComplex(); }
  bool isReal() const { return isInteger() || isFloating(); }
  bool isPointer() const { return kind == TypeKind::Pointer; }
  bool isScalar() const { return isArithmetic() || isPointer(); }
  bool isArray() const { return kind == TypeKind::Array; }
  bool isFunction() const { return kind == TypeKind::Function; }
  bool isRecord() const { return kind == TypeKind::Record; }
  bool isBitInt() const;
  bool isWide() const;           // a _BitInt wider than any ordinary integer
  bool isNullptr() const;        // nullptr_t: a pointer to void with a type of its own
  bool isFuture() const;         // `future T`: a record that is neither copied, passed nor returned
  // `T cilk_reducer(..)`: a record of one member, T; an expression that names one means its view
  bool isReducer() const;
  bool isCont() const;           // `cont T`: a record, which is copied, passed and returned as such
  bool isEnum() const { return kind == TypeKind::Enum; }
  bool isVector() const { return kind == TypeKind::Vector; }
  bool isVoid() const { return kind == TypeKind::Void; }
  bool isBool() const { return kind == TypeKind::Bool; }
  bool isError() const { return kind == TypeKind::Error; }
  bool isAggregate() const { return isArray() || isRecord(); }
  template <class T> const T *as() const { return static_cast<const T *>(this); }
protected:
  explicit Type(TypeKind k) : kind(k) {}
};

struct BasicType : Type {
  explicit BasicType(TypeKind k) : Type(k) {}
};
// kept in memory as its declared type is: a bit-field's, or the narrowest ordinary one that holds a _BitInt;
struct WideBitsType : Type {
                                 // a wider _BitInt takes as many words of the target's as it needs
  const Type *declared;
  uint32_t width;
  bool precise;                    // _BitInt(width)
  WideBitsType(const Type *d, uint32_t w, bool p) : Type(TypeKind::WideBits), declared(d), width(w), precise(p) {}
};
constexpr uint32_t maxBitInt = 4096, maxOrdinaryBits = 128;
struct ComplexType : Type {
  const Type *elem;
  explicit ComplexType(const Type *e) : Type(TypeKind::Complex), elem(e) {}
};
// What a chain of pointers and arrays ends in, and whether an array on the way has a size known at run time: kept in
// each of its links, since a chain may be long and is asked at every declaration. A property of the end itself (a
// record may be completed later) is asked there.
struct Chain {
  const Type *end;
  bool runTime = false;
  explicit Chain(const Type *next);
};
struct PointerType : Type {
  QualType pointee;
  bool null = false;               // nullptr_t
  Chain chain;
  explicit PointerType(QualType p) : Type(TypeKind::Pointer), pointee(p), chain(p.type) {}
};
inline bool Type::isNullptr() const { return isPointer() && static_cast<const PointerType *>(this)->null; }

// Qualifiers of an array type are those of its element; `elem` carries them and QualType.quals of an array is 0 after
// sema.
struct ArrayType : Type {
  QualType elem;
  ArrayKind arrayKind;
  uint64_t count = 0;            // Constant
  Expr *size = nullptr;          // Variable: the converted size expression (rvalue of size_t); not uniqued then.
  // Variable: sema gives every VLA dimension that must survive a hidden local variable of type size_t. Such dimensions
  // are those of declared VLAs, VLA typedefs and variably modified parameters. Codegen sets the variable when the
  // declaration is reached, and reads the variable for sizeof and indexing.
  VarDecl *sizeVar = nullptr;
  uint8_t paramQuals = 0;  // a[const 3] as a parameter, before adjustment
  Chain chain;
  // For all dimensions together: the type of an element, and the number of elements (modulo 2^64; 0 unless all
  // dimensions are constant).
  const Type *base;
  uint64_t total;
  bool open = false;  // some dimension is []
  bool variable = false;  // some dimension has a size known at run time
  ArrayType(QualType e, ArrayKind k, uint64_t n = 0)
      : Type(TypeKind::Array), elem(e), arrayKind(k), count(n), chain(e.type), base(e.type) {
    total = k == ArrayKind::Constant ? n : 0;
    open = k == ArrayKind::Incomplete;
    variable = k == ArrayKind::Variable || k == ArrayKind::Star;
    if (e.type && e->isArray()) {
      const auto *inner = static_cast<const ArrayType *>(e.type);
      base = inner->base;
      total *= inner->total;
      open |= inner->open;
      variable |= inner->variable;
    }
    chain.runTime |= variable;
  }
};
inline Chain::Chain(const Type *next) : end(next) {
  if (next && next->isPointer()) *this = static_cast<const PointerType *>(next)->chain;
  else if (next && next->isArray()) *this = static_cast<const ArrayType *>(next)->chain;
}
// The chain of a pointer or an array, else null.
inline const Chain *chainOf(const Type *t) {
  return t->isPointer() ? &static_cast<const PointerType *>(t)->chain
         : t->isArray() ? &static_cast<const ArrayType *>(t)->chain
                        : nullptr;
}

struct VectorType : Type {
  const Type *elem;
  uint64_t count;
  VectorType(const Type *e, uint64_t n) : Type(TypeKind::Vector), elem(e), count(n) {}
};

struct FunctionType : Type {
  QualType result;
  // adjusted (arrays and functions are pointers), top-level qualifiers dropped for identity
  std::vector<QualType> params;
  bool variadic = false;
  bool prototype = true;  // false: () in C17 mode or K&R
  bool isCilk = false;  // `cilk` is part of the type: a pointer to a procedure is no pointer to a C function
  bool isInlet = false;
  bool isThread = false;  // Cilk-1
  bool noreturn = false;
  bool msAbi = false;  // the attribute ms_abi: Windows' calling convention
  FunctionType() : Type(TypeKind::Function) {}
};

struct FieldDecl {
  std::string_view name;  // empty: unnamed bit-field or anonymous member
  QualType type;
  const RecordType *parent = nullptr;
  uint32_t index = 0;  // in RecordType::fields
  bool bitField = false;
  uint32_t width = 0;  // of a bit-field, in bits
  bool anonymous = false;  // anonymous struct or union member
  uint32_t attrAlign = 0;  // _Alignas/aligned, bytes; 0 = none
  // alignment that an `aligned` typedef name brought along; replaces the type's; 0 = none
  uint32_t typedefAlign = 0;
  bool attrPacked = false;
  uint32_t rangeBegin = 0, rangeEnd = 0;  // Loc.raw
  // layout.cpp:
  // bytes; of a bit-field: of the storage unit that is accessed (a naturally placed unit of its declared type,
  uint64_t offset = 0;
  // or smaller for packed ones; never reads beyond the record)
  uint32_t bitOffset = 0;  // bits from the least significant bit of the unit at `offset` (little endian)
  // size of that unit: 1, 2, 4, 8, 16 (packed bit-fields may need up to 9 bytes: then unitBytes = 16 is
  uint32_t unitBytes = 0;
  // wrong; layout gives the smallest byte span, e.g. 3 or 9, and codegen loads iN of
  // that many bytes)
};

struct RecordType : Type {
  std::string_view tag;  // empty: anonymous
  bool isUnion = false;
  bool complete = false;
  bool isPackedAttr = false;
  bool flexible = false;  // ends in a flexible array member
  bool transparentUnion = false;
  bool mayBeUnused = false;  // so may objects of it, says an attribute
  QualType continues;  // `cont T`: T. Its members have no names that a program could write
  QualType awaits;  // `future T`: T, the type of the last member
  QualType reduces;  // `T cilk_reducer(identity, reduce)`: T, the type of the only member
  Expr *identity = nullptr, *reduce = nullptr;  // its functions, constants of type void *
  // GNU: some member has a variably modified type; size and the offsets after it are known at run time only
  bool variable = false;
  std::vector<FieldDecl *> fields;
  uint64_t size = 0;  // bytes, once complete
  uint32_t align = 1;
  uint32_t attrAlign = 0;
  uint32_t packAlign = 0;  // #pragma pack(n) in effect, 0 = none
  uint32_t rangeBegin = 0, rangeEnd = 0;
  RecordType() : Type(TypeKind::Record) {}
};

inline bool Type::isBitInt() const {
  return kind == TypeKind::WideBits && static_cast<const WideBitsType *>(this)->precise;
}
inline bool Type::isWide() const {
  return isBitInt() && static_cast<const WideBitsType *>(this)->width > maxOrdinaryBits;
}
inline bool Type::isFuture() const { return isRecord() && static_cast<const RecordType *>(this)->awaits; }
inline bool Type::isReducer() const { return isRecord() && static_cast<const RecordType *>(this)->reduces; }
inline bool Type::isCont() const { return isRecord() && static_cast<const RecordType *>(this)->continues; }

struct Enumerator {
  std::string_view name;
  __int128 value;
  EnumConstDecl *decl;
};
struct EnumType : Type {
  std::string_view tag;
  bool complete = false;
  bool fixed = false;
  bool packed = false;
  const Type *underlying = nullptr;  // int or unsigned etc., once complete
  std::vector<Enumerator> constants;
  uint32_t rangeBegin = 0, rangeEnd = 0;
  EnumType() : Type(TypeKind::Enum) {}
};

uint64_t sizeOf(const Type *, const TargetInfo &);  // complete, not variably sized; void and functions are 1 (GNU)
uint32_t alignOf(const Type *, const TargetInfo &);  // in bytes
bool isSigned(const Type *, const TargetInfo &);  // integers and enums
bool isComplete(const Type *);
bool isVariablyModified(const Type *);
bool hasVariableSize(const Type *);  // a VLA, an array of such, or a record with such a member
// C source text for messages: "int *", "struct s", "int (*)(int, char *)", "cilk int (int)".
std::string toString(QualType);
std::string declToString(QualType, std::string_view name);
// The same in plain C: no Cilk words; records and enums are spelled by `names` where it has them (anonymous ones with a
// typedef name).
using TypeNames = std::unordered_map<const Type *, std::string_view>;
std::string declToC(QualType, std::string_view name, const TypeNames &names);

}  // namespace cilkc
