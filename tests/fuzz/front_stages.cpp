// Coverage-guided fuzzing (libFuzzer) of the front end: one stage in each process, named by FUZZ_STAGE; the stages
// before it run as far as it needs them.
//
//     lex       bytes to tokens, by the grammar alone and with the short cuts: both print the same
//     parse     ... to the syntax tree, printed before and after it is built
//     sema      ... typed, checked by the tree's own checker, with all warnings; the messages are rendered
//     codegen   ... through the plan and the code generator with LLVM's verifier: strategies, serial, modes, levels
//     elide     the serial elision, of typed and untyped trees
//     show      the picture of the clones, and the plan
//     options   the native compiler's command line, a word in each line
//
// An input may be two texts with a byte 1 between them: the file that the user wrote and what the preprocessor made of
// it; otherwise the two are the same. Inputs are mutated by bytes and, two times out of three, by words and statements
// (mutate.h).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>
#include "codegen/codegen.h"
#include "driver/cilkc1/options.h"
#include "frontend/analysis/analysis.h"
#include "frontend/analysis/limits.h"
#include "frontend/elide/elide.h"
#include "frontend/parse/lex.h"
#include "frontend/parse/parse.h"
#include "frontend/sema/analyze.h"
#include "frontend/show/show.h"
#include "tests/fuzz/mutate.h"
#include "diag/codegen.h"

using namespace cilkc;

extern "C" size_t LLVMFuzzerMutate(uint8_t *, size_t, size_t);

// What only depends on the input decides how it is run, so that a saved input fails again.
static unsigned hash(const std::string &text) {
  unsigned h = 2166136261u;
  for (unsigned char c : text) h = (h ^ c) * 16777619u;
  return h ^ h >> 15;
}

[[noreturn]] static void wrong(const char *what, const std::string &why) {
  std::fprintf(stderr, "%s: %.2000s\n", what, why.c_str());
  std::abort();
}

// The user's file is where carets and the elision look for it: in a folder of this process, or in FUZZ_FOLDER if the
// caller names one.
static void writeFile(const char *name, const std::string &text) {
  static const std::string folder = [] {
    const char *given = std::getenv("FUZZ_FOLDER");
    char made[] = "/tmp/cilkc-fuzz-XXXXXX";
    if (!given) given = mkdtemp(made);
    if (!given || chdir(given)) wrong("no folder for the user's file", given ? given : made);
    return std::string(given);
  }();
  std::ofstream(name, std::ios::binary) << text;
}

// One input, up to some stage.
struct Input {
  unsigned h;
  std::string written, text;
  const char *name;
  SourceManager sources;
  DiagnosticEngine diags;
  AstContext cx;
  TranslationUnit *unit = nullptr;
  bool typed = false;

  explicit Input(const std::string &all)
      : h(hash(all)), written(all.substr(0, all.find('\1'))), text(all.substr(all.find('\1') + 1)),
        name(nameOf(written, h)), sources(text, name), diags(sources, warnings(h)), cx({}, language(h)) {}

  static const char *nameOf(const std::string &text, unsigned h) {
    if (text.find("thread ") != std::string::npos) return "fuzz.cilk1";
    return (text.find("cilk ") != std::string::npos) != (h % 16 == 3) ? "fuzz.cilk" : "fuzz.c";
  }
  static DiagOptions warnings(unsigned h) {
    DiagOptions o;
    o.all = o.extra = h & 2;
    o.pedantic = h & 4;
    return o;
  }
  static LangOptions language(unsigned h) {
    LangOptions o;
    o.pedantic = h & 4;
    if (h % 32 == 9) o.std = LangOptions::C2x;
    if (h % 64 == 11) o.std = LangOptions::C89;
    return o;
  }

  void onDisk() { writeFile(name, written); }
  void parsed() { unit = parse(sources, cx, diags); }
  bool analysed() {
    parsed();
    return typed = unit && !unit->abandoned && analyze(*unit, cx, diags) && !diags.hadError();
  }
  // What every result is made from: sema's program, within the limits of the plan.
  bool planned() {
    if (!analysed()) return false;
    checkLimits(*unit, cx, diags, codegen().plan());
    checkThreads(*unit, diags);
    return !diags.hadError();
  }
  CodegenOptions codegen() const {
    CodegenOptions o;
    o.spawn = kStrategies[h / 8 % std::size(kStrategies)].id;
    o.debugLevel = h & 16 ? 2 : 0;
    o.verify = true;
    o.serial = h % 16 == 5;
    o.optLevel = h % 64 == 7 ? 2 : 0;
    o.output = h % 16 == 1 ? OutputKind::Object : OutputKind::Ir;
    return o;
  }
};

static std::string tokens(Input &in) {
  std::ostringstream out;
  dumpTokens(in.sources, in.cx, in.diags, out);
  return out.str();
}

