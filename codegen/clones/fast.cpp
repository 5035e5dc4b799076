// fast.cpp - emits fast clones and their copies: the same steps for every strategy (frontend/plan/strategies.def), whose factories are called here and nowhere else.
#include "codegen/clones/procedure.h"

namespace cilkc::cg {

#define STRATEGY(id, name, properties, summary) std::unique_ptr<FastClone> make##id##Clone(Procedure &, RuntimeOps &, LLVMValueRef mark, size_t levels);
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

// The parts behind the first.
static std::vector<LLVMValueRef> emitParts(Procedure &p, RuntimeOps &ops) {
  std::vector<LLVMValueRef> functions;
  for (size_t i = 1; i < p.plan.parts.size(); i++) {
    LLVMValueRef function = declareFastPart(p, i);
    functions.push_back(function);
    auto clone = makeFastClone(p, ops, nullptr, 0);
    clone->isPart = true;
    FunctionEmitter fe(p.m, function, p.fn, *clone);
    fe.begin();
    if (QualType r = p.type->result; !r->isVoid()) {
      Address result{LLVMGetParam(function, 1), p.m.types->align(r), r.unqual()};
      result.own = true;
      fe.resultsGoTo(result);
    }
    clone->setConstants(fe);
    fe.emitPart(*p.fn->def, p.plan.parts[i].from, p.plan.parts[i].to);
    clone->fallOff(fe);
    clone->tail(fe);
    leaveUnoptimized(p, function);
    fe.finish();
  }
  return functions;
}

static void emitInParts(Procedure &p, RuntimeOps &ops) {
  std::vector<LLVMValueRef> functions = emitParts(p, ops);
  auto clone = makeFastClone(p, ops, nullptr, 0);
  FunctionEmitter fe(p.m, p.fast, p.fn, *clone);
  fe.begin();
  fe.bindParameters(p.m.types->abi(p.type));
  clone->setConstants(fe);
  fe.emitPart(*p.fn->def, p.plan.parts[0].from, p.plan.parts[0].to);
  clone->callParts(fe, functions);
  if (fe.open()) clone->fallOff(fe);
  clone->tail(fe);
  leaveUnoptimized(p, p.fast);
  fe.finish();
}

static void emit(FastClone &clone, Procedure &p, LLVMValueRef function) {
  FunctionEmitter fe(p.m, function, p.fn, clone);
  fe.begin();
  fe.bindParameters(p.m.types->abi(p.type));
  clone.setConstants(fe);
  fe.emitBody(*p.fn->def);
  clone.tail(fe);
  leaveUnoptimized(p, function);
  fe.finish();
}

static LLVMValueRef markOf(LLVMValueRef copy) { return LLVMGetParam(copy, LLVMCountParams(copy) - 1); }

void emitFast(Procedure &p, RuntimeOps &ops) {
  if (p.plan.parts.empty()) emit(*makeFastClone(p, ops, nullptr, p.plan.levels), p, p.fast);
  else emitInParts(p, ops);
}

void emitFastCopy(Procedure &p, RuntimeOps &ops, LLVMValueRef copy, size_t levels) { emit(*makeFastClone(p, ops, markOf(copy), levels), p, copy); }

void emitLeafCopy(Procedure &p, RuntimeOps &ops, LLVMValueRef copy) { emit(*makeLeafClone(p, ops, markOf(copy)), p, copy); }

}  // namespace cilkc::cg
