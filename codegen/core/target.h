// target.h - what differs between processors in making code: one object per target, in the file of its name in this
// folder (frontend/types/targets.def is the list). Everything else in codegen/ asks it and never which target it is.
// The C facts, sizes and signedness, are the front end's (frontend/types/target.h); how arguments travel is in abi/.
#pragma once
#include <memory>
#include <string>
#include "codegen/core/passing.h"
#include "codegen/core/options.h"

namespace cilkc::cg {

class FunctionEmitter;
class ModuleEmitter;
struct RValue;

class Target {
public:
  virtual ~Target() = default;

  // ---- LLVM's part of it
  virtual void initialize() const = 0;                   // registers it
  std::string cpu, features;                             // where no -march= or -mcpu= says others

  // ---- functions
  virtual std::unique_ptr<AbiLowering> abi(TypeLowering &, const CodegenOptions &) const = 0;
  // of the attribute ms_abi; null: it means nothing here
  virtual std::unique_ptr<AbiLowering> msAbi(TypeLowering &) const { return nullptr; }
  // va_arg: where the next argument is, a value of type q that travels as `slot` says (never Ignore). list points to
  // the va_list's record.
  virtual LLVMValueRef vaArg(FunctionEmitter &, LLVMValueRef list, QualType q, const AbiSlot &slot) const = 0;
  // -fcf-protection=: the module's flags for indirect branches and for returns, and attributes of each function.
  const char *branchProtection = nullptr, *returnProtection = nullptr;
  virtual void unitAttributes(ModuleEmitter &, LLVMValueRef) const {}
  // Integers fill their register: calls of the runtime extend what is narrower, too.
  bool extendsArguments = false;
  unsigned globalAlign = 1;                              // code counts on it, for any global object
  const char *stackPointer = nullptr;                    // LLVM's name of the register
  // The memory of a nested function's trampoline (0: there are none); what LLVM needs in the module to write one there.
  unsigned trampolineBytes = 0;
  virtual void prepareTrampolines(ModuleEmitter &) const {}

  // ---- builtins of its own (TargetFacts::builtins). False: there is no code for this builtin.
  virtual bool emitBuiltin(FunctionEmitter &, const Call *, RValue &) const { return false; }

  // ---- inline assembly
  bool templateDialects = false;  // {att|intel} in templates
  const char *alwaysClobbered = "";  // constraints that every asm has
  // LLVM's letters for the constraint of gcc's that begins with c[0] and has its length (constraintLength).
  virtual std::string constraint(std::string_view c) const { return std::string(c); }
};

const Target &targetFor(const TargetInfo &);
void initTargets();  // LLVM's part of all of them; once

// For va_arg.
LLVMValueRef byteOffset(FunctionEmitter &, LLVMValueRef pointer, LLVMValueRef bytes);
LLVMValueRef alignedUp(FunctionEmitter &, LLVMValueRef pointer, uint64_t alignment);

}  // namespace cilkc::cg
