// options.cpp - one pass over the words. The list of options is driver/cilkc_driver/flags.py, from which
// cilkc1_options.inc is made: an option without a case below is a warning of the compiler. -f and -m switches go to the
// code generator, after those that concern the language have been noted; unknown ones are passed over, since build
// systems try many.
#include "driver/cilkc1/options.h"
#include <cstdlib>
#include <optional>
#include <unistd.h>

namespace cilkc {

const char usageText[] =
    "usage: cilkc1 [options] INPUT        compiles one preprocessed file of C or Cilk ('-' is standard input)\n"
#define USAGE(text) text
#include "cilkc1_options.inc"
    ;

namespace {

enum class Option {
#define OPTION(id, word, shape, values) id,
#include "cilkc1_options.inc"
};

// Alone: the word itself; Next: its value is the next word; Value, Prefix: what the word begins with, the rest being
// the value.
enum class Shape { Alone, Next, Value, Prefix };

struct OptionRow {
  std::string_view word;
  Shape shape;
  Option option;
  std::string_view values;  // those that a Value may have, parted by blanks; empty: any
};
constexpr OptionRow optionRows[] = {
#define OPTION(id, word, shape, values) {word, Shape::shape, Option::id, values},
#include "cilkc1_options.inc"
};

const OptionRow *findOption(std::string_view w) {
  for (const OptionRow &r : optionRows)
    if (r.shape == Shape::Alone || r.shape == Shape::Next ? w == r.word : w.starts_with(r.word)) return &r;
  return nullptr;
}

struct Parser {
  Options &o;
  std::string error;
  std::optional<bool> signedChar = {};  // what the words say; else it is the target's

  bool fail(std::string what) {
    if (error.empty()) error = std::move(what);
    return false;
  }

  // One of the values that the table lists?
  bool listed(const OptionRow &row, std::string_view value) {
    std::string all;
    for (size_t p = 0; p < row.values.size();) {
      size_t e = std::min(row.values.find(' ', p), row.values.size());
      if (row.values.substr(p, e - p) == value) return true;
      all += (all.empty() ? "" : e == row.values.size() ? " and " : ", ") + std::string(row.values.substr(p, e - p));
      p = e + 1;
    }
    return row.values.empty() || fail("unknown value '" + std::string(value) + "' of " +
                                      std::string(row.word.substr(0, row.word.size() - 1)) + ": " + all + " exist");
  }

  // gnu17, c2x
  void standard(std::string_view s) {
    static const struct {
      std::string_view year;
      LangOptions::Std std;
    } known[] = {{"89", LangOptions::C89}, {"99", LangOptions::C99}, {"11", LangOptions::C11}, {"17", LangOptions::C17},
        {"2x", LangOptions::C2x}};
    for (const auto &k : known)
      if (s.ends_with(k.year)) o.lang.std = k.std;
    o.lang.gnu = s.starts_with("gnu");
    if (o.lang.std == LangOptions::C89) o.lang.gnuInline = true;
  }

  void emit(std::string_view s) {
    static const struct {
      std::string_view name;
      Emit emit;
    } known[] = {{"obj", Emit::Object}, {"asm", Emit::Assembly}, {"ir", Emit::Ir}, {"bc", Emit::Bitcode},
        {"ast", Emit::Ast}, {"tree", Emit::Tree}, {"tokens", Emit::Tokens}, {"clones", Emit::Clones},
        {"plan", Emit::Plan}, {"elide", Emit::Elide}, {"closures", Emit::Closures}, {"threads", Emit::Threads},
        {"index", Emit::Index}, {"export", Emit::Export}, {"check", Emit::Check}};
    for (const auto &k : known)
      if (s == k.name) o.emit = k.emit;
  }

  void target(const std::string &triple) {
    const TargetFacts *facts = targetOfTriple(triple);
    if (facts) o.target.facts = facts;
    else fail("unknown target '" + triple + "'; known are " + std::string(targetNames()));
  }

