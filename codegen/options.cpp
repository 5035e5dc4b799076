// options.cpp - the `-O`, `-g`, `-f` and `-m` switches of gcc and clang that mean something here, and those that are accepted for their sake.
#include <algorithm>
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
#include "codegen/switches.def"
};

// Without effect here, but known to other compilers.
const std::string_view known[] = {
                                          // sorted
#define F_SWITCH(name) name,
#include "codegen/switches.def"
};
const std::string_view knownTarget[] = {
                                          // sorted
#define M_SWITCH(name) name,
#include "codegen/switches.def"
};
const std::string_view families[] = {
#define F_FAMILY(name) name,
#include "codegen/switches.def"
};
const std::string_view familiesTarget[] = {
#define M_FAMILY(name) name,
#include "codegen/switches.def"
};
const std::string_view familiesDebug[] = {
#define G_FAMILY(name) name,
#include "codegen/switches.def"
};
const std::string_view features[] = {
#define M_FEATURE(name) name,
#include "codegen/switches.def"
};
template <size_t n> bool isIn(const std::string_view (&list)[n], std::string_view name) { return std::binary_search(std::begin(list), std::end(list), name); }

bool startsWith(std::string_view s, std::string_view p) { return s.substr(0, p.size()) == p; }

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
  if (startsWith(g, "dwarf")) {
    if (!o.debugLevel) o.debugLevel = 2;
    if (g.size() > 6 && g[5] == '-' && g[6] >= '2' && g[6] <= '5') o.dwarfVersion = g[6] - '0';
    return true;
  }
  if (g == "line-tables-only" || g == "mlt") {
    o.debugLevel = 1;
    return true;
  }
  for (std::string_view k : familiesDebug)
    if (startsWith(g, k)) return true;
  return false;
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
  } else if (v.find_first_not_of("0123456789") == std::string_view::npos) o.optLevel = v.size() > 1 || v[0] > '3' ? 3 : v[0] - '0';
  else return false;
  return true;
}

