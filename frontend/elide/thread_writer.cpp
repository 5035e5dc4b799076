// thread_writer.cpp - a procedure of Cilk-5 as threads, one for each entry point: the beginning, and each sync at which
// children may be out. A thread's text is what the procedure does from that point up to the next sync: the rest of the
// block, then the rest of what is around it; a loop that is around it runs on.
//
// In the plain form, for procedures whose spawns are all in a row before a sync, variables are arguments, as one would
// write it:
//
//     x = spawn fib(n - 1);            cont(long) to_x; cont(long) to_y;
//     y = spawn fib(n - 2);            spawn_next fib_1(k, ?to_x, ?to_y);
//     sync;                     =>     spawn fib(to_x, n - 1);
//     return x + y;                    spawn fib(to_y, n - 2);
//
//                                      thread fib_1(cont(long) k, long x, long y) { send_argument(k, x + y); }
//
// In the general form, variables live in a frame on the heap. For each child a thread f_got waits for its value. These
// threads run one after the other, in the order of the spawns, when the procedure is at its sync. So deliveries and
// inlets are as atomic as in Cilk-5: each f_got sends an int to the next one, which the last spawn before knows only
// when the next child is spawned. So f_got has an argument `next` that comes late: the continuation for that int.
#include "frontend/elide/thread_writer.h"
#include <algorithm>
#include <map>
#include <sstream>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/builtins/builtins.h"
#include "frontend/show/text.h"

namespace cilkc {

namespace {

using show::Lines;

class Writer {
public:
  Writer(ThreadWriter &w, const FunctionDef &def) : w(w), def(def), fn(def.fn), plan(w.plans.of(def.fn)) {
    eachNode(static_cast<const Stmt *>(def.body), Walk::Written, [&](const auto *node) {
      if constexpr (std::is_same_v<std::decay_t<decltype(*node)>, Expr>)
        if (node->kind == ExprKind::StmtExpr) keepLocals(node->template as<StmtExpr>()->body);
    });
    for (const VarDecl *v : fn->params) call(v);
    for (const VarDecl *v : fn->locals) call(v);
    parents(def.body, nullptr);
    frame = !plainForm();
    k = own("k");
    f = own("f");
    go = own("go");
    next = own("next");
    r = own("r");
    receiver = own("receiver");
    value = own("value");
    out = own("out");
    nextOf = own("next");
  }

  std::string write() {
    std::string all, entry = thread(nullptr);
    std::vector<std::string> bodies;
    while (!waiting.empty()) {
      const Stmt *s = waiting.back();
      waiting.pop_back();
      bodies.push_back(thread(s));
    }
    if (frame) all += frameText();
    all += heads;
    for (const FunctionDecl *in : fn->inlets)
      if (in->isInlet && in->def) all += inlet(in);
    for (const SpawnStmt *s : fn->spawns)
      if (gots.count(s)) all += got(s);
    all += entry;
    for (const std::string &b : bodies) all += "\n\n" + b;
    return all;
  }

private:
  ThreadWriter &w;
  const FunctionDef &def;
  const FunctionDecl *fn;
  const ClonePlan &plan;
  bool frame = false;
  std::string k, f, go, next, r, receiver, value, out, nextOf, heads;
  std::unordered_map<const VarDecl *, std::string> names;
  std::vector<const VarDecl *> variables;
  std::unordered_set<const Decl *> inExpressions;  // declared in statement expressions, where they stay
  std::unordered_map<const Stmt *, const Stmt *> up;
  std::map<const Stmt *, std::string> entries;  // syncs and the end -> their threads
  std::vector<const Stmt *> waiting;
  std::unordered_map<const SpawnStmt *, std::string> gots;
  std::unordered_set<const Stmt *> open;  // loops and switches that are written as such around the place
  std::unordered_map<const Stmt *, std::string> breaks, continues;
  Lines lines;
  Lines *at = &lines;
  int labels = 0;

