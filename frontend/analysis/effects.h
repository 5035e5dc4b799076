// effects.h - what calling a function does to memory that its caller sees, as far as this unit shows it.
#pragma once
#include <string_view>
#include <unordered_map>
#include "frontend/analysis/path.h"

namespace cilkc::analysis {

// Paths whose base is a parameter of the function (through which it points), or a variable of static storage.
struct Effect {
  Path path;
  Range at;
};

struct Effects {
  bool visible = false;              // is the body in this unit?
  // it, or what it calls, takes locks or uses atomic operations: no certain warning is possible
  bool guarded = false;
  std::vector<Effect> reads, writes; // through parameters; they may happen
  // x++, x += .., x = .. x ..: they happen in several calls, if there are several
  std::vector<Effect> updates;
};

class EffectTable {
public:
  explicit EffectTable(const AstContext &cx) : paths(cx) {}
  const Effects &of(const FunctionDecl *);   // null: of an unknown function
  // The same object seen from the caller: `path` is of `callee`, `call` calls it. Without a base if that cannot be
  // said. `beyond`: the index into what the argument points to is not known, and the path ends at the argument's own
  // element.
  Path atCall(const Path &path, const FunctionDecl *callee, const Call *call, bool &beyond) const;
  // Does a call of this name order what happens around it?
  static bool synchronises(std::string_view name);

private:
  Paths paths;
  std::unordered_map<const FunctionDecl *, Effects> table;
  // Functions that are being looked at. What was found out from a function of this list is incomplete, and is found out
  // again when it is asked for after that.
  std::vector<const FunctionDecl *> open, incomplete;
  bool metOpen = false;
  friend class Collector;
};

}  // namespace cilkc::analysis
