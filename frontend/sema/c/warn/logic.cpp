// logic.cpp - warnings that compare parts of the program with each other: conditions that repeat or exclude one
// another; branches that are the same; integers where a truth value is wanted; divisions of sizes; absolute values of
// the wrong type.
#include "frontend/ast/query.h"
#include "frontend/builtins/builtins.h"
#include "frontend/sema/c/core/declstate.h"
#include "diag/warn.h"

namespace cilkc {

namespace {

// Have both the same value, by their words? Nothing with effects or volatile objects.
bool equal(const Sema &s, const Expr *a, const Expr *b, int depth = 0) {
  a = ignoreParensAndImplicit(a), b = ignoreParensAndImplicit(b);
  if (a->kind != b->kind || depth > 30 || !a->type || !b->type || a->type->isError() || a->type.isVolatile())
    return false;
  auto sub = [&](const Expr *x, const Expr *y) { return equal(s, x, y, depth + 1); };
  switch (a->kind) {
    case ExprKind::Ident: return a->as<Ident>()->decl && a->as<Ident>()->decl == b->as<Ident>()->decl;
    case ExprKind::IntLit: return a->as<IntLit>()->value == b->as<IntLit>()->value && a->type.type == b->type.type;
    case ExprKind::CharLit: return a->as<CharLit>()->value == b->as<CharLit>()->value;
    case ExprKind::FloatLit: return a->as<FloatLit>()->text == b->as<FloatLit>()->text && a->type.type == b->type.type;
    case ExprKind::Member:
      return a->as<Member>()->name == b->as<Member>()->name && a->as<Member>()->arrow == b->as<Member>()->arrow &&
             sub(a->as<Member>()->base, b->as<Member>()->base);
    case ExprKind::Index:
      return sub(a->as<Index>()->base, b->as<Index>()->base) && sub(a->as<Index>()->index, b->as<Index>()->index);
    case ExprKind::Unary: {
      UnaryOp op = a->as<Unary>()->op;
      if (isIncDec(op)) return false;
      return op == b->as<Unary>()->op && sub(a->as<Unary>()->sub, b->as<Unary>()->sub);
    }
    case ExprKind::Binary:
      return a->as<Binary>()->op == b->as<Binary>()->op && sub(a->as<Binary>()->lhs, b->as<Binary>()->lhs) &&
             sub(a->as<Binary>()->rhs, b->as<Binary>()->rhs);
    case ExprKind::Cast: return a->type.type == b->type.type && sub(a->as<Cast>()->sub, b->as<Cast>()->sub);
    default: return otherKinds<34>(false);
  }
}

// The values of v for which `v op c` holds, as an interval or its complement.
struct Test {
  const Expr *v = nullptr;
  __int128 lo = 0, hi = 0;
  bool outside = false;
};

std::optional<Test> testOf(const Sema &s, const Expr *e) {
  e = ignoreParensAndImplicit(e);
  if (e->kind != ExprKind::Binary) return {};
  const auto *b = e->as<Binary>();
  if (b->op < BinaryOp::Lt || b->op > BinaryOp::Ne) return {};
  auto l = s.conv.knownInteger(b->lhs), r = s.conv.knownInteger(b->rhs);
  if (l.has_value() == r.has_value()) return {};
  const Expr *v = l ? b->rhs : b->lhs;
  if (!v->type->isInteger()) return {};
  __int128 c = l ? *l : *r;
  BinaryOp op = b->op;
  if (l)
    op = op == BinaryOp::Lt   ? BinaryOp::Gt
         : op == BinaryOp::Gt ? BinaryOp::Lt
         : op == BinaryOp::Le ? BinaryOp::Ge
         : op == BinaryOp::Ge ? BinaryOp::Le
                              : op;
  const __int128 far = __int128(1) << 100;
  if (c > far / 2 || c < -far / 2) return {};
  switch (op) {
    case BinaryOp::Eq: return Test{v, c, c, false};
    case BinaryOp::Ne: return Test{v, c, c, true};
    case BinaryOp::Lt: return Test{v, -far, c - 1, false};
    case BinaryOp::Le: return Test{v, -far, c, false};
    case BinaryOp::Gt: return Test{v, c + 1, far, false};
    default: return Test{v, c, far, false};
  }
}

}  // namespace

void Warnings::checkLogical(const Binary *b) {
  if (sema.unevaluated || sema.deadCode) return;
  bool isAnd = b->op == BinaryOp::LogAnd;
  checkTruth(b->lhs), checkTruth(b->rhs);
  if (!diags.wants(diag::logical_op_equal) && !diags.wants(diag::logical_op_constant)) return;
  Range where = b->opRange.valid() ? b->opRange : b->range;
  if (diags.sources().resolve(where.begin).fromMacro) return;
  if (equal(sema, b->lhs, b->rhs)) {
    diags.report(diag::logical_op_equal, where).also(b->lhs->range).also(b->rhs->range) << (isAnd ? "&&" : "||");
    return;
  }
  auto x = testOf(sema, b->lhs), y = testOf(sema, b->rhs);
  if (!x || !y || !equal(sema, x->v, y->v)) return;
  // `a != 1 || a != 2` is always true when the two complements do not meet; `a < 0 && a > 9` always false when the
  // tests do not.
  auto disjoint = [](const Test &p, const Test &q) { return p.hi < q.lo || q.hi < p.lo; };
  const __int128 far = __int128(1) << 100;
  auto complement = [&](const Test &t) -> std::optional<Test> {
    if (t.outside) return Test{t.v, t.lo, t.hi, false};
    if (t.lo == -far) return Test{t.v, t.hi + 1, far, false};
    if (t.hi == far) return Test{t.v, -far, t.lo - 1, false};
    return {};
  };
  if (isAnd) {
    if (!x->outside && !y->outside && disjoint(*x, *y))
      diags.report(diag::logical_op_constant, where) << "exclude each other, so this is always false";
  } else {
    auto p = complement(*x), q = complement(*y);
    if (p && q && disjoint(*p, *q))
      diags.report(diag::logical_op_constant, where) << "leave nothing out, so this is always true";
  }
}

// The object or function whose address this is, if it cannot be null: &x, an array, a function.
const Decl *Warnings::neverNull(const Expr *e) {
  while (e->kind == ExprKind::Paren ||
         (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::PointerToPointer))
    e = e->kind == ExprKind::Paren ? e->as<ParenExpr>()->sub : e->as<ImplicitCast>()->sub;
  const Expr *object = nullptr;
  if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::AddrOf) object = e->as<Unary>()->sub;
  else if (e->kind == ExprKind::ImplicitCast) {
    CastKind k = e->as<ImplicitCast>()->castKind;
    if (k == CastKind::ArrayToPointer || k == CastKind::FunctionToPointer) object = e->as<ImplicitCast>()->sub;
  }
  if (!object) return nullptr;
  object = ignoreParensAndImplicit(object);
  if (object->kind != ExprKind::Ident) return nullptr;
  const Decl *d = object->as<Ident>()->decl;
  if (!d) return nullptr;
  const DeclAttrs *attrs = d->kind == DeclKind::Function ? &d->as<FunctionDecl>()->attrs
                           : d->kind == DeclKind::Var    ? &d->as<VarDecl>()->attrs
                                                         : nullptr;
  return attrs && !attrs->weak && !attrs->weakref ? d : nullptr;
}

