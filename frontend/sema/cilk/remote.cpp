// remote.cpp - the rules of `__attribute__((cilk_remote))` (stdlib/cilk-remote.h): other machines may run such threads
// and procedures, and their memory is another.
//
// Arguments and results are values: no pointer is in them, however deep. Continuations are translated where they
// travel. A thread has one as its first parameter, or no machine would know when it is over.
//
// A remote Cilk procedure `T f(..)` begins with
//     future T *p = f.offer(..);  if (p) { touch *p; return f.taken(p); }
// where f.offer and f.taken are C functions that codegen makes (codegen/clones/root.cpp). While another machine asks
// for work, f.offer hands the call to the runtime. The instance waits for the value as for any future: its parent goes
// on.
#include "frontend/sema/cilk/build.h"
#include "diag/cilk1.h"

namespace cilkc {

namespace {

// Why a value of this type cannot be sent to another machine; nullptr if it can.
const char *whyNotSent(QualType t) {
  if (t->isCont()) return whyNotSent(t->as<RecordType>()->continues);
  if (t->isFuture()) return "a future";
  if (t->isPointer()) return "a pointer";
  if (t->isArray())
    return t->as<ArrayType>()->arrayKind == ArrayKind::Constant ? whyNotSent(t->as<ArrayType>()->elem)
                                                                : "an array whose size is not constant";
  if (!t->isRecord()) return nullptr;
  const auto *r = t->as<RecordType>();
  for (const FieldDecl *field : r->fields) {
    if (r->isUnion && field->type->isCont()) return "a union with a continuation";
    if (const char *why = whyNotSent(field->type)) return why;
  }
  return nullptr;
}

}  // namespace

void CilkRules::checkRemote(const FunctionDecl *f, Range where) {
  if (!f->type || !f->type->isFunction()) return;
  if (!f->isThread && !f->isCilk) {
    diags.report(diag::remote_misplaced, where)
        .note(where, "only threads and Cilk procedures can be taken by other machines");
    return;
  }
  const auto *type = f->type->as<FunctionType>();
  auto refuse = [&](const std::string &what, QualType t, const char *why) {
    diags.report(diag::remote_by_value, where)
            .note(where, "pass the values themselves, in a struct if there are many: docs/travel.md has an example")
        << f->name << what << toString(t) << why;
  };
  for (size_t i = 0; i < type->params.size(); i++)
    if (const char *why = whyNotSent(type->params[i]))
      refuse("parameter " + std::to_string(i + 1), type->params[i], why);
  if (const char *why = whyNotSent(type->result)) refuse("the result", type->result, why);
  if (f->isThread && (type->params.empty() || (!type->params[0]->isCont() && !type->params[0]->isError())))
    diags.report(diag::remote_without_continuation, where)
            .note(where, "let its first parameter be `cont int k`, and send a value at its end")
        << f->name;
}

namespace {

FunctionDecl *helper(CilkSema &s, const FunctionDecl *f, const char *what, QualType result,
    std::vector<QualType> params) {
  FunctionType type;
  type.result = result;
  type.params = std::move(params);
  auto *h = s.cx.make<FunctionDecl>();
  h->name = s.cx.intern(std::string(f->name) + what);
  h->type = s.cx.functionType(type);
  h->range = f->range;
  h->storage = StorageClass::Static;
  h->linkage = Linkage::Internal;
  h->attrs.alwaysInline = h->used = true;
  return h;
}

}  // namespace

void CilkRules::offerRemote(FunctionDef *def) {
  CilkSema &s = sema;
  FunctionDecl *f = def->fn;
  const auto *type = f->type->as<FunctionType>();
  Build b{s, f->range};
  QualType result = type->result.unqual(),
           future = s.cx.futureOf(result->isVoid() ? QualType(s.cx.basic(TypeKind::Char)) : result);
  QualType pointer = s.cx.pointerTo(future);
  f->offers = helper(s, f, ".offer", pointer, type->params);
  f->takes = helper(s, f, ".taken", result, {pointer});
  f->takes->isAdapter = true;
  s.cx.futures = true;
  VarDecl *p = b.local(pointer, "offered");
  std::vector<Expr *> arguments;
  for (VarDecl *v : f->params) arguments.push_back(b.value(v));
  auto *pointee = b.make<Unary>();
  pointee->op = UnaryOp::Deref;
  pointee->sub = b.value(p);
  pointee->type = future;
  pointee->lvalue = true;
  auto *touch = b.make<TouchStmt>();
  touch->future = pointee;
  auto *leave = b.make<ReturnStmt>();
  std::vector<Stmt *> then{touch};
  Call *taken = b.call(f->takes, {b.value(p)});
  if (result->isVoid()) {
    auto *call = b.make<ExprStmt>();
    call->expr = s.conv.discard(taken);
    then.push_back(call);
  } else leave->value = taken;
  then.push_back(leave);
  Expr *accepted = b.binary(BinaryOp::Ne, b.value(p), b.convert(b.number(0), pointer));
  std::vector<Stmt *> &body = def->body->body;
  Stmt *first[] = {b.assign(p, b.call(f->offers, std::move(arguments))),
      b.branch(accepted, b.block(std::move(then)), nullptr)};
  body.insert(body.begin(), std::begin(first), std::end(first));
}

}  // namespace cilkc
