// spawn.cpp - spawns of Cilk: the four forms of a statement that may be one, and what every other place gets instead, a
// message with the rewrite.
//
// A statement in one of the forms becomes a SpawnStmt. What its delivery does is typed as C types the same assignment
// or call, with a ChildResult in the place of the spawn. A spawn in a wrong place gives one diagnostic; the expression
// around it becomes an ErrorExpr and stays silent.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/builtins/builtins.h"
#include "frontend/sema/c/core/assign.h"
#include "frontend/sema/c/core/declstate.h"
#include "frontend/sema/cilk/rules.h"
#include "diag/cilk.h"
#include "diag/cilk1.h"
#include "diag/sema_expr.h"

namespace cilkc {

namespace {

// Source text for advice: the callee if it is a plain name, else f.
std::string calleeName(const Spawn *s) {
  const Expr *c = s && s->call ? ignoreParensAndImplicit(s->call->callee) : nullptr;
  return c && c->kind == ExprKind::Ident ? std::string(c->as<Ident>()->name) : "f";
}

std::string spawnText(const Spawn *s) {
  return "spawn " + calleeName(s) + (s && s->call && s->call->args.empty() ? "()" : "(..)");
}

std::string countOf(size_t arguments) {
  return std::to_string(arguments) + (arguments == 1 ? " argument" : " arguments");
}

bool mentions(const Expr *e, const Decl *d) {
  return anyExpr(e, Walk::Evaluated,
      [&](const Expr *x) { return x->kind == ExprKind::Ident && x->as<Ident>()->decl == d; });
}

bool vectorElement(const Expr *e) {
  e = ignoreParens(e);
  return e->kind == ExprKind::Index && e->as<Index>()->base->type->isVector();
}

// The variables that evaluating e changes by ++, -- or assignment.
std::vector<const Decl *> changed(const Expr *e) {
  std::vector<const Decl *> found;
  eachExpr(e, Walk::Evaluated, [&](const Expr *x) {
    const Expr *target = x->kind == ExprKind::Assign                                  ? x->as<Assign>()->lhs
                         : x->kind == ExprKind::Unary && isIncDec(x->as<Unary>()->op) ? x->as<Unary>()->sub
                                                                                      : nullptr;
    target = ignoreParens(target);
    if (target && target->kind == ExprKind::Ident && target->as<Ident>()->decl)
      found.push_back(target->as<Ident>()->decl);
  });
  return found;
}

}  // namespace

// ---- misplaced spawns ---------------------------------------------------------------------------------------------

namespace {

struct PlaceInfo {
  DiagId diagnostic;
  const char *called, *rewrite;
};
const PlaceInfo placeInfo[] = {
#define PLACE(name, diagnostic, called, rewrite) {diag::diagnostic, called, rewrite},
#include "frontend/sema/c/core/spawn_places.def"
};

void fill(std::string &text, std::string_view what, const std::string &by) {
  if (size_t at = text.find(what); at != text.npos) text.replace(at, what.size(), by);
}

}  // namespace

SpawnForms spawnForms(Expr *e) {
  SpawnForms f;
  if (e && e->kind == ExprKind::Assign) f.assign = e->as<Assign>(), e = f.assign->rhs;
  if (e && e->kind == ExprKind::Call && !e->as<Call>()->args.empty()) f.inlet = e->as<Call>(), e = f.inlet->args[0];
  if (e && e->kind == ExprKind::Spawn) f.spawn = e->as<Spawn>();
  return f;
}

Expr *CilkRules::refuseSpawn(Expr *e, SpawnPlace place) {
  Spawn *s = spawnForms(e).spawn;
  return s ? misplacedSpawn(s, place) : nullptr;
}

Expr *CilkRules::spawnBeforeReceiver(const Assign *a) {
  const Expr *left = ignoreParens(a->lhs), *right = ignoreParens(a->rhs);
  const Spawn *s = left->kind == ExprKind::Spawn ? left->as<Spawn>() : nullptr;
  if (!s || s->word != SpawnWord::Spawn || !s->operand || right->kind != ExprKind::Call || !sema.inProcedure())
    return nullptr;
  const size_t most = 60;
  std::string receiver = diags.sources().asWritten(s->operand->range, most),
              op = diags.sources().asWritten(a->opRange, most), call = diags.sources().asWritten(right->range, most);
  auto d = diags.report(diag::spawn_in_expression, s->range);
  d << placeInfo[static_cast<size_t>(SpawnPlace::LeftSide)].called;
  if (!receiver.empty() && !op.empty() && !call.empty())
    d.note(s->range, "the word comes before the call: write `" + receiver + " " + op + " spawn " + call + ";`");
  return sema.conv.error(a->range);
}

Expr *CilkRules::misplacedSpawn(Spawn *s, SpawnPlace place) {
  Range r = s->range;
  if (s->word == SpawnWord::CilkSpawn && !sema.inThread()) {
    diags.report(diag::cilk_spawn_form, r)
            .note(r, "write `x = cilk_spawn f(..);` as a statement of its own, then `cilk_sync;` before x is used")
        << (sema.fs ? "it is not allowed in " + std::string(placeInfo[static_cast<size_t>(place)].called)
                    : "it must be in a function");
    return sema.conv.error(r);
  }
  if (sema.inThread() || s->word != SpawnWord::Spawn) return sema.threads.misplacedThreadWord(s);
  if (!sema.inProcedure()) {
    spawnOutside(s);
    return sema.conv.error(r);
  }
  // The type to declare the receiver with, where the callee is known.
  std::string declare;
  QualType result;
  const Expr *callee = s->call ? ignoreParens(s->call->callee) : nullptr;
  if (callee && callee->kind == ExprKind::Ident)
    if (const Decl *d = sema.scopes.lookup(callee->as<Ident>()->name);
        d && d->kind == DeclKind::Function && d->type && d->type->isFunction())
      result = d->type->as<FunctionType>()->result;
  bool isVoid = result && result->isVoid();
  if (result && !isVoid && !result->isError()) declare = "declare `" + declToString(result.unqual(), "x") + ";`, ";
  const PlaceInfo &info = placeInfo[static_cast<size_t>(place)];
  std::string rewrite = info.rewrite;
  fill(rewrite, "$declare", declare);
  fill(rewrite, "$assign", (isVoid ? "`" : "`x = ") + spawnText(s) + ";`");
  fill(rewrite, "$spawn", spawnText(s));
  auto d = diags.report(info.diagnostic, r);
  if (info.diagnostic == diag::spawn_in_expression) d << info.called;
  d.note(r, rewrite);
  return sema.conv.error(r);
}

void CilkRules::initializerSpawns(InitDeclarator &i) {
  if (!i.init || !i.init->expr) return;
  Spawn *s = spawnForms(i.init->expr).spawn;
  if (!s) return;
  Range r = s->range;
  if (!sema.inProcedure()) spawnOutside(s);
  else {
    std::string name = i.declarator && !i.declarator->name.empty() ? std::string(i.declarator->name) : "x";
    bool array = i.declarator && !i.declarator->chunks.empty() && i.declarator->chunks.front().kind == DeclChunk::Array;
    if (s->word == SpawnWord::CilkSpawn && i.init->expr->kind != ExprKind::Spawn) {
      diags.report(diag::cilk_spawn_form, r)
              .note(r, "declare `" + name + "` first: then `cilk_spawn " + name + " = ..;` is the child")
          << "it is not allowed in an argument of an initialiser's call";
      i.init->expr = sema.conv.error(r);
      return;
    }
    auto d = diags.report(diag::spawn_in_initializer, r);
    if (i.init->expr->kind == ExprKind::Spawn)
      d.note(r, "declare `" + name + "` without initialiser, then write `" + name + (array ? "[..]" : "") + " = " +
                    spawnText(s) + ";` after the declarations");
    else d.note(r, "an inlet call is a statement of its own, after the declarations");
  }
  i.init->expr = sema.conv.error(i.init->expr->range);
}

// A spawn in a C function or in an inlet.
void CilkRules::spawnOutside(Spawn *s) {
  if (s->word == SpawnWord::CilkSpawn && !sema.inThread()) {
    misplacedSpawn(s, SpawnPlace::Initializer);
    return;
  }
  if (sema.inThread() || s->word != SpawnWord::Spawn) {
    sema.threads.misplacedThreadWord(s);
    return;
  }
  Range r = s->keyword.valid() ? s->keyword : s->range;
  if (sema.inInlet()) {
    diags.report(diag::spawn_in_inlet, r)
        .note(r,
            "let the inlet store what it found; the procedure spawns again after its `sync;` or between its spawns");
    return;
  }
  auto d = diags.report(diag::spawn_outside_procedure, r);
  if (sema.fs && sema.fs->fn && sema.fs->fn->range.valid())
    d.note(sema.fs->fn->range,
        "write `cilk` before '" + std::string(sema.fs->fn->name) + "' to make it a cilk procedure");
}

// ---- the spawn itself ---------------------------------------------------------------------------------------------

// Types callee and arguments; false if something was reported.
bool CilkRules::typeSpawn(SpawnStmt *out, Spawn *s) {
  Range r = s->range;
  if (!s->call) {
    auto d = diags.report(diag::spawn_not_a_call, s->operand ? s->operand->range : r);
    if (s->operand && s->operand->kind == ExprKind::Ident)
      d.note(r, "write `spawn " + std::string(s->operand->as<Ident>()->name) + "();`");
    else d.note(r, "the form is `x = spawn f(arguments);`");
    return false;
  }
  Call *c = s->call;
  const Expr *raw = ignoreParens(c->callee);
  if (raw->kind == ExprKind::Ident && !raw->type) {
    Decl *d = sema.scopes.lookup(raw->as<Ident>()->name);
    if (d && d->kind == DeclKind::Function && d->as<FunctionDecl>()->isThread) {
      FunctionDecl *procedure = sema.threads.procedureOf(d->as<FunctionDecl>());
      if (!procedure) {
        diags.report(diag::thread_no_result, raw->range)
                .note(d->range, "its first parameter would be the continuation for the result: `thread " +
                                    std::string(d->name) + "(cont int k, ..)`")
            << d->name;
        return false;
      }
      Ident *id = ignoreParens(c->callee)->as<Ident>();
      id->decl = procedure;
      id->type = procedure->type;
      id->lvalue = true;
      procedure->used = true;
      procedure->references++;
    }
    if (d && d->kind == DeclKind::Function && d->as<FunctionDecl>()->isInlet) {
      diags.report(diag::spawn_inlet, raw->range)
              .note(raw->range,
                  "an inlet is called with a spawn as its first argument: `" + std::string(d->name) + "(spawn f(..));`")
          << d->name;
      return false;
    }
  }
  if (s->placement) {
    diags.report(diag::placement_outside, s->placement->range);
    return false;
  }
  // an undeclared name is an error here, not an implicit declaration
  Expr *callee = c->callee = sema.exprs.exprIn(SpawnPlace::SpawnedProcedure, c->callee);
  bool bad = callee->type->isError();
  for (Expr *&a : c->args) {
    a = sema.exprs.rvalueIn(SpawnPlace::Argument, a);
    if (a->type->isError()) bad = true;
  }
  if (callee->type->isError()) return false;
  const FunctionType *ft = nullptr;
  if (callee->type->isFunction()) ft = callee->type->as<FunctionType>();
  else {
    callee = sema.conv.load(callee);
    if (callee->type->isPointer() && callee->type->as<PointerType>()->pointee->isFunction())
      ft = callee->type->as<PointerType>()->pointee->as<FunctionType>();
  }
  raw = ignoreParens(c->callee);
  const Decl *decl = raw->kind == ExprKind::Ident ? raw->as<Ident>()->decl : nullptr;
  std::string name = decl ? "'" + std::string(decl->name) + "'" : std::string("this");
  if (!ft || !ft->isCilk) {
    auto d = diags.report(diag::spawn_non_procedure, c->callee->range);
    d << (ft ? name : "something of type '" + toString(c->callee->type) + "'");
    if (ft && decl && decl->range.valid()) {
      if (decl->kind == DeclKind::Function)
        d.note(decl->range,
            name +
                " is declared as a C function: call it without spawn, or write `cilk` before its declaration and definition");
      else
        d.note(decl->range,
            "declare the pointer with `cilk`: `" + std::string("cilk ") + declToString(decl->type, decl->name) + ";`");
    }
    return false;
  }
  c->callee = sema.conv.load(c->callee);
  c->fnType = ft;
  if (bad) return false;
  if (ft->variadic && decl && decl->kind == DeclKind::Function) return false;  // its declaration was an error
  if (ft->prototype && ft->params.size() != c->args.size()) {
    auto d = diags.report(diag::spawn_arguments, c->range.valid() ? c->range : r);
    d << countOf(c->args.size()) << ft->params.size();
    const FunctionDecl *f = decl && decl->kind == DeclKind::Function ? decl->as<FunctionDecl>() : nullptr;
    bool ofThread = f && (f->isThread || (f->thread && f->thread->isThread && !f->thread->isAdapter));
    if (ofThread && c->args.size() == ft->params.size() + 1)
      d.note(c->args[0]->range,
          "the compiler passes the continuation of this spawn: write `x = spawn " + std::string(f->name) + "(..);`");
    else if (decl && decl->range.valid())
      d.note(decl->range, name + " is declared here: `" + declToString(decl->type, decl->name) + "`");
    return false;
  }
  if (sema.exprs.callArguments(c, ft, 0, "the spawned procedure")) return false;
  for (Expr *a : c->args)
    if (a->type->isError()) return false;
  QualType result = ft->result.unqual();
  if (!result->isVoid() && !sema.types.requireComplete(result, r, "result")) return false;
  c->type = result;
  out->call = c;
  out->keyword = s->keyword;
  out->spawned = r;
  out->result = cx.make<ChildResult>();
  out->result->range = r;
  out->result->type = result;
  return true;
}

// x = inl(spawn f(..)): an error.
static bool assignedInlet(CilkSema &sema, const SpawnForms &f) {
  const Assign *a = f.assign;
  const Expr *callee = ignoreParens(f.inlet->callee);
  const Decl *d = callee->kind == ExprKind::Ident ? sema.scopes.lookup(callee->as<Ident>()->name) : nullptr;
  bool inlet = d && d->kind == DeclKind::Function && d->as<FunctionDecl>()->isInlet;
  if (!sema.inProcedure()) {
    sema.cilk.spawnOutside(f.spawn);
  } else if (inlet) {
    std::string n(d->name);
    sema.diags.report(diag::inlet_result, a->opRange.valid() ? a->opRange : a->range)
        .note(a->range, "write `" + n + "(" + spawnText(f.spawn) + ");` and let '" + n +
                            "' store the result in the variable itself");
  } else {
    sema.cilk.misplacedSpawn(f.spawn, SpawnPlace::Argument);
  }
  return false;
}

Stmt *CilkRules::spawnStatement(ExprStmt *s, const SpawnForms &f) {
  auto *out = cx.make<SpawnStmt>();
  out->range = s->range;
  out->attrs = s->attrs;
  bool ok = f.assign && f.inlet ? assignedInlet(sema, f)
            : f.assign          ? spawnAssign(out, f.assign, f.spawn)
            : f.inlet           ? inletCall(out, f.inlet, f.spawn)
                                : plainSpawn(out, f.spawn);
  if (!ok) {
    s->expr = sema.conv.error(s->expr->range);
    return s;
  }
  sema.fs->fn->spawns.push_back(out);
  return out;
}

bool CilkRules::plainSpawn(SpawnStmt *out, Spawn *s) {
  if (!sema.inProcedure()) {
    spawnOutside(s);
    return false;
  }
  if (!typeSpawn(out, s)) return false;
  if (out->isVoid()) return true;
  QualType type = out->result->type;
  auto d = diags.report(diag::spawn_without_receiver, s->range);
  d << "'" + calleeName(s) + "'" << toString(type);
  d.note(s->range,
      "declare `" + declToString(type, "x") + ";` and write `x = " + spawnText(s) + ";`, even if x is never read");
  return false;
}

enum class Fit : uint8_t { Yes, No, Reported };

// The receiver of `lt op= spawn f()`.
static Fit convertUpdate(CilkSema &sema, SpawnStmt *out, Assign *a, QualType lt, Range where) {
  QualType rt = out->result->type;
  bool bits = a->op == BinaryOp::And || a->op == BinaryOp::Or || a->op == BinaryOp::Xor || a->op == BinaryOp::Shl ||
              a->op == BinaryOp::Shr || a->op == BinaryOp::Rem;
  if (lt->isVector()) {
    if (!typeVectorUpdate(sema, a, out->result)) return Fit::No;
  } else if (lt->isPointer() && (a->op == BinaryOp::Add || a->op == BinaryOp::Sub) && rt->isInteger()) {
    QualType p = lt->as<PointerType>()->pointee;
    if (!p->isVoid() && !p->isFunction() && !sema.types.requireComplete(p, where, "pointer arithmetic"))
      return Fit::Reported;
    a->computeType = lt;
    a->rhs = sema.conv.convert(out->result, sema.cx.ptrdiffType());
  } else {
    if (!lt->isArithmetic() || !rt->isArithmetic() || (bits && (!lt->isInteger() || !rt->isInteger()))) return Fit::No;
    if (!sema.compat.compatible(lt, rt))
      sema.diags.report(diag::cilk_compat, where) << "the receiver" << toString(rt) << toString(lt);
    Expr *v = sema.conv.promote(out->result);
    QualType left = sema.conv.promotedType(lt.type);
    if (a->op == BinaryOp::Shl || a->op == BinaryOp::Shr) {
      a->computeType = left;
      a->rhs = v;
    } else {
      a->computeType = sema.conv.arithmeticType(left, v->type);
      a->rhs = sema.conv.convert(v, sema.conv.operandType(v->type, a->computeType));
    }
  }
  return Fit::Yes;
}

// The child's result on its way to the receiver; false: something was reported.
static bool convertResult(CilkSema &sema, SpawnStmt *out, Assign *a, const Expr *l, Range where, Range spawned) {
  QualType lt = l->type.unqual(), rt = out->result->type;
  a->type = lt;
  auto incompatible = [&] {
    auto d = sema.diags.report(diag::spawn_incompatible, where);
    d.also(l->range).also(spawned) << toString(lt) << toString(rt);
    if (a->compound && lt->isArithmetic() && rt->isArithmetic()) d.note(where, "this operator is for integers");
    return false;
  };
  if (!a->compound) {
    bool fits = (lt->isArithmetic() && rt->isArithmetic()) || (lt->isPointer() && rt->isPointer()) ||
                (lt->isRecord() && rt->isRecord() && sema.compat.compatible(lt, rt)) ||
                (lt->isVector() && rt->isVector() && sema.compat.compatible(lt, rt)) ||
                (lt->isBool() && rt->isPointer());
    if (!fits) return incompatible();
    if (!sema.compat.compatible(lt, rt))
      sema.diags.report(diag::cilk_compat, where) << "the receiver" << toString(rt) << toString(lt);
    Expr *c = sema.conv.assignConvert(out->result, lt, "spawn", where);
    if (c->type->isError()) return false;
    a->rhs = c;
  } else {
    Fit fit = convertUpdate(sema, out, a, lt, where);
    if (fit != Fit::Yes) return fit == Fit::No && incompatible();
  }
  return true;
}

// a[i++] = spawn f(i): Cilk computes the receiver's address first; the C elision leaves the order open.
static const Decl *changedBetween(const Expr *l, const Spawn *s) {
  for (const Decl *d : changed(l))
    for (const Expr *e : s->call->args)
      if (mentions(e, d)) return d;
  for (const Expr *e : s->call->args)
    for (const Decl *d : changed(e))
      if (mentions(l, d) && l->kind != ExprKind::Ident) return d;
  return nullptr;
}

bool CilkRules::spawnAssign(SpawnStmt *out, Assign *a, Spawn *s) {
  Range where = a->opRange.valid() ? a->opRange : a->range;
  if (!sema.inProcedure()) {
    spawnOutside(s);
    return false;
  }
  const Expr *raw = ignoreParens(a->lhs);
  // A plain receiver is stored to, not used.
  VarDecl *stored = nullptr;
  bool wasUsed = false;
  if (!a->compound && raw->kind == ExprKind::Ident && !raw->type)
    if (Decl *d = sema.scopes.lookup(raw->as<Ident>()->name); d && d->kind == DeclKind::Var)
      stored = d->as<VarDecl>(), wasUsed = stored->used;
  Expr *l = a->lhs = sema.exprs.exprIn(SpawnPlace::LeftSide, a->lhs);
  if (stored && !wasUsed && stored->isLocal) stored->used = false;
  bool ok = typeSpawn(out, s);
  if (l->type->isError() || !ok) return false;
  std::string name = "'" + calleeName(s) + "'";
  if (out->isVoid()) {
    auto d = diags.report(diag::spawn_void_receiver, where);
    d << name;
    d.note(s->range, "write `" + spawnText(s) + ";`").fixit(Range{a->range.begin, s->range.begin}, "");
    return false;
  }
  if (l->bitField) {
    const FieldDecl *f = sema.conv.bitFieldOf(l);
    diags.report(diag::spawn_bit_field, l->range)
            .note(l->range, "let a plain variable receive the result, and store it in the bit-field after `sync;`")
        << (f ? f->name : std::string_view("?"));
    return false;
  }
  if (!sema.conv.isModifiableLvalue(l, where, false)) {
    auto d = diags.report(diag::spawn_receiver, l->range);
    if (l->type->isArray()) d.note(l->range, "an array cannot be assigned to: name one of its elements");
    else if (l->lvalue && l->type.isConst()) d.note(l->range, "it is const");
    return false;
  }
  if (l->type->isFuture()) {
    l = sema.futures.receiver(a, l);
    if (!l) return false;
    a->lhs = l;
    out->fills = true;
  }
  VarDecl *root = sema.conv.rootVariable(l);
  if (root) root->assigned = root->isReceiver = true;
  // its address waits in the child's return record: the vector must not move
  if (vectorElement(l)) sema.conv.markAddressTaken(l);

  if (!convertResult(sema, out, a, l, where, s->range)) return false;
  if (const Decl *clash = changedBetween(l, s))
    diags.report(diag::spawn_order, where)
            .note(where, "change '" + std::string(clash->name) + "' in a statement of its own")
        << clash->name;
  out->form = a->compound ? SpawnForm::Op : SpawnForm::Receiver;
  out->delivery = a;
  out->value = a->rhs;
  return true;
}

// ---- inlet calls --------------------------------------------------------------------------------------------------

bool CilkRules::inletCall(SpawnStmt *out, Call *c, Spawn *s) {
  Expr *raw = ignoreParens(c->callee);
  Decl *d = nullptr;
  if (raw->kind == ExprKind::Ident) d = sema.scopes.lookup(raw->as<Ident>()->name);
  FunctionDecl *inlet =
      d && d->kind == DeclKind::Function && d->as<FunctionDecl>()->isInlet ? d->as<FunctionDecl>() : nullptr;
  if (!sema.inProcedure()) {
    if (inlet) diags.report(diag::inlet_call_outside, c->range);
    else spawnOutside(s);
    return false;
  }
  if (!inlet && !d && raw->kind == ExprKind::Ident && !sema.scopes.leftOut(raw->as<Ident>()->name) &&
      !sema.ds->linkage.linked.count(raw->as<Ident>()->name) &&
      builtinByName(raw->as<Ident>()->name) == BuiltinId::None) {
    auto b = diags.report(diag::undeclared, raw->range);
    b << raw->as<Ident>()->name;
    std::string meant = sema.exprs.didYouMean(raw->as<Ident>()->name);
    if (!meant.empty()) b.note(raw->range, "did you mean '" + meant + "'?");
    else
      b.note(raw->range, "define `inlet void " + std::string(raw->as<Ident>()->name) +
                             "(..)` among the declarations of this procedure, or write `x = " + spawnText(s) +
                             ";`, `sync;` and the call with x");
    return false;
  }
  // `nested-in-cilk` at its definition
  if (d && d->kind == DeclKind::Function && d->as<FunctionDecl>()->parent && !inlet) return false;
  if (!inlet) {
    Expr *callee = sema.exprs.expr(c->callee);  // says if it is undeclared
    if (callee->type->isError()) return false;
    const FunctionType *ft = callee->type->isFunction() ? callee->type->as<FunctionType>()
                             : callee->type->isPointer() && callee->type->as<PointerType>()->pointee->isFunction()
                                 ? callee->type->as<PointerType>()->pointee->as<FunctionType>()
                                 : nullptr;
    if (ft && ft->isInlet) {
      diags.report(diag::inlet_call_by_pointer, c->callee->range);
      return false;
    }
    auto b = diags.report(diag::inlet_call_of_non_inlet, c->callee->range);
    b << (raw->kind == ExprKind::Ident ? ": '" + std::string(raw->as<Ident>()->name) + "' is not an inlet"
                                       : std::string());
    b.note(s->range,
        "write `x = " + spawnText(s) + ";` then `sync;` then the call with x, or define an inlet in this procedure");
    return false;
  }
  for (size_t i = 1; i < c->args.size(); i++)
    if (c->args[i]->kind == ExprKind::Spawn) {
      diags.report(diag::inlet_two_spawns, c->args[i]->range)
          .note(c->args[i]->range, "call the inlet once for each spawn");
      return false;
    }
  auto *id = raw->as<Ident>();
  id->decl = inlet;
  id->type = inlet->type;
  id->lvalue = true;
  inlet->used = true;
  c->callee = sema.exprs.expr(c->callee);
  if (!inlet->type || !inlet->type->isFunction()) return false;
  const auto *ft = inlet->type->as<FunctionType>();
  c->fnType = ft;
  // The further arguments are evaluated before the spawn's.
  bool bad = false;
  for (size_t i = 1; i < c->args.size(); i++) {
    c->args[i] = sema.exprs.rvalueIn(SpawnPlace::InletArgument, c->args[i]);
    if (c->args[i]->type->isError()) bad = true;
  }
  if (!typeSpawn(out, s) || bad) return false;
  c->callee = sema.conv.load(c->callee);
  if (!ft->result->isVoid()) {
    if (!ft->result->isError())
      diags.report(diag::inlet_not_void, c->callee->range)
              .note(inlet->range, "declare it `inlet void " + std::string(inlet->name) + "(..)`")
          << inlet->name << toString(ft->result);
    return false;
  }
  // The result of a void procedure is not an argument.
  bool isVoid = out->isVoid();
  c->args[0] = out->result;
  size_t passed = c->args.size() - isVoid, expected = ft->params.size();
  // `inlet void f()` has no parameters, whether the list is empty or (void).
  if (passed != expected) {
    auto b = diags.report(diag::inlet_arguments, c->range);
    b << countOf(passed) << expected;
    if (inlet->range.valid())
      b.note(inlet->range,
          "'" + std::string(inlet->name) + "' is defined here" +
              (isVoid ? "; the spawned procedure returns void, so its result is not an argument" : ""));
    return false;
  }
  for (size_t i = isVoid; i < c->args.size(); i++) {
    QualType want = ft->params[i - isVoid].unqual(), have = c->args[i]->type.unqual();
    bool la = want->isArithmetic(), ra = have->isArithmetic();
    bool fits = (la && ra) ||
                (want->isPointer() && (have->isPointer() || sema.conv.isNullPointerConstant(c->args[i]))) ||
                (want->isRecord() && have->isRecord() && sema.compat.compatible(want, have)) ||
                (want->isVector() && have->isVector() && sema.compat.compatible(want, have)) ||
                (want->isBool() && have->isPointer());
    if (!fits) {
      if (!want->isError())
        diags.report(diag::inlet_argument_type, c->args[i]->range)
            << i + 1 - isVoid << inlet->name << toString(want) << toString(have);
      return false;
    }
    if (!sema.compat.compatible(want, have))
      diags.report(diag::cilk_compat, c->args[i]->range)
          << "argument " + std::to_string(i + 1 - isVoid) + " of the inlet" << toString(want) << toString(have);
    c->args[i] = sema.conv.assignConvert(c->args[i], want,
        "argument " + std::to_string(i + 1 - isVoid) + " of '" + std::string(inlet->name) + "'", c->args[i]->range);
    if (c->args[i]->type->isError()) bad = true;
  }
  if (bad) return false;
  out->form = SpawnForm::Inlet;
  out->inlet = inlet;
  out->inletName = c->callee;
  if (!isVoid) out->value = c->args[0];
  out->arguments.assign(c->args.begin() + 1, c->args.end());
  return true;
}

}  // namespace cilkc
