// warn.cpp - warnings that need a whole function: missing return, implicit fall-through, use of uninitialised variables.
//
// One structured walk over the typed body. The state at a point is: can control come here; which of the watched variables *may*
// have a value. A loop starts with everything its body may assign, so one pass is
// enough; a label gives up all knowledge. So what is reported is true on every path: no false alarms, at the price of some silence.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/builtins/builtins.h"
#include "frontend/sema/core/sema.h"
#include "frontend/source/layout.h"

namespace cilkc {

namespace {

using Bits = std::vector<bool>;

struct State {
  bool live = true;
  Bits assigned;                             // may have a value
};

class Walker {
public:
  Walker(Sema &sema, FunctionDef *def) : s(sema), def(def), fn(def->fn) {
    bool watch = s.diags.wants(diag::uninitialized) && !fn->callsSetjmp && fn->locals.size() < 3000;
    if (watch)
      for (VarDecl *v : fn->locals) {
        if (v->isParam || v->hidden || v->init || v->addressTaken || v->crossesNested || v->inletTouches || v->type.isVolatile() || !v->type.type) continue;
        if (!v->type->isScalar()) continue;
        index.emplace(v, static_cast<int>(index.size()));
      }
    cur.assigned.assign(index.size(), false);
    reported.assign(index.size(), false);
  }

  // Returns whether control reaches the closing brace.
  bool run() {
    stmt(def->body);
    return cur.live;
  }

private:
  Sema &s;
  FunctionDef *def;
  FunctionDecl *fn;
  std::unordered_map<const VarDecl *, int> index;
  Bits reported;
  State cur;
  struct Target {
    State out;
    bool any = false;
  };
  std::vector<Target *> breaks, continues;
  struct SwitchInfo {
    State dispatch;
    const Stmt *previous = nullptr;
  };
  std::vector<SwitchInfo *> switches;
  bool afterCaseLabel = false;

  static void join(State &a, const State &b) {
    if (!b.live) return;
    if (!a.live) {
      a = b;
      return;
    }
    for (size_t i = 0; i < a.assigned.size(); i++)
      if (b.assigned[i]) a.assigned[i] = true;
  }
  void jumpTo(Target *t) {
    if (!t->any) t->out = cur, t->any = cur.live;
    else join(t->out, cur);
    cur.live = false;
  }

  static const VarDecl *variable(const Expr *e) {
    e = ignoreParens(e);
    return e && e->kind == ExprKind::Ident ? namedVariable(e) : nullptr;
  }

  void assign(const VarDecl *v) {
    if (!v) return;
    if (auto it = index.find(v); it != index.end()) cur.assigned[static_cast<size_t>(it->second)] = true;
  }
  void read(const VarDecl *v, Range at) {
    if (!v || !cur.live) return;
    if (auto it = index.find(v); it != index.end()) {
      size_t i = static_cast<size_t>(it->second);
      if (!cur.assigned[i] && !reported[i]) {
        reported[i] = true;
        s.diags.report(diag::uninitialized, at).note(v->range, "'" + std::string(v->name) + "' is declared here without a value") << v->name;
      }
    }
  }

