// lookalikes.cpp - the table of lookalikes.h. All begin with a byte of which few letters are made, so that names in
// other scripts are not slowed down.
#include "frontend/parse/lookalikes.h"
#include <algorithm>
#include "CilkLexer.h"

namespace cilkc::parsing {

const Lookalike *lookalikeAt(std::string_view text) {
  static constexpr Lookalike table[] = {
      {"\xC2\xA0", "a no-break space (U+00A0)", ""},
      {"\xC2\xAB", "a quotation mark (U+00AB)", "\""},
      {"\xC2\xB4", "an acute accent (U+00B4)", "'"},
      {"\xC2\xBB", "a quotation mark (U+00BB)", "\""},
      {"\xC3\x97", "a multiplication sign (U+00D7)", "*", CilkLexer::Star},
      {"\xC3\xB7", "a division sign (U+00F7)", "/", CilkLexer::Slash},
      {"\xCD\xBE", "a Greek question mark (U+037E)", ";", CilkLexer::Semicolon},
      {"\xE2\x80\x82", "an en space (U+2002)", ""},
      {"\xE2\x80\x83", "an em space (U+2003)", ""},
      {"\xE2\x80\x89", "a thin space (U+2009)", ""},
      {"\xE2\x80\x8B", "a zero-width space (U+200B)", ""},
      {"\xE2\x80\x8E", "a left-to-right mark (U+200E)", ""},
      {"\xE2\x80\x8F", "a right-to-left mark (U+200F)", ""},
      {"\xE2\x80\x90", "a hyphen (U+2010)", "-", CilkLexer::Minus},
      {"\xE2\x80\x91", "a no-break hyphen (U+2011)", "-", CilkLexer::Minus},
      {"\xE2\x80\x93", "an en dash (U+2013)", "-", CilkLexer::Minus},
      {"\xE2\x80\x94", "an em dash (U+2014)", "-", CilkLexer::Minus},
      {"\xE2\x80\x98", "a left single quotation mark (U+2018)", "'"},
      {"\xE2\x80\x99", "a right single quotation mark (U+2019)", "'"},
      {"\xE2\x80\x9C", "a left double quotation mark (U+201C)", "\""},
      {"\xE2\x80\x9D", "a right double quotation mark (U+201D)", "\""},
      {"\xE2\x80\x9E", "a low double quotation mark (U+201E)", "\""},
      {"\xE2\x80\xA6", "an ellipsis (U+2026)", "...", CilkLexer::Ellipsis},
      {"\xE2\x80\xAF", "a narrow no-break space (U+202F)", ""},
      {"\xE2\x88\x92", "a minus sign (U+2212)", "-", CilkLexer::Minus},
      {"\xE2\x89\xA0", "a not-equal sign (U+2260)", "!=", CilkLexer::NotEqual},
      {"\xE2\x89\xA4", "a less-or-equal sign (U+2264)", "<=", CilkLexer::LessEqual},
      {"\xE2\x89\xA5", "a greater-or-equal sign (U+2265)", ">=", CilkLexer::GreaterEqual},
      {"\xE3\x80\x80", "an ideographic space (U+3000)", ""},
      {"\xEF\xBB\xBF", "a byte-order mark (U+FEFF)", ""},
      {"\xEF\xBC\x88", "a fullwidth parenthesis (U+FF08)", "(", CilkLexer::LeftParen},
      {"\xEF\xBC\x89", "a fullwidth parenthesis (U+FF09)", ")", CilkLexer::RightParen},
      {"\xEF\xBC\x8C", "a fullwidth comma (U+FF0C)", ",", CilkLexer::Comma},
      {"\xEF\xBC\x9B", "a fullwidth semicolon (U+FF1B)", ";", CilkLexer::Semicolon},
      {"\xEF\xBD\x9B", "a fullwidth brace (U+FF5B)", "{", CilkLexer::LeftBrace},
      {"\xEF\xBD\x9D", "a fullwidth brace (U+FF5D)", "}", CilkLexer::RightBrace},
  };
  if (text.empty()) return nullptr;
  switch (static_cast<unsigned char>(text[0])) {
    case 0xC2:
    case 0xC3:
    case 0xCD:
    case 0xE2:
    case 0xE3:
    case 0xEF: break;
    default: return nullptr;
  }
  for (const Lookalike &l : table)
    if (text.starts_with(l.bytes)) return &l;
  return nullptr;
}

size_t utf8Prefix(std::string_view s) {
  size_t i = 0;
  while (i < s.size()) {
    unsigned char c = static_cast<unsigned char>(s[i]);
    size_t n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
    if (!n || i + n > s.size()) return i;
    for (size_t k = 1; k < n; k++)
      if ((static_cast<unsigned char>(s[i + k]) & 0xC0) != 0x80) return i;
    // neither a longer form than needed, nor half of a pair, nor beyond U+10FFFF
    unsigned char d = n > 1 ? static_cast<unsigned char>(s[i + 1]) : 0;
    if ((c == 0xE0 && d < 0xA0) || (c == 0xED && d >= 0xA0) || (c == 0xF0 && d < 0x90) || (c == 0xF4 && d >= 0x90))
      return i;
    if (n > 1 && lookalikeAt(s.substr(i))) return i;
    i += n;
  }
  return i;
}

size_t quotedLength(std::string_view text, bool &closed) {
  closed = true;
  const Lookalike *open = lookalikeAt(text);
  std::string_view quote = open->meant;
  size_t line = std::min(text.find('\n'), text.size()), end = open->bytes.size();
  for (; end < line; end++) {
    if (text[end] == quote[0]) return end + 1;
    if (const Lookalike *l = lookalikeAt(text.substr(end)); l && quote == l->meant) return end + l->bytes.size();
  }
  closed = false;
  return end;
}

}  // namespace cilkc::parsing
