// options.cpp - one pass over the words. -f and -m switches go to the code generator, after those that concern the language
// have been noted; unknown ones are passed over, since build systems try many.
#include "driver/cilkc1/options.h"
#include <cstdlib>
#include <optional>
#include <unistd.h>

namespace cilkc {

const char usageText[] = R"(usage: cilkc1 [options] INPUT        compiles one preprocessed file of C or Cilk ('-' is standard input)
  -o OUT                       where the result goes ('-' is standard output)
  --emit=obj|asm|ir|bc|ast|tree|tokens|clones|elide|check
  --lang=cilk|c                the language of text whose file name does not tell    --main-file=NAME
  --std=c89|gnu89|c99|gnu99|c11|gnu11|c17|gnu17|c2x|gnu2x   -pedantic   -pedantic-errors
  -O0 -O1 -O2 -O3 -Os -Oz -Og   -g -g0..3   --pic=none|pie|pic   --target=TRIPLE   -march= -mtune= -mcpu= -m<feature>
  --spawn=lazy|eager (lazy)   --serial   --[no-]sanitize[-recover|-trap]=thread|address|undefined|CHECK,...   --cilk-profile   --cilk-span   --cilk-debug
  -W<name> -Wno-<name> -Wall -Wextra -Werror[=name] -w   --color=auto|always|never   --diagnostics-format=text|json
  --max-errors=N   --message-width=N   -f<name> -fno-<name>   --time-report   --check-ast
  --link OBJECT...             links the bitcode of objects made with -flto, optimises all together and makes one object
  --standalone --gnu           with --emit=elide: needs no header of ours; keeps inlets as GNU nested functions
  --procedure=NAME             with --emit=clones: of this procedure only
  --explain=CODE|list          what a diagnostic means
)";

namespace {

std::string strategyNames() {                        // "eager and lazy"
  std::string all;
  for (auto &s : kStrategies) all += (all.empty() ? "" : &s == &kStrategies[std::size(kStrategies) - 1] ? " and " : ", ") + std::string(s.name);
  return all;
}

struct Parser {
  Options &o;
  std::string error;
  std::optional<bool> signedChar = {};      // what the words say; else it is the target's

  bool fail(std::string what) {
    if (error.empty()) error = std::move(what);
    return false;
  }

  bool value(const std::string &word, const char *option, std::string &out) {
    std::string prefix = std::string(option) + "=";
    if (word.compare(0, prefix.size(), prefix) != 0) return false;
    out = word.substr(prefix.size());
    return true;
  }

  bool standard(const std::string &s) {
    static const struct { const char *name; LangOptions::Std std; bool gnu; } known[] = {
        {"c89", LangOptions::C89, false}, {"c90", LangOptions::C89, false}, {"ansi", LangOptions::C89, false}, {"gnu89", LangOptions::C89, true},
        {"gnu90", LangOptions::C89, true}, {"c99", LangOptions::C99, false}, {"gnu99", LangOptions::C99, true}, {"c11", LangOptions::C11, false},
        {"gnu11", LangOptions::C11, true}, {"c17", LangOptions::C17, false}, {"c18", LangOptions::C17, false}, {"gnu17", LangOptions::C17, true},
        {"gnu18", LangOptions::C17, true}, {"c2x", LangOptions::C2x, false}, {"c23", LangOptions::C2x, false}, {"gnu2x", LangOptions::C2x, true},
        {"gnu23", LangOptions::C2x, true}};
    for (const auto &k : known)
      if (s == k.name) {
        o.lang.std = k.std;
        o.lang.gnu = k.gnu;
        if (k.std == LangOptions::C89) o.lang.gnuInline = true;
        return true;
      }
    return fail("unknown language standard '" + s + "'");
  }

  bool emit(const std::string &s) {
    static const struct { const char *name; Emit emit; } known[] = {
        {"obj", Emit::Object}, {"asm", Emit::Assembly}, {"ir", Emit::Ir}, {"bc", Emit::Bitcode}, {"ast", Emit::Ast},
        {"tree", Emit::Tree}, {"tokens", Emit::Tokens}, {"clones", Emit::Clones}, {"elide", Emit::Elide}, {"check", Emit::Check}};
    for (const auto &k : known)
      if (s == k.name) {
        o.emit = k.emit;
        return true;
      }
    return fail("unknown stage '" + s + "' in --emit: obj, asm, ir, bc, ast, tree, tokens, clones, elide and check exist");
  }

