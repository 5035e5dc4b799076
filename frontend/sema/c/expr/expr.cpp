// expr.cpp - expressions: the dispatch, primary expressions (C17 6.5.1) and the GNU forms that choose or wrap others.
//
// expr() types a node bottom-up and returns the node that stands for it now. A node that has a type already is returned
// as it is, so an expression may safely be met twice. An operand in error makes the whole expression an ErrorExpr
// without a further word.
#include <algorithm>
#include <unordered_map>
#include "frontend/source/dialects.h"
#include "frontend/source/foreign_words.h"
#include "frontend/source/headers.h"
#include "frontend/ast/query.h"
#include "frontend/builtins/builtins.h"
#include "frontend/sema/c/core/declstate.h"
#include "diag/cilk.h"
#include "diag/cilk1.h"
#include "diag/parse.h"
#include "diag/sema_decl.h"
#include "diag/sema_expr.h"

namespace cilkc {

Expr *Exprs::expr(Expr *e) {
  if (!e) return sema.conv.error({});
  if (e->type) return e;
  e = typed(e);
  return e->lvalue && e->type->isReducer() ? sema.hooks.view(e) : e;
}

Expr *Exprs::typed(Expr *e) {
  switch (e->kind) {
    case ExprKind::Error: e->type = cx.basic(TypeKind::Error); return e;
    case ExprKind::IntLit: return exprIntLit(e->as<IntLit>());
    case ExprKind::FloatLit: return exprFloatLit(e->as<FloatLit>());
    case ExprKind::CharLit: {
      auto *c = e->as<CharLit>();
      switch (c->prefix) {
        case StrPrefix::None: c->type = cx.basic(TypeKind::Int); break;
        case StrPrefix::L: c->type = cx.wcharType(); break;
        case StrPrefix::u8: c->type = cx.basic(TypeKind::UChar); break;
        case StrPrefix::u: c->type = cx.basic(TypeKind::UShort); break;
        case StrPrefix::U: c->type = cx.basic(TypeKind::UInt); break;
      }
      return c;
    }
    case ExprKind::StringLit: return exprString(e->as<StringLit>());
    case ExprKind::Data: return e;  // sema makes it, typed
    case ExprKind::Ident: return exprIdent(e->as<Ident>(), false);
    case ExprKind::Paren: {
      auto *p = e->as<ParenExpr>();
      // A chain of parentheses is walked, not recursed into.
      std::vector<ParenExpr *> chain{p};
      while (chain.back()->sub && chain.back()->sub->kind == ExprKind::Paren && !chain.back()->sub->type)
        chain.push_back(chain.back()->sub->as<ParenExpr>());
      bool operand = sema.spawnPlace == SpawnPlace::Sizeof || sema.spawnPlace == SpawnPlace::Alignof;
      Expr *sub = chain.back()->sub && chain.back()->sub->kind == ExprKind::Spawn && !operand
                      ? exprIn(SpawnPlace::Parentheses, chain.back()->sub)
                      : expr(chain.back()->sub);
      for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
        (*it)->sub = sub;
        (*it)->type = sub->type;
        (*it)->lvalue = sub->lvalue;
        (*it)->bitField = sub->bitField;
        sub = *it;
      }
      return p;
    }
    case ExprKind::Unary: {
      Saved place(sema.spawnPlace, SpawnPlace::Operand);
      return exprUnary(e->as<Unary>());
    }
    case ExprKind::Binary: return exprBinary(e->as<Binary>());
    case ExprKind::Assign: return exprAssign(e->as<Assign>());
    case ExprKind::Conditional: return exprConditional(e->as<Conditional>());
    case ExprKind::Cast: return exprCast(e->as<Cast>());
    case ExprKind::CompoundLit: return exprCompoundLit(e->as<CompoundLit>());
    case ExprKind::Call: return exprCall(e->as<Call>());
    case ExprKind::Member: return exprMember(e->as<Member>());
    case ExprKind::Index: return exprIndex(e->as<Index>());
    case ExprKind::SizeofExpr:
    case ExprKind::SizeofType:
    case ExprKind::AlignofExpr:
    case ExprKind::AlignofType: return exprSizeof(e);
    case ExprKind::Generic: return exprGeneric(e->as<Generic>());
    case ExprKind::StmtExpr: return exprStmtExpr(e->as<StmtExpr>());
    case ExprKind::LabelAddr: {
      auto *l = e->as<LabelAddr>();
      if (!sema.fs) {
        diags.report(diag::label_address_outside, l->range) << l->name;
        return sema.conv.error(l->range);
      }
      if (sema.inProcedure()) {
        sema.stmts.labelUse(l->name, l->range)->addressTaken = true;  // reported here, if it is not defined, too
        diags.report(diag::cilk_label_address, l->range) << l->name;
        return sema.conv.error(l->range);
      }
      diags.report(diag::pedantic_gnu, l->range) << "addresses of labels";
      l->label = sema.stmts.labelUse(l->name, l->range);
      l->label->addressTaken = true;
      l->type = cx.pointerTo(cx.basic(TypeKind::Void));
      return l;
    }
    case ExprKind::VaArg: return exprVaArg(e->as<VaArg>());
    case ExprKind::Offsetof: return exprOffsetof(e->as<Offsetof>());
    case ExprKind::TypesCompatible: {
      auto *t = e->as<TypesCompatible>();
      QualType a = sema.types.typeName(t->a), b = sema.types.typeName(t->b);
      if (a->isError() || b->isError()) return sema.conv.error(t->range);
      t->value = sema.compat.compatible(a.unqual(), b.unqual());
      t->type = cx.basic(TypeKind::Int);
      return t;
    }
    case ExprKind::ChooseExpr: {
      auto *c = e->as<ChooseExpr>();
      auto v = sema.conv.integerConstant(c->cond, "the condition of '__builtin_choose_expr'");
      if (!v) return sema.conv.error(c->range);
      Expr *&chosen = *v ? c->then : c->otherwise, *&other = *v ? c->otherwise : c->then;
      sema.unevaluated++;
      sema.deadCode++;
      other = expr(other);
      sema.deadCode--;
      sema.unevaluated--;
      chosen = expr(chosen);
      c->chosen = chosen;
      c->type = chosen->type;
      c->lvalue = chosen->lvalue;
      c->bitField = chosen->bitField;
      return c->type->isError() ? sema.conv.error(c->range) : c;
    }
    case ExprKind::Spawn:
    case ExprKind::Touch:
    case ExprKind::Hole:
    case ExprKind::Synched:
      if (Expr *other = sema.hooks.expr(e)) return other;
      break;
    case ExprKind::ChildResult: return e;  // sema makes it, typed
    case ExprKind::ImplicitCast: {
      auto *c = e->as<ImplicitCast>();  // the parser makes none
      c->sub = expr(c->sub);
      c->type = c->sub->type;
      return c;
    }
  }
  return sema.conv.error(e->range);
}

