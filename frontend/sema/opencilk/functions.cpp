// functions.cpp - which functions become procedures. OpenCilk marks none: each function whose text can reach a spawn,
// by calls of functions of this unit, becomes a procedure. The function itself stays a C function with its own type and
// name, which enters the procedure (codegen/clones/root.cpp). So pointers, qsort and other files call the function as
// before. Calls in the unit's procedures go to the procedure, and wait for it alone.
//
// The search is by names, before anything has a type: a local variable that hides a function's name makes a procedure
// too many, which is no harm.
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/sema/cilk/build.h"

namespace cilkc {

namespace {

struct Facts {
  FunctionDef *def;
  bool spawns = false;  // by itself
  bool plain = false;  // it has what a procedure cannot have, and stays a C function unless it spawns by itself
  std::unordered_set<std::string_view> calls;
};

// A procedure goes on in any worker after a call. A function that asks for its thread, or uses what each thread has of
// its own, stays on the thread that it was called on: a C function waits for what it calls.
bool isOfThread(std::string_view callee) {
  static const std::unordered_set<std::string_view> names = {"pthread_self", "pthread_exit", "pthread_getspecific",
      "pthread_setspecific", "pthread_equal", "thrd_current", "thrd_exit", "tss_get", "tss_set", "gettid"};
  return names.count(callee);
}

bool keepsPlain(std::string_view callee) {
  return callee.find("va_start") != callee.npos || callee.find("setjmp") != callee.npos || callee == "vfork" ||
         callee == "getcontext" || callee == "__builtin_apply_args" || callee == "__builtin_return_address" ||
         callee == "__builtin_frame_address" || isOfThread(callee);
}

Facts factsOf(FunctionDef *def, const std::unordered_set<std::string_view> &threadLocal) {
  Facts f{def, false, false, {}};
  for (const DeclChunk &c : def->declarator->chunks) {
    if (c.kind == DeclChunk::Function && c.variadic) f.plain = true;  // a caller of C has no gain from it
    if (c.kind == DeclChunk::Function) break;
  }
  eachNode(static_cast<const Stmt *>(def->body), Walk::Written, [&](const auto *n) {
    using T = std::remove_cvref_t<decltype(*n)>;
    if constexpr (std::is_base_of_v<Expr, T>) {
      if (n->kind == ExprKind::Spawn) f.spawns |= n->template as<Spawn>()->word == SpawnWord::CilkSpawn;
      if (n->kind == ExprKind::LabelAddr) f.plain = true;
      if (n->kind == ExprKind::Ident) f.plain |= threadLocal.count(n->template as<Ident>()->name) != 0;
      if (n->kind == ExprKind::Call)
        if (const Expr *callee = ignoreParens(n->template as<Call>()->callee); callee->kind == ExprKind::Ident) {
          f.calls.insert(callee->template as<Ident>()->name);
          f.plain |= keepsPlain(callee->template as<Ident>()->name);
        }
    } else if constexpr (std::is_base_of_v<Stmt, T>) {
      if (n->kind == StmtKind::For) f.spawns |= n->template as<ForStmt>()->isParallel;
      if (n->kind == StmtKind::Compound) f.spawns |= n->template as<CompoundStmt>()->isScope;
      if (n->kind == StmtKind::Function || n->kind == StmtKind::GotoExpr) f.plain = true;
      if (n->kind == StmtKind::Decl)
        if (const Declaration *d = n->template as<DeclStmt>()->decl; d && d->specs) f.plain |= d->specs->threadLocal;
    }
  });
  for (const Attr *a : def->specs->attrs)
    if (a->name == "always_inline" || a->name == "gnu_inline" || a->name == "naked" || a->name == "constructor" ||
        a->name == "destructor")
      f.plain = true;
  return f;
}

}  // namespace

void OpenCilkRules::findSpawning() {
  if (!cx.openCilkWords) return;
  std::unordered_set<std::string_view> threadLocal;
  for (ExternalDecl &d : sema.tu->decls)
    if (d.decl && d.decl->specs && d.decl->specs->threadLocal)
      for (const InitDeclarator &one : d.decl->declarators) threadLocal.insert(one.declarator->name);
  std::unordered_map<std::string_view, Facts> all;
  for (ExternalDecl &d : sema.tu->decls)
    if (d.function && d.function->body && d.function->declarator && d.function->specs && !d.function->specs->cilk &&
        !d.function->specs->thread && !d.function->specs->inlet)
      all.emplace(d.function->declarator->name, factsOf(d.function, threadLocal));
  // Callers of what spawns, and theirs.
  std::unordered_map<std::string_view, std::vector<std::string_view>> callers;
  std::vector<std::string_view> todo;
  for (auto &[name, f] : all) {
    for (std::string_view callee : f.calls) callers[callee].push_back(name);
    if (f.spawns) todo.push_back(name);
  }
  while (!todo.empty()) {
    std::string_view name = todo.back();
    todo.pop_back();
    Facts &f = all.at(name);
    if (!sema.os.spawning.emplace(name, f.def).second) continue;
    f.def->spawns = true;
    for (std::string_view caller : callers[name])
      if (!all.at(caller).plain && !sema.os.spawning.count(caller)) todo.push_back(caller);
  }
}

bool OpenCilkRules::inside() const {
  return !sema.os.spawning.empty() && sema.inProcedure() && !sema.unevaluated && !sema.fs->inside.stmtExprs;
}

namespace {

// A function with `...` hands its procedure the address of a va_list.
FunctionDecl *makeProcedure(CilkSema &sema, FunctionDecl *f) {
  AstContext &cx = sema.cx;
  FunctionType type = *f->type->as<FunctionType>();
  type.isCilk = true;
  if (type.variadic) type.params.push_back(cx.pointerTo(cx.basic(TypeKind::Void)));
  type.variadic = false;
  auto *p = cx.make<FunctionDecl>();
  p->name = f->name;
  p->type = cx.functionType(type);
  p->range = f->range;
  p->storage = StorageClass::Static;
  p->linkage = Linkage::Internal;
  p->isCilk = p->used = p->externInline = true;
  p->entered = f;
  f->procedure = p;
  sema.tu->functions.push_back(p);
  return p;
}

}  // namespace

// Functions with `...` are called as C functions.
FunctionDecl *OpenCilkRules::procedureOf(FunctionDecl *f) {
  if (f->parent || f->isThread || !f->type || !f->type->isFunction()) return nullptr;
  const auto *ft = f->type->as<FunctionType>();
  if (ft->variadic) return nullptr;
  if (f->procedure || f->isCilk) return f->procedure;
  if (!sema.os.spawning.count(f->name) || (!ft->prototype && !f->def)) return nullptr;
  return makeProcedure(sema, f);
}

FunctionDecl *OpenCilkRules::define(FunctionDecl *f, FunctionDef *def) {
  if (!def->spawns) return f;
  const bool variadic =
      f->type && f->type->isFunction() && f->type->as<FunctionType>()->variadic && sema.os.spawning.count(f->name);
  FunctionDecl *p = variadic ? makeProcedure(sema, f) : procedureOf(f);
  if (!p) return f;
  p->range = f->range;
  p->def = def;
  p->attrs.cold = f->attrs.cold;
  p->attrs.hot = f->attrs.hot;
  p->attrs.noinline = f->attrs.noinline;
  p->attrs.optnone = f->attrs.optnone;
  p->attrs.targetFeatures = f->attrs.targetFeatures;
  p->attrs.noSanitize = f->attrs.noSanitize;
  return p;
}

}  // namespace cilkc
