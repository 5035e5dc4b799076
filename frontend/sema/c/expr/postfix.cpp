// postfix.cpp - calls, members, subscripts (C17 6.5.2).
#include "frontend/types/access.h"
#include "frontend/ast/query.h"
#include "frontend/builtins/builtins.h"
#include "frontend/sema/c/core/sema.h"
#include "diag/cilk.h"
#include "diag/parse.h"
#include "diag/sema_expr.h"
#include "diag/warn.h"

namespace cilkc {

namespace {
bool returnsTwice(std::string_view n) {
  return n == "setjmp" || n == "_setjmp" || n == "sigsetjmp" || n == "__sigsetjmp" || n == "vfork" ||
         n == "getcontext" || n == "savectx";
}

// A cilk procedure for a parameter that points to a C function.
bool takesFunction(const Expr *argument, QualType parameter) {
  QualType given = ignoreParensAndImplicit(argument)->type;
  if (given->isPointer()) given = given->as<PointerType>()->pointee;
  if (!given->isFunction() || !given->as<FunctionType>()->isCilk || !parameter->isPointer()) return false;
  QualType wanted = parameter->as<PointerType>()->pointee;
  return wanted->isFunction() && !wanted->as<FunctionType>()->isCilk;
}
}  // namespace

// ---- calls --------------------------------------------------------------------------------------------------------

// Converts the arguments from firstArg on to the parameters from the same number on. Returns an error node if their
// number is wrong.
Expr *Exprs::callArguments(Call *c, const FunctionType *ft, size_t firstArg, const char *what) {
  const Expr *callee = c->callee;
  callee = ignoreParensAndImplicit(callee);
  const Decl *decl = callee->kind == ExprKind::Ident ? callee->as<Ident>()->decl : nullptr;
  std::string name = decl ? "'" + std::string(decl->name) + "'" : std::string(what);
  size_t expected = ft->params.size(), given = c->args.size();
  if (ft->prototype && (given < expected || (given > expected && !ft->variadic))) {
    Range where = given > expected ? Range::join(c->args[expected]->range, c->args.back()->range) : c->range;
    auto d = diags.report(given < expected ? diag::too_few_arguments : diag::too_many_arguments, where);
    d << name << expected << given << (ft->variadic ? "at least " : "");
    if (decl && decl->range.valid())
      d.note(decl->range, name + " is declared here: `" + declToString(decl->type, decl->name) + "`");
    return sema.conv.error(c->range);
  }
  for (size_t i = firstArg; i < given; i++) {
    Expr *&a = c->args[i];
    if (a->type->isError()) continue;
    std::string context = "argument " + std::to_string(i + 1) + " of " + name;
    if (ft->prototype && i < expected && takesFunction(a, ft->params[i])) {
      // par_for takes a C function, par_for_cilk a procedure.
      std::string other = decl ? std::string(decl->name) + "_cilk" : "";
      const Decl *form = decl ? sema.scopes.lookup(other) : nullptr;
      if (form && form->type->isFunction()) {
        diags.report(diag::c_pointer_from_cilk, a->range)
                .note(a->range, "'" + other + "' takes a procedure: write `spawn " + other + "(..);`")
            << toString(ignoreParensAndImplicit(a)->type) << toString(ft->params[i]) << context;
        a = sema.conv.error(a->range);
        continue;
      }
    }
    if (ft->prototype && i < expected) {
      a = sema.conv.assignConvert(a, ft->params[i], context, a->range);
    } else {
      if (a->type->isVoid()) {
        diags.report(diag::void_value, a->range) << context;
        a = sema.conv.error(a->range);
        continue;
      }
      if (a->type->kind == TypeKind::Float && !sema.unevaluated)
        diags.report(diag::double_promotion, a->range) << context;
      a = sema.conv.defaultPromote(a);
    }
  }
  return nullptr;
}

Expr *Exprs::exprCall(Call *c) {
  // Name first: an undeclared one may be a builtin or an implicit function.
  Expr *raw = ignoreParens(c->callee);
  Expr **slot = &c->callee;
  while ((*slot)->kind == ExprKind::Paren) slot = &(*slot)->as<ParenExpr>()->sub;
  if (raw->kind == ExprKind::Ident && !raw->type) {
    auto *id = raw->as<Ident>();
    if (id->name == "__builtin_choose_expr" && c->args.size() == 3 && !sema.scopes.lookup(id->name)) {
      auto *choose = cx.make<ChooseExpr>();
      choose->range = c->range;
      choose->cond = c->args[0], choose->then = c->args[1], choose->otherwise = c->args[2];
      return expr(choose);
    }
    if (id->name == "__builtin_addressof" && c->args.size() == 1 && !sema.scopes.lookup(id->name)) {
      auto *address = cx.make<Unary>();
      address->range = c->range;
      address->op = UnaryOp::AddrOf;
      address->sub = sema.hooks.operandItself(c->args[0]);
      if (!address->sub) address->sub = exprIn(SpawnPlace::Operand, c->args[0]);
      return expr(address);
    }
    if (Expr *e = sema.hooks.refuseUndeclared(c, id)) return e;
    *slot = sema.hooks.view(exprIdent(id, true));
  }
  c->callee = exprIn(SpawnPlace::CalledFunction, c->callee);
  Expr *callee = c->callee;
  raw = ignoreParens(callee);
  FunctionDecl *decl = nullptr;
  if (raw->kind == ExprKind::Ident && raw->as<Ident>()->decl && raw->as<Ident>()->decl->kind == DeclKind::Function)
    decl = raw->as<Ident>()->decl->as<FunctionDecl>();

  if (decl && decl->builtin) {
    bool spelled = decl->name.starts_with("__");
    bool plainAlloca = decl->name == "alloca" && !decl->def && !cx.lang.freestanding &&
                       decl->builtin == static_cast<int>(BuiltinId::alloca);
    if (spelled || plainAlloca) {
      c->builtin = decl->builtin;
      Saved place(sema.spawnPlace, SpawnPlace::Argument);
      return sema.builtins.builtinCall(c);
    }
  }

  bool bad = callee->type->isError();
  for (Expr *&a : c->args) {
    a = rvalueIn(decl && decl->isInlet ? SpawnPlace::InletArgument : SpawnPlace::Argument, a);
    if (a->type->isError()) bad = true;
  }
  if (callee->type->isError()) return sema.conv.error(c->range);

  const FunctionType *ft = nullptr;
  if (callee->type->isFunction()) ft = callee->type->as<FunctionType>();
  else {
    callee = sema.conv.load(callee);
    if (callee->type->isError()) return sema.conv.error(c->range);
    if (callee->type->isPointer() && callee->type->as<PointerType>()->pointee->isFunction())
      ft = callee->type->as<PointerType>()->pointee->as<FunctionType>();
  }
  if (!ft) {
    auto d = diags.report(diag::call_of_non_function, c->callee->range);
    d << toString(c->callee->type);
    if (ignoreParens(c->callee)->kind == ExprKind::Synched)
      d.note(c->callee->range, "write SYNCHED without parentheses");
    if (decl) d.note(decl->range, "declared here");
    return sema.conv.error(c->range);
  }
  if (Expr *e = sema.hooks.refuseCall(c, decl, ft, bad)) return e;
  c->callee = sema.conv.load(c->callee);
  if (decl && decl->implicit && decl->builtin && ft->prototype &&
      (c->args.size() < ft->params.size() || (c->args.size() > ft->params.size() && !ft->variadic))) {
    // a library function that nothing declares is called as it is written
    FunctionType loose;
    loose.result = ft->result;
    loose.prototype = false;
    ft = cx.functionType(loose)->as<FunctionType>();
  }
  c->fnType = ft;
  if (bad) return sema.conv.error(c->range);
  if (Expr *e = callArguments(c, ft, 0, "the called function")) return e;
  for (Expr *a : c->args)
    if (a->type->isError()) return sema.conv.error(c->range);
  QualType result = ft->result.unqual();
  if (!result->isVoid() && !sema.types.requireComplete(result, c->range, "result")) return sema.conv.error(c->range);
  c->type = result;
  if (decl && sema.fs && sema.fs->fn && !sema.unevaluated) {
    if (returnsTwice(decl->name) || decl->attrs.returnsTwice) sema.fs->fn->callsSetjmp = true;
  }
  sema.warn.checkCallWarnings(c);
  return decl ? sema.hooks.lowerCall(c, decl) : c;
}

// ---- members ------------------------------------------------------------------------------------------------------

Expr *Exprs::exprMember(Member *m) {
  // a.b.c.d… and p->n->n… are left spines, too.
  std::vector<Member *> spine{m};
  while (spine.back()->base && spine.back()->base->kind == ExprKind::Member && !spine.back()->base->type)
    spine.push_back(spine.back()->base->as<Member>());
  Expr *result = nullptr;
  for (auto it = spine.rbegin(); it != spine.rend(); ++it) {
    m = *it;
    Expr *base = result ? sema.hooks.view(result) : expr(m->base);
    m->base = base;
    // p->m: of *p's view
    if (m->arrow && base->type->isPointer() && base->type->as<PointerType>()->pointee->isReducer()) {
      auto *object = cx.make<Unary>();
      object->range = base->range;
      object->op = UnaryOp::Deref;
      object->sub = sema.conv.load(base);
      m->base = base = expr(object);
      m->arrow = false;
    }
    if (base->type->isError()) {
      result = sema.conv.error(m->range);
      continue;
    }
    Range where = m->nameRange.valid() ? m->nameRange : m->range;
    QualType rec = base->type;
    if (m->arrow) {
      if (base->type->isRecord()) {
        diags.report(diag::arrow_on_record, where) << m->name << toString(base->type);
        result = sema.conv.error(m->range);
        continue;
      }
      base = m->base = sema.conv.load(base);
      if (base->type->isError()) {
        result = sema.conv.error(m->range);
        continue;
      }
      if (!base->type->isPointer() || !base->type->as<PointerType>()->pointee->isRecord()) {
        if (!base->type->isPointer() || !base->type->as<PointerType>()->pointee->isError())
          diags.report(diag::member_of_non_record, where) << m->name << toString(base->type);
        result = sema.conv.error(m->range);
        continue;
      }
      rec = base->type->as<PointerType>()->pointee;
    } else if (!rec->isRecord()) {
      bool pointer = rec->isPointer() && rec->as<PointerType>()->pointee->isRecord();
      if (pointer) diags.report(diag::dot_on_pointer, where) << m->name << toString(rec);
      else diags.report(diag::member_of_non_record, where) << m->name << toString(rec);
      result = sema.conv.error(m->range);
      continue;
    }
    const auto *r = rec->as<RecordType>();
    if (sema.scopes.leftOut(m->name) && (!r->complete || !findMember(r, m->name, m->path))) {
      result = sema.conv.error(m->range);
      continue;
    }
    if (!r->complete) {
      if (!sema.scopes.leftOut(r->tag))
        diags.report(diag::member_of_incomplete, where) << toString(rec.unqual()) << m->name;
      result = sema.conv.error(m->range);
      continue;
    }
    m->path.clear();
    if (!findMember(r, m->name, m->path)) {
      auto d = diags.report(diag::no_member, where);
      d << toString(rec.unqual()) << m->name;
      if (std::string meant = memberLike(r, m->name); !meant.empty())
        d.note(where, "did you mean '" + meant + "'?").fixit(where, meant);
      result = sema.conv.error(m->range);
      continue;
    }
    unsigned quals = rec.quals & QualBits & ~unsigned(QAtomic);
    for (size_t i = 0; i + 1 < m->path.size(); i++) quals |= m->path[i]->type.quals;
    const FieldDecl *f = m->path.back();
    if (!f->type || f->type->isError()) {
      result = sema.conv.error(m->range);
      continue;
    }
    warnDeprecated(f, m->name, where);
    m->lvalue = m->arrow || base->lvalue;
    m->type = m->lvalue ? cx.qualify(f->type, quals) : f->type->isArray() ? f->type : f->type.unqual();
    m->bitField = f->bitField;
    result = m;
  }
  return result;
}

// ---- subscripts ---------------------------------------------------------------------------------------------------

Expr *Exprs::exprIndex(Index *x) {
  std::vector<Index *> spine{x};
  while (spine.back()->base && spine.back()->base->kind == ExprKind::Index && !spine.back()->base->type)
    spine.push_back(spine.back()->base->as<Index>());
  Saved place(sema.spawnPlace, SpawnPlace::Subscript);
  Expr *result = nullptr;
  for (auto it = spine.rbegin(); it != spine.rend(); ++it) {
    x = *it;
    Expr *base = result ? result : expr(x->base);
    Expr *index = expr(x->index);
    x->base = base, x->index = index;
    if (base->type->isError() || index->type->isError()) {
      result = sema.conv.error(x->range);
      continue;
    }
    if (base->type->isVector() || index->type->isVector()) {
      if (!base->type->isVector()) std::swap(base, index);
      index = sema.conv.load(index);
      if (!index->type->isInteger()) {
        diags.report(diag::subscript_not_integer, index->range) << toString(index->type);
        result = sema.conv.error(x->range);
        continue;
      }
      x->base = base;
      x->index = sema.conv.convert(index, cx.ptrdiffType());
      x->lvalue = base->lvalue;
      x->type = QualType(base->type->as<VectorType>()->elem, base->lvalue ? base->type.quals : 0);
      result = x;
      continue;
    }
    for (Expr **side : {&base, &index})
      if ((*side)->type->isArray() && !(*side)->lvalue && cx.lang.std < LangOptions::C99) {
        diags.report(diag::c99_extension, (*side)->range) << "subscripts of arrays that are not objects";
        *side = sema.conv.implicit(CastKind::ArrayToPointer, *side, cx.pointerTo((*side)->type->as<ArrayType>()->elem));
      }
    base = sema.conv.load(base), index = sema.conv.load(index);
    if (base->type->isError() || index->type->isError()) {
      result = sema.conv.error(x->range);
      continue;
    }
    if (!base->type->isPointer() && index->type->isPointer()) std::swap(base, index);
    if (!base->type->isPointer()) {
      diags.report(diag::subscript_of_non_array, x->base->range) << toString(x->base->type);
      result = sema.conv.error(x->range);
      continue;
    }
    if (!index->type->isInteger()) {
      diags.report(diag::subscript_not_integer, index->range) << toString(index->type);
      result = sema.conv.error(x->range);
      continue;
    }
    QualType p = base->type->as<PointerType>()->pointee;
    if (p->isFunction()) {
      diags.report(diag::subscript_of_function_pointer, x->range) << toString(base->type);
      result = sema.conv.error(x->range);
      continue;
    }
    if (p->isVoid()) diags.report(diag::pedantic_pointer_arith, x->range) << toString(base->type);
    else if (!sema.types.requireComplete(p, x->range, "subscript")) {
      result = sema.conv.error(x->range);
      continue;
    }
    // A char as a subscript is often a sign mistake.
    const Expr *plain = index;
    while (plain->kind == ExprKind::ImplicitCast) plain = plain->as<ImplicitCast>()->sub;
    if (plain->type->kind == TypeKind::Char && plain->kind != ExprKind::CharLit && !sema.unevaluated)
      diags.report(diag::char_subscript, index->range);
    // A constant index beyond a local or global array.
    if (auto v = sema.conv.knownInteger(index); v && !sema.deadCode && !sema.unevaluated &&
                                                base->kind == ExprKind::ImplicitCast &&
                                                base->as<ImplicitCast>()->castKind == CastKind::ArrayToPointer) {
      const Expr *arr = base->as<ImplicitCast>()->sub;
      const auto *at = arr->type->as<ArrayType>();
      // A trailing array of one or no elements may be a flexible one in old programs; so may any in a struct.
      if (at->arrayKind == ArrayKind::Constant && ignoreParens(arr)->kind == ExprKind::Ident && at->count > 0 &&
          (*v < 0 || *v > static_cast<__int128>(at->count)))
        diags.report(diag::array_bounds, x->range) << static_cast<long long>(*v) << toString(arr->type);
    }
    x->base = base;
    x->index = sema.conv.convert(index, cx.ptrdiffType());
    x->type = p;
    x->lvalue = !p->isVoid();
    result = x;
  }
  return result;
}

// *(a + n)
void Exprs::checkSum(const Expr *e) {
  const Expr *sum = ignoreParens(e->as<Unary>()->sub);
  if (sum->kind != ExprKind::Binary || sum->as<Binary>()->op != BinaryOp::Add) return;
  const Expr *base = ignoreParens(sum->as<Binary>()->lhs);
  if (base->kind != ExprKind::ImplicitCast || base->as<ImplicitCast>()->castKind != CastKind::ArrayToPointer) return;
  const Expr *array = ignoreParens(base->as<ImplicitCast>()->sub);
  const auto *at = array->type->as<ArrayType>();
  auto v = sema.conv.knownInteger(sum->as<Binary>()->rhs);
  if (v && array->kind == ExprKind::Ident && at->arrayKind == ArrayKind::Constant && at->count > 0 &&
      (*v < 0 || *v >= static_cast<__int128>(at->count)))
    diags.report(diag::array_bounds, e->range) << static_cast<long long>(*v) << toString(array->type);
}

// One past the end may be pointed to, but there is nothing there.
void Exprs::checkPastTheEnd(const Expr *e) {
  e = ignoreParens(e);
  if (!e || sema.deadCode || sema.unevaluated) return;
  if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::Deref) return checkSum(e);
  if (e->kind != ExprKind::Index) return;
  const auto *x = e->as<Index>();
  if (x->base->kind != ExprKind::ImplicitCast || x->base->as<ImplicitCast>()->castKind != CastKind::ArrayToPointer)
    return;
  const Expr *arr = x->base->as<ImplicitCast>()->sub;
  arr = ignoreParens(arr);
  if (arr->kind != ExprKind::Ident || !arr->type->isArray()) return;
  const auto *at = arr->type->as<ArrayType>();
  auto v = sema.conv.knownInteger(x->index);
  if (v && at->arrayKind == ArrayKind::Constant && at->count > 0 && *v == static_cast<__int128>(at->count) &&
      !x->type->isArray())
    diags.report(diag::array_bounds, x->range) << static_cast<long long>(*v) << toString(arr->type);
}

}  // namespace cilkc
