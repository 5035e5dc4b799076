// builtin.cpp - builtin functions on constants. They are told apart by their names: the part behind "__builtin_", with
// the suffix for the type (l, ll, f, f128 …) taken off where a family has one. A library function called by its plain name counts when the
// declaration has been recognised as the library's own.
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/consteval/impl.h"

namespace cilkc {

using Result = Evaluator::Result;

namespace {

std::string_view calledName(const Call *c) {
  int id = c->builtin;
  const Expr *callee = ignoreParensAndImplicit(c->callee);
  if (!id && callee && callee->kind == ExprKind::Ident && callee->as<Ident>()->decl && callee->as<Ident>()->decl->kind == DeclKind::Function)
    id = callee->as<Ident>()->decl->as<FunctionDecl>()->builtin;
  if (id <= 0 || id >= static_cast<int>(BuiltinId::count_)) return {};
  std::string_view n = builtinInfo(static_cast<BuiltinId>(id)).name;
  constexpr std::string_view prefix = "__builtin_";
  return n.substr(0, prefix.size()) == prefix ? n.substr(prefix.size()) : n;
}

// "sqrtf" -> "sqrt" when the suffix says a floating type.
std::string_view withoutSuffix(std::string_view n, std::string_view family) {
  if (n.substr(0, family.size()) != family) return n;
  std::string_view rest = n.substr(family.size());
  for (std::string_view s : {"", "f", "l", "q", "f16", "f32", "f64", "f128", "f32x", "f64x"})
    if (rest == s) return family;
  return n;
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

int popCount(unsigned __int128 v) { return __builtin_popcountll(static_cast<uint64_t>(v)) + __builtin_popcountll(static_cast<uint64_t>(v >> 64)); }

}  // namespace

Result Evaluator::builtin(const Call *c) {
  std::string_view n = calledName(c);
  if (n.empty()) return std::nullopt;
  const Type *t = c->type.type;
  const auto &args = c->args;
  auto isFamily = [&](std::string_view f) { return withoutSuffix(n, f) == f; };

  // ---- about the expression itself ----
  if (n == "constant_p") {
    if (args.size() != 1) return std::nullopt;
    Evaluator inner{cx, EvalMode::Fold, EvalTrouble::None, 0, 0, {}};
    Result v = inner.eval(args[0]);
    bool yes = v && (v->kind != ConstValue::Address || (!v->base && !v->label));
    if (!yes && mode == EvalMode::Fold) return std::nullopt;   // the optimiser may still find it constant
    return integer(yes, t);
  }
  if (n == "expect" || n == "expect_with_probability" || n == "assoc_barrier") return args.empty() ? std::nullopt : eval(args[0]);
  if (n == "__atomic_always_lock_free") {            // by the size alone, like the code generator
    Result size = args.empty() ? std::nullopt : eval(args[0]);
    if (!size || size->kind != ConstValue::Int) return std::nullopt;
    return integer(size->i == 1 || size->i == 2 || size->i == 4 || size->i == 8, t);
  }
  if (n == "isdigit" && args.size() == 1) {
    Result ch = eval(args[0]);
    return ch && ch->kind == ConstValue::Int ? integer(ch->i >= '0' && ch->i <= '9', t) : std::nullopt;
  }
  if (n == "classify_type" || n == "object_size" || n == "dynamic_object_size") return std::nullopt;
  if (n == "choose_expr") return std::nullopt;

  // ---- floating constants ----
  if (n == "complex") {                  // CMPLX() of <complex.h>
    if (strict() || args.size() != 2) return std::nullopt;
    Result re = eval(args[0]), im = eval(args[1]);
    if (!re || !im || re->kind != ConstValue::Float || im->kind != ConstValue::Float) return std::nullopt;
    ConstValue r;
    r.kind = ConstValue::Complex;
    r.re = re->re;
    r.im = im->re;
    return r;
  }
  if (isFamily("inf") || isFamily("huge_val")) {
    if (strict() || !t->isFloating()) return std::nullopt;
    return floating(static_cast<__float128>(__builtin_huge_val()), t);
  }
  if (isFamily("nan") || isFamily("nans")) {
    if (strict() || !t->isFloating() || args.empty()) return std::nullopt;
    Result s = eval(args[0]);
    if (!s || !s->string || s->offset || s->string->unit != 1) return std::nullopt;
    // The payload goes to the low bits of the format's fraction.
    unsigned __int128 payload = 0;
    const std::string &text = s->string->bytes;
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
    bool signaling = isFamily("nans");
    int fraction = formatOf(t, target()).precision - 1;          // bits behind the leading one
    unsigned __int128 quiet = static_cast<unsigned __int128>(1) << (fraction - 1);
    payload &= quiet - 1;
    if (signaling && !payload) payload = quiet >> 1;
    unsigned __int128 bits = (signaling ? payload : payload | quiet) << (112 - fraction);
    bits |= static_cast<unsigned __int128>(0x7fff) << 112;
    ConstValue r;
    r.kind = ConstValue::Float;
    __builtin_memcpy(&r.re, &bits, sizeof bits);
    return r;
  }

  // ---- strings ----
  if (n == "strlen") {
    if (args.size() != 1) return std::nullopt;
    Evaluator inner{cx, EvalMode::Fold, EvalTrouble::None, 0, 0, {}};
    Result s = inner.eval(args[0]);
    if (!s || !s->string || s->string->unit != 1 || s->offset < 0 || static_cast<uint64_t>(s->offset) > s->string->length()) return std::nullopt;
    std::string_view text(s->string->bytes);
    size_t end = text.find('\0', static_cast<size_t>(s->offset));
    if (end == std::string_view::npos) end = text.size();
    return integer(static_cast<__int128>(end) - s->offset, t);
  }
  if (n == "strcmp" || n == "strncmp" || n == "memcmp") {
    if (args.size() < 2 || strict()) return std::nullopt;
    Result a = eval(args[0]), b = eval(args[1]);
    if (!a || !b || !a->string || !b->string || a->offset || b->offset || n != "strcmp") return std::nullopt;
    int r = std::string_view(a->string->bytes.c_str()).compare(b->string->bytes.c_str());
    return integer(r < 0 ? -1 : r > 0, t);
  }

  // ---- what follows needs its arguments' values ----
  if (args.empty() || args.size() > 5) return std::nullopt;
  if (n.size() > 11 && n.substr(n.size() - 11) == "_overflow_p") {
    if (args.size() != 3) return std::nullopt;
    Result a = eval(args[0]), b = eval(args[1]);
    if (!a || !b || a->kind != ConstValue::Int || b->kind != ConstValue::Int || !args[2]->type->isInteger()) return std::nullopt;
    __int128 v = 0;
    bool o = n == "add_overflow_p"   ? __builtin_add_overflow(a->i, b->i, &v)
             : n == "sub_overflow_p" ? __builtin_sub_overflow(a->i, b->i, &v)
                                     : __builtin_mul_overflow(a->i, b->i, &v);
    auto wide = [&](const Type *x) { return x->kind == TypeKind::UInt128; };
    // Beyond 128 bits and the sign: left to run time.
    if (o || wide(args[2]->type.type) || (wide(args[0]->type.type) && a->i < 0) || (wide(args[1]->type.type) && b->i < 0)) return std::nullopt;
    return integer(wrapInt(v, args[2]->type.type, target()) != v, t);
  }
  std::vector<ConstValue> v;
  bool allInt = true, allFloat = true;
  auto family = [&] {
    static constexpr std::string_view known[] = {"clz", "ctz", "ffs", "clrsb", "popcount", "parity"};
    return std::any_of(std::begin(known), std::end(known), [&](std::string_view k) { return n.substr(0, k.size()) == k; });
  };
  bool wanted = t->isArithmetic() && !n.starts_with("__");
  if (!wanted) return std::nullopt;
  for (const Expr *a : args) {
    if (!a->type.type || !a->type->isArithmetic()) return std::nullopt;
  }
  if (strict() && !t->isInteger()) return std::nullopt;
  for (const Expr *a : args) {
    Result r;
    if (strict() && a->type->isFloating()) {
      // isnan(1.0) and the like: gcc takes them in constant expressions
      Evaluator inner{cx, EvalMode::Fold, EvalTrouble::None, dead, 0, {}};
      r = inner.eval(a);
    } else r = eval(a);
    if (!r) return std::nullopt;
    allInt &= r->kind == ConstValue::Int;
    allFloat &= r->kind == ConstValue::Float;
    v.push_back(*r);
  }
  const Type *at = args[0]->type.type;

  if (allInt) {
    unsigned bits = static_cast<unsigned>(sizeOf(at, target())) * 8;
    unsigned __int128 mask = bits >= 128 ? ~static_cast<unsigned __int128>(0) : (static_cast<unsigned __int128>(1) << bits) - 1;
    unsigned __int128 u = static_cast<unsigned __int128>(v[0].i) & mask;
    auto is = [&](std::string_view f) {
      return n == f ||
             (n.size() > f.size() && n.substr(0, f.size()) == f && (n.substr(f.size()) == "l" || n.substr(f.size()) == "ll" || n.substr(f.size()) == "g"));
    };
    if (family()) {
      if (is("clz")) {
        if (!u) return args.size() > 1 ? integer(v[1].i, t) : std::nullopt;
        return integer(leadingZeros(u, bits), t);
      }
      if (is("ctz")) {
        if (!u) return args.size() > 1 ? integer(v[1].i, t) : std::nullopt;
        return integer(trailingZeros(u, bits), t);
      }
      if (is("ffs")) return integer(u ? trailingZeros(u, bits) + 1 : 0, t);
      if (is("popcount")) return integer(popCount(u), t);
      if (is("parity")) return integer(popCount(u) & 1, t);
      if (is("clrsb")) {
        unsigned __int128 w = (u >> (bits - 1)) & 1 ? ~u & mask : u;
        return integer(leadingZeros(w, bits) - 1, t);
      }
    }
    if (n.starts_with("bswap")) {
      unsigned __int128 r = 0;
      for (unsigned k = 0; k < bits; k += 8) r = (r << 8) | ((u >> k) & 0xff);
      return integer(static_cast<__int128>(r), t);
    }
    if (n.starts_with("bitreverse")) {
      unsigned __int128 r = 0;
      for (unsigned k = 0; k < bits; ++k) r = (r << 1) | ((u >> k) & 1);
      return integer(static_cast<__int128>(r), t);
    }
    if (n.starts_with("rotateleft") || n.starts_with("rotateright")) {
      if (v.size() != 2) return std::nullopt;
      unsigned k = static_cast<unsigned>(static_cast<unsigned __int128>(v[1].i) % bits);
      if (n.starts_with("rotateright")) k = (bits - k) % bits;
      return integer(static_cast<__int128>(k ? ((u << k) | (u >> (bits - k))) & mask : u), t);
    }
    if (n == "abs" || n == "labs" || n == "llabs" || n == "imaxabs") {
      if (v[0].i < 0 && wrapInt(-v[0].i, at, target()) == v[0].i) note(EvalTrouble::Overflow);
      return integer(v[0].i < 0 ? -v[0].i : v[0].i, t);
    }
    if (n == "signbit" || n == "isnan") return integer(0, t);
    return std::nullopt;
  }
  if (!allFloat && !(n == "fpclassify" || isFamily("powi") || isFamily("ldexp") || isFamily("scalbn"))) return std::nullopt;

  __float128 x = v[0].re, y = v.size() > 1 ? v[1].re : 0;
  const Type *ft = at->isFloating() ? at : t;
  FloatFormat f = formatOf(ft->isFloating() ? ft : cx.basic(TypeKind::Double), target());
  auto smallestNormal = [&] {
    __float128 m = 1;
    for (int i = 0; i < f.maxExponent - 2; ++i) m /= 2;
    return m;
  };
  auto magnitude = [](__float128 q) { return signBit(q) ? -q : q; };
  if (v.size() == 1) {
    if (n == "isnan" || n == "isnanf" || n == "isnanl") return integer(isNan(x), t);
    if (n == "isinf" || n == "isinff" || n == "isinfl") return integer(isInf(x), t);
    if (n == "isinf_sign") return integer(isInf(x) ? (signBit(x) ? -1 : 1) : 0, t);
    if (n == "isfinite" || n == "finite" || n == "finitef" || n == "finitel") return integer(!isNan(x) && !isInf(x), t);
    if (n == "isnormal") return integer(!isNan(x) && !isInf(x) && magnitude(x) >= smallestNormal(), t);
    if (n == "issubnormal") return integer(x != 0 && !isNan(x) && magnitude(x) < smallestNormal(), t);
    if (n == "iszero") return integer(x == 0, t);
    if (n == "signbit" || n == "signbitf" || n == "signbitl") return integer(signBit(x), t);
    if (isFamily("fabs")) return strict() ? std::nullopt : floating(magnitude(x), t);
  }
  if (v.size() == 2 && allFloat) {
    bool nan = isNan(x) || isNan(y);
    if (n == "isunordered") return integer(nan, t);
    if (n == "isgreater") return integer(!nan && x > y, t);
    if (n == "isgreaterequal") return integer(!nan && x >= y, t);
    if (n == "isless") return integer(!nan && x < y, t);
    if (n == "islessequal") return integer(!nan && x <= y, t);
    if (n == "islessgreater") return integer(!nan && x != y, t);
    if (isFamily("copysign") && !strict()) return floating(signBit(y) != signBit(x) ? -x : x, t);
  }
  if (strict()) return std::nullopt;
  if (t->isFloating() && allFloat && (v.size() == 1 || v.size() == 2)) {
    std::string_view base = n;
    if (!base.empty() && t->kind == TypeKind::Float && base.back() == 'f') base.remove_suffix(1);
    else if (!base.empty() && t->kind == TypeKind::LongDouble && base.back() == 'l') base.remove_suffix(1);
    // The host's long double is the target's only on x86-64.
    if (t->kind == TypeKind::LongDouble && target().facts->quadLongDouble) return std::nullopt;
    __float128 in[2] = {x, y}, out;
    if (floatFunction(base, in, v.size(), t, target(), out)) {
      if (isNan(out) && !isNan(x) && !isNan(y)) return std::nullopt;      // a domain error belongs to run time
      if (isInf(out) && !isInf(x) && !isInf(y)) return std::nullopt;
      return floating(out, t);
    }
  }
  return std::nullopt;
}

}  // namespace cilkc
