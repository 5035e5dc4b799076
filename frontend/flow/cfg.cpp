// cfg.cpp - builds the graph in one walk over the statements: a visitor with one on() for each kind of node. `current`
// is the block that receives events, -1 where control cannot come. Labels get their block at first sight, by goto or by
// definition.
#include "frontend/flow/cfg.h"
#include <algorithm>
#include <unordered_set>
#include "frontend/ast/kinds.h"
#include "frontend/ast/visit.h"
#include "frontend/builtins/builtins.h"

namespace cilkc {
namespace {

class Builder {
public:
  explicit Builder(const FunctionDef *def) : def(def) {
    cfg.blocks.emplace_back();
    current = 0;
  }

  Cfg build() {
    stmt(def->body);
    cfg.exit = newBlock();
    link(current, cfg.exit);
    cfg.blocks[cfg.exit].events.push_back({Event::ReturnPoint, nullptr, nullptr, nullptr});
    return std::move(cfg);
  }

private:
  const FunctionDef *def;
  Cfg cfg;
  int current;
  int conditional = 0;  // > 0 inside &&, ||, ?: : definitions do not kill
  std::unordered_map<const LabelDecl *, int> labels;
  std::vector<int> breaks, continues;
  struct Switch {
    int dispatch;
    bool hasDefault;
  };
  std::vector<Switch> switches;
  const Stmt *outermostLoop = nullptr;

  int newBlock() {
    cfg.blocks.emplace_back();
    return static_cast<int>(cfg.blocks.size()) - 1;
  }
  void link(int from, int to) {
    if (from >= 0) cfg.blocks[from].next.push_back(to);
  }
  void start(int block) { current = block; }
  int labelBlock(const LabelDecl *l) {
    auto [it, fresh] = labels.try_emplace(l, -1);
    if (fresh) it->second = newBlock();
    return it->second;
  }
  void event(Event::Kind k, const VarDecl *v = nullptr, const SpawnStmt *s = nullptr, const Stmt *st = nullptr) {
    if (current < 0) current = newBlock();  // unreachable code still gets numbers for its spawns
    cfg.blocks[current].events.push_back({k, v, s, st, nullptr});
  }
  void evaluate(const Expr *e, const Stmt *st) {  // a full expression
    if (!e) return;
    event(Event::Evaluate, nullptr, nullptr, st);
    cfg.blocks[current].events.back().expr = e;
    expr(e);
  }
  // The test at the end of the current block. It has no Evaluate event: a reader of expressions finds it here, where
  // the ways part.
  void branch(const Expr *condition, int whenTrue, int whenFalse) {
    if (current < 0) return;
    link(current, whenTrue);
    link(current, whenFalse);
    Block &b = cfg.blocks[current];
    b.condition = condition;
    b.whenTrue = whenTrue;
    b.whenFalse = whenFalse;
  }

  void useLvalue(const Expr *e) {  // evaluates an lvalue's address; reads only what the address needs
    e = ignoreParens(e);
    if (!e) return;
    switch (e->kind) {
      case ExprKind::Ident: return;
      case ExprKind::Member:
        if (e->as<Member>()->arrow) expr(e->as<Member>()->base);
        else useLvalue(e->as<Member>()->base);
        return;
      case ExprKind::Index: {
        auto *ix = e->as<Index>();
        if (ix->base->type && ix->base->type->isVector()) useLvalue(ix->base);
        else expr(ix->base);
        expr(ix->index);
        sizes(ix->type);
        return;
      }
      case ExprKind::Unary:
        if (e->as<Unary>()->op == UnaryOp::Real || e->as<Unary>()->op == UnaryOp::Imag) {
          useLvalue(e->as<Unary>()->sub);
          return;
        }
        expr(e);
        return;
      default: otherKinds<34>(); expr(e);
    }
  }

