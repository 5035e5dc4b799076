// attr.cpp - attributes. Each known name has one row in `table`, found by binary search; its action merges what the
// attribute says into the declaration's DeclAttrs. Attributes of types (mode, vector_size, aligned on a typedef) are
// applied where the type is built. What is known to change nothing here has an empty action; an unknown name is ignored
// with a warning.
#include <algorithm>
#include <climits>
#include <cstring>
#include "frontend/ast/query.h"
#include "frontend/sema/c/decl/declare.h"
#include "diag/cilk.h"
#include "diag/sema_decl.h"
#include "diag/warn.h"

namespace cilkc {

std::optional<__int128> attrInt(Sema &s, Attr *a, size_t i) {
  if (i >= a->args.size() || !a->args[i]) return std::nullopt;
  Expr *&e = a->args[i];
  if (e->kind == ExprKind::Error) return std::nullopt;
  if (!e->type.type) return s.conv.integerConstant(e, "attribute argument");
  auto v = evaluate(e, s.cx, EvalMode::Fold);
  if (v && v->kind == ConstValue::Int) return v->i;
  return std::nullopt;
}

std::optional<std::string_view> attrString(Sema &s, Attr *a, size_t i) {
  if (i >= a->args.size() || !a->args[i]) return std::nullopt;
  Expr *e = ignoreParens(a->args[i]);
  if (e->kind != ExprKind::StringLit || e->as<StringLit>()->unit != 1) return std::nullopt;
  return s.cx.intern(e->as<StringLit>()->bytes);
}

uint32_t attrAlignment(Sema &s, const Attrs &attrs, bool forType) {
  uint32_t best = 0;
  for (Attr *a : attrs) {
    if (a->name != "aligned" && a->name != "align") continue;
    if (!forType && s.ds->specifiers.taken.count(a)) continue;
    uint32_t v = s.cx.target.facts->largestAlign;  // without an argument: the largest useful one
    if (!a->typeArgs.empty() && a->args.empty()) {
      QualType t = s.types.typeName(a->typeArgs[0]);
      v = t->isError() ? 0 : alignOf(t.type, s.cx.target);
    } else if (!a->args.empty()) {
      auto n = attrInt(s, a, 0);
      if (!n) continue;
      if (*n < 0 || (*n & (*n - 1)) || *n > (1 << 28)) {
        s.diags.report(diag::bad_alignment, a->range) << "the alignment is not a power of two";
        continue;
      }
      v = static_cast<uint32_t>(*n);
    }
    best = forType ? v : std::max(best, v);  // as gcc has it
  }
  return best;
}

namespace {

struct Target {
  Sema &s;
  Attr *a;
  Decl *d;
  VarDecl *var;
  FunctionDecl *fn;
  DeclAttrs *at;  // null for typedefs

