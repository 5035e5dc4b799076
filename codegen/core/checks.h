// checks.h - the checks of -fsanitize=undefined: their names, groups and bits. What each emits is in ubsan.cpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace cilkc {

enum class Check : uint8_t {
  Alignment,
  Bool,
  Bounds,
  Builtin,
  FloatCast,
  FloatDivide,
  IntegerDivide,
  NonnullArgument,
  Null,
  ObjectSize,
  PointerOverflow,
  ReturnsNonnull,
  ShiftBase,
  ShiftExponent,
  SignedOverflow,
  Unreachable,
  UnsignedOverflow,
  VlaBound,
};

using CheckSet = uint32_t;           // one bit for each Check
constexpr CheckSet bitOf(Check c) { return CheckSet(1) << static_cast<unsigned>(c); }

// The checks that a word of -fsanitize= means, a single one or a group; nothing for an unknown word. Words for what C
// has not ("enum", "vptr") are empty sets.
std::optional<CheckSet> checksNamed(std::string_view word);
constexpr CheckSet allChecks = ~CheckSet(0);

}  // namespace cilkc
