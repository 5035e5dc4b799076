// check.cpp - verifies the invariants at the top of ast.h over a typed tree without errors. The first violation ends
// the walk; where it is is in compilingNow. What sema leaves alone on purpose is not looked at: associations of
// _Generic and arms of __builtin_choose_expr that were not chosen.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"

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
  // Types that replace something unusual are not checked.
  static bool odd(const Type *t) { return !t || t->isError() || t->isVector() || t->isComplex(); }

  // ---- declarations ----
  void functionDef(const FunctionDef *f) {
    if (!f->fn) return bad(f->range, "a function definition without its FunctionDecl");
    if (!f->fn->type || !f->fn->type->isFunction()) return bad(f->range, "a function without a function type");
    if (!f->fn->def)
      // another one may be known: GNU's extern inline can be replaced
      return bad(f->range, "a function definition that its FunctionDecl does not know");
    if (f->fn->params.size() < f->fn->type->as<FunctionType>()->params.size() &&
        f->fn->type->as<FunctionType>()->prototype)
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
      if (s.value->kind != ExprKind::StringLit)
        require(!s.value->lvalue, s.value, "the value of an initialiser is an lvalue");
      if (!violation.empty()) return;
    }
  }

  // ---- statements ----
  void stmt(const Stmt *s) {
    if (s && violation.empty()) dispatch(*this, s);
  }

public:
  // For most kinds of nodes: the checks of their parts.
  template <class N> void on(const N &n) {
    eachChild(&n, Walk::Evaluated, [this](const auto *child) { part(child); });
  }
  void on(const ErrorStmt &s) { bad(s.range, "an error statement in a tree without errors"); }
  void on(const IfStmt &s) {
    const IfStmt *f = &s;
    for (;; f = f->otherwise->as<IfStmt>()) {
      condition(f->cond);
      stmt(f->then);
      if (!f->otherwise || f->otherwise->kind != StmtKind::If) break;
    }
    stmt(f->otherwise);
  }
  void on(const WhileStmt &s) {
    condition(s.cond);
    stmt(s.body);
  }
  void on(const DoStmt &s) {
    stmt(s.body);
    condition(s.cond);
  }
  void on(const ForStmt &s) {
    stmt(s.init);
    if (s.cond) condition(s.cond);
    if (s.step) expr(s.step);
    stmt(s.body);
  }
  void on(const SwitchStmt &s) {
    value(s.cond);
    if (violation.empty()) require(s.cond->type->isInteger(), s.cond, "a switch on something that is no integer");
    stmt(s.body);
  }
  void on(const GotoStmt &s) {
    if (!s.label) bad(s.range, "a goto without its label");
  }
  void on(const GotoExprStmt &s) { value(s.target); }
  void on(const ReturnStmt &s) {
    const Expr *v = s.value;
    if (!v) return;
    value(v);
    if (!fn || !violation.empty() || odd(v->type.type)) return;
    QualType r = fn->type->as<FunctionType>()->result;
    if (!odd(r.type))
      require(same(v->type, r) || (v->type->isVoid() && r->isVoid()), v, "a return value has not the function's type");
  }
  void on(const SpawnStmt &s) { spawn(&s); }
  void on(const TouchStmt &s) {
    if (!fn || !fn->isCilk) return bad(s.range, "a touch outside of a procedure");
    if ((s.future == nullptr) != (s.renewed != nullptr)) return bad(s.range, "a touch of nothing, or of two things");
    if (!s.future) return;
    expr(s.future);
    if (violation.empty())
      require(s.future->lvalue && s.future->type->isFuture(), s.future, "a touch of something that is no future");
  }
  void on(const ThreadStmt &s) { thread(&s); }
  void on(const SendStmt &s) {
    value(s.continuation);
    value(s.value);
    if (!violation.empty()) return;
    if (!s.continuation->type->isCont()) bad(s.range, "a send through something that is no continuation");
    else
      require(same(s.value->type, s.continuation->type->as<RecordType>()->continues), s.value,
          "a value that the continuation does not take");
  }

private:
  void part(const Expr *e) { expr(e); }
  void part(const Stmt *s) { stmt(s); }
  void part(const Declaration *d) { declaration(d); }
  void part(const FunctionDef *d) { functionDef(d); }
  template <class N> void part(const N *) {}

  void thread(const ThreadStmt *s) {
    if (!s->thread || !s->thread->isThread) return bad(s->range, "a thread statement without its thread");
    const auto &params = s->thread->type->as<FunctionType>()->params;
    size_t first = s->form == ThreadForm::Root;
    if (s->arguments.size() + first != params.size())
      return bad(s->range, "a thread's arguments that are not as many as its parameters");
    for (size_t i = 0; i < s->arguments.size(); i++) {
      if (s->arguments[i]->kind == ExprKind::Hole) expr(s->arguments[i]);
      else value(s->arguments[i]);
      if (!violation.empty()) return;
      require(same(s->arguments[i]->type, params[i + first]), s->arguments[i],
          "an argument that has not its parameter's type");
    }
    if (s->placement) value(s->placement);
    if ((s->form == ThreadForm::Root) != (s->receiver != nullptr))
      bad(s->range, "a receiver where none belongs, or none where one does");
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
    if ((s->value != nullptr) != (s->form != SpawnForm::Plain && !s->isVoid()))
      return bad(s->range, "a spawn's value is missing, or too much");
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
    if (violation.empty())
      require(e->type->isScalar() || e->type->isVector() || e->type->isError(), e, "a condition that is no scalar");
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
      case BinaryOp::LogOr:
        return require(l->isScalar() && r->isScalar(), b, "&& or || on something that is no scalar");
      case BinaryOp::Shl:
      case BinaryOp::Shr:
        return require(l->isInteger() && r->isInteger() && same(b->type, l), b, "a shift of unpromoted operands");
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
    if (!e->type)
      return bad(e->range, "an expression without a type (kind " + std::to_string(static_cast<int>(e->kind)) + ")");
    if (!e->lvalue && e->type.quals && !e->type->isArray()) require(false, e, "a value of qualified type");
    dispatch(*this, e);
  }

