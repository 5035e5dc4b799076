// target.cpp - the list of the targets, and what is asked about their facts.
#include "frontend/types/target.h"
#include <algorithm>
#include <cctype>
#include <string>

namespace cilkc {

#define TARGET(name) extern const TargetFacts facts_##name;
#include "frontend/types/targets.def"
#undef TARGET

const std::vector<const TargetFacts *> &allTargets() {
  static const std::vector<const TargetFacts *> all = {
#define TARGET(name) &facts_##name,
#include "frontend/types/targets.def"
#undef TARGET
  };
  return all;
}

static const TargetFacts &hostTarget() {
  for (const TargetFacts *t : allTargets())
    if (t->host) return *t;
  return *allTargets().front();
}

TargetInfo::TargetInfo() : TargetInfo(hostTarget()) {}

const TargetFacts *targetOfTriple(std::string_view triple) {
  std::string_view word = triple.substr(0, triple.find('-'));
  for (const TargetFacts *t : allTargets())
    if (!word.empty() && (word == t->name || word == t->otherName)) return t;
  return nullptr;
}

std::string_view targetNames() {
  static const std::string names = [] {
    std::string s;
    const auto &all = allTargets();
    for (size_t i = 0; i < all.size(); i++)
      s += (i == 0 ? "" : i + 1 == all.size() ? " and " : ", ") + std::string(all[i]->triple);
    return s;
  }();
  return names;
}

bool targetHasBuiltin(const TargetFacts &target, std::string_view name) {
  auto lists = [&](const TargetFacts &t) {
    return std::any_of(t.builtins.begin(), t.builtins.end(), [&](std::string_view b) { return name.starts_with(b); });
  };
  const auto &all = allTargets();
  return lists(target) || std::none_of(all.begin(), all.end(), [&](const TargetFacts *t) { return lists(*t); });
}

unsigned constraintLength(std::string_view at, const TargetFacts &target) {
  for (auto &l : target.longConstraints)
    if (at[0] == l.first) return static_cast<unsigned>(std::min<size_t>(l.length, at.size()));
  return 1;
}

AsmPlaces asmPlaces(std::string_view c, const TargetFacts &target) {
  AsmPlaces a;
  for (size_t i = 0; i < c.size(); i++) {
    char ch = c[i];
    if (ch == '#') {                                         // a comment, to the next alternative
      while (i + 1 < c.size() && c[i + 1] != ',') i++;
      continue;
    }
    if (ch == '[') {                                         // an output's name
      a.tied = a.reg = true;
      i = std::min(c.find(']', i), c.size());
      continue;
    }
    if (ch == '@') {                                         // a flag of the processor: @ccz
      a.reg = true;
      break;
    }
    if (std::isdigit(static_cast<unsigned char>(ch))) {
      a.tied = a.reg = true;
      continue;
    }
    unsigned length = constraintLength(c.substr(i), target);
    std::string_view letter = c.substr(i, length);
    i += length - 1;
    if (std::find(target.memoryConstraints.begin(), target.memoryConstraints.end(), letter) !=
        target.memoryConstraints.end()) {
      a.mem = true;
      continue;
    }
    if (length > 1 || target.registerConstraints.find(ch) != target.registerConstraints.npos) {
      a.reg = true;
      continue;
    }
    if (target.constantConstraints.find(ch) != target.constantConstraints.npos) {
      a.imm = true;
      continue;
    }
    switch (ch) {
      case '=':
      case '+':
      case '&':
      case '%':
      case ',':
      case '?':
      case '!':
      case '*':
      case '^':
      case '$':
      case ' ': break;
      case 'm':
      case 'o':
      case 'V':
      case '<':
      case '>': a.mem = true; break;
      case 'g':
      case 'X': a.reg = a.mem = a.imm = true; break;
      case 'i':
      case 'n':
      case 's':
      case 'E':
      case 'F': a.imm = true; break;
      case 'r':
      case 'p': a.reg = true; break;
      default: a.known = false; a.reg = true;
    }
  }
  return a;
}

}  // namespace cilkc
