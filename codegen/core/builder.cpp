// builder.cpp - blocks, calls and addresses of one LLVM function. Its memory functions are in memory.cpp.
//
// Allocas are at the head of the entry block, so that LLVM promotes them and a clone may enter anywhere.
#include "codegen/core/builder.h"
#include <utility>
#include "codegen/shim/shim.h"
#include "codegen/core/target.h"

namespace cilkc::cg {

FunctionBuilder::FunctionBuilder(ModuleEmitter &me, LLVMValueRef f)
    : m(me), t(*me.types), context(me.context), builder(LLVMCreateBuilderInContext(me.context)), function(f) {
  if (m.options.roundingMath || m.options.trappingMath)
    shimConstrainFloats(builder, m.options.roundingMath, m.options.trappingMath);
}

FunctionBuilder::~FunctionBuilder() { LLVMDisposeBuilder(builder); }

// ---- blocks -------------------------------------------------------------------------------------------------------

LLVMBasicBlockRef FunctionBuilder::newBlock(const char *name) { return LLVMCreateBasicBlockInContext(context, name); }

bool FunctionBuilder::open() const {
  LLVMBasicBlockRef b = LLVMGetInsertBlock(builder);
  return b && !LLVMGetBasicBlockTerminator(b);
}

void FunctionBuilder::place(LLVMBasicBlockRef b) {
  LLVMBasicBlockRef cur = LLVMGetInsertBlock(builder);
  if (open()) LLVMBuildBr(builder, b);
  if (LLVMGetBasicBlockParent(b)) LLVMMoveBasicBlockAfter(b, LLVMGetLastBasicBlock(function));
  else if (cur && LLVMGetBasicBlockParent(cur)) {
    LLVMAppendExistingBasicBlock(function, b);
    if (LLVMGetLastBasicBlock(function) != b) LLVMMoveBasicBlockAfter(b, LLVMGetLastBasicBlock(function));
  } else LLVMAppendExistingBasicBlock(function, b);
  LLVMPositionBuilderAtEnd(builder, b);
}

void FunctionBuilder::ensureOpen() {
  if (!open()) {
    LLVMBasicBlockRef b = LLVMAppendBasicBlockInContext(context, function, "dead");
    LLVMPositionBuilderAtEnd(builder, b);
  }
}

void FunctionBuilder::jump(LLVMBasicBlockRef b) {
  if (open()) LLVMBuildBr(builder, b);
}

void FunctionBuilder::branch(LLVMValueRef c, LLVMBasicBlockRef yes, LLVMBasicBlockRef no, int expect) {
  if (!open()) return;
  if (LLVMIsAConstantInt(c)) {
    jump(LLVMConstIntGetZExtValue(c) ? yes : no);
    return;
  }
  if (expect >= 0 && m.optimizing())
    c = callIntrinsic("llvm.expect", {t.i1}, {c, LLVMConstInt(t.i1, expect != 0, false)});
  LLVMBuildCondBr(builder, c, yes, no);
}

void FunctionBuilder::cutLongBlock() {
  constexpr unsigned many = 32;
  if (calls < many || m.optimizing() || counted != LLVMGetInsertBlock(builder) || !open()) return;
  place(newBlock("more"));
}

void FunctionBuilder::emitTrap() {
  callIntrinsic("llvm.trap", {}, {});
  LLVMBuildUnreachable(builder);
}

// ---- calls --------------------------------------------------------------------------------------------------------

LLVMValueRef FunctionBuilder::call(LLVMTypeRef type, LLVMValueRef callee, std::vector<LLVMValueRef> args,
    const char *name) {
  if (std::exchange(counted, LLVMGetInsertBlock(builder)) != counted) calls = 0;
  calls++;
  return LLVMBuildCall2(builder, type, callee, args.data(), static_cast<unsigned>(args.size()),
      LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind ? "" : name);
}

LLVMValueRef FunctionBuilder::callIntrinsic(const char *name, std::vector<LLVMTypeRef> overloads,
    std::vector<LLVMValueRef> args) {
  LLVMValueRef f = m.intrinsic(name, overloads);
  if (!f) return LLVMGetUndef(t.i32);
  return call(LLVMGlobalGetValueType(f), f, std::move(args));
}

LLVMValueRef FunctionBuilder::callRuntime(const char *name, LLVMTypeRef result, std::vector<LLVMValueRef> args) {
  std::vector<LLVMTypeRef> types;
  for (auto a : args) types.push_back(LLVMTypeOf(a));
  LLVMTypeRef ft = LLVMFunctionType(result, types.data(), static_cast<unsigned>(types.size()), false);
  LLVMValueRef r = call(ft, m.runtimeFunction(name, ft), std::move(args));
  if (m.target.extendsArguments)             // none of them is negative
    for (unsigned i = 0; i < types.size(); i++)
      if (LLVMGetTypeKind(types[i]) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(types[i]) < 64)
        m.attributes.callAttr(r, i + 1, "zeroext");
  return r;
}

// ---- addresses and constants --------------------------------------------------------------------------------------

LLVMValueRef FunctionBuilder::entryAlloca(LLVMTypeRef type, uint32_t align, const char *name) {
  LLVMBasicBlockRef cur = LLVMGetInsertBlock(builder);
  LLVMMetadataRef loc = LLVMGetCurrentDebugLocation2(builder);
  LLVMValueRef at = allocaPoint ? LLVMGetNextInstruction(allocaPoint) : LLVMGetFirstInstruction(entryBlock);
  if (at) LLVMPositionBuilderBefore(builder, at);
  else LLVMPositionBuilderAtEnd(builder, entryBlock);
  LLVMSetCurrentDebugLocation2(builder, nullptr);
  LLVMValueRef a = LLVMBuildAlloca(builder, type, name);
  LLVMSetAlignment(a, align ? align : 1);
  allocaPoint = a;
  if (cur) LLVMPositionBuilderAtEnd(builder, cur);
  LLVMSetCurrentDebugLocation2(builder, loc);
  return a;
}

LLVMValueRef FunctionBuilder::offsetPtr(LLVMValueRef p, uint64_t bytes) {
  if (!bytes) return p;
  LLVMValueRef off = i64c(static_cast<int64_t>(bytes));
  return LLVMBuildInBoundsGEP2(builder, t.i8, p, &off, 1, "");
}

LLVMValueRef FunctionBuilder::i32c(int64_t v) { return LLVMConstInt(t.i32, static_cast<uint64_t>(v), true); }
LLVMValueRef FunctionBuilder::i64c(int64_t v) { return LLVMConstInt(t.i64, static_cast<uint64_t>(v), true); }

}  // namespace cilkc::cg
