// stores.cpp - see stores.h. Stores that jump back look up what they override by its place.
#include "frontend/sema/c/init/stores.h"
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/sema/c/core/declstate.h"
#include "diag/sema_decl.h"

namespace cilkc {

static constexpr uint64_t kNarrowBits = 128;

static uint64_t bitsOf(const InitStore &st, const TargetInfo &target) {
  return st.bitField ? st.bitField->width : sizeOf(st.type.type, target) * 8;
}
static uint64_t beginOf(const InitStore &st) { return st.offset * 8 + (st.bitField ? st.bitField->bitOffset : 0); }
static uint64_t endOf(const InitStore &st, const TargetInfo &target) {
  return beginOf(st) + (st.repeat - 1) * st.stride * 8 + bitsOf(st, target);
}

InitList *literalList(Expr *e) {
  e = ignoreParens(e);
  InitList *list = e->kind == ExprKind::CompoundLit ? e->as<CompoundLit>()->init : nullptr;
  return list && list->plan ? list : nullptr;
}

// ---- the list -----------------------------------------------------------------------------------------------------

void InitStores::addToIndex(size_t i) {
  const InitStore &st = stores[i];
  if (st.repeat == 1 && bitsOf(st, target()) <= kNarrowBits) narrow.emplace(beginOf(st), i);
  else wide.push_back(i);
}

void InitStores::makeIndex() {
  if (indexed) return;
  indexed = true;
  for (size_t i = 0; i < stores.size(); ++i) addToIndex(i);
}

void InitStores::append(const InitStore &st) {
  stores.push_back(st);
  if (indexed) addToIndex(stores.size() - 1);
}

size_t InitStores::placeOf(size_t i) const {
  auto of = origin.find(i);
  return of == origin.end() ? i : of->second;
}
void InitStores::appendLike(const InitStore &st, size_t i) {
  origin.emplace(stores.size(), placeOf(i));
  append(st);
}

std::vector<InitStore> InitStores::finish() {
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

void InitStores::store(uint64_t offset, QualType t, FieldDecl *bf, Expr *value) {
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

void InitStores::include(const InitPlan &p, uint64_t offset) {
  if (auto of = s.ds->initialisers.unionsOf.find(&p); of != s.ds->initialisers.unionsOf.end())
    members.include(of->second, offset);
  for (InitStore st : p.stores) {
    st.offset += offset;
    const InitList *list = st.type->isRecord() && st.repeat <= 1 ? literalList(st.value) : nullptr;
    if (list) {
      include(*list->plan, st.offset);
      continue;
    }
    append(st);
    reached = std::max(reached, endOf(st, target()));
  }
}

// ---- jumps back ---------------------------------------------------------------------------------------------------

bool InitStores::hasWholeValue(QualType t, uint64_t offset) {
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

void InitStores::cover(uint64_t from, uint64_t to, Range where) {
  if (skipped) return;
  if (log && from < to) log->push_back({from, to});
  takeOut(from, to, where);
}

// Takes out what is inside [from, to), in bits; ranges that stick out are cut. Says whether a store that sticks out
// remains below.
bool InitStores::takeOut(uint64_t from, uint64_t to, Range where) {
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
  auto it = narrow.lower_bound(from >= kNarrowBits ? from - kNarrowBits + 1 : 0);
  while (it != narrow.end() && it->first < to) {
    take(it->second);
    it = stores[it->second].value ? std::next(it) : narrow.erase(it);
  }
  if (overridden) s.diags.report(diag::override_init, where);
  return below;
}

InitStore InitStores::zeros(uint64_t offset, uint64_t bytes, Range where) {
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

// In the first element of a range the others' stores count, too.
void InitStores::clear(QualType t, uint64_t offset, const FieldDecl *bf, Range where, FieldDecl *member) {
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

void InitStores::choose(const RecordType *r, uint64_t offset, FieldDecl *f, Range where) {
  if (members.chosen(offset, r) != f) clear({r}, offset, nullptr, where, f);
  else if (log && !stores.empty())
    log->push_back({offset * 8, (offset + sizeOfType({r})) * 8, SIZE_MAX, offset, r, f, stores.size() - 1});
  members.choose(offset, r, f);
}

// ---- ranges -------------------------------------------------------------------------------------------------------

void InitStores::inOthers(const std::vector<Covered> &covered, size_t from, uint64_t at, uint64_t others,
    uint64_t stride, Range where) {
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
void InitStores::coverLike(Covered c, uint64_t offset, Range where) {
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

void InitStores::repeat(size_t from, uint64_t at, uint64_t n, uint64_t stride, size_t end,
    const std::unordered_set<size_t> *but) {
  members.repeat(at, stride, n);
  end = std::min(end, stores.size());
  std::vector<std::pair<InitStore, size_t>> more;  // with the index of what it is a copy of
  for (size_t i = std::min(from, end); i < end; ++i) {
    InitStore &st = stores[i];
    // older than `from`, though it comes after it
    if (!st.value || placeOf(i) < from || (but && but->count(i))) continue;
    if (st.repeat == 1) {
      st.repeat = n;
      st.stride = stride;
      if (indexed) wide.push_back(i);
      reached = std::max(reached, endOf(st, target()));
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
      reached = std::max(reached, endOf(copy, target()));
      more.emplace_back(copy, i);
    }
  }
  for (const auto &[copy, i] : more) appendLike(copy, i);
}

}  // namespace cilkc
