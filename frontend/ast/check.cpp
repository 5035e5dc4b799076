// check.cpp - verifies the invariants at the top of ast.h over a typed tree without errors. The first violation ends the walk; where it is
// stands in compilingNow. What sema leaves alone on purpose is not looked at: associations of _Generic and arms of
// __builtin_choose_expr that were not chosen.
#include <algorithm>
#include "frontend/ast/query.h"

namespace cilkc {

namespace {

class Checker {
public:
  std::string violation;

  void unit(const TranslationUnit &tu) {
    for (const ExternalDecl &d : tu.decls) {
      compilingNow = d.range.begin;
      if (d.function) functionDef(d.function);
      if (d.decl) declaration(d.decl);
      if (!violation.empty()) return;
    }
  }

private:
  void bad(Range where, const std::string &what) {
    if (!violation.empty()) return;
    violation = "AST invariant: " + what;
    compilingNow = where.begin;
  }
  void require(bool ok, const Expr *e, const char *what) {
    if (!ok) bad(e->range, std::string(what) + (e->type ? " (type " + toString(e->type) + ")" : ""));
  }
  static bool same(QualType a, QualType b) { return a.type == b.type; }
  // Types that stand in after something unusual are not argued with.
  static bool odd(const Type *t) { return !t || t->isError() || t->isVector() || t->isComplex(); }

  // ---- declarations ----
  void functionDef(const FunctionDef *f) {
    if (!f->fn) return bad(f->range, "a function definition without its FunctionDecl");
    if (!f->fn->type || !f->fn->type->isFunction()) return bad(f->range, "a function without a function type");
    if (!f->fn->def)
      return bad(f->range, "a function definition that its FunctionDecl does not know");   // not always this one: GNU's extern inline can be replaced
    if (f->fn->params.size() < f->fn->type->as<FunctionType>()->params.size() && f->fn->type->as<FunctionType>()->prototype)
      return bad(f->range, "fewer parameter objects than parameter types");
    const FunctionDecl *outer = fn;
    fn = f->fn;
    if (f->body) stmt(f->body);
    fn = outer;
  }
  const FunctionDecl *fn = nullptr;

  void declaration(const Declaration *d) {
    for (const InitDeclarator &i : d->declarators) {
      if (!i.decl) {
        bad(d->range, "a declarator without a Decl");
        return;
      }
      if (!i.decl->type) {
        bad(d->range, "a declaration without a type");
        return;
      }
      if (i.init) initializer(i.init, i.decl->type, d->range);
    }
  }

  void initializer(const Initializer *i, QualType t, Range where) {
    if (i->expr) {
      expr(i->expr);
      bool string = i->expr->kind == ExprKind::StringLit && t->isArray();
      if (!string && t->kind != TypeKind::Auto && !t->isArray()) {
        require(!i->expr->lvalue, i->expr, "an initialiser is an lvalue");
        if (!odd(t.type) && i->expr->type && !odd(i->expr->type.type))
          require(same(i->expr->type, t), i->expr, "an initialiser has not the type of its object");
      }
    } else if (i->list) {
      if (!i->list->plan) bad(where, "an initialiser list without a plan");
      else plan(*i->list->plan, where);
    }
  }

  void plan(const InitPlan &p, Range where) {
    for (const InitStore &s : p.stores) {
      if (!s.value || !s.type) return bad(where, "a store of an initialiser without value or type");
      expr(s.value);
      if (s.value->kind != ExprKind::StringLit) require(!s.value->lvalue, s.value, "the value of an initialiser is an lvalue");
      if (!violation.empty()) return;
    }
  }

