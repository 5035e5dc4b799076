// impl.h - what the files of the constant evaluator share. Private to this folder.
#pragma once
#include "frontend/builtins/builtins.h"
#include "frontend/consteval/consteval.h"

namespace cilkc {

// ---- floating formats (consteval/float.cpp). All values are held in __float128, which holds every format
// exactly. ----
__float128 parseFloat(std::string_view text, const Type *, const TargetInfo &);
enum class FloatOp : uint8_t { Add, Sub, Mul, Div };
// One operation, correctly rounded in the type's own format.
__float128 floatArith(FloatOp, __float128, __float128, const Type *, const TargetInfo &);
void complexArith(FloatOp, __float128 a, __float128 ai, __float128 b, __float128 bi, const Type *elem,
    const TargetInfo &, __float128 &re, __float128 &im);
// An integer (zero-extended if isUnsigned) rounded once to the format.
__float128 intToFloat(__int128, bool isUnsigned, const Type *, const TargetInfo &);
// Truncates towards zero; out of range it saturates and says so.
__int128 floatToInt(__float128, const Type *, const TargetInfo &, bool &outOfRange);
bool isNan(__float128);
bool isInf(__float128);
bool signBit(__float128);
// A library function of one or two floating arguments, by its family; false if it is unknown.
bool floatFunction(BuiltinId, const __float128 *args, size_t n, const Type *, const TargetInfo &, __float128 &result);
// The format's parameters: bits of the significand, largest exponent.
struct FloatFormat {
  int precision, maxExponent;
};
FloatFormat formatOf(const Type *, const TargetInfo &);

// ---- the evaluator ----
struct Evaluator {
  const AstContext &cx;
  EvalMode mode;
  EvalTrouble trouble = EvalTrouble::None;
  int dead = 0;                    // in an operand that is not evaluated: errors do not count
  int depth = 0;
  std::vector<const VarDecl *> reading;   // constants whose initialisers are being read

  using Result = std::optional<ConstValue>;
  const TargetInfo &target() const { return cx.target; }
  bool strict() const { return mode == EvalMode::IntegerConstant; }

  Result eval(const Expr *);
  Result lvalue(const Expr *);     // the address of what it designates
  std::optional<bool> truth(const Expr *);
  Result builtin(const Call *);    // consteval/builtin.cpp

  Result integer(__int128 v, const Type *t) const;    // wrapped to t
  Result integer(const Wide &v, const Type *t) const;
  Result floating(__float128 v, const Type *t) const;
  void note(EvalTrouble t) {
    if (!dead && trouble == EvalTrouble::None) trouble = t;
  }

private:
  const VarDecl *constantObject(const Expr *, uint64_t &at);
  Result character(const StringLit *, uint64_t at, const Type *) const;
  Result dispatch(const Expr *);
  Result unary(const Unary *);
  Result binary(const Binary *);
  Result integers(const Binary *, const ConstValue &, const ConstValue &);
  Result wideBinary(BinaryOp, const Wide &a, const Wide &b, const Type *t, const Type *result);
  Wide wide(const ConstValue &, const Type *) const;
  Result truncated(__float128, const Type *t);          // to an integer type
  Result intBinary(BinaryOp, __int128 a, __int128 b, const Type *t, const Type *result, const Type *shifted);
  Result addressBinary(const Binary *, const ConstValue &a, const ConstValue &b);
  Result conditional(const Conditional *);
  Result cast(CastKind, const Expr *sub, QualType to);
  Result read(const Expr *lvalue, QualType t);
  Result readPart(const InitPlan &, uint64_t at, const Expr *lvalue, QualType t);
  Result sizeOrAlign(const Expr *);
};

inline const Type *enumBase(const Type *t) {
  if (t && t->isEnum() && t->as<EnumType>()->underlying) return t->as<EnumType>()->underlying;
  return t;
}
inline bool hasBase(const ConstValue &v) { return v.kind == ConstValue::Address && (v.base || v.string || v.label); }

}  // namespace cilkc
