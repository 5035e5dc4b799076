// assign_convert.cpp - conversion as if by assignment, with its diagnostics (C17 6.5.16.1), and the common type of two
// pointers (C17 6.5.9, 6.5.15): what the types that pointers lead to may differ in.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/sema/c/core/sema.h"
#include "frontend/types/access.h"
#include "diag/cilk.h"
#include "diag/sema_expr.h"

namespace cilkc {

QualType Conversions::withoutQualifiers(QualType p) const {
  auto plain = [](QualType t) { return t.unqual().with(t.quals & QAtomic); };
  if (!p->isArray()) return plain(p);
  std::vector<const ArrayType *> dims;
  QualType elem = p;
  while (elem->isArray()) dims.push_back(elem->as<ArrayType>()), elem = elem->as<ArrayType>()->elem;
  if (!elem.quals) return p.unqual();
  QualType r = plain(elem);
  for (auto it = dims.rbegin(); it != dims.rend(); ++it)
    r = (*it)->arrayKind == ArrayKind::Constant   ? cx.arrayOf(r, (*it)->count)
        : (*it)->arrayKind == ArrayKind::Variable ? QualType(cx.variableArrayOf(r, (*it)->size, (*it)->sizeVar))
                                                  : cx.incompleteArrayOf(r);
  return r;
}

namespace {

// The qualifiers of what a pointer points to.
unsigned targetQuals(QualType p) {
  unsigned q = p.quals;
  while (p->isArray()) p = p->as<ArrayType>()->elem, q |= p.quals;
  return q & QualBits & ~unsigned(QAtomic);
}

// The function that `f` or `&f` names.
const Decl *functionNamed(const Expr *e) {
  e = ignoreParensAndImplicit(e);
  if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::AddrOf)
    e = ignoreParensAndImplicit(e->as<Unary>()->sub);
  const Decl *d = e->kind == ExprKind::Ident ? e->as<Ident>()->decl : nullptr;
  return d && d->kind == DeclKind::Function ? d : nullptr;
}

// A pointer to another one, neither of them null by its form. Reports; false: there is no conversion.
bool checkPointerAssignment(Sema &s, const Expr *e, QualType to, const std::string &context, Range at) {
  QualType tp = to->as<PointerType>()->pointee, fp = e->type->as<PointerType>()->pointee;
  bool fnT = tp->isFunction(), fnF = fp->isFunction();
  if (fnT && fnF) {
    bool ct = tp->as<FunctionType>()->isCilk, cf = fp->as<FunctionType>()->isCilk;
    if (ct != cf) {
      auto d = s.diags.report(ct ? diag::cilk_pointer_from_c : diag::c_pointer_from_cilk, at);
      d << toString(e->type) << toString(to) << context;
      if (cf) d.note(at, "a pointer to it is declared with `cilk`: `" + declToString(e->type.unqual(), "p") + ";`");
      else if (const Decl *f = functionNamed(e); f && f->range.valid())
        d.note(f->range, "'" + std::string(f->name) +
                             "' is declared as a C function: write `cilk` before its declaration and definition");
      return false;
    }
  }
  unsigned tq = targetQuals(tp), fq = targetQuals(fp);
  auto bare = [&](QualType p) { return s.conv.withoutQualifiers(p); };
  auto isVoid = [](QualType p) { return p->isVoid() && !p.isAtomic(); };
  bool sameBase = s.compat.compatible(bare(tp), bare(fp));
  if (!(tq & QConst) && s.diags.wants(diag::write_strings)) {
    const Expr *text = ignoreParensAndImplicit(e);
    if (text->kind == ExprKind::StringLit) s.diags.report(diag::write_strings, at) << context << toString(to);
  }
  if (!sameBase && (isVoid(tp) || isVoid(fp))) {
    if ((fnT || fnF) && s.cx.lang.pedantic) s.diags.report(diag::pedantic_function_void_pointer, at) << context;
    sameBase = true;
  }
  if (!sameBase) {
    bool intPair = tp.isAtomic() == fp.isAtomic() && tp->isInteger() && fp->isInteger() &&
                   sizeOf(tp.type, s.cx.target) == sizeOf(fp.type, s.cx.target) && !tp->isBool() && !fp->isBool();
    if (intPair && s.conv.rank(tp.type) == s.conv.rank(fp.type))
      s.diags.report(diag::pointer_sign, at) << context << toString(to) << toString(e->type);
    else {
      auto d = s.diags.report(diag::incompatible_pointer_types, at);
      d << context << toString(to) << toString(e->type);
      const Expr *given = ignoreParensAndImplicit(e);  // &array where the array itself would do
      if (fp->isArray() && given->kind == ExprKind::Unary && given->as<Unary>()->op == UnaryOp::AddrOf &&
          s.compat.compatible(tp.unqual(), fp->as<ArrayType>()->elem.unqual()))
        d.note(given->range, "without the `&` it is the address of the first element");
    }
  } else if (fq & ~tq) {
    const char *which = (fq & ~tq & QConst) ? "const" : (fq & ~tq & QVolatile) ? "volatile" : "restrict";
    bool array = fp->isArray() && s.cx.lang.std < LangOptions::C2x;
    if (!(fnT && fnF))
      s.diags.report(array ? diag::discarded_array_qualifiers : diag::discarded_qualifiers, at)
          << context << which << toString(e->type) << toString(to);
  } else if (fq != tq && tp->isArray() && fp->isArray() && s.cx.lang.std < LangOptions::C2x) {
    s.diags.report(diag::pedantic_array_qualifiers, at) << toString(to) << toString(e->type);
  }
  return true;
}

// The first member of a transparent union that the argument converts to without a word.
const FieldDecl *takesArgument(Sema &s, const RecordType *u, const Expr *e) {
  for (FieldDecl *f : u->fields) {
    QualType ft = f->type;
    bool fits = s.compat.compatible(ft.unqual(), e->type);
    if (!fits && ft->isPointer() && e->type->isPointer()) {
      QualType a = ft->as<PointerType>()->pointee, b = e->type->as<PointerType>()->pointee;
      fits = a->isVoid() || b->isVoid() || s.compat.compatible(a.unqual(), b.unqual());
    }
    if (fits || (ft->isPointer() && s.conv.isNullPointerConstant(e))) return f;
  }
  return nullptr;
}

}  // namespace