  // ---- statements ----
  void stmt(const Stmt *s) {
    if (!s || !violation.empty()) return;
    switch (s->kind) {
      case StmtKind::Error: bad(s->range, "an error statement in a tree without errors"); break;
      case StmtKind::Expr:
        if (s->as<ExprStmt>()->expr) expr(s->as<ExprStmt>()->expr);
        break;
      case StmtKind::Compound:
        for (const Stmt *t : s->as<CompoundStmt>()->body) stmt(t);
        break;
      case StmtKind::Decl:
        if (s->as<DeclStmt>()->decl) declaration(s->as<DeclStmt>()->decl);
        break;
      case StmtKind::If:
        for (;;) {
          const auto *f = s->as<IfStmt>();
          condition(f->cond);
          stmt(f->then);
          if (f->otherwise && f->otherwise->kind == StmtKind::If) {
            s = f->otherwise;
            continue;
          }
          stmt(f->otherwise);
          break;
        }
        break;
      case StmtKind::While:
        condition(s->as<WhileStmt>()->cond);
        stmt(s->as<WhileStmt>()->body);
        break;
      case StmtKind::Do:
        stmt(s->as<DoStmt>()->body);
        condition(s->as<DoStmt>()->cond);
        break;
      case StmtKind::For: {
        const auto *f = s->as<ForStmt>();
        stmt(f->init);
        if (f->cond) condition(f->cond);
        if (f->step) expr(f->step);
        stmt(f->body);
        break;
      }
      case StmtKind::Switch:
        value(s->as<SwitchStmt>()->cond);
        if (violation.empty()) require(s->as<SwitchStmt>()->cond->type->isInteger(), s->as<SwitchStmt>()->cond, "a switch on something that is no integer");
        stmt(s->as<SwitchStmt>()->body);
        break;
      case StmtKind::Case: stmt(s->as<CaseStmt>()->sub); break;
      case StmtKind::Default: stmt(s->as<DefaultStmt>()->sub); break;
      case StmtKind::Label: stmt(s->as<LabelStmt>()->sub); break;
      case StmtKind::Goto:
        if (!s->as<GotoStmt>()->label) bad(s->range, "a goto without its label");
        break;
      case StmtKind::GotoExpr: value(s->as<GotoExprStmt>()->target); break;
      case StmtKind::Return: {
        const Expr *v = s->as<ReturnStmt>()->value;
        if (!v) break;
        value(v);
        if (fn && violation.empty() && !odd(v->type.type)) {
          QualType r = fn->type->as<FunctionType>()->result;
          if (!odd(r.type)) require(same(v->type, r) || (v->type->isVoid() && r->isVoid()), v, "a return value has not the function's type");
        }
        break;
      }
      case StmtKind::Asm:
        for (const AsmOperand &o : s->as<AsmStmt>()->outputs)
          if (o.expr) expr(o.expr);
        for (const AsmOperand &o : s->as<AsmStmt>()->inputs)
          if (o.expr) expr(o.expr);
        break;
      case StmtKind::Function: functionDef(s->as<FunctionStmt>()->def); break;
      case StmtKind::Spawn: spawn(s->as<SpawnStmt>()); break;
      case StmtKind::Thread: thread(s->as<ThreadStmt>()); break;
      case StmtKind::Send: {
        const auto *send = s->as<SendStmt>();
        value(send->continuation);
        value(send->value);
        if (!violation.empty()) break;
        if (!send->continuation->type->isCont()) bad(s->range, "a send through something that is no continuation");
        else
          require(same(send->value->type, send->continuation->type->as<RecordType>()->continues), send->value, "a value that the continuation does not take");
        break;
      }
      case StmtKind::Null:
      case StmtKind::Continue:
      case StmtKind::Break:
      case StmtKind::LocalLabel:
      case StmtKind::Sync:
      case StmtKind::Abort:
      case StmtKind::Pragma: break;
    }
  }

  void thread(const ThreadStmt *s) {
    if (!s->thread || !s->thread->isThread) return bad(s->range, "a thread statement without its thread");
    const auto &params = s->thread->type->as<FunctionType>()->params;
    size_t first = s->form == ThreadForm::Root;
    if (s->arguments.size() + first != params.size()) return bad(s->range, "a thread's arguments that are not as many as its parameters");
    for (size_t i = 0; i < s->arguments.size(); i++) {
      if (s->arguments[i]->kind == ExprKind::Hole) expr(s->arguments[i]);
      else value(s->arguments[i]);
      if (!violation.empty()) return;
      require(same(s->arguments[i]->type, params[i + first]), s->arguments[i], "an argument that has not its parameter's type");
    }
    if (s->placement) value(s->placement);
    if ((s->form == ThreadForm::Root) != (s->receiver != nullptr)) bad(s->range, "a receiver where none belongs, or none where one does");
  }

  void spawn(const SpawnStmt *s) {
    if (!fn || !fn->isCilk || std::find(fn->spawns.begin(), fn->spawns.end(), s) == fn->spawns.end())
      return bad(s->range, "a spawn that its procedure does not know");
    if (!s->call || !s->call->fnType || !s->result) return bad(s->range, "a spawn without a call");
    expr(s->call);
    childResult = s->result;
    bool assigns = s->form == SpawnForm::Receiver || s->form == SpawnForm::Op;
    if (assigns != (s->delivery != nullptr) || (s->form == SpawnForm::Inlet) != (s->inlet != nullptr))
      return bad(s->range, "a spawn whose form does not fit its delivery");
    if ((s->value != nullptr) != (s->form != SpawnForm::Plain && !s->isVoid())) return bad(s->range, "a spawn's value is missing, or too much");
    if (s->delivery) {
      if (s->delivery->rhs != s->value || s->delivery->compound != (s->form == SpawnForm::Op))
        return bad(s->range, "a delivery that does not assign the child's result");
      expr(s->delivery);
    } else if (s->value) {
      value(s->value);
    }
    childResult = nullptr;
    for (const Expr *a : s->arguments) value(a);
  }
  const Expr *childResult = nullptr;               // of the delivery that is looked at