bool fSwitch(CodegenOptions &o, std::string_view f) {       // after -f
  bool on = true;
  if (startsWith(f, "no-")) {
    on = false;
    f.remove_prefix(3);
  }
  for (auto &b : bools)
    if (f == b.name) {
      o.*b.member = on != b.inverted;
      if (f == "fast-math") {
        o.mathErrno = !on;
        if (on) o.fpContract = FpContract::Fast;
      }
      return true;
    }
  if (!on && startsWith(f, "builtin-")) {
    o.noBuiltin.emplace_back(f.substr(8));
    return true;
  }
  // Cilk: -finline-recursion[=LEVELS], -fno-inline-recursion: how deep fast clones of a recursive group are inlined into each other (clones/inline.cpp).
  if (f == "inline-recursion") {
    o.inlineRecursion = on ? -1 : 0;
    return true;
  }
  if (startsWith(f, "inline-recursion=")) {
    std::string_view v = f.substr(17);
    if (v.empty() || v.size() > 1 || v[0] < '0' || v[0] > '9') return false;
    o.inlineRecursion = v[0] - '0';
    return true;
  }
  // Cilk: -flarge-procedures=N: from how many spawns and syncs on a procedure's code is made small, and cut into parts (frontend/plan/parts.cpp).
  if (startsWith(f, "large-procedures=")) {
    std::string_view v = f.substr(17);
    size_t n = 0;
    for (char c : v) {
      if (c < '0' || c > '9' || v.size() > 8) return false;
      n = n * 10 + static_cast<size_t>(c - '0');
    }
    if (!n) return false;
    o.largeProcedures = n;
    return true;
  }
  if (f == "lto" || startsWith(f, "lto=")) {
    o.lto = on;
    return true;
  }
  if (startsWith(f, "builtin-")) return true;
  if (f == "unsafe-math-optimizations") {
    o.associativeMath = o.reciprocalMath = o.noSignedZeros = on;
    return true;
  }
  if (f == "omit-frame-pointer") {
    o.framePointer = on ? FramePointer::None : FramePointer::All;
    return true;
  }
  if (f == "omit-leaf-frame-pointer") {
    if (o.framePointer == FramePointer::All && on) o.framePointer = FramePointer::NonLeaf;
    return true;
  }
  if (f == "stack-protector") {
    o.stackProtector = on ? StackProtector::Default : StackProtector::None;
    return true;
  }
  if (f == "stack-protector-strong") {
    o.stackProtector = on ? StackProtector::Strong : StackProtector::None;
    return true;
  }
  if (f == "stack-protector-all") {
    o.stackProtector = on ? StackProtector::All : StackProtector::None;
    return true;
  }
  if (f == "stack-protector-explicit") return true;
  if (f == "PIC" || f == "pic") {
    o.pic = on ? PicLevel::Pic : PicLevel::None;
    return true;
  }
  if (f == "PIE" || f == "pie") {
    o.pic = on ? PicLevel::Pie : PicLevel::None;
    return true;
  }
  // Hardening.
  if (f == "cf-protection" || startsWith(f, "cf-protection=")) {
    std::string_view v = !on ? "none" : f == "cf-protection" ? "full" : f.substr(14);
    if (v == "check") return true;
    o.cfBranch = v == "full" || v == "branch";
    o.cfReturn = v == "full" || v == "return";
    return o.cfBranch || o.cfReturn || v == "none";
  }
  if (f == "stack-clash-protection") {
    o.stackClash = on;
    return true;
  }
  if (startsWith(f, "trivial-auto-var-init=")) {
    std::string_view v = f.substr(22);
    o.autoInit = v == "zero" ? AutoInit::Zero : v == "pattern" ? AutoInit::Pattern : AutoInit::None;
    return v == "zero" || v == "pattern" || v == "uninitialized";
  }
  if (startsWith(f, "zero-call-used-regs=")) {
    std::string_view v = f.substr(20);
    for (std::string_view k : {"skip", "used", "used-gpr", "used-arg", "used-gpr-arg", "all", "all-gpr", "all-arg", "all-gpr-arg"})
      if (v == k) {
        o.zeroCallUsedRegs = v == "skip" ? "" : v;
        return true;
      }
    return false;
  }
  if (startsWith(f, "patchable-function-entry=")) {
    std::string v(f.substr(25));
    size_t comma = v.find(',');
    std::string before = comma == v.npos ? "0" : v.substr(comma + 1);
    v.erase(std::min(comma, v.size()));
    for (const std::string &n : {v, before})
      if (n.empty() || n.size() > 5 || n.find_first_not_of("0123456789") != n.npos) return false;
    o.patchableEntry = static_cast<unsigned>(std::stoul(v));
    o.patchableBefore = static_cast<unsigned>(std::stoul(before));
    return o.patchableBefore <= o.patchableEntry;
  }
  if (startsWith(f, "visibility=")) {
    std::string_view v = f.substr(11);
    o.visibility = v == "hidden" || v == "internal" ? Visibility::Hidden : v == "protected" ? Visibility::Protected : Visibility::Default;
    return v == "hidden" || v == "internal" || v == "protected" || v == "default";
  }
  if (startsWith(f, "tls-model=")) {
    std::string_view v = f.substr(10);
    if (v == "global-dynamic") o.tlsModel.clear();
    else if (v == "local-dynamic" || v == "initial-exec" || v == "local-exec") o.tlsModel = v;
    else return false;
    return true;
  }
  if (startsWith(f, "ffp-contract=") || startsWith(f, "fp-contract=")) {
    std::string_view v = f.substr(f.find('=') + 1);
    if (v == "off") o.fpContract = FpContract::Off;
    else if (v == "on") o.fpContract = FpContract::On;
    else if (v == "fast" || v == "fast-honor-pragmas") o.fpContract = FpContract::Fast;
    else return false;
    return true;
  }
  if (startsWith(f, "debug-prefix-map=") || startsWith(f, "file-prefix-map=")) {
    std::string map(f.substr(f.find('=') + 1));
    size_t middle = map.find('=');
    if (middle == std::string::npos) return false;
    o.prefixMap.emplace_back(map.substr(0, middle), map.substr(middle + 1));
    return true;
  }
  if (startsWith(f, "debug-compilation-dir=") || startsWith(f, "file-compilation-dir=")) {
    o.compilationDir = f.substr(f.find('=') + 1);
    return true;
  }
  if (startsWith(f, "macro-prefix-map=")) return true;        // the preprocessor's
  std::string_view base = f.substr(0, f.find('='));
  if (isIn(known, base)) return true;
  for (std::string_view k : families)
    if (startsWith(f, k)) return true;
  return false;
}

