// init.cpp - initialisers (C17 6.7.9) with GNU's additions: from nested braces, elided braces, designators and ranges
// to the flat InitPlan of ast.h. This file finds the subobject of each item. init_values types what it gets,
// init_stores lays it out, init_warnings reports on the whole.
//
// One walk follows the list and the type at once. At each brace level `Items` runs through the items, a position
// through the subobjects. Where braces are elided the inner level goes on with the outer level's items. A designator
// moves the position. A designator of several steps descends. The items that follow go on after the designated
// subobject, on the way out through all levels, as C states.
//
// Invariant: each item is passed once, in order, and a call for a subobject passes all items that the subobject takes.
// The exception is the item of a range with further designators: everyElement() has it alone first. Braces begin with
// zeros over a larger store, such as a struct's value, for the members that they don't name.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/consteval/static_value.h"
#include "frontend/sema/c/core/declstate.h"
#include "frontend/sema/c/init/values.h"
#include "frontend/sema/c/init/warnings.h"
#include "frontend/sema/c/init/run.h"
#include "diag/sema_decl.h"
#include "diag/sema_expr.h"

namespace cilkc {

namespace {

// The rest of an item's designators; a name inside anonymous members is several steps.
struct Designators {
  const std::vector<Designator> *list = nullptr;
  size_t at = 0;
  std::vector<FieldDecl *> path;
  size_t pathAt = 0;
  bool done() const { return pathAt >= path.size() && (!list || at >= list->size()); }
  bool inPath() const { return pathAt < path.size(); }
  const Designator &current() const { return (*list)[at]; }
};

// The items of one list in braces. A row of constants gives one element at a time; the item's `init` is the one at
// hand.
struct Items {
  Items(AstContext &cx, InitList *list) : cx(cx), list(list), end(list->items.size()) {}
  AstContext &cx;
  InitList *const list;
  size_t at = 0, end;
  uint64_t passed = 0;
  const InitItem *arrived = nullptr;  // its designators have led to the subobject at hand

  bool ended() const { return at >= end; }
  InitItem &item() const { return list->items[at]; }
  bool designated() const { return !item().designators.empty() && arrived != &item(); }
  Initializer *init() const {
    if (item().run && !item().init) item().init = takeElement(cx, *item().run);
    return item().init;
  }
  Range range() const { return item().init ? item().init->range : list->range; }
  void next() {
    ++passed;
    if (item().run) {
      item().init = nullptr;
      if (item().run->left) return;
    }
    ++at;
  }
};

struct InitWalk : InitValues {
  using InitValues::InitValues;
  int depth = 0;  // of subobjects, the outermost is 1
  int inArray = 0;  // in the initialisers of how many arrays' elements

  // What no place is left for. In a row there is nothing to look at.
  void pass(Items &items) {
    if (items.item().run) items.item().run->left = 0;
    else touch(items.item().init);
    items.next();
  }
  void excess(Items &items, QualType t) {
    items.init();
    warnExcess(s, t, items.range());
    for (size_t i = items.at; i < items.list->items.size(); ++i) touch(items.list->items[i].init);
  }
  bool flexible(Range where) { return flexibleAllowed(*this, inArray, where); }

  // ---- one subobject ----
  void element(QualType t, uint64_t offset, FieldDecl *f, Items &items) {
    Initializer *init = items.init();
    if (init && skipped != &items.item() && !t->isError() && !init->list && init->expr) {
      Expr *e = init->expr = typed(init->expr);
      if (isAggregate(t)) return aggregate(e, t, offset, f, items);
      items.next();
      return scalar(init, t, offset, f);
    }
    bool skips = skipped == &items.item();
    items.next();
    if (!init || skips) {
      skipped = nullptr;
    } else if (t->isError()) {
      touch(init);
      failed = true;
    } else if (init->list) {
      if (f && f->bitField) scalarBraces(t, offset, f, init->list);
      else braced(t, offset, init->list, f, init->range);
    }
  }

