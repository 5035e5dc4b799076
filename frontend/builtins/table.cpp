// table.cpp - the table of builtins and the look-up by name.
#include "frontend/builtins/builtins.h"
#include <cstring>
#include <iterator>
#include <string>
#include <unordered_map>

namespace cilkc {
namespace {
const BuiltinInfo table[] = {
    {"", "", "", BuiltinId::None},
#define BUILTIN(id, name, sig, flags) {name, sig, flags, BuiltinId::id},
#define BUILTIN_OF(family, id, name, sig, flags) {name, sig, flags, BuiltinId::family},
#include "frontend/builtins/builtins.def"
#undef BUILTIN
};

const AtomicInfo atomics[] = {
#define ATOMIC(group, name, op, form, call) {AtomicGroup::group, AtomicOp::op, AtomicForm::form, call},
#include "frontend/builtins/atomics.def"
#undef ATOMIC
};

using NameMap = std::unordered_map<std::string_view, int>;

NameMap buildMap() {
  NameMap map;
  map.reserve(2 * sizeof table / sizeof *table);
  for (int i = 1; i < static_cast<int>(BuiltinId::count_); i++) {
    map.emplace(table[i].name, i);
    if (std::strchr(table[i].flags, 'L')) map.emplace(table[i].name + std::strlen("__builtin_"), i);
  }
  return map;
}

// Immutable once built, so that any number of compilations may share it.
const NameMap &nameMap() {
  static const NameMap map = buildMap();
  return map;
}
}  // namespace

const BuiltinInfo &builtinInfo(BuiltinId id) {
  int i = static_cast<int>(id);
  return table[i > 0 && i < static_cast<int>(BuiltinId::count_) ? i : 0];
}

const AtomicInfo *atomicInfo(BuiltinId id) {
  int i = static_cast<int>(id) - static_cast<int>(BuiltinId::sync_fetch_and_add);  // the first row
  return i >= 0 && i < static_cast<int>(std::size(atomics)) ? &atomics[i] : nullptr;
}

bool builtinHasFlag(BuiltinId id, char flag) { return std::strchr(builtinInfo(id).flags, flag) != nullptr; }

BuiltinId builtinByName(std::string_view name) {
  const NameMap &map = nameMap();
  if (auto it = map.find(name); it != map.end()) return static_cast<BuiltinId>(it->second);
  // __sync_fetch_and_add_4, __atomic_load_8: the size is that of the operands anyway.
  if (name.starts_with("__sync_") || name.starts_with("__atomic_")) {
    for (std::string_view size : {"_1", "_2", "_4", "_8", "_16"}) {
      if (!name.ends_with(size)) continue;
      std::string generic(name.substr(0, name.size() - size.size()));
      if (auto it = map.find(generic); it != map.end()) return static_cast<BuiltinId>(it->second);
      generic += "_n";
      if (auto it = map.find(generic); it != map.end()) return static_cast<BuiltinId>(it->second);
    }
  }
  return BuiltinId::None;
}

}  // namespace cilkc
