// pointers.cpp - what is certain of a function's pointers: null, the address of a variable, or of an object that was
// freed.
//
// A forward "must" problem over the graph. A fact about a variable holds at a point if the last store on every way
// there says the same; everything else is unknown. The right side of && and || and the branches of ?: may not be
// evaluated: a store there makes facts unknown, and no access there is reported. A test that names a null pointer ends
// what is known of it, since the ways after the test are for other values.
//
// Local pointers are followed unless something else can store to them (their address, an inlet, a nested function).
// Pointers of static storage are followed up to the next call, spawn, sync or store through a pointer.
#include "frontend/analysis/pointers.h"
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "diag/warn.h"

namespace cilkc::analysis {
namespace {

struct Fact {
  enum Kind : uint8_t { Null, Address, Freed } kind;
  const VarDecl *target = nullptr;  // Address: of this variable, or of a part of it
  Range where;  // what made it so
  bool same(const Fact &o) const { return kind == o.kind && target == o.target; }
};
using Facts = std::map<const VarDecl *, Fact>;

constexpr size_t maxFacts = 200;  // at one point

bool isNull(const Expr *e) {
  if (!e->type || !e->type->isPointer()) return false;
  e = ignoreCasts(e);
  return e->kind == ExprKind::IntLit && e->as<IntLit>()->value == 0;
}

// The variable of which the lvalue is the whole or a part, without a pointer in between; of any storage.
const VarDecl *object(const Expr *e) {
  for (;;) {
    e = ignoreParens(e);
    if (e->kind == ExprKind::Member && !e->as<Member>()->arrow) e = e->as<Member>()->base;
    else if (e->kind == ExprKind::Index) {
      e = ignoreParens(e->as<Index>()->base);
      if (e->kind != ExprKind::ImplicitCast || e->as<ImplicitCast>()->castKind != CastKind::ArrayToPointer)
        return nullptr;
      e = e->as<ImplicitCast>()->sub;
    } else if (e->kind == ExprKind::Ident) {
      const Decl *d = e->as<Ident>()->decl;
      return d && d->kind == DeclKind::Var && !d->as<VarDecl>()->hidden ? d->as<VarDecl>() : nullptr;
    } else return nullptr;
  }
}

class Pointers {
public:
  Pointers(const FunctionDef *def, const Graph &graph, DiagnosticEngine &diags)
      : def(def), fn(def->fn), graph(graph), cfg(graph.cfg), diags(diags) {}

  void run() {
    if (fn->callsSetjmp) return;
    scan();
    std::vector<Facts> in(cfg.blocks.size());
    std::vector<char> met(cfg.blocks.size(), 0), waiting(cfg.blocks.size(), 0);
    std::vector<int> work{0};
    met[0] = 1;
    while (!work.empty()) {
      int b = work.back();
      work.pop_back();
      waiting[static_cast<size_t>(b)] = 0;
      facts = in[static_cast<size_t>(b)];
      through(cfg.blocks[static_cast<size_t>(b)]);
      for (int next : cfg.blocks[static_cast<size_t>(b)].next) {
        const auto n = static_cast<size_t>(next);
        bool changed = !met[n];
        if (changed) met[n] = 1, in[n] = facts;
        else
          changed = std::erase_if(in[n], [&](const auto &known) {
            auto it = facts.find(known.first);
            return it == facts.end() || !it->second.same(known.second);
          }) != 0;
        if (changed && !waiting[n]) waiting[n] = 1, work.push_back(next);
      }
    }
    reporting = true;
    for (size_t b = 0; b < cfg.blocks.size(); b++)
      if (met[b]) {
        facts = std::move(in[b]);
        through(cfg.blocks[b]);
      }
  }

private:
  const FunctionDef *def;
  const FunctionDecl *fn;
  const Graph &graph;
  const Cfg &cfg;
  DiagnosticEngine &diags;
  Facts facts;
  bool reporting = false;
  // out of sight: in asm, or in a statement expression, whose order the graph does not keep
  std::unordered_set<const VarDecl *> left;
  std::unordered_map<const VarDecl *, Loc> ends;  // of variables in inner blocks: where the block closes
  std::unordered_set<const VarDecl *> keptReported;
  // `*p` of a parameter that keeps its value: an object of the caller, which calls may change as they may a global one
  struct Pointee {
    std::string name;
    VarDecl object;
  };
  std::map<const VarDecl *, Pointee> pointees;