  void store(const Expr *lhs) {
    bool whole;
    if (VarDecl *v = baseVariable(lhs, &whole)) event(whole && !conditional ? Event::Define : Event::Modify, v);
  }
  void read(const Expr *lvalue) {
    useLvalue(lvalue);
    VarDecl *v = baseVariable(lvalue);
    if (!v) return;
    event(Event::Use, v);
    if (!unread) cfg.blocks[current].events.back().expr = lvalue;
  }
  int unread = 0;  // > 0 where nothing comes of what is read

  // Does e come down to a call that does not come back? In a part that is conditional it need not happen.
  static bool doesNotComeBack(const Expr *e) {
    for (;;) {
      e = ignoreCasts(e);
      if (!e || e->kind != ExprKind::Binary || e->as<Binary>()->op != BinaryOp::Comma) break;
      e = e->as<Binary>()->rhs;
    }
    if (!e || e->kind != ExprKind::Call) return false;
    const auto *c = e->as<Call>();
    const FunctionDecl *f = directCallee(c);
    return (c->fnType && c->fnType->noreturn) ||
           (f && (f->isNoreturn || f->attrs.noreturn ||
                     (f->builtin && builtinHasFlag(static_cast<BuiltinId>(f->builtin), 'r'))));
  }

  // The part of a type's run-time sizes that evaluating a node of that type may read.
  void sizes(QualType t) {
    for (const Type *ty = t.type; ty;) {
      if (ty->isArray()) {
        if (auto *sv = ty->as<ArrayType>()->sizeVar) event(Event::Use, sv);
        ty = ty->as<ArrayType>()->elem.type;
      } else if (ty->isPointer()) {
        ty = ty->as<PointerType>()->pointee.type;
      } else if (ty->isFunction()) {
        ty = ty->as<FunctionType>()->result.type;
      } else {
        return;
      }
    }
  }

  void inits(const Initializer *i) {
    if (!i) return;
    if (i->expr) expr(i->expr);
    else if (i->list) list(i->list);
  }
  void evaluateInits(const Initializer *i) {
    if (i && i->expr) evaluate(i->expr, nullptr);
    else if (i && i->list && i->list->plan)
      for (auto &s : i->list->plan->stores) evaluate(s.value, nullptr);
    else inits(i);
  }
  void list(const InitList *l) {
    if (l->plan) {
      for (auto &s : l->plan->stores) expr(s.value);
      return;
    }
    for (auto &it : l->items) inits(it.init);
  }

