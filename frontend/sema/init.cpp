// init.cpp - initialisers (C17 6.7.9) with GNU's additions: from nested braces, elided braces, designators and ranges
// to the flat InitPlan of ast.h.
//
// One walk follows the list and the type at once. At each brace level an index runs through the items, a position
// through the subobjects; where braces are elided the inner level goes on with the outer level's index. A designator
// moves the position; one with several steps descends and the items that follow it go on behind the designated
// subobject, on the way out through all levels, as C says. Stores (init_stores.h) are appended in order; only what
// jumps back looks at those before. So a list without jumps takes linear time. Braces first put zeros over a larger
// store, such as a struct's value, for the members that they don't name.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/consteval/static_value.h"
#include "frontend/sema/core/declstate.h"
#include "frontend/sema/init_stores.h"
#include "frontend/sema/run.h"

namespace cilkc {

namespace {

// The rest of an item's designators; a name inside anonymous members stands for several steps.
struct Steps {
  const std::vector<Designator> *list = nullptr;
  size_t at = 0;
  std::vector<FieldDecl *> path;
  size_t pathAt = 0;
  bool done() const { return pathAt >= path.size() && (!list || at >= list->size()); }
  bool inPath() const { return pathAt < path.size(); }
  const Designator &current() const { return (*list)[at]; }
};

struct PlanBuilder : InitStores {
  PlanBuilder(Sema &sema, bool staticStorage) : InitStores(sema), isStatic(staticStorage) {}
  bool isStatic;
  int depth = 0;                   // of subobjects, the outermost is 1
  // its designators have led to the subobject at hand, and are no reason to leave it
  const InitItem *arrived = nullptr;
  int inArray = 0;                 // in the initialisers of how many arrays' elements
  uint64_t flexible = 0;           // elements of a flexible array member

  QualType errorType() const { return s.cx.basic(TypeKind::Error); }

  // The object file holds a static object byte by byte, unless all of them are zero.
  void checkSize(QualType t, Range where) {
    constexpr uint64_t most = uint64_t{1} << 32;
    uint64_t bytes = std::max(size, sizeOfType(t));
    if (!isStatic || failed || bytes <= most) return;
    for (const InitStore &st : stores)
      if (st.value && !isZero(st.value)) {
        s.diags.report(diag::array_too_large, where)
            << "of " + std::to_string(bytes) +
                   " bytes with an initialiser, which the object file would hold byte by byte,";
        failed = true;
        return;
      }
  }
  bool isZero(const Expr *value) const {
    value = ignoreParens(value);
    auto zeros = [](const auto &bytes) {
      return std::all_of(bytes.begin(), bytes.end(), [](auto b) { return b == 0; });
    };
    if (value->kind == ExprKind::StringLit) return zeros(value->as<StringLit>()->bytes);
    if (value->kind == ExprKind::Data) return zeros(value->as<Data>()->bytes);
    std::optional<ConstValue> v = evaluate(value, s.cx, EvalMode::Static);
    return v && ((v->kind == ConstValue::Int && v->i == 0) ||
                    (v->kind == ConstValue::Address && !v->base && !v->string && !v->label && !v->offset));
  }

  // ---- leaves ----
  static StringLit *asString(Expr *e) {
    e = ignoreParens(e);
    return e && e->kind == ExprKind::StringLit ? e->as<StringLit>() : nullptr;
  }

  // May this literal initialise an array of that element type?
  bool stringFits(const StringLit *lit, QualType q) const {
    const Type *elem = q.type;
    if (q.isAtomic()) return false;
    switch (elem->kind) {
      case TypeKind::Char:
      case TypeKind::SChar:
      case TypeKind::UChar: return lit->unit == 1;
      default: break;
    }
    if (lit->unit == 1 || !lit->type.type || !lit->type->isArray()) return false;
    return s.compat.compatible(lit->type->as<ArrayType>()->elem.unqual(), QualType(elem));
  }

