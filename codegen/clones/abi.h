// abi.h - the constant data of rt/core/abi.def as LLVM types and constants: a struct for each, with a value for each
// field by name.
//
//   m.privateConstant(abi::constant(m, abi::cilk_entry{.deliver = ..., .record_offset = ...}), ...)
#pragma once
#include <iterator>
#include "codegen/core/module.h"
#include "codegen/core/passing.h"
#include "rt/core/abi.h"

namespace cilkc::cg::abi {

#define CILK_ABI_BEGIN(name) struct name {
#define CILK_ABI_FIELD(kind, type, field) LLVMValueRef field;
#define CILK_ABI_END \
  } \
  ;
#include "rt/core/abi.def"
#undef CILK_ABI_BEGIN
#undef CILK_ABI_FIELD
#undef CILK_ABI_END

// abi::type<abi::cilk_sig>(m)
template <class S> LLVMTypeRef type(ModuleEmitter &m);

#define CILK_ABI_BEGIN(name) \
  template <> inline LLVMTypeRef type<name>(ModuleEmitter & m) { \
    TypeLowering &t = *m.types; \
    LLVMTypeRef fields[] = {
#define CILK_ABI_FIELD(kind, type, field) t.kind,
#define CILK_ABI_END \
  } \
  ; \
  return LLVMStructTypeInContext(m.context, fields, std::size(fields), 0); \
  }
#include "rt/core/abi.def"
#undef CILK_ABI_BEGIN
#undef CILK_ABI_FIELD
#undef CILK_ABI_END

#define CILK_ABI_BEGIN(name) \
  inline LLVMValueRef constant(ModuleEmitter &m, const name &s) { \
    LLVMValueRef fields[] = {
#define CILK_ABI_FIELD(kind, type, field) s.field,
#define CILK_ABI_END \
  } \
  ; \
  return LLVMConstStructInContext(m.context, fields, std::size(fields), 0); \
  }
#include "rt/core/abi.def"
#undef CILK_ABI_BEGIN
#undef CILK_ABI_FIELD
#undef CILK_ABI_END

}  // namespace cilkc::cg::abi
