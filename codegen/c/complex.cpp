// complex.cpp - values of complex type, as pairs of parts. Multiplication and division of floating complex numbers go
// to the compiler library where Annex G needs it, as gcc and clang do. Annex G needs it where the simple formula gives
// NaN.
#include "codegen/core/function.h"

namespace cilkc::cg {

// As gcc does, by the ratio of the divisor's parts (Smith's method): each division is one of integers, so the quotient
// is in general not the one nearest to zero.
static RValue divideIntegers(FunctionEmitter &fe, const RValue &a, const RValue &b, QualType part) {
  LLVMBuilderRef builder = fe.builder;
  auto divide = [&](LLVMValueRef x, LLVMValueRef y) {
    return fe.ops.applyBinaryOp(BinaryOp::Div, x, y, part, part, {});
  };
  bool isSigned = fe.t.isSigned(part.type);
  auto magnitude = [&](LLVMValueRef x) {
    if (!isSigned) return x;
    LLVMValueRef below = LLVMBuildICmp(builder, LLVMIntSLT, x, LLVMConstNull(LLVMTypeOf(x)), "");
    return LLVMBuildSelect(builder, below, LLVMBuildNeg(builder, x, ""), x, "");
  };
  LLVMValueRef imaginary =
      LLVMBuildICmp(builder, isSigned ? LLVMIntSLT : LLVMIntULT, magnitude(b.value), magnitude(b.imag), "");
  auto choose = [&](LLVMValueRef x, LLVMValueRef y) { return LLVMBuildSelect(builder, imaginary, x, y, ""); };
  LLVMValueRef large = choose(b.imag, b.value), small = choose(b.value, b.imag), ratio = divide(small, large);
  auto mul = [&](LLVMValueRef x) { return LLVMBuildMul(builder, x, ratio, ""); };
  LLVMValueRef by = LLVMBuildAdd(builder, mul(small), large, "");
  LLVMValueRef re =
      choose(LLVMBuildAdd(builder, mul(a.value), a.imag, ""), LLVMBuildAdd(builder, mul(a.imag), a.value, ""));
  LLVMValueRef im =
      choose(LLVMBuildSub(builder, mul(a.imag), a.value, ""), LLVMBuildSub(builder, a.imag, mul(a.value), ""));
  return RValue::complex(divide(re, by), divide(im, by));
}

// At most one operand is real: a scalar in the type of the parts.
RValue ComplexValues::applyComplexOp(BinaryOp op, RValue a, RValue b, QualType type) {
  const Type *e = type->as<ComplexType>()->elem;
  QualType q(e);
  auto arith = [&](BinaryOp o, LLVMValueRef x, LLVMValueRef y) { return fe.ops.applyBinaryOp(o, x, y, q, q, {}); };
  bool product = op == BinaryOp::Mul || op == BinaryOp::Div;
  if (b.kind == RValue::Scalar)
    return RValue::complex(arith(op, a.value, b.value), product ? arith(op, a.imag, b.value) : a.imag);
  if (a.kind == RValue::Scalar) {
    LLVMValueRef zero = LLVMConstNull(t.memory(e));
    auto negated = [&](LLVMValueRef x) {
      return e->isFloating() ? LLVMBuildFNeg(builder, x, "") : LLVMBuildNeg(builder, x, "");
    };
    if (op != BinaryOp::Div)
      return RValue::complex(arith(op, a.value, b.value), op == BinaryOp::Mul   ? arith(op, a.value, b.imag)
                                                          : op == BinaryOp::Sub ? negated(b.imag)
                                                                                : b.imag);
    a = RValue::complex(a.value, zero);
  }
  auto mul = [&](LLVMValueRef x, LLVMValueRef y) {
    return e->isFloating() ? LLVMBuildFMul(builder, x, y, "") : LLVMBuildMul(builder, x, y, "");
  };
  auto add = [&](LLVMValueRef x, LLVMValueRef y) {
    return e->isFloating() ? LLVMBuildFAdd(builder, x, y, "") : LLVMBuildAdd(builder, x, y, "");
  };
  auto sub = [&](LLVMValueRef x, LLVMValueRef y) {
    return e->isFloating() ? LLVMBuildFSub(builder, x, y, "") : LLVMBuildSub(builder, x, y, "");
  };
  const char *suffix = e->kind == TypeKind::Float || e->kind == TypeKind::Float32 ? "sc3"
                       : e->kind == TypeKind::Double || e->kind == TypeKind::Float64 || e->kind == TypeKind::Float32x
                           ? "dc3"
                       : t.memory(e) == t.f80 ? "xc3"
                       : t.memory(e) == t.f16 ? "hc3"
                                              : "tc3";
  auto library = [&](const char *what) {
    FunctionType ft;
    QualType own(type.type);
    ft.result = own;
    ft.params = {q, q, q, q};
    AbiFunction f = t.abiForCall(&ft, ft.params);
    std::string name = std::string("__") + what + suffix;
    LLVMValueRef fnv = m.runtimeFunction(name.c_str(), f.type);
    std::vector<LLVMValueRef> args;
    Address dest;
    if (f.sret()) {
      dest = fe.locals.temporary(type);
      args.push_back(dest.ptr);
    }
    fe.calls.lowerArguments(f,
        {RValue::scalar(a.value), RValue::scalar(a.imag), RValue::scalar(b.value), RValue::scalar(b.imag)}, args);
    LLVMValueRef c = fe.call(f.type, fnv, args);
    m.attributes.abiAttributes(c, f, true);
    return fe.calls.raiseResult(f.result, type, c, dest);
  };
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub: return RValue::complex(arith(op, a.value, b.value), arith(op, a.imag, b.imag));
    case BinaryOp::Mul: {
      LLVMValueRef ac = mul(a.value, b.value), bd = mul(a.imag, b.imag), ad = mul(a.value, b.imag),
                   bc = mul(a.imag, b.value);
      LLVMValueRef re = sub(ac, bd), im = add(ad, bc);
      if (!e->isFloating() || m.options.fastMath || m.options.finiteMath || t.memory(e) == t.f16)
        return RValue::complex(re, im);
      LLVMBasicBlockRef start = LLVMGetInsertBlock(builder), check = fe.newBlock("complex.nan"),
                        lib = fe.newBlock("complex.lib"), end = fe.newBlock("complex.end");
      // A part that is known to be a NaN leaves no edge to `end`.
      auto leaves = [&](LLVMValueRef nan, LLVMBasicBlockRef next) {
        fe.branch(nan, next, end, 0);
        return !LLVMIsAConstantInt(nan) || !LLVMConstIntGetZExtValue(nan);
      };
      bool fromStart = leaves(LLVMBuildFCmp(builder, LLVMRealUNO, re, re, ""), check);
      fe.place(check);
      bool fromCheck = leaves(LLVMBuildFCmp(builder, LLVMRealUNO, im, im, ""), lib);
      fe.place(lib);
      RValue r = library("mul");
      LLVMBasicBlockRef from = LLVMGetInsertBlock(builder);
      fe.place(end);
      LLVMValueRef out[2];
      for (int i = 0; i < 2; i++) {
        out[i] = LLVMBuildPhi(builder, t.memory(e), "");
        LLVMValueRef simple = i ? im : re, hard = i ? r.imag : r.value;
        if (fromStart) LLVMAddIncoming(out[i], &simple, &start, 1);
        if (fromCheck) LLVMAddIncoming(out[i], &simple, &check, 1);
        LLVMAddIncoming(out[i], &hard, &from, 1);
      }
      return RValue::complex(out[0], out[1]);
    }
    case BinaryOp::Div: {
      if (e->isFloating() && !m.options.fastMath && t.memory(e) != t.f16) return library("div");
      if (e->isInteger()) return divideIntegers(fe, a, b, q);
      LLVMValueRef den = add(mul(b.value, b.value), mul(b.imag, b.imag));
      LLVMValueRef re = add(mul(a.value, b.value), mul(a.imag, b.imag)),
                   im = sub(mul(a.imag, b.value), mul(a.value, b.imag));
      return RValue::complex(arith(BinaryOp::Div, re, den), arith(BinaryOp::Div, im, den));
    }
    default: break;
  }
  return RValue::complex(LLVMGetUndef(t.memory(e)), LLVMGetUndef(t.memory(e)));
}

