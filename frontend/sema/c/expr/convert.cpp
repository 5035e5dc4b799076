// convert.cpp - conversions (C17 6.3): promotions, usual arithmetic conversions, loads and decay, implicit conversions
// by cast nodes.
//
// Every conversion becomes an ImplicitCast, except where representation and type are already right. Nothing here folds:
// what a constant expression is worth is consteval's affair; `folded` and knownInteger() only keep the values warnings
// need.
#include "frontend/types/access.h"
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/sema/c/core/declstate.h"
#include "diag/cilk.h"
#include "diag/sema_expr.h"

namespace cilkc {

namespace {

// Integer conversion rank (C17 6.3.1.1).
int rankOf(const Type *t) {
  switch (t->kind) {
    case TypeKind::Bool: return 1;
    case TypeKind::Char:
    case TypeKind::SChar:
    case TypeKind::UChar: return 2;
    case TypeKind::Short:
    case TypeKind::UShort: return 3;
    case TypeKind::Int:
    case TypeKind::UInt: return 4;
    case TypeKind::Long:
    case TypeKind::ULong: return 5;
    case TypeKind::LongLong:
    case TypeKind::ULongLong: return 6;
    case TypeKind::Int128:
    case TypeKind::UInt128: return 7;
    default: return 4;
  }
}

// Order of floating types: by format; of the same format the interchange type is the greater.
int floatRank(const Type *t, const TargetInfo &target) {
  switch (t->kind) {
    case TypeKind::Float16: return 0;
    case TypeKind::Float: return 10;
    case TypeKind::Float32: return 11;
    case TypeKind::Double: return 20;
    case TypeKind::Float32x: return 21;
    case TypeKind::Float64: return 22;
    case TypeKind::LongDouble: return target.facts->quadLongDouble ? 40 : 30;
    case TypeKind::Float64x: return target.facts->quadLongDouble ? 41 : 31;
    case TypeKind::Float128: return 42;
    default: return -1;
  }
}

TypeKind unsignedOf(TypeKind k) {
  switch (k) {
    case TypeKind::Int: return TypeKind::UInt;
    case TypeKind::Long: return TypeKind::ULong;
    case TypeKind::LongLong: return TypeKind::ULongLong;
    case TypeKind::Int128: return TypeKind::UInt128;
    default: return k;
  }
}

// Bits of a promoted integer type.
unsigned precisionOf(const Type *t, const TargetInfo &target) {
  return t->kind == TypeKind::WideBits ? t->as<WideBitsType>()->width : static_cast<unsigned>(sizeOf(t, target)) * 8;
}

const Type *stripEnum(const Type *t, const AstContext &cx) {
  if (!t->isEnum()) return t;
  const Type *u = t->as<EnumType>()->underlying;
  return u ? u : cx.basic(TypeKind::UInt);
}

}  // namespace

Expr *Conversions::error(Range r) {
  auto *e = cx.make<ErrorExpr>();
  e->range = r;
  e->type = cx.basic(TypeKind::Error);
  return e;
}

Expr *Conversions::implicit(CastKind kind, Expr *sub, QualType to) {
  auto *c = cx.make<ImplicitCast>();
  c->castKind = kind;
  c->sub = sub;
  c->range = sub->range;
  c->type = to;
  return c;
}

Expr *Conversions::intConstant(__int128 v, QualType t, Range r) {
  auto *lit = cx.make<IntLit>();
  lit->value = static_cast<unsigned __int128>(v);
  lit->range = r;
  lit->type = t.unqual();
  return lit;
}

// ---- loads and decay ----------------------------------------------------------------------------------------------

VarDecl *Conversions::rootVariable(const Expr *e) const {
  for (;;) switch ((e = ignoreParens(e))->kind) {
      case ExprKind::Ident: {
        const Decl *d = e->as<Ident>()->decl;
        return d && d->kind == DeclKind::Var ? const_cast<VarDecl *>(d->as<VarDecl>()) : nullptr;
      }
      case ExprKind::CompoundLit: return e->as<CompoundLit>()->object;
      case ExprKind::Member:
        if (e->as<Member>()->arrow) return nullptr;
        e = e->as<Member>()->base;
        continue;
      case ExprKind::Index: {
        const Expr *b = e->as<Index>()->base;
        b = ignoreParens(b);
        if (b->kind == ExprKind::ImplicitCast && b->as<ImplicitCast>()->castKind == CastKind::ArrayToPointer)
          b = b->as<ImplicitCast>()->sub;
        else if (!b->type || !b->type->isVector()) return nullptr;
        e = b;
        continue;
      }
      case ExprKind::Unary: {
        const auto *u = e->as<Unary>();
        if (u->op == UnaryOp::Real || u->op == UnaryOp::Imag) {
          e = u->sub;
          continue;
        }
        return nullptr;
      }
      default: return otherKinds<34>(nullptr);
    }
}

void Conversions::markAddressTaken(const Expr *lvalue) {
  if (sema.unevaluated) return;
  if (VarDecl *v = rootVariable(lvalue)) v->addressTaken = true;
}

Expr *Conversions::load(Expr *e) {
  const Type *t = e->type.type;
  if (t->isError()) return e;
  if (t->isFunction()) return implicit(CastKind::FunctionToPointer, e, cx.pointerTo(e->type));
  if (t->isArray()) {
    const auto *a = t->as<ArrayType>();
    if (e->lvalue) markAddressTaken(e);
    else if (cx.lang.std < LangOptions::C99) {
      diags.report(diag::non_lvalue_array, e->range);
      return error(e->range);
    }
    return implicit(CastKind::ArrayToPointer, e, cx.pointerTo(a->elem));
  }
  if (!e->lvalue) {
    if (e->type.quals) e->type = e->type.unqual();
    return e;
  }
  if (t->isVoid()) {  // *p with a void pointer: nothing to load
    e->lvalue = false;
    return e;
  }
  if (!sema.types.requireComplete(e->type, e->range, "value")) return error(e->range);
  if (t->isFuture()) {
    diags.report(diag::future_as_value, e->range)
        .note(e->range, "write `touch` before it to have its value, or `&` to pass it on");
    return error(e->range);
  }
  if (e->kind == ExprKind::Index || e->kind == ExprKind::Unary) sema.exprs.checkPastTheEnd(e);
  return implicit(CastKind::LvalueToRvalue, e, e->type.unqual());
}

Expr *Exprs::rvalue(Expr *e) { return sema.conv.load(expr(e)); }

Expr *Conversions::discard(Expr *e) {
  if (!e->lvalue) return e;
  const Type *t = e->type.type;
  if ((t->isRecord() || t->isEnum()) && !isComplete(t))
    return sema.types.requireComplete(e->type, e->range, "value") ? e : error(e->range);
  if (t->isArray() || t->isFunction() || (!isComplete(t) && !t->isVoid())) return e;  // nothing would be read
  return load(e);
}

Expr *Conversions::condition(Expr *untyped) {
  Expr *e =
      sema.exprs.rvalueIn(sema.spawnPlace == SpawnPlace::Expression ? SpawnPlace::Condition : sema.spawnPlace, untyped);
  if (e->type->isError()) return e;
  if (!e->type->isScalar()) {
    diags.report(diag::not_scalar, e->range) << toString(e->type);
    return error(e->range);
  }
  return e;
}

// ---- promotions ---------------------------------------------------------------------------------------------------

int Conversions::rank(const Type *t) const { return rankOf(stripEnum(t, cx)); }

const Type *Conversions::promotedType(const Type *t) const {
  t = stripEnum(t, cx);
  if (!t->isInteger()) return t;
  return rankOf(t) < 4 ? cx.basic(TypeKind::Int) : t;  // all narrower types fit into int
}

const FieldDecl *Conversions::bitFieldOf(const Expr *e) const {
  for (;;) switch ((e = ignoreParens(e))->kind) {
      case ExprKind::Member: {
        const auto *m = e->as<Member>();
        return !m->path.empty() && m->path.back()->bitField ? m->path.back() : nullptr;
      }
      case ExprKind::ImplicitCast:
        if (e->as<ImplicitCast>()->castKind != CastKind::LvalueToRvalue) return nullptr;
        e = e->as<ImplicitCast>()->sub;
        continue;
      case ExprKind::Assign: e = e->as<Assign>()->lhs; continue;
      case ExprKind::Unary: {
        const auto *u = e->as<Unary>();
        if (isIncDec(u->op)) {
          e = u->sub;
          continue;
        }
        return nullptr;
      }
      case ExprKind::Binary:
        if (e->as<Binary>()->op != BinaryOp::Comma) return nullptr;
        e = e->as<Binary>()->rhs;
        continue;
      case ExprKind::StmtExpr: {
        const Stmt *last = valueStatement(e->as<StmtExpr>());
        if (!last || last->kind != StmtKind::Expr || !(e = last->as<ExprStmt>()->expr)) return nullptr;
        continue;
      }
      default: return otherKinds<34>(nullptr);
    }
}

// A bit-field whose values all fit into int becomes int, whatever its declared type; a wider one stays as wide as it
// is, as gcc has it.
const Type *Conversions::promotedBitField(const FieldDecl *f) const {
  const Type *declared = stripEnum(f->type.type, cx);
  if (declared->isBitInt()) return declared;
  if (f->width < 32 || (f->width == 32 && isSigned(declared, cx.target))) return cx.basic(TypeKind::Int);
  if (f->width == 32) return cx.basic(TypeKind::UInt);
  return f->width < sizeOf(declared, cx.target) * 8 ? cx.wideBits(declared, f->width) : declared;
}

Expr *Conversions::promote(Expr *e) {
  const Type *t = e->type.type;
  if (!t->isInteger()) return e;
  const FieldDecl *f = bitFieldOf(e);
  return convert(e, f ? promotedBitField(f) : promotedType(t));
}

Expr *Conversions::defaultPromote(Expr *e) {
  if (e->type->isInteger()) {
    e = promote(e);
    return e->type->kind == TypeKind::WideBits && !e->type->isBitInt()
               ? convert(e, e->type->as<WideBitsType>()->declared)
               : e;
  }
  if (e->type->kind == TypeKind::Float) return convert(e, cx.basic(TypeKind::Double));
  return e;
}

QualType Conversions::arithmeticType(QualType qa, QualType qb) {
  const Type *a = qa.type, *b = qb.type;
  if (a->isVector() || b->isVector()) {
    if (!a->isVector()) return b;
    return a;
  }
  if (a->isComplex() || b->isComplex()) {
    const Type *ea = a->isComplex() ? a->as<ComplexType>()->elem : a,
               *eb = b->isComplex() ? b->as<ComplexType>()->elem : b;
    const Type *elem = ea == eb ? ea : arithmeticType(ea, eb).type;
    return cx.complexOf(elem);
  }
  if (a->isFloating() || b->isFloating()) {
    if (!b->isFloating()) return a;
    if (!a->isFloating()) return b;
    return floatRank(a, cx.target) >= floatRank(b, cx.target) ? a : b;
  }
  a = promotedType(a), b = promotedType(b);
  if (a == b) return a;
  bool sa = isSigned(a, cx.target), sb = isSigned(b, cx.target);
  if (a->kind == TypeKind::WideBits || b->kind == TypeKind::WideBits) {
    unsigned pa = precisionOf(a, cx.target), pb = precisionOf(b, cx.target);
    if (pa != pb) return pa > pb ? a : b;
    if (a->isBitInt() != b->isBitInt()) {  // of the same width, the other has the greater rank
      const Type *other = a->isBitInt() ? b : a;
      return sa && sb                                                  ? other
             : other->isInteger() && other->kind != TypeKind::WideBits ? cx.basic(unsignedOf(other->kind))
             : sa                                                      ? b
                                                                       : a;
    }
    return sa ? b : a;
  }
  int ra = rankOf(a), rb = rankOf(b);
  if (sa == sb) return ra >= rb ? a : b;
  const Type *u = sa ? b : a, *s = sa ? a : b;
  int ru = sa ? rb : ra, rs = sa ? ra : rb;
  if (ru >= rs) return u;
  if (sizeOf(s, cx.target) > sizeOf(u, cx.target)) return s;
  return cx.basic(unsignedOf(s->kind));
}

QualType Conversions::usualArithmetic(Expr *&a, Expr *&b) {
  a = promote(a), b = promote(b);
  QualType t = arithmeticType(a->type, b->type);
  a = convert(a, t);
  b = convert(b, t);
  return t;
}

// Beside a complex operand of + - * / a real one stays real, in the type of the parts (C17 G.5.1, G.5.2). 1 - z must
// not become (1 + 0i) - z, whose imaginary part differs from -imag(z) in the sign of a zero. Nor must infinity * z
// become (inf + 0i) * z.
QualType Conversions::arithmeticOperands(Expr *&a, Expr *&b) {
  a = promote(a), b = promote(b);
  QualType t = arithmeticType(a->type, b->type);
  a = convert(a, operandType(a->type, t));
  b = convert(b, operandType(b->type, t));
  return t;
}

QualType Conversions::operandType(QualType operand, QualType result) {
  return result->isComplex() && !operand->isComplex() ? QualType(result->as<ComplexType>()->elem) : result;
}

// ---- unconditional conversion -------------------------------------------------------------------------------------

CastKind Conversions::castKind(const Type *from, const Type *to) const {
  if (to->isVoid()) return CastKind::ToVoid;
  if (from == to) return CastKind::NoOp;
  if (to->isVector()) {
    if (from->isVector()) return CastKind::VectorBitcast;
    return from->isArithmetic() && sizeOf(from, cx.target) != sizeOf(to, cx.target) ? CastKind::ScalarToVector
                                                                                    : CastKind::VectorBitcast;
  }
  if (from->isVector()) return CastKind::VectorBitcast;
  if (to->isBool()) return from->isBool() ? CastKind::NoOp : CastKind::ToBool;
  from = stripEnum(from, cx), to = stripEnum(to, cx);
  if (to->isBool()) return CastKind::ToBool;
  if (from->isPointer()) {
    if (to->isPointer()) return CastKind::PointerToPointer;
    return CastKind::PointerToInt;
  }
  if (to->isPointer()) return CastKind::IntToPointer;
  if (from->isComplex()) return to->isComplex() ? CastKind::ComplexToComplex : CastKind::ComplexToReal;
  if (to->isComplex()) return CastKind::RealToComplex;
  if (from->isInteger()) {
    if (!to->isInteger()) return CastKind::IntToFloat;
    return sizeOf(from, cx.target) == sizeOf(to, cx.target) && !from->isBool() && from->kind != TypeKind::WideBits &&
                   to->kind != TypeKind::WideBits
               ? CastKind::NoOp
               : CastKind::IntToInt;
  }
  return to->isInteger() ? CastKind::FloatToInt : CastKind::FloatToFloat;
}

Expr *Conversions::convert(Expr *e, QualType to) {
  to = to.unqual();
  if (!to || e->type->isError() || to->isError() || e->type.type == to.type) return e;
  const Type *from = e->type.type;
  bool fromValue = from->isScalar() || from->isVector(), toValue = to->isScalar() || to->isVector();
  if (to->isVoid()) return implicit(CastKind::ToVoid, e, to);
  if (!fromValue || !toValue) {
    if (from->isRecord() && to->isRecord()) return implicit(CastKind::NoOp, e, to);
    return e;  // reported by the caller
  }
  if (to->isVector() && !from->isVector() && from->isArithmetic() &&
      sizeOf(from, cx.target) != sizeOf(to.type, cx.target)) {
    const Type *elem = to->as<VectorType>()->elem;
    return implicit(CastKind::ScalarToVector, convert(e, elem), to);
  }
  if (to->isPointer() && from->isInteger() && isNullPointerConstant(e)) return implicit(CastKind::NullToPointer, e, to);
  return implicit(castKind(from, to.type), e, to);
}

// ---- null pointer constants ---------------------------------------------------------------------------------------

bool Conversions::isNullPointerConstant(const Expr *e) const {
  e = ignoreParens(e);
  if (!e->type) return false;
  if (e->type->isPointer()) {
    QualType p = e->type->as<PointerType>()->pointee;
    if (!p->isVoid() || p.quals) return false;
    if (e->kind == ExprKind::ImplicitCast) return e->as<ImplicitCast>()->castKind == CastKind::NullToPointer;
    if (e->kind != ExprKind::Cast) return false;
    const Expr *sub = e->as<Cast>()->sub;
    return sub->type && sub->type->isInteger() && isNullPointerConstant(sub);
  }
  if (!e->type->isInteger()) return false;
  if (e->kind == ExprKind::IntLit) return e->as<IntLit>()->value == 0;
  if (e->kind == ExprKind::ImplicitCast && e->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue) return false;
  auto v = evaluate(e, cx, EvalMode::IntegerConstant);
  return v && v->kind == ConstValue::Int && v->i == 0;
}

// ---- constants known to warnings ----------------------------------------------------------------------------------

std::optional<__int128> Conversions::knownInteger(const Expr *e) const {
  std::vector<const Type *> wraps;
  for (int depth = 0; depth < 16; depth++) switch (e->kind) {
      case ExprKind::Paren: e = e->as<ParenExpr>()->sub; continue;
      case ExprKind::ImplicitCast:
      case ExprKind::Cast: {
        CastKind k = e->kind == ExprKind::Cast ? e->as<Cast>()->castKind : e->as<ImplicitCast>()->castKind;
        if (k != CastKind::IntToInt && k != CastKind::NoOp) return {};
        if (!e->type->isInteger()) return {};
        if (e->type->isWide()) return {};
        wraps.push_back(stripEnum(e->type.type, cx));
        e = e->kind == ExprKind::Cast ? e->as<Cast>()->sub : e->as<ImplicitCast>()->sub;
        continue;
      }
      default:
        otherKinds<34>();
        depth = 16;
        break;
    }
  std::optional<__int128> v;
  switch (e->kind) {
    case ExprKind::IntLit:
      if (e->type && e->type->isInteger() && !e->type->isWide())
        v = wrapInt(static_cast<__int128>(e->as<IntLit>()->value), e->type.type, cx.target);
      break;
    case ExprKind::CharLit: v = e->as<CharLit>()->value; break;
    case ExprKind::Ident:
      if (const Decl *d = e->as<Ident>()->decl; d && d->kind == DeclKind::EnumConst) v = d->as<EnumConstDecl>()->value;
      break;
    case ExprKind::Unary:
    case ExprKind::Binary:
      if (auto it = sema.es.folded.find(e); it != sema.es.folded.end()) v = it->second;
      break;
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr: {
      QualType t = e->kind == ExprKind::SizeofType
                       ? (e->as<SizeofType>()->target ? e->as<SizeofType>()->target->type : QualType())
                       : e->as<SizeofExpr>()->sub->type;
      if (t && !t->isError() && !hasVariableSize(t.type) && isComplete(t.type)) v = sizeOf(t.type, cx.target);
      break;
    }
    case ExprKind::Offsetof:
    case ExprKind::Conditional:
      if (auto k = evaluate(e, cx, EvalMode::Fold); k && k->kind == ConstValue::Int) v = k->i;
      break;
    default: otherKinds<34>(); break;
  }
  if (!v) return {};
  for (auto it = wraps.rbegin(); it != wraps.rend(); ++it) v = wrapInt(*v, *it, cx.target);
  return v;
}

// gcc's -Woverflow: a constant that changes when it is converted. Between types of one width only the sign changes,
// which is common use.
void Conversions::warnConstantConversion(const Expr *value, QualType to, const std::string &context) {
  if (sema.deadCode || sema.unevaluated || !to->isInteger() || to->isBool() || !value->type->isInteger()) return;
  auto v = knownInteger(value);
  if (!v) return;
  const Type *t = stripEnum(to.type, cx);
  __int128 w = wrapInt(*v, t, cx.target);
  if (w == *v) return;
  uint64_t bits = precisionOf(t, cx.target);
  if (bits >= 128) return;
  // -1 for an unsigned type, 0xff for a signed char: all bits are kept.
  __int128 lo = -(static_cast<__int128>(1) << (bits - 1)), hi = static_cast<__int128>(1) << bits;
  // But a decimal number that is too large for an int is none that stands for bits.
  const Expr *literal = value;
  literal = ignoreParensAndImplicit(literal);
  bool number = bits >= 32 && *v >= 0 && isSigned(t, cx.target) &&
                isSigned(stripEnum(value->type.type, cx), cx.target) && literal->kind == ExprKind::IntLit &&
                literal->as<IntLit>()->decimal && !literal->as<IntLit>()->suffixU;
  if (*v >= lo && *v < hi && !number) return;
  diags.report(diag::constant_overflow, value->range) << context << decimal(*v) << toString(to.unqual()) << decimal(w);
}

// ---- modifiable lvalues, integer constants ------------------------------------------------------------------------

bool Conversions::isModifiableLvalue(const Expr *e, Range where, bool report) {
  if (e->type->isError()) return true;
  if (!e->lvalue || e->type->isFunction() || e->type->isVoid()) {
    if (report) {
      if (e->kind == ExprKind::StringLit || e->type->isFunction() || e->type->isVoid())
        diags.report(diag::not_assignable, where) << toString(e->type);
      else if (auto d = diags.report(diag::not_an_lvalue, where); e->kind == ExprKind::Synched)
        d.also(e->range).note(e->range, "SYNCHED can only be read; `sync;` waits until it is 1");
      else d.also(e->range);
    }
    return false;
  }
  if (e->type->isArray()) {
    if (report) diags.report(diag::array_not_assignable, where) << toString(e->type);
    return false;
  }
  bool isConst = e->type.isConst();
  if (!isConst && e->type->isRecord()) {
    // A record with a const member, at any depth, cannot be assigned as a whole.
    std::vector<const RecordType *> todo{e->type->as<RecordType>()};
    while (!todo.empty() && !isConst) {
      const RecordType *r = todo.back();
      todo.pop_back();
      for (const FieldDecl *f : r->fields) {
        QualType t = f->type;
        while (t && t->isArray()) t = t->as<ArrayType>()->elem;
        if (!t) continue;
        if (t.isConst()) {
          isConst = true;
          break;
        }
        if (t->isRecord()) todo.push_back(t->as<RecordType>());
      }
    }
  }
  if (isConst) {
    if (report) {
      const VarDecl *v = rootVariable(e);
      const Expr *s = e;
      s = ignoreParens(s);
      std::string what = s->kind == ExprKind::Ident    ? "variable '" + std::string(s->as<Ident>()->name) + "'"
                         : s->kind == ExprKind::Member ? "member '" + std::string(s->as<Member>()->name) + "'"
                                                       : std::string("location");
      auto d = diags.report(diag::assign_to_const, where);
      d << what;
      if (v && v->range.valid() && s->kind == ExprKind::Ident)
        d.note(v->range, "'" + std::string(v->name) + "' is declared const here");
    }
    return false;
  }
  return true;
}

std::optional<__int128> Conversions::integerConstant(Expr *&e, const char *what) {
  e = sema.exprs.rvalue(e);
  if (e->type->isError()) return {};
  if (!e->type->isInteger()) {
    diags.report(diag::constant_not_integer, e->range) << what << toString(e->type);
    return {};
  }
  auto v = evaluate(e, cx, EvalMode::IntegerConstant);
  if (v && v->kind == ConstValue::Int) {
    checkConstantForm(e, true, what);
    return v->i;
  }
  v = evaluate(e, cx, EvalMode::Fold);
  if (v && v->kind == ConstValue::Int) {
    diags.report(diag::pedantic_not_constant_expression, e->range) << what;
    return v->i;
  }
  diags.report(diag::not_constant_expression, e->range) << what;
  return {};
}

}  // namespace cilkc
