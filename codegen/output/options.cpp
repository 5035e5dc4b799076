// options.cpp - the `-O`, `-g`, `-f` and `-m` switches of gcc and clang that mean something here, and those that are
// accepted for their sake.
#include <algorithm>
#include <bit>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include "codegen/codegen.h"

namespace cilkc {
namespace {

struct BoolSwitch {
  std::string_view name;
  bool CodegenOptions::*member;
  bool inverted;
};
const BoolSwitch bools[] = {
#define F_BOOL(name, member) {name, &CodegenOptions::member, false},
#define F_BOOL_INVERTED(name, member) {name, &CodegenOptions::member, true},
#include "codegen/output/switches.def"
};

// What a switch without a case means; codegen/output/switches.def says it.
enum class Meaning : uint8_t { Case, Elsewhere, On, Off, MustBeOn, MustBeOff, Tuning, Foreign, Report };
struct Row {
  std::string_view name;
  Meaning meaning;
};
const Row rowsF[] = {
#define F_SWITCH(name, meaning) {name, Meaning::meaning},
#include "codegen/output/switches.def"
};
const Row familiesF[] = {
#define F_FAMILY(prefix, meaning) {prefix, Meaning::meaning},
#include "codegen/output/switches.def"
};
const Row rowsM[] = {
#define M_SWITCH(name, meaning) {name, Meaning::meaning},
#include "codegen/output/switches.def"
};
const Row rowsG[] = {
#define G_SWITCH(name, meaning) {name, Meaning::meaning},
#include "codegen/output/switches.def"
};
const std::string_view features[] = {
#define M_FEATURE(name) name,
#include "codegen/output/switches.def"
};

bool startsWith(std::string_view s, std::string_view p) { return s.substr(0, p.size()) == p; }

template <size_t n> const Row *find(const Row (&rows)[n], std::string_view name) {
  auto *row = std::find_if(std::begin(rows), std::end(rows), [&](const Row &r) { return r.name == name; });
  return row == std::end(rows) ? nullptr : row;
}

// The row of a switch: with its value, or of any value.
template <size_t n> const Row *rowOf(const Row (&rows)[n], std::string_view word) {
  size_t equals = word.find('=');
  const Row *row = find(rows, word);
  if (row || equals == word.npos) return row;
  row = find(rows, word.substr(0, equals + 1));
  return row ? row : find(rows, word.substr(0, equals));
}

// A switch that has no case: whether it is accepted.
bool withoutCase(CodegenOptions &o, const Row *row, std::string word, bool on) {
  if (!row) return false;
  switch (row->meaning) {
    case Meaning::Case: return false;  // its case does not take this form
    case Meaning::Elsewhere:
    case Meaning::Tuning:
    case Meaning::Foreign:
    case Meaning::Report: break;
    case Meaning::On:
    case Meaning::Off:
      if (on != (row->meaning == Meaning::On)) o.withoutEffect.push_back(std::move(word));
      break;
    case Meaning::MustBeOn:
    case Meaning::MustBeOff:
      if (on != (row->meaning == Meaning::MustBeOn)) o.refused = std::move(word);
      break;
  }
  return true;
}

bool debugSwitch(CodegenOptions &o, std::string_view g) {   // after -g
  if (g.empty()) {
    o.debugLevel = 2;
    return true;
  }
  if (g.size() == 1 && g[0] >= '0' && g[0] <= '3') {
    o.debugLevel = g[0] - '0';
    return true;
  }
  if (startsWith(g, "gdb")) {
    o.debugLevel = g.size() == 4 ? g[3] - '0' : 2;
    return true;
  }
  if (g == "lldb") {
    o.debugLevel = 2;
    return true;
  }
  if (startsWith(g, "dwarf")) {
    if (!o.debugLevel) o.debugLevel = 2;
    if (g.size() > 6 && g[5] == '-' && g[6] >= '2' && g[6] <= '5') o.dwarfVersion = g[6] - '0';
    return true;
  }
  if (g == "line-tables-only" || g == "mlt") {
    o.debugLevel = 1;
    return true;
  }
  std::string word = "-g" + std::string(g);
  bool on = !startsWith(g, "no-");
  return withoutCase(o, rowOf(rowsG, g.substr(on ? 0 : 3)), std::move(word), on);
}

bool optSwitch(CodegenOptions &o, std::string_view v) {     // after -O
  o.sizeLevel = 0;
  o.optDebug = false;
  if (v.empty()) o.optLevel = 1;
  else if (v == "s" || v == "z") {
    o.optLevel = 2;
    o.sizeLevel = v == "s" ? 1 : 2;
  } else if (v == "g") {
    o.optLevel = 1;
    o.optDebug = true;
  } else if (v == "fast") {
    o.optLevel = 3;
    o.fastMath = true;
    o.mathErrno = false;
  } else if (v.find_first_not_of("0123456789") == std::string_view::npos)
    o.optLevel = v.size() > 1 || v[0] > '3' ? 3 : v[0] - '0';
  else return false;
  return true;
}

// One of a few words.
bool oneOf(std::string_view v, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), v) != words.end();
}

