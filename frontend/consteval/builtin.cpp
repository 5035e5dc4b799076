// builtin.cpp - builtin functions on constants, by their families: sqrt stands for sqrtf and sqrtl, too. A library
// function called by its plain name counts when the declaration has been recognised as the library's own. Each group
// answers for its functions; the groups of integers and of floating values come last, when the arguments have been
// evaluated.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/consteval/impl.h"

namespace cilkc {

using Result = Evaluator::Result;

namespace {

BuiltinId calledBuiltin(const Call *c) {
  int id = c->builtin;
  const Expr *callee = ignoreParensAndImplicit(c->callee);
  if (!id && callee && callee->kind == ExprKind::Ident && callee->as<Ident>()->decl &&
      callee->as<Ident>()->decl->kind == DeclKind::Function)
    id = callee->as<Ident>()->decl->as<FunctionDecl>()->builtin;
  return builtinFamily(static_cast<BuiltinId>(id));
}

// gcc's enum type_class; functions and arrays have decayed.
unsigned typeClass(const Type *t) {
  switch (t->kind) {
    case TypeKind::Void: return 0;
    case TypeKind::Pointer: return 5;
    case TypeKind::Complex: return 9;
    case TypeKind::Record: return t->as<RecordType>()->isUnion ? 13 : 12;
    default: return t->isFloating() ? 8 : 1;
  }
}

int leadingZeros(unsigned __int128 v, unsigned bits) {
  int n = 0;
  for (unsigned b = bits; b-- > 0 && !((v >> b) & 1);) ++n;
  return n;
}

int trailingZeros(unsigned __int128 v, unsigned bits) {
  int n = 0;
  while (n < static_cast<int>(bits) && !((v >> n) & 1)) ++n;
  return n;
}

int popCount(unsigned __int128 v) {
  return __builtin_popcountll(static_cast<uint64_t>(v)) + __builtin_popcountll(static_cast<uint64_t>(v >> 64));
}

// The payload of a NaN as strtoull reads it: octal, decimal or hexadecimal, all of the text.
std::optional<unsigned __int128> payloadOf(const std::string &text) {
  unsigned __int128 payload = 0;
  size_t i = 0;
  unsigned base = 10;
  if (text.size() > 1 && text[0] == '0') {
    base = 8;
    i = 1;
    if (text.size() > 2 && (text[1] == 'x' || text[1] == 'X')) {
      base = 16;
      i = 2;
    }
  }
  for (; i < text.size(); ++i) {
    unsigned d = text[i] >= '0' && text[i] <= '9'   ? static_cast<unsigned>(text[i] - '0')
                 : text[i] >= 'a' && text[i] <= 'f' ? static_cast<unsigned>(text[i] - 'a' + 10)
                 : text[i] >= 'A' && text[i] <= 'F' ? static_cast<unsigned>(text[i] - 'A' + 10)
                                                    : 99;
    if (d >= base) return std::nullopt;
    payload = payload * base + d;
  }
  return payload;
}

__float128 magnitude(__float128 q) { return signBit(q) ? -q : q; }

class BuiltinCall {
public:
  BuiltinCall(Evaluator &ev, const Call *c, BuiltinId id) : ev(ev), id(id), t(c->type.type), args(c->args) {}

  Result eval() {
    for (auto group :
        {&BuiltinCall::question, &BuiltinCall::floatingConstant, &BuiltinCall::string, &BuiltinCall::overflow})
      if (std::optional<Result> r = (this->*group)()) return *r;
    if (!operands()) return std::nullopt;
    if (allInt) return integers();
    if (!allFloat && id != BuiltinId::fpclassify) return std::nullopt;
    return floatings();
  }

private:
  Evaluator &ev;
  const BuiltinId id;                               // of the family
  const Type *t;                                    // of the result
  const std::vector<Expr *> &args;
  std::vector<ConstValue> v;                        // their values, after operands()
  bool allInt = true, allFloat = true;
  // A group's answer: no Result if the function is not in the group, else the value or its absence.
  using Answer = std::optional<Result>;
  static Answer none() { return Answer(std::in_place, std::nullopt); }

  Result folded(const Expr *e, int dead = 0) const {
    Evaluator inner{ev.cx, EvalMode::Fold, EvalTrouble::None, dead, 0, {}};
    return inner.eval(e);
  }

