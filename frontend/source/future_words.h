// future_words.h - where `future` and `touch` are words of Cilk. Programs that are older than these words have such
// names of their own. So `future` and `touch` are words only where no name of C is possible. In the case of doubt they
// are words only in units that declare no such name. The rules see spellings alone, so that the parser's tokens and the
// raw ones of the elision are read alike; `at(i)` is the spelling of token i, empty outside of the text.
//
//   future int f    future T f    future struct s *p        before a type.
//   touch f         touch *p      touch (f)                 before an operand, unless the unit uses the name.
#pragma once
#include <algorithm>
#include <string_view>

namespace cilkc {

inline bool nameSpelled(std::string_view s) {
  return !s.empty() && (s[0] == '_' || s[0] == '$' || ((s[0] | 32) >= 'a' && (s[0] | 32) <= 'z'));
}

inline bool typeSpelled(std::string_view s) {
  static constexpr std::string_view words[] = {"void", "char", "short", "int", "long", "float", "double", "signed",
      "unsigned", "struct", "union", "enum", "_Bool", "bool", "_Complex", "__complex__", "typeof", "__typeof__",
      "__typeof", "__int128", "__signed__", "_Float16", "_Float32", "_Float64", "_Float128", "_BitInt"};
  return std::find(std::begin(words), std::end(words), s) != std::end(words);
}

// Statements' words, after which an expression may begin.
inline bool expressionFollows(std::string_view s) {
  static constexpr std::string_view words[] = {"return", "else", "do", "case", "sizeof", "goto", "spawn"};
  return std::find(std::begin(words), std::end(words), s) != std::end(words);
}

template <class At> bool memberAt(At at, size_t i) { return i > 0 && (at(i - 1) == "." || at(i - 1) == "->"); }

// Is `touch` at i a name for certain: one that is declared, or used as no operator could be?
template <class At> bool touchIsName(At at, size_t i) {
  if (memberAt(at, i)) return false;
  std::string_view next = at(i + 1), before = i > 0 ? at(i - 1) : std::string_view();
  if (!nameSpelled(next) && next != "(" && next != "*" && next != "&") return true;
  if (next != "(") return typeSpelled(before);
  if (typeSpelled(before) || (nameSpelled(before) && !expressionFollows(before)) || at(i + 2) == ")") return true;
  return before == "*" && i > 1 && typeSpelled(at(i - 2));
}
template <class At> bool futureIsName(At at, size_t i) { return !memberAt(at, i) && !nameSpelled(at(i + 1)); }

// `named`: the unit has such a name.
template <class At> bool touchIsWord(At at, size_t i, bool named) {
  return !named && !memberAt(at, i) &&
         (nameSpelled(at(i + 1)) || at(i + 1) == "(" || at(i + 1) == "*" || at(i + 1) == "&");
}
template <class At> bool futureIsWord(At at, size_t i, bool named) {
  return !memberAt(at, i) && (typeSpelled(at(i + 1)) || (!named && nameSpelled(at(i + 1))));
}

}  // namespace cilkc
