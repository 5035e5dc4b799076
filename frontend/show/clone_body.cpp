// clone_body.cpp - the text of one body: the fast clone, the slow clone or an inlet. The user's statements keep their
// text; variables that live in the closure are written f->name, and what the compiler adds around a spawn or sync has
// its own lines.
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/show/shown.h"

namespace cilkc::show {
namespace {

// Writes one body: of the fast clone, the slow clone or an inlet.
class Writer {
public:
  enum Kind { Fast, Slow, Inlet };
  Writer(Shown &p, Lines &out, Kind kind) : p(p), out(out), kind(kind) {}

  void fastClone() {
    out.add(signatureText(p.name + "_fast"), "the C elision's signature; in place of a C call");
    out.add("{");
    out.in();
    bool needed = p.plan.residents || p.plan.entries.size() > 1;
    if (needed)
      out.add(p.structName() + " *" + p.f + (p.plan.taken == ClosureTaken::AtSpawn ? " = NULL;" : ";"),
          "closure pointer");
    if (p.plan.taken == ClosureTaken::AtEntry) allocate("at entry: it holds objects that must not move");
    body();
    if (p.plan.endReachable) free(p.plan.end.closure);
    out.out();
    out.add("}");
  }

  void slowClone() {
    out.add("void " + p.name + "_slow(struct worker *self, " + p.structName() + " *" + p.f + ")");
    out.add("{", "resumes a stolen, released or suspended instance");
    out.in();
    for (auto *v : p.fn->params)
      if (p.plan.home(v) == VarHome::Register) declareTop(v);
    for (auto *v : p.fn->locals)
      if (p.plan.home(v) == VarHome::Register) declareTop(v);
    out.blank();
    out.add("switch (" + p.f + "->entry) {", "where did it stop?");
    for (size_t n = 1; n < p.plan.entries.size(); n++) {
      const EntryPoint &e = p.plan.entries[n];
      if (!p.plan.resumable(e)) continue;
      std::string restore;
      for (auto *v : e.live)
        if (p.plan.home(v) == VarHome::Register) restore += p.names.at(v) + " = " + field(v) + "; ";
      out.add("case " + std::to_string(n) + ": " + restore + "goto L" + std::to_string(n) + ";",
          restore.empty() ? "" : "restore live vars");
    }
    out.add("}");
    out.blank();
    body();
    bool syncs = p.plan.returnEntry != 0;
    if (syncs) {
      std::string n = std::to_string(p.plan.returnEntry);
      out.blank();
      if (p.plan.endReachable && !p.plan.end.outstanding && p.isVoid())
        out.add("goto returning;", "no child can be out");
      out.label("implicit_sync:", "a procedure returns after its children");
      out.add(p.f + "->entry = " + n + ";", "save PC");
      out.add("if (sync(" + p.f + ") == SUSPENDED)");
      out.block([&] { out.add("return;", "the last child to come back resumes it"); });
      out.label("L" + n + ":;");
    }
    out.label("returning:");
    out.add("finish(" + p.f + (p.isVoid() ? "" : ", &" + p.f + "->result") + ");",
        "deliver to the parent; free the closure");
    out.out();
    out.add("}");
  }

  void inletBody(const FunctionDef *def) {
    for (auto *s : def->body->body) stmt(s);
  }

  std::string text(const Expr *e) const { return sourceText(p.sources, e, rename()); }

  std::string signatureText(const std::string &name) const {
    std::string params;
    for (auto *v : p.fn->params) params += (params.empty() ? "" : ", ") + p.decl(v->type, v->name);
    return p.decl(p.fn->type->as<FunctionType>()->result, name + "(" + (params.empty() ? "void" : params) + ")");
  }

  // The delivery of one child's result, in terms of this body's variables.
  std::string delivery(const PlannedSpawn &planned, const std::string &result, const std::string &receiver,
      const std::vector<std::string> &args) const {
    const SpawnStmt &s = *planned.site;
    if (s.delivery)
      return receiver + " " + (s.form == SpawnForm::Op ? spelling(s.delivery->op) : "") + "= " + result + ";";
    if (!s.inlet) return {};
    std::string list = p.value(planned) ? result : "";
    for (auto &a : args) list += (list.empty() ? "" : ", ") + a;
    std::string first = kind == Fast ? "" : p.f + (list.empty() ? "" : ", ");
    return (kind == Fast ? std::string(s.inlet->name) : p.name + "_" + std::string(s.inlet->name)) + "(" + first +
           list + ");";
  }

private:
  Shown &p;
  Lines &out;
  Kind kind;