  // An expression for an array, record or vector: for all of it, or for its first scalar.
  void aggregate(Expr *e, QualType t, uint64_t offset, FieldDecl *f, Items &items) {
    if (StringLit *lit = asString(e); lit && isCharArray(t)) {
      items.next();
      if (t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete && !flexible(e->range)) return;
      cover(offset * 8, (offset + sizeOfType(t)) * 8, e->range);
      string(t, offset, lit, e->range);
    } else if (e->kind == ExprKind::Error) {
      failed = true;
      items.next();
    } else if (is(e, t) && (!t->isArray() || (isStatic && literalList(e)))) {
      items.next();
      whole(e, t, offset);
    } else if (t->isRecord() && e->type->isRecord() && !hasScalar(t)) {  // another struct, and nothing to take it
      items.next();
      value(e, t);
    } else {
      s.diags.report(diag::missing_braces, e->range);
      if (hasWholeValue(t, offset)) clear(t, offset, nullptr, e->range);
      elided(t, offset, items, nullptr, f);
    }
  }

  void elided(QualType t, uint64_t offset, Items &items, Designators *path, FieldDecl *f) {
    Saved level(depth, depth + 1);
    if (t->isRecord()) record(t, offset, items, false, path);
    else if (t->isArray()) {
      bool open = t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete;
      if (!open || flexible(f ? Range{Loc{f->rangeBegin}, Loc{f->rangeEnd}} : items.list->range))
        array(t, offset, items, false, path);
      else items.next();
    } else if (t->isVector()) array(t, offset, items, false, path);
    else if (path) {
      s.diags.report(diag::designator_scalar, path->current().range) << toString(t);
      failed = true;
      pass(items);
    } else items.next();
  }

  // { … } for an object. Returns its type with the size that follows from the list.
  QualType braced(QualType t, uint64_t offset, InitList *list, FieldDecl *f, Range where) {
    if (list->items.empty() && s.cx.lang.std < LangOptions::C2x)
      s.diags.report(diag::empty_initializer, list->range.valid() ? list->range : where);
    if (isAggregate(t)) clear(t, offset, nullptr, where);
    Items items(s.cx, list);
    Saved level(depth, depth + 1);
    // the only expression that may stand for the whole
    Expr **first = nullptr;
    if (!list->items.empty() && list->items[0].designators.empty() && list->items[0].init && list->items[0].init->expr)
      first = &list->items[0].init->expr;
    if (t->isArray()) {
      const auto *a = t->as<ArrayType>();
      bool open = a->arrayKind == ArrayKind::Incomplete;
      if (first && isCharArray(t)) {  // char s[] = { "abc" };
        Expr *e = *first = typed(*first);
        if (StringLit *lit = asString(e)) {
          if (e->kind == ExprKind::Paren) s.diags.report(diag::parenthesised_string, e->range);
          items.at = 1;
          if (!items.ended()) excess(items, t);
          if (open && depth > 1 && !flexible(where)) return t;
          return string(t, offset, lit, e->range);
        }
      }
      bool variable = a->arrayKind == ArrayKind::Variable || a->arrayKind == ArrayKind::Star;
      if (variable && list->items.empty()) return t;
      if (variable) s.diags.report(diag::vla_initialized, where);
      failed |= variable;
      if (variable || (open && depth > 1 && !list->items.empty() && !flexible(where))) {
        for (InitItem &i : list->items) touch(i.init);
        return t;
      }
      return array(t, offset, items, true, nullptr);
    }
    if (t->isVector() && first && list->items.size() == 1) {  // { v } with a vector of the same type inside
      Expr *e = *first = typed(*first);
      if (e->type.type && is(e, t)) {
        whole(e, t, offset);
        return t;
      }
    }
    if (t->isRecord()) record(t, offset, items, true, nullptr);
    else if (t->isVector()) array(t, offset, items, true, nullptr);
    else scalarBraces(t, offset, f, list);
    return t;
  }

  void scalarBraces(QualType t, uint64_t offset, FieldDecl *f, InitList *list) {
    if (list->items.empty()) {  // {}: zero
      clear(t, offset, f && f->bitField ? f : nullptr, list->range);
      return;
    }
    Items items(s.cx, list);
    Initializer *init = items.init();
    if (!items.item().designators.empty()) {
      s.diags.report(diag::designator_scalar, items.item().designators[0].range) << toString(t);
      failed = true;
    }
    if (init && init->list) {
      s.diags.report(diag::braces_scalar, init->range);
      if (depth < 1000) {
        Saved level(depth, depth + 1);
        scalarBraces(t, offset, f, init->list);
      }
    } else if (init && init->expr) {
      init->expr = typed(init->expr);
      scalar(init, t, offset, f);
    }
    items.next();
    if (!items.ended()) excess(items, t);
  }

