// rawlex.cpp - the raw lexer: one character of look-ahead past splices, maximal munch for punctuators.
#include "frontend/source/rawlex.h"
#include <algorithm>

namespace cilkc {

namespace {
bool nameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (c & 0x80);
}
bool digit(char c) { return c >= '0' && c <= '9'; }
bool nameChar(char c) { return nameStart(c) || digit(c); }

// Longest first among those that begin alike.
constexpr std::string_view punctuators[] = {"...", "<<=", ">>=", "%:%:", "->", "++", "--", "<<", ">>",
    "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>",
    "%:"};
}  // namespace

std::string RawLexer::spelling(const RawToken &t) const {
  std::string_view r = raw(t);
  if (!t.spliced) return std::string(r);
  std::string s;
  for (size_t i = 0; i < r.size(); ++i) {
    if (r[i] == '\\' && i + 1 < r.size() &&
        (r[i + 1] == '\n' || (r[i + 1] == '\r' && i + 2 < r.size() && r[i + 2] == '\n'))) {
      i += r[i + 1] == '\n' ? 1 : 2;
      continue;
    }
    s += r[i];
  }
  return s;
}

// pos is after the opening quote.
void RawLexer::quoted(char quote, RawToken &t) {
  for (;;) {
    size_t p = pos;
    char c = peek(p);
    if (p >= stop || c == '\n') {
      t.kind = RawKind::Other;
      pos = p;
      return;
    }
    pos = p + 1;
    if (c == quote) return;
    if (c == '\\') {
      size_t q = pos;
      char d = peek(q);
      if (q < stop && d != '\n') pos = q + 1;
    }
  }
}

// Skips blanks and comments; false: the text ends here.
bool RawLexer::toToken(RawToken &t) {
  for (;;) {
    size_t p = pos;
    char c = peek(p);
    if (p >= stop) {
      pos = stop;
      return false;
    }
    if (c == '\n') {
      atLineStart = true;
      t.spaceBefore = true;
      pos = p + 1;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      t.spaceBefore = true;
      pos = p + 1;
      continue;
    }
    if (c == '/') {
      size_t q = p + 1;
      char d = peek(q);
      if (d == '/' && q < stop) {
        pos = q + 1;
        takeWhile([](char e) { return e != '\n'; });
        t.spaceBefore = true;
        continue;
      }
      if (d == '*' && q < stop) {
        size_t e = text.substr(0, stop).find("*/", q + 1);
        pos = e == std::string_view::npos ? stop : e + 2;
        t.spaceBefore = true;
        continue;
      }
    }
    pos = p;
    return true;
  }
}

bool RawLexer::universalName(size_t p) const {
  return text[p] == '\\' && p + 1 < stop && (text[p + 1] == 'u' || text[p + 1] == 'U');
}

// A name, or the prefix of a literal.
void RawLexer::identifier(RawToken &t) {
  t.kind = RawKind::Identifier;
  pos += text[pos] == '\\' ? 2 : 1;
  for (;;) {
    takeWhile(nameChar);
    size_t p = pos;
    peek(p);
    if (p >= stop || !universalName(p)) break;
    pos = p + 2;
  }
  size_t p = pos;
  char q = peek(p);
  if ((q != '"' && q != '\'') || p >= stop) return;
  t.end = static_cast<uint32_t>(pos);
  t.spliced = raw(t).find('\n') != std::string_view::npos;
  std::string prefix = pos - t.begin <= 8 || t.spliced ? spelling(t) : std::string();
  if (prefix == "L" || prefix == "u8" || prefix == "u" || prefix == "U") {
    t.kind = q == '"' ? RawKind::String : RawKind::Char;
    pos = p + 1;
    quoted(q, t);
  }
}

void RawLexer::number(RawToken &t) {
  t.kind = RawKind::Number;
  char last = text[pos++];
  takeWhile([&](char d) {
    bool sign = (d == '+' || d == '-') && (last == 'e' || last == 'E' || last == 'p' || last == 'P');
    last = d;
    return sign || d == '.' || nameChar(d);
  });
}

void RawLexer::punctuator(RawToken &t) {
  char c = text[pos];
  t.kind =
      std::string_view("()[]{};,:?.+-*/%&|^~!<>=#").find(c) != std::string_view::npos ? RawKind::Punct : RawKind::Other;
  size_t best = pos + 1;
  size_t longest = 1;
  for (std::string_view want : punctuators) {
    if (want[0] != c || want.size() <= longest) continue;
    size_t p = pos + 1;
    bool ok = true;
    for (size_t k = 1; k < want.size(); ++k) {
      if (peek(p) != want[k] || p >= stop) {
        ok = false;
        break;
      }
      ++p;
    }
    if (ok) best = p, longest = want.size();
  }
  pos = best;
}

RawToken RawLexer::next() {
  RawToken t;
  if (!toToken(t)) {
    t.begin = t.end = static_cast<uint32_t>(stop);
    t.lineStart = true;
    return t;
  }
  t.lineStart = atLineStart;
  atLineStart = false;
  t.begin = static_cast<uint32_t>(pos);
  char c = text[pos];
  size_t after = pos + 1;
  if (nameStart(c) || universalName(pos)) identifier(t);
  else if (digit(c) || (c == '.' && digit(peek(after)) && after < stop)) number(t);
  else if (c == '"' || c == '\'') {
    t.kind = c == '"' ? RawKind::String : RawKind::Char;
    ++pos;
    quoted(c, t);
  } else punctuator(t);
  t.end = static_cast<uint32_t>(pos);
  t.spliced = t.spliced || raw(t).find('\n') != std::string_view::npos;
  return t;
}

}  // namespace cilkc
