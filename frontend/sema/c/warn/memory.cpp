// memory.cpp - warnings about addresses. A loop with constant bounds may go beyond the end of an array. The address of
// a member of a packed record may not have the alignment that a pointer to its type promises.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/sema/c/core/sema.h"
#include "diag/warn.h"

namespace cilkc {

namespace {

const Initializer *initializerOf(const InitDeclarator &d) {
  return d.decl && d.decl->kind == DeclKind::Var ? d.decl->as<VarDecl>()->init : nullptr;
}

bool mentions(const Expr *e, const VarDecl *v) {
  return anyExpr(e, Walk::Evaluated,
      [&](const Expr *x) { return x->kind == ExprKind::Ident && namedVariable(x) == v; });
}

// The elements that certainly every round of a loop accesses, up to where its body might leave the round.
class Indexed {
public:
  Indexed(const VarDecl *i, __int128 largest) : i(i), largest(largest) {}
  const Index *found = nullptr;

  // false: what follows may not be executed in every round
  bool statement(const Stmt *s) { return !found && (!s || dispatch(*this, s)); }

  bool on(const CompoundStmt &s) {
    return std::all_of(s.body.begin(), s.body.end(), [this](const Stmt *c) { return statement(c); });
  }
  bool on(const ExprStmt &s) { return expression(s.expr); }
  bool on(const DeclStmt &s) {
    return std::all_of(s.decl->declarators.begin(), s.decl->declarators.end(), [this](const InitDeclarator &d) {
      const Initializer *init = initializerOf(d);
      return !init || !init->expr || expression(init->expr);
    });
  }
  bool on(const IfStmt &s) { return expression(s.cond) && !leaves(&s, true) && !mentions(s.cond, i); }
  bool on(const ForStmt &s) {  // its body, unless the number of its rounds depends on i
    bool fixed = !s.cond || !mentions(s.cond, i);
    if (s.init && s.init->kind == StmtKind::Expr) fixed &= !mentions(s.init->as<ExprStmt>()->expr, i);
    if (s.init && s.init->kind == StmtKind::Decl)
      for (const InitDeclarator &d : s.init->as<DeclStmt>()->decl->declarators)
        if (const Initializer *init = initializerOf(d)) fixed &= init->expr && !mentions(init->expr, i);
    return fixed && !leaves(&s, true) && statement(s.body);
  }
  bool on(const NullStmt &) { return true; }
  bool on(const SyncStmt &) { return true; }
  template <class S> bool on(const S &) { return false; }

  // May the loop end in the statement, or the round?
  static bool leaves(const Stmt *s, bool round) {
    bool found = false;
    eachNode(s, Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>)
        found |= node->kind == StmtKind::Break || node->kind == StmtKind::Return || node->kind == StmtKind::Goto ||
                 node->kind == StmtKind::Asm || (round && node->kind == StmtKind::Continue);
      else
        found |=
            node->kind == ExprKind::StmtExpr || (node->kind == ExprKind::Call && !comesBack(node->template as<Call>()));
    });
    return found;
  }

private:
  const VarDecl *i;
  __int128 largest;

  static bool comesBack(const Call *c) {
    const FunctionDecl *f = directCallee(c);
    return f && !f->isNoreturn && !f->attrs.noreturn;
  }
  // Without what depends on an operand of && and ||, and on a choice. A call may not come back.
  bool expression(const Expr *e) {
    bool returns = true;
    eachExpr(e, Walk::Evaluated, [&](const Expr *x) {
      if (found) return false;
      if (x->kind == ExprKind::Binary && isLogical(x->as<Binary>()->op)) {
        returns &= expression(x->as<Binary>()->lhs);
        return false;
      }
      if (x->kind == ExprKind::Conditional) {
        returns &= expression(x->as<Conditional>()->cond);
        return false;
      }
      if (x->kind == ExprKind::StmtExpr) return returns = false;
      if (x->kind == ExprKind::Unary && x->as<Unary>()->op == UnaryOp::AddrOf) return false;  // one past the end may be
      if (x->kind == ExprKind::Call) returns &= comesBack(x->as<Call>());
      if (x->kind == ExprKind::Index) element(x->as<Index>());
      return true;
    });
    return returns && !found;
  }
  void element(const Index *x) {
    const Expr *base = ignoreParens(x->base);
    if (base->kind != ExprKind::ImplicitCast || base->as<ImplicitCast>()->castKind != CastKind::ArrayToPointer) return;
    const Expr *array = ignoreParens(base->as<ImplicitCast>()->sub), *whole = array;
    while (whole->kind == ExprKind::Index && ignoreParens(whole->as<Index>()->base)->kind == ExprKind::ImplicitCast)
      whole = ignoreParens(ignoreParens(whole->as<Index>()->base)->as<ImplicitCast>()->sub);
    const auto *type = array->type->as<ArrayType>();
    if (whole->kind != ExprKind::Ident || type->arrayKind != ArrayKind::Constant || type->count == 0) return;
    if (namedVariable(ignoreParensAndImplicit(x->index)) == i && largest >= static_cast<__int128>(type->count))
      found = x;
  }
};

}  // namespace

