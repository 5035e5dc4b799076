// explore.h - the points of -cilk-explore, for this mode and for -cilk-step, which adds to each what the program's
// variables are (step.cpp).
#pragma once
#include "codegen/core/events.h"
#include "codegen/events/escape.h"
#include "rt/core/abi.h"

namespace cilkc::cg {

class ExploreEvents : public Events {
public:
  explicit ExploreEvents(ModuleEmitter &me) : m(me) {}

  void access(FunctionEmitter &, const Access &) override;
  void procedureBegins(FunctionEmitter &) override;
  void spawns(FunctionEmitter &fe, const SpawnStmt &s) override { point(fe, CILK_PLACE_SPAWN, nullptr, s.spawned); }
  void delivers(FunctionEmitter &, const SpawnStmt &s) override { delivering = s.form != SpawnForm::Inlet; }
  void delivered(FunctionEmitter &, const SpawnStmt &) override { delivering = false; }
  void calls(FunctionEmitter &, const CallSite &) override;
  std::string externalName(const FunctionDecl *, const std::string &name) override;

protected:
  ModuleEmitter &m;
  // The point comes next; access: what is done there, if it is one.
  virtual void beforePoint(FunctionEmitter &, const Access *) {}
  LLVMValueRef text(const std::string &);

private:
  std::unordered_map<std::string, LLVMValueRef> texts, sites;
  Escapes escapes;
  bool delivering = false;  // the delivery of a child is one with its parent's strand

  void point(FunctionEmitter &, int kind, LLVMValueRef place, Range where, const std::string &written = {},
      const Access * = nullptr);
  LLVMValueRef site(FunctionEmitter &, Range where, std::string written);
};

}  // namespace cilkc::cg
