// ledger.cpp - holds what a clone has made against what its plan asks for.
#include "codegen/clones/ledger.h"

namespace cilkc::cg {
namespace {

const char *text(EntryPoint::Kind kind) {
  switch (kind) {
    case EntryPoint::Start: break;
    case EntryPoint::AfterSpawn: return "a spawn";
    case EntryPoint::BeforeSpawn: return "the test before a first spawn";
    case EntryPoint::AtTouch: return "a touch";
    case EntryPoint::AtSync: return "a sync";
    case EntryPoint::AtReturn: return "the implicit sync";
  }
  return "the start";
}

}  // namespace

// Is it a place in the text that clones of this strategy obey?
bool Ledger::wanted(const EntryPoint &e) const {
  switch (e.kind) {
    case EntryPoint::Start:
    case EntryPoint::AtReturn: return false;
    case EntryPoint::BeforeSpawn: return plan.resumable(e);
    case EntryPoint::AfterSpawn:
    case EntryPoint::AtTouch:
    case EntryPoint::AtSync: break;
  }
  return true;
}

void Ledger::check(ModuleEmitter &m, const std::string &clone, const char *what, Range at, unsigned want,
    unsigned made) const {
  if (want == made) return;
  m.impossible(at, std::string(what) + (made ? " is " + std::to_string(made) + " times" : " is not") + " in the " +
                       clone + " of '" + std::string(plan.fn->name) + "', where its plan has it " +
                       (want ? "once" : "nowhere"));
}

void Ledger::checkWhole(ModuleEmitter &m, const char *clone, bool resumed) const {
  for (size_t n = 1; n < plan.entries.size(); n++) {
    const EntryPoint &e = plan.entries[n];
    check(m, clone, text(e.kind), e.range, wanted(e) || (resumed && e.kind == EntryPoint::AtReturn), entries[n]);
  }
  checkCut(m, clone);
  if (plan.take) check(m, clone, "the place where the closure is taken", plan.take->range, 1, takes);
}

void Ledger::checkCut(ModuleEmitter &m, const char *clone) const {
  if (plan.cut) check(m, clone, "the end of the leaf prefix", plan.cut->range, 1, cuts);
}

}  // namespace cilkc::cg