  // ---- expressions: reads and stores in an order that is good enough ----
  void expr(const Expr *e) {
    if (!e) return;
    switch (e->kind) {
      case ExprKind::Paren: expr(e->as<ParenExpr>()->sub); return;
      case ExprKind::ImplicitCast: {
        const auto *c = e->as<ImplicitCast>();
        if (c->castKind == CastKind::LvalueToRvalue)
          if (const VarDecl *v = variable(c->sub)) {
            read(v, c->sub->range);
            return;
          }
        expr(c->sub);
        return;
      }
      case ExprKind::Cast: {
        // (void)x is no use.
        if (e->as<Cast>()->castKind == CastKind::ToVoid) {
          const Expr *sub = ignoreParens(e->as<Cast>()->sub);
          if (sub && sub->kind == ExprKind::ImplicitCast && variable(sub->as<ImplicitCast>()->sub)) return;
        }
        expr(e->as<Cast>()->sub);
        return;
      }
      case ExprKind::Unary: {
        const auto *u = e->as<Unary>();
        if (isIncDec(u->op)) {
          if (const VarDecl *v = variable(u->sub)) {
            read(v, u->sub->range);
            assign(v);
            return;
          }
        }
        expr(u->sub);
        return;
      }
      case ExprKind::Binary: {
        std::vector<const Binary *> spine;
        const Expr *left = e;
        while (left && left->kind == ExprKind::Binary) spine.push_back(left->as<Binary>()), left = left->as<Binary>()->lhs;
        expr(left);
        for (auto it = spine.rbegin(); it != spine.rend(); ++it) expr((*it)->rhs);
        return;
      }
      case ExprKind::Assign: {
        const auto *a = e->as<Assign>();
        const VarDecl *v = variable(a->lhs);
        if (!v) expr(a->lhs);
        expr(a->rhs);
        if (v) {
          if (a->compound) read(v, a->lhs->range);
          assign(v);
        }
        return;
      }
      case ExprKind::Conditional:
        expr(e->as<Conditional>()->cond);
        expr(e->as<Conditional>()->then);
        expr(e->as<Conditional>()->otherwise);
        return;
      case ExprKind::Call: {
        const auto *c = e->as<Call>();
        auto id = static_cast<BuiltinId>(c->builtin);
        if (id == BuiltinId::constant_p || id == BuiltinId::classify_type || id == BuiltinId::object_size || id == BuiltinId::dynamic_object_size) return;
        expr(c->callee);
        for (const Expr *a : c->args) expr(a);
        if (c->fnType && c->fnType->noreturn) cur.live = false;
        if (const FunctionDecl *f = directCallee(c)) {
          if (f->isNoreturn || f->attrs.noreturn || (f->builtin && builtinHasFlag(static_cast<BuiltinId>(f->builtin), 'r'))) noreturnCalled = true;
        }
        return;
      }
      case ExprKind::Member: expr(e->as<Member>()->base); return;
      case ExprKind::Index:
        expr(e->as<Index>()->base);
        expr(e->as<Index>()->index);
        return;
      case ExprKind::CompoundLit:
        if (e->as<CompoundLit>()->init) list(e->as<CompoundLit>()->init);
        return;
      case ExprKind::Generic: expr(e->as<Generic>()->chosen); return;
      case ExprKind::ChooseExpr: expr(e->as<ChooseExpr>()->chosen); return;
      case ExprKind::StmtExpr:
        if (e->as<StmtExpr>()->body) stmt(e->as<StmtExpr>()->body);
        return;
      case ExprKind::VaArg: expr(e->as<VaArg>()->list); return;
      case ExprKind::Offsetof:
        for (auto &t : e->as<Offsetof>()->terms) expr(t.second);
        return;
      case ExprKind::Hole:
        if (const VarDecl *v = variable(e->as<Hole>()->sub)) assign(v);
        else expr(e->as<Hole>()->sub);
        return;
      case ExprKind::Error:
      case ExprKind::IntLit:
      case ExprKind::FloatLit:
      case ExprKind::CharLit:
      case ExprKind::StringLit:
      case ExprKind::Data:
      case ExprKind::Ident:
      case ExprKind::SizeofExpr:
      case ExprKind::SizeofType:
      case ExprKind::AlignofExpr:
      case ExprKind::AlignofType:
      case ExprKind::LabelAddr:
      case ExprKind::TypesCompatible:
      case ExprKind::Spawn:
      case ExprKind::ChildResult:
      case ExprKind::Synched: return;
    }
  }
  bool noreturnCalled = false;
  void list(const InitList *l) {
    if (l->plan) {
      for (auto &st : l->plan->stores) expr(st.value);
      return;
    }
    for (auto &it : l->items) initializer(it.init);
  }
  void initializer(const Initializer *i) {
    if (!i) return;
    if (i->expr) expr(i->expr);
    else if (i->list) list(i->list);
  }

  // What a loop may assign.
  void enterLoop(const Stmt *loop) {
    eachNode(loop, Walk::Evaluated, [this](const auto *node) {
      if constexpr (std::is_same_v<decltype(node), const Stmt *>) {
        if (node->kind == StmtKind::Asm)
          for (auto &o : node->template as<AsmStmt>()->outputs) assign(variable(o.expr));
        if (node->kind == StmtKind::Spawn) assign(variable(node->template as<SpawnStmt>()->receiver()));
      } else {
        if (node->kind == ExprKind::Hole) assign(variable(node->template as<Hole>()->sub));
        if (node->kind == ExprKind::Assign) assign(variable(node->template as<Assign>()->lhs));
        if (node->kind == ExprKind::Unary && isIncDec(node->template as<Unary>()->op)) assign(variable(node->template as<Unary>()->sub));
      }
    });
  }

