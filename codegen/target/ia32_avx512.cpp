// ia32_avx512.cpp - the builtins of AVX-512: most are an operation of the narrower sets under a mask, whose other lanes
// come from a further operand (or are zero). The operation is emitted by the functions of ia32_builtin.cpp, which go by
// the lanes of the operands, or by LLVM's intrinsic of the unmasked name; the mask is a select. Comparisons give
// integers of one bit a lane. Roundings other than the current one are the business of LLVM's own intrinsics, where
// there is one of that name.
#include "codegen/target/ia32.h"

namespace cilkc::cg {

static bool isVector(LLVMTypeRef t) { return t && LLVMGetTypeKind(t) == LLVMVectorTypeKind; }

LLVMValueRef Ia32::masks(LLVMValueRef m, unsigned k) {
  LLVMTypeRef ty = LLVMTypeOf(m);
  if (isVector(ty)) return m;
  unsigned bits = LLVMGetIntTypeWidth(ty);
  if (bits < k) {
    m = LLVMBuildZExt(b, m, t.intN(k), "");
    bits = k;
  }
  LLVMValueRef v = cast(m, vec(t.i1, bits));
  if (bits == k) return v;
  Mask first;
  for (unsigned i = 0; i < k; i++) first.push_back(static_cast<int>(i));
  return shuffle(v, v, first);
}

LLVMValueRef Ia32::select(LLVMValueRef mask, LLVMValueRef yes, LLVMValueRef no) {
  if (LLVMIsAConstantInt(mask) && LLVMConstIntGetSExtValue(mask) == -1) return yes;
  if (LLVMTypeOf(no) != LLVMTypeOf(yes)) no = cast(no, LLVMTypeOf(yes));
  return LLVMBuildSelect(b, masks(mask, lanes(yes)), yes, no, "");
}

LLVMValueRef Ia32::maskResult(LLVMValueRef v) {
  unsigned k = lanes(v), bits = LLVMGetIntTypeWidth(rt);
  if (k < 8) {
    Mask wide;
    for (unsigned i = 0; i < 8; i++) wide.push_back(static_cast<int>(i < k ? i : k));
    v = shuffle(v, LLVMConstNull(LLVMTypeOf(v)), wide);
    k = 8;
  }
  LLVMValueRef r = cast(v, t.intN(k));
  return k == bits ? r : LLVMBuildIntCast2(b, r, rt, false, "");
}

// The operation `core` on the first operands, whatever the width in its name.
LLVMValueRef Ia32::plain(std::string_view name, size_t howMany) {
  std::string_view oldName = n;
  size_t old = operands;
  n = name;
  operands = howMany;
  LLVMValueRef v = nullptr;
  for (auto step : {&Ia32::arithmetic, &Ia32::logic, &Ia32::integers, &Ia32::comparisons, &Ia32::fused, &Ia32::shuffles,
           &Ia32::selections, &Ia32::byteShifts, &Ia32::conversions, &Ia32::elements, &Ia32::byName}) {
    v = (this->*step)();
    if (v || done) break;
  }
  n = oldName;
  operands = old;
  return v;
}

LLVMValueRef Ia32::unmaskedArithmetic(Ia32Part core, Ia32Part stem, size_t howMany) {
  auto binary = [&](LLVMOpcode op) {
    LLVMValueRef x = arg(0);
    return LLVMBuildBinOp(b, op, x, arg(1), "");
  };
  static const struct {
    Ia32Name stem;
    LLVMOpcode op;
  } integer[] = {{"paddb", LLVMAdd}, {"paddw", LLVMAdd}, {"paddd", LLVMAdd}, {"paddq", LLVMAdd}, {"psubb", LLVMSub},
      {"psubw", LLVMSub}, {"psubd", LLVMSub}, {"psubq", LLVMSub}, {"pmullw", LLVMMul}, {"pmulld", LLVMMul},
      {"pmullq", LLVMMul}, {"pandd", LLVMAnd}, {"pandq", LLVMAnd}, {"pord", LLVMOr}, {"porq", LLVMOr},
      {"pxord", LLVMXor}, {"pxorq", LLVMXor}};
  if (howMany >= 2) {
    for (auto &x : integer)
      if (stem == x.stem) return binary(x.op);
    if (stem == "pandnd" || stem == "pandnq") {
      LLVMValueRef x = LLVMBuildNot(b, arg(0), "");
      return LLVMBuildAnd(b, x, arg(1), "");
    }
  }
  if (core.startsWith("mova") || core.startsWith("movdq")) return arg(0);
  // the second, unless the first is beyond it
  if ((stem == "maxps" || stem == "maxpd" || stem == "minps" || stem == "minpd") && howMany == 2) {
    LLVMValueRef x = arg(0), y = arg(1);
    return LLVMBuildSelect(b, LLVMBuildFCmp(b, stem[1] == 'a' ? LLVMRealOGT : LLVMRealOLT, x, y, ""), x, y, "");
  }
  if (stem == "vplzcntd_" || stem == "vplzcntq_" || stem == "vplzcntd" || stem == "vplzcntq") {
    LLVMValueRef x = arg(0);
    return intrinsic("llvm.ctlz", {x, LLVMConstInt(t.i1, 0, false)}, {LLVMTypeOf(x)});
  }
  if (core.startsWith("vpopcount")) {
    LLVMValueRef x = arg(0);
    return intrinsic("llvm.ctpop", {x}, {LLVMTypeOf(x)});
  }
  if (core.startsWith("pmaxs") || core.startsWith("pmaxu") || core.startsWith("pmins") || core.startsWith("pminu")) {
    LLVMValueRef x = arg(0);
    std::string name = std::string("llvm.") + (core[4] == 's' ? "s" : "u") + (core[2] == 'a' ? "max" : "min");
    return intrinsic(name.c_str(), {x, arg(1)}, {LLVMTypeOf(x)});
  }
  return nullptr;
}

// Shifts and rotations by one count for all lanes; too large a count gives zeros, or the sign.
LLVMValueRef Ia32::unmaskedShift(Ia32Part core, Ia32Part stem, size_t howMany) {
  for (Ia32Name s : {Ia32Name("psll"), Ia32Name("psrl"), Ia32Name("psra")})
    if (core.startsWith(s) && howMany == 2 && stem.text.size() == 6 && stem[5] == 'i') {
      LLVMValueRef x = arg(0), k = arg(1);
      LLVMTypeRef el = LLVMGetElementType(LLVMTypeOf(x));
      unsigned bits = laneBits(x);
      k = LLVMBuildIntCast2(b, k, t.i32, false, "");
      LLVMValueRef ok = LLVMBuildICmp(b, LLVMIntULT, k, fe.i32c(bits), "");
      LLVMValueRef amount = LLVMBuildSelect(b, ok, k, fe.i32c(bits - 1), "");
      auto splat = [&](LLVMValueRef v) {
        LLVMValueRef r = LLVMBuildInsertElement(b, LLVMGetUndef(LLVMTypeOf(x)), LLVMBuildIntCast2(b, v, el, false, ""),
            fe.i32c(0), "");
        return shuffle(r, r, Mask(lanes(x), 0));
      };
      if (stem[3] == 'a') return LLVMBuildAShr(b, x, splat(amount), "");
      LLVMValueRef r = stem[2] == 'l' ? LLVMBuildShl(b, x, splat(amount), "") : LLVMBuildLShr(b, x, splat(amount), "");
      return LLVMBuildSelect(b, ok, r, LLVMConstNull(LLVMTypeOf(x)), "");
    }
  if ((core.startsWith("prol") || core.startsWith("pror")) && howMany == 2) {
    LLVMValueRef x = arg(0), k = arg(1);
    if (!isVector(LLVMTypeOf(k))) {
      k = LLVMBuildInsertElement(b, LLVMGetUndef(LLVMTypeOf(x)),
          LLVMBuildIntCast2(b, k, LLVMGetElementType(LLVMTypeOf(x)), false, ""), fe.i32c(0), "");
      k = shuffle(k, k, Mask(lanes(x), 0));
    }
    return intrinsic(core[3] == 'l' ? "llvm.fshl" : "llvm.fshr", {x, x, k}, {LLVMTypeOf(x)});
  }
  return nullptr;
}

LLVMValueRef Ia32::unmaskedLanes(Ia32Part core, Ia32Part stem, size_t howMany) {
  if (core.startsWith("broadcast") || core.startsWith("pbroadcast")) {
    LLVMValueRef x = arg(0);
    unsigned k = LLVMGetVectorSize(rt), per = 1;
    if (!isVector(LLVMTypeOf(x))) { x = LLVMBuildInsertElement(b, LLVMGetUndef(rt), x, fe.i32c(0), ""); }
    size_t times = core.text.find('x');
    if (times != std::string_view::npos) per = static_cast<unsigned>(core[times + 1] - '0');
    Mask mask;
    for (unsigned i = 0; i < k; i++) mask.push_back(static_cast<int>(i % per));
    return shuffle(x, x, mask);
  }
  if (core.startsWith("extract") && howMany == 2) {
    LLVMValueRef x = arg(0);
    unsigned k = LLVMGetVectorSize(rt), parts = lanes(x) / k, bits = parts == 4 ? 2 : 1;
    return immediate(1, bits, [&](unsigned p) {
      Mask mask;
      for (unsigned i = 0; i < k; i++) mask.push_back(static_cast<int>(p * k + i));
      return shuffle(x, x, mask);
    });
  }
  if (core.startsWith("insert") && howMany == 3) {
    LLVMValueRef x = arg(0), y = arg(1);
    unsigned k = lanes(x), part = lanes(y), bits = k / part == 4 ? 2 : 1;
    Mask widen;
    for (unsigned i = 0; i < k; i++) widen.push_back(i < part ? static_cast<int>(i) : -1);
    LLVMValueRef wide = shuffle(y, y, widen);
    return immediate(2, bits, [&](unsigned p) {
      Mask mask;
      for (unsigned i = 0; i < k; i++) mask.push_back(static_cast<int>(i / part == p ? k + i % part : i));
      return shuffle(x, wide, mask);
    });
  }
  if (core.startsWith("shuf_") && howMany == 3) {
    LLVMValueRef x = arg(0), y = arg(1);
    unsigned k = lanes(x), per = 128 / laneBits(x), blocks = k / per;
    return immediate(2, 8, [&](unsigned imm) {
      Mask mask;
      for (unsigned block = 0; block < blocks; block++) {
        unsigned sel = blocks == 4 ? imm >> (2 * block) & 3 : imm >> block & 1;
        for (unsigned i = 0; i < per; i++)
          mask.push_back(static_cast<int>((block >= blocks / 2 ? k : 0) + sel * per + i));
      }
      return shuffle(x, y, mask);
    });
  }
  if ((stem == "permdf" || stem == "permdi") && howMany == 2) {
    LLVMValueRef x = arg(0);
    unsigned k = lanes(x);
    return immediate(1, 8, [&](unsigned imm) {
      Mask mask;
      for (unsigned i = 0; i < k; i++) mask.push_back(static_cast<int>(i / 4 * 4 + (imm >> (2 * (i % 4)) & 3)));
      return shuffle(x, x, mask);
    });
  }
  if ((stem == "alignd" || stem == "alignq") && howMany == 3) {
    LLVMValueRef x = arg(0), y = arg(1);
    unsigned k = lanes(x);
    return immediate(2, 4, [&](unsigned imm) {
      Mask mask;
      for (unsigned i = 0; i < k; i++) mask.push_back(static_cast<int>(i + (imm & (k - 1))));
      return shuffle(y, x, mask);
    });
  }
  // truncation; what is left of the result is zero
  if (core.startsWith("pmov") && core[4] != 's' && core[4] != 'z' && core[4] != 'u' && howMany == 1) {
    LLVMValueRef x = arg(0);
    unsigned k = lanes(x), all = LLVMGetVectorSize(rt);
    LLVMValueRef r = LLVMBuildTrunc(b, x, vec(LLVMGetElementType(rt), k), "");
    if (all == k) return r;
    Mask mask;
    for (unsigned i = 0; i < all; i++) mask.push_back(static_cast<int>(i < k ? i : k));
    return shuffle(r, LLVMConstNull(LLVMTypeOf(r)), mask);
  }
  return nullptr;
}

LLVMValueRef Ia32::unmaskedConversion(Ia32Part, Ia32Part stem, size_t howMany) {
  if (howMany == 1) {
    LLVMTypeRef from = LLVMTypeOf(arg(0));
    if (isVector(from) && isVector(rt) && LLVMGetVectorSize(from) > LLVMGetVectorSize(rt) && stem == "cvtudq2pd") {
      LLVMValueRef x = arg(0);
      Mask first;
      for (unsigned i = 0; i < LLVMGetVectorSize(rt); i++) first.push_back(static_cast<int>(i));
      return LLVMBuildUIToFP(b, shuffle(x, x, first), rt, "");
    }
    if (isVector(from) && isVector(rt) && LLVMGetVectorSize(from) == LLVMGetVectorSize(rt)) {
      if (stem == "cvtudq2ps" || stem == "cvtudq2pd" || stem == "cvtuqq2pd" || stem == "cvtuqq2ps")
        return LLVMBuildUIToFP(b, arg(0), rt, "");
      if (stem == "cvtdq2pd" || stem == "cvtqq2pd" || stem == "cvtqq2ps") return LLVMBuildSIToFP(b, arg(0), rt, "");
      if (stem == "vcvtw2ph" || stem == "vcvtdq2ph") return LLVMBuildSIToFP(b, arg(0), rt, "");
      if (stem == "vcvtuw2ph" || stem == "vcvtudq2ph") return LLVMBuildUIToFP(b, arg(0), rt, "");
      if (stem == "cvtpd2ps") return LLVMBuildFPTrunc(b, arg(0), rt, "");
      if (stem == "cvtps2pd") return LLVMBuildFPExt(b, arg(0), rt, "");
    }
  }
  return nullptr;
}

LLVMValueRef Ia32::unmasked(std::string_view core, size_t howMany) {
  std::string_view stem = core;  // without width
  for (std::string_view w : {"_512", "_256", "_128", "512", "256", "128"})
    if (stem.ends_with(w)) {
      stem.remove_suffix(w.size());
      break;
    }
  for (auto step : {&Ia32::unmaskedArithmetic, &Ia32::unmaskedShift, &Ia32::unmaskedLanes, &Ia32::unmaskedConversion})
    if (LLVMValueRef v = (this->*step)({core}, {stem}, howMany)) return v;
  // As the narrower sets have it: their functions go by lanes.
  for (const char *width : {"256", "128", "", "512"})
    if (LLVMValueRef v = plain(std::string(stem) + width, howMany)) {
      if (!isVector(LLVMTypeOf(v)) ||
          LLVMSizeOfTypeInBits(m.layout, LLVMTypeOf(v)) == LLVMSizeOfTypeInBits(m.layout, rt))
        return v;
    }
  return plain(core, howMany);
}

LLVMValueRef Ia32::masked(std::string_view core, size_t howMany, LLVMValueRef mask, LLVMValueRef instead) {
  LLVMValueRef v = unmasked(core, howMany);
  if (!v) return nullptr;
  if (core.starts_with("palignr")) {  // its mask is one of bytes
    LLVMTypeRef bytes = vec(t.i8, static_cast<unsigned>(LLVMSizeOfTypeInBits(m.layout, rt) / 8));
    return cast(select(mask, cast(v, bytes), instead ? cast(instead, bytes) : LLVMConstNull(bytes)), rt);
  }
  if (LLVMTypeOf(v) != rt) v = cast(v, rt);
  return select(mask, v, instead ? instead : LLVMConstNull(rt));
}

// a * b + c, permutations of two tables and ternary logic: `_mask` keeps the first operand (vpermi2var: the indices),
// `_mask3` the last, `_maskz` nothing.
LLVMValueRef Ia32::threeOperands() {
  size_t u = n.rfind("_mask");
  if (u == std::string_view::npos) return nullptr;
  std::string_view core = n.substr(0, u), kind = n.substr(u);
  bool fused = core.starts_with("vfm") || core.starts_with("vfnm"),
       table = core.starts_with("vpermt2var") || core.starts_with("vpermi2var"), ternary = core.starts_with("pternlog");
  if (!fused && !table && !ternary) return nullptr;
  size_t maskAt = ternary ? 4 : 3;
  if (e->args.size() <= maskAt) return nullptr;
  if (fused && core.ends_with("3")) {  // the low lane
    LLVMValueRef zero = fe.i32c(0), v[3];
    for (size_t i = 0; i < 3; i++) v[i] = arg(i);
    LLVMValueRef x = LLVMBuildExtractElement(b, v[0], zero, ""), y = LLVMBuildExtractElement(b, v[1], zero, ""),
                 z = LLVMBuildExtractElement(b, v[2], zero, "");
    LLVMValueRef r = intrinsic("llvm.fma",
        {core.starts_with("vfn") ? LLVMBuildFNeg(b, x, "") : x, y,
            core.find("sub") != std::string_view::npos ? LLVMBuildFNeg(b, z, "") : z},
        {LLVMTypeOf(x)});
    LLVMValueRef instead = kind == "_mask3"   ? z
                           : kind == "_maskz" ? LLVMConstNull(LLVMTypeOf(x))
                                              : x,
                 bit = LLVMBuildTrunc(b, arg(3), t.i1, "");
    return LLVMBuildInsertElement(b, kind == "_mask3" ? v[2] : v[0], LLVMBuildSelect(b, bit, r, instead, ""), zero, "");
  }
  LLVMValueRef x = arg(0), y = arg(1), z = arg(2), mask = arg(maskAt), r = nullptr;
  if (fused) {
    std::string_view type = core.ends_with("512") || core.ends_with("256") || core.ends_with("128")
                                ? core.substr(0, core.size() - 3)
                                : core;
    type.remove_suffix(2);  // ps, pd
    LLVMValueRef p = x, s = z;
    if (type.starts_with("vfn")) p = LLVMBuildFNeg(b, p, "");
    if (type == "vfmaddsub" || type == "vfmsubadd") {
      LLVMValueRef plus = intrinsic("llvm.fma", {x, y, z}, {LLVMTypeOf(x)}),
                   minus = intrinsic("llvm.fma", {x, y, LLVMBuildFNeg(b, z, "")}, {LLVMTypeOf(x)});
      Mask mix;
      bool even = type == "vfmaddsub";  // even lanes subtract
      for (unsigned i = 0; i < lanes(x); i++) mix.push_back(static_cast<int>((i % 2 == 0) == even ? lanes(x) + i : i));
      r = shuffle(plus, minus, mix);
    } else {
      if (type.ends_with("sub")) s = LLVMBuildFNeg(b, s, "");
      r = intrinsic("llvm.fma", {p, y, s}, {LLVMTypeOf(x)});
    }
  } else if (table) {
    bool t2 = core[5] == 't';
    LLVMValueRef index = t2 ? x : y, first = t2 ? y : x;
    std::string name = "__builtin_ia32_vpermi2var" + std::string(core.substr(10));
    unsigned id = shimBuiltinIntrinsic("x86", name.c_str());
    if (!id) return nullptr;
    LLVMTypeRef ft = LLVMIntrinsicGetType(fe.context, id, nullptr, 0);
    r = fe.call(ft, LLVMGetIntrinsicDeclaration(m.module, id, nullptr, 0), {first, index, z});
  } else {
    LLVMTypeRef ty = LLVMTypeOf(x);
    r = immediate(3, 8, [&](unsigned imm) {
      LLVMValueRef any = LLVMConstNull(ty);
      LLVMValueRef nx = LLVMBuildNot(b, x, ""), ny = LLVMBuildNot(b, y, ""), nz = LLVMBuildNot(b, z, "");
      for (unsigned i = 0; i < 8; i++)
        if (imm >> i & 1)
          any = LLVMBuildOr(b, any,
              LLVMBuildAnd(b, LLVMBuildAnd(b, i & 4 ? x : nx, i & 2 ? y : ny, ""), i & 1 ? z : nz, ""), "");
      return any;
    });
  }
  LLVMValueRef instead = kind == "_maskz"                                                   ? LLVMConstNull(rt)
                         : kind == "_mask3"                                                 ? z
                         : core.starts_with("vpermi2var") || core.starts_with("vpermt2var") ? y
                                                                                            : x;
  if (table && kind == "_mask") instead = y;  // t2: the first table; i2: the indices
  return select(mask, cast(r, rt), cast(instead, rt));
}

LLVMValueRef Ia32::compares() {
  bool mask = n.ends_with("_mask");
  std::string_view core = mask ? n.substr(0, n.size() - 5) : n;
  bool test = has("ptestm"), testn = has("ptestnm"), eq = has("pcmpeq"), gt = has("pcmpgt"), uns = has("ucmp");
  bool cmp = (has("cmp") || uns) && mask && rt && LLVMGetTypeKind(rt) == LLVMIntegerTypeKind;
  if (!(cmp || ((eq || gt) && mask) ||
          ((test || testn) && rt && LLVMGetTypeKind(rt) == LLVMIntegerTypeKind && e->args.size() == 3)))
    return nullptr;
  LLVMValueRef x = arg(0), y = arg(1);
  size_t maskAt = cmp ? 3 : 2;
  if (e->args.size() <= maskAt) return nullptr;
  LLVMValueRef under = arg(maskAt);
  bool scalar = cmp && (core == "cmpss" || core == "cmpsd");
  auto finish = [&](LLVMValueRef bits) -> LLVMValueRef {
    if (scalar) {
      LLVMValueRef one = LLVMBuildZExt(b, LLVMBuildExtractElement(b, bits, fe.i32c(0), ""), rt, "");
      return LLVMBuildAnd(b, one, LLVMBuildIntCast2(b, under, rt, false, ""), "");
    }
    if (!(LLVMIsAConstantInt(under) && LLVMConstIntGetSExtValue(under) == -1))
      bits = LLVMBuildAnd(b, bits, masks(under, lanes(bits)), "");
    return maskResult(bits);
  };
  if (eq) return finish(LLVMBuildICmp(b, LLVMIntEQ, x, y, ""));
  if (gt) return finish(LLVMBuildICmp(b, LLVMIntSGT, x, y, ""));
  if (test || testn) {
    LLVMValueRef both = LLVMBuildAnd(b, x, y, "");
    return finish(LLVMBuildICmp(b, test ? LLVMIntNE : LLVMIntEQ, both, LLVMConstNull(LLVMTypeOf(both)), ""));
  }
  LLVMTypeKind k = LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(x)));
  if (k != LLVMIntegerTypeKind) {
    static const LLVMRealPredicate preds[16] = {LLVMRealOEQ, LLVMRealOLT, LLVMRealOLE, LLVMRealUNO, LLVMRealUNE,
        LLVMRealUGE, LLVMRealUGT, LLVMRealORD, LLVMRealUEQ, LLVMRealULT, LLVMRealULE, LLVMRealPredicateFalse,
        LLVMRealONE, LLVMRealOGE, LLVMRealOGT, LLVMRealPredicateTrue};
    return immediate(2, 5, [&](unsigned imm) { return finish(LLVMBuildFCmp(b, preds[imm & 15], x, y, "")); });
  }
  static const LLVMIntPredicate sp[8] = {LLVMIntEQ, LLVMIntSLT, LLVMIntSLE, LLVMIntEQ, LLVMIntNE, LLVMIntSGE,
      LLVMIntSGT, LLVMIntEQ},
                                up[8] = {LLVMIntEQ, LLVMIntULT, LLVMIntULE, LLVMIntEQ, LLVMIntNE, LLVMIntUGE,
                                    LLVMIntUGT, LLVMIntEQ};
  return immediate(2, 3, [&](unsigned imm) {
    if (imm == 3 || imm == 7) {
      LLVMTypeRef bt = vec(t.i1, lanes(x));
      return finish(imm == 3 ? LLVMConstNull(bt) : LLVMConstAllOnes(bt));
    }
    return finish(LLVMBuildICmp(b, (uns ? up : sp)[imm], x, y, ""));
  });
}

