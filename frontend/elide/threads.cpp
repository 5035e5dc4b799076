// threads.cpp - what a thread and its statements become:
//
//     thread sum(cont int k, int x, int y) {
//         send_argument(k, x + y);
//     }
//  =>
//     struct sum_closure { struct cilk_closure closure; cilk_cont k; int x; int y; };
//     void sum_thread(struct cilk_closure *closure) {
//         cilk_cont k = ((struct sum_closure *)closure)->k; ...
//         cilk_free(closure);
//         send_int(k, x + y);
//     }
//
//     spawn_next sum(k, ?x, 1);
//  =>
//     { struct sum_closure *closure = cilk_spawn_next(sum_thread, sizeof *closure, 1);
//       closure->k = k; closure->y = 1; x = cilk_argument(closure, &closure->x); }
//
// What the user wrote between keeps its text. A thread whose first parameter is `cont T k` has a C function of its name
// as well, which returns T: it runs the thread and all that comes of it. Each struct precedes the first declaration
// that names its thread. Units agree on the names, so a program's files can be elided one by one.
#include "frontend/elide/threads.h"
#include <unordered_map>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/elide/walk.h"
#include "diag/cilk1.h"

namespace cilkc {

namespace {

// The threads that a declaration names, and its statements of Cilk-1, in the order of the text.
class Mentions final : public AstWalker {
public:
  std::vector<const FunctionDecl *> threads;
  std::vector<const ThreadStmt *> spawns;
  std::vector<const SendStmt *> sends;
  std::vector<Range> inner;  // declarations of threads inside a function

private:
  void onStmt(const Stmt *s) override {
    if (s->kind == StmtKind::Send) sends.push_back(s->as<SendStmt>());
    if (s->kind == StmtKind::Decl && s->as<DeclStmt>()->decl && s->as<DeclStmt>()->decl->specs->thread)
      inner.push_back(s->range);
    if (s->kind != StmtKind::Thread) return;
    spawns.push_back(s->as<ThreadStmt>());
    threads.push_back(s->as<ThreadStmt>()->thread);
  }
  void onExpr(const Expr *e) override {
    if (e->kind != ExprKind::Ident || !e->as<Ident>()->decl || e->as<Ident>()->decl->kind != DeclKind::Function) return;
    const auto *f = e->as<Ident>()->decl->as<FunctionDecl>();
    if (const FunctionDecl *t = f->isThread ? f : f->thread && !f->thread->isAdapter ? f->thread : nullptr)
      threads.push_back(t);
  }
  void onDecl(const Decl *d, const DeclSpecs *s) override {
    if (s && s->thread && d->kind == DeclKind::Function && d->as<FunctionDecl>()->isThread)
      threads.push_back(d->as<FunctionDecl>());
  }
};

// Does the order in which it is evaluated matter?
bool hasEffects(const Expr *e) {
  bool effects = false;
  eachExpr(e, Walk::Evaluated, [&](const Expr *x) {
    effects = effects || x->kind == ExprKind::Call || x->kind == ExprKind::Assign || x->kind == ExprKind::StmtExpr ||
              (x->kind == ExprKind::Unary && isIncDec(x->as<Unary>()->op));
    return !effects;
  });
  return effects;
}

class Threads {
public:
  Threads(const TranslationUnit &tu, const SourceManager &sm, DiagnosticEngine &d, const TextOf &t,
      std::unordered_set<std::string> &taken)
      : tu(tu), sm(sm), diags(d), textOf(t), taken(taken), types(typedefNames(tu)) {
    closure = fresh("closure");
  }

