// main.cpp - cilkc1: reads one preprocessed file, runs the stages over it, writes one result.
//
// Stages: read, parse, sema, then code generation or one of the printers. Diagnostics are collected and printed at the
// end, so that the output and the messages of one file never mix. Exit status: 0, 1 errors in the program, 2 wrong
// usage, 70 the compiler's own fault.
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <llvm/Config/llvm-config.h>
#include <optional>
#include <sstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "frontend/analysis/analysis.h"
#include "frontend/analysis/limits.h"
#include "frontend/elide/elide.h"
#include "frontend/export/export.h"
#include "frontend/index/index.h"
#include "driver/cilkc1/crash.h"
#include "driver/cilkc1/options.h"
#include "frontend/parse/parse.h"
#include "frontend/sema/analyze.h"
#include "frontend/types/predefine.h"
#include "frontend/show/show.h"
#include "frontend/support/output.h"
#include "diag/main.h"

namespace cilkc {

namespace {

using Clock = std::chrono::steady_clock;

// Names and seconds of the stages, in the order in which they first ran.
class Times {
public:
  void add(const std::string &stage, double seconds) {
    for (auto &r : rows)
      if (r.first == stage) {
        r.second += seconds;
        return;
      }
    rows.emplace_back(stage, seconds);
  }
  void print(size_t tokens, size_t bytes, size_t tree, double total) const {
    double front = 0;
    for (const auto &r : rows) {
      std::fprintf(stderr, "  %-10s %9.3f ms\n", r.first.c_str(), r.second * 1e3);
      if (r.first == "lex" || r.first == "parse") front += r.second;
    }
    std::fprintf(stderr, "  %-10s %9.3f ms\n", "total", total * 1e3);
    if (tokens)
      std::fprintf(stderr, "  %zu tokens, %.0f tokens/s lexed and parsed\n", tokens,
          front > 0 ? double(tokens) / front : 0.0);
    struct rusage ru;
    getrusage(RUSAGE_SELF, &ru);
    std::fprintf(stderr, "  %.1f MB of text, %.1f MB of tree, %.1f MB resident at most\n", double(bytes) / 1e6,
        double(tree) / 1e6, double(ru.ru_maxrss) / 1e3);
  }
private:
  std::vector<std::pair<std::string, double>> rows;
};

class Timed {
public:
  Timed(Times &t, const char *stage) : times(t), stage(stage), start(Clock::now()) { progress().stage = stage; }
  ~Timed() { times.add(stage, std::chrono::duration<double>(Clock::now() - start).count()); }
private:
  Times &times;
  const char *stage;
  Clock::time_point start;
};

// Empty on success, else why not.
std::string readInput(const std::string &name, std::string &text) {
  int fd = name == "-" ? 0 : open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::strerror(errno);
  struct stat st;
  if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
    if (fd) close(fd);
    return "is a directory";
  }
  constexpr size_t most = size_t(1) << 31;
  if (S_ISREG(st.st_mode) && st.st_size > 0) text.reserve(static_cast<size_t>(st.st_size) + 1);
  std::string why;
  for (;;) {
    size_t old = text.size(), chunk = std::max<size_t>(size_t(1) << 16, text.capacity() - old);
    text.resize(old + chunk);
    ssize_t n = read(fd, text.data() + old, chunk);
    text.resize(old + (n > 0 ? static_cast<size_t>(n) : 0));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) why = std::strerror(errno);
    if (n <= 0) break;
    if (text.size() > most) {
      why = "is larger than 2 GB";
      break;
    }
  }
  if (fd) close(fd);
  return why;
}

int fail(const std::string &what) {
  std::cerr << "cilkc: error: " << what << '\n';
  return 1;
}

// Tools that measure or follow spawns and syncs: of threads they would say something wrong.
constexpr struct {
  Mode mode;
  const char *tool, *instead;
} kNoThreads[] = {
    {Mode::Count, "the serial profiler",
        "`cilkc profile` and `cilkc dag` build a program with threads otherwise, with -cilk-span=count"},
    {Mode::Memory, "the counter of memory",
        "`--stats 2` shows how many closures a worker had at most; P workers need at most P times what one needs, if the program is fully strict"},
};