// kandhi, knotqi, kortestzsi and so on: plain integers.
LLVMValueRef Ia32::maskRegisters() {
  if (has("cvtmask2") && rt) {
    LLVMValueRef x = arg(0);
    return LLVMBuildSExt(b, masks(x, LLVMGetVectorSize(rt)), rt, "");
  }
  if (has("cvt") && n.find("2mask") != std::string_view::npos) {
    LLVMValueRef x = arg(0);
    return maskResult(LLVMBuildICmp(b, LLVMIntSLT, x, LLVMConstNull(LLVMTypeOf(x)), ""));
  }
  if (is("kmovb") || is("kmovw") || is("kmovd") || is("kmovq")) return arg(0);
  if (!has("k") || n.size() < 5 || !rt) return nullptr;
  std::string_view op = n.substr(1, n.size() - 3), type = n.substr(n.size() - 2);
  if (type != "qi" && type != "hi" && type != "si" && type != "di") return nullptr;
  LLVMValueRef x = arg(0);
  if (op == "not") return LLVMBuildNot(b, x, "");
  if (e->args.size() < 2) return nullptr;
  LLVMValueRef y = arg(1);
  auto flag = [&](LLVMValueRef v, bool ones) {
    return LLVMBuildZExt(b,
        LLVMBuildICmp(b, LLVMIntEQ, v, ones ? LLVMConstAllOnes(LLVMTypeOf(v)) : LLVMConstNull(LLVMTypeOf(v)), ""), rt,
        "");
  };
  if (op == "and") return LLVMBuildAnd(b, x, y, "");
  if (op == "or") return LLVMBuildOr(b, x, y, "");
  if (op == "xor") return LLVMBuildXor(b, x, y, "");
  if (op == "xnor") return LLVMBuildNot(b, LLVMBuildXor(b, x, y, ""), "");
  if (op == "andn") return LLVMBuildAnd(b, LLVMBuildNot(b, x, ""), y, "");
  if (op == "add") return LLVMBuildAdd(b, x, y, "");
  if (op == "ortestz") return flag(LLVMBuildOr(b, x, y, ""), false);
  if (op == "ortestc") return flag(LLVMBuildOr(b, x, y, ""), true);
  if (op == "testz") return flag(LLVMBuildAnd(b, x, y, ""), false);
  if (op == "testc") return flag(LLVMBuildAnd(b, LLVMBuildNot(b, x, ""), y, ""), false);
  if (op == "shiftli" || op == "shiftri") {
    LLVMTypeRef ty = LLVMTypeOf(x);
    LLVMValueRef k = LLVMBuildIntCast2(b, y, ty, false, ""),
                 ok = LLVMBuildICmp(b, LLVMIntULT, k, LLVMConstInt(ty, LLVMGetIntTypeWidth(ty), false), "");
    LLVMValueRef r = op == "shiftli" ? LLVMBuildShl(b, x, LLVMBuildSelect(b, ok, k, LLVMConstNull(ty), ""), "")
                                     : LLVMBuildLShr(b, x, LLVMBuildSelect(b, ok, k, LLVMConstNull(ty), ""), "");
    return LLVMBuildSelect(b, ok, r, LLVMConstNull(ty), "");
  }
  if (op == "unpck") {
    unsigned half = type == "hi" ? 8 : type == "si" ? 16 : 32;
    LLVMTypeRef ty = t.intN(2 * half);
    LLVMValueRef hi = LLVMBuildIntCast2(b, LLVMBuildIntCast2(b, x, t.intN(half), false, ""), ty, false, ""),
                 lo = LLVMBuildIntCast2(b, LLVMBuildIntCast2(b, y, t.intN(half), false, ""), ty, false, "");
    return LLVMBuildIntCast2(b, LLVMBuildOr(b, LLVMBuildShl(b, hi, LLVMConstInt(ty, half, false), ""), lo, ""), rt,
        false, "");
  }
  return nullptr;
}