  bool isCharArray(QualType t) const {
    if (!t->isArray()) return false;
    const Type *e = t->as<ArrayType>()->elem.type;
    if (e->isEnum()) return false;
    return e->isInteger() && e->kind != TypeKind::Bool;
  }

  // Returns the type with its size.
  QualType string(QualType t, uint64_t offset, StringLit *lit, Range where) {
    const auto *a = t->as<ArrayType>();
    if (!stringFits(lit, a->elem)) {
      s.diags.report(diag::init_string_type, where) << toString(t);
      failed = true;
      return errorType();
    }
    if (a->arrayKind == ArrayKind::Incomplete) t = s.cx.arrayOf(a->elem, lit->length() + 1);
    else if (lit->length() > a->count) s.diags.report(diag::init_string_long, where) << lit->length() << a->count;
    if (sizeOf(t.type, target())) store(offset, t, nullptr, lit);
    return t;
  }

  void constantCheck(Expr *value, QualType t, const FieldDecl *bf) {
    if (!isStatic || value->kind == ExprKind::Error || value->type->isError()) return;
    if (t->isRecord()) return;
    if (isStaticValue(value, t, bf, s.cx)) {
      if (!t->isVector()) s.conv.checkConstantForm(value, false, "initialiser");
      return;
    }
    s.diags.report(diag::not_constant, value->range);
    failed = true;
  }

  Expr *typed(Expr *e) { return s.exprs.exprIn(SpawnPlace::Initializer, e); }

  // A typed expression as the value of a scalar, or of a record or vector as a whole.
  Expr *value(Expr *e, QualType t, const FieldDecl *bf = nullptr) {
    if (e->kind == ExprKind::Error || !e->type.type || e->type->isError() || t->isError()) {
      failed = true;
      return nullptr;
    }
    Range where = e->range;
    e = s.conv.load(e);
    e = s.conv.assignConvert(e, t.unqual(), "initialization", where);
    if (!e || e->kind == ExprKind::Error || !e->type.type || e->type->isError()) {
      failed = true;
      return nullptr;
    }
    constantCheck(e, t, bf);
    return e;
  }

  static const InitPlan *literalPlan(Expr *e) {
    e = ignoreParens(e);
    return e->kind == ExprKind::CompoundLit && e->as<CompoundLit>()->init ? e->as<CompoundLit>()->init->plan : nullptr;
  }

  // The stores of a compound literal that initialises the record at `offset`, and of those in it.
  void flatten(const InitPlan &p, uint64_t offset) {
    if (auto of = s.unionsOf.find(&p); of != s.unionsOf.end()) members.include(of->second, offset);
    for (InitStore st : p.stores) {
      st.offset += offset;
      const InitPlan *inner = st.type->isRecord() ? literalPlan(st.value) : nullptr;
      if (inner && st.repeat <= 1) {
        flatten(*inner, st.offset);
        continue;
      }
      append(st);
      reached = std::max(reached, beginOf(st) + (st.repeat - 1) * st.stride * 8 + bitsOf(st, target()));
    }
  }

  // A struct, union or vector value; compound literals among static initialisers are flattened.
  void whole(Expr *e, QualType t, uint64_t offset) {
    if (isStatic && !t->isVector()) {
      if (const InitPlan *p = literalPlan(e)) {
        cover(offset * 8, (offset + p->size) * 8, e->range);
        flatten(*p, offset);
        size = std::max(size, offset + p->size);
        return;
      }
      if (t->isRecord()) {
        s.diags.report(diag::not_constant, e->range);
        failed = true;
        return;
      }
    }
    if (Expr *v = value(e, t)) store(offset, t, nullptr, v);
  }

