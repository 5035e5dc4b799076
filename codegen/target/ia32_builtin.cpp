// ia32_builtin.cpp - the x86 builtins that <immintrin.h> and its parts call. LLVM knows the intrinsic of many by the
// builtin's name; what it has no intrinsic for is plain IR (shuffles, selects, saturating arithmetic), written out
// here. An immediate operand may not be a constant yet (in the headers' inline functions). Such an operand becomes a
// switch over all its values, which vanishes when the function is inlined.
#include <algorithm>
#include "codegen/target/ia32.h"
#include "diag/sema_expr.h"

namespace cilkc::cg {

LLVMValueRef Ia32::arithmetic() {
  for (auto [name, op] : {std::pair{"add", LLVMFAdd}, {"sub", LLVMFSub}, {"mul", LLVMFMul}, {"div", LLVMFDiv}}) {
    std::string base = name;
    if (n == base + "ss" || n == base + "sd") {
      LLVMValueRef x = arg(0), y = arg(1);
      return low(x, y, [&](LLVMValueRef p, LLVMValueRef q) { return LLVMBuildBinOp(b, op, p, q, ""); });
    }
    if (n == base + "ps" || n == base + "pd" || n == base + "ps256" || n == base + "pd256" || n == base + "ph128" ||
        n == base + "ph256" || n == base + "ph512") {
      LLVMValueRef x = arg(0);
      return LLVMBuildBinOp(b, op, x, arg(1), "");
    }
  }
  if (is({"sqrtps", "sqrtpd", "sqrtps256", "sqrtpd256", "sqrtph128", "sqrtph256"})) {
    LLVMValueRef x = arg(0);
    return intrinsic("llvm.sqrt", {x}, {LLVMTypeOf(x)});
  }
  if (is({"sqrtss", "sqrtsd"})) {
    LLVMValueRef x = arg(0);
    return low(x, x, [&](LLVMValueRef p, LLVMValueRef) { return intrinsic("llvm.sqrt", {p}, {LLVMTypeOf(p)}); });
  }
  return nullptr;
}

LLVMValueRef Ia32::logic() {
  // On floating vectors it goes through integers.
  for (auto [name, op, negate] :
      {std::tuple{"andn", LLVMAnd, true}, {"and", LLVMAnd, false}, {"or", LLVMOr, false}, {"xor", LLVMXor, false}}) {
    std::string base = name;
    if (n == base + "ps" || n == base + "pd" || n == base + "ps256" || n == base + "pd256") {
      LLVMValueRef x = arg(0), y = arg(1);
      LLVMTypeRef it = vec(t.intN(laneBits(x)), lanes(x));
      LLVMValueRef xi = cast(x, it);
      if (negate) xi = LLVMBuildNot(b, xi, "");
      return cast(LLVMBuildBinOp(b, op, xi, cast(y, it), ""), rt);
    }
    if (n == "p" + base || n == "p" + base + "128" || n == "p" + base + "256" ||
        (negate && (is("andnotsi256") || is("pandn128"))) || (!negate && n == base + "si256")) {
      LLVMValueRef x = arg(0), y = arg(1);
      if (negate) x = LLVMBuildNot(b, x, "");
      return LLVMBuildBinOp(b, op, x, y, "");
    }
  }
  return nullptr;
}

// Saturating and element-wise operations of integers, comparisons.
LLVMValueRef Ia32::integers() {
  static const struct {
    Ia32Name name;
    const char *intrinsic;
  } elementwise[] = {{"paddsb", "llvm.sadd.sat"}, {"paddsw", "llvm.sadd.sat"}, {"paddusb", "llvm.uadd.sat"},
      {"paddusw", "llvm.uadd.sat"}, {"psubsb", "llvm.ssub.sat"}, {"psubsw", "llvm.ssub.sat"},
      {"psubusb", "llvm.usub.sat"}, {"psubusw", "llvm.usub.sat"}, {"pmaxsb", "llvm.smax"}, {"pmaxsw", "llvm.smax"},
      {"pmaxsd", "llvm.smax"}, {"pmaxub", "llvm.umax"}, {"pmaxuw", "llvm.umax"}, {"pmaxud", "llvm.umax"},
      {"pminsb", "llvm.smin"}, {"pminsw", "llvm.smin"}, {"pminsd", "llvm.smin"}, {"pminub", "llvm.umin"},
      {"pminuw", "llvm.umin"}, {"pminud", "llvm.umin"}};
  for (auto &x : elementwise)
    if (has(x.name) &&
        (n == x.name.text || n.substr(x.name.text.size()) == "128" || n.substr(x.name.text.size()) == "256")) {
      LLVMValueRef p = arg(0);
      return intrinsic(x.intrinsic, {p, arg(1)}, {LLVMTypeOf(p)});
    }
  if (has("pabs") && count() == 1) {
    LLVMValueRef x = arg(0);
    return intrinsic("llvm.abs", {x, LLVMConstInt(t.i1, 0, false)}, {LLVMTypeOf(x)});
  }
  if (is({"pmuludq128", "pmuldq128", "pmuludq256", "pmuldq256"})) {
    bool sign = n[4] == 'd';
    LLVMValueRef x = cast(arg(0), rt), y = cast(arg(1), rt),
                 s = LLVMConstVector(std::vector<LLVMValueRef>(LLVMGetVectorSize(rt), fe.i64c(32)).data(),
                     LLVMGetVectorSize(rt));
    auto ext = [&](LLVMValueRef v) {
      v = LLVMBuildShl(b, v, s, "");
      return sign ? LLVMBuildAShr(b, v, s, "") : LLVMBuildLShr(b, v, s, "");
    };
    LLVMValueRef p = ext(x);
    return LLVMBuildMul(b, p, ext(y), "");
  }
  if (is({"pavgb128", "pavgw128", "pavgb256", "pavgw256"})) {
    LLVMTypeRef wide = vec(t.i32, LLVMGetVectorSize(rt));
    LLVMValueRef x = LLVMBuildZExt(b, arg(0), wide, ""), y = LLVMBuildZExt(b, arg(1), wide, "");
    LLVMValueRef one =
        LLVMConstVector(std::vector<LLVMValueRef>(LLVMGetVectorSize(rt), fe.i32c(1)).data(), LLVMGetVectorSize(rt));
    return LLVMBuildTrunc(b, LLVMBuildLShr(b, LLVMBuildAdd(b, LLVMBuildAdd(b, x, y, ""), one, ""), one, ""), rt, "");
  }
  if (is({"pcmpeqb128", "pcmpeqw128", "pcmpeqd128", "pcmpeqq", "pcmpeqb256", "pcmpeqw256", "pcmpeqd256",
          "pcmpeqq256"})) {
    LLVMValueRef x = arg(0);
    return LLVMBuildSExt(b, LLVMBuildICmp(b, LLVMIntEQ, x, arg(1), ""), rt, "");
  }
  if (has("pcmpgt")) {
    LLVMValueRef x = arg(0);
    return LLVMBuildSExt(b, LLVMBuildICmp(b, LLVMIntSGT, x, arg(1), ""), rt, "");
  }
  return nullptr;
}

// Comparisons of floating values: all-ones masks.
LLVMValueRef Ia32::comparisons() {
  if (has("cmp") && rt && LLVMGetTypeKind(rt) == LLVMVectorTypeKind) {
    static const struct {
      const char *name;
      LLVMRealPredicate p;
      bool swap;
    } preds[] = {{"eq", LLVMRealOEQ, false}, {"neq", LLVMRealUNE, false}, {"lt", LLVMRealOLT, false},
        {"le", LLVMRealOLE, false}, {"gt", LLVMRealOLT, true}, {"ge", LLVMRealOLE, true}, {"nlt", LLVMRealUGE, false},
        {"nle", LLVMRealUGT, false}, {"ngt", LLVMRealUGE, true}, {"nge", LLVMRealUGT, true},
        {"ord", LLVMRealORD, false}, {"unord", LLVMRealUNO, false}};
    auto compare = [&](LLVMRealPredicate p, bool swap, bool scalar) {
      LLVMValueRef x = arg(0), y = arg(1);
      LLVMTypeRef it = vec(t.intN(laneBits(x)), lanes(x));
      LLVMValueRef c = swap ? LLVMBuildFCmp(b, p, y, x, "") : LLVMBuildFCmp(b, p, x, y, "");
      LLVMValueRef r = cast(LLVMBuildSExt(b, c, it, ""), LLVMTypeOf(x));
      if (!scalar) return r;
      return LLVMBuildInsertElement(b, x, LLVMBuildExtractElement(b, r, fe.i32c(0), ""), fe.i32c(0), "");
    };
    for (auto &p : preds)
      for (std::string suffix : {"ps", "pd", "ss", "sd"})
        if (n == std::string("cmp") + p.name + suffix) return compare(p.p, p.swap, suffix[0] == 's');
    if (is({"cmpps", "cmppd", "cmpss", "cmpsd", "cmpps256", "cmppd256"})) {
      static const LLVMRealPredicate imm[16] = {LLVMRealOEQ, LLVMRealOLT, LLVMRealOLE, LLVMRealUNO, LLVMRealUNE,
          LLVMRealUGE, LLVMRealUGT, LLVMRealORD, LLVMRealUEQ, LLVMRealULT, LLVMRealULE, LLVMRealPredicateFalse,
          LLVMRealONE, LLVMRealOGE, LLVMRealOGT, LLVMRealPredicateTrue};
      bool scalar = n[3] == 's';
      return immediate(2, 5, [&](unsigned k) { return compare(imm[k & 15], false, scalar); });
    }
  }
  return nullptr;
}

// Multiplication and addition with one rounding.
LLVMValueRef Ia32::fused() {
  if (has("vfm") || has("vfnm")) {
    bool neg = has("vfnm"), sub = n.find("sub") != std::string_view::npos &&
                                  n.find("addsub") == std::string_view::npos &&
                                  n.find("subadd") == std::string_view::npos;
    std::string_view rest = n.substr(neg ? 7 : 6);
    if (n.find("addsub") == std::string_view::npos && n.find("subadd") == std::string_view::npos &&
        (rest == "ps" || rest == "pd" || rest == "ps256" || rest == "pd256" || rest == "ss3" || rest == "sd3")) {
      LLVMValueRef x = arg(0), y = arg(1), z = arg(2), orig = x;
      bool scalar = rest[0] == 's';
      if (scalar) {
        x = LLVMBuildExtractElement(b, x, fe.i32c(0), "");
        y = LLVMBuildExtractElement(b, y, fe.i32c(0), "");
        z = LLVMBuildExtractElement(b, z, fe.i32c(0), "");
      }
      if (neg) x = LLVMBuildFNeg(b, x, "");
      if (sub) z = LLVMBuildFNeg(b, z, "");
      LLVMValueRef r = intrinsic("llvm.fma", {x, y, z}, {LLVMTypeOf(x)});
      return scalar ? LLVMBuildInsertElement(b, orig, r, fe.i32c(0), "") : r;
    }
  }
  return nullptr;
}

LLVMValueRef Ia32::shuffles() {
  auto unpack = [&](bool high) {
    LLVMValueRef x = arg(0), y = arg(1);
    unsigned k = lanes(x), per = 128 / laneBits(x);
    if (per > k) per = k;
    Mask mask;
    for (unsigned lane = 0; lane < k; lane += per)
      for (unsigned i = 0; i < per / 2; i++) {
        mask.push_back(static_cast<int>(lane + i + (high ? per / 2 : 0)));
        mask.push_back(static_cast<int>(lane + i + (high ? per / 2 : 0) + k));
      }
    return shuffle(x, y, mask);
  };
  if (has("punpckh") || has("unpckh")) return unpack(true);
  if (has("punpckl") || has("unpckl")) return unpack(false);
  if (is("movss") || is("movsd")) {
    LLVMValueRef x = arg(0), y = arg(1);
    Mask k{static_cast<int>(lanes(x))};
    for (unsigned i = 1; i < lanes(x); i++) k.push_back(static_cast<int>(i));
    return shuffle(x, y, k);
  }
  if (is("movhlps")) {
    LLVMValueRef x = arg(0), y = arg(1);
    return shuffle(x, y, {6, 7, 2, 3});
  }
  if (is("movlhps")) {
    LLVMValueRef x = arg(0), y = arg(1);
    return shuffle(x, y, {0, 1, 4, 5});
  }
  if (is({"movshdup", "movshdup256", "movsldup", "movsldup256", "movddup256"})) {
    LLVMValueRef x = arg(0);
    Mask k;
    for (unsigned i = 0; i < lanes(x); i++) k.push_back(static_cast<int>(n[3] == 'h' || n[4] == 'h' ? i | 1 : i & ~1u));
    return shuffle(x, x, k);
  }
  if (is("movq128")) {
    LLVMValueRef x = arg(0);
    return shuffle(x, LLVMConstNull(LLVMTypeOf(x)), {0, 2});
  }
  return nullptr;
}

// An immediate selects the lanes.
LLVMValueRef Ia32::selections() {
  if (is({"shufps", "shufpd", "shufps256", "shufpd256"})) {
    LLVMValueRef x = arg(0), y = arg(1);
    unsigned k = lanes(x), per = 128 / laneBits(x);
    return immediate(2, 8, [&](unsigned imm) {
      Mask mask;
      unsigned bit = 0;
      for (unsigned lane = 0; lane < k; lane += per) {
        if (per == 4) bit = 0;
        for (unsigned i = 0; i < per; i++) {
          unsigned sel = per == 4 ? (imm >> bit) & 3 : (imm >> bit) & 1;
          bit += per == 4 ? 2 : 1;
          mask.push_back(static_cast<int>(lane + sel + (i >= per / 2 ? k : 0)));
        }
      }
      return shuffle(x, y, mask);
    });
  }
  if (is({"pshufd", "pshufd256", "pshuflw", "pshufhw", "pshuflw256", "pshufhw256", "vpermilps", "vpermilps256",
          "vpermilpd", "vpermilpd256"})) {
    LLVMValueRef x = arg(0);
    unsigned k = lanes(x), per = 128 / laneBits(x);
    return immediate(1, 8, [&](unsigned imm) {
      Mask mask;
      for (unsigned i = 0; i < k; i++) {
        unsigned lane = i / per * per, j = i % per;
        if (has("pshuflw")) mask.push_back(static_cast<int>(j < 4 ? lane + ((imm >> (2 * j)) & 3) : i));
        else if (has("pshufhw")) mask.push_back(static_cast<int>(j >= 4 ? lane + 4 + ((imm >> (2 * (j - 4))) & 3) : i));
        else if (per == 2) mask.push_back(static_cast<int>(lane + ((imm >> i) & 1)));
        else mask.push_back(static_cast<int>(lane + ((imm >> (2 * j)) & 3)));
      }
      return shuffle(x, x, mask);
    });
  }
  if (is({"permdi256", "permdf256"})) {
    LLVMValueRef x = arg(0);
    return immediate(1, 8,
        [&](unsigned k) { return shuffle(x, x, {int(k & 3), int(k >> 2 & 3), int(k >> 4 & 3), int(k >> 6)}); });
  }
  if (has("vperm2f128_") || is("permti256")) {  // each half: one of four, or zero
    LLVMValueRef x = arg(0), y = arg(1);
    unsigned half = lanes(x) / 2;
    return immediate(2, 8, [&](unsigned imm) {
      Mask both;
      for (unsigned i = 0; i < 2 * half; i++)
        both.push_back(static_cast<int>((i < half ? imm & 3 : imm >> 4 & 3) * half + i % half));
      LLVMValueRef r = shuffle(x, y, both);
      if (!(imm & 0x88)) return r;
      Mask zero;
      for (unsigned i = 0; i < 2 * half; i++)
        zero.push_back(static_cast<int>(imm & (i < half ? 8u : 0x80u) ? 2 * half : i));
      return shuffle(r, LLVMConstNull(LLVMTypeOf(r)), zero);
    });
  }
  if (is({"blendps", "blendpd", "blendps256", "blendpd256", "pblendw128", "pblendw256", "pblendd128", "pblendd256"})) {
    LLVMValueRef x = arg(0), y = arg(1);
    unsigned k = lanes(x);
    return immediate(2, 8, [&](unsigned imm) {
      Mask mask;
      for (unsigned i = 0; i < k; i++) mask.push_back(static_cast<int>(imm >> (i % 8) & 1 ? i + k : i));
      return shuffle(x, y, mask);
    });
  }
  return nullptr;
}

// Byte shifts of 128-bit lanes; the count is in bits.
LLVMValueRef Ia32::byteShifts() {
  if (is({"pslldqi128", "psrldqi128", "pslldqi256", "psrldqi256", "palignr", "palignr128", "palignr256"})) {
    bool align = has("palignr"), left = has("pslldqi");
    unsigned bytes = static_cast<unsigned>(LLVMSizeOfTypeInBits(m.layout, rt) / 8), lane16 = std::min(bytes, 16u);
    LLVMTypeRef bt = vec(t.i8, bytes);
    LLVMValueRef x = cast(arg(0), bt), y = align ? cast(arg(1), bt) : LLVMConstNull(bt);
    return immediate(align ? 2 : 1, align ? 9 : 8, [&](unsigned bits) {
      unsigned k = bits / 8;
      Mask mask;
      // Elements below `bytes` are from the first vector of the shuffle.
      for (unsigned i = 0; i < bytes; i++) {
        unsigned lane = i / lane16 * lane16, j = i % lane16;
        if (align) {
          unsigned s = j + k;  // in the 32 bytes hi:lo = x:y
          mask.push_back(s < lane16       ? static_cast<int>(lane + s)
                         : s < 2 * lane16 ? static_cast<int>(bytes + lane + s - lane16)
                                          : static_cast<int>(2 * bytes));
        } else if (left) mask.push_back(j >= k ? static_cast<int>(lane + j - k) : static_cast<int>(bytes));
        else mask.push_back(j + k < 16 ? static_cast<int>(lane + j + k) : static_cast<int>(bytes));
      }
      if (!align) return cast(shuffle(x, y, mask), rt);
      bool beyond = false;
      for (int &v : mask)
        if (v == static_cast<int>(2 * bytes)) {
          beyond = true;
          v = -1;
        }
      if (k >= 2 * lane16) return LLVMConstNull(rt);
      LLVMValueRef r = shuffle(y, x, mask);
      if (beyond) {  // zeros beyond the pair
        Mask z;
        for (unsigned i = 0; i < bytes; i++)
          z.push_back(i % lane16 + k < 2 * lane16 ? static_cast<int>(i) : static_cast<int>(bytes));
        r = shuffle(r, LLVMConstNull(bt), z);
      }
      return cast(r, rt);
    });
  }
  return nullptr;
}

LLVMValueRef Ia32::conversions() {
  auto firstLanes = [&](LLVMValueRef v, unsigned k) {
    Mask mask;
    for (unsigned i = 0; i < k; i++) mask.push_back(static_cast<int>(i));
    return lanes(v) == k ? v : shuffle(v, v, mask);
  };
  if (is({"cvtdq2ps", "cvtdq2ps256", "cvtdq2pd", "cvtdq2pd256"}))
    return LLVMBuildSIToFP(b, firstLanes(arg(0), LLVMGetVectorSize(rt)), rt, "");
  if (is({"cvtps2pd", "cvtps2pd256"})) return LLVMBuildFPExt(b, firstLanes(arg(0), LLVMGetVectorSize(rt)), rt, "");
  if (is("cvtpd2ps256")) return LLVMBuildFPTrunc(b, arg(0), rt, "");
  if (is("cvtss2sd")) {
    LLVMValueRef x = arg(0), y = arg(1);
    return LLVMBuildInsertElement(b, x, LLVMBuildFPExt(b, LLVMBuildExtractElement(b, y, fe.i32c(0), ""), t.f64, ""),
        fe.i32c(0), "");
  }
  if (is("cvtsd2ss")) {
    LLVMValueRef x = arg(0), y = arg(1);
    return LLVMBuildInsertElement(b, x, LLVMBuildFPTrunc(b, LLVMBuildExtractElement(b, y, fe.i32c(0), ""), t.f32, ""),
        fe.i32c(0), "");
  }
  if (is({"cvtsi2ss", "cvtsi642ss", "cvtsi2sd", "cvtsi642sd"})) {
    LLVMValueRef x = arg(0), y = arg(1);
    return LLVMBuildInsertElement(b, x, LLVMBuildSIToFP(b, y, LLVMGetElementType(rt), ""), fe.i32c(0), "");
  }
  if (has("pmovsx") || has("pmovzx")) {
    LLVMValueRef x = firstLanes(arg(0), LLVMGetVectorSize(rt));
    return n[4] == 's' ? LLVMBuildSExt(b, x, rt, "") : LLVMBuildZExt(b, x, rt, "");
  }
  if (is({"ps256_ps", "pd256_pd", "si256_si"})) {
    LLVMValueRef x = arg(0);
    Mask k;
    for (unsigned i = 0; i < LLVMGetVectorSize(rt); i++) k.push_back(i < lanes(x) ? static_cast<int>(i) : -1);
    return shuffle(x, x, k);
  }
  if (is({"ps_ps256", "pd_pd256", "si_si256"})) return firstLanes(arg(0), LLVMGetVectorSize(rt));
  if (is("vcvtph2ps") || is("vcvtph2ps256")) {
    LLVMValueRef x = firstLanes(arg(0), LLVMGetVectorSize(rt));
    return LLVMBuildFPExt(b, cast(x, vec(t.f16, lanes(x))), rt, "");
  }
  return nullptr;
}

LLVMValueRef Ia32::elements() {
  if (has("vec_ext_")) {
    LLVMValueRef x = arg(0);
    unsigned k = lanes(x);
    LLVMValueRef i = LLVMBuildAnd(b, LLVMBuildIntCast2(b, arg(1), t.i32, false, ""), fe.i32c(k - 1), "");
    LLVMValueRef r = LLVMBuildExtractElement(b, x, i, "");
    return LLVMTypeOf(r) == rt
               ? r
               : LLVMBuildIntCast2(b, r, rt,
                     n.find("qi") == std::string_view::npos && n.find("hi") == std::string_view::npos, "");
  }
  if (has("vec_set_")) {
    LLVMValueRef x = arg(0), v = arg(1),
                 i = LLVMBuildAnd(b, LLVMBuildIntCast2(b, arg(2), t.i32, false, ""), fe.i32c(lanes(x) - 1), "");
    LLVMTypeRef el = LLVMGetElementType(LLVMTypeOf(x));
    if (LLVMTypeOf(v) != el) v = LLVMBuildIntCast2(b, v, el, true, "");
    return LLVMBuildInsertElement(b, x, v, i, "");
  }
  if (has("vec_init_")) {
    LLVMValueRef r = LLVMGetUndef(rt);
    for (unsigned i = 0; i < e->args.size(); i++) {
      LLVMValueRef v = arg(i);
      if (LLVMTypeOf(v) != LLVMGetElementType(rt)) v = LLVMBuildIntCast2(b, v, LLVMGetElementType(rt), true, "");
      r = LLVMBuildInsertElement(b, r, v, fe.i32c(i), "");
    }
    return r;
  }
  if (has("vextractf128_") || is("extract128i256")) {
    LLVMValueRef x = arg(0);
    unsigned half = lanes(x) / 2;
    return immediate(1, 1, [&](unsigned k) {
      Mask mask;
      for (unsigned i = 0; i < half; i++) mask.push_back(static_cast<int>(i + k * half));
      return shuffle(x, x, mask);
    });
  }
  if (has("vinsertf128_") || is("insert128i256")) {
    LLVMValueRef x = arg(0), y = arg(1);
    unsigned k = lanes(x), half = k / 2;
    Mask widen;
    for (unsigned i = 0; i < k; i++) widen.push_back(i < half ? static_cast<int>(i) : -1);
    LLVMValueRef wide = shuffle(y, y, widen);
    return immediate(2, 1, [&](unsigned hi) {
      Mask mask;
      for (unsigned i = 0; i < k; i++) mask.push_back(static_cast<int>((i >= half) == (hi != 0) ? k + i % half : i));
      return shuffle(x, wide, mask);
    });
  }
  auto splat = [&](LLVMValueRef v) {
    LLVMValueRef r = LLVMBuildInsertElement(b, LLVMGetUndef(rt), v, fe.i32c(0), "");
    return shuffle(r, r, Mask(LLVMGetVectorSize(rt), 0));
  };
  if (is({"vbroadcastss", "vbroadcastss256", "vbroadcastsd256"}))
    return splat(load(LLVMGetElementType(rt), arg(0), is("vbroadcastsd256") ? 8 : 4));
  if (is({"vbroadcastss_ps", "vbroadcastss_ps256", "vbroadcastsd_pd256"}) || has("pbroadcast")) {
    LLVMValueRef x = arg(0);
    if (LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind)
      return splat(LLVMBuildExtractElement(b, x, fe.i32c(0), ""));
    return splat(x);
  }
  if (is({"vbroadcastf128_pd256", "vbroadcastf128_ps256"})) {
    LLVMTypeRef half = vec(LLVMGetElementType(rt), LLVMGetVectorSize(rt) / 2);
    LLVMValueRef x = load(half, arg(0), 1);
    Mask k;
    for (unsigned i = 0; i < LLVMGetVectorSize(rt); i++) k.push_back(static_cast<int>(i % (LLVMGetVectorSize(rt) / 2)));
    return shuffle(x, x, k);
  }
  if (is("vbroadcastsi256")) {
    LLVMValueRef x = arg(0);
    return shuffle(x, x, {0, 1, 0, 1});
  }
  // Memory.
  if (is({"loadhps", "loadlps"})) {
    LLVMValueRef x = arg(0), y = load(vec(t.f32, 2), arg(1), 1);
    y = shuffle(y, y, {0, 1, -1, -1});
    return n[4] == 'h' ? shuffle(x, y, {0, 1, 4, 5}) : shuffle(x, y, {4, 5, 2, 3});
  }
  if (is({"loadhpd", "loadlpd"})) {
    LLVMValueRef x = arg(0);
    return LLVMBuildInsertElement(b, x, load(t.f64, arg(1), 1), fe.i32c(n[4] == 'h'), "");
  }
  if (is({"storehps", "storelps"})) {
    LLVMValueRef p = arg(0), x = arg(1);
    store(shuffle(x, x, n[5] == 'h' ? Mask{2, 3} : Mask{0, 1}), p, 1);
    done = true;
    return nullptr;
  }
  if (has("movnt") && !e->args.empty() && e->args.size() == 2) {
    LLVMValueRef p = arg(0), v = arg(1);
    LLVMValueRef s = store(v, p, static_cast<unsigned>(LLVMSizeOfTypeInBits(m.layout, LLVMTypeOf(v)) / 8));
    LLVMMetadataRef one = LLVMValueAsMetadata(fe.i32c(1));
    LLVMSetMetadata(s, LLVMGetMDKindIDInContext(fe.context, "nontemporal", 11),
        LLVMMetadataAsValue(fe.context, LLVMMDNodeInContext2(fe.context, &one, 1)));
    done = true;
    return nullptr;
  }
  if (has("movntdqa")) return load(rt, arg(0), static_cast<unsigned>(LLVMSizeOfTypeInBits(m.layout, rt) / 8));
  if (has("loadu") || has("lddqu")) return load(rt, arg(0), 1);
  if (has("storeu") && e->args.size() == 2) {
    LLVMValueRef p = arg(0);
    store(arg(1), p, 1);
    done = true;
    return nullptr;
  }
  return nullptr;
}

LLVMValueRef Ia32::other() {
  auto carry = [&](const char *name) {  // carry in and out, result through a pointer
    LLVMValueRef c = arg(0), x = arg(1), y = arg(2), p = arg(3);
    LLVMValueRef r = intrinsic(name, {c, x, y});
    store(LLVMBuildExtractValue(b, r, 1, ""), p, 1);
    return LLVMBuildExtractValue(b, r, 0, "");
  };
  if (is("addcarryx_u32")) return carry("llvm.x86.addcarry.32");
  if (is("addcarryx_u64")) return carry("llvm.x86.addcarry.64");
  if (is("sbb_u32")) return carry("llvm.x86.subborrow.32");
  if (is("sbb_u64")) return carry("llvm.x86.subborrow.64");
  if (is("ldmxcsr") || is("stmxcsr")) {
    LLVMValueRef slot = fe.entryAlloca(t.i32, 4, "mxcsr");
    if (n[0] == 'l') fe.storeRaw(arg(0), slot, 4);
    intrinsic(n[0] == 'l' ? "llvm.x86.sse.ldmxcsr" : "llvm.x86.sse.stmxcsr", {slot});
    done = true;
    return n[0] == 'l' ? nullptr : fe.loadRaw(t.i32, slot, 4);
  }
  if (is("rdtscp")) {
    LLVMValueRef p = arg(0), r = intrinsic("llvm.x86.rdtscp", {});
    store(LLVMBuildExtractValue(b, r, 1, ""), p, 4);
    return LLVMBuildExtractValue(b, r, 0, "");
  }
  if (is("rdtsc")) return intrinsic("llvm.x86.rdtsc", {});
  if (has("rdrand") || has("rdseed")) {
    std::string_view bits = n.find("16") != std::string_view::npos   ? "16"
                            : n.find("32") != std::string_view::npos ? "32"
                                                                     : "64";
    std::string name = "llvm.x86." + std::string(n.substr(0, 6)) + "." + std::string(bits);
    LLVMValueRef p = arg(0), r = intrinsic(name.c_str(), {});
    store(LLVMBuildExtractValue(b, r, 0, ""), p, 1);
    return LLVMBuildExtractValue(b, r, 1, "");
  }
  if (has("tzcnt_u") || has("lzcnt_u")) {
    LLVMValueRef x = arg(0);
    return intrinsic(n[0] == 't' ? "llvm.cttz" : "llvm.ctlz", {x, LLVMConstInt(t.i1, 0, false)}, {LLVMTypeOf(x)});
  }
  if (is({"rolqi", "rolhi", "rorqi", "rorhi"})) {
    LLVMValueRef x = arg(0), k = LLVMBuildIntCast2(b, arg(1), LLVMTypeOf(x), false, "");
    return intrinsic(n[1] == 'o' && n[2] == 'l' ? "llvm.fshl" : "llvm.fshr", {x, x, k}, {LLVMTypeOf(x)});
  }
  if (is("bsrsi") || is("bsrdi")) {
    LLVMValueRef x = arg(0);
    LLVMValueRef z = intrinsic("llvm.ctlz", {x, LLVMConstInt(t.i1, 1, false)}, {LLVMTypeOf(x)});
    return LLVMBuildIntCast2(b, LLVMBuildXor(b, z, LLVMConstInt(LLVMTypeOf(x), n[3] == 's' ? 31 : 63, false), ""), rt,
        false, "");
  }
  for (std::string_view op : {"aesenc", "aesenclast", "aesdec", "aesdeclast"})
    for (auto [suffix, width] : {std::pair{"_v32qi", ""}, {"_v64qi", ".512"}})
      if (n == "v" + std::string(op) + suffix) {
        bool wide = *width != 0;
        LLVMTypeRef ty = vec(t.i64, wide ? 8 : 4);
        LLVMValueRef x = cast(arg(0), ty);
        return intrinsic(("llvm.x86.aesni." + std::string(op) + (wide ? ".512" : ".256")).c_str(),
            {x, cast(arg(1), ty)});
      }
  if (is("vpclmulqdq_v4di") || is("vpclmulqdq_v8di")) {
    LLVMValueRef x = arg(0), y = arg(1);
    return immediate(2, 8, [&](unsigned k) {
      return intrinsic(is("vpclmulqdq_v4di") ? "llvm.x86.pclmulqdq.256" : "llvm.x86.pclmulqdq.512",
          {x, y, LLVMConstInt(t.i8, k, false)});
    });
  }
  // dot products: vpdpbusd_v8si, …_mask, …_maskz
  if (size_t v = n.find("_v"); has("vpdp") && v != std::string_view::npos) {
    std::string_view lanes = n.substr(v + 2);
    std::string name = "llvm.x86.avx512." + std::string(n.substr(0, v)) +
                       (lanes.starts_with("16")     ? ".512"
                           : lanes.starts_with("8") ? ".256"
                                                    : ".128");
    LLVMValueRef x = arg(0), y = arg(1), z = arg(2), r = intrinsic(name.c_str(), {x, y, z});
    if (n.ends_with("_mask")) return select(arg(3), r, x);
    return n.ends_with("_maskz") ? select(arg(3), r, LLVMConstNull(LLVMTypeOf(x))) : r;
  }
  if (is("pause")) {
    intrinsic("llvm.x86.sse2.pause", {});
    done = true;
    return nullptr;
  }
  if (is("readeflags_u64")) return intrinsic("llvm.x86.flags.read.u64", {});
  if (is("writeeflags_u64")) {
    intrinsic("llvm.x86.flags.write.u64", {arg(0)});
    done = true;
    return nullptr;
  }
  return nullptr;
}

// LLVM knows the builtin by its name.
LLVMValueRef Ia32::byName() {
  std::string full = "__builtin_ia32_" + std::string(n);
  unsigned id = shimBuiltinIntrinsic("x86", full.c_str());
  if (!id) return nullptr;
  std::vector<Operand> all;
  for (size_t i = 0; i < count(); i++) all.push_back(static_cast<int>(i));
  return called(id, all);
}

// A call of an intrinsic, whose operands are brought to its types. Of its immediate operands two may be unknown until
// the inliner has run: the latter is a rounding then.
LLVMValueRef Ia32::called(unsigned id, const std::vector<Operand> &given) {
  if (LLVMIntrinsicIsOverloaded(id)) return nullptr;
  LLVMTypeRef ft = LLVMIntrinsicGetType(fe.context, id, nullptr, 0);
  unsigned count = LLVMCountParamTypes(ft);
  if (count != given.size()) return nullptr;
  std::vector<LLVMTypeRef> params(count);
  LLVMGetParamTypes(ft, params.data());
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(m.module, id, nullptr, 0);
  std::vector<LLVMValueRef> args(count);
  std::vector<unsigned> open;
  unsigned immKind = LLVMGetEnumAttributeKindForName("immarg", 6);
  for (unsigned i = 0; i < count; i++) {
    const Operand &o = given[i];
    if (o.fill) {
      args[i] = *o.fill == 'z' ? LLVMConstNull(params[i]) : LLVMConstAllOnes(params[i]);
      continue;
    }
    if (!o.value && LLVMGetEnumAttributeAtIndex(f, i + 1, immKind)) {
      auto c = evaluate(e->args[static_cast<size_t>(o.from)], m.ast, EvalMode::Fold);
      if (c && c->kind == ConstValue::Int) args[i] = LLVMConstInt(params[i], static_cast<uint64_t>(c->i), false);
      else open.push_back(i);
      continue;
    }
    LLVMValueRef v = o.value ? o.value : arg(static_cast<size_t>(o.from));
    LLVMTypeKind k = LLVMGetTypeKind(params[i]);
    if (k == LLVMVectorTypeKind && LLVMGetElementType(params[i]) == t.i1 &&
        LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind) {
      args[i] = masks(v, LLVMGetVectorSize(params[i]));
      continue;
    }
    if (LLVMTypeOf(v) != params[i]) {
      if (k == LLVMIntegerTypeKind && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind)
        v = LLVMBuildIntCast2(b, v, params[i], false, "");
      else if (LLVMSizeOfTypeInBits(m.layout, LLVMTypeOf(v)) == LLVMSizeOfTypeInBits(m.layout, params[i]) &&
               k != LLVMPointerTypeKind && LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind)
        v = LLVMBuildBitCast(b, v, params[i], "");
      else return nullptr;
    }
    args[i] = v;
  }
  if (open.size() > 2) return nullptr;
  if (has("maskload") || has("maskstore") || is("maskmovdqu")) under = args[1];
  auto finish = [&]() -> LLVMValueRef {
    LLVMValueRef r = fe.call(ft, f, args);
    if (!rt) {
      done = true;
      return nullptr;
    }
    if (LLVMTypeOf(r) == rt) return r;
    if (LLVMGetTypeKind(LLVMTypeOf(r)) == LLVMVectorTypeKind && LLVMGetElementType(LLVMTypeOf(r)) == t.i1 &&
        LLVMGetTypeKind(rt) == LLVMIntegerTypeKind)
      return maskResult(r);
    if (LLVMGetTypeKind(rt) == LLVMIntegerTypeKind && LLVMGetTypeKind(LLVMTypeOf(r)) == LLVMIntegerTypeKind)
      return LLVMBuildIntCast2(b, r, rt, false, "");
    return LLVMSizeOfTypeInBits(m.layout, LLVMTypeOf(r)) == LLVMSizeOfTypeInBits(m.layout, rt)
               ? LLVMBuildBitCast(b, r, rt, "")
               : r;
  };
  auto fill = [&](size_t which, const std::function<LLVMValueRef()> &then) {
    return [this, &args, &params, &open, which, then](unsigned k) {
      args[open[which]] = LLVMConstInt(params[open[which]], k, false);
      return then();
    };
  };
  auto from = [&](size_t which) { return static_cast<size_t>(given[open[which]].from); };
  if (open.empty()) return finish();
  auto first = [&] { return immediate(from(0), 8, fill(0, finish)); };
  return open.size() == 1 ? first() : roundings(from(1), fill(1, first));
}

bool Ia32::emit(RValue &out) {
  LLVMValueRef v = nullptr;
  for (auto step : {&Ia32::newer, &Ia32::avx512, &Ia32::arithmetic, &Ia32::logic, &Ia32::integers, &Ia32::comparisons,
           &Ia32::fused, &Ia32::shuffles, &Ia32::selections, &Ia32::byteShifts, &Ia32::conversions, &Ia32::elements,
           &Ia32::other, &Ia32::byName, &Ia32::roundedByName}) {
    v = (this->*step)();
    if (v || done) break;
  }
  reportMemory();
  if (!v) return done;
  if (rt && LLVMTypeOf(v) != rt) {
    if (LLVMSizeOfTypeInBits(m.layout, LLVMTypeOf(v)) != LLVMSizeOfTypeInBits(m.layout, rt)) return false;
    v = LLVMBuildBitCast(b, v, rt, "");
  }
  out = RValue::scalar(v);
  return true;
}

bool emitIa32Builtin(FunctionEmitter &fe, const Call *e, RValue &out) {
  std::string_view name = builtinInfo(static_cast<BuiltinId>(e->builtin)).name;
  if (Ia32(fe, e, name.substr(15)).emit(out)) return true;
  fe.m.diags.report(diag::unsupported, e->range) << "the builtin '" + std::string(name) + "'";
  out = e->type->isVoid() ? RValue{} : RValue::scalar(LLVMGetUndef(fe.t.value(e->type)));
  return true;
}

}  // namespace cilkc::cg