// Gathers and scatters of AVX2 and AVX-512: gathersiv8sf(src, base, index, mask, scale), scattersiv8df(base, mask,
// index, value, scale); `s` has indices of 32 bits, `d` of 64.
LLVMValueRef Ia32::gathers() {
  bool gather = has("gather"), scatter = has("scatter"), three = has("gather3");
  if ((!gather && !scatter) || e->args.size() != 5) return nullptr;
  std::string_view rest = n.substr(gather ? (three ? 7 : 6) : 7);
  if (!rest.starts_with("siv") && !rest.starts_with("div")) return nullptr;
  bool wide = rest.ends_with("256");
  if (wide) rest.remove_suffix(3);
  std::string_view type = rest.substr(rest.size() - 2), lanesText = rest.substr(3, rest.size() - 5);
  char index = rest[0] == 's' ? 'd' : 'q';
  std::string name;
  bool masks512 = (lanesText == "16" || (lanesText == "8" && (type == "df" || type == "di"))) && !three;
  if (masks512) {
    name = std::string("llvm.x86.avx512.mask.") + (gather ? "gather." : "scatter.") + index + "p" +
           (type == "sf"      ? "s"
               : type == "df" ? "d"
               : type == "si" ? "i"
                              : "q") +
           ".512";
  } else if (three || scatter) {
    name = std::string("llvm.x86.avx512.mask.") + (gather ? "gather3" : "scatter") +
           std::string(rest.substr(0, rest.size() - 2)) + "." + std::string(type);
  } else {
    bool ymm = wide || LLVMSizeOfTypeInBits(m.layout, rt) == 256;
    name = std::string("llvm.x86.avx2.gather.") + index + "." +
           (type == "df"      ? "pd"
               : type == "sf" ? "ps"
               : type == "di" ? "q"
                              : "d") +
           (ymm ? ".256" : "");
  }
  LLVMTypeRef ft = m.intrinsicType(name.c_str());
  if (!ft || LLVMCountParamTypes(ft) != 5) return nullptr;
  LLVMTypeRef params[5];
  LLVMGetParamTypes(ft, params);
  std::vector<LLVMValueRef> args;
  for (size_t i = 0; i < 4; i++) {
    LLVMValueRef v = arg(i);
    if (isVector(params[i]) && LLVMGetElementType(params[i]) == t.i1) v = masks(v, LLVMGetVectorSize(params[i]));
    else if (isVector(params[i]) && LLVMTypeOf(v) != params[i]) v = cast(v, params[i]);
    args.push_back(v);
  }
  reported = true;
  LLVMValueRef r = immediate(4, 4, [&](unsigned scale) -> LLVMValueRef {
    if (scale != 1 && scale != 2 && scale != 4 && scale != 8) return rt ? LLVMGetUndef(rt) : nullptr;
    LLVMValueRef base = args[gather ? 1 : 0], index = args[2], lane = gather ? nullptr : args[3],
                 mask = fe.memory.watched() ? signs(args[gather ? 3 : 1]) : nullptr;
    for (unsigned i = 0; mask && i < std::min(lanes(index), LLVMGetVectorSize(lane ? LLVMTypeOf(lane) : rt)); i++) {
      LLVMValueRef at = LLVMBuildMul(b, LLVMBuildSExt(b, LLVMBuildExtractElement(b, index, fe.i32c(i), ""), t.i64, ""),
          fe.i64c(scale), "");
      LLVMTypeRef type = LLVMGetElementType(lane ? LLVMTypeOf(lane) : rt);
      reportLane(LLVMBuildGEP2(b, t.i8, base, &at, 1, ""), type, mask, i,
          gather ? AccessMode::Read : AccessMode::Write);
    }
    auto all = args;
    all.push_back(LLVMConstInt(params[4], scale, false));
    LLVMValueRef v = intrinsic(name.c_str(), all);
    return rt ? cast(v, rt) : nullptr;
  });
  done = !rt;
  return r;
}

