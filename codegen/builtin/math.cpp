// math.cpp - builtins on numbers: bits, checked arithmetic, floating-point classification, the mathematical
// functions that need no errno, parts of complex values.
#include <algorithm>
#include "codegen/core/function.h"
#include "frontend/ast/query.h"
#include "frontend/builtins/builtins.h"

namespace cilkc::cg {
namespace {

enum : unsigned {
  fcSNan = 1,
  fcNan = 3,
  fcInf = 0x204,
  fcNormal = 0x108,
  fcSubnormal = 0x90,
  fcZero = 0x60,
  fcFinite = 0x1f8
};

// One call, by the family of its builtin. Each function returns false for a builtin of another one.
struct MathBuiltin {
  FunctionEmitter &fe;
  const Call *e;
  RValue &out;
  const BuiltinId id = builtinFamily(static_cast<BuiltinId>(e->builtin));
  ModuleEmitter &m = fe.m;
  TypeLowering &t = fe.t;
  LLVMBuilderRef builder = fe.builder;
  const decltype(e->args) &args = e->args;
  LLVMTypeRef lt = e->type->isVoid() || e->type->isAggregate() ? nullptr : t.value(e->type);  // of the result

  LLVMValueRef scalar(size_t i) { return fe.exprs.emitScalar(args[i]); }
  bool give(LLVMValueRef v) {
    out = RValue::scalar(v);
    return true;
  }
  LLVMValueRef toResult(LLVMValueRef v) {
    return LLVMTypeOf(v) == lt ? v : LLVMBuildIntCast2(builder, v, lt, false, "");
  }
  LLVMValueRef isClass(LLVMValueRef v, unsigned mask) {
    return fe.callIntrinsic("llvm.is.fpclass", {LLVMTypeOf(v)}, {v, fe.i32c(mask)});
  }
  LLVMValueRef signBit(LLVMValueRef v) {
    LLVMTypeRef ft = LLVMTypeOf(v);
    unsigned bits = ft == t.f16 ? 16 : ft == t.f32 ? 32 : ft == t.f64 ? 64 : ft == t.f80 ? 80 : 128;
    LLVMTypeRef it = t.intN(bits);
    return LLVMBuildICmp(builder, LLVMIntSLT, LLVMBuildBitCast(builder, v, it, ""), LLVMConstNull(it), "");
  }
  bool fcmp(LLVMRealPredicate p) {
    LLVMValueRef a = scalar(0), b = scalar(1);
    return give(LLVMBuildZExt(builder, LLVMBuildFCmp(builder, p, a, b, ""), lt, ""));
  }
  bool emit() { return emitBits() || emitCheckedArithmetic() || emitFloating() || emitFunction(); }
  bool emitBits();
  bool emitCheckedArithmetic();
  bool emitChecked(const char *what, bool predicate);
  bool emitCarry(const char *intrinsic);
  bool emitFloating();
  bool emitFunction();
};

bool MathBuiltin::emitBits() {
  switch (id) {
    case BuiltinId::clz:
    case BuiltinId::ctz: {
      LLVMValueRef v = scalar(0);
      bool lead = id == BuiltinId::clz;
      LLVMValueRef fallback = args.size() > 1 ? scalar(1) : nullptr;
      if (fe.ubsan.enabled() && !fallback) fe.ubsan.checkBitCount(lead, v, e->range.begin);
      LLVMValueRef r = toResult(fe.callIntrinsic(lead ? "llvm.ctlz" : "llvm.cttz", {LLVMTypeOf(v)},
          {v, LLVMConstInt(t.i1, !fallback, false)}));
      if (fallback)
        r = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntEQ, v, LLVMConstNull(LLVMTypeOf(v)), ""), fallback,
            r, "");
      return give(r);
    }
    case BuiltinId::popcount: {
      LLVMValueRef v = scalar(0);
      return give(toResult(fe.callIntrinsic("llvm.ctpop", {LLVMTypeOf(v)}, {v})));
    }
    case BuiltinId::parity: {
      LLVMValueRef v = scalar(0);
      return give(LLVMBuildAnd(builder, toResult(fe.callIntrinsic("llvm.ctpop", {LLVMTypeOf(v)}, {v})),
          LLVMConstInt(lt, 1, false), ""));
    }
    case BuiltinId::ffs: {
      LLVMValueRef v = scalar(0);
      LLVMTypeRef vt = LLVMTypeOf(v);
      LLVMValueRef r = LLVMBuildAdd(builder, fe.callIntrinsic("llvm.cttz", {vt}, {v, LLVMConstInt(t.i1, 1, false)}),
          LLVMConstInt(vt, 1, false), "");
      r = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntEQ, v, LLVMConstNull(vt), ""), LLVMConstNull(vt), r,
          "");
      return give(toResult(r));
    }
    case BuiltinId::clrsb: {
      LLVMValueRef v = scalar(0);
      LLVMTypeRef vt = LLVMTypeOf(v);
      LLVMValueRef neg = LLVMBuildICmp(builder, LLVMIntSLT, v, LLVMConstNull(vt), "");
      LLVMValueRef x = LLVMBuildSelect(builder, neg, LLVMBuildNot(builder, v, ""), v, "");
      LLVMValueRef r = fe.callIntrinsic("llvm.ctlz", {vt}, {x, LLVMConstInt(t.i1, 0, false)});
      return give(toResult(LLVMBuildSub(builder, r, LLVMConstInt(vt, 1, false), "")));
    }
    case BuiltinId::bswap16:
    case BuiltinId::bitreverse8: {
      LLVMValueRef v = scalar(0);
      return give(fe.callIntrinsic(id == BuiltinId::bswap16 ? "llvm.bswap" : "llvm.bitreverse", {LLVMTypeOf(v)}, {v}));
    }
    case BuiltinId::rotateleft8:
    case BuiltinId::rotateright8: {
      LLVMValueRef v = scalar(0), k = scalar(1);
      return give(fe.callIntrinsic(id == BuiltinId::rotateleft8 ? "llvm.fshl" : "llvm.fshr", {LLVMTypeOf(v)},
          {v, v, LLVMBuildIntCast2(builder, k, LLVMTypeOf(v), false, "")}));
    }
    case BuiltinId::abs: {
      LLVMValueRef v = scalar(0);
      return give(fe.callIntrinsic("llvm.abs", {LLVMTypeOf(v)}, {v, LLVMConstInt(t.i1, !m.options.wrapv, false)}));
    }
    default: return false;
  }
}