  // A reducer in an object is initialised as its view: its braces and designators are those of the view's type.
  static QualType viewOf(QualType t) { return t->isReducer() ? t->as<RecordType>()->reduces : t; }

  // ---- records ----
  // The field the next step names, or null after a report.
  FieldDecl *takeField(Designators &path, const RecordType *r) {
    if (path.inPath()) return path.path[path.pathAt++];
    const Designator &d = path.current();
    std::vector<FieldDecl *> found;
    if (d.field.empty()) s.diags.report(diag::designator_index, d.range) << toString({r});
    else if (!s.exprs.findMember(r, d.field, found) || found.empty())
      s.diags.report(diag::designator_field, d.range) << d.field << toString({r});
    else {
      ++path.at;
      path.path = std::move(found);
      path.pathAt = 1;
      return path.path[0];
    }
    failed = true;
    return nullptr;
  }

  // first: the designators that have led here.
  void record(QualType t, uint64_t offset, Items &items, bool braces, Designators *first) {
    const auto *r = t->as<RecordType>();
    size_t pos = 0, n = r->fields.size();
    bool designated = false, reported = false;
    const uint64_t start = items.passed;
    for (; first || !items.ended(); first = nullptr) {
      Designators own, *path = first;
      FieldDecl *f = nullptr;
      if (!path && items.designated()) {
        if (!braces) return;
        own.list = &items.item().designators;
        path = &own;
      }
      if (path) {
        designated = true;
        f = takeField(*path, r);
      } else {
        while (pos < n && r->fields[pos]->name.empty() && !r->fields[pos]->anonymous) ++pos;
        if (pos < n) {
          f = r->fields[pos];
        } else {
          if (!braces) return;
          items.init();
          if (!reported) warnExcess(s, t, items.range());
          reported = true;
        }
      }
      if (!f) {
        pass(items);
        continue;
      }
      if (r->isUnion) choose(r, offset, f, items.range());
      pos = r->isUnion ? n : f->index + 1;
      uint64_t at = offset + f->offset;
      const QualType type = viewOf(f->type);
      if (path && !path->done()) {
        elided(type, at, items, path, f);
      } else {
        if (path) items.arrived = &items.item();
        element(type, at, f, items);
      }
    }
    if (braces && !designated && !r->isUnion && items.passed > start && pos < n && !failed)
      warnMissingFields(s, r, pos, items.list);
  }

