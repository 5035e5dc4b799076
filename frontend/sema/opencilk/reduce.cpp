// reduce.cpp - reducers: `T cilk_reducer(identity, reduce)` is a type, and an lvalue of this type means the current
// strand's view, an lvalue of T.
//
// The reducer is a record whose only member has the type T, so its layout, its arrays and its place in other records
// are T's. Wherever an expression names one, the address of its view takes the place of its own: *(T
// *)__builtin_cilk_view(&r, identity, reduce, sizeof(T), _Alignof(T)). The code generator makes of this a test of the
// strand's map, and a call where there is one (rt/core/abi.h, reducers). So `&r` is the address of a view, and
// __builtin_addressof(r) the reducer's own.
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/builtins/builtins.h"
#include "frontend/sema/opencilk/outline.h"
#include "diag/cilk.h"

namespace cilkc {

namespace {

const RecordType *reducer(QualType t) { return t->as<RecordType>(); }

// Is it a reducer, or has it some in its elements and members?
bool holds(QualType t) {
  while (t->isArray()) t = t->as<ArrayType>()->elem;
  if (t->isReducer()) return true;
  if (!t->isRecord()) return false;
  const auto &fields = t->as<RecordType>()->fields;
  return std::any_of(fields.begin(), fields.end(), [](const FieldDecl *f) { return holds(f->type); });
}

Expr *sizeOfObject(const Build &b, QualType t) {
  if (t->isArray() && isVariablyModified(t.type)) {
    const auto *a = t->as<ArrayType>();
    Expr *count = a->arrayKind == ArrayKind::Variable ? b.convert(b.value(a->sizeVar), b.word()) : b.number(a->count);
    return b.binary(BinaryOp::Mul, count, sizeOfObject(b, a->elem));
  }
  return b.number(sizeOf(t.type, b.sema.cx.target));
}

// &object, identity, reduce, size, alignment. Without r the object has reducers in it.
std::vector<Expr *> described(const Build &b, Expr *object, const RecordType *r) {
  AstContext &cx = b.sema.cx;
  QualType pointer = cx.pointerTo(cx.basic(TypeKind::Void));
  auto *address = b.make<Unary>();
  address->op = UnaryOp::AddrOf;
  address->sub = object;
  address->type = cx.pointerTo(object->type);
  b.sema.conv.markAddressTaken(object);
  auto callback = [&](Expr *e) { return e ? e : b.sema.conv.convert(b.number(0), pointer); };
  if (r)
    return {b.convert(address, pointer), callback(r->identity), callback(r->reduce), sizeOfObject(b, r->reduces),
        b.number(alignOf(r->reduces.type, cx.target))};
  return {b.convert(address, pointer), callback(nullptr), callback(nullptr), sizeOfObject(b, object->type),
      b.number(alignOf(object->type.type, cx.target))};
}

bool declares(const Stmt *s, const FunctionDecl *unregister) {
  if (s->kind != StmtKind::Decl || !s->as<DeclStmt>()->decl) return false;
  const auto &all = s->as<DeclStmt>()->decl->declarators;
  return std::any_of(all.begin(), all.end(), [&](const InitDeclarator &i) {
    return i.decl && i.decl->kind == DeclKind::Var && i.decl->as<VarDecl>()->attrs.cleanup == unregister;
  });
}

}  // namespace

// A block's children may use the reducers that it declares, so they are joined before these go: the block is a
// cilk_scope from such a declaration on. True: it is one now.
bool OpenCilkRules::keepsReducer(const CompoundStmt *block, const Stmt *declaration) {
  if (!sema.os.unregister || !inside() || !declares(declaration, sema.os.unregister)) return false;
  OpenCilkFunction::ScopeMark mark{sema.fs->inside.loops, sema.fs->inside.breakables, {}};
  bool spawns = false;
  eachNode(static_cast<const Stmt *>(block), Walk::Written, [&](const auto *n) {
    if constexpr (std::is_base_of_v<Stmt, std::remove_cvref_t<decltype(*n)>>) {
      if (n->kind == StmtKind::Label) mark.labels.insert(n->template as<LabelStmt>()->name);
    } else if constexpr (std::is_base_of_v<Expr, std::remove_cvref_t<decltype(*n)>>) {
      spawns |= n->kind == ExprKind::Spawn;
    }
  });
  if (spawns) sema.here()->scopes.push_back(std::move(mark));
  return spawns;
}

// Does a `return` here leave such a block?
bool OpenCilkRules::returnsReducers() const {
  if (!sema.os.unregister || !inside()) return false;
  const auto &locals = sema.fs->fn->locals;
  return std::any_of(locals.begin(), locals.end(),
      [&](const VarDecl *v) { return v->attrs.cleanup == sema.os.unregister; });
}

Expr *OpenCilkRules::view(Expr *e) {
  if (!e->lvalue || !e->type->isReducer()) return e;
  const RecordType *r = reducer(e->type);
  Build b{sema, e->range};
  if (sema.os.rawReducer) return e;
  if (sema.unevaluated) {
    auto *m = b.make<Member>();
    m->base = e;
    m->path = {r->fields[0]};
    m->name = m->path[0]->name;
    m->nameRange = e->range;
    m->type = r->reduces;
    m->lvalue = true;
    return m;
  }
  auto *view = b.make<Unary>();
  view->op = UnaryOp::Deref;
  view->sub =
      b.convert(b.builtin("__builtin_cilk_view", BuiltinId::cilk_view, described(b, e, r)), cx.pointerTo(r->reduces));
  view->type = r->reduces;
  view->lvalue = true;
  return view;
}

namespace {

// The object that a view is of: its address is the call's first argument. Null: e is not a view.
Expr *objectOfView(const Expr *e) {
  if (e->kind != ExprKind::Unary || e->as<Unary>()->op != UnaryOp::Deref) return nullptr;
  const Expr *call = ignoreCasts(e->as<Unary>()->sub);
  if (call->kind != ExprKind::Call || call->as<Call>()->builtin != static_cast<int>(BuiltinId::cilk_view))
    return nullptr;
  return ignoreCasts(call->as<Call>()->args[0])->as<Unary>()->sub;
}

// What is known of the views in a loop's body.
struct ViewsOf {
  const OpenCilkFunction &function;
  bool opaque = false;  // something else may use them
  std::vector<std::pair<VarDecl *, Unary *>> found{};  // of whole variables
  std::unordered_set<const VarDecl *> addressed{};