// A number of decimal digits, nothing else.
std::optional<size_t> number(std::string_view v, size_t mostDigits) {
  if (v.empty() || v.size() > mostDigits || v.find_first_not_of("0123456789") != v.npos) return std::nullopt;
  return static_cast<size_t>(std::stoul(std::string(v)));
}

bool stackProtector(CodegenOptions &o, bool on, StackProtector kind) {
  o.stackProtector = on ? kind : StackProtector::None;
  return true;
}

bool cfProtection(CodegenOptions &o, bool on, std::string_view v) {
  if (!on) v = "none";
  else if (v.empty()) v = "full";
  if (v == "check") return true;
  o.cfBranch = v == "full" || v == "branch";
  o.cfReturn = v == "full" || v == "return";
  return o.cfBranch || o.cfReturn || v == "none";
}

bool contract(CodegenOptions &o, bool, std::string_view v) {
  if (v == "off") o.fpContract = FpContract::Off;
  else if (v == "on") o.fpContract = FpContract::On;
  else if (v == "fast" || v == "fast-honor-pragmas") o.fpContract = FpContract::Fast;
  else return false;
  return true;
}

bool prefixMap(CodegenOptions &o, bool, std::string_view v) {
  size_t middle = v.find('=');
  if (middle == v.npos) return false;
  o.prefixMap.emplace_back(v.substr(0, middle), v.substr(middle + 1));
  return true;
}

bool compilationDir(CodegenOptions &o, bool, std::string_view v) {
  o.compilationDir = v;
  return true;
}

bool patchableEntry(CodegenOptions &o, bool, std::string_view v) {   // N[,BEFORE]
  size_t comma = v.find(',');
  auto all = number(v.substr(0, comma), 5),
       before = comma == v.npos ? std::optional<size_t>(0) : number(v.substr(comma + 1), 5);
  if (!all || !before) return false;
  o.patchableEntry = static_cast<unsigned>(*all);
  o.patchableBefore = static_cast<unsigned>(*before);
  return o.patchableBefore <= o.patchableEntry;
}

// N[:MOST[:N2[:MOST2]]], as gcc has it, of which N counts: made a power of two; 0 and no number are the target's own, 1
// is none.
bool alignFunctions(CodegenOptions &o, bool on, std::string_view v) {
  auto n = v.empty() ? std::optional<size_t>(on ? 0 : 1) : number(v.substr(0, v.find(':')), 5);
  if (!n || *n > 65536 || v.find_first_not_of("0123456789:") != v.npos) return false;
  o.alignFunctions = *n ? std::bit_ceil(static_cast<unsigned>(*n)) : 0;
  return true;
}

// Files of clang's names, in the folder given.
std::string profileFile(std::string_view folder, const char *name) {
  return (folder.empty() ? "" : std::string(folder) + "/") + name;
}

bool profileGenerate(CodegenOptions &o, bool on, std::string_view v) {
  o.profileGenerate = on ? profileFile(v, "default_%m.profraw") : "";
  return true;
}

bool profileUse(CodegenOptions &o, bool on, std::string_view v) {
  std::error_code error;
  const bool named = !v.empty() && !std::filesystem::is_directory(v, error);
  o.profileUse = !on ? "" : named ? std::string(v) : profileFile(v, "default.profdata");
  return true;
}

bool profileUpdate(CodegenOptions &o, bool on, std::string_view v) {
  o.profileAtomic = v != "single";
  return on && oneOf(v, {"single", "atomic", "prefer-atomic"});
}

