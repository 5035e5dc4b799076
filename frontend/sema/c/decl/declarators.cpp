// declarators.cpp - from declarators to types (C17 6.7.6).
//
// A declarator is a chain of chunks read from the name outwards; the type is built from its far end: the base type
// first, the chunk nearest to the name last. A parameter list opens a prototype scope which is kept
// (Declarators::lastScope), so that a definition's body can enter the same VarDecls and tags again.
#include <algorithm>
#include "frontend/ast/visit.h"
#include "frontend/sema/c/decl/declare.h"
#include "frontend/types/access.h"
#include "diag/cilk1.h"
#include "diag/parse.h"
#include "diag/sema_decl.h"

namespace cilkc {

namespace {

struct Builder {
  Sema &s;
  Declarator *declarator;
  const DeclSpecs *specs;
  bool isParam;
  std::string_view name() const { return declarator ? declarator->name : std::string_view{}; }
  std::string quoted() const { return name().empty() ? std::string("type name") : "'" + std::string(name()) + "'"; }
  QualType errorType() const { return s.cx.basic(TypeKind::Error); }

  QualType pointer(QualType t, DeclChunk &c) {
    if ((c.cilk || c.inlet) && t->isFunction()) {
      FunctionType f = *t->as<FunctionType>();
      f.isCilk |= c.cilk;
      f.isInlet |= c.inlet;
      t = s.cx.functionType(f);
    }
    if (t->kind == TypeKind::Auto) {
      s.diags.report(diag::bad_auto, c.range);
      return errorType();
    }
    if (uint32_t a = specs && &c == &declarator->chunks.back() ? s.ds->specifiers.facts(specs).typedefAlign : 0;
        a && !t->isArray() && !t->isFunction() && !t->isVoid() && isComplete(t.type) &&
        a < alignOf(t.type, s.cx.target))
      t = t.with(accessBits(a));
    uint8_t q = c.quals;
    if ((q & QRestrict) && t->isFunction()) {
      s.diags.report(diag::bad_restrict, c.range) << toString(s.cx.pointerTo(t));
      q &= ~QRestrict;
    }
    for (Attr *a : c.attrs)
      if (t->isFunction() && (a->name == "noreturn" || a->name == "ms_abi")) {
        FunctionType f = *t->as<FunctionType>();
        (a->name == "noreturn" ? f.noreturn : f.msAbi) = true;
        t = s.cx.functionType(f);
      }
    s.types.refuseTwoConventions(t, c.attrs);
    return {s.cx.pointerTo(t).type, q};
  }