// An integer where a truth value is meant: `if (a << 3)`, `!(a * b)`, `if (a ? 4 : 8)`; or an address.
void Warnings::checkTruth(const Expr *e) {
  if (sema.unevaluated || sema.deadCode) return;
  if (const Decl *d = neverNull(e); d && !diags.sources().resolve(e->range.begin).fromMacro) {
    auto r = diags.report(diag::always_true_address, e->range);
    r << d->name;
    if (d->kind == DeclKind::Function) r.note(e->range, "is the call '" + std::string(d->name) + "()' meant?");
  }
  if (!diags.wants(diag::int_in_bool_context)) return;
  e = ignoreParens(e);
  if (!e->type || !e->type->isInteger() || sema.conv.knownInteger(e)) return;
  if (e->kind == ExprKind::Binary) {
    const auto *b = e->as<Binary>();
    if (b->op == BinaryOp::Mul)
      diags.report(diag::int_in_bool_context, e->range) << "'*' in a condition: is '&&' meant?";
    else if (b->op == BinaryOp::Shl && isSigned(e->type.type, cx.target))
      diags.report(diag::int_in_bool_context, e->range) << "'<<' in a condition: is '<' meant?";
  } else if (e->kind == ExprKind::Conditional && e->as<Conditional>()->then) {
    auto x = sema.conv.knownInteger(e->as<Conditional>()->then),
         y = sema.conv.knownInteger(e->as<Conditional>()->otherwise);
    if (x && y && *x && *y && !(*x == 1 && *y == 1))
      diags.report(diag::int_in_bool_context, e->range) << "both results of this '?:' are true as conditions";
    else if ((x && *x && *x != 1) || (y && *y && *y != 1))
      diags.report(diag::int_in_bool_context, e->range) << "integer constants of '?:' used as booleans";
  }
}