// The switches with more to them than a bool; value is what follows the "=". The answer is whether the switch is a
// right one.
struct Switch {
  enum Form : uint8_t { Plain, Valued, Either } form;
  std::string_view name;
  bool (*set)(CodegenOptions &, bool on, std::string_view value);
};
const Switch switches[] = {
    // Cilk: how deep fast clones of a recursive group are inlined into each other (clones/inline.cpp).
    {Switch::Plain, "inline-recursion",
        [](CodegenOptions &o, bool on, std::string_view) { return o.inlineRecursion = on ? -1 : 0, true; }},
    {Switch::Valued, "inline-recursion",
        [](CodegenOptions &o, bool, std::string_view v) {
          auto n = number(v, 1);
          if (n) o.inlineRecursion = static_cast<int>(*n);
          return n.has_value();
        }},
    // Cilk: from how many spawns and syncs on a procedure's variables all live in the closure (ClonePlan::large).
    {Switch::Valued, "large-procedures",
        [](CodegenOptions &o, bool, std::string_view v) {
          auto n = number(v, 8);
          if (n) o.largeProcedures = *n;
          return n && *n;
        }},
    // Pointers that wrap come with integers that do.
    {Switch::Plain, "wrapv-pointer",
        [](CodegenOptions &o, bool on, std::string_view) { return o.wrapv = o.wrapv || on, true; }},
    {Switch::Either, "align-functions", alignFunctions},
    {Switch::Valued, "min-function-alignment", alignFunctions},
    {Switch::Either, "lto", [](CodegenOptions &o, bool on, std::string_view) { return o.lto = on, true; }},
    {Switch::Plain, "unsafe-math-optimizations",
        [](CodegenOptions &o, bool on, std::string_view) {
          return o.associativeMath = o.reciprocalMath = o.noSignedZeros = on, true;
        }},
    {Switch::Plain, "omit-frame-pointer",
        [](CodegenOptions &o, bool on, std::string_view) {
          return o.framePointer = on ? FramePointer::None : FramePointer::All, true;
        }},
    {Switch::Plain, "omit-leaf-frame-pointer",
        [](CodegenOptions &o, bool on, std::string_view) {
          if (o.framePointer != FramePointer::None) o.framePointer = on ? FramePointer::NonLeaf : FramePointer::All;
          return true;
        }},
    // Hardening.
    {Switch::Plain, "stack-protector",
        [](CodegenOptions &o, bool on, std::string_view) { return stackProtector(o, on, StackProtector::Default); }},
    {Switch::Plain, "stack-protector-strong",
        [](CodegenOptions &o, bool on, std::string_view) { return stackProtector(o, on, StackProtector::Strong); }},
    {Switch::Plain, "stack-protector-all",
        [](CodegenOptions &o, bool on, std::string_view) { return stackProtector(o, on, StackProtector::All); }},
    {Switch::Plain, "stack-protector-explicit",
        [](CodegenOptions &o, bool on, std::string_view) { return stackProtector(o, on, StackProtector::Explicit); }},
    {Switch::Either, "cf-protection", cfProtection},
    {Switch::Plain, "stack-clash-protection",
        [](CodegenOptions &o, bool on, std::string_view) { return o.stackClash = on, true; }},
    {Switch::Valued, "trivial-auto-var-init",
        [](CodegenOptions &o, bool, std::string_view v) {
          o.autoInit = v == "zero" ? AutoInit::Zero : v == "pattern" ? AutoInit::Pattern : AutoInit::None;
          return oneOf(v, {"zero", "pattern", "uninitialized"});
        }},
    {Switch::Valued, "zero-call-used-regs",
        [](CodegenOptions &o, bool, std::string_view v) {
          o.zeroCallUsedRegs = v == "skip" ? "" : v;
          return oneOf(v,
              {"skip", "used", "used-gpr", "used-arg", "used-gpr-arg", "all", "all-gpr", "all-arg", "all-gpr-arg"});
        }},
    {Switch::Valued, "patchable-function-entry", patchableEntry},
    // Code for shared objects.
    {Switch::Plain, "PIC",
        [](CodegenOptions &o, bool on, std::string_view) { return o.pic = on ? PicLevel::Pic : PicLevel::None, true; }},
    {Switch::Plain, "pic",
        [](CodegenOptions &o, bool on, std::string_view) { return o.pic = on ? PicLevel::Pic : PicLevel::None, true; }},
    {Switch::Plain, "PIE",
        [](CodegenOptions &o, bool on, std::string_view) { return o.pic = on ? PicLevel::Pie : PicLevel::None, true; }},
    {Switch::Plain, "pie",
        [](CodegenOptions &o, bool on, std::string_view) { return o.pic = on ? PicLevel::Pie : PicLevel::None, true; }},
    {Switch::Valued, "visibility",
        [](CodegenOptions &o, bool, std::string_view v) {
          o.visibility = v == "hidden" || v == "internal" ? Visibility::Hidden
                         : v == "protected"               ? Visibility::Protected
                                                          : Visibility::Default;
          return oneOf(v, {"hidden", "internal", "protected", "default"});
        }},
    {Switch::Valued, "tls-model",
        [](CodegenOptions &o, bool, std::string_view v) {
          o.tlsModel = v == "global-dynamic" ? "" : v;
          return oneOf(v, {"global-dynamic", "local-dynamic", "initial-exec", "local-exec"});
        }},
    {Switch::Valued, "fp-contract", contract},
    {Switch::Valued, "ffp-contract", contract},
    // What the debugger learns.
    {Switch::Valued, "debug-prefix-map", prefixMap},
    {Switch::Valued, "file-prefix-map", prefixMap},
    {Switch::Valued, "debug-compilation-dir", compilationDir},
    {Switch::Valued, "file-compilation-dir", compilationDir},
    // Profiles.
    {Switch::Either, "profile-generate", profileGenerate},
    {Switch::Either, "profile-use", profileUse},
    {Switch::Either, "profile-instr-use", profileUse},
    {Switch::Valued, "profile-update", profileUpdate},
    {Switch::Plain, "profile-arcs",
        [](CodegenOptions &o, bool on, std::string_view) { return o.coverageData = on, true; }},
    {Switch::Plain, "test-coverage",
        [](CodegenOptions &o, bool on, std::string_view) { return o.coverageNotes = on, true; }},
};