public:
  void on(const Ident &n) {
    if (!n.decl) bad(n.range, "a name without its declaration: " + std::string(n.name));
  }
  void on(const ParenExpr &n) {
    expr(n.sub);
    if (violation.empty())
      require(same(n.type, n.sub->type) && n.lvalue == n.sub->lvalue, &n, "parentheses that change their contents");
  }
  void on(const Unary &n) {
    switch (n.op) {
      case UnaryOp::AddrOf:
      case UnaryOp::Real:
      case UnaryOp::Imag: expr(n.sub); break;
      case UnaryOp::PreInc:
      case UnaryOp::PreDec:
      case UnaryOp::PostInc:
      case UnaryOp::PostDec:
        expr(n.sub);
        if (violation.empty()) require(n.sub->lvalue, n.sub, "++ or -- on something that is no lvalue");
        break;
      case UnaryOp::Deref:
        value(n.sub);
        if (violation.empty()) require(n.sub->type->isPointer(), n.sub, "* on something that is no pointer");
        break;
      default: value(n.sub); break;
    }
  }
  void on(const Binary &n) { binary(&n); }
  void on(const Assign &n) {
    expr(n.lhs);
    value(n.rhs);
    if (!violation.empty()) return;
    require(n.lhs->lvalue, n.lhs, "an assignment to something that is no lvalue");
    if (n.compound) require(bool(n.computeType), &n, "a compound assignment without computeType");
    else if (!odd(n.lhs->type.type) && !odd(n.rhs->type.type))
      require(same(n.lhs->type, n.rhs->type), &n, "an assignment whose sides differ in type");
  }
  void on(const Conditional &n) {
    condition(n.cond);
    if (n.then) value(n.then);
    value(n.otherwise);
    if (violation.empty() && n.then && !odd(n.type.type) && !n.type->isVoid())
      require(same(n.then->type, n.type) && same(n.otherwise->type, n.type), &n, "arms of ?: that differ in type");
  }
  void on(const Cast &n) {
    require(n.castKind != CastKind::Dependent, &n, "an undecided cast");
    if (n.sub) expr(n.sub);
  }
  void on(const ImplicitCast &n) {
    expr(n.sub);
    if (!violation.empty()) return;
    if (n.castKind == CastKind::LvalueToRvalue) {
      require(n.sub->lvalue, &n, "a load of something that is no lvalue");
      require(same(n.type, n.sub->type), &n, "a load that changes the type");
    } else if (n.castKind == CastKind::ArrayToPointer) {
      require(n.sub->type->isArray() && n.type->isPointer(), &n, "ArrayToPointer on something else");
    } else if (n.castKind == CastKind::FunctionToPointer) {
      require(n.sub->type->isFunction() && n.type->isPointer(), &n, "FunctionToPointer on something else");
    } else {
      require(!n.sub->lvalue, &n, "a conversion of an lvalue");
    }
    require(!n.lvalue, &n, "an implicit cast that is an lvalue");
  }
  void on(const CompoundLit &n) {
    require(n.object != nullptr, &n, "a compound literal without its object");
    if (n.init && n.init->plan) plan(*n.init->plan, n.range);
  }
  void on(const Call &n) { call(&n); }
  void on(const Member &n) {
    expr(n.base);
    if (!violation.empty()) return;
    require(!n.path.empty(), &n, "a member access without its path");
    if (n.arrow)
      require(n.base->type->isPointer() && !n.base->lvalue, n.base, "-> on something that is no pointer value");
    else require(n.base->type->isRecord(), n.base, ". on something that is no record");
  }
  void on(const Index &n) {
    expr(n.base);
    value(n.index);
    if (violation.empty())
      require(n.base->type->isPointer() || n.base->type->isVector(), n.base, "[] on something that is no pointer");
  }
  void on(const SizeofExpr &n) { expr(n.sub); }
  void on(const Generic &n) {
    if (n.chosen) expr(n.chosen);
    else bad(n.range, "a _Generic without its choice");
  }
  void on(const ChooseExpr &n) {
    if (n.chosen) expr(n.chosen);
    else bad(n.range, "a __builtin_choose_expr without its choice");
  }
  void on(const StmtExpr &n) { stmt(n.body); }
  void on(const LabelAddr &n) {
    if (!n.label) bad(n.range, "&& of no label");
  }
  void on(const VaArg &n) { expr(n.list); }
  void on(const Spawn &n) { bad(n.range, "an expression is a spawn"); }
  void on(const TouchExpr &n) { bad(n.range, "a touch that was not lifted out of its statement"); }
  void on(const Hole &n) {
    const Expr *k = n.sub;
    expr(k);
    if (violation.empty())
      require(k->lvalue && k->type->isCont() && same(n.type, k->type->as<RecordType>()->continues), &n,
          "a missing argument whose continuation has another type");
  }
  void on(const ChildResult &n) {
    if (&n != childResult) bad(n.range, "a child's result outside its delivery");
  }
  void on(const Offsetof &n) {
    for (const auto &t : n.terms) value(t.second);
  }

private:
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
      if (!odd(want) && !odd(got) && !want->isRecord())
        require(want == got, c->args[i], "an argument that has not its parameter's type");
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
