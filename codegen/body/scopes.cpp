// scopes.cpp - cleanups (VLA memory, cleanup attribute, lifetime ends) belong to scopes; jumps emit those of the scopes
// they leave.
#include <utility>
#include "codegen/core/events.h"
#include "codegen/core/function.h"

namespace cilkc::cg {

void Scopes::pushScope() {
  BlockScope s;
  s.debugScope = stack.empty() ? fe.subprogram : stack.back().debugScope;
  stack.push_back(s);
}

void Scopes::popScope() {
  auto &cleanups = stack.back().cleanups;
  if (fe.open())
    for (size_t i = cleanups.size(); i-- > 0;) emitCleanup(cleanups[i]);
  stack.pop_back();
}

void Scopes::unwindScopes(size_t depth) {
  for (size_t s = stack.size(); s-- > depth;)
    for (size_t i = stack[s].cleanups.size(); i-- > 0;) {
      Cleanup c = stack[s].cleanups[i];
      // until the implicit sync, children may use what has its address
      if (!depth && c.kind == Cleanup::Poison) continue;
      if (depth || c.kind != Cleanup::Dynamic || strategy.returnResets()) emitCleanup(c);
    }
}

void Scopes::emitCleanup(const Cleanup &c) {
  if (!fe.open()) return;
  switch (c.kind) {
    case Cleanup::Dynamic:
      strategy.dynamicReset(fe, c.value);
      fe.nested.noteStack();
      break;
    case Cleanup::Reported:
      fe.memory.reportObject(false, c.size ? Object::Local : Object::Vla, c.var, c.size ? c.value : nullptr,
          c.size ? fe.i64c(static_cast<int64_t>(c.size)) : nullptr);
      break;
    case Cleanup::Lifetime:
      fe.callIntrinsic("llvm.lifetime.end", {t.ptr}, {fe.i64c(static_cast<int64_t>(c.size)), c.value});
      break;
    case Cleanup::Poison:
      fe.callRuntime("__asan_poison_stack_memory", t.voidTy, {c.value, fe.i64c(static_cast<int64_t>(c.size))});
      break;
    case Cleanup::Function: {
      const FunctionDecl *f = c.var->attrs.cleanup;
      auto *ft = f->type->as<FunctionType>();
      Address a = fe.locals.variable(c.var);
      QualType pt = ft->params.empty() ? QualType(m.ast.basic(TypeKind::ULong)) : ft->params[0];
      RValue arg = RValue::scalar(ft->params.empty() ? LLVMBuildPtrToInt(builder, a.ptr, t.i64, "") : a.ptr);
      const VarDecl *outer = std::exchange(cleaning, c.var);
      fe.calls.emitCallTo(m.function(f), ft, {arg}, {pt}, {}, f);
      cleaning = outer;
      break;
    }
  }
}

// -fexceptions: unwinding (a C++ exception, pthread_cancel) runs the functions of __attribute__((cleanup)). The landing
// pad runs the innermost one, then those around it. While one runs, be it in a pad or at the end of its block, only the
// ones around it are pending.
LLVMBasicBlockRef Scopes::landingPad() {
  std::vector<std::pair<size_t, size_t>> pending;
  for (size_t s = 0; s < stack.size(); s++)
    for (size_t i = 0; i < stack[s].cleanups.size(); i++) {
      if (stack[s].cleanups[i].kind != Cleanup::Function) continue;
      if (cleaning && stack[s].cleanups[i].var == cleaning) {
        s = stack.size() - 1;
        break;
      }
      pending.emplace_back(s, i);
    }
  if (pending.empty()) return nullptr;
  auto [scope, index] = pending.back();
  if (LLVMBasicBlockRef known = stack[scope].cleanups[index].pad) return known;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(builder),
                    pad = LLVMAppendBasicBlockInContext(context, function, "unwinding");
  stack[scope].cleanups[index].pad = pad;
  LLVMPositionBuilderAtEnd(builder, pad);
  LLVMTypeRef parts[2] = {t.ptr, t.i32}, caught = LLVMStructTypeInContext(context, parts, 2, false);
  if (!LLVMHasPersonalityFn(function)) {
    LLVMValueRef personality = LLVMGetNamedFunction(m.module, "__gcc_personality_v0");
    if (!personality)
      personality = LLVMAddFunction(m.module, "__gcc_personality_v0", LLVMFunctionType(t.i32, nullptr, 0, true));
    LLVMSetPersonalityFn(function, personality);
  }
  LLVMValueRef exception = LLVMBuildLandingPad(builder, caught, nullptr, 0, "");
  LLVMSetCleanup(exception, true);
  for (size_t k = pending.size(); k-- > 0;) {
    Cleanup c = stack[pending[k].first].cleanups[pending[k].second];
    emitCleanup(c);
  }
  if (fe.open()) LLVMBuildResume(builder, exception);
  LLVMPositionBuilderAtEnd(builder, here);
  return pad;
}

LLVMMetadataRef Scopes::debugScope() const {
  return stack.empty() || !stack.back().debugScope ? fe.subprogram : stack.back().debugScope;
}

}  // namespace cilkc::cg
