// ubsan.cpp - checks of undefined behaviour, reported by the runtime that the C compiler brings along (libubsan, or
// compiler-rt's).
//
// A check is a branch that is expected to pass. Where it fails, the handler of that kind of error is called with a
// static record (the place, types, details) and the values at fault; then the program goes on, unless
// -fno-sanitize-recover= chose the handler's _abort form or -fsanitize-trap= a trap instead. The layout of the records
// is the runtime's interface. Their place is overwritten by the runtime when it has reported it once, so they are not
// constant.
#include "codegen/core/checks.h"
#include <algorithm>
#include <cstring>
#include "codegen/core/function.h"
#include "frontend/ast/query.h"

namespace cilkc {

namespace {

struct Named {
  const char *name;
  CheckSet set;
};
constexpr CheckSet shift = bitOf(Check::ShiftBase) | bitOf(Check::ShiftExponent);
// As with clang, "undefined" leaves out what is defined after all (unsigned arithmetic, IEEE division) and conversions,
// whose results are at least harmless.
constexpr CheckSet undefined = bitOf(Check::Alignment) | bitOf(Check::Bool) | bitOf(Check::Bounds) |
                               bitOf(Check::Builtin) | bitOf(Check::IntegerDivide) | bitOf(Check::NonnullArgument) |
                               bitOf(Check::Null) | bitOf(Check::ObjectSize) | bitOf(Check::PointerOverflow) |
                               bitOf(Check::ReturnsNonnull) | shift | bitOf(Check::SignedOverflow) |
                               bitOf(Check::Unreachable) | bitOf(Check::VlaBound);
constexpr Named names[] = {
    {"alignment", bitOf(Check::Alignment)},
    {"bool", bitOf(Check::Bool)},
    {"array-bounds", bitOf(Check::Bounds)},
    {"bounds", bitOf(Check::Bounds)},
    {"bounds-strict", bitOf(Check::Bounds)},
    {"builtin", bitOf(Check::Builtin)},
    {"float-cast-overflow", bitOf(Check::FloatCast)},
    {"float-divide-by-zero", bitOf(Check::FloatDivide)},
    {"integer-divide-by-zero", bitOf(Check::IntegerDivide)},
    {"nonnull-attribute", bitOf(Check::NonnullArgument)},
    {"null", bitOf(Check::Null)},
    {"object-size", bitOf(Check::ObjectSize)},
    {"pointer-overflow", bitOf(Check::PointerOverflow)},
    {"returns-nonnull-attribute", bitOf(Check::ReturnsNonnull)},
    {"shift", shift},
    {"shift-base", bitOf(Check::ShiftBase)},
    {"shift-exponent", bitOf(Check::ShiftExponent)},
    {"signed-integer-overflow", bitOf(Check::SignedOverflow)},
    {"unreachable", bitOf(Check::Unreachable)},
    {"unsigned-integer-overflow", bitOf(Check::UnsignedOverflow)},
    {"vla-bound", bitOf(Check::VlaBound)},
    {"undefined", undefined},
    {"all", allChecks},
    {"integer", shift | bitOf(Check::SignedOverflow) | bitOf(Check::UnsignedOverflow) | bitOf(Check::IntegerDivide)},
    // Checks for C++, and checks that C leaves to the caller.
    {"enum", 0},
    {"function", 0},
    {"return", 0},
    {"vptr", 0},
    {"local-bounds", 0},
};

}  // namespace

std::optional<CheckSet> checksNamed(std::string_view word) {
  for (auto &n : names)
    if (word == n.name) return n.set;
  return std::nullopt;
}

namespace cg {

namespace {

// the runtime's words for kinds of access; memberUnder: "member access within"
constexpr unsigned loadOf = 0, storeTo = 1, memberUnder = 3;

unsigned logOf(uint64_t n) {
  unsigned k = 0;
  while (n > 1) n /= 2, k++;
  return k;
}

// The set of a no_sanitize attribute's words, separated by newlines.
CheckSet excluded(std::string_view words) {
  CheckSet s = 0;
  while (!words.empty()) {
    size_t end = words.find('\n');
    s |= checksNamed(words.substr(0, end)).value_or(0);
    if (end == words.npos) break;
    words.remove_prefix(end + 1);
  }
  return s;
}

}  // namespace

void UndefinedChecks::chooseChecks() { chosen = m.options.checks & ~(fn ? excluded(fn->attrs.noSanitize) : 0); }

// ---- records ------------------------------------------------------------------------------------------------------

// {const char *file; unsigned line, column}
LLVMValueRef UndefinedChecks::placeRecord(Loc where) {
  Presumed p = where.valid() ? m.diags.sources().resolve(where) : Presumed{};
  LLVMValueRef parts[] = {m.cstring(p.file ? p.file->name : m.diags.sources().mainName()), fe.i32c(p.line),
      fe.i32c(p.column)};
  return LLVMConstStructInContext(context, parts, 3, false);
}

// {short kind, info; char name[]}: kind 0 integers (info: 2 log2(bits) + signed), 1 floating (info: bits), -1 others.
LLVMValueRef ModuleEmitter::typeRecord(QualType q) {
  const Type *ty = q.type;
  LLVMValueRef &known = typeRecords[ty];
  if (known) return known;
  unsigned kind = 0xffff, info = 0;
  if (ty->isInteger()) {
    kind = 0;
    info = logOf(types->size(ty) * 8) * 2 + types->isSigned(ty);
  } else if (ty->isFloating()) {
    kind = 1;
    info = static_cast<unsigned>(types->size(ty) * 8);
  }
  std::string name = "'" + toString(q) + "'";
  LLVMValueRef parts[] = {LLVMConstInt(types->i16, kind, false), LLVMConstInt(types->i16, info, false),
      LLVMConstStringInContext(context, name.data(), static_cast<unsigned>(name.size()), false)};
  return known = privateConstant(LLVMConstStructInContext(context, parts, 3, false), 2, ".type");
}

// How a value is handed over: in a word if it fits, else by its address.
LLVMValueRef UndefinedChecks::handle(LLVMValueRef v, const Type *ty) {
  LLVMTypeRef lt = LLVMTypeOf(v);
  if (LLVMGetTypeKind(lt) == LLVMPointerTypeKind) return LLVMBuildPtrToInt(builder, v, t.i64, "");
  if (ty->isFloating() && t.size(ty) <= 8) {
    v = LLVMBuildBitCast(builder, v, t.intN(static_cast<unsigned>(t.size(ty) * 8)), "");
    lt = LLVMTypeOf(v);
  }
  if (LLVMGetTypeKind(lt) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(lt) <= 64) {
    LLVMTypeRef whole = t.intN(static_cast<unsigned>(t.size(ty) * 8));
    if (lt != whole && LLVMGetIntTypeWidth(whole) <= 64)
      v = LLVMBuildIntCast2(builder, v, whole, t.isSigned(ty) && lt != t.i1, "");
    return LLVMBuildIntCast2(builder, v, t.i64, false, "");
  }
  LLVMValueRef slot = fe.entryAlloca(lt, 16, "value");
  fe.storeRaw(v, slot, 16);
  return LLVMBuildPtrToInt(builder, slot, t.i64, "");
}

// ---- a check ------------------------------------------------------------------------------------------------------

// ok: i1. data: what follows in the static record; values: handles, computed where the check fails.
void UndefinedChecks::check(Check c, LLVMValueRef ok, const char *handler, std::vector<LLVMValueRef> data,
    const std::function<std::vector<LLVMValueRef>()> &values) {
  if (LLVMIsAConstantInt(ok) && LLVMConstIntGetZExtValue(ok)) return;
  LLVMBasicBlockRef bad = fe.newBlock("undefined"), good = fe.newBlock("defined");
  fe.branch(ok, good, bad, 1);
  fe.place(bad);
  if (m.options.checksTrap & bitOf(c)) {
    fe.callIntrinsic("llvm.ubsantrap", {}, {LLVMConstInt(t.i8, static_cast<unsigned>(c), false)});
    LLVMBuildUnreachable(builder);
  } else {
    bool ends = c == Check::Unreachable, aborts = !ends && !(m.options.checksRecover & bitOf(c));
    LLVMValueRef init = LLVMConstStructInContext(context, data.data(), static_cast<unsigned>(data.size()), false);
    LLVMValueRef record = LLVMAddGlobal(m.module, LLVMTypeOf(init), ".undefined");
    LLVMSetInitializer(record, init);
    LLVMSetLinkage(record, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(record, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(record, 8);
    std::vector<LLVMValueRef> args = {record};
    if (values)
      for (LLVMValueRef v : values()) args.push_back(v);
    fe.callRuntime((std::string("__ubsan_handle_") + handler + (aborts ? "_abort" : "")).c_str(), t.voidTy, args);
    if (ends || aborts) LLVMBuildUnreachable(builder);
    else fe.jump(good);
  }
  fe.place(good);
}

// ---- arithmetic ---------------------------------------------------------------------------------------------------

// Are overflows of this integer type looked for? (-ftrapv, -fsanitize=signed-integer-overflow,
// unsigned-integer-overflow) The library's reports know no integers of more than 128 bits, so these are not checked.
static bool unshown(const Type *ty) { return ty->isWide(); }

bool UndefinedChecks::overflowChecked(const Type *ty) const {
  if (!ty->isInteger() || ty->isBool() || unshown(ty)) return false;
  if (t.isSigned(ty)) return !m.options.wrapv && (m.options.trapv || checks(Check::SignedOverflow));
  return checks(Check::UnsignedOverflow);
}

// a + b, a - b, a * b; `negation`: 0 - b was written -b. After a report the result is what wraps around.
LLVMValueRef UndefinedChecks::emitCheckedArith(BinaryOp op, LLVMValueRef a, LLVMValueRef b, QualType q, Loc where,
    bool negation) {
  bool sign = t.isSigned(q.type);
  const char *verb = op == BinaryOp::Add ? "add" : op == BinaryOp::Sub ? "sub" : "mul";
  LLVMValueRef r = fe.callIntrinsic((std::string("llvm.") + (sign ? "s" : "u") + verb + ".with.overflow").c_str(),
      {LLVMTypeOf(a)}, {a, b});
  LLVMValueRef over = LLVMBuildExtractValue(builder, r, 1, ""), value = LLVMBuildExtractValue(builder, r, 0, "");
  Check c = sign ? Check::SignedOverflow : Check::UnsignedOverflow;
  if (!checks(c)) {  // -ftrapv
    LLVMBasicBlockRef bad = fe.newBlock("overflow"), good = fe.newBlock("nooverflow");
    fe.branch(over, bad, good, 0);
    fe.place(bad);
    fe.emitTrap();
    fe.place(good);
    return value;
  }
  std::string handler = negation ? "negate_overflow" : std::string(verb) + "_overflow";
  check(c, LLVMBuildNot(builder, over, ""), handler.c_str(), {placeRecord(where), m.typeRecord(q)},
      [&]() -> std::vector<LLVMValueRef> {
        if (negation) return {handle(b, q.type)};
        LLVMValueRef left = handle(a, q.type);
        return {left, handle(b, q.type)};
      });
  return value;
}

void UndefinedChecks::checkDivision(LLVMValueRef a, LLVMValueRef b, QualType q, Loc where) {
  const Type *ty = q.type;
  if (unshown(ty)) return;
  auto operands = [&]() -> std::vector<LLVMValueRef> {
    LLVMValueRef left = handle(a, ty);
    return {left, handle(b, ty)};
  };
  if (ty->isFloating()) {
    if (checks(Check::FloatDivide))
      check(Check::FloatDivide, LLVMBuildFCmp(builder, LLVMRealUNE, b, LLVMConstNull(LLVMTypeOf(b)), ""),
          "divrem_overflow", {placeRecord(where), m.typeRecord(q)}, operands);
    return;
  }
  if (!ty->isInteger()) return;
  LLVMTypeRef lt = LLVMTypeOf(b);
  if (checks(Check::IntegerDivide))
    check(Check::IntegerDivide, LLVMBuildICmp(builder, LLVMIntNE, b, LLVMConstNull(lt), ""), "divrem_overflow",
        {placeRecord(where), m.typeRecord(q)}, operands);
  if (checks(Check::SignedOverflow) && t.isSigned(ty) && !m.options.wrapv) {
    LLVMValueRef least = m.intConst(lt, Wide(1).shifted(static_cast<int>(LLVMGetIntTypeWidth(lt)) - 1));
    LLVMValueRef ok = LLVMBuildOr(builder, LLVMBuildICmp(builder, LLVMIntNE, a, least, ""),
        LLVMBuildICmp(builder, LLVMIntNE, b, LLVMConstAllOnes(lt), ""), "");
    check(Check::SignedOverflow, ok, "divrem_overflow", {placeRecord(where), m.typeRecord(q)}, operands);
  }
}

// b still has its own type.
void UndefinedChecks::checkShift(bool left, LLVMValueRef a, LLVMValueRef b, QualType q, QualType by, Loc where) {
  if (!q->isInteger() || !by->isInteger() || unshown(q.type) || unshown(by.type) ||
      !(chosen & (bitOf(Check::ShiftBase) | bitOf(Check::ShiftExponent))))
    return;
  auto operands = [&]() -> std::vector<LLVMValueRef> {
    LLVMValueRef l = handle(a, q.type);
    return {l, handle(b, by.type)};
  };
  std::vector<LLVMValueRef> data = {placeRecord(where), m.typeRecord(q), m.typeRecord(by)};
  LLVMTypeRef lt = LLVMTypeOf(a);
  uint64_t most = LLVMGetIntTypeWidth(lt) - 1;
  LLVMValueRef inRange = LLVMBuildICmp(builder, LLVMIntULE, b, LLVMConstInt(LLVMTypeOf(b), most, false), "");
  if (checks(Check::ShiftExponent)) check(Check::ShiftExponent, inRange, "shift_out_of_bounds", data, operands);
  if (!left || !t.isSigned(q.type) || m.options.wrapv || !checks(Check::ShiftBase)) return;
  // Nothing but zeros may leave at the top, the sign's place included. A count out of range is another error.
  LLVMValueRef count = LLVMBuildIntCast2(builder, b, lt, false, "");
  LLVMValueRef back = LLVMBuildAnd(builder, LLVMBuildSub(builder, LLVMConstInt(lt, most, false), count, ""),
      LLVMConstInt(lt, most, false), "");
  LLVMValueRef lost = LLVMBuildICmp(builder, LLVMIntEQ, LLVMBuildLShr(builder, a, back, ""), LLVMConstNull(lt), "");
  check(Check::ShiftBase, LLVMBuildOr(builder, lost, LLVMBuildNot(builder, inRange, ""), ""), "shift_out_of_bounds",
      data, operands);
}

// Does the value, cut to an integer, fit? Its bounds are compared in the floating type: the one below the least value
// only where that type has it.
void UndefinedChecks::checkFloatCast(LLVMValueRef v, const Type *from, const Type *to, Loc where) {
  if (!checks(Check::FloatCast) || to->isBool() || !from->isFloating() || !to->isInteger() || unshown(to)) return;
  unsigned bits = LLVMGetIntTypeWidth(t.value(to));
  LLVMTypeRef lt = LLVMTypeOf(v);
  unsigned precision = lt == t.f16 ? 11 : lt == t.f32 ? 24 : lt == t.f64 ? 53 : lt == t.f80 ? 64 : 113;
  bool sign = t.isSigned(to);
  auto power = [](unsigned n) {
    __float128 r = 1;
    while (n--) r *= 2;
    return r;
  };
  __float128 top = power(sign ? bits - 1 : bits), least = sign ? -top : 0;
  bool exact = !sign || bits - 1 < precision;
  LLVMValueRef above =
      LLVMBuildFCmp(builder, exact ? LLVMRealOGT : LLVMRealOGE, v, m.floatConst(from, exact ? least - 1 : least), "");
  LLVMValueRef below = LLVMBuildFCmp(builder, LLVMRealOLT, v, m.floatConst(from, top), "");
  check(Check::FloatCast, LLVMBuildAnd(builder, above, below, ""), "float_cast_overflow",
      {placeRecord(where), m.typeRecord(from), m.typeRecord(to)},
      [&]() -> std::vector<LLVMValueRef> { return {handle(v, from)}; });
}

// ---- memory -------------------------------------------------------------------------------------------------------

// An access through a pointer: not null, aligned, and inside the object as far as that is known.
void UndefinedChecks::checkAccess(LLVMValueRef p, QualType q, uint32_t align, unsigned kind, Loc where) {
  if (LLVMIsAAllocaInst(p) || q->isFunction()) return;
  auto report = [&](Check c, LLVMValueRef ok) {
    check(c, ok, "type_mismatch_v1",
        {placeRecord(where), m.typeRecord(q.unqual()), LLVMConstInt(t.i8, logOf(align), false),
            LLVMConstInt(t.i8, kind, false)},
        [&]() -> std::vector<LLVMValueRef> { return {handle(p, q.type)}; });
  };
  if (checks(Check::Null)) report(Check::Null, LLVMBuildICmp(builder, LLVMIntNE, p, LLVMConstNull(t.ptr), ""));
  if (checks(Check::Alignment) && align > 1)
    report(Check::Alignment,
        LLVMBuildICmp(builder, LLVMIntEQ,
            LLVMBuildAnd(builder, LLVMBuildPtrToInt(builder, p, t.i64, ""), fe.i64c(align - 1), ""), fe.i64c(0), ""));
  if (checks(Check::ObjectSize) && m.optimizing() && !q->isVoid() && isComplete(q.type) && !hasVariableSize(q.type) &&
      t.size(q)) {
    LLVMValueRef no = LLVMConstInt(t.i1, 0, false), yes = LLVMConstInt(t.i1, 1, false);
    LLVMValueRef room = fe.callIntrinsic("llvm.objectsize", {t.i64, t.ptr}, {p, no, yes, no});
    report(Check::ObjectSize, LLVMBuildICmp(builder, LLVMIntUGE, room, fe.i64c(static_cast<int64_t>(t.size(q))), ""));
  }
}
void UndefinedChecks::checkLoad(const Address &a) {
  if (a.through.valid() && a.ptr) checkAccess(a.ptr, a.type, a.align, loadOf, a.through);
}
void UndefinedChecks::checkStore(const Address &a) {
  if (a.through.valid() && a.ptr) checkAccess(a.ptr, a.type, a.align, storeTo, a.through);
}
void UndefinedChecks::checkMember(const Address &a, Loc where) {
  if (chosen & (bitOf(Check::Null) | bitOf(Check::Alignment) | bitOf(Check::ObjectSize)))
    checkAccess(a.ptr, a.type, a.align, memberUnder, where);
}

// An array's element by its index; `base` is the array turned pointer. `used`: it is read or written, else only its
// address is taken, which may be one past the last. An array at the end of a record counts as one of unknown length.
void UndefinedChecks::checkIndex(const Expr *base, LLVMValueRef i, const Expr *index, bool used, Loc where) {
  base = ignoreParens(base);
  if (!checks(Check::Bounds) || base->kind != ExprKind::ImplicitCast ||
      base->as<ImplicitCast>()->castKind != CastKind::ArrayToPointer)
    return;
  const Expr *array = ignoreParens(base->as<ImplicitCast>()->sub);
  if (!array->type->isArray()) return;
  if (array->kind == ExprKind::Member && !array->as<Member>()->path.empty()) {
    const FieldDecl *f = array->as<Member>()->path.back();
    if (f->parent && (f->parent->isUnion || f->parent->fields.back() == f)) return;
  }
  auto *a = array->type->as<ArrayType>();
  LLVMValueRef n;
  if (a->arrayKind == ArrayKind::Constant) n = fe.i64c(static_cast<int64_t>(a->count));
  else if (a->arrayKind == ArrayKind::Variable && a->sizeVar)
    n = fe.memory.loadScalar(fe.locals.sizeVariable(a->sizeVar));
  else return;
  check(Check::Bounds, LLVMBuildICmp(builder, used ? LLVMIntULT : LLVMIntULE, i, n, ""), "out_of_bounds",
      {placeRecord(where), m.typeRecord(array->type.unqual()), m.typeRecord(index->type)},
      [&]() -> std::vector<LLVMValueRef> { return {handle(i, index->type.type)}; });
}

// p + i elements of `size` bytes: no wrapping around, and null stays null.
void UndefinedChecks::checkPointerArith(LLVMValueRef p, LLVMValueRef i, LLVMValueRef size, Loc where) {
  if (!checks(Check::PointerOverflow) || !where.valid()) return;
  if (LLVMIsAConstantInt(i) && (LLVMIsAAllocaInst(p) || LLVMIsAGlobalVariable(p))) return;
  LLVMValueRef product = fe.callIntrinsic("llvm.smul.with.overflow", {t.i64}, {i, size});
  LLVMValueRef bytes = LLVMBuildExtractValue(builder, product, 0, ""), from = LLVMBuildPtrToInt(builder, p, t.i64, ""),
               to = LLVMBuildAdd(builder, from, bytes, "");
  LLVMValueRef zero = fe.i64c(0), back = LLVMBuildICmp(builder, LLVMIntSLT, bytes, zero, "");
  LLVMValueRef ordered = LLVMBuildSelect(builder, back, LLVMBuildICmp(builder, LLVMIntULT, to, from, ""),
      LLVMBuildICmp(builder, LLVMIntUGE, to, from, ""), "");
  LLVMValueRef nulls = LLVMBuildICmp(builder, LLVMIntEQ, LLVMBuildICmp(builder, LLVMIntEQ, from, zero, ""),
      LLVMBuildICmp(builder, LLVMIntEQ, to, zero, ""), "");
  LLVMValueRef ok = LLVMBuildAnd(builder, LLVMBuildAnd(builder, ordered, nulls, ""),
      LLVMBuildNot(builder, LLVMBuildExtractValue(builder, product, 1, ""), ""), "");
  check(Check::PointerOverflow, ok, "pointer_overflow", {placeRecord(where)},
      [&]() -> std::vector<LLVMValueRef> { return {from, to}; });
}

// A _Bool as it is in memory.
void UndefinedChecks::checkBool(LLVMValueRef byte, QualType q, Loc where) {
  check(Check::Bool, LLVMBuildICmp(builder, LLVMIntULE, byte, LLVMConstInt(LLVMTypeOf(byte), 1, false), ""),
      "load_invalid_value", {placeRecord(where), m.typeRecord(q.unqual())},
      [&]() -> std::vector<LLVMValueRef> { return {LLVMBuildZExt(builder, byte, t.i64, "")}; });
}

// ---- the rest -----------------------------------------------------------------------------------------------------

// n is the size as it was written, converted to size_t.
void UndefinedChecks::checkVlaSize(LLVMValueRef n, const Expr *size) {
  while (size->kind == ExprKind::Paren ||
         (size->kind == ExprKind::ImplicitCast && size->as<ImplicitCast>()->castKind == CastKind::IntToInt))
    size = size->kind == ExprKind::Paren ? size->as<ParenExpr>()->sub : size->as<ImplicitCast>()->sub;
  if (!checks(Check::VlaBound) || !size->type->isInteger() || !t.isSigned(size->type.type)) return;
  check(Check::VlaBound, LLVMBuildICmp(builder, LLVMIntSGT, n, LLVMConstNull(LLVMTypeOf(n)), ""),
      "vla_bound_not_positive", {placeRecord(size->range.begin), m.typeRecord(size->type)},
      [&]() -> std::vector<LLVMValueRef> {
        return {handle(LLVMBuildIntCast2(builder, n, t.value(size->type), true, ""), size->type.type)};
      });
}

void UndefinedChecks::checkUnreachable(Loc where) {
  if (checks(Check::Unreachable))
    check(Check::Unreachable, LLVMConstInt(t.i1, 0, false), "builtin_unreachable", {placeRecord(where)}, nullptr);
}

// __builtin_clz and __builtin_ctz of zero.
void UndefinedChecks::checkBitCount(bool leading, LLVMValueRef v, Loc where) {
  if (checks(Check::Builtin))
    check(Check::Builtin, LLVMBuildICmp(builder, LLVMIntNE, v, LLVMConstNull(LLVMTypeOf(v)), ""), "invalid_builtin",
        {placeRecord(where), LLVMConstInt(t.i8, leading, false)}, nullptr);
}

bool UndefinedChecks::checksArguments(const FunctionDecl *f) const {
  return f && checks(Check::NonnullArgument) && (f->attrs.nonnullAll || !f->attrs.nonnull.empty());
}
void UndefinedChecks::checkArguments(const Call *e, const FunctionDecl *f, const std::vector<RValue> &args) {
  if (!checksArguments(f)) return;
  for (size_t i = 0; i < args.size() && i < e->args.size(); i++) {
    const auto &listed = f->attrs.nonnull;
    if (!e->args[i]->type->isPointer() || args[i].kind != RValue::Scalar) continue;
    if (!f->attrs.nonnullAll && std::find(listed.begin(), listed.end(), static_cast<int>(i) + 1) == listed.end())
      continue;
    check(Check::NonnullArgument, LLVMBuildICmp(builder, LLVMIntNE, args[i].value, LLVMConstNull(t.ptr), ""),
        "nonnull_arg",
        {placeRecord(e->args[i]->range.begin), placeRecord(f->range.begin), fe.i32c(static_cast<int64_t>(i) + 1)},
        nullptr);
  }
}

void UndefinedChecks::checkResult(LLVMValueRef p, Loc where) {
  if (!checks(Check::ReturnsNonnull) || !fn->attrs.returnsNonnull || LLVMTypeOf(p) != t.ptr) return;
  LLVMValueRef place = LLVMAddGlobal(m.module, LLVMTypeOf(placeRecord(where)), ".place");
  LLVMSetInitializer(place, placeRecord(where));
  LLVMSetLinkage(place, LLVMPrivateLinkage);
  check(Check::ReturnsNonnull, LLVMBuildICmp(builder, LLVMIntNE, p, LLVMConstNull(t.ptr), ""), "nonnull_return_v1",
      {placeRecord(fn->range.begin)}, [&]() -> std::vector<LLVMValueRef> { return {place}; });
}

}  // namespace cg
}  // namespace cilkc