// ---- literals -----------------------------------------------------------------------------------------------------

Expr *Exprs::exprIntLit(IntLit *lit) {
  unsigned __int128 v = lit->value;
  auto fits = [&](TypeKind k, unsigned bits) { return (v >> bits) == 0 ? cx.basic(k) : nullptr; };
  const Type *t = nullptr;
  // C17 6.4.4.1p5. Octal and hexadecimal constants may be unsigned without saying so.
  bool u = lit->suffixU, orU = !lit->decimal || u;
  if (lit->suffixWB) {  // the narrowest one that holds the value
    auto exact = lit->wide.empty() ? Wide::ofUnsigned(v) : Wide::parse(lit->wide);
    uint32_t bits = exact ? std::max(exact->bits() + !u, u ? 1u : 2u) : maxBitInt + 1,
             most = cx.target.facts->widestBitInt;
    if (bits > most) {
      diags.report(diag::integer_too_wide, lit->range) << most;
      return sema.conv.error(lit->range);
    }
    t = cx.bitInt(bits, u);
    lit->type = lit->imaginary ? cx.complexOf(t) : QualType(t);
    return lit;
  }
  if (!lit->suffixL) {
    if (!t && !u) t = fits(TypeKind::Int, 31);
    if (!t && orU) t = fits(TypeKind::UInt, 32);
  }
  if (lit->suffixL <= 1) {
    if (!t && !u) t = fits(TypeKind::Long, 63);
    if (!t && (orU || (cx.lang.std == LangOptions::C89 && lit->decimal))) t = fits(TypeKind::ULong, 64);
  }
  if (!t && !u) t = fits(TypeKind::LongLong, 63);
  if (!t && orU) t = fits(TypeKind::ULongLong, 64);
  if (lit->tooLarge) {
    diags.report(diag::integer_too_large, lit->range);
    t = cx.basic(TypeKind::ULongLong);
    lit->value = static_cast<uint64_t>(v);
  } else if (!t) {
    diags.report(diag::integer_unsigned, lit->range);
    t = cx.basic(lit->suffixL == 2 ? TypeKind::ULongLong : TypeKind::ULong);
  }
  lit->type = lit->imaginary ? cx.complexOf(t) : QualType(t);
  return lit;
}