  // ---- names ----
  void keepLocals(const CompoundStmt *body) {
    eachNode(static_cast<const Stmt *>(body), Walk::Written, [&](const auto *node) {
      if constexpr (std::is_same_v<std::decay_t<decltype(*node)>, Stmt>)
        if (node->kind == StmtKind::Decl && node->template as<DeclStmt>()->decl)
          for (const InitDeclarator &d : node->template as<DeclStmt>()->decl->declarators) inExpressions.insert(d.decl);
    });
  }
  std::string own(const std::string &base) const { return w.unlike(base); }
  void call(const VarDecl *v) {
    if (v->hidden || inExpressions.count(v)) return;
    variables.push_back(v);
    std::string name = v->name.empty() ? "argument" : std::string(v->name);
    auto used = [&](const std::string &n) {
      for (auto &x : names)
        if (x.second == n) return true;
      return false;
    };
    std::string base = name;
    for (int n = 2; used(name); n++) name = base + "_" + std::to_string(n);
    names[v] = name;
  }
  std::string cont(QualType t) const { return "cont(" + type(t) + ")"; }
  std::string type(QualType t) const { return declToC(t.unqual(), "", w.types); }
  std::string decl(QualType t, const std::string &name) const { return declToC(t.unqual(), name, w.types); }
  QualType result() const { return fn->type->as<FunctionType>()->result.unqual(); }
  bool isVoid() const { return result()->isVoid(); }
  std::string resultCont() const { return isVoid() ? "cont int" : cont(result()); }
  std::string resultType() const { return isVoid() ? "int" : type(result()); }
  std::string frameType() const { return "struct " + std::string(fn->name) + "_frame"; }

  void parents(const Stmt *s, const Stmt *above) {
    if (!s) return;
    up[s] = above;
    eachChild(s, Walk::Written, [&](const auto *child) {
      if constexpr (std::is_base_of_v<Stmt, std::remove_cvref_t<decltype(*child)>>) parents(child, s);
    });
  }

  // ---- expressions ----
  std::string variable(const VarDecl *v) const { return frame ? f + "->" + names.at(v) : names.at(v); }
  show::Rename rename() const {
    return [this](const Expr *e) -> std::string {
      if (e->kind == ExprKind::Call) {  // threads are not timed one by one
        auto id = static_cast<BuiltinId>(e->as<Call>()->builtin);
        if (id == BuiltinId::cilk_user_work || id == BuiltinId::cilk_user_critical_path) return "0";
      }
      if (e->kind == ExprKind::Synched) return frame ? "!" + f + "->" + out : "1";
      if (e->kind == ExprKind::Ident && (e->as<Ident>()->name == "__func__" || e->as<Ident>()->name == "__FUNCTION__" ||
                                            e->as<Ident>()->name == "__PRETTY_FUNCTION__"))
        return "\"" + std::string(fn->name) + "\"";
      if (e->kind != ExprKind::Ident || !e->as<Ident>()->decl || e->as<Ident>()->decl->kind != DeclKind::Var) return {};
      const auto *v = e->as<Ident>()->decl->as<VarDecl>();
      auto it = names.find(v);
      if (it == names.end()) return {};
      std::string name = variable(v);
      return name == v->name ? std::string() : frame ? "(" + name + ")" : name;
    };
  }
  std::string text(const Expr *e) const {
    return e ? show::sourceText(w.sources, e->range, {e}, rename(), true) : std::string();
  }
  static void values(const Initializer *i, std::vector<const Expr *> &out) {
    if (!i) return;
    if (i->expr) out.push_back(i->expr);
    if (i->list)
      for (auto &item : i->list->items) { values(item.init, out); }
  }
  // A declaration as the assignments of its initialisers.
  std::vector<std::string> initialisers(const DeclStmt *s) const {
    std::vector<std::string> out;
    if (s->decl)
      for (const InitDeclarator &d : s->decl->declarators) {
        if (!d.decl || d.decl->kind != DeclKind::Var || !d.init || !names.count(d.decl->as<VarDecl>())) continue;
        const auto *v = d.decl->as<VarDecl>();
        std::vector<const Expr *> roots;
        values(d.init, roots);
        bool isList = !d.init->expr || (d.init->list && !d.init->list->items.empty());
        std::string init = show::sourceText(w.sources, d.init->expr && !isList ? d.init->expr->range : d.init->range,
                        roots, rename(), true),
                    name = variable(v);
        bool braces = !init.empty() && init[0] == '{';
        if (v->type->isArray())
          out.push_back("__builtin_memcpy((void *)" + name + ", " +
                        (braces ? "(" + type(v->type) + ")" + init : "(" + type(v->type) + "){" + init + "}") +
                        ", sizeof " + name + ")");
        else if (v->type->isRecord() && braces) out.push_back(name + " = (" + type(v->type) + ")" + init);
        else out.push_back(name + " = " + (braces ? "(" + type(v->type) + ")" + init : init));
      }
    return out;
  }