  std::string field(const VarDecl *v) const { return p.f + "->" + p.slots.at(v); }

  bool inClosure(const VarDecl *v) const {
    VarHome h = p.plan.home(v);
    return h == VarHome::Closure || (kind != Fast && h == VarHome::Delivered);
  }

  Rename rename() const {
    return [this](const Expr *e) -> std::string {
      if (e->kind == ExprKind::Synched) return kind == Fast ? "1" : "synched(" + p.f + ")";
      if (e->kind != ExprKind::Ident || !e->as<Ident>()->decl || e->as<Ident>()->decl->kind != DeclKind::Var) return {};
      auto *v = e->as<Ident>()->decl->as<VarDecl>();
      auto it = p.names.find(v);
      if (it == p.names.end()) return {};
      if (inClosure(v)) return field(v);
      return it->second == v->name ? std::string() : it->second;
    };
  }

  void declareTop(const VarDecl *v) { out.add(p.decl(v->type.unqual(), p.names.at(v)) + ";"); }

  // ---- closure and saving ----
  void allocate(const std::string &comment) {
    out.add(p.f + " = alloc(sizeof(*" + p.f + "));", "allocate closure" + (comment.empty() ? "" : ", " + comment));
    out.add(p.f + "->sig = &" + p.name + "_sig;", "initialize closure");
    if (p.plan.residents)
      for (auto *v : p.fn->params)
        if (p.plan.home(v) == VarHome::Closure)
          out.add(field(v) + " = " + p.names.at(v) + ";", "it lives in the closure");
  }

  // The fast clone's closure where a spawn comes that needs it, and where it goes.
  void ensureClosure(Presence there) {
    if (there == Presence::Yes || kind == Slow) return;
    if (there == Presence::No) {
      allocate("");
      return;
    }
    out.add("if (!" + p.f + ")");
    out.block([&] { allocate("not yet taken on this path"); });
  }
  void free(Presence there) {
    if (there == Presence::No) return;
    auto give = [&] { out.add("free(" + p.f + ", sizeof(*" + p.f + "));", "free closure"); };
    if (there == Presence::Yes) {
      give();
      return;
    }
    out.add("if (" + p.f + ")");
    out.block(give);
  }

  void save(const std::vector<const VarDecl *> &vars, const char *comment) {
    bool first = true;
    for (auto *v : vars) {
      VarHome h = p.plan.home(v);
      if (h != VarHome::Register && (h != VarHome::Delivered || kind == Slow)) continue;
      out.add(field(v) + " = " + p.names.at(v) + ";", first ? comment : "");
      first = false;
    }
  }

  // ---- spawns ----
  struct Values {
    std::string receiver, result;
    std::vector<std::string> args;
  };

  Values evaluate(const PlannedSpawn &s, int number) {
    Values v;
    std::string n = std::to_string(number);
    if (s.site->delivery) {
      v.receiver = text(s.site->receiver());
      if (s.record.receiver == RecordLayout::Stored) {
        std::string name = p.fresh("p" + n);
        out.add(p.decl(s.site->receiver()->type, "*" + name) + " = &" + v.receiver + ";",
            "the receiver's address comes first");
        v.receiver = "*" + name;
      }
    }
    for (const Expr *arg : s.site->arguments) {
      std::string name = p.fresh("a" + n + "_" + std::to_string(v.args.size() + 1));
      out.add(p.decl(arg->type.unqual(), name) + " = " + text(arg) + ";",
          "the inlet's other arguments, evaluated once");
      v.args.push_back(name);
    }
    if (p.value(s)) v.result = p.fresh("r" + n);
    return v;
  }