Expr *Exprs::exprFloatLit(FloatLit *lit) {
  TypeKind k = TypeKind::Double;
  switch (lit->suffix) {
    case FloatLit::None: break;
    case FloatLit::F: k = TypeKind::Float; break;
    case FloatLit::L: k = TypeKind::LongDouble; break;
    case FloatLit::F16: k = TypeKind::Float16; break;
    case FloatLit::F32: k = TypeKind::Float32; break;
    case FloatLit::F64: k = TypeKind::Float64; break;
    case FloatLit::F128:
    case FloatLit::Q: k = TypeKind::Float128; break;
    case FloatLit::F32x: k = TypeKind::Float32x; break;
    case FloatLit::F64x: k = TypeKind::Float64x; break;
    case FloatLit::D: diags.report(diag::decimal_float, lit->range); return sema.conv.error(lit->range);
  }
  lit->type = lit->imaginary ? cx.complexOf(cx.basic(k)) : QualType(cx.basic(k));
  if (auto v = evaluate(lit, cx, EvalMode::Fold)) {
    __float128 x = lit->imaginary ? v->im : v->re;
    bool hex = lit->text.size() > 1 && (lit->text[1] | 32) == 'x';
    std::string_view digits = lit->text.substr(0, lit->text.find_first_of(hex ? "pP" : "eE"));
    if (x - x != 0) diags.report(diag::float_too_large, lit->range) << toString({cx.basic(k)});
    else if (x == 0 && digits.find_first_of("123456789abcdefABCDEF") != digits.npos)
      diags.report(diag::float_too_small, lit->range) << toString({cx.basic(k)});
  }
  return lit;
}

Expr *Exprs::exprString(StringLit *s) {
  const Type *elem = cx.basic(TypeKind::Char);
  switch (s->prefix) {
    case StrPrefix::None: break;
    case StrPrefix::u8:
      if (cx.lang.std == LangOptions::C2x) elem = cx.basic(TypeKind::UChar);
      break;
    case StrPrefix::L: elem = cx.wcharType(); break;
    case StrPrefix::u: elem = cx.basic(TypeKind::UShort); break;
    case StrPrefix::U: elem = cx.basic(TypeKind::UInt); break;
  }
  s->type = cx.arrayOf(elem, s->length() + 1);
  s->lvalue = true;
  return s;
}

// ---- identifiers --------------------------------------------------------------------------------------------------