  // ---- the plain form ----
  // Spawns in a row from i on, followed by a sync (or the end of a procedure without a value); what follows, or 0.
  size_t row(const CompoundStmt *c, size_t i) const {
    size_t j = i;
    while (j < c->body.size() && c->body[j]->kind == StmtKind::Spawn) j++;
    if (j == i) return 0;
    if (j < c->body.size() && c->body[j]->kind == StmtKind::Sync) return j + 1;
    return j == c->body.size() && c == def.body && isVoid() ? j : 0;
  }
  bool plainForm() const {
    for (const FunctionDecl *in : fn->inlets)
      if (in->isInlet) return false;
    for (const VarDecl *v : variables)
      if (v->type->isArray() || v->addressTaken || v->type.quals || plan.home(v) == VarHome::Closure) return false;
    bool good = true;
    eachNode(static_cast<const Stmt *>(def.body), Walk::Evaluated, [&](const auto *node) {
      using N = std::decay_t<decltype(*node)>;
      if constexpr (std::is_same_v<N, Expr>) {
        if (node->kind == ExprKind::Synched) good = false;
      } else if constexpr (std::is_same_v<N, Stmt>) {
        if (node->kind == StmtKind::Spawn) good = good && plainSpawn(node->template as<SpawnStmt>());
      }
    });
    return good;
  }
  bool plainSpawn(const SpawnStmt *s) const {
    const Stmt *above = up.at(s);
    if (!above || above->kind != StmtKind::Compound) return false;
    const auto *c = above->as<CompoundStmt>();
    size_t first = 0;
    while (c->body[first] != s) first++;
    while (first > 0 && c->body[first - 1]->kind == StmtKind::Spawn) first--;
    size_t end = row(c, first);
    if (!end) return false;
    if (s->delivery && !namedVariable(s->receiver())) return false;
    if (s->delivery && !names.count(namedVariable(s->receiver()))) return false;
    for (size_t i = first; i < end && c->body[i] != s; i++)
      if (const auto *o = c->body[i]->as<SpawnStmt>();
          s->form == SpawnForm::Receiver && o->delivery && namedVariable(o->receiver()) == namedVariable(s->receiver()))
        return false;
    bool effects = false;
    for (const Expr *a : s->call->args)
      eachExpr(a, Walk::Evaluated, [&](const Expr *e) {
        effects = effects || e->kind == ExprKind::Assign || e->kind == ExprKind::StmtExpr ||
                  (e->kind == ExprKind::Unary && isIncDec(e->as<Unary>()->op));
        return !effects;
      });
    return !effects;
  }
  // What a successor takes: variables that are live after its sync, but for receivers.
  std::vector<const VarDecl *> passed(const Stmt *sync) const {
    std::vector<const VarDecl *> out;
    if (sync->kind != StmtKind::Sync) return out;
    std::unordered_set<const VarDecl *> received, have;
    for (const SpawnStmt *s : rowOf(sync))
      if (s->form == SpawnForm::Receiver) received.insert(namedVariable(s->receiver()));
    auto add = [&](const VarDecl *v) {
      if (names.count(v) && !received.count(v) && have.insert(v).second) out.push_back(v);
    };
    for (const VarDecl *v : fn->params)
      for (const auto &c : plan.constants)
        if (c.first == v) add(v);
    for (const VarDecl *v : plan.entry(plan.entryOf(sync->as<SyncStmt>())).live) add(v);
    return out;
  }
  std::vector<const SpawnStmt *> rowOf(const Stmt *sync) const {
    std::vector<const SpawnStmt *> out;
    const CompoundStmt *c = sync->kind == StmtKind::Sync ? up.at(sync)->as<CompoundStmt>() : def.body;
    size_t j = 0;
    while (j < c->body.size() && c->body[j] != sync) j++;
    for (size_t i = j; i-- > 0 && c->body[i]->kind == StmtKind::Spawn;)
      out.insert(out.begin(), c->body[i]->as<SpawnStmt>());
    return out;
  }
  static std::string number(const std::string &base, size_t i) { return base + std::to_string(i + 1); }
  std::string slot(const SpawnStmt *s, size_t i) const {
    return s->form == SpawnForm::Receiver ? names.at(namedVariable(s->receiver())) : number(r, i);
  }
  std::string successorHead(const Stmt *sync) {
    std::string out = "thread " + entryName(sync) + "(" + resultCont() + " " + k;
    for (const VarDecl *v : passed(sync)) out += ", " + decl(v->type, names.at(v));
    std::vector<const SpawnStmt *> row = rowOf(sync);
    for (size_t i = 0; i < row.size(); i++) {
      bool same = row[i]->form == SpawnForm::Receiver &&
                  namedVariable(row[i]->receiver())->type.type == row[i]->type()->result.type;
      out += ", " + (row[i]->isVoid() ? "int " + number(r, i)
                                      : decl(row[i]->type()->result, same ? slot(row[i], i) : number(r, i)));
    }
    return out + ")";
  }
  void plainRow(const std::vector<const SpawnStmt *> &row, const Stmt *sync) {
    std::vector<std::string> to;
    std::string made = "spawn_next " + entryName(sync) + "(" + k;
    at->add("{");
    at->in();
    for (const VarDecl *v : passed(sync)) made += ", " + names.at(v);
    for (size_t i = 0; i < row.size(); i++) {
      std::string base = "to_" + (row[i]->delivery ? slot(row[i], i) : number(r, i));
      to.push_back(w.fresh(base));
      at->add((row[i]->isVoid() ? "cont int" : cont(row[i]->type()->result)) + " " + to.back() + ";");
      made += ", ?" + to.back();
    }
    at->add(made + ");");
    for (size_t i = 0; i < row.size(); i++) spawnChild(row[i], to[i]);
    at->add("return;");
    at->out();
    at->add("}");
    for (const std::string &t : to) w.taken.erase(t);
  }
  void spawnChild(const SpawnStmt *s, const std::string &to) {
    std::string out = "spawn " + std::string(directCallee(s)->name) + "(" + to;
    for (const Expr *a : s->call->args) out += ", " + text(a);
    at->add(out + ");");
  }

