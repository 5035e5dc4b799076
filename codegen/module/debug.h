// debug.h - DWARF through LLVM's DIBuilder: compile unit, files, types, functions, variables, line locations. One per
// module, only with -g. Line tables alone (-g1) make no types and no variables.
#pragma once
#include "codegen/core/module.h"

namespace cilkc::cg {

std::string mapped(const CodegenOptions &, const std::string &name);   // as -ffile-prefix-map wants it

class DebugInfo {
public:
  explicit DebugInfo(ModuleEmitter &);
  ~DebugInfo();
  void finish();                                               // after the last function

  // The subprogram of a definition. shownName: what a debugger calls it when that is not fn's own name (clones, deliver
  // functions); fn null: artificial.
  LLVMMetadataRef function(LLVMValueRef, const FunctionDecl *fn, const std::string &shownName = "");
  LLVMMetadataRef lexicalBlock(LLVMMetadataRef scope, Loc);
  LLVMMetadataRef location(Loc, LLVMMetadataRef scope);
  // Declares a parameter or local living at `address` (or whose elements' address is stored there: indirect, for VLAs)
  // from the end of the block on. inside: of what `address` points to, the variable is at this offset (slots of the
  // closure, whose address is kept at `address`).
  void local(LLVMBasicBlockRef, const VarDecl *, LLVMValueRef address, bool indirect, LLVMMetadataRef scope, Loc,
      const uint64_t *inside = nullptr);
  // A Cilk procedure's closure, whose address is kept at `address`: for gdb's `cilk` commands. No C name is spelt so.
  void closure(LLVMBasicBlockRef, LLVMValueRef address, LLVMMetadataRef scope);
  void global(const VarDecl *, LLVMValueRef);
  LLVMMetadataRef type(QualType);

private:
  void nameTypes();
  LLVMMetadataRef file(const SourceFile *);
  LLVMMetadataRef build(const Type *);
  LLVMMetadataRef record(const RecordType *);
  LLVMMetadataRef functionType(const FunctionType *);
  ModuleEmitter &m;
  LLVMDIBuilderRef b;
  LLVMMetadataRef unit = nullptr, mainFile = nullptr;
  std::unordered_map<const SourceFile *, LLVMMetadataRef> files;
  std::unordered_map<const Type *, LLVMMetadataRef> types;
  std::unordered_map<const VarDecl *, LLVMMetadataRef> bounds;  // of arrays of this function: the hidden variables
  std::unordered_map<const Type *, const Decl *> nameOf;  // of types without a tag: the typedef that names them
};

}  // namespace cilkc::cg
