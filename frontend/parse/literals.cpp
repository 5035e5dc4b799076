// literals.cpp - values of number, character and string literals. See literals.h.
#include "frontend/parse/literals.h"
#include "diag/parse.h"
#include "diag/sema_expr.h"
#include <cstring>

namespace cilkc::parsing {

namespace {

int digitValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lowered(std::string_view s) {
  std::string r;
  for (char c : s) r += lower(c);
  return r;
}

const char *baseName(unsigned base) {
  return base == 2 ? "binary" : base == 8 ? "octal" : base == 16 ? "hexadecimal" : "decimal";
}

// UTF-8 at s[i]; i moves past it. False: not UTF-8, one byte is taken for itself.
bool utf8(std::string_view s, size_t &i, uint32_t &c) {
  unsigned char b = static_cast<unsigned char>(s[i]);
  unsigned n = b < 0x80 ? 1 : (b & 0xe0) == 0xc0 ? 2 : (b & 0xf0) == 0xe0 ? 3 : (b & 0xf8) == 0xf0 ? 4 : 0;
  if (n == 1) {
    c = b;
    i++;
    return true;
  }
  if (!n || i + n > s.size()) {
    c = b;
    i++;
    return false;
  }
  c = b & (0xffu >> (n + 1));
  for (unsigned k = 1; k < n; k++) {
    unsigned char d = static_cast<unsigned char>(s[i + k]);
    if ((d & 0xc0) != 0x80) {
      c = b;
      i++;
      return false;
    }
    c = c << 6 | (d & 0x3f);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < least[n] || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff) {
    c = b;
    i++;
    return false;
  }
  i += n;
  return true;
}

template <class Put> void putUtf8(uint32_t c, Put put) {
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

}  // namespace

Expr *Literals::error(const Token &t) {
  Expr *e = cx.make<ErrorExpr>();
  e->range = t.range();
  return e;
}

// ---- numbers ------------------------------------------------------------------------------------------------------

Expr *Literals::number(const Token &t) {
  std::string_view s = t.view();
  std::string clean;                              // without C2x's digit separators
  if (s.find('\'') != std::string_view::npos) {
    bool prefixed = s[0] == '0' && s.size() > 1 && (lower(s[1]) == 'x' || lower(s[1]) == 'b');
    int most = prefixed && lower(s[1]) == 'x' ? 15 : 9;
    auto digit = [&](size_t i) { return i < s.size() && i >= (prefixed ? 2 : 0) && digitValue(s[i]) <= most; };
    for (size_t i = 0; i < s.size(); i++)
      if (s[i] != '\'') clean += s[i];
      else if (!digit(i - 1) || !digit(i + 1)) {
        diags.report(diag::bad_number, t.range()) << s << "a separator is between digits";
        return error(t);
      }
    s = clean;
  }
  bool hex = s.size() > 1 && s[0] == '0' && lower(s[1]) == 'x';
  bool binary = s.size() > 1 && s[0] == '0' && lower(s[1]) == 'b';
  if (hex) {
    if (s.find_first_of(".pP") != std::string_view::npos) return floating(t, s, true);
    return integer(t, s.substr(2), 16);
  }
  if (binary && cx.lang.std < LangOptions::C2x) diags.report(diag::pedantic_binary, t.range());
  if (binary) return integer(t, s.substr(2), 2);
  size_t digits = 0;
  while (digits < s.size() && digitValue(s[digits]) < 10) digits++;
  if (digits < s.size() && (s[digits] == '.' || lower(s[digits]) == 'e')) return floating(t, s, false);
  return s[0] == '0' ? integer(t, s, 8) : integer(t, s, 10);
}

Expr *Literals::integer(const Token &t, std::string_view s, unsigned base) {
  IntLit *e = cx.make<IntLit>();
  e->range = t.range();
  e->decimal = base == 10;
  size_t i = 0;
  bool overflow = false;
  for (; i < s.size(); i++) {
    unsigned d = static_cast<unsigned>(digitValue(s[i]));
    if (d >= (base == 16 ? 16u : 10u)) break;
    if (d >= base) {
      diags.report(diag::bad_digit, t.range()) << s[i] << baseName(base);
      return error(t);
    }
    unsigned __int128 next = e->value * base + d;
    if (e->value > (~static_cast<unsigned __int128>(0) - d) / base) overflow = true;
    e->value = next;
  }
  if (i == 0) {
    diags.report(diag::bad_number, t.range()) << t.view() << "it has no digits";
    return error(t);
  }
  e->tooLarge = overflow || e->value >> 64 != 0;
  std::string suffix = lowered(s.substr(i));
  bool mixed = s.find("lL", i) != std::string_view::npos || s.find("Ll", i) != std::string_view::npos;
  size_t u = 0, l = 0, im = 0, wb = 0, k = 0;
  for (; k < suffix.size() && !mixed; k++) {
    if (suffix[k] == 'u' && !u) {
      u = 1;
    } else if (!wb && !l && (s.compare(i + k, 2, "wb") == 0 || s.compare(i + k, 2, "WB") == 0)) {
      wb = 1;
      k++;
    } else if (suffix[k] == 'l' && !l && !wb) {
      l = suffix.compare(k, 2, "ll") == 0 ? 2 : 1;
      k += l - 1;
    } else if ((suffix[k] == 'i' || suffix[k] == 'j') && !im) {
      im = 1;
    } else {
      break;
    }
  }
  if (k < suffix.size()) {
    diags.report(diag::bad_integer_suffix, t.range()) << s.substr(i);
    return error(t);
  }
  e->suffixU = u;
  e->suffixL = static_cast<uint8_t>(l);
  e->suffixWB = wb;
  if (wb) {
    e->tooLarge = overflow;
    if (overflow || e->value >> 127) {
      e->wide = cx.intern((base == 16 ? "0x" : base == 2 ? "0b" : base == 8 ? "0" : "") + std::string(s.substr(0, i)));
      e->value = ~static_cast<unsigned __int128>(0);
    }
  }
  if (wb && cx.lang.std < LangOptions::C2x)
    diags.report(diag::pedantic_syntax, t.range()) << "ISO C has no constants of '_BitInt' before C23";
  e->imaginary = im;
  if (im) diags.report(diag::pedantic_syntax, t.range()) << "ISO C has no imaginary constants";
  return e;
}

Expr *Literals::floating(const Token &t, std::string_view s, bool hex) {
  FloatLit *e = cx.make<FloatLit>();
  e->range = t.range();
  size_t i = hex ? 2 : 0, digits = 0, dots = 0;
  for (; i < s.size(); i++) {
    if (s[i] == '.') dots++;
    else if (digitValue(s[i]) < (hex ? 16 : 10)) digits++;
    else break;
  }
  auto bad = [&](const char *why) {
    diags.report(diag::bad_number, t.range()) << t.view() << why;
    return error(t);
  };
  if (!digits) return bad("it has no digits");
  if (dots > 1) return bad("too many decimal points");
  char mark = hex ? 'p' : 'e';
  if (i < s.size() && lower(s[i]) == mark) {
    size_t k = i + 1;
    if (k < s.size() && (s[k] == '+' || s[k] == '-')) k++;
    size_t from = k;
    while (k < s.size() && digitValue(s[k]) < 10) k++;
    if (k == from) return bad("the exponent has no digits");
    i = k;
  } else if (hex) {
    return bad("a hexadecimal floating constant needs an exponent");
  }
  e->text = cx.intern(s.substr(0, i));
  if (hex && cx.lang.std < LangOptions::C99)
    diags.report(diag::c99_extension, t.range()) << "hexadecimal floating constants";
  std::string suffix = lowered(s.substr(i));
  static constexpr struct {
    const char *text;
    FloatLit::Suffix suffix;
  } suffixes[] = {{"", FloatLit::None}, {"f", FloatLit::F}, {"d", FloatLit::None}, {"l", FloatLit::L},
      {"f16", FloatLit::F16}, {"f32", FloatLit::F32}, {"f64", FloatLit::F64}, {"f128", FloatLit::F128},
      {"f32x", FloatLit::F32x}, {"f64x", FloatLit::F64x}, {"q", FloatLit::Q}, {"w", FloatLit::L}, {"df", FloatLit::D},
      {"dd", FloatLit::D}, {"dl", FloatLit::D}};
  for (int imaginary = 0; imaginary < 2; imaginary++) {
    for (auto [text, kind] : suffixes)
      if (suffix == text) {
        e->suffix = kind;
        e->imaginary = imaginary;
        if (imaginary) diags.report(diag::pedantic_syntax, t.range()) << "ISO C has no imaginary constants";
        else if (kind == FloatLit::Q || suffix == "w" || suffix == "d")
          diags.report(diag::pedantic_syntax, t.range()) << "ISO C has no suffix '" + suffix + "' on constants";
        return e;
      }
    // 'i' and 'j' may be on either side of the other suffix.
    if (!suffix.empty() && (suffix.front() == 'i' || suffix.front() == 'j')) suffix.erase(0, 1);
    else if (!suffix.empty() && (suffix.back() == 'i' || suffix.back() == 'j')) suffix.pop_back();
    else break;
  }
  diags.report(diag::bad_float_suffix, t.range()) << s.substr(i);
  return error(t);
}

// ---- characters and strings ---------------------------------------------------------------------------------------

unsigned Literals::unitOf(StrPrefix p) const {
  switch (p) {
    case StrPrefix::L: return cx.lang.shortWchar ? 2 : 4;
    case StrPrefix::U: return 4;
    case StrPrefix::u: return 2;
    default: return 1;
  }
}

Literals::Piece Literals::take(const Token &t, char quote) const {
  std::string_view s = t.view();
  Piece p{StrPrefix::None, {}, t.start, false};
  size_t i = 0;
  if (s.substr(0, 2) == "u8") {
    p.prefix = StrPrefix::u8;
    i = 2;
  } else if (s[0] == 'L') {
    p.prefix = StrPrefix::L;
    i = 1;
  } else if (s[0] == 'u') {
    p.prefix = StrPrefix::u;
    i = 1;
  } else if (s[0] == 'U') {
    p.prefix = StrPrefix::U;
    i = 1;
  }
  if (i < s.size() && s[i] == 'R') {              // R"delimiter(text)delimiter"
    size_t open = s.find('('), delimiter = open - i - 2;
    p.raw = true;
    p.offset = t.start + static_cast<uint32_t>(open + 1);
    p.body = s.substr(open + 1, s.size() - open - 1 - delimiter - 2);
    return p;
  }
  if (i < s.size() && s[i] == quote) i++;
  p.offset = t.start + static_cast<uint32_t>(i);
  s.remove_prefix(i);
  if (!s.empty() && s.back() == quote) s.remove_suffix(1);     // an unterminated literal has none
  p.body = s;
  return p;
}

// s[i] follows the backslash. codePoint: the value is a character (\u), not a code unit.
uint32_t Literals::escape(std::string_view s, size_t &i, uint32_t offset, unsigned unit, bool &codePoint) {
  codePoint = false;
  Range here{Loc::at(offset + i - 1), Loc::at(offset + i + 1)};
  if (i >= s.size()) return '\\';
  char c = s[i++];
  uint64_t limit = unit == 1 ? 0xff : unit == 2 ? 0xffff : 0xffffffff;
  switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'v': return '\v';
    case 'e':
    case 'E': return 27;
    case '\\':
    case '\'':
    case '"':
    case '?': return static_cast<unsigned char>(c);
    case 'x': {
      uint64_t v = 0;
      bool any = false, over = false;
      while (i < s.size() && digitValue(s[i]) < 16) {
        v = v << 4 | static_cast<uint64_t>(digitValue(s[i++]));
        over |= v > limit;
        v &= 0xffffffff;
        any = true;
      }
      if (!any) diags.report(diag::bad_escape, here) << "\\x is not followed by hexadecimal digits";
      if (over) diags.report(diag::escape_out_of_range, here) << "hexadecimal";
      return static_cast<uint32_t>(v & limit);
    }
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7': {
      uint64_t v = static_cast<uint64_t>(c - '0');
      for (int n = 1; n < 3 && i < s.size() && s[i] >= '0' && s[i] <= '7'; n++)
        v = v * 8 + static_cast<uint64_t>(s[i++] - '0');
      if (v > limit) diags.report(diag::escape_out_of_range, here) << "octal";
      return static_cast<uint32_t>(v & limit);
    }
    case 'u':
    case 'U': {
      unsigned want = c == 'u' ? 4 : 8, n = 0;
      uint32_t v = 0;
      while (n < want && i < s.size() && digitValue(s[i]) < 16) {
        v = v << 4 | static_cast<uint32_t>(digitValue(s[i++]));
        n++;
      }
      codePoint = true;
      if (n < want) diags.report(diag::bad_escape, here) << "incomplete universal character name";
      else if (v > 0x10ffff || (v >= 0xd800 && v < 0xe000) || (v < 0xa0 && v != '$' && v != '@' && v != '`'))
        diags.report(diag::bad_escape, here) << "not a valid universal character";
      return v > 0x10ffff ? 0xfffd : v;
    }
    default: {
      char shown[2] = {c, 0};
      diags.report(diag::unknown_escape, here) << shown;
      return static_cast<unsigned char>(c);
    }
  }
}