LLVMValueRef Ia32::memory() {
  // The low lane only: loads under a mask's bit 0, and moves.
  if (is({"loadss_mask", "loadsd_mask", "storess_mask", "storesd_mask"})) {
    LLVMValueRef p = arg(0), x = arg(1);
    LLVMTypeRef ty = LLVMTypeOf(x);
    LLVMValueRef bits =
        LLVMBuildAnd(b, LLVMBuildIntCast2(b, arg(2), t.i8, false, ""), LLVMConstInt(t.i8, 1, false), "");
    under = bits = masks(bits, lanes(x));
    if (has("load")) {
      LLVMValueRef lowest =
          LLVMBuildInsertElement(b, LLVMConstNull(ty), LLVMBuildExtractElement(b, x, fe.i32c(0), ""), fe.i32c(0), "");
      return intrinsic("llvm.masked.load", {p, fe.i32c(1), bits, lowest}, {ty, t.ptr});
    }
    intrinsic("llvm.masked.store", {x, p, fe.i32c(1), bits}, {ty, t.ptr});
    done = true;
    return nullptr;
  }
  if (is({"movess_mask", "movesd_mask"})) {
    LLVMValueRef x = arg(0), y = arg(1), w = arg(2), zero = fe.i32c(0);
    LLVMValueRef bit = LLVMBuildTrunc(b, arg(3), t.i1, "");
    return LLVMBuildInsertElement(b, x,
        LLVMBuildSelect(b, bit, LLVMBuildExtractElement(b, y, zero, ""), LLVMBuildExtractElement(b, w, zero, ""), ""),
        zero, "");
  }
  if (has("expandload") || has("expand") || has("compress")) {
    size_t last = e->args.size() - 1;
    LLVMValueRef mask = arg(last);
    bool zero = n.ends_with("_maskz");
    if (has("compressstore")) {
      LLVMValueRef p = arg(0), x = arg(1);
      under = masks(mask, lanes(x));
      packed = true;
      intrinsic("llvm.masked.compressstore", {x, p, under}, {LLVMTypeOf(x)});
      done = true;
      return nullptr;
    }
    if (!rt || !isVector(rt) || e->args.size() < 2) return nullptr;
    LLVMValueRef first = arg(0), other = zero || e->args.size() < 3 ? LLVMConstNull(rt) : arg(1),
                 bits = masks(mask, LLVMGetVectorSize(rt));
    if (has("expandload")) {
      under = bits;
      packed = true;
      return intrinsic("llvm.masked.expandload", {first, bits, other}, {rt});
    }
    return intrinsic(has("expand") ? "llvm.x86.avx512.mask.expand" : "llvm.x86.avx512.mask.compress",
        {first, other, bits}, {rt});
  }
  if (!n.ends_with("_mask")) return nullptr;
  bool aligned = has("loada") || has("storea") || has("movdqa");
  bool load = (has("load") || (has("movdqa") && n.find("load") != std::string_view::npos)) && rt && isVector(rt),
       store = has("store") || (has("movdqa") && n.find("store") != std::string_view::npos);
  if ((!load && !store) || is("loadss_mask") || is("loadsd_mask") || is("storess_mask") || is("storesd_mask"))
    return nullptr;
  if (e->args.size() != 3) return nullptr;
  LLVMValueRef p = arg(0), x = arg(1), mask = arg(2);
  LLVMTypeRef ty = LLVMTypeOf(x);
  if (!isVector(ty)) return nullptr;
  uint32_t align = aligned ? static_cast<uint32_t>(LLVMSizeOfTypeInBits(m.layout, ty) / 8) : 1;
  under = masks(mask, lanes(x));
  if (load) return intrinsic("llvm.masked.load", {p, fe.i32c(align), under, x}, {ty, t.ptr});
  intrinsic("llvm.masked.store", {x, p, fe.i32c(align), under}, {ty, t.ptr});
  done = true;
  return nullptr;
}

