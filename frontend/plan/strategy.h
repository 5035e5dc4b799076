// strategy.h - the table of spawn strategies (strategies.def). No code asks which strategy it is: what differs is a
// property here, or a list of steps (sites.def).
#pragma once
#include <cstdint>
#include <cstddef>
#include <string_view>

namespace cilkc {

enum class SpawnStrategy : uint8_t {
#define STRATEGY(id, name, like, properties, summary) id,
#include "frontend/plan/strategies.def"
#undef STRATEGY
};

enum class StrategyProperty : uint8_t {
  None = 0,
  TestsBeforeSpawn = 1,  // frames may be released at the test before a first spawn: an entry point of the slow clone
  // fast clones of a recursive group are inlined into each other, some levels deep, and leaves into their parents
  InlinesGroups = 2,
  TestsBeforeEach = 4,  // before every spawn, not only a first one
  Experimental = 8  // most tests leave it out: tests/compiler/test_tm580.py has its own
};
constexpr StrategyProperty operator|(StrategyProperty a, StrategyProperty b) {
  return static_cast<StrategyProperty>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}

struct StrategyInfo {
  SpawnStrategy id;
  std::string_view name, like;
  StrategyProperty properties;
  std::string_view summary;
  constexpr bool has(StrategyProperty p) const { return static_cast<uint8_t>(properties) & static_cast<uint8_t>(p); }
};

inline constexpr StrategyInfo kStrategies[] = {
#define STRATEGY(id, name, like, properties, summary) {SpawnStrategy::id, name, #like, properties, summary},
#include "frontend/plan/strategies.def"
#undef STRATEGY
};

constexpr const StrategyInfo &strategyInfo(SpawnStrategy s) { return kStrategies[static_cast<size_t>(s)]; }
constexpr const StrategyInfo *strategyNamed(std::string_view name) {
  for (auto &s : kStrategies)
    if (s.name == name) return &s;
  return nullptr;
}

}  // namespace cilkc