  // A reducer that has a name: a variable of static storage, or one of the functions around that is captured by
  // address.
  VarDecl *named(const Expr *object) const {
    if (object->kind == ExprKind::Ident && object->as<Ident>()->decl->kind == DeclKind::Var) {
      auto *v = object->as<Ident>()->decl->as<VarDecl>();
      return v->isLocal ? nullptr : v;
    }
    if (object->kind != ExprKind::Unary || object->as<Unary>()->op != UnaryOp::Deref) return nullptr;
    const VarDecl *pointer = namedVariable(object->as<Unary>()->sub);
    for (const OpenCilkFunction::Capture &c : function.captures)
      if (c.param == pointer && !c.byValue && c.outer->type->isReducer()) return c.outer;
    return nullptr;
  }
  static bool throughPointer(const Expr *object) {
    while (object->kind == ExprKind::Member && !object->as<Member>()->arrow) object = object->as<Member>()->base;
    return object->kind != ExprKind::Ident;
  }

  void look(Stmt *body) {
    eachNode(static_cast<const Stmt *>(body), Walk::Evaluated, [&](const auto *n) {
      if constexpr (std::is_base_of_v<Stmt, std::remove_cvref_t<decltype(*n)>>) {
        opaque |= n->kind == StmtKind::Asm;
      } else if constexpr (std::is_base_of_v<Expr, std::remove_cvref_t<decltype(*n)>>) {
        if (n->kind == ExprKind::Call && !isArithmetic(n->template as<Call>())) opaque = true;
        const Expr *object = objectOfView(n);
        if (object) {
          if (VarDecl *v = named(object)) found.push_back({v, const_cast<Unary *>(n->template as<Unary>())});
          else opaque |= throughPointer(object);
        }
        if (n->kind == ExprKind::Unary && n->template as<Unary>()->op == UnaryOp::AddrOf)
          if (const Expr *of = objectOfView(ignoreParens(n->template as<Unary>()->sub))) addressed.insert(named(of));
      }
    });
  }
};

}  // namespace

void OpenCilkRules::keepViews(const OpenCilkFunction &f, Stmt *body, const Build &b, std::vector<Stmt *> &load,
    std::vector<Stmt *> &store) {
  if (sema.unevaluated || sema.os.rawReducer) return;
  ViewsOf views{f};
  views.look(body);
  if (views.opaque) return;
  std::unordered_map<const VarDecl *, VarDecl *> kept;
  auto viewOf = [&](VarDecl *v) {
    Expr *object = capture(b.ref(v), v);
    return view(object ? object : b.ref(v));
  };
  for (auto [v, use] : views.found) {
    if (views.addressed.count(v) || !(use->type->isArithmetic() || use->type->isPointer())) continue;
    VarDecl *&local = kept[v];
    if (!local) {
      local = b.local(use->type.unqual(), "view");
      auto *object = viewOf(v)->as<Unary>();  // looked up once: it stays where it is until the grain's end
      VarDecl *place = b.local(object->sub->type, "place");
      load.push_back(b.assign(place, object->sub));
      auto there = [&] {
        auto *at = b.make<Unary>();
        *at = *object;
        at->sub = b.value(place);
        return at;
      };
      load.push_back(b.assign(local, sema.conv.load(there())));
      auto *back = b.make<Assign>();
      back->lhs = there();
      back->rhs = b.value(local);
      back->opRange = b.where;
      back->type = local->type;
      auto *s = b.make<ExprStmt>();
      s->expr = sema.conv.discard(back);
      store.push_back(s);
    }
    auto *address = b.make<Unary>();  // *&local in place of the view
    address->op = UnaryOp::AddrOf;
    address->sub = b.ref(local);
    address->sub->range = use->range;
    address->type = cx.pointerTo(local->type);
    use->sub = address;
  }
}

// `&r`, `&r.member`, `r.array`: null if it is none of these.
const Expr *OpenCilkRules::addressOfView(const Expr *e) const {
  const Expr *a = ignoreParensAndImplicit(e);
  const Expr *object = a->kind == ExprKind::Unary && a->as<Unary>()->op == UnaryOp::AddrOf ? a->as<Unary>()->sub
                       : a->type->isArray()                                                ? a
                                                                                           : nullptr;
  while (object) {
    object = ignoreParensAndImplicit(object);
    if (object->kind == ExprKind::Member && !object->as<Member>()->arrow) object = object->as<Member>()->base;
    else if (object->kind == ExprKind::Index) object = object->as<Index>()->base;
    else break;
  }
  if (!object || object->kind != ExprKind::Unary || object->as<Unary>()->op != UnaryOp::Deref) return nullptr;
  const Expr *call = ignoreCasts(object->as<Unary>()->sub);
  return call->kind == ExprKind::Call && call->as<Call>()->builtin == static_cast<int>(BuiltinId::cilk_view) ? e
                                                                                                             : nullptr;
}

QualType OpenCilkRules::reducerType(QualType t, DeclChunk &c) {
  if (!t.type || t->isError()) return cx.basic(TypeKind::Error);
  const char *what = t.isConst() || t.isVolatile() ? "a qualified type"
                     : t.isAtomic()                ? "an atomic type: views are private to their strands"
                     : t->isVoid()                 ? "void"
                     : t->isFunction()             ? "a function"
                     : t->isFuture()               ? "a future"
                     : t->isReducer()              ? "a reducer"
                     : isVariablyModified(t.type)  ? "a type whose size is known at run time only"
                                                   : nullptr;
  if (!what && t->isRecord()) {
    if (!sema.types.requireComplete(t, c.range, "the view of a reducer")) return cx.basic(TypeKind::Error);
    for (const FieldDecl *f : t->as<RecordType>()->fields)
      if (holds(f->type)) what = "a struct that has a reducer in it";
  }
  if (!what && !sema.types.requireComplete(t, c.range, "the view of a reducer")) return cx.basic(TypeKind::Error);
  if (what) {
    diags.report(diag::cilk_reducer_type, c.range) << what;
    return cx.basic(TypeKind::Error);
  }
  QualType pointer = cx.pointerTo(cx.basic(TypeKind::Void));
  // A function, `&function`, or a null pointer: something that is the same wherever the reducer is used.
  auto callback = [&](Expr *&e, size_t parameters, const char *form, const void *&key) -> bool {
    if (!e) {
      diags.report(diag::cilk_reducer_callback, c.range) << form;
      return false;
    }
    if (e->type->isError()) return false;
    if (sema.conv.isNullPointerConstant(e)) {
      e = nullptr;
      return true;
    }
    const Expr *f = ignoreCasts(e);
    if (f->kind == ExprKind::Unary && f->as<Unary>()->op == UnaryOp::AddrOf)
      f = ignoreParensAndImplicit(f->as<Unary>()->sub);
    Decl *d = f->kind == ExprKind::Ident ? f->as<Ident>()->decl : nullptr;
    const auto *type =
        d && d->kind == DeclKind::Function && d->type->isFunction() ? d->type->as<FunctionType>() : nullptr;
    bool fits = type && type->result->isVoid() && !type->isCilk && !type->variadic &&
                (!type->prototype || type->params.size() == parameters);
    for (size_t i = 0; fits && type->prototype && i < parameters; i++) fits = type->params[i]->isPointer();
    if (!fits) {
      diags.report(diag::cilk_reducer_callback, e->range) << form;
      return false;
    }
    key = d;
    d->as<FunctionDecl>()->ofReducers = true;
    e = sema.conv.convert(e, pointer);
    return true;
  };
  const void *identity = nullptr, *reduce = nullptr;
  for (Expr **e : {&c.identity, &c.reduce})  // of two unknown names both are reported
    if (*e) *e = sema.exprs.rvalue(*e);
  if (!callback(c.identity, 1, "the first argument of cilk_reducer is a function `void identity(void *view)`, or 0",
          identity) ||
      !callback(c.reduce, 2,
          "the second argument of cilk_reducer is a function `void reduce(void *left, void *right)`, or 0", reduce))
    return cx.basic(TypeKind::Error);
  return cx.reducerOf(t.unqual(), c.identity, identity, c.reduce, reduce).with(c.quals);
}

bool OpenCilkRules::refuseReducer(QualType t, Range where, const char *as) {
  if (!t.type || t->isError() || !t->isReducer()) return false;
  diags.report(diag::cilk_reducer_type, where)
          .note(where, "pass its address: `" + declToString(cx.pointerTo(t), "r") + "`, made by __builtin_addressof(r)")
      << std::string("what is ") + as + ": it has no identity of its own there";
  return true;
}

// An object that begins in a strand with a map is its own view there. What is registered at its declaration is
// unregistered where its block ends. What has reducers in it is registered as a whole, with neither identity nor
// reduce.
bool OpenCilkRules::registers(const VarDecl *v) const {
  return v->type && !v->type->isError() && v->isLocal && !v->isParam && holds(v->type);
}

void OpenCilkRules::registerReducer(InitDeclarator &i) {
  if (!i.decl || i.decl->kind != DeclKind::Var || !registers(i.decl->as<VarDecl>())) return;
  auto *v = i.decl->as<VarDecl>();
  Build b{sema, v->range};
  std::vector<Expr *> arguments = described(b, b.ref(v), v->type->isReducer() ? reducer(v->type) : nullptr);
  auto *s = b.make<ExprStmt>();
  s->expr =
      sema.conv.discard(b.builtin("__builtin_cilk_view_register", BuiltinId::cilk_view_register, std::move(arguments)));
  sema.ss.afterDeclaration.push_back(s);
  if (!sema.os.unregister) {
    FunctionType type;
    type.result = cx.basic(TypeKind::Void);
    type.params = {cx.pointerTo(cx.basic(TypeKind::Void))};
    auto *f = cx.make<FunctionDecl>();
    f->name = "cilk_rt_view_unregister";
    f->range = v->range;
    f->type = cx.functionType(type);
    f->used = f->implicit = true;
    sema.tu->functions.push_back(f);
    sema.os.unregister = f;
  }
  v->attrs.cleanup = sema.os.unregister;
}

// A statement may need a block for it (CilkSema::substatement).
void OpenCilkRules::literal(VarDecl *object) {
  if (!registers(object)) return;
  auto *d = cx.make<DeclStmt>();
  d->range = object->range;
  d->decl = cx.make<Declaration>();
  d->decl->range = object->range;
  d->decl->declarators.push_back({nullptr, nullptr, object});
  Saved others(sema.ss.afterDeclaration, std::vector<Stmt *>());
  registerReducer(d->decl->declarators.back());
  sema.ss.beforeDeclaration.push_back(d);
  sema.ss.beforeDeclaration.insert(sema.ss.beforeDeclaration.end(), sema.ss.afterDeclaration.begin(),
      sema.ss.afterDeclaration.end());
}

}  // namespace cilkc
