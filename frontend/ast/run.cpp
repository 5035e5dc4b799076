// run.cpp - see run.h. A constant is plain if its value and its type follow from its letters alone, without any
// message: no digit separators, no binary or imaginary constants, no escapes of several characters, nothing that is too
// large.
#include "frontend/ast/run.h"

namespace cilkc {

namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool RunReader::integer(size_t &i, Element &e) const {
  size_t k = i;
  unsigned base = 10;
  if (text[k] == '0' && k + 1 < text.size() && (text[k + 1] == 'x' || text[k + 1] == 'X')) {
    base = 16;
    k += 2;
  } else if (text[k] == '0') {
    base = 8;
  }
  size_t first = k;
  uint64_t v = 0;
  for (; k < text.size(); k++) {
    auto d = static_cast<unsigned>(digit(text[k]));
    if (d >= (base == 16 ? 16u : 10u)) break;
    if (d >= base || v > (UINT64_MAX - d) / base) return false;
    v = v * base + d;
  }
  if (k == first) return false;
  e.decimal = base == 10;
  for (; k < text.size(); k++) {
    char c = text[k];
    if ((c == 'u' || c == 'U') && !e.suffixU) e.suffixU = true;
    else if ((c == 'l' || c == 'L') && !e.suffixL) {
      e.suffixL = 1;
      if (k + 1 < text.size() && text[k + 1] == c) {
        e.suffixL = 2;
        k++;
      }
    } else break;
  }
  // A decimal constant without 'u' beyond the signed types has a message, and the negative of an unsigned one is large.
  if (e.decimal && !e.suffixU && v >> 63) return false;
  if (e.negative && (!e.decimal || e.suffixU)) return false;
  e.value = v;
  i = k;
  return true;
}

bool RunReader::floating(size_t &i, Element &e) const {
  size_t k = i;
  bool any = false, mark = false;
  while (k < text.size() && isDigit(text[k])) k++, any = true;
  if (k < text.size() && text[k] == '.') {
    mark = true;
    for (k++; k < text.size() && isDigit(text[k]); k++) any = true;
  }
  if (!any) return false;
  if (k < text.size() && (text[k] == 'e' || text[k] == 'E')) {
    mark = true;
    k++;
    if (k < text.size() && (text[k] == '+' || text[k] == '-')) k++;
    size_t from = k;
    while (k < text.size() && isDigit(text[k])) k++;
    if (k == from) return false;
  }
  if (!mark) return false;
  e.kind = Element::Floating;
  e.digits = text.substr(i, k - i);
  if (k < text.size() && (text[k] == 'f' || text[k] == 'F')) {
    e.suffixF = true;
    k++;
  }
  i = k;
  return true;
}

bool RunReader::character(size_t &i, Element &e) const {
  size_t k = i + 1;
  if (k + 1 >= text.size()) return false;
  char c = text[k++];
  if (c == '\\') {
    c = text[k++];
    switch (c) {
      case 'n': c = '\n'; break;
      case 't': c = '\t'; break;
      case 'r': c = '\r'; break;
      case '0': c = '\0'; break;
      case '\\':
      case '\'':
      case '"': break;
      default: return false;
    }
  } else if (c < ' ' || c > '~' || c == '\'') {
    return false;
  }
  if (k >= text.size() || text[k] != '\'') return false;
  e.kind = Element::Character;
  e.value = static_cast<unsigned char>(c);
  i = k + 1;
  return true;
}

bool RunReader::next(Element &e) {
  size_t i = pos;
  blanks(i);
  pos = i;
  e = Element();
  e.at = Loc{begin.raw + static_cast<uint32_t>(i)};
  if (i < text.size() && text[i] == '-') {
    e.negative = true;
    i++;
    while (i < text.size() && text[i] == ' ') i++;
  }
  if (i >= text.size()) return false;
  e.number = Loc{begin.raw + static_cast<uint32_t>(i)};
  char c = text[i];
  bool good = false;
  if (c == '\'') {
    good = !e.negative && character(i, e);
  } else if (isDigit(c) || (c == '.' && i + 1 < text.size() && isDigit(text[i + 1]))) {
    size_t k = i;
    while (k < text.size() && isDigit(text[k])) k++;
    char mark = k < text.size() ? text[k] : '\0';
    good = mark == '.' || mark == 'e' || mark == 'E' ? floating(i, e) : integer(i, e);
  }
  if (!good) return false;
  size_t behind = i;
  blanks(behind);
  if (behind < text.size() && text[behind] != ',' && text[behind] != '}') return false;
  e.end = Loc{begin.raw + static_cast<uint32_t>(i)};
  pos = i;
  return true;
}

bool RunReader::comma() {
  size_t i = pos;
  blanks(i);
  if (i >= text.size() || text[i] != ',') return false;
  pos = i + 1;
  return true;
}

Expr *runElement(AstContext &cx, const RunReader::Element &e) {
  Expr *value = nullptr;
  switch (e.kind) {
    case RunReader::Element::Integer: {
      auto *lit = cx.make<IntLit>();
      lit->value = e.value;
      lit->decimal = e.decimal;
      lit->suffixU = e.suffixU;
      lit->suffixL = e.suffixL;
      value = lit;
      break;
    }
    case RunReader::Element::Character: {
      auto *lit = cx.make<CharLit>();
      lit->value = static_cast<int64_t>(e.value);
      value = lit;
      break;
    }
    case RunReader::Element::Floating: {
      auto *lit = cx.make<FloatLit>();
      lit->text = cx.intern(e.digits);
      lit->suffix = e.suffixF ? FloatLit::F : FloatLit::None;
      value = lit;
      break;
    }
  }
  value->range = {e.number, e.end};
  if (!e.negative) return value;
  auto *minus = cx.make<Unary>();
  minus->op = UnaryOp::Minus;
  minus->sub = value;
  minus->range = e.range();
  return minus;
}

}  // namespace cilkc
