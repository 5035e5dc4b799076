// ia32.h - one x86 vector builtin being emitted. Private to the files of x86.
#pragma once
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include "codegen/core/function.h"
#include "codegen/shim/shim.h"
#include "frontend/builtins/builtins.h"

namespace cilkc::cg {

using Mask = std::vector<int>;

inline constexpr std::string_view ia32Names[] = {
#define BUILTIN(id, name, sig, flags) &name[sizeof "__builtin_ia32_" - 1],
#include "frontend/builtins/builtins_x86.def"
#undef BUILTIN
};

// A builtin's name after "__builtin_ia32_", or how the names of several begin. If no row of the table does, this does
// not compile.
struct Ia32Name {
  consteval Ia32Name(const char *n) : text(n) {
    bool known = false;
    for (std::string_view name : ia32Names) known = known || name.starts_with(text);
    if (!known) throw "no such builtin";
  }
  std::string_view text;
};

// A piece of such a name, for comparisons with what is known to be one.
struct Ia32Part {
  std::string_view text;
  bool operator==(Ia32Name x) const { return text == x.text; }
  bool startsWith(Ia32Name x) const { return text.starts_with(x.text); }
  char operator[](size_t i) const { return text[i]; }
};

// One x86 builtin's emission.
class Ia32 {
public:
  Ia32(FunctionEmitter &fe, const Call *e, std::string_view name) : fe(fe), e(e), n(name) {}
  bool emit(RValue &out);                                      // false: it is not known here

private:
  FunctionEmitter &fe;
  const Call *e;
  std::string_view n;                                          // name after "__builtin_ia32_"
  ModuleEmitter &m = fe.m;
  TypeLowering &t = fe.t;
  LLVMBuilderRef b = fe.builder;
  LLVMTypeRef rt = e->type->isVoid() ? nullptr : fe.t.value(e->type);