  // ---- the items of a list, one by one ----
  // A row of constants gives one element at a time; the item's `init` is the one at hand.
  uint64_t moved = 0;  // how many have been passed
  InitItem &at(InitList *list, size_t idx) {
    InitItem &item = list->items[idx];
    if (item.run && !item.init) item.init = takeElement(s.cx, *item.run);
    return item;
  }
  // An item that counts for a range's every element is looked at alone, and passed over on the way to what follows it.
  InitList *limited = nullptr;
  size_t limit = 0;
  void next(InitList *list, size_t &idx) {
    InitItem &item = list->items[idx];
    ++moved;
    if (item.run) {
      item.init = nullptr;
      if (item.run->left) return;
    }
    ++idx;
  }
  // What no place is left for. In a row there is nothing to look at.
  void pass(InitList *list, size_t &idx) {
    if (list->items[idx].run) list->items[idx].run->left = 0;
    else touch(list->items[idx].init);
    next(list, idx);
  }

  // ---- one subobject ----
  // Is this, without braces, the first of the object's scalars?
  bool elides(QualType t, Initializer *init) {
    if (!init || !init->expr || !(t->isArray() || t->isRecord() || t->isVector())) return false;
    Expr *e = init->expr = typed(init->expr);
    if (e->kind == ExprKind::Error || (t->isArray() && asString(e) && isCharArray(t))) return false;
    return !s.compat.compatible(e->type.unqual(), t.unqual());
  }

  void element(QualType t, uint64_t offset, FieldDecl *f, InitList *list, size_t &idx) {
    Initializer *init = at(list, idx).init;
    if (!init || skipped == &list->items[idx]) {
      skipped = nullptr;
      next(list, idx);
      return;
    }
    if (t->isError()) {
      touch(init);
      failed = true;
      next(list, idx);
      return;
    }
    if (init->list) {
      next(list, idx);
      if (f && f->bitField) scalarBraces(t, offset, f, init->list);
      else braced(t, offset, init->list, f, init->range);
      return;
    }
    if (!init->expr) {
      next(list, idx);
      return;
    }
    Expr *e = init->expr = typed(init->expr);
    if (t->isArray() || t->isRecord() || t->isVector()) {
      if (t->isArray())
        if (StringLit *lit = asString(e); lit && isCharArray(t)) {
          next(list, idx);
          bool flex = t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete;
          if (flex && !flexibleAllowed(e->range)) return;
          cover(offset * 8, (offset + sizeOfType(t)) * 8, e->range);
          string(t, offset, lit, e->range);
          return;
        }
      if (e->kind == ExprKind::Error) {
        failed = true;
        next(list, idx);
        return;
      }
      if (!t->isArray() && s.compat.compatible(e->type.unqual(), t.unqual())) {
        next(list, idx);
        whole(e, t, offset);
        return;
      }
      if (t->isArray() && s.compat.compatible(e->type.unqual(), t.unqual()) &&
          ignoreParens(e)->kind == ExprKind::CompoundLit && ignoreParens(e)->as<CompoundLit>()->init &&
          ignoreParens(e)->as<CompoundLit>()->init->plan && isStatic) {
        next(list, idx);
        whole(e, t, offset);
        return;
      }
      if (t->isRecord() && e->type->isRecord()) {  // another struct: no scalar inside can take it
        const Type *first = firstScalar(t);
        if (!first) {
          next(list, idx);
          value(e, t);
          return;
        }
      }
      s.diags.report(diag::missing_braces, e->range);
      if (hasWholeValue(t, offset)) clear(t, offset, nullptr, e->range);
      elided(t, offset, list, idx, nullptr, f);
      return;
    }
    next(list, idx);
    if (Expr *v = value(e, t, f && f->bitField ? f : nullptr)) {
      init->expr = v;
      store(offset, t, f && f->bitField ? f : nullptr, v);
    }
  }

  // Something inside that is not an aggregate, or null.
  const Type *firstScalar(QualType t) {
    for (int i = 0; i < 100; ++i) {
      if (t->isArray()) t = t->as<ArrayType>()->elem;
      else if (t->isRecord()) {
        const RecordType *r = t->as<RecordType>();
        FieldDecl *first = nullptr;
        for (FieldDecl *f : r->fields)
          if (!f->name.empty() || f->anonymous) {
            first = f;
            break;
          }
        if (!first) return nullptr;
        t = first->type;
      } else return t.type;
    }
    return nullptr;
  }

