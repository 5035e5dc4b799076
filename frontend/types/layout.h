// layout.h - where the members of a record lie.
#pragma once
#include "frontend/types/type.h"

namespace cilkc {

// Sets the record's size and alignment, and the places of its members. False: it is larger than any object may be, and
// got no size.
bool layoutRecord(RecordType *, const TargetInfo &);
// The alignment of an object in bytes. An atomic object of up to 16 bytes is aligned to its size.
uint32_t objectAlign(QualType, const TargetInfo &);
// The alignment of a member that is not a bit-field, in bytes.
uint32_t memberAlign(const RecordType *, const FieldDecl *, const TargetInfo &);

}  // namespace cilkc