  LLVMValueRef arg(size_t i) {
    LLVMValueRef v = fe.exprs.emitScalar(e->args[i]);
    if (LLVMTypeOf(v) == t.ptr) pointer = v;
    else if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind) stored = LLVMTypeOf(v);
    return v;
  }
  // The user's memory. What an instruction does to it by itself is reported after it: the lanes under its mask, or a
  // whole vector.
  LLVMValueRef load(LLVMTypeRef type, LLVMValueRef p, uint32_t align) {
    reported = true;
    return fe.memory.loadAt(type, p, align, e->range);
  }
  LLVMValueRef store(LLVMValueRef v, LLVMValueRef p, uint32_t align) {
    reported = true;
    return fe.memory.storeAt(v, p, align, e->range);
  }
  LLVMValueRef pointer = nullptr;
  LLVMTypeRef stored = nullptr;
  bool reported = false;
  LLVMValueRef under = nullptr;  // the mask of the lanes that the instruction accesses; null: all
  bool packed = false;  // those lanes are side by side in memory
  // A mask as a vector of i1: its lanes say so by their sign.
  LLVMValueRef signs(LLVMValueRef mask) {
    if (LLVMGetElementType(LLVMTypeOf(mask)) == t.i1) return mask;
    LLVMTypeRef ints = vec(t.intN(laneBits(mask)), lanes(mask));
    return LLVMBuildICmp(b, LLVMIntSLT, cast(mask, ints), LLVMConstNull(ints), "");
  }
  // A lane that the mask leaves out is an access to no bytes.
  void reportLane(LLVMValueRef at, LLVMTypeRef type, LLVMValueRef mask, unsigned i, AccessMode mode) {
    LLVMValueRef size = fe.i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, type)));
    size = LLVMBuildSelect(b, LLVMBuildExtractElement(b, mask, fe.i32c(i), ""), size, fe.i64c(0), "");
    if (size != fe.i64c(0)) fe.memory.access(at, size, mode, AccessKind::Masked, e->range);
  }
  void reportMemory() {
    LLVMTypeRef moved = rt ? rt : stored;
    if (reported || !pointer || !moved || has("cl")) return;
    AccessMode mode = rt ? AccessMode::Read : AccessMode::Write;
    if (!fe.memory.watched() || !under || lanes(under) != LLVMGetVectorSize(moved)) {
      fe.memory.access(pointer, fe.i64c(static_cast<int64_t>(LLVMStoreSizeOfType(m.layout, moved))), mode,
          AccessKind::Masked, e->range);
      return;
    }
    LLVMTypeRef lane = LLVMGetElementType(moved);
    LLVMValueRef mask = signs(under), before = fe.i64c(0);  // accessed lanes before lane i
    for (unsigned i = 0; i < lanes(mask); i++) {
      LLVMValueRef at = packed ? before : fe.i64c(i);
      reportLane(LLVMBuildGEP2(b, lane, pointer, &at, 1, ""), lane, mask, i, mode);
      if (packed)
        before =
            LLVMBuildAdd(b, before, LLVMBuildZExt(b, LLVMBuildExtractElement(b, mask, fe.i32c(i), ""), t.i64, ""), "");
    }
  }
  unsigned lanes(LLVMValueRef v) { return LLVMGetVectorSize(LLVMTypeOf(v)); }
  unsigned laneBits(LLVMValueRef v) {
    return static_cast<unsigned>(LLVMSizeOfTypeInBits(m.layout, LLVMGetElementType(LLVMTypeOf(v))));
  }
  LLVMValueRef cast(LLVMValueRef v, LLVMTypeRef to) { return LLVMTypeOf(v) == to ? v : LLVMBuildBitCast(b, v, to, ""); }
  LLVMTypeRef vec(LLVMTypeRef el, unsigned k) { return LLVMVectorType(el, k); }
  LLVMValueRef shuffle(LLVMValueRef x, LLVMValueRef y, const Mask &mask) {
    std::vector<LLVMValueRef> idx;
    for (int k : mask) idx.push_back(k < 0 ? LLVMGetUndef(t.i32) : fe.i32c(k));
    return LLVMBuildShuffleVector(b, x, y, LLVMConstVector(idx.data(), static_cast<unsigned>(idx.size())), "");
  }
  LLVMValueRef intrinsic(const char *name, std::vector<LLVMValueRef> args, std::vector<LLVMTypeRef> over = {}) {
    return fe.callIntrinsic(name, over, std::move(args));
  }

  // f(value of argument i) with the immediate as a number of `bits` bits.
  LLVMValueRef immediate(size_t i, unsigned bits, const std::function<LLVMValueRef(unsigned)> &f) {
    unsigned limit = 1u << bits;
    auto c = evaluate(e->args[i], m.ast, EvalMode::Fold);
    if (c && c->kind == ConstValue::Int) return f(static_cast<unsigned>(c->i) & (limit - 1));
    std::vector<unsigned> values(limit);
    std::iota(values.begin(), values.end(), 0u);
    return choose(i, limit - 1, values, f);
  }
  LLVMValueRef choose(size_t i, unsigned bits, const std::vector<unsigned> &values,
      const std::function<LLVMValueRef(unsigned)> &f) {
    LLVMValueRef v =
        LLVMBuildAnd(b, LLVMBuildIntCast2(b, arg(i), t.i32, false, ""), LLVMConstInt(t.i32, bits, false), "");
    LLVMValueRef slot = rt ? fe.entryAlloca(rt, 64, "imm") : nullptr;
    LLVMBasicBlockRef end = fe.newBlock("imm.end"), none = fe.newBlock("imm.none");
    LLVMValueRef sw = LLVMBuildSwitch(b, v, none, static_cast<unsigned>(values.size()));
    for (unsigned k : values) {
      LLVMBasicBlockRef block = fe.newBlock("imm");
      fe.place(block);
      LLVMAddCase(sw, fe.i32c(k), block);
      LLVMValueRef r = f(k);
      if (slot && r) fe.storeRaw(cast(r, rt), slot, 64);
      fe.jump(end);
    }
    fe.place(none);
    LLVMBuildUnreachable(b);
    fe.place(end);
    return slot ? fe.loadRaw(rt, slot, 64) : nullptr;
  }

  // The same where the immediate is a rounding: the current one, or one that is given with exceptions suppressed.
  LLVMValueRef roundings(size_t i, const std::function<LLVMValueRef(unsigned)> &f) {
    auto c = evaluate(e->args[i], m.ast, EvalMode::Fold);
    if (c && c->kind == ConstValue::Int) return f(static_cast<unsigned>(c->i));
    return choose(i, ~0u, {4, 8, 9, 10, 11}, f);
  }
  // op on element 0 only; the rest from x.
  LLVMValueRef low(LLVMValueRef x, LLVMValueRef y, const std::function<LLVMValueRef(LLVMValueRef, LLVMValueRef)> &op) {
    LLVMValueRef a = LLVMBuildExtractElement(b, x, fe.i32c(0), ""), c = LLVMBuildExtractElement(b, y, fe.i32c(0), "");
    return LLVMBuildInsertElement(b, x, op(a, c), fe.i32c(0), "");
  }
  bool has(Ia32Name p) const { return Ia32Part{n}.startsWith(p); }
  bool is(Ia32Name name) const { return Ia32Part{n} == name; }
  bool is(std::initializer_list<Ia32Name> names) const {
    return std::any_of(names.begin(), names.end(), [&](Ia32Name name) { return is(name); });
  }

  size_t count() const { return operands ? operands : e->args.size(); }
  // the low k bits of an integer as a vector of i1; of an i1 vector, itself
  LLVMValueRef masks(LLVMValueRef m, unsigned k);
  LLVMValueRef select(LLVMValueRef mask, LLVMValueRef yes, LLVMValueRef no);
  LLVMValueRef maskResult(LLVMValueRef bits);  // a vector of i1 as the builtin's integer
  LLVMValueRef plain(std::string_view name, size_t operands);  // another builtin on the leading operands

  LLVMValueRef arithmetic();
  LLVMValueRef logic();
  LLVMValueRef integers();
  LLVMValueRef comparisons();
  LLVMValueRef fused();
  LLVMValueRef shuffles();
  LLVMValueRef selections();
  LLVMValueRef byteShifts();
  LLVMValueRef conversions();
  LLVMValueRef elements();
  LLVMValueRef other();
  // ia32_avx512.cpp
  LLVMValueRef avx512();
  LLVMValueRef masked(std::string_view core, size_t operands, LLVMValueRef mask, LLVMValueRef instead);
  LLVMValueRef unmasked(std::string_view core, size_t operands);
  LLVMValueRef unmaskedArithmetic(Ia32Part core, Ia32Part stem, size_t operands);
  LLVMValueRef unmaskedShift(Ia32Part core, Ia32Part stem, size_t operands);
  LLVMValueRef unmaskedLanes(Ia32Part core, Ia32Part stem, size_t operands);
  LLVMValueRef unmaskedConversion(Ia32Part core, Ia32Part stem, size_t operands);
  LLVMValueRef threeOperands();
  LLVMValueRef compares();
  LLVMValueRef maskRegisters();
  LLVMValueRef memory();
  LLVMValueRef gathers();
  // An operand of an intrinsic: an argument of the builtin, a value, or bits that are all alike.
  struct Operand {
    Operand(int argument) : from(argument) {}
    Operand(LLVMValueRef v) : value(v) {}
    static Operand zeros() { return Operand("z"); }
    static Operand ones() { return Operand("m"); }
    int from = -1;
    LLVMValueRef value = nullptr;
    const char *fill = nullptr;

  private:
    explicit Operand(const char *bits) : fill(bits) {}
  };
  LLVMValueRef called(unsigned intrinsic, const std::vector<Operand> &);
  LLVMValueRef byName();
  // ia32_newer.cpp
  LLVMValueRef newer();
  LLVMValueRef renamed();
  LLVMValueRef doubleShift();
  LLVMValueRef keyLocker();
  LLVMValueRef roundedByName();
  size_t operands = 0;  // how many of the arguments count; 0: all
  bool done = false;  // emitted, though there is no value
};

// __builtin_ia32_*; false: another builtin.
bool emitIa32Builtin(FunctionEmitter &, const Call *, RValue &out);

}  // namespace cilkc::cg