  // ---- arrays and vectors ----
  QualType array(QualType t, uint64_t offset, Items &items, bool braces, Designators *first) {
    bool vector = t->isVector();
    const QualType elem = vector ? QualType(t->as<VectorType>()->elem) : viewOf(t->as<ArrayType>()->elem);
    bool open = !vector && t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete;
    uint64_t count = vector ? t->as<VectorType>()->count : open ? UINT64_MAX : t->as<ArrayType>()->count;
    uint64_t stride = sizeOfType(elem), pos = 0, used = 0;
    const uint64_t limit = stride ? INT64_MAX / stride : INT64_MAX;
    bool reported = false;
    for (; first || !items.ended(); first = nullptr) {
      Designators own, *path = first;
      uint64_t lo = pos, hi = pos;
      if (!path && items.designated()) {
        if (!braces) break;
        own.list = &items.item().designators;
        path = &own;
      }
      if (path ? !takeIndex(*path, t, count, limit, lo, hi) : pos >= count) {
        if (!path) {
          if (!braces) break;
          items.init();
          if (!reported) warnExcess(s, t, items.range());
          reported = true;
        }
        pass(items);
        continue;
      }
      if (InitItem &item = items.item();
          item.run && !item.init && !path && !vector && (offset + pos * stride) * 8 >= reached)
        if (Data *row = takeElements(s, *item.run, elem, count - pos)) {
          store(offset + pos * stride, row->type, nullptr, row);
          used = std::max(used, pos += row->count);
          items.next();
          continue;
        }
      elements(elem, offset + lo * stride, hi - lo, items, path);
      pos = hi + 1;
      used = std::max(used, pos);
      if (stride) size = std::max(size, offset + pos * stride);
    }
    return open && depth == 1 ? s.cx.arrayOf(t->as<ArrayType>()->elem, used) : t;
  }

private:
  // One item, or what of the items one element takes, for the element at `at` and for so many others after it.
  void elements(QualType elem, uint64_t at, uint64_t others, Items &items, Designators *path) {
    const uint64_t stride = sizeOfType(elem), before = items.passed;
    const bool inner = path && !path->done();
    const bool parts = others && !inner && elides(elem, items.init());
    const Range where = items.list->range;
    if (others && !inner && !parts) cover(at * 8, (at + (others + 1) * stride) * 8, where);
    std::vector<Covered> covered;
    const size_t firstStore = stores.size();
    if (inner && others) everyElement(elem, at, others, items, *path);
    else if (inner) elided(elem, at, items, path, nullptr);
    else {
      if (path) items.arrived = &items.item();
      Saved<std::vector<Covered> *> first(log, parts ? &covered : log);
      ++inArray;
      element(elem, at, nullptr, items);
      --inArray;
    }
    if (items.passed == before) pass(items);  // an element without members takes nothing
    for (uint64_t k = 1; parts && k <= others && (at + k * stride) * 8 < reached; ++k)
      if (hasWholeValue(elem, at + k * stride)) cover((at + k * stride) * 8, (at + (k + 1) * stride) * 8, where);
    if (parts) inOthers(covered, firstStore, at, others, stride, where);
    else if (others && !inner) repeat(firstStore, at, others + 1, stride);
  }

  bool takeIndex(Designators &path, QualType t, uint64_t count, uint64_t limit, uint64_t &lo, uint64_t &hi) {
    if (path.inPath()) return false;
    const Designator &d = path.current();
    ++path.at;
    if (!d.field.empty() || !d.lo) {
      s.diags.report(diag::designator_not_record, d.range) << d.field << toString(t);
      failed = true;
      return false;
    }
    if (t->isVector()) {
      s.diags.report(diag::designator_index, d.range) << toString(t);
      failed = true;
      return false;
    }
    auto index = [&](Expr *const &slot) -> std::optional<__int128> {
      auto v = s.conv.integerConstant(const_cast<Expr *&>(slot), "array index in an initialiser");
      if (!v) failed = true;
      return v;
    };
    auto a = index(d.lo);
    std::optional<__int128> b = a;
    if (d.hi) {
      b = index(d.hi);
      s.diags.report(diag::range_designator, d.range);
    }
    if (!a || !b) return false;
    if (*a < 0 || *a > static_cast<__int128>(limit) || static_cast<unsigned __int128>(*a) >= count ||
        (*b >= 0 && static_cast<unsigned __int128>(*b) >= count) || *b >= static_cast<__int128>(limit)) {
      s.diags.report(diag::designator_bounds, d.range) << toString(t);
      failed = true;
      return false;
    }
    if (*b < *a) {
      s.diags.report(diag::designator_empty_range, d.range);
      failed = true;
      return false;
    }
    lo = static_cast<uint64_t>(*a);
    hi = static_cast<uint64_t>(*b);
    return true;
  }

