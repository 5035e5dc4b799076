// Mutates the C and Cilk programs of some folders and runs each result through the whole compiler, in this process:
// parser, sema, rendering of the messages, the elision; and what sema accepts through the tree's checker, the analyses,
// the picture of the clones, and the code generator with LLVM's verifier. A crash, a sanitizer's report, invalid IR or
// a run of many seconds is a bug; messages are not looked at.
//     front_fuzz [--runs=N] [--seed=N] [--minutes=N] [--out=DIR] FOLDER...
// Folders are searched for .c and .cilk files, whose directives are blanked, and for preprocessed .i files. Of the
// headers in .i files only what the program names is kept. What fails is written to DIR (by default the current one) as
// fuzz-*.i; the first crash ends the run, other failures are counted.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <pthread.h>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <sys/time.h>
#include <unistd.h>
#include <vector>
#include "codegen/codegen.h"
#include "frontend/analysis/analysis.h"
#include "frontend/analysis/limits.h"
#include "frontend/elide/elide.h"
#include "frontend/parse/parse.h"
#include "frontend/sema/analyze.h"
#include "frontend/show/show.h"
#include "tests/fuzz/mutate.h"
#include "diag/codegen.h"

#if defined __has_feature  // clang's way to say it
#if __has_feature(address_sanitizer) && !defined __SANITIZE_ADDRESS__
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__
extern "C" void __sanitizer_set_death_callback(void (*)());
#endif

using namespace cilkc;
namespace fs = std::filesystem;

static std::vector<std::string> corpus;
static unsigned long runs = 2000, seed = 1, minutes = 0;
static std::string outDir = ".";
static const char *stage = "";
static const std::string *current;
static bool verbose;  // say why sema refuses the programs that are there as they are
static unsigned long done, accepted, generated, failures;
constexpr int secondsPerInput = 30;  // of processor time, in a build with sanitizers

static void save(const char *what) {
  static std::atomic<int> count;
  std::string name = outDir + "/fuzz-" + what + std::to_string(getpid()) + "-" + std::to_string(count++) + ".i";
  if (!current) return;
  std::ofstream(name, std::ios::binary) << *current;
  std::fprintf(stderr, "%s in stage %s, after %lu inputs: %s\n", what, stage, done, name.c_str());
}
#if defined __SANITIZE_ADDRESS__
static void onDeath() { save("crash"); }
#endif
static void onSignal(int signal) {
  save(signal == SIGPROF ? "hang" : "crash");
  _exit(1);
}
static void fail(const char *what, const std::string &why) {
  failures++;
  std::fprintf(stderr, "%.2000s\n", why.c_str());
  save(what);
}

// What only depends on the input decides how it is run, so that a saved input fails again.
static unsigned hash(const std::string &text) {
  unsigned h = 2166136261u;
  for (unsigned char c : text) h = (h ^ c) * 16777619u;
  return h ^ h >> 15;
}

