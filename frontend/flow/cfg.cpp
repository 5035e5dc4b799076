// cfg.cpp - builds the graph in one walk over the statements. `current` is the block that receives events, -1 where control cannot
// come. Labels get their block at first sight, by goto or by definition.
#include "frontend/flow/cfg.h"
#include <unordered_set>
#include "frontend/plan/plan.h"

namespace cilkc {
namespace {

const Expr *stripped(const Expr *e) {
  while (e && (e->kind == ExprKind::Paren || (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::Extension)))
    e = e->kind == ExprKind::Paren ? e->as<ParenExpr>()->sub : e->as<Unary>()->sub;
  return e;
}

// The spawn under the conversions of an assignment's right side, or null.
Spawn *spawnUnder(Expr *e) {
  while (e) {
    if (e->kind == ExprKind::Spawn) return e->as<Spawn>();
    if (e->kind == ExprKind::ImplicitCast) e = e->as<ImplicitCast>()->sub;
    else return nullptr;
  }
  return nullptr;
}

// The local that an lvalue designates a part of without going through a pointer, or null. whole: all of it.
VarDecl *baseVar(const Expr *e, bool &whole) {
  whole = true;
  for (;;) {
    e = stripped(e);
    if (!e) return nullptr;
    switch (e->kind) {
      case ExprKind::Ident: {
        Decl *d = e->as<Ident>()->decl;
        if (!d || d->kind != DeclKind::Var) return nullptr;
        auto *v = d->as<VarDecl>();
        return v->isLocal ? v : nullptr;
      }
      case ExprKind::Member:
        if (e->as<Member>()->arrow) return nullptr;
        whole = false;
        e = e->as<Member>()->base;
        break;
      case ExprKind::Unary:
        if (e->as<Unary>()->op != UnaryOp::Real && e->as<Unary>()->op != UnaryOp::Imag) return nullptr;
        whole = false;
        e = e->as<Unary>()->sub;
        break;
      case ExprKind::Index:
        if (!e->as<Index>()->base || !e->as<Index>()->base->type || !e->as<Index>()->base->type->isVector()) return nullptr;
        whole = false;
        e = e->as<Index>()->base;
        break;
      case ExprKind::CompoundLit:
        return e->as<CompoundLit>()->object;
      default:
        return nullptr;
    }
  }
}

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
  int conditional = 0;               // > 0 inside &&, ||, ?: : definitions do not kill
  std::unordered_map<const LabelDecl *, int> labels;
  std::vector<int> breaks, continues;
  struct Switch { int dispatch; bool hasDefault; };
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
  void event(Event::Kind k, VarDecl *v = nullptr, Spawn *s = nullptr, const Stmt *st = nullptr) {
    if (current < 0) current = newBlock();        // unreachable code still gets numbers for its spawns
    cfg.blocks[current].events.push_back({k, v, s, st, nullptr});
  }
  void evaluate(const Expr *e, const Stmt *st) {  // a full expression
    if (!e) return;
    event(Event::Evaluate, nullptr, nullptr, st);
    cfg.blocks[current].events.back().expr = e;
    expr(e);
  }
  // The test at the end of the current block. It has no Evaluate event: a reader of expressions finds it here, where the ways part.
  void branch(const Expr *condition, int whenTrue, int whenFalse) {
    if (current < 0) return;
    link(current, whenTrue);
    link(current, whenFalse);
    Block &b = cfg.blocks[current];
    b.condition = condition;
    b.whenTrue = whenTrue;
    b.whenFalse = whenFalse;
  }

  void useLvalue(const Expr *e) {                 // evaluates an lvalue's address; reads only what the address needs
    e = stripped(e);
    if (!e) return;
    switch (e->kind) {
      case ExprKind::Ident: return;
      case ExprKind::Member:
        if (e->as<Member>()->arrow) expr(e->as<Member>()->base); else useLvalue(e->as<Member>()->base);
        return;
      case ExprKind::Index: {
        auto *ix = e->as<Index>();
        if (ix->base->type && ix->base->type->isVector()) useLvalue(ix->base); else expr(ix->base);
        expr(ix->index);
        return;
      }
      case ExprKind::Unary:
        if (e->as<Unary>()->op == UnaryOp::Real || e->as<Unary>()->op == UnaryOp::Imag) { useLvalue(e->as<Unary>()->sub); return; }
        expr(e);
        return;
      default:
        expr(e);
    }
  }