bool fSwitch(CodegenOptions &o, std::string_view f) {  // after -f
  std::string word = "-f" + std::string(f);
  bool on = !startsWith(f, "no-");
  if (!on) f.remove_prefix(3);
  for (auto &b : bools)
    if (f == b.name) {
      o.*b.member = on != b.inverted;
      if (f == "fast-math") {
        o.mathErrno = !on;
        if (on) o.fpContract = FpContract::Fast;
      }
      return true;
    }
  if (startsWith(f, "builtin-")) {
    if (!on) o.noBuiltin.emplace_back(f.substr(8));
    return true;
  }
  size_t equals = f.find('=');
  std::string_view base = f.substr(0, equals), value = equals == f.npos ? std::string_view{} : f.substr(equals + 1);
  for (auto &s : switches)
    if (s.name == base && s.form != (equals == f.npos ? Switch::Valued : Switch::Plain)) return s.set(o, on, value);
  const Row *row = rowOf(rowsF, f);
  for (const Row &family : familiesF)
    if (!row && startsWith(f, family.name)) row = &family;
  return withoutCase(o, row, std::move(word), on);
}

bool mSwitch(CodegenOptions &o, std::string_view m) {  // after -m
  auto value = [&](std::string_view key, std::string &out) {
    if (!startsWith(m, key)) return false;
    out = m.substr(key.size());
    return true;
  };
  if (value("arch=", o.cpu) || value("cpu=", o.cpu)) {
    size_t plus = o.cpu.find('+');
    while (plus != std::string::npos) {  // armv8-a+crc+simd
      size_t next = o.cpu.find('+', plus + 1);
      std::string f = o.cpu.substr(plus + 1, next == std::string::npos ? next : next - plus - 1);
      o.features.push_back(f.rfind("no", 0) == 0 && f != "noop" ? "-" + f.substr(2) : "+" + f);
      if (next == std::string::npos) {
        o.cpu.erase(o.cpu.find('+'));
        break;
      }
      plus = next;
    }
    if (o.cpu.rfind("armv8", 0) == 0 || o.cpu.rfind("armv9", 0) == 0) o.cpu.clear();
    return true;
  }
  if (value("tune=", o.tuneCpu)) return true;
  if (startsWith(m, "cmodel=")) {
    o.codeModel = m.substr(7);
    return true;
  }
  if (m == "red-zone" || m == "no-red-zone") {
    o.redZone = m == "red-zone";
    return true;
  }
  if (m == "omit-leaf-frame-pointer" || m == "no-omit-leaf-frame-pointer") return fSwitch(o, m);
  auto feature = [&](const char *name) {
    o.features.push_back(name);
    return true;
  };
  if (m == "retpoline") return feature("+retpoline-indirect-branches") && feature("+retpoline-indirect-calls");
  if (m == "no-retpoline") return feature("-retpoline-indirect-branches") && feature("-retpoline-indirect-calls");
  if (startsWith(m, "indirect-branch=")) {  // gcc's name; the thunk is the compiler's own
    std::string_view v = m.substr(16);
    if (v == "keep") return mSwitch(o, "no-retpoline") && feature("-retpoline-external-thunk");
    if (!oneOf(v, {"thunk", "thunk-inline", "thunk-extern"})) return false;
    return mSwitch(o, "retpoline") &&
           feature(v == "thunk-extern" ? "+retpoline-external-thunk" : "-retpoline-external-thunk");
  }
  if (startsWith(m, "function-return=")) {
    o.returnThunk = m.substr(16) == "thunk-extern";
    return o.returnThunk || m.substr(16) == "keep";
  }
  // gcc's older names
  if (m == "abm") return feature("+lzcnt") && feature("+popcnt");
  if (m == "no-abm") return feature("-lzcnt") && feature("-popcnt");
  if (m == "80387" || m == "no-80387") return feature(m == "80387" ? "+x87" : "-x87");
  if (m == "general-regs-only") {
    for (const char *name : {"-sse", "-mmx", "-x87"}) feature(name);
    return true;
  }
  if (startsWith(m, "harden-sls=")) {
    std::string_view v = m.substr(11);
    bool returns = v == "all" || v == "return", jumps = v == "all" || v == "indirect-jmp";
    if (!returns && !jumps && v != "none") return false;
    feature(returns ? "+harden-sls-ret" : "-harden-sls-ret");
    return feature(jumps ? "+harden-sls-ijmp" : "-harden-sls-ijmp");
  }
  if (m == "lvi-hardening") return feature("+lvi-load-hardening") && feature("+lvi-cfi");
  if (m == "lvi-cfi") return feature("+lvi-cfi");
  if (startsWith(m, "branch-protection=")) {  // AArch64
    std::string_view v = m.substr(18);
    o.cfBranch = v == "standard" || v == "bti" || v == "pac-ret+bti" || v == "bti+pac-ret";
    o.cfReturn = v == "standard" || v == "pac-ret" || v == "pac-ret+bti" || v == "bti+pac-ret";
    return o.cfBranch || o.cfReturn || v == "none";
  }
  bool on = !startsWith(m, "no-");
  std::string_view f = on ? m : m.substr(3);
  for (std::string_view k : features)
    if (k == f) {
      std::string n(f);
      if (n == "sse4") n = on ? "sse4.2" : "sse4.1";
      o.features.push_back((on ? "+" : "-") + n);
      if (on &&
          (n == "sse4.2" || n == "fma" || n == "f16c" || n == "vaes" || n == "vpclmulqdq" || startsWith(n, "avx")))
        for (const char *k : {"+crc32", "+popcnt"}) o.features.push_back(k);  // as gcc and clang have it
      return true;
    }
  return withoutCase(o, rowOf(rowsM, f), "-m" + std::string(m), on);
}

}  // namespace