  // ---- the general form ----
  std::string frameText() {
    std::string text = frameType() + " {\n    " + resultCont() + " " + k + ";\n";
    if (!isVoid()) text += "    " + decl(result(), value) + ";\n";
    for (const VarDecl *v : variables) text += "    " + decl(v->type, names.at(v)) + ";\n";
    return text + "    int " + out + ";                        /* are children out? Then */\n    cont(cont int) " +
           nextOf + ";            /* the last child sends to this continuation */\n};\n";
  }
  std::string gotHead(const SpawnStmt *s) {
    std::string out = "thread " + gots.at(s) + "(" + frameType() + " *" + f;
    if (stored(s)) out += ", " + decl(s->receiver()->type, "*" + receiver);
    for (size_t i = 0; i < s->arguments.size(); i++) out += ", " + decl(s->arguments[i]->type, number("a", i));
    return "static " + out + ", " + (s->isVoid() ? "int " + r : decl(s->type()->result, r)) + ", int " + go +
           ", cont int " + next + ")";
  }
  bool stored(const SpawnStmt *s) const { return s->delivery && plan.spawn(s).record.receiver == RecordLayout::Stored; }
  std::string got(const SpawnStmt *s) {
    Lines out;
    out.add(gotHead(s));
    out.add("{");
    out.in();
    if (s->delivery) {
      std::string to = stored(s) ? "*" + receiver : text(s->receiver());
      out.add(to + " " + (s->form == SpawnForm::Op ? spelling(s->delivery->op) : "") + "= " + r + ";");
    } else if (s->inlet) {
      std::string args = f;
      if (!s->isVoid()) args += ", " + r;
      for (size_t i = 0; i < s->arguments.size(); i++) args += ", " + number("a", i);
      out.add(inletName(s->inlet) + "(" + args + ");");
    }
    out.add("send_argument(" + next + ", 0);");
    out.out();
    out.add("}");
    return printed(out) + "\n";
  }
  std::unordered_map<const FunctionDecl *, std::string> inletNames;
  const std::string &inletName(const FunctionDecl *in) {
    std::string &name = inletNames[in];
    if (name.empty()) name = w.fresh(std::string(fn->name) + "_" + std::string(in->name));
    return name;
  }
  std::string inlet(const FunctionDecl *in) {
    std::string head = "static void " + inletName(in) + "(" + frameType() + " *" + f;
    for (const VarDecl *v : in->params) head += ", " + declToC(v->type, v->name, w.types);
    Lines out;
    out.add(head + ")");
    std::vector<const Expr *> roots;
    collect(in->def->body, roots);
    out.add(show::sourceText(w.sources, in->def->body->range, roots, rename(), true));
    return printed(out) + "\n";
  }
  static void collect(const Stmt *s, std::vector<const Expr *> &roots) {
    eachNode(s, Walk::Written, [&](const auto *node) {
      if constexpr (std::is_same_v<std::decay_t<decltype(*node)>, Expr>) roots.push_back(node);
    });
  }