  void warning(const std::string &word) {
    std::string name = word.substr(2);
    auto known = [&](const std::string &n) {
      std::string base = n.substr(0, n.find('='));
      if (!knownWarning(base)) o.unknownWarnings.push_back(n);
      return base;
    };
    bool on = true;
    if (name.compare(0, 3, "no-") == 0) on = false, name = name.substr(3);
    if (name == "all") o.diag.all = on;
    else if (name == "extra" || name.empty()) o.diag.extra = on;
    else if (name == "everything") o.diag.all = o.diag.extra = o.diag.pedantic = on;
    else if (name == "pedantic") o.diag.pedantic = on;
    else if (name == "error") o.diag.warningsAsErrors = on;
    else if (name == "fatal-errors") o.diag.maxErrors = on ? 1 : 20;
    else if (name.compare(0, 6, "error=") == 0) {
      std::string n = known(name.substr(6));
      o.diag.asError[n] = on;
      if (on) o.diag.enabled[n] = true;
    } else if (name.compare(0, 2, "p,") == 0 || name.compare(0, 2, "a,") == 0 || name.compare(0, 2, "l,") == 0) {
      // for other tools
    } else {
      std::string level = name.find('=') == std::string::npos ? "" : name.substr(name.find('=') + 1);
      std::string base = on ? known(name) : name.substr(0, name.find('='));
      if (base == "shadow" && (level == "local" || level == "compatible-local")) base = "shadow-" + level;
      o.diag.enabled[base] = on && level != "0";
      if (base == "format" && on && level == "2")
        for (const char *more : {"format-nonliteral", "format-security", "format-y2k"}) o.diag.enabled[more] = true;
      if (base == "shift-overflow" && on && level == "2") o.diag.enabled["shift-overflow-sign"] = true;
    }
  }

  void codegenSwitch(const std::string &word) {
    if (!o.codegen.applySwitch(word)) fail("unrecognized command-line option '" + word + "'");
    else if (!o.codegen.refused.empty())
      fail("'" + o.codegen.refused +
           "' is not supported: it changes how data lie in memory or what symbols and calls look like");
  }

  void languageSwitch(const std::string &word) {
    bool on = word.compare(0, 5, "-fno-") != 0;
    std::string name = word.substr(on ? 2 : 5);
    LangOptions &l = o.lang;
    if (name == "unsigned-char" || name == "signed-char") {
      signedChar = (name == "signed-char") == on;
    } else if (name == "common") l.commonSymbols = on;
    else if (name == "gnu89-inline") l.gnuInline = on;
    else if (name == "opencilk") {
      l.openCilk = o.diag.openCilk = on;
      return;
    } else if (name == "cilkplus") {
      l.cilkPlus = on;
      return;
    } else if (name == "freestanding") l.freestanding = on;
    else if (name == "hosted") l.freestanding = !on;
    else if (name == "builtin") l.freestanding = !on;
    else if (name == "short-enums") l.shortEnums = o.target.shortEnums = on;
    else if (name == "short-wchar") l.shortWchar = on;
    else if (name == "ms-extensions") l.msExtensions = on;
    else if (name == "syntax-only" && on) o.emit = Emit::Check;
    codegenSwitch(word);
  }

  // --sanitize=LIST, --no-sanitize=LIST and, for what follows a report, -recover and -trap: a word adds or removes its
  // checks.
  void sanitize(const std::string &option, const std::string &names) {
    bool on = option.compare(0, 5, "--no-") != 0;
    bool recover = option.ends_with("-recover"), trap = option.ends_with("-trap");
    CodegenOptions &c = o.codegen;
    for (size_t p = 0; p <= names.size();) {
      size_t e = std::min(names.find(',', p), names.size());
      std::string n = names.substr(p, e - p);
      p = e + 1;
      if (!recover && !trap && n == "thread") {
        c.sanitizeThread = on;
        continue;
      }
      if (!recover && !trap && n == "address") {
        c.sanitizeAddress = on;
        continue;
      }
      std::optional<CheckSet> set = checksNamed(n);
      if (!set) {
        fail("unknown sanitizer '" + n + "'; known are thread, address, undefined and its checks");
        continue;
      }
      CheckSet &target = recover ? c.checksRecover : trap ? c.checksTrap : c.checks;
      target = on ? target | *set : target & ~*set;
    }
  }

  bool number(const std::string &option, const std::string &text, unsigned &out) {
    if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos)
      return fail("'" + option + "' needs a number");
    out = static_cast<unsigned>(std::atol(text.c_str()));
    return true;
  }