  void expr(const Expr *e) {
    if (e) dispatch(*this, e);
  }
  // An operand that need not be evaluated. A statement expression in it may jump away: control also passes by.
  void maybe(const Expr *e) {
    int before = current;
    conditional++;
    expr(e);
    conditional--;
    if (current == before) return;
    int join = newBlock();
    link(current, join);
    link(before, join);
    start(join);
  }
  void stmt(const Stmt *s) {
    if (s) dispatch(*this, s);
  }

public:
  // ---- expressions: what they read and change, in the order of their evaluation ----
  void on(const Ident &e) {
    if (VarDecl *v = baseVariable(&e)) event(Event::Use, v);
  }
  void on(const ParenExpr &e) { expr(e.sub); }
  void on(const Unary &u) {
    if (isIncDec(u.op)) {
      read(u.sub);
      store(u.sub);
      sizes(u.sub->type);
    } else if (u.op == UnaryOp::AddrOf) {
      useLvalue(u.sub);
      if (VarDecl *v = baseVariable(u.sub)) event(Event::Use, v);
    } else {
      expr(u.sub);
    }
  }
  void on(const Binary &e) {
    // Left spines can be 10,000 terms long: iterate.
    std::vector<const Binary *> spine;
    const Expr *left = &e;
    while (left && left->kind == ExprKind::Binary) {
      spine.push_back(left->as<Binary>());
      left = left->as<Binary>()->lhs;
    }
    expr(left);
    for (auto it = spine.rbegin(); it != spine.rend(); ++it) {
      const Binary *b = *it;
      if (isLogical(b->op)) maybe(b->rhs);
      else expr(b->rhs);
      sizes(b->lhs->type);
      sizes(b->rhs->type);
    }
  }
  void on(const Assign &a) {
    useLvalue(a.lhs);
    expr(a.rhs);
    if (a.compound) {
      if (VarDecl *v = baseVariable(a.lhs)) {
        event(Event::Use, v);
        cfg.blocks[current].events.back().expr = a.lhs;
      }
      sizes(a.lhs->type);
    }
    store(a.lhs);
  }
  void on(const Conditional &c) {
    expr(c.cond);
    maybe(c.then);
    maybe(c.otherwise);
  }
  void on(const Cast &e) {
    const Expr *sub = ignoreParens(e.sub);
    bool dropped = e.castKind == CastKind::ToVoid && sub && sub->kind == ExprKind::ImplicitCast &&
                   namedVariable(sub->as<ImplicitCast>()->sub);
    unread += dropped;  // (void)x is no use
    expr(e.sub);
    unread -= dropped;
    declSizes(e.type);
    sizes(e.type);
  }
  void on(const ImplicitCast &c) {
    if (c.castKind == CastKind::LvalueToRvalue) read(c.sub);
    else expr(c.sub);
  }
  void on(const CompoundLit &c) {
    if (c.init) list(c.init);
    if (c.object) {
      event(conditional ? Event::Modify : Event::Define, c.object);
      event(Event::Use, c.object);
    }
  }
  void on(const Call &c) {
    auto id = static_cast<BuiltinId>(c.builtin);
    bool asksOnly = id == BuiltinId::constant_p || id == BuiltinId::classify_type || id == BuiltinId::object_size ||
                    id == BuiltinId::dynamic_object_size;
    unread += asksOnly;
    expr(c.callee);
    for (auto *a : c.args) expr(a);
    unread -= asksOnly;
  }
  void on(const Member &e) { expr(e.base); }
  void on(const Index &e) {
    expr(e.base);
    expr(e.index);
    sizes(e.type);
  }
  void on(const SizeofExpr &e) {
    if (e.kind != ExprKind::SizeofExpr || !e.sub || !e.sub->type || !hasVariableSize(e.sub->type.type)) return;
    expr(e.sub);
    sizes(e.sub->type);
  }
  void on(const SizeofType &e) {
    if (e.kind == ExprKind::SizeofType && e.target && e.target->type) typeSizes(e.target->type);
  }
  void on(const Generic &e) { expr(e.chosen); }
  void on(const ChooseExpr &e) { expr(e.chosen); }
  // Control flow inside a statement expression is kept, but its definitions do not kill where the whole is conditional.
  // There its first block is its own: maybe() links around what it does.
  void on(const StmtExpr &e) {
    if (conditional && current >= 0) {
      int body = newBlock();
      link(current, body);
      start(body);
    }
    stmt(e.body);
  }
  void on(const VaArg &e) { expr(e.list); }
  void on(const Offsetof &e) {
    for (auto &t : e.terms) expr(t.second);
  }
  void on(const ErrorExpr &) {}
  void on(const IntLit &) {}
  void on(const FloatLit &) {}
  void on(const CharLit &) {}
  void on(const StringLit &) {}
  void on(const Data &) {}
  void on(const LabelAddr &) {}
  void on(const TypesCompatible &) {}
  void on(const Synched &) {}
  void on(const Spawn &) {}  // none is left
  void on(const TouchExpr &) {}  // the same
  void on(const ChildResult &) {}
  void on(const Hole &h) {
    useLvalue(h.sub);
    store(h.sub);
  }