// One file on its way through the stages. Nothing of the front end's is ever freed: the process ends when the file is
// done.
class Compilation {
public:
  explicit Compilation(const Options &options) : o(options) { progress().file = o.mainFile.c_str(); }

  int run() {
    if (std::string why = read(); !why.empty()) return fail((o.input == "-" ? o.mainFile : o.input) + ": " + why);
    if (o.emit == Emit::Tokens || o.emit == Emit::Tree) return showText();
    frontEnd();
    switch (o.emit) {
      case Emit::Check: return finish(0);
      case Emit::Ast: return showAst();
      case Emit::Clones: return typed ? showTheClones() : finish(1);
      case Emit::Plan: return typed ? showThePlan() : finish(1);
      case Emit::Elide:
      case Emit::Closures: return elideText();
      case Emit::Threads: return typed ? elideText() : finish(1);
      case Emit::Index: return showIndex();
      case Emit::Export: return typed ? showExport() : finish(1);
      default: return code();
    }
  }

private:
  Options o;
  const Clock::time_point start = Clock::now();
  Times times;
  SourceManager *sources = nullptr;
  DiagnosticEngine *diags = nullptr;
  AstContext *cx = nullptr;
  size_t bytes = 0, tokens = 0, tree = 0;
  TranslationUnit *unit = nullptr;
  bool typed = false;
  // of the tree, before LLVM's passes take as much again; otherwise it goes with the process
  static constexpr size_t worthFreeing = 32 << 20;
  std::string result;                   // of the stages that print
  bool made = false;                    // is there a result to write?

  bool elides() const { return o.emit == Emit::Elide || o.emit == Emit::Closures || o.emit == Emit::Threads; }

  std::string read() {
    Timed t(times, "read");
    std::string text, why = readInput(o.input, text);
    if (!why.empty()) return why;
    bytes = text.size();
    sources = new SourceManager(std::move(text), o.mainFile);
    progress().sources = sources;
    diags = new DiagnosticEngine(*sources, o.diag);
    cx = new AstContext(o.target, o.lang);
    cx->pedigrees = o.codegen.modes.contains(Mode::Pedigree);
    auto asked = o.diag.enabled.find("unknown-warning-option");
    if (asked != o.diag.enabled.end() && !asked->second) return "";
    for (const std::string &name : o.unknownWarnings) {
      std::string near = nearestWarning(name);
      diags->report(diag::unknown_warning_option, Range{})
          << name << (near.empty() ? "" : "; did you mean '-W" + near + "'?");
    }
    return "";
  }

  // Parser, sema, the analyses: what every stage from the tree on needs.
  void frontEnd() {
    progress().stage = "parse";
    ParseStatistics statistics;
    unit = parse(*sources, *cx, *diags, &statistics);
    tokens = statistics.tokens;
    times.add("lex", statistics.lexSeconds);
    times.add("parse", statistics.parseSeconds);
    if (unit && !unit->abandoned) {            // after syntax errors, too: sema leaves alone what may come of them
      Timed t(times, "sema");
      typed = analyze(*unit, *cx, *diags, o.codegen.modes.contains(Mode::Count)) && !diags->hadError();
    }
    if (typed && !diags->hadError()) {
      Timed t(times, "analysis");
      if (!elides()) checkLimits(*unit, *cx, *diags, o.codegen.plan());
      checkThreads(*unit, *diags);
      for (const auto &[mode, tool, instead] : kNoThreads)
        if (o.codegen.modes.contains(mode)) refuseThreads(*unit, *diags, tool, instead);
      if (!o.diag.noWarnings) {
        checkFunctions(*unit, *cx, *diags);
        checkProcedures(*unit, *cx, *diags);
        checkPortable(*unit, *cx, *diags);
      }
    }
    if (cx->pedigrees) o.codegen.modes.add(Mode::Pedigree);
    compilingNow = Loc{};
#ifdef CILKC_DEBUG
    constexpr bool always = true;
#else
    constexpr bool always = false;
#endif
    if (typed && (always || o.checkTree)) {
      Timed t(times, "check");
      std::string violation = checkAst(*unit, *cx);
      if (!violation.empty()) internalError(violation.c_str());
    }
  }

