// redeclare.cpp - what happens when a name with linkage is declared again (C17 6.2.2, 6.2.7, 6.7.4p7, 6.9.2).
//
// There is one Decl for each function and object with linkage in the unit. The Decl is found by name in
// Linkages::linked, even when only a block has declared the name. Every scope that declares the name binds the same
// Decl. The type of the Decl is the composite of all declarations so far.
#include <algorithm>
#include "frontend/builtins/builtins.h"
#include "frontend/sema/c/decl/declare.h"
#include "diag/cilk1.h"
#include "diag/sema_decl.h"

namespace cilkc {

void mergeAttrs(DeclAttrs &to, const DeclAttrs &from) {
  to.weak |= from.weak;
  to.used |= from.used;
  to.unused |= from.unused;
  to.noinline |= from.noinline;
  to.alwaysInline |= from.alwaysInline;
  to.gnuInline |= from.gnuInline;
  to.cold |= from.cold;
  to.hot |= from.hot;
  to.noreturn |= from.noreturn;
  to.pure |= from.pure;
  to.constant |= from.constant;
  to.malloc |= from.malloc;
  to.returnsTwice |= from.returnsTwice;
  to.naked |= from.naked;
  to.constructor |= from.constructor;
  to.destructor |= from.destructor;
  to.common |= from.common;
  to.nocommon |= from.nocommon;
  to.packed |= from.packed;
  to.noInstrument |= from.noInstrument;
  to.warnUnused |= from.warnUnused;
  to.sentinel |= from.sentinel;
  to.ifunc |= from.ifunc;
  to.returnsNonnull |= from.returnsNonnull;
  to.flatten |= from.flatten;
  to.leaf |= from.leaf;
  to.optnone |= from.optnone;
  to.stackProtect |= from.stackProtect;
  to.noStackProtector |= from.noStackProtector;
  to.weakref |= from.weakref;
  to.artificial |= from.artificial;
  to.externallyVisible |= from.externallyVisible;
  to.remote |= from.remote;
  to.nonnullAll |= from.nonnullAll;
  if (from.constructorPriority != 65535) to.constructorPriority = from.constructorPriority;
  if (from.destructorPriority != 65535) to.destructorPriority = from.destructorPriority;
  if (from.visibilitySet && !to.visibilitySet) {
    to.visibility = from.visibility;
    to.visibilitySet = true;
  }
  auto take = [](std::string_view &a, std::string_view b) {
    if (!b.empty()) a = b;
  };
  take(to.section, from.section);
  take(to.symver, from.symver);
  take(to.alias, from.alias);
  take(to.ifuncResolver, from.ifuncResolver);
  take(to.targetFeatures, from.targetFeatures);
  take(to.tlsModel, from.tlsModel);
  take(to.touches, from.touches);
  take(to.callError, from.callError);
  take(to.callWarning, from.callWarning);
  if (from.hasAsmLabel && !to.hasAsmLabel) {
    to.asmLabel = from.asmLabel;
    to.hasAsmLabel = true;
  }
  to.align = std::max(to.align, from.align);
  if (from.cleanup) to.cleanup = from.cleanup;
  if (from.deprecated) restrictUse(to.deprecated, from.deprecated);
  to.formatArgs |= from.formatArgs;
  if (from.formatKind) {
    to.formatKind = from.formatKind;
    to.formatIndex = from.formatIndex;
    to.formatFirst = from.formatFirst;
  }
  for (int n : from.nonnull)
    if (std::find(to.nonnull.begin(), to.nonnull.end(), n) == to.nonnull.end()) to.nonnull.push_back(n);
  if (from.allocSize1) {
    to.allocSize1 = from.allocSize1;
    to.allocSize2 = from.allocSize2;
  }
}

// The declaration of this name that the new one continues or clashes with: in this very scope, or anywhere if it has
// linkage.
Decl *DeclContext::previous() {
  auto it = s.scope->names.find(declarator->name);
  if (it != s.scope->names.end()) return it->second;
  auto linked = s.ds->linkage.linked.find(declarator->name);
  return linked == s.ds->linkage.linked.end() ? nullptr : linked->second;
}

namespace {

void bindOnce(Sema &s, Decl *d) {
  auto it = s.scope->names.find(d->name);
  if (it == s.scope->names.end() || it->second != d) s.scopes.bind(d);
}

Range placeOf(Sema &s, Decl *d) {
  auto it = s.ds->linkage.declared.find(d);
  return it != s.ds->linkage.declared.end() && it->second.where.valid() ? it->second.where : d->range;
}

// Does a user's declaration agree with the compiler's own idea of a library function? Pointers and enums are not
// compared in depth: the headers know types, such as FILE, that the table of builtins does not.
bool agrees(const Sema &s, const FunctionType *a, const FunctionType *b) {
  auto same = [&](QualType x, QualType y) {
    if (x->isPointer() || x->isArray()) return y->isPointer() || y->isArray() || y->isRecord();
    if (x->isRecord() || y->isRecord()) return true;
    return s.compat.compatible(x.unqual(), y.unqual());
  };
  if (!same(a->result, b->result)) return false;
  if (!a->prototype || !b->prototype) return true;
  if (a->variadic != b->variadic || a->params.size() != b->params.size()) return false;
  for (size_t i = 0; i < a->params.size(); ++i)
    if (!same(a->params[i], b->params[i])) return false;
  return true;
}

void recogniseLibrary(Sema &s, FunctionDecl *f, bool fileScope) {
  if (s.cx.lang.freestanding || f->linkage != Linkage::External || !f->type->isFunction() || f->isCilk || f->isThread)
    return;
  BuiltinId id = builtinByName(f->name);
  if (id == BuiltinId::None) return;
  FunctionDecl *b = s.builtins.builtinFunction(f->name);
  if (!b || !b->type.type || !b->type->isFunction()) return;
  if (b != f && !agrees(s, f->type->as<FunctionType>(), b->type->as<FunctionType>())) {
    if (fileScope) s.diags.report(diag::builtin_declaration_mismatch, f->range) << f->name << toString(b->type);
    return;
  }
  f->builtin = static_cast<int>(id);
  if (b != f) mergeAttrs(f->attrs, b->attrs);
  f->isNoreturn |= b->isNoreturn;
}

// The type of a function that is declared again: the composite one, or the new one with a report.
void mergeTypes(const DeclContext &c, FunctionDecl *o, const FunctionDecl *f, Range oldPlace, bool definition) {
  const bool library = o->implicit && o->builtin;
  if (o->type->isFunction() && f->type->isFunction()) {
    const auto *ot = o->type->as<FunctionType>(), *nt = f->type->as<FunctionType>();
    if (ot->isThread != nt->isThread) {
      c.s.diags.report(diag::thread_redeclared, c.where)
              .note(oldPlace,
                  ot->isThread
                      ? "the previous declaration is here: Cilk-5 and C see such a thread as a procedure, in this file, too"
                      : "the previous declaration is here: write `thread` before both, or before none")
          << f->name << (nt->isThread ? "with" : "without");
      o->type = f->type;
      o->isThread = f->isThread;
      o->isCilk = f->isCilk;
    } else if (ot->isCilk != nt->isCilk || ot->isInlet != nt->isInlet) {
      c.s.diags.report(diag::redeclared_cilk, c.where)
              .note(oldPlace, ot->isInlet || nt->isInlet
                                  ? "the previous declaration is here"
                                  : "the previous declaration is here: write `cilk` before both, or before none")
          << f->name << (nt->isCilk || nt->isInlet ? "with" : "without")
          << (ot->isInlet || nt->isInlet ? "inlet" : "cilk");
      o->type = f->type;
      o->isCilk = f->isCilk;
    } else if (c.s.compat.compatible(o->type, f->type)) {
      o->type = c.s.compat.composite(o->type, f->type);
    } else if (definition && c.facts.implicitInt && ot->result->isVoid()) {
      c.s.diags.report(diag::conflicting_implicit, c.where).note(oldPlace, "the previous declaration is here")
          << f->name << toString(o->type);  // without a type: it is the declared one
    } else if (o->builtin && !oldPlace.valid()) {
      o->type = f->type;  // only the compiler's own declaration so far
    } else if (o->implicit && (library || nt->result->isVoid())) {
      c.s.diags.report(diag::conflicting_implicit, c.where).note(oldPlace, "it was declared implicitly by its use here")
          << f->name << toString(o->type);
      o->type = f->type;
      if (library) o->builtin = 0;
    } else {
      auto b = c.s.diags.report(diag::conflicting_types, c.where);
      b << f->name << toString(f->type);
      if (o->implicit) b.note(oldPlace, "it was declared implicitly by its use here, as '" + toString(o->type) + "'");
      else b.note(oldPlace, "the previous declaration, '" + toString(o->type) + "', is here");
      o->type = f->type;
    }
  } else if (o->type->isError()) {
    o->type = f->type;
  }
}

}  // namespace

FunctionDecl *DeclContext::mergeFunction(FunctionDecl *f, bool definition) {
  DeclState &ds = *s.ds;
  bool isInline = specs->isInline, isExtern = specs->storage == StorageClass::Extern;
  // `auto int g(int);` announces a nested function
  bool local = !fileScope && specs->storage == StorageClass::Auto;
  Decl *old = local ? nullptr : previous();
  if (local) {
    auto it = s.scope->names.find(f->name);
    if (it != s.scope->names.end()) old = it->second;
  }
  auto fresh = [&](FunctionDecl *n) {
    if (local) {
      n->linkage = Linkage::None;
      n->parent = s.fs ? s.fs->fn : nullptr;
    } else {
      ds.linkage.linked[n->name] = n;
      if (s.tu) s.tu->functions.push_back(n);
    }
    recogniseLibrary(s, n, fileScope);  // before the name is bound: the library's own type is looked up by it
    bindOnce(s, n);
  };
  auto record = [&](FunctionDecl *n) {
    Declared &info = ds.linkage.declared[n];
    info.where = where;
    if (fileScope) {
      info.atFile = true;
      info.plainOrExtern |= !isInline || isExtern;
      info.anyNotExternInline |= !(isInline && isExtern);
    }
    if (definition) info.defExternInline = isInline && isExtern;
    if (n->type->isFunction() && n->type->as<FunctionType>()->prototype) info.hasProto = true;
  };
  if (!old) {
    fresh(f);
    record(f);
    return f;
  }
  if (old->kind != DeclKind::Function) {
    if (old->type.type && !old->type->isError())
      s.diags.report(diag::redeclared_kind, where).note(placeOf(s, old), "the previous declaration is here") << f->name;
    fresh(f);
    record(f);
    return f;
  }
  auto *o = old->as<FunctionDecl>();
  Range oldPlace = placeOf(s, o);
  const bool library = o->implicit && o->builtin;
  mergeTypes(*this, o, f, oldPlace, definition);
  if (specs->storage == StorageClass::Static && fileScope) {
    if (o->linkage == Linkage::External) {
      if (o->implicit || (o->builtin && !oldPlace.valid())) {
        if (o->implicit && !library)
          s.diags.report(diag::static_after_implicit, where)
                  .note(oldPlace, "it was declared implicitly by its use here")
              << f->name;
        o->builtin = 0;
      } else if (!(o->def && ds.linkage.declared[o].defExternInline &&
                     (o->attrs.gnuInline || s.cx.lang.gnuInline || s.cx.lang.std == LangOptions::C89))) {
        s.diags.report(diag::static_after_nonstatic, where).note(oldPlace, "the previous declaration is here")
            << f->name;
      }
      o->linkage = Linkage::Internal;
    }
    o->storage = StorageClass::Static;
  } else if (o->storage != StorageClass::Static) {
    o->storage = f->storage;
  }
  if (definition && o->def) {
    bool gnu = o->attrs.gnuInline || s.cx.lang.gnuInline || s.cx.lang.std == LangOptions::C89;
    // the real one replaces the inline one
    if (gnu && ds.linkage.declared[o].defExternInline && !(isInline && isExtern)) o->def = nullptr;
    else s.diags.report(diag::redefined_function, where).note(o->range, "the first definition is here") << f->name;
  } else if (!definition && fileScope && !o->implicit && oldPlace.valid() && f->attrs.alias.empty() &&
             f->attrs.ifuncResolver.empty()) {
    s.diags.report(diag::redundant_declaration, where).note(oldPlace, "the previous declaration is here") << f->name;
  }
  bool wasExplicit = !o->implicit && oldPlace.valid();
  o->isInline |= f->isInline;
  o->isNoreturn |= f->isNoreturn;
  o->isCilk |= f->isCilk;
  o->isInlet |= f->isInlet;
  if (f->attrs.hasAsmLabel && o->attrs.hasAsmLabel && f->attrs.asmLabel != o->attrs.asmLabel)
    s.diags.report(diag::conflicting_asm_label, where) << o->name;
  mergeAttrs(o->attrs, f->attrs);
  o->implicit = false;
  if (definition || !wasExplicit) o->range = where;
  if (!local && !ds.linkage.linked.count(o->name)) {
    ds.linkage.linked[o->name] = o;
    if (s.tu && std::find(s.tu->functions.begin(), s.tu->functions.end(), o) == s.tu->functions.end())
      s.tu->functions.push_back(o);
  }
  bindOnce(s, o);
  record(o);
  return o;
}

VarDecl *DeclContext::mergeVariable(VarDecl *v, bool defines) {
  DeclState &ds = *s.ds;
  Decl *old = previous();
  auto record = [&](VarDecl *n) {
    Declared &info = ds.linkage.declared[n];
    info.where = where;
    info.atFile |= fileScope;
  };
  if (!old || old->kind != DeclKind::Var) {
    if (old && old->type.type && !old->type->isError())
      s.diags.report(diag::redeclared_kind, where).note(placeOf(s, old), "the previous declaration is here") << v->name;
    ds.linkage.linked[v->name] = v;
    if (s.tu) s.tu->globals.push_back(v);
    bindOnce(s, v);
    record(v);
    return v;
  }
  auto *o = old->as<VarDecl>();
  if (o->linkage == Linkage::None) {  // a local of this scope, declared extern as well
    s.diags.report(diag::redeclared_linkage, where).note(o->range, "the previous declaration is here") << v->name;
    return o;
  }
  Range oldPlace = placeOf(s, o);
  if (s.compat.compatible(o->type, v->type)) o->type = s.compat.composite(o->type, v->type);
  else {
    if (!o->type->isError() && !v->type->isError())
      s.diags.report(diag::conflicting_types, where)
              .note(oldPlace, "the previous declaration, '" + toString(o->type) + "', is here")
          << v->name << toString(v->type);
    o->type = v->type;
  }
  if (o->threadLocal != v->threadLocal)
    s.diags.report(diag::thread_local_mismatch, where).note(oldPlace, "the previous declaration is here")
        << v->name << (v->threadLocal ? "thread-local" : "non-thread-local")
        << (v->threadLocal ? "non-thread-local" : "thread-local");
  if (v->storage == StorageClass::Static) {
    if (o->linkage == Linkage::External)
      s.diags.report(diag::static_after_nonstatic, where).note(oldPlace, "the previous declaration is here") << v->name;
  } else if (v->storage != StorageClass::Extern && o->linkage == Linkage::Internal) {
    s.diags.report(diag::nonstatic_after_static, where).note(oldPlace, "the previous declaration is here") << v->name;
  }
  if (defines && o->isDefinition && o->init) {
    s.diags.report(diag::redefined, where).note(o->range, "the first definition is here") << v->name;
  } else if (!defines && fileScope && !v->tentative) {
    s.diags.report(diag::redundant_declaration, where).note(oldPlace, "the previous declaration is here") << v->name;
  }
  if (defines) {
    o->isDefinition = true;
    o->range = where;
  }
  o->tentative |= v->tentative;
  if (v->storage != StorageClass::Extern)
    o->storage = v->storage == StorageClass::None && o->storage == StorageClass::Extern ? StorageClass::None
                 : o->storage == StorageClass::Static                                   ? o->storage
                                                                                        : v->storage;
  if (v->attrs.hasAsmLabel && o->attrs.hasAsmLabel && v->attrs.asmLabel != o->attrs.asmLabel)
    s.diags.report(diag::conflicting_asm_label, where) << o->name;
  mergeAttrs(o->attrs, v->attrs);
  bindOnce(s, o);
  record(o);
  return o;
}

}  // namespace cilkc
