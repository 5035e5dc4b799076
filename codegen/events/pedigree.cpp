// pedigree.cpp - pedigrees: calls of the runtime where the strands of an instance begin (rt/core/abi.h, "pedigrees").
// Each instance has a frame, a hidden variable of its procedure (FunctionDecl::pedigree), which does not move at a
// steal.
//
// A child that is called is a part of its parent, and so are the halves of a loop: no event is reported for them, and
// they find the parent's level.
#include <algorithm>
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "rt/core/abi.h"

namespace cilkc::cg {
namespace {

static_assert(FunctionDecl::PedigreeWords == CILK_PEDIGREE_WORDS);

class PedigreeEvents : public Events {
public:
  void procedureBegins(FunctionEmitter &fe) override { emit(fe, "cilk_rt_pedigree_begin"); }
  void procedureEnds(FunctionEmitter &fe) override {
    bool joins = !fe.fn->isLoop &&
                 std::any_of(fe.fn->spawns.begin(), fe.fn->spawns.end(), [](const SpawnStmt *s) { return !s->called; });
    emit(fe, "cilk_rt_pedigree_end", fe.i32c(joins));
  }
  void spawns(FunctionEmitter &fe, const SpawnStmt &s) override {
    if (!s.called) emit(fe, "cilk_rt_pedigree_spawn");
  }
  void spawnReturned(FunctionEmitter &fe, const SpawnStmt &) override { resumes(fe); }
  void resumes(FunctionEmitter &fe) override { emit(fe, "cilk_rt_pedigree_resume"); }
  void syncs(FunctionEmitter &fe, const SyncStmt *s) override {
    if (s) emit(fe, "cilk_rt_pedigree_join", fe.i32c(fe.fn && fe.fn->isLoop));
  }
  void iterationBegins(FunctionEmitter &fe, Range, const VarDecl *number) override {
    if (!number) return;
    Address k = fe.locals.variable(number);
    emit(fe, "cilk_rt_pedigree_iteration", fe.loadRaw(fe.t.i64, k.ptr, k.align));
  }

private:
  static void emit(FunctionEmitter &fe, const char *event, LLVMValueRef with = nullptr) {
    if (!fe.fn || !fe.fn->pedigree) return;
    std::vector<LLVMValueRef> arguments{fe.locals.variable(fe.fn->pedigree).ptr};
    if (with) arguments.push_back(with);
    fe.callRuntime(event, fe.t.voidTy, arguments);
  }
};

}  // namespace

std::unique_ptr<Events> makePedigreeEvents(ModuleEmitter &) { return std::make_unique<PedigreeEvents>(); }

}  // namespace cilkc::cg
