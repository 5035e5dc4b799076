// compat.h - compatible types, and the type of what is declared more than once (C17 6.2.7).
#pragma once
#include <utility>
#include "frontend/types/type_table.h"

namespace cilkc {

class Compatibility {
public:
  // byTag: C23's rule that records and enumerations of one tag with the same members are compatible, in whatever scope
  // they are.
  Compatibility(const TypeTable &t, bool byTag) : types(t), byTag(byTag) {}
  bool compatible(QualType, QualType) const;
  // more than compatible: what C11 6.7p3 wants of a repeated typedef
  bool sameType(QualType, QualType) const;
  bool sameRecord(const RecordType *, const RecordType *) const;  // two definitions of one tag that make one type
  QualType composite(QualType, QualType) const;
  // the same for types that are compatible; others share it seldom
  size_t kin(const Type *) const;

private:
  bool compatibleTypes(const Type *, const Type *) const;
  bool compatibleParameters(const Type *, const Type *) const;
  bool compatibleFunctions(const FunctionType *, const FunctionType *) const;
  const TypeTable &types;
  bool byTag;
  mutable std::vector<std::pair<const RecordType *, const RecordType *>> asked;  // pairs that sameRecord is comparing
};

}  // namespace cilkc
