// function.cpp - function definitions (C17 6.9.1): prototypes and K&R parameter lists, the function's state and scope,
// its body, and inlets and GNU nested functions, which are the same with a parent.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/sema/c/decl/declare.h"
#include "diag/cilk1.h"
#include "diag/sema_decl.h"
#include "diag/warn.h"

namespace cilkc {

namespace {

bool hasSideEffects(const Expr *e, int depth = 0) {
  if (!e || depth > 200) return true;
  switch (e->kind) {
    case ExprKind::IntLit:
    case ExprKind::CharLit:
    case ExprKind::FloatLit:
    case ExprKind::StringLit:
    case ExprKind::Ident:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
    case ExprKind::AlignofExpr:
    case ExprKind::AlignofType:
    case ExprKind::Error: return false;
    case ExprKind::Paren: return hasSideEffects(e->as<ParenExpr>()->sub, depth + 1);
    case ExprKind::ImplicitCast: return hasSideEffects(e->as<ImplicitCast>()->sub, depth + 1);
    case ExprKind::Cast: return hasSideEffects(e->as<Cast>()->sub, depth + 1);
    case ExprKind::Binary:
      return hasSideEffects(e->as<Binary>()->lhs, depth + 1) || hasSideEffects(e->as<Binary>()->rhs, depth + 1);
    case ExprKind::Member: return hasSideEffects(e->as<Member>()->base, depth + 1);
    case ExprKind::Index:
      return hasSideEffects(e->as<Index>()->base, depth + 1) || hasSideEffects(e->as<Index>()->index, depth + 1);
    case ExprKind::Unary: {
      auto op = e->as<Unary>()->op;
      if (isIncDec(op)) return true;
      return hasSideEffects(e->as<Unary>()->sub, depth + 1);
    }
    default: return otherKinds<34>(true);
  }
}

// int a[*], whose type, a pointer, does not show it.
bool starred(const Declarator *d) { return d && !d->chunks.empty() && d->chunks[0].star; }

// int f(a, b) char a; { … }: makes the parameters of an identifier list, in the prototype's scope.
void oldStyleParameters(Sema &s, FunctionDef *def, DeclChunk &c, Scope *proto, std::vector<VarDecl *> &params) {
  if (!proto) return;
  Scope *saved = s.scope;
  s.scopes.enter(proto);
  std::unordered_map<std::string_view, VarDecl *> named;
  for (auto &[name, range] : c.krNames) {
    auto *v = s.cx.make<VarDecl>();
    v->name = name;
    v->range = range;
    v->isParam = v->isLocal = v->isDefinition = true;
    v->paramIndex = static_cast<uint32_t>(params.size());
    v->type = s.cx.basic(TypeKind::Error);                  // until its declaration comes
    if (proto->names.count(name))
      s.diags.report(diag::redefined_parameter, range).note(proto->names[name]->range, "the first one is here") << name;
    params.push_back(v);
    proto->names.emplace(name, v);
    named.emplace(name, v);
  }
  std::unordered_set<const VarDecl *> declared;
  for (Declaration *d : def->krDecls) {
    if (!d || !d->specs) continue;
    QualType base = s.types.specifiers(d->specs);
    const SpecFacts facts = s.ds->specifiers.facts(d->specs);
    if (d->specs->storage != StorageClass::None && d->specs->storage != StorageClass::Register)
      s.diags.report(diag::param_storage, d->specs->storageRange.valid() ? d->specs->storageRange : d->range)
          << "parameter";
    if (d->declarators.empty()) {
      if (!d->specs->record && !d->specs->enumeration) s.diags.report(diag::empty_declaration, d->range);
      continue;
    }
    for (InitDeclarator &id : d->declarators) {
      Declarator *dr = id.declarator;
      if (!dr) continue;
      Range where = dr->nameRange.valid() ? dr->nameRange : dr->range;
      if (facts.implicitInt) s.diags.report(implicitInt(s), where) << dr->name;
      QualType t = s.types.declaratorType(base, dr, d->specs, true);
      auto it = named.find(dr->name);
      if (it == named.end()) {
        s.diags.report(diag::no_such_parameter, where) << dr->name;
        continue;
      }
      VarDecl *v = it->second;
      id.decl = v;
      if (starred(dr)) s.diags.report(diag::array_star, where);
      if (!declared.insert(v).second) {
        s.diags.report(diag::redefined_parameter, where).note(v->range, "the first one is here") << dr->name;
        continue;
      }
      if (id.init) {
        s.diags.report(diag::initialized_parameter, where) << dr->name;
        id.init = nullptr;
      }
      if (t->isVoid() || t->kind == TypeKind::Auto) {
        s.diags.report(diag::void_param, where) << "parameter '" + std::string(dr->name) + "'";
        t = s.cx.basic(TypeKind::Error);
      }
      v->type = t;
      v->range = where;
      v->storage = d->specs->storage;
      s.types.applyAttrs(v, d->specs->attrs);
      s.types.applyAttrs(v, pointerAttributes(s, dr));
      s.types.applyAttrs(v, dr->attrs);
    }
  }
  for (VarDecl *v : params)
    if (!declared.count(v)) {
      if (s.cx.lang.std >= LangOptions::C99) s.diags.report(diag::parameter_defaults_to_int, v->range) << v->name;
      v->type = s.cx.basic(TypeKind::Int);
    }
  s.scope = saved;
}

// The type of a function defined in the old style: without prototype, its parameters promoted. An earlier prototype
// that names the unpromoted types is accepted, as gcc does, and then decides how arguments are passed.
QualType oldStyleType(Sema &s, Declarator *d, QualType t, const std::vector<VarDecl *> &params, bool nested) {
  FunctionType ft = *t->as<FunctionType>();
  ft.params.clear();
  for (VarDecl *v : params) ft.params.push_back(s.cx.defaultPromoted(v->type));
  ft.prototype = false;
  if (auto it = s.ds->linkage.linked.find(d->name); !nested && it != s.ds->linkage.linked.end() &&
                                                    it->second->kind == DeclKind::Function &&
                                                    it->second->type->isFunction()) {
    const auto *proto = it->second->type->as<FunctionType>();
    if (proto->prototype && !proto->variadic && proto->params.size() == params.size()) {
      for (size_t i = 0; i < params.size(); ++i) {
        if (s.compat.compatible(proto->params[i], ft.params[i])) continue;
        if (!s.compat.compatible(proto->params[i], params[i]->type.unqual())) return s.cx.functionType(ft);
        s.diags.report(diag::promoted_parameter, params[i]->range).note(it->second->range, "the prototype is here")
            << params[i]->name;
      }
      ft.params = proto->params;
    }
  }
  return s.cx.functionType(ft);
}

// [*] somewhere in a parameter's type; that of the outermost array is gone with the array, see the declarator.
bool hasStar(QualType t) {
  for (const Type *u = t.type; u;) {
    if (u->isPointer()) u = u->as<PointerType>()->pointee.type;
    else if (u->isArray()) {
      if (u->as<ArrayType>()->arrayKind == ArrayKind::Star) return true;
      u = u->as<ArrayType>()->elem.type;
    } else return false;
  }
  return false;
}

void checkMain(Sema &s, FunctionDecl *f) {
  if (f->name != "main" || !f->type->isFunction() || s.cx.lang.freestanding || f->isThread) return;
  const auto *t = f->type->as<FunctionType>();
  if (f->isNoreturn) s.diags.report(diag::noreturn_main, f->range);
  if (t->result->kind != TypeKind::Int && !t->isCilk)
    s.diags.report(diag::main_result, f->range) << toString(t->result);
  if (t->prototype && !t->isCilk) {
    size_t n = t->params.size();
    auto vector = [](QualType p) { return p->isPointer() && p->as<PointerType>()->pointee->isPointer(); };
    if (n == 1) s.diags.report(diag::main_parameters, f->range) << "'main' has no parameters or two";
    if (n && t->params[0]->kind != TypeKind::Int)
      s.diags.report(diag::main_parameters, f->range)
          << "the first parameter of 'main' should be 'int', not '" + toString(t->params[0]) + "'";
    for (size_t i = 1; i < n && i < 3; i++)
      if (!vector(t->params[i]))
        s.diags.report(diag::main_parameters, f->range) << "parameter " + std::to_string(i + 1) +
                                                               " of 'main' should be 'char **', not '" +
                                                               toString(t->params[i]) + "'";
  }
  if (f->linkage == Linkage::Internal) s.diags.report(diag::static_main, f->range);
}

void warnUnusedParameters(Sema &s, FunctionDecl *f) {
  if (s.diags.hadError() || (!s.diags.wants(diag::unused_parameter) && !s.diags.wants(diag::unused_but_set_parameter)))
    return;
  for (VarDecl *v : f->params)
    if (!v->used && !v->name.empty() && !v->attrs.unused && !v->inletTouches && !v->isReceiver) {
      if (v->assigned) s.diags.report(diag::unused_but_set_parameter, v->range) << v->name;
      else s.diags.report(diag::unused_parameter, v->range) << v->name;
    }
}

void enterParameters(Sema &s, FunctionDecl *f, const std::vector<VarDecl *> &params) {
  for (size_t i = 0; i < params.size(); ++i) {
    VarDecl *v = params[i];
    v->fn = f;
    if (v->name.empty()) {
      if (s.cx.lang.std < LangOptions::C2x) s.diags.report(diag::parameter_name_omitted, v->range);
    } else {
      if (!v->type->isError()) warnShadow(s, v, v->range);
      s.scopes.bind(v);
    }
    if (!v->type->isError() &&
        !s.types.requireComplete(v->type, v->range,
            v->name.empty() ? "parameter" : ("parameter '" + std::string(v->name) + "'").c_str()))
      v->type = s.cx.basic(TypeKind::Error);
    if (hasStar(v->type)) s.diags.report(diag::array_star, v->range);
    giveSizeVariables(s, v->type);
  }
}

// A size like a[n++] is lost with the array, but it is evaluated at each call.
std::vector<Stmt *> sizesAtEntry(Sema &s, const FunctionDef *def, const DeclChunk &chunk) {
  std::vector<Stmt *> entry;
  auto keep = [&](Declarator *pd) {
    if (!pd) return;
    if (auto it = s.ds->declarators.outerSizes.find(pd); it != s.ds->declarators.outerSizes.end())
      for (Expr *e : it->second)
        if (hasSideEffects(e)) {
          auto *st = s.cx.make<ExprStmt>();
          st->expr = s.conv.implicit(CastKind::ToVoid, e, s.cx.basic(TypeKind::Void));
          st->range = e->range;
          entry.push_back(st);
        }
  };
  if (!s.ds->declarators.outerSizes.empty()) {
    for (ParamDecl *p : chunk.params)
      if (p) keep(p->declarator);
    for (Declaration *kd : def->krDecls)
      for (InitDeclarator &id : kd->declarators) keep(id.declarator);
    s.ds->declarators.outerSizes.clear();
  }
  return entry;
}

}  // namespace

void Decls::functionDefinition(FunctionDef *def, bool nested) {
  if (!def || !def->declarator || !def->specs) return;
  Declarator *d = def->declarator;
  DeclSpecs *specs = def->specs;
  Range where = d->nameRange.valid() ? d->nameRange : d->range;
  QualType base = sema.types.specifiers(specs);
  SpecFacts facts = sema.ds->specifiers.facts(specs);
  if (specs->multipleStorage)
    diags.report(diag::multiple_storage, specs->storageRange.valid() ? specs->storageRange : specs->range);
  if (facts.implicitInt)
    diags.report(cx.lang.std < LangOptions::C99 ? diag::implicit_int_c89 : diag::implicit_int_function, where)
        << d->name;
  QualType t = sema.types.declaratorType(base, d, specs);
  Scope *protoScope = d->chunks.empty() ? nullptr : sema.ds->declarators.prototypeOf(&d->chunks[0]);
  bool direct = !d->chunks.empty() && d->chunks[0].kind == DeclChunk::Function;
  // an error that has been reported: the grammar wants a parameter list before a body
  if (!t->isFunction() || !direct) return;
  if (specs->storage == StorageClass::Typedef ||
      (!nested && (specs->storage == StorageClass::Auto || specs->storage == StorageClass::Register)) ||
      (nested && (specs->storage == StorageClass::Static || specs->storage == StorageClass::Extern ||
                     specs->storage == StorageClass::Register)))
    diags.report(diag::function_definition_storage, specs->storageRange.valid() ? specs->storageRange : where)
        << d->name;
  DeclChunk &chunk = d->chunks[0];
  if (!chunk.prototype && chunk.krNames.empty() && cx.lang.std < LangOptions::C2x && d->name != "main")
    diags.report(diag::strict_prototypes, where) << d->name;
  if (!chunk.prototype && chunk.krNames.empty() && cx.lang.std < LangOptions::C2x && d->name != "main")
    diags.report(diag::old_style_definition, where) << d->name;
  std::vector<VarDecl *> params;
  bool oldStyle = !chunk.krNames.empty();
  if (oldStyle) {
    oldStyleParameters(sema, def, chunk, protoScope, params);
    t = oldStyleType(sema, d, t, params, nested);
    diags.report(diag::old_style_definition, where) << d->name;
    diags.report(diag::strict_prototypes, where) << d->name;
    if (cx.lang.std >= LangOptions::C2x) diags.report(diag::old_style_c2x, where) << d->name;
  } else {
    for (ParamDecl *p : chunk.params)
      if (p && p->var) {
        params.push_back(p->var);
        if (p->declarator && !p->declarator->chunks.empty() && p->declarator->chunks[0].kind == DeclChunk::Array) {
          sema.ds->declarators.arrayParameters.insert(p->var);
          if (specs->thread && p->declarator->chunks[0].size)
            diags.report(diag::thread_array, p->range)
                    .note(p->range, "put the array in a struct, which is copied, or declare a pointer")
                << p->var->name;
        }
        if (starred(p->declarator)) diags.report(diag::array_star, p->range);
      }
  }
  DeclContext c{sema, d, specs, facts, t, nullptr, where, !nested};
  FunctionDecl *f;
  if (nested) {
    if (!specs->inlet) diags.report(diag::nested_function, where);
    DeclSpecs local = *specs;                        // nested functions have no linkage: declare it as `auto` does
    local.storage = StorageClass::Auto;
    DeclContext n{sema, d, &local, facts, t, nullptr, where, false};
    f = n.declareFunction(true)->as<FunctionDecl>();
    f->parent = sema.fs ? sema.fs->fn : nullptr;
    f->linkage = Linkage::None;
    if (sema.fs && sema.fs->fn &&
        std::find(sema.fs->fn->inlets.begin(), sema.fs->fn->inlets.end(), f) == sema.fs->fn->inlets.end())
      sema.fs->fn->inlets.push_back(f);
  } else {
    auto linked = sema.ds->linkage.linked.find(d->name);
    bool hadProto = linked != sema.ds->linkage.linked.end() && sema.ds->linkage.declared[linked->second].hasProto;
    bool hadDecl = linked != sema.ds->linkage.linked.end() && sema.ds->linkage.declared[linked->second].atFile;
    f = c.declareFunction(true)->as<FunctionDecl>();
    if (f->linkage == Linkage::External && f->name != "main" && !f->isInline) {
      bool said = !hadProto && diags.wants(diag::missing_prototype);
      if (!hadProto) diags.report(diag::missing_prototype, where) << f->name;
      if (!hadDecl && !said) diags.report(diag::missing_declaration, where) << f->name;
    }
    if (f->type->isFunction() && f->type->as<FunctionType>()->prototype &&
        f->type->as<FunctionType>()->params.size() != params.size() && !f->type->isError())
      if (!oldStyle && !chunk.prototype) diags.report(diag::prototype_count, where) << f->name;
  }
  f->def = def;
  FunctionDecl *body = nested ? f : sema.hooks.owner(f, def);
  def->fn = body;
  body->params = params;
  FunctionState state;
  state.up = sema.fs;
  state.fn = f;
  state.cilkMode = def->cilkMode;
  sema.fs = &state;
  sema.hooks.declaration(f, specs, where);
  if (!nested) checkMain(sema, f);
  state.fn = body;
  sema.hooks.functionBegins(def);
  QualType result = t->as<FunctionType>()->result;
  if (!result->isVoid() && !result->isError()) sema.types.requireComplete(result, where, "the result of the function");
  sema.scopes.pushScope(Scope::Function);
  if (Scope *proto = protoScope) {
    sema.scope->tags = proto->tags;
    for (Decl *x : proto->order)
      if (x->kind == DeclKind::EnumConst) sema.scope->names[x->name] = x;
  }
  enterParameters(sema, body, params);
  if (def->body) {
    std::vector<Stmt *> entry = sizesAtEntry(sema, def, chunk);
    sema.stmts.compound(def->body, false);
    def->body->body.insert(def->body->body.begin(), entry.begin(), entry.end());
    sema.stmts.finishLabels();
  }
  warnUnusedParameters(sema, body);
  sema.hooks.functionEnds(f, def);
  sema.scopes.popScope();
  sema.fs = state.up;
}

}  // namespace cilkc
