// defaults.cpp - the default strategy: a C function, in which a spawn is a call.
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "codegen/serial/futures.h"

namespace cilkc::cg {

void BodyStrategy::emitSpawn(FunctionEmitter &fe, const SpawnStmt &s) {
  Address receiver;
  std::vector<RValue> extra, args;
  std::vector<QualType> types;
  if (s.delivery) receiver = fe.lvalues.emitLvalue(s.receiver());
  if (s.inlet) fe.stmts.emitInletArgs(s, extra);
  const FunctionDecl *direct = nullptr;
  LLVMValueRef callee = fe.calls.emitCallee(s.call, direct);
  fe.calls.emitArgs(s.call, args, types);
  for (RValue &v : args)                  // an object that is an argument is read here, not by the child
    if (v.kind == RValue::Aggregate) {
      fe.memory.access(v.addr, AccessMode::Read);
      v.addr.own = true;
    }
  fe.events.spawns(fe, s);
  RValue result = fe.calls.emitCallTo(callee, s.type(), args, types, {}, direct);
  fe.stmts.emitDelivery(s, result, receiver, extra);
  if (s.fills && reportsFutures(fe) && fe.open()) fe.events.fills(fe, s, futureAround(fe, receiver.ptr));
  fe.events.spawnReturned(fe, s);
}
LLVMValueRef BodyStrategy::emitSynched(FunctionEmitter &fe, const Synched *) { return fe.i32c(1); }
LLVMValueRef BodyStrategy::emitWanted(FunctionEmitter &fe, bool begun) { return fe.i32c(!begun); }
void BodyStrategy::bodyBegins(FunctionEmitter &fe) { fe.events.functionBegins(fe); }
void BodyStrategy::epilogue(FunctionEmitter &fe) { fe.events.functionEnds(fe); }
void BodyStrategy::emitReturn(FunctionEmitter &fe, const ReturnStmt *s) {
  fe.emitReturnValue(s->value);
  fe.emitReturnJump();
}
void BodyStrategy::fallOff(FunctionEmitter &fe) {
  const FunctionDecl *f = fe.fn;
  if ((f->name == "main" || (f->isCilk && f->name == "cilk_main")) && !f->parent &&
      f->type->as<FunctionType>()->result->isInteger())
    fe.memory.storeScalar(fe.resultSlot(), LLVMConstNull(fe.t.value(f->type->as<FunctionType>()->result)));
  else if (!f->type->as<FunctionType>()->result->isVoid()) fe.resultSlot();
  fe.emitReturnJump();
}
LLVMValueRef BodyStrategy::allocateDynamic(FunctionEmitter &fe, LLVMValueRef size, uint32_t align, const VarDecl *) {
  LLVMValueRef a = LLVMBuildArrayAlloca(fe.builder, fe.t.i8, size, "vla");
  LLVMSetAlignment(a, align < 16 ? 16 : align);
  return a;
}
LLVMValueRef BodyStrategy::dynamicMark(FunctionEmitter &fe, const VarDecl *) {
  LLVMValueRef mark = fe.entryAlloca(fe.t.ptr, 8, "saved.stack");
  fe.storeRaw(fe.callIntrinsic("llvm.stacksave", {fe.t.ptr}, {}), mark, 8);
  return mark;
}
void BodyStrategy::dynamicReset(FunctionEmitter &fe, LLVMValueRef mark) {
  fe.callIntrinsic("llvm.stackrestore", {fe.t.ptr}, {fe.loadRaw(fe.t.ptr, mark, 8)});
}
LLVMValueRef BodyStrategy::cilkAlloca(FunctionEmitter &fe, LLVMValueRef size) { return allocateDynamic(fe, size, 16); }

}  // namespace cilkc::cg
