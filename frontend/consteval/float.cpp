// float.cpp - floating arithmetic in the target's formats on the host.
//
// Every value is kept in an IEEE quad, which holds all the formats. An operation on float or double is done by the host
// in that very format; long double of x86-64 is the host's own 80-bit format; _Float16 is computed in double and
// rounded, which is exact because double has more than twice its digits. No result is ever rounded twice.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include "frontend/consteval/impl.h"

// The quad precision reader of the C library, under a name that no header declares with another spelling of the type.
extern "C" __float128 cilkc_strtof128(const char *, char **) __asm__("strtof128");

namespace cilkc {

namespace {

enum Format { Half, Single, Double, Extended, Quad };

Format format(const Type *t, const TargetInfo &target) {
  switch (t->kind) {
    case TypeKind::Float16: return Half;
    case TypeKind::Float:
    case TypeKind::Float32: return Single;
    case TypeKind::LongDouble:
    case TypeKind::Float64x: return target.facts->quadLongDouble ? Quad : Extended;
    case TypeKind::Float128: return Quad;
    default: return Double;
  }
}

__float128 pow2(int n) {
  __float128 r = 1, b = n < 0 ? static_cast<__float128>(0.5) : static_cast<__float128>(2);
  for (int k = n < 0 ? -n : n; k; k >>= 1, b *= b)
    if (k & 1) r *= b;
  return r;
}

// To the nearest of 11 significant bits, ties to even; subnormals below 2^-14.
__float128 roundHalf(__float128 x) {
  if (isNan(x) || isInf(x) || x == 0) return x;
  __float128 a = x < 0 ? -x : x;
  if (a >= 65520) return x < 0 ? -static_cast<__float128>(HUGE_VAL) : static_cast<__float128>(HUGE_VAL);
  int e = -14;
  while (a >= pow2(e + 1)) ++e;
  __float128 quantum = pow2(e - 10), magic = pow2(112) * static_cast<__float128>(1.5);
  __float128 n = (a / quantum + magic) - magic;
  a = n * quantum;
  return x < 0 ? -a : a;
}

template <class T> __float128 arith(FloatOp op, __float128 a, __float128 b) {
  T x = static_cast<T>(a), y = static_cast<T>(b);
  switch (op) {
    case FloatOp::Add: return x + y;
    case FloatOp::Sub: return x - y;
    case FloatOp::Mul: return x * y;
    case FloatOp::Div: return x / y;
  }
  return 0;
}

template <class T> struct ComplexOf;
template <> struct ComplexOf<float> {
  typedef __complex__ float type;
};
template <> struct ComplexOf<double> {
  typedef __complex__ double type;
};
template <> struct ComplexOf<long double> {
  typedef __complex__ long double type;
};
template <> struct ComplexOf<__float128> {
  typedef __complex__ float type __attribute__((mode(TC)));
};

template <class T>
void complexOp(FloatOp op, __float128 a, __float128 ai, __float128 b, __float128 bi, __float128 &re, __float128 &im) {
  typename ComplexOf<T>::type x, y, r;
  __real__ x = static_cast<T>(a);
  __imag__ x = static_cast<T>(ai);
  __real__ y = static_cast<T>(b);
  __imag__ y = static_cast<T>(bi);
  switch (op) {
    case FloatOp::Add: r = x + y; break;
    case FloatOp::Sub: r = x - y; break;
    case FloatOp::Mul: r = x * y; break;
    default: r = x / y; break;
  }
  re = __real__ r;
  im = __imag__ r;
}

}  // namespace

bool isNan(__float128 x) { return x != x; }
bool isInf(__float128 x) { return x == x && x - x != 0; }
bool signBit(__float128 x) {
  unsigned __int128 bits;
  static_assert(sizeof bits == sizeof x);
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits >> 127;
}

FloatFormat formatOf(const Type *t, const TargetInfo &target) {
  switch (format(t, target)) {
    case Half: return {11, 16};
    case Single: return {24, 128};
    case Double: return {53, 1024};
    case Extended: return {64, 16384};
    case Quad: return {113, 16384};
  }
  return {53, 1024};
}

__float128 roundFloat(__float128 x, const Type *t, const TargetInfo &target) {
  switch (format(t, target)) {
    case Half: return roundHalf(x);
    case Single: return static_cast<float>(x);
    case Double: return static_cast<double>(x);
    case Extended: return static_cast<long double>(x);
    case Quad: return x;
  }
  return x;
}

__float128 parseFloat(std::string_view text, const Type *t, const TargetInfo &target) {
  std::string s;
  s.reserve(text.size());
  for (char c : text)
    if (c != '\'') s += c;
  switch (format(t, target)) {
    case Half: return roundHalf(cilkc_strtof128(s.c_str(), nullptr));
    case Single: return std::strtof(s.c_str(), nullptr);
    case Double: return std::strtod(s.c_str(), nullptr);
    case Extended: return std::strtold(s.c_str(), nullptr);
    case Quad: return cilkc_strtof128(s.c_str(), nullptr);
  }
  return 0;
}

__float128 floatArith(FloatOp op, __float128 a, __float128 b, const Type *t, const TargetInfo &target) {
  switch (format(t, target)) {
    case Half: return roundHalf(arith<double>(op, a, b));
    case Single: return arith<float>(op, a, b);
    case Double: return arith<double>(op, a, b);
    case Extended: return arith<long double>(op, a, b);
    case Quad: return arith<__float128>(op, a, b);
  }
  return 0;
}

void complexArith(FloatOp op, __float128 a, __float128 ai, __float128 b, __float128 bi, const Type *elem,
    const TargetInfo &target, __float128 &re, __float128 &im) {
  switch (elem->isFloating() ? format(elem, target) : Quad) {
    case Half:
      complexOp<float>(op, a, ai, b, bi, re, im);
      re = roundHalf(re);
      im = roundHalf(im);
      return;
    case Single: return complexOp<float>(op, a, ai, b, bi, re, im);
    case Double: return complexOp<double>(op, a, ai, b, bi, re, im);
    case Extended: return complexOp<long double>(op, a, ai, b, bi, re, im);
    case Quad: return complexOp<__float128>(op, a, ai, b, bi, re, im);
  }
}

__float128 intToFloat(__int128 v, bool isUnsigned, const Type *t, const TargetInfo &target) {
  auto u = static_cast<unsigned __int128>(v);
  switch (format(t, target)) {
    case Half: {
      // 65520 and more are infinite; anything smaller is exact in double.
      __float128 q = isUnsigned ? static_cast<__float128>(u) : static_cast<__float128>(v);
      return roundHalf(q);
    }
    case Single: return isUnsigned ? static_cast<float>(u) : static_cast<float>(v);
    case Double: return isUnsigned ? static_cast<double>(u) : static_cast<double>(v);
    case Extended: return isUnsigned ? static_cast<long double>(u) : static_cast<long double>(v);
    case Quad: return isUnsigned ? static_cast<__float128>(u) : static_cast<__float128>(v);
  }
  return 0;
}

__int128 floatToInt(__float128 x, const Type *t, const TargetInfo &target, bool &outOfRange) {
  t = enumBase(t);
  outOfRange = false;
  bool sign = isSigned(t, target);
  int bits = static_cast<int>(sizeOf(t, target) * 8);
  if (isNan(x)) {
    outOfRange = true;
    return 0;
  }
  __float128 top = pow2(sign ? bits - 1 : bits);
  auto maxValue = sign          ? (static_cast<unsigned __int128>(1) << (bits - 1)) - 1
                  : bits == 128 ? ~static_cast<unsigned __int128>(0)
                                : (static_cast<unsigned __int128>(1) << bits) - 1;
  if (x >= top) {
    outOfRange = true;
    return static_cast<__int128>(maxValue);
  }
  if (sign ? x <= -top - 1 : x <= -1) {
    outOfRange = true;
    return sign ? -static_cast<__int128>(maxValue) - 1 : 0;
  }
  if (sign && x < -top) return -static_cast<__int128>(maxValue) - 1;
  if (!sign) return x <= 0 ? 0 : static_cast<__int128>(static_cast<unsigned __int128>(x));
  return static_cast<__int128>(x);
}

bool floatFunction(BuiltinId id, const __float128 *a, size_t n, const Type *t, const TargetInfo &target,
    __float128 &result) {
  Format f = format(t, target);
  if (f == Half || f == Quad) return false;
  auto unary = [&](auto fn) {
    if (n != 1) return false;
    result = f == Single   ? static_cast<__float128>(fn(static_cast<float>(a[0])))
             : f == Double ? static_cast<__float128>(fn(static_cast<double>(a[0])))
                           : static_cast<__float128>(fn(static_cast<long double>(a[0])));
    return true;
  };
  auto binary = [&](auto fn) {
    if (n != 2) return false;
    result = f == Single ? static_cast<__float128>(fn(static_cast<float>(a[0]), static_cast<float>(a[1])))
             : f == Double
                 ? static_cast<__float128>(fn(static_cast<double>(a[0]), static_cast<double>(a[1])))
                 : static_cast<__float128>(fn(static_cast<long double>(a[0]), static_cast<long double>(a[1])));
    return true;
  };
#define UNARY(f) \
  case BuiltinId::f: return unary([](auto x) { return std::f(x); })
#define BINARY(f) \
  case BuiltinId::f: return binary([](auto x, auto y) { return std::f(x, y); })
  switch (id) {
    UNARY(sqrt);
    UNARY(floor);
    UNARY(ceil);
    UNARY(trunc);
    UNARY(round);
    UNARY(rint);
    UNARY(nearbyint);
    UNARY(sin);
    UNARY(cos);
    UNARY(tan);
    UNARY(asin);
    UNARY(acos);
    UNARY(atan);
    UNARY(sinh);
    UNARY(cosh);
    UNARY(tanh);
    UNARY(exp);
    UNARY(exp2);
    UNARY(expm1);
    UNARY(log);
    UNARY(log2);
    UNARY(log10);
    UNARY(log1p);
    UNARY(cbrt);
    BINARY(pow);
    BINARY(atan2);
    BINARY(fmod);
    BINARY(fmin);
    BINARY(fmax);
    BINARY(hypot);
    BINARY(fdim);
    default: return false;
  }
#undef UNARY
#undef BINARY
}

}  // namespace cilkc