  // ---- about the expression itself ----
  Answer question() {
    switch (id) {
      case BuiltinId::constant_p: {
        if (args.size() != 1) return none();
        Result r = folded(args[0]);
        bool yes = r && (r->kind != ConstValue::Address || (!r->base && !r->label));
        if (!yes && ev.mode == EvalMode::Fold) return none();     // the optimiser may still find it constant
        return ev.integer(yes, t);
      }
      case BuiltinId::expect:
      case BuiltinId::expect_with_probability:
      case BuiltinId::assoc_barrier: return args.empty() ? none() : ev.eval(args[0]);
      case BuiltinId::atomic_always_lock_free: {                  // by the size alone, like the code generator
        Result size = args.empty() ? std::nullopt : ev.eval(args[0]);
        if (!size || size->kind != ConstValue::Int) return none();
        return ev.integer(size->i == 1 || size->i == 2 || size->i == 4 || size->i == 8, t);
      }
      case BuiltinId::isdigit: {
        Result ch = args.size() == 1 ? ev.eval(args[0]) : std::nullopt;
        return ch && ch->kind == ConstValue::Int ? ev.integer(ch->i >= '0' && ch->i <= '9', t) : none();
      }
      case BuiltinId::classify_type: return args.size() == 1 ? ev.integer(typeClass(args[0]->type.type), t) : none();
      case BuiltinId::object_size:
      case BuiltinId::dynamic_object_size: return none();
      default: return {};
    }
  }

  Answer floatingConstant() {
    switch (id) {
      case BuiltinId::complex: {                                  // CMPLX() of <complex.h>
        if (ev.strict() || args.size() != 2) return none();
        Result re = ev.eval(args[0]), im = ev.eval(args[1]);
        if (!re || !im || re->kind != ConstValue::Float || im->kind != ConstValue::Float) return none();
        ConstValue r;
        r.kind = ConstValue::Complex;
        r.re = re->re;
        r.im = im->re;
        return Result(r);
      }
      case BuiltinId::inf:
      case BuiltinId::huge_val:
        if (ev.strict() || !t->isFloating()) return none();
        return ev.floating(static_cast<__float128>(__builtin_huge_val()), t);
      case BuiltinId::nan:
      case BuiltinId::nans: return notANumber();
      default: return {};
    }
  }
  Answer notANumber() {
    if (ev.strict() || !t->isFloating() || args.empty()) return none();
    Result s = ev.eval(args[0]);
    if (!s || !s->string || s->offset || s->string->unit != 1) return none();
    auto given = payloadOf(s->string->bytes);
    if (!given) return none();
    // The payload goes to the low bits of the format's fraction.
    bool signaling = id == BuiltinId::nans;
    int fraction = formatOf(t, ev.target()).precision - 1;      // bits after the leading one
    unsigned __int128 quiet = static_cast<unsigned __int128>(1) << (fraction - 1), payload = *given & (quiet - 1);
    if (signaling && !payload) payload = quiet >> 1;
    unsigned __int128 bits = (signaling ? payload : payload | quiet) << (112 - fraction);
    bits |= static_cast<unsigned __int128>(0x7fff) << 112;
    ConstValue r;
    r.kind = ConstValue::Float;
    __builtin_memcpy(&r.re, &bits, sizeof bits);
    return Result(r);
  }

  Answer string() {
    switch (id) {
      case BuiltinId::strlen: return length();
      case BuiltinId::strcmp:
      case BuiltinId::strncmp:
      case BuiltinId::memcmp: return order();
      default: return {};
    }
  }
  Answer length() {
    if (args.size() != 1) return none();
    Result s = folded(args[0]);
    if (!s || !s->string || s->string->unit != 1 || s->offset < 0 ||
        static_cast<uint64_t>(s->offset) > s->string->length())
      return none();
    std::string_view text(s->string->bytes);
    size_t end = text.find('\0', static_cast<size_t>(s->offset));
    if (end == std::string_view::npos) end = text.size();
    return ev.integer(static_cast<__int128>(end) - s->offset, t);
  }
  Answer order() {
    if (args.size() < 2 || ev.strict()) return none();
    Result a = ev.eval(args[0]), b = ev.eval(args[1]);
    if (!a || !b || !a->string || !b->string || a->offset || b->offset) return none();
    std::string x = a->string->bytes, y = b->string->bytes;
    if (id == BuiltinId::memcmp) x += '\0', y += '\0';
    else x = x.c_str(), y = y.c_str();
    if (id != BuiltinId::strcmp) {
      Result count = args.size() == 3 ? ev.eval(args[2]) : std::nullopt;
      if (!count || count->kind != ConstValue::Int || count->i < 0) return none();
      auto k = static_cast<unsigned __int128>(count->i);
      if (id == BuiltinId::memcmp && (k > x.size() || k > y.size())) return none();
      x = x.substr(0, static_cast<size_t>(std::min<unsigned __int128>(k, x.size())));
      y = y.substr(0, static_cast<size_t>(std::min<unsigned __int128>(k, y.size())));
    }
    int r = x.compare(y);
    return ev.integer(r < 0 ? -1 : r > 0, t);
  }

