// modes.cpp - the modes of one compilation as one object.
#include "codegen/core/events.h"

namespace cilkc::cg {

#define MODE(id, name, properties, summary) std::unique_ptr<Events> make##id##Events(ModuleEmitter &);
#include "frontend/plan/modes.def"
#undef MODE

namespace {

class AllEvents : public Events {
public:
  std::vector<std::unique_ptr<Events>> modes;

#define TELL(name, parameters, arguments) \
  void name parameters override { \
    for (auto &m : modes) m->name arguments; \
  }
  TELL(functionBegins, (FunctionEmitter & fe), (fe))
  TELL(functionEnds, (FunctionEmitter & fe), (fe))
  TELL(procedureBegins, (FunctionEmitter & fe), (fe))
  TELL(parametersBound, (FunctionEmitter & fe), (fe))
  TELL(procedureEnds, (FunctionEmitter & fe), (fe))
  TELL(resumes, (FunctionEmitter & fe), (fe))
  TELL(spawns, (FunctionEmitter & fe, const SpawnStmt &s), (fe, s))
  TELL(receiver, (FunctionEmitter & fe, const SpawnStmt &s, const Address &a), (fe, s, a))
  TELL(callsRoot, (FunctionEmitter & fe, LLVMValueRef arguments), (fe, arguments))
  TELL(rootReturned, (FunctionEmitter & fe), (fe))
  TELL(rootBegins, (FunctionEmitter & fe, LLVMValueRef arguments), (fe, arguments))
  TELL(spawnReturned, (FunctionEmitter & fe, const SpawnStmt &s), (fe, s))
  TELL(delivers, (FunctionEmitter & fe, const SpawnStmt &s), (fe, s))
  TELL(delivered, (FunctionEmitter & fe, const SpawnStmt &s), (fe, s))
  TELL(syncs, (FunctionEmitter & fe, const SyncStmt *s), (fe, s))
  TELL(synced, (FunctionEmitter & fe), (fe))
  TELL(releases, (FunctionEmitter & fe), (fe))
  TELL(fills, (FunctionEmitter & fe, const SpawnStmt &s, LLVMValueRef future), (fe, s, future))
  TELL(touches, (FunctionEmitter & fe, const TouchStmt &s, LLVMValueRef future, LLVMValueRef size),
      (fe, s, future, size))
  TELL(waits, (FunctionEmitter & fe, const TouchStmt &s), (fe, s))
  TELL(posts, (FunctionEmitter & fe, Range where), (fe, where))
  TELL(aborts, (FunctionEmitter & fe), (fe))
  TELL(asksSynched, (FunctionEmitter & fe, LLVMValueRef answer), (fe, answer))
  TELL(inletBegins, (FunctionEmitter & fe, const FunctionDecl *inlet), (fe, inlet))
  TELL(inletEnds, (FunctionEmitter & fe, const FunctionDecl *inlet), (fe, inlet))
  TELL(units, (FunctionEmitter & fe, uint64_t n, Loc where), (fe, n, where))
  TELL(unitsOfLibrary, (FunctionEmitter & fe, uint64_t n, Loc where), (fe, n, where))
  TELL(unitsMeasured, (FunctionEmitter & fe, LLVMValueRef n, Loc where), (fe, n, where))
  TELL(loopBegins, (FunctionEmitter & fe, Range r), (fe, r))
  TELL(iterationBegins, (FunctionEmitter & fe, Range r, const VarDecl *number), (fe, r, number))
  TELL(loopEnds, (FunctionEmitter & fe, Range r), (fe, r))
  TELL(leavesForGood, (FunctionEmitter & fe), (fe))
  TELL(functionEmitted, (FunctionEmitter & fe), (fe))
  TELL(access, (FunctionEmitter & fe, const Access &a), (fe, a))
  TELL(calls, (FunctionEmitter & fe, const CallSite &s), (fe, s))
  TELL(returned, (FunctionEmitter & fe, const CallSite &s), (fe, s))
  TELL(objectBegins, (FunctionEmitter & fe, const Object &o), (fe, o))
  TELL(objectEnds, (FunctionEmitter & fe, const Object &o), (fe, o))
  TELL(workersOwn, (FunctionEmitter & fe, const Address &a), (fe, a))
  TELL(unitEnds, (), ())
  TELL(prepares, (const std::function<void(const std::string &)> &failed), (failed))
#undef TELL

  std::string externalName(const FunctionDecl *f, const std::string &name) override {
    std::string n = name;
    for (auto &m : modes) n = m->externalName(f, n);
    return n;
  }
  LLVMValueRef synched(FunctionEmitter &fe) override {
    for (auto &m : modes)
      if (LLVMValueRef v = m->synched(fe)) return v;
    return nullptr;
  }
  LLVMValueRef view(FunctionEmitter &fe, const std::vector<LLVMValueRef> &of, bool begins) override {
    for (auto &m : modes)
      if (LLVMValueRef v = m->view(fe, of, begins)) return v;
    return nullptr;
  }
  LLVMValueRef measured(FunctionEmitter &fe, bool criticalPath) override {
    for (auto &m : modes)
      if (LLVMValueRef v = m->measured(fe, criticalPath)) return v;
    return LLVMConstNull(fe.t.i64);
  }
};

}  // namespace

std::unique_ptr<Events> makeEvents(ModuleEmitter &m) {
  auto all = std::make_unique<AllEvents>();
  auto add = [&](Mode mode, std::unique_ptr<Events> (*make)(ModuleEmitter &)) {
    if (!m.options.modes.contains(mode)) return;
    if (auto events = make(m)) all->modes.push_back(std::move(events));
  };
#define MODE(id, name, properties, summary) add(Mode::id, make##id##Events);
#include "frontend/plan/modes.def"
#undef MODE
  return all;
}

}  // namespace cilkc::cg