bool mSwitch(CodegenOptions &o, std::string_view m) {       // after -m
  auto value = [&](std::string_view key, std::string &out) {
    if (!startsWith(m, key)) return false;
    out = m.substr(key.size());
    return true;
  };
  if (value("arch=", o.cpu) || value("cpu=", o.cpu)) {
    size_t plus = o.cpu.find('+');
    while (plus != std::string::npos) {                     // armv8-a+crc+simd
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
  if (m == "omit-leaf-frame-pointer") return fSwitch(o, m);
  auto feature = [&](const char *name) {
    o.features.push_back(name);
    return true;
  };
  if (m == "retpoline") return feature("+retpoline-indirect-branches") && feature("+retpoline-indirect-calls");
  if (m == "no-retpoline") return feature("-retpoline-indirect-branches") && feature("-retpoline-indirect-calls");
  if (startsWith(m, "indirect-branch=")) {                   // gcc's name; the thunk is the compiler's own
    std::string_view v = m.substr(16);
    return v == "keep" ? mSwitch(o, "no-retpoline") : (v == "thunk" || v == "thunk-inline") && mSwitch(o, "retpoline");
  }
  if (startsWith(m, "function-return=")) return m.substr(16) == "keep";
  if (m == "lvi-hardening") return feature("+lvi-load-hardening") && feature("+lvi-cfi");
  if (m == "lvi-cfi") return feature("+lvi-cfi");
  if (startsWith(m, "branch-protection=")) {                 // AArch64
    std::string_view v = m.substr(18);
    o.cfBranch = v == "standard" || v == "bti" || v == "pac-ret+bti" || v == "bti+pac-ret";
    o.cfReturn = v == "standard" || v == "pac-ret" || v == "pac-ret+bti" || v == "bti+pac-ret";
    return o.cfBranch || o.cfReturn || v == "none";
  }
  for (std::string_view k : familiesTarget)
    if (startsWith(m, k)) return true;
  bool on = !startsWith(m, "no-");
  std::string_view f = on ? m : m.substr(3);
  for (std::string_view k : features)
    if (k == f) {
      std::string n(f);
      if (n == "sse4") n = on ? "sse4.2" : "sse4.1";
      o.features.push_back((on ? "+" : "-") + n);
      if (on && (n == "sse4.2" || n == "fma" || n == "f16c" || n == "vaes" || n == "vpclmulqdq" || startsWith(n, "avx")))
        for (const char *k : {"+crc32", "+popcnt"}) o.features.push_back(k);   // as gcc and clang have it
      return true;
    }
  return isIn(knownTarget, f.substr(0, f.find('=')));
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
  p.inlineLeaves = inlineLeaves;
  p.inlineRecursion = inlineRecursion;
  p.large = largeProcedures;
  p.constantParameters = constantParameters;
  p.eventsInPlace = modes.wants(ModeProperty::EventsInPlace);
  p.closureFirst = modes.wants(ModeProperty::ClosureFirst);
  p.debugger = debugLevel > 1 && optLevel == 0;
  p.autoInit = autoInit != AutoInit::None;
  return p;
}

}  // namespace cilkc