// The loop variable i goes up to `largest`, with this body in every round.
void Warnings::checkIndexUpTo(const VarDecl *i, __int128 largest, const Stmt *body, Range cond, bool inclusive) {
  if (!body || !diags.wants(diag::array_bounds_loop) || Indexed::leaves(body, false)) return;
  if (wrapInt(largest, i->type.type, cx.target) != largest || i->addressTaken) return;
  Indexed search(i, largest);
  search.statement(body);
  if (!search.found) return;
  bool changed = false;
  eachExpr(body, Walk::Evaluated, [&](const Expr *e) {
    const Expr *to =
        e->kind == ExprKind::Assign ? e->as<Assign>()->lhs
        : e->kind == ExprKind::Unary && (isIncDec(e->as<Unary>()->op) || e->as<Unary>()->op == UnaryOp::AddrOf)
            ? e->as<Unary>()->sub
            : nullptr;
    changed |= to && namedVariable(ignoreParens(to)) == i;
  });
  if (changed) return;
  const QualType array = ignoreParens(search.found->base)->as<ImplicitCast>()->sub->type;
  auto d = diags.report(diag::array_bounds_loop, search.found->range);
  d << i->name << decimal(largest) << toString(array);
  if (inclusive && largest == static_cast<__int128>(array->as<ArrayType>()->count))
    d.note(cond, "write `<` here, or make the array one element longer");
}

void Warnings::checkCountedLoop(const ForStmt *f) {
  if (sema.unevaluated || sema.deadCode || !f->init || !f->cond || !f->step || !diags.wants(diag::array_bounds_loop))
    return;
  const VarDecl *i = nullptr;
  const Expr *start = nullptr;
  if (f->init->kind == StmtKind::Decl && f->init->as<DeclStmt>()->decl &&
      f->init->as<DeclStmt>()->decl->declarators.size() == 1) {
    const InitDeclarator &d = f->init->as<DeclStmt>()->decl->declarators[0];
    if (d.decl && d.decl->kind == DeclKind::Var) i = d.decl->as<VarDecl>();
    if (i && i->init) start = i->init->expr;
  } else if (f->init->kind == StmtKind::Expr) {
    const Expr *e = ignoreParens(f->init->as<ExprStmt>()->expr);
    if (e->kind == ExprKind::Assign && !e->as<Assign>()->compound)
      i = namedVariable(ignoreParens(e->as<Assign>()->lhs)), start = e->as<Assign>()->rhs;
  }
  const Expr *c = ignoreParens(f->cond), *step = ignoreParens(f->step);
  auto from = i && start && i->type->isInteger() ? sema.conv.knownInteger(start) : std::nullopt;
  if (!from || !i->isLocal || c->kind != ExprKind::Binary || step->kind != ExprKind::Unary) return;
  const auto *test = c->as<Binary>();
  auto end = sema.conv.knownInteger(test->rhs);
  if (!end || namedVariable(ignoreParensAndImplicit(test->lhs)) != i ||
      namedVariable(ignoreParens(step->as<Unary>()->sub)) != i)
    return;
  const UnaryOp op = step->as<Unary>()->op;
  if (op == UnaryOp::PreInc || op == UnaryOp::PostInc) {
    const bool inclusive = test->op == BinaryOp::Le;
    if (!inclusive && test->op != BinaryOp::Lt && test->op != BinaryOp::Ne) return;
    const __int128 last = *end - !inclusive;
    if (last >= *from) checkIndexUpTo(i, last, f->body, c->range, inclusive);
  } else if (op == UnaryOp::PreDec || op == UnaryOp::PostDec) {
    const bool runs = test->op == BinaryOp::Gt ? *from > *end : test->op == BinaryOp::Ge && *from >= *end;
    if (runs) checkIndexUpTo(i, *from, f->body, c->range, false);
  }
}

// int *p = &s.member, where the record is packed.
void Warnings::checkPackedAddress(const Expr *e, QualType to) {
  e = ignoreCasts(e);
  const QualType pointee = to->as<PointerType>()->pointee;
  if (e->kind != ExprKind::Unary || e->as<Unary>()->op != UnaryOp::AddrOf || pointee->isFunction() ||
      !isComplete(pointee.type) || sema.unevaluated)
    return;
  const Expr *object = ignoreParens(e->as<Unary>()->sub);
  if (object->kind != ExprKind::Member) return;
  const auto *member = object->as<Member>();
  const uint64_t wanted = alignOf(pointee.type, cx.target);
  uint64_t offset = 0;
  bool packed = false;
  while (object->kind == ExprKind::Member) {
    const auto *m = object->as<Member>();
    for (const FieldDecl *f : m->path) {
      offset += f->offset;
      packed |= f->attrPacked || (f->parent && f->parent->isPackedAttr);
    }
    object = ignoreParens(m->base);
    if (m->arrow) break;
  }
  if (!packed) return;
  const auto *whole = object->type->isPointer() ? object->type->as<PointerType>()->pointee.type : object->type.type;
  uint64_t known = alignOf(whole, cx.target);
  if (const VarDecl *v = namedVariable(object)) known = std::max<uint64_t>(known, v->attrs.align);
  if (wanted > 1 && (known < wanted || offset % wanted))
    diags.report(diag::address_of_packed, e->range) << member->name << toString(pointee);
}

}  // namespace cilkc