  // w unchanged, v what is its value.
  void apply(const OptionRow &row, const std::string &w, const std::string &v) {
    if (row.shape == Shape::Value && !listed(row, v)) return;
    switch (row.option) {
      case Option::output: o.output = v; break;
      case Option::emit: emit(v); break;
      case Option::lang: o.lang.dialect = *dialectNamed(v); break;
      case Option::mainFile: o.mainFile = v; break;
      case Option::standard: standard(v); break;
      case Option::pedantic: o.diag.pedantic = o.lang.pedantic = true; break;
      case Option::pedanticErrors: o.diag.pedantic = o.diag.pedanticErrors = o.lang.pedantic = true; break;
      case Option::optimize:
        if (!o.codegen.applySwitch(w)) fail("unknown optimization level '" + w + "'");
        break;
      case Option::debug:
        if (!o.codegen.applySwitch(w)) o.codegen.applySwitch("-g");
        break;
      case Option::gdbScript: o.codegen.gdbScript = v; break;
      case Option::pic:
        o.codegen.pic = v == "none" ? PicLevel::None : v == "pie" ? PicLevel::Pie : PicLevel::Pic;
        break;
      case Option::target: target(v); break;
      case Option::machine:
      case Option::profileCalls: codegenSwitch(w); break;
      case Option::spawn:
        if (auto *s = strategyNamed(v)) o.codegen.spawn = s->id;
        else fail("unknown spawn strategy '" + v + "'");
        break;
      case Option::serial: o.lang.serial = o.codegen.serial = true; break;
      case Option::loop: {
        unsigned line = 0;
        if (number("--cilk-loop", v, line)) o.codegen.loopLines.push_back(line);
        break;
      }
      case Option::anySync: o.codegen.anySync = true; break;
      case Option::mode:
        if (const ModeInfo *mode = modeNamed(v)) o.codegen.modes.add(mode->id);
        else fail("unknown option '" + w + "'");
        break;
      case Option::sanitize:
      case Option::noSanitize:
      case Option::sanitizeRecover:
      case Option::noSanitizeRecover:
      case Option::sanitizeTrap:
      case Option::noSanitizeTrap: sanitize(w.substr(0, row.word.size() - 1), v); break;
      case Option::warning: warning(w); break;
      case Option::noWarnings: o.diag.noWarnings = true; break;
      case Option::colour:
        o.diag.color = v == "always" || (v == "auto" && isatty(2) && !std::getenv("NO_COLOR"));
        break;
      case Option::format: o.diag.format = v == "json" ? DiagOptions::Json : DiagOptions::Text; break;
      case Option::maxErrors: number("--max-errors", v, o.diag.maxErrors); break;
      case Option::messageWidth: number("--message-width", v, o.diag.width); break;
      case Option::feature: languageSwitch(w); break;
      case Option::coverageFile: o.codegen.coverageFile = v; break;
      case Option::timeReport: o.timeReport = true; break;
      case Option::checkAst: o.checkTree = true; break;
      case Option::verifyClones: o.codegen.verify = true; break;
      case Option::link: o.link = true; break;
      case Option::standalone: o.standalone = true; break;
      case Option::gnu: o.gnuElision = true; break;
      case Option::procedure: o.procedure = v; break;
      case Option::explain: o.explain = v.empty() ? "list" : v; break;
      case Option::print: o.print = v; break;
      case Option::help: o.help = true; break;
      case Option::version: o.version = true; break;
    }
  }

  void run(const std::vector<std::string> &args) {
    bool onlyFiles = false;
    for (size_t i = 0; i < args.size(); ++i) {
      const std::string &w = args[i];
      if (!onlyFiles && w == "--") onlyFiles = true;
      else if (!onlyFiles && w.size() > 1 && w[0] == '-') {
        const OptionRow *row = findOption(w);
        if (!row) fail("unknown option '" + w + "'");
        else if (row->shape != Shape::Next) apply(*row, w, w.substr(row->word.size()));
        else if (i + 1 < args.size()) apply(*row, w, args[++i]);
        else fail("missing argument to '" + w + "'");
      } else if (o.link && !w.empty()) o.objects.push_back(o.input = w);
      else if (!o.input.empty()) fail("one input at a time: '" + o.input + "' and '" + w + "'");
      else if (w.empty()) fail("an empty file name");
      else o.input = w;
    }
  }
};

}  // namespace

std::string parseOptions(const std::vector<std::string> &args, Options &o) {
  if (std::getenv("CILKC_VERIFY")) o.codegen.verify = true;  // set by our own tests
  o.codegen.spawn = SpawnStrategy::Lazy;  // as cheap as a call without steals, and no slower than eager with them
  Parser p{o, {}};
  p.run(args);
  if (p.error.empty() && o.explain.empty() && o.print.empty() && !o.help && !o.version && o.input.empty())
    p.error = "no input file";
  o.target.charSigned = p.signedChar.value_or(o.target.facts->charSigned);
  o.lang.unsignedChar = !o.target.charSigned;
  o.lang.everyIteration = o.lang.serial || o.codegen.modes.wants(ModeProperty::EventsInPlace) || o.emit == Emit::Export;
  o.lang.commonSymbols = o.lang.commonSymbols || o.codegen.common;
  if (o.mainFile.empty()) o.mainFile = o.input == "-" ? "<stdin>" : o.input;
  if (o.output.empty()) o.output = "-";
  switch (o.emit) {
    case Emit::Assembly: o.codegen.output = OutputKind::Assembly; break;
    case Emit::Ir:
      o.codegen.output = OutputKind::Ir;
      o.codegen.keepNames = true;
      break;
    case Emit::Bitcode: o.codegen.output = OutputKind::Bitcode; break;
    default: break;
  }
  return p.error;
}

}  // namespace cilkc
