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

// "floorf" is of family "floor".
bool family(std::string_view n, std::string_view f) {
  if (!n.starts_with(f)) return false;
  std::string_view rest = n.substr(f.size());
  for (std::string_view s : {"", "f", "l", "q", "f16", "f32", "f64", "f128", "f32x", "f64x"})
    if (rest == s) return true;
  return false;
}

// One call, whose builtin is known by its name without "__builtin_". The families return false for a builtin of another
// one.
struct MathBuiltin {
  FunctionEmitter &fe;
  const Call *e;
  std::string_view n;
  RValue &out;
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
  // Is it f, or f for long, long long or any type?
  bool bits(std::string_view f) const {
    return n == f ||
           (n.starts_with(f) && (n.substr(f.size()) == "l" || n.substr(f.size()) == "ll" || n.substr(f.size()) == "g"));
  }

  bool emit() {
    if (n.find("_overflow") != std::string_view::npos) return emitChecked();
    if (n.starts_with("addc") || n.starts_with("subc")) return emitCarry();
    return emitBits() || emitFloating(static_cast<BuiltinId>(e->builtin)) || emitFunction();
  }
  bool emitBits();
  bool emitChecked();
  bool emitCarry();
  bool emitFloating(BuiltinId);
  bool emitFunction();
};

bool MathBuiltin::emitBits() {
  if (bits("clz") || bits("ctz")) {
    LLVMValueRef v = scalar(0);
    bool lead = n[1] == 'l';
    LLVMValueRef fallback = args.size() > 1 ? scalar(1) : nullptr;
    if (fe.ubsan.enabled() && !fallback) fe.ubsan.checkBitCount(lead, v, e->range.begin);
    LLVMValueRef r = toResult(
        fe.callIntrinsic(lead ? "llvm.ctlz" : "llvm.cttz", {LLVMTypeOf(v)}, {v, LLVMConstInt(t.i1, !fallback, false)}));
    if (fallback)
      r = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntEQ, v, LLVMConstNull(LLVMTypeOf(v)), ""), fallback, r,
          "");
    return give(r);
  }
  if (bits("popcount")) {
    LLVMValueRef v = scalar(0);
    return give(toResult(fe.callIntrinsic("llvm.ctpop", {LLVMTypeOf(v)}, {v})));
  }
  if (bits("parity")) {
    LLVMValueRef v = scalar(0);
    return give(LLVMBuildAnd(builder, toResult(fe.callIntrinsic("llvm.ctpop", {LLVMTypeOf(v)}, {v})),
        LLVMConstInt(lt, 1, false), ""));
  }
  if (bits("ffs")) {
    LLVMValueRef v = scalar(0);
    LLVMTypeRef vt = LLVMTypeOf(v);
    LLVMValueRef r = LLVMBuildAdd(builder, fe.callIntrinsic("llvm.cttz", {vt}, {v, LLVMConstInt(t.i1, 1, false)}),
        LLVMConstInt(vt, 1, false), "");
    r = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntEQ, v, LLVMConstNull(vt), ""), LLVMConstNull(vt), r, "");
    return give(toResult(r));
  }
  if (bits("clrsb")) {
    LLVMValueRef v = scalar(0);
    LLVMTypeRef vt = LLVMTypeOf(v);
    LLVMValueRef neg = LLVMBuildICmp(builder, LLVMIntSLT, v, LLVMConstNull(vt), "");
    LLVMValueRef x = LLVMBuildSelect(builder, neg, LLVMBuildNot(builder, v, ""), v, "");
    LLVMValueRef r = fe.callIntrinsic("llvm.ctlz", {vt}, {x, LLVMConstInt(t.i1, 0, false)});
    return give(toResult(LLVMBuildSub(builder, r, LLVMConstInt(vt, 1, false), "")));
  }
  if (n.starts_with("bswap")) {
    LLVMValueRef v = scalar(0);
    return give(fe.callIntrinsic("llvm.bswap", {LLVMTypeOf(v)}, {v}));
  }
  if (n.starts_with("bitreverse")) {
    LLVMValueRef v = scalar(0);
    return give(fe.callIntrinsic("llvm.bitreverse", {LLVMTypeOf(v)}, {v}));
  }
  if (n.starts_with("rotateleft") || n.starts_with("rotateright")) {
    LLVMValueRef v = scalar(0), k = scalar(1);
    return give(fe.callIntrinsic(n[6] == 'l' ? "llvm.fshl" : "llvm.fshr", {LLVMTypeOf(v)},
        {v, v, LLVMBuildIntCast2(builder, k, LLVMTypeOf(v), false, "")}));
  }
  if (n == "abs" || n == "labs" || n == "llabs" || n == "imaxabs") {
    LLVMValueRef v = scalar(0);
    return give(fe.callIntrinsic("llvm.abs", {LLVMTypeOf(v)}, {v, LLVMConstInt(t.i1, !m.options.wrapv, false)}));
  }
  return false;
}