LLVMValueRef Ia32::avx512() {
  size_t total = e->args.size();
  if (LLVMValueRef v = compares()) return v;
  if (LLVMValueRef v = maskRegisters()) return v;
  if (LLVMValueRef v = memory(); v || done) return v;
  if (LLVMValueRef v = gathers(); v || done) return v;
  if (LLVMValueRef v = threeOperands()) return v;
  if (has("broadcastm") && rt) {
    LLVMValueRef x = LLVMBuildIntCast2(b, arg(0), LLVMGetElementType(rt), false, "");
    x = LLVMBuildInsertElement(b, LLVMGetUndef(rt), x, fe.i32c(0), "");
    return shuffle(x, x, Mask(LLVMGetVectorSize(rt), 0));
  }
  if (has("blendm") && total == 3) {
    LLVMValueRef x = arg(0), y = arg(1);
    return select(arg(2), y, x);
  }
  // Widenings and narrowings without an instruction.
  if (is({"pd512_pd", "ps512_ps", "si512_si", "pd512_256pd", "ps512_256ps", "si512_256si"})) {
    LLVMValueRef x = arg(0);
    Mask k;
    for (unsigned i = 0; i < LLVMGetVectorSize(rt); i++) k.push_back(i < lanes(x) ? static_cast<int>(i) : -1);
    return shuffle(x, x, k);
  }
  if (is({"pslldq512", "psrldq512"})) return plain(has("psll") ? "pslldqi256" : "psrldqi256", 2);
  if (is("palignr512")) return plain("palignr256", 3);
  // x86's own intrinsics of this very name know of masks and roundings.
  bool underMask = n.find("_mask") != std::string_view::npos, rounding = n.ends_with("_round");
  if (underMask || rounding)
    if (LLVMValueRef v = byName(); v || done) return v;
  // addsd_round(x, y, r), addss_mask_round(x, y, src, mask, r)
  if (rounding && total >= 3) {
    std::string_view core = n.substr(0, n.size() - (underMask ? 11 : 6));
    auto r = evaluate(e->args[total - 1], m.ast, EvalMode::Fold);
    if (r && r->kind == ConstValue::Int && r->i != 4 && r->i != 8 && r->i != 12) return nullptr;
    LLVMValueRef v = plain(core, 2);
    if (!v || !underMask || total != 5) return v;
    LLVMValueRef bit = LLVMBuildTrunc(b, arg(3), t.i1, ""), zero = fe.i32c(0);
    LLVMValueRef lowOne = LLVMBuildSelect(b, bit, LLVMBuildExtractElement(b, v, zero, ""),
        LLVMBuildExtractElement(b, arg(2), zero, ""), "");
    return LLVMBuildInsertElement(b, v, lowOne, zero, "");
  }
  // masked without saying so
  bool implicit =
      !underMask && rt && isVector(rt) && total == 3 && (has("broadcast") || has("pbroadcast")) && n.ends_with("512");
  if (!rt || !isVector(rt) || (!underMask && !implicit)) return nullptr;
  size_t u = underMask ? n.rfind("_mask") : n.size();
  std::string_view core = n.substr(0, u);
  if (core.ends_with("_gpr")) core.remove_suffix(4);
  if (n.substr(u) == "_maskz") return masked(core, total - 1, arg(total - 1), nullptr);
  // (operands…, src, mask) and maybe a rounding.
  size_t src = total;
  while (src > 0 && !isVector(t.value(e->args[src - 1]->type))) src--;
  if (src < 2 || src >= total) return nullptr;
  src--;
  if (total > src + 2) {
    auto r = evaluate(e->args[total - 1], m.ast, EvalMode::Fold);
    if (r && r->kind == ConstValue::Int && r->i != 4 && r->i != 8 && r->i != 12) return nullptr;
  }
  return masked(core, src, arg(src + 1), arg(src));
}

}  // namespace cilkc::cg