  Answer overflow() {
    bool adds = id == BuiltinId::add_overflow_p, subtracts = id == BuiltinId::sub_overflow_p;
    if (!adds && !subtracts && id != BuiltinId::mul_overflow_p) return {};
    if (args.size() != 3) return none();
    Result a = ev.eval(args[0]), b = ev.eval(args[1]);
    if (!a || !b || a->kind != ConstValue::Int || b->kind != ConstValue::Int || !args[2]->type->isInteger())
      return none();
    __int128 r = 0;
    bool o = adds        ? __builtin_add_overflow(a->i, b->i, &r)
             : subtracts ? __builtin_sub_overflow(a->i, b->i, &r)
                         : __builtin_mul_overflow(a->i, b->i, &r);
    auto wide = [&](const Type *x) { return x->kind == TypeKind::UInt128; };
    // Beyond 128 bits and the sign: left to run time.
    if (o || args[2]->type->isWide() || wide(args[2]->type.type) || (wide(args[0]->type.type) && a->i < 0) ||
        (wide(args[1]->type.type) && b->i < 0))
      return none();
    return ev.integer(wrapInt(r, args[2]->type.type, ev.target()) != r, t);
  }

  // Evaluates the arguments; false where one has no value, or the function is not one of numbers.
  bool operands() {
    if (args.empty() || args.size() > 6 || !t->isArithmetic()) return false;
    for (const Expr *a : args)
      if (!a->type.type || !a->type->isArithmetic()) return false;
    if (ev.strict() && !t->isInteger()) return false;
    for (const Expr *a : args) {
      // isnan(1.0) and the like: gcc takes them in constant expressions
      Result r = ev.strict() && a->type->isFloating() ? folded(a, ev.dead) : ev.eval(a);
      if (!r) return false;
      allInt &= r->kind == ConstValue::Int;
      allFloat &= r->kind == ConstValue::Float;
      v.push_back(*r);
    }
    return true;
  }

  // ---- of integers ----
  Result integers() {
    const Type *at = args[0]->type.type;
    unsigned bits = static_cast<unsigned>(sizeOf(at, ev.target())) * 8;
    unsigned __int128 mask =
        bits >= 128 ? ~static_cast<unsigned __int128>(0) : (static_cast<unsigned __int128>(1) << bits) - 1;
    unsigned __int128 u = static_cast<unsigned __int128>(v[0].i) & mask;
    switch (id) {
      case BuiltinId::clz:
      case BuiltinId::ctz:
        if (u) return ev.integer(id == BuiltinId::clz ? leadingZeros(u, bits) : trailingZeros(u, bits), t);
        return args.size() > 1 ? ev.integer(v[1].i, t) : std::nullopt;
      case BuiltinId::ffs: return ev.integer(u ? trailingZeros(u, bits) + 1 : 0, t);
      case BuiltinId::popcount: return ev.integer(popCount(u), t);
      case BuiltinId::parity: return ev.integer(popCount(u) & 1, t);
      case BuiltinId::clrsb: return ev.integer(leadingZeros((u >> (bits - 1)) & 1 ? ~u & mask : u, bits) - 1, t);
      case BuiltinId::bswap16: {
        unsigned __int128 r = 0;
        for (unsigned k = 0; k < bits; k += 8) r = (r << 8) | ((u >> k) & 0xff);
        return ev.integer(static_cast<__int128>(r), t);
      }
      case BuiltinId::bitreverse8: {
        unsigned __int128 r = 0;
        for (unsigned k = 0; k < bits; ++k) r = (r << 1) | ((u >> k) & 1);
        return ev.integer(static_cast<__int128>(r), t);
      }
      case BuiltinId::rotateleft8:
      case BuiltinId::rotateright8: {
        if (v.size() != 2) return std::nullopt;
        unsigned k = static_cast<unsigned>(static_cast<unsigned __int128>(v[1].i) % bits);
        if (id == BuiltinId::rotateright8) k = (bits - k) % bits;
        return ev.integer(static_cast<__int128>(k ? ((u << k) | (u >> (bits - k))) & mask : u), t);
      }
      case BuiltinId::abs:
        if (v[0].i < 0 && wrapInt(-v[0].i, at, ev.target()) == v[0].i) ev.note(EvalTrouble::Overflow);
        return ev.integer(v[0].i < 0 ? -v[0].i : v[0].i, t);
      case BuiltinId::signbit:
      case BuiltinId::isnan: return ev.integer(0, t);
      default: return std::nullopt;
    }
  }

