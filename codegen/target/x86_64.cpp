// x86_64.cpp - code for x86-64 (System V): its va_list, its builtins (ia32_*.cpp has the vectors'), constraints of
// inline assembly.
#include "codegen/core/target.h"
#include <algorithm>
#include <llvm-c/Target.h>
#include "codegen/core/function.h"
#include "codegen/target/ia32.h"

namespace cilkc::cg {
namespace {

// The bit of an x86 feature in libgcc's __cpu_model, from 32 on in its __cpu_features2, or -1.
int cpuFeature(const Expr *e) {
  while (e->kind == ExprKind::ImplicitCast) e = e->as<ImplicitCast>()->sub;
  if (e->kind != ExprKind::StringLit) return -1;
  static const char *const names[] = {"cmov", "mmx", "popcnt", "sse", "sse2", "sse3", "ssse3", "sse4.1", "sse4.2",
      "avx", "avx2", "sse4a", "fma4", "xop", "fma", "avx512f", "bmi", "bmi2", "aes", "pclmul", "avx512vl", "avx512bw",
      "avx512dq", "avx512cd", "avx512er", "avx512pf", "avx512vbmi", "avx512ifma", "avx5124vnniw", "avx5124fmaps",
      "avx512vpopcntdq", "avx512vbmi2", "gfni", "vpclmulqdq", "avx512vnni", "avx512bitalg"};
  std::string_view name = e->as<StringLit>()->bytes;
  for (size_t i = 0; i < std::size(names); i++)
    if (name == names[i]) return static_cast<int>(i);
  return -1;
}

// What __builtin_cpu_is compares: which word of __cpu_model (0 vendor, 1 type, 2 subtype) with which number; {0, 0} for
// an unknown name.
std::pair<int, int> cpuModel(const Expr *e) {
  while (e->kind == ExprKind::ImplicitCast) e = e->as<ImplicitCast>()->sub;
  if (e->kind != ExprKind::StringLit) return {0, 0};
  static const struct {
    const char *name;
    int word, value;
  } names[] = {{"intel", 0, 1}, {"amd", 0, 2}, {"bonnell", 1, 1}, {"atom", 1, 1}, {"core2", 1, 2}, {"corei7", 1, 3},
      {"amdfam10h", 1, 4}, {"amdfam15h", 1, 5}, {"silvermont", 1, 6}, {"btver1", 1, 8}, {"btver2", 1, 9},
      {"amdfam17h", 1, 10}, {"nehalem", 2, 1}, {"westmere", 2, 2}, {"sandybridge", 2, 3}, {"barcelona", 2, 4},
      {"shanghai", 2, 5}, {"istanbul", 2, 6}, {"bdver1", 2, 7}, {"bdver2", 2, 8}, {"bdver3", 2, 9}, {"bdver4", 2, 10},
      {"znver1", 2, 11}, {"ivybridge", 2, 12}, {"haswell", 2, 13}, {"broadwell", 2, 14}, {"skylake", 2, 15},
      {"skylake-avx512", 2, 16}, {"cannonlake", 2, 17}, {"icelake-client", 2, 18}, {"icelake-server", 2, 19},
      {"znver2", 2, 20}, {"cascadelake", 2, 21}};
  std::string_view name = e->as<StringLit>()->bytes;
  for (auto &x : names)
    if (name == x.name) return {x.word, x.value};
  return {0, 0};
}

// Widest vector register that the enabled features give.
unsigned vectorBytes(const CodegenOptions &o) {
  unsigned n = 16;
  for (auto &f : o.features) {
    if (f.rfind("+avx512", 0) == 0) n = 64;
    else if (f.rfind("+avx", 0) == 0) n = std::max(n, 32u);
  }
  return n;
}

class X86_64 : public Target {
public:
  X86_64() {
    cpu = "x86-64";
    features = "+cx8,+fxsr,+mmx,+sse,+sse2,+x87";
    branchProtection = "cf-protection-branch";
    returnProtection = "cf-protection-return";
    trampolineBytes = 32;
    stackPointer = "rsp";
    templateDialects = true;
    alwaysClobbered = "~{dirflag},~{fpsr},~{flags}";
  }