Expr *Conversions::assignConvert(Expr *e, QualType to, const std::string &context, Range where) {
  Range at = e->range.valid() ? e->range : where;
  if (e->type->isError() || !to || to->isError()) return e;
  to = to.unqual();
  const Type *from = e->type.type;
  if (from->isVoid()) {
    diags.report(diag::void_value, at) << context;
    return error(at);
  }
  if (from->isPointer() && to->isPointer()) sema.warn.checkPackedAddress(e, to);
  if (from == to.type && !(from->isPointer() && diags.wants(diag::write_strings))) return e;
  if (from->isArithmetic() && to->isArithmetic()) {
    if (to->isEnum() && !sema.unevaluated) {
      const auto &own = to->as<EnumType>()->constants;
      const EnumType *f = sema.warn.enumerationOf(e);
      const Expr *x = e;
      x = ignoreParensAndImplicit(x);
      bool ownConstant =
          x->kind == ExprKind::Ident && x->as<Ident>()->decl &&
          std::any_of(own.begin(), own.end(), [&](const Enumerator &c) { return c.decl == x->as<Ident>()->decl; });
      if (f && f != to.type && !ownConstant && (from->isEnum() || !f->tag.empty()))
        diags.report(diag::enum_conversion, at) << context << toString(QualType(f)) << toString(to);
    }
    if (to->isEnum() || from->isEnum() || to->isInteger()) warnConstantConversion(e, to, context);
    sema.warn.checkArithmeticConversion(e, to, context);
    return convert(e, to);
  }
  if ((to->isNullptr() && !isNullPointerConstant(e)) || (from->isNullptr() && !to->isPointer() && !to->isBool())) {
    diags.report(diag::incompatible_types, at) << context << toString(to) << toString(e->type);
    return error(at);
  }
  if (to->isPointer()) {
    if (from->isPointer()) {
      bool null = from->isNullptr() || isNullPointerConstant(e);
      if (!null && !checkPointerAssignment(sema, e, to, context, at)) return error(at);
      return convert(e, to);
    }
    if (from->isInteger()) {
      if (isNullPointerConstant(e)) return implicit(CastKind::NullToPointer, e, to);
      auto d = diags.report(diag::int_to_pointer, at);
      d << context << toString(e->type) << toString(to);
      const Expr *given = ignoreParens(e->kind == ExprKind::ImplicitCast ? e->as<ImplicitCast>()->sub : e);
      if (given->lvalue && !given->bitField &&
          sema.compat.compatible(to->as<PointerType>()->pointee.unqual(), given->type.unqual()))
        d.note(given->range, "its address is written with a `&`");
      return convert(e, to);
    }
  }
  if (from->isPointer() && to->isInteger()) {
    if (to->isBool()) return convert(e, to);
    auto d = diags.report(diag::pointer_to_int, at);
    d << context << toString(e->type) << toString(to);
    if (const Expr *text = ignoreParensAndImplicit(e);
        text->kind == ExprKind::StringLit && sizeOf(to.type, cx.target) == 1 && text->as<StringLit>()->length() == 1)
      d.note(text->range, "a character is written in single quotes");
    else if (text->kind != ExprKind::StringLit &&
             sema.compat.compatible(e->type->as<PointerType>()->pointee.unqual(), to.unqual()))
      d.note(at, "what it points to is written with a `*`");
    return convert(e, to);
  }
  if (to->isVector() && from->isVector()) {
    if (sizeOf(to.type, cx.target) == sizeOf(from, cx.target)) {
      const auto *tv = to->as<VectorType>(), *fv = from->as<VectorType>();
      bool ints = tv->elem->isInteger() && fv->elem->isInteger() && tv->count == fv->count;
      if (sema.compat.compatible(to, e->type) || ints) return convert(e, to);
    }
  }
  if (to->isRecord() && from->isRecord() && sema.compat.compatible(to, e->type)) return convert(e, to);
  if (to->isRecord() && to->as<RecordType>()->transparentUnion) {
    if (const FieldDecl *f = takesArgument(sema, to->as<RecordType>(), e))
      return implicit(CastKind::ToUnion, convert(e, f->type), to);
  }
  diags.report(diag::incompatible_types, at) << context << toString(to) << toString(e->type);
  return error(at);
}