  std::optional<bool> truth(const Expr *cond) {
    if (!cond) return true;
    if (!cond->type) return {};
    if (cond->kind == ExprKind::Paren) return truth(cond->as<ParenExpr>()->sub);
    if (cond->type->isPointer() && s.conv.isNullPointerConstant(cond)) return false;
    if (ignoreParens(cond)->kind == ExprKind::StringLit) return true;          // assert(!"cannot happen")
    if (cond->kind == ExprKind::Unary && cond->as<Unary>()->op == UnaryOp::Not) {
      auto v = truth(cond->as<Unary>()->sub);
      if (v) return !*v;
    }
    if (cond->kind == ExprKind::Binary && (isLogical(cond->as<Binary>()->op))) {
      // One side decides: 1 || x, x && 0.
      bool decides = cond->as<Binary>()->op == BinaryOp::LogOr;
      auto l = truth(cond->as<Binary>()->lhs);
      if (l && *l == decides) return decides;
      auto r = truth(cond->as<Binary>()->rhs);
      if (r && (*r == decides || l)) return *r;
      return {};
    }
    if (!cond->type->isInteger()) return {};
    auto v = s.conv.knownInteger(cond);
    if (!v) return {};
    return *v != 0;
  }

  void loop(const Expr *cond, const Stmt *body, const Expr *step, const Stmt *whole, bool testFirst) {
    enterLoop(whole);
    auto t = truth(cond);
    Target out, next;
    State skipped;
    bool canSkip = false;
    if (testFirst) {
      expr(cond);
      if (!(t && *t)) skipped = cur, canSkip = true;
      if (t && !*t) cur.live = false;
    }
    breaks.push_back(&out);
    continues.push_back(&next);
    afterCaseLabel = false;
    stmt(body);
    breaks.pop_back();
    continues.pop_back();
    if (next.any) {
      if (cur.live) join(cur, next.out);
      else cur = next.out;
    }
    if (!testFirst) expr(cond);
    expr(step);
    if (testFirst) {
      cur.live = false;
      if (canSkip) cur = skipped;
    } else if (t && *t) cur.live = false;
    if (out.any) {
      if (cur.live) join(cur, out.out);
      else cur = out.out;
    }
  }

  // Was falling through said to be meant, by an attribute or a comment on the lines before the label?
  bool fallthroughMeant(const Stmt *previous, const Stmt *label) {
    for (const Stmt *p = previous; p;) {
      for (const Attr *a : p->attrs)
        if (a->name == "fallthrough") return true;
      if (p->kind == StmtKind::Compound && !p->as<CompoundStmt>()->body.empty()) p = p->as<CompoundStmt>()->body.back();
      else if (p->kind == StmtKind::Case) p = p->as<CaseStmt>()->sub;
      else if (p->kind == StmtKind::Default) p = p->as<DefaultStmt>()->sub;
      else if (p->kind == StmtKind::Label) p = p->as<LabelStmt>()->sub;
      else break;
    }
    // Nothing is done before the label: assert() under NDEBUG.
    const Stmt *last = previous;
    while (last && (last->kind == StmtKind::Case || last->kind == StmtKind::Default))
      last = last->kind == StmtKind::Case ? last->as<CaseStmt>()->sub : last->as<DefaultStmt>()->sub;
    if (last && last->kind == StmtKind::Expr)
      if (const Expr *e = ignoreParens(last->as<ExprStmt>()->expr);
          e && e->kind == ExprKind::Cast && e->type->isVoid() && s.conv.knownInteger(e->as<Cast>()->sub))
        return true;
    // Nothing is left to do behind the label.
    const Stmt *then = label;
    while (then && (then->kind == StmtKind::Case || then->kind == StmtKind::Default))
      then = then->kind == StmtKind::Case ? then->as<CaseStmt>()->sub : then->as<DefaultStmt>()->sub;
    if (then && (then->kind == StmtKind::Null || then->kind == StmtKind::Break || then->kind == StmtKind::Continue || then->kind == StmtKind::Goto ||
                    (then->kind == StmtKind::Return && !then->as<ReturnStmt>()->value)))
      return true;
    const SourceManager &sm = s.diags.sources();
    if (!label->range.valid()) return false;
    Presumed at = sm.resolve(label->range.begin);
    if (at.fromMacro) return true;            // the comments in the macro's definition are out of sight
    if (last && last->range.valid() && sm.resolve(last->range.begin).fromMacro) return true;     // assert() and the like
    return saidBefore(sm, label->range.begin, {"fall", "FALL", "Fall"});
  }