const EnumType *Warnings::enumerationOf(const Expr *e) const {
  while (e->kind == ExprKind::Paren || (e->kind == ExprKind::ImplicitCast && !e->type->isEnum()))
    e = e->kind == ExprKind::Paren ? e->as<ParenExpr>()->sub : e->as<ImplicitCast>()->sub;
  if (e->type && e->type->isEnum()) return e->type->as<EnumType>();
  if (e->kind != ExprKind::Ident || !e->as<Ident>()->decl || e->as<Ident>()->decl->kind != DeclKind::EnumConst)
    return nullptr;
  auto it = sema.ds->tags.enumOf.find(e->as<Ident>()->decl->as<EnumConstDecl>());
  return it == sema.ds->tags.enumOf.end() ? nullptr : it->second;
}

// ---- if … else if … -----------------------------------------------------------------------------------------------

// Two branches that are the same words. Braces around a single statement are left out, and nothing is compared with
// nothing.
static bool sameWork(const Stmt *a, const Stmt *b) {
  for (const Stmt **s : {&a, &b})
    if ((*s)->kind == StmtKind::Compound && (*s)->as<CompoundStmt>()->body.size() == 1)
      *s = (*s)->as<CompoundStmt>()->body[0];
  bool nothing = a->kind == StmtKind::Null || (a->kind == StmtKind::Compound && a->as<CompoundStmt>()->body.empty());
  return !nothing && sameTree(a, b);
}

void Warnings::checkIfChain(const IfStmt *top) {
  bool conds = diags.wants(diag::duplicated_cond), branches = diags.wants(diag::duplicated_branches);
  if (!conds && !branches) return;
  std::vector<const Expr *> seen;
  for (const IfStmt *i = top; i;) {
    // it may change what was tested
    if (conds && i->cond && i->cond->type && !equal(sema, i->cond, i->cond)) seen.clear();
    else if (conds && i->cond && i->cond->type && seen.size() < 200 &&
             !(i->cond->type->isInteger() && sema.conv.knownInteger(i->cond))) {
      for (const Expr *e : seen)
        if (equal(sema, e, i->cond)) {
          diags.report(diag::duplicated_cond, i->cond->range).note(e->range, "it was tested here");
          break;
        }
      seen.push_back(i->cond);
    }
    if (branches && i->then && i->otherwise && sameWork(i->then, i->otherwise))
      diags.report(diag::duplicated_branches, i->range) << "if";
    i = i->otherwise && i->otherwise->kind == StmtKind::If ? i->otherwise->as<IfStmt>() : nullptr;
  }
}

// ---- sizes --------------------------------------------------------------------------------------------------------

void Warnings::checkSizeDivision(const Binary *b) {
  if (sema.unevaluated || sema.deadCode) return;
  auto operand = [](const Expr *e, bool &paren) -> QualType {
    paren = false;
    while (e->kind == ExprKind::ImplicitCast || e->kind == ExprKind::Paren) {
      paren |= e->kind == ExprKind::Paren;
      e = e->kind == ExprKind::Paren ? e->as<ParenExpr>()->sub : e->as<ImplicitCast>()->sub;
    }
    if (e->kind == ExprKind::SizeofExpr) return e->as<SizeofExpr>()->sub->type;
    if (e->kind == ExprKind::SizeofType && e->as<SizeofType>()->target) return e->as<SizeofType>()->target->type;
    return {};
  };
  bool pl, pr;
  QualType l = operand(b->lhs, pl), r = operand(b->rhs, pr);
  if (!l || !r || l->isError() || r->isError()) return;
  Range where = b->opRange.valid() ? b->opRange : b->range;
  if (l->isPointer() && l->as<PointerType>()->pointee.type == r.type && !r->isPointer())
    diags.report(diag::sizeof_pointer_div, where).also(b->lhs->range) << toString(l);
  if (l->isArray() && !pr) {
    QualType elem = l->as<ArrayType>()->elem;
    TypeKind k = elem->kind;
    bool character = k == TypeKind::Char || k == TypeKind::SChar || k == TypeKind::UChar;
    if (character || elem->isArray() || elem.type == r.type || !isComplete(elem.type) || !isComplete(r.type) ||
        hasVariableSize(elem.type) || hasVariableSize(r.type))
      return;
    if (sizeOf(elem.type, cx.target) != sizeOf(r.type, cx.target) && !r->isArray())
      diags.report(diag::sizeof_array_div, where) << toString(elem) << toString(r);
  }
}

