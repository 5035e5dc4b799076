// types.cpp - from specifiers to types, and type names (C17 6.7.2, 6.7.3, 6.7.7).
//
// Specifiers arrive counted, in any order.
#include <algorithm>
#include "frontend/ast/visit.h"
#include "frontend/sema/c/decl/declare.h"
#include "frontend/types/access.h"
#include "diag/cilk.h"
#include "diag/cilk1.h"
#include "diag/parse.h"
#include "diag/sema_decl.h"
#include "diag/sema_expr.h"

namespace cilkc {

namespace {

using BS = BasicSpec;

// The arithmetic types, void, and the errors in naming them.
QualType basicType(Sema &s, DeclSpecs *d, bool &any) {
  auto n = [&](BS b) { return static_cast<int>(d->counts[static_cast<int>(b)]); };
  auto basic = [&](TypeKind k) { return QualType(s.cx.basic(k)); };
  auto bad = [&](const char *text) {
    auto report = s.diags.report(diag::bad_specifiers, d->range);
    report << text;
    if (n(BS::Bool) && s.cx.lang.std >= LangOptions::C2x)
      report.note(d->range, "'bool' is a keyword in C23: a name is to be another word");
    return basic(TypeKind::Error);
  };
  static constexpr BS bases[] = {BS::Void, BS::Char, BS::Int, BS::Float, BS::Double, BS::Bool, BS::Int128, BS::Float16,
      BS::Float32, BS::Float64, BS::Float128, BS::Float32x, BS::Float64x, BS::Decimal, BS::BitInt, BS::Nullptr,
      BS::AutoType, BS::VaList};
  BS base = BS::count_;
  int distinct = 0;
  any = false;
  for (int i = 0; i < static_cast<int>(BS::count_); ++i) any |= d->counts[i] != 0;
  for (BS b : bases)
    if (n(b)) {
      ++distinct;
      base = b;
      if (n(b) > 1) return bad("the same type is named twice");
    }
  if (distinct > 1) return bad("two or more data types");
  int nShort = n(BS::Short), nLong = n(BS::Long), nSigned = n(BS::Signed), nUnsigned = n(BS::Unsigned),
      nComplex = n(BS::Complex);
  if (n(BS::Imaginary)) return bad("'_Imaginary' types are not supported");
  if (nSigned && nUnsigned) return bad("both 'signed' and 'unsigned'");
  if (nSigned > 1 || nUnsigned > 1 || nComplex > 1)
    s.diags.report(diag::duplicate_specifier, d->range) << (nSigned > 1     ? "signed"
                                                            : nUnsigned > 1 ? "unsigned"
                                                                            : "_Complex");
  if (nShort && nLong) return bad("both 'long' and 'short'");
  if (nLong > 2) return bad("'long long long' is too long");
  if (nShort > 1) s.diags.report(diag::duplicate_specifier, d->range) << "short";
  bool sign = nSigned || nUnsigned, width = nShort || nLong;
  TypeKind k = TypeKind::Int;
  switch (base) {
    case BS::count_:  // none named: int (or double for a lone _Complex)
      if (nComplex && !sign && !width) {
        s.diags.report(diag::lone_complex, d->range);
        if (s.cx.lang.std < LangOptions::C99) s.diags.report(diag::c99_extension, d->range) << "complex types";
        return s.cx.complexOf(s.cx.basic(TypeKind::Double));
      }
      [[fallthrough]];
    case BS::Int:
      if (nShort) k = nUnsigned ? TypeKind::UShort : TypeKind::Short;
      else if (nLong == 2) k = nUnsigned ? TypeKind::ULongLong : TypeKind::LongLong;
      else if (nLong) k = nUnsigned ? TypeKind::ULong : TypeKind::Long;
      else k = nUnsigned ? TypeKind::UInt : TypeKind::Int;
      if (nLong == 2 && s.cx.lang.std < LangOptions::C99) s.diags.report(diag::long_long, d->range);
      break;
    case BS::Char:
      if (width) return bad("'char' is neither short nor long");
      k = nUnsigned ? TypeKind::UChar : nSigned ? TypeKind::SChar : TypeKind::Char;
      break;
    case BS::Int128:
      if (width) return bad("'__int128' is neither short nor long");
      k = nUnsigned ? TypeKind::UInt128 : TypeKind::Int128;
      break;
    case BS::BitInt: {
      if (width) return bad("'_BitInt' is neither short nor long");
      if (nComplex) return bad("'_Complex' on a type that cannot take it");
      auto bits = s.conv.integerConstant(d->bitIntWidth, "width of a '_BitInt'");
      if (!bits) return basic(TypeKind::Error);
      int least = nUnsigned ? 1 : 2;
      if (*bits < least || *bits > static_cast<__int128>(s.cx.target.facts->widestBitInt)) {
        s.diags.report(diag::bitint_width, d->bitIntWidth->range)
            << (nUnsigned ? "an unsigned" : "a signed") << least << s.cx.target.facts->widestBitInt;
        return basic(TypeKind::Error);
      }
      return s.cx.bitInt(static_cast<uint32_t>(*bits), nUnsigned);
    }
    case BS::Double:
      if (sign) return bad("a floating type is neither signed nor unsigned");
      if (nShort) return bad("there is no 'short double'");
      if (nLong > 1) return bad("there is no 'long long double'");
      k = nLong ? TypeKind::LongDouble : TypeKind::Double;
      break;
    default:
      if (sign || width)
        return bad(sign ? "'signed' or 'unsigned' on a type that cannot take it"
                        : "'long' or 'short' on a type that cannot take it");
      switch (base) {
        case BS::Void: k = TypeKind::Void; break;
        case BS::Float: k = TypeKind::Float; break;
        case BS::Bool: k = TypeKind::Bool; break;
        case BS::Float16:
          if (!s.cx.target.facts->halves) {
            s.diags.report(diag::unsupported, d->range) << "'_Float16' on " + std::string(s.cx.target.facts->triple);
            return basic(TypeKind::Error);
          }
          k = TypeKind::Float16;
          break;
        case BS::Float32: k = TypeKind::Float32; break;
        case BS::Float64: k = TypeKind::Float64; break;
        case BS::Float128: k = TypeKind::Float128; break;
        case BS::Float32x: k = TypeKind::Float32x; break;
        case BS::Float64x: k = TypeKind::Float64x; break;
        case BS::AutoType: k = TypeKind::Auto; break;
        case BS::Decimal: return bad("decimal floating types are not supported");
        case BS::Nullptr: return s.cx.nullptrType();
        case BS::VaList: return nComplex ? bad("'_Complex' on a type that cannot take it") : s.cx.vaListType();
        default: break;
      }
  }
  if (nComplex) {
    if (s.cx.lang.std < LangOptions::C99) s.diags.report(diag::c99_extension, d->range) << "complex types";
    const Type *e = s.cx.basic(k);
    if (!(e->isFloating() || (e->isInteger() && k != TypeKind::Bool)))
      return bad("'_Complex' on a type that cannot take it");
    if (e->isInteger()) s.diags.report(diag::complex_integer, d->range);
    return s.cx.complexOf(e);
  }
  return basic(k);
}

uint32_t alignAsValue(Sema &s, DeclSpecs *d) {
  uint32_t strictest = 0;
  for (auto &[type, e] : d->alignAs) {
    if (type) {
      QualType t = s.types.typeName(type);
      if (t->isError()) continue;
      if (t->isFunction() || !isComplete(t.type)) {
        s.diags.report(diag::bad_alignment, type->range) << "'_Alignas' needs a complete object type";
        continue;
      }
      strictest = std::max(strictest, alignOf(t.type, s.cx.target));
      strictest = std::max(strictest, typedefAlignment(s, type->declarator, s.ds->specifiers.facts(type->specs)));
    } else if (e) {
      auto v = s.conv.integerConstant(e, "alignment");
      if (!v) continue;
      if (*v < 0 || (*v & (*v - 1)) || *v > (1 << 28)) {
        s.diags.report(diag::bad_alignment, e->range) << "the alignment is not a power of two";
        continue;
      }
      strictest = std::max(strictest, static_cast<uint32_t>(*v));
    }
  }
  return strictest;
}

QualType typedefNamed(Sema &s, const DeclSpecs *d, SpecFacts &facts) {
  QualType t;
  Decl *found = s.scopes.lookup(d->typedefName);
  if (found && found->kind == DeclKind::Typedef) {
    t = s.hooks.namedType(found->type, d->typedefRange);
    if (s.fs) s.ds->specifiers.usedTypedefs.insert(found);
    s.exprs.warnDeprecated(found, found->name, d->typedefRange);
    facts.typedefAlign = found->as<TypedefDecl>()->align;
    facts.mayBeUnused = found->as<TypedefDecl>()->unused;
  } else if (!found && d->typedefName == "__builtin_va_list") t = s.cx.vaListType();
  else {
    if (!(found && found->type.type && found->type->isError()) && !s.scopes.leftOut(d->typedefName))
      s.diags.report(diag::unknown_type, d->typedefRange) << d->typedefName;
    t = s.cx.basic(TypeKind::Error);
  }
  return t;
}

// Whether it would be missed if it were not evaluated: it does something, or sets the sizes of a type of its own.
bool doesSomething(const Expr *e) {
  return anyExpr(e, Walk::Evaluated, [](const Expr *x) {
    switch (x->kind) {
      case ExprKind::Assign:
      case ExprKind::Call:
      case ExprKind::StmtExpr:
      case ExprKind::VaArg: return true;
      case ExprKind::Unary: return x->as<Unary>()->op >= UnaryOp::PreInc && x->as<Unary>()->op <= UnaryOp::PostDec;
      case ExprKind::Cast:
      case ExprKind::CompoundLit: return isVariablyModified(x->type.type);
      default: return otherKinds<34>(false);
    }
  });
}

// The operand of typeof is evaluated if its type is variably modified (C23 6.7.2.5), where what is declared with it is
// reached: together with the outermost of the sizes. The other sizes exist already.
QualType evaluatedWith(Sema &s, QualType t, Expr *e) {
  if (t->isPointer()) return {s.cx.pointerTo(evaluatedWith(s, t->as<PointerType>()->pointee, e)).type, t.quals};
  if (!t->isArray() || !isVariablyModified(t.type)) return t;
  const auto *a = t->as<ArrayType>();
  if (a->arrayKind == ArrayKind::Constant) return {s.cx.arrayOf(evaluatedWith(s, a->elem, e), a->count).type, t.quals};
  if (a->arrayKind != ArrayKind::Variable || !a->sizeVar) return t;
  auto *known = s.cx.make<Ident>();
  known->name = a->sizeVar->name;
  known->decl = a->sizeVar;
  known->type = a->sizeVar->type;
  known->lvalue = true;
  known->range = e ? e->range : a->size->range;
  Expr *size = s.conv.load(known);
  if (e) {
    auto *both = s.cx.make<Binary>();
    both->op = BinaryOp::Comma;
    both->lhs = e;
    both->rhs = size;
    both->type = size->type;
    both->range = both->opRange = e->range;
    size = both;
  }
  VarDecl *sizeVar = s.scopes.hiddenLocal(s.cx.sizeType(), "vla", known->range);
  return {s.cx.variableArrayOf(evaluatedWith(s, a->elem, nullptr), size, sizeVar), t.quals};
}

QualType typeOf(Sema &s, DeclSpecs *d) {
  QualType t;
  ++s.unevaluated;
  d->typeofExpr = s.exprs.expr(d->typeofExpr);
  --s.unevaluated;
  t = d->typeofExpr->type;
  t.quals &= QualBits;
  if (!t.type || d->typeofExpr->kind == ExprKind::Error) t = s.cx.basic(TypeKind::Error);
  if (d->typeofExpr->bitField) s.diags.report(diag::typeof_bitfield, d->typeofExpr->range);
  if (d->typeofUnqual) t = s.conv.withoutQualifiers(t.unqual());
  if (s.fs && s.fs->fn && !s.scopes.inPrototype() && isVariablyModified(t.type) && doesSomething(d->typeofExpr))
    t = evaluatedWith(s, t, d->typeofExpr);
  return t;
}

// The qualifiers that the type may have.
uint8_t qualifiers(Sema &s, const DeclSpecs *d, QualType t) {
  uint8_t quals = d->quals;
  if ((quals & QRestrict) && !t->isError()) {
    const Type *e = t.type;
    while (e->isArray()) e = e->as<ArrayType>()->elem.type;
    if (!e->isPointer() || e->as<PointerType>()->pointee->isFunction()) {
      if (!e->isError()) s.diags.report(diag::bad_restrict, d->range) << toString(t);
      quals &= ~QRestrict;
    }
  }
  if ((quals & QAtomic) && (t->isArray() || t->isFunction() || t->isCont())) {
    s.diags.report(diag::bad_atomic, d->range) << toString(t);
    quals &= ~QAtomic;
  }
  if (t->isFunction() && quals) {
    s.diags.report(diag::qualified_function, d->range);
    quals = 0;
  }
  if (s.cx.lang.std < LangOptions::C99 && (quals & (QConst | QVolatile)) && s.diags.wants(diag::duplicate_specifier)) {
    unsigned had = t.quals;
    for (const Type *e = t.type; e->isArray(); e = e->as<ArrayType>()->elem.type) had |= e->as<ArrayType>()->elem.quals;
    if (had & quals & (QConst | QVolatile))
      s.diags.report(diag::duplicate_specifier, d->range) << (had & quals & QConst ? "const" : "volatile");
  }
  return quals;
}

}  // namespace

QualType Types::specifiers(DeclSpecs *d) {
  SpecFacts facts;
  bool solo = sema.ds->tags.solo;
  sema.ds->tags.solo = false;
  bool anyBasic = false;
  int others = (d->record != nullptr) + (d->enumeration != nullptr) + !d->typedefName.empty() +
               (d->typeofType || d->typeofExpr) + (d->atomicType != nullptr) + (d->contType != nullptr);
  for (uint8_t c : d->counts) anyBasic |= c != 0;
  QualType t(cx.basic(TypeKind::Int));
  if (others > 1 || (others && anyBasic)) diags.report(diag::bad_specifiers, d->range) << "two or more data types";
  if (d->unendedRecord) recordSpec(d->unendedRecord, nullptr);
  if (d->unendedEnum) enumSpec(d->unendedEnum);
  if (d->record) {
    sema.ds->tags.solo = solo;
    t = recordSpec(d->record, d);
    sema.ds->tags.solo = false;
  } else if (d->enumeration) {
    sema.ds->tags.solo = solo;
    sema.ds->tags.afterEnum.clear();
    if (d->enumeration->hasBody)
      for (Attr *a : d->attrs)
        if (a->name == "packed" || (a->name == "mode" && !d->enumeration->items.empty() &&
                                       d->enumeration->items[0].range.begin < a->range.begin)) {
          sema.ds->specifiers.taken.insert(a);
          sema.ds->tags.afterEnum.push_back(a);
        }
    t = enumSpec(d->enumeration);
    sema.ds->tags.solo = false;
  } else if (!d->typedefName.empty()) {
    t = typedefNamed(sema, d, facts);
  } else if (d->typeofType) {
    t = typeName(d->typeofType);
    if (d->typeofUnqual) t = sema.conv.withoutQualifiers(t.unqual());
    facts.typedefAlign =
        typedefAlignment(sema, d->typeofType->declarator, sema.ds->specifiers.facts(d->typeofType->specs));
  } else if (d->typeofExpr) {
    t = typeOf(sema, d);
  } else if (d->contType) {
    t = typeName(d->contType);
    t = sema.hooks.contType(t, d->contType->range);
  } else if (d->atomicType) {
    t = typeName(d->atomicType);
    if (t->isArray() || t->isFunction() || t->isCont())
      diags.report(diag::bad_atomic, d->atomicType->range) << toString(t);
    else if (!t->isError() && t.quals) diags.report(diag::bad_atomic, d->atomicType->range) << toString(t);
    else if (!t->isError()) t = t.with(QAtomic);
  } else {
    t = basicType(sema, d, anyBasic);
    facts.implicitInt = !anyBasic;
    if (d->thread && !anyBasic) {  // a thread returns nothing, and does not say so
      t = cx.basic(TypeKind::Void);
      facts.implicitInt = false;
    }
  }
  if (!t.type) t = cx.basic(TypeKind::Error);
  if (d->cont) {
    if (facts.implicitInt) {
      diags.report(diag::cont_without_type, d->cilkRange);
      facts.implicitInt = false;
    }
    t = sema.hooks.contType(t, d->range);
  }
  if (d->future) {
    if (facts.implicitInt) diags.report(diag::future_without_type, d->cilkRange);
    facts.implicitInt = false;
    t = sema.hooks.futureType(t, d->range);
  }
  facts.alignAs = alignAsValue(sema, d);
  facts.anyAlignAs = !d->alignAs.empty();
  if (cx.lang.std < LangOptions::C11) {
    if (d->atomicType || (d->quals & QAtomic)) diags.report(diag::c11_extension, d->range) << "'_Atomic'";
    if (d->isNoreturn) diags.report(diag::c11_extension, d->range) << "'_Noreturn'";
    if (!d->alignAs.empty()) diags.report(diag::c11_extension, d->range) << "'_Alignas'";
    if (d->threadLocal && !d->gnuThread) diags.report(diag::c11_extension, d->range) << "'_Thread_local'";
  }
  t = cx.qualify(t, qualifiers(sema, d, t));
  sema.scopes.noteType(t);
  if (facts.anyAlignAs || facts.typedefAlign || facts.mayBeUnused || facts.implicitInt)
    sema.ds->specifiers.known[d] = facts;
  return t;
}

QualType Types::typeName(TypeName *tn, bool literal) {
  if (!tn) return cx.basic(TypeKind::Error);
  if (tn->type) return tn->type;
  tn->type = cx.basic(TypeKind::Error);  // in case it is asked for again while being analysed
  if (!tn->specs) return tn->type;
  QualType base = specifiers(tn->specs);
  if (sema.ds->specifiers.facts(tn->specs).implicitInt) diags.report(implicitInt(sema), tn->range) << "type name";
  bool storage = tn->specs->storage != StorageClass::None || tn->specs->threadLocal;
  if (storage && literal && cx.lang.std >= LangOptions::C2x)
    storage = tn->specs->storage != StorageClass::Static && tn->specs->storage != StorageClass::Register &&
              tn->specs->storage != StorageClass::None;
  if (storage || tn->specs->isInline || tn->specs->isNoreturn || (tn->specs->isConstexpr && !literal))
    diags.report(diag::storage_in_type_name, tn->range);
  if (sema.ds->specifiers.facts(tn->specs).anyAlignAs && !literal)
    diags.report(diag::bad_alignment, tn->range) << "'_Alignas' in a type name";
  // int __attribute__((aligned(N))), as if by a typedef
  if (uint32_t a = tn->specs->attrs.empty() ? 0 : attrAlignment(sema, tn->specs->attrs, true)) {
    SpecFacts facts = sema.ds->specifiers.facts(tn->specs);
    facts.typedefAlign = a;
    sema.ds->specifiers.known[tn->specs] = facts;
  }
  QualType t = declaratorType(base, tn->declarator, tn->specs);
  if (t->kind == TypeKind::Auto) {
    diags.report(diag::bad_auto, tn->range);
    t = cx.basic(TypeKind::Error);
  }
  // A type name cannot have an _Alignas of its own, so that place gives the evaluator of _Alignof what an aligned
  // typedef brought along.
  if (uint32_t a = typedefAlignment(sema, tn->declarator, sema.ds->specifiers.facts(tn->specs)))
    tn->specs->alignAs.emplace_back(nullptr, sema.conv.intConstant(a, cx.sizeType(), tn->range));
  if (uint32_t a = sema.ds->specifiers.facts(tn->specs).alignAs;
      a && literal && !t->isError() && isComplete(t.type) && a < alignOf(t.type, cx.target))
    diags.report(diag::bad_alignment, tn->range) << "'_Alignas' cannot reduce the alignment of an object";
  tn->type = t;
  return t;
}

bool Types::requireComplete(QualType t, Range range, const char *what) {
  if (!t.type || t->isError()) return false;
  const Type *u = t.type;
  while (u->isArray() && u->as<ArrayType>()->arrayKind != ArrayKind::Incomplete) u = u->as<ArrayType>()->elem.type;
  if (isComplete(u)) return true;
  if (u->isRecord() && sema.scopes.leftOut(u->as<RecordType>()->tag)) return false;
  if (u->isVoid()) diags.report(diag::void_object, range) << what;
  else {
    const auto &open = sema.ds->tags.open;
    auto b = std::move(diags.report(diag::incomplete_type, range) << what << toString(t));
    if (u->isRecord() && u->as<RecordType>()->rangeBegin)
      b.note({Loc{u->as<RecordType>()->rangeBegin}, Loc{u->as<RecordType>()->rangeEnd}},
          "'" + toString({u}) +
              (std::find(open.begin(), open.end(), u) != open.end()
                      ? "' begins here, and is complete after its '}' only: a pointer to it can be a member"
                      : "' is declared here, without members"));
  }
  return false;
}

}  // namespace cilkc
