// builtins.h - the builtin functions the compiler knows: BuiltinId for each, from builtins.def:
//
//     BUILTIN(clz, "__builtin_clz", "iUi", "cn")            // name, spelling, signature, flags
//
// Signature: result then parameters.
//
//     v   void         b   _Bool          c   char           s   short         i   int
//     l   long         L   long long      Q   __int128       z   size_t        w   wchar_t
//     h   _Float16     f   float          d   double         e   long double   q   __float128
//     G3  _Float32     G6  _Float64       Gx  _Float32x      Gy  _Float64x     F   FILE * (as void *)
//     p   void *       P   const void *   C   const char *   S   char *        W   const wchar_t *
//     V   va_list by reference            A   va_list as a parameter
//     U   before: unsigned (Uc Us Ui Ul UL UQ)               X   before: complex (Xf Xd Xe)
//     N<count><element>   vector (N4f)    .   variadic       ?   custom (sema/builtin types it)
//
// Flags:
//
//     c   const        p   pure           n   nothrow        r   noreturn      t   returns twice
//     L   library function: also known by its plain name, e.g. "memcpy" for "__builtin_memcpy", unless -fno-builtin
//     k   legal only in Cilk procedures and inlets
//     a   takes memory that lasts as long as the caller's frame
//     u   known, but there is no code for it
//     m   of one processor
//
// Call::builtin is set when the callee is named by its builtin spelling ("__builtin_memcpy"), and for plain `alloca`; a
// plain `memcpy(..)` is an ordinary call (FunctionDecl::builtin records that it is that function). Arguments are
// converted to the signature; a V operand is a pointer to the va_list's element where va_list is an array, else an
// lvalue. The arguments of the custom ones after sema are described at each of them there: in short, pointers
// stay typed pointers, values have the pointee's type (a long where a pointer is added to), orders are ints. __sync_*
// and __atomic_* names with a size suffix (_1 _2 _4 _8 _16) are the generic ones.
#pragma once
#include <cstdint>
#include <string_view>
namespace cilkc {
enum class BuiltinId : int {
  None = 0,
#define BUILTIN(id, name, sig, flags) id,
#include "frontend/builtins/builtins.def"
#undef BUILTIN
  count_
};
struct BuiltinInfo {
  const char *name, *sig, *flags;
  BuiltinId family;  // the builtin of which this is the form for another type ("sqrt" of "sqrtf"), or itself
};
const BuiltinInfo &builtinInfo(BuiltinId);
inline BuiltinId builtinFamily(BuiltinId id) { return builtinInfo(id).family; }
BuiltinId builtinByName(std::string_view);  // None if unknown; plain library names included
bool builtinHasFlag(BuiltinId, char flag);

// Atomic operations: the columns of atomics.def.
enum class AtomicGroup : uint8_t { sync, atomic, c11_atomic };
enum class AtomicOp : uint8_t {
  Load,
  Store,
  Init,
  Release,
  Exchange,
  CompareExchange,
  BoolSwap,
  ValueSwap,
  Add,
  Sub,
  And,
  Or,
  Xor,
  Nand,
  TestAndSet,
  Clear,
  Synchronize,
  ThreadFence,
  SignalFence,
  AlwaysLockFree,
  IsLockFree,
};
enum class AtomicForm : uint8_t { Plain, Address, New, Weak };
struct AtomicInfo {
  AtomicGroup group;
  AtomicOp op;
  AtomicForm form;
  const char *call;
};
const AtomicInfo *atomicInfo(BuiltinId);  // null: it is none
// The numbers by which programs ask for an order: __ATOMIC_RELAXED and its like. What is beyond `mask` is a hint.
namespace memory_order {
enum : int { relaxed, consume, acquire, release, acq_rel, seq_cst, mask = 0xffff };
}

// Call::builtin
inline bool allocatesOnFrame(int callsBuiltin) { return builtinHasFlag(static_cast<BuiltinId>(callsBuiltin), 'a'); }
}
