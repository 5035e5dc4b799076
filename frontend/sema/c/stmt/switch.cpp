// switch.cpp - `switch` and its labels (C17 6.8.4.2): ranges, repeated cases, enumerators without one, fall-through.
#include <algorithm>
#include "frontend/ast/kinds.h"
#include "frontend/ast/query.h"
#include "frontend/sema/c/core/sema.h"
#include "diag/sema_expr.h"
#include "diag/warn.h"

namespace cilkc {

namespace {

// A label of the switch is the first thing that control meets in s, or after s if s does nothing (caseNext).
bool beginsWithCase(const Stmt *s, bool caseNext) {
  while (s->kind == StmtKind::Label && s->as<LabelStmt>()->sub) s = s->as<LabelStmt>()->sub;
  if (s->kind == StmtKind::Pragma || (s->kind == StmtKind::Null && s->attrs.empty())) return caseNext;
  if (s->kind != StmtKind::Compound) return s->kind == StmtKind::Case || s->kind == StmtKind::Default;
  const auto &body = s->as<CompoundStmt>()->body;
  for (size_t i = body.size(); i-- > 0;) caseNext = beginsWithCase(body[i], caseNext);
  return caseNext;
}

// Each `fallthrough` has a label of its switch after it (C23 6.7.13.6). caseNext: one comes after s.
void checkFallthrough(DiagnosticEngine &diags, const Stmt *s, bool caseNext) {
  while (s) {
    if (s->kind == StmtKind::Case) s = s->as<CaseStmt>()->sub;
    else if (s->kind == StmtKind::Default) s = s->as<DefaultStmt>()->sub;
    else if (s->kind == StmtKind::Label) s = s->as<LabelStmt>()->sub;
    else if (s->kind == StmtKind::If) {
      checkFallthrough(diags, s->as<IfStmt>()->then, caseNext);
      s = s->as<IfStmt>()->otherwise;
    } else break;
  }
  if (s && s->kind == StmtKind::Null) {
    for (const Attr *a : s->attrs)
      if (a->name == "fallthrough" && !caseNext) diags.report(diag::fallthrough_misplaced, a->range);
  } else if (s && s->kind == StmtKind::Compound) {
    const auto &body = s->as<CompoundStmt>()->body;
    for (size_t i = body.size(); i-- > 0;) {
      checkFallthrough(diags, body[i], caseNext);
      caseNext = beginsWithCase(body[i], caseNext);
    }
  }
}

}  // namespace

Stmt *Stmts::switchStmt(SwitchStmt *s) {
  Expr *c = sema.conv.load(wholeExpr(SpawnPlace::Condition, s->cond));
  const EnumType *en = nullptr;
  if (!c->type->isError() && !c->type->isInteger()) {
    diags.report(diag::switch_not_integer, c->range) << toString(c->type);
    c = sema.conv.error(c->range);
  }
  if (c->type->isEnum()) en = c->type->as<EnumType>();
  const Expr *bare = c;
  bare = ignoreParensAndImplicit(bare);
  if (bare->kind == ExprKind::Binary && isComparison(bare->as<Binary>()->op)) diags.report(diag::switch_bool, c->range);
  if (!c->type->isError()) c = sema.conv.promote(c);
  s->cond = c;
  s->cases.clear();
  s->def = nullptr;
  sema.fs->inside.switches.push_back({s, sema.fs->inside.jumpScope});
  if (s->body && s->body->kind == StmtKind::Compound && !s->body->as<CompoundStmt>()->body.empty()) {
    const Stmt *first = s->body->as<CompoundStmt>()->body[0];
    if (first->kind == StmtKind::Expr || first->kind == StmtKind::If || first->kind == StmtKind::Return)
      diags.report(diag::switch_unreachable, first->range);
  }
  sema.fs->inside.breakables++;
  s->body = substatement(s->body);
  sema.fs->inside.breakables--;
  sema.fs->inside.switches.pop_back();
  checkFallthrough(diags, s->body, false);
  if (c->type->isError()) return s;

  bool sign = isSigned(c->type.type, cx.target);
  auto less = [sign](__int128 a, __int128 b) {
    return sign ? a < b : static_cast<unsigned __int128>(a) < static_cast<unsigned __int128>(b);
  };
  std::vector<CaseStmt *> sorted = s->cases;
  std::stable_sort(sorted.begin(), sorted.end(),
      [&](const CaseStmt *a, const CaseStmt *b) { return less(a->lo, b->lo); });
  const CaseStmt *widest = nullptr;  // of those before, the one that reaches furthest
  for (CaseStmt *k : sorted) {
    if (widest && !less(widest->hi, k->lo)) {
      const CaseStmt *first = widest, *second = k;
      if (second->range.begin < first->range.begin) std::swap(first, second);
      diags.report(diag::duplicate_case, second->low->range).note(first->low->range, "the first one is here")
          << (sign ? decimal(k->lo) : decimal(static_cast<unsigned __int128>(k->lo)));
    }
    if (!widest || less(widest->hi, k->hi)) widest = k;
  }
  if (en && diags.wants(diag::switch_not_enumerated))
    for (const CaseStmt *k : s->cases)
      if (!k->high && std::none_of(en->constants.begin(), en->constants.end(),
                          [&](const Enumerator &e) { return wrapInt(e.value, c->type.type, cx.target) == k->lo; }))
        diags.report(diag::switch_not_enumerated, k->low->range) << decimal(k->lo) << toString(QualType(en));
  if (!s->def) diags.report(diag::switch_default, s->range);
  if (en && (s->def ? diags.wants(diag::switch_enum_all) : diags.wants(diag::switch_enum))) {
    for (const Enumerator &e : en->constants) {
      __int128 v = wrapInt(e.value, c->type.type, cx.target);
      auto it = std::upper_bound(sorted.begin(), sorted.end(), v,
          [&](__int128 x, const CaseStmt *k) { return less(x, k->lo); });
      bool found = false;
      if (it != sorted.begin()) {
        --it;
        found = !less((*it)->hi, v);
      }
      if (!found) diags.report(s->def ? diag::switch_enum_all : diag::switch_enum, s->cond->range) << e.name;
    }
  }
  return s;
}

Stmt *Stmts::caseStmt(Stmt *s) {
  bool isDefault = s->kind == StmtKind::Default;
  SwitchStmt *sw = sema.fs->inside.switches.empty() ? nullptr : sema.fs->inside.switches.back().stmt;
  if (!sw && !sema.tu->damaged) diags.report(diag::case_outside, s->range) << (isDefault ? "default" : "case");
  if (sw && sema.fs->inside.jumpScope && sema.fs->inside.jumpScope != sema.fs->inside.switches.back().scope) {
    bool inside = false;
    for (const JumpScope *j = sema.fs->inside.switches.back().scope; j; j = j->up)
      if (j == sema.fs->inside.jumpScope) inside = true;
    const JumpScope *entered = sema.fs->inside.jumpScope;
    if (!inside && entered->decl) diags.report(diag::switch_into_vla, s->range) << entered->decl->name << entered->what;
    else if (!inside) diags.report(diag::goto_into_statement, s->range) << entered->what;
  }
  if (isDefault) {
    auto *d = s->as<DefaultStmt>();
    if (sw) {
      if (sw->def) diags.report(diag::duplicate_default, s->range).note(sw->def->range, "it is here");
      else sw->def = d;
    }
    pedanticLabel(d->sub, d->range);
    if (d->sub) d->sub = stmt(d->sub);
    return d;
  }
  auto *k = s->as<CaseStmt>();
  auto lo = sema.conv.integerConstant(k->low, "a case value");
  std::optional<__int128> hi = lo;
  if (k->high) {
    hi = sema.conv.integerConstant(k->high, "the end of a case range");
    diags.report(diag::pedantic_gnu, k->range) << "ranges in case labels";
  }
  if (sw && lo && hi && !sw->cond->type->isError()) {
    const Type *t = sw->cond->type.type;
    for (const Expr *bound : {k->low, k->high})
      if (auto v = bound && bound->type->isWide() ? evaluate(bound, cx, EvalMode::Fold) : std::nullopt;
          v && v->kind == ConstValue::WideInt && Wide(v->wide->clamped()) != *v->wide)
        diags.report(diag::case_too_wide, bound->range);
    // A value that the unpromoted type of the condition cannot have.
    const Expr *c = sw->cond;
    while (c->kind == ExprKind::ImplicitCast && c->as<ImplicitCast>()->castKind == CastKind::IntToInt)
      c = c->as<ImplicitCast>()->sub;
    if (c->type->isInteger() && !c->type->isEnum() && !c->type->isBool() && c->type.type != t) {
      if (wrapInt(*lo, c->type.type, cx.target) != *lo && *lo == *hi)
        diags.report(diag::case_out_of_range, k->low->range) << decimal(*lo) << toString(c->type.unqual());
    }
    __int128 a = wrapInt(*lo, t, cx.target), b = wrapInt(*hi, t, cx.target);
    if (a != *lo && !k->high) {
      uint64_t bits = 8 * sizeOf(t, cx.target);
      __int128 least = -(static_cast<__int128>(1) << (bits < 128 ? bits - 1 : 126)),
               most = static_cast<__int128>(1) << (bits < 127 ? bits : 126);
      if (*lo < least || *lo >= most)
        diags.report(diag::constant_overflow, k->low->range)
            << "case value" << decimal(*lo) << toString(sw->cond->type) << decimal(a);
    }
    k->lo = a, k->hi = b;
    bool sign = isSigned(t, cx.target);
    bool empty = sign ? b < a : static_cast<unsigned __int128>(b) < static_cast<unsigned __int128>(a);
    k->low = sema.conv.convert(k->low, t);
    if (k->high) k->high = sema.conv.convert(k->high, t);
    if (empty) diags.report(diag::empty_case_range, k->range);
    sw->cases.push_back(k);
    if (empty) sw->cases.pop_back();
  }
  pedanticLabel(k->sub, k->range);
  if (k->sub) k->sub = stmt(k->sub);
  return k;
}

}  // namespace cilkc