  void call(const PlannedSpawn &s, const Values &v) {
    std::string name = text(ignoreParensAndImplicit(s.site->call->callee));
    bool direct = directCallee(s.site) != nullptr;
    std::string code = (direct ? name + "_fast" : "(" + name + ")") + "(";
    for (size_t i = 0; i < s.site->call->args.size(); i++) code += (i ? ", " : "") + text(s.site->call->args[i]);
    code += ");";
    if (p.value(s)) code = p.decl(s.site->type()->result.unqual(), v.result) + " = " + code;
    out.add(code, "do C call");
  }

  void saveRecord(const PlannedSpawn &s, const Values &v) {
    std::string record = p.f + "->record.of_" + std::to_string(s.entry) + ".";
    if (s.record.receiver == RecordLayout::Stored)
      out.add(record + "receiver = " + v.receiver.substr(1) + ";", "return record: where the result goes");
    for (size_t i = 0; i < v.args.size(); i++)
      out.add(record + "arg" + std::to_string(i + 1) + " = " + v.args[i] + ";",
          i ? "" : "return record: the inlet's arguments");
  }

  void deliver(const PlannedSpawn &s, const Values &v, const char *comment) {
    std::string code = delivery(s, v.result, v.receiver, v.args);
    if (!code.empty())
      out.add(code, s.site->inlet ? (kind == Fast ? "the inlet, inlined: plain code" : "the inlet") : comment);
  }

  std::string address(const Values &v) const { return v.result.empty() ? "NULL" : "&" + v.result; }

  void spawnEager(const PlannedSpawn &s, const EntryPoint &e, int number) {
    Values v = evaluate(s, number);
    ensureClosure(e.closure);
    save(kind == Fast ? e.save : e.live, kind == Fast ? "save live, dirty vars" : "save live vars");
    saveRecord(s, v);
    out.add(p.f + "->entry = " + std::to_string(number) + ";", "save PC");
    out.add("push(" + p.f + ");", "push closure on the deque: it may be stolen now");
    call(s, v);
    out.add("if (pop(" + address(v) + ") == FAILURE)", "pop closure");
    out.block([&] {
      if (kind == Fast) out.add(p.dummy(), "closure stolen: return a dummy");
      else out.add("return;", "closure stolen: a thief goes on with it");
    });
    deliver(s, v, "deliver");
    if (kind == Slow) resume(number, e);
  }

  void resume(int number, const EntryPoint &e) {
    out.label("L" + std::to_string(number) + ":;", "resumed here (line " + p.line(e.range) + ")");
  }

  void unwind() {
    if (p.plan.residents) out.add("free(" + p.f + ", sizeof(*" + p.f + "));");
    out.add(p.dummy(), "aborted: nothing to keep");
  }

  std::string releaseFrame(int number) const {
    std::string own = p.plan.residents ? p.f : "NULL";
    return p.f + " = release_frame(&" + p.name + "_sig, " + own + ", " + std::to_string(number) + ");";
  }

  void spawnLazy(const PlannedSpawn &s, const EntryPoint &e, int number) {
    Values v = evaluate(s, number);
    call(s, v);
    out.add("if (self->release)", "one test, predicted not taken: does a thief want work?");
    out.block(
        [&] {
          out.add("switch (release(AFTER_CALL)) {");
          out.add("case CONTINUE:");
          out.in();
          out.add("break;", "no, not any more");
          out.out();
          out.add("case INITIATE:", "yes; the child has returned its value:");
          out.in();
          if (s.site->form != SpawnForm::Plain) deliver(s, v, "deliver it, then");
          out.add(releaseFrame(number), "put this frame in a closure that can be stolen");
          save(e.saveDelivered, "save live vars");
          out.add(p.dummy(), "return a dummy: older frames are released, too");
          out.out();
          out.add("case PROPAGATE:", "the child was released: its value is a dummy");
          out.in();
          out.add(releaseFrame(number), "the delivery is still to come");
          save(e.save, "save live vars");
          saveRecord(s, v);
          out.add(p.dummy());
          out.out();
          out.add("case UNWIND:");
          out.in();
          unwind();
          out.out();
          out.add("}");
        },
        true);
    deliver(s, v, "deliver");
  }