// memset(p, 0, sizeof p) and its kind: the size of the pointer is not that of the object.
void Warnings::checkSizeArgument(const Call *c, const FunctionDecl *f) {
  struct Entry {
    std::string_view name;
    size_t dest, source, size;
  };
  static constexpr size_t none = 99;
  static constexpr Entry table[] = {{"memset", 0, none, 2}, {"memcpy", 0, 1, 2}, {"memmove", 0, 1, 2},
      {"mempcpy", 0, 1, 2}, {"memcmp", 0, 1, 2}, {"strncpy", 0, 1, 2}, {"stpncpy", 0, 1, 2}, {"strncat", 0, 1, 2},
      {"strncmp", 0, 1, 2}, {"strncasecmp", 0, 1, 2}, {"bzero", 0, none, 1}, {"bcopy", 1, 0, 2}, {"bcmp", 0, 1, 2},
      {"strndup", none, 0, 1}, {"memchr", none, 0, 2}, {"snprintf", 0, none, 1}, {"vsnprintf", 0, none, 1}};
  std::string_view name = f->name;
  if (name.starts_with("__builtin_")) name.remove_prefix(10);
  if (name.starts_with("__") && name.ends_with("_chk")) name = name.substr(2, name.size() - 6);
  if (name.starts_with("__")) return;
  for (const Entry &t : table) {
    if (t.name != name) continue;
    if (t.size >= c->args.size()) return;
    const Expr *size = ignoreParensAndImplicit(c->args[t.size]);
    QualType of = size->kind == ExprKind::SizeofExpr ? size->as<SizeofExpr>()->sub->type
                  : size->kind == ExprKind::SizeofType && size->as<SizeofType>()->target
                      ? size->as<SizeofType>()->target->type
                      : QualType();
    // strncpy(d, s, sizeof s): of an array, too.
    if (of && of->isArray() && size->kind == ExprKind::SizeofExpr &&
        (name == "strncpy" || name == "strncat" || name == "stpncpy") &&
        equal(sema, size->as<SizeofExpr>()->sub, c->args[t.source]) &&
        !equal(sema, c->args[t.dest], c->args[t.source])) {
      diags.report(diag::sizeof_source, size->range) << name;
      return;
    }
    if (!of || !of->isPointer()) return;
    for (size_t side : {t.dest, t.source}) {
      if (side >= c->args.size()) continue;
      const Expr *a = c->args[side];
      while (a->kind == ExprKind::Paren ||
             (a->kind == ExprKind::ImplicitCast && a->as<ImplicitCast>()->castKind != CastKind::LvalueToRvalue &&
                 a->as<ImplicitCast>()->castKind != CastKind::ArrayToPointer))
        a = a->kind == ExprKind::Paren ? a->as<ParenExpr>()->sub : a->as<ImplicitCast>()->sub;
      if (!a->type->isPointer()) continue;
      const char *what = side == t.dest ? "destination" : "source";
      if (size->kind == ExprKind::SizeofExpr && equal(sema, size->as<SizeofExpr>()->sub, a)) {
        diags.report(diag::sizeof_pointer, size->range) << std::string("the ") + what;
        return;
      }
      if (size->kind == ExprKind::SizeofType && !of->as<PointerType>()->pointee->isVoid() &&
          a->type->as<PointerType>()->pointee.type == of->as<PointerType>()->pointee.type) {
        diags.report(diag::sizeof_pointer, size->range) << "'" + toString(of) + "', the type of the " + what;
        return;
      }
    }
    return;
  }
}