  void run() {
    for (const ExternalDecl &d : tu.decls) {
      Mentions m;
      const FunctionDecl *defined = nullptr;
      if (d.function) {
        defined = d.function->fn && d.function->fn->isThread ? d.function->fn : nullptr;
        if (defined) m.threads.push_back(defined);
        m.walk(d.function);
      } else if (d.decl) {
        m.walk(d.decl);
      }
      if (m.threads.empty() && m.sends.empty()) continue;
      external(d, m, defined);
      if (diags.hadError()) return;
    }
  }

private:
  const TranslationUnit &tu;
  const SourceManager &sm;
  DiagnosticEngine &diags;
  TextOf textOf;
  std::unordered_set<std::string> &taken;
  TypeNames types;
  std::string closure;
  struct Names {
    std::string function, tag, header;
    std::vector<std::string> slots;
  };
  std::unordered_map<const FunctionDecl *, Names> known;
  std::unordered_map<const Type *, std::string> senders;

  std::string fresh(std::string base) {
    std::string name = base;
    for (int n = 2; taken.count(name); ++n) name = base + "_" + std::to_string(n);
    taken.insert(name);
    return name;
  }
  void cannot(Range where, std::string_view what) {
    diags.report(diag::thread_elision, where)
        .note(where, std::string(what) + " is in a macro, or a part of it: write it out");
  }
  static const FunctionType *signature(const FunctionDecl *f) { return f->type->as<FunctionType>(); }
  static QualType continued(QualType cont) { return cont->as<RecordType>()->continues; }
  static bool isStatic(const FunctionDecl *f) { return f->isAdapter || f->linkage == Linkage::Internal; }

  // ---- declarations ----

  void external(const ExternalDecl &d, const Mentions &m, const FunctionDecl *defined) {
    uint32_t begin = 0, end = 0;
    Range whole = d.function ? d.function->range : d.range;
    std::string front;
    for (const FunctionDecl *f : m.threads) front += introduce(f);
    for (const SendStmt *s : m.sends) front += sender(continued(s->continuation->type));
    bool declares = d.decl && d.decl->specs->thread;
    // it calls procedures that are known by now
    if (!defined && !declares && front.empty() && m.spawns.empty() && m.inner.empty()) return;
    EditedText *text = placeOf(sm, textOf, whole, begin, end);
    if (!text) return cannot(whole, "this declaration");
    for (const SendStmt *s : m.sends) send(s);
    for (const ThreadStmt *s : m.spawns) spawn(s);
    for (Range r : m.inner) {
      uint32_t b = 0, e = 0;
      if (EditedText *at = placeOf(sm, textOf, r, b, e)) at->override(b, e, ";");
      else cannot(r, "this declaration");
    }
    if (defined) return definition(*d.function, *text, begin, end, front);
    if (declares) text->override(begin, end, chomp(front));
    else text->insert(begin, front);
  }

  static std::string chomp(std::string s) {
    while (!s.empty() && s.back() == '\n') s.pop_back();
    return s;
  }

  Names &named(const FunctionDecl *f) {
    auto [it, isNew] = known.try_emplace(f);
    Names &n = it->second;
    if (!isNew) return n;
    n.function = fresh(std::string(f->name) + "_thread");
    n.tag = std::string(f->name) + "_closure";
    const auto &procedure = f->isAdapter ? f->procedure->params : f->params;
    std::unordered_set<std::string> slots;
    for (size_t i = 0; i < signature(f)->params.size(); ++i) {
      size_t at = f->isAdapter ? i - 1 : i;
      std::string name = at < procedure.size() && !procedure[at]->name.empty() ? std::string(procedure[at]->name)
                         : i                                                   ? "argument" + std::to_string(i + 1)
                                                                               : "k";
      while (!slots.insert(name).second) name += '_';
      n.slots.push_back(name);
    }
    n.header = "closure";
    while (slots.count(n.header)) n.header += '_';
    return n;
  }

