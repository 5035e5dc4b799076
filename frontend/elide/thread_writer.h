// thread_writer.h - the text of one procedure of Cilk-5 as threads of Cilk-1. Private to elide/.
#pragma once
#include <string>
#include <unordered_set>
#include "frontend/elide/inlets.h"
#include "frontend/plan/plan.h"

namespace cilkc {

struct ThreadWriter {
  const TranslationUnit &unit;
  const UnitPlan &plans;
  const SourceManager &sources;
  const TypeNames &types;
  std::unordered_set<std::string> &taken;
  const std::unordered_set<const FunctionDecl *> &threads;     // the procedures that become threads

  // `thread f(cont int k, int n)`; without names where k is empty
  std::string head(const FunctionDecl *, const std::string &k);
  std::string write(const FunctionDef &);
  std::string unlike(const std::string &base) const;           // a name that the program does not use
  std::string fresh(const std::string &base);                  // the same, and it is not given out again
};

}  // namespace cilkc
