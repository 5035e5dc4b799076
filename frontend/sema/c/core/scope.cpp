// scope.cpp - scopes and name spaces (C17 6.2.1, 6.2.3). A Scope lives in the arena: a prototype's scope outlives its
// parameter list. The reason is a definition's body: the names of the parameters, and the tags declared among them, are
// entered there again. Leaving a scope is the moment to warn about what was never used in it.
#include <algorithm>
#include "frontend/sema/c/core/declstate.h"
#include "diag/cilk.h"
#include "diag/sema_decl.h"
#include "diag/warn.h"

namespace cilkc {

void Scopes::pushScope(Scope::Kind kind) {
  Scope *s = cx.make<Scope>();
  s->kind = kind;
  enter(s);
}

void Scopes::enter(Scope *s) {
  Scope *up = sema.scope;
  s->up = up;
  s->outer = up && up->up && up->names.empty() && up->tags.empty() ? up->outer : up;
  sema.scope = s;
}

namespace {

void warnUnusedVariable(Sema &s, VarDecl *v) {
  if (v->used || v->hidden || v->name.empty() || v->attrs.unused || v->attrs.used || v->attrs.cleanup) return;
  if (v->isParam || v->linkage != Linkage::None) return;
  if (v->type.type && v->type->isError()) return;
  const Type *e = v->type.type;
  while (e && e->isArray()) e = e->as<ArrayType>()->elem.type;
  if (e && e->isFuture() && !v->addressTaken) {
    s.diags.report(diag::future_untouched, v->range) << v->name;
    return;
  }
  if (v->isReceiver || v->addressTaken || v->inletTouches) return;
  if (v->assigned && v->type.isAtomic()) return;  // other strands may see it
  if (v->assigned) {
    s.diags.report(diag::unused_but_set, v->range) << v->name;
    return;
  }
  s.diags.report(diag::unused_variable, v->range) << v->name;
}

}  // namespace

void Scopes::popScope() {
  if (!sema.scope) return;
  if ((sema.scope->kind == Scope::Block || sema.scope->kind == Scope::Function) && !diags.hadError()) {
    for (Decl *d : sema.scope->order) {
      switch (d->kind) {
        case DeclKind::Var: warnUnusedVariable(sema, d->as<VarDecl>()); break;
        case DeclKind::Typedef:
          if (!sema.ds->specifiers.usedTypedefs.count(d)) diags.report(diag::unused_typedef, d->range) << d->name;
          break;
        case DeclKind::Function: {
          auto *f = d->as<FunctionDecl>();
          if (f->parent && f->def && !f->used && !f->attrs.unused)
            diags.report(diag::unused_function, f->range) << f->name;
          break;
        }
        default: break;
      }
    }
  }
  sema.scope = sema.scope->up;
}

Decl *Scopes::lookup(std::string_view name) const {
  for (Scope *s = sema.scope; s; s = s->outer) {
    if (s->names.empty()) continue;
    auto it = s->names.find(name);
    if (it != s->names.end()) return it->second;
  }
  return nullptr;
}

const Type *Scopes::lookupTag(std::string_view name, bool thisScopeOnly) const {
  for (Scope *s = sema.scope; s; s = s->outer) {
    if (!s->tags.empty()) {
      auto it = s->tags.find(name);
      if (it != s->tags.end()) return it->second;
    }
    if (thisScopeOnly) break;
  }
  return nullptr;
}

bool Scopes::leftOut(std::string_view name) const { return sema.tu && sema.tu->damagedNames.count(name); }

bool Scopes::inPrototype() const {
  for (const Scope *p = sema.scope;
      p && p->kind != Scope::Function && p->kind != Scope::Block && p->kind != Scope::File; p = p->up)
    if (p->kind == Scope::Prototype) return true;
  return false;
}

void Scopes::bind(Decl *d) {
  if (!sema.scope) return;
  sema.scope->order.push_back(d);
  if (!d->name.empty()) sema.scope->names[d->name] = d;
}

VarDecl *Scopes::hiddenLocal(QualType type, const char *what, Range range) {
  auto *v = cx.make<VarDecl>();
  int n = sema.fs ? sema.fs->nextHidden++ : 0;
  v->name = cx.intern(std::string(".") + what + "." + std::to_string(n));
  v->type = type;
  v->range = range;
  v->hidden = true;
  v->used = true;
  v->isLocal = true;
  v->isDefinition = true;
  if (sema.fs && sema.fs->fn) {
    v->fn = sema.fs->fn;
    sema.fs->fn->locals.push_back(v);
  }
  return v;
}

// ---- facts about variables ----------------------------------------------------------------------------------------

namespace {
// The hidden sizes of a type that come from a function around `fn`. A record may have pointers to itself.
void noteSizes(const Type *t, const FunctionDecl *fn, std::vector<const Type *> around = {}) {
  for (;;) switch (t->kind) {
      case TypeKind::Pointer: t = t->as<PointerType>()->pointee.type; continue;
      case TypeKind::Function: t = t->as<FunctionType>()->result.type; continue;
      case TypeKind::Array:
        if (VarDecl *size = t->as<ArrayType>()->sizeVar; size && size->fn != fn) size->crossesNested = true;
        t = t->as<ArrayType>()->elem.type;
        continue;
      case TypeKind::Record:
        if (!t->as<RecordType>()->variable || std::ranges::find(around, t) != around.end()) return;
        around.push_back(t);
        for (const FieldDecl *f : t->as<RecordType>()->fields) noteSizes(f->type.type, fn, around);
        return;
      default: return;
    }
}

}  // namespace

void Scopes::noteType(QualType t) {
  if (sema.fs && sema.fs->up && sema.fs->fn && isVariablyModified(t.type)) noteSizes(t.type, sema.fs->fn);
}

void Scopes::noteUse(VarDecl *v) {
  if (!v->isLocal || !sema.fs || !sema.fs->fn || !v->fn) return;
  if (v->fn == sema.fs->fn) {
    // In the size of a parameter: should a nested function be defined here, it is that function that reads the
    // variable.
    for (const Scope *p = sema.scope; p && p->kind == Scope::Prototype; p = p->up) v->crossesNested = true;
    return;
  }
  // An inlet's body is part of each clone and runs between the procedure's threads, so what it uses can be an ordinary
  // local there.
  if (sema.inInlet()) v->inletTouches = true;
  else if (!sema.hooks.captures(v)) v->crossesNested = true;
  if (v->type.type) noteType(v->type);
}

}  // namespace cilkc
