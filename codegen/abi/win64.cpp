// win64.cpp - functions with the attribute ms_abi: Windows' convention for x86-64, as gcc has it. Each argument takes
// one place: what has 1, 2, 4 or 8 bytes travels in it, floating values in the place's xmm register; everything else
// goes by reference to a copy. Results of such sizes come back in rax or xmm0. Results of 16 bytes that are an integer
// or a vector come back in xmm0. All others come back in memory.
#include "codegen/core/module.h"

namespace cilkc::cg {
namespace {

class Win64 : public AbiLowering {
  TypeLowering &t;

  AbiSlot slot(const Type *ty, bool result) {
    AbiSlot s;
    if (ty->isVoid() || ty->isError()) return s;
    uint64_t n = t.size(ty);
    bool scalar = !ty->isRecord() && !ty->isComplex() && !ty->isVector();
    if (n == 1 || n == 2 || n == 4 || n == 8) {
      s.kind = scalar ? AbiSlot::Direct : AbiSlot::Pieces;
      s.pieces.push_back({scalar ? t.value(ty) : t.intN(static_cast<unsigned>(n * 8)), 0});
      if (ty->isInteger() && n < 4) (t.isSigned(ty) ? s.signExt : s.zeroExt) = result || ty->isBool();
    } else if (result && n == 16 && (ty->isInteger() || ty->isVector())) {
      s.kind = AbiSlot::Pieces;
      s.pieces.push_back({LLVMVectorType(t.i64, 2), 0});
    } else if (!result || n) {
      s.kind = AbiSlot::Indirect;
      s.align = t.align(ty);
    }
    return s;
  }

public:
  explicit Win64(TypeLowering &tl) : t(tl) {}
  void classify(AbiFunction &f) override {
    f.result = slot(f.resultType.type, true);
    f.params.clear();
    for (QualType q : f.types) f.params.push_back(slot(q.type, false));
    f.callConv = LLVMWin64CallConv;
  }
};

}  // namespace

AbiLowering *makeWin64Lowering(TypeLowering &t) { return new Win64(t); }

}  // namespace cilkc::cg