  void generalSpawn(const SpawnStmt *s) {
    if (!gots.count(s)) gots.emplace(s, w.fresh(std::string(fn->name) + "_got_" + std::to_string(gots.size() + 1)));
    at->add("{");
    at->in();
    std::string args = f;
    if (stored(s)) {
      at->add(decl(s->receiver()->type, "*" + receiver) + " = &" + text(s->receiver()) + ";");
      args += ", " + receiver;
    }
    for (size_t i = 0; i < s->arguments.size(); i++) {
      at->add(decl(s->arguments[i]->type, number("a", i)) + " = " + text(s->arguments[i]) + ";");
      args += ", " + number("a", i);
    }
    at->add((s->isVoid() ? "cont int" : cont(s->type()->result)) + " " + r + ";");
    at->add("cont int " + go + ";");
    at->add("cont(cont int) " + next + ";");
    at->add("if (" + f + "->" + out + ") {");
    at->in();
    at->add("spawn_next " + gots.at(s) + "(" + args + ", ?" + r + ", ?" + go + ", ?" + next + ");");
    at->add("send_argument(" + f + "->" + nextOf + ", " + go + ");");
    at->out();
    at->add("} else");
    at->in();
    at->add("spawn_next " + gots.at(s) + "(" + args + ", ?" + r + ", 0, ?" + next + ");");
    at->out();
    at->add(f + "->" + nextOf + " = " + next + ";");
    at->add(f + "->" + out + " = 1;");
    spawnChild(s, r);
    at->out();
    at->add("}");
  }
  void generalSync(const Stmt *s) {
    at->add("if (" + f + "->" + out + ") {");
    at->in();
    at->add("cont int " + go + ";");
    at->add("spawn_next " + entryName(s) + "(" + f + ", ?" + go + ");");
    at->add("send_argument(" + f + "->" + nextOf + ", " + go + ");");
    at->out();
    at->add("} else");
    at->in();
    at->add("spawn_next " + entryName(s) + "(" + f + ", 0);");
    at->out();
    at->add("return;");
  }
  void finish(const std::string &with) {
    at->add("{");
    at->in();
    at->add(resultCont() + " " + k + " = " + f + "->" + k + ";");
    at->add(resultType() + " " + value + " = " + with + ";");
    at->add("__builtin_free(" + f + ");");
    at->add("send_argument(" + k + ", " + value + ");");
    at->add("return;");
    at->out();
    at->add("}");
  }

