// dialect.h - which language a file is written in, by the end of its name. The one place that decides it: a further dialect is an enumerator and its suffixes.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace cilkc {

// Each has the words of those before it.
enum class Dialect : uint8_t { C, Cilk5, Cilk1 };

inline constexpr struct {
  std::string_view suffix;
  Dialect dialect;
} kDialectSuffixes[] = {
    {".c", Dialect::C},
    {".h", Dialect::C},
    {".cilk", Dialect::Cilk5},
    {".cilkh", Dialect::Cilk5},
    {".cilkp", Dialect::Cilk5},
    {".cilki", Dialect::Cilk5},
    {".cilk1", Dialect::Cilk1},
    {".cilk1h", Dialect::Cilk1},
    {".cilk1i", Dialect::Cilk1},
};

// What `-x`, `--lang=` and `#pragma lang` call them.
inline std::optional<Dialect> dialectNamed(std::string_view name) {
  return name == "c" || name == "C"           ? std::optional(Dialect::C)
         : name == "cilk" || name == "Cilk"   ? std::optional(Dialect::Cilk5)
         : name == "cilk1" || name == "Cilk1" ? std::optional(Dialect::Cilk1)
                                              : std::nullopt;
}

// Nothing: the name does not tell, and what the call says (LangOptions::dialect) counts.
inline std::optional<Dialect> dialectOf(std::string_view fileName) {
  for (auto &s : kDialectSuffixes)
    if (fileName.ends_with(s.suffix)) return s.dialect;
  return std::nullopt;
}

constexpr bool isCilk(Dialect d) { return d != Dialect::C; }
inline bool isCilkFile(std::string_view name) { return isCilk(dialectOf(name).value_or(Dialect::C)); }

}  // namespace cilkc