  void touchExpr(Expr *&e) {
    if (e) e = typed(e);
  }
  void touch(Initializer *init) {
    if (!init) return;
    if (init->expr) init->expr = typed(init->expr);
    if (init->list)
      for (InitItem &i : init->list->items) touch(i.init);
  }

  bool flexibleAllowed(Range where) {
    if (!isStatic || inArray) {  // an element's extra members would lie where the next element is
      s.diags.report(diag::flexible_init_automatic, where);
      failed = true;
      return false;
    }
    s.diags.report(diag::flexible_init, where);
    return true;
  }

  void elided(QualType t, uint64_t offset, InitList *list, size_t &idx, Steps *steps, FieldDecl *f) {
    Saved level(depth, depth + 1);
    if (t->isRecord()) record(t, offset, list, idx, false, steps);
    else if (t->isArray()) {
      bool flex = t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete;
      if (!flex || flexibleAllowed(f ? Range{Loc{f->rangeBegin}, Loc{f->rangeEnd}} : list->range))
        array(t, offset, list, idx, false, steps);
      else next(list, idx);
    } else if (t->isVector()) array(t, offset, list, idx, false, steps);
    else if (steps) {
      s.diags.report(diag::designator_scalar, steps->current().range) << toString(t);
      failed = true;
      pass(list, idx);
    } else next(list, idx);
  }

  // { … } for an object. Returns its type with the size that follows from the list.
  QualType braced(QualType t, uint64_t offset, InitList *list, FieldDecl *f, Range where) {
    if (list->items.empty() && s.cx.lang.std < LangOptions::C2x)
      s.diags.report(diag::empty_initializer, list->range.valid() ? list->range : where);
    if (t->isArray() || t->isRecord() || t->isVector()) clear(t, offset, nullptr, where);
    size_t idx = 0;
    Saved level(depth, depth + 1);
    if (t->isArray()) {
      const auto *a = t->as<ArrayType>();
      bool flex = a->arrayKind == ArrayKind::Incomplete;
      // char s[] = { "abc" };
      if (list->items.size() >= 1 && list->items[0].designators.empty() && list->items[0].init &&
          list->items[0].init->expr && isCharArray(t)) {
        Expr *&e = list->items[0].init->expr;
        e = typed(e);
        StringLit *lit = asString(e);
        if (lit) {
          if (e->kind == ExprKind::Paren) s.diags.report(diag::parenthesised_string, e->range);
          if (list->items.size() > 1) excess(list, 1, t);
          if (flex && depth > 1 && !flexibleAllowed(where)) return t;
          return string(t, offset, lit, e->range);
        }
      }
      if (a->arrayKind == ArrayKind::Variable || a->arrayKind == ArrayKind::Star) {
        if (!list->items.empty()) {
          s.diags.report(diag::vla_initialized, where);
          failed = true;
          for (InitItem &i : list->items) touch(i.init);
        }
        return t;
      }
      if (flex && depth > 1 && !list->items.empty() && !flexibleAllowed(where)) {
        for (InitItem &i : list->items) touch(i.init);
        return t;
      }
      t = array(t, offset, list, idx, true, nullptr);
    } else if (t->isRecord()) {
      record(t, offset, list, idx, true, nullptr);
    } else if (t->isVector()) {
      // { v } with a vector of the same type inside
      if (list->items.size() == 1 && list->items[0].designators.empty() && list->items[0].init &&
          list->items[0].init->expr) {
        Expr *&e = list->items[0].init->expr;
        e = typed(e);
        if (e->type.type && s.compat.compatible(e->type.unqual(), t.unqual())) {
          whole(e, t, offset);
          return t;
        }
      }
      array(t, offset, list, idx, true, nullptr);
    } else {
      scalarBraces(t, offset, f, list);
    }
    return t;
  }