template <class Put> void Literals::decode(const Piece &p, unsigned unit, bool unicode, Put put) {
  std::string_view s = p.body;
  bool complained = false;
  auto putPoint = [&](uint32_t c) {
    if (unit == 1) {
      putUtf8(c, put);
    } else if (unit == 2 && c >= 0x10000) {
      put(0xd800 + ((c - 0x10000) >> 10));
      put(0xdc00 + ((c - 0x10000) & 0x3ff));
    } else {
      put(c);
    }
  };
  for (size_t i = 0; i < s.size();) {
    if (s[i] == '\\' && !p.raw) {
      i++;
      bool point;
      uint32_t c = escape(s, i, p.offset, unit, point);
      if (point) putPoint(c);
      else put(c);
    } else if (!unicode || static_cast<unsigned char>(s[i]) < 0x80) {
      put(static_cast<unsigned char>(s[i++]));
    } else {
      uint32_t c, at = p.offset + static_cast<uint32_t>(i);
      if (!utf8(s, i, c) && !complained) {
        diags.report(diag::bad_utf8, Loc::at(at));
        complained = true;
      }
      putPoint(c);
    }
  }
}

CharLit *Literals::character(const Token &t) {
  CharLit *e = cx.make<CharLit>();
  e->range = t.range();
  Piece p = take(t, '\'');
  e->prefix = p.prefix;
  unsigned unit = unitOf(p.prefix);
  unsigned count = 0;
  uint64_t value = 0;
  decode(p, unit, unit > 1, [&](uint32_t c) {
    value = unit > 1 ? c : (value << 8 | (c & 0xff));
    count++;
  });
  if (count == 0) {
    diags.report(diag::empty_character, t.range());
  } else if (p.prefix == StrPrefix::None && count == 1) {
    bool isSigned = cx.target.charSigned && !cx.lang.unsignedChar;
    e->value = isSigned ? static_cast<int8_t>(value) : static_cast<int64_t>(value & 0xff);
  } else if (p.prefix == StrPrefix::None) {
    // gcc's manner: the last four characters, the first of them highest.
    if (count > 4) diags.report(diag::character_too_long, t.range());
    else diags.report(diag::multi_character, t.range());
    e->value = static_cast<int32_t>(static_cast<uint32_t>(value));
  } else {
    if (count > 1 && unit == 1) {
      diags.report(diag::unsupported, t.range()) << "a UTF-8 character constant of more than one byte";
    } else if (count > 1) diags.report(diag::character_too_long, t.range());
    if (p.prefix == StrPrefix::L && unit == 4 && cx.target.facts->wcharSigned) e->value = static_cast<int32_t>(value);
    else if (unit == 1) e->value = static_cast<int64_t>(value & 0xff);
    else e->value = static_cast<int64_t>(value);
  }
  return e;
}