// ---- pointers in comparisons and conditionals ---------------------------------------------------------------------

QualType Conversions::mergePointers(Expr *&a, Expr *&b, Range where, bool comparison) {
  bool pa = a->type->isPointer(), pb = b->type->isPointer();
  if (!pa || !pb) {
    Expr *&p = pa ? a : b, *&i = pa ? b : a;
    QualType t = p->type;
    if (!isNullPointerConstant(i)) {
      if (comparison) diags.report(diag::pointer_int_comparison, where) << toString(a->type) << toString(b->type);
      else diags.report(diag::pointer_int_conditional, where) << toString(a->type) << toString(b->type);
    }
    i = convert(i, t);
    return t;
  }
  if (a->type.type == b->type.type) return a->type;
  QualType qa = a->type->as<PointerType>()->pointee, qb = b->type->as<PointerType>()->pointee;
  bool na = a->type->isNullptr() || isNullPointerConstant(a), nb = b->type->isNullptr() || isNullPointerConstant(b);
  QualType t;
  if (nb) t = a->type;
  else if (na) t = b->type;
  else {
    unsigned quals = ((unsigned(qa.quals) | qb.quals) & QualBits) | mergedAccess(qa, qb);
    auto isVoid = [](QualType p) { return p->isVoid() && !p.isAtomic(); };
    if (isVoid(qa) || isVoid(qb)) {
      if (cx.lang.std >= LangOptions::C2x) quals |= targetQuals(qa) | targetQuals(qb);  // C23 6.2.5p31
      t = cx.pointerTo(cx.qualify(cx.basic(TypeKind::Void), quals & QualBits & ~unsigned(QAtomic)));
    } else if (qa.isAtomic() == qb.isAtomic() && sema.compat.compatible(qa.unqual(), qb.unqual())) {
      QualType c = sema.compat.composite(qa.unqual(), qb.unqual());
      t = cx.pointerTo(cx.qualify(c, quals));
    } else {
      bool cilkMix =
          qa->isFunction() && qb->isFunction() && qa->as<FunctionType>()->isCilk != qb->as<FunctionType>()->isCilk;
      auto element = [](QualType q) {
        while (q->isArray()) q = q->as<ArrayType>()->elem;
        return q;
      };
      // Pointers to arrays whose elements differ in qualifiers only are close enough.
      if (qa->isArray() && qb->isArray() && sema.compat.compatible(withoutQualifiers(qa), withoutQualifiers(qb))) {
        if (cx.lang.std < LangOptions::C2x)
          diags.report(diag::pedantic_array_qualifiers, where) << toString(a->type) << toString(b->type);
        t = cx.pointerTo(cx.qualify(qa, element(qb).quals));
      } else {
        if (comparison)
          diags.report(diag::distinct_pointer_comparison, where) << toString(a->type) << toString(b->type);
        else if (cilkMix) diags.report(diag::cilk_pointer_mix, where) << toString(a->type) << toString(b->type);
        else diags.report(diag::pointer_type_mismatch, where) << toString(a->type) << toString(b->type);
        t = comparison ? a->type : cx.pointerTo(cx.qualify(cx.basic(TypeKind::Void), quals & QualBits));
      }
    }
  }
  a = convert(a, t);
  b = convert(b, t);
  return t;
}

}  // namespace cilkc