RValue ComplexValues::emitComplex(const Expr *e) {
  if (!fe.open()) fe.ensureOpen();
  if (const RValue *known = fe.exprs.boundTo(e)) return *known;
  const Type *el = e->type->isComplex() ? e->type->as<ComplexType>()->elem : e->type.type;
  if (!e->type->isComplex()) return RValue::complex(fe.exprs.emitScalar(e), LLVMConstNull(t.memory(el)));
  auto fromCast = [&](CastKind k, const Expr *sub) {
    if (k == CastKind::LvalueToRvalue)
      return sub->lvalue ? fe.memory.load(fe.lvalues.emitLvalue(sub)) : emitComplex(sub);
    return fe.conv.convert(fe.exprs.emitExpr(sub), sub->type, e->type);
  };
  switch (e->kind) {
    case ExprKind::IntLit:
    case ExprKind::FloatLit:
    case ExprKind::CharLit: {
      auto c = evaluate(e, m.ast, EvalMode::Fold);
      if (!c) break;
      if (el->isFloating())
        return RValue::complex(m.floatConst(el, c->kind == ConstValue::Int ? static_cast<__float128>(c->i) : c->re),
            m.floatConst(el, c->im));
      return RValue::complex(m.intConst(t.memory(el), static_cast<__int128>(c->re)),
          m.intConst(t.memory(el), static_cast<__int128>(c->im)));
    }
    case ExprKind::Paren: return emitComplex(e->as<ParenExpr>()->sub);
    case ExprKind::Unary: {
      auto *u = e->as<Unary>();
      switch (u->op) {
        case UnaryOp::Plus: return emitComplex(u->sub);
        case UnaryOp::Minus:
        case UnaryOp::BitNot: {
          RValue v = emitComplex(u->sub);
          auto neg = [&](LLVMValueRef x) {
            return el->isFloating() ? LLVMBuildFNeg(builder, x, "") : LLVMBuildNeg(builder, x, "");
          };
          // ~ is the conjugate (GNU)
          return RValue::complex(u->op == UnaryOp::Minus ? neg(v.value) : v.value, neg(v.imag));
        }
        case UnaryOp::PreInc:
        case UnaryOp::PreDec:
        case UnaryOp::PostInc:
        case UnaryOp::PostDec: {
          RValue r;
          fe.ops.emitIncDec(u, &r);
          return r;
        }
        case UnaryOp::Deref: return fe.memory.load(fe.lvalues.emitLvalue(e));
        default: break;
      }
      break;
    }
    case ExprKind::Binary: {
      auto *b = e->as<Binary>();
      if (b->op == BinaryOp::Comma) {
        fe.exprs.emitIgnored(b->lhs);
        return emitComplex(b->rhs);
      }
      auto operand = [&](const Expr *x) {
        return fe.conv.convert(fe.exprs.emitExpr(x), x->type, x->type->isComplex() ? e->type : QualType(el));
      };
      RValue x = operand(b->lhs), y = operand(b->rhs);
      return applyComplexOp(b->op, x, y, e->type);
    }
    case ExprKind::Assign: return fe.ops.emitAssign(e->as<Assign>());
    case ExprKind::Conditional: {
      auto *c = e->as<Conditional>();
      Address tmp = fe.locals.temporary(e->type);
      LLVMBasicBlockRef yes = fe.newBlock("cond.true"), no = fe.newBlock("cond.false"), end = fe.newBlock("cond.end");
      RValue common;
      if (c->then) fe.exprs.emitBranch(c->cond, yes, no);
      else {
        RValue v = fe.exprs.emitExpr(c->cond);
        common = fe.conv.convert(v, c->cond->type, e->type);
        fe.branch(fe.conv.convert(v, c->cond->type, m.ast.basic(TypeKind::Bool)).value, yes, no);
      }
      fe.place(yes);
      fe.weights.weigh(c->then);
      RValue a = c->then ? fe.conv.convert(fe.exprs.emitExpr(c->then), c->then->type, e->type) : common;
      if (fe.open()) fe.memory.storeToLvalue(tmp, a);
      fe.jump(end);
      fe.place(no);
      fe.weights.weigh(c->otherwise);
      RValue b = fe.conv.convert(fe.exprs.emitExpr(c->otherwise), c->otherwise->type, e->type);
      if (fe.open()) fe.memory.storeToLvalue(tmp, b);
      fe.place(end);
      return fe.memory.load(tmp);
    }
    case ExprKind::Cast: return fromCast(e->as<Cast>()->castKind, e->as<Cast>()->sub);
    case ExprKind::ImplicitCast: return fromCast(e->as<ImplicitCast>()->castKind, e->as<ImplicitCast>()->sub);
    case ExprKind::Call: return fe.calls.emitCall(e->as<Call>());
    case ExprKind::Generic: return emitComplex(e->as<Generic>()->chosen);
    case ExprKind::ChooseExpr: return emitComplex(e->as<ChooseExpr>()->chosen);
    case ExprKind::StmtExpr: return fe.stmts.emitStmtExpr(e->as<StmtExpr>());
    case ExprKind::VaArg: return fe.varargs.emitVaArg(e->as<VaArg>());
    case ExprKind::Ident:
    case ExprKind::Member:
    case ExprKind::Index:
    case ExprKind::CompoundLit: return fe.memory.load(fe.lvalues.emitLvalue(e));
    case ExprKind::Error:
    case ExprKind::StringLit:
    case ExprKind::Data:
    case ExprKind::SizeofExpr:
    case ExprKind::SizeofType:
    case ExprKind::AlignofExpr:
    case ExprKind::AlignofType:
    case ExprKind::LabelAddr:
    case ExprKind::Offsetof:
    case ExprKind::TypesCompatible:
    case ExprKind::Spawn:
    case ExprKind::Touch:
    case ExprKind::Hole:
    case ExprKind::ChildResult:
    case ExprKind::Synched: break;
  }
  return RValue::complex(LLVMGetUndef(t.memory(el)), LLVMGetUndef(t.memory(el)));
}

}  // namespace cilkc::cg
