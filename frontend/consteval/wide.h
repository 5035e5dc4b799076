// wide.h - the values of _BitInts wider than 128 bits: two's complement in words enough for the exact sum, product or
// shifted value of any two of them. So an operation is done exactly and then wrapped to its type, and whether that
// changed it says whether it overflowed.
#pragma once
#include <array>
#include <compare>
#include <optional>
#include <string_view>
#include "frontend/types/type.h"

namespace cilkc {

class Wide {
public:
  static constexpr unsigned words = 2 * maxBitInt / 64 + 2;
  Wide(__int128 v = 0);
  static Wide ofUnsigned(unsigned __int128);
  // digits after 0x, 0b, 0 or nothing; nothing if they are far too many
  static std::optional<Wide> parse(std::string_view);
  static Wide ofFloat(__float128);                              // truncated; finite and below 2^maxBitInt
  static Wide lowBits(unsigned n) { return Wide(1).shifted(static_cast<int>(n)) - Wide(1); }

  bool negative() const { return w[words - 1] >> 63; }
  bool zero() const { return *this == Wide(); }
  uint32_t bits() const;                                        // without those that repeat the sign
  uint64_t word(unsigned i) const { return w[i]; }
  __int128 low() const { return static_cast<__int128>(static_cast<unsigned __int128>(w[1]) << 64 | w[0]); }
  __int128 clamped() const;                                     // the nearest that an __int128 holds
  Wide wrapped(unsigned width, bool sign) const;
  Wide shifted(int left) const;                                 // negative: to the right, towards minus infinity
  static void divide(const Wide &, const Wide &, Wide &quotient, Wide &remainder);   // towards zero, as C does
  __float128 rounded(int precision) const;                      // to so many significant bits, ties to even

  Wide operator~() const;
  Wide operator-() const { return ~*this + Wide(1); }
  friend Wide operator+(const Wide &, const Wide &);
  friend Wide operator-(const Wide &a, const Wide &b) { return a + -b; }
  friend Wide operator*(const Wide &, const Wide &);
  friend Wide operator&(const Wide &, const Wide &);
  friend Wide operator|(const Wide &, const Wide &);
  friend Wide operator^(const Wide &, const Wide &);
  friend bool operator==(const Wide &, const Wide &) = default;
  friend std::strong_ordering operator<=>(const Wide &, const Wide &);

private:
  std::array<uint64_t, words> w;
};

}  // namespace cilkc