  QualType array(QualType elem, DeclChunk &c, bool outermostOfParam) {
    const TargetInfo &target = s.cx.target;
    if (elem->isError()) {
      if (c.size) c.size = s.exprs.rvalue(c.size);
      return elem;
    }
    if (elem->kind == TypeKind::Auto) {
      s.diags.report(diag::bad_auto, c.range);
      return errorType();
    }
    if (elem->isVoid() || elem->isFunction()) {
      s.diags.report(diag::bad_array_element, c.range) << quoted() << (elem->isVoid() ? "voids" : "functions");
      return errorType();
    }
    if (!isComplete(elem.type)) {
      s.diags.report(diag::incomplete_element, c.range) << quoted() << toString(elem);
      return errorType();
    }
    if (uint32_t a = &c == &declarator->chunks.back() && specs ? s.ds->specifiers.facts(specs).typedefAlign : 0;
        a && !hasVariableSize(elem.type) && sizeOf(elem.type, target) % a) {
      s.diags.report(diag::array_element_alignment, c.range) << quoted();
      return errorType();
    }
    if (elem->isRecord() && elem->as<RecordType>()->flexible) s.diags.report(diag::flexible_nested, c.range);
    if (!outermostOfParam && (c.isStatic || c.quals)) s.diags.report(diag::array_static, c.range);
    if ((c.star || (outermostOfParam && (c.isStatic || c.quals))) && s.cx.lang.std < LangOptions::C99)
      s.diags.report(diag::c99_extension, c.range) << (c.star ? "'[*]'" : "'static' or type qualifiers in brackets");
    if ((c.quals & QAtomic) && s.cx.lang.std < LangOptions::C11)
      s.diags.report(diag::c11_extension, c.range) << "'_Atomic'";
    if (c.isStatic && !c.size) s.diags.report(diag::array_static_size, c.range);
    if (c.star) {
      if (!s.scopes.inPrototype()) {
        s.diags.report(diag::array_star, c.range);
        return errorType();
      }
      return s.cx.starArrayOf(elem);
    }
    if (!c.size) return s.cx.incompleteArrayOf(elem);
    Expr *e = c.size = s.exprs.rvalue(c.size);
    if (e->kind == ExprKind::Error || !e->type.type || e->type->isError()) return errorType();
    if (!e->type->isInteger()) {
      s.diags.report(diag::array_size_type, e->range) << quoted() << toString(e->type);
      return errorType();
    }
    auto v = evaluate(e, s.cx, EvalMode::IntegerConstant);
    bool strict = v.has_value();
    if (!v) v = evaluate(e, s.cx, EvalMode::Fold);
    if (v && v->kind == ConstValue::Int) {
      if (!strict) s.diags.report(diag::folded_array_size, e->range) << quoted();
      __int128 n = v->i;
      if (n < 0) {
        s.diags.report(diag::array_size_negative, e->range) << quoted();
        return errorType();
      }
      if (n == 0) s.diags.report(diag::array_size_zero, e->range) << quoted();
      uint64_t size = hasVariableSize(elem.type) ? 1 : sizeOf(elem.type, target);
      if (size && n > static_cast<__int128>(INT64_MAX / size)) {
        s.diags.report(diag::array_too_large, e->range) << quoted();
        return errorType();
      }
      return s.cx.arrayOf(elem, static_cast<uint64_t>(n));
    }
    if (s.cx.lang.std < LangOptions::C99) s.diags.report(diag::vla_c90, e->range) << quoted();
    s.diags.report(diag::vla_used, e->range) << quoted();
    if (outermostOfParam) s.ds->declarators.outerSizes[declarator].push_back(e);
    ArrayType *a = s.cx.variableArrayOf(elem, s.conv.convert(e, s.cx.sizeType()));
    if (s.fs && s.fs->fn && !s.scopes.inPrototype()) {
      a->sizeVar = s.scopes.hiddenLocal(s.cx.sizeType(), "vla", c.range);
      s.fs->fn->usesVla = true;
    }
    return a;
  }

  void parameter(DeclChunk &c, size_t i, FunctionType &f) {
    ParamDecl *p = c.params[i];
    if (!p) return;
    if (p->var) return;
    QualType base = p->specs ? s.types.specifiers(p->specs) : QualType(s.cx.basic(TypeKind::Int));
    Declarator *d = p->declarator;
    std::string_view pname = d ? d->name : std::string_view{};
    Range where = d && d->nameRange.valid() ? d->nameRange : p->range;
    if (c.params.size() == 1 && !c.variadic && base->isVoid() && (!d || (d->chunks.empty() && pname.empty()))) {
      if (base.quals || (p->specs && p->specs->storage != StorageClass::None))
        s.diags.report(diag::qualified_void_param, p->range);
      return;
    }
    auto *v = s.cx.make<VarDecl>();
    p->var = v;
    ++s.ds->declarators.depth;
    QualType t = s.types.declaratorType(base, d, p->specs, true);
    --s.ds->declarators.depth;
    if (s.hooks.refuseType(t, where, "a parameter")) t = errorType();
    if (p->specs) {
      if (s.ds->specifiers.facts(p->specs).implicitInt)
        s.diags.report(implicitInt(s), where) << (pname.empty() ? "parameter" : pname);
      if (p->specs->storage != StorageClass::None && p->specs->storage != StorageClass::Register)
        s.diags.report(diag::param_storage, p->specs->storageRange.valid() ? p->specs->storageRange : p->range)
            << (pname.empty() ? "unnamed parameter" : "parameter '" + std::string(pname) + "'");
      if (p->specs->isConstexpr) s.diags.report(diag::constexpr_value, where) << pname << "is a parameter";
      if (p->specs->threadLocal) s.diags.report(diag::param_storage, p->range) << "parameter";
      if (p->specs->isInline || p->specs->isNoreturn)
        s.diags.report(diag::inline_not_function, p->range) << (p->specs->isInline ? "inline" : "_Noreturn");
      if (s.ds->specifiers.facts(p->specs).anyAlignAs)
        s.diags.report(diag::bad_alignment, p->range) << "'_Alignas' on a parameter";
    }
    if (t->kind == TypeKind::Auto) {
      s.diags.report(diag::bad_auto, where);
      t = errorType();
    }
    if (t->isVoid()) {
      s.diags.report(diag::void_param, where)
          << (pname.empty() ? "parameter" : "parameter '" + std::string(pname) + "'");
      t = errorType();
    }
    v->name = pname;
    v->type = t;
    v->range = where;
    v->isParam = true;
    v->isLocal = true;
    v->isDefinition = true;
    v->storage = p->specs ? p->specs->storage : StorageClass::None;
    v->paramIndex = static_cast<uint32_t>(i);
    if (p->specs && !p->specs->attrs.empty()) s.types.applyAttrs(v, p->specs->attrs);
    s.types.applyAttrs(v, pointerAttributes(s, d));
    if (d && !d->attrs.empty()) s.types.applyAttrs(v, d->attrs);
    if (!pname.empty()) {
      auto it = s.scope->names.find(pname);
      if (it != s.scope->names.end())
        s.diags.report(diag::redefined_parameter, where).note(it->second->range, "the first one is here") << pname;
    }
    s.scopes.bind(v);
    f.params.push_back(t.unqual());
  }

