// profile.cpp - -cilk-profile: generated code adds 1 to cilk_self.threads wherever a thread ends (rt/core/abi.h,
// "builds with -cilk-profile and -cilk-span").
#include <cstddef>
#include "codegen/clones/procedure.h"
#include "codegen/core/events.h"

namespace cilkc::cg {
namespace {

class ProfileEvents : public Events {
public:
  explicit ProfileEvents(ModuleEmitter &m) : ops(m) {}
  void spawns(FunctionEmitter &fe, const SpawnStmt &) override { threadEnds(fe); }
  // The sync at the end is in slow clones only: its thread ends with the procedure, as in fast ones.
  void syncs(FunctionEmitter &fe, const SyncStmt *s) override {
    if (s) threadEnds(fe);
  }
  void procedureEnds(FunctionEmitter &fe) override { threadEnds(fe); }

private:
  RuntimeOps ops;
  void threadEnds(FunctionEmitter &fe) {
    LLVMValueRef counter = ops.selfField(offsetof(cilk_worker, threads));
    fe.storeRaw(LLVMBuildAdd(fe.builder, fe.loadRaw(fe.t.i64, counter, 8), LLVMConstInt(fe.t.i64, 1, 0), "threads"),
        counter, 8);
  }
};

}  // namespace

std::unique_ptr<Events> makeProfileEvents(ModuleEmitter &m) { return std::make_unique<ProfileEvents>(m); }

}  // namespace cilkc::cg