  void initialize() const override {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
  }

  std::unique_ptr<AbiLowering> abi(TypeLowering &t, const CodegenOptions &o) const override {
    return std::unique_ptr<AbiLowering>(makeSysVLowering(t, vectorBytes(o)));
  }
  std::unique_ptr<AbiLowering> msAbi(TypeLowering &t) const override {
    return std::unique_ptr<AbiLowering>(makeWin64Lowering(t));
  }

  // psABI, "The va_arg Macro": the registers that the prologue saved while they last, the stack afterwards.
  LLVMValueRef vaArg(FunctionEmitter &fe, LLVMValueRef list, QualType q, const AbiSlot &s) const override {
    // x86-64: struct { unsigned gp_offset, fp_offset; void *overflow_arg_area, *reg_save_area; }[1]
    auto isGpr = [&](LLVMTypeRef ty) {
      LLVMTypeKind k = LLVMGetTypeKind(ty);
      return k == LLVMIntegerTypeKind || k == LLVMPointerTypeKind;
    };
    uint64_t size = fe.t.size(q);
    uint32_t align = fe.t.align(q);
    unsigned gpr = 0, sse = 0;
    bool inMemory = s.kind == AbiSlot::Indirect;
    if (!inMemory)
      for (auto &p : s.pieces) {
        if (p.type == fe.t.f80 || LLVMStoreSizeOfType(fe.m.layout, p.type) > 16) inMemory = true;
        else if (isGpr(p.type)) gpr += p.type == fe.t.i128 ? 2 : 1;
        else sse++;
      }
    auto fromStack = [&] {
      LLVMValueRef areaP = fe.offsetPtr(list, 8);
      LLVMValueRef area = fe.loadRaw(fe.t.ptr, areaP, 8);
      if (align > 8) area = alignedUp(fe, area, align);
      fe.storeRaw(byteOffset(fe, area, fe.i64c(static_cast<int64_t>((size + 7) / 8 * 8))), areaP, 8);
      return area;
    };
    if (inMemory) return fromStack();
    LLVMBasicBlockRef reg = fe.newBlock("vaarg.reg"), stack = fe.newBlock("vaarg.stack"),
                      end = fe.newBlock("vaarg.end");
    LLVMValueRef fits = nullptr, gpOff = nullptr, fpOff = nullptr;
    if (gpr) {
      gpOff = fe.loadRaw(fe.t.i32, list, 4);
      fits = LLVMBuildICmp(fe.builder, LLVMIntULE, gpOff, fe.i32c(48 - 8 * static_cast<int>(gpr)), "");
    }
    if (sse) {
      fpOff = fe.loadRaw(fe.t.i32, fe.offsetPtr(list, 4), 4);
      LLVMValueRef ok = LLVMBuildICmp(fe.builder, LLVMIntULE, fpOff, fe.i32c(176 - 16 * static_cast<int>(sse)), "");
      fits = fits ? LLVMBuildAnd(fe.builder, fits, ok, "") : ok;
    }
    fe.branch(fits, reg, stack);
    fe.place(reg);
    LLVMValueRef save = fe.loadRaw(fe.t.ptr, fe.offsetPtr(list, 16), 8);
    auto at = [&](LLVMValueRef off) { return byteOffset(fe, save, LLVMBuildZExt(fe.builder, off, fe.t.i64, "")); };
    LLVMValueRef p;
    if (s.pieces.size() == 1 && ((gpr && align <= 8) || (sse == 1 && !gpr))) p = at(gpr ? gpOff : fpOff);
    else if (gpr && !sse && s.pieces.size() == 2 && align <= 8) p = at(gpOff);
    else {
      p = fe.entryAlloca(LLVMArrayType2(fe.t.i8, std::max<uint64_t>(size, 16)), std::max(align, 16u), "vaarg.tmp");
      unsigned g = 0, x = 0;
      for (auto &piece : s.pieces) {
        LLVMValueRef from;
        if (isGpr(piece.type)) {
          from = LLVMBuildAdd(fe.builder, gpOff, fe.i32c(8 * static_cast<int>(g)), "");
          g += piece.type == fe.t.i128 ? 2 : 1;
        } else from = LLVMBuildAdd(fe.builder, fpOff, fe.i32c(16 * static_cast<int>(x++)), "");
        fe.storeRaw(fe.loadRaw(piece.type, at(from), 8), fe.offsetPtr(p, piece.offset), 8);
      }
    }
    if (gpr) fe.storeRaw(LLVMBuildAdd(fe.builder, gpOff, fe.i32c(8 * static_cast<int>(gpr)), ""), list, 4);
    if (sse)
      fe.storeRaw(LLVMBuildAdd(fe.builder, fpOff, fe.i32c(16 * static_cast<int>(sse)), ""), fe.offsetPtr(list, 4), 4);
    LLVMBasicBlockRef fromReg = LLVMGetInsertBlock(fe.builder);
    fe.jump(end);
    fe.place(stack);
    LLVMValueRef sp = fromStack();
    LLVMBasicBlockRef fromMem = LLVMGetInsertBlock(fe.builder);
    fe.place(end);
    LLVMValueRef phi = LLVMBuildPhi(fe.builder, fe.t.ptr, "");
    LLVMAddIncoming(phi, &p, &fromReg, 1);
    LLVMAddIncoming(phi, &sp, &fromMem, 1);
    return phi;
  }

