// s390x.cpp - code for s390x (Linux): its calling convention, its va_list.
//
// The convention passes values of 1, 2, 4 and 8 bytes in registers, also records, and all others by reference to a
// copy. A record with one member that is a float or a double, however deep, travels as that. Results that are no
// scalars of up to 8 bytes go where a hidden pointer says. Integers fill their register: the caller extends arguments,
// the callee its result.
#include "codegen/core/target.h"
#include <llvm-c/Target.h>
#include "codegen/core/function.h"

namespace cilkc::cg {
namespace {

class S390xLowering : public AbiLowering {
  TypeLowering &t;

  // The float or double that is the only member of a struct; of other types, itself. An array is not a member of its
  // elements' type.
  static const Type *onlyMember(const Type *ty) {
    while (ty->isRecord() && !ty->as<RecordType>()->isUnion) {
      const FieldDecl *only = nullptr;
      for (const FieldDecl *f : ty->as<RecordType>()->fields) {
        if (f->bitField && f->width == 0) continue;
        if (only) return ty;
        only = f;
      }
      if (!only || only->bitField) return ty;
      ty = only->type.type;
    }
    return ty;
  }

  AbiSlot slot(const Type *ty, bool result) {
    AbiSlot s;
    if (ty->isVoid() || ty->isError()) return s;
    uint64_t n = t.size(ty);
    bool compound = ty->isRecord() || ty->isComplex() || ty->isVector() || ty->isArray();
    bool small = n == 1 || n == 2 || n == 4 || n == 8;
    if (!small || ty->isComplex() || ty->isVector() || (compound && result)) {
      s.kind = n || result ? AbiSlot::Indirect : AbiSlot::Ignore;
      s.align = t.align(ty);
      return s;
    }
    if (!compound && !ty->isBitInt()) {
      s.kind = AbiSlot::Direct;
      s.pieces.push_back({t.value(ty), 0});
      if (ty->isInteger() && n < 8) (t.isSigned(ty) ? s.signExt : s.zeroExt) = true;
      return s;
    }
    s.kind = AbiSlot::Pieces;
    if (ty->isBitInt()) {
      s.pieces.push_back({t.memory(ty), 0});
      if (n < 8) (t.isSigned(ty) ? s.signExt : s.zeroExt) = true;
      return s;
    }
    const Type *only = onlyMember(ty);
    bool fp = only->isFloating() && t.size(only) <= n && (t.size(only) == 4 || t.size(only) == 8);
    s.pieces.push_back({!fp ? t.intN(static_cast<unsigned>(n * 8)) : n == 4 ? t.f32 : t.f64, 0});
    return s;
  }

public:
  explicit S390xLowering(TypeLowering &tl) : t(tl) {}
  void classify(AbiFunction &f) override {
    f.result = slot(f.resultType.type, true);
    f.params.clear();
    for (QualType q : f.types) f.params.push_back(slot(q.type, false));
  }
};

class S390x : public Target {
public:
  S390x() {
    cpu = "z196";
    stackPointer = "r15";
    globalAlign = 2;
    extendsArguments = true;
  }

  void initialize() const override {
    LLVMInitializeSystemZTargetInfo();
    LLVMInitializeSystemZTarget();
    LLVMInitializeSystemZTargetMC();
    LLVMInitializeSystemZAsmPrinter();
    LLVMInitializeSystemZAsmParser();
  }

  std::unique_ptr<AbiLowering> abi(TypeLowering &t, const CodegenOptions &) const override {
    return std::make_unique<S390xLowering>(t);
  }

  // struct { long gpr, fpr; void *overflow, *save; }: how many registers of each kind were used, the next argument on
  // the stack, where r2 is at 16 and f0 at 128. A small integer is at the end of its 8 bytes, a float in a register is
  // at their begin.
  LLVMValueRef vaArg(FunctionEmitter &fe, LLVMValueRef list, QualType q, const AbiSlot &s) const override {
    bool indirect = s.kind == AbiSlot::Indirect;
    LLVMTypeRef piece = indirect ? fe.t.ptr : s.pieces[0].type;
    LLVMTypeKind k = LLVMGetTypeKind(piece);
    bool fp = k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind;
    int64_t padding = indirect ? 0 : 8 - static_cast<int64_t>(fe.t.size(q));
    LLVMBasicBlockRef reg = fe.newBlock("vaarg.reg"), stack = fe.newBlock("vaarg.stack"),
                      end = fe.newBlock("vaarg.end");
    LLVMValueRef usedP = fe.offsetPtr(list, fp ? 8 : 0), used = fe.loadRaw(fe.t.i64, usedP, 8);
    fe.branch(LLVMBuildICmp(fe.builder, LLVMIntULT, used, fe.i64c(fp ? 4 : 5), ""), reg, stack);
    fe.place(reg);
    LLVMValueRef save = fe.loadRaw(fe.t.ptr, fe.offsetPtr(list, 24), 8);
    LLVMValueRef offset =
        LLVMBuildAdd(fe.builder, LLVMBuildShl(fe.builder, used, fe.i64c(3), ""), fe.i64c(fp ? 128 : 16 + padding), "");
    LLVMValueRef inRegisters = byteOffset(fe, save, offset);
    fe.storeRaw(LLVMBuildAdd(fe.builder, used, fe.i64c(1), ""), usedP, 8);
    LLVMBasicBlockRef fromReg = LLVMGetInsertBlock(fe.builder);
    fe.jump(end);
    fe.place(stack);
    LLVMValueRef areaP = fe.offsetPtr(list, 16), area = fe.loadRaw(fe.t.ptr, areaP, 8);
    LLVMValueRef onStack = byteOffset(fe, area, fe.i64c(padding));
    fe.storeRaw(byteOffset(fe, area, fe.i64c(8)), areaP, 8);
    LLVMBasicBlockRef fromStack = LLVMGetInsertBlock(fe.builder);
    fe.place(end);
    LLVMValueRef phi = LLVMBuildPhi(fe.builder, fe.t.ptr, "");
    LLVMAddIncoming(phi, &inRegisters, &fromReg, 1);
    LLVMAddIncoming(phi, &onStack, &fromStack, 1);
    return indirect ? fe.loadRaw(fe.t.ptr, phi, 8) : phi;
  }

  std::string constraint(std::string_view c) const override { return std::string(c); }
};

}  // namespace

const Target &target_s390x() {
  static const S390x target;
  return target;
}

}  // namespace cilkc::cg