bool MathBuiltin::emitCheckedArithmetic() {
  switch (id) {
    case BuiltinId::add_overflow:
    case BuiltinId::add_overflow_p: return emitChecked("add", id == BuiltinId::add_overflow_p);
    case BuiltinId::sub_overflow:
    case BuiltinId::sub_overflow_p: return emitChecked("sub", id == BuiltinId::sub_overflow_p);
    case BuiltinId::mul_overflow:
    case BuiltinId::mul_overflow_p: return emitChecked("mul", id == BuiltinId::mul_overflow_p);
    case BuiltinId::addc: return emitCarry("llvm.uadd.with.overflow");
    case BuiltinId::subc: return emitCarry("llvm.usub.with.overflow");
    default: return false;
  }
}

// Checked arithmetic: computed exactly in a type wide enough for both operands and the result.
bool MathBuiltin::emitChecked(const char *what, bool predicate) {
  bool product = *what == 'm';
  QualType ta = args[0]->type, tb = args[1]->type;
  QualType tr = predicate ? args[2]->type.unqual() : args[2]->type->as<PointerType>()->pointee;
  LLVMValueRef a = scalar(0), b = scalar(1), p = nullptr;
  if (predicate) fe.exprs.emitIgnored(args[2]);
  else p = scalar(2);
  // the bits of the value, which may be fewer than memory has
  auto width = [&](QualType q) { return LLVMGetIntTypeWidth(t.value(q)); };
  auto sgn = [&](QualType q) { return !q->isBool() && t.isSigned(q.type); };
  const FieldDecl *bf = nullptr;
  if (predicate) {
    const Expr *x = args[2];
    x = ignoreParensAndImplicit(x);
    if (x->kind == ExprKind::Member && !x->as<Member>()->path.empty() && x->as<Member>()->path.back()->bitField)
      bf = x->as<Member>()->path.back();
  }
  unsigned rw = bf ? bf->width : width(tr);
  bool rs = bf ? t.isSigned(bf->type.type) : sgn(tr);
  LLVMValueRef r, o;
  LLVMTypeRef rt = t.intN(rw);
  bool alike = sgn(ta) == sgn(tb) && sgn(ta) == rs && width(ta) == rw && width(tb) == rw;
  if (alike && !(product && rs && rw > maxOrdinaryBits)) {  // LLVM has no library function for such products
    std::string intr = std::string("llvm.") + (rs ? "s" : "u") + what + ".with.overflow";
    LLVMValueRef pair = fe.callIntrinsic(intr.c_str(), {rt}, {a, b});
    r = LLVMBuildExtractValue(builder, pair, 0, "");
    o = LLVMBuildExtractValue(builder, pair, 1, "");
  } else {
    unsigned w = std::max({width(ta) + !sgn(ta), width(tb) + !sgn(tb), rw + !rs});
    LLVMTypeRef wt = t.intN(w);
    a = LLVMBuildIntCast2(builder, a, wt, sgn(ta), "");
    b = LLVMBuildIntCast2(builder, b, wt, sgn(tb), "");
    std::string intr = std::string("llvm.s") + what + ".with.overflow";
    LLVMValueRef pair;
    if (product && w > 64) {  // no library function for odd widths: multiply in twice the width
      LLVMTypeRef dt = t.intN(2 * w);
      LLVMValueRef x = LLVMBuildMul(builder, LLVMBuildSExt(builder, a, dt, ""), LLVMBuildSExt(builder, b, dt, ""), "");
      r = LLVMBuildTrunc(builder, x, rt, "");
      LLVMValueRef back = LLVMBuildIntCast2(builder, r, dt, rs, "");
      o = LLVMBuildICmp(builder, LLVMIntNE, back, x, "");
    } else {
      pair = fe.callIntrinsic(intr.c_str(), {wt}, {a, b});
      LLVMValueRef x = LLVMBuildExtractValue(builder, pair, 0, "");
      r = LLVMBuildIntCast2(builder, x, rt, rs, "");
      LLVMValueRef back = LLVMBuildIntCast2(builder, r, wt, rs, "");
      o = LLVMBuildOr(builder, LLVMBuildExtractValue(builder, pair, 1, ""),
          LLVMBuildICmp(builder, LLVMIntNE, back, x, ""), "");
    }
  }
  if (p) {
    Address to{p, t.align(tr), tr};
    to.where = e->range;
    fe.memory.storeScalar(to, r);
  }
  return give(o);
}

