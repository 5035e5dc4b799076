// walk.cpp - see walk.h. Children come from frontend/ast's table; this file adds what only the walk has: scopes, and
// what declares something. Initialisers are walked as written (the flattened plan holds the same expressions).
#include "frontend/elide/walk.h"
#include "frontend/ast/visit.h"

namespace cilkc {

void AstWalker::walk(const TypeName *t) {
  walk(t->specs);
  walk(t->declarator);
}

void AstWalker::walk(const DeclSpecs *s) {
  if (!s) return;
  onSpecs(s);
  if (s->typeofExpr) walk(s->typeofExpr);
  if (s->typeofType) walk(s->typeofType);
  if (s->atomicType) walk(s->atomicType);
  for (const auto &a : s->alignAs) {
    if (a.first) walk(a.first);
    if (a.second) walk(a.second);
  }
  if (s->record)
    for (const StructMember &m : s->record->members) {
      walk(m.specs);
      for (const FieldDeclarator &f : m.fields) {
        walk(f.declarator);
        if (f.width) walk(f.width);
      }
      if (m.sassert) walk(m.sassert);
    }
  if (s->enumeration)
    for (const EnumSpec::Item &i : s->enumeration->items)
      if (i.value) walk(i.value);
}

// The parameters of a declared function, as of a type, are names in its parentheses only.
void AstWalker::walk(const Declarator *d) {
  enterScope();
  parts(d);
  leaveScope();
}

void AstWalker::parts(const Declarator *d) {
  if (!d) return;
  for (const DeclChunk &c : d->chunks) {
    if (c.size) walk(c.size);
    for (const ParamDecl *p : c.params) {
      walk(p->specs);
      walk(p->declarator);
      if (p->var) onDecl(p->var, p->specs);
    }
  }
}

void AstWalker::walk(const Declaration *d) {
  onDeclaration(d);
  walk(d->specs);
  for (const InitDeclarator &i : d->declarators) {
    walk(i.declarator);
    if (i.decl) onDecl(i.decl, d->specs);
    if (i.init) below(i.init);
  }
}

void AstWalker::walk(const FunctionDef *f) {
  enterScope();
  parts(f->declarator);
  for (const Declaration *d : f->krDecls) walk(d);
  if (f->body) walk(f->body);
  leaveScope();
}

void AstWalker::walk(const Stmt *s) {
  while (s && s->kind == StmtKind::If) {               // else-if chains are long
    const auto *f = s->as<IfStmt>();
    onStmt(f);
    walk(f->cond);
    walk(f->then);
    s = f->otherwise;
  }
  if (!s) return;
  onStmt(s);
  if (s->kind == StmtKind::Function) return onFunction(s->as<FunctionStmt>()->def);
  bool scope = s->kind == StmtKind::Compound || s->kind == StmtKind::For;
  if (scope) enterScope();
  below(s);
  if (scope) leaveScope();
}

void AstWalker::walk(const Expr *e) {
  onExpr(e);
  below(e);
}

void AstWalker::walk(const StaticAssert *s) { below(s); }
void AstWalker::walk(const InitList *l) { below(l); }

template <class N> void AstWalker::below(const N *node) {
  eachChild(node, Walk::Written, [this](const auto *child) { walk(child); });
}

}  // namespace cilkc