  void scalarBraces(QualType t, uint64_t offset, FieldDecl *f, InitList *list) {
    if (list->items.empty()) {  // {}: zero
      clear(t, offset, f && f->bitField ? f : nullptr, list->range);
      return;
    }
    size_t idx = 0;
    InitItem &item = at(list, idx);
    if (!item.designators.empty()) {
      s.diags.report(diag::designator_scalar, item.designators[0].range) << toString(t);
      failed = true;
    }
    if (item.init && item.init->list) {
      s.diags.report(diag::braces_scalar, item.init->range);
      if (depth < 1000) {
        Saved level(depth, depth + 1);
        scalarBraces(t, offset, f, item.init->list);
      }
    } else if (item.init && item.init->expr) {
      Expr *e = item.init->expr = typed(item.init->expr);
      if (Expr *v = value(e, t, f && f->bitField ? f : nullptr)) {
        item.init->expr = v;
        store(offset, t, f && f->bitField ? f : nullptr, v);
      }
    }
    next(list, idx);
    if (idx < list->items.size()) excess(list, idx, t);
  }

  void excess(InitList *list, size_t from, QualType t) {
    Initializer *first = at(list, from).init;
    s.diags.report(diag::excess_initializers, first ? first->range : list->range)
        << (t->isArray()       ? "array"
               : t->isRecord() ? (t->as<RecordType>()->isUnion ? "union" : "struct")
               : t->isVector() ? "vector"
                               : "scalar");
    for (size_t i = from; i < list->items.size(); ++i) touch(list->items[i].init);
  }

  // ---- records ----
  // The field the next step names, or null after a report.
  FieldDecl *takeField(Steps &steps, const RecordType *r) {
    if (steps.inPath()) return steps.path[steps.pathAt++];
    const Designator &d = steps.current();
    if (d.field.empty()) {
      s.diags.report(diag::designator_index, d.range) << toString({r});
      failed = true;
      return nullptr;
    }
    std::vector<FieldDecl *> path;
    if (!s.exprs.findMember(r, d.field, path) || path.empty()) {
      s.diags.report(diag::designator_field, d.range) << d.field << toString({r});
      failed = true;
      return nullptr;
    }
    ++steps.at;
    steps.path = std::move(path);
    steps.pathAt = 1;
    return steps.path[0];
  }

  void record(QualType t, uint64_t offset, InitList *list, size_t &idx, bool braces, Steps *first) {
    const auto *r = t->as<RecordType>();
    size_t pos = 0, n = r->fields.size();
    bool designated = false, reported = false;
    const uint64_t start = moved;
    for (;;) {
      Steps own, *steps = nullptr;
      FieldDecl *f = nullptr;
      bool byName = false;
      if (first) {
        steps = first;
        byName = true;
      } else {
        if (ended(list, idx)) break;
        if (!list->items[idx].designators.empty() && arrived != &list->items[idx]) {
          if (!braces) return;
          own.list = &list->items[idx].designators;
          steps = &own;
          byName = true;
        }
      }
      if (byName) {
        designated = true;
        f = takeField(*steps, r);
        first = nullptr;
        if (!f) {
          pass(list, idx);
          continue;
        }
      } else {
        while (pos < n && r->fields[pos]->name.empty() && !r->fields[pos]->anonymous) ++pos;
        if (pos >= n) {
          if (!braces) return;
          if (!reported) {
            Initializer *extra = at(list, idx).init;
            s.diags.report(diag::excess_initializers, extra ? extra->range : list->range)
                << (r->isUnion ? "union" : "struct");
            reported = true;
          }
          pass(list, idx);
          continue;
        }
        f = r->fields[pos];
      }
      if (r->isUnion) {
        if (members.chosen(offset, r) != f)
          clear(t, offset, nullptr, list->items[idx].init ? list->items[idx].init->range : list->range, f);
        else if (log && !stores.empty())
          log->push_back({offset * 8, (offset + sizeOfType(t)) * 8, SIZE_MAX, offset, r, f, stores.size() - 1});
        members.choose(offset, r, f);
      }
      pos = r->isUnion ? n : f->index + 1;
      uint64_t at = offset + f->offset;
      if (byName && !steps->done()) elided(f->type, at, list, idx, steps, f);
      else {
        if (byName) arrived = &list->items[idx];
        element(f->type, at, f, list, idx);
      }
    }
    if (braces && !designated && !r->isUnion && moved > start && pos < n && !failed) {
      const Expr *only = list->items.size() == 1 && list->items[0].init ? list->items[0].init->expr : nullptr;
      only = ignoreCasts(only);
      auto known = only && only->type ? s.conv.knownInteger(only) : std::nullopt;
      bool zero = known && *known == 0;  // { 0 } and { NULL }
      while (pos < n && r->fields[pos]->name.empty() && !r->fields[pos]->anonymous) ++pos;
      if (!zero && pos < n && !(r->flexible && pos + 1 == n))
        s.diags.report(diag::missing_field_initializers, list->range) << r->fields[pos]->name;
    }
  }

