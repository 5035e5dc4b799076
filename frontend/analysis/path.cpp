// path.cpp - lvalues as paths, their comparison, and walks over statements.
#include "frontend/analysis/path.h"
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/consteval/consteval.h"

namespace cilkc::analysis {

const Expr *bare(const Expr *e) {
  while (e) {
    if (e->kind == ExprKind::Paren) e = e->as<ParenExpr>()->sub;
    else if (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::NoOp)
      e = e->as<ImplicitCast>()->sub;
    else break;
  }
  return e;
}

bool sameExpr(const Expr *a, const Expr *b) {
  a = ignoreParensAndImplicit(a), b = ignoreParensAndImplicit(b);
  if (!a || !b) return a == b;
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case ExprKind::Ident: return a->as<Ident>()->decl == b->as<Ident>()->decl;
    case ExprKind::IntLit: return a->as<IntLit>()->value == b->as<IntLit>()->value;
    case ExprKind::CharLit: return a->as<CharLit>()->value == b->as<CharLit>()->value;
    case ExprKind::Binary:
      return a->as<Binary>()->op == b->as<Binary>()->op && sameExpr(a->as<Binary>()->lhs, b->as<Binary>()->lhs) &&
             sameExpr(a->as<Binary>()->rhs, b->as<Binary>()->rhs);
    case ExprKind::Unary:
      return !isIncDec(a->as<Unary>()->op) && a->as<Unary>()->op == b->as<Unary>()->op &&
             sameExpr(a->as<Unary>()->sub, b->as<Unary>()->sub);
    case ExprKind::Member:
      return a->as<Member>()->path == b->as<Member>()->path && sameExpr(a->as<Member>()->base, b->as<Member>()->base);
    case ExprKind::Index:
      return sameExpr(a->as<Index>()->base, b->as<Index>()->base) &&
             sameExpr(a->as<Index>()->index, b->as<Index>()->index);
    default: return otherKinds<34>(false);
  }
}

Path Paths::indexed(Path p, const Expr *index) const {
  // a + i, and then [j]: only constants can be added up.
  Step &s = p.steps.back();
  auto c = evaluate(index, cx, EvalMode::Fold);
  if (c && c->kind == ConstValue::Int) {
    if (s.known) s.index += static_cast<int64_t>(c->i);
    else if (c->i != 0) p = {};
    return p;
  }
  if (s.known && s.index == 0) {
    s.known = false;
    s.expr = index;
    return p;
  }
  return {};
}

// What a local pointer points to that is only ever read: its initialiser says, where that designates the same object at
// any time. `names` variables were looked through on the way here; `int *p = p + 1;` goes round, and a few are enough.
Path Paths::ofName(const VarDecl *v, int names) const {
  if (names >= 4 || !v->isLocal || v->isParam || v->assigned || v->addressTaken || v->isReceiver || !v->init ||
      !v->init->expr)
    return {};
  Path p = ofPointer(v->init->expr, names + 1);
  bool fixed = std::all_of(p.steps.begin(), p.steps.end(),
      [](const Step &s) { return s.kind == Step::Field || (s.kind == Step::Element && s.known); });
  return fixed ? p : Path{};
}

Path Paths::ofPointer(const Expr *e, int names) const {
  e = bare(e);
  while (e && ((e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::PointerToPointer) ||
                  (e->kind == ExprKind::Cast && e->type->isPointer() && e->as<Cast>()->sub->type->isPointer())))
    e = bare(e->kind == ExprKind::Cast ? e->as<Cast>()->sub : e->as<ImplicitCast>()->sub);
  if (!e) return {};
  if (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::ArrayToPointer) {
    Path p = ofLvalue(e->as<ImplicitCast>()->sub);
    if (p) p.steps.push_back({Step::Element, nullptr, true, 0, nullptr});
    return p;
  }
  if (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue) {
    Path p = ofLvalue(e->as<ImplicitCast>()->sub);
    if (p && p.steps.empty())
      if (Path target = ofName(p.base, names)) return target;
    if (p) p.steps.push_back({Step::Pointee, nullptr, true, 0, nullptr});
    return p;
  }
  if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::AddrOf) {
    Path p = ofLvalue(e->as<Unary>()->sub);
    return p;
  }
  if (e->kind == ExprKind::Binary && (e->as<Binary>()->op == BinaryOp::Add || e->as<Binary>()->op == BinaryOp::Sub)) {
    const auto *b = e->as<Binary>();
    bool left = b->lhs->type->isPointer();
    if (!left && b->op == BinaryOp::Sub) return {};
    Path p = ofPointer(left ? b->lhs : b->rhs, names);
    if (!p || p.steps.empty() || p.steps.back().kind == Step::Field) return {};
    if (b->op == BinaryOp::Add) return indexed(std::move(p), left ? b->rhs : b->lhs);
    auto c = evaluate(b->rhs, cx, EvalMode::Fold);
    if (!c || c->kind != ConstValue::Int || !p.steps.back().known) return {};
    p.steps.back().index -= static_cast<int64_t>(c->i);
    return p;
  }
  return {};
}