  // Writes the result where there is one, reports, says how it ended.
  int finish(int status) {
    progress().stage = "diagnostics";
    std::string why;
    if (made && diags->errors() == 0) why = writeFileAtOnce(o.output, result);
    if (o.timeReport) {
      std::cerr << "time report for " << o.mainFile << '\n';
      times.print(tokens, bytes, cx ? cx->bytesUsed() : tree,
          std::chrono::duration<double>(Clock::now() - start).count());
    }
    std::ostringstream messages;
    diags->render(messages);
    if (o.diag.format == DiagOptions::Json || !diags->all().empty()) std::cerr << messages.str() << std::flush;
    if (!why.empty()) return fail(shownName(o.output) + ": " + why);
    return diags->errors() ? 1 : status;
  }
  int finishWith(const std::ostringstream &s) {
    result = s.str();
    made = true;
    return finish(0);
  }
  int noProcedure() { return fail(o.mainFile + ": no cilk procedure '" + o.procedure + "' is defined here"); }

  int showText() {
    std::ostringstream s;
    {
      Timed t(times, "parse");
      if (o.emit == Emit::Tokens) dumpTokens(*sources, *cx, *diags, s);
      else dumpTree(*sources, *cx, *diags, s);
    }
    return finishWith(s);
  }
  int showAst() {
    std::ostringstream s;
    if (unit) printAst(*unit, s);
    return finishWith(s);
  }
  // Programs with errors have an index, too: editors ask for it while the program is being written.
  int showIndex() {
    std::ostringstream s;
    {
      Timed t(times, "index");
      writeIndex(unit ? *unit : TranslationUnit(), *sources, s);
    }
    std::string why = writeFileAtOnce(o.output, s.str());
    return why.empty() ? finish(0) : fail(shownName(o.output) + ": " + why);
  }
  int showExport() {
    std::ostringstream s;
    {
      Timed t(times, "export");
      exportTree(*unit, *cx, *sources, s);
    }
    return finishWith(s);
  }
  int showTheClones() {
    std::ostringstream s;
    {
      Timed t(times, "flow");
      if (!showClones(*unit, UnitPlan(*unit, *cx, o.codegen.plan()), *sources, o.procedure, s)) return noProcedure();
    }
    return finishWith(s);
  }
  int showThePlan() {
    std::ostringstream s;
    size_t shown = 0;
    {
      Timed t(times, "plan");
      UnitPlan plans(*unit, *cx, o.codegen.plan());
      for (auto *fn : unit->functions)
        if (plans.has(fn) &&
            // the library's own are not the user's concern
            (o.procedure.empty() ? fn->name.substr(0, 5) != "Cilk_" : fn->name == o.procedure)) {
          printPlan(plans.of(fn), *sources, cx->target, s);
          shown++;
        }
    }
    return !shown && !o.procedure.empty() ? noProcedure() : finishWith(s);
  }
  int elideText() {
    ElideOptions e;
    e.standalone = o.standalone;
    e.gnu = o.gnuElision;
    e.closures = o.emit == Emit::Closures;
    std::optional<UnitPlan> plans;
    if (o.emit == Emit::Threads) e.threads = &plans.emplace(*unit, *cx, o.codegen.plan());
    {
      Timed t(times, "elide");
      made = elide(*sources, unit, typed, *cx, *diags, e, result);
    }
    return finish(made ? 0 : 1);
  }

  int code() {
    if (!typed || diags->errors()) return finish(1);
    progress().stage = "codegen";
    bool good = generate(*unit, *cx, *diags, o.codegen, o.output, [&](const char *stage, double seconds) {
      times.add(stage, seconds);
      progress().stage = stage;
      if (stage == std::string_view("irgen") && cx->bytesUsed() > worthFreeing) {
        tree = cx->bytesUsed();
        delete cx;
        cx = nullptr;
      }
    });
    // a warning of this stage was made an error
    if (good && diags->errors() && o.output != "-") unlink(o.output.c_str());
    return finish(good ? 0 : 1);
  }
};