  void noArguments() {
    if (!a->args.empty()) s.diags.report(diag::attribute_parentheses, a->range) << a->name;
  }
  void wrongThing(const char *applies) { s.diags.report(diag::attribute_ignored, a->range) << a->name << applies; }
  bool needFunction() {
    if (fn) return true;
    // On a pointer to function or a function typedef these say something about the type: harmless.
    const Type *t = d->type.type;
    while (t && (t->isPointer() || t->isArray()))
      t = t->isPointer() ? t->as<PointerType>()->pointee.type : t->as<ArrayType>()->elem.type;
    if (t && !t->isFunction() && !t->isError()) wrongThing("something that is not a function");
    return false;
  }
  // C calls it without a spawn.
  bool cFunction(const FunctionDecl *f) {
    const FunctionType *ft = f->type->isFunction() ? f->type->as<FunctionType>() : nullptr;
    if (ft && ft->isCilk)
      s.diags.report(diag::call_without_spawn, a->range)
              .note(a->range, "the attribute '" + std::string(a->name) + "' makes C call it")
          << "'" + std::string(f->name) + "'";
    if (ft && ft->isInlet) s.diags.report(diag::inlet_without_spawn, a->range) << f->name;
    return !ft || (!ft->isCilk && !ft->isInlet);
  }
  // The prototype of the function, if it has one.
  const FunctionType *prototype() const {
    const FunctionType *ft = fn->type->isFunction() ? fn->type->as<FunctionType>() : nullptr;
    return ft && ft->prototype ? ft : nullptr;
  }
  // Whether the parameter at a position may be a string.
  bool text(__int128 position) const {
    const FunctionType *ft = prototype();
    if (!ft || position < 1 || position > static_cast<__int128>(ft->params.size())) return true;
    return ft->params[static_cast<size_t>(position) - 1]->isPointer();
  }
  // The position of a parameter that argument i is, 0 if there is none.
  int parameter(size_t i) {
    auto n = attrInt(s, a, i);
    if (!n) return 0;
    const FunctionType *ft = prototype();
    if (*n >= 1 && (!ft || ft->variadic ? *n < INT_MAX : *n <= static_cast<__int128>(ft->params.size())))
      return static_cast<int>(*n);
    wrongThing("a parameter that does not exist");
    return 0;
  }
  std::string_view string(size_t i) {
    auto v = attrString(s, a, i);
    if (!v) s.diags.report(diag::attribute_argument, a->range) << a->name << "a string";
    return v.value_or(std::string_view{});
  }
};

using Action = void (*)(Target &);
struct Row {
  const char *name;
  Action action;
};

void ignore(Target &) {}

template <bool DeclAttrs::*flag, bool arguments = false> void setFlag(Target &t) {
  if (!arguments) t.noArguments();
  if (t.at) t.at->*flag = true;
}
template <bool DeclAttrs::*flag, bool arguments = false> void setFunctionFlag(Target &t) {
  if (!arguments) t.noArguments();
  if (t.needFunction()) t.at->*flag = true;
}

void alias(Target &t) {
  if (t.at) t.at->alias = t.string(0);
}
void aligned(Target &t) {
  uint32_t v = attrAlignment(t.s, {t.a}, false);
  if (t.at) t.at->align = std::max(t.at->align, v);
  else if (t.d->kind == DeclKind::Typedef && v) t.d->as<TypedefDecl>()->align = v;
}
void allocSize(Target &t) {
  if (!t.needFunction()) return;
  t.at->allocSize1 = t.parameter(0);
  t.at->allocSize2 = t.parameter(1);
}
void cleanup(Target &t) {
  if (!t.var || !t.var->isLocal || t.var->isParam) {
    if (!t.var || t.var->isParam) t.wrongThing("something that is not a local variable");
    return;
  }
  Expr *e = t.a->args.empty() ? nullptr : ignoreParens(t.a->args[0]);
  Decl *f = e && e->kind == ExprKind::Ident ? t.s.scopes.lookup(e->as<Ident>()->name) : nullptr;
  if (!f && e && e->kind == ExprKind::Ident) {
    FunctionDecl *b = t.s.builtins.builtinFunction(e->as<Ident>()->name);
    f = b;
  }
  if (!f || f->kind != DeclKind::Function) {
    t.s.diags.report(diag::attribute_argument, t.a->range) << "cleanup" << "the name of a function";
    return;
  }
  if (!t.cFunction(f->as<FunctionDecl>())) return;
  const auto *ft = f->type->isFunction() ? f->type->as<FunctionType>() : nullptr;
  if (ft && ft->prototype && (ft->params.size() != 1 || !ft->params[0]->isPointer())) {
    t.s.diags.report(diag::attribute_argument, t.a->range) << "cleanup" << "a function of one pointer";
    return;
  }
  f->as<FunctionDecl>()->used = true;
  t.at->cleanup = f->as<FunctionDecl>();
}
void constructor(Target &t) {
  if (!t.needFunction() || !t.cFunction(t.fn)) return;
  bool ctor = t.a->name == "constructor";
  (ctor ? t.at->constructor : t.at->destructor) = true;
  if (!t.a->args.empty())
    if (auto v = attrInt(t.s, t.a, 0)) {
      if (*v < 0 || *v > 65535)
        t.s.diags.report(diag::attribute_argument, t.a->range) << t.a->name << "a priority between 0 and 65535";
      else (ctor ? t.at->constructorPriority : t.at->destructorPriority) = static_cast<int>(*v);
    }
}
void copyAttr(Target &t) {
  if (t.s.ds->specifiers.taken.count(t.a)) return;
  Expr *e = t.a->args.empty() ? nullptr : ignoreParens(t.a->args[0]);
  Decl *from = e && e->kind == ExprKind::Ident ? t.s.scopes.lookup(e->as<Ident>()->name) : nullptr;
  const DeclAttrs *f = !from                              ? nullptr
                       : from->kind == DeclKind::Function ? &from->as<FunctionDecl>()->attrs
                       : from->kind == DeclKind::Var      ? &from->as<VarDecl>()->attrs
                                                          : nullptr;
  if (!f || !t.at) return t.wrongThing(f ? "a typedef" : "a declaration whose source is no function or object");
  DeclAttrs &to = *t.at;
  if (t.var && from->kind == DeclKind::Var) {
    to.align = std::max(to.align, f->align);
    to.uninitialized |= f->uninitialized;
    to.used |= f->used;
    t.var->attrs.unused |= f->unused;
    if (to.section.empty()) to.section = f->section;
  }
  to.stackProtect |= f->stackProtect;
  to.noStackProtector |= f->noStackProtector;
  // Everything but what makes the other symbol that symbol: alias, asm label, visibility, weak (gcc's manual).
  to.noinline |= f->noinline;
  to.cold |= f->cold;
  to.hot |= f->hot;
  to.noreturn |= f->noreturn;
  to.pure |= f->pure;
  to.constant |= f->constant;
  to.malloc |= f->malloc;
  to.leaf |= f->leaf;
  to.returnsTwice |= f->returnsTwice;
  to.warnUnused |= f->warnUnused;
  to.returnsNonnull |= f->returnsNonnull;
  to.nonnullAll |= f->nonnullAll;
  to.sentinel |= f->sentinel;
  if (to.nonnull.empty()) to.nonnull = f->nonnull;
  if (!to.formatKind) {
    to.formatKind = f->formatKind;
    to.formatIndex = f->formatIndex;
    to.formatFirst = f->formatFirst;
  }
  if (!to.allocSize1) {
    to.allocSize1 = f->allocSize1;
    to.allocSize2 = f->allocSize2;
  }
}
// C23 6.7.13: deprecated and nodiscard have nothing or a string in parentheses.
void reason(Target &t) {
  if (t.a->args.size() > 1 || (t.a->args.size() == 1 && ignoreParens(t.a->args[0])->kind != ExprKind::StringLit))
    t.s.diags.report(diag::attribute_argument, t.a->range) << t.a->name << "a string";
}
void nodiscard(Target &t) {
  reason(t);
  if (t.at) t.at->warnUnused = true;
}
void deprecated(Target &t) {
  reason(t);
  if (t.d->kind == DeclKind::Typedef) restrictUse(t.s.ds->specifiers.deprecated[t.d], t.a);
  if (t.at) restrictUse(t.at->deprecated, t.a);
}
void format(Target &t) {
  if (!t.fn || t.a->args.empty()) return;
  if (t.a->args.size() != 3) {
    t.s.diags.report(diag::attribute_argument, t.a->range) << t.a->name << "a kind and two positions";
    return;
  }
  Expr *e = ignoreParens(t.a->args[0]);
  std::string_view kind = e->kind == ExprKind::Ident ? e->as<Ident>()->name : std::string_view{};
  if (kind.size() > 4 && kind.substr(0, 2) == "__" && kind.substr(kind.size() - 2) == "__")
    kind = kind.substr(2, kind.size() - 4);
  if (kind.substr(0, 4) == "gnu_") kind = kind.substr(4);
  int k = kind == "printf" ? 1 : kind == "scanf" ? 2 : kind == "strftime" ? 3 : 0;
  auto index = attrInt(t.s, t.a, 1), first = attrInt(t.s, t.a, 2);
  if (!k || !index || !first) return;
  if (const FunctionType *ft = t.prototype();
      *first && ((ft && (!ft->variadic || *first != static_cast<__int128>(ft->params.size()) + 1)) || k == 3)) {
    t.s.diags.report(diag::attribute_argument, t.a->range)
        << t.a->name << (k == 3 ? "0 for strftime" : "0, or the position of '...',");
    return;
  }
  if (!t.text(*index)) {
    t.s.diags.report(diag::attribute_argument, t.a->range) << t.a->name << "the position of a string";
    return;
  }
  t.at->formatKind = k;
  t.at->formatIndex = static_cast<int>(*index);
  t.at->formatFirst = static_cast<int>(*first);
}
void formatArg(Target &t) {
  auto n = attrInt(t.s, t.a, 0);
  if (t.fn && n && !t.text(*n))
    t.s.diags.report(diag::attribute_argument, t.a->range) << t.a->name << "the position of a string";
  else if (t.fn && n && *n >= 1 && *n <= 32) t.at->formatArgs |= 1u << (*n - 1);
}
void unused(Target &t) {
  t.noArguments();
  if (t.at) t.at->unused = true;
  else if (t.d->kind == DeclKind::Typedef) {
    t.d->as<TypedefDecl>()->unused = true;
    t.s.ds->specifiers.usedTypedefs.insert(t.d);
  }
}
void ifunc(Target &t) {
  if (!t.needFunction()) return;
  t.at->ifunc = true;
  t.at->ifuncResolver = t.string(0);
}
void nonnull(Target &t) {
  if (!t.needFunction()) return;
  if (t.a->args.empty()) t.at->nonnullAll = true;
  for (size_t i = 0; i < t.a->args.size(); ++i)
    if (int n = t.parameter(i)) t.at->nonnull.push_back(n);
}
void noreturn(Target &t) {
  t.noArguments();
  if (!t.needFunction()) return;
  t.at->noreturn = true;
  t.fn->isNoreturn = true;
}
void remote(Target &t) {
  if (!t.needFunction()) return;
  t.at->remote = true;
  t.s.hooks.remote(t.fn, t.a->range);
}
void section(Target &t) {
  if (!t.at || (t.var && t.var->isLocal)) {
    t.s.diags.report(diag::section_of_local, t.a->range) << t.d->name;
    return;
  }
  t.at->section = t.string(0);
}
void touches(Target &t) {
  if (t.needFunction()) t.at->touches = t.string(0);
}
void callError(Target &t) {
  if (t.needFunction()) t.at->callError = t.string(0);
}
void callWarning(Target &t) {
  if (t.needFunction()) t.at->callWarning = t.string(0);
}
void targetFeatures(Target &t) {
  if (!t.needFunction()) return;
  std::string all(t.string(0));
  for (size_t i = 1; i < t.a->args.size(); i++) all.append(",").append(t.string(i));
  t.at->targetFeatures = t.s.cx.intern(all);
}
void tlsModel(Target &t) {
  if (!t.var) return;
  t.at->tlsModel = t.string(0);
  for (std::string_view known : {"", "global-dynamic", "local-dynamic", "initial-exec", "local-exec"})
    if (t.at->tlsModel == known) return;
  t.s.diags.report(diag::attribute_argument, t.a->range)
      << "tls_model" << "\"global-dynamic\", \"local-dynamic\", \"initial-exec\" or \"local-exec\"";
}
void transparentUnion(Target &t) {
  const Type *u = t.d->type.type;
  if (t.d->kind == DeclKind::Typedef && u->isRecord() && u->as<RecordType>()->isUnion)
    const_cast<RecordType *>(u->as<RecordType>())->transparentUnion = true;
}
void symver(Target &t) {
  if (!t.at) return;
  std::string all(t.at->symver);
  for (size_t i = 0; i < t.a->args.size(); i++) {
    std::string_view v = t.string(i);
    if (!v.empty() && v.find('@') == v.npos)
      t.s.diags.report(diag::attribute_argument, t.a->range) << "symver" << "a name, '@' and a version";
    else if (!v.empty()) all.append(v).append("\n");
  }
  t.at->symver = t.s.cx.intern(all);
}
// no_sanitize("address", "null"), no_sanitize_undefined
void noSanitize(Target &t) {
  if (!t.needFunction()) return;
  std::string all(t.at->noSanitize);
  auto add = [&](std::string_view word) { all.append(all.empty() ? "" : "\n").append(word); };
  if (t.a->name == "cilk_no_race") add("cilk-race");
  else if (t.a->name == "cilk_speculative") add("cilk-speculative");
  else if (t.a->name.size() > 12) add(t.a->name.substr(12));
  for (size_t i = 0; i < t.a->args.size(); i++) {
    std::string_view words = t.string(i);
    for (size_t p = 0; p < words.size();) {
      size_t e = std::min(words.find(',', p), words.size());
      add(words.substr(p, e - p));
      p = e + 1;
    }
  }
  t.at->noSanitize = t.s.cx.intern(all);
}
void visibility(Target &t) {
  if (!t.at) return;
  std::string_view v = t.string(0);
  Visibility k = v == "hidden"      ? Visibility::Hidden
                 : v == "protected" ? Visibility::Protected
                 : v == "internal"  ? Visibility::Internal
                                    : Visibility::Default;
  if (k == Visibility::Default && !v.empty() && v != "default")
    t.s.diags.report(diag::attribute_argument, t.a->range)
        << "visibility" << "\"default\", \"hidden\", \"protected\" or \"internal\"";
  t.at->visibility = k;
  t.at->visibilitySet = true;
}
void weakref(Target &t) {
  if (!t.at) return;
  t.at->weakref = true;
  if (!t.a->args.empty()) t.at->alias = t.string(0);
}
void optimize(Target &t) {
  auto v = attrString(t.s, t.a, 0);
  auto n = v ? std::nullopt
             : (t.a->args.empty() || ignoreParens(t.a->args[0])->kind != ExprKind::IntLit ? std::nullopt
                                                                                          : attrInt(t.s, t.a, 0));
  if (t.fn && ((v && (*v == "O0" || *v == "0" || *v == "-O0")) || (n && *n == 0))) t.at->optnone = true;
}

constexpr Row table[] = {
    {"abi_tag", ignore},
    {"access", ignore},
    {"alias", alias},
    {"align", aligned},
    {"aligned", aligned},
    {"alloc_align", ignore},
    {"alloc_size", allocSize},
    {"always_inline", setFunctionFlag<&DeclAttrs::alwaysInline>},
    {"artificial", setFunctionFlag<&DeclAttrs::artificial>},
    {"assume_aligned", ignore},
    {"availability", ignore},
    {"cilk_no_race", noSanitize},
    {"cilk_remote", remote},
    {"cilk_speculative", noSanitize},
    {"cilk_touches", touches},
    {"cleanup", cleanup},
    {"cold", setFlag<&DeclAttrs::cold>},
    {"common", setFlag<&DeclAttrs::common>},
    {"const", setFunctionFlag<&DeclAttrs::constant>},
    {"constructor", constructor},
    {"copy", copyAttr},
    {"counted_by", ignore},
    {"deprecated", deprecated},
    {"designated_init", ignore},
    {"destructor", constructor},
    {"diagnose_if", ignore},
    {"dllexport", ignore},
    {"dllimport", ignore},
    {"enum_extensibility", ignore},
    {"error", callError},
    {"expected_throw", ignore},
    {"externally_visible", setFlag<&DeclAttrs::externallyVisible>},
    {"fallthrough", ignore},
    {"fd_arg", ignore},
    {"fd_arg_read", ignore},
    {"fd_arg_write", ignore},
    {"flag_enum", ignore},
    {"flatten", setFunctionFlag<&DeclAttrs::flatten>},
    {"format", format},
    {"format_arg", formatArg},
    {"gcc_struct", ignore},
    {"gnu_inline", setFunctionFlag<&DeclAttrs::gnuInline>},
    {"hot", setFlag<&DeclAttrs::hot>},
    {"ifunc", ifunc},
    {"internal_linkage", ignore},
    {"leaf", setFunctionFlag<&DeclAttrs::leaf>},
    {"lower", ignore},
    {"malloc", setFunctionFlag<&DeclAttrs::malloc, true>},
    {"may_alias", ignore},
    {"maybe_unused", unused},
    {"mode", ignore},
    {"ms_abi", ignore},
    {"ms_struct", ignore},
    {"naked", setFunctionFlag<&DeclAttrs::naked>},
    {"no_icf", ignore},
    {"no_instrument_function", setFlag<&DeclAttrs::noInstrument>},
    {"no_profile_instrument_function", ignore},
    {"no_reorder", ignore},
    {"no_sanitize", noSanitize},
    {"no_sanitize_address", noSanitize},
    {"no_sanitize_memory", ignore},
    {"no_sanitize_thread", noSanitize},
    {"no_sanitize_undefined", noSanitize},
    {"no_split_stack", ignore},
    {"no_stack_limit", ignore},
    {"no_stack_protector", setFunctionFlag<&DeclAttrs::noStackProtector>},
    {"noclone", ignore},
    {"nocommon", setFlag<&DeclAttrs::nocommon>},
    {"nodebug", ignore},
    {"nodiscard", nodiscard},
    {"noduplicate", ignore},
    {"noescape", ignore},
    {"noinit", ignore},
    {"noinline", setFunctionFlag<&DeclAttrs::noinline>},
    {"noipa", setFunctionFlag<&DeclAttrs::noinline>},
    {"nonnull", nonnull},
    {"nonstring", ignore},
    {"noplt", ignore},
    {"noreturn", noreturn},
    {"nothrow", ignore},
    {"null_terminated_string_arg", ignore},
    {"objc_root_class", ignore},
    {"optimize", optimize},
    {"optnone", setFunctionFlag<&DeclAttrs::optnone>},
    {"overloadable", ignore},
    {"packed", setFlag<&DeclAttrs::packed>},
    {"patchable_function_entry", ignore},
    {"persistent", ignore},
    {"pure", setFunctionFlag<&DeclAttrs::pure>},
    {"regparm", ignore},
    {"reproducible", ignore},
    {"retain", setFlag<&DeclAttrs::used>},
    {"returns_nonnull", setFunctionFlag<&DeclAttrs::returnsNonnull>},
    {"returns_twice", setFunctionFlag<&DeclAttrs::returnsTwice>},
    {"scalar_storage_order", ignore},
    {"section", section},
    {"sentinel", setFunctionFlag<&DeclAttrs::sentinel, true>},
    {"simd", ignore},
    {"stack_protect", setFunctionFlag<&DeclAttrs::stackProtect>},
    {"stdcall", ignore},
    {"symver", symver},
    {"sysv_abi", ignore},
    {"target", targetFeatures},
    {"target_clones", ignore},
    {"tls_model", tlsModel},
    {"transparent_union", transparentUnion},
    {"unavailable", deprecated},
    {"uninitialized", setFlag<&DeclAttrs::uninitialized>},
    {"unsequenced", ignore},
    {"unused", unused},
    {"used", setFlag<&DeclAttrs::used>},
    {"vector_size", ignore},
    {"visibility", visibility},
    {"warn_if_not_aligned", ignore},
    {"warn_unused_result", setFlag<&DeclAttrs::warnUnused, true>},
    {"warning", callWarning},
    {"weak", setFlag<&DeclAttrs::weak>},
    {"weakref", weakref},
    {"zero_call_used_regs", ignore},
};

const Row *findRow(std::string_view name) {
  const Row *lo = std::begin(table), *hi = std::end(table);
  const Row *it =
      std::lower_bound(lo, hi, name, [](const Row &r, std::string_view n) { return std::string_view(r.name) < n; });
  return it != hi && name == it->name ? it : nullptr;
}

constexpr bool sortedTable() {
  for (size_t i = 1; i < std::size(table); ++i)
    if (!(std::string_view(table[i - 1].name) < std::string_view(table[i].name))) return false;
  return true;
}
static_assert(sortedTable(), "the table of attributes is searched by halving");

// ---- attributes of types ------------------------------------------------------------------------------------------

// Replaces the type at the far end of pointers, arrays and functions.
template <class F> QualType mapBase(Sema &s, QualType t, F f) {
  switch (t->kind) {
    case TypeKind::Pointer: return {s.cx.pointerTo(mapBase(s, t->as<PointerType>()->pointee, f)).type, t.quals};
    case TypeKind::Array: {
      const auto *a = t->as<ArrayType>();
      QualType e = mapBase(s, a->elem, f);
      if (a->arrayKind == ArrayKind::Constant) return s.cx.arrayOf(e, a->count);
      if (a->arrayKind == ArrayKind::Incomplete) return s.cx.incompleteArrayOf(e);
      return t;
    }
    case TypeKind::Function: {
      FunctionType fn = *t->as<FunctionType>();
      fn.result = mapBase(s, fn.result, f);
      return s.cx.functionType(fn);
    }
    default: return f(t);
  }
}

QualType vectorSize(Sema &s, QualType t, Attr *a) {
  auto bytes = attrInt(s, a, 0);
  if (!bytes) return t;
  return mapBase(s, t, [&](QualType b) -> QualType {
    if (b->isError()) return b;
    if (!(b->isInteger() || b->isFloating()) || b->isBool() || b->isEnum()) {
      s.diags.report(diag::vector_element, a->range) << toString(b);
      return b;
    }
    uint64_t size = sizeOf(b.type, s.cx.target);
    if (*bytes <= 0 || *bytes % static_cast<__int128>(size) || (*bytes & (*bytes - 1)) || *bytes > (1 << 24)) {
      s.diags.report(diag::vector_size, a->range);
      return b;
    }
    return {s.cx.vectorOf(b.type, static_cast<uint64_t>(*bytes) / size).type, b.quals};
  });
}

QualType mode(Sema &s, QualType t, Attr *a) {
  Expr *e = a->args.empty() ? nullptr : ignoreParens(a->args[0]);
  if (!e || e->kind != ExprKind::Ident || t->isError()) return t;
  std::string_view m = e->as<Ident>()->name;
  if (m.size() > 4 && m.substr(0, 2) == "__" && m.substr(m.size() - 2) == "__") m = m.substr(2, m.size() - 4);
  struct Mode {
    const char *name;
    TypeKind plain, uns;
  };
  static constexpr Mode modes[] = {{"QI", TypeKind::SChar, TypeKind::UChar}, {"byte", TypeKind::SChar, TypeKind::UChar},
      {"HI", TypeKind::Short, TypeKind::UShort}, {"SI", TypeKind::Int, TypeKind::UInt},
      {"DI", TypeKind::Long, TypeKind::ULong}, {"TI", TypeKind::Int128, TypeKind::UInt128},
      {"word", TypeKind::Long, TypeKind::ULong}, {"pointer", TypeKind::Long, TypeKind::ULong},
      {"unwind_word", TypeKind::Long, TypeKind::ULong}, {"libgcc_cmp_return", TypeKind::Long, TypeKind::ULong},
      {"libgcc_shift_count", TypeKind::Int, TypeKind::UInt}, {"HF", TypeKind::Float16, TypeKind::Float16},
      {"SF", TypeKind::Float, TypeKind::Float}, {"DF", TypeKind::Double, TypeKind::Double},
      {"XF", TypeKind::LongDouble, TypeKind::LongDouble}, {"TF", TypeKind::Float128, TypeKind::Float128}};
  if (t->isPointer() && (m == "pointer" || m == "DI" || m == "word")) return t;
  // V4SI, V2DF…: a vector of that many elements.
  uint64_t lanes = 0;
  if (m.size() > 2 && m[0] == 'V' && m[1] >= '1' && m[1] <= '9') {
    size_t i = 1;
    while (i < m.size() && m[i] >= '0' && m[i] <= '9' && lanes < 1024)
      lanes = lanes * 10 + static_cast<uint64_t>(m[i++] - '0');
    m = m.substr(i);
  }
  if (m == "SC" || m == "DC" || m == "XC" || m == "TC") {
    TypeKind k = m == "SC"   ? TypeKind::Float
                 : m == "DC" ? TypeKind::Double
                 : m == "XC" ? TypeKind::LongDouble
                             : TypeKind::Float128;
    return {s.cx.complexOf(s.cx.basic(k)).type, t.quals};
  }
  for (const Mode &row : modes) {
    if (m != row.name) continue;
    bool isFloat = s.cx.basic(row.plain)->isFloating();
    if (lanes)
      return {
          s.cx.vectorOf(s.cx.basic(!isFloat && t->isInteger() && !isSigned(t.type, s.cx.target) ? row.uns : row.plain),
                  lanes)
              .type,
          t.quals};
    if (isFloat ? !t->isFloating() : !t->isInteger()) {
      if (t->isComplex() || t->isVector()) return t;
      s.diags.report(diag::mode_mismatch, a->range) << m << toString(t);
      return t;
    }
    return {s.cx.basic(t->isInteger() && !isSigned(t.type, s.cx.target) ? row.uns : row.plain), t.quals};
  }
  s.diags.report(diag::unknown_mode, a->range) << m;
  return t;
}

// The attribute ms_abi: of the function itself, or of what a pointer to functions points to.
QualType windowsConvention(Sema &s, QualType t) {
  if (t->isPointer()) return {s.cx.pointerTo(windowsConvention(s, t->as<PointerType>()->pointee)).type, t.quals};
  if (t->isArray() && t->as<ArrayType>()->arrayKind == ArrayKind::Constant)
    return s.cx.arrayOf(windowsConvention(s, t->as<ArrayType>()->elem), t->as<ArrayType>()->count);
  if (!t->isFunction() || t->as<FunctionType>()->isCilk || t->as<FunctionType>()->isInlet) return t;
  FunctionType f = *t->as<FunctionType>();
  f.msAbi = true;
  return s.cx.functionType(f);
}

}  // namespace

QualType Types::typeAttrs(QualType t, const Attrs &attrs, Range) {
  for (Attr *a : attrs) {
    if (!t.type) break;
    if (a->name == "vector_size") t = vectorSize(sema, t, a);
    else if (a->name == "mode") t = mode(sema, t, a);
    else if (a->name == "ms_abi") t = windowsConvention(sema, t);
    else if (a->name == "noreturn" && t->isPointer() && t->as<PointerType>()->pointee->isFunction()) {
      FunctionType f = *t->as<PointerType>()->pointee->as<FunctionType>();
      f.noreturn = true;
      t = QualType(cx.pointerTo(cx.functionType(f)).type, t.quals);
    }
  }
  return t;
}

void Types::refuseTwoConventions(QualType t, const Attrs &attrs) {
  for (Attr *a : attrs) {
    if (a->name != "sysv_abi" || !t.type) continue;
    while (t->isPointer() || t->isArray())
      t = t->isPointer() ? t->as<PointerType>()->pointee : t->as<ArrayType>()->elem;
    if (t->isFunction() && t->as<FunctionType>()->msAbi) sema.diags.report(diag::two_conventions, a->range);
  }
}

void Types::applyAttrs(Decl *d, const Attrs &attrs) {
  if (!d) return;
  Target t{sema, nullptr, d, nullptr, nullptr, nullptr};
  if (d->kind == DeclKind::Var) {
    t.var = d->as<VarDecl>();
    t.at = &t.var->attrs;
  } else if (d->kind == DeclKind::Function) {
    t.fn = d->as<FunctionDecl>();
    t.at = &t.fn->attrs;
  }
  for (Attr *a : attrs) {
    if (!a || sema.ds->specifiers.taken.count(a)) continue;
    t.a = a;
    if (const Row *row = findRow(a->name)) row->action(t);
    else diags.report(diag::unknown_attribute, a->range) << a->name;
  }
}

}  // namespace cilkc