  void beforeSpawn(int number) {
    const EntryPoint &e = p.plan.entries[static_cast<size_t>(number)];
    if (kind == Slow) {
      resume(number, e);
      return;
    }
    out.add("if (self->release)", "the test before a spawn");
    out.block(
        [&] {
          out.add("switch (release(AT_SPAWN)) {");
          out.add("case CONTINUE:");
          out.in();
          out.add("break;");
          out.out();
          out.add("case INITIATE:", "a thief is hungry, and no child is out:");
          out.in();
          out.add(releaseFrame(number), "this frame becomes a closure");
          save(e.save, "save live vars");
          out.add(p.dummy(), "return a dummy; the slow clone goes on");
          out.out();
          out.add("case UNWIND:");
          out.in();
          unwind();
          out.out();
          out.add("}");
        },
        true);
  }

  // ---- statements ----
  void body() {
    for (auto *s : p.fn->def->body->body) stmt(s);
  }

  void sub(const Stmt *s) {
    out.block(
        [&] {
          if (s) flat(s);
        },
        s && s->kind == StmtKind::Compound && hasDeclaration(s->as<CompoundStmt>()));
  }
  bool hasDeclaration(const CompoundStmt *c) const {
    for (auto *s : c->body)
      if (s->kind == StmtKind::Decl) return true;
    return false;
  }
  // A block's statements without its braces.
  void flat(const Stmt *s) {
    if (s->kind != StmtKind::Compound) {
      stmt(s);
      return;
    }
    before(s);
    for (auto *x : s->as<CompoundStmt>()->body) stmt(x);
  }

  void before(const Stmt *s) {
    if (kind == Inlet) return;
    if (kind == Fast && p.plan.taken == ClosureTaken::AtCut && s == p.plan.cut)
      allocate("past the leaves: it holds objects that must not move");
    auto it = p.plan.before.find(s);
    if (it != p.plan.before.end() && p.plan.resumable(p.plan.entry(it->second))) beforeSpawn(it->second);
  }

  void stmt(const Stmt *s) {
    if (!s) return;
    if (s->kind != StmtKind::Compound) before(s);
    dispatch(*this, s);
  }

public:
  // What is the same in all clones is the user's text.
  template <class S>
    requires std::is_base_of_v<Stmt, S>
  void on(const S &s) {
    out.add(raw(s.range));
  }
  void on(const ExprStmt &s) { out.add(text(s.expr) + ";"); }
  void on(const SpawnStmt &s) { spawn(&s); }
  void on(const CompoundStmt &s) {
    out.add("{");
    out.in();
    flat(&s);
    out.out();
    out.add("}");
  }
  void on(const DeclStmt &s) { declaration(&s); }
  void on(const IfStmt &s) { conditional(&s); }
  void on(const WhileStmt &s) {
    out.add("while (" + text(s.cond) + ")");
    sub(s.body);
  }
  void on(const DoStmt &s) {
    out.add("do");
    sub(s.body);
    out.add("while (" + text(s.cond) + ");");
  }
  void on(const ForStmt &s) {
    std::string init = ";";
    if (s.init && s.init->kind == StmtKind::Expr) init = text(s.init->as<ExprStmt>()->expr) + ";";
    else if (s.init && plainDeclaration(s.init->as<DeclStmt>())) init = declarationText(s.init->as<DeclStmt>());
    else if (s.init) declaration(s.init->as<DeclStmt>());
    out.add("for (" + init + (s.cond ? " " + text(s.cond) : "") + ";" + (s.step ? " " + text(s.step) : "") + ")");
    sub(s.body);
  }
  void on(const SwitchStmt &s) {
    out.add("switch (" + text(s.cond) + ")");
    sub(s.body);
  }
  void on(const CaseStmt &s) {
    out.label("case " + text(s.low) + (s.high ? " ... " + text(s.high) : "") + ":");
    stmt(s.sub);
  }
  void on(const DefaultStmt &s) {
    out.label("default:");
    stmt(s.sub);
  }
  void on(const LabelStmt &s) {
    out.label(std::string(s.name) + ":;");
    stmt(s.sub);
  }
  void on(const GotoStmt &s) { out.add("goto " + std::string(s.name) + ";"); }
  void on(const GotoExprStmt &s) { out.add("goto *" + text(s.target) + ";"); }
  void on(const ContinueStmt &) { out.add("continue;"); }
  void on(const BreakStmt &) { out.add("break;"); }
  void on(const ReturnStmt &s) { returns(&s); }
  void on(const NullStmt &) { out.add(";"); }
  void on(const TouchStmt &s) { touch(&s); }
  void on(const SyncStmt &s) { sync(&s); }
  void on(const AbortStmt &) {
    if (kind == Fast) out.add(";", "abort: no child is out, nothing to do");
    else out.add("abort_children(" + p.f + ");", "throw away all children that are out");
  }
  void on(const FunctionStmt &s) {
    if (!s.def->fn || !s.def->fn->isInlet) out.add(raw(s.range));          // inlets are shown on their own
  }

private:
  std::string raw(Range r) const { return sourceText(p.sources, r, {}, rename()); }