  // ---- of floating values ----
  Result floatings() {
    if (id == BuiltinId::fpclassify) return v.size() == 6 ? ev.integer(v[category(v[5].re)].i, t) : Result{};
    __float128 x = v[0].re, y = v.size() > 1 ? v[1].re : 0;
    Answer r = v.size() == 1 ? classify(x) : v.size() == 2 && allFloat ? compare(x, y) : Answer{};
    if (r) return *r;
    if (ev.strict() || !t->isFloating() || !allFloat || v.size() > 2) return std::nullopt;
    // The host's long double is the target's only on x86-64.
    if (t->kind != TypeKind::Float && t->kind != TypeKind::Double &&
        (t->kind != TypeKind::LongDouble || ev.target().facts->quadLongDouble))
      return std::nullopt;
    __float128 in[2] = {x, y}, out;
    if (!floatFunction(id, in, v.size(), t, ev.target(), out)) return std::nullopt;
    if (isNan(out) && !isNan(x) && !isNan(y)) return std::nullopt;   // a domain error belongs to run time
    if (isInf(out) && !isInf(x) && !isInf(y)) return std::nullopt;
    return ev.floating(out, t);
  }
  __float128 smallestNormal() {                        // of the last argument's type
    const Type *at = args.back()->type.type, *ft = at->isFloating() ? at : t;
    FloatFormat f = formatOf(ft->isFloating() ? ft : ev.cx.basic(TypeKind::Double), ev.target());
    __float128 m = 1;
    for (int i = 0; i < f.maxExponent - 2; ++i) m /= 2;
    return m;
  }
  // The argument of fpclassify that is its value for x.
  size_t category(__float128 x) {
    return isNan(x) ? 0 : isInf(x) ? 1 : x == 0 ? 4 : magnitude(x) < smallestNormal() ? 3 : 2;
  }
  Answer classify(__float128 x) {
    switch (id) {
      case BuiltinId::isnan: return ev.integer(isNan(x), t);
      case BuiltinId::isinf: return ev.integer(isInf(x), t);
      case BuiltinId::isinf_sign: return ev.integer(isInf(x) ? (signBit(x) ? -1 : 1) : 0, t);
      case BuiltinId::isfinite: return ev.integer(!isNan(x) && !isInf(x), t);
      case BuiltinId::isnormal: return ev.integer(!isNan(x) && !isInf(x) && magnitude(x) >= smallestNormal(), t);
      case BuiltinId::issubnormal: return ev.integer(x != 0 && !isNan(x) && magnitude(x) < smallestNormal(), t);
      case BuiltinId::iszero: return ev.integer(x == 0, t);
      case BuiltinId::signbit: return ev.integer(signBit(x), t);
      case BuiltinId::fabs: return ev.strict() ? none() : ev.floating(magnitude(x), t);
      default: return {};
    }
  }
  Answer compare(__float128 x, __float128 y) {
    bool nan = isNan(x) || isNan(y);
    switch (id) {
      case BuiltinId::isunordered: return ev.integer(nan, t);
      case BuiltinId::isgreater: return ev.integer(!nan && x > y, t);
      case BuiltinId::isgreaterequal: return ev.integer(!nan && x >= y, t);
      case BuiltinId::isless: return ev.integer(!nan && x < y, t);
      case BuiltinId::islessequal: return ev.integer(!nan && x <= y, t);
      case BuiltinId::islessgreater: return ev.integer(!nan && x != y, t);
      case BuiltinId::copysign: return ev.strict() ? Answer{} : ev.floating(signBit(y) != signBit(x) ? -x : x, t);
      default: return {};
    }
  }
};

}  // namespace

Result Evaluator::builtin(const Call *c) {
  BuiltinId id = calledBuiltin(c);
  return id == BuiltinId::None ? std::nullopt : BuiltinCall(*this, c, id).eval();
}

}  // namespace cilkc
