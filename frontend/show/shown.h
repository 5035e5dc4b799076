// shown.h - what the writers of one procedure's clones share: its plan, and the names of its variables in the text.
#pragma once
#include <set>
#include <unordered_map>
#include "frontend/plan/plan.h"
#include "frontend/show/text.h"

namespace cilkc::show {

// What all writers of one procedure share.
struct Shown {
  const SourceManager &sources;
  const ClonePlan &plan;
  const FunctionDecl *fn;
  std::string name, f;                                   // of the procedure; of the closure pointer
  std::unordered_map<const VarDecl *, std::string> names;
  std::unordered_map<const VarDecl *, std::string> slots;   // their members of the closure
  std::set<std::string> taken, members{"header", "sig", "entry", "result", "record"};

  const TypeNames &types;

  Shown(const SourceManager &, const ClonePlan &, const TypeNames &);

  static std::string unlike(std::set<std::string> &used, std::string base) {
    while (!used.insert(base).second) base += '_';
    return base;
  }
  std::string fresh(std::string base) { return unlike(taken, std::move(base)); }
  std::string decl(QualType type, std::string_view name) const { return declToC(type, name, types); }
  std::string structName() const { return "struct " + name + "_closure"; }
  std::string result() const { return decl(fn->type->as<FunctionType>()->result.unqual(), ""); }
  static bool value(const PlannedSpawn &s) { return !s.site->isVoid(); }
  bool isVoid() const { return fn->type->as<FunctionType>()->result->isVoid(); }
  std::string dummy() const;                              // the return statement of a fast clone whose frame is gone
  std::string line(Range r) const { return std::to_string(sources.presumed(r.begin).line); }
  std::string plain(const Expr *e) const {
    return sourceText(sources, e, [](const Expr *) { return std::string(); });
  }
  std::string statement(const EntryPoint &) const;       // the spawn statement as the user wrote it

private:
  void call(const VarDecl *v) {
    names[v] = fresh(v->hidden || v->name.empty() ? "hidden" : std::string(v->name));
    slots[v] = unlike(members, names[v]);
  }
};

// One body each, in clone_body.cpp.
void fastClone(Shown &, Lines &);
void slowClone(Shown &, Lines &);
void inletBody(Shown &, Lines &, const FunctionDef *);
std::string receiverText(Shown &, const Expr *);  // an expression as a delivery to a stolen parent writes it
std::string deliveryText(Shown &, const PlannedSpawn &, const std::string &result, const std::string &receiver,
    const std::vector<std::string> &args);

}  // namespace cilkc::show