  // ---- expressions ----
  void value(const Expr *e) {
    if (!e) return bad(Range{}, "a missing operand");
    expr(e);
    if (violation.empty()) require(!e->lvalue, e, "an lvalue where a value is needed");
  }
  void condition(const Expr *e) {
    value(e);
    if (violation.empty()) require(e->type->isScalar() || e->type->isVector() || e->type->isError(), e, "a condition that is no scalar");
  }

  void binary(const Binary *b) {
    if (b->op == BinaryOp::Comma && b->lhs) expr(b->lhs);       // an array there is not read
    else value(b->lhs);
    value(b->rhs);
    if (!violation.empty()) return;
    const Type *l = b->lhs->type.type, *r = b->rhs->type.type;
    if (odd(l) || odd(r)) return;
    switch (b->op) {
      case BinaryOp::Comma: return;
      case BinaryOp::LogAnd:
      case BinaryOp::LogOr: return require(l->isScalar() && r->isScalar(), b, "&& or || on something that is no scalar");
      case BinaryOp::Shl:
      case BinaryOp::Shr: return require(l->isInteger() && r->isInteger() && same(b->type, l), b, "a shift of unpromoted operands");
      case BinaryOp::Add:
      case BinaryOp::Sub:
        if (l->isPointer() || r->isPointer()) return;
        break;
      default: break;
    }
    require(l == r, b, "a binary operator whose operands differ in type");
    bool compares = isComparison(b->op);
    if (compares) require(b->type->kind == TypeKind::Int, b, "a comparison that is not of type int");
    else require(same(b->type, b->lhs->type), b, "a binary operator that has not its operands' type");
  }