StringLit *Literals::string(const std::vector<const Token *> &tokens) {
  StringLit *e = cx.make<StringLit>();
  std::vector<Piece> pieces;
  for (const Token *t : tokens) {
    Piece p = take(*t, '"');
    if (p.prefix != StrPrefix::None) {
      if (e->prefix != StrPrefix::None && e->prefix != p.prefix) diags.report(diag::mixed_string_prefixes, t->range());
      else e->prefix = p.prefix;
    }
    pieces.push_back(p);
  }
  e->range = Range::join(tokens.front()->range(), tokens.back()->range());
  e->unit = unitOf(e->prefix);
  size_t size = 0;
  for (const Piece &p : pieces) size += p.body.size();
  e->bytes.reserve(size * e->unit);
  for (const Piece &p : pieces)
    decode(p, e->unit, e->unit > 1, [&](uint32_t c) {
      for (unsigned b = 0; b < e->unit; b++) e->bytes += static_cast<char>(c >> (8 * b));
    });
  return e;
}

std::string Literals::plainString(const std::vector<const Token *> &tokens) {
  StringLit *e = string(tokens);
  if (e->unit != 1) {
    diags.report(diag::wide_string_here, e->range);
    return {};
  }
  return e->bytes;
}

}  // namespace cilkc::parsing
