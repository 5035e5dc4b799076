// consteval.h - constant evaluation in the target's widths and formats (C17 6.6). Used by sema (array sizes, case
// labels, bit-field widths, static assertions, null pointer constants, division warnings) and by codegen (static
// initialisers, folding).
#pragma once
#include <memory>
#include <optional>
#include "frontend/ast/ast.h"
#include "frontend/consteval/wide.h"

namespace cilkc {

struct ConstValue {
  enum Kind : uint8_t { Int, Float, Complex, Address, WideInt } kind = Int;
  // Int: the value truncated to the expression's type, sign-extended to 128 bits if the type is signed, zero-extended
  // otherwise.
  __int128 i = 0;
  // Float and Complex: exact in the widest format; already rounded to the expression's type. Complex of integer type
  // uses these too.
  __float128 re = 0, im = 0;
  // Address: of a function, object of static storage, string literal, or label; or a null/absolute pointer (no base),
  // plus offset bytes.
  const Decl *base = nullptr;  // FunctionDecl, VarDecl
  const StringLit *string = nullptr;
  const LabelDecl *label = nullptr, *minusLabel = nullptr;  // &&a or &&a - &&b (then offset is added)
  int64_t offset = 0;
  // WideInt: every value of a type with isWide(), and of no other.
  std::shared_ptr<const Wide> wide;
};

enum class EvalMode : uint8_t {
  IntegerConstant,  // strict C17 6.6p6 integer constant expression
  // whatever folds to a value without side effects (GNU): for warnings, optimisation, __builtin_constant_p
  Fold,
  Static  // static initialiser: arithmetic and address constants
};
// The expression must have been typed by sema. An integer constant is always an Int, of a wide type the nearest that
// 128 bits hold. No diagnostics; nothing when it is not constant in that mode. Reading const variables' initialisers is
// not constant (C); enum constants, sizeof, alignof, offsetof, _Generic, choose_expr, builtins on constants are.
std::optional<ConstValue> evaluate(const Expr *, const AstContext &, EvalMode);
// True if the expression overflows in signed arithmetic, divides by zero or shifts out of range while being evaluated
// (for warnings).
enum class EvalTrouble : uint8_t { None, Overflow, DivideByZero, ShiftRange };
std::optional<ConstValue> evaluate(const Expr *, const AstContext &, EvalMode, EvalTrouble &);
// Wraps v to an integer type.
__int128 wrapInt(__int128 v, const Type *, const TargetInfo &);
// Rounds to the format of a floating type.
__float128 roundFloat(__float128, const Type *, const TargetInfo &);

}  // namespace cilkc
