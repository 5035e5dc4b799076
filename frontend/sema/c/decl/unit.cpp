// unit.cpp - external declarations, pragmas at their places, and what can only be decided at the end of the unit:
// tentative definitions (C17 6.9.2), inline definitions (6.7.4p7) and unused statics.
#include <algorithm>
#include <unordered_map>
#include "frontend/sema/c/core/declstate.h"
#include "diag/parse.h"
#include "diag/sema_decl.h"

namespace cilkc {

void Decls::externalDecl(ExternalDecl &d) {
  if (d.range.valid()) compilingNow = d.range.begin;
  if (d.function) functionDefinition(d.function, false);
  else if (d.decl) declaration(d.decl, true);
  else if (d.sassert) staticAssert(d.sassert);
  else if (d.pragma) pragma(d.pragma);
}

// ---- the end of the unit ------------------------------------------------------------------------------------------

namespace {

void finishVariable(Sema &s, VarDecl *v) {
  if (v->linkage == Linkage::None) return;
  if (v->init && !v->attrs.alias.empty()) s.diags.report(diag::redefined, v->range) << v->name;
  if (v->tentative && !v->isDefinition) {
    v->isDefinition = true;
    if (v->type->isArray() && v->type->as<ArrayType>()->arrayKind == ArrayKind::Incomplete) {
      s.diags.report(diag::tentative_array, v->range) << v->name;
      v->type = s.cx.arrayOf(v->type->as<ArrayType>()->elem, 1);
    }
    if (!v->type->isError() &&
        !s.types.requireComplete(v->type, v->range, ("variable '" + std::string(v->name) + "'").c_str()))
      v->type = s.cx.basic(TypeKind::Error);
  }
  if (v->linkage == Linkage::Internal && !v->used && !v->attrs.unused && !v->attrs.used && v->isDefinition &&
      !s.diags.hadError()) {
    QualType t = v->type;
    while (t->isArray()) t = t->as<ArrayType>()->elem;
    // As gcc has it: constants in headers only when asked for by name.
    const SourceManager &sm = s.diags.sources();
    auto asked = s.diags.options().enabled.find("unused-const-variable");
    const SourceFile *file = sm.presumed(v->range.begin).file;
    bool here = !file || file->name == sm.mainName() || (asked != s.diags.options().enabled.end() && asked->second);
    if (t.isConst() && !here) return;
    if (t.isConst()) s.diags.report(diag::unused_const_variable, v->range) << v->name;
    else s.diags.report(diag::unused_static_variable, v->range) << v->name;
  }
}

void finishFunction(Sema &s, FunctionDecl *f) {
  Declared &info = s.ds->linkage.declared[f];
  if (f->def && f->isInline && f->linkage == Linkage::External) {
    bool gnu = f->attrs.gnuInline || s.cx.lang.gnuInline || s.cx.lang.std == LangOptions::C89;
    f->externInline = gnu ? !info.defExternInline : info.plainOrExtern;
  } else if (f->def) {
    f->externInline = true;
  }
  if (f->def && (!f->attrs.alias.empty() || f->attrs.ifunc)) s.diags.report(diag::redefined, f->range) << f->name;
  if (f->attrs.weakref && f->linkage != Linkage::Internal) s.diags.report(diag::weakref_static, f->range) << f->name;
  if (s.diags.hadError() || !info.where.valid()) return;
  bool elsewhere = !f->attrs.alias.empty() || f->attrs.weakref || f->attrs.ifunc || f->builtin || f->attrs.hasAsmLabel;
  if (f->linkage == Linkage::Internal) {
    if (!f->def && f->used && !elsewhere) s.diags.report(diag::static_undefined, f->range) << f->name;
    else if (!f->def && !elsewhere && !f->attrs.unused) s.diags.report(diag::static_never_defined, f->range) << f->name;
    else if (f->def && !f->used && !f->attrs.unused && !f->attrs.used && !f->isInline && !f->attrs.constructor &&
             !f->attrs.destructor)
      s.diags.report(diag::unused_function, f->range) << f->name;
  } else if (f->isInline && !f->def && !elsewhere && f->linkage == Linkage::External && f->name != "main" &&
             !f->attrs.gnuInline && s.cx.lang.std != LangOptions::C89) {
    s.diags.report(diag::inline_undefined, f->range) << f->name;
  }
}

// `extern T EXPORT(f)(CilkContext *const, …)` beside the cilk procedure f: the stub has f's result and, after the
// context, f's parameters.
void checkExports(Sema &s) {
  std::unordered_map<std::string_view, const FunctionDecl *> procedures;
  for (auto *f : s.tu->functions)
    if (f->type && f->type->isFunction() && f->type->as<FunctionType>()->isCilk) procedures.emplace(f->name, f);
  if (procedures.empty()) return;
  for (auto *stub : s.tu->functions) {
    if (stub->def || stub->name.substr(0, 3) != "mt_" || !stub->type || !stub->type->isFunction()) continue;
    auto it = procedures.find(stub->name.substr(3));
    if (it == procedures.end()) continue;
    auto *have = stub->type->as<FunctionType>(), *want = it->second->type->as<FunctionType>();
    // Old programs leave out the type, even of a procedure without a result.
    bool same = s.compat.compatible(have->result.unqual(), want->result.unqual()) ||
                (want->result->isVoid() && have->result->kind == TypeKind::Int);
    if (have->prototype && want->prototype) {
      same = same && have->params.size() == want->params.size() + 1 && have->params[0]->isPointer();
      for (size_t i = 0; same && i < want->params.size(); i++)
        same = s.compat.compatible(have->params[i + 1].unqual(), want->params[i].unqual());
    }
    if (!same)
      s.diags.report(diag::conflicting_types, stub->range)
              .note(it->second->range, "the procedure that it calls is '" + toString(it->second->type) + "'")
          << ("EXPORT(" + std::string(it->first) + ")") << toString(stub->type);
  }
}

}  // namespace

void Decls::finishUnit() {
  for (size_t i = 0; i < sema.tu->globals.size(); ++i) finishVariable(sema, sema.tu->globals[i]);
  for (size_t i = 0; i < sema.tu->functions.size(); ++i) finishFunction(sema, sema.tu->functions[i]);
  checkExports(sema);
}

// ---- pragmas ------------------------------------------------------------------------------------------------------

namespace {

// Words, numbers, strings (with their quotes) and single characters of a pragma.
struct PragmaText {
  std::string_view text;
  size_t at = 0;
  std::string_view next() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    if (at >= text.size()) return {};
    size_t from = at;
    auto word = [](char c) {
      return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    if (text[at] == '"') {
      ++at;
      while (at < text.size() && text[at] != '"') ++at;
      if (at < text.size()) ++at;
    } else if (word(text[at])) {
      while (at < text.size() && word(text[at])) ++at;
    } else {
      ++at;
    }
    return text.substr(from, at - from);
  }
};

std::string_view unquote(std::string_view s) {
  return s.size() >= 2 && s.front() == '"' ? s.substr(1, s.size() - 2) : s;
}

// pack(n), pack(), pack(push), pack(push, n), pack(push, name, n), pack(pop), pack(pop, name)
void pragmaPack(Sema &s, PragmaText &t, Range where) {
  auto bad = [&](const char *expected) { s.diags.report(diag::bad_pragma, where) << "pack" << expected; };
  if (t.next() != "(") return bad("'('");
  std::string_view w = t.next();
  auto number = [&](std::string_view n, uint32_t &value) {
    if (n.empty() || n[0] < '0' || n[0] > '9') return false;
    uint32_t v = 0;
    for (char c : n) {
      if (c < '0' || c > '9' || v > 1000) return false;
      v = v * 10 + static_cast<uint32_t>(c - '0');
    }
    if (v && (v & (v - 1) || v > 16)) return false;
    value = v;
    return true;
  };
  if (w == ")") {
    s.ds->pragmas.pack = 0;
    return;
  }
  if (w == "push") {
    s.ds->pragmas.pushedPacks.push_back(s.ds->pragmas.pack);
    while ((w = t.next()) == ",") {
      w = t.next();
      if (!w.empty() && w[0] >= '0' && w[0] <= '9' && !number(w, s.ds->pragmas.pack)) return bad("1, 2, 4, 8 or 16");
    }
    return;
  }
  if (w == "pop") {
    if (s.ds->pragmas.pushedPacks.empty()) {
      s.diags.report(diag::pack_pop_empty, where);
      return;
    }
    s.ds->pragmas.pack = s.ds->pragmas.pushedPacks.back();
    s.ds->pragmas.pushedPacks.pop_back();
    return;
  }
  if (!number(w, s.ds->pragmas.pack)) bad("1, 2, 4, 8 or 16");
}

void pragmaWeak(Sema &s, PragmaText &t, Range where) {
  std::string_view name = s.cx.intern(t.next());
  if (name.empty()) {
    s.diags.report(diag::bad_pragma, where) << "weak" << "a name";
    return;
  }
  std::string_view target;
  if (t.next() == "=") target = s.cx.intern(t.next());
  DeclAttrs *attrs = nullptr;
  if (auto it = s.ds->linkage.linked.find(name); it != s.ds->linkage.linked.end())
    attrs = it->second->kind == DeclKind::Function ? &it->second->as<FunctionDecl>()->attrs
            : it->second->kind == DeclKind::Var    ? &it->second->as<VarDecl>()->attrs
                                                   : nullptr;
  if (attrs) {
    attrs->weak = true;
    if (!target.empty()) attrs->alias = target;
  }
  s.ds->pragmas.weakNames.insert(name);
  if (!target.empty()) s.ds->pragmas.weakAliases[name] = target;
}

void pragmaVisibility(Sema &s, PragmaText &t, Range where) {
  std::string_view w = t.next();
  if (w == "pop") {
    if (s.ds->pragmas.visibility.empty()) s.diags.report(diag::visibility_pop_empty, where);
    else s.ds->pragmas.visibility.pop_back();
    return;
  }
  if (w != "push" || t.next() != "(") {
    s.diags.report(diag::bad_pragma, where) << "GCC visibility" << "push(…) or pop";
    return;
  }
  w = t.next();
  s.ds->pragmas.visibility.push_back(w == "hidden"      ? Visibility::Hidden
                                     : w == "protected" ? Visibility::Protected
                                     : w == "internal"  ? Visibility::Internal
                                                        : Visibility::Default);
}

// #pragma GCC target("avx2", "fma"): for the functions that follow, above what held before.
void pragmaTarget(Sema &s, PragmaText &t, Range where) {
  std::string all;
  for (std::string_view w = t.next(); !w.empty(); w = t.next())
    if (w[0] == '"') all += (all.empty() ? "" : ",") + std::string(unquote(w));
  if (all.empty()) s.diags.report(diag::bad_pragma, where) << "GCC target" << "a string";
  else s.ds->pragmas.target += (s.ds->pragmas.target.empty() ? "" : ",") + all;
}

}  // namespace

void Decls::pragma(PragmaDecl *p) {
  if (!p) return;
  PragmaText t{p->text};
  std::string_view w = t.next();
  if (w == "pack") return pragmaPack(sema, t, p->range);
  if (w == "cilk") return sema.hooks.pragma(p, p->text.substr(t.at));
  if (w == "weak") return pragmaWeak(sema, t, p->range);
  if (w == "redefine_extname") {
    std::string_view from = cx.intern(t.next()), to = cx.intern(t.next());
    if (!from.empty() && !to.empty()) sema.ds->pragmas.renamed[from] = to;
    return;
  }
  if (w == "GCC" || w == "clang") {
    std::string_view k = t.next();
    if (k == "visibility") pragmaVisibility(sema, t, p->range);
    else if (k == "target") pragmaTarget(sema, t, p->range);
    else if (k == "push_options") sema.ds->pragmas.pushedTargets.push_back(sema.ds->pragmas.target);
    else if (k == "reset_options") sema.ds->pragmas.target.clear();
    else if (k == "pop_options" && !sema.ds->pragmas.pushedTargets.empty()) {
      sema.ds->pragmas.target = sema.ds->pragmas.pushedTargets.back();
      sema.ds->pragmas.pushedTargets.pop_back();
    } else if (k == "diagnostic") {
      std::string_view action = t.next(), option = unquote(t.next());
      diags.pragma(p->range.begin, action, option);
    }
    return;
  }
  // What other compilers and tools read, and what the preprocessor and the lexer have dealt with.
  static constexpr std::string_view quiet[] = {"STDC", "once", "ident", "lang", "nd", "ndwarn", "segments", "omp",
      "acc", "message", "region", "endregion", "mark", "push_macro", "pop_macro", "scalar_storage_order", "warning",
      "comment", "optional", "intrinsic", "no", "unroll", "nounroll", "ivdep"};
  if (!w.empty() && std::find(std::begin(quiet), std::end(quiet), w) == std::end(quiet))
    diags.report(diag::unknown_pragma, p->range) << w;
}

}  // namespace cilkc