static void one(const std::string &text) {
  current = &text;
  itimerval limit{{0, 0}, {secondsPerInput, 0}}, off{};
  setitimer(ITIMER_PROF, &limit, nullptr);
  {
    unsigned h = hash(text);
    stage = "parse";
    bool cilk = (text.find("cilk ") != std::string::npos) != (h % 16 == 3);
    SourceManager sources(text, cilk ? "fuzz.cilk" : "fuzz.c");
    DiagOptions warnings;
    warnings.all = warnings.extra = h & 2;
    warnings.pedantic = h & 4;
    DiagnosticEngine diags(sources, warnings);
    LangOptions lang;
    AstContext cx({}, lang);
    TranslationUnit *unit = parse(sources, cx, diags);
    stage = "sema";
    bool typed = unit && !unit->abandoned && analyze(*unit, cx, diags) && !diags.hadError();
    if (!typed && verbose)
      for (const Diagnostic &d : diags.all())
        if (d.severity >= Severity::Error) {
          std::fprintf(stderr, "rejected: %s\n", d.message.c_str());
          break;
        }
    stage = "diagnostics";
    std::ostringstream messages;
    diags.render(messages);
    stage = "elide";
    std::string elision;
    if (unit && h % 8 == 0) elide(sources, unit, typed, cx, diags, {}, elision);
    CodegenOptions o;
    if (typed) {
      accepted++;
      stage = "check";
      std::string violation = checkAst(*unit, cx);
      if (!violation.empty()) fail("tree", violation);
      o.spawn = kStrategies[h / 8 % std::size(kStrategies)].id;
      o.debugLevel = h & 16 ? 2 : 0;
      stage = "analysis";
      checkLimits(*unit, cx, diags, o.plan());
      checkThreads(*unit, diags);
      typed = !diags.hadError();
    }
    if (typed) {
      checkFunctions(*unit, cx, diags);
      checkProcedures(*unit, cx, diags);
      stage = "the plan";
      stage = "clones";
      std::ostringstream clones;
      showClones(*unit, UnitPlan(*unit, cx, o.plan()), sources, {}, clones);
      stage = "codegen";
      o.verify = true;
      o.serial = h % 16 == 5;
      o.optLevel = h % 32 == 7 ? 2 : 0;
      o.output = h % 4 == 1 ? OutputKind::Object : OutputKind::Ir;
      size_t before = diags.all().size();
      generate(*unit, cx, diags, o, "/dev/null", [](const char *, double) {});
      generated++;
      for (size_t i = before; i < diags.all().size(); i++) {
        const Diagnostic &d = diags.all()[i];
        // What an asm statement says is the program's own affair.
        if (d.id == diag::backend && d.message.find("asm") == std::string::npos &&
            text.find("asm") == std::string::npos)
          fail("codegen", d.message);
      }
    }
  }
  setitimer(ITIMER_PROF, &off, nullptr);
}

// The program itself out of a preprocessed text, with those declarations of its headers that it names.
static std::string trimmed(std::istream &in) {
  struct Piece {
    std::string text;
    bool header;
    bool keep;
  };
  std::vector<Piece> pieces;
  bool header = false;
  std::string line, text, main;
  int depth = 0;
  // Probably at the end of an external declaration.
  auto ended = [&] {
    if (depth || text.empty()) return depth == 0;
    size_t last = text.find_last_not_of(" \n");
    return last == std::string::npos || text[last] == ';' ||
           (text[last] == '}' && text.find("typedef") == std::string::npos);
  };
  while (std::getline(in, line)) {
    if (line.rfind("# ", 0) == 0) {
      size_t quote = line.find('"'), end = line.rfind('"');
      if (quote == std::string::npos || end <= quote) continue;
      std::string file = line.substr(quote + 1, end - quote - 1);
      if (main.empty() && file[0] != '<') main = file;
      if (!ended()) continue;
      if (!text.empty()) pieces.push_back({std::move(text), header, !header}), text.clear();
      header = file != main;
      continue;
    }
    if (line.empty() || line[0] == '#') continue;
    text += line + '\n';
    for (char c : line) depth += std::strchr("({[", c) && c ? 1 : std::strchr(")}]", c) && c ? -1 : 0;
    if (header && ended()) pieces.push_back({std::move(text), true, false}), text.clear();
  }
  if (!text.empty()) pieces.push_back({std::move(text), header, !header});
  std::set<std::string> needed;
  auto words = [](const std::string &t, auto f) {
    for (size_t i = 0; i < t.size();) {
      size_t j = i;
      while (j < t.size() && (std::isalnum(static_cast<unsigned char>(t[j])) || t[j] == '_')) j++;
      if (j > i && !std::isdigit(static_cast<unsigned char>(t[i]))) f(t.substr(i, j - i));
      i = std::max(i + 1, j);
    }
  };
  for (Piece &p : pieces)
    if (!p.header) words(p.text, [&](std::string w) { needed.insert(w); });
  // A declaration's own name is its last word, or the last before a parenthesis.
  for (size_t i = pieces.size(); i-- > 0;) {
    Piece &p = pieces[i];
    if (!p.header) continue;
    bool wanted = false;
    std::string last, beforeParen;
    bool isStruct = p.text.rfind("struct", 0) == 0 || p.text.rfind("typedef struct", 0) == 0 ||
                    p.text.rfind("enum", 0) == 0 || p.text.rfind("typedef enum", 0) == 0 ||
                    p.text.rfind("union", 0) == 0;
    size_t paren = p.text.find(" (");
    words(p.text.substr(0, paren == std::string::npos ? p.text.size() : paren),
        [&](std::string w) { beforeParen = w; });
    words(p.text, [&](std::string w) {
      last = w;
      wanted = wanted || (isStruct && needed.count(w));
    });
    if (wanted || needed.count(last) || needed.count(beforeParen)) {
      p.keep = true;
      words(p.text, [&](std::string w) { needed.insert(w); });
    }
  }
  std::string result;
  for (Piece &p : pieces)
    if (p.keep) result += p.text;
  return result;
}