  void expr(const Expr *e) {
    if (!violation.empty()) return;
    if (!e) return bad(Range{}, "a missing expression");
    if (e->kind == ExprKind::Error) return bad(e->range, "an error expression in a tree without errors");
    if (!e->type) return bad(e->range, "an expression without a type (kind " + std::to_string(static_cast<int>(e->kind)) + ")");
    if (!e->lvalue && e->type.quals && !e->type->isArray()) require(false, e, "a value of qualified type");
    switch (e->kind) {
      case ExprKind::Ident:
        if (!e->as<Ident>()->decl) bad(e->range, "a name without its declaration: " + std::string(e->as<Ident>()->name));
        break;
      case ExprKind::Paren:
        expr(e->as<ParenExpr>()->sub);
        if (violation.empty())
          require(same(e->type, e->as<ParenExpr>()->sub->type) && e->lvalue == e->as<ParenExpr>()->sub->lvalue, e, "parentheses that change their contents");
        break;
      case ExprKind::Unary: {
        const auto *u = e->as<Unary>();
        switch (u->op) {
          case UnaryOp::AddrOf:
          case UnaryOp::Real:
          case UnaryOp::Imag: expr(u->sub); break;
          case UnaryOp::PreInc:
          case UnaryOp::PreDec:
          case UnaryOp::PostInc:
          case UnaryOp::PostDec:
            expr(u->sub);
            if (violation.empty()) require(u->sub->lvalue, u->sub, "++ or -- on something that is no lvalue");
            break;
          case UnaryOp::Deref:
            value(u->sub);
            if (violation.empty()) require(u->sub->type->isPointer(), u->sub, "* on something that is no pointer");
            break;
          default: value(u->sub); break;
        }
        break;
      }
      case ExprKind::Binary: binary(e->as<Binary>()); break;
      case ExprKind::Assign: {
        const auto *a = e->as<Assign>();
        expr(a->lhs);
        value(a->rhs);
        if (!violation.empty()) break;
        require(a->lhs->lvalue, a->lhs, "an assignment to something that is no lvalue");
        if (a->compound) require(bool(a->computeType), e, "a compound assignment without computeType");
        else if (!odd(a->lhs->type.type) && !odd(a->rhs->type.type)) require(same(a->lhs->type, a->rhs->type), e, "an assignment whose sides differ in type");
        break;
      }
      case ExprKind::Conditional: {
        const auto *c = e->as<Conditional>();
        condition(c->cond);
        if (c->then) value(c->then);
        value(c->otherwise);
        if (violation.empty() && c->then && !odd(e->type.type) && !e->type->isVoid())
          require(same(c->then->type, e->type) && same(c->otherwise->type, e->type), e, "arms of ?: that differ in type");
        break;
      }
      case ExprKind::Cast: {
        const auto *c = e->as<Cast>();
        require(c->castKind != CastKind::Dependent, e, "an undecided cast");
        if (c->sub) expr(c->sub);
        break;
      }
      case ExprKind::ImplicitCast: {
        const auto *c = e->as<ImplicitCast>();
        expr(c->sub);
        if (!violation.empty()) break;
        if (c->castKind == CastKind::LvalueToRvalue) {
          require(c->sub->lvalue, e, "a load of something that is no lvalue");
          require(same(e->type, c->sub->type), e, "a load that changes the type");
        } else if (c->castKind == CastKind::ArrayToPointer) {
          require(c->sub->type->isArray() && e->type->isPointer(), e, "ArrayToPointer on something else");
        } else if (c->castKind == CastKind::FunctionToPointer) {
          require(c->sub->type->isFunction() && e->type->isPointer(), e, "FunctionToPointer on something else");
        } else {
          require(!c->sub->lvalue, e, "a conversion of an lvalue");
        }
        require(!e->lvalue, e, "an implicit cast that is an lvalue");
        break;
      }
      case ExprKind::CompoundLit: {
        const auto *c = e->as<CompoundLit>();
        require(c->object != nullptr, e, "a compound literal without its object");
        if (c->init && c->init->plan) plan(*c->init->plan, e->range);
        break;
      }
      case ExprKind::Call: call(e->as<Call>()); break;
      case ExprKind::Member: {
        const auto *m = e->as<Member>();
        expr(m->base);
        if (!violation.empty()) break;
        require(!m->path.empty(), e, "a member access without its path");
        if (m->arrow) require(m->base->type->isPointer() && !m->base->lvalue, m->base, "-> on something that is no pointer value");
        else require(m->base->type->isRecord(), m->base, ". on something that is no record");
        break;
      }
      case ExprKind::Index: {
        const auto *x = e->as<Index>();
        expr(x->base);
        value(x->index);
        if (violation.empty()) require(x->base->type->isPointer() || x->base->type->isVector(), x->base, "[] on something that is no pointer");
        break;
      }
      case ExprKind::SizeofExpr:
      case ExprKind::AlignofExpr: expr(e->as<SizeofExpr>()->sub); break;
      case ExprKind::Generic:
        if (e->as<Generic>()->chosen) expr(e->as<Generic>()->chosen);
        else bad(e->range, "a _Generic without its choice");
        break;
      case ExprKind::ChooseExpr:
        if (e->as<ChooseExpr>()->chosen) expr(e->as<ChooseExpr>()->chosen);
        else bad(e->range, "a __builtin_choose_expr without its choice");
        break;
      case ExprKind::StmtExpr: stmt(e->as<StmtExpr>()->body); break;
      case ExprKind::LabelAddr:
        if (!e->as<LabelAddr>()->label) bad(e->range, "&& of no label");
        break;
      case ExprKind::VaArg: expr(e->as<VaArg>()->list); break;
      case ExprKind::Spawn: bad(e->range, "an expression is a spawn"); break;
      case ExprKind::Hole: {
        const Expr *k = e->as<Hole>()->sub;
        expr(k);
        if (violation.empty())
          require(k->lvalue && k->type->isCont() && same(e->type, k->type->as<RecordType>()->continues), e,
              "a missing argument whose continuation has another type");
        break;
      }
      case ExprKind::ChildResult:
        if (e != childResult) bad(e->range, "a child's result outside its delivery");
        break;
      case ExprKind::Offsetof:
        for (const auto &t : e->as<Offsetof>()->terms) value(t.second);
        break;
      case ExprKind::Error:
      case ExprKind::IntLit:
      case ExprKind::FloatLit:
      case ExprKind::CharLit:
      case ExprKind::StringLit:
      case ExprKind::Data:
      case ExprKind::SizeofType:
      case ExprKind::AlignofType:
      case ExprKind::TypesCompatible:
      case ExprKind::Synched: break;
    }
  }

  void call(const Call *c) {
    if (c->builtin) {                       // builtins have rules of their own
      for (const Expr *a : c->args)
        if (a) expr(a);
      return;
    }
    expr(c->callee);
    for (const Expr *a : c->args) value(a);
    if (!violation.empty()) return;
    require(c->fnType != nullptr, c, "a call without its function type");
    require(!c->callee->lvalue && c->callee->type->isPointer(), c->callee, "a callee that is no pointer value");
    if (!c->fnType || !c->fnType->prototype) return;
    require(c->args.size() >= c->fnType->params.size(), c, "a call with too few arguments");
    for (size_t i = 0; i < c->fnType->params.size() && violation.empty(); ++i) {
      const Type *want = c->fnType->params[i].type, *got = c->args[i]->type.type;
      if (!odd(want) && !odd(got) && !want->isRecord()) require(want == got, c->args[i], "an argument that has not its parameter's type");
    }
  }
};

}  // namespace

std::string checkAst(const TranslationUnit &tu, const AstContext &) {
  Checker c;
  Loc before = compilingNow;
  c.unit(tu);
  if (c.violation.empty()) compilingNow = before;
  return c.violation;
}

}  // namespace cilkc