  bool emitBuiltin(FunctionEmitter &fe, const Call *e, RValue &out) const override {
    BuiltinId id = static_cast<BuiltinId>(e->builtin);
    if (builtinHasFlag(id, 'm')) return emitIa32Builtin(fe, e, out);
    LLVMValueRef v = id == BuiltinId::cpu_init       ? fe.callRuntime("__cpu_indicator_init", fe.t.i32, {})
                     : id == BuiltinId::cpu_supports ? processorSupports(fe, e)
                     : id == BuiltinId::cpu_is       ? processorIs(fe, e)
                                                     : nullptr;
    if (v) out = RValue::scalar(v);
    return v;
  }

  std::string constraint(std::string_view c) const override {
    switch (c[0]) {
      case 'a': return "{ax}";
      case 'b': return "{bx}";
      case 'c': return "{cx}";
      case 'd': return "{dx}";
      case 'S': return "{si}";
      case 'D': return "{di}";
      case 't': return "{st}";
      case 'u': return "{st(1)}";
      case 'Y': return "^" + std::string(c);
      default: return std::string(c);
    }
  }

private:
  // What libgcc found out about the processor: __cpu_model is vendor, type, subtype, features.
  static LLVMValueRef word(FunctionEmitter &fe, const char *symbol, unsigned words, uint64_t offset) {
    LLVMValueRef g = LLVMGetNamedGlobal(fe.m.module, symbol);
    if (!g) {
      g = LLVMAddGlobal(fe.m.module, LLVMArrayType2(fe.t.i32, words), symbol);
      LLVMSetVisibility(g, LLVMHiddenVisibility);
    }
    return fe.loadRaw(fe.t.i32, offset ? fe.offsetPtr(g, offset) : g, 4);
  }
  static LLVMValueRef processorSupports(FunctionEmitter &fe, const Call *e) {
    int bit = e->args.empty() ? -1 : cpuFeature(e->args[0]);
    if (bit < 0) return fe.i32c(0);  // conservative: the baseline is always right
    LLVMValueRef features = bit < 32 ? word(fe, "__cpu_model", 4, 12) : word(fe, "__cpu_features2", 1, 0);
    return LLVMBuildAnd(fe.builder, features, LLVMConstInt(fe.t.i32, 1u << (bit & 31), false), "");
  }
  static LLVMValueRef processorIs(FunctionEmitter &fe, const Call *e) {
    auto [index, value] = e->args.empty() ? std::pair{0, 0} : cpuModel(e->args[0]);
    if (!value) return fe.i32c(0);
    LLVMValueRef v = word(fe, "__cpu_model", 4, 4 * static_cast<uint64_t>(index));
    return LLVMBuildZExt(fe.builder, LLVMBuildICmp(fe.builder, LLVMIntEQ, v, fe.i32c(value), ""), fe.t.i32, "");
  }
};

}  // namespace

const Target &target_x86_64() {
  static const X86_64 target;
  return target;
}

}  // namespace cilkc::cg
