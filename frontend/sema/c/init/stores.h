// stores.h - the layout of an initialiser: which bits hold which value, as a list of stores that the walk over the
// items (init.cpp) fills.
//
// Invariant: done in the order of the list, the stores give the object its value. No two of them overlap, but for a
// store of a part, which comes after the larger value that it changes, such as a struct's.
//
// Stores are appended in order. Only a store before `reached`, the furthest place so far, can override another: then
// what it covers is taken out of the list. So a list without jumps takes linear time. What is written for a range of
// elements, [a ... b], is stored for its first one and counts for the others with what it covers, which is logged for
// that; pieces of a range that is cut keep its place in the order.
#pragma once
#include <map>
#include <unordered_set>
#include "frontend/sema/c/core/sema.h"
#include "frontend/sema/c/core/union_members.h"

namespace cilkc {

struct InitStores {
  explicit InitStores(Sema &sema) : s(sema) {}
  Sema &s;
  std::vector<InitStore> stores;
  uint64_t reached = 0;  // bits: the furthest end of a store so far
  uint64_t size = 0;  // bytes: with flexible array data
  bool failed = false;
  UnionMembers members;
  const InitItem *skipped = nullptr;  // the item at hand has been stored: it covers nothing

  const TargetInfo &target() const { return s.cx.target; }
  uint64_t sizeOfType(QualType t) const {
    return isComplete(t.type) && !hasVariableSize(t.type) ? sizeOf(t.type, target()) : 0;
  }

  void store(uint64_t offset, QualType, FieldDecl *bitField, Expr *value);
  // The stores of a compound literal that initialises the record at `offset`, and of those in it.
  void include(const InitPlan &, uint64_t offset);
  // [from, to), in bits, gets new values.
  void cover(uint64_t from, uint64_t to, Range where);
  // What braces begin with: nothing of the object remains. member: which one of a union begins.
  void clear(QualType, uint64_t offset, const FieldDecl *bitField, Range where, FieldDecl *member = nullptr);
  // A union's member gets a value: what others gave it goes.
  void choose(const RecordType *, uint64_t offset, FieldDecl *member, Range where);
  // Is a struct's, union's or vector's value that of the very object that is at hand? Elided braces start afresh over
  // it; over what braces have given, and over a part of a larger value, they go on. (So gcc and clang where they
  // agree.)
  bool hasWholeValue(QualType, uint64_t offset);
  std::vector<InitStore> finish();

  // What a range with further designators covers in its first element, to be done in the others: bits, and the zeros
  // that were put there. Where it is about a union, to be done in those that have another member than this.
  struct Covered {
    uint64_t from, to;
    size_t zeros = SIZE_MAX;
    uint64_t place = 0;
    const RecordType *in = nullptr;
    FieldDecl *member = nullptr;
    size_t after = 0;  // the last store before
  };
  std::vector<Covered> *log = nullptr;  // of the range at hand

  // What was covered and, since `from`, stored in the first element counts for the others, too.
  void inOthers(const std::vector<Covered> &, size_t from, uint64_t at, uint64_t others, uint64_t stride, Range where);
  // [a ... b]: what was stored for the first element, at `at`, since `from` is stored in all of them.
  void repeat(size_t from, uint64_t at, uint64_t n, uint64_t stride, size_t end = SIZE_MAX,
      const std::unordered_set<size_t> *but = nullptr);

private:
  // Stores by place, made when the first jump back asks for it: the narrow ones by their first bit, the others in a
  // list. A store that has been overridden loses its value and goes when the plan is done.
  bool indexed = false;
  std::multimap<uint64_t, size_t> narrow;
  std::vector<size_t> wide;
  // pieces of repeated stores and copies of stores, by whose place in the order they keep
  std::map<size_t, size_t> origin;
  const Expr *cleared = nullptr;  // the latest zeros

  void append(const InitStore &);
  void appendLike(const InitStore &, size_t i);
  void addToIndex(size_t i);
  void makeIndex();
  size_t placeOf(size_t i) const;
  bool takeOut(uint64_t from, uint64_t to, Range where);
  InitStore zeros(uint64_t offset, uint64_t bytes, Range where);
  void coverLike(Covered, uint64_t offset, Range where);
};

InitList *literalList(Expr *);  // of a compound literal with a plan: used in its place

}  // namespace cilkc
