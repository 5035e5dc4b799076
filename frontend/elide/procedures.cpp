// procedures.cpp - which procedures become threads, and where their text goes. thread_writer.cpp writes one.
#include "frontend/elide/procedures.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/builtins/builtins.h"
#include "frontend/elide/thread_writer.h"
#include "frontend/elide/walk.h"
#include "diag/cilk1.h"

namespace cilkc {

namespace {

// What a thread cannot have, or what would have to be in several threads.
class Obstacles final : public AstWalker {
public:
  std::string found;
  explicit Obstacles(const FunctionDef *def) : fn(def->fn) {
    walk(def->specs);
    walk(def);
  }

private:
  const FunctionDecl *fn;
  void is(const char *what) {
    if (found.empty()) found = what;
  }
  void onStmt(const Stmt *s) override {
    switch (s->kind) {
      case StmtKind::Touch: return is("it touches a future");
      case StmtKind::Abort: return is("it aborts its children");
      case StmtKind::Goto:
      case StmtKind::GotoExpr:
      case StmtKind::Label: return is("it jumps");
      case StmtKind::Asm: return is("it has inline assembly");
      case StmtKind::Spawn:
        if (!directCallee(s->as<SpawnStmt>())) return is("it spawns through a pointer");
        if (s->as<SpawnStmt>()->fills) return is("it has a future");
        return;
      case StmtKind::Decl:
        if (s->as<DeclStmt>()->decl) local(*s->as<DeclStmt>()->decl);
        return;
      case StmtKind::Error:
      case StmtKind::Expr:
      case StmtKind::Compound:
      case StmtKind::If:
      case StmtKind::While:
      case StmtKind::Do:
      case StmtKind::For:
      case StmtKind::Switch:
      case StmtKind::Case:
      case StmtKind::Default:
      case StmtKind::Continue:
      case StmtKind::Break:
      case StmtKind::Return:
      case StmtKind::Null:
      case StmtKind::LocalLabel:
      case StmtKind::Thread:
      case StmtKind::Send:
      case StmtKind::Sync:
      case StmtKind::Function:
      case StmtKind::Pragma: return;
    }
  }
  void local(const Declaration &d) {
    for (const InitDeclarator &i : d.declarators) {
      if (!i.decl) continue;
      if (i.decl->kind == DeclKind::Typedef) is("it declares a type");
      if (i.decl->kind == DeclKind::Function) is("it declares a function");
      if (i.decl->kind == DeclKind::Var && !i.decl->as<VarDecl>()->isLocal) is("it has a static variable");
    }
  }
  void onFunction(const FunctionDef *def) override {
    if (!def->fn || !def->fn->isInlet) return is("it defines a function");
    inInlet = true;
    walk(def);
    inInlet = false;
  }
  bool inInlet = false;
  void onSpecs(const DeclSpecs *s) override {
    if ((s->record && s->record->hasBody) || (s->enumeration && s->enumeration->hasBody)) is("it declares a type");
  }
  void onExpr(const Expr *e) override {
    if (e->kind == ExprKind::Call && inInlet && e->as<Call>()->builtin &&
        builtinHasFlag(static_cast<BuiltinId>(e->as<Call>()->builtin), 'k'))
      is("an inlet asks where it runs");
    if (e->kind == ExprKind::LabelAddr) is("it jumps");
    if (e->kind == ExprKind::Synched && inInlet) is("an inlet asks SYNCHED");
    if (e->kind == ExprKind::Call)
      if (const FunctionDecl *f = directCallee(e->as<Call>()); f && f->isInlet) is("it calls an inlet like a function");
  }
};

class Procedures {
public:
  Procedures(const TranslationUnit &tu, const UnitPlan &plans, const SourceManager &sm, DiagnosticEngine &d,
      const TextOf &t, std::unordered_set<std::string> &taken)
      : tu(tu), plans(plans), sm(sm), diags(d), textOf(t), taken(taken), types(typedefNames(tu)) {}

  void run() {
    choose();
    ThreadWriter writer{tu, plans, sm, types, taken, threads};
    for (const ExternalDecl &d : tu.decls) {
      uint32_t begin = 0, end = 0;
      const FunctionDecl *f = d.function ? d.function->fn : nullptr;
      if (f && f->isCilk) {
        EditedText *text = placeOf(sm, textOf, d.function->range, begin, end);
        if (!text) continue;
        if (threads.count(f)) text->override(begin, end, writer.write(*d.function));
        else if (auto it = left.find(f); it != left.end())
          text->insert(begin, "/* A procedure of Cilk-5 still: " + it->second + ". */\n");
      } else if (d.decl) {
        declaration(*d.decl, writer);
      }
    }
  }

private:
  const TranslationUnit &tu;
  const UnitPlan &plans;
  const SourceManager &sm;
  DiagnosticEngine &diags;
  TextOf textOf;
  std::unordered_set<std::string> &taken;
  TypeNames types;
  std::unordered_set<const FunctionDecl *> threads;
  std::unordered_map<const FunctionDecl *, std::string> left;