  // ---- arrays and vectors ----
  QualType array(QualType t, uint64_t offset, InitList *list, size_t &idx, bool braces, Steps *first) {
    bool vector = t->isVector();
    QualType elem = vector ? QualType(t->as<VectorType>()->elem) : t->as<ArrayType>()->elem;
    bool open = !vector && t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete;
    uint64_t count = vector ? t->as<VectorType>()->count : open ? UINT64_MAX : t->as<ArrayType>()->count;
    uint64_t stride = sizeOfType(elem), pos = 0, used = 0;
    const uint64_t limit = stride ? INT64_MAX / stride : INT64_MAX;
    bool reported = false;
    for (;;) {
      Steps own, *steps = nullptr;
      uint64_t lo = pos, hi = pos;
      if (first) steps = first;
      else {
        if (ended(list, idx)) break;
        if (!list->items[idx].designators.empty() && arrived != &list->items[idx]) {
          if (!braces) break;
          own.list = &list->items[idx].designators;
          steps = &own;
        }
      }
      if (steps) {
        first = nullptr;
        if (!takeIndex(*steps, t, count, limit, lo, hi)) {
          pass(list, idx);
          continue;
        }
      } else if (pos >= count) {
        if (!braces) break;
        if (!reported) {
          Initializer *extra = at(list, idx).init;
          s.diags.report(diag::excess_initializers, extra ? extra->range : list->range)
              << (vector ? "vector" : "array");
          reported = true;
        }
        pass(list, idx);
        continue;
      }
      if (InitItem &item = list->items[idx];
          item.run && !item.init && !steps && !vector && (offset + pos * stride) * 8 >= reached)
        if (Data *row = takeElements(s, *item.run, elem, count - pos)) {
          store(offset + pos * stride, row->type, nullptr, row);
          used = std::max(used, pos += row->count);
          moved += row->count - 1;
          next(list, idx);
          continue;
        }
      uint64_t at = offset + lo * stride;
      const bool inner = steps && !steps->done();
      const bool parts = lo < hi && !inner && elides(elem, this->at(list, idx).init);
      if (lo < hi && !inner && !parts) cover(at * 8, (offset + (hi + 1) * stride) * 8, list->range);
      std::vector<Covered> covered;
      size_t firstStore = stores.size();
      const uint64_t before = moved;
      if (inner && lo < hi) everyElement(elem, at, hi - lo, list, idx, *steps);
      else if (inner) elided(elem, at, list, idx, steps, nullptr);
      else {
        if (steps) arrived = &list->items[idx];
        Saved<std::vector<Covered> *> first(log, parts ? &covered : log);
        ++inArray;
        element(elem, at, nullptr, list, idx);
        --inArray;
      }
      if (moved == before) {  // an element without members takes nothing: not to stand still
        pass(list, idx);
      }
      for (uint64_t k = 1; parts && k <= hi - lo && (at + k * stride) * 8 < reached; ++k)
        if (hasWholeValue(elem, at + k * stride))
          cover((at + k * stride) * 8, (at + (k + 1) * stride) * 8, list->range);
      if (parts) inOthers(covered, firstStore, at, hi - lo, stride, list->range);
      else if (lo < hi && !inner) repeat(firstStore, at, hi - lo + 1, stride);
      pos = hi + 1;
      used = std::max(used, pos);
      if (stride) size = std::max(size, offset + pos * stride);
    }
    if (open) {
      if (depth > 1) flexible = std::max(flexible, used);
      else t = s.cx.arrayOf(elem, used);
    }
    return t;
  }

private:
  bool ended(const InitList *list, size_t idx) const { return idx >= (list == limited ? limit : list->items.size()); }

