// dialect.h - which language a file is written in, by the end of its name. The one place that decides it: a further dialect is an enumerator and its suffixes.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace cilkc {

enum class Dialect : uint8_t { C, Cilk5 };

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
};

// Nothing: the name does not tell, and what the call says (LangOptions::cilk) counts.
inline std::optional<Dialect> dialectOf(std::string_view fileName) {
  for (auto &s : kDialectSuffixes)
    if (fileName.ends_with(s.suffix)) return s.dialect;
  return std::nullopt;
}

constexpr bool isCilk(Dialect d) { return d != Dialect::C; }
inline bool isCilkFile(std::string_view name) { return isCilk(dialectOf(name).value_or(Dialect::C)); }
inline bool isCilkFile(std::string_view name, bool whereNameDoesNotTell) {
  std::optional<Dialect> d = dialectOf(name);
  return d ? isCilk(*d) : whereNameDoesNotTell;
}

}  // namespace cilkc
