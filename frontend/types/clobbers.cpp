// clobbers.cpp - the registers of each target by the names that gcc knows, in the target's own file. There `xmm0-31`
// means 32 names.
#include "frontend/types/clobbers.h"
#include <algorithm>
#include <charconv>
#include <string>

namespace cilkc {

// In the target's own file.
#define TARGET(name) extern const char *const clobbers_##name;
#include "frontend/types/targets.def"
#undef TARGET
#define TARGET(name) extern const char *const operandRegisters_##name;
#include "frontend/types/targets.def"
#undef TARGET
#define TARGET(name) extern const TargetFacts facts_##name;
#include "frontend/types/targets.def"
#undef TARGET

namespace {

bool among(std::string_view name, std::string_view names) {
  while (!names.empty()) {
    size_t end = std::min(names.find(' '), names.size());
    std::string_view one = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    size_t dash = one.find('-');
    if (dash == std::string_view::npos) {
      if (name == one) return true;
      continue;
    }
    size_t digits = one.find_first_of("0123456789");
    std::string_view prefix = one.substr(0, digits);
    if (!name.starts_with(prefix) || name.size() == digits || (name.size() > digits + 1 && name[digits] == '0'))
      continue;
    unsigned first = 0, last = 0, n = 0;
    std::from_chars(one.data() + digits, one.data() + dash, first);
    std::from_chars(one.data() + dash + 1, one.data() + one.size(), last);
    auto [to, error] = std::from_chars(name.data() + digits, name.data() + name.size(), n);
    if (error == std::errc() && to == name.data() + name.size() && n >= first && n <= last) return true;
  }
  return false;
}

}  // namespace

bool sameRegister(char letter, std::string_view clobber, const TargetFacts &target) {
  if (!clobber.empty() && (clobber[0] == '%' || clobber[0] == '#')) clobber.remove_prefix(1);
  std::string_view rows;
#define TARGET(n) \
  if (&target == &facts_##n) rows = operandRegisters_##n;
#include "frontend/types/targets.def"
#undef TARGET
  for (size_t at = 0, end; at < rows.size(); at = end + 1) {
    end = std::min(rows.find('\n', at), rows.size());
    if (rows[at] == letter) return among(clobber, rows.substr(at + 2, end - at - 2));
  }
  return false;
}

bool isClobber(std::string_view name, const TargetFacts &target) {
  if (!name.empty() && (name[0] == '%' || name[0] == '#')) name.remove_prefix(1);
  if (name == "memory" || name == "cc") return true;
  if (!name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos) return true;  // gcc's own number
#define TARGET(n) \
  if (&target == &facts_##n) return among(name, clobbers_##n);
#include "frontend/types/targets.def"
#undef TARGET
  return true;
}

}  // namespace cilkc
