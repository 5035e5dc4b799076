// aarch64.cpp - code for AArch64 (Linux): AAPCS64's va_list, trampolines, pointer authentication, constraints of inline
// assembly.
#include "codegen/core/target.h"
#include <algorithm>
#include <llvm-c/Target.h>
#include "codegen/core/function.h"

namespace cilkc::cg {
namespace {

class AArch64 : public Target {
public:
  AArch64() {
    cpu = "generic";
    features = "+fp-armv8,+neon,+outline-atomics,+v8a,-fmv";
    branchProtection = "branch-target-enforcement";
    returnProtection = "sign-return-address";
    trampolineBytes = 40;
    stackPointer = "sp";
  }

  void initialize() const override {
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
  }

  std::unique_ptr<AbiLowering> abi(TypeLowering &t, const CodegenOptions &) const override {
    return std::unique_ptr<AbiLowering>(makeAapcs64Lowering(t));
  }

  // AAPCS64, appendix B: the registers that the prologue saved while they last, the stack afterwards.
  LLVMValueRef vaArg(FunctionEmitter &fe, LLVMValueRef list, QualType q, const AbiSlot &s) const override {
    // struct { void *stack, *gr_top, *vr_top; int gr_offs, vr_offs; }
    bool indirect = s.kind == AbiSlot::Indirect;
    LLVMTypeRef piece = indirect ? fe.t.ptr : s.pieces[0].type;
    LLVMTypeRef elem = LLVMGetTypeKind(piece) == LLVMArrayTypeKind ? LLVMGetElementType(piece) : piece;
    uint64_t count = LLVMGetTypeKind(piece) == LLVMArrayTypeKind ? LLVMGetArrayLength2(piece) : 1;
    LLVMTypeKind k = LLVMGetTypeKind(elem);
    bool fp = k != LLVMIntegerTypeKind && k != LLVMPointerTypeKind;
    uint64_t size = fe.t.size(q);
    uint32_t align = fe.t.align(q);
    uint64_t argSize = indirect ? 8 : size, argAlign = indirect ? 8 : align;
    uint64_t regBytes = fp ? count * 16 : (argSize + 7) / 8 * 8;
    LLVMValueRef offsP = fe.offsetPtr(list, fp ? 28 : 24);
    LLVMBasicBlockRef maybe = fe.newBlock("vaarg.maybe"), reg = fe.newBlock("vaarg.reg"),
                      stack = fe.newBlock("vaarg.stack"), end = fe.newBlock("vaarg.end");
    LLVMValueRef offs = fe.loadRaw(fe.t.i32, offsP, 4);
    fe.branch(LLVMBuildICmp(fe.builder, LLVMIntSGE, offs, fe.i32c(0), ""), stack, maybe);
    fe.place(maybe);
    if (!fp && argAlign > 8)
      offs = LLVMBuildAnd(fe.builder, LLVMBuildAdd(fe.builder, offs, fe.i32c(15), ""), fe.i32c(-16), "");
    LLVMValueRef next = LLVMBuildAdd(fe.builder, offs, fe.i32c(static_cast<int64_t>(regBytes)), "");
    fe.storeRaw(next, offsP, 4);
    fe.branch(LLVMBuildICmp(fe.builder, LLVMIntSLE, next, fe.i32c(0), ""), reg, stack);
    fe.place(reg);
    LLVMValueRef top = fe.loadRaw(fe.t.ptr, fe.offsetPtr(list, fp ? 16 : 8), 8);
    LLVMValueRef p = byteOffset(fe, top, LLVMBuildSExt(fe.builder, offs, fe.t.i64, ""));
    if (fp && count > 1) {  // gather the members from their 16-byte places
      uint64_t es = LLVMStoreSizeOfType(fe.m.layout, elem);
      LLVMValueRef tmp = fe.entryAlloca(LLVMArrayType2(fe.t.i8, size), std::max(align, 16u), "hfa");
      for (uint64_t i = 0; i < count; i++)
        fe.storeRaw(fe.loadRaw(elem, fe.offsetPtr(p, i * 16), static_cast<uint32_t>(es)), fe.offsetPtr(tmp, i * es),
            static_cast<uint32_t>(es));
      p = tmp;
    }
    LLVMBasicBlockRef fromReg = LLVMGetInsertBlock(fe.builder);
    fe.jump(end);
    fe.place(stack);
    LLVMValueRef sp = fe.loadRaw(fe.t.ptr, list, 8);
    if (argAlign > 8) sp = alignedUp(fe, sp, std::min<uint64_t>(argAlign, 16));
    fe.storeRaw(byteOffset(fe, sp, fe.i64c(static_cast<int64_t>((argSize + 7) / 8 * 8))), list, 8);
    LLVMBasicBlockRef fromStack = LLVMGetInsertBlock(fe.builder);
    fe.place(end);
    LLVMValueRef phi = LLVMBuildPhi(fe.builder, fe.t.ptr, "");
    LLVMAddIncoming(phi, &p, &fromReg, 1);
    LLVMAddIncoming(phi, &sp, &fromStack, 1);
    return indirect ? fe.loadRaw(fe.t.ptr, phi, 8) : phi;
  }

  void unitAttributes(ModuleEmitter &m, LLVMValueRef fn) const override {
    if (m.options.cfBranch) m.attributes.attrString(fn, "branch-target-enforcement", "true");
    if (m.options.cfReturn) {
      m.attributes.attrString(fn, "sign-return-address", "non-leaf");
      m.attributes.attrString(fn, "sign-return-address-key", "a_key");
    }
  }

  // LLVM has trampolines written by a function of compiler-rt that libgcc lacks: (memory, size, function, chain).
  void prepareTrampolines(ModuleEmitter &m) const override {
    const char *name = "__trampoline_setup";
    if (LLVMGetNamedFunction(m.module, name)) return;
    TypeLowering &t = *m.types;
    LLVMTypeRef params[] = {t.ptr, t.i64, t.ptr, t.ptr};
    LLVMValueRef f = m.makeRawFunction(name, LLVMFunctionType(t.voidTy, params, 4, false), LLVMLinkOnceODRLinkage);
    LLVMSetVisibility(f, LLVMHiddenVisibility);
    BodyStrategy plain;
    FunctionEmitter fe(m, f, nullptr, plain);
    fe.begin();
    LLVMValueRef memory = LLVMGetParam(f, 0);
    // ldr x17, .+16; ldr x18, .+20; br x17; nop; and the two addresses.
    static const uint32_t code[] = {0x58000091, 0x580000b2, 0xd61f0220, 0xd503201f};
    for (unsigned i = 0; i < 4; i++) fe.storeRaw(LLVMConstInt(t.i32, code[i], false), fe.offsetPtr(memory, 4 * i), 4);
    fe.storeRaw(LLVMGetParam(f, 2), fe.offsetPtr(memory, 16), 8);
    fe.storeRaw(LLVMGetParam(f, 3), fe.offsetPtr(memory, 24), 8);
    fe.callIntrinsic("llvm.clear_cache", {}, {memory, fe.offsetPtr(memory, 32)});
    LLVMBuildRetVoid(fe.builder);
    fe.finish();
    m.useLater(f);
  }

  std::string constraint(std::string_view c) const override {
    return c[0] == 'U' ? "^" + std::string(c) : std::string(c);
  }
};

}  // namespace

const Target &target_aarch64() {
  static const AArch64 target;
  return target;
}

}  // namespace cilkc::cg