  void store(const Expr *lhs) {
    bool whole;
    if (VarDecl *v = baseVar(lhs, whole)) event(whole && !conditional ? Event::Define : Event::Modify, v);
  }
  void read(const Expr *lvalue) {
    bool whole;
    useLvalue(lvalue);
    if (VarDecl *v = baseVar(lvalue, whole)) event(Event::Use, v);
  }

  // The part of a type's run-time sizes that evaluating a node of that type may read.
  void sizes(QualType t) {
    for (const Type *ty = t.type; ty;) {
      if (ty->isArray()) {
        if (auto *sv = ty->as<ArrayType>()->sizeVar) event(Event::Use, sv);
        ty = ty->as<ArrayType>()->elem.type;
      } else if (ty->isPointer()) {
        ty = ty->as<PointerType>()->pointee.type;
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
    else if (i && i->list && i->list->plan) for (auto &s : i->list->plan->stores) evaluate(s.value, nullptr);
    else inits(i);
  }
  void list(const InitList *l) {
    if (l->plan) { for (auto &s : l->plan->stores) expr(s.value); return; }
    for (auto &it : l->items) inits(it.init);
  }

  void expr(const Expr *e) {
    if (!e) return;
    switch (e->kind) {
      case ExprKind::Ident: {
        bool whole;
        if (VarDecl *v = baseVar(e, whole)) event(Event::Use, v);
        break;
      }
      case ExprKind::Paren: expr(e->as<ParenExpr>()->sub); break;
      case ExprKind::Unary: {
        auto *u = e->as<Unary>();
        switch (u->op) {
          case UnaryOp::PreInc: case UnaryOp::PreDec: case UnaryOp::PostInc: case UnaryOp::PostDec:
            read(u->sub); store(u->sub); sizes(u->sub->type); break;
          case UnaryOp::AddrOf: {
            useLvalue(u->sub);
            bool whole;
            if (VarDecl *v = baseVar(u->sub, whole)) event(Event::Use, v);
            break;
          }
          default: expr(u->sub); break;
        }
        break;
      }
      case ExprKind::Binary: {
        // Left spines can be 10,000 terms long: iterate.
        std::vector<const Binary *> spine;
        const Expr *left = e;
        while (left && left->kind == ExprKind::Binary) { spine.push_back(left->as<Binary>()); left = left->as<Binary>()->lhs; }
        expr(left);
        for (auto it = spine.rbegin(); it != spine.rend(); ++it) {
          const Binary *b = *it;
          bool lazy = b->op == BinaryOp::LogAnd || b->op == BinaryOp::LogOr;
          conditional += lazy;
          expr(b->rhs);
          conditional -= lazy;
          sizes(b->lhs->type);
        }
        break;
      }
      case ExprKind::Assign: {
        auto *a = e->as<Assign>();
        useLvalue(a->lhs);
        expr(a->rhs);
        if (a->compound) { bool whole; if (VarDecl *v = baseVar(a->lhs, whole)) event(Event::Use, v); sizes(a->lhs->type); }
        store(a->lhs);
        break;
      }
      case ExprKind::Conditional: {
        auto *c = e->as<Conditional>();
        expr(c->cond);
        ++conditional;
        expr(c->then);
        expr(c->otherwise);
        --conditional;
        break;
      }
      case ExprKind::Cast: expr(e->as<Cast>()->sub); declSizes(e->type); sizes(e->type); break;
      case ExprKind::ImplicitCast: {
        auto *c = e->as<ImplicitCast>();
        if (c->castKind == CastKind::LvalueToRvalue) read(c->sub); else expr(c->sub);
        break;
      }
      case ExprKind::CompoundLit: {
        auto *c = e->as<CompoundLit>();
        if (c->init) list(c->init);
        if (c->object) { event(conditional ? Event::Modify : Event::Define, c->object); event(Event::Use, c->object); }
        break;
      }
      case ExprKind::Call: {
        auto *c = e->as<Call>();
        expr(c->callee);
        for (auto *a : c->args) expr(a);
        break;
      }
      case ExprKind::Member:
        expr(e->as<Member>()->base);
        break;
      case ExprKind::Index: expr(e->as<Index>()->base); expr(e->as<Index>()->index); sizes(e->type); break;
      case ExprKind::SizeofExpr:
        if (e->as<SizeofExpr>()->sub && e->as<SizeofExpr>()->sub->type && hasVariableSize(e->as<SizeofExpr>()->sub->type.type)) {
          expr(e->as<SizeofExpr>()->sub);
          sizes(e->as<SizeofExpr>()->sub->type);
        }
        break;
      case ExprKind::SizeofType:
        if (e->as<SizeofType>()->target && e->as<SizeofType>()->target->type) typeSizes(e->as<SizeofType>()->target->type);
        break;
      case ExprKind::Generic: expr(e->as<Generic>()->chosen); break;
      case ExprKind::StmtExpr: {
        // Control flow inside a statement expression is kept, but its definitions do not kill where the whole is conditional.
        stmt(e->as<StmtExpr>()->body);
        break;
      }
      case ExprKind::VaArg: expr(e->as<VaArg>()->list); break;
      case ExprKind::Offsetof: for (auto &t : e->as<Offsetof>()->terms) expr(t.second); break;
      case ExprKind::ChooseExpr: expr(e->as<ChooseExpr>()->chosen); break;
      case ExprKind::Spawn: {
        auto *s = e->as<Spawn>();
        if (s->call) { expr(s->call->callee); for (auto *a : s->call->args) expr(a); }
        break;
      }
      default: break;
    }
  }
  void typeSizes(QualType t) {
    for (const Type *ty = t.type; ty && ty->isArray(); ty = ty->as<ArrayType>()->elem.type)
      if (auto *a = ty->as<ArrayType>(); a->arrayKind == ArrayKind::Variable) { if (a->sizeVar) event(Event::Use, a->sizeVar); else expr(a->size); }
  }

  // A statement's expression: the three forms with a spawn in them, or a plain expression.
  void statementExpr(const ExprStmt *s) {
    Expr *e = s->expr;
    if (e) {
      event(Event::Evaluate, nullptr, nullptr, s);
      cfg.blocks[current].events.back().expr = e;
    }
    if (e && e->kind == ExprKind::Spawn) {
      beforeSpawn(s);
      spawn(e->as<Spawn>(), s);
      return;
    }
    if (e && e->kind == ExprKind::Assign) {
      auto *a = e->as<Assign>();
      if (Spawn *sp = spawnUnder(a->rhs)) {
        beforeSpawn(s);
        useLvalue(a->lhs);
        sizes(a->lhs->type);
        bool whole;
        VarDecl *v = baseVar(a->lhs, whole);
        if (v && a->compound) addDelivered(v);
        spawn(sp, s);
        if (v) event(Event::Deliver, v, sp, s);
        return;
      }
    }
    if (e && e->kind == ExprKind::Call && e->as<Call>()->inlet) {
      auto *c = e->as<Call>();
      beforeSpawn(s);
      for (size_t i = 1; i < c->args.size(); i++) expr(c->args[i]);
      Spawn *sp = c->args.empty() ? nullptr : spawnUnder(c->args[0]);
      if (sp) spawn(sp, s);
      deliverInlet();
      event(Event::DeliverInlet, nullptr, sp, s);
      return;
    }
    expr(e);
  }
  // An inlet's spawn is met: whatever inlets touch may change at deliveries.
  void deliverInlet() {
    if (!cfg.inletTouched.empty() || !def->fn) return;
    for (auto *list : {&def->fn->params, &def->fn->locals})
      for (auto *v : *list)
        if (v->inletTouches) { cfg.inletTouched.push_back(v); addDelivered(v); }
  }
  std::unordered_set<const VarDecl *> isDelivered;
  void addDelivered(VarDecl *v) {
    if (isDelivered.insert(v).second) cfg.delivered.push_back(v);
  }
  void spawn(Spawn *sp, const Stmt *s) {
    expr(sp);
    event(Event::SpawnPoint, nullptr, sp, s);
  }
  void beforeSpawn(const Stmt *s) {
    if (!outermostLoop) event(Event::BeforePoint, nullptr, nullptr, s);
  }

  struct LoopScope {
    Builder &b;
    bool outer;
    // The test before a first spawn inside loops stands before the outermost of them.
    LoopScope(Builder &b, const Stmt *loop) : b(b), outer(!b.outermostLoop) {
      if (outer && containsCilkPoint(loop)) {
        b.event(Event::BeforePoint, nullptr, nullptr, loop);
        b.outermostLoop = loop;
      } else {
        outer = false;
      }
    }
    ~LoopScope() { if (outer) b.outermostLoop = nullptr; }
  };

  void declaration(const Declaration *d) {
    for (auto &id : d->declarators) {
      if (!id.decl || id.decl->kind != DeclKind::Var) { if (id.decl) declSizes(id.decl->type); continue; }
      auto *v = id.decl->as<VarDecl>();
      declSizes(v->type);
      if (!v->isLocal) continue;
      evaluateInits(v->init);
      event(Event::Declared, v);
      event(Event::Define, v);
    }
  }
  void declSizes(QualType t) {                     // a variably modified declaration is reached: its size variables are set
    const Type *ty = t.type;
    while (ty) {
      if (ty->isArray()) {
        auto *a = ty->as<ArrayType>();
        if (a->arrayKind == ArrayKind::Variable) { expr(a->size); if (a->sizeVar) event(Event::Modify, a->sizeVar); }
        ty = a->elem.type;
      } else if (ty->isPointer()) {
        ty = ty->as<PointerType>()->pointee.type;
      } else {
        return;
      }
    }
  }

  void stmt(const Stmt *s) {
    // Else-if chains are walked without recursion.
    if (!s) return;
    switch (s->kind) {
      case StmtKind::Expr: statementExpr(s->as<ExprStmt>()); break;
      case StmtKind::Compound: for (auto *c : s->as<CompoundStmt>()->body) stmt(c); break;
      case StmtKind::Decl: if (s->as<DeclStmt>()->decl) declaration(s->as<DeclStmt>()->decl); break;
      case StmtKind::If: {
        std::vector<int> ends;
        const Stmt *at = s;
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
        for (int b : ends) if (b >= 0) { link(b, join); reachable = true; }
        start(reachable ? join : -1);
        break;
      }
      case StmtKind::While: {
        LoopScope loop(*this, s);
        auto *w = s->as<WhileStmt>();
        int head = newBlock(), body = newBlock(), end = newBlock();
        link(current, head);
        start(head);
        expr(w->cond);
        branch(w->cond, body, end);
        loopBody(body, end, head, w->body);
        link(current, head);
        start(end);
        break;
      }
      case StmtKind::Do: {
        LoopScope loop(*this, s);
        auto *w = s->as<DoStmt>();
        int body = newBlock(), test = newBlock(), end = newBlock();
        link(current, body);
        loopBody(body, end, test, w->body);
        link(current, test);
        start(test);
        expr(w->cond);
        branch(w->cond, body, end);
        start(end);
        break;
      }
      case StmtKind::For: {
        auto *f = s->as<ForStmt>();
        LoopScope loop(*this, s);
        stmt(f->init);
        int head = newBlock(), body = newBlock(), step = newBlock(), end = newBlock();
        link(current, head);
        start(head);
        if (f->cond) {
          expr(f->cond);
          branch(f->cond, body, end);
        } else {
          link(current, body);
        }
        loopBody(body, end, step, f->body);
        link(current, step);
        start(step);
        evaluate(f->step, s);
        link(current, head);
        start(end);
        break;
      }
      case StmtKind::Switch: {
        auto *w = s->as<SwitchStmt>();
        evaluate(w->cond, s);
        int dispatch = current, end = newBlock();
        switches.push_back({dispatch, false});
        breaks.push_back(end);
        start(-1);
        stmt(w->body);
        link(current, end);
        if (!switches.back().hasDefault) link(dispatch, end);
        switches.pop_back();
        breaks.pop_back();
        start(end);
        break;
      }
      case StmtKind::Case: case StmtKind::Default: {
        int block = newBlock();
        link(current, block);
        if (!switches.empty()) {
          link(switches.back().dispatch, block);
          if (s->kind == StmtKind::Default) switches.back().hasDefault = true;
        }
        start(block);
        stmt(s->kind == StmtKind::Case ? s->as<CaseStmt>()->sub : s->as<DefaultStmt>()->sub);
        break;
      }
      case StmtKind::Label: {
        int block = labelBlock(s->as<LabelStmt>()->label);
        link(current, block);
        if (s->as<LabelStmt>()->label && s->as<LabelStmt>()->label->nonlocal) link(0, block);   // from a nested function
        start(block);
        stmt(s->as<LabelStmt>()->sub);
        break;
      }
      case StmtKind::Goto:
        if (s->as<GotoStmt>()->label) link(current, labelBlock(s->as<GotoStmt>()->label));
        start(-1);
        break;
      case StmtKind::GotoExpr:
        evaluate(s->as<GotoExprStmt>()->target, s);
        if (def->fn) for (auto *l : def->fn->labels) if (l->addressTaken) link(current, labelBlock(l));
        start(-1);
        break;
      case StmtKind::Continue: if (!continues.empty()) link(current, continues.back()); start(-1); break;
      case StmtKind::Break: if (!breaks.empty()) link(current, breaks.back()); start(-1); break;
      case StmtKind::Return:
        evaluate(s->as<ReturnStmt>()->value, s);
        event(Event::ReturnPoint, nullptr, nullptr, s);
        start(-1);
        break;
      case StmtKind::Asm: {
        auto *a = s->as<AsmStmt>();
        for (auto &o : a->inputs) evaluate(o.expr, s);
        for (auto &o : a->outputs) {
          useLvalue(o.expr);
          bool whole;
          if (VarDecl *v = baseVar(o.expr, whole)) {
            if (!o.constraint.empty() && o.constraint[0] == '+') event(Event::Use, v);
            event(Event::Modify, v);
          }
        }
        for (auto &l : a->gotoLabels) if (l.second) link(current, labelBlock(l.second));
        break;
      }
      case StmtKind::Sync: event(Event::SyncPoint, nullptr, nullptr, s); break;
      default: break;
    }
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
  if (!s) return false;
  switch (s->kind) {
    case StmtKind::Sync: return true;
    case StmtKind::Expr: {
      Expr *e = s->as<ExprStmt>()->expr;
      if (!e) return false;
      if (e->kind == ExprKind::Spawn) return true;
      if (e->kind == ExprKind::Assign) return spawnUnder(e->as<Assign>()->rhs) != nullptr;
      return e->kind == ExprKind::Call && e->as<Call>()->inlet;
    }
    case StmtKind::Compound:
      for (auto *c : s->as<CompoundStmt>()->body) if (containsCilkPoint(c)) return true;
      return false;
    case StmtKind::If: {
      const Stmt *at = s;
      while (at && at->kind == StmtKind::If) {
        if (containsCilkPoint(at->as<IfStmt>()->then)) return true;
        at = at->as<IfStmt>()->otherwise;
      }
      return containsCilkPoint(at);
    }
    case StmtKind::While: return containsCilkPoint(s->as<WhileStmt>()->body);
    case StmtKind::Do: return containsCilkPoint(s->as<DoStmt>()->body);
    case StmtKind::For: return containsCilkPoint(s->as<ForStmt>()->body);
    case StmtKind::Switch: return containsCilkPoint(s->as<SwitchStmt>()->body);
    case StmtKind::Case: return containsCilkPoint(s->as<CaseStmt>()->sub);
    case StmtKind::Default: return containsCilkPoint(s->as<DefaultStmt>()->sub);
    case StmtKind::Label: return containsCilkPoint(s->as<LabelStmt>()->sub);
    default: return false;
  }
}

Cfg buildCfg(const FunctionDef *def) { return Builder(def).build(); }

}  // namespace cilkc
