// values.h - C values while a body is emitted: where an lvalue is and how it is accessed, what an expression has for
// its value, and what the modes hear of both.
#pragma once
#include "codegen/core/module.h"

namespace cilkc::cg {

// An lvalue: address plus what is needed to access it.
struct Address {
  LLVMValueRef ptr = nullptr;
  uint32_t align = 1;
  QualType type;  // of the object, with qualifiers (volatile, atomic matter)
  const FieldDecl *bitField = nullptr;  // then ptr is the record member's storage unit (FieldDecl::offset applied)
  LLVMMetadataRef namedRegister = nullptr;  // global register variable: ptr is null
  Loc through = {};  // -fsanitize=null and its like: it was reached through a pointer here
  bool mayAlias = false;  // member of a union or punned: accessed as char for alias analysis
  // of the compiler's making (temporaries, records, results): what it does with it is no access of the user's
  bool own = false;
  const VarDecl *object = nullptr;  // the variable that it is or is in, where the expression names one
  Range where{};  // the expression that designates it
  bool isVolatile() const { return type.isVolatile(); }
  bool isAtomic() const { return type.isAtomic(); }
  Address as(QualType other) const {  // the same place, nothing known of it but whose it is
    Address a{ptr, align, other};
    a.own = own;
    a.object = object;
    a.where = where;
    return a;
  }
};

// An access to memory that the C program makes: what Events::access reports (memory.cpp).
enum class AccessMode : uint8_t { Read = 1, Write = 2, ReadWrite = 3 };
enum class AccessKind : uint8_t {
  Plain,
  Atomic,
  Initial,  // of a whole object by its initialiser
  Block,  // memcpy and its like, where they are expanded
  VaList,  // of a va_list by va_start, va_arg, va_copy, va_end
  Asm,  // a memory operand
  Masked  // by a vector instruction: no more than these bytes
};
struct Access {
  Address at;  // of the first byte; for bit-fields of the memory location (C17 3.14)
  LLVMValueRef size = nullptr;  // i64, bytes
  AccessMode mode = AccessMode::Read;
  AccessKind kind = AccessKind::Plain;
};

struct RValue;
// A call as it is made.
struct CallSite {
  LLVMValueRef callee = nullptr;  // ptr
  const FunctionDecl *direct = nullptr;  // what is called, where it has a name
  const std::vector<RValue> *args = nullptr;
  Range where{};
};

// Memory that begins or ceases to be an object of the user's.
struct Object {
  enum Kind : uint8_t {
    Local,  // a variable of a block, from its declaration to the end of the block
    Dynamic,  // alloca: until the function ends
    Vla,  // its end is reported with what is above the mark, and no size
    Cilk,  // Cilk_alloca
    Closure  // a closure with its residents
  } kind = Local;
  const VarDecl *variable = nullptr;
  LLVMValueRef ptr = nullptr, size = nullptr;  // size: i64, or null
  Range where{};
};

// A value of any type. Scalar: value. Complex: value + i*imag. Aggregate: the memory at addr, which nothing else may
// write.
struct RValue {
  enum Kind : uint8_t { None, Scalar, Complex, Aggregate } kind = None;
  LLVMValueRef value = nullptr, imag = nullptr;
  Address addr;
  static RValue scalar(LLVMValueRef v) {
    RValue r;
    r.kind = Scalar;
    r.value = v;
    return r;
  }
  static RValue complex(LLVMValueRef re, LLVMValueRef im) {
    RValue r;
    r.kind = Complex;
    r.value = re;
    r.imag = im;
    return r;
  }
  static RValue aggregate(const Address &a) {
    RValue r;
    r.kind = Aggregate;
    r.addr = a;
    return r;
  }
};

}  // namespace cilkc::cg
