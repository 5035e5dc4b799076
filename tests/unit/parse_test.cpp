// The parser as a library: scopes, short cuts of the lexer, literals, long and deep inputs, damaged inputs. Exit status
// 0: all hold.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <pthread.h>
#include <string>
#include <vector>
#include "frontend/parse/lex.h"
#include "frontend/parse/parse.h"

using namespace cilkc;

static int failures = 0;

struct Parsed {
  explicit Parsed(const std::string &text, bool cilk = false, LangOptions::Std std = LangOptions::C17)
      : sources(text, cilk ? "test.cilk" : "test.c"), diags(sources, {}), cx({}, options(cilk, std)),
        unit(parse(sources, cx, diags)) {}
  static LangOptions options(bool cilk, LangOptions::Std std) {
    LangOptions o;
    o.dialect = cilk ? Dialect::Cilk5 : Dialect::C;
    o.std = std;
    return o;
  }
  SourceManager sources;
  DiagnosticEngine diags;
  AstContext cx;
  TranslationUnit *unit;
};

static void check(bool ok, const std::string &what) {
  if (ok) return;
  failures++;
  std::fprintf(stderr, "FAILED: %s\n", what.substr(0, 200).c_str());
}

static std::string times(size_t n, const std::string &s) {
  std::string r;
  for (size_t i = 0; i < n; i++) r += s;
  return r;
}

// Accepted without a message.
static void good(const std::string &text, bool cilk = false, LangOptions::Std std = LangOptions::C17) {
  Parsed p(text, cilk, std);
  check(!p.diags.hadError() && p.unit, "should be accepted: " + text);
}
// Exactly these errors, by code.
static void bad(const std::string &text, const std::vector<std::string> &codes, bool cilk = false) {
  Parsed p(text, cilk);
  std::vector<std::string> got;
  for (const Diagnostic &d : p.diags.all())
    if (d.severity == Severity::Error) got.push_back(diagInfo(d.id).code);
  std::string list;
  for (auto &g : got) list += " " + g;
  check(got == codes, "other errors than expected (" + list + " ): " + text);
}

static void scopes() {
  const std::string T = "typedef int T; ";
  for (const char *text : {
           "void f(void) { for (int T = 0; T < 3; T++) T; T z; z = 1; }",
           "int g(T T, int y[T * 2]); int g(T T, int y[T * 2]) { T = 2; return T * y[0]; } T after;",
           "void f(void) { int T; T * 2; }",
           "int h(int (T), int *(T), int (*x)(T), T (*)[3], T[const 3]);",
           "struct { T T; } a; struct { unsigned T; T x : 3; T : 2; const T y; } b; T c;",
           "void f(void) { unsigned T; T = 1; T: T++; goto T; }",
           "void f(void) { T: ; T x; x = 0; goto T; }",
           "void f(void) { enum { T = 5 }; int x = T * 2; } T y;",
           "int kr(a, b, T2) int a; char *b; register T2; { return a + T2; }",
           "int x = sizeof (T), y = sizeof (T) * 2, z = sizeof (T){ 1 }, w = (T)-1, v = (T)+(T)~1;",
           "int (*f(int T))(int b) { return 0; } T z;",
           "void (*(f(void)))(int *) { return 0; }",
           "void f(int n) { typedef int V[n]; V w; { int V; V = 1; } V u; }",
           "void f(void) { if (1) { typedef char T; T x; } T y; { extern T T; T = 3; } T z; }",
           "void f(void) { struct T { int T; } T; T.T = 1; struct T *p = &T; p->T = 2; }",
           "T a, b; void f(T a) { T b = a; (T)b; } T T2; void g(T2) { }",
           "T (x); T (*y)(T), *z[3]; void f(void) { T (x); x = 1; }",
           "typedef T T; typedef struct T { struct T *T; } U; U u; T t;",
           "void f(int T) { T++; } T x; void g(T, T); void g(T a, T b) { }",
           "int a = 1 ? (T)2 : 3; int c = _Generic(1, T: 1, default: 2); struct { T : 3; } s;",
       })
    good(T + text);
}