  // Before the first declaration that names the thread: its closure, its function, the C function that it is for
  // others.
  std::unordered_set<const FunctionDecl *> introduced;
  std::string introduce(const FunctionDecl *f) {
    if (!introduced.insert(f).second) return {};
    Names &n = named(f);
    std::string out = "struct " + n.tag + " {\n    struct cilk_closure " + n.header + ";\n";
    for (size_t i = 0; i < n.slots.size(); ++i) {
      QualType t = signature(f)->params[i].unqual();
      out += "    " + declToC(t, n.slots[i], types) + ";" +
             (t->isCont() ? "        /* for a value of type " + declToC(continued(t), "", types) + " */" : "") + "\n";
    }
    std::string prefix = isStatic(f) ? "static " : "";
    out += "};\n" + prefix + "void " + n.function + "(struct cilk_closure *);\n";
    if (f->isAdapter) return out + adapter(f) + "\n";
    if (f->procedure) {
      if (cName(f) != "main")
        out += (isStatic(f) ? "__attribute__((unused)) static " : "") + procedureHead(f, false) + ";\n";
    }
    return out + "\n";
  }

  // A procedure of Cilk-5 that threads spawn: a thread that calls it and sends the result.
  std::string adapter(const FunctionDecl *f) {
    Names &n = named(f);
    QualType result = continued(signature(f)->params[0]);
    std::string send = sender(result), name = senders[result.type], args;
    for (size_t i = 1; i < n.slots.size(); ++i) args += (i > 1 ? ", " : "") + closure + "." + n.slots[i];
    std::string callIt = std::string(f->name) + "(" + args + ")", k = closure + "." + n.slots[0];
    bool isVoid = signature(f->procedure)->result->isVoid();
    std::string from = closure + "_passed";
    return send + "static void " + n.function + "(struct cilk_closure *" + from + ")\n{\n    struct " + n.tag + " " +
           closure + " = *(struct " + n.tag + " *)" + from + ";\n\n    cilk_free(" + from + ");\n" +
           (isVoid ? "    " + callIt + ";\n    " + name + "(" + k + ", 0);\n"
                   : "    " + name + "(" + k + ", " + callIt + ");\n") +
           "}\n";
  }

  static std::string cName(const FunctionDecl *f) { return f->name == "cilk_main" ? "main" : std::string(f->name); }

  std::string procedureHead(const FunctionDecl *f, bool names) {
    std::string list;
    const auto &params = signature(f)->params;
    for (size_t i = 1; i < params.size(); ++i)
      list += (i > 1 ? ", " : "") + declToC(params[i], names ? named(f).slots[i] : "", types);
    return declToC(continued(params[0]), cName(f) + "(" + (list.empty() ? "void" : list) + ")", types);
  }

  // The C function of a thread that begins with a continuation.
  std::string procedure(const FunctionDecl *f) {
    Names &n = named(f);
    QualType result = continued(signature(f)->params[0]);
    std::string value = unlike(n, "value"), pool = unlike(n, "pool"), c = unlike(n, closure);
    std::string out = std::string(isStatic(f) ? "static " : "") + procedureHead(f, true) + "\n{\n    " +
                      declToC(result, value, types) + ";\n    struct cilk_pool " + pool + ";\n    struct " + n.tag +
                      " *" + c + " = cilk_begin(&" + pool + ", " + n.function + ", sizeof *" + c + ", sizeof " + value +
                      ");\n";
    out += "    " + c + "->" + n.slots[0] + " = cilk_result(&" + pool + ");\n";
    for (size_t i = 1; i < n.slots.size(); ++i) out += "    " + c + "->" + n.slots[i] + " = " + n.slots[i] + ";\n";
    return out + "    cilk_post(" + c + ");\n    cilk_run(&" + pool + ", &" + value + ", \"" + std::string(f->name) +
           "\");\n    return " + value + ";\n}\n";
  }
  static std::string unlike(const Names &n, std::string name) {
    for (size_t i = 0; i < n.slots.size(); ++i)
      if (n.slots[i] == name) name += '_', i = ~size_t(0);
    return name;
  }

