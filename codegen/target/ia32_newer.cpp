// ia32_newer.cpp - the x86 builtins that are an intrinsic of LLVM under another name, or with operands in another
// order, as a table; and the few that are none.
#include <algorithm>
#include "codegen/target/ia32.h"

namespace cilkc::cg {

namespace {

// The operands in the intrinsic's order: a digit is an argument of the builtin, h and l the upper and the lower half of
// the argument that follows, z zeros, m all bits, c the current rounding. What comes after is done with the result:
// ?M:S is a select between it and S under the mask M, &M is an intersection of masks.
struct Row {
  Ia32Name builtin;
  const char *intrinsic, *operands;
};
constexpr Row rows[] = {
    {"xgetbv", "llvm.x86.xgetbv", "0"},
    {"xsetbv", "llvm.x86.xsetbv", "0h1l1"},
    {"xsave", "llvm.x86.xsave", "0h1l1"},
    {"xsave64", "llvm.x86.xsave64", "0h1l1"},
    {"xsavec", "llvm.x86.xsavec", "0h1l1"},
    {"xsavec64", "llvm.x86.xsavec64", "0h1l1"},
    {"xsaveopt", "llvm.x86.xsaveopt", "0h1l1"},
    {"xsaveopt64", "llvm.x86.xsaveopt64", "0h1l1"},
    {"xsaves", "llvm.x86.xsaves", "0h1l1"},
    {"xsaves64", "llvm.x86.xsaves64", "0h1l1"},
    {"xrstor", "llvm.x86.xrstor", "0h1l1"},
    {"xrstor64", "llvm.x86.xrstor64", "0h1l1"},
    {"xrstors", "llvm.x86.xrstors", "0h1l1"},
    {"xrstors64", "llvm.x86.xrstors64", "0h1l1"},
    {"umwait", "llvm.x86.umwait", "0h1l1"},
    {"tpause", "llvm.x86.tpause", "0h1l1"},
    {"directstoreu_u32", "llvm.x86.directstore32", "01"},
    {"directstoreu_u64", "llvm.x86.directstore64", "01"},
    // gcc's scalar operations of one operand have the operand first, and the upper lanes second
    {"rcp14sd", "llvm.x86.avx512.rcp14.sd", "10zm"},
    {"rcp14ss", "llvm.x86.avx512.rcp14.ss", "10zm"},
    {"rsqrt14sd", "llvm.x86.avx512.rsqrt14.sd", "10zm"},
    {"rsqrt14ss", "llvm.x86.avx512.rsqrt14.ss", "10zm"},
    {"rcp14sd_mask", "llvm.x86.avx512.rcp14.sd", "1023"},
    {"rcp14ss_mask", "llvm.x86.avx512.rcp14.ss", "1023"},
    {"rsqrt14sd_mask", "llvm.x86.avx512.rsqrt14.sd", "1023"},
    {"rsqrt14ss_mask", "llvm.x86.avx512.rsqrt14.ss", "1023"},
    {"sqrtsd_mask_round", "llvm.x86.avx512.mask.sqrt.sd", "10234"},
    {"sqrtss_mask_round", "llvm.x86.avx512.mask.sqrt.ss", "10234"},
    {"sqrtsh_mask_round", "llvm.x86.avx512fp16.mask.sqrt.sh", "10234"},
    {"rcpsh_mask", "llvm.x86.avx512fp16.mask.rcp.sh", "1023"},
    {"rsqrtsh_mask", "llvm.x86.avx512fp16.mask.rsqrt.sh", "1023"},
    {"vcvtsd2sh_mask_round", "llvm.x86.avx512fp16.mask.vcvtsd2sh.round", "10234"},
    {"vcvtss2sh_mask_round", "llvm.x86.avx512fp16.mask.vcvtss2sh.round", "10234"},
    {"vcvtsh2sd_mask_round", "llvm.x86.avx512fp16.mask.vcvtsh2sd.round", "10234"},
    {"vcvtsh2ss_mask_round", "llvm.x86.avx512fp16.mask.vcvtsh2ss.round", "10234"},
    {"vcvtsi2sh32_round", "llvm.x86.avx512fp16.vcvtsi2sh", "012"},
    {"vcvtsi2sh64_round", "llvm.x86.avx512fp16.vcvtsi642sh", "012"},
    {"vcvtusi2sh32_round", "llvm.x86.avx512fp16.vcvtusi2sh", "012"},
    {"vcvtusi2sh64_round", "llvm.x86.avx512fp16.vcvtusi642sh", "012"},
    {"addsh_mask", "llvm.x86.avx512fp16.mask.add.sh.round", "0123c"},
    {"subsh_mask", "llvm.x86.avx512fp16.mask.sub.sh.round", "0123c"},
    {"mulsh_mask", "llvm.x86.avx512fp16.mask.mul.sh.round", "0123c"},
    {"divsh_mask", "llvm.x86.avx512fp16.mask.div.sh.round", "0123c"},
    {"maxsh_mask", "llvm.x86.avx512fp16.mask.max.sh.round", "0123c"},
    {"minsh_mask", "llvm.x86.avx512fp16.mask.min.sh.round", "0123c"},
    {"addph512_mask_round", "llvm.x86.avx512fp16.add.ph.512", "014?3:2"},
    {"subph512_mask_round", "llvm.x86.avx512fp16.sub.ph.512", "014?3:2"},
    {"mulph512_mask_round", "llvm.x86.avx512fp16.mul.ph.512", "014?3:2"},
    {"divph512_mask_round", "llvm.x86.avx512fp16.div.ph.512", "014?3:2"},
    {"maxph512_mask_round", "llvm.x86.avx512fp16.max.ph.512", "014?3:2"},
    {"minph512_mask_round", "llvm.x86.avx512fp16.min.ph.512", "014?3:2"},
    {"maxph512_mask", "llvm.x86.avx512fp16.max.ph.512", "01c?3:2"},
    {"minph512_mask", "llvm.x86.avx512fp16.min.ph.512", "01c?3:2"},
    {"sqrtph512_mask_round", "llvm.x86.avx512fp16.sqrt.ph.512", "03?2:1"},
    {"rndscaleph128_mask", "llvm.x86.avx512fp16.mask.rndscale.ph.128", "0123"},
    {"rndscaleph256_mask", "llvm.x86.avx512fp16.mask.rndscale.ph.256", "0123"},
    {"rndscaleph512_mask_round", "llvm.x86.avx512fp16.mask.rndscale.ph.512", "01234"},
    {"getexpsd_mask_round", "llvm.x86.avx512.mask.getexp.sd", "01234"},
    {"getexpss_mask_round", "llvm.x86.avx512.mask.getexp.ss", "01234"},
    {"getexpsh_mask_round", "llvm.x86.avx512fp16.mask.getexp.sh", "01234"},
    {"getexpsd128_round", "llvm.x86.avx512.mask.getexp.sd", "01zm2"},
    {"getexpss128_round", "llvm.x86.avx512.mask.getexp.ss", "01zm2"},
    {"getmantsd_round", "llvm.x86.avx512.mask.getmant.sd", "012zm3"},
    {"getmantss_round", "llvm.x86.avx512.mask.getmant.ss", "012zm3"},
    {"getmantsd_mask_round", "llvm.x86.avx512.mask.getmant.sd", "012345"},
    {"getmantss_mask_round", "llvm.x86.avx512.mask.getmant.ss", "012345"},
    {"getmantsh_mask_round", "llvm.x86.avx512fp16.mask.getmant.sh", "012345"},
    {"rangesd128_mask_round", "llvm.x86.avx512.mask.range.sd", "013425"},
    {"reducesd_mask_round", "llvm.x86.avx512.mask.reduce.sd", "013425"},
    {"rndscalesd_mask_round", "llvm.x86.avx512.mask.rndscale.sd", "013425"},
    {"reducesd_mask", "llvm.x86.avx512.mask.reduce.sd", "01342c"},
    {"rangess128_mask_round", "llvm.x86.avx512.mask.range.ss", "013425"},
    {"reducess_mask_round", "llvm.x86.avx512.mask.reduce.ss", "013425"},
    {"rndscaless_mask_round", "llvm.x86.avx512.mask.rndscale.ss", "013425"},
    {"reducess_mask", "llvm.x86.avx512.mask.reduce.ss", "01342c"},
    {"reducesh_mask_round", "llvm.x86.avx512fp16.mask.reduce.sh", "013425"},
    {"rndscalesh_mask_round", "llvm.x86.avx512fp16.mask.rndscale.sh", "013425"},
    {"reducepd512_mask", "llvm.x86.avx512.mask.reduce.pd.512", "0123c"},
    {"reduceps512_mask", "llvm.x86.avx512.mask.reduce.ps.512", "0123c"},
    {"rdsspq", "llvm.x86.rdsspq", "z"},
    {"fpclasspd128_mask", "llvm.x86.avx512.fpclass.pd.128", "01&2"},
    {"fpclasspd256_mask", "llvm.x86.avx512.fpclass.pd.256", "01&2"},
    {"fpclasspd512_mask", "llvm.x86.avx512.fpclass.pd.512", "01&2"},
    {"fpclassps128_mask", "llvm.x86.avx512.fpclass.ps.128", "01&2"},
    {"fpclassps256_mask", "llvm.x86.avx512.fpclass.ps.256", "01&2"},
    {"fpclassps512_mask", "llvm.x86.avx512.fpclass.ps.512", "01&2"},
    {"fpclassph128_mask", "llvm.x86.avx512fp16.fpclass.ph.128", "01&2"},
    {"fpclassph256_mask", "llvm.x86.avx512fp16.fpclass.ph.256", "01&2"},
    {"fpclassph512_mask", "llvm.x86.avx512fp16.fpclass.ph.512", "01&2"},
    {"vpshufbitqmb128_mask", "llvm.x86.avx512.vpshufbitqmb.128", "01&2"},
    {"vpshufbitqmb256_mask", "llvm.x86.avx512.vpshufbitqmb.256", "01&2"},
    {"vpshufbitqmb512_mask", "llvm.x86.avx512.vpshufbitqmb.512", "01&2"},
    {"vpmadd52huq128_mask", "llvm.x86.avx512.vpmadd52h.uq.128", "012?3:0"},
    {"vpmadd52huq256_mask", "llvm.x86.avx512.vpmadd52h.uq.256", "012?3:0"},
    {"vpmadd52huq512_mask", "llvm.x86.avx512.vpmadd52h.uq.512", "012?3:0"},
    {"vpmadd52luq128_mask", "llvm.x86.avx512.vpmadd52l.uq.128", "012?3:0"},
    {"vpmadd52luq256_mask", "llvm.x86.avx512.vpmadd52l.uq.256", "012?3:0"},
    {"vpmadd52luq512_mask", "llvm.x86.avx512.vpmadd52l.uq.512", "012?3:0"},
    {"dpbf16ps_v4sf", "llvm.x86.avx512bf16.dpbf16ps.128", "012"},
    {"dpbf16ps_v4sf_mask", "llvm.x86.avx512bf16.dpbf16ps.128", "012?3:0"},
    {"dpbf16ps_v4sf_maskz", "llvm.x86.avx512bf16.dpbf16ps.128", "012?3:z"},
    {"dpbf16ps_v8sf", "llvm.x86.avx512bf16.dpbf16ps.256", "012"},
    {"dpbf16ps_v8sf_mask", "llvm.x86.avx512bf16.dpbf16ps.256", "012?3:0"},
    {"dpbf16ps_v8sf_maskz", "llvm.x86.avx512bf16.dpbf16ps.256", "012?3:z"},
    {"dpbf16ps_v16sf", "llvm.x86.avx512bf16.dpbf16ps.512", "012"},
    {"dpbf16ps_v16sf_mask", "llvm.x86.avx512bf16.dpbf16ps.512", "012?3:0"},
    {"dpbf16ps_v16sf_maskz", "llvm.x86.avx512bf16.dpbf16ps.512", "012?3:z"},
    {"cvtne2ps2bf16_v8hi", "llvm.x86.avx512bf16.cvtne2ps2bf16.128", "01"},
    {"cvtne2ps2bf16_v8hi_mask", "llvm.x86.avx512bf16.cvtne2ps2bf16.128", "01?3:2"},
    {"cvtne2ps2bf16_v8hi_maskz", "llvm.x86.avx512bf16.cvtne2ps2bf16.128", "01?2:z"},
    {"cvtne2ps2bf16_v16hi", "llvm.x86.avx512bf16.cvtne2ps2bf16.256", "01"},
    {"cvtne2ps2bf16_v16hi_mask", "llvm.x86.avx512bf16.cvtne2ps2bf16.256", "01?3:2"},
    {"cvtne2ps2bf16_v16hi_maskz", "llvm.x86.avx512bf16.cvtne2ps2bf16.256", "01?2:z"},
    {"cvtne2ps2bf16_v32hi", "llvm.x86.avx512bf16.cvtne2ps2bf16.512", "01"},
    {"cvtne2ps2bf16_v32hi_mask", "llvm.x86.avx512bf16.cvtne2ps2bf16.512", "01?3:2"},
    {"cvtne2ps2bf16_v32hi_maskz", "llvm.x86.avx512bf16.cvtne2ps2bf16.512", "01?2:z"},
    {"cvtneps2bf16_v4sf", "llvm.x86.avx512bf16.mask.cvtneps2bf16.128", "0zm"},
    {"cvtneps2bf16_v4sf_mask", "llvm.x86.avx512bf16.mask.cvtneps2bf16.128", "012"},
    {"cvtneps2bf16_v4sf_maskz", "llvm.x86.avx512bf16.mask.cvtneps2bf16.128", "0z1"},
    {"cvtneps2bf16_v8sf", "llvm.x86.avx512bf16.cvtneps2bf16.256", "0"},
    {"cvtneps2bf16_v8sf_mask", "llvm.x86.avx512bf16.cvtneps2bf16.256", "0?2:1"},
    {"cvtneps2bf16_v8sf_maskz", "llvm.x86.avx512bf16.cvtneps2bf16.256", "0?1:z"},
    {"cvtneps2bf16_v16sf", "llvm.x86.avx512bf16.cvtneps2bf16.512", "0"},
    {"cvtneps2bf16_v16sf_mask", "llvm.x86.avx512bf16.cvtneps2bf16.512", "0?2:1"},
    {"cvtneps2bf16_v16sf_maskz", "llvm.x86.avx512bf16.cvtneps2bf16.512", "0?1:z"},
    {"vfmulcph128", "llvm.x86.avx512fp16.mask.vfmul.cph.128", "01zm"},
    {"vfmulcph256", "llvm.x86.avx512fp16.mask.vfmul.cph.256", "01zm"},
    {"vfmulcph512_round", "llvm.x86.avx512fp16.mask.vfmul.cph.512", "01zm2"},
    {"vfmulcsh_round", "llvm.x86.avx512fp16.mask.vfmul.csh", "01zm2"},
    {"vfcmulcph128", "llvm.x86.avx512fp16.mask.vfcmul.cph.128", "01zm"},
    {"vfcmulcph256", "llvm.x86.avx512fp16.mask.vfcmul.cph.256", "01zm"},
    {"vfcmulcph512_round", "llvm.x86.avx512fp16.mask.vfcmul.cph.512", "01zm2"},
    {"vfcmulcsh_round", "llvm.x86.avx512fp16.mask.vfcmul.csh", "01zm2"},
    {"vfmaddcph128", "llvm.x86.avx512fp16.mask.vfmadd.cph.128", "012m"},
    {"vfmaddcph256", "llvm.x86.avx512fp16.mask.vfmadd.cph.256", "012m"},
    {"vfmaddcph512_round", "llvm.x86.avx512fp16.mask.vfmadd.cph.512", "012m3"},
    {"vfmaddcsh_round", "llvm.x86.avx512fp16.mask.vfmadd.csh", "012m3"},
    {"vfcmaddcph128", "llvm.x86.avx512fp16.mask.vfcmadd.cph.128", "012m"},
    {"vfcmaddcph256", "llvm.x86.avx512fp16.mask.vfcmadd.cph.256", "012m"},
    {"vfcmaddcph512_round", "llvm.x86.avx512fp16.mask.vfcmadd.cph.512", "012m3"},
    {"vfcmaddcph512_mask_round", "llvm.x86.avx512fp16.mask.vfcmadd.cph.512", "01234"},
    {"vfcmaddcsh_round", "llvm.x86.avx512fp16.mask.vfcmadd.csh", "012m3"},
};

}  // namespace

LLVMValueRef Ia32::renamed() {
  const Row *row = std::ranges::find_if(rows, [&](const Row &r) { return is(r.builtin); });
  if (row == std::end(rows)) return nullptr;
  unsigned id = LLVMLookupIntrinsicID(row->intrinsic, strlen(row->intrinsic));
  if (!id) return nullptr;
  std::vector<Operand> ops;
  const char *p = row->operands;
  for (; *p && *p != '?' && *p != '&'; p++) {
    if (*p == 'h' || *p == 'l') {
      LLVMValueRef v = arg(static_cast<size_t>(p[1] - '0'));
      if (*p++ == 'h') v = LLVMBuildLShr(b, v, fe.i64c(32), "");
      ops.push_back({LLVMBuildTrunc(b, v, t.i32, "")});
    } else {
      ops.push_back(*p == 'z'   ? Operand::zeros()
                    : *p == 'm' ? Operand::ones()
                    : *p == 'c' ? Operand(fe.i32c(4))
                                : Operand(*p - '0'));
    }
  }
  LLVMValueRef v = called(id, ops);
  if (!v || !*p) return v;
  LLVMValueRef mask = arg(static_cast<size_t>(p[1] - '0'));
  if (*p == '&') return LLVMBuildAnd(b, v, LLVMBuildIntCast2(b, mask, LLVMTypeOf(v), false, ""), "");
  return select(mask, v, p[3] == 'z' ? LLVMConstNull(LLVMTypeOf(v)) : arg(static_cast<size_t>(p[3] - '0')));
}

// Shifts of two vectors side by side: vpshld_v8hi(x, y, count), vpshldv_v8hi(x, y, counts), each maybe under a mask.
LLVMValueRef Ia32::doubleShift() {
  if (!has("vpshld_v") && !has("vpshrd_v") && !has("vpshldv_v") && !has("vpshrdv_v")) return nullptr;
  bool left = n[4] == 'l', counts = n[6] == 'v', mask = n.ends_with("_mask"), zero = n.ends_with("_maskz");
  LLVMValueRef x = arg(0), y = arg(1), k;
  if (counts) k = arg(2);
  else {
    LLVMTypeRef el = LLVMGetElementType(LLVMTypeOf(x));
    k = LLVMBuildInsertElement(b, LLVMGetUndef(LLVMTypeOf(x)), LLVMBuildIntCast2(b, arg(2), el, false, ""), fe.i32c(0),
        "");
    k = shuffle(k, k, Mask(lanes(x), 0));
  }
  LLVMValueRef r =
      left ? intrinsic("llvm.fshl", {x, y, k}, {LLVMTypeOf(x)}) : intrinsic("llvm.fshr", {y, x, k}, {LLVMTypeOf(x)});
  if (zero) return select(arg(3), r, LLVMConstNull(LLVMTypeOf(r)));
  if (mask) return counts ? select(arg(3), r, x) : select(arg(4), r, arg(3));
  return r;
}

// Key Locker: what an instruction stores to memory is a part of LLVM's result, which is a record.
LLVMValueRef Ia32::keyLocker() {
  bool wide = has("aesencwide") || has("aesdecwide"), key = has("encodekey");
  if (!key && !n.ends_with("kl_u8")) return nullptr;
  std::string name = "llvm.x86." + std::string(n.substr(0, n.rfind('_')));
  LLVMTypeRef block = vec(t.i64, 2);
  auto at = [&](LLVMValueRef p, unsigned i) {
    LLVMValueRef k = fe.i64c(i);
    return LLVMBuildGEP2(b, block, p, &k, 1, "");
  };
  LLVMValueRef out;
  std::vector<LLVMValueRef> args;
  if (key) {
    for (size_t i = 0; i + 1 < e->args.size(); i++) args.push_back(arg(i));
    out = arg(e->args.size() - 1);
  } else {
    out = arg(0);
    LLVMValueRef in = arg(1), handle = arg(2);
    if (wide) args.push_back(handle);
    for (unsigned i = 0; i < (wide ? 8 : 1); i++) args.push_back(wide ? load(block, at(in, i), 16) : in);
    if (!wide) args.push_back(handle);
  }
  LLVMValueRef all = intrinsic(name.c_str(), args), r = LLVMBuildExtractValue(b, all, 0, "");
  LLVMValueRef ok = key ? nullptr : LLVMBuildTrunc(b, r, t.i1, "");
  for (unsigned i = 0; i < (key ? (n[9] == '1' ? 3u : 4u) : wide ? 8u : 1u); i++) {
    LLVMValueRef v = LLVMBuildExtractValue(b, all, i + 1, "");
    store(ok ? LLVMBuildSelect(b, ok, v, LLVMConstNull(block), "") : v, at(out, i), 16);
  }
  return r;
}

LLVMValueRef Ia32::newer() {
  if (has("vpopcount") && count() == 1) {
    LLVMValueRef x = arg(0);
    return intrinsic("llvm.ctpop", {x}, {LLVMTypeOf(x)});
  }
  if (LLVMValueRef v = doubleShift()) return v;
  if (LLVMValueRef v = keyLocker()) return v;
  if (is("vfmaddss") || is("vfmaddsd")) {  // FMA4's: the other lanes are zero
    LLVMValueRef x[3];
    for (size_t i = 0; i < 3; i++) x[i] = LLVMBuildExtractElement(b, arg(i), fe.i32c(0), "");
    LLVMValueRef r = intrinsic("llvm.fma", {x[0], x[1], x[2]}, {LLVMTypeOf(x[0])});
    return LLVMBuildInsertElement(b, LLVMConstNull(rt), r, fe.i32c(0), "");
  }
  if (is("cvtusi2sd32")) {
    LLVMValueRef x = arg(0), v = LLVMBuildUIToFP(b, arg(1), LLVMGetElementType(rt), "");
    return LLVMBuildInsertElement(b, x, v, fe.i32c(0), "");
  }
  if (is("vmovsh_mask")) {
    LLVMValueRef x = arg(0), y = arg(1), bit = LLVMBuildTrunc(b, arg(3), t.i1, ""), zero = fe.i32c(0);
    LLVMValueRef low = LLVMBuildSelect(b, bit, LLVMBuildExtractElement(b, y, zero, ""),
        LLVMBuildExtractElement(b, arg(2), zero, ""), "");
    return LLVMBuildInsertElement(b, x, low, zero, "");
  }
  if (has("2intersect")) {  // a pair of masks
    std::string name = std::string("llvm.x86.avx512.vp2intersect.") + n[10] + "." + std::string(n.substr(11));
    LLVMValueRef to[2] = {arg(0), arg(1)}, x = arg(2), both = intrinsic(name.c_str(), {x, arg(3)});
    for (unsigned i = 0; i < 2; i++) {
      LLVMValueRef bits = LLVMBuildExtractValue(b, both, i, "");
      unsigned k = lanes(bits);
      LLVMValueRef v = LLVMBuildZExt(b, cast(bits, t.intN(k)), t.intN(std::max(k, 8u)), "");
      store(v, to[i], std::max(k, 8u) / 8);
    }
    done = true;
    return nullptr;
  }
  // Complex products of halves, added to a third operand, whose lanes are those that the mask leaves out.
  if (n.ends_with("_mask3") || n.ends_with("_mask3_round")) {
    bool round = n.ends_with("_round"), scalar = n.find("csh") != std::string_view::npos;
    if (!has("vfmaddc") && !has("vfcmaddc")) return nullptr;
    std::string name = "llvm.x86.avx512fp16.mask." + std::string(n.substr(0, n.find("addc") + 3)) + "." +
                       (scalar ? "csh" : "cph." + std::string(n.substr(n.find("cph") + 3, 3)));
    unsigned id = LLVMLookupIntrinsicID(name.data(), name.size());
    if (!id) return nullptr;
    std::vector<Operand> ops = {0, 1, 2, Operand::ones()};
    if (round) ops.push_back(4);
    LLVMValueRef r = called(id, ops);
    if (!r) return nullptr;
    LLVMTypeRef pairs = vec(t.f32, static_cast<unsigned>(LLVMSizeOfTypeInBits(m.layout, rt) / 32));
    LLVMValueRef mask = arg(3);
    if (scalar) mask = LLVMBuildAnd(b, mask, LLVMConstInt(LLVMTypeOf(mask), 1, false), "");
    return cast(select(mask, cast(r, pairs), cast(arg(2), pairs)), rt);
  }
  // vcvtw2ph512_mask_round(x, src, mask, rounding) and the like
  if (is({"vcvtw2ph512_mask_round", "vcvtuw2ph512_mask_round", "vcvtdq2ph512_mask_round", "vcvtudq2ph512_mask_round",
          "vcvtqq2ph512_mask_round", "vcvtuqq2ph512_mask_round"})) {
    LLVMValueRef x = arg(0);
    bool sign = n[4] != 'u';
    unsigned k = lanes(x);
    LLVMTypeRef to = vec(LLVMGetElementType(rt), k);
    LLVMTypeRef over[] = {to, LLVMTypeOf(x)};
    LLVMValueRef r = roundings(3, [&](unsigned rounding) {
      return intrinsic(sign ? "llvm.x86.avx512.sitofp.round" : "llvm.x86.avx512.uitofp.round", {x, fe.i32c(rounding)},
          {over[0], over[1]});
    });
    return select(arg(2), r, arg(1));
  }
  if (LLVMValueRef v = renamed(); v || done) return v;
  return nullptr;
}

// gcc writes the rounding at another place of the name.
LLVMValueRef Ia32::roundedByName() {
  size_t at = n.find("_round");
  if (at == std::string_view::npos) return nullptr;
  std::string without = std::string(n.substr(0, at)) + std::string(n.substr(at + 6));
  std::vector<Operand> ops;
  for (size_t i = 0; i < e->args.size(); i++) ops.push_back(static_cast<int>(i));
  std::string swapped = without;
  if (size_t mask = swapped.find("_mask"); mask != std::string::npos) swapped.insert(mask, "_round");
  for (const std::string &name : {swapped, without})
    if (unsigned id = shimBuiltinIntrinsic("x86", ("__builtin_ia32_" + name).c_str()))
      if (LLVMValueRef v = called(id, ops); v || done) return v;
  return nullptr;
}

}  // namespace cilkc::cg
