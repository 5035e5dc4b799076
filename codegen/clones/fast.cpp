// fast.cpp - emits fast clones and their copies: the same steps for every strategy (frontend/plan/strategies.def),
// whose factories are called here and nowhere else.
#include "codegen/clones/procedure.h"

namespace cilkc::cg {

#define STRATEGY(id, name, properties, summary) \
  std::unique_ptr<FastClone> make##id##Clone(Procedure &, RuntimeOps &, LLVMValueRef mark, size_t levels);
#include "frontend/plan/strategies.def"
#undef STRATEGY

static std::unique_ptr<FastClone> makeFastClone(Procedure &p, RuntimeOps &ops, LLVMValueRef mark, size_t levels) {
  switch (p.m.options.spawn) {
#define STRATEGY(id, name, properties, summary) \
  case SpawnStrategy::id: return make##id##Clone(p, ops, mark, levels);
#include "frontend/plan/strategies.def"
#undef STRATEGY
  }
  return nullptr;
}

static void emit(FastClone &clone, Procedure &p, LLVMValueRef function, bool leaf = false) {
  FunctionEmitter fe(p.m, function, p.fn, clone);
  fe.begin();
  fe.bindParameters(p.m.types->abi(p.type));
  clone.setConstants(fe);
  fe.emitBody(*p.fn->def);
  leaf ? clone.met.checkCut(p.m, "leaf copy") : clone.met.checkWhole(p.m, "fast clone", false);
  leaveUnoptimized(p, function);
  fe.finish();
  if (!leaf) verifyFast(p, function, clone.closureHolder());
}

static LLVMValueRef markOf(LLVMValueRef copy) { return LLVMGetParam(copy, LLVMCountParams(copy) - 1); }

void emitFast(Procedure &p, RuntimeOps &ops) { emit(*makeFastClone(p, ops, nullptr, p.plan.levels), p, p.fast); }

void emitFastCopy(Procedure &p, RuntimeOps &ops, LLVMValueRef copy, size_t levels) {
  emit(*makeFastClone(p, ops, markOf(copy), levels), p, copy);
}

void emitLeafCopy(Procedure &p, RuntimeOps &ops, LLVMValueRef copy) {
  emit(*makeLeafClone(p, ops, markOf(copy)), p, copy, true);
}

}  // namespace cilkc::cg