  // ---- statements: where control goes ----
  void on(const ExprStmt &s) {
    evaluate(s.expr, &s);
    if (conditional || !doesNotComeBack(s.expr)) return;
    cfg.blocks[current].ends = true;
    int behind = newBlock();
    link(current, behind);
    start(behind);
  }
  void on(const SpawnStmt &s) {
    event(Event::BeforePoint, nullptr, nullptr, &s);
    const VarDecl *receiver = nullptr;
    if (s.delivery) {
      useLvalue(s.receiver());
      sizes(s.receiver()->type);
      receiver = baseVariable(s.receiver());
      // filling a future looks at its state
      if (receiver && (s.form == SpawnForm::Op || s.fills)) addDelivered(receiver);
    }
    for (auto *a : s.arguments) expr(a);
    expr(s.call);
    if (receiver && s.fills) event(Event::Modify, receiver);  // it is under way now
    event(Event::SpawnPoint, nullptr, &s, &s);
    if (receiver) event(Event::Deliver, receiver, &s, &s);
    if (s.inlet) {
      deliverInlet();
      event(Event::DeliverInlet, nullptr, &s, &s);
    }
  }
  // The closures are made when all arguments are known.
  void on(const ThreadStmt &s) {
    event(Event::Evaluate, nullptr, nullptr, &s);
    for (auto *a : s.arguments)
      if (a->kind != ExprKind::Hole) expr(a);
    expr(s.placement);
    for (auto *a : s.arguments)
      if (a->kind == ExprKind::Hole) expr(a);
    if (s.receiver) store(s.receiver);
    if (s.form != ThreadForm::TailCall) return;
    event(Event::ReturnPoint, nullptr, nullptr, &s);
    current = -1;
  }
  void on(const SendStmt &s) {
    event(Event::Evaluate, nullptr, nullptr, &s);
    expr(s.continuation);
    expr(s.value);
  }
  void on(const DeclStmt &s) {
    if (s.decl) declaration(s.decl);
  }
  void on(const IfStmt &s) {  // else-if chains are walked without recursion
    std::vector<int> ends;
    const Stmt *at = &s;
    while (at && at->kind == StmtKind::If) {
      auto *i = at->as<IfStmt>();
      expr(i->cond);
      int then = newBlock(), otherwise = newBlock();
      branch(i->cond, then, otherwise);
      start(then);
      stmt(i->then);
      ends.push_back(current);
      start(otherwise);
      at = i->otherwise;
    }
    stmt(at);
    ends.push_back(current);
    int join = newBlock();
    bool reachable = false;
    for (int b : ends)
      if (b >= 0) {
        link(b, join);
        reachable = true;
      }
    start(reachable ? join : -1);
  }
  void on(const WhileStmt &w) {
    LoopScope loop(*this, &w);
    int head = newBlock(), body = newBlock(), end = newBlock();
    link(current, head);
    start(head);
    expr(w.cond);
    branch(w.cond, body, end);
    loopBody(body, end, head, w.body);
    link(current, head);
    start(end);
  }
  void on(const DoStmt &w) {
    LoopScope loop(*this, &w);
    int body = newBlock(), test = newBlock(), end = newBlock();
    link(current, body);
    loopBody(body, end, test, w.body);
    link(current, test);
    start(test);
    expr(w.cond);
    const Expr *cond = ignoreParens(w.cond);
    if (cond && cond->kind == ExprKind::IntLit && !cond->as<IntLit>()->value) link(current, end);  // around a macro
    else branch(w.cond, body, end);
    start(end);
  }
  void on(const ForStmt &f) {
    LoopScope loop(*this, &f);
    stmt(f.init);
    int head = newBlock(), body = newBlock(), step = newBlock(), end = newBlock();
    link(current, head);
    start(head);
    if (f.cond) {
      expr(f.cond);
      branch(f.cond, body, end);
    } else {
      link(current, body);
    }
    loopBody(body, end, step, f.body);
    link(current, step);
    start(step);
    evaluate(f.step, &f);
    link(current, head);
    start(end);
  }
  void on(const SwitchStmt &w) {
    evaluate(w.cond, &w);
    int dispatch = current, end = newBlock();
    switches.push_back({dispatch, false});
    breaks.push_back(end);
    start(-1);
    stmt(w.body);
    link(current, end);
    if (!switches.back().hasDefault) {
      link(dispatch, end);
      cfg.blocks[dispatch].otherwise = end;
    }
    cfg.blocks[dispatch].selector = w.cond;
    switches.pop_back();
    breaks.pop_back();
    start(end);
  }
  void on(const CaseStmt &s) {
    caseBlock(&s);
    if (!switches.empty()) cfg.blocks[switches.back().dispatch].cases.emplace_back(&s, current);
    stmt(s.sub);
  }
  void on(const DefaultStmt &s) {
    caseBlock(&s);
    if (!switches.empty()) {
      switches.back().hasDefault = true;
      cfg.blocks[switches.back().dispatch].otherwise = current;
    }
    stmt(s.sub);
  }
  void on(const LabelStmt &s) {
    int block = labelBlock(s.label);
    link(current, block);
    if (s.label && s.label->nonlocal) link(0, block);  // from a nested function
    start(block);
    stmt(s.sub);
  }
  void on(const GotoStmt &s) {
    if (s.label) link(current, labelBlock(s.label));
    start(-1);
  }
  void on(const GotoExprStmt &s) {
    evaluate(s.target, &s);
    if (def->fn)
      for (auto *l : def->fn->labels)
        if (l->addressTaken) link(current, labelBlock(l));
    start(-1);
  }
  void on(const ContinueStmt &) {
    if (!continues.empty()) link(current, continues.back());
    start(-1);
  }
  void on(const BreakStmt &) {
    if (!breaks.empty()) link(current, breaks.back());
    start(-1);
  }
  void on(const ReturnStmt &s) {
    evaluate(s.value, &s);
    event(Event::ReturnPoint, nullptr, nullptr, &s);
    start(-1);
  }
  void on(const AsmStmt &a) {
    for (auto &o : a.inputs) evaluate(o.expr, &a);
    for (auto &o : a.outputs) {
      useLvalue(o.expr);
      if (VarDecl *v = baseVariable(o.expr)) {
        if (!o.constraint.empty() && o.constraint[0] == '+') event(Event::Use, v);
        event(Event::Modify, v);
      }
    }
    for (auto &l : a.gotoLabels)
      if (l.second) link(current, labelBlock(l.second));
  }
  void on(const TouchStmt &s) {  // resumed before it looks
    event(Event::TouchPoint, nullptr, nullptr, &s);
    if (s.future) read(s.future);
  }
  void on(const SyncStmt &s) { event(Event::SyncPoint, nullptr, nullptr, &s); }
  void on(const AbortStmt &) {}  // the children's end; control goes on
  // All other statements evaluate their parts, one after the other. A statement that branches has its own `on`. A
  // function in a block runs where it is called.
  template <class S>
    requires std::is_base_of_v<Stmt, S>
  void on(const S &s) {
    static_assert(!classHas<S>(Trait::Parts) && !classHas<S>(Trait::Loop), "say where control goes");
    eachChild(&s, Walk::Evaluated, [&](const auto *child) {
      if constexpr (std::is_base_of_v<Expr, std::remove_cvref_t<decltype(*child)>>) evaluate(child, &s);
      else if constexpr (std::is_base_of_v<Stmt, std::remove_cvref_t<decltype(*child)>>) stmt(child);
    });
  }

private:
  void typeSizes(QualType t) {
    for (const Type *ty = t.type; ty && ty->isArray(); ty = ty->as<ArrayType>()->elem.type)
      if (auto *a = ty->as<ArrayType>(); a->arrayKind == ArrayKind::Variable) {
        if (a->sizeVar) event(Event::Use, a->sizeVar);
        else expr(a->size);
      }
  }