  bool takeIndex(Steps &steps, QualType t, uint64_t count, uint64_t limit, uint64_t &lo, uint64_t &hi) {
    if (steps.inPath()) return false;
    const Designator &d = steps.current();
    ++steps.at;
    if (!d.field.empty() || !d.lo) {
      s.diags.report(diag::designator_not_record, d.range) << d.field << toString(t);
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
  void everyElement(QualType elem, uint64_t at, uint64_t others, InitList *list, size_t &idx, Steps steps) {
    const uint64_t stride = sizeOfType(elem);
    const size_t item = idx;
    Steps once = steps;
    const size_t firstStore = stores.size();
    std::vector<Covered> covered;
    {
      Saved<std::vector<Covered> *> inner(log, &covered);
      Saved<InitList *> one(limited, list);
      Saved<size_t> end(limit, idx + 1);
      elided(elem, at, list, idx, &once, nullptr);
    }
    Range where = list->items[item].init ? list->items[item].init->range : list->range;
    inOthers(covered, firstStore, at, others, stride, where);
    if (failed || idx != item + 1 || ended(list, idx) || !list->items[idx].designators.empty()) return;
    skipped = &list->items[item];
    idx = item;
    elided(elem, at + others * stride, list, idx, &steps, nullptr);
    skipped = nullptr;
  }
};

// The list of a compound literal that initialises an array or a static object: used in its place.
InitList *literalList(Expr *e) {
  e = ignoreParens(e);
  if (e->kind != ExprKind::CompoundLit || !e->as<CompoundLit>()->init || !e->as<CompoundLit>()->init->plan)
    return nullptr;
  return e->as<CompoundLit>()->init;
}

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
  PlanBuilder b(sema, staticStorage);
  if (t->isError() || t->isFunction() || t->isVoid() || t->kind == TypeKind::Auto) {
    b.touch(init);
    return t;
  }
  if (t->isRecord() && hasVariableSize(t.type)) {
    diags.report(diag::vla_initialized, where);
    b.touch(init);
    return t;
  }
  if (init->list) {
    QualType done = b.braced(t, 0, init->list, nullptr, init->range.valid() ? init->range : where);
    auto *plan = cx.make<InitPlan>();
    b.checkSize(done, init->range.valid() ? init->range : where);
    plan->type = done;
    plan->stores = b.finish();
    plan->size = std::max(b.size, b.sizeOfType(done));
    init->list->plan = plan;
    if (!b.members.empty()) sema.unionsOf.emplace(plan, std::move(b.members));
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
    if (StringLit *lit = PlanBuilder::asString(e); lit && b.isCharArray(t)) {
      if (e->kind == ExprKind::Paren) diags.report(diag::parenthesised_string, e->range);
      t = b.string(t, 0, lit, e->range);
      b.checkSize(t, e->range);
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
      diags.report(diag::not_constant, e->range);
      return t;
    }
  }
  if (Expr *v = b.value(e, t)) init->expr = v;
  return t;
}

}  // namespace cilkc
