// mutate.h - mutations of C and Cilk programs by words, statements and operands: most results are still programs, wrong
// in one respect or valid.
#pragma once
#include <cctype>
#include <cstring>
#include <random>
#include <string>
#include <vector>

inline const char *const fragments[] = {
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "\"",
    "'",
    "/*",
    "*/",
    "\n#pragma pack(1)\n",
    "\n#pragma lang +C\n",
    "\n# 1 \"a.cilk\" 1\n",
    "...",
    ":",
    "?",
    "=",
    "typedef int ",
    "struct ",
    "union { int a; } ",
    "enum {",
    "sizeof(",
    "__attribute__((aligned(",
    "[[",
    "_Generic(",
    "asm(",
    "case ",
    "else ",
    "do ",
    "spawn ",
    "cilk ",
    "inlet ",
    "sync;",
    "abort;",
    "SYNCHED",
    "0x",
    "1.",
    "1e999",
    "u8\"",
    "L'",
    "\xff",
    "static ",
    "int ",
    "*",
    "&",
    "&&",
    "goto ",
    "__builtin_offsetof(",
    "__builtin_va_arg(",
    "_Atomic(",
    "typeof(",
    "= {",
    "void",
    "[static ",
    "const ",
    "-1",
    "0",
    "/",
    "%",
    "<<",
    "1ull<<63",
    "__builtin_",
    "_Complex ",
    "({",
    "})",
    "->",
    ".",
    "long ",
    "unsigned ",
    ": 3",
    "inline ",
    "extern ",
    "_Alignas(",
    "register ",
    "char ",
    "double ",
    "float ",
    "short ",
    "long double ",
    "__int128 ",
    "_Bool ",
    "volatile ",
    "_Atomic ",
    "restrict ",
    "_Thread_local ",
    "void *",
    "int *",
    "return ",
    "break;",
    "continue;",
    "if (",
    "while (",
    "for (",
    "switch (",
    "default: ",
    "a",
    "x",
    "i",
    "n",
    "+",
    "-",
    "!",
    "~",
    "==",
    "<",
    "||",
    "++",
    "+=",
    ">>=",
    "0x7fffffffffffffff",
    "18446744073709551615u",
    "1e308",
    "0.0",
    "'\\0'",
    "\"\"",
    "L\"x\"",
    "int a[n];",
    "int (*)(void)",
    "struct { int a : 3; }",
    "(void)",
    "__attribute__((packed)) ",
    "__attribute__((vector_size(16))) ",
    "__attribute__((noreturn)) ",
    "__attribute__((cleanup(f))) ",
    "__attribute__((aligned(64))) ",
    "__builtin_constant_p(",
    "__builtin_choose_expr(",
    "__builtin_types_compatible_p(",
    "__func__",
    "sizeof ",
    "_Alignof(",
    "(int){1}",
    "&(struct { int x; }){2}",
    "[0 ... 3] = ",
    ".x = ",
    "label: ",
    "goto *",
    "__real__ ",
    "__imag__ ",
    "1i",
    "__extension__ ",
    "__auto_type ",
    "_Static_assert(",
};
// Words of one kind that may replace each other: most such programs are still valid, or wrong in one respect.
inline const std::vector<std::vector<const char *>> kinds = {
    {"int", "char", "long", "short", "double", "float", "unsigned", "_Bool", "void", "long double", "__int128",
        "long long", "_Complex double", "signed char"},
    {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&&", "||", "==", "!=", "<", ">", "<=", ">=", ",", "?:"},
    {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="},
    {"!", "~", "-", "+", "*", "&", "++", "--", "&&", "sizeof", "spawn", "__real__", "__imag__", ""},
    {"static", "extern", "auto", "register", "inline", "typedef", "const", "volatile", "_Thread_local", "_Atomic",
        "_Noreturn", "cilk", "inlet", "shared", "private", ""},
    {"struct", "union", "enum"},
    {"break", "continue", "return", "sync", "abort"},
    {"if", "while", "switch"},
    {".", "->"},
    {"0", "1", "2", "-1", "7", "63", "64", "255", "65536", "0x7fffffff", "0x80000000", "4294967296",
        "0x7fffffffffffffff", "1.5", "1e30", "'a'", "\"s\"", "n", "i"},
};


// Mutations of tokens find more in sema than those of bytes, which mostly end in the parser.
inline std::string mutate(const std::string &from, const std::vector<std::string> &corpus, std::mt19937 &random) {
  std::string s = from;
  auto at = [&](size_t n) { return n ? random() % n : 0; };
  auto inWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  auto word = [&](const std::string &t, size_t p) {
    size_t b = p, e = p;
    while (b > 0 && inWord(t[b - 1])) b--;
    while (e < t.size() && inWord(t[e])) e++;
    if (b == e && e < t.size()) e++;
    return std::pair{b, e - b};
  };
  // A word like those of the kind, from position p on.
  auto like = [&](const std::vector<const char *> &kind, size_t p) -> std::pair<size_t, size_t> {
    for (size_t q = p, end = std::min(s.size(), p + 2000); q < end;) {
      if (std::isspace(static_cast<unsigned char>(s[q]))) {
        q++;
        continue;
      }
      auto [b, n] = word(s, q);
      for (const char *k : kind)
        if (*k && !s.compare(b, n, k)) return {b, n};
      q = std::max(q + 1, b + n);
    }
    return {p, 0};
  };
  // The extent of the statement or declaration at p, roughly: between two semicolons or braces.
  auto piece = [&](const std::string &t, size_t p) {
    size_t b = p, e = p;
    while (b > 0 && !std::strchr(";{}", t[b - 1])) b--;
    while (e < t.size() && !std::strchr(";{}", t[e])) e++;
    return std::pair{b, std::min(t.size(), e + 1) - b};
  };
  for (unsigned n = 1 + at(at(3) ? 1 : 4); n--;) {
    size_t p = at(s.size());
    auto [b, length] = word(s, p);
    switch (at(14)) {
      case 0:
        if (!s.empty()) s[p] = static_cast<char>(random());
        break;
      case 1: s.insert(b, fragments[at(std::size(fragments))]); break;
      case 2: s.replace(b, length, fragments[at(std::size(fragments))]); break;
      case 3: s.erase(b, length); break;
      case 4:
      case 5: {  // one word by another of the file
        auto [c, other] = word(s, at(s.size()));
        s.replace(b, length, s.substr(c, other));
        break;
      }
      case 6: {
        const std::string &o = corpus[at(corpus.size())];
        s.insert(p, o.substr(at(o.size()), at(100)));
        break;
      }
      case 7: s.erase(p, at(30)); break;
      case 8:
      case 9:
      case 10: {
        const auto &kind = kinds[at(kinds.size())];
        auto [c, old] = like(kind, p);
        if (old) s.replace(c, old, kind[at(kind.size())]);
        break;
      }
      case 11: {  // a statement or declaration of some program, here
        const std::string &o = at(2) ? s : corpus[at(corpus.size())];
        auto [c, other] = piece(o, at(o.size()));
        std::string text = o.substr(c, other);
        s.insert(piece(s, p).first, text);
        break;
      }
      case 12: {
        auto [c, other] = piece(s, p);
        s.erase(c, other);
        break;
      }
      default: {  // an operand by an expression
        static const char *const shapes[] = {"(%)", "-(%)", "!%", "&%", "*%", "(%, %)", "(% ? % : 0)", "(%)[0]",
            "(char)%", "(struct { int a; }){%}", "({ %; })", "sizeof(%)", "(long double)(%)", "% + 1", "1 / %", "f(%)",
            "%.x", "%->x", "__builtin_constant_p(%)", "(% && %)", "(_Complex double)(%)", "(void)(%)", "(_Bool)(%)",
            "%++", "--%", "spawn %", "__real__ %", "{%}", "[%]", "% = %"};
        std::string old = s.substr(b, length), shape = shapes[at(std::size(shapes))], text;
        for (char c : shape) c == '%' ? text += old : text += c;
        s.replace(b, length, text);
      }
    }
  }
  return s;
}