  // ---- threads ----
  std::string entryName(const Stmt *s) {
    auto [it, isNew] = entries.try_emplace(s);
    if (isNew) {
      it->second = w.fresh(std::string(fn->name) + "_" + std::to_string(entries.size()));
      waiting.push_back(s);
      heads +=
          "static " +
          (frame ? "thread " + it->second + "(" + frameType() + " *" + f + ", int " + go + ")" : successorHead(s)) +
          ";\n";
    }
    return it->second;
  }

  static std::string printed(const Lines &l) {
    std::ostringstream o;
    l.print(o);
    return o.str();
  }
  static bool mentions(const std::string &text, const std::string &word) {
    auto letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    for (size_t i = text.find(word); i != std::string::npos; i = text.find(word, i + 1))
      if ((i == 0 || !letter(text[i - 1])) && (i + word.size() == text.size() || !letter(text[i + word.size()])))
        return true;
    return false;
  }

  // The thread that begins after a sync; null: the procedure's first one; its body: the end, when all children are
  // back.
  std::string thread(const Stmt *from) {
    Lines body;
    at = &body;
    body.in();
    open.clear();
    breaks.clear();
    continues.clear();
    std::vector<const VarDecl *> arguments;
    std::string head;
    if (!from) {
      head = w.head(fn, k);
      arguments = {fn->params.begin(), fn->params.end()};
      if (frame) {
        body.add(frameType() + " *" + f + " = __builtin_malloc(sizeof *" + f + ");");
        body.add(f + "->" + k + " = " + k + ";");
        for (const VarDecl *v : fn->params)
          if (!v->name.empty()) body.add(variable(v) + " = " + names.at(v) + ";");
        body.add(f + "->" + out + " = 0;");
      }
      if (block(def.body)) end();
    } else {
      head = "static " + (frame ? "thread " + entries.at(from) + "(" + frameType() + " *" + f + ", int " + go + ")"
                                : successorHead(from));
      if (frame) {
        body.add(f + "->" + out + " = 0;");
      } else {
        arguments = passed(from);
        std::vector<const SpawnStmt *> row = rowOf(from);
        for (size_t i = 0; i < row.size(); i++) {
          const VarDecl *v = row[i]->delivery ? namedVariable(row[i]->receiver()) : nullptr;
          if (row[i]->form == SpawnForm::Receiver && v->type.type == row[i]->type()->result.type)
            arguments.push_back(v);
          else if (v)
            body.add(names.at(v) + " " + (row[i]->form == SpawnForm::Op ? spelling(row[i]->delivery->op) : "") + "= " +
                     number(r, i) + ";");
        }
      }
      if (from == def.body) {
        if (frame) finish(isVoid() ? "0" : f + "->" + value);
        else body.add("send_argument(" + k + ", 0);");
      } else {
        after(from);
      }
    }
    std::string text = printed(body), locals;
    if (!frame)
      for (const VarDecl *v : variables)
        if (std::find(arguments.begin(), arguments.end(), v) == arguments.end() && mentions(text, names.at(v)))
          locals += "    " + decl(v->type, names.at(v)) + ";\n";
    return head + "\n{\n" + locals + text + "}";
  }

  void end() {
    if (plan.end.outstanding && frame) {
      if (!isVoid()) at->add(f + "->" + value + " = " + nothing() + ";");
      generalSync(def.body);
    } else {
      answer(isVoid() ? "0" : nothing());
    }
  }
  std::string nothing() const { return fn->name == "main" ? "0" : "(" + type(result()) + "){0}"; }
  void answer(const std::string &with) {
    if (frame) return finish(with);
    at->add("send_argument(" + k + ", " + with + ");");
    at->add("return;");
  }

