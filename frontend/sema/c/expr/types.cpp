// types.cpp - expressions that contain type names: casts, compound literals, sizeof, alignof, offsetof, va_arg.
#include "frontend/ast/query.h"
#include "frontend/sema/c/core/declstate.h"
#include "frontend/sema/c/decl/declare.h"
#include "diag/parse.h"
#include "diag/sema_decl.h"
#include "diag/sema_expr.h"
#include "diag/warn.h"

namespace cilkc {

// ---- casts --------------------------------------------------------------------------------------------------------

static Expr *castToRecord(Sema &s, Cast *c, QualType to, Expr *e) {
  const Type *from = e->type.type;
  if (from == to.type || (from->isRecord() && s.compat.compatible(e->type, to.unqual()))) {
    if (s.cx.lang.pedantic) s.diags.report(diag::pedantic_record_cast, c->range);
    c->castKind = CastKind::NoOp;
    return c;
  }
  if (to->as<RecordType>()->isUnion) {
    bool found = false;
    for (const FieldDecl *f : to->as<RecordType>()->fields)
      if (f->type && s.compat.compatible(f->type.unqual(), e->type)) {
        found = true;
        break;
      }
    if (!found) {
      s.diags.report(diag::cast_to_union, c->range) << toString(e->type) << toString(to);
      return s.conv.error(c->range);
    }
    if (s.cx.lang.pedantic) s.diags.report(diag::pedantic_union_cast, c->range);
    c->castKind = CastKind::ToUnion;
    return c;
  }
  s.diags.report(diag::cast_to_bad_type, c->target->range) << toString(to);
  return s.conv.error(c->range);
}

// A scalar to a scalar.
static Expr *castScalar(Sema &s, Cast *c, QualType to, Expr *e) {
  const Type *from = e->type.type;
  if (from->isPointer() && to->isInteger() && !to->isBool() && sizeOf(to.type, s.cx.target) < 8 && !s.unevaluated)
    s.diags.report(diag::pointer_to_int_cast, c->range) << toString(e->type) << toString(to);
  if (to->isPointer() && from->isInteger() && sizeOf(from, s.cx.target) < 8 && !s.unevaluated &&
      !s.conv.knownInteger(e) && !s.conv.isNullPointerConstant(e))
    s.diags.report(diag::int_to_pointer_cast, c->range) << toString(e->type) << toString(to);
  if (to->isPointer() && from->isInteger() && s.conv.isNullPointerConstant(e)) c->castKind = CastKind::NullToPointer;
  else c->castKind = s.conv.castKind(from, to.type);
  s.warn.checkCast(e, to, c->range);
  if (e->kind == ExprKind::Call && !s.unevaluated && s.diags.wants(diag::bad_function_cast)) {
    auto kind = [](const Type *t) {
      return t->isBool() ? 0 : t->isEnum() ? 1 : t->isInteger() ? 2 : t->isFloating() ? 3 : t->isComplex() ? 4 : 5;
    };
    if (kind(from) != kind(to.type))
      s.diags.report(diag::bad_function_cast, c->range) << toString(e->type) << toString(to);
  }
  return c;
}

// One cast of an operand that has its type.
static Expr *castOne(Sema &s, Cast *c, QualType to, Expr *e) {
  if (to->isError() || e->type->isError()) return s.conv.error(c->range);
  c->type = to.unqual();
  if (to->isVoid()) {
    c->sub = s.conv.discard(e);
    if (c->sub->lvalue && (c->sub->type->isArray() || c->sub->type->isFunction())) c->sub = s.conv.load(c->sub);
    c->castKind = CastKind::ToVoid;
    if (c->sub->type->isError()) return s.conv.error(c->range);
    return c;
  }
  if (to->isArray() || to->isFunction()) {
    s.diags.report(diag::cast_to_bad_type, c->target->range) << toString(to);
    return s.conv.error(c->range);
  }
  if (!s.types.requireComplete(to, c->target->range, "cast")) return s.conv.error(c->range);
  e = c->sub = s.conv.load(e);
  if (e->type->isError()) return s.conv.error(c->range);
  const Type *from = e->type.type;
  auto invalid = [&]() -> Expr * {
    s.diags.report(diag::invalid_cast, c->range) << toString(e->type) << toString(to);
    return s.conv.error(c->range);
  };
  if ((from->isNullptr() && !to->isPointer() && !to->isBool()) ||
      (to->isNullptr() && !from->isNullptr() && !s.conv.isNullPointerConstant(e)))
    return invalid();
  if (to->isRecord()) return castToRecord(s, c, to, e);
  if (from->isVoid()) {
    s.diags.report(diag::void_value, c->range) << "cast";
    return s.conv.error(c->range);
  }
  if (to->isVector() || from->isVector()) {
    uint64_t a = sizeOf(from, s.cx.target), b = sizeOf(to.type, s.cx.target);
    bool ok = a == b && (from->isVector() || from->isInteger() || from->isFloating()) &&
              (to->isVector() || to->isInteger() || to->isFloating());
    if (!ok) return invalid();
    c->castKind = from == to.type ? CastKind::NoOp : CastKind::VectorBitcast;
    return c;
  }
  if (!from->isScalar() || !to->isScalar()) return invalid();
  if ((from->isPointer() && (to->isFloating() || to->isComplex())) ||
      (to->isPointer() && (from->isFloating() || from->isComplex())))
    return invalid();
  return castScalar(s, c, to, e);
}

// (T1)(T2)(T3)…e: typed from the inside, without recursion.
Expr *Exprs::exprCast(Cast *top) {
  std::vector<Cast *> spine{top};
  while (spine.back()->sub && spine.back()->sub->kind == ExprKind::Cast && !spine.back()->sub->type)
    spine.push_back(spine.back()->sub->as<Cast>());
  Expr *result = nullptr;
  for (auto it = spine.rbegin(); it != spine.rend(); ++it) {
    Cast *c = *it;
    QualType to = sema.types.typeName(c->target);
    c->sub = result ? result : exprIn(SpawnPlace::Cast, c->sub);
    result = castOne(sema, c, to, c->sub);
  }
  return result;
}

// ---- compound literals --------------------------------------------------------------------------------------------

Expr *Exprs::exprCompoundLit(CompoundLit *c) {
  QualType t = sema.types.typeName(c->target, true);
  if (t->isError()) return sema.conv.error(c->range);
  if (t->isFunction() || t->isVoid()) {
    diags.report(diag::cast_to_bad_type, c->target->range) << toString(t);
    return sema.conv.error(c->range);
  }
  if (hasVariableSize(t.type)) {
    diags.report(diag::compound_literal_vla, c->range);
    return sema.conv.error(c->range);
  }
  if (cx.lang.std < LangOptions::C99) diags.report(diag::c99_extension, c->range) << "compound literals";
  bool incompleteArray = t->isArray() && t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete;
  if (!incompleteArray && !sema.types.requireComplete(t, c->target->range, "compound literal"))
    return sema.conv.error(c->range);
  // C23: a storage class before the type.
  const DeclSpecs *specs = c->target ? c->target->specs : nullptr;
  bool block = sema.fs && sema.fs->fn, isStatic = !block || (specs && specs->storage == StorageClass::Static),
       thread = specs && specs->threadLocal;
  if (thread && !isStatic)
    diags.report(diag::bad_thread_local, c->target->range) << "compound literal" << "needs 'static' in a block";
  if (specs && specs->isConstexpr) t = cx.qualify(t, QConst);
  auto *init = cx.make<Initializer>();
  init->list = c->init;
  init->range = c->init ? c->init->range : c->range;
  {
    Saved place(sema.spawnPlace, SpawnPlace::Initializer);
    t = sema.inits.initializer(init, t, isStatic, c->range);
  }
  if (!t || t->isError()) return sema.conv.error(c->range);
  VarDecl *object;
  if (!isStatic) {
    object = sema.scopes.hiddenLocal(t, "compound literal", c->range);
  } else {
    object = cx.make<VarDecl>();
    object->storage = StorageClass::Static;
    object->linkage = Linkage::Internal;
    object->isDefinition = true;
    object->hidden = true;
    object->range = c->range;
    object->used = true;
    if (sema.tu) sema.tu->literals.push_back(object);
  }
  object->type = t;
  if (specs && specs->storage == StorageClass::Register) {
    if (block) object->storage = StorageClass::Register;
    else diags.report(diag::file_scope_storage, c->target->range) << "compound literal" << "register";
  }
  if (!isStatic && !sema.unevaluated) sema.hooks.literal(object);
  if (specs) object->attrs.align = std::max(object->attrs.align, sema.ds->specifiers.facts(specs).alignAs);
  object->isConstexpr = specs && specs->isConstexpr;
  if (thread) object->threadLocal = true;
  object->init = init;
  if (object->isConstexpr) checkConstexpr(sema, object);
  object->used = true;
  c->object = object;
  if (init->list) c->init = init->list;
  c->type = t;
  c->lvalue = true;
  return c;
}

// ---- sizeof, alignof ----------------------------------------------------------------------------------------------

Expr *Exprs::exprSizeof(Expr *e) {
  bool align = e->kind == ExprKind::AlignofExpr || e->kind == ExprKind::AlignofType;
  const char *what = align ? "_Alignof" : "sizeof";
  QualType t;
  Range operand = e->range;
  if (e->kind == ExprKind::SizeofType || e->kind == ExprKind::AlignofType) {
    auto *s = e->as<SizeofType>();
    t = sema.types.typeName(s->target);
    operand = s->target->range;
  } else {
    auto *s = e->as<SizeofExpr>();
    sema.unevaluated++;
    s->sub = exprIn(align ? SpawnPlace::Alignof : SpawnPlace::Sizeof, s->sub);
    sema.unevaluated--;
    t = s->sub->type;
    operand = s->sub->range;
    if (!t->isError() && s->sub->bitField) {
      diags.report(diag::sizeof_bit_field, operand) << what;
      return sema.conv.error(e->range);
    }
    // sizeof of an array parameter is the size of a pointer.
    const Expr *p = s->sub;
    p = ignoreParens(p);
    if (align && !s->gnu) diags.report(diag::pedantic_alignof, e->range);
    if (!align && p->kind == ExprKind::Ident && p->as<Ident>()->decl &&
        sema.ds->declarators.arrayParameters.count(p->as<Ident>()->decl))
      diags.report(diag::sizeof_array_argument, e->range) << p->as<Ident>()->name << toString(p->type);
  }
  if (t->isError()) return sema.conv.error(e->range);
  if (t->isFunction() || t->isVoid()) {
    if (cx.lang.pedantic || t->isFunction()) diags.report(diag::pedantic_sizeof, operand) << what << toString(t);
  } else {
    const Type *complete = t.type;
    if (align)
      while (complete->isArray()) complete = complete->as<ArrayType>()->elem.type;
    if (!sema.types.requireComplete(complete, operand, what)) return sema.conv.error(e->range);
  }
  e->type = cx.sizeType();
  return e;
}

// ---- offsetof -----------------------------------------------------------------------------------------------------

Expr *Exprs::exprOffsetof(Offsetof *o) {
  QualType t = sema.types.typeName(o->target);
  if (t->isError()) return sema.conv.error(o->range);
  if (!t->isRecord()) {
    diags.report(diag::offsetof_not_record, o->target->range) << toString(t);
    return sema.conv.error(o->range);
  }
  if (t->as<RecordType>()->variable) {                // (size_t)&((T *)0)->steps
    Expr *e = sema.conv.implicit(CastKind::NullToPointer, sema.conv.intConstant(0, cx.basic(TypeKind::Int), o->range),
        cx.pointerTo(t));
    bool first = true;
    for (OffsetofStep &s : o->steps) {
      if (s.index) {
        auto *x = cx.make<Index>();
        x->base = e, x->index = s.index, x->range = o->range;
        e = x;
      } else {
        auto *x = cx.make<Member>();
        x->base = e, x->arrow = first, x->name = s.member, x->range = o->range,
        x->nameRange = s.range.valid() ? s.range : o->range;
        e = x;
      }
      first = false;
    }
    auto *address = cx.make<Unary>();
    address->op = UnaryOp::AddrOf, address->sub = e, address->range = o->range;
    e = expr(address);
    return e->type->isError() ? e : sema.conv.implicit(CastKind::PointerToInt, e, cx.sizeType());
  }
  o->constant = 0;
  o->terms.clear();
  for (size_t i = 0; i < o->steps.size(); i++) {
    OffsetofStep &s = o->steps[i];
    Range where = s.range.valid() ? s.range : o->range;
    if (!s.index) {
      if (!t->isRecord()) {
        diags.report(diag::member_of_non_record, where) << s.member << toString(t);
        return sema.conv.error(o->range);
      }
      if (!sema.types.requireComplete(t, where, "offsetof")) return sema.conv.error(o->range);
      std::vector<FieldDecl *> path;
      if (!findMember(t->as<RecordType>(), s.member, path)) {
        diags.report(diag::no_member, where) << toString(t.unqual()) << s.member;
        return sema.conv.error(o->range);
      }
      for (const FieldDecl *f : path) o->constant += f->offset;
      if (path.back()->bitField) {
        diags.report(diag::offsetof_bit_field, where) << s.member;
        return sema.conv.error(o->range);
      }
      t = path.back()->type;
      if (!t || t->isError()) return sema.conv.error(o->range);
      continue;
    }
    Expr *index = s.index = rvalue(s.index);
    if (index->type->isError()) return sema.conv.error(o->range);
    if (!t->isArray()) {
      diags.report(diag::subscript_of_non_array, where) << toString(t);
      return sema.conv.error(o->range);
    }
    if (!index->type->isInteger()) {
      diags.report(diag::subscript_not_integer, index->range) << toString(index->type);
      return sema.conv.error(o->range);
    }
    t = t->as<ArrayType>()->elem;
    if (!sema.types.requireComplete(t, where, "offsetof")) return sema.conv.error(o->range);
    uint64_t stride = sizeOf(t.type, cx.target);
    auto v = evaluate(index, cx, EvalMode::Fold);
    if (v && v->kind == ConstValue::Int) o->constant += stride * static_cast<uint64_t>(v->i);
    else {
      s.index = sema.conv.convert(index, cx.sizeType());
      o->terms.emplace_back(stride, s.index);
    }
  }
  o->type = cx.sizeType();
  return o;
}

// ---- va_arg -------------------------------------------------------------------------------------------------------

// On targets whose va_list is an array the operand becomes a pointer to its element, otherwise it stays an lvalue.
Expr *Exprs::vaListOperand(Expr *untyped) {
  Expr *e = expr(untyped);
  if (e->type->isError()) return e;
  QualType list = cx.vaListType();
  if (list->isArray()) {
    QualType elem = list->as<ArrayType>()->elem;
    if (e->type->isArray() || e->type->isPointer()) {
      Expr *p = sema.conv.load(e);
      if (p->type->isPointer() && p->type->as<PointerType>()->pointee.type == elem.type) return p;
    }
  } else if (e->type.type == list.type && e->lvalue) {
    sema.conv.markAddressTaken(e);
    if (VarDecl *v = sema.conv.rootVariable(e)) v->assigned = true;
    return e;
  }
  diags.report(diag::not_a_va_list, e->range) << toString(e->type);
  return sema.conv.error(e->range);
}

Expr *Exprs::exprVaArg(VaArg *v) {
  v->list = vaListOperand(v->list);
  QualType t = sema.types.typeName(v->target);
  if (v->list->type->isError() || t->isError()) return sema.conv.error(v->range);
  if (t->isFunction() || t->isVoid() || !isComplete(t.type)) {
    if (t->isVoid()) {
      v->type = t.unqual();
      diags.report(diag::va_arg_type, v->target->range) << toString(t) << "has no size";
      return sema.conv.error(v->range);
    }
    if (t->isFunction()) {
      diags.report(diag::va_arg_type, v->target->range) << toString(t) << "is a function type";
      return sema.conv.error(v->range);
    }
    sema.types.requireComplete(t, v->target->range, "va_arg");
    return sema.conv.error(v->range);
  }
  if (t->isArray()) {
    if (hasVariableSize(t.type)) {
      diags.report(diag::va_arg_type, v->target->range) << toString(t) << "has variable size";
      return sema.conv.error(v->range);
    }
    diags.report(diag::va_arg_array, v->target->range) << toString(t);
  }
  if ((t->isInteger() && sema.conv.promotedType(t.type) != t.type && !t->isEnum()) || t->kind == TypeKind::Float)
    diags.report(diag::va_arg_promoted, v->target->range)
        << toString(t.unqual()) << (t->kind == TypeKind::Float ? "double" : "int");
  v->type = t.unqual();
  return v;
}

}  // namespace cilkc