bool CodegenOptions::applySwitch(std::string_view s) {
  if (s.size() < 2 || s[0] != '-') return false;
  std::string_view rest = s.substr(2);
  switch (s[1]) {
    case 'O': return optSwitch(*this, rest);
    case 'g': return debugSwitch(*this, rest);
    case 'f': return fSwitch(*this, rest);
    case 'm': return mSwitch(*this, rest);
    case 'p':
      if (s == "-pg" || s == "-p") {
        profileMcount = true;
        return true;
      }
      return false;
    default: return false;
  }
}

PlanOptions CodegenOptions::plan() const {
  PlanOptions p;
  p.strategy = spawn;
  p.optLevel = optLevel;
  p.sizeLevel = sizeLevel;
  p.inlining = inlining;
  p.inlineLeaves = inlineLeaves && !covers();  // a leaf copy that gives up has counted its test
  p.inlineRecursion = covers() ? 0 : inlineRecursion;
  p.large = largeProcedures;
  p.constantParameters = constantParameters;
  p.eventsInPlace = modes.wants(ModeProperty::EventsInPlace);
  p.closureFirst = modes.wants(ModeProperty::ClosureFirst);
  p.debugger = debugLevel > 1 && optLevel == 0;
  p.arraySpace = !sanitizeAddress;
  p.redZones = sanitizeAddress;
  p.autoInit = autoInit != AutoInit::None;
  return p;
}

}  // namespace cilkc