// abs and its kind on a value of another type.
void Warnings::checkAbsolute(const Call *c, const FunctionDecl *f) {
  if (c->args.size() != 1 || !diags.wants(diag::absolute_value) || !f->builtin) return;
  std::string_view name = f->name;
  if (name.starts_with("__builtin_")) name.remove_prefix(10);
  bool integer = name == "abs" || name == "labs" || name == "llabs" || name == "imaxabs",
       floating = name == "fabs" || name == "fabsf" || name == "fabsl";
  if (!integer && !floating) return;
  const Expr *a = c->args[0];
  QualType to = a->type;
  while (a->kind == ExprKind::ImplicitCast && a->as<ImplicitCast>()->castKind != CastKind::LvalueToRvalue)
    a = a->as<ImplicitCast>()->sub;
  const Type *t = a->type.type;
  Range where = c->range;
  if (integer) {
    if (t->isComplex())
      diags.report(diag::absolute_value, where)
          << "the integer function '" + std::string(f->name) + "' of a complex number";
    else if (t->isFloating())
      diags.report(diag::absolute_value, where)
          << "the integer function '" + std::string(f->name) + "' of a floating-point number";
    else if (t->isInteger() && !t->isEnum() && !isSigned(t, cx.target) && !t->isBool() && sizeOf(t, cx.target) >= 4)
      diags.report(diag::absolute_value, where)
          << "an unsigned value ('" + toString(a->type) + "') is its own absolute value";
    else if (t->isInteger() && to->isInteger() && sizeOf(t, cx.target) > sizeOf(to.type, cx.target))
      diags.report(diag::absolute_value, where)
          << "'" + std::string(f->name) + "' takes '" + toString(to) + "' and cuts '" + toString(a->type) + "' off";
  } else {
    if (t->isInteger())
      diags.report(diag::absolute_value, where)
          << "the floating-point function '" + std::string(f->name) + "' of an integer";
    else if (t->isComplex())
      diags.report(diag::absolute_value, where)
          << "the real function '" + std::string(f->name) + "' of a complex number";
    else if (t->isFloating() && to->isFloating() && sizeOf(t, cx.target) > sizeOf(to.type, cx.target))
      diags.report(diag::absolute_value, where) << "'" + std::string(f->name) + "' takes '" + toString(to) +
                                                       "' and loses digits of '" + toString(a->type) + "'";
  }
}

// ---- signs --------------------------------------------------------------------------------------------------------

// Can a value of signed type not be negative, by its form?
bool Warnings::neverNegative(const Expr *e, int depth) const {
  if (auto k = sema.conv.knownInteger(e)) return *k >= 0;
  if (depth > 8) return false;
  while (e->kind == ExprKind::Paren || e->kind == ExprKind::ImplicitCast) {
    const Expr *sub = e->kind == ExprKind::Paren ? e->as<ParenExpr>()->sub : e->as<ImplicitCast>()->sub;
    if (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::IntToInt &&
        sub->type->isInteger() && !isSigned(sub->type.type, cx.target))
      return true;
    e = sub;
    if (auto k = sema.conv.knownInteger(e)) return *k >= 0;
  }
  if (!e->type || e->type->isBool()) return true;
  if (const FieldDecl *f = sema.conv.bitFieldOf(e); f && !isSigned(f->type.type, cx.target)) return true;
  if (e->kind == ExprKind::Conditional && e->as<Conditional>()->then)
    return neverNegative(e->as<Conditional>()->then, depth + 1) &&
           neverNegative(e->as<Conditional>()->otherwise, depth + 1);
  if (e->kind == ExprKind::Unary) return e->as<Unary>()->op == UnaryOp::Not;
  if (e->kind != ExprKind::Binary) return false;
  const auto *b = e->as<Binary>();
  switch (b->op) {
    case BinaryOp::Lt:
    case BinaryOp::Gt:
    case BinaryOp::Le:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::LogAnd:
    case BinaryOp::LogOr: return true;
    case BinaryOp::And: return neverNegative(b->lhs, depth + 1) || neverNegative(b->rhs, depth + 1);
    case BinaryOp::Or:
    case BinaryOp::Xor:
    case BinaryOp::Div: return neverNegative(b->lhs, depth + 1) && neverNegative(b->rhs, depth + 1);
    case BinaryOp::Rem:
    case BinaryOp::Shr: return neverNegative(b->lhs, depth + 1);
    case BinaryOp::Comma: return neverNegative(b->rhs, depth + 1);
    case BinaryOp::Add:
    case BinaryOp::Mul: {           // of narrower unsigned values
      auto width = [&](const Expr *x) -> uint64_t {
        while (x->kind == ExprKind::Paren ||
               (x->kind == ExprKind::ImplicitCast && x->as<ImplicitCast>()->castKind == CastKind::IntToInt))
          x = x->kind == ExprKind::Paren ? x->as<ParenExpr>()->sub : x->as<ImplicitCast>()->sub;
        if (auto k = sema.conv.knownInteger(x); k && *k >= 0) {
          uint64_t n = 0;
          for (__int128 m = *k; m; m >>= 1) n++;
          return n;
        }
        return x->type->isInteger() && !isSigned(x->type.type, cx.target) ? 8 * sizeOf(x->type.type, cx.target) : 1000;
      };
      uint64_t x = width(b->lhs), y = width(b->rhs), bits = 8 * sizeOf(b->type.type, cx.target);
      return b->op == BinaryOp::Add ? x + 1 < bits && y + 1 < bits : x + y < bits;
    }
    default: return false;
  }
}

}  // namespace cilkc