static void lexStage(const std::string &text) {
  Input in(text), again(text);
  parsing::Tokens quick, slow;
  tokens(in);
  DiagnosticEngine one(in.sources, {}), two(again.sources, {});
  parsing::lex(in.sources, in.cx.lang, one, quick);
  parsing::lex(again.sources, again.cx.lang, two, slow, true);
  if (quick.list.size() != slow.list.size())
    wrong("lex", "the short cuts make another number of tokens than the grammar");
  for (size_t i = 0; i < quick.list.size(); i++)
    if (quick.list[i].type != slow.list[i].type || quick.list[i].view() != slow.list[i].view())
      wrong("lex", "the short cuts and the grammar differ at '" + std::string(quick.list[i].view()) + "'");
}

static void parseStage(const std::string &text) {
  std::ostringstream tree, ast, messages;
  Input first(text);
  dumpTree(first.sources, first.cx, first.diags, tree);
  Input in(text);
  in.parsed();
  if (in.unit) printAst(*in.unit, ast);
  in.diags.render(messages);
}

static void semaStage(const std::string &text) {
  Input in(text);
  in.onDisk();
  in.analysed();
  if (in.typed) {
    std::string violation = checkAst(*in.unit, in.cx);
    if (!violation.empty()) wrong("tree", violation);
    checkThreads(*in.unit, in.diags);
    checkFunctions(*in.unit, in.cx, in.diags);
    checkProcedures(*in.unit, in.cx, in.diags);
  }
  std::ostringstream messages, tree;
  in.diags.render(messages);
  if (in.unit) printAst(*in.unit, tree);
}

static void codegenStage(const std::string &text) {
  Input in(text);
  if (!in.planned()) return;
  size_t before = in.diags.all().size();
  generate(*in.unit, in.cx, in.diags, in.codegen(), "/dev/null", [](const char *, double) {});
  for (size_t i = before; i < in.diags.all().size(); i++) {
    const Diagnostic &d = in.diags.all()[i];
    // What an asm statement says is the program's own affair.
    if (d.id == diag::backend && text.find("asm") == std::string::npos) wrong("codegen", d.message);
  }
}

static void elideStage(const std::string &text) {
  Input in(text);
  in.onDisk();
  in.analysed();
  std::string elision;
  ElideOptions o;
  o.standalone = in.h & 1;
  o.gnu = in.h & 32;
  if (in.unit) elide(in.sources, in.unit, in.typed, in.cx, in.diags, o, elision);
}

static void showStage(const std::string &text) {
  Input in(text);
  if (!in.planned()) return;
  std::ostringstream out;
  UnitPlan plans(*in.unit, in.cx, in.codegen().plan());
  showClones(*in.unit, plans, in.sources, {}, out);
  for (auto *fn : in.unit->functions)
    if (plans.has(fn)) printPlan(plans.of(fn), in.sources, in.cx.target, out);
}

static void optionsStage(const std::string &text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) words.push_back(line);
  Options o;
  parseOptions(words, o);
}

static const struct Stage {
  const char *name;
  void (*run)(const std::string &);
} stages[] = {{"lex", lexStage}, {"parse", parseStage}, {"sema", semaStage}, {"codegen", codegenStage},
    {"elide", elideStage}, {"show", showStage}, {"options", optionsStage}};
static void (*stage)(const std::string &);

// Nesting is bounded by the size of the stack, and the sanitizers' frames are large: like the compiler, this runs on
// a gigabyte.
extern "C" int LLVMFuzzerInitialize(int *, char ***argv) {
  const char *name = std::getenv("FUZZ_STAGE");
  for (const Stage &s : stages)
    if (name && !std::strcmp(s.name, name)) stage = s.run;
  if (!stage) {
    std::fprintf(stderr, "FUZZ_STAGE is one of:");
    for (const Stage &s : stages) std::fprintf(stderr, " %s", s.name);
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  rlimit r;
  constexpr rlim_t wanted = rlim_t{1} << 30;
  getrlimit(RLIMIT_STACK, &r);
  if (r.rlim_cur < wanted && r.rlim_max >= wanted) {
    r.rlim_cur = wanted;
    if (!setrlimit(RLIMIT_STACK, &r)) execv("/proc/self/exe", *argv);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stage(std::string(reinterpret_cast<const char *>(data), size));
  return 0;
}

static std::vector<std::string> others(1);  // the input that was crossed last

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  std::mt19937 random(seed);
  if (stage == optionsStage || random() % 3 == 0) return LLVMFuzzerMutate(data, size, most);
  std::string text = mutate(std::string(reinterpret_cast<const char *>(data), size), others, random);
  size = std::min(most, text.size());
  std::memcpy(data, text.data(), size);
  return size;
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t n, const uint8_t *b, size_t m, uint8_t *out,
    size_t most, unsigned seed) {
  std::mt19937 random(seed);
  others[0].assign(reinterpret_cast<const char *>(b), m);
  std::string text = mutate(std::string(reinterpret_cast<const char *>(a), n), others, random);
  size_t size = std::min(most, text.size());
  std::memcpy(out, text.data(), size);
  return size;
}