  // An inlet's spawn is met: whatever inlets touch may change at deliveries.
  void deliverInlet() {
    if (!cfg.inletTouched.empty() || !def->fn) return;
    for (auto *list : {&def->fn->params, &def->fn->locals})
      for (auto *v : *list)
        if (v->inletTouches) {
          cfg.inletTouched.push_back(v);
          addDelivered(v);
        }
  }
  std::unordered_set<const VarDecl *> isDelivered;
  void addDelivered(const VarDecl *v) {
    if (isDelivered.insert(v).second) cfg.delivered.push_back(v);
  }

  struct LoopScope {
    Builder &b;
    bool outer;
    // The test before a first spawn inside loops is before the outermost of them.
    LoopScope(Builder &b, const Stmt *loop) : b(b), outer(!b.outermostLoop) {
      if (outer && containsCilkPoint(loop)) {
        b.event(Event::BeforePoint, nullptr, nullptr, loop);
        b.outermostLoop = loop;
      } else {
        outer = false;
      }
    }
    ~LoopScope() {
      if (outer) b.outermostLoop = nullptr;
    }
  };

  void declaration(const Declaration *d) {
    for (auto &id : d->declarators) {
      if (!id.decl || id.decl->kind != DeclKind::Var) {
        if (id.decl) declSizes(id.decl->type);
        continue;
      }
      auto *v = id.decl->as<VarDecl>();
      declSizes(v->type);
      if (!v->isLocal) continue;
      evaluateInits(v->init);
      event(Event::Declared, v);
      event(v->init ? Event::Define : Event::Undefine, v);
    }
  }
  void declSizes(QualType t) {  // a variably modified declaration is reached: its size variables are set
    const Type *ty = t.type;
    while (ty) {
      if (ty->isArray()) {
        auto *a = ty->as<ArrayType>();
        if (a->arrayKind == ArrayKind::Variable) {
          expr(a->size);
          if (a->sizeVar) event(Event::Modify, a->sizeVar);
        }
        ty = a->elem.type;
      } else if (ty->isPointer()) {
        ty = ty->as<PointerType>()->pointee.type;
      } else if (ty->isFunction()) {
        ty = ty->as<FunctionType>()->result.type;
      } else {
        return;
      }
    }
  }

