// layout.h - where the members of a record lie.
#pragma once
#include "frontend/types/type.h"

namespace cilkc {

// Sets the record's size and alignment, and the places of its members. False: it is larger than any object may be, and
// got no size.
bool layoutRecord(RecordType *, const TargetInfo &);
// Of an object of the type, in bytes: an atomic one of up to 16 bytes is aligned to its size.
uint32_t objectAlign(QualType, const TargetInfo &);
// Of a member that is no bit-field, in bytes.
uint32_t memberAlign(const RecordType *, const FieldDecl *, const TargetInfo &);

}  // namespace cilkc
