// builtin.cpp - calls of builtin functions: types from signatures, and the builtins about hints, objects, varargs and
// vectors that have rules of their own. sema/c/builtin/math.cpp and sema/c/builtin/atomic.cpp hold the other families.
#include "frontend/ast/query.h"
#include "frontend/sema/c/builtin/builtin.h"
#include "frontend/source/layout.h"
#include "diag/cilk.h"
#include "diag/sema_expr.h"

namespace cilkc {

// ---- signatures ---------------------------------------------------------------------------------------------------

namespace {

struct SignatureReader {
  AstContext &cx;
  const char *p;

  const Type *scalar(bool isUnsigned) {
    switch (*p++) {
      case 'b': return cx.basic(TypeKind::Bool);
      case 'c': return cx.basic(isUnsigned ? TypeKind::UChar : TypeKind::Char);
      case 's': return cx.basic(isUnsigned ? TypeKind::UShort : TypeKind::Short);
      case 'i': return cx.basic(isUnsigned ? TypeKind::UInt : TypeKind::Int);
      case 'l': return cx.basic(isUnsigned ? TypeKind::ULong : TypeKind::Long);
      case 'L': return cx.basic(isUnsigned ? TypeKind::ULongLong : TypeKind::LongLong);
      case 'Q': return cx.basic(isUnsigned ? TypeKind::UInt128 : TypeKind::Int128);
      case 'h': return cx.basic(TypeKind::Float16);
      case 'f': return cx.basic(TypeKind::Float);
      case 'd': return cx.basic(TypeKind::Double);
      case 'e': return cx.basic(TypeKind::LongDouble);
      case 'q': return cx.basic(TypeKind::Float128);
      case 'G':
        switch (*p++) {
          case '3': return cx.basic(TypeKind::Float32);
          case '6': return cx.basic(TypeKind::Float64);
          case 'x': return cx.basic(TypeKind::Float32x);
          default: return cx.basic(TypeKind::Float64x);
        }
      default: return cx.basic(TypeKind::Error);
    }
  }

