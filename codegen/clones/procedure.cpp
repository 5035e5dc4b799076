// procedure.cpp - asserts the limits of this code generator for a procedure. frontend/analysis has reported programs
// that exceed them.
#include "codegen/clones/procedure.h"
#include "frontend/analysis/limits.h"

namespace cilkc::cg {

static_assert(kLargestLocalAlign == CILK_FREE_UNIT);

Procedure::Procedure(ModuleEmitter &m, const ClonePlan &plan)
    : m(m), plan(plan), fn(plan.fn), type(plan.fn->type->as<FunctionType>()) {
  for (auto &s : plan.spawns) {
    QualType result = s.site->type()->result;
    // as far as cilk_entry's fields reach
    if (s.record.size > UINT32_MAX || (!result->isVoid() && m.types->size(result) > UINT32_MAX))
      m.impossible(s.site->spawned, "a spawn with a result or inlet arguments of more than 4 gigabytes");
  }
  for (auto *v : plan.closure.variables)
    if (slotAlign(v, m.ast.target) > CILK_FREE_UNIT)
      m.impossible(Range{Loc{v->range.begin.raw}, Loc{v->range.end.raw}},
          "alignment above 64 bytes for a local of a cilk procedure");
}

}  // namespace cilkc::cg