  void spawn(const SpawnStmt *s) {
    const PlannedSpawn &planned = p.plan.spawn(s);
    const EntryPoint &e = p.plan.entry(planned.entry);
    if (kind == Fast && p.lazy) spawnLazy(planned, e, planned.entry);
    else spawnEager(planned, e, planned.entry);
  }

  // In the fast clone no child is out: its own futures have their values.
  void touch(const TouchStmt *s) {
    int number = p.plan.entryOf(s);
    const EntryPoint &e = p.plan.entry(number);
    std::string future = s->future ? "&" + text(s->future)
                                   : "&" + (p.names.count(s->renewed)
                                                   ? inClosure(s->renewed) ? field(s->renewed) : p.names.at(s->renewed)
                                                   : "?");
    if (kind == Fast) {
      if (!s->future) return;
      if (s->own) {
        out.add("check(" + future + ");",
            "touch of its own: no child is out, so it has its value, or nothing was spawned");
        return;
      }
      out.add("if (!full(" + future + "))", "touch");
      out.block(
          [&] {
            if (p.lazy) {
              out.add("if (release(AT_TOUCH) == UNWIND)",
                  "its child is somewhere else: this frame becomes a closure, which waits");
              out.block([&] { unwind(); });
              out.add(releaseFrame(number));
              save(e.save, "save live vars");
            } else {
              ensureClosure(e.closure);
              save(e.save, "save live, dirty vars");
              out.add(p.f + "->entry = " + std::to_string(number) + ";", "save PC");
              out.add("push(" + p.f + ");");
              out.add("touch_leave();", "all frames of this stack become closures; this frame waits");
            }
            out.add(p.dummy());
          },
          true);
      return;
    }
    resume(number, e);
    if (s->future) out.add("if (!full(" + future + "))", "touch");
    auto waits = [&] {
      save(e.live, "save live vars");
      out.add(p.f + "->entry = " + std::to_string(number) + ";", "save PC");
      out.add(std::string("if (") + (s->future ? "touch(" : "renew(") + p.f + ", " + future + ") == SUSPENDED)",
          s->future ? "wait for this child" : "wait until no child is left that would fill the future of before");
      out.block([&] { out.add("return;"); });
    };
    if (s->future) out.block(waits, true);
    else waits();
  }

  void conditional(const IfStmt *s) {
    for (bool chained = false;; chained = true) {
      out.add(std::string(chained ? "else " : "") + "if (" + text(s->cond) + ")");
      sub(s->then);
      if (!s->otherwise) return;
      if (s->otherwise->kind != StmtKind::If || p.plan.before.count(s->otherwise) || s->otherwise == p.plan.cut) break;
      s = s->otherwise->as<IfStmt>();
    }
    out.add("else");
    sub(s->otherwise);
  }

  void sync(const SyncStmt *s) {
    int number = p.plan.entryOf(s);
    const EntryPoint &e = p.plan.entry(number);
    if (kind == Fast) {
      out.add(";", "sync is free!");
      return;
    }
    if (!e.mayBeOutstanding) {
      out.add(";", "sync: no child can be out here");
      return;
    }
    save(e.live, "save live vars");
    out.add(p.f + "->entry = " + std::to_string(number) + ";", "save PC");
    out.add("if (sync(" + p.f + ") == SUSPENDED)", "is a child still out?");
    out.block([&] { out.add("return;", "the last child to come back resumes it"); });
    resume(number, e);
  }