  QualType next() {
    QualType voidType = cx.basic(TypeKind::Void), charType = cx.basic(TypeKind::Char);
    switch (*p) {
      case 'v': p++; return voidType;
      case 'z': p++; return cx.sizeType();
      case 'p':
      case 'F': p++; return cx.pointerTo(voidType);
      case 'P': p++; return cx.pointerTo(voidType.with(QConst));
      case 'C': p++; return cx.pointerTo(charType.with(QConst));
      case 'S': p++; return cx.pointerTo(charType);
      case 'w': p++; return cx.pointerTo(cx.wcharType());
      case 'W': p++; return cx.pointerTo(QualType(cx.wcharType(), QConst));
      case 'V':
      case 'A': {
        p++;
        QualType list = cx.vaListType();
        return list->isArray() ? cx.pointerTo(list->as<ArrayType>()->elem) : list;
      }
      case 'X': p++; return cx.complexOf(scalar(false));
      case 'N': {
        p++;
        uint64_t n = 0;
        while (*p >= '0' && *p <= '9') n = n * 10 + static_cast<uint64_t>(*p++ - '0');
        return cx.vectorOf(scalar(false), n);
      }
      case 'U': p++; return scalar(true);
      default: return scalar(false);
    }
  }
};

QualType builtinType(AstContext &cx, const BuiltinInfo &info) {
  FunctionType ft;
  if (info.sig[0] == '?') {
    ft.result = cx.basic(TypeKind::Int);
    ft.prototype = false;
    return cx.functionType(ft);
  }
  SignatureReader r{cx, info.sig};
  ft.result = r.next();
  while (*r.p) {
    if (*r.p == '.') {
      ft.variadic = true;
      r.p++;
      continue;
    }
    ft.params.push_back(r.next());
  }
  for (const char *f = info.flags; *f; f++)
    if (*f == 'r') ft.noreturn = true;
  return cx.functionType(ft);
}

}  // namespace

FunctionDecl *Builtins::builtinFunction(std::string_view name) {
  BuiltinId id = builtinByName(name);
  if (id == BuiltinId::None) return nullptr;
  bool plain = !name.starts_with("__");
  if (plain && cx.lang.freestanding) return nullptr;
  Scope *file = sema.scope;
  while (file && file->up) file = file->up;
  if (file)
    if (auto it = file->names.find(name); it != file->names.end() && it->second->kind == DeclKind::Function)
      return it->second->as<FunctionDecl>();
  const BuiltinInfo &info = builtinInfo(id);
  auto *f = cx.make<FunctionDecl>();
  f->name = cx.intern(name);
  f->type = builtinType(cx, info);
  f->storage = StorageClass::Extern;
  f->builtin = static_cast<int>(id);
  for (const char *p = info.flags; *p; p++) switch (*p) {
      case 'c': f->attrs.constant = true; break;
      case 'p': f->attrs.pure = true; break;
      case 'r': f->attrs.noreturn = f->isNoreturn = true; break;
      case 't': f->attrs.returnsTwice = true; break;
      default: break;
    }
  // Known by its builtin spelling only: a plain name is bound by its declaration.
  if (file && !plain) file->names[f->name] = f;
  return f;
}

// ---- the call -----------------------------------------------------------------------------------------------------

namespace {
// The macro of cilk.h that a Cilk builtin was written through, as the user spelled it; else the usual one.
std::string cilkName(const DiagnosticEngine &diags, Range r, BuiltinId id) {
  std::string word = wordAt(diags.sources(), r.begin);
  if (word.starts_with("Cilk_") || word == "Self") return word;
  switch (id) {
    case BuiltinId::cilk_self: return "Self";
    case BuiltinId::cilk_active_size: return "Cilk_active_size";
    case BuiltinId::cilk_alloca: return "Cilk_alloca";
    case BuiltinId::cilk_user_work: return "Cilk_user_work";
    case BuiltinId::cilk_user_critical_path: return "Cilk_user_critical_path";
    default: return "SYNCHED";
  }
}
}  // namespace

// va_end does nothing, so that of another pointer is taken, with a warning, as by other compilers.
static Expr *endedList(Sema &s, Expr *e) {
  QualType list = s.cx.vaListType();
  if (!list->isArray()) return s.exprs.vaListOperand(e);
  QualType wanted = s.cx.pointerTo(list->as<ArrayType>()->elem),
           behind = s.conv.load(e)->type->as<PointerType>()->pointee;
  if (behind.type == list->as<ArrayType>()->elem.type || behind.type == list.type) return s.exprs.vaListOperand(e);
  s.diags.report(diag::incompatible_pointer_types, e->range)
      << "argument of 'va_end'" << toString(wanted) << toString(e->type);
  return s.conv.convert(s.conv.load(e), wanted);
}

// __builtin_LINE() and its like are constants: of the place where they are written, or of the caller of the function
// whose default argument they are, which C does not have.
static Expr *placeOf(Sema &s, const Call *c, BuiltinId id) {
  Presumed p = s.diags.sources().presumed(c->range.begin);
  if (id == BuiltinId::LINE || id == BuiltinId::COLUMN)
    return s.conv.intConstant(id == BuiltinId::LINE ? p.line : p.column, s.cx.basic(TypeKind::Int), c->range);
  const FunctionDecl *around = s.writtenIn();
  auto *text = s.cx.make<StringLit>();
  text->range = c->range;
  text->bytes = id == BuiltinId::FILE ? std::string(p.file ? p.file->name : s.diags.sources().mainName())
                : around              ? std::string(around->name)
                                      : std::string();
  text->type = s.cx.arrayOf(QualType(s.cx.basic(TypeKind::Char), QConst), text->length() + 1);
  text->lvalue = true;
  return s.conv.load(text);
}

Expr *Builtins::builtinCall(Call *c) {
  BuiltinId id = static_cast<BuiltinId>(c->builtin);
  bool isPlace = id == BuiltinId::LINE || id == BuiltinId::COLUMN || id == BuiltinId::FILE || id == BuiltinId::FUNCTION;
  if (isPlace && c->args.empty()) return placeOf(sema, c, id);
  const BuiltinInfo &info = builtinInfo(id);
  // threads of Cilk-1 run on workers, too
  bool ofAnyWorker = id == BuiltinId::cilk_self || id == BuiltinId::cilk_active_size;
  if (builtinHasFlag(id, 'k') && !sema.inProcedure() && !sema.inInlet() && !(ofAnyWorker && sema.inThread())) {
    diags.report(diag::cilk_only_name, c->range) << cilkName(diags, c->range, id);
    return sema.conv.error(c->range);
  }
  bool elsewhere = !targetHasBuiltin(*cx.target.facts, info.name);
  if (elsewhere || builtinHasFlag(id, 'u')) {
    diags.report(diag::unsupported, c->range)
        << "'" + std::string(info.name) + (elsewhere ? "' on " + std::string(cx.target.facts->triple) : "'");
    return sema.conv.error(c->range);
  }
  c->fnType = c->callee->type->isFunction() ? c->callee->type->as<FunctionType>() : nullptr;
  // a declaration without a prototype, as `void *alloca();`, says less than the compiler knows
  if (c->fnType && !c->fnType->prototype && info.sig[0] != '?') c->fnType = builtinType(cx, info)->as<FunctionType>();
  if (info.sig[0] == '?') {
    Expr *e = BuiltinChecker(sema, c).custom();
    if (e == c && c->callee->type->isFunction()) c->callee = sema.conv.load(c->callee);
    return e;
  }
  bool bad = false;
  size_t param = 0;
  for (const char *p = info.sig; *p && param <= c->args.size(); param++) {
    // Find the parameters that are va_lists; the signature's first entry is the result.
    SignatureReader r{cx, p};
    bool byReference = *p == 'V', variadic = *p == '.';
    if (variadic) break;
    r.next();
    p = r.p;
    if (byReference && param > 0) {
      Expr *&a = c->args[param - 1];
      if (id == BuiltinId::va_end && (a = sema.exprs.expr(a))->type->isPointer()) a = endedList(sema, a);
      else a = sema.exprs.vaListOperand(a);
    }
  }
  for (Expr *&a : c->args) {
    if (!a->type) a = sema.exprs.rvalue(a);
    if (a->type->isError()) bad = true;
  }
  c->callee = sema.conv.load(c->callee);
  if (bad) return sema.conv.error(c->range);
  const FunctionType *ft = c->fnType;
  if (Expr *e = sema.exprs.callArguments(c, ft, 0, info.name)) return e;
  for (Expr *a : c->args)
    if (a->type->isError()) return sema.conv.error(c->range);
  c->type = ft->result.unqual();
  FunctionDecl *fn = sema.fs ? sema.fs->fn : nullptr;
  if (fn && !sema.unevaluated) switch (id) {
      case BuiltinId::alloca:
      case BuiltinId::alloca_with_align:
      case BuiltinId::alloca_with_align_and_max:
        fn->usesAlloca = true;
        if (fn->isCilk && !diags.sources().inSystemHeader(c->range.begin)) diags.report(diag::alloca_in_cilk, c->range);
        break;
      case BuiltinId::frame_address:
      case BuiltinId::return_address: fn->usesFrameAddress = true; break;
      case BuiltinId::setjmp: fn->callsSetjmp = true; break;
      case BuiltinId::va_arg_pack:
      case BuiltinId::va_arg_pack_len:
        if (!fn->attrs.alwaysInline || !fn->type->as<FunctionType>()->variadic) {
          diags.report(diag::va_arg_pack_outside, c->range) << info.name;
          return sema.conv.error(c->range);
        }
        fn->asksCall = true;
        break;
      default: break;
    }
  if (id == BuiltinId::frame_address || id == BuiltinId::return_address || id == BuiltinId::alloca_with_align) {
    size_t i = id == BuiltinId::alloca_with_align ? 1 : 0;
    auto v = evaluate(c->args[i], cx, EvalMode::Fold);
    if (!v) {
      diags.report(diag::builtin_constant_argument, c->args[i]->range) << i + 1 << info.name;
      return sema.conv.error(c->range);
    }
    if (i == 0 && v->i > 0xffff) {  // each level is a load
      diags.report(diag::builtin_range, c->args[i]->range) << i + 1 << info.name << 0 << 0xffff;
      return sema.conv.error(c->range);
    }
  }
  if (id == BuiltinId::alloca_with_align || id == BuiltinId::alloca_with_align_and_max) {
    auto v = evaluate(c->args[1], cx, EvalMode::Fold);
    if (v && v->kind == ConstValue::Int && (v->i < 8 || v->i > (__int128(1) << 31) || (v->i & (v->i - 1)))) {
      diags.report(diag::builtin_argument, c->args[1]->range)
          << 2 << info.name << "a power of two between 8 and 2147483648 (bits)" << toString(c->args[1]->type);
      return sema.conv.error(c->range);
    }
  }
  sema.warn.checkCallWarnings(c);
  return c;
}

// ---- helpers of the families --------------------------------------------------------------------------------------

bool BuiltinChecker::count(size_t least, size_t most) {
  size_t n = c->args.size();
  if (n >= least && n <= most) return true;
  std::string wanted = least == most ? std::to_string(least)
                       : most > 1000 ? "at least " + std::to_string(least)
                                     : std::to_string(least) + " to " + std::to_string(most);
  s.diags.report(diag::builtin_arguments, c->range) << name << wanted << n;
  for (Expr *&a : c->args) a = s.exprs.expr(a);
  return false;
}

bool BuiltinChecker::anyError() const {
  for (Expr *a : c->args)
    if (!a->type || a->type->isError()) return true;
  return false;
}

bool BuiltinChecker::values() {
  for (size_t i = 0; i < c->args.size(); i++) {
    Expr *&a = c->args[i];
    a = s.exprs.rvalue(a);
    if (a->type->isVoid()) {
      wrong(i, "a value");
      a = s.conv.error(a->range);
    }
  }
  return !anyError();
}

Expr *BuiltinChecker::wrong(size_t i, const char *wanted) {
  s.diags.report(diag::builtin_argument, c->args[i]->range) << i + 1 << name << wanted << toString(c->args[i]->type);
  return bad();
}

bool BuiltinChecker::constant(size_t i, __int128 lo, __int128 hi) {
  Expr *a = c->args[i];
  auto v = a->type->isInteger() ? evaluate(a, cx, EvalMode::Fold) : std::nullopt;
  if (!v || v->kind != ConstValue::Int) {
    s.diags.report(diag::builtin_constant_argument, a->range) << i + 1 << name;
    return false;
  }
  if (v->i < lo || v->i > hi) {
    s.diags.report(diag::builtin_range, a->range)
        << i + 1 << name << static_cast<long long>(lo) << static_cast<long long>(hi);
    return false;
  }
  return true;
}

void BuiltinChecker::to(size_t i, QualType t) {
  c->args[i] = s.conv.assignConvert(c->args[i], t,
      "argument " + std::to_string(i + 1) + " of '" + std::string(name) + "'", c->args[i]->range);
}

Expr *BuiltinChecker::custom() {
  if (const AtomicInfo *a = atomicInfo(id)) return atomic(*a);
  switch (builtinFamily(id)) {
    case BuiltinId::isnan:
    case BuiltinId::isinf:
    case BuiltinId::isinf_sign:
    case BuiltinId::isfinite:
    case BuiltinId::isnormal:
    case BuiltinId::issubnormal:
    case BuiltinId::iszero:
    case BuiltinId::issignaling:
    case BuiltinId::signbit:
    case BuiltinId::fpclassify:
    case BuiltinId::isfpclass:
    case BuiltinId::isgreater:
    case BuiltinId::isgreaterequal:
    case BuiltinId::isless:
    case BuiltinId::islessequal:
    case BuiltinId::islessgreater:
    case BuiltinId::isunordered:
    case BuiltinId::iseqsig:
    case BuiltinId::complex: return floating();
    case BuiltinId::tgmath: return tgmath();
    case BuiltinId::clear_padding: return general();
    case BuiltinId::shuffle:
    case BuiltinId::shufflevector:
    case BuiltinId::convertvector: return vectors();
    case BuiltinId::ffs:  // their forms for any type
    case BuiltinId::clz:
    case BuiltinId::ctz:
    case BuiltinId::clrsb:
    case BuiltinId::popcount:
    case BuiltinId::parity:
    case BuiltinId::add_overflow:
    case BuiltinId::add_overflow_p:
    case BuiltinId::sub_overflow:
    case BuiltinId::sub_overflow_p:
    case BuiltinId::mul_overflow:
    case BuiltinId::mul_overflow_p: return integers();
    default: return general();
  }
}

// ---- hints, objects, varargs --------------------------------------------------------------------------------------

// (va_list by reference [, last parameter, dropped])
Expr *BuiltinChecker::vaStart() {
  FunctionDecl *fn = s.fs ? s.fs->fn : nullptr;
  if (!count(1, 2)) return bad();
  c->args[0] = s.exprs.vaListOperand(c->args[0]);
  if (!fn) {
    s.diags.report(diag::va_start_outside, c->range);
    return bad();
  }
  // it is passed a va_list after its named parameters
  const bool procedure = fn->entered && fn->entered->type->as<FunctionType>()->variadic;
  const auto *ft = fn->type && fn->type->isFunction() ? fn->type->as<FunctionType>() : nullptr;
  if (!procedure && (!ft || !ft->variadic)) {
    s.diags.report(diag::va_start_not_variadic, c->range);
    return bad();
  }
  if (c->args.size() == 2) {
    s.unevaluated++;
    Expr *last = s.exprs.expr(c->args[1]);
    s.unevaluated--;
    const Expr *p = last;
    while (p->kind == ExprKind::Paren || p->kind == ExprKind::Cast)
      p = p->kind == ExprKind::Paren ? p->as<ParenExpr>()->sub : p->as<Cast>()->sub;
    const size_t named = fn->params.size() - procedure;
    if (!last->type->isError() && named > 0 && cx.lang.std != LangOptions::C2x &&
        !(p->kind == ExprKind::Ident && p->as<Ident>()->decl == fn->params[named - 1]) &&
        !(p->kind == ExprKind::IntLit))
      s.diags.report(diag::va_start_second, c->args[1]->range);
    if (last->type->isError()) return bad();
    c->args.pop_back();
  }
  if (procedure) {
    auto *rest = cx.make<Ident>();
    rest->range = c->range;
    rest->decl = fn->params.back();
    rest->name = rest->decl->name;
    rest->type = rest->decl->type;
    rest->lvalue = true;
    c->args.push_back(s.conv.load(rest));
  }
  fn->usesVaStart = !procedure;
  return anyError() ? bad() : result(TypeKind::Void);
}

Expr *BuiltinChecker::general() {
  QualType voidPtr = cx.pointerTo(cx.basic(TypeKind::Void)),
           constVoidPtr = cx.pointerTo(QualType(cx.basic(TypeKind::Void), QConst));
  switch (id) {
    case BuiltinId::constant_p:
    case BuiltinId::classify_type: {   // the operand is not evaluated; decayed
      if (!count(1, 1)) return bad();
      s.unevaluated++;
      c->args[0] = s.exprs.expr(c->args[0]);
      if (!c->args[0]->type->isVoid()) c->args[0] = s.conv.load(c->args[0]);
      s.unevaluated--;
      return anyError() ? bad() : result(TypeKind::Int);
    }
    case BuiltinId::object_size:
    case BuiltinId::dynamic_object_size: {   // (const void *, constant int); the pointer is not evaluated
      if (!count(2, 2)) return bad();
      s.unevaluated++;
      c->args[0] = s.exprs.rvalue(c->args[0]);
      s.unevaluated--;
      c->args[1] = s.exprs.rvalue(c->args[1]);
      if (anyError()) return bad();
      if (c->args[0]->type->isInteger()) to(0, constVoidPtr);
      if (!c->args[0]->type->isPointer()) return wrong(0, "a pointer");
      if (!constant(1, 0, 3)) return bad();
      to(1, cx.basic(TypeKind::Int));
      if (s.fs && s.fs->fn && s.fs->fn->attrs.alwaysInline && !s.unevaluated) s.fs->fn->asksCall = true;
      return result(QualType(cx.sizeType()));
    }
    case BuiltinId::prefetch: {         // (const void *, int, int), the last two constant
      if (!count(1, 3) || !values()) return bad();
      to(0, constVoidPtr);
      // In the headers' inline functions the hints are parameters: constants only after inlining.
      for (size_t i = 1; i < c->args.size(); i++) {
        to(i, cx.basic(TypeKind::Int));
        if (!anyError() && evaluate(c->args[i], cx, EvalMode::Fold) && !constant(i, 0, i == 1 ? 1 : 3)) return bad();
      }
      return anyError() ? bad() : result(TypeKind::Void);
    }
    case BuiltinId::assume_aligned: {   // (const void *, size_t alignment [, size_t offset])
      if (!count(2, 3) || !values()) return bad();
      to(0, constVoidPtr);
      for (size_t i = 1; i < c->args.size(); i++) to(i, cx.sizeType());
      return anyError() ? bad() : result(voidPtr);
    }
    case BuiltinId::speculation_safe_value:
    case BuiltinId::assoc_barrier: {   // (T [, T]) -> T
      if (!count(1, 2) || !values()) return bad();
      if (c->args.size() > 1) to(1, c->args[0]->type);
      return anyError() ? bad() : result(c->args[0]->type.unqual());
    }
    case BuiltinId::va_start: return vaStart();
    case BuiltinId::clear_padding: {    // (T *)
      if (!count(1, 1) || !values()) return bad();
      if (!c->args[0]->type->isPointer()) return wrong(0, "a pointer");
      return result(TypeKind::Void);
    }
    case BuiltinId::nontemporal_load: { // (T *) -> T
      if (!count(1, 1) || !values()) return bad();
      if (!c->args[0]->type->isPointer()) return wrong(0, "a pointer");
      return result(c->args[0]->type->as<PointerType>()->pointee.unqual());
    }
    case BuiltinId::nontemporal_store: {   // (T, T *)
      if (!count(2, 2) || !values()) return bad();
      if (!c->args[1]->type->isPointer()) return wrong(1, "a pointer");
      to(0, c->args[1]->type->as<PointerType>()->pointee);
      return anyError() ? bad() : result(TypeKind::Void);
    }
    case BuiltinId::cpu_supports:
    case BuiltinId::cpu_is: {   // (string literal)
      if (!count(1, 1)) return bad();
      Expr *raw = c->args[0];
      raw = ignoreParens(raw);
      bool literal = raw->kind == ExprKind::StringLit;
      if (!values()) return bad();
      if (!literal) return wrong(0, "a string literal");
      return result(TypeKind::Int);
    }
    default: {                          // has_attribute and the like: an int
      for (Expr *&a : c->args) a = s.exprs.rvalue(a);
      return anyError() ? bad() : result(TypeKind::Int);
    }
  }
}

// ---- vectors ------------------------------------------------------------------------------------------------------

Expr *BuiltinChecker::vectors() {
  auto mismatch = [&](const char *why) {
    s.diags.report(diag::shuffle_types, c->range) << name << why;
    return bad();
  };
  switch (id) {
    case BuiltinId::shuffle: {  // (V, mask) or (V, V, mask); the mask is a vector of integers of the same shape
      if (!count(2, 3) || !values()) return bad();
      QualType v = c->args[0]->type;
      Expr *mask = c->args.back();
      if (!v->isVector()) return wrong(0, "a vector");
      if (c->args.size() == 3 && c->args[1]->type.type != v.type) {
        if (!s.compat.compatible(c->args[1]->type, v)) return mismatch("the two vectors differ in type");
        c->args[1] = s.conv.convert(c->args[1], v);
      }
      if (!mask->type->isVector() || !mask->type->as<VectorType>()->elem->isInteger())
        return wrong(c->args.size() - 1, "a vector of integers");
      const auto *vt = v->as<VectorType>(), *mt = mask->type->as<VectorType>();
      if (vt->count != mt->count || sizeOf(vt->elem, cx.target) != sizeOf(mt->elem, cx.target))
        return mismatch("the mask must have as many elements of the same size");
      return result(v.unqual());
    }
    case BuiltinId::shufflevector: {  // (V, V, constant indices…): as many elements as indices
      if (!count(3, 100000) || !values()) return bad();
      QualType a = c->args[0]->type, b = c->args[1]->type;
      if (!a->isVector()) return wrong(0, "a vector");
      if (!b->isVector()) return wrong(1, "a vector");
      if (a->as<VectorType>()->elem != b->as<VectorType>()->elem)
        return mismatch("the two vectors have different elements");
      uint64_t n = c->args.size() - 2;
      if (n & (n - 1)) return mismatch("the number of indices must be a power of two");
      __int128 most = static_cast<__int128>(a->as<VectorType>()->count + b->as<VectorType>()->count) - 1;
      for (size_t i = 2; i < c->args.size(); i++)
        if (!constant(i, -1, most)) return bad();
      return result(cx.vectorOf(a->as<VectorType>()->elem, n));
    }
    // convertvector(V): the type is the call's own; it is parsed as a second operand like sizeof's
    default: {
      if (!count(2, 2)) return bad();
      if (c->args[1]->kind != ExprKind::SizeofType) {
        values();
        return bad();
      }
      QualType t = s.types.typeName(c->args[1]->as<SizeofType>()->target);
      c->args.pop_back();
      if (!values() || t->isError()) return bad();
      if (!c->args[0]->type->isVector()) return wrong(0, "a vector");
      if (!t->isVector() || t->as<VectorType>()->count != c->args[0]->type->as<VectorType>()->count)
        return mismatch("the type must be a vector of as many elements");
      return result(t.unqual());
    }
  }
}

}  // namespace cilkc
