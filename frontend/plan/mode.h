// mode.h - the table of instrumentation modes (modes.def), and sets of them. What a mode wants of the clones is a
// property; what it adds to them is its implementation of Events (codegen/events/). No code asks which mode it is.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cilkc {

enum class Mode : uint8_t {
#define MODE(id, name, properties, summary) id,
#include "frontend/plan/modes.def"
#undef MODE
};

enum class ModeProperty : uint16_t {
  None = 0,
  // every frame has its events itself: no inlined copies of clones, no leaves in place of spawns
  EventsInPlace = 1,
  ClosureFirst = 2,       // every instance has its closure from its entry on
  ClosuresByRuntime = 4,  // the runtime takes and gives closures, not the code of the clones
  NamesSlots = 8,         // signatures give the names and types of slots, as with -g
  AnyRuntime = 64,        // asks nothing of the runtime: not part of what objects agree on at link time
  Accesses = 16,          // sees every access to memory of the user's code (Events::access)
  OwnForm = 256,          // its objects go together with each other only (abi_tags.def: form)
  // sees which future a child fills and a touch waits for, in the elision too (Events::fills, touches)
  Futures = 512,
  Objects = 128,          // sees where objects begin and end (Events::objectBegins, objectEnds)
  Serial = 1024,          // the serial form has it, too, and its objects agree on it
  Units = 32              // sees how much each stretch of the user's code weighs (Events::units)
};
constexpr ModeProperty operator|(ModeProperty a, ModeProperty b) {
  return static_cast<ModeProperty>(static_cast<uint16_t>(a) | static_cast<uint16_t>(b));
}

struct ModeInfo {
  Mode id;
  std::string_view name;
  ModeProperty properties;
  std::string_view summary;
  constexpr bool has(ModeProperty p) const { return static_cast<uint16_t>(properties) & static_cast<uint16_t>(p); }
};

inline constexpr ModeInfo kModes[] = {
#define P(property) | ModeProperty::property
#define MODE(id, name, properties, summary) {Mode::id, name, ModeProperty::None properties, summary},
#include "frontend/plan/modes.def"
#undef MODE
#undef P
};

class ModeSet {
public:
  constexpr void add(Mode m) { bits |= 1u << static_cast<unsigned>(m); }
  constexpr bool contains(Mode m) const { return bits >> static_cast<unsigned>(m) & 1; }
  constexpr bool empty() const { return !bits; }
  constexpr bool wants(ModeProperty p) const {          // does any of them?
    for (auto &m : kModes)
      if (contains(m.id) && m.has(p)) return true;
    return false;
  }
private:
  uint32_t bits = 0;
};

// The mode that cilkc1's option --cilk-NAME chooses.
constexpr const ModeInfo *modeNamed(std::string_view name) {
  for (auto &m : kModes)
    if (m.name == name) return &m;
  return nullptr;
}

}  // namespace cilkc