  void returns(const ReturnStmt *s) {
    std::string value = s->value ? text(s->value) : "";
    if (kind == Inlet) {
      out.add(value.empty() ? "return;" : "return " + value + ";");
      return;
    }
    if (kind == Slow) {
      if (!value.empty())
        out.add(p.isVoid() ? value + ";" : p.f + "->result = " + value + ";", "keep the value in the closure");
      bool outstanding = p.plan.ending(s).outstanding;
      out.add(outstanding && p.plan.returnEntry ? "goto implicit_sync;" : "goto returning;",
          outstanding ? "" : "no child can be out");
      return;
    }
    Presence closure = p.plan.ending(s).closure;
    std::string result;
    if (closure != Presence::No && !value.empty() && !p.isVoid()) {
      result = p.fresh("result");
      out.add(p.result() + " " + result + " = " + value + ";");
      p.taken.erase(result);
    }
    free(closure);
    out.add(result.empty() ? value.empty() ? "return;" : "return " + value + ";" : "return " + result + ";");
  }

  // ---- declarations ----
  bool local(const InitDeclarator &d) const {
    return d.decl && d.decl->kind == DeclKind::Var && d.decl->as<VarDecl>()->isLocal &&
           p.names.count(d.decl->as<VarDecl>());
  }
  bool own(const VarDecl *v) const {
    return inClosure(v) || (kind == Slow && p.plan.home(v) == VarHome::Register) || p.names.at(v) != v->name ||
           hasVariableSize(v->type.type);
  }
  bool plainDeclaration(const DeclStmt *s) const {
    if (!s->decl) return true;
    for (auto &d : s->decl->declarators)
      if (local(d) && own(d.decl->as<VarDecl>())) return false;
    return true;
  }
  static void values(const Initializer *i, std::vector<const Expr *> &out) {
    if (!i) return;
    if (i->expr) out.push_back(i->expr);
    if (i->list)
      for (auto &item : i->list->items) values(item.init, out);
  }
  std::string declarationText(const DeclStmt *s) const {
    std::vector<const Expr *> roots;
    if (s->decl)
      for (auto &d : s->decl->declarators) values(d.init, roots);
    std::string text = sourceText(p.sources, s->range, roots, rename());
    return text.empty() || text.back() == ';' ? text : text + ";";
  }
  void declaration(const DeclStmt *s) {
    if (plainDeclaration(s)) {
      out.add(declarationText(s));
      return;
    }
    for (auto &d : s->decl->declarators) {
      if (!local(d)) continue;
      auto *v = d.decl->as<VarDecl>();
      std::vector<const Expr *> roots;
      values(d.init, roots);
      std::string init =
          d.init ? sourceText(p.sources, d.init->expr ? d.init->expr->range : d.init->range, roots, rename()) : "";
      if (hasVariableSize(v->type.type)) {
        out.add((inClosure(v) ? field(v) : p.names.at(v)) + " = alloc_block(" + p.f + ", sizeof(" +
                    std::string(v->name) + "));",
            "a block of the closure: it does not move");
      } else if (inClosure(v) || (kind == Slow && p.plan.home(v) == VarHome::Register)) {
        if (!init.empty()) out.add((inClosure(v) ? field(v) : p.names.at(v)) + " = " + init + ";");
      } else {
        out.add(p.decl(v->type, p.names.at(v)) + (init.empty() ? "" : " = " + init) + ";");
      }
    }
  }
};

}  // namespace

void fastClone(Shown &p, Lines &out) { Writer(p, out, Writer::Fast).fastClone(); }
void slowClone(Shown &p, Lines &out) { Writer(p, out, Writer::Slow).slowClone(); }
void inletBody(Shown &p, Lines &out, const FunctionDef *def) { Writer(p, out, Writer::Inlet).inletBody(def); }
std::string receiverText(Shown &p, const Expr *e) {
  Lines none;
  return Writer(p, none, Writer::Inlet).text(e);
}
std::string deliveryText(Shown &p, const PlannedSpawn &s, const std::string &result, const std::string &receiver,
    const std::vector<std::string> &args) {
  Lines none;
  return Writer(p, none, Writer::Inlet).delivery(s, result, receiver, args);
}

}  // namespace cilkc::show
