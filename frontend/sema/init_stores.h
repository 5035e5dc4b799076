// init_stores.h - the list of stores that an initialiser comes to, as the walk over its items fills it.
//
// Stores are appended in order. Only a store before the furthest place reached so far can override another: then
// what it covers is taken out of the list. What covers a part of a larger store, such as a struct's value, comes after
// it. What is written for a range of elements, [a ... b], is stored for its first one and counts for the others with
// what it covers, which is logged for that; pieces of a range that is cut keep its place in the order.
#ifndef CILKC_FRONTEND_SEMA_INIT_STORES_H
#define CILKC_FRONTEND_SEMA_INIT_STORES_H

#include <algorithm>
#include <map>
#include <unordered_set>
#include "frontend/sema/core/sema.h"

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

  static uint64_t bitsOf(const InitStore &st, const TargetInfo &target) {
    return st.bitField ? st.bitField->width : sizeOf(st.type.type, target) * 8;
  }
  static uint64_t beginOf(const InitStore &st) { return st.offset * 8 + (st.bitField ? st.bitField->bitOffset : 0); }

  // Stores by place, made when the first jump back asks for it: the narrow ones by their first bit, the others in a
  // list. A store that has been overridden loses its value and goes when the plan is done.
  bool indexed = false;
  std::multimap<uint64_t, size_t> narrow;
  std::vector<size_t> wide;
  static constexpr uint64_t narrowBits = 128;

  void addToIndex(size_t i) {
    const InitStore &st = stores[i];
    if (st.repeat == 1 && bitsOf(st, target()) <= narrowBits) narrow.emplace(beginOf(st), i);
    else wide.push_back(i);
  }

  void makeIndex() {
    if (indexed) return;
    indexed = true;
    for (size_t i = 0; i < stores.size(); ++i) addToIndex(i);
  }

  void append(const InitStore &st) {
    stores.push_back(st);
    if (indexed) addToIndex(stores.size() - 1);
  }

  // Is a struct's, union's or vector's value that of the very object that is at hand? Elided braces start afresh over
  // it; over what braces have given, and over a part of a larger value, they go on. (So gcc and clang where they
  // agree.)
  bool hasWholeValue(QualType t, uint64_t offset) {
    const uint64_t from = offset * 8;
    if (t->isArray() || from >= reached) return false;
    makeIndex();
    auto standsFor = [&](size_t i) {
      const InitStore &st = stores[i];
      if (!st.value || st.type.type != t.type) return false;
      const uint64_t begin = beginOf(st), stride = st.stride * 8;
      if (st.repeat <= 1 || !stride) return begin == from;
      return from >= begin && (from - begin) % stride == 0 && (from - begin) / stride < st.repeat;
    };
    auto here = narrow.equal_range(from);
    return std::any_of(here.first, here.second, [&](const auto &entry) { return standsFor(entry.second); }) ||
           std::any_of(wide.begin(), wide.end(), standsFor);
  }

  // pieces of repeated stores and copies of stores, by whose place in the order they keep
  std::map<size_t, size_t> origin;
  size_t placeOf(size_t i) const {
    auto of = origin.find(i);
    return of == origin.end() ? i : of->second;
  }
  void appendLike(const InitStore &st, size_t i) {
    origin.emplace(stores.size(), placeOf(i));
    append(st);
  }
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
  std::vector<Covered> *log = nullptr;

  bool cover(uint64_t from, uint64_t to, Range where) {
    if (skipped) return false;
    if (log && from < to) log->push_back({from, to});
    return takeOut(from, to, where);
  }

  // Takes out what is inside [from, to), in bits; ranges that stick out are cut. Says whether a store that sticks out
  // remains below.
  bool takeOut(uint64_t from, uint64_t to, Range where) {
    if (from >= reached || from >= to) return false;
    makeIndex();
    bool overridden = false, below = false;
    auto take = [&](size_t i) {
      InitStore st = stores[i];
      if (!st.value) return;
      uint64_t begin = beginOf(st), width = bitsOf(st, target()), stride = st.stride * 8,
               span = (st.repeat - 1) * stride + width;
      if (begin + span <= from || begin >= to) return;
      if (st.value->kind == ExprKind::Data) overridden = true;
      if (begin >= from && begin + span <= to) {
        overridden = overridden || st.value != cleared;
        stores[i].value = nullptr;
        return;
      }
      if (st.repeat <= 1 || stride == 0) {  // a larger store, such as a whole struct: the new one comes after it
        below = true;
        return;
      }
      overridden = overridden || st.value != cleared;
      stores[i].value = nullptr;
      // Copies that end before `from`, copies that begin at or after `to`, and those that only stick out.
      uint64_t before = from < begin + width ? 0 : std::min<uint64_t>(st.repeat, (from - begin - width) / stride + 1);
      uint64_t after = begin >= to ? 0 : std::min<uint64_t>(st.repeat, (to - begin + stride - 1) / stride);
      auto part = [&](uint64_t first, uint64_t n) {
        if (!n) return;
        InitStore p = st;
        p.offset += first * st.stride;
        p.repeat = n;
        appendLike(p, i);
      };
      part(0, before);
      for (uint64_t k : {before, after - 1})
        if (k >= before && k < after && (begin + k * stride < from || begin + k * stride + width > to) &&
            (k == before || after - 1 != before)) {
          part(k, 1);
          below = true;
        }
      part(after, st.repeat - after);
    };
    for (size_t k = 0, n = wide.size(); k < n; ++k) take(wide[k]);
    wide.erase(std::remove_if(wide.begin(), wide.end(), [&](size_t i) { return !stores[i].value; }), wide.end());
    auto it = narrow.lower_bound(from >= narrowBits ? from - narrowBits + 1 : 0);
    while (it != narrow.end() && it->first < to) {
      take(it->second);
      it = stores[it->second].value ? std::next(it) : narrow.erase(it);
    }
    if (overridden) s.diags.report(diag::override_init, where);
    return below;
  }

  InitStore zeros(uint64_t offset, uint64_t bytes, Range where) {
    auto *none = s.cx.make<StringLit>();
    none->type = s.cx.arrayOf(s.cx.basic(TypeKind::Char), bytes);
    none->range = where;
    cleared = none;
    InitStore st;
    st.offset = offset;
    st.type = none->type;
    st.value = none;
    return st;
  }

  // What braces begin with: nothing of [from, to) remains. In the first element of a range the others' stores count,
  // too.
  const Expr *cleared = nullptr;
  void clear(QualType t, uint64_t offset, const FieldDecl *bf, Range where, FieldDecl *member = nullptr) {
    if (skipped) return;
    const uint64_t bytes = sizeOfType(t), from = offset * 8 + (bf ? bf->bitOffset : 0),
                   to = from + (bf ? bf->width : bytes * 8);
    const bool below = takeOut(from, to, where);
    if (!below && !(log && !stores.empty())) return;
    if (log && from < to)
      log->push_back({from, to, stores.size(), offset, member ? t->as<RecordType>() : nullptr, member});
    InitStore st = zeros(offset, bytes, where);
    if (bf) {
      st.type = t.unqual();
      st.bitField = const_cast<FieldDecl *>(bf);
      st.value = s.conv.intConstant(0, t, where);
    }
    if (from < to) append(st);
    reached = std::max(reached, to);
  }

  std::vector<InitStore> finish() {
    if (!origin.empty()) {
      std::vector<size_t> order(stores.size());
      for (size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return placeOf(a) < placeOf(b); });
      std::vector<InitStore> sorted;
      sorted.reserve(order.size());
      for (size_t i : order) sorted.push_back(stores[i]);
      stores = std::move(sorted);
    }
    if (indexed)
      stores.erase(std::remove_if(stores.begin(), stores.end(), [](const InitStore &st) { return !st.value; }),
          stores.end());
    return std::move(stores);
  }

  void store(uint64_t offset, QualType t, FieldDecl *bf, Expr *value) {
    InitStore st;
    st.offset = offset;
    st.type = t.unqual();
    st.bitField = bf;
    st.value = value;
    uint64_t begin = beginOf(st), width = bitsOf(st, target());
    cover(begin, begin + width, value->range);
    append(st);
    reached = std::max(reached, begin + width);
    size = std::max(size, (begin + width + 7) / 8);
  }

  // Older than `from`, though it comes after it?
  bool foreign(size_t i, size_t from) const { return placeOf(i) < from; }

  // What was covered and, since `from`, stored in the first element counts for the others, too.
  void inOthers(const std::vector<Covered> &covered, size_t from, uint64_t at, uint64_t others, uint64_t stride,
      Range where) {
    if (log) log->insert(log->end(), covered.begin(), covered.end());
    const size_t end = stores.size();
    for (uint64_t k = 1; k <= others && ((at + k * stride) * 8 < reached || log); ++k)
      for (const Covered &c : covered) coverLike(c, k * stride, where);
    std::unordered_set<size_t> done;
    for (const Covered &c : covered) done.insert(c.zeros);
    repeat(from, at, others + 1, stride, end, &done);
  }

  // Covers in an element that is `offset` after the first of its range what was covered there. A union that has this
  // very member goes on in it.
  void coverLike(Covered c, uint64_t offset, Range where) {
    if (c.in && members.chosen(c.place + offset, c.in) == c.member) return;
    c.from += offset * 8;
    c.to += offset * 8;
    c.place += offset;
    const bool below = takeOut(c.from, c.to, where);
    if (c.zeros != SIZE_MAX) {
      InitStore copy = stores[c.zeros];
      const size_t like = c.zeros;
      c.zeros = SIZE_MAX;
      if (copy.value && (below || log)) {
        c.zeros = stores.size();
        copy.offset += offset;
        appendLike(copy, like);
      }
    } else if (c.in && below) appendLike(zeros(c.place, (c.to - c.from) / 8, where), c.after);
    if (log) log->push_back(c);
  }

  // [a ... b]: what was stored for the first element, at `at`, since `from` is stored in all of them.
  void repeat(size_t from, uint64_t at, uint64_t n, uint64_t stride, size_t end = SIZE_MAX,
      const std::unordered_set<size_t> *but = nullptr) {
    members.repeat(at, stride, n);
    end = std::min(end, stores.size());
    std::vector<std::pair<InitStore, size_t>> more;  // with the index of what it is a copy of
    for (size_t i = std::min(from, end); i < end; ++i) {
      InitStore &st = stores[i];
      if (!st.value || foreign(i, from) || (but && but->count(i))) continue;
      if (st.repeat == 1) {
        st.repeat = n;
        st.stride = stride;
        if (indexed) wide.push_back(i);
        reached = std::max(reached, beginOf(st) + (n - 1) * stride * 8 + bitsOf(st, target()));
        continue;
      }
      // A range within a range: one store for each element of the outer one.
      if (n > (1 << 20)) {
        s.diags.report(diag::range_too_large, st.value->range);
        failed = true;
        return;
      }
      for (uint64_t k = 1; k < n; ++k) {
        InitStore copy = st;
        copy.offset += k * stride;
        reached = std::max(reached, beginOf(copy) + (copy.repeat - 1) * copy.stride * 8 + bitsOf(copy, target()));
        more.emplace_back(copy, i);
      }
    }
    for (const auto &[copy, i] : more) appendLike(copy, i);
  }
};

}  // namespace cilkc

#endif