  void target(const std::string &triple) {
    const TargetFacts *facts = targetOfTriple(triple);
    if (facts) o.target.facts = facts;
    else fail("unknown target '" + triple + "': " + std::string(targetNames()) + " exist");
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
      std::string n = on ? known(name.substr(6)) : name.substr(6, name.find('=', 6) - 6);
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
  }

  void languageSwitch(const std::string &word) {
    bool on = word.compare(0, 5, "-fno-") != 0;
    std::string name = word.substr(on ? 2 : 5);
    LangOptions &l = o.lang;
    if (name == "unsigned-char" || name == "signed-char") {
      signedChar = (name == "signed-char") == on;
    } else if (name == "common") l.commonSymbols = on;
    else if (name == "gnu89-inline") l.gnuInline = on;
    else if (name == "wrapv" || name == "wrapv-pointer") l.wrapv = on;
    else if (name == "strict-overflow") l.wrapv = !on;
    else if (name == "trapv") l.trapv = on;
    else if (name == "freestanding") l.freestanding = on;
    else if (name == "hosted") l.freestanding = !on;
    else if (name == "builtin") l.freestanding = !on;
    else if (name == "short-enums") l.shortEnums = o.target.shortEnums = on;
    else if (name == "short-wchar") l.shortWchar = on;
    else if (name == "ms-extensions" || name == "plan9-extensions") l.msExtensions = on;
    else if (name == "syntax-only" && on) o.emit = Emit::Check;
    codegenSwitch(word);
  }

  // --sanitize=LIST, --no-sanitize=LIST and, for what follows a report, -recover and -trap: a word adds or removes its checks.
  void sanitize(const std::string &option, const std::string &names) {
    bool on = option.compare(0, 5, "--no-") != 0;
    bool recover = option.ends_with("-recover"), trap = option.ends_with("-trap");
    CodegenOptions &c = o.codegen;
    for (size_t p = 0; p <= names.size();) {
      size_t e = std::min(names.find(',', p), names.size());
      std::string n = names.substr(p, e - p);
      p = e + 1;
      if (!recover && !trap && n == "thread") { c.sanitizeThread = on; continue; }
      if (!recover && !trap && n == "address") { c.sanitizeAddress = on; continue; }
      std::optional<CheckSet> set = checksNamed(n);
      if (!set) { fail("unknown sanitizer '" + n + "': thread, address, undefined and the checks of undefined exist"); continue; }
      CheckSet &target = recover ? c.checksRecover : trap ? c.checksTrap : c.checks;
      target = on ? target | *set : target & ~*set;
    }
  }

  bool number(const std::string &option, const std::string &text, unsigned &out) {
    if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos) return fail("'" + option + "' needs a number");
    out = static_cast<unsigned>(std::atol(text.c_str()));
    return true;
  }