  void definition(const FunctionDef &def, EditedText &text, uint32_t begin, uint32_t end, const std::string &front) {
    const FunctionDecl *f = def.fn;
    Names &n = named(f);
    uint32_t open = 0, bodyEnd = 0;
    if (!def.body || placeOf(sm, textOf, def.body->range, open, bodyEnd) != &text || text.text().substr(open, 1) != "{")
      return cannot(def.range, "this thread");
    std::string head(text.text().substr(begin, open - begin)), out = front;
    while (!head.empty() && (head.back() == '\n' || head.back() == ' ' || head.back() == '\r')) head.pop_back();
    if (head.find("/*") == std::string::npos && head.find("//") == std::string::npos &&
        head.find('\n') == std::string::npos)
      out += "/* " + head + " */\n";
    std::string param = unlike(n, closure);
    out +=
        std::string(isStatic(f) ? "static " : "") + "void " + n.function + "(struct cilk_closure *" + param + ")\n{\n";
    for (size_t i = 0; i < f->params.size(); ++i)
      if (f->params[i]->used || f->params[i]->assigned)
        out += "    " + declToC(f->params[i]->type, n.slots[i], types) + " = ((struct " + n.tag + " *)" + param +
               ")->" + n.slots[i] + ";\n";
    text.override(begin, open + 1, out + "    cilk_free(" + param + ");\n");
    if (f->procedure) text.insert(end, "\n\n" + chomp(procedure(f)));
  }

  // ---- statements ----

  // The tokens of the statement that begins with one of these words; npos: it is not there in so many words.
  EditedText *statement(const Stmt *s, std::initializer_list<std::string_view> words, size_t &first,
      size_t &semicolon) {
    uint32_t begin = 0, end = 0;
    EditedText *text = placeOf(sm, textOf, s->range, begin, end);
    first = text ? text->tokenAt(begin) : EditedText::npos;
    bool found = false;
    for (std::string_view w : words) found = found || (first != EditedText::npos && text->is(first, w));
    size_t open = first;
    while (found && open < text->tokens().size() && !text->is(open, "(")) ++open;
    semicolon = found ? text->closing(open) : EditedText::npos;
    while (semicolon != EditedText::npos && semicolon < text->tokens().size() && !text->is(semicolon, ";")) ++semicolon;
    if (semicolon < (text ? text->tokens().size() : 0)) return text;
    cannot(s->range, "this statement");
    return nullptr;
  }

  // The pieces of text between the commas of a bracket.
  struct Piece {
    size_t first, end;  // tokens
  };
  static std::vector<Piece> pieces(const EditedText &text, size_t open) {
    std::vector<Piece> out;
    size_t close = text.closing(open), from = open + 1;
    for (size_t i = from; i <= close; ++i) {
      if (i < close && (text.is(i, "(") || text.is(i, "[") || text.is(i, "{"))) i = text.closing(i);
      else if (i == close || text.is(i, ",")) {
        if (i > from) out.push_back({from, i});
        from = i + 1;
      }
    }
    return out;
  }
  static std::string written(const EditedText &text, Piece p) {
    return text.render(text.tokens()[p.first].begin, text.tokens()[p.end - 1].end);
  }
  static std::string indentation(const EditedText &text, uint32_t at) {
    uint32_t line = at;
    while (line > 0 && text.text()[line - 1] != '\n') --line;
    uint32_t e = line;
    while (e < at && (text.text()[e] == ' ' || text.text()[e] == '\t')) ++e;
    return std::string(text.text().substr(line, e - line));
  }

