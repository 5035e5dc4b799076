// parts.cpp - clones in parts (ClonePlan::parts): f.fast holds the first part of its body and calls the others one after another; f.slow calls the part
// that has the entry at which it is resumed, and then those behind it. Each part ends with a PartEnd. What parts share is the closure; the fast clone's,
// and whether there is one yet, is known by the address where that stands (`holder`), and its result goes straight to where f.fast keeps it.
#include <cstddef>
#include "codegen/clones/procedure.h"

namespace cilkc::cg {

static LLVMValueRef declare(Procedure &p, const char *clone, size_t number, std::vector<LLVMTypeRef> params) {
  LLVMTypeRef type = LLVMFunctionType(p.m.types->i32, params.data(), static_cast<unsigned>(params.size()), 0);
  return p.m.makeRawFunction(p.name() + clone + ".part." + std::to_string(number), type, LLVMInternalLinkage);
}

LLVMValueRef declareFastPart(Procedure &p, size_t number) { return declare(p, ".fast", number, {p.m.types->ptr, p.m.types->ptr}); }
LLVMValueRef declareSlowPart(Procedure &p, size_t number) { return declare(p, ".slow", number, {p.m.types->ptr, p.m.types->ptr, p.m.types->i32}); }

void FastClone::callParts(FunctionEmitter &fe, const std::vector<LLVMValueRef> &functions) {
  if (!fe.open()) return;
  LLVMValueRef result = p.type->result->isVoid() ? LLVMConstNull(fe.t.ptr) : fe.resultSlot().ptr;
  for (LLVMValueRef f : functions) {
    LLVMValueRef end = fe.call(LLVMGlobalGetValueType(f), f, {holder, result}, "end");
    LLVMBasicBlockRef next = fe.newBlock("next");
    LLVMValueRef sw = LLVMBuildSwitch(fe.builder, end, giveUpBlock(fe), 2);
    LLVMAddCase(sw, fe.i32c(static_cast<int>(PartEnd::Next)), next);
    LLVMAddCase(sw, fe.i32c(static_cast<int>(PartEnd::Returned)), fe.returnTarget());
    fe.close();
    fe.place(next);
  }
}

void dispatchParts(FunctionEmitter &fe, Procedure &p, const std::vector<LLVMValueRef> &functions, LLVMValueRef self, LLVMValueRef closure, LLVMValueRef entry,
    LLVMBasicBlockRef returned, LLVMBasicBlockRef left, LLVMBasicBlockRef syncs) {
  TypeLowering &t = *p.m.types;
  auto table = [&](LLVMTypeRef elem, std::vector<LLVMValueRef> values, uint32_t align, const char *name) {
    return p.m.privateConstant(LLVMConstArray2(elem, values.data(), values.size()), align, name);
  };
  std::vector<LLVMValueRef> numbers;
  for (size_t part : p.plan.partOf) numbers.push_back(LLVMConstInt(t.i32, part, 0));
  LLVMValueRef partOf = table(t.i32, std::move(numbers), 4, "cilk.part.of"), parts = table(t.ptr, functions, 8, "cilk.parts");
  LLVMValueRef part = fe.entryAlloca(t.i32, 4, "part"), at = fe.entryAlloca(t.i32, 4, "at");
  auto element = [&](LLVMTypeRef elem, LLVMValueRef array, LLVMValueRef index, uint32_t size) {
    LLVMValueRef offset = LLVMBuildMul(fe.builder, LLVMBuildZExt(fe.builder, index, t.i64, ""), fe.i64c(size), "");
    return fe.loadRaw(elem, LLVMBuildInBoundsGEP2(fe.builder, t.i8, array, &offset, 1, ""), size);
  };
  fe.storeRaw(entry, at, 4);
  fe.storeRaw(element(t.i32, partOf, entry, 4), part, 4);
  LLVMBasicBlockRef run = fe.newBlock("part"), next = fe.newBlock("next"), ended = fe.newBlock("ended");
  fe.place(run);
  LLVMValueRef number = fe.loadRaw(t.i32, part, 4);
  LLVMValueRef end = fe.call(LLVMGlobalGetValueType(functions[0]), element(t.ptr, parts, number, 8), {self, closure, fe.loadRaw(t.i32, at, 4)}, "end");
  LLVMValueRef sw = LLVMBuildSwitch(fe.builder, end, left, 3);
  LLVMAddCase(sw, fe.i32c(static_cast<int>(PartEnd::Next)), next);
  LLVMAddCase(sw, fe.i32c(static_cast<int>(PartEnd::Returned)), returned);
  LLVMAddCase(sw, fe.i32c(static_cast<int>(PartEnd::Syncs)), syncs);
  fe.close();
  fe.place(next);
  LLVMValueRef following = LLVMBuildAdd(fe.builder, fe.loadRaw(t.i32, part, 4), fe.i32c(1), "");
  fe.storeRaw(following, part, 4);
  fe.storeRaw(fe.i32c(0), at, 4);
  fe.branch(LLVMBuildICmp(fe.builder, LLVMIntULT, following, fe.i32c(static_cast<int64_t>(functions.size())), ""), run, ended);
  fe.close();
  fe.place(ended);
}

}  // namespace cilkc::cg
