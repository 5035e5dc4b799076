// weigh.cpp - the weights of the text (frontend/plan/weights.h), told where control reaches it: stmt.cpp does so for each full expression, the files of
// expressions for what is evaluated under a condition. C headers of the system weigh nothing, so that their inline functions, which differ between levels
// of optimisation, do not show.
#include "codegen/events/events.h"
#include "codegen/function.h"
#include "frontend/plan/weights.h"

namespace cilkc::cg {

void FunctionEmitter::weigh(uint64_t units, Loc where) {
  if (units && open() && where.valid() && (!m.diags.sources().inSystemHeader(where) || m.diags.sources().inCilkFile(where))) events.units(*this, units, expansion ? expansion->place : where);
}

void FunctionEmitter::weigh(const Expr *e) {
  if (weighing && e) weigh(weightOf(e, m.ast), e->range.begin);
}

void FunctionEmitter::weighCondition(const Expr *e) {
  if (weighing && e) weigh(weightOf(e, m.ast) + unitsOf(Operation::Branch), e->range.begin);
}

void FunctionEmitter::weigh(const Initializer *init, Loc where) {
  if (weighing && init) weigh(weightOf(init, m.ast), where);
}

void FunctionEmitter::weighStatement(const Stmt *s) {
  if (weighing) weigh(unitsOf(Operation::Builtin), s->range.begin);
}

}  // namespace cilkc::cg
