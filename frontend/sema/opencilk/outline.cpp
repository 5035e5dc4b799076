// outline.cpp - a block or a loop's body becomes a procedure of its own. What it uses of the functions around it
// becomes a parameter: by value where the text neither writes to it nor takes its address, so that a loop over it
// vectorises; else the variable's address, and the uses go through it.
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/sema/opencilk/outline.h"

namespace cilkc {

namespace {

// The names of the variables that an untyped lvalue may be, or be a part of. v[i] is a part of v where v is a vector,
// and of what v points to elsewhere. Parts of records do not matter: a record is captured by address.
void noteRoots(const Expr *e, std::unordered_set<std::string_view> &names,
    std::unordered_set<std::string_view> &elements) {
  e = ignoreParens(e);
  if (!e) return;
  if (e->kind == ExprKind::Ident) names.insert(e->as<Ident>()->name);
  else if (e->kind == ExprKind::Index) {
    noteRoots(e->as<Index>()->base, elements, elements);
    noteRoots(e->as<Index>()->index, elements, elements);
  } else if (e->kind == ExprKind::Unary && (e->as<Unary>()->op == UnaryOp::Real || e->as<Unary>()->op == UnaryOp::Imag))
    noteRoots(e->as<Unary>()->sub, names, elements);
  else if (e->kind == ExprKind::Generic)
    for (const GenericAssoc &a : e->as<Generic>()->assocs) noteRoots(a.value, names, elements);
  else if (e->kind == ExprKind::ChooseExpr) {
    noteRoots(e->as<ChooseExpr>()->then, names, elements);
    noteRoots(e->as<ChooseExpr>()->otherwise, names, elements);
  }
}

void eachWritten(const Stmt *s, const auto &f) {
  eachNode(s, Walk::Written, [&](const auto *n) {
    if constexpr (std::is_base_of_v<Expr, std::remove_cvref_t<decltype(*n)>>) {
      if (n->kind == ExprKind::Assign) f(n->template as<Assign>()->lhs, false);
      if (n->kind == ExprKind::Unary && isIncDec(n->template as<Unary>()->op)) f(n->template as<Unary>()->sub, false);
      if (n->kind == ExprKind::Unary && n->template as<Unary>()->op == UnaryOp::AddrOf)
        f(n->template as<Unary>()->sub, true);
    } else if constexpr (std::is_base_of_v<Stmt, std::remove_cvref_t<decltype(*n)>>) {
      if (n->kind == StmtKind::Asm)
        for (const AsmOperand &o : n->template as<AsmStmt>()->outputs) f(o.expr, true);
    }
  });
}

}  // namespace

void namesWritten(const Stmt *s, OpenCilkFunction &f) {
  eachWritten(s, [&](const Expr *e, bool) { noteRoots(e, f.written, f.elements); });
}

// A function with `...` passes its procedure the address of a va_list, as the last parameter.
static void takeRest(CilkSema &sema, FunctionDecl *p) {
  const std::vector<QualType> &types = p->type->as<FunctionType>()->params;
  if (!p->entered || types.size() <= p->params.size()) return;
  auto *rest = sema.cx.make<VarDecl>();
  rest->name = sema.cx.intern("...");
  rest->type = types.back();
  rest->range = p->range;
  rest->isParam = rest->isLocal = rest->isDefinition = rest->used = true;
  rest->paramIndex = static_cast<uint32_t>(p->params.size());
  rest->fn = p;
  p->params.push_back(rest);
}

void OpenCilkRules::functionBegins(FunctionDef *def) {
  OpenCilkFunction *here = sema.fs->openCilk = cx.make<OpenCilkFunction>();
  if (!def->spawns || !def->fn->entered) return;
  takeRest(sema, def->fn);
  eachWritten(def->body, [&](const Expr *e, bool address) {
    if (address) noteRoots(e, here->addressed, here->elements);
  });
}

Outline::Outline(CilkSema &s, const char *what, QualType result, Range r, std::string_view shown) : sema(s), where(r) {
  fn = s.cx.make<FunctionDecl>();
  FunctionDecl *around = s.fs->fn;
  fn->name = s.cx.intern(std::string(around->name) + "." + what + "." + std::to_string(s.tu->functions.size()));
  if (shown.empty()) {
    const FunctionState *user = s.fs;
    while (user->fn->isOutlined && user->up) user = user->up;
    const std::string_view noun = std::string_view(what) == "for" ? "loop" : what;
    const std::string line = std::to_string(s.diags.sources().presumed(r.begin).line);
    shown = s.cx.intern(std::string(noun) + " of " + std::string(user->fn->name) + " (line " + line + ")");
  }
  fn->shown = shown;
  fn->range = r;
  fn->storage = StorageClass::Static;
  fn->linkage = Linkage::Internal;
  fn->isCilk = fn->isOutlined = fn->used = fn->externInline = true;
  fn->attrs.targetFeatures = around->attrs.targetFeatures;
  fn->attrs.noSanitize = around->attrs.noSanitize;
  fn->attrs.optnone = around->attrs.optnone;
  FunctionType type;
  type.result = result;
  type.isCilk = true;
  fn->type = s.cx.functionType(type);
  state.up = s.fs;
  state.fn = fn;
  state.cilkMode = s.fs->cilkMode;
  own.outlined = what;
  own.addressed = s.here()->addressed;
  own.elements = s.here()->elements;
  state.openCilk = &own;
  s.fs = &state;
  s.scopes.pushScope(Scope::Function);
}

VarDecl *Outline::parameter(QualType type, std::string_view name) {
  auto *v = sema.cx.make<VarDecl>();
  v->name = sema.cx.intern(name);
  // The sizes in a type are those of variables elsewhere: this procedure must not evaluate them.
  v->type = isVariablyModified(type.type) ? sema.cx.pointerTo(sema.cx.basic(TypeKind::Void)) : type;
  v->range = where;
  v->isParam = v->isLocal = v->isDefinition = v->used = true;
  v->paramIndex = static_cast<uint32_t>(fn->params.size());
  v->fn = fn;
  fn->params.push_back(v);
  return v;
}

FunctionDecl *Outline::finish(std::vector<Stmt *> body) {
  FunctionType type = *fn->type->as<FunctionType>();
  for (VarDecl *p : fn->params) type.params.push_back(p->type.unqual());
  fn->type = sema.cx.functionType(type);
  auto *def = sema.cx.make<FunctionDef>();
  def->range = where;
  def->cilkMode = state.cilkMode;
  def->fn = fn;
  def->body = sema.cx.make<CompoundStmt>();
  def->body->range = where;
  def->body->closing = Range{where.end, where.end};
  def->body->body = std::move(body);
  fn->def = def;
  sema.stmts.finishLabels();
  sema.openCilk.settleCalls(def);
  sema.scopes.popScope();
  sema.fs = state.up;
  sema.tu->functions.push_back(fn);
  finished = true;
  return fn;
}

Outline::~Outline() {
  if (finished) return;
  sema.scopes.popScope();
  sema.fs = state.up;
}

// In the function around, the outer variable may itself be one that is captured there.
std::vector<Expr *> Outline::captured(const Build &b) const {
  std::vector<Expr *> arguments;
  for (const OpenCilkFunction::Capture &c : own.captures) {
    Expr *e = b.ref(c.outer);
    if (Expr *further = sema.openCilk.capture(static_cast<Ident *>(e), c.outer)) e = further;
    if (c.byValue) arguments.push_back(sema.conv.load(e));
    else if (c.outer->type->isArray()) arguments.push_back(sema.conv.load(e));
    else {
      sema.conv.markAddressTaken(e);
      auto *address = b.make<Unary>();
      address->op = UnaryOp::AddrOf;
      address->sub = e;
      address->type = c.param->type;
      arguments.push_back(address);
    }
  }
  return arguments;
}

std::vector<Expr *> Outline::passedOn(const Build &b) const {
  std::vector<Expr *> arguments;
  for (const OpenCilkFunction::Capture &c : own.captures) arguments.push_back(b.value(c.param));
  return arguments;
}

QualType OpenCilkRules::retype(QualType t, Range where) const {
  if (!isVariablyModified(t.type)) return t;
  if (t->isPointer()) return {cx.pointerTo(retype(t->as<PointerType>()->pointee, where)).type, t.quals};
  if (!t->isArray()) return t;
  const auto *a = t->as<ArrayType>();
  QualType element = retype(a->elem, where);
  if (a->arrayKind == ArrayKind::Constant) return {cx.arrayOf(element, a->count).type, t.quals};
  if (a->arrayKind != ArrayKind::Variable || !a->sizeVar || a->sizeVar->fn == sema.fs->fn) return t;
  auto *known = cx.make<Ident>();
  known->name = a->sizeVar->name;
  known->range = where;
  Expr *size = sema.openCilk.capture(known, a->sizeVar);
  if (!size || size->kind != ExprKind::Ident) return t;
  return {cx.variableArrayOf(element, nullptr, size->as<Ident>()->decl->as<VarDecl>()), t.quals};
}

// An array's parameter points to its first element.
Expr *OpenCilkRules::capture(Ident *id, VarDecl *v) {
  if (!sema.captures(v)) return nullptr;
  OpenCilkFunction *here = sema.here();
  FunctionDecl *fn = sema.fs->fn;
  OpenCilkFunction::Capture *capture = nullptr;
  for (auto &c : here->captures)
    if (c.outer == v) capture = &c;
  const bool array = v->type->isArray();
  if (!capture) {
    QualType t = retype(v->type, id->range);
    bool scalar = t->isArithmetic() || t->isPointer() || (t->isVector() && !here->elements.count(v->name));
    bool byValue =
        scalar && !t.isVolatile() && !t.isAtomic() && !here->written.count(v->name) && !here->addressed.count(v->name);
    QualType type = byValue ? t.unqual() : array ? sema.cx.pointerTo(t->as<ArrayType>()->elem) : sema.cx.pointerTo(t);
    auto *p = sema.cx.make<VarDecl>();
    p->name = v->name;
    p->type = type;
    p->range = v->range;
    p->isParam = p->isLocal = p->isDefinition = p->used = true;
    p->paramIndex = static_cast<uint32_t>(fn->params.size());
    p->fn = fn;
    fn->params.push_back(p);
    here->captures.push_back({v, p, byValue});
    capture = &here->captures.back();
  }
  v->used = true;
  Build b{sema, id->range};
  if (capture->byValue) return b.ref(capture->param);
  if (array) {
    // *(T (*)[n])p: still an array, for sizeof and &.
    QualType type = retype(v->type, id->range);
    Expr *first = b.value(capture->param);
    auto *whole = b.make<Unary>();
    whole->op = UnaryOp::Deref;
    whole->sub = b.convert(first, sema.cx.pointerTo(type));
    whole->type = type;
    whole->lvalue = true;
    return whole;
  }
  auto *object = b.make<Unary>();
  object->op = UnaryOp::Deref;
  object->sub = b.value(capture->param);
  object->type = capture->param->type->as<PointerType>()->pointee;
  object->lvalue = true;
  return object;
}

}  // namespace cilkc