  // What runs when s is done, up to the end of the thread. Not reached: s never is, but a jump may lead to what is
  // around it.
  void after(const Stmt *s, bool reached = true) {
    const Stmt *above = up.at(s);
    if (!above) {
      if (reached) end();
      return;
    }
    if (above->kind == StmtKind::Compound) {
      const auto &body = above->as<CompoundStmt>()->body;
      size_t i = 0;
      while (body[i] != s) i++;
      reached = reached && sequence(above->as<CompoundStmt>(), i + 1);
    } else if (above->kind == StmtKind::While || above->kind == StmtKind::Do || above->kind == StmtKind::For) {
      reached = label(continues, above) || reached;
      if (reached) goOn(above);
    }
    reached = label(breaks, above) || reached;
    after(above, reached);
  }
  // A loop whose body is done for once.
  void goOn(const Stmt *loop) {
    if (loop->kind == StmtKind::While) {
      stmt(loop);
    } else if (loop->kind == StmtKind::Do) {
      at->add("while (" + text(loop->as<DoStmt>()->cond) + ")");
      loopBody(loop->as<DoStmt>()->body, loop);
    } else {
      const auto *l = loop->as<ForStmt>();
      if (l->step) at->add(text(l->step) + ";");
      at->add("for (; " + text(l->cond) + "; " + text(l->step) + ")");
      loopBody(l->body, loop);
    }
  }
  bool label(std::unordered_map<const Stmt *, std::string> &of, const Stmt *s) {
    auto it = of.find(s);
    if (it == of.end()) return false;
    at->label(it->second + ":;");
    of.erase(it);
    return true;
  }
  // break and continue of what is not written as a loop here.
  void leave(bool isBreak, const Stmt *s) {
    const Stmt *target = up.at(s);
    auto catches = [&](const Stmt *t) {
      return t->kind == StmtKind::While || t->kind == StmtKind::Do || t->kind == StmtKind::For ||
             (isBreak && t->kind == StmtKind::Switch);
    };
    while (target && !catches(target)) target = up.at(target);
    if (open.count(target)) return at->add(isBreak ? "break;" : "continue;");
    std::string &name = (isBreak ? breaks : continues)[target];
    if (name.empty()) name = (isBreak ? "out_" : "again_") + std::to_string(++labels);
    at->add("goto " + name + ";");
  }

  // ---- statements: false when what follows is not reached ----
  void loopBody(const Stmt *body, const Stmt *loop) {
    open.insert(loop);
    braces(body);
    open.erase(loop);
  }
  bool braces(const Stmt *s) {
    bool falls = true;
    at->block([&] { falls = s->kind == StmtKind::Compound ? block(s->as<CompoundStmt>()) : stmt(s); }, true);
    return falls;
  }
  bool block(const CompoundStmt *c) { return sequence(c, 0); }
  bool sequence(const CompoundStmt *c, size_t i) {
    bool falls = true;
    for (; i < c->body.size(); i++) {
      const Stmt *s = c->body[i];
      if (s->kind == StmtKind::Case || s->kind == StmtKind::Default) falls = true;
      if (!falls) continue;
      if (size_t past = frame || s->kind != StmtKind::Spawn ? 0 : row(c, i)) {
        const Stmt *sync = c->body[past - 1]->kind == StmtKind::Sync ? c->body[past - 1] : def.body;
        plainRow(rowOf(sync), sync);
        falls = false;
        i = past - 1;
        continue;
      }
      falls = stmt(s);
    }
    return falls;
  }

