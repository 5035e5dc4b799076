// layout.cpp - the layout of structs and unions: the System V x86-64 ABI and AAPCS64, which agree on everything but
// unnamed bit-fields (only AArch64 lets them align the record). The rules for `packed`, `aligned` and #pragma pack
// follow gcc, since the psABIs are silent:
//
//  * a member's alignment is its type's, 1 under `packed`, then at least what `aligned`/_Alignas asks, then at most the
//    pack value;
//  * a bit-field goes to the next free bit, but never across more units of its type than one (unless packed or under a
//    pack value);
//  * a zero-width bit-field aligns what follows to its type, whatever `packed` says;
//  * a named bit-field aligns the record like its type does.
//
// A second pass chooses, for each bit-field, the unit that code accesses: inside the run of neighbouring bit-fields and
// the padding around it, so that writing a bit-field never touches another member (C11 3.14; parallel code depends on
// it).
#include "frontend/types/layout.h"
#include <algorithm>

namespace cilkc {

uint32_t objectAlign(QualType t, const TargetInfo &target) {
  uint32_t a = alignOf(t.type, target);
  if (t.isAtomic()) {
    uint64_t size = sizeOf(t.type, target);
    if (size <= 16 && (size & (size - 1)) == 0) a = std::max<uint32_t>(a, static_cast<uint32_t>(size));
  }
  return a ? a : 1;
}

namespace {

constexpr uint64_t maxBits = uint64_t(1) << 62;

uint64_t roundUp(uint64_t v, uint64_t to) { return to ? (v + to - 1) / to * to : v; }

struct Layouter {
  RecordType *r;
  const TargetInfo &target;
  uint64_t bits = 0;  // next free bit (structs)
  uint64_t unionBits = 0;
  uint64_t align = 1;  // bytes
  bool tooLarge = false;
  std::vector<uint64_t> bitPos;  // of every field, in bits

  void place(FieldDecl *f) {
    bool packed = f->attrPacked || r->isPackedAttr;
    uint64_t natural = f->typedefAlign ? f->typedefAlign : objectAlign(f->type, target);
    uint64_t start = r->isUnion ? 0 : bits;
    if (f->bitField) {
      if (f->width == 0) {
        uint64_t a = std::max<uint64_t>(natural, f->attrAlign);
        start = roundUp(start, a * 8);
        if (target.facts->unnamedBitFieldsAlign) align = std::max(align, a);
        bitPos.push_back(start);
        if (!r->isUnion) bits = start;
        return;
      }
      uint64_t own = f->attrAlign;  // the position is aligned only on request
      // gcc makes a bit-field that fills an integer at a fitting place an ordinary member. Such a member has the
      // integer's alignment even when a typedef has reduced that of the member's type.
      bool ordinary = (f->width == 8 || f->width == 16 || f->width == 32 || f->width == 64 || f->width == 128) &&
                      !(packed && f->width > 8) && (start == 0 || (start & (~start + 1)) >= f->width);
      if (ordinary) own = std::max<uint64_t>(own, f->width / 8);
      if (own && r->packAlign) own = std::min<uint64_t>(own, r->packAlign);
      if (own) start = roundUp(start, own * 8);
      if (!packed && !r->packAlign && !ordinary) {
        uint64_t unit = natural * 8, size = sizeOf(f->type.type, target) * 8;
        // Counted from the last boundary of the type's alignment, the field may not need more such units than the type
        // has.
        uint64_t offsetInUnit = start % unit;
        if ((offsetInUnit + f->width + unit - 1) / unit > size / unit) start = roundUp(start, unit);
      }
      if (!f->name.empty() || target.facts->unnamedBitFieldsAlign) {
        uint64_t a = natural;
        if (r->packAlign) a = std::min<uint64_t>(a, r->packAlign);
        else if (packed) a = 1;
        align = std::max({align, a, own});
      }
      bitPos.push_back(start);
      if (r->isUnion) unionBits = std::max<uint64_t>(unionBits, f->width);
      else bits = start + f->width;
      return;
    }
    uint64_t a = memberAlign(r, f, target);
    align = std::max(align, a);
    start = roundUp(start, a * 8);
    bitPos.push_back(start);
    uint64_t bytes = sizeOf(f->type.type, target);
    if (bytes > maxBits / 8 || start > maxBits - bytes * 8) {
      tooLarge = true;
      bytes = 0;
    }
    if (r->isUnion) unionBits = std::max(unionBits, bytes * 8);
    else bits = start + bytes * 8;
  }

  // The unit of access for bit-field i: [lo, hi) in bytes is what may be touched.
  void accessUnit(FieldDecl *f, uint64_t pos, uint64_t lo, uint64_t hi) {
    uint64_t end = pos + f->width;
    auto tryUnit = [&](uint64_t bytes) {
      uint64_t off = pos / 8 / bytes * bytes;
      if (off < lo || off + bytes > hi || end > (off + bytes) * 8) return false;
      f->offset = off;
      f->unitBytes = static_cast<uint32_t>(bytes);
      f->bitOffset = static_cast<uint32_t>(pos - off * 8);
      return true;
    };
    if (tryUnit(sizeOf(f->type.type, target))) return;
    for (uint64_t bytes : {1, 2, 4, 8})
      if (tryUnit(bytes)) return;
    f->offset = pos / 8;
    f->bitOffset = static_cast<uint32_t>(pos % 8);
    f->unitBytes = static_cast<uint32_t>((end + 7) / 8 - f->offset);
  }

  bool run() {
    align = std::max<uint64_t>(1, r->attrAlign);
    bitPos.reserve(r->fields.size());
    for (FieldDecl *f : r->fields) place(f);
    uint64_t total = (r->isUnion ? unionBits : bits);
    total = roundUp(roundUp(total, 8) / 8, align);
    if (total > uint64_t(1) << 60) tooLarge = true;
    if (tooLarge) total = 0;
    r->size = total;
    r->align = static_cast<uint32_t>(align);
    units();
    return !tooLarge;
  }

  void units() {
    size_t n = r->fields.size();
    for (size_t i = 0; i < n;) {
      FieldDecl *f = r->fields[i];
      if (!f->bitField) {
        f->offset = bitPos[i] / 8;
        ++i;
        continue;
      }
      if (r->isUnion || f->width == 0) {
        f->offset = bitPos[i] / 8;
        if (f->width) accessUnit(f, bitPos[i], 0, r->size);
        ++i;
        continue;
      }
      // The run of bit-fields from i; a zero-width one ends it.
      size_t j = i;
      while (j < n && r->fields[j]->bitField && r->fields[j]->width) ++j;
      uint64_t lo = 0, hi = r->size;
      if (i > 0) {
        FieldDecl *before = r->fields[i - 1];
        if (before->bitField) lo = bitPos[i] / 8;  // after a zero-width one
        else lo = before->offset + sizeOf(before->type.type, target);
      }
      if (j < n) hi = bitPos[j] / 8;
      for (; i < j; ++i) accessUnit(r->fields[i], bitPos[i], lo, hi);
    }
  }
};

}  // namespace

uint32_t memberAlign(const RecordType *r, const FieldDecl *f, const TargetInfo &target) {
  uint32_t natural = f->typedefAlign ? f->typedefAlign : objectAlign(f->type, target);
  uint32_t a = std::max(f->attrPacked || r->isPackedAttr ? 1 : natural, f->attrAlign);
  return r->packAlign ? std::min(a, r->packAlign) : a;
}

bool layoutRecord(RecordType *r, const TargetInfo &target) { return Layouter{r, target, 0, 0, 1, false, {}}.run(); }

}  // namespace cilkc
