// clone_body.cpp - the text of one body: the fast clone, the slow clone or an inlet. The user's statements keep their
// text; variables that live in the closure are written f->name, and what the compiler adds around a spawn or sync has
// its own lines: the steps that the plan lists there (frontend/plan/sites.def), in their order.
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
      out.blank();
      if (p.plan.endReachable && !p.plan.end.outstanding && p.isVoid())
        out.add("goto returning;", "no child can be out");
      out.label("implicit_sync:", "a procedure returns after its children");
      site(p.plan.returnEntry);
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
    if (there == Presence::Yes) return;
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

  void save(const std::vector<const VarDecl *> &vars, const std::string &comment) {
    bool first = true;
    for (auto *v : vars) {
      VarHome h = p.plan.home(v);
      if (h != VarHome::Register && (h != VarHome::Delivered || kind == Slow)) continue;
      out.add(field(v) + " = " + p.names.at(v) + ";", first ? comment : std::string());
      first = false;
    }
  }

  // ---- steps ----
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

  void call(const PlannedSpawn &s, const Values &v, const std::string &comment) {
    const FunctionDecl *direct =
        directCallee(s.site); // its name, since OpenCilk's calls have no text for the callee alone
    std::string code = (direct ? std::string(direct->name) + "_fast"
                               : "(" + text(ignoreParensAndImplicit(s.site->call->callee)) + ")") +
                       "(";
    for (size_t i = 0; i < s.site->call->args.size(); i++) code += (i ? ", " : "") + text(s.site->call->args[i]);
    code += ");";
    if (p.value(s)) code = p.decl(s.site->type()->result.unqual(), v.result) + " = " + code;
    out.add(code, comment);
  }

  void saveRecord(const PlannedSpawn &s, const Values &v) {
    std::string record = p.f + "->record.of_" + std::to_string(s.entry) + ".";
    if (s.record.receiver == RecordLayout::Stored)
      out.add(record + "receiver = " + v.receiver.substr(1) + ";", "return record: where the result goes");
    for (size_t i = 0; i < v.args.size(); i++)
      out.add(record + "arg" + std::to_string(i + 1) + " = " + v.args[i] + ";",
          i ? "" : "return record: the inlet's arguments");
  }

  void deliver(const PlannedSpawn &s, const Values &v, const std::string &comment) {
    out.add(delivery(s, v.result, v.receiver, v.args), !s.site->inlet ? comment
                                                       : kind == Fast ? "the inlet, inlined: plain code"
                                                                      : "the inlet");
  }

  struct Here {
    int number;  // of the entry point
    const EntryPoint &entry;
    const PlannedSpawn *spawn;
    Values values;
    const TouchStmt &touch() const { return *entry.stmt->as<TouchStmt>(); }
  };

  void site(int number) {
    const EntryPoint &e = p.plan.entry(number);
    Here here{number, e, e.spawn ? &p.plan.spawn(e.spawn) : nullptr, {}};
    steps(here, stepsAt(p.plan, kind == Slow ? Clone::Slow : Clone::Fast, number));
  }
  void steps(Here &here, const Steps &list) {
    for (auto &s : list) step(here, s, std::string(s.text));
  }

  std::string future(const TouchStmt &s) const {
    if (s.future) return "&" + text(s.future);
    return "&" + (!p.names.count(s.renewed) ? "?" : inClosure(s.renewed) ? field(s.renewed) : p.names.at(s.renewed));
  }

  void step(Here &here, const PlannedStep &s, const std::string &comment) {
    const EntryPoint &e = here.entry;
    Values &v = here.values;
    std::string n = std::to_string(here.number);
    switch (s.step) {
      case Step::Evaluate: v = evaluate(*here.spawn, here.number); break;
      case Step::Take: ensureClosure(e.closure); break;
      case Step::Save: save(kind == Fast ? e.save : e.live, comment); break;
      case Step::SaveDelivered: save(e.saveDelivered, comment); break;
      case Step::Record: saveRecord(*here.spawn, v); break;
      case Step::SetEntry: out.add(p.f + "->entry = " + n + ";", comment); break;
      case Step::Push: out.add("push(" + p.f + ");", comment); break;
      case Step::Call:
      case Step::Child: call(*here.spawn, v, comment); break;
      case Step::Pop:
        branch(here, s, "if (pop(" + (v.result.empty() ? "NULL" : "&" + v.result) + ") == FAILURE)", comment);
        break;
      case Step::Deliver: deliver(*here.spawn, v, comment); break;
      case Step::Leave: out.add(kind == Fast ? p.dummy() : "return;", comment); break;
      case Step::Test: branch(here, s, "if (self->release)", comment, true); break;
      case Step::AskAtSpawn: verdicts(here, s, "AT_SPAWN", comment); break;
      case Step::AskAfterCall: verdicts(here, s, "AFTER_CALL", comment); break;
      case Step::AskAtTouch: verdicts(here, s, "AT_TOUCH", comment); break;
      case Step::ReleaseFrame:
        out.add(p.f + " = release_frame(&" + p.name + "_sig, " + (p.plan.residents ? p.f : "NULL") + ", " + n + ");",
            comment);
        break;
      case Step::Drop:
        if (p.plan.residents) out.add("free(" + p.f + ", sizeof(*" + p.f + "));");
        break;
      case Step::Pass: out.add(";", comment); break;
      case Step::Wait: branch(here, s, "if (sync(" + p.f + ") == SUSPENDED)", comment); break;
      case Step::Look: branch(here, s, "if (!full(" + future(here.touch()) + "))", comment, true); break;
      case Step::Check: out.add("check(" + future(here.touch()) + ");", comment); break;
      case Step::LeaveAll:
        branch(here, s, "if (touch_leave(" + future(here.touch()) + ") != CONTINUE)", comment);
        break;
      case Step::Await:
        branch(here, s,
            (here.touch().future ? "if (touch(" : "if (renew(") + p.f + ", " + future(here.touch()) + ") == SUSPENDED)",
            comment);
        break;
      case Step::Resume:
        out.label("L" + n + ":;", e.kind == EntryPoint::AtReturn ? "" : "resumed here (line " + p.line(e.range) + ")");
        break;
      // Inlined copies are left out, and reports to the modes.
      case Step::RunLeaf:
      case Step::Join:
      case Step::Skip:
      case Step::Future:
      case Step::Begins:
      case Step::Returned:
      case Step::Ends:
      case Step::Waits:
      case Step::Touched:
      case Step::Synced: break;
    }
  }
  // The last arm, which is taken where no other one is.
  void branch(Here &here, const PlannedStep &s, const std::string &head, const std::string &comment,
      bool braces = false) {
    out.add(head, comment);
    out.block([&] { steps(here, s.arms.back().steps); }, braces);
  }
  void verdicts(Here &here, const PlannedStep &s, const std::string &where, const std::string &comment) {
    out.add("switch (release(" + where + ")) {");
    out.add("case CONTINUE:");
    out.in();
    out.add("break;", comment);
    out.out();
    for (auto &arm : s.arms) {
      out.add("case " + std::string(word(arm.on)) + ":", std::string(arm.text));
      out.in();
      steps(here, arm.steps);
      out.out();
    }
    out.add("}");
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
    if (kind == Fast && p.plan.taken == ClosureTaken::Late && s == p.plan.take)
      allocate("past the leaves: it holds objects that must not move");
    auto it = p.plan.before.find(s);
    if (it != p.plan.before.end() && p.plan.resumable(p.plan.entry(it->second))) site(it->second);
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
  void on(const SpawnStmt &s) { site(p.plan.spawn(&s).entry); }
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
  void on(const TouchStmt &s) { site(p.plan.entryOf(&s)); }
  void on(const SyncStmt &s) { site(p.plan.entryOf(&s)); }
  void on(const AbortStmt &) {
    if (kind == Fast) out.add(";", "abort: no child is out, nothing to do");
    else out.add("abort_children(" + p.f + ");", "throw away all children that are out");
  }
  void on(const FunctionStmt &s) {
    if (!s.def->fn || !s.def->fn->isInlet) out.add(raw(s.range));          // inlets are shown on their own
  }

private:
  std::string raw(Range r) const { return sourceText(p.sources, r, {}, rename()); }

  void conditional(const IfStmt *s) {
    for (bool chained = false;; chained = true) {
      out.add(std::string(chained ? "else " : "") + "if (" + text(s->cond) + ")");
      sub(s->then);
      if (!s->otherwise) return;
      if (s->otherwise->kind != StmtKind::If || p.plan.before.count(s->otherwise) || s->otherwise == p.plan.take) break;
      s = s->otherwise->as<IfStmt>();
    }
    out.add("else");
    sub(s->otherwise);
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