  bool stmt(const Stmt *s) { return !s || dispatch(*this, s); }  // does control come out at its end?

public:  // for dispatch
  bool on(const NullStmt &) { return true; }
  bool on(const ExprStmt &s) { return at->add(text(s.expr) + ";"), true; }
  bool on(const SpawnStmt &s) { return generalSpawn(&s), true; }
  bool on(const SyncStmt &s) {
    if (!plan.entry(plan.entryOf(&s)).mayBeOutstanding) return true;
    generalSync(&s);
    return false;
  }
  bool on(const CompoundStmt &s) {
    at->add("{");
    at->in();
    bool falls = block(&s);
    at->out();
    at->add("}");
    return falls;
  }
  bool on(const DeclStmt &s) {
    for (const std::string &i : initialisers(&s)) at->add(i + ";");
    return true;
  }
  bool on(const IfStmt &s) {
    at->add("if (" + text(s.cond) + ")");
    bool falls = braces(s.then);
    if (!s.otherwise) return true;
    at->add("else");
    return braces(s.otherwise) || falls;
  }
  bool on(const WhileStmt &s) {
    at->add("while (" + text(s.cond) + ")");
    loopBody(s.body, &s);
    return true;
  }
  bool on(const DoStmt &s) {
    at->add("do");
    loopBody(s.body, &s);
    at->add("while (" + text(s.cond) + ");");
    return true;
  }
  bool on(const ForStmt &s) {
    std::string init;
    if (s.init && s.init->kind == StmtKind::Expr) init = text(s.init->as<ExprStmt>()->expr);
    else if (s.init && s.init->kind == StmtKind::Decl)
      for (const std::string &i : initialisers(s.init->as<DeclStmt>())) init += (init.empty() ? "" : ", ") + i;
    at->add("for (" + init + "; " + text(s.cond) + "; " + text(s.step) + ")");
    loopBody(s.body, &s);
    return true;
  }
  bool on(const SwitchStmt &s) {
    at->add("switch (" + text(s.cond) + ")");
    loopBody(s.body, &s);
    return true;
  }
  bool on(const CaseStmt &s) {
    if (written(&s)) at->label("case " + text(s.low) + (s.high ? " ... " + text(s.high) : "") + ":;");
    return stmt(s.sub);
  }
  bool on(const DefaultStmt &s) {
    if (written(&s)) at->label("default:;");
    return stmt(s.sub);
  }
  bool on(const BreakStmt &s) { return leave(true, &s), false; }
  bool on(const ContinueStmt &s) { return leave(false, &s), false; }
  bool on(const ReturnStmt &s) {
    std::string with = s.value ? text(s.value) : "";
    bool outstanding = frame && plan.ending(&s).outstanding;
    if (isVoid() && !with.empty()) at->add(with + ";");
    if (!outstanding) return answer(isVoid() ? "0" : with.empty() ? nothing() : with), false;
    if (!isVoid()) at->add(f + "->" + value + " = " + (with.empty() ? nothing() : with) + ";");
    generalSync(def.body);
    return false;
  }
  bool on(const FunctionStmt &) { return true; }  // inlets are apart
  // of all others the user's words do
  bool on(const Stmt &s) { return at->add(show::sourceText(w.sources, s.range, {}, rename(), true)), true; }

private:
  // Is the switch around a case written as such here?
  bool written(const Stmt *s) const {
    const Stmt *t = up.at(s);
    while (t && t->kind != StmtKind::Switch) t = up.at(t);
    return open.count(t);
  }
};

}  // namespace

std::string ThreadWriter::unlike(const std::string &base) const {
  std::string name = base;
  for (int n = 2; taken.count(name); ++n) name = base + "_" + std::to_string(n);
  return name;
}
std::string ThreadWriter::fresh(const std::string &base) { return *taken.insert(unlike(base)).first; }

std::string ThreadWriter::head(const FunctionDecl *fn, const std::string &k) {
  bool named = !k.empty();
  const auto *t = fn->type->as<FunctionType>();
  std::string out =
      std::string(fn->linkage == Linkage::Internal ? "static " : "") + "thread " + std::string(fn->name) + "(";
  out += t->result->isVoid() ? "cont int" : "cont(" + declToC(t->result.unqual(), "", types) + ")";
  if (named) out += " " + k;
  for (size_t i = 0; i < t->params.size(); i++) {
    std::string name = named && i < fn->params.size()
                           ? fn->params[i]->name.empty() ? "argument" : std::string(fn->params[i]->name)
                           : "";
    out += ", " + declToC(t->params[i].unqual(), name, types);
  }
  return out + ")";
}

std::string ThreadWriter::write(const FunctionDef &def) { return Writer(*this, def).write(); }

}  // namespace cilkc
