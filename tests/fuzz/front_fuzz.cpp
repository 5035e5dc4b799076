// Mutates the C and Cilk files of some folders and runs each result through parser and sema, in this process. A crash, a sanitizer's
// report or a run of many seconds is a bug; messages are not looked at.
//     front_fuzz [--runs=N] [--seed=N] [--keep=FILE] FOLDER...
// --keep writes every input to FILE before it is run, so that after a crash FILE holds the culprit.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <pthread.h>
#include <random>
#include <sstream>
#include <string>
#include <vector>
#include "frontend/parse/parse.h"
#include "frontend/sema/analyze.h"

using namespace cilkc;
namespace fs = std::filesystem;

static std::vector<std::string> corpus;
static unsigned long runs = 2000, seed = 1;
static const char *keep;
static int status;

static const char *const fragments[] = {
    "(", ")", "{", "}", "[", "]", ";", ",", "\"", "'", "/*", "*/", "\n#pragma pack(1)\n", "\n#pragma lang +C\n", "\n# 1 \"a.cilk\" 1\n",
    "...", ":", "?", "=", "typedef int ", "struct ", "union { int a; } ", "enum {", "sizeof(", "__attribute__((aligned(", "[[", "_Generic(", "asm(",
    "case ", "else ", "do ", "spawn ", "cilk ", "inlet ", "sync;", "abort;", "SYNCHED", "0x", "1.", "1e999", "u8\"", "L'", "\xff", "static ", "int ",
    "*", "&", "&&", "goto ", "__builtin_offsetof(", "__builtin_va_arg(", "_Atomic(", "typeof(", "= {", "void", "[static ", "const ", "-1", "0", "/",
    "%", "<<", "1ull<<63", "__builtin_", "_Complex ", "({", "})", "->", ".", "long ", "unsigned ", ": 3", "inline ", "extern ", "_Alignas(", "register ",
};

static void one(const std::string &text, bool cilk) {
  if (keep) std::ofstream(keep, std::ios::binary) << text;
  auto start = std::chrono::steady_clock::now();
  {
    SourceManager sources(text, cilk ? "fuzz.cilk" : "fuzz.c");
    DiagnosticEngine diags(sources, {});
    LangOptions lang;
    AstContext cx({}, lang);
    TranslationUnit *unit = parse(sources, cx, diags);
    if (!diags.hadError()) analyze(*unit, cx, diags);
  }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (seconds > 10) {
    std::fprintf(stderr, "an input took %.1f s\n", seconds);
    std::ofstream("fuzz-slow.c", std::ios::binary) << text;
    status = 1;
  }
}

// Mutations of tokens find more in sema than those of bytes, which mostly end in the parser.
static std::string mutate(const std::string &from, std::mt19937 &random) {
  std::string s = from;
  auto at = [&](size_t n) { return n ? random() % n : 0; };
  auto word = [&](size_t p) {
    size_t b = p, e = p;
    auto in = [&](size_t i) { return std::isalnum(static_cast<unsigned char>(s[i])) || s[i] == '_'; };
    while (b > 0 && in(b - 1)) b--;
    while (e < s.size() && in(e)) e++;
    if (b == e && e < s.size()) e++;
    return std::pair{b, e - b};
  };
  for (unsigned n = 1 + at(4); n--;) {
    size_t p = at(s.size());
    auto [b, length] = word(p);
    switch (at(8)) {
    case 0: if (!s.empty()) s[p] = static_cast<char>(random()); break;
    case 1: s.insert(p, fragments[at(std::size(fragments))]); break;
    case 2: s.replace(b, length, fragments[at(std::size(fragments))]); break;
    case 3: s.erase(b, length); break;
    case 4: case 5: {                                        // one word by another of the file
      auto [c, other] = word(at(s.size()));
      s.replace(b, length, s.substr(c, other));
      break;
    }
    case 6: {
      const std::string &o = corpus[at(corpus.size())];
      s.insert(p, o.substr(at(o.size()), at(100)));
      break;
    }
    default: s.erase(p, at(30)); break;
    }
  }
  return s;
}

static void *all(void *) {
  std::mt19937 random(static_cast<unsigned>(seed));
  for (unsigned long i = 0; i < runs && !corpus.empty(); i++) {
    one(mutate(corpus[random() % corpus.size()], random), random() & 1);
    if (i % 5000 == 4999) std::fprintf(stderr, "%lu inputs\n", i + 1);
  }
  return nullptr;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (!std::strncmp(argv[i], "--runs=", 7)) runs = std::strtoul(argv[i] + 7, nullptr, 10);
    else if (!std::strncmp(argv[i], "--seed=", 7)) seed = std::strtoul(argv[i] + 7, nullptr, 10);
    else if (!std::strncmp(argv[i], "--keep=", 7)) keep = argv[i] + 7;
    else {
      std::error_code error;
      for (auto it = fs::recursive_directory_iterator(argv[i], error); it != fs::recursive_directory_iterator(); it.increment(error)) {
        if (error) break;
        std::string extension = it->path().extension();
        if (extension != ".c" && extension != ".cilk") continue;
        std::ifstream in(it->path(), std::ios::binary);
        std::stringstream text;
        // Directives would each be an error; what they would have declared is missing, which is a mutation, too.
        for (std::string line; std::getline(in, line);) text << (line.rfind('#', 0) == 0 ? "" : line) << '\n';
        if (text.str().size() < 20000) corpus.push_back(text.str());
      }
    }
  }
  std::fprintf(stderr, "%zu files, %lu runs, seed %lu\n", corpus.size(), runs, seed);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t{1} << 30);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, all, nullptr)) return 2;
  pthread_join(thread, nullptr);
  return status;
}
