// passing.h - how a C function type becomes an LLVM function type: where each parameter and the result travel.
// Independent of any function body, so that definitions, calls, thunks and export stubs share one lowering. The files
// of abi/ classify; c/call.cpp moves the values.
#pragma once
#include <llvm-c/Core.h>
#include <vector>
#include "frontend/types/type.h"

namespace cilkc::cg {

class TypeLowering;

// One LLVM value that carries the bytes [offset, offset + store size of type) of a C value.
struct AbiPiece {
  LLVMTypeRef type;
  uint32_t offset = 0;
};

struct AbiSlot {
  enum Kind : uint8_t {
    Ignore,          // nothing is passed (void result, empty record)
    Direct,          // the scalar itself; one piece of its value type
    Pieces,          // a record, complex or odd scalar taken apart into LLVM values (piece by piece through memory)
    // in memory: a pointer to it. Parameters: byval or a plain reference to a copy. Result: sret, the first LLVM
    // parameter
    Indirect,
    Stacked          // at `offset` of AbiFunction::stack
  } kind = Ignore;
  bool signExt = false, zeroExt = false;   // of small integers
  bool byval = false;
  uint32_t align = 0;                      // of the memory, Indirect; 0 elsewhere
  uint32_t offset = 0;                     // Stacked: bytes from the begin of the block
  // unused LLVM arguments of i64 in front (register pairs that must start even)
  uint32_t padBefore = 0;
  std::vector<AbiPiece> pieces;
};

// Arguments that the convention leaves on the stack, where there are many: one byval parameter of LLVM's, after all
// others that are fixed, which is where they lie one by one. For LLVM takes n^2 time to put n of them in order, and n
// parameters are n more loads and stores in a function's entry.
struct AbiStack {
  uint32_t size = 0, align = 8;  // bytes; size 0: each is an LLVM parameter of its own
  unsigned index = 0;  // among LLVM's parameters, hidden ones in front not counted
  explicit operator bool() const { return size; }
};
constexpr size_t kManyStacked = 64;  // that many, and such a block is made

// A lowered signature. Reused for definitions and calls alike.
struct AbiFunction {
  AbiSlot result;
  std::vector<AbiSlot> params;  // one per C argument (variadic ones too, at calls)
  size_t fixed = 0;  // how many of them the prototype or definition has; `stack` comes after these
  AbiStack stack;
  std::vector<QualType> types;  // C types of params
  QualType resultType;
  LLVMTypeRef type = nullptr;  // the LLVM function type
  bool variadic = false;
  unsigned callConv = 0;  // LLVM's number; 0: the C convention of the target
  bool sret() const { return result.kind == AbiSlot::Indirect; }
};

class AbiLowering {
public:
  virtual ~AbiLowering() = default;
  // f.types: those of the actual arguments when they go beyond the prototype (variadic or unprototyped calls), else the
  // parameters; f.fixed of them are the prototype's.
  virtual void classify(AbiFunction &f) = 0;
};
AbiLowering *makeSysVLowering(TypeLowering &, unsigned vectorBytes);  // x86-64; widest vector register: 16, 32 or 64
AbiLowering *makeWin64Lowering(TypeLowering &);  // ms_abi functions on x86-64
AbiLowering *makeAapcs64Lowering(TypeLowering &);  // AArch64

}  // namespace cilkc::cg