Path Paths::ofLvalue(const Expr *e) const {
  e = bare(e);
  if (!e) return {};
  switch (e->kind) {
    case ExprKind::Ident: {
      const Decl *d = e->as<Ident>()->decl;
      if (!d || d->kind != DeclKind::Var) return {};
      return {d->as<VarDecl>(), {}};
    }
    case ExprKind::Member: {
      const auto *m = e->as<Member>();
      Path p = m->arrow ? ofPointer(m->base) : ofLvalue(m->base);
      if (p)
        for (const FieldDecl *f : m->path) p.steps.push_back({Step::Field, f, false, 0, nullptr});
      return p;
    }
    case ExprKind::Index: {
      const auto *ix = e->as<Index>();
      if (ix->base->type->isVector()) return ofLvalue(ix->base);
      Path p = ofPointer(ix->base);
      if (!p || p.steps.empty() || p.steps.back().kind == Step::Field) return {};
      return indexed(std::move(p), ix->index);
    }
    case ExprKind::Unary:
      switch (e->as<Unary>()->op) {
        case UnaryOp::Deref: {
          const Expr *pointer = e->as<Unary>()->sub;
          Path p = ofPointer(pointer);
          if (p && !p.steps.empty()) p.steps.back().captured = pointer->range.begin == e->range.begin;
          return p;
        }
        case UnaryOp::Real:
        case UnaryOp::Imag: return ofLvalue(e->as<Unary>()->sub);
        default: return {};
      }
    default: otherKinds<34>(); return {};
  }
}

Overlap overlap(const Path &a, const Path &b) {
  if (!a.base || a.base != b.base) return Overlap::No;
  Overlap result = Overlap::Yes;
  size_t n = std::min(a.steps.size(), b.steps.size());
  for (size_t i = 0; i < n; i++) {
    const Step &x = a.steps[i], &y = b.steps[i];
    if (x.kind != y.kind) return Overlap::No;  // &v[0] and v, seen as different types: not worth more
    if (x.kind == Step::Field) {
      if (x.field != y.field && !(x.field->parent && x.field->parent == y.field->parent && x.field->parent->isUnion))
        return Overlap::No;
      if (x.field != y.field) return result;  // members of one union
    } else if (x.known && y.known) {
      if (x.index != y.index) return Overlap::No;
    } else if (x.known != y.known || !sameExpr(x.expr, y.expr)) {
      result = Overlap::Unknown;
    }
  }
  // One is a part of the other, unless the way there leads through a pointer.
  for (const Path *p : {&a, &b})
    for (size_t i = n; i < p->steps.size(); i++)
      if (p->steps[i].kind == Step::Pointee) return Overlap::No;
  return result;
}

bool indexMentions(const Path &p, const VarDecl *v) {
  return std::any_of(p.steps.begin(), p.steps.end(), [&](const Step &s) {
    return anyExpr(s.expr, Walk::Evaluated,
        [&](const Expr *e) { return e->kind == ExprKind::Ident && e->as<Ident>()->decl == v; });
  });
}

bool followsPointerIn(const Path &path, const Path &stored) {
  if (path.base != stored.base || stored.steps.size() >= path.steps.size()) return false;
  for (size_t i = 0; i < stored.steps.size(); i++) {
    const Step &x = path.steps[i], &y = stored.steps[i];
    if (x.kind != y.kind || (x.kind == Step::Field && x.field != y.field)) return false;
    if (x.kind != Step::Field && x.known && y.known && x.index != y.index) return false;
  }
  for (size_t i = stored.steps.size(); i < path.steps.size(); i++)
    if (path.steps[i].kind == Step::Pointee) return true;
  return false;
}

std::string toText(const Path &p) {
  std::string s(p.base->name);
  for (size_t i = 0; i < p.steps.size(); i++) {
    const Step &x = p.steps[i];
    if (x.kind == Step::Field) {
      if (!x.field->name.empty()) s += "." + std::string(x.field->name);
      continue;
    }
    if (x.captured) continue;
    if (x.kind == Step::Pointee && x.known && x.index == 0) {
      if (i + 1 < p.steps.size() && p.steps[i + 1].kind == Step::Field && !p.steps[i + 1].field->name.empty()) {
        s += "->" + std::string(p.steps[++i].field->name);
      } else {
        s = "*" + s;
      }
      continue;
    }
    const Expr *e = ignoreParensAndImplicit(x.expr);
    s += '[' +
         (x.known                              ? std::to_string(x.index)
             : e && e->kind == ExprKind::Ident ? std::string(e->as<Ident>()->name)
                                               : std::string("..")) +
         ']';
  }
  return s;
}

}  // namespace cilkc::analysis