static void languages() {
  good("int cilk, spawn, sync, inlet, abort, shared, private, SYNCHED; void f(void) { spawn = sync; }");
  good(
      "cilk int f(int n) { int x; inlet void g(int r, int k) { x += r; } g(spawn f(1), 2); x = spawn f(1); x += spawn f(2); sync; "
      "if (SYNCHED) abort; abort(); sync(); return x; } shared int s; private int p; typedef cilk int (*F)(int);",
      true);
  // The parser takes a spawn at every place of an expression; sema judges.
  good("cilk int f(int n) { int x = spawn f(1); return spawn f(spawn f(2)) + (int)spawn f(3); }", true);
  good("# 1 \"a.h\" 1\nint cilk;\n# 1 \"b.cilkh\" 1\ncilk int f(int);\n# 2 \"a.h\" 2\nint spawn;\n");
  good("cilk int f(int);\n#pragma lang +C\nint cilk;\n#pragma lang -C\ncilk int g(int);\n", true);
  good("#pragma lang +Cilk\ncilk int f(int);\n# 1 \"b.h\" 1\nint cilk;\n# 2 \"test.c\" 2\ncilk int g(int);\n");
  bad("int cilk; int spawn;", {"cilk-word-as-name", "cilk-word-as-name"}, true);
  good("bool b = true; int *p = nullptr; static_assert(1); enum E : unsigned char { A }; int f [[deprecated]] (void);",
      false, LangOptions::C2x);
  good("int bool, true, nullptr, constexpr, static_assert, alignas;");
}

static void literals() {
  Parsed p("char *s = \"a\\x41\" \"\\101\\n\" \"\\u00e9\";");
  check(p.unit->decls.size() == 1, "one declaration");
  Expr *e = p.unit->decls[0].decl->declarators[0].init->expr;
  check(e->kind == ExprKind::StringLit && e->as<StringLit>()->bytes == "aAA\n\xc3\xa9", "string literal");
  auto value = [](const char *text) {
    Parsed q(std::string("int x = ") + text + ";");
    Expr *x = q.unit->decls.at(0).decl->declarators[0].init->expr;
    return x->kind == ExprKind::CharLit  ? x->as<CharLit>()->value
           : x->kind == ExprKind::IntLit ? static_cast<int64_t>(x->as<IntLit>()->value)
                                         : -77;
  };
  check(value("'\\377'") == -1 && value("'a'") == 97 && value("'ab'") == 0x6162 && value("L'\\x1234'") == 0x1234,
      "characters");
  check(value("0x7fffFFFFull") == 0x7fffffff && value("0b101") == 5 && value("0777") == 511 && value("1'000") == 1000,
      "integers");
}

// The lexer with and without its short cuts.
static void shortCuts(const std::string &text) {
  using namespace parsing;
  SourceManager sources(text, "test.cilk");
  DiagnosticEngine d1(sources, {}), d2(sources, {});
  Tokens a, b;
  LangOptions lang;
  lex(sources, lang, d1, a);
  lex(sources, lang, d2, b, true);
  bool same = a.list.size() == b.list.size() && d1.errors() == d2.errors();
  for (size_t i = 0; same && i < a.list.size(); i++)
    same = a.list[i].type == b.list[i].type && a.list[i].start == b.list[i].start &&
           a.list[i].length == b.list[i].length && a.list[i].lineStart == b.list[i].lineStart &&
           a.list[i].depth == b.list[i].depth;
  check(same, "short cuts differ from the grammar: " + text);
}