  void scan() {
    auto leaveOut = [&](const auto *root) {
      eachExpr(root, Walk::Evaluated, [&](const Expr *e) {
        if (e->kind == ExprKind::Ident)
          if (const VarDecl *v = namedVariable(e)) left.insert(v);
      });
    };
    auto declares = [&](const Stmt *s, Loc end) {
      if (s && s->kind == StmtKind::Decl && s->as<DeclStmt>()->decl && end.valid())
        for (const InitDeclarator &d : s->as<DeclStmt>()->decl->declarators)
          if (d.decl && d.decl->kind == DeclKind::Var && d.decl->as<VarDecl>()->isLocal)
            ends[d.decl->as<VarDecl>()] = end;
    };
    eachNode(static_cast<const Stmt *>(def->body), Walk::Evaluated, [&](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Expr *>) {
        if (node->kind == ExprKind::StmtExpr) leaveOut(static_cast<const Stmt *>(node->template as<StmtExpr>()->body));
      } else {
        if (node->kind == StmtKind::Asm) leaveOut(node);
        if (node->kind == StmtKind::For) declares(node->template as<ForStmt>()->init, node->range.end);
        if (node->kind == StmtKind::Compound && node != def->body)
          for (const Stmt *s : node->template as<CompoundStmt>()->body)
            declares(s, node->template as<CompoundStmt>()->closing.begin);
      }
    });
  }

  bool followed(const VarDecl *v) const {
    if (!v || !v->type || !v->type->isPointer() || v->type.isVolatile() || left.contains(v)) return false;
    return !v->isLocal || (v->fn == fn && !v->addressTaken && !v->inletTouches && !v->crossesNested && !v->hidden);
  }
  void forget(const VarDecl *v) { facts.erase(v); }
  void forgetShared() {
    std::erase_if(facts, [](const auto &known) { return !known.first->isLocal; });
  }
  const Fact *known(const VarDecl *v) const {
    auto it = v ? facts.find(v) : facts.end();
    return it == facts.end() ? nullptr : &it->second;
  }
  // The variable whose value e is.
  static const VarDecl *loaded(const Expr *e) {
    e = ignorePointerCasts(e);
    return e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue
               ? namedVariable(e->as<ImplicitCast>()->sub)
               : nullptr;
  }

  const VarDecl *pointedTo(const Expr *e) {
    e = ignoreParens(e);
    if (e->kind != ExprKind::Unary || e->as<Unary>()->op != UnaryOp::Deref) return nullptr;
    const VarDecl *p = loaded(e->as<Unary>()->sub);
    if (!p || !p->isParam || p->fn != fn || p->assigned || p->addressTaken || !e->type->isPointer()) return nullptr;
    Pointee &x = pointees[p];
    if (x.name.empty()) {
      x.name = "*" + std::string(p->name);
      x.object.name = x.name;
      x.object.type = e->type;
      x.object.range = p->range;
    }
    return &x.object;
  }

  std::optional<Fact> value(const Expr *e) const {
    if (isNull(e)) return Fact{Fact::Null, nullptr, e->range};
    e = ignorePointerCasts(e);
    while (e->kind == ExprKind::Binary &&
           (e->as<Binary>()->op == BinaryOp::Add || e->as<Binary>()->op == BinaryOp::Sub) && e->type &&
           e->type->isPointer()) {
      const auto *b = e->as<Binary>();
      e = ignorePointerCasts(b->lhs->type && b->lhs->type->isPointer() ? b->lhs : b->rhs);
    }
    if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::AddrOf) {
      if (const VarDecl *v = object(e->as<Unary>()->sub)) return Fact{Fact::Address, v, e->range};
    } else if (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::ArrayToPointer) {
      if (const VarDecl *v = object(e->as<ImplicitCast>()->sub)) return Fact{Fact::Address, v, e->range};
    } else if (const Fact *f = known(loaded(e))) {
      return *f;
    }
    return {};
  }

  void store(const VarDecl *v, std::optional<Fact> f, bool sure) {
    if (f && sure && followed(v) && (facts.size() < maxFacts || facts.contains(v))) facts[v] = *f;
    else forget(v);
  }

  // ---- expressions, in the order of their evaluation; `sure`: e is evaluated for certain ----

