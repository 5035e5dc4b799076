// dialect.h - which language a file is written in, by the end of its name (dialects.def). The one place that decides
// it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cilkc {

// Each has the words of those before it.
enum class Dialect : uint8_t {
#define DIALECT(enumerator, ...) enumerator,
#include "frontend/source/dialects.def"
#undef DIALECT
};

struct DialectInfo {
  Dialect dialect;
  std::string_view name, pragma;
  std::string_view suffixes[6];  // those that are not empty
};
inline constexpr DialectInfo kDialects[] = {
#define DIALECT(enumerator, name, pragma, ...) {Dialect::enumerator, name, pragma, {__VA_ARGS__}},
#include "frontend/source/dialects.def"
#undef DIALECT
};

// What `-x`, `--lang=` and `#pragma lang` call them.
inline std::optional<Dialect> dialectNamed(std::string_view name) {
  for (auto &d : kDialects)
    if (name == d.name || name == d.pragma) return d.dialect;
  return std::nullopt;
}

// Nothing: the name does not decide, and what the call says (LangOptions::dialect) counts.
inline std::optional<Dialect> dialectOf(std::string_view fileName) {
  for (auto &d : kDialects)
    for (std::string_view s : d.suffixes)
      if (!s.empty() && fileName.ends_with(s)) return d.dialect;
  return std::nullopt;
}

constexpr bool isCilk(Dialect d) { return d != Dialect::C; }
inline bool isCilkFile(std::string_view name) { return isCilk(dialectOf(name).value_or(Dialect::C)); }

// The language without the words of d; C has none before it.
constexpr Dialect before(Dialect d) { return d == Dialect::C ? d : static_cast<Dialect>(static_cast<uint8_t>(d) - 1); }

}  // namespace cilkc
