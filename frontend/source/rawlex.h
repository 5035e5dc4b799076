// rawlex.h - preprocessing tokens of C text as the user wrote it (C17 6.4): comments and blanks are skipped,
// backslash-newline is seen through, directives are tokens like any others. Knows no keywords. Used to align columns
// and by the elision, which edits raw text. Never fails: an unterminated literal ends at its line, an unterminated
// comment at the end of the text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace cilkc {

enum class RawKind : uint8_t { End, Identifier, Number, String, Char, Punct, Other };

struct RawToken {
  RawKind kind = RawKind::End;
  bool lineStart = false;      // first token of its logical line
  bool spaceBefore = false;
  bool spliced = false;        // it contains a backslash-newline
  uint32_t begin = 0, end = 0; // bytes of the text
};

class RawLexer {
public:
  RawLexer(std::string_view text, size_t from = 0, size_t to = std::string_view::npos)
      : text(text), pos(from), stop(to < text.size() ? to : text.size()) {}
  RawToken next();
  // The spelling with backslash-newlines taken out.
  std::string spelling(const RawToken &) const;
  std::string_view raw(const RawToken &t) const { return text.substr(t.begin, t.end - t.begin); }
  size_t position() const { return pos; }

private:
  // The character at p with splices skipped: `p` moves onto it. 0 at the end.
  char peek(size_t &p) const {
    while (p + 1 < stop && text[p] == '\\') {
      size_t q = p + 1;
      if (text[q] == '\r' && q + 1 < stop) ++q;
      if (text[q] != '\n') break;
      p = q + 1;
    }
    return p < stop ? text[p] : '\0';
  }
  // Extends the token for as long as accept(character).
  template <class F> void takeWhile(F accept) {
    for (;;) {
      size_t p = pos;
      char c = peek(p);
      if (p >= stop || !accept(c)) return;
      pos = p + 1;
    }
  }
  bool toToken(RawToken &);
  bool universalName(size_t p) const;  // does one begin here?
  void identifier(RawToken &);
  void number(RawToken &);
  void punctuator(RawToken &);
  void quoted(char quote, RawToken &t);
  std::string_view text;
  size_t pos, stop;
  bool atLineStart = true;
};

}  // namespace cilkc