// Checked arithmetic: computed exactly in a type wide enough for both operands and the result.
bool MathBuiltin::emitChecked() {
  bool predicate = n.ends_with("_p");
  std::string_view op = n.substr(0, 3);
  if (n[0] == 's' && !n.starts_with("sub_")) op = n.substr(1, 3);
  else if (n[0] == 'u') op = n.substr(1, 3);
  const char *what = op == "add" ? "add" : op == "sub" ? "sub" : "mul";
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
  if (alike && !(op == "mul" && rs && rw > maxOrdinaryBits)) {  // LLVM has no library function for such products
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
    if (op == "mul" && w > 64) {  // no library function for odd widths: multiply in twice the width
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
bool MathBuiltin::emitCarry() {
  LLVMValueRef a = scalar(0), b = scalar(1), c = scalar(2), p = scalar(3);
  const char *intr = n[0] == 'a' ? "llvm.uadd.with.overflow" : "llvm.usub.with.overflow";
  LLVMValueRef x = fe.callIntrinsic(intr, {lt}, {a, b});
  LLVMValueRef y = fe.callIntrinsic(intr, {lt}, {LLVMBuildExtractValue(builder, x, 0, ""), c});
  LLVMValueRef carry =
      LLVMBuildOr(builder, LLVMBuildExtractValue(builder, x, 1, ""), LLVMBuildExtractValue(builder, y, 1, ""), "");
  fe.memory.storeAt(LLVMBuildZExt(builder, carry, lt, ""), p, t.align(e->type), e->range);
  return give(LLVMBuildExtractValue(builder, y, 0, ""));
}

// Comparison and classification of floating values, parts of complex ones.
bool MathBuiltin::emitFloating(BuiltinId id) {
  switch (id) {
    case BuiltinId::isgreater: return fcmp(LLVMRealOGT);
    case BuiltinId::isgreaterequal: return fcmp(LLVMRealOGE);
    case BuiltinId::isless: return fcmp(LLVMRealOLT);
    case BuiltinId::islessequal: return fcmp(LLVMRealOLE);
    case BuiltinId::islessgreater: return fcmp(LLVMRealONE);
    case BuiltinId::isunordered: return fcmp(LLVMRealUNO);
    case BuiltinId::iseqsig: return fcmp(LLVMRealOEQ);
    case BuiltinId::isnan:
    case BuiltinId::isnanf:
    case BuiltinId::isnanl: {
      LLVMValueRef v = scalar(0);
      return give(LLVMBuildZExt(builder, LLVMBuildFCmp(builder, LLVMRealUNO, v, v, ""), lt, ""));
    }
    case BuiltinId::isinf:
    case BuiltinId::isinff:
    case BuiltinId::isinfl: return give(LLVMBuildZExt(builder, isClass(scalar(0), fcInf), lt, ""));
    case BuiltinId::isfinite:
    case BuiltinId::finite:
    case BuiltinId::finitef:
    case BuiltinId::finitel: return give(LLVMBuildZExt(builder, isClass(scalar(0), fcFinite), lt, ""));
    case BuiltinId::isnormal: return give(LLVMBuildZExt(builder, isClass(scalar(0), fcNormal), lt, ""));
    case BuiltinId::issubnormal: return give(LLVMBuildZExt(builder, isClass(scalar(0), fcSubnormal), lt, ""));
    case BuiltinId::iszero: return give(LLVMBuildZExt(builder, isClass(scalar(0), fcZero), lt, ""));
    case BuiltinId::issignaling: return give(LLVMBuildZExt(builder, isClass(scalar(0), fcSNan), lt, ""));
    case BuiltinId::isfpclass: {
      auto c = evaluate(args[1], m.ast, EvalMode::Fold);
      return give(LLVMBuildZExt(builder, isClass(scalar(0), c ? static_cast<unsigned>(c->i) : 0), lt, ""));
    }
    case BuiltinId::signbit:
    case BuiltinId::signbitf:
    case BuiltinId::signbitl: return give(LLVMBuildZExt(builder, signBit(scalar(0)), lt, ""));
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
    case BuiltinId::creal:
    case BuiltinId::crealf:
    case BuiltinId::creall: return give(fe.complexes.emitComplex(args[0]).value);
    case BuiltinId::cimag:
    case BuiltinId::cimagf:
    case BuiltinId::cimagl: return give(fe.complexes.emitComplex(args[0]).imag);
    case BuiltinId::conj:
    case BuiltinId::conjf:
    case BuiltinId::conjl: {
      RValue v = fe.complexes.emitComplex(args[0]);
      out = RValue::complex(v.value, LLVMBuildFNeg(builder, v.imag, ""));
      return true;
    }
    default: return false;
  }
}

// Functions of <math.h>.
bool MathBuiltin::emitFunction() {
  if (family(n, "inf") || family(n, "huge_val") || family(n, "nan") || family(n, "nans")) {
    auto c = evaluate(e, m.ast, EvalMode::Fold);
    LLVMValueRef v = c ? m.constant(*c, e->type) : nullptr;
    return v ? give(v) : false;
  }
  struct Unary {
    const char *family, *intrinsic;
    bool setsErrno;
  };
  static const Unary unary[] = {{"fabs", "llvm.fabs", false}, {"floor", "llvm.floor", false},
      {"ceil", "llvm.ceil", false}, {"trunc", "llvm.trunc", false}, {"rint", "llvm.rint", false},
      {"nearbyint", "llvm.nearbyint", false}, {"round", "llvm.round", false}, {"roundeven", "llvm.roundeven", false},
      {"sqrt", "llvm.sqrt", true}, {"sin", "llvm.sin", true}, {"cos", "llvm.cos", true}, {"exp", "llvm.exp", true},
      {"exp2", "llvm.exp2", true}, {"log", "llvm.log", true}, {"log2", "llvm.log2", true},
      {"log10", "llvm.log10", true}};
  for (auto &u : unary)
    if (args.size() == 1 && e->type->isFloating() && family(n, u.family) && (!u.setsErrno || !m.options.mathErrno)) {
      if (lt == t.f128 && std::string_view(u.family) != "fabs") return false;
      LLVMValueRef v = scalar(0);
      return give(fe.callIntrinsic(u.intrinsic, {lt}, {v}));
    }
  static const Unary toInteger[] = {{"iceil", "llvm.ceil", false}, {"lceil", "llvm.ceil", false},
      {"llceil", "llvm.ceil", false}, {"ifloor", "llvm.floor", false}, {"lfloor", "llvm.floor", false},
      {"llfloor", "llvm.floor", false}, {"irint", "llvm.rint", false}, {"iround", "llvm.round", false}};
  for (auto &u : toInteger)
    if (args.size() == 1 && e->type->isInteger() && family(n, u.family)) {
      LLVMValueRef v = scalar(0);
      return give(LLVMBuildFPToSI(builder, fe.callIntrinsic(u.intrinsic, {LLVMTypeOf(v)}, {v}), lt, ""));
    }
  struct Two {
    const char *family, *intrinsic;
    bool setsErrno;
  };
  static const Two two[] = {{"copysign", "llvm.copysign", false}, {"fmin", "llvm.minnum", false},
      {"fmax", "llvm.maxnum", false}, {"pow", "llvm.pow", true}};
  for (auto &b : two)
    if (args.size() == 2 && e->type->isFloating() && family(n, b.family) && (!b.setsErrno || !m.options.mathErrno) &&
        (lt != t.f128 || std::string_view(b.family) == "copysign")) {
      LLVMValueRef x = scalar(0), y = scalar(1);
      return give(fe.callIntrinsic(b.intrinsic, {lt}, {x, y}));
    }
  if (args.size() == 3 && family(n, "fma") && (lt == t.f32 || lt == t.f64)) {
    LLVMValueRef x = scalar(0), y = scalar(1), z = scalar(2);
    return give(fe.callIntrinsic("llvm.fma", {lt}, {x, y, z}));
  }
  if (family(n, "powi") && args.size() == 2) {
    LLVMValueRef x = scalar(0), k = scalar(1);
    return give(fe.callIntrinsic("llvm.powi", {lt, t.i32}, {x, k}));
  }
  return false;
}

}  // namespace

bool Builtins::emitMathBuiltin(const Call *e, std::string_view name, RValue &out) {
  constexpr std::string_view prefix = "__builtin_";
  return MathBuiltin{fe, e, name.starts_with(prefix) ? name.substr(prefix.size()) : name, out}.emit();
}

}  // namespace cilkc::cg
