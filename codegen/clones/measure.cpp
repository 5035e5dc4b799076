// measure.cpp - what -cilk-profile and -cilk-span add to the clones: calls where threads begin and end (rt/abi.h, "builds with -cilk-profile and -cilk-span").
// Without those flags nothing here emits anything. In a span build every instance has its closure from its entry on, which holds its work and span.
#include "codegen/clones/measure.h"
#include <cstddef>
#include "codegen/clones/procedure.h"

namespace cilkc::cg {

void CloneBody::countThread(FunctionEmitter &fe) {
  if (!p.m.options.cilkProfile) return;
  LLVMValueRef counter = ops.selfField(offsetof(cilk_worker, threads));
  fe.storeRaw(LLVMBuildAdd(fe.builder, fe.loadRaw(fe.t.i64, counter, 8), LLVMConstInt(fe.t.i64, 1, 0), "threads"), counter, 8);
}

void CloneBody::spanEvent(FunctionEmitter &fe, const char *event) {
  if (p.m.options.cilkSpan) fe.callRuntime(event, fe.t.voidTy, {closure(fe)});
}

void CloneBody::threadEnds(FunctionEmitter &fe) {
  countThread(fe);
  spanEvent(fe, "cilk_rt_span_end");
}

LLVMValueRef emitSpanQuery(FunctionEmitter &fe, const char *query) {
  auto *clone = fe.m.options.cilkSpan && !fe.m.options.serial ? dynamic_cast<CloneBody *>(&fe.strategy) : nullptr;
  if (!clone) return LLVMConstNull(fe.t.i64);
  return fe.callRuntime(query, fe.t.i64, {clone->instance(fe)});
}

}  // namespace cilkc::cg