  void caseBlock(const Stmt *label) {
    int block = newBlock();
    if (current >= 0 && !switches.empty()) cfg.fallsInto.emplace_back(label, current);
    link(current, block);
    if (!switches.empty()) link(switches.back().dispatch, block);
    start(block);
  }
  void loopBody(int body, int breakTo, int continueTo, const Stmt *s) {
    breaks.push_back(breakTo);
    continues.push_back(continueTo);
    start(body);
    stmt(s);
    breaks.pop_back();
    continues.pop_back();
  }
};

}  // namespace

bool containsCilkPoint(const Stmt *s) {
  bool found = false;
  eachNode(s, Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Stmt *>)
      return !found &&
             !(found = node->kind == StmtKind::Sync || node->kind == StmtKind::Spawn || node->kind == StmtKind::Touch);
    else return false;
  });
  return found;
}

Cfg buildCfg(const FunctionDef *def) { return Builder(def).build(); }

std::vector<int> Cfg::inOrder() const {
  std::vector<int> done;
  std::vector<bool> seen(blocks.size(), false);
  // A block, and how many of its successors were looked at: the last one first. A loop's body is linked before what
  // follows the loop, and so comes before it.
  std::vector<std::pair<int, size_t>> path{{0, 0}};
  seen[0] = true;
  while (!path.empty()) {
    auto &[b, i] = path.back();
    const std::vector<int> &next = blocks[static_cast<size_t>(b)].next;
    if (i == next.size()) {
      done.push_back(b);
      path.pop_back();
    } else if (int n = next[next.size() - ++i]; !seen[static_cast<size_t>(n)]) {
      seen[static_cast<size_t>(n)] = true;
      path.emplace_back(n, 0);
    }
  }
  std::reverse(done.begin(), done.end());
  return done;
}

}  // namespace cilkc