static void *all(void *) {
  std::mt19937 random(static_cast<unsigned>(seed));
  auto start = std::chrono::steady_clock::now();
  auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  for (const std::string &text : corpus) one(text);  // as they are
  unsigned long plain = done = accepted;
  std::fprintf(stderr, "%lu of %zu programs are accepted as they are\n", plain, corpus.size());
  done = accepted = generated = 0;
  while (done < runs && !corpus.empty() && (!minutes || elapsed() < double(minutes) * 60)) {
    one(mutate(corpus[random() % corpus.size()], corpus, random));
    if (++done % 5000 == 0)
      std::fprintf(stderr, "%lu inputs, %lu accepted, %lu failures, %.0f s\n", done, accepted, failures, elapsed());
  }
  std::fprintf(stderr,
      "seed %lu: %lu inputs in %.0f s: %lu accepted by sema, %lu through the code generator, %lu failures\n", seed,
      done, elapsed(), accepted, generated, failures);
  return nullptr;
}

static void take(const fs::path &path) {
  std::string extension = path.extension();
  if (extension != ".c" && extension != ".cilk" && extension != ".i") return;
  std::ifstream in(path, std::ios::binary);
  std::string text;
  if (extension == ".i") {
    text = trimmed(in);
  } else {
    // Directives would each be an error; what they would have declared is missing, which is a mutation, too.
    for (std::string line; std::getline(in, line);) text += (line.rfind('#', 0) == 0 ? "" : line) + '\n';
  }
  if (text.size() < 20000) corpus.push_back(std::move(text));
}

int main(int argc, char **argv) {
  bool again = false;
  for (int i = 1; i < argc; i++) {
    if (!std::strncmp(argv[i], "--runs=", 7)) runs = std::strtoul(argv[i] + 7, nullptr, 10);
    else if (!std::strncmp(argv[i], "--seed=", 7)) seed = std::strtoul(argv[i] + 7, nullptr, 10);
    else if (!std::strncmp(argv[i], "--minutes=", 10)) minutes = std::strtoul(argv[i] + 10, nullptr, 10);
    else if (!std::strncmp(argv[i], "--out=", 6)) outDir = argv[i] + 6;
    else if (!std::strcmp(argv[i], "--verbose")) verbose = true;
    else if (!std::strcmp(argv[i], "--again")) again = true;  // FOLDER is a saved input: run it as it is
    else if (again) {
      std::ifstream in(argv[i], std::ios::binary);
      std::stringstream text;
      text << in.rdbuf();
      corpus.push_back(text.str());
      runs = 0;
    } else if (fs::is_directory(argv[i])) {
      std::vector<fs::path> paths;
      std::error_code error;
      for (auto it = fs::recursive_directory_iterator(argv[i], error); it != fs::recursive_directory_iterator();
          it.increment(error)) {
        if (error) break;
        if (it->is_regular_file()) paths.push_back(it->path());
      }
      std::sort(paths.begin(), paths.end());
      for (const fs::path &path : paths) take(path);
    } else {
      std::fprintf(stderr, "front_fuzz: %s is no folder\n", argv[i]);
      return 2;
    }
  }
  std::fprintf(stderr, "%zu programs, %lu runs, seed %lu\n", corpus.size(), runs, seed);
#if defined __SANITIZE_ADDRESS__
  __sanitizer_set_death_callback(onDeath);
#else
  for (int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(s, onSignal);
#endif
  std::signal(SIGPROF, onSignal);
  std::signal(SIGABRT, onSignal);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t{1} << 30);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, all, nullptr)) return 2;
  pthread_join(thread, nullptr);
  std::fflush(nullptr);
  _exit(failures ? 1 : 0);
}
