// walk.cpp - see walk.h. Initialisers are walked as written (the flattened plan holds the same expressions).
#include "frontend/elide/walk.h"

namespace cilkc {

void AstWalker::walk(const TypeName *t) {
  if (!t) return;
  walk(t->specs);
  walk(t->declarator);
}

void AstWalker::walk(const DeclSpecs *s) {
  if (!s) return;
  onSpecs(s);
  if (s->typeofExpr) walk(s->typeofExpr);
  walk(s->typeofType);
  walk(s->atomicType);
  for (const auto &a : s->alignAs) {
    walk(a.first);
    if (a.second) walk(a.second);
  }
  if (s->record)
    for (const StructMember &m : s->record->members) {
      walk(m.specs);
      for (const FieldDeclarator &f : m.fields) {
        walk(f.declarator);
        if (f.width) walk(f.width);
      }
    }
  if (s->enumeration)
    for (const EnumSpec::Item &i : s->enumeration->items)
      if (i.value) walk(i.value);
}

void AstWalker::walk(const Declarator *d) {
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
  if (!d) return;
  onDeclaration(d);
  walk(d->specs);
  for (const InitDeclarator &i : d->declarators) {
    walk(i.declarator);
    if (i.decl) onDecl(i.decl, d->specs);
    if (i.init) walk(i.init);
  }
}

void AstWalker::walk(const Initializer *i) {
  if (i->expr) walk(i->expr);
  if (i->list) walk(i->list);
}

void AstWalker::walk(const InitList *l) {
  for (const InitItem &i : l->items) {
    for (const Designator &d : i.designators) {
      if (d.lo) walk(d.lo);
      if (d.hi) walk(d.hi);
    }
    if (i.init) walk(i.init);
  }
}

void AstWalker::walk(const FunctionDef *f) {
  enterScope();
  walk(f->declarator);
  for (const Declaration *d : f->krDecls) walk(d);
  walk(f->body);
  leaveScope();
}

void AstWalker::walk(const Stmt *s) {
  if (!s) return;
  switch (s->kind) {
    case StmtKind::Expr: if (s->as<ExprStmt>()->expr) walk(s->as<ExprStmt>()->expr); break;
    case StmtKind::Compound:
      enterScope();
      for (const Stmt *t : s->as<CompoundStmt>()->body) walk(t);
      leaveScope();
      break;
    case StmtKind::Decl: walk(s->as<DeclStmt>()->decl); break;
    case StmtKind::If:
      for (;;) {                                       // else-if chains are long
        const auto *f = s->as<IfStmt>();
        walk(f->cond);
        walk(f->then);
        if (f->otherwise && f->otherwise->kind == StmtKind::If) { s = f->otherwise; continue; }
        walk(f->otherwise);
        break;
      }
      break;
    case StmtKind::While: walk(s->as<WhileStmt>()->cond); walk(s->as<WhileStmt>()->body); break;
    case StmtKind::Do: walk(s->as<DoStmt>()->body); walk(s->as<DoStmt>()->cond); break;
    case StmtKind::For: {
      const auto *f = s->as<ForStmt>();
      enterScope();
      walk(f->init);
      if (f->cond) walk(f->cond);
      if (f->step) walk(f->step);
      walk(f->body);
      leaveScope();
      break;
    }
    case StmtKind::Switch: walk(s->as<SwitchStmt>()->cond); walk(s->as<SwitchStmt>()->body); break;
    case StmtKind::Case: {
      const auto *c = s->as<CaseStmt>();
      if (c->low) walk(c->low);
      if (c->high) walk(c->high);
      walk(c->sub);
      break;
    }
    case StmtKind::Default: walk(s->as<DefaultStmt>()->sub); break;
    case StmtKind::Label: walk(s->as<LabelStmt>()->sub); break;
    case StmtKind::GotoExpr: walk(s->as<GotoExprStmt>()->target); break;
    case StmtKind::Return: if (s->as<ReturnStmt>()->value) walk(s->as<ReturnStmt>()->value); break;
    case StmtKind::Asm:
      for (const AsmOperand &o : s->as<AsmStmt>()->outputs) if (o.expr) walk(o.expr);
      for (const AsmOperand &o : s->as<AsmStmt>()->inputs) if (o.expr) walk(o.expr);
      break;
    case StmtKind::Function: onFunction(s->as<FunctionStmt>()->def); break;
    default: break;
  }
}

void AstWalker::walk(const Expr *e) {
  if (!e) return;
  onExpr(e);
  switch (e->kind) {
    case ExprKind::Paren: walk(e->as<ParenExpr>()->sub); break;
    case ExprKind::Unary: walk(e->as<Unary>()->sub); break;
    case ExprKind::Binary: walk(e->as<Binary>()->lhs); walk(e->as<Binary>()->rhs); break;
    case ExprKind::Assign: walk(e->as<Assign>()->lhs); walk(e->as<Assign>()->rhs); break;
    case ExprKind::Conditional: walk(e->as<Conditional>()->cond); walk(e->as<Conditional>()->then); walk(e->as<Conditional>()->otherwise); break;
    case ExprKind::Cast: walk(e->as<Cast>()->target); walk(e->as<Cast>()->sub); break;
    case ExprKind::ImplicitCast: walk(e->as<ImplicitCast>()->sub); break;
    case ExprKind::CompoundLit:
      walk(e->as<CompoundLit>()->target);
      if (e->as<CompoundLit>()->init) walk(e->as<CompoundLit>()->init);
      break;
    case ExprKind::Call:
      walk(e->as<Call>()->callee);
      for (const Expr *a : e->as<Call>()->args) walk(a);
      break;
    case ExprKind::Member: walk(e->as<Member>()->base); break;
    case ExprKind::Index: walk(e->as<Index>()->base); walk(e->as<Index>()->index); break;
    case ExprKind::SizeofExpr: case ExprKind::AlignofExpr: walk(e->as<SizeofExpr>()->sub); break;
    case ExprKind::SizeofType: case ExprKind::AlignofType: walk(e->as<SizeofType>()->target); break;
    case ExprKind::Generic: {
      const auto *g = e->as<Generic>();
      walk(g->control);
      walk(g->controlType);
      for (const GenericAssoc &a : g->assocs) {
        walk(a.type);
        walk(a.value);
      }
      break;
    }
    case ExprKind::StmtExpr: walk(e->as<StmtExpr>()->body); break;
    case ExprKind::VaArg: walk(e->as<VaArg>()->list); walk(e->as<VaArg>()->target); break;
    case ExprKind::Offsetof:
      walk(e->as<Offsetof>()->target);
      for (const OffsetofStep &s : e->as<Offsetof>()->steps) walk(s.index);
      break;
    case ExprKind::TypesCompatible: walk(e->as<TypesCompatible>()->a); walk(e->as<TypesCompatible>()->b); break;
    case ExprKind::ChooseExpr: walk(e->as<ChooseExpr>()->cond); walk(e->as<ChooseExpr>()->then); walk(e->as<ChooseExpr>()->otherwise); break;
    case ExprKind::Spawn:
      if (e->as<Spawn>()->call) walk(e->as<Spawn>()->call);
      else walk(e->as<Spawn>()->operand);
      break;
    default: break;
  }
}

}  // namespace cilkc