  QualType function(QualType result, DeclChunk &c, bool cilk, bool inlet, bool thread) {
    if (result->isFunction() || result->isArray()) {
      s.diags.report(diag::bad_result, c.range) << quoted() << (result->isArray() ? "an array" : "a function");
      result = errorType();
    }
    if (result->kind == TypeKind::Auto) {
      s.diags.report(diag::bad_auto, c.range);
      result = errorType();
    }
    if (s.hooks.refuseType(result, c.range, "a result")) result = errorType();
    FunctionType f;
    if (result.quals & ~QAtomic && specs) {
      if (result->isVoid()) s.diags.report(diag::qualified_void_result, c.range);
      else if (declarator && !declarator->chunks.empty() && declarator->chunks[0].kind == DeclChunk::Function)
        s.diags.report(diag::ignored_qualifiers, c.range);
    }
    f.result = result.unqual();
    f.prototype = c.prototype || s.cx.lang.std >= LangOptions::C2x;
    f.variadic = c.variadic;
    f.isCilk = cilk;
    f.isInlet = inlet;
    f.isThread = thread;
    f.prototype |= thread && c.krNames.empty();  // `thread t()` has no parameters
    s.scopes.pushScope(Scope::Prototype);
    Scope *list = s.scope;
    if (c.star) {  // GNU: (int n; int a[n], int n)
      for (size_t i = 0; i < c.params.size(); ++i) {
        const Declarator *d = c.params[i] ? c.params[i]->declarator : nullptr;
        if (d && std::none_of(d->chunks.begin(), d->chunks.end(),
                     [](const DeclChunk &x) { return x.kind == DeclChunk::Array; }))
          parameter(c, i, f);
      }
    }
    for (size_t i = 0; i < c.params.size(); ++i) parameter(c, i, f);
    if (c.star) {
      f.params.clear();
      for (ParamDecl *p : c.params)
        if (p && p->var && p->var->type.type) f.params.push_back(p->var->type.unqual());
    }
    if (f.variadic && c.params.empty() && s.cx.lang.std < LangOptions::C2x)
      s.diags.report(diag::lone_ellipsis, c.range);
    s.scope = s.scope->up;
    s.ds->declarators.lastList = &c;
    s.ds->declarators.lastScope = list;
    return s.cx.functionType(f);
  }
};

}  // namespace

QualType Types::declaratorType(QualType base, Declarator *d, const DeclSpecs *specs, bool isParam) {
  Builder b{sema, d, specs, isParam};
  QualType t = base;
  if (!t.type) t = cx.basic(TypeKind::Error);
  bool cilk = specs && specs->cilk, inlet = specs && specs->inlet, thread = specs && specs->thread;
  size_t n = d ? d->chunks.size() : 0;
  if ((cilk || inlet) && t->isFunction()) {  // through a typedef name: cilk F f;
    bool has = false;
    for (size_t i = 0; i < n; ++i) has |= d->chunks[i].kind == DeclChunk::Function;
    if (!has) {
      FunctionType f = *t->as<FunctionType>();
      f.isCilk |= cilk;
      f.isInlet |= inlet;
      t = cx.functionType(f);
    }
  }
  // The chunk that `cilk` and `inlet` among the specifiers belong to: the declared function itself, else the one
  // nearest the base type.
  size_t marked = n;
  if (cilk || inlet || thread) {
    if (n && d->chunks[0].kind == DeclChunk::Function) marked = 0;
    else
      for (size_t i = n; i-- > 0;)
        if (d->chunks[i].kind == DeclChunk::Function) {
          marked = i;
          break;
        }
  }
  if (thread && marked == n && !t->isError()) {
    diags.report(diag::thread_not_function, specs->cilkRange);
    t = cx.basic(TypeKind::Error);
  }
  uint8_t outerQuals = 0;
  bool outerArray = false;
  if (isParam && n && d->chunks[0].kind == DeclChunk::Array) {
    outerArray = true;
    outerQuals = d->chunks[0].quals;
  }
  for (size_t i = n; i-- > 0;) {
    DeclChunk &c = d->chunks[i];
    switch (c.kind) {
      case DeclChunk::Pointer: t = b.pointer(t, c); break;
      case DeclChunk::Reducer: t = sema.hooks.reducerType(t, c); break;
      case DeclChunk::Array: t = b.array(t, c, outerArray && i == 0); break;
      case DeclChunk::Function:
        t = b.function(t, c, cilk && i == marked, inlet && i == marked, thread && i == marked);
        break;
    }
  }
  if (specs && !specs->attrs.empty()) t = typeAttrs(t, specs->attrs, specs->range);
  if (d && !d->attrs.empty()) t = typeAttrs(t, d->attrs, d->range);
  if (specs) refuseTwoConventions(t, specs->attrs);
  if (d) refuseTwoConventions(t, d->attrs);
  if (isParam && t.type) {
    if (t->isArray() || t->isFunction()) t = cx.adjustParameter(t);
    if (outerArray && t->isPointer()) t = t.with(outerQuals);
  }
  return t;
}

uint32_t typedefAlignment(Sema &s, const Declarator *d, const SpecFacts &facts) {
  if (d)
    for (const DeclChunk &c : d->chunks)
      // int *__attribute__((aligned(16))) p
      if (c.kind != DeclChunk::Array) return c.attrs.empty() ? 0 : attrAlignment(s, c.attrs, true);
  return facts.typedefAlign;
}

Attrs pointerAttributes(Sema &s, const Declarator *d) {
  Attrs all;
  for (size_t i = 0; d && i < d->chunks.size(); i++) {
    const DeclChunk &c = d->chunks[i];
    if (c.kind != DeclChunk::Pointer) continue;
    bool pointerNext = i && d->chunks[i - 1].kind == DeclChunk::Pointer;
    for (Attr *a : c.attrs) {
      if (a->name == "aligned") continue;
      if (pointerNext && a->name == "cleanup")
        s.diags.report(diag::attribute_ignored, a->range) << a->name << "a pointer that is pointed to";
      else if (!pointerNext) all.push_back(a);
    }
  }
  return all;
}

void giveSizeVariables(Sema &s, QualType t) {
  const Type *u = t.type;
  while (u) {
    switch (u->kind) {
      case TypeKind::Pointer: u = u->as<PointerType>()->pointee.type; continue;
      case TypeKind::Function: u = u->as<FunctionType>()->result.type; continue;
      case TypeKind::Array: {
        auto *a = const_cast<ArrayType *>(u->as<ArrayType>());
        if (a->arrayKind == ArrayKind::Variable && !a->sizeVar && s.fs && s.fs->fn) {
          a->sizeVar = s.scopes.hiddenLocal(s.cx.sizeType(), "vla", a->size ? a->size->range : Range{});
          s.fs->fn->usesVla = true;
        }
        u = a->elem.type;
        continue;
      }
      case TypeKind::Record:
        if (u->as<RecordType>()->variable)
          for (const FieldDecl *f : u->as<RecordType>()->fields) giveSizeVariables(s, f->type);
        return;
      default: return;
    }
  }
}

}  // namespace cilkc
