// syncs.h - a sync that keeps children apart that do not need each other, or that waits for no child. Private to the
// room.
#pragma once
#include <unordered_map>
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc::analysis {

// Functions that store to variables of their own alone, as do all that they call.
class PureFunctions {
public:
  bool all(const FunctionDecl *f);   // f, and what it calls; false for null

private:
  struct Body {
    bool own = false;
    std::vector<const FunctionDecl *> calls;
  };
  std::unordered_map<const FunctionDecl *, Body> known;
};

void checkSyncs(const FunctionDef *, const AstContext &, PureFunctions &, DiagnosticEngine &);

}  // namespace cilkc::analysis
