// run.cpp - see run.h. The rules are those of assignConvert() for a constant: what it would have something to say about
// is left to it. Where -pedantic looks at the form of constants, only exact values are taken.
#include "frontend/sema/c/init/run.h"
#include "diag/sema_expr.h"
#include <cmath>
#include <cstdlib>

namespace cilkc {

namespace {

struct Taker {
  Sema &s;
  const Type *elem;
  uint64_t size;
  std::string digits;

  bool possible() const {
    if (elem->isEnum()) return false;
    return elem->isInteger() ? size <= 8 : elem->kind == TypeKind::Float || elem->kind == TypeKind::Double;
  }

  bool put(const RunReader::Element &e, char *to) {
    if (e.kind == RunReader::Element::Floating) return !elem->isInteger() && putFloating(e, to);
    __int128 v = e.value;
    if (e.negative) v = -v;
    return elem->isInteger() ? putInteger(e, v, to) : putNumber(v, to);
  }

  bool putInteger(const RunReader::Element &e, __int128 v, char *to) const {
    if (elem->isBool()) {
      if (v != 0 && v != 1) return false;
    } else if (wrapInt(v, elem, s.cx.target) != v) {
      // 0xff for a signed char: all bits are kept. A negative value for an unsigned type may have a warning.
      uint64_t bits = size * 8;
      if (v < 0 || v >> bits || s.cx.lang.pedantic || (bits >= 32 && e.decimal)) return false;
    }
    store(static_cast<uint64_t>(v), to);
    return true;
  }

  bool putNumber(__int128 v, char *to) const {
    if (s.cx.lang.pedantic && (v >> 24 != 0 && v >> 24 != -1)) return false;
    if (elem->kind == TypeKind::Float) store(static_cast<float>(v), to);
    else store(static_cast<double>(v), to);
    return true;
  }

  bool putFloating(const RunReader::Element &e, char *to) {
    bool narrows = elem->kind == TypeKind::Float && !e.suffixF;
    if (narrows && (e.negative || s.cx.lang.pedantic) &&
        (s.diags.wants(diag::conversion) || s.diags.wants(diag::float_conversion)))
      return false;
    digits.assign(e.digits);
    double v =
        e.suffixF ? static_cast<double>(std::strtof(digits.c_str(), nullptr)) : std::strtod(digits.c_str(), nullptr);
    if (elem->kind == TypeKind::Float) v = static_cast<double>(static_cast<float>(v));
    if (!std::isfinite(v)) return false;
    if (e.negative) v = -v;
    if (elem->kind == TypeKind::Float) store(static_cast<float>(v), to);
    else store(v, to);
    return true;
  }

  // hosts and targets are little-endian
  template <class T> void store(T v, char *to) const { __builtin_memcpy(to, &v, size); }
};

}  // namespace

Data *takeElements(Sema &s, ConstantRun &run, QualType elem, uint64_t most) {
  if (elem.quals & ~static_cast<unsigned>(QConst)) return nullptr;
  Taker taker{s, elem.type, sizeOf(elem.type, s.cx.target), {}};
  if (!taker.possible()) return nullptr;
  most = std::min(most, run.left);
  std::string bytes(most * taker.size, '\0');
  RunReader reader = run.reader();
  RunReader::Element e;
  Range range{run.begin, run.begin};
  uint64_t n = 0;
  size_t done = 0;
  while (n < most && reader.next(e) && taker.put(e, bytes.data() + n * taker.size)) {
    if (!n) range.begin = e.at;
    range.end = e.end;
    n++;
    reader.comma();
    done = reader.stopped();
  }
  if (!n) return nullptr;
  run.skip(done, n);
  Data *d = s.cx.make<Data>();
  bytes.resize(n * taker.size);
  d->bytes = std::move(bytes);
  d->count = n;
  d->type = s.cx.arrayOf(elem.unqual(), n);
  d->range = range;
  return d;
}

Initializer *takeElement(AstContext &cx, ConstantRun &run) {
  RunReader reader = run.reader();
  RunReader::Element e;
  reader.next(e);
  reader.comma();
  run.skip(reader.stopped(), 1);
  auto *init = cx.make<Initializer>();
  init->range = e.range();
  init->expr = runElement(cx, e);
  return init;
}

}  // namespace cilkc