// Sums and differences with carry.
bool MathBuiltin::emitCarry(const char *intr) {
  LLVMValueRef a = scalar(0), b = scalar(1), c = scalar(2), p = scalar(3);
  LLVMValueRef x = fe.callIntrinsic(intr, {lt}, {a, b});
  LLVMValueRef y = fe.callIntrinsic(intr, {lt}, {LLVMBuildExtractValue(builder, x, 0, ""), c});
  LLVMValueRef carry =
      LLVMBuildOr(builder, LLVMBuildExtractValue(builder, x, 1, ""), LLVMBuildExtractValue(builder, y, 1, ""), "");
  fe.memory.storeAt(LLVMBuildZExt(builder, carry, lt, ""), p, t.align(e->type), e->range);
  return give(LLVMBuildExtractValue(builder, y, 0, ""));
}

// Comparison and classification of floating values, parts of complex ones.
bool MathBuiltin::emitFloating() {
  switch (id) {
    case BuiltinId::isgreater: return fcmp(LLVMRealOGT);
    case BuiltinId::isgreaterequal: return fcmp(LLVMRealOGE);
    case BuiltinId::isless: return fcmp(LLVMRealOLT);
    case BuiltinId::islessequal: return fcmp(LLVMRealOLE);
    case BuiltinId::islessgreater: return fcmp(LLVMRealONE);
    case BuiltinId::isunordered: return fcmp(LLVMRealUNO);
    case BuiltinId::iseqsig: return fcmp(LLVMRealOEQ);
    case BuiltinId::isnan: {
      LLVMValueRef v = scalar(0);
      return give(LLVMBuildZExt(builder, LLVMBuildFCmp(builder, LLVMRealUNO, v, v, ""), lt, ""));
    }
    case BuiltinId::isinf: return give(LLVMBuildZExt(builder, isClass(scalar(0), fcInf), lt, ""));
    case BuiltinId::isfinite: return give(LLVMBuildZExt(builder, isClass(scalar(0), fcFinite), lt, ""));
    case BuiltinId::isnormal: return give(LLVMBuildZExt(builder, isClass(scalar(0), fcNormal), lt, ""));
    case BuiltinId::issubnormal: return give(LLVMBuildZExt(builder, isClass(scalar(0), fcSubnormal), lt, ""));
    case BuiltinId::iszero: return give(LLVMBuildZExt(builder, isClass(scalar(0), fcZero), lt, ""));
    case BuiltinId::issignaling: return give(LLVMBuildZExt(builder, isClass(scalar(0), fcSNan), lt, ""));
    case BuiltinId::isfpclass: {
      auto c = evaluate(args[1], m.ast, EvalMode::Fold);
      return give(LLVMBuildZExt(builder, isClass(scalar(0), c ? static_cast<unsigned>(c->i) : 0), lt, ""));
    }
    case BuiltinId::signbit: return give(LLVMBuildZExt(builder, signBit(scalar(0)), lt, ""));
    case BuiltinId::isinf_sign: {
      LLVMValueRef v = scalar(0);
      LLVMValueRef s = LLVMBuildSelect(builder, signBit(v), fe.i32c(-1), fe.i32c(1), "");
      return give(LLVMBuildSelect(builder, isClass(v, fcInf), s, fe.i32c(0), ""));
    }
    case BuiltinId::fpclassify: {
      LLVMValueRef k[5];
      for (size_t i = 0; i < 5; i++) k[i] = scalar(i);
      LLVMValueRef v = scalar(5), r = k[2];
      r = LLVMBuildSelect(builder, isClass(v, fcSubnormal), k[3], r, "");
      r = LLVMBuildSelect(builder, isClass(v, fcZero), k[4], r, "");
      r = LLVMBuildSelect(builder, isClass(v, fcInf), k[1], r, "");
      return give(LLVMBuildSelect(builder, isClass(v, fcNan), k[0], r, ""));
    }
    case BuiltinId::flt_rounds: return give(fe.callIntrinsic("llvm.get.rounding", {}, {}));
    case BuiltinId::complex: {
      LLVMValueRef re = scalar(0);
      out = RValue::complex(re, scalar(1));
      return true;
    }
    case BuiltinId::creal: return give(fe.complexes.emitComplex(args[0]).value);
    case BuiltinId::cimag: return give(fe.complexes.emitComplex(args[0]).imag);
    case BuiltinId::conj: {
      RValue v = fe.complexes.emitComplex(args[0]);
      out = RValue::complex(v.value, LLVMBuildFNeg(builder, v.imag, ""));
      return true;
    }
    default: return false;
  }
}