  void word(const std::string &w) {
    std::string v;
    if (value(w, "--emit", v)) emit(v);
    else if (value(w, "--lang", v)) {
      if (v != "cilk" && v != "c") fail("unknown language '" + v + "' in --lang: cilk and c exist");
      o.lang.cilk = v == "cilk";
    } else if (value(w, "--main-file", v)) o.mainFile = v;
    else if (value(w, "--std", v) || value(w, "-std", v)) standard(v);
    else if (w == "-ansi") standard("c89");
    else if (w == "-pedantic" || w == "--pedantic") o.diag.pedantic = o.lang.pedantic = true;
    else if (w == "-pedantic-errors" || w == "--pedantic-errors") o.diag.pedantic = o.diag.pedanticErrors = o.lang.pedantic = true;
    else if (w.compare(0, 2, "-O") == 0) {
      if (!o.codegen.applySwitch(w)) fail("unknown optimization level '" + w + "'");
    } else if (value(w, "--pic", v)) {
      if (v == "none") o.codegen.pic = PicLevel::None;
      else if (v == "pie") o.codegen.pic = PicLevel::Pie;
      else if (v == "pic") o.codegen.pic = PicLevel::Pic;
      else fail("unknown --pic level '" + v + "': none, pie and pic exist");
    } else if (value(w, "--target", v)) target(v);
    else if (value(w, "--spawn", v)) {
      if (auto *s = strategyNamed(v)) o.codegen.spawn = s->id;
      else fail("unknown spawn strategy '" + v + "': " + strategyNames() + " exist");
    } else if (w == "--serial") o.lang.serial = o.codegen.serial = true;
    else if (value(w, "--sanitize", v)) sanitize("--sanitize", v);
    else if (value(w, "--no-sanitize", v)) sanitize("--no-sanitize", v);
    else if (value(w, "--sanitize-recover", v)) sanitize("--sanitize-recover", v);
    else if (value(w, "--no-sanitize-recover", v)) sanitize("--no-sanitize-recover", v);
    else if (value(w, "--sanitize-trap", v)) sanitize("--sanitize-trap", v);
    else if (value(w, "--no-sanitize-trap", v)) sanitize("--no-sanitize-trap", v);
    else if (const ModeInfo *mode = w.compare(0, 7, "--cilk-") ? nullptr : modeNamed(w.substr(7))) o.codegen.modes.add(mode->id);
    else if (w == "-w") o.diag.noWarnings = true;
    else if (value(w, "--color", v) || value(w, "--colour", v)) {
      if (v == "always") o.diag.color = true;
      else if (v == "never") o.diag.color = false;
      else if (v == "auto") o.diag.color = isatty(2) && !std::getenv("NO_COLOR");
      else fail("unknown value '" + v + "' of --color: auto, always and never exist");
    } else if (value(w, "--diagnostics-format", v)) {
      if (v == "json") o.diag.format = DiagOptions::Json;
      else if (v == "text") o.diag.format = DiagOptions::Text;
      else fail("unknown diagnostics format '" + v + "': text and json exist");
    } else if (value(w, "--max-errors", v)) number("--max-errors", v, o.diag.maxErrors);
    else if (value(w, "--message-width", v)) number("--message-width", v, o.diag.width);
    else if (w == "--time-report") o.timeReport = true;
    else if (w == "--check-ast") o.checkTree = true;
    else if (w == "--standalone") o.standalone = true;
    else if (value(w, "--procedure", v)) o.procedure = v;
    else if (w == "--gnu") o.gnuElision = true;
    else if (value(w, "--explain", v)) o.explain = v.empty() ? "list" : v;
    else if (w == "--help") o.help = true;
    else if (w == "--version") o.version = true;
    else if (w == "--link") o.link = true;
    else if (w.compare(0, 2, "-W") == 0) warning(w);
    else if (w.compare(0, 2, "-f") == 0) languageSwitch(w);
    else if (w.compare(0, 2, "-m") == 0 || w == "-pg") codegenSwitch(w);
    else if (w.compare(0, 2, "-g") == 0) {
      if (!o.codegen.applySwitch(w)) o.codegen.applySwitch("-g");
    } else fail("unknown option '" + w + "'");
  }

  void run(const std::vector<std::string> &args) {
    bool onlyFiles = false;
    for (size_t i = 0; i < args.size(); ++i) {
      const std::string &w = args[i];
      if (!onlyFiles && w == "--") onlyFiles = true;
      else if (!onlyFiles && w == "-o") {
        if (i + 1 == args.size()) { fail("missing argument to '-o'"); return; }
        o.output = args[++i];
      } else if (!onlyFiles && w.size() > 1 && w[0] == '-') word(w);
      else if (o.link && !w.empty()) o.objects.push_back(o.input = w);
      else if (!o.input.empty()) fail("one input at a time: '" + o.input + "' and '" + w + "'");
      else if (w.empty()) fail("an empty file name");
      else o.input = w;
    }
  }
};

}  // namespace

std::string parseOptions(const std::vector<std::string> &args, Options &o) {
  o.codegen.spawn = SpawnStrategy::Lazy;   // as cheap as a call where nobody steals, and no slower than eager where somebody does
  Parser p{o, {}};
  p.run(args);
  if (p.error.empty() && o.explain.empty() && !o.help && !o.version && o.input.empty()) p.error = "no input file";
  o.target.charSigned = p.signedChar.value_or(o.target.facts->charSigned);
  o.lang.unsignedChar = !o.target.charSigned;
  o.lang.commonSymbols = o.lang.commonSymbols || o.codegen.common;
  if (o.mainFile.empty()) o.mainFile = o.input == "-" ? "<stdin>" : o.input;
  if (o.output.empty()) o.output = "-";
  switch (o.emit) {
    case Emit::Assembly: o.codegen.output = OutputKind::Assembly; break;
    case Emit::Ir: o.codegen.output = OutputKind::Ir; o.codegen.keepNames = true; break;
    case Emit::Bitcode: o.codegen.output = OutputKind::Bitcode; break;
    default: break;
  }
  return p.error;
}

}  // namespace cilkc
