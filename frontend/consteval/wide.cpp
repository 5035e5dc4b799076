// wide.cpp - schoolbook arithmetic on the words of a Wide. Constants this wide are rare, so nothing here is fast.
#include "frontend/consteval/wide.h"

namespace cilkc {

Wide::Wide(__int128 v) {
  w.fill(v < 0 ? ~uint64_t(0) : 0);
  w[0] = static_cast<uint64_t>(v);
  w[1] = static_cast<uint64_t>(static_cast<unsigned __int128>(v) >> 64);
}

Wide Wide::ofUnsigned(unsigned __int128 v) {
  Wide r(static_cast<__int128>(v));
  for (unsigned i = 2; i < words; ++i) r.w[i] = 0;
  return r;
}

std::optional<Wide> Wide::parse(std::string_view s) {
  unsigned base = 10;
  if (s.size() > 1 && s[0] == '0') {
    base = s[1] == 'x' ? 16 : s[1] == 'b' ? 2 : 8;
    s.remove_prefix(base == 8 ? 1 : 2);
  }
  Wide r;
  for (char c : s) {
    unsigned __int128 carry = static_cast<unsigned>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    for (uint64_t &x : r.w) {
      carry += static_cast<unsigned __int128>(x) * base;
      x = static_cast<uint64_t>(carry);
      carry >>= 64;
    }
    if (r.w[words / 2]) return std::nullopt;
  }
  return r;
}

Wide Wide::ofFloat(__float128 x) {
  unsigned __int128 bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  int exponent = static_cast<int>(bits >> 112 & 0x7fff) - 16383;
  if (exponent < 0) return Wide();
  constexpr unsigned __int128 one = static_cast<unsigned __int128>(1) << 112;
  Wide r = ofUnsigned((bits & (one - 1)) | one).shifted(exponent - 112);
  return bits >> 127 ? -r : r;
}

uint32_t Wide::bits() const {
  const Wide &m = negative() ? ~*this : *this;
  for (unsigned i = words; i-- > 0;)
    if (m.w[i]) return 64 * i + 64 - static_cast<unsigned>(__builtin_clzll(m.w[i]));
  return 0;
}

__int128 Wide::clamped() const {
  if (bits() < 128) return low();
  auto most = static_cast<__int128>(~static_cast<unsigned __int128>(0) >> 1);
  return negative() ? -most - 1 : most;
}

Wide Wide::wrapped(unsigned width, bool sign) const {
  Wide low = *this & lowBits(width);
  return sign && (low.w[(width - 1) / 64] >> ((width - 1) % 64) & 1) ? low - Wide(1).shifted(static_cast<int>(width))
                                                                     : low;
}

Wide Wide::shifted(int left) const {
  Wide r;
  uint64_t fill = negative() ? ~uint64_t(0) : 0;
  auto at = [&](int i) { return i < 0 ? 0 : i >= static_cast<int>(words) ? fill : w[static_cast<unsigned>(i)]; };
  int whole = left >= 0 ? left / 64 : -((63 - left) / 64), part = left - whole * 64;
  for (unsigned i = 0; i < words; ++i) {
    int from = static_cast<int>(i) - whole;
    r.w[i] = part ? at(from) << part | at(from - 1) >> (64 - part) : at(from);
  }
  return r;
}

void Wide::divide(const Wide &a, const Wide &b, Wide &quotient, Wide &remainder) {
  Wide n = a.negative() ? -a : a, d = b.negative() ? -b : b, q, r;
  for (int i = static_cast<int>(n.bits()); i-- > 0;) {
    r = r.shifted(1);
    r.w[0] |= n.w[static_cast<unsigned>(i) / 64] >> (i % 64) & 1;
    if (r < d) continue;
    r = r - d;
    q.w[static_cast<unsigned>(i) / 64] |= uint64_t(1) << (i % 64);
  }
  quotient = a.negative() != b.negative() ? -q : q;
  remainder = a.negative() ? -r : r;
}

__float128 Wide::rounded(int precision) const {
  Wide m = negative() ? -*this : *this;
  int drop = static_cast<int>(m.bits()) - precision;
  if (drop > 0) {
    Wide lost = m & lowBits(static_cast<unsigned>(drop)), half = Wide(1).shifted(drop - 1);
    m = m.shifted(-drop);
    if (lost > half || (lost == half && (m.w[0] & 1))) m = m + Wide(1);
  }
  auto r = static_cast<__float128>(static_cast<unsigned __int128>(m.low()));
  for (int i = 0; i < drop; ++i) r *= 2;
  return negative() ? -r : r;
}

Wide Wide::operator~() const {
  Wide r;
  for (unsigned i = 0; i < words; ++i) r.w[i] = ~w[i];
  return r;
}

Wide operator+(const Wide &a, const Wide &b) {
  Wide r;
  unsigned __int128 carry = 0;
  for (unsigned i = 0; i < Wide::words; ++i) {
    carry += static_cast<unsigned __int128>(a.w[i]) + b.w[i];
    r.w[i] = static_cast<uint64_t>(carry);
    carry >>= 64;
  }
  return r;
}

Wide operator*(const Wide &a, const Wide &b) {
  Wide r;
  for (unsigned i = 0; i < Wide::words; ++i) {
    unsigned __int128 carry = 0;
    for (unsigned k = 0; i + k < Wide::words; ++k) {
      carry += static_cast<unsigned __int128>(a.w[i]) * b.w[k] + r.w[i + k];
      r.w[i + k] = static_cast<uint64_t>(carry);
      carry >>= 64;
    }
  }
  return r;
}

Wide operator&(const Wide &a, const Wide &b) { return ~(~a | ~b); }
Wide operator|(const Wide &a, const Wide &b) {
  Wide r;
  for (unsigned i = 0; i < Wide::words; ++i) r.w[i] = a.w[i] | b.w[i];
  return r;
}
Wide operator^(const Wide &a, const Wide &b) { return (a | b) & ~(a & b); }

std::strong_ordering operator<=>(const Wide &a, const Wide &b) {
  if (a.negative() != b.negative()) return b.negative() <=> a.negative();
  for (unsigned i = Wide::words; i-- > 0;)
    if (a.w[i] != b.w[i]) return a.w[i] <=> b.w[i];
  return std::strong_ordering::equal;
}

}  // namespace cilkc