// Functions of <math.h> that are an intrinsic of LLVM; those that set errno, where this is not wanted.
bool MathBuiltin::emitFunction() {
  auto call = [&](const char *intrinsic, size_t operands, bool quad = false) {
    if (lt == t.f128 && !quad) return false;
    LLVMValueRef x[3];
    for (size_t i = 0; i < operands; i++) x[i] = scalar(i);
    return give(fe.callIntrinsic(intrinsic, {lt}, {x, x + operands}));
  };
  auto callUnlessErrno = [&](const char *intrinsic, size_t operands) {
    return !m.options.mathErrno && call(intrinsic, operands);
  };
  auto toInteger = [&](const char *intrinsic) {
    LLVMValueRef v = scalar(0);
    return give(LLVMBuildFPToSI(builder, fe.callIntrinsic(intrinsic, {LLVMTypeOf(v)}, {v}), lt, ""));
  };
  switch (id) {
    case BuiltinId::inf:
    case BuiltinId::huge_val:
    case BuiltinId::nan:
    case BuiltinId::nans: {
      auto c = evaluate(e, m.ast, EvalMode::Fold);
      LLVMValueRef v = c ? m.constant(*c, e->type) : nullptr;
      return v ? give(v) : false;
    }
    case BuiltinId::fabs: return call("llvm.fabs", 1, true);
    case BuiltinId::copysign: return call("llvm.copysign", 2, true);
    case BuiltinId::floor: return call("llvm.floor", 1);
    case BuiltinId::ceil: return call("llvm.ceil", 1);
    case BuiltinId::trunc: return call("llvm.trunc", 1);
    case BuiltinId::rint: return call("llvm.rint", 1);
    case BuiltinId::nearbyint: return call("llvm.nearbyint", 1);
    case BuiltinId::round: return call("llvm.round", 1);
    case BuiltinId::roundeven: return call("llvm.roundeven", 1);
    case BuiltinId::fmin: return call("llvm.minnum", 2);
    case BuiltinId::fmax: return call("llvm.maxnum", 2);
    case BuiltinId::sqrt: return callUnlessErrno("llvm.sqrt", 1);
    case BuiltinId::sin: return callUnlessErrno("llvm.sin", 1);
    case BuiltinId::cos: return callUnlessErrno("llvm.cos", 1);
    case BuiltinId::exp: return callUnlessErrno("llvm.exp", 1);
    case BuiltinId::exp2: return callUnlessErrno("llvm.exp2", 1);
    case BuiltinId::log: return callUnlessErrno("llvm.log", 1);
    case BuiltinId::log2: return callUnlessErrno("llvm.log2", 1);
    case BuiltinId::log10: return callUnlessErrno("llvm.log10", 1);
    case BuiltinId::pow: return callUnlessErrno("llvm.pow", 2);
    case BuiltinId::fma: return (lt == t.f32 || lt == t.f64) && call("llvm.fma", 3);
    case BuiltinId::iceil:
    case BuiltinId::lceil:
    case BuiltinId::llceil: return toInteger("llvm.ceil");
    case BuiltinId::ifloor:
    case BuiltinId::lfloor:
    case BuiltinId::llfloor: return toInteger("llvm.floor");
    case BuiltinId::irint: return toInteger("llvm.rint");
    case BuiltinId::iround: return toInteger("llvm.round");
    case BuiltinId::powi: {
      LLVMValueRef x = scalar(0), k = scalar(1);
      return give(fe.callIntrinsic("llvm.powi", {lt, t.i32}, {x, k}));
    }
    default: return false;
  }
}

}  // namespace

bool Builtins::emitMathBuiltin(const Call *e, RValue &out) { return MathBuiltin{fe, e, out}.emit(); }

}  // namespace cilkc::cg