namespace {

// Edit distance with adjacent swaps, given up above `limit`.
unsigned distance(std::string_view a, std::string_view b, unsigned limit) {
  size_t n = a.size(), m = b.size();
  if (n > m + limit || m > n + limit) return limit + 1;
  std::vector<unsigned> prev2(m + 1), prev(m + 1), cur(m + 1);
  for (size_t j = 0; j <= m; j++) prev[j] = static_cast<unsigned>(j);
  for (size_t i = 1; i <= n; i++) {
    cur[0] = static_cast<unsigned>(i);
    unsigned best = cur[0];
    for (size_t j = 1; j <= m; j++) {
      cur[j] = std::min({prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) cur[j] = std::min(cur[j], prev2[j - 2] + 1);
      best = std::min(best, cur[j]);
    }
    if (best > limit) return limit + 1;
    std::swap(prev2, prev);
    std::swap(prev, cur);
  }
  return prev[m];
}

// The same but for capital letters.
bool equalLetters(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::string Exprs::didYouMean(std::string_view name) {
  // Each costs a walk over all names; and a unit with so many unknown names has not misspelt them.
  constexpr unsigned most = 100;
  if (name.size() < 3 || name.size() > 60 || ++sema.es.suggestions > most) return {};
  unsigned limit = name.size() < 5 ? 1 : 2, best = limit + 1;
  std::string_view found;
  if (sema.fs && sema.fs->cilkMode)
    for (std::string_view word : {"spawn", "sync", "abort", "inlet", "SYNCHED"})
      if (unsigned k = equalLetters(name, word) ? 0 : distance(name, word, limit); k < best) best = k, found = word;
  for (const Scope *s = sema.scope; s; s = s->up)
    for (auto &[n, d] : s->names) {
      if (n.starts_with("__") && !name.starts_with("_")) continue;
      unsigned k = distance(name, n, limit);
      if (k < best || (k == best && k <= limit && n < found && s->kind == Scope::File)) best = k, found = n;
    }
  return best <= limit ? std::string(found) : std::string();
}

std::string Exprs::memberLike(const RecordType *r, std::string_view name) const {
  if (name.size() < 3 || name.size() > 60) return {};
  unsigned limit = name.size() < 5 ? 1 : 2, best = limit + 1;
  std::string_view found;
  auto look = [&](auto &self, const RecordType *t, int depth) -> void {
    for (const FieldDecl *f : t->fields) {
      if (f->anonymous && f->type->isRecord() && depth < 20) {
        self(self, f->type->as<RecordType>(), depth + 1);
        continue;
      }
      if (f->name.size() > 2)
        if (unsigned k = distance(name, f->name, limit); k < best) best = k, found = f->name;
      if (best > limit && f->name.size() > 2 && (f->name.starts_with(name) || name.starts_with(f->name)))
        found = f->name;
    }
  };
  look(look, r, 0);
  return std::string(found);
}

namespace {

// A name as an expression.
struct Names : Exprs {
  using Exprs::Exprs;
  StringLit *functionName(Ident *);
  FunctionDecl *declaredByItsCall(Ident *);
  Expr *undeclared(Ident *);
  Expr *variable(Ident *, VarDecl *);
  Expr *function(Ident *, FunctionDecl *, bool called);
  void staticInInline(const Ident *, Linkage, const Decl *used);
};

StringLit *Names::functionName(Ident *id) {
  std::string_view n = id->name;
  if (!sema.fs) diags.report(diag::func_name_outside, id->range) << n;
  if (n == "__func__" && cx.lang.std < LangOptions::C99) diags.report(diag::c99_extension, id->range) << "'__func__'";
  auto *s = cx.make<StringLit>();
  s->range = id->range;
  const FunctionDecl *around = sema.writtenIn();
  s->bytes = around ? std::string(around->name) : n == "__PRETTY_FUNCTION__" ? "top level" : "";
  s->type = cx.arrayOf(QualType(cx.basic(TypeKind::Char), QConst), s->length() + 1);
  s->lvalue = true;
  return s;
}

// Null if its name is taken.
FunctionDecl *Names::declaredByItsCall(Ident *id) {
  std::string_view n = id->name;
  bool known = builtinByName(n) != BuiltinId::None && !cx.lang.freestanding;
  std::string meant = known || headerFor(n) ? std::string() : didYouMean(n);
  auto *f = sema.decls.implicitFunction(n, id->range);
  // EXPORT(f): all is known
  if (!f || (f->implicit && !f->builtin && f->type->as<FunctionType>()->prototype)) return f;
  // C90 declares such functions by their use; gcc and clang say so with -Wall only.
  const DiagOptions &o = diags.options();
  bool quiet = cx.lang.std < LangOptions::C99 &&
               (o.pedanticErrors ||
                   (!o.all && !o.enabled.contains("implicit-function-declaration") && !o.enabled.contains("implicit")));
  if (n == "sync" && sema.fs && sema.fs->cilkMode && (sema.inProcedure() || sema.inInlet())) {
    diags.report(diag::sync_call, id->range);
  } else if (!quiet && (sema.fs ? sema.fs->undeclared.insert(n).second : true)) {
    auto b = diags.report(cx.lang.std >= LangOptions::C2x ? diag::implicit_function_c23 : diag::implicit_function,
        id->range);
    b << n;
    if (auto advice = adviceForWord(n); !advice.empty()) b.note(id->range, std::string(advice));
    else if (const ForeignWord *w = foreignWord(n)) b.note(id->range, std::string(w->advice));
    else if (const char *h = headerFor(n))
      b.note(id->range, "include <" + std::string(h) + "> to declare '" + std::string(n) + "'");
    else if (!meant.empty()) b.note(id->range, "did you mean '" + meant + "'?");
  }
  return f;
}

Expr *Names::undeclared(Ident *id) {
  std::string_view n = id->name;
  if (!sema.fs || sema.fs->undeclared.insert(n).second) {
    std::string meant = didYouMean(n);
    if (meant.empty() && sema.fs && n.size() > 3)
      for (std::string_view word : {"break", "continue", "return"})  // `brake;`
        if (distance(n, word, 2) <= 2) meant = word;
    if (auto advice = adviceForWord(n); !advice.empty()) {
      diags.report(diag::opencilk_word, id->range) << n << advice;
      return sema.conv.error(id->range);
    }
    if (const ForeignWord *w = foreignWord(n)) {
      diags.report(diag::foreign_word, id->range) << n << w->language << w->advice;
      return sema.conv.error(id->range);
    }
    const char *header = headerFor(n);
    auto b = diags.report(diag::undeclared, id->range);
    b << n;
    if (header) b.note(id->range, "include <" + std::string(header) + "> to declare '" + std::string(n) + "'");
    else if (!meant.empty()) b.note(id->range, "did you mean '" + meant + "'?").fixit(id->range, meant);
  }
  return sema.conv.error(id->range);
}

// C17 6.7.4p3: an inline function with external linkage may exist elsewhere, where the static object is another one.
void Names::staticInInline(const Ident *id, Linkage linkage, const Decl *used) {
  if (linkage == Linkage::Internal && sema.fs && sema.fs->fn && sema.fs->fn->isInline &&
      sema.fs->fn->linkage == Linkage::External && !sema.fs->fn->attrs.gnuInline && !cx.lang.gnuInline)
    diags.report(diag::static_in_inline, id->range) << used->name << sema.fs->fn->name;
}

Expr *Names::variable(Ident *id, VarDecl *v) {
  if (!v->type || v->type->isError()) {
    v->used = true;
    return sema.conv.error(id->range);
  }
  if (v->type->kind == TypeKind::Auto) return sema.conv.error(id->range);  // its own initialiser gives it its type
  if (!sema.unevaluated || v->isLocal) v->used = true;  // of a local it only says that no warning is due
  if (!v->type.isConst()) staticInInline(id, v->linkage, v);
  sema.scopes.noteUse(v);
  if (v->attrs.deprecated) sema.exprs.warnDeprecated(id->name, v->attrs.deprecated, id->range);
  id->type = v->type;
  id->lvalue = true;
  return id;
}

Expr *Names::function(Ident *id, FunctionDecl *f, bool called) {
  if (!f->type || f->type->isError()) return sema.conv.error(id->range);
  f->references++;
  if (!sema.unevaluated) f->used = true;
  staticInInline(id, f->linkage, f);
  if (f->name.starts_with("omp_") && sema.fs && sema.fs->cilkMode && !f->def &&
      diags.sources().inSystemHeader(f->range.begin) && sema.fs->undeclared.insert(f->name).second)
    diags.report(diag::openmp, id->range)
            .note(id->range, "Cilk_active_size is the number of workers, Self this worker's")
        << f->name;
  if (f->attrs.deprecated) sema.exprs.warnDeprecated(id->name, f->attrs.deprecated, id->range);
  if (f->isThread && !called) {
    diags.report(diag::thread_as_value, id->range)
            .note(id->range, "write `spawn " + std::string(id->name) + "(..);` in a thread")
        << id->name;
    return sema.conv.error(id->range);
  }
  if (!called && !sema.unevaluated && f->parent && (f->isInlet || f->parent->isCilk || f->parent->isInlet)) {
    if (f->isInlet) diags.report(diag::inlet_pointer, id->range) << id->name;
    else if (!f->isCilk) diags.report(diag::nested_function_address, id->range) << id->name;  // its place was an error
    return sema.conv.error(id->range);
  }
  if (!called && f->builtin && id->name.starts_with("__builtin_")) {
    // Its plain namesake has an address, where there is one.
    FunctionDecl *plain = builtinHasFlag(static_cast<BuiltinId>(f->builtin), 'L') && f->type->isFunction()
                              ? sema.decls.implicitFunction(id->name.substr(10), id->range)
                              : nullptr;
    if (plain) {
      plain->references++;
      if (!sema.unevaluated) plain->used = true;
      id->decl = plain;
      id->type = plain->type;
      id->lvalue = true;
      return id;
    }
    diags.report(diag::builtin_address, id->range) << id->name;
    return sema.conv.error(id->range);
  }
  id->type = f->type;
  id->lvalue = true;
  return id;
}

}  // namespace

void Exprs::warnDeprecated(std::string_view name, Attr *attribute, Range use) {
  std::string reason(attrString(sema, attribute, 0).value_or(""));
  diags.report(attribute->name == "unavailable" ? diag::unavailable : diag::deprecated, use)
      << name << (reason.empty() ? reason : ": " + reason);
}

void Exprs::warnDeprecated(const void *declared, std::string_view name, Range use) {
  const auto &all = sema.ds->specifiers.deprecated;
  if (auto it = all.find(declared); it != all.end()) warnDeprecated(name, it->second, use);
}

Expr *Exprs::exprIdent(Ident *id, bool called) {
  Names names(sema);
  std::string_view n = id->name;
  Decl *d = sema.scopes.lookup(n);
  if (!d) {
    if (sema.scopes.leftOut(n)) return sema.conv.error(id->range);
    if (n == "__func__" || n == "__FUNCTION__" || n == "__PRETTY_FUNCTION__") return names.functionName(id);
    if (n.starts_with("__")) d = sema.builtins.builtinFunction(n);
    if (!d && called) {
      if (n.starts_with("__builtin_") || n.starts_with("__sync_") || n.starts_with("__atomic_") ||
          n.starts_with("__c11_")) {
        diags.report(diag::unknown_builtin, id->range) << n;
        return sema.conv.error(id->range);
      }
      d = names.declaredByItsCall(id);
    }
    // A call has declared it already.
    if (!d && !called)
      if (auto it = sema.ds->linkage.linked.find(n); it != sema.ds->linkage.linked.end() &&
                                                     it->second->kind == DeclKind::Function &&
                                                     it->second->as<FunctionDecl>()->implicit)
        d = it->second;
    if (!d) return names.undeclared(id);
  }
  id->decl = d;
  switch (d->kind) {
    case DeclKind::Var: {
      Expr *e = names.variable(id, d->as<VarDecl>());
      Expr *captured = e->kind == ExprKind::Ident ? sema.hooks.capture(id, d->as<VarDecl>()) : nullptr;
      return captured ? captured : e;
    }
    case DeclKind::Function: return names.function(id, d->as<FunctionDecl>(), called);
    case DeclKind::EnumConst:
      id->type = d->type ? d->type.unqual() : QualType(cx.basic(TypeKind::Int));
      if (id->type->isError()) return sema.conv.error(id->range);
      warnDeprecated(d, id->name, id->range);
      return id;
    case DeclKind::Typedef:
    case DeclKind::Label: break;  // the parser reads neither as an expression
  }
  return sema.conv.error(id->range);
}

// ---- _Generic, statement expressions ------------------------------------------------------------------------------

Expr *Exprs::exprGeneric(Generic *g) {
  sema.unevaluated++;
  QualType t;
  if (g->controlType) t = sema.types.typeName(g->controlType);
  else if (g->control) {
    Expr *c = expr(g->control);
    // Lvalue conversion without reading: arrays and functions decay, qualifiers go.
    if (c->type->isArray() || c->type->isFunction()) c = sema.conv.load(c);
    g->control = c;
    t = c->type.unqual();
  } else t = cx.basic(TypeKind::Error);
  sema.unevaluated--;
  GenericAssoc *chosen = nullptr, *fallback = nullptr;
  std::unordered_map<size_t, std::vector<const TypeName *>> seen;  // by kin: those before that could be compatible
  bool bad = t->isError();
  for (GenericAssoc &a : g->assocs) {
    if (!a.type) {
      if (fallback) {
        diags.report(diag::generic_two_defaults, a.range);
        bad = true;
      }
      fallback = &a;
      continue;
    }
    QualType at = sema.types.typeName(a.type);
    if (at->isError()) {
      bad = true;
      continue;
    }
    if (at->isFunction() || !isComplete(at.type) || isVariablyModified(at.type)) {
      diags.report(diag::generic_bad_type, a.type->range) << toString(at);
      bad = true;
      continue;
    }
    std::vector<const TypeName *> &like = seen[sema.compat.kin(at.type)];
    for (const TypeName *b : like)
      if (b->type.quals == at.quals && sema.compat.compatible(at, b->type)) {
        diags.report(diag::generic_duplicate, a.type->range).note(b->range, "the compatible type is here")
            << toString(at);
        bad = true;
      }
    like.push_back(a.type);
    if (!t->isError() && at.quals == t.quals && sema.compat.compatible(at, t) && !chosen) chosen = &a;
  }
  if (!chosen) chosen = fallback;
  for (GenericAssoc &a : g->assocs) {
    if (&a == chosen || !a.value) continue;
    sema.unevaluated++;
    sema.deadCode++;
    a.value = expr(a.value);
    sema.deadCode--;
    sema.unevaluated--;
  }
  if (bad) return sema.conv.error(g->range);
  if (!chosen) {
    diags.report(diag::generic_no_match, g->control ? g->control->range : g->range) << toString(t);
    return sema.conv.error(g->range);
  }
  chosen->value = expr(chosen->value);
  g->chosen = chosen->value;
  if (g->chosen->type->isError()) return sema.conv.error(g->range);
  g->type = g->chosen->type;
  g->lvalue = g->chosen->lvalue;
  g->bitField = g->chosen->bitField;
  return g;
}

Expr *Exprs::exprStmtExpr(StmtExpr *s) {
  if (!sema.fs || !s->body) {
    diags.report(diag::statement_expression_outside, s->range);
    return sema.conv.error(s->range);
  }
  diags.report(diag::pedantic_statement_expression, s->range);
  sema.fs->inside.stmtExprs++;
  auto *mark = cx.make<JumpScope>();
  mark->up = sema.fs->inside.jumpScope;
  {
    Saved place(sema.spawnPlace, SpawnPlace::StatementExpression);
    Saved value(sema.es.valueStmt, valueStatement(s));
    Saved jumps(sema.fs->inside.jumpScope, mark);
    Saved header(sema.fs->inside.forHeader, false);
    sema.stmts.compound(s->body, true);
  }
  sema.fs->inside.stmtExprs--;
  Stmt *last = valueStatement(s);
  s->type = cx.basic(TypeKind::Void);
  if (last && last->kind == StmtKind::Expr) {
    auto *es = last->as<ExprStmt>();
    if (!es->expr || !es->expr->type) return sema.conv.error(s->range);
    es->expr = sema.conv.load(es->expr);
    if (es->expr->type->isError()) return sema.conv.error(s->range);
    s->type = es->expr->type.unqual();
  }
  return s;
}

bool Exprs::findMember(const RecordType *r, std::string_view name, std::vector<FieldDecl *> &path) const {
  auto inAnonymous = [&](FieldDecl *f) {
    path.push_back(f);
    if (findMember(f->type->as<RecordType>(), name, path)) return true;
    path.pop_back();
    return false;
  };
  auto isAnonymous = [](const FieldDecl *f) { return f->anonymous && f->type && f->type->isRecord(); };
  constexpr size_t many = 16;
  if (r->complete && r->fields.size() > many) {
    auto [it, fresh] = sema.es.members.try_emplace(r);
    MemberIndex &index = it->second;
    if (fresh)
      for (FieldDecl *f : r->fields) {
        if (!f->name.empty()) index.named.try_emplace(f->name, f);
        else if (isAnonymous(f)) index.anonymous.push_back(f);
      }
    if (auto found = index.named.find(name); found != index.named.end()) {
      path.push_back(found->second);
      return true;
    }
    return std::any_of(index.anonymous.begin(), index.anonymous.end(), inAnonymous);
  }
  for (FieldDecl *f : r->fields)
    if (f->name == name && !name.empty()) {
      path.push_back(f);
      return true;
    }
  return std::any_of(r->fields.begin(), r->fields.end(),
      [&](FieldDecl *f) { return isAnonymous(f) && inAnonymous(f); });
}

}  // namespace cilkc