  void walk(const Expr *e, bool sure) {
    if (!e) return;
    switch (e->kind) {
      case ExprKind::Paren: walk(e->as<ParenExpr>()->sub, sure); return;
      case ExprKind::ImplicitCast: {
        const auto *c = e->as<ImplicitCast>();
        if (c->castKind == CastKind::LvalueToRvalue) access(c->sub, sure);
        else if (c->castKind == CastKind::ArrayToPointer || c->castKind == CastKind::FunctionToPointer)
          designate(c->sub, sure);
        else walk(c->sub, sure);
        return;
      }
      case ExprKind::Unary: {
        const auto *u = e->as<Unary>();
        if (u->op == UnaryOp::AddrOf) designate(u->sub, sure);
        else if (isIncDec(u->op)) {
          access(u->sub, sure);
          noteChange(u->sub);
        } else if (u->op == UnaryOp::Deref) designate(e, sure);  // an access has gone over access()
        else walk(u->sub, sure);
        return;
      }
      case ExprKind::Binary: binary(e, sure); return;
      case ExprKind::Assign: {
        const auto *a = e->as<Assign>();
        access(a->lhs, sure);
        walk(a->rhs, sure);
        const VarDecl *v = namedVariable(a->lhs);
        if (!v) v = pointedTo(a->lhs);
        if (v && !a->compound) store(v, value(a->rhs), sure);
        else noteChange(a->lhs);
        return;
      }
      case ExprKind::Conditional: {
        const auto *c = e->as<Conditional>();
        walk(c->cond, sure);
        walk(c->then, false);
        walk(c->otherwise, false);
        return;
      }
      case ExprKind::Call: call(e->as<Call>(), sure); return;
      case ExprKind::Member:
      case ExprKind::Index: designate(e, sure); return;
      case ExprKind::StmtExpr: return;  // its statements have events of their own
      default:
        otherKinds<34>();
        eachChild(e, Walk::Evaluated, [&](const auto *child) {
          if constexpr (std::is_base_of_v<Expr, std::remove_cvref_t<decltype(*child)>>) walk(child, sure);
        });
    }
  }

  void binary(const Expr *e, bool sure) {  // sums can be long to the left
    std::vector<const Binary *> spine;
    for (; e->kind == ExprKind::Binary; e = spine.back()->lhs) spine.push_back(e->as<Binary>());
    walk(e, sure);
    for (auto it = spine.rbegin(); it != spine.rend(); ++it) walk((*it)->rhs, sure && !isLogical((*it)->op));
  }