static void longInputs() {
  good("int x = 1" + times(10000, " + 1") + ";");
  good("int f(int x) { " + times(2000, "if (x) return 1; else ") + "return 0; }");
  good("int a[] = { 0" + times(100000, ", 1") + " };");
  good("int f(void) " + times(2000, "{") + times(2000, "}"));
  good("char *s = \"" + std::string(10 << 20, 'x') + "\";");
  good("int f(int x) { switch (x) { " + times(20000, "case 1: ") + "; } return 0; }");
  good("int " + times(20000, "*") + "x;");
  good("int x = f" + times(20000, "(1)") + ";");
  for (const char *pair : {"()", "{}", "[]"})
    bad("int x = " + times(100000, {pair[0]}) + "1" + times(100000, {pair[1]}) + ";", {"nested-too-deeply"});
  bad("int " + times(100000, "(") + "x" + times(100000, ")") + ";", {"nested-too-deeply"});
  for (const char *s : {"- ", "!", "(int)", "sizeof ", "if (1) "})
    bad("int f(void) { " + times(200000, s) + "1; }", {"nested-too-deeply"});
}

static void damaged() {
  const std::string text =
      "# 1 \"d.cilk\"\ntypedef struct s { int a : 3, b[2]; } T; enum { A = 1, B };\n#pragma pack(push, 1)\n"
      "cilk int f(int n, T *p) { int x = (T){ .a = 1 }.a, y[] = { [1] = 2 }; for (int i = 0; i < n; i++) { x += spawn f(i, p); } sync; "
      "switch (x) { case 1 ... 3: lab: goto lab; default: ; } asm volatile (\"\" : \"=r\"(x) : : \"memory\"); "
      "return sizeof(int (*)[3]) + _Generic(x, int: 1, default: 2) + ({ 3; }) + 'a' + \"str\"[0] /* c */; }\n"
      "int k(a, b) char a; { return a ? b : !a; } [[x]] int z __attribute__((aligned(8)));\n";
  good(text, true);
  for (size_t n = 0; n <= text.size(); n++) Parsed(text.substr(0, n), true);
  for (size_t n = 0; n < text.size(); n++) {
    std::string s = text;
    for (char c : {'(', '}', ';', '"', '\0', '\xff', '#', '*'}) {
      s[n] = c;
      Parsed(s, n & 1);
    }
    s.erase(n, 1);
    Parsed(s, true);
    shortCuts(s);
  }
  unsigned seed = 1;
  for (int i = 0; i < 200; i++) {
    std::string s;
    for (int k = 0; k < 2000; k++) s += static_cast<char>((seed = seed * 1103515245 + 12345) >> 16);
    Parsed(s, true);
    shortCuts(s);
  }
}

static void *all(void *) {
  scopes();
  languages();
  literals();
  for (const char *s : {"int a=1.e+5,L'a',u8\"x\" u\"y\"; a<:1:>+++b---c->d...,.5..x",
           "x /* c */ y // z\n\\\nw \"a\\\"b\" '\\'' \xc3\xa9t $a_1", "#pragma x\n# 3 \"f\"\n a # b\n@`\\",
           "%:%><%<::>", "L\"a\nb\" 'c\n/* d", "0x1.8p-3 1e5f 0b1 1'0 08 .", "R\"x(a)\")x\" u8R\"(b)\""})
    shortCuts(s);
  longInputs();
  damaged();
  return nullptr;
}

int main() {
  // As the compiler does: on a big stack. AddressSanitizer cannot clean more than 64 MB of one when an exception is
  // thrown.
#ifdef __SANITIZE_ADDRESS__
  const size_t big = size_t{1} << 26;
#else
  const size_t big = size_t{1} << 30;
#endif
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, big);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, all, nullptr)) return 2;
  pthread_join(thread, nullptr);
  // And on a small one: an error, no crash.
  pthread_attr_setstacksize(&attributes, size_t{1} << 20);
  auto small = [](void *) -> void * {
    bad("int x = " + times(15000, "(") + "1" + times(15000, ")") + ";", {"nested-too-deeply"});
    return nullptr;
  };
  if (pthread_create(&thread, &attributes, small, nullptr)) return 2;
  pthread_join(thread, nullptr);
  if (failures) std::fprintf(stderr, "%d failed\n", failures);
  return failures != 0;
}
