// decl.cpp - declarations (C17 6.7, 6.9.2): from a declarator and its specifiers to a Decl, in the order C prescribes:
// the type, the name's linkage, merging with earlier declarations (redeclare.cpp), attributes, then the name is in
// scope, then the initialiser.
#include <algorithm>
#include "frontend/builtins/builtins.h"
#include "frontend/sema/c/decl/declare.h"
#include "frontend/types/clobbers.h"
#include "diag/parse.h"
#include "diag/sema_decl.h"
#include "diag/sema_expr.h"

namespace cilkc {

namespace {

// `int;`, `struct { int x; };`: a declaration without a declarator.
void emptyDeclaration(Sema &s, Declaration *d, QualType base) {
  DeclSpecs *specs = d->specs;
  bool tag = specs->record || specs->enumeration;
  if (specs->isInline) s.diags.report(diag::inline_not_function, specs->range) << "inline";
  if (specs->isNoreturn) s.diags.report(diag::inline_not_function, specs->range) << "_Noreturn";
  if (!tag) {
    // C23 6.7.1: `[[...]];`
    bool attributes = s.cx.lang.std >= LangOptions::C2x && s.ds->specifiers.facts(specs).implicitInt && !specs->quals &&
                      specs->storage == StorageClass::None;
    if (!attributes && !base->isError()) s.diags.report(diag::empty_declaration, specs->range);
    else if (attributes)
      for (const Attr *a : specs->attrs)
        s.diags.report(diag::attribute_ignored, a->range) << a->name << "an empty declaration";
    return;
  }
  bool bodiless = (specs->record && !specs->record->hasBody) || (specs->enumeration && !specs->enumeration->hasBody);
  // Was the tag there before this declaration?
  bool again = bodiless && specs->record && base->isRecord() &&
               base->as<RecordType>()->rangeBegin != specs->record->tagRange.begin.raw;
  if (bodiless && (specs->storage == StorageClass::Auto || specs->storage == StorageClass::Register) && !s.fs)
    s.diags.report(diag::file_scope_storage, specs->range)
        << "an empty declaration" << (specs->storage == StorageClass::Auto ? "auto" : "register");
  else if (again && (specs->storage != StorageClass::None || specs->threadLocal))
    s.diags.report(diag::tag_not_redeclared, specs->range) << "storage class";
  else if (again && specs->quals) s.diags.report(diag::tag_not_redeclared, specs->range) << "type qualifier";
  else if (specs->storage != StorageClass::None || specs->threadLocal)
    s.diags.report(diag::useless_specifier, specs->range) << "storage class";
  else if (specs->quals && !(specs->record && !specs->record->hasBody))
    s.diags.report(diag::useless_specifier, specs->range) << "type qualifier";
  if (s.ds->specifiers.facts(specs).alignAs || (again && s.ds->specifiers.facts(specs).anyAlignAs))
    s.diags.report(diag::bad_alignment, specs->range) << "'_Alignas' without anything declared";
  if (specs->record && specs->record->hasBody && specs->record->tag.empty())
    s.diags.report(diag::unnamed_record, specs->range) << (specs->record->isUnion ? "union" : "struct");
  if (specs->enumeration && !specs->enumeration->hasBody && specs->enumeration->tag.empty())
    s.diags.report(diag::declares_nothing, specs->range);
  s.hooks.declaration(nullptr, specs, specs->range);
}

}  // namespace

namespace {

// C17 6.8.5p3: only automatic objects.
void forDeclaration(Sema &s, const DeclSpecs *specs, QualType t, Range where) {
  if (specs->storage == StorageClass::Static || specs->storage == StorageClass::Extern || specs->threadLocal)
    s.diags.report(diag::for_declaration, where) << "an object that is not automatic";
  else if (specs->storage == StorageClass::Typedef) s.diags.report(diag::for_declaration, where) << "a type";
  else if (t->isFunction()) s.diags.report(diag::for_declaration, where) << "a function";
  else if ((specs->record && specs->record->hasBody && !specs->record->tag.empty()) ||
           (specs->enumeration && specs->enumeration->hasBody))
    s.diags.report(diag::for_tag, where);
}

}  // namespace

// ---- one declarator -----------------------------------------------------------------------------------------------

Decl *DeclContext::declareTypedef() {
  auto *t = s.cx.make<TypedefDecl>();
  t->name = declarator->name;
  t->type = type;
  t->range = where;
  if (init) s.diags.report(diag::initialized_typedef, where) << t->name;
  if (specs->isConstexpr) s.diags.report(diag::constexpr_value, where) << t->name << "is a type";
  if (facts.anyAlignAs) s.diags.report(diag::bad_alignment, where) << "'_Alignas' on a typedef";
  if (fileScope && isVariablyModified(type.type)) {
    s.diags.report(diag::vla_file_scope, where) << t->name;
    t->type = s.cx.basic(TypeKind::Error);
  }
  if (type->kind == TypeKind::Auto) {
    s.diags.report(diag::bad_auto, where);
    t->type = s.cx.basic(TypeKind::Error);
  }
  t->align = typedefAlignment(s, declarator, facts);
  s.types.applyAttrs(t, specs->attrs);
  s.types.applyAttrs(t, pointerAttributes(s, declarator));
  s.types.applyAttrs(t, declarator->attrs);
  auto it = s.scope->names.find(t->name);
  if (it != s.scope->names.end()) {
    Decl *old = it->second;
    if (old->kind != DeclKind::Typedef)
      s.diags.report(diag::redeclared_kind, where).note(old->range, "the previous declaration is here") << t->name;
    else if (!(old->type == t->type) && !s.compat.sameType(old->type, t->type)) {
      if (!old->type->isError() && !t->type->isError())
        s.diags.report(diag::conflicting_typedef, where).note(old->range, "the previous declaration is here")
            << t->name << toString(t->type) << toString(old->type);
    } else {
      if (isVariablyModified(t->type.type))
        s.diags.report(diag::redefined, where).note(old->range, "the previous declaration is here") << t->name;
      else if (s.cx.lang.std < LangOptions::C11)
        s.diags.report(diag::repeated_typedef, where).note(old->range, "the previous declaration is here") << t->name;
      if (!isComplete(old->type.type) && isComplete(t->type.type)) old->type = t->type;
      return old;
    }
  }
  s.scopes.bind(t);
  return t;
}

void DeclContext::asmLabel(DeclAttrs &attrs, bool local) {
  if (!declarator->hasAsmLabel) return;
  if (local && specs->storage != StorageClass::Register) {
    s.diags.report(diag::asm_label_local, where) << declarator->name;
    return;
  }
  const auto &r = declarator->asmLabel;
  if (local && (r == "memory" || r == "cc" || !isClobber(r, *s.cx.target.facts))) {
    s.diags.report(diag::asm_label_register, where) << r;
    return;
  }
  if (attrs.hasAsmLabel && attrs.asmLabel != declarator->asmLabel) {
    s.diags.report(diag::conflicting_asm_label, where) << declarator->name;
    return;
  }
  attrs.hasAsmLabel = true;
  attrs.asmLabel = declarator->asmLabel;
}

void DeclContext::pragmas(Decl *d, DeclAttrs &attrs) {
  const Pragmas &pragmas = s.ds->pragmas;
  if (!pragmas.weakNames.empty() && pragmas.weakNames.count(d->name)) attrs.weak = true;
  if (!pragmas.weakAliases.empty())
    if (auto it = pragmas.weakAliases.find(d->name); it != pragmas.weakAliases.end()) {
      attrs.weak = true;
      attrs.alias = it->second;
    }
  if (!pragmas.renamed.empty() && !attrs.hasAsmLabel)
    if (auto it = pragmas.renamed.find(d->name); it != pragmas.renamed.end()) {
      attrs.hasAsmLabel = true;
      attrs.asmLabel = it->second;
    }
  if (!pragmas.target.empty() && d->kind == DeclKind::Function)
    attrs.targetFeatures = s.cx.intern(
        attrs.targetFeatures.empty() ? pragmas.target : pragmas.target + "," + std::string(attrs.targetFeatures));
  if (!pragmas.visibility.empty() && !attrs.visibilitySet) {
    attrs.visibility = pragmas.visibility.back();
    attrs.visibilitySet = true;
  }
}

// What is static has no symbol that another file could replace.
static void refuseWeak(Sema &s, const Decl *d) {
  s.diags.report(diag::unsupported, d->range) << "a weak static declaration, that of '" + std::string(d->name) + "',";
}

Decl *DeclContext::declareFunction(bool definition) {
  StorageClass storage = specs->storage;
  if (init) {
    s.diags.report(diag::initialized_function, where) << declarator->name;
    init = nullptr;
  }
  if (storage == StorageClass::Auto || storage == StorageClass::Register) {
    if (!definition && !(storage == StorageClass::Auto && !fileScope))
      s.diags.report(diag::function_storage, where)
          << declarator->name << (storage == StorageClass::Auto ? "auto" : "register");
    storage = StorageClass::None;
  }
  if (!fileScope && storage == StorageClass::Static && !definition) {
    s.diags.report(diag::static_function_in_block, where) << declarator->name;
    storage = StorageClass::None;
  }
  if (specs->threadLocal) s.diags.report(diag::bad_thread_local, where) << declarator->name << "is a function";
  if (facts.anyAlignAs) s.diags.report(diag::bad_alignment, where) << "'_Alignas' on a function";
  if (isVariablyModified(type.type) && fileScope) {
    s.diags.report(diag::vla_file_scope, where) << declarator->name;
    type = s.cx.basic(TypeKind::Error);
  }
  if (!fileScope && !definition && !s.diags.sources().inSystemHeader(where.begin) && !specs->inlet)
    s.diags.report(diag::nested_externs, where) << declarator->name;
  auto *f = s.cx.make<FunctionDecl>();
  f->name = declarator->name;
  f->type = type;
  f->range = where;
  f->storage = storage;
  f->isInline = specs->isInline;
  f->isNoreturn = specs->isNoreturn;
  f->attrs.noreturn = specs->isNoreturn;
  if (type->isFunction()) {
    f->isCilk = type->as<FunctionType>()->isCilk;
    f->isInlet = type->as<FunctionType>()->isInlet;
    f->isThread = type->as<FunctionType>()->isThread;
    if (type->as<FunctionType>()->noreturn) f->isNoreturn = f->attrs.noreturn = true;
  }
  if (specs->isConstexpr) s.diags.report(diag::constexpr_value, where) << f->name << "is a function";
  if (f->isInline && f->name == "main" && fileScope) s.diags.report(diag::inline_main, where);
  s.types.applyAttrs(f, specs->attrs);
  for (DeclChunk &c : declarator->chunks)
    if (!c.attrs.empty() && (c.kind == DeclChunk::Function || c.kind == DeclChunk::Pointer))
      s.types.applyAttrs(f, c.attrs);
  s.types.applyAttrs(f, declarator->attrs);
  asmLabel(f->attrs, false);
  pragmas(f, f->attrs);
  if (f->attrs.weak && storage == StorageClass::Static) refuseWeak(s, f);
  if (f->attrs.gnuInline && !f->isInline) f->attrs.gnuInline = false;
  if (f->attrs.noreturn && type->isFunction() && !type->as<FunctionType>()->noreturn) {
    FunctionType ft = *type->as<FunctionType>();
    ft.noreturn = true;
    f->type = type = s.cx.functionType(ft);
  }
  f->linkage = storage == StorageClass::Static ? Linkage::Internal : Linkage::External;
  return mergeFunction(f, definition);
}

QualType DeclContext::autoType() {
  if (!init || !init->expr) {
    s.diags.report(diag::auto_needs_initializer, where) << declarator->name;
    if (init && init->list) init = nullptr;
    return s.cx.basic(TypeKind::Error);
  }
  if (!declarator->chunks.empty()) {
    s.diags.report(diag::bad_auto, where);
    return s.cx.basic(TypeKind::Error);
  }
  Expr *value = s.exprs.expr(init->expr);
  bool bitField = value->bitField;
  init->expr = s.exprs.rvalue(value);
  QualType t = init->expr->type;
  if (!t.type || t->isError() || init->expr->kind == ExprKind::Error) return s.cx.basic(TypeKind::Error);
  if (bitField) {
    s.diags.report(diag::auto_bit_field, value->range) << declarator->name;
    return s.cx.basic(TypeKind::Error);
  }
  if (t->isVoid()) {
    s.diags.report(diag::void_object, init->expr->range) << "variable '" + std::string(declarator->name) + "'";
    return s.cx.basic(TypeKind::Error);
  }
  return t.unqual().with(type.quals);
}

// Registers that a variable at file scope may name: those that no function allocates.
static bool globalRegister(std::string_view name, const TargetInfo &target) {
  if (!name.empty() && name[0] == '%') name.remove_prefix(1);
  const auto &names = target.facts->globalRegisters;
  return std::find(names.begin(), names.end(), name) != names.end();
}

Decl *DeclContext::declareVariable() {
  StorageClass storage = specs->storage;
  std::string_view name = declarator->name;
  if (specs->isInline) s.diags.report(diag::inline_not_function, where) << "inline";
  if (specs->isNoreturn) s.diags.report(diag::inline_not_function, where) << "_Noreturn";
  if (fileScope && (storage == StorageClass::Auto || storage == StorageClass::Register)) {
    if (storage == StorageClass::Register && declarator->hasAsmLabel) {
      if (!globalRegister(declarator->asmLabel, s.cx.target))
        s.diags.report(diag::global_register, where) << declarator->asmLabel;
    } else {
      s.diags.report(diag::file_scope_storage, where) << name << (storage == StorageClass::Auto ? "auto" : "register");
      storage = StorageClass::None;
    }
  }
  if (specs->threadLocal) {
    if (storage == StorageClass::Auto || storage == StorageClass::Register ||
        (!fileScope && storage == StorageClass::None))
      s.diags.report(diag::bad_thread_local, where) << name << "needs 'static' or 'extern' in a block";
  }
  bool linked = fileScope || storage == StorageClass::Extern;
  bool automatic =
      !fileScope &&
      (storage == StorageClass::None || storage == StorageClass::Auto || storage == StorageClass::Register) &&
      !specs->threadLocal;
  if (!automatic && isVariablyModified(type.type)) {
    if (fileScope) s.diags.report(diag::vla_file_scope, where) << name;
    else if (linked) s.diags.report(diag::vla_linkage, where) << name;
    else if (hasVariableSize(type.type)) s.diags.report(diag::vla_static, where) << name;
    if (linked || hasVariableSize(type.type)) type = s.cx.basic(TypeKind::Error);
  }
  if (linked && !fileScope) s.diags.report(diag::nested_externs, where) << name;
  if (specs->isConstexpr) type = s.cx.qualify(type, QConst);  // the object, not what it points to
  auto *v = s.cx.make<VarDecl>();
  v->name = name;
  v->type = type;
  v->range = where;
  v->storage = storage;
  v->isPrivate = specs->priv;
  v->isConstexpr = specs->isConstexpr;
  if (specs->isConstexpr && !init) s.diags.report(diag::constexpr_value, where) << name << "has no initialiser";
  // `private`: one copy per worker, and workers are threads.
  bool perWorker = specs->priv && fileScope && !s.cx.lang.serial;
  v->threadLocal = specs->threadLocal || perWorker;
  v->isLocal = automatic;
  if (!fileScope && s.fs) v->fn = s.fs->fn;
  v->attrs.align = facts.alignAs;
  v->attrs.align = std::max(v->attrs.align, typedefAlignment(s, declarator, facts));
  bool record = type->isRecord() && type->as<RecordType>()->mayBeUnused;
  if (declarator->chunks.empty() && (facts.mayBeUnused || record)) v->attrs.unused = true;
  s.types.applyAttrs(v, specs->attrs);
  s.types.applyAttrs(v, pointerAttributes(s, declarator));
  s.types.applyAttrs(v, declarator->attrs);
  asmLabel(v->attrs, automatic);
  if (!automatic) pragmas(v, v->attrs);
  if (v->attrs.weak && storage == StorageClass::Static) refuseWeak(s, v);
  if (facts.anyAlignAs && storage == StorageClass::Register)
    s.diags.report(diag::bad_alignment, where) << "'_Alignas' on a register object";
  if (facts.alignAs && !type->isError() && isComplete(type.type) && facts.alignAs < alignOf(type.type, s.cx.target))
    s.diags.report(diag::bad_alignment, where) << "'_Alignas' cannot reduce the alignment of an object";
  if (linked) return linkedVariable(v);
  return blockVariable(v);
}

// A local object or parameter that is about to be bound hides an earlier declaration. As gcc has it: nothing of the
// system's headers, and functions only by what can be called.
void warnShadow(Sema &s, const VarDecl *v, Range where) {
  if (!s.diags.wants(diag::shadow) && !s.diags.wants(diag::shadow_local) &&
      !s.diags.wants(diag::shadow_compatible_local))
    return;
  const Decl *outer = s.scopes.lookup(v->name);
  bool callable = v->type->isPointer() && v->type->as<PointerType>()->pointee->isFunction();
  if (!outer || s.diags.sources().inSystemHeader(outer->range.begin)) return;
  if (outer->kind != DeclKind::Var && outer->kind != DeclKind::EnumConst &&
      !(outer->kind == DeclKind::Function && callable))
    return;
  bool local = outer->kind == DeclKind::Var && outer->as<VarDecl>()->linkage == Linkage::None;
  DiagId id = !local                                                        ? diag::shadow
              : s.compat.compatible(outer->type.unqual(), v->type.unqual()) ? diag::shadow_compatible_local
                                                                            : diag::shadow_local;
  s.diags.report(id, where).note(outer->range, "it hides this declaration") << v->name;
}

// A static or automatic object of a block.
Decl *DeclContext::blockVariable(VarDecl *v) {
  v->linkage = Linkage::None;
  v->isDefinition = true;
  if (type->kind == TypeKind::Auto) v->type = type = autoType();
  auto it = s.scope->names.find(v->name);
  // Parameters share the scope of the body's outermost block.
  if (it != s.scope->names.end()) {
    Decl *old = it->second;
    bool param = old->kind == DeclKind::Var && old->as<VarDecl>()->isParam;
    if (old->type.type && !(old->type->isError() && old->kind == DeclKind::Var)) {
      if (old->kind != DeclKind::Var && old->kind != DeclKind::EnumConst)
        s.diags.report(diag::redeclared_kind, where).note(old->range, "the previous declaration is here") << v->name;
      else if (param)
        s.diags.report(diag::redeclares_parameter, where).note(old->range, "the parameter is here") << v->name;
      else s.diags.report(diag::redefined, where).note(old->range, "the previous declaration is here") << v->name;
    }
  } else {
    warnShadow(s, v, where);
  }
  bool isStatic = !v->isLocal;
  if (isStatic && s.fs && s.fs->fn && s.fs->fn->isInline && s.fs->fn->linkage == Linkage::External && !type.isConst() &&
      !s.fs->fn->attrs.gnuInline && !s.cx.lang.gnuInline)
    s.diags.report(diag::static_local_in_inline, where) << v->name << s.fs->fn->name;
  if (s.fs && s.fs->fn) {
    if (v->isLocal) s.fs->fn->locals.push_back(v);
    else s.fs->fn->statics.push_back(v);
  }
  if (isStatic && s.tu) s.tu->globals.push_back(v);
  s.scopes.bind(v);
  s.hooks.declaration(v, specs, where);
  initialize(v, isStatic);
  QualType t = v->type;
  if (!t->isError()) {
    if (t->isArray() && t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete) {
      s.diags.report(diag::array_size_missing, where) << v->name;
      v->type = s.cx.basic(TypeKind::Error);
    } else if (!s.types.requireComplete(t, where, ("variable '" + std::string(v->name) + "'").c_str())) {
      v->type = s.cx.basic(TypeKind::Error);
    }
  }
  if (v->type->isArray() && v->isLocal && hasVariableSize(v->type.type) && s.fs && s.fs->fn) s.fs->fn->usesVla = true;
  checkAtomicAlign(v);
  return v;
}

// _Atomic objects of 2, 4, 8 or 16 bytes are aligned to their size, so that they are free of locks where the machine
// can.
void DeclContext::checkAtomicAlign(VarDecl *v) {
  if (!v->type.isAtomic() || v->type->isError() || !isComplete(v->type.type)) return;
  uint64_t size = sizeOf(v->type.type, s.cx.target);
  if (size && size <= 16 && (size & (size - 1)) == 0)
    v->attrs.align = std::max<uint32_t>(v->attrs.align, static_cast<uint32_t>(size));
}

// An object with linkage: at file scope, or extern in a block.
Decl *DeclContext::linkedVariable(VarDecl *v) {
  bool isExtern = v->storage == StorageClass::Extern;
  v->linkage =
      v->storage == StorageClass::Static || (v->isConstexpr && !isExtern) ? Linkage::Internal : Linkage::External;
  if (type->kind == TypeKind::Auto) v->type = type = autoType();
  if (type->isVoid() && !isExtern) {
    s.diags.report(diag::void_object, where) << "variable '" + std::string(v->name) + "'";
    v->type = type = s.cx.basic(TypeKind::Error);
  }
  bool defines = fileScope && (init != nullptr);
  v->tentative = fileScope && !isExtern && !init;
  v->isDefinition = defines;
  if (init && !fileScope) {
    s.diags.report(diag::extern_block_init, where) << v->name;
    init = nullptr;
  } else if (init && isExtern) {
    s.diags.report(diag::extern_init, where) << v->name;
  }
  VarDecl *merged = mergeVariable(v, defines);
  s.hooks.declaration(merged, specs, where);
  if (merged->isPrivate != v->isPrivate && v->isPrivate) merged->isPrivate = true;
  if (defines) initialize(merged, true);
  else if (fileScope && !isExtern && v->storage == StorageClass::Static && !v->type->isError() &&
           !isComplete(merged->type.type)) {
    bool array = merged->type->isArray();
    if (array) s.diags.report(diag::static_incomplete_array, where) << v->name;
  }
  if (defines && !merged->type->isError() &&
      !s.types.requireComplete(merged->type, where, ("variable '" + std::string(v->name) + "'").c_str()))
    merged->type = s.cx.basic(TypeKind::Error);
  checkAtomicAlign(merged);
  return merged;
}

void DeclContext::initialize(VarDecl *v, bool staticStorage) {
  if (!init) return;
  v->init = init;
  if (v->type->isError()) {          // still look at the expressions: names in them are used
    s.inits.initializer(init, v->type, false, where);
    return;
  }
  if (!v->type->isArray() || v->type->as<ArrayType>()->arrayKind != ArrayKind::Incomplete) {
    if (!s.types.requireComplete(v->type, where, ("variable '" + std::string(v->name) + "'").c_str())) {
      s.inits.initializer(init, s.cx.basic(TypeKind::Error), false, where);
      v->type = s.cx.basic(TypeKind::Error);
      return;
    }
  }
  v->type = s.inits.initializer(init, v->type, staticStorage, where);
  if (v->isConstexpr) checkConstexpr(s, v);
}

// ---- the declaration ----------------------------------------------------------------------------------------------

void Decls::declaration(Declaration *d, bool fileScope) {
  if (!d || !d->specs) return;
  DeclSpecs *specs = d->specs;
  sema.ds->tags.solo = d->declarators.empty() && specs->storage == StorageClass::None && specs->quals == 0;
  QualType base = sema.types.specifiers(specs);
  sema.ds->tags.solo = false;
  if (specs->lateStorage) diags.report(diag::old_style_declaration, specs->storageRange);
  if (specs->multipleStorage)
    diags.report(diag::multiple_storage, specs->storageRange.valid() ? specs->storageRange : specs->range);
  if (d->declarators.empty()) {
    emptyDeclaration(sema, d, base);
    return;
  }
  const SpecFacts facts = sema.ds->specifiers.facts(specs);
  bool first = true;
  for (InitDeclarator &id : d->declarators) {
    if (!id.declarator) continue;
    Declarator *dr = id.declarator;
    Range where = dr->nameRange.valid() ? dr->nameRange : dr->range;
    if (facts.implicitInt && first) diags.report(implicitInt(sema), where) << dr->name;
    if (base->kind == TypeKind::Auto && !first) diags.report(diag::auto_several, where);
    first = false;
    QualType t = sema.types.declaratorType(base, dr, specs);
    if (base->isError() && t->isFunction()) {            // `nonsense f(a);` may be anything: what f is already stays
      if (!dr->name.empty()) {
        if (!sema.scopes.lookup(dr->name)) {
          auto *v = cx.make<VarDecl>();
          v->name = dr->name;
          v->range = where;
          v->type = base;
          v->used = true;
          sema.scopes.bind(v);
        }
      }
      continue;
    }
    for (const DeclChunk &chunk : dr->chunks)
      if (!chunk.krNames.empty()) diags.report(diag::names_without_types, chunk.range);
    DeclContext c{sema, dr, specs, facts, t, id.init, where, fileScope};
    if (sema.fs && sema.fs->inside.forHeader) forDeclaration(sema, specs, t, where);
    if (t->isFunction() && !t->as<FunctionType>()->prototype && cx.lang.std < LangOptions::C2x && !dr->name.empty())
      diags.report(diag::strict_prototypes, where) << dr->name;
    if (specs->storage == StorageClass::Typedef) id.decl = c.declareTypedef();
    else if (t->isFunction()) {
      id.decl = c.declareFunction(false);
      sema.hooks.declaration(id.decl, specs, where);
    } else id.decl = c.declareVariable();
    if (specs->storage == StorageClass::Typedef) {
      if (specs->isInline || specs->isNoreturn)
        diags.report(diag::inline_not_function, where) << (specs->isInline ? "inline" : "_Noreturn");
      if (specs->threadLocal) diags.report(diag::bad_thread_local, where) << dr->name << "is a typedef";
      sema.hooks.declaration(id.decl, specs, where);
    }
    id.init = c.init;
    if (fileScope) sema.hooks.finishDeclarator(id);
  }
}

void Decls::staticAssert(StaticAssert *a) {
  if (!a || !a->cond) return;
  auto v = sema.conv.integerConstant(a->cond, "condition of a static assertion");
  if (cx.lang.std < LangOptions::C11) diags.report(diag::c11_extension, a->range) << "'_Static_assert'";
  if (!a->message && cx.lang.std < LangOptions::C2x) diags.report(diag::static_assert_no_message, a->range);
  if (!v || *v != 0 || sema.tu->damaged) return;
  if (a->message) diags.report(diag::static_assertion_failed, a->cond->range) << ": " + a->message->bytes;
  else diags.report(diag::static_assertion_failed, a->cond->range) << "";
}

// The caller says what it thinks of a function that was never declared; here it gets a declaration. A library function
// the compiler knows gets its real type.
// What a call declares: `int name()`; but EXPORT(f), where the Cilk procedure f is in sight, is what its definition
// will be.
static FunctionType typeByCall(const Sema &s, std::string_view name) {
  FunctionType ft;
  ft.result = s.cx.basic(TypeKind::Int);
  ft.prototype = false;
  if (!name.starts_with("mt_")) return ft;
  const Decl *f = s.scopes.lookup(name.substr(3)), *context = s.scopes.lookup("CilkContext");
  if (!f || !context || f->kind != DeclKind::Function || context->kind != DeclKind::Typedef || !f->type ||
      !f->type->isFunction())
    return ft;
  const auto *procedure = f->type->as<FunctionType>();
  if (!procedure->isCilk || !procedure->prototype) return ft;
  ft = *procedure;
  ft.isCilk = false;
  ft.params.insert(ft.params.begin(), s.cx.pointerTo(context->type));
  return ft;
}

FunctionDecl *Decls::implicitFunction(std::string_view name, Range range) {
  if (auto it = sema.ds->linkage.linked.find(name); it != sema.ds->linkage.linked.end()) {
    if (it->second->kind == DeclKind::Function) return it->second->as<FunctionDecl>();
    return nullptr;
  }
  FunctionDecl *f = sema.builtins.builtinFunction(name);
  if (f && name.substr(0, 2) == "__") return f;
  if (!f) {
    f = cx.make<FunctionDecl>();
    f->name = name;
    f->type = cx.functionType(typeByCall(sema, name));
  }
  f->range = range;
  f->storage = StorageClass::Extern;
  f->linkage = Linkage::External;
  f->implicit = true;
  sema.ds->linkage.linked[name] = f;
  sema.ds->linkage.declared[f].where = range;
  if (sema.tu && std::find(sema.tu->functions.begin(), sema.tu->functions.end(), f) == sema.tu->functions.end())
    sema.tu->functions.push_back(f);
  return f;
}

}  // namespace cilkc
