// The tools of frontend/ast: every child is walked, in the order of the text; what is not evaluated is left out on
// request; long chains need no stack. Exit status 0: all hold.
#include <cstdio>
#include <string>
#include <pthread.h>
#include <sys/resource.h>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/parse/parse.h"
#include "frontend/sema/analyze.h"

using namespace cilkc;

static int failures = 0;

static void check(bool ok, const std::string &what) {
  if (ok) return;
  failures++;
  std::fprintf(stderr, "FAILED: %s\n", what.substr(0, 300).c_str());
}

struct Typed {
  explicit Typed(const std::string &text, bool sema = true)
      : sources(text, "test.cilk"), diags(sources, {}), cx({}, {}), unit(parse(sources, cx, diags)) {
    check(unit && (!sema || analyze(*unit, cx, diags)), "should be accepted: " + text);
  }
  // The body of the last function.
  const CompoundStmt *body() const {
    const CompoundStmt *b = nullptr;
    for (const ExternalDecl &d : unit->decls)
      if (d.function) b = d.function->body;
    return b;
  }
  SourceManager sources;
  DiagnosticEngine diags;
  AstContext cx;
  TranslationUnit *unit;
};

// The names below a node, in the order of the walk.
template <class N> static std::string names(const N *root, Walk how) {
  std::string s;
  eachExpr(root, how, [&](const Expr *e) {
    if (e->kind == ExprKind::Ident) s += e->as<Ident>()->name;
  });
  return s;
}

static void order() {
  // Each name once, in alphabetic order, at every place of the grammar where an expression is allowed.
  const std::string text =
      "int f(int a,...) { a; { b[c]; } if (d) e; else g; while (h) i; do j; while (k); for (l; m; n) o; switch (p) { case q: r; default: s; }"
      " T: t; return u + v * (w ? x : y), -z; }";
  std::string globals = "int b[9], c, d, e, g, h, i, j, k, l, m, n, o, p; enum { q }; int r, s, t, u, v, w, x, y, z; ";
  Typed t(globals + text);
  check(names(t.body(), Walk::Written) == "abcdeghijklmnopqrstuvwxyz",
      "written order: " + names(t.body(), Walk::Written));
  check(names(t.body(), Walk::Evaluated) == "abcdeghijklmnoprstuvwxyz",
      "evaluated order: " + names(t.body(), Walk::Evaluated));
}

static void evaluated() {
  Typed t(
      "int a, b, c, d, e, k; int f(void) { struct S { int x, y[3]; } s = { a, { [1] = b } }; static int q = sizeof c;"
      " return sizeof(d) + _Generic(e, int: a, default: b) + __builtin_choose_expr(1, c, d) + __builtin_offsetof(struct S, y[k]) + sizeof(int[sizeof e]) + s.x + q; }");
  check(names(t.body(), Walk::Evaluated) == "abackssq" || names(t.body(), Walk::Evaluated) == "abacksq",
      "evaluated: " + names(t.body(), Walk::Evaluated));
  check(names(t.body(), Walk::Written) == "abcdeabcdkesq", "written: " + names(t.body(), Walk::Written));
}

static void cut() {
  Typed t("int a, b, c; int f(void) { return a + (b, c); }");
  std::string s;
  eachExpr(t.body(), Walk::Written, [&](const Expr *e) {
    if (e->kind == ExprKind::Ident) s += e->as<Ident>()->name;
    return e->kind != ExprKind::Paren;
  });
  check(s == "a", "what f refuses is not entered: " + s);
  check(anyExpr(t.body(), Walk::Written, [](const Expr *e) { return e->kind == ExprKind::Paren; }),
      "there are parentheses");
}

static std::string times(size_t n, const std::string &s) {
  std::string r;
  for (size_t i = 0; i < n; i++) r += s;
  return r;
}

// On a small stack: recursion over the chains would not fit.
static void *chains(void *p) {
  auto *t = static_cast<std::pair<Typed *, Typed *> *>(p);
  size_t n = 0;
  eachExpr(t->first->body(), Walk::Written, [&](const Expr *e) { n += e->kind == ExprKind::Ident; });
  check(n == 100001, "a long sum: " + std::to_string(n));
  n = 0;
  eachNode(t->second->body(), Walk::Written, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Stmt *>) n += node->kind == StmtKind::If;
  });
  check(n == 20000, "a long chain of else-if: " + std::to_string(n));
  return nullptr;
}

static void queries() {
  Typed t(
      "struct S { int m; } s, *p; typedef int V __attribute__((vector_size(16))); int f(int n) { struct S l; V v; int a[3]; (l).m = n; v[1] = 2; a[1] = 3; p->m = 4; s.m = 5; n = 6; return f(n) + (f)(n) + (&f)(n); }");
  std::string whole, part;
  size_t direct = 0;
  eachExpr(t.body(), Walk::Evaluated, [&](const Expr *e) {
    bool all = false;
    if (e->kind == ExprKind::Assign)
      if (const VarDecl *v = baseVariable(e->as<Assign>()->lhs, &all)) (all ? whole : part) += v->name;
    if (e->kind == ExprKind::Call) direct += directCallee(e->as<Call>()) != nullptr;
  });
  check(part == "lv" && whole == "n", "base variables: " + part + ", " + whole);
  check(direct == 2, "direct calls: " + std::to_string(direct));
  check(decimal(static_cast<__int128>(-1) << 127) == "-170141183460469231731687303715884105728", "the least __int128");
}

static void *all(void *) {
  order();
  evaluated();
  cut();
  queries();
  Typed sum("int a; int f(void) { return a" + times(100000, " + a") + "; }", false);
  Typed chain("int a; void f(void) { if (a) ; " + times(19999, "else if (a) ; ") + "}", false);
  std::pair<Typed *, Typed *> both{&sum, &chain};
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 * 1024);
  pthread_t thread;
  pthread_create(&thread, &small, chains, &both);
  pthread_join(thread, nullptr);
  return nullptr;
}

// The parser wants the compiler's large stack.
int main() {
  pthread_attr_t big;
  pthread_attr_init(&big);
  pthread_attr_setstacksize(&big, size_t(1) << 30);
  pthread_t thread;
  if (pthread_create(&thread, &big, all, nullptr) != 0) return 2;
  pthread_join(thread, nullptr);
  return failures != 0;
}