  // The lvalue's address is worked out; the object itself is not touched.
  void designate(const Expr *e, bool sure) {
    e = ignoreParens(e);
    if (e->kind == ExprKind::Ident) return;
    if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::Deref) walk(e->as<Unary>()->sub, sure);
    else if (e->kind == ExprKind::Member)
      e->as<Member>()->arrow ? walk(e->as<Member>()->base, sure) : designate(e->as<Member>()->base, sure);
    else if (e->kind == ExprKind::Index) {
      walk(e->as<Index>()->base, sure);
      walk(e->as<Index>()->index, sure);
    } else if (e->kind != ExprKind::Unary || e->as<Unary>()->op != UnaryOp::AddrOf) walk(e, sure);
  }

  // The object is read or written.
  void access(const Expr *e, bool sure) {
    designate(e, sure);
    if (!sure || !reporting) return;
    for (;;) {
      e = ignoreParens(e);
      if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::Deref) return follow(e->as<Unary>()->sub, e);
      if (e->kind == ExprKind::Index) {
        const Expr *base = ignoreParens(e->as<Index>()->base);
        if (base->kind != ExprKind::ImplicitCast || base->as<ImplicitCast>()->castKind != CastKind::ArrayToPointer)
          return follow(base, e);
        e = base->as<ImplicitCast>()->sub;  // a row of an array
      } else if (e->kind == ExprKind::Member) {
        if (e->as<Member>()->arrow) return follow(e->as<Member>()->base, e);
        e = e->as<Member>()->base;
      } else return;
    }
  }

  void follow(const Expr *pointer, const Expr *whole) {
    if (!pointer->type || !pointer->type->isPointer()) return;
    if (isNull(pointer)) {
      if (!pointer->type->as<PointerType>()->pointee.isVolatile() &&
          !diags.sources().inSystemHeader(whole->range.begin))
        diags.report(diag::null_dereference, whole->range);
      return;
    }
    const VarDecl *v = loaded(pointer);
    const Fact *f = known(v);
    if (!f) return;
    if (f->kind == Fact::Null)
      diags.report(diag::null_variable, whole->range).note(f->where, "it becomes null here") << v->name;
    else checkUse(v, *f, pointer->range);
    forget(v);
  }

  // The value of v is used, in an access or in a call.
  void checkUse(const VarDecl *v, const Fact &f, Range where) {
    if (f.kind == Fact::Freed) {
      diags.report(diag::use_after_free, where).note(f.where, "here") << v->name << "free";
    } else if (f.kind == Fact::Address) {
      if (auto end = ends.find(f.target); end != ends.end() && end->second < where.begin)
        diags.report(diag::dangling_used, where)
                .note(f.target->range, "'" + std::string(f.target->name) + "' is declared here")
            << v->name << f.target->name;
    }
  }

  void noteChange(const Expr *lvalue) {
    if (const VarDecl *v = object(lvalue)) forget(v);
    else forgetShared();
  }

  void call(const Call *c, bool sure) {
    const FunctionDecl *f = directCallee(c);
    walk(c->callee, sure);
    bool frees = f && f->name == "free" && !f->def && !f->parent && c->args.size() == 1;
    for (size_t i = 0; i < c->args.size(); i++) {
      const Expr *a = c->args[i];
      walk(a, sure);
      const VarDecl *v = a->type && a->type->isPointer() ? loaded(a) : nullptr;
      const Fact *known = this->known(v);
      bool named = c->fnType && i < c->fnType->params.size();  // printf("%p", p) looks at the pointer alone
      if (known && sure && reporting && named && known->kind != Fact::Null) checkUse(v, *known, a->range);
    }
    if (!f || !f->builtin || f->def) forgetShared();
    if (!frees) return;
    const Expr *a = c->args[0];
    if (auto given = value(a); given && given->kind == Fact::Address && given->target && reporting) {
      DiagBuilder report = diags.report(diag::free_nonheap, c->range);
      report << f->name << given->target->name;
      report.note(given->target->range, "'" + std::string(given->target->name) + "' is declared here");
    }
    if (const VarDecl *v = loaded(a)) store(v, Fact{Fact::Freed, nullptr, c->range}, sure);
  }

  // ---- blocks ----

  void through(const Block &b) {
    for (const Event &e : b.events) {
      switch (e.kind) {
        case Event::Evaluate: walk(e.expr, true); break;
        case Event::Declared:
          if (e.var->init && e.var->init->expr) store(e.var, value(e.var->init->expr), true);
          else forget(e.var);
          break;
        case Event::SpawnPoint:
        case Event::DeliverInlet:
        case Event::SyncPoint:
        case Event::TouchPoint: forgetShared(); break;
        case Event::Deliver: forget(e.var); break;
        case Event::ReturnPoint: returns(e.stmt); break;
        default: break;
      }
    }
    if (!b.condition) return;
    walk(b.condition, true);
    eachExpr(b.condition, Walk::Evaluated, [&](const Expr *e) {
      const VarDecl *v = e->kind == ExprKind::Ident ? namedVariable(e) : nullptr;
      if (const Fact *f = known(v); f && f->kind == Fact::Null) forget(v);
    });
  }

  bool isMine(const Fact &f) const { return f.kind == Fact::Address && f.target->isLocal && f.target->fn == fn; }

  void returns(const Stmt *s) {
    if (!reporting) return;
    const Expr *e = s && s->kind == StmtKind::Return ? s->as<ReturnStmt>()->value : nullptr;
    if (e && e->type && e->type->isPointer()) {
      const Expr *bare = ignorePointerCasts(e);
      bool direct =
          bare->kind == ExprKind::Unary ||
          (bare->kind == ExprKind::ImplicitCast && bare->as<ImplicitCast>()->castKind == CastKind::ArrayToPointer);
      if (auto f = value(e); f && isMine(*f) && !direct)  // sema reports `return &v;` and `return a;`
        diags.report(diag::return_local_address, e->range).note(f->where, "the address is taken here")
            << f->target->name;
    }
    if (fn->name == "main" && !fn->parent) return;  // the program ends with it
    for (const auto &[v, f] : facts)
      if (!v->isLocal && isMine(f) && keptReported.insert(v).second)
        diags.report(diag::dangling_kept, f.where).note(v->range, "'" + std::string(v->name) + "' is declared here")
            << f.target->name << v->name;
  }
};

}  // namespace

void checkPointers(const FunctionDef *def, const Graph &graph, DiagnosticEngine &diags) {
  Pointers(def, graph, diags).run();
}

}  // namespace cilkc::analysis
