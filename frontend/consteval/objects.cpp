// objects.cpp - the address of what an lvalue designates, and the values of objects that are known while the program is
// compiled: characters of string literals, parts of constants with an initialiser.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/consteval/impl.h"
#include "frontend/consteval/static_value.h"
#include "frontend/types/layout.h"

namespace cilkc {

using Result = Evaluator::Result;

// A character of a string literal, of which an array may have taken only a part, or which it may have filled up with
// zeroes.
Result Evaluator::character(const StringLit *s, uint64_t at, const Type *t) const {
  if (s->unit != sizeOf(t, target()) || at % s->unit) return std::nullopt;
  uint64_t v = 0;
  if (at / s->unit < s->length())
    for (unsigned k = 0; k < s->unit; ++k)
      v |= static_cast<uint64_t>(static_cast<unsigned char>(s->bytes[at + k])) << (8 * k);
  return integer(static_cast<__int128>(v), t);
}

// C23: the constexpr object that a member of it, an element, or a compound literal is part of, and where; what no
// initialiser is for is zero there.
const VarDecl *Evaluator::constantObject(const Expr *e, uint64_t &at) {
  std::vector<const Expr *> parts;  // members and elements, the innermost last
  const VarDecl *v = nullptr;
  for (; !v; parts.push_back(e), e = e->kind == ExprKind::Member ? e->as<Member>()->base : e->as<Index>()->base) {
    e = ignoreParens(e);
    if (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::ArrayToPointer)
      e = ignoreParens(e->as<ImplicitCast>()->sub);
    const Decl *d = e->kind == ExprKind::Ident ? e->as<Ident>()->decl : nullptr;
    if (d && d->kind == DeclKind::Var) v = d->as<VarDecl>();
    if (e->kind == ExprKind::CompoundLit) v = e->as<CompoundLit>()->object;
    if (v) break;
    if (e->kind == ExprKind::Member ? e->as<Member>()->arrow || e->as<Member>()->path.empty()
                                    : e->kind != ExprKind::Index)
      return nullptr;
  }
  // GNU: a compound literal initialises a static object. (It is not a constant in C23's sense.)
  bool gnuConstant = mode == EvalMode::Static && parts.empty() && e->kind == ExprKind::CompoundLit;
  if ((!v->isConstexpr && !gnuConstant) || !v->init || (parts.empty() && e->kind == ExprKind::Ident)) return nullptr;
  for (const Expr *part : parts) {
    if (part->kind == ExprKind::Member) {
      for (const FieldDecl *f : part->as<Member>()->path) at += f->offset;
      continue;
    }
    const Expr *base = ignoreParens(part->as<Index>()->base);
    if (base->kind != ExprKind::ImplicitCast || base->as<ImplicitCast>()->castKind != CastKind::ArrayToPointer)
      return nullptr;
    const auto *array = base->as<ImplicitCast>()->sub->type->as<ArrayType>();
    Result n = eval(part->as<Index>()->index);
    if (!n || n->kind != ConstValue::Int || array->arrayKind != ArrayKind::Constant || n->i < 0 ||
        n->i >= static_cast<__int128>(array->count))
      return nullptr;
    at += static_cast<uint64_t>(n->i) * sizeOf(part->type.type, target());
  }
  return v;
}

// What these stores leave in the part of an object that e reads: `at` bytes from its beginning.
Result Evaluator::readPart(const InitPlan &plan, uint64_t at, const Expr *e, QualType t) {
  const FieldDecl *field = e->kind == ExprKind::Member ? e->as<Member>()->path.back() : nullptr;
  uint64_t size = sizeOf(e->type.type, target());
  bool other = false;
  if (++depth > 10000) return std::nullopt;
  struct Leave {
    int &d;
    ~Leave() { --d; }
  } leave{depth};
  for (const InitStore &s : plan.stores) {
    const Expr *value = s.value ? ignoreParens(s.value) : nullptr;
    uint64_t each = sizeOf(s.type.type, target()), bytes = (s.repeat - 1) * s.stride + each;
    if (value && s.repeat == 1 && at >= s.offset && at < s.offset + each) {
      if (s.type->isArray() && value->kind == ExprKind::StringLit)
        return character(value->as<StringLit>(), at - s.offset, t.type);
      if (const InitPlan *inner = s.type->isRecord() ? constantPlan(value, cx) : nullptr)
        return readPart(*inner, at - s.offset, e, t);
    }
    if (s.offset == at && s.repeat == 1 && s.bitField == (field && field->bitField ? field : nullptr) &&
        s.type.type == e->type.type)
      return eval(s.value);
    if (!(s.bitField && field && field->bitField) && s.offset < at + size && at < s.offset + bytes) other = true;
  }
  if (other || e->type->isPointer() || (field && field->parent->isUnion && !plan.stores.empty())) return std::nullopt;
  return e->type->isFloating() ? floating(0, t.type) : integer(0, t.type);
}

// The value of an object that is known now: a character of a string literal; in a static initialiser also a constant of
// arithmetic type.
Result Evaluator::read(const Expr *e, QualType t) {
  e = ignoreParens(e);
  if (!e || !e->type.type || e->type.isVolatile()) return std::nullopt;
  if (e->kind == ExprKind::Ident) {
    const Decl *d = e->as<Ident>()->decl;
    if (!d || d->kind != DeclKind::Var || !d->type.type) return std::nullopt;
    const auto *v = d->as<VarDecl>();
    if (mode != EvalMode::Static && !v->isConstexpr) return std::nullopt;
    if (!v->type.isConst() || v->type.isVolatile() || v->type.isAtomic() || !v->type->isScalar() || !v->init ||
        v->attrs.weak || v->threadLocal)
      return std::nullopt;
    if (v->isParam || (v->isLocal && !v->init)) return std::nullopt;
    if (std::find(reading.begin(), reading.end(), v) != reading.end() || reading.size() > 64) return std::nullopt;
    const Expr *init = v->init->expr;
    if (!init && v->init->list && v->init->list->plan && v->init->list->plan->stores.size() == 1)
      init = v->init->list->plan->stores[0].value;
    if (!init) return std::nullopt;
    reading.push_back(v);
    Result r = eval(init);
    reading.pop_back();
    return r;
  }
  uint64_t at = 0;
  if (const VarDecl *v = constantObject(e, at); v && e->type->isScalar()) {
    const Expr *init = v->init->expr;
    if (init && v->type->isScalar()) {  // ((constexpr int){5})
      if (reading.size() > 64) return std::nullopt;
      reading.push_back(v);
      Result r = eval(init);
      reading.pop_back();
      return r;
    }
    if (init && v->type->isArray()) {
      const Expr *s = ignoreParens(init);
      if (s->kind != ExprKind::StringLit) return std::nullopt;
      return character(s->as<StringLit>(), at, t.type);
    }
    const InitPlan *plan = init ? constantPlan(init, cx) : v->init->list ? v->init->list->plan : nullptr;
    return plan ? readPart(*plan, at, e, t) : std::nullopt;
  }
  if (e->kind == ExprKind::Index || e->kind == ExprKind::Unary) {
    if (!t->isInteger()) return std::nullopt;
    Result a = lvalue(e);
    if (!a || !a->string || a->offset < 0 || static_cast<uint64_t>(a->offset) / a->string->unit > a->string->length())
      return std::nullopt;
    return character(a->string, static_cast<uint64_t>(a->offset), t.type);
  }
  return std::nullopt;
}

Result Evaluator::lvalue(const Expr *e) {
  if (!e) return std::nullopt;
  ConstValue r;
  r.kind = ConstValue::Address;
  switch (e->kind) {
    case ExprKind::StringLit: r.string = e->as<StringLit>(); return r;
    case ExprKind::Ident: {
      const Decl *d = e->as<Ident>()->decl;
      if (!d) return std::nullopt;
      if (d->kind == DeclKind::Function) {
        r.base = d;
        return r;
      }
      if (d->kind != DeclKind::Var) return std::nullopt;
      const auto *v = d->as<VarDecl>();
      if (v->isLocal || v->isParam || v->threadLocal || v->isPrivate) return std::nullopt;
      r.base = d;
      return r;
    }
    case ExprKind::CompoundLit: {
      const VarDecl *v = e->as<CompoundLit>()->object;
      if (!v || v->isLocal || v->threadLocal) return std::nullopt;
      r.base = v;
      return r;
    }
    case ExprKind::Paren: return lvalue(e->as<ParenExpr>()->sub);
    case ExprKind::Generic: return lvalue(e->as<Generic>()->chosen);
    case ExprKind::ChooseExpr: return lvalue(e->as<ChooseExpr>()->chosen);
    case ExprKind::Unary: {
      const auto *u = e->as<Unary>();
      if (u->op == UnaryOp::Real || u->op == UnaryOp::Imag) {
        Result a = lvalue(u->sub);
        if (a && u->op == UnaryOp::Imag) a->offset += static_cast<int64_t>(sizeOf(u->type.type, target()));
        return a;
      }
      if (u->op != UnaryOp::Deref) return std::nullopt;
      Result p = eval(u->sub);
      if (!p || p->kind != ConstValue::Address) return std::nullopt;
      return p;
    }
    case ExprKind::Index: {
      const auto *x = e->as<Index>();
      const Expr *base = x->base, *index = x->index;
      if (base && base->type.type && !base->type->isPointer() && index && index->type.type && index->type->isPointer())
        std::swap(base, index);
      Result i = eval(index), p = base && base->type.type && base->type->isPointer() ? eval(base) : std::nullopt;
      if (!p || !i || p->kind != ConstValue::Address || i->kind != ConstValue::Int || !isComplete(e->type.type) ||
          hasVariableSize(e->type.type))
        return std::nullopt;
      p->offset = static_cast<int64_t>(
          static_cast<uint64_t>(p->offset) + static_cast<uint64_t>(i->i) * sizeOf(e->type.type, target()));
      return p;
    }
    case ExprKind::Member: {
      const auto *m = e->as<Member>();
      if (m->path.empty()) return std::nullopt;
      Result p = m->arrow ? eval(m->base) : lvalue(m->base);
      if (!p || p->kind != ConstValue::Address) return std::nullopt;
      for (const FieldDecl *f : m->path) p->offset += static_cast<int64_t>(f->offset);
      return p;
    }
    case ExprKind::ImplicitCast:
      if (e->as<ImplicitCast>()->castKind == CastKind::NoOp) return lvalue(e->as<ImplicitCast>()->sub);
      return std::nullopt;
    default: return otherKinds<34>(std::nullopt);
  }
}

}  // namespace cilkc
