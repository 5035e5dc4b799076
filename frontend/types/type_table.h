// type_table.h - the types of one compilation: the same arguments give the same pointer. Two kinds alone are new at
// each call. One kind may become something else later (a record, an enumeration). The other kind belongs to one place
// in the text (an array of variable length). Asking for another type is no visible change, so stages that may only read
// ask, too.
#pragma once
#include <memory>
#include "frontend/support/arena.h"
#include "frontend/types/type.h"

namespace cilkc {

class TypeTable {
public:
  TypeTable(Arena &, TargetInfo);
  ~TypeTable();
  TypeTable(const TypeTable &) = delete;
  TargetInfo target;

  const Type *basic(TypeKind k) const { return basics[static_cast<int>(k)]; }
  QualType pointerTo(QualType) const;
  QualType complexOf(const Type *elem) const;
  const Type *wideBits(const Type *declared, uint32_t width) const;
  QualType nullptrType() const;
  const Type *bitInt(uint32_t width, bool isUnsigned) const;  // up to maxBitInt
  QualType arrayOf(QualType elem, uint64_t n) const;
  QualType incompleteArrayOf(QualType elem) const;
  QualType starArrayOf(QualType elem) const;
  QualType vectorOf(const Type *elem, uint64_t n) const;
  QualType functionType(const FunctionType &proto) const;
  QualType contOf(QualType) const;
  QualType futureOf(QualType) const;
  QualType vaListType() const;
  const Type *sizeType() const { return basic(TypeKind::ULong); }
  const Type *ptrdiffType() const { return basic(TypeKind::Long); }

  // `identity` and `reduce` are typed constants; the same T with the same functions (or null) gives the same type.
  QualType reducerOf(QualType value, Expr *identity, const void *identityKey, Expr *reduce, const void *reduceKey);
  ArrayType *variableArrayOf(QualType elem, Expr *size, VarDecl *sizeVar = nullptr) const;  // these three are fresh
  RecordType *record(std::string_view tag, bool isUnion);
  EnumType *enumeration(std::string_view tag);

  QualType qualify(QualType t, unsigned quals);  // adds qualifiers; those of an array go to its elements
  QualType adjustParameter(QualType) const;  // arrays and functions become pointers
  QualType defaultPromoted(QualType) const;  // what default argument promotion makes of a type

private:
  Arena &arena;
  struct Impl;
  std::unique_ptr<Impl> impl;
  const Type *basics[64] = {};
};

}  // namespace cilkc
