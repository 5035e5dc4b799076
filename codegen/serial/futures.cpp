// futures.cpp - touches and declarations that come again have one event: what was spawned into these bytes, futures
// beside each other, is done.
#include "codegen/serial/futures.h"
#include "codegen/core/events.h"
#include "rt/core/abi.h"

namespace cilkc::cg {

bool reportsFutures(const FunctionEmitter &fe) { return fe.m.options.modes.wants(ModeProperty::Futures); }

LLVMValueRef futureAround(FunctionEmitter &fe, LLVMValueRef value) {
  LLVMValueRef offset =
      LLVMConstInt(fe.t.i64, static_cast<unsigned long long>(-static_cast<long long>(CILK_FUTURE_HEADER)), 1);
  return LLVMBuildGEP2(fe.builder, fe.t.i8, value, &offset, 1, "future");
}

void reportTouched(FunctionEmitter &fe, const TouchStmt &s, LLVMValueRef future) {
  if (!reportsFutures(fe) || !fe.open()) return;
  QualType type = s.future ? s.future->type : s.renewed->type;
  if (!future) future = s.future ? fe.lvalues.emitLvalue(s.future).ptr : fe.locals.variable(s.renewed).ptr;
  fe.events.touches(fe, s, future, fe.i64c(static_cast<int64_t>(fe.t.size(type))));
}

}  // namespace cilkc::cg