// -flto at link time: no text is read, so messages have no place.
int link(const Options &o) {
  progress().file = o.output.c_str();
  progress().stage = "codegen";
  auto &sources = *new SourceManager(std::string(), o.output);
  auto &diags = *new DiagnosticEngine(sources, o.diag);
  auto &cx = *new AstContext(o.target, o.lang);
  Times times;
  bool good = generateLinked(o.objects, cx, diags, o.codegen, o.output,
      [&](const char *stage, double seconds) { times.add(stage, seconds); });
  std::ostringstream messages;
  diags.render(messages);
  std::cerr << messages.str() << std::flush;
  return good && !diags.errors() ? 0 : 1;
}

int explain(const std::string &code) {
  if (code == "list") {
    static const char *const words[] = {"note", "remark", "warning", "error", "error"};
    for (std::string_view c : allCodes()) {
      const DiagInfo &d = *diagByCode(c);
      std::cout << c << ' ' << words[static_cast<int>(d.severity)] << ' ' << d.message << '\n';
    }
    return std::cout.flush() ? 0 : 1;
  }
  const DiagInfo *found = diagByCode(code);
  if (!found) return fail("there is no diagnostic '" + code + "'");
  const DiagInfo &d = *found;
  std::string_view text = explanation(code);
  // The message as users see it; what is filled in stands for itself.
  std::string message;
  for (const char *p = d.message; *p; ++p) {
    if (*p == '%' && p[1] >= '0' && p[1] <= '9') message += "...", ++p;
    else if (*p == '%' && p[1] == '%') message += *p++;
    else message += *p;
  }
  std::cout << code << ": " << (d.severity == Severity::Warning ? "warning: " : "error: ") << message << "\n\n";
  if (!text.empty()) std::cout << text << '\n';
  return std::cout.flush() && !text.empty() ? 0 : 1;
}

// The names in a table, a line each: for the driver's tests and other tools.
int printNames(const std::string &table, const TargetInfo &target) {
  if (table == "strategies")
    for (const StrategyInfo &s : kStrategies) std::cout << s.name << '\n';
  else if (table == "dialects")
    for (const DialectInfo &d : kDialects) {
      std::string row(d.name);
      for (std::string_view s : d.suffixes)
        if (!s.empty()) row += (row.size() == d.name.size() ? ":" : ",") + std::string(s.substr(1));
      std::cout << row << '\n';
    }
  else if (table == "targets")
    for (const TargetFacts *t : allTargets()) std::cout << t->triple << '\n';
  else if (table == "predefined")
    for (const std::string &name : predefined(*target.facts)) std::cout << name << '\n';
  else if (table == "llvm") std::cout << LLVM_VERSION_MAJOR << '\n';
  else
    for (const ModeInfo &m : kModes) std::cout << m.name << '\n';
  return std::cout.flush() ? 0 : 1;
}

int run(int argc, char **argv) {
  Options o;
  std::string wrong = parseOptions(std::vector<std::string>(argv + 1, argv + argc), o);
  if (!wrong.empty()) {
    // the command hands flags on that it does not know: its users have no other name
    std::cerr << "cilkc: error: " << wrong << '\n';
    return 2;
  }
  if (o.help) {
    std::cout << usageText;
    return 0;
  }
  if (o.version) {
    std::cout << "cilkc1, the compiler proper of cilkc\n";
    return 0;
  }
  if (!o.explain.empty()) return explain(o.explain);
  if (!o.print.empty()) return printNames(o.print, o.target);
  if (!o.diag.noWarnings && !o.link)   // a link repeats the switches of its objects
    for (const std::string &word : o.codegen.withoutEffect)
      std::cerr << "cilkc: warning: '" << word << "' is not supported and has no effect\n";
  return runGuarded([&] { return o.link ? link(o) : Compilation(o).run(); });
}

}  // namespace

}  // namespace cilkc

int main(int argc, char **argv) {
  // no process waits for the result of a driver that was killed; its own end stops the preprocessor too, by the pipe
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int status = cilkc::run(argc, argv);
  std::fflush(nullptr);
  _exit(status);                     // no destructors: the memory goes with the process
}
