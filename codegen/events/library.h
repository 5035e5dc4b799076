// library.h - functions of the C library in whose place a mode's program calls functions of the runtime.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>
#include "frontend/ast/ast.h"

namespace cilkc::cg {

// A mode that replaces them has their names in a table of its own, rt/tools/*/library.def.
struct Library {
  std::string_view prefix;  // of the runtime's functions
  std::unordered_set<std::string_view> names;

  // What a call of the function calls, which has this name in the object file.
  std::string called(const FunctionDecl *f, const std::string &name) const {
    std::string plain = name.substr(name.starts_with('\1'));  // asm labels: <stdio.h> has sscanf that way
    return !f->def && f->linkage == Linkage::External && names.count(plain) ? std::string(prefix) + plain : name;
  }
};

}  // namespace cilkc::cg