  void spawn(const ThreadStmt *s) {
    size_t first = 0, semicolon = 0;
    EditedText *text = statement(s, {"spawn", "spawn_next", "tail_call", "call"}, first, semicolon);
    if (!text) return;
    size_t open = first + 2, close = text->closing(open);
    std::vector<Piece> args;
    if (text->is(open, "(") && close != EditedText::npos) args = pieces(*text, open);
    if (args.size() != s->arguments.size() || (s->placement ? !text->is(close + 1, "@") : close + 1 != semicolon))
      return cannot(s->range, "this statement");
    Names &n = named(s->thread);
    uint32_t from = text->tokens()[first].begin;
    std::string in = indentation(*text, from), line = "\n" + in + "    ", stores, holes;
    size_t missing = 0;
    for (size_t i = 0; i < args.size(); ++i) {
      std::string slot = closure + "->" + n.slots[i];
      if (s->arguments[i]->kind != ExprKind::Hole) {
        stores += line + slot + " = " + written(*text, args[i]) + ";";
        continue;
      }
      missing++;
      if (!text->is(args[i].first, "?") || args[i].first + 1 >= args[i].end) return cannot(s->range, "this statement");
      holes +=
          line + written(*text, {args[i].first + 1, args[i].end}) + " = cilk_argument(" + closure + ", &" + slot + ");";
    }
    std::string out = "{" + line + "struct " + n.tag + " *" + closure + " = " +
                      (s->form == ThreadForm::SpawnNext ? "cilk_spawn_next(" : "cilk_spawn(") + n.function +
                      ", sizeof *" + closure + ", " + std::to_string(missing) + ");" + stores;
    if (s->placement) out += line + "cilk_place(" + closure + ", " + written(*text, {close + 2, semicolon}) + ");";
    out += holes;
    if (s->form == ThreadForm::TailCall) out += line + "cilk_tail_call(" + closure + ");" + line + "return;";
    else if (!missing) out += line + "cilk_post(" + closure + ");";
    text->override(from, text->tokens()[semicolon].end, out + "\n" + in + "}");
  }

  // send_TYPE(k, value), which converts the value as an assignment does. It precedes the first declaration that needs
  // it.
  std::string sender(QualType value) {
    std::string &name = senders[value.type];
    if (!name.empty()) return {};
    std::string type = declToC(value.unqual(), "", types), word = "send";
    for (char c : type) {
      bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      if (letter) word += word == "send" ? std::string("_") + c : std::string(1, c);
      else if (c == '*') word += "_p";
      else if (word.back() != '_') word += '_';
    }
    while (word.back() == '_') word.pop_back();
    name = fresh(word);
    return "static void " + name + "(cilk_cont k, " + declToC(value.unqual(), "value", types) + ")\n{\n    *(" +
           declToC(pointerless(value), "*", types) + ")cilk_slot(k) = value;\n    cilk_arrived(k);\n}\n\n";
  }
  static QualType pointerless(QualType t) { return t.unqual(); }

  void send(const SendStmt *s) {
    size_t first = 0, semicolon = 0;
    EditedText *text = statement(s, {"send_argument"}, first, semicolon);
    if (!text) return;
    std::vector<Piece> args = pieces(*text, first + 1);
    if (args.size() != 2) return cannot(s->range, "this statement");
    const std::string &name = senders[continued(s->continuation->type).type];
    uint32_t from = text->tokens()[first].begin, end = text->tokens()[semicolon].end;
    std::string k = written(*text, args[0]), value = written(*text, args[1]), in = indentation(*text, from);
    // C leaves the order of arguments open.
    if (hasEffects(s->continuation) || (hasEffects(s->value) && !namedVariable(s->continuation)))
      text->override(from, end,
          "{\n" + in + "    cilk_cont " + closure + " = " + k + ";\n" + in + "    " + name + "(" + closure + ", " +
              value + ");\n" + in + "}");
    else text->override(from, end, name + "(" + k + ", " + value + ");");
  }
};

}  // namespace

bool hasThreads(const TranslationUnit &tu) {
  for (const FunctionDecl *f : tu.functions)
    if (f->isThread || f->thread) return true;
  return false;
}

void elideThreads(const TranslationUnit &tu, const SourceManager &sm, DiagnosticEngine &diags, const TextOf &textOf,
    std::unordered_set<std::string> &taken) {
  Threads(tu, sm, diags, textOf, taken).run();
}

}  // namespace cilkc