  const Stmt *previous = nullptr;     // the statement before the one walked, in its block

  void stmt(const Stmt *st) {
    if (!st) return;
    switch (st->kind) {
      case StmtKind::Expr: {
        noreturnCalled = false;
        const Expr *e = st->as<ExprStmt>()->expr;
        const Expr *x = ignoreParens(e);
        expr(e);
        // Only a call that is the whole statement (or its last part) certainly happens.
        if (noreturnCalled) {
          while (x && (x->kind == ExprKind::Binary || x->kind == ExprKind::Cast || x->kind == ExprKind::ImplicitCast || x->kind == ExprKind::Paren)) {
            if (x->kind == ExprKind::Binary && x->as<Binary>()->op != BinaryOp::Comma) break;
            x = x->kind == ExprKind::Binary  ? x->as<Binary>()->rhs
                : x->kind == ExprKind::Cast  ? x->as<Cast>()->sub
                : x->kind == ExprKind::Paren ? x->as<ParenExpr>()->sub
                                             : x->as<ImplicitCast>()->sub;
          }
          if (x && x->kind == ExprKind::Call) cur.live = false;
        }
        return;
      }
      case StmtKind::Compound: {
        const Stmt *saved = previous;
        previous = nullptr;
        for (const Stmt *c : st->as<CompoundStmt>()->body) {
          stmt(c);
          previous = c;
        }
        previous = saved;
        return;
      }
      case StmtKind::Decl:
        if (st->as<DeclStmt>()->decl)
          for (auto &d : st->as<DeclStmt>()->decl->declarators) {
            if (!d.decl || d.decl->kind != DeclKind::Var) continue;
            const auto *v = d.decl->as<VarDecl>();
            if (!v->isLocal) continue;
            initializer(v->init);
          }
        return;
      case StmtKind::If: {
        State done;
        done.live = false;
        for (const Stmt *at = st;;) {
          if (!at || at->kind != StmtKind::If) {
            previous = nullptr;
            if (at) stmt(at);
            break;
          }
          const auto *i = at->as<IfStmt>();
          expr(i->cond);
          auto t = truth(i->cond);
          State before = cur;
          if (t && !*t) cur.live = false;
          previous = nullptr;
          stmt(i->then);
          join(done, cur);
          cur = before;
          if (t && *t) cur.live = false;
          at = i->otherwise;
        }
        join(done, cur);
        cur = done;
        return;
      }
      case StmtKind::While: loop(st->as<WhileStmt>()->cond, st->as<WhileStmt>()->body, nullptr, st, true); return;
      case StmtKind::Do: loop(st->as<DoStmt>()->cond, st->as<DoStmt>()->body, nullptr, st, false); return;
      case StmtKind::For:
        stmt(st->as<ForStmt>()->init);
        loop(st->as<ForStmt>()->cond, st->as<ForStmt>()->body, st->as<ForStmt>()->step, st, true);
        return;
      case StmtKind::Switch: {
        const auto *sw = st->as<SwitchStmt>();
        expr(sw->cond);
        SwitchInfo info;
        info.dispatch = cur;
        Target out;
        switches.push_back(&info);
        breaks.push_back(&out);
        cur.live = false;
        previous = nullptr;
        stmt(sw->body);
        switches.pop_back();
        breaks.pop_back();
        if (!sw->def) join(cur, info.dispatch);
        if (out.any) {
          if (cur.live) join(cur, out.out);
          else cur = out.out;
        }
        return;
      }
      case StmtKind::Case:
      case StmtKind::Default: {
        const Stmt *sub = st->kind == StmtKind::Case ? st->as<CaseStmt>()->sub : st->as<DefaultStmt>()->sub;
        if (!switches.empty()) {
          bool label = previous && (previous->kind == StmtKind::Case || previous->kind == StmtKind::Default) &&
                       !(previous->kind == StmtKind::Case ? previous->as<CaseStmt>()->sub : previous->as<DefaultStmt>()->sub);
          if (cur.live && previous && !label && s.diags.wants(diag::implicit_fallthrough) && !fallthroughMeant(previous, st))
            s.diags.report(diag::implicit_fallthrough, st->range);
          if (cur.live) join(cur, switches.back()->dispatch);
          else cur = switches.back()->dispatch;
          if (!sub) cur.live = cur.live || switches.back()->dispatch.live;
        }
        previous = nullptr;
        if (sub) stmt(sub);
        return;
      }
      case StmtKind::Label: {
        const LabelDecl *l = st->as<LabelStmt>()->label;
        if (l && (l->used || l->addressTaken)) {
          cur.live = true;
          cur.assigned.assign(cur.assigned.size(), true);
        }
        stmt(st->as<LabelStmt>()->sub);
        return;
      }
      case StmtKind::Goto: cur.live = false; return;
      case StmtKind::GotoExpr:
        expr(st->as<GotoExprStmt>()->target);
        cur.live = false;
        return;
      case StmtKind::Continue:
        if (!continues.empty()) jumpTo(continues.back());
        else cur.live = false;
        return;
      case StmtKind::Break:
        if (!breaks.empty()) jumpTo(breaks.back());
        else cur.live = false;
        return;
      case StmtKind::Return:
        expr(st->as<ReturnStmt>()->value);
        cur.live = false;
        return;
      case StmtKind::Asm: {
        const auto *a = st->as<AsmStmt>();
        for (auto &o : a->inputs) expr(o.expr);
        for (auto &o : a->outputs) {
          if (const VarDecl *v = variable(o.expr)) assign(v);
          else expr(o.expr);
        }
        if (a->isGoto) cur.assigned.assign(cur.assigned.size(), true);
        return;
      }
      case StmtKind::Spawn: {
        const auto *sp = st->as<SpawnStmt>();
        const VarDecl *v = variable(sp->receiver());
        if (!v) expr(sp->receiver());
        expr(sp->call->callee);
        for (const Expr *a : sp->call->args) expr(a);
        for (const Expr *a : sp->arguments) expr(a);
        if (v && sp->form == SpawnForm::Op) read(v, sp->receiver()->range);
        assign(v);
        return;
      }
      case StmtKind::Thread: {
        const auto *t = st->as<ThreadStmt>();
        for (const Expr *a : t->arguments)
          if (a->kind != ExprKind::Hole) expr(a);
        expr(t->placement);
        for (const Expr *a : t->arguments)
          if (a->kind == ExprKind::Hole) expr(a);
        if (t->form == ThreadForm::TailCall) cur.live = false;
        return;
      }
      case StmtKind::Send:
        expr(st->as<SendStmt>()->continuation);
        expr(st->as<SendStmt>()->value);
        return;
      case StmtKind::Error:
      case StmtKind::Null:
      case StmtKind::LocalLabel:
      case StmtKind::Sync:
      case StmtKind::Abort:
      case StmtKind::Function:
      case StmtKind::Pragma: return;
    }
  }
};

}  // namespace

void Warnings::checkFunctionWarnings(FunctionDef *def) {
  FunctionDecl *f = def->fn;
  if (!f || !def->body || diags.hadError() || diags.sources().inSystemHeader(f->range.begin)) return;
  if (!f->type || !f->type->isFunction()) return;
  Walker w(sema, def);
  bool falls = w.run();
  if (!falls || f->attrs.naked) return;
  Range end = def->body->closing.valid() ? def->body->closing : def->body->range;
  if (f->isNoreturn || f->attrs.noreturn) {
    diags.report(diag::noreturn_returns, end) << f->name;
    return;
  }
  QualType result = f->type->as<FunctionType>()->result;
  if (result->isVoid() || result->isError()) return;
  bool isMain = f->name == "main" && !f->parent;
  if (isMain || f->isInlet) return;
  diags.report(f->isCilk ? diag::cilk_missing_return : diag::missing_return, end) << f->name << toString(result);
}

}  // namespace cilkc
