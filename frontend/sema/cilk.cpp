// cilk.cpp - the rules of Cilk-5: where spawn, sync, abort, SYNCHED and inlets may stand, what a spawn may call and deliver to, and what
// `cilk`, `inlet`, `shared` and `private` may be written on.
//
// Each rule has a code of its own and says what to write instead. A spawn in a wrong place gives one diagnostic; the expression
// around it becomes an ErrorExpr and stays silent.
#include <algorithm>
#include "frontend/sema/assign.h"
#include "frontend/sema/builtins.h"
#include "frontend/sema/declstate.h"
#include "frontend/sema/sema.h"

namespace cilkc {

namespace {

// Source text for advice: the callee if it is a plain name, else f.
std::string calleeName(const Spawn *s) {
  if (s && s->call) {
    const Expr *c = s->call->callee;
    while (c->kind == ExprKind::Paren || c->kind == ExprKind::ImplicitCast) c = c->kind == ExprKind::Paren ? c->as<ParenExpr>()->sub : c->as<ImplicitCast>()->sub;
    if (c->kind == ExprKind::Ident) return std::string(c->as<Ident>()->name);
  }
  return "f";
}

std::string spawnText(const Spawn *s) { return "spawn " + calleeName(s) + (s && s->call && s->call->args.empty() ? "()" : "(..)"); }

std::string countOf(size_t arguments) { return std::to_string(arguments) + (arguments == 1 ? " argument" : " arguments"); }

bool mentions(const Expr *e, const Decl *d);

template <class F> void eachChild(const Expr *e, F f) {
  if (!e) return;
  switch (e->kind) {
    case ExprKind::Paren: f(e->as<ParenExpr>()->sub); break;
    case ExprKind::Unary: f(e->as<Unary>()->sub); break;
    case ExprKind::Binary: f(e->as<Binary>()->lhs), f(e->as<Binary>()->rhs); break;
    case ExprKind::Assign: f(e->as<Assign>()->lhs), f(e->as<Assign>()->rhs); break;
    case ExprKind::Conditional: f(e->as<Conditional>()->cond), f(e->as<Conditional>()->then), f(e->as<Conditional>()->otherwise); break;
    case ExprKind::Cast: f(e->as<Cast>()->sub); break;
    case ExprKind::ImplicitCast: f(e->as<ImplicitCast>()->sub); break;
    case ExprKind::Call: f(e->as<Call>()->callee); for (const Expr *a : e->as<Call>()->args) f(a); break;
    case ExprKind::Member: f(e->as<Member>()->base); break;
    case ExprKind::Index: f(e->as<Index>()->base), f(e->as<Index>()->index); break;
    case ExprKind::Generic: f(e->as<Generic>()->chosen); break;
    case ExprKind::ChooseExpr: f(e->as<ChooseExpr>()->chosen); break;
    default: break;
  }
}

bool mentions(const Expr *e, const Decl *d) {
  if (!e) return false;
  if (e->kind == ExprKind::Ident) return e->as<Ident>()->decl == d;
  bool found = false;
  eachChild(e, [&](const Expr *c) { if (!found && c) found = mentions(c, d); });
  return found;
}

// The variables that evaluating e changes by ++, -- or assignment.
void changed(const Expr *e, std::vector<const Decl *> &out) {
  if (!e) return;
  const Expr *target = nullptr;
  if (e->kind == ExprKind::Assign) target = e->as<Assign>()->lhs;
  if (e->kind == ExprKind::Unary) {
    UnaryOp op = e->as<Unary>()->op;
    if (op == UnaryOp::PreInc || op == UnaryOp::PreDec || op == UnaryOp::PostInc || op == UnaryOp::PostDec) target = e->as<Unary>()->sub;
  }
  while (target && target->kind == ExprKind::Paren) target = target->as<ParenExpr>()->sub;
  if (target && target->kind == ExprKind::Ident && target->as<Ident>()->decl) out.push_back(target->as<Ident>()->decl);
  eachChild(e, [&](const Expr *c) { changed(c, out); });
}

}  // namespace

bool Sema::isCilkProcedure() const { return fs && fs->fn && fs->fn->isCilk; }
bool Sema::inInlet() const { return fs && fs->fn && fs->fn->isInlet; }

// ---- facts about variables --------------------------------------------------------------------------------------------------------------

namespace {
// The hidden sizes of a type that come from a function around this one.
void noteSizes(const Type *t, const FunctionDecl *fn) {
  for (;;) switch (t->kind) {
    case TypeKind::Pointer: t = t->as<PointerType>()->pointee.type; continue;
    case TypeKind::Function: t = t->as<FunctionType>()->result.type; continue;
    case TypeKind::Array:
      if (VarDecl *size = t->as<ArrayType>()->sizeVar; size && size->fn != fn) size->crossesNested = true;
      t = t->as<ArrayType>()->elem.type;
      continue;
    case TypeKind::Record:
      if (t->as<RecordType>()->variable)
        for (const FieldDecl *f : t->as<RecordType>()->fields) noteSizes(f->type.type, fn);
      return;
    default: return;
  }
}
bool vectorElement(const Expr *e) {
  while (e->kind == ExprKind::Paren) e = e->as<ParenExpr>()->sub;
  return e->kind == ExprKind::Index && e->as<Index>()->base->type->isVector();
}

}  // namespace

void Sema::noteType(QualType t) {
  if (fs && fs->up && fs->fn && isVariablyModified(t.type)) noteSizes(t.type, fs->fn);
}

void Sema::noteUse(VarDecl *v, const Expr *) {
  if (!v->isLocal || !fs || !fs->fn || !v->fn) return;
  if (v->fn == fs->fn) {
    // In the size of a parameter: should a nested function be defined here, it is that function that reads the variable.
    for (const Scope *p = scope; p && p->kind == Scope::Prototype; p = p->up) v->crossesNested = true;
    return;
  }
  // An inlet's body is part of each clone and runs between the procedure's threads, so what it uses can be an ordinary local there.
  if (inInlet()) v->inletTouches = true;
  else v->crossesNested = true;
  if (v->type.type) noteType(v->type);
}

// ---- sync, abort, SYNCHED ------------------------------------------------------------------------------------------------------------------

void Sema::cilkStatement(Stmt *s) {
  if (s->kind == StmtKind::Sync) {
    if (fs->stmtExprs && isCilkProcedure()) {
      diags.report(diag::spawn_in_expression, s->range) << "a statement expression (and neither can sync)";
      return;
    }
    if (isCilkProcedure()) return;
    auto d = diags.report(diag::sync_outside_procedure, s->range);
    if (inInlet()) d.note(s->range, "an inlet runs to its end without waiting; write `sync;` in the procedure");
    else if (fs && fs->fn && fs->fn->range.valid()) d.note(fs->fn->range, "write `cilk` before '" + std::string(fs->fn->name) + "' to make it a cilk procedure");
    return;
  }
  if (isCilkProcedure() || inInlet()) return;
  auto d = diags.report(diag::abort_outside_procedure, s->range);
  d.note(s->range, "to end the program call `exit(1);` here, or `abort();` with parentheses");
}

Expr *Sema::synched(Synched *s) {
  if (!isCilkProcedure() && !inInlet()) {
    auto d = diags.report(diag::synched_outside_procedure, s->range);
    if (fs && fs->fn) d.note(fs->fn->range, "write `cilk` before '" + std::string(fs->fn->name) + "' to make it a cilk procedure; a C function has no children to wait for");
    return error(s->range);
  }
  s->type = cx.basic(TypeKind::Int);
  return s;
}

// ---- misplaced spawns -------------------------------------------------------------------------------------------------------------------------

Expr *Sema::misplacedSpawn(Spawn *s, const char *where) {
  Range r = s->range;
  if (!isCilkProcedure()) {
    spawnOutside(s);
    return error(r);
  }
  std::string_view place = where ? where : "an expression";
  // The type to declare the receiver with, where the callee is known.
  std::string receiver = "x", declaration;
  QualType result;
  if (s->call) {
    const Expr *c = s->call->callee;
    while (c->kind == ExprKind::Paren) c = c->as<ParenExpr>()->sub;
    if (c->kind == ExprKind::Ident)
      if (const Decl *d = lookup(c->as<Ident>()->name); d && d->kind == DeclKind::Function && d->type && d->type->isFunction()) result = d->type->as<FunctionType>()->result;
  }
  bool isVoid = result && result->isVoid();
  if (result && !isVoid && !result->isError()) declaration = "declare `" + declToString(result.unqual(), "x") + ";`, ";
  std::string text = spawnText(s), assign = isVoid ? "`" + text + ";`" : "`x = " + text + ";`";
  auto rewrite = [&](DiagId id, const std::string &note) {
    auto d = diags.report(id, r);
    d.note(r, note);
    return error(r);
  };
  if (place == "an initialiser") return rewrite(diag::spawn_in_initializer, "declare the variable first, then write " + assign + " as a statement");
  if (place == "a return statement") return rewrite(diag::spawn_in_return, declaration + "write " + assign + " then `sync;` then `return x;`");
  if (place == "a condition") return rewrite(diag::spawn_in_condition, declaration + "write " + assign + " then `sync;` and test x");
  if (place == "the header of a for statement") return rewrite(diag::spawn_in_for, "put " + assign + " into the loop's body, or before the loop");
  if (place.starts_with("an operand")) return rewrite(diag::spawn_in_operand, declaration + "write " + assign + " then `sync;` and use x in the expression");
  if (place == "an argument that is not the first") return rewrite(diag::spawn_in_argument, "an inlet gets the spawned result first: write `" + text + "` as its first argument");
  if (place.starts_with("an argument")) return rewrite(diag::spawn_in_argument, declaration + "write " + assign + " then `sync;` and pass x");
  if (place == "a statement expression") return rewrite(diag::spawn_in_statement_expression, "write " + assign + " as a statement of the procedure, before the expression");
  auto d = diags.report(diag::spawn_in_expression, r);
  d << place;
  if (place == "parentheses") d.note(r, "write " + assign + " without parentheses around the spawn");
  else if (place == "a cast") d.note(r, "write " + assign + " without the cast: the result is converted to the receiver's type");
  else d.note(r, declaration + "write " + assign + " as a statement of its own, then `sync;` before the value is used");
  return error(r);
}

void Sema::initializerSpawns(InitDeclarator &i) {
  if (!i.init || !i.init->expr) return;
  Spawn *s = spawnStatementForm(i.init->expr);
  if (!s) return;
  Range r = s->range;
  if (!isCilkProcedure()) spawnOutside(s);
  else {
    std::string name = i.declarator && !i.declarator->name.empty() ? std::string(i.declarator->name) : "x";
    auto d = diags.report(diag::spawn_in_initializer, r);
    if (i.init->expr->kind == ExprKind::Spawn) d.note(r, "declare `" + name + "` without initialiser, then write `" + name + " = " + spawnText(s) + ";` after the declarations");
    else d.note(r, "an inlet call is a statement of its own, after the declarations");
  }
  i.init->expr = error(i.init->expr->range);
}

// A spawn in a C function or in an inlet.
void Sema::spawnOutside(Spawn *s) {
  Range r = s->keyword.valid() ? s->keyword : s->range;
  if (inInlet()) {
    diags.report(diag::spawn_in_inlet, r).note(r, "let the inlet store what it found; the procedure spawns again after its `sync;` or between its spawns");
    return;
  }
  auto d = diags.report(diag::spawn_outside_procedure, r);
  if (fs && fs->fn && fs->fn->range.valid()) d.note(fs->fn->range, "write `cilk` before '" + std::string(fs->fn->name) + "' to make it a cilk procedure");
}

// ---- the spawn itself ----------------------------------------------------------------------------------------------------------------------------

// Types callee and arguments; false if something was reported.
bool Sema::typeSpawn(Spawn *s) {
  Range r = s->range;
  if (s->type) return !s->type->isError();
  s->type = cx.basic(TypeKind::Error);
  if (!s->call) {
    auto d = diags.report(diag::spawn_not_a_call, s->operand ? s->operand->range : r);
    if (s->operand && s->operand->kind == ExprKind::Ident) d.note(r, "write `spawn " + std::string(s->operand->as<Ident>()->name) + "();`");
    else d.note(r, "the form is `x = spawn f(arguments);`");
    return false;
  }
  Call *c = s->call;
  Expr *raw = c->callee;
  while (raw->kind == ExprKind::Paren) raw = raw->as<ParenExpr>()->sub;
  if (raw->kind == ExprKind::Ident && !raw->type) {
    Decl *d = lookup(raw->as<Ident>()->name);
    if (d && d->kind == DeclKind::Function && d->as<FunctionDecl>()->isInlet) {
      diags.report(diag::spawn_inlet, raw->range).note(raw->range, "an inlet is called with a spawn as its first argument: `" + std::string(d->name) + "(spawn f(..));`") << d->name;
      return false;
    }
  }
  const char *saved = spawnPlace;
  spawnPlace = "the name of the spawned procedure";
  Expr *callee = c->callee = expr(c->callee);      // an undeclared name is an error here, not an implicit declaration
  spawnPlace = "an argument of a spawn";
  bool bad = callee->type->isError();
  for (Expr *&a : c->args) {
    a = rvalue(a);
    if (a->type->isError()) bad = true;
  }
  spawnPlace = saved;
  if (callee->type->isError()) return false;
  const FunctionType *ft = nullptr;
  if (callee->type->isFunction()) ft = callee->type->as<FunctionType>();
  else {
    callee = load(callee);
    if (callee->type->isPointer() && callee->type->as<PointerType>()->pointee->isFunction()) ft = callee->type->as<PointerType>()->pointee->as<FunctionType>();
  }
  const Decl *decl = nullptr;
  raw = c->callee;
  while (raw->kind == ExprKind::Paren) raw = raw->as<ParenExpr>()->sub;
  if (raw->kind == ExprKind::Ident) decl = raw->as<Ident>()->decl;
  std::string name = decl ? "'" + std::string(decl->name) + "'" : std::string("this");
  if (!ft || !ft->isCilk) {
    auto d = diags.report(diag::spawn_non_procedure, c->callee->range);
    d << (ft ? name : "something of type '" + toString(c->callee->type) + "'");
    if (ft && decl && decl->range.valid()) {
      if (decl->kind == DeclKind::Function) d.note(decl->range, name + " is declared as a C function: call it without spawn, or write `cilk` before its declaration and definition");
      else d.note(decl->range, "declare the pointer with `cilk`: `" + std::string("cilk ") + declToString(decl->type, decl->name) + ";`");
    }
    return false;
  }
  c->callee = load(c->callee);
  c->fnType = ft;
  if (bad) return false;
  if (ft->prototype && ft->params.size() != c->args.size()) {
    auto d = diags.report(diag::spawn_arguments, c->range.valid() ? c->range : r);
    d << countOf(c->args.size()) << ft->params.size();
    if (decl && decl->range.valid()) d.note(decl->range, name + " is declared here");
    return false;
  }
  if (callArguments(c, ft, 0, "the spawned procedure")) return false;
  for (Expr *a : c->args) if (a->type->isError()) return false;
  QualType result = ft->result.unqual();
  if (!result->isVoid() && !requireComplete(result, r, "result")) return false;
  c->type = s->type = result;
  fs->fn->spawns.push_back(s);
  return true;
}

Expr *Sema::spawnStatement(Spawn *s) {
  if (!isCilkProcedure()) {
    spawnOutside(s);
    return error(s->range);
  }
  if (!typeSpawn(s)) return error(s->range);
  if (!s->type->isVoid()) {
    std::string f = calleeName(s);
    auto d = diags.report(diag::spawn_without_receiver, s->range);
    d << "'" + f + "'" << toString(s->type);
    d.note(s->range, "declare `" + declToString(s->type, "x") + ";` and write `x = " + spawnText(s) + ";`, even if x is never read");
    return error(s->range);
  }
  return s;
}

Expr *Sema::spawnAssign(Assign *a) {
  // x = inl(spawn f(..))
  if (a->rhs->kind == ExprKind::Call) {
    Call *c = a->rhs->as<Call>();
    Spawn *s = c->args.empty() || c->args[0]->kind != ExprKind::Spawn ? nullptr : c->args[0]->as<Spawn>();
    const Expr *callee = c->callee;
    while (callee->kind == ExprKind::Paren) callee = callee->as<ParenExpr>()->sub;
    const Decl *d = callee->kind == ExprKind::Ident ? lookup(callee->as<Ident>()->name) : nullptr;
    bool inlet = d && d->kind == DeclKind::Function && d->as<FunctionDecl>()->isInlet;
    if (!isCilkProcedure() && s) {
      spawnOutside(s);
      return error(a->range);
    }
    if (inlet) {
      std::string n(d->name);
      diags.report(diag::inlet_result, a->opRange.valid() ? a->opRange : a->range)
          .note(a->range, "write `" + n + "(" + spawnText(s) + ");` and let '" + n + "' store the result in the variable itself");
      return error(a->range);
    }
    return misplacedSpawn(s, "an argument");
  }
  Spawn *s = a->rhs->as<Spawn>();
  Range where = a->opRange.valid() ? a->opRange : a->range;
  if (!isCilkProcedure()) {
    spawnOutside(s);
    return error(a->range);
  }
  Expr *raw = a->lhs;
  while (raw->kind == ExprKind::Paren) raw = raw->as<ParenExpr>()->sub;
  // A plain receiver is stored to, not used.
  VarDecl *stored = nullptr;
  bool wasUsed = false;
  if (!a->compound && raw->kind == ExprKind::Ident && !raw->type)
    if (Decl *d = lookup(raw->as<Ident>()->name); d && d->kind == DeclKind::Var) stored = d->as<VarDecl>(), wasUsed = stored->used;
  const char *saved = spawnPlace;
  spawnPlace = "the left side of an assignment";
  Expr *l = a->lhs = expr(a->lhs);
  spawnPlace = saved;
  if (stored && !wasUsed && stored->isLocal) stored->used = false;
  bool ok = typeSpawn(s);
  if (l->type->isError() || !ok) return error(a->range);
  std::string name = "'" + calleeName(s) + "'";
  if (s->type->isVoid()) {
    auto d = diags.report(diag::spawn_void_receiver, where);
    d << name;
    d.note(s->range, "write `" + spawnText(s) + ";`").fixit(Range{a->range.begin, s->range.begin}, "");
    return error(a->range);
  }
  if (l->bitField) {
    const FieldDecl *f = bitFieldOf(l);
    diags.report(diag::spawn_bit_field, l->range).note(l->range, "let a plain variable receive the result, and store it in the bit-field after `sync;`") << (f ? f->name : std::string_view("?"));
    return error(a->range);
  }
  if (!isModifiableLvalue(l, where, false)) {
    auto d = diags.report(diag::spawn_receiver, l->range);
    if (l->type->isArray()) d.note(l->range, "an array cannot be assigned to: name one of its elements");
    else if (l->lvalue && l->type.isConst()) d.note(l->range, "it is const");
    return error(a->range);
  }
  VarDecl *root = rootVariable(l);
  if (root) root->assigned = root->isReceiver = true;
  if (vectorElement(l)) markAddressTaken(l);          // its address waits in the child's return record: the vector must not move

  QualType lt = l->type.unqual(), rt = s->type;
  a->type = lt;
  auto incompatible = [&]() -> Expr * {
    diags.report(diag::spawn_incompatible, where).also(l->range).also(s->range) << toString(lt) << toString(rt);
    return error(a->range);
  };
  bool la = lt->isArithmetic(), ra = rt->isArithmetic();
  if (!a->compound) {
    bool fits = (la && ra) || (lt->isPointer() && rt->isPointer()) || (lt->isRecord() && rt->isRecord() && compatible(lt, rt)) || (lt->isVector() && rt->isVector() && compatible(lt, rt)) ||
                (lt->isBool() && rt->isPointer());
    if (!fits) return incompatible();
    if (!compatible(lt, rt)) diags.report(diag::cilk_compat, where) << "the receiver" << toString(rt) << toString(lt);
    Expr *c = assignConvert(s, lt, "spawn", where);
    if (c->type->isError()) return error(a->range);
    a->rhs = c;
  } else {
    bool bits = a->op == BinaryOp::And || a->op == BinaryOp::Or || a->op == BinaryOp::Xor || a->op == BinaryOp::Shl || a->op == BinaryOp::Shr || a->op == BinaryOp::Rem;
    if (lt->isVector()) {
      if (!typeVectorUpdate(*this, a, s)) return incompatible();
    } else if (lt->isPointer() && (a->op == BinaryOp::Add || a->op == BinaryOp::Sub) && rt->isInteger()) {
      QualType p = lt->as<PointerType>()->pointee;
      if (!p->isVoid() && !p->isFunction() && !requireComplete(p, where, "pointer arithmetic")) return error(a->range);
      a->computeType = lt;
      a->rhs = convert(s, cx.ptrdiffType());
    } else {
      if (!la || !ra || (bits && (!lt->isInteger() || !rt->isInteger()))) return incompatible();
      if (!compatible(lt, rt)) diags.report(diag::cilk_compat, where) << "the receiver" << toString(rt) << toString(lt);
      Expr *v = promote(s);
      QualType left = promotedType(lt.type);
      if (a->op == BinaryOp::Shl || a->op == BinaryOp::Shr) {
        a->computeType = left;
        a->rhs = v;
      } else {
        a->computeType = arithmeticType(left, v->type);
        a->rhs = convert(v, operandType(v->type, a->computeType));
      }
    }
  }

  // a[i++] = spawn f(i): Cilk computes the receiver's address first; the C elision leaves the order open.
  std::vector<const Decl *> left, right;
  changed(l, left);
  for (const Expr *e : s->call->args) changed(e, right);
  const Decl *clash = nullptr;
  for (const Decl *d : left) for (const Expr *e : s->call->args) if (!clash && mentions(e, d)) clash = d;
  for (const Decl *d : right) if (!clash && mentions(l, d) && !(l->kind == ExprKind::Ident)) clash = d;
  if (clash) diags.report(diag::spawn_order, where).note(where, "change '" + std::string(clash->name) + "' in a statement of its own") << clash->name;
  return a;
}

// ---- inlet calls ----------------------------------------------------------------------------------------------------------------------------------

Expr *Sema::inletCall(Call *c) {
  Spawn *s = c->args[0]->as<Spawn>();
  Expr *raw = c->callee;
  while (raw->kind == ExprKind::Paren) raw = raw->as<ParenExpr>()->sub;
  Decl *d = nullptr;
  if (raw->kind == ExprKind::Ident) d = lookup(raw->as<Ident>()->name);
  FunctionDecl *inlet = d && d->kind == DeclKind::Function && d->as<FunctionDecl>()->isInlet ? d->as<FunctionDecl>() : nullptr;
  if (!isCilkProcedure()) {
    if (inlet) diags.report(diag::inlet_call_outside, c->range);
    else spawnOutside(s);
    return error(c->range);
  }
  if (!inlet && !d && raw->kind == ExprKind::Ident && !leftOut(raw->as<Ident>()->name) && !ds->linked.count(raw->as<Ident>()->name) && builtinByName(raw->as<Ident>()->name) == BuiltinId::None) {
    auto b = diags.report(diag::undeclared, raw->range);
    b << raw->as<Ident>()->name;
    std::string meant = didYouMean(raw->as<Ident>()->name);
    if (!meant.empty()) b.note(raw->range, "did you mean '" + meant + "'?");
    else b.note(raw->range, "define `inlet void " + std::string(raw->as<Ident>()->name) + "(..)` among the declarations of this procedure, or write `x = " + spawnText(s) + ";`, `sync;` and the call with x");
    return error(c->range);
  }
  if (!inlet) {
    Expr *callee = expr(c->callee);      // says if it is undeclared
    if (callee->type->isError()) return error(c->range);
    const FunctionType *ft = callee->type->isFunction() ? callee->type->as<FunctionType>()
                             : callee->type->isPointer() && callee->type->as<PointerType>()->pointee->isFunction() ? callee->type->as<PointerType>()->pointee->as<FunctionType>() : nullptr;
    if (ft && ft->isInlet) {
      diags.report(diag::inlet_call_by_pointer, c->callee->range);
      return error(c->range);
    }
    auto b = diags.report(diag::inlet_call_of_non_inlet, c->callee->range);
    b << (raw->kind == ExprKind::Ident ? ": '" + std::string(raw->as<Ident>()->name) + "' is not an inlet" : std::string());
    b.note(s->range, "write `x = " + spawnText(s) + ";` then `sync;` then the call with x, or define an inlet in this procedure");
    return error(c->range);
  }
  for (size_t i = 1; i < c->args.size(); i++)
    if (c->args[i]->kind == ExprKind::Spawn) {
      diags.report(diag::inlet_two_spawns, c->args[i]->range).note(c->args[i]->range, "call the inlet once for each spawn");
      return error(c->range);
    }
  auto *id = raw->as<Ident>();
  id->decl = inlet;
  id->type = inlet->type;
  id->lvalue = true;
  inlet->used = true;
  c->callee = expr(c->callee);
  c->inlet = inlet;
  if (!inlet->type || !inlet->type->isFunction()) return error(c->range);
  const auto *ft = inlet->type->as<FunctionType>();
  c->fnType = ft;
  const char *saved = spawnPlace;
  spawnPlace = "an argument that is not the first";
  // The further arguments are evaluated before the spawn's.
  bool bad = false;
  for (size_t i = 1; i < c->args.size(); i++) {
    c->args[i] = rvalue(c->args[i]);
    if (c->args[i]->type->isError()) bad = true;
  }
  spawnPlace = saved;
  if (!typeSpawn(s) || bad) return error(c->range);
  c->callee = load(c->callee);
  if (!ft->result->isVoid()) {
    if (!ft->result->isError()) diags.report(diag::inlet_not_void, c->callee->range).note(inlet->range, "declare it `inlet void " + std::string(inlet->name) + "(..)`") << inlet->name << toString(ft->result);
    return error(c->range);
  }
  // The result of a void procedure is no argument.
  bool isVoid = s->type->isVoid();
  size_t passed = c->args.size() - isVoid, expected = ft->params.size();
  // `inlet void f()` has no parameters, whether the list is empty or (void).
  if (passed != expected) {
    auto b = diags.report(diag::inlet_arguments, c->range);
    b << countOf(passed) << expected;
    if (inlet->range.valid()) b.note(inlet->range, "'" + std::string(inlet->name) + "' is defined here" + (isVoid ? "; the spawned procedure returns void, so its result is no argument" : ""));
    return error(c->range);
  }
  for (size_t i = isVoid; i < c->args.size(); i++) {
    QualType want = ft->params[i - isVoid].unqual(), have = c->args[i]->type.unqual();
    bool la = want->isArithmetic(), ra = have->isArithmetic();
    bool fits = (la && ra) || (want->isPointer() && (have->isPointer() || isNullPointerConstant(c->args[i]))) || (want->isRecord() && have->isRecord() && compatible(want, have)) ||
                (want->isVector() && have->isVector() && compatible(want, have)) || (want->isBool() && have->isPointer());
    if (!fits) {
      if (!want->isError()) diags.report(diag::inlet_argument_type, c->args[i]->range) << i + 1 - isVoid << inlet->name << toString(want) << toString(have);
      return error(c->range);
    }
    if (!compatible(want, have)) diags.report(diag::cilk_compat, c->args[i]->range) << "argument " + std::to_string(i + 1 - isVoid) + " of the inlet" << toString(want) << toString(have);
    c->args[i] = assignConvert(c->args[i], want, "argument " + std::to_string(i + 1 - isVoid) + " of '" + std::string(inlet->name) + "'", c->args[i]->range);
    if (c->args[i]->type->isError()) bad = true;
  }
  if (bad) return error(c->range);
  c->type = cx.basic(TypeKind::Void);
  return c;
}

// ---- cilk, inlet, shared, private on declarations ----------------------------------------------------------------------------------------------------

namespace {
// Is there a function in the type, as itself, pointed to, or as an element?
const FunctionType *functionInside(QualType t) {
  for (;;) {
    if (!t) return nullptr;
    if (t->isFunction()) return t->as<FunctionType>();
    if (t->isPointer()) t = t->as<PointerType>()->pointee;
    else if (t->isArray()) t = t->as<ArrayType>()->elem;
    else return nullptr;
  }
}
}  // namespace

void Sema::checkCilkDeclaration(Decl *d, const DeclSpecs *specs, Range where) {
  if (!specs) return;
  Range keyword = specs->cilkRange.valid() ? specs->cilkRange : where;
  if (!d) {
    if (specs->cilk) diags.report(diag::cilk_on_non_function, keyword);
    if (specs->inlet) diags.report(diag::inlet_on_non_function, keyword);
    return;
  }
  if (d->type && d->type->isError()) return;
  const FunctionType *ft = functionInside(d->type);
  bool isFunction = d->kind == DeclKind::Function;
  auto *f = isFunction ? d->as<FunctionDecl>() : nullptr;
  bool definition = f && fs && fs->fn == f;
  const FunctionDecl *outer = definition && fs->up ? fs->up->fn : nullptr;
  if (specs->cilk && !ft) diags.report(diag::cilk_on_non_function, keyword);
  if (specs->cilk && specs->inlet) {
    diags.report(diag::cilk_inlet, keyword);
    if (f) f->isInlet = f->isCilk = false;
    return;
  }
  if (f && ft && ft->isCilk && ft->variadic) diags.report(diag::cilk_variadic, where) << f->name;
  if (definition && f->isCilk && outer) {
    diags.report(diag::cilk_nested, where).note(where, "move '" + std::string(f->name) + "' out of '" + std::string(outer->name) + "'; only inlets are defined inside");
    return;
  }
  if (specs->inlet) {
    if (!isFunction) diags.report(diag::inlet_on_non_function, keyword);
    else if (!definition) diags.report(diag::inlet_prototype, where).note(where, "define the inlet among the declarations of the cilk procedure, before it is used") << f->name;
    else if (!outer) diags.report(diag::inlet_outside_procedure, where).note(where, "move '" + std::string(f->name) + "' into the cilk procedure that calls it, among its declarations");
    else if (outer->isInlet) diags.report(diag::inlet_in_inlet, where);
    else if (!outer->isCilk) diags.report(diag::inlet_outside_procedure, where).note(outer->range, "write `cilk` before '" + std::string(outer->name) + "' to make it a cilk procedure");
    else if (ft && ft->variadic) diags.report(diag::inlet_variadic, where);
  } else if (definition && outer && !f->isCilk && (outer->isCilk || outer->isInlet)) {
    diags.report(diag::nested_in_cilk, where) << f->name;
  }
  if (specs->shared || specs->priv) {
    const char *which = specs->shared ? "shared" : "private";
    if (isFunction) diags.report(diag::shared_function, where) << which;
    else if (d->kind != DeclKind::Var || (d->as<VarDecl>()->isLocal) || d->as<VarDecl>()->linkage == Linkage::None) diags.report(diag::shared_not_global, where) << which;
    else if (specs->shared && specs->priv) diags.report(diag::shared_and_private, where) << d->name;
    else if (specs->priv) {
      d->as<VarDecl>()->isPrivate = true;
      if (d->as<VarDecl>()->init || d->as<VarDecl>()->isDefinition) diags.report(diag::private_initializer, where);
    }
  }
}

}  // namespace cilkc