  void choose() {
    std::unordered_set<const FunctionDecl *> values = asValues();
    for (const ExternalDecl &d : tu.decls) {
      const FunctionDecl *f = d.function ? d.function->fn : nullptr;
      uint32_t begin = 0, end = 0;
      if (!f || !f->isCilk || !plans.has(f) || !placeOf(sm, textOf, d.function->range, begin, end) ||
          f->name.substr(0, 5) == "Cilk_")
        continue;
      std::string why = Obstacles(d.function).found;
      if (halfConditional(*placeOf(sm, textOf, d.function->range, begin, end), begin, end))
        why = "a part of an #if is in it";
      for (const FunctionDecl *other : tu.functions)
        if (!other->attrs.alias.empty() && other->attrs.alias == f->name) why = "it has a second name";
      if (values.count(f)) why = "there are pointers to it";
      else if (f->name == "cilk_main") why = "main has another name";
      else if (f->usesAlloca || f->usesVla) why = "it has memory on the stack whose size is not known before it runs";
      else if (f->callsSetjmp || f->usesVaStart || f->usesFrameAddress) why = "it looks at its stack";
      for (const VarDecl *v : f->locals)
        if (v->attrs.cleanup) why = "a variable has a cleanup";
      if (why.empty()) threads.insert(f);
      else left.emplace(f, why);
    }
  }

  // Does an #if begin or end inside, but not both?
  static bool halfConditional(const EditedText &text, uint32_t begin, uint32_t end) {
    int depth = 0;
    for (size_t i = text.tokenAt(begin); i + 1 < text.tokens().size() && text.tokens()[i].begin < end; ++i) {
      if (!text.tokens()[i].lineStart || !text.is(i, "#")) continue;
      std::string_view word = text.spelling(i + 1);
      if (word == "if" || word == "ifdef" || word == "ifndef") ++depth;
      if ((word.starts_with("el") && depth == 0) || (word == "endif" && --depth < 0)) return true;
    }
    return depth != 0;
  }

  // Procedures that are named other than to be spawned.
  std::unordered_set<const FunctionDecl *> asValues() const {
    struct Uses final : AstWalker {
      std::unordered_set<const FunctionDecl *> all;
      std::unordered_set<const Expr *> spawned;
      void onStmt(const Stmt *s) override {
        if (s->kind == StmtKind::Spawn) spawned.insert(ignoreParensAndImplicit(s->as<SpawnStmt>()->call->callee));
      }
      void onExpr(const Expr *e) override {
        if (e->kind == ExprKind::Ident && !spawned.count(e))
          if (const Decl *d = e->as<Ident>()->decl; d && d->kind == DeclKind::Function && d->as<FunctionDecl>()->isCilk)
            all.insert(d->as<FunctionDecl>());
      }
    } uses;
    for (const ExternalDecl &d : tu.decls) {
      if (d.function) uses.walk(d.function);
      if (d.decl) uses.walk(d.decl);
    }
    return uses.all;
  }

  // Declarations of what is a thread now.
  void declaration(const Declaration &d, ThreadWriter &writer) {
    std::string out;
    for (const InitDeclarator &i : d.declarators) {
      const FunctionDecl *f = i.decl && i.decl->kind == DeclKind::Function ? i.decl->as<FunctionDecl>() : nullptr;
      if (!f || !threads.count(f)) continue;
      out += (out.empty() ? "" : "\n") + writer.head(f, "") + ";";
    }
    uint32_t begin = 0, end = 0;
    if (out.empty()) return;
    if (EditedText *text = placeOf(sm, textOf, d.range, begin, end)) text->override(begin, end, out);
    else
      diags.report(diag::thread_elision, d.range)
          .note(d.range, "this declaration of what is a thread now is in a macro: write it out");
  }
};

}  // namespace

void proceduresAsThreads(const TranslationUnit &tu, const UnitPlan &plans, const SourceManager &sm,
    DiagnosticEngine &diags, const TextOf &textOf, std::unordered_set<std::string> &taken) {
  Procedures(tu, plans, sm, diags, textOf, taken).run();
}

}  // namespace cilkc