  // [0 ... 9].x = 1: the other members stay, in every element. The items that follow go on in the last one.
  void everyElement(QualType elem, uint64_t at, uint64_t others, Items &items, Designators path) {
    const uint64_t stride = sizeOfType(elem);
    const size_t here = items.at;
    Designators once = path;
    const size_t firstStore = stores.size();
    std::vector<Covered> covered;
    {
      Saved<std::vector<Covered> *> inner(log, &covered);
      Saved<size_t> alone(items.end, here + 1);
      elided(elem, at, items, &once, nullptr);
    }
    InitItem &item = items.list->items[here];
    inOthers(covered, firstStore, at, others, stride, item.init ? item.init->range : items.list->range);
    if (failed || items.at != here + 1 || items.ended() || !items.item().designators.empty()) return;
    skipped = &item;
    items.at = here;
    elided(elem, at + others * stride, items, &path, nullptr);
    skipped = nullptr;
  }
};

}  // namespace

QualType Inits::initializer(Initializer *init, QualType t, bool staticStorage, Range where) {
  if (!init || !t.type) return t;
  if (t->isReducer()) {  // that of its only member
    QualType value = t->as<RecordType>()->reduces;
    initializer(init, value, staticStorage, where);
    if (init->list && init->list->plan) {
      init->list->plan->type = t;
    } else if (init->expr && !init->expr->type->isError()) {
      auto *plan = cx.make<InitPlan>();
      plan->type = t;
      plan->size = sizeOf(t.type, cx.target);
      plan->stores.push_back({0, value.unqual(), nullptr, init->expr});
      init->list = cx.make<InitList>();
      init->list->range = init->expr->range;
      init->list->plan = plan;
      init->expr = nullptr;
    }
    return t;
  }
  InitWalk b(sema, staticStorage);
  if (t->isError() || t->isFunction() || t->isVoid() || t->kind == TypeKind::Auto) {
    b.touch(init);
    return t;
  }
  if (hasVariableSize(t.type) && (t->isRecord() || t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete)) {
    diags.report(diag::vla_initialized, where);
    b.touch(init);
    return t->isRecord() ? t : QualType(cx.basic(TypeKind::Error));
  }
  if (init->list) {
    QualType done = b.braced(t, 0, init->list, nullptr, init->range.valid() ? init->range : where);
    auto *plan = cx.make<InitPlan>();
    checkObjectSize(b, done, init->range.valid() ? init->range : where);
    plan->type = done;
    plan->stores = b.finish();
    plan->size = std::max(b.size, b.sizeOfType(done));
    init->list->plan = plan;
    if (!b.members.empty()) sema.ds->initialisers.unionsOf.emplace(plan, std::move(b.members));
    if (!b.failed && done->isArray() && done->as<ArrayType>()->arrayKind == ArrayKind::Constant &&
        done->as<ArrayType>()->count == 0 && t->isArray() && t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete)
      diags.report(diag::array_size_zero, where) << "of the initialiser";
    return done;
  }
  if (!init->expr) return t;
  Expr *e = init->expr = b.typed(init->expr);
  if (e->kind == ExprKind::Error || !e->type.type || e->type->isError())
    return t->isArray() && !isComplete(t.type) ? QualType(cx.basic(TypeKind::Error)) : t;
  if (t->isArray()) {
    if (hasVariableSize(t.type)) {
      diags.report(diag::vla_initialized, e->range);
      return t;
    }
    if (StringLit *lit = InitWalk::asString(e); lit && b.isCharArray(t)) {
      if (e->kind == ExprKind::Paren) diags.report(diag::parenthesised_string, e->range);
      t = b.string(t, 0, lit, e->range);
      checkObjectSize(b, t, e->range);
      init->expr = lit;
      return t;
    }
    InitList *list = literalList(e);
    if (list && e->type->isArray() &&
        sema.compat.compatible(e->type->as<ArrayType>()->elem.unqual(), t->as<ArrayType>()->elem.unqual()) &&
        (t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete ||
            sema.compat.compatible(e->type.unqual(), t.unqual()))) {
      diags.report(diag::array_from_literal, e->range);
      init->expr = nullptr;
      init->list = list;
      if (t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete)
        t = cx.arrayOf(t->as<ArrayType>()->elem, e->type->as<ArrayType>()->count);
      return t;
    }
    diags.report(diag::array_initializer, e->range) << toString(t);
    return isComplete(t.type) ? t : QualType(cx.basic(TypeKind::Error));
  }
  if ((t->isRecord() || t->isVector()) && staticStorage && sema.compat.compatible(e->type.unqual(), t.unqual())) {
    if (InitList *list = literalList(e)) {
      diags.report(diag::pedantic_not_constant_expression, e->range) << "initialiser";
      init->expr = nullptr;
      init->list = list;
      return t;
    }
    if (t->isRecord()) {
      if (!isStaticValue(e, t, nullptr, cx)) diags.report(diag::not_constant, e->range);
      else init->expr = sema.conv.load(e);  // of a constant object
      return t;
    }
  }
  if (Expr *v = b.value(e, t)) init->expr = v;
  return t;
}

}  // namespace cilkc
