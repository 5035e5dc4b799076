// build.cpp - the builder's common parts: walking, names, external declarations, pragmas. See build.h.
#include "frontend/parse/build.h"
#include "diag/parse.h"
#include <algorithm>
#include <sstream>

namespace cilkc::parsing {

Builder::Builder(AstContext &c, DiagnosticEngine &d, Tokens &t, Leaves &l, const Parser &p, TranslationUnit &u)
    : cx(c), diags(d), tokens(t), leaves(l), parser(p), unit(u), literals(c, d), interned(t.words.size()) {}

Rule *Builder::child(Rule *r, size_t wanted) const {
  for (Node *c : r->children)
    if (rule(c) == wanted) return asRule(c);
  return nullptr;
}

Range Builder::range(const Rule *r) const {
  auto *start = static_cast<const Token *>(r->start), *stop = static_cast<const Token *>(r->stop);
  if (!stop || stop->index < start->index) return start->range();
  return Range{Loc::at(start->start), Loc::at(stop->start + stop->length)};
}

std::string_view Builder::name(const Token &t) {
  std::string_view &s = interned[t.symbol];
  if (s.empty()) s = cx.intern(tokens.words[t.symbol]);
  return s;
}

void Builder::external(CilkParser::ExternalDeclarationContext *r) {
  while (pragmaPending(r))
    if (PragmaDecl *p = nextPragma()) {
      ExternalDecl &e = unit.decls.emplace_back();
      e.pragma = p;
      e.range = p->range;
    }
  if (!r->exception && r->children.size() == 1 && isLeaf(r->children[0])) diags.report(diag::extra_semicolon, range(r));
  if (r->exception || r->children.empty() || isLeaf(r->children[0])) return;     // ';'
  Rule *inner = asRule(r->children[0]);
  ExternalDecl e;
  e.range = range(r);
  if (inner->getRuleIndex() == P::RuleAsmDeclaration) {
    e.fileAsm = fileAsm(inner);
  } else {
    Declared d = declaration(inner);
    e.function = d.function;
    e.decl = d.function ? nullptr : d.decl;
    e.sassert = d.sassert;
  }
  unit.decls.push_back(e);
}

void Builder::finish() {
  while (pragmaIndex < tokens.pragmas.size())
    if (PragmaDecl *p = nextPragma()) {
      ExternalDecl &e = unit.decls.emplace_back();
      e.pragma = p;
      e.range = p->range;
    }
}

// Is there a pragma before this node (or, for null, any)?
bool Builder::pragmaPending(Rule *before) const {
  return pragmaIndex < tokens.pragmas.size() &&
         (!before || tokens.pragmas[pragmaIndex].index <= static_cast<const Token *>(before->start)->index);
}

// Options of the attribute and the pragma `optimize`. (In system headers may_alias is on vector types and socket
// addresses, which are reached through char.)
void Builder::aliasing(std::string_view options, Range where) {
  if (options.find("no-strict-aliasing") != options.npos && !diags.sources().inSystemHeader(where.begin))
    unit.typesAlias = true;
}

PragmaDecl *Builder::nextPragma() {
  const Pragma &p = tokens.pragmas[pragmaIndex++];
  std::string_view first = p.text.substr(0, p.text.find_first_of(" \t("));
  auto oneOf = [&](std::initializer_list<std::string_view> list) {
    for (std::string_view s : list)
      if (first == s) return true;
    return false;
  };
  if (oneOf({"pack", "weak", "redefine_extname", "GCC", "clang", "STDC", "scalar_storage_order", "cilk"})) {
    PragmaDecl *d = at<PragmaDecl>(p.range);
    d->text = cx.intern(p.text);
    std::istringstream words{std::string(d->text)};
    std::string stdc, name, value;
    if (words >> stdc >> name >> value && stdc == "STDC" && name == "FENV_ACCESS" && value == "ON")
      unit.readsFloatEnvironment = true;
    if (first == "GCC" && d->text.find("optimize") != d->text.npos) aliasing(d->text, d->range);
    return d;
  }
  if (first == "omp" && !warnedOfOpenMp && !diags.sources().inSystemHeader(p.range.begin)) {
    bool cilk = isCilk(tokens.list[std::min<size_t>(p.index, tokens.list.size() - 1)].dialect);
    warnedOfOpenMp = cilk;  // once is enough
    if (cilk)
      diags.report(diag::openmp, p.range)
              .note(p.range,
                  "spawn the halves of the range, or include <par.cilkh> and write `spawn par_for(low, high, body, context);`")
          << "#pragma omp";
    else diags.report(diag::unknown_pragma, p.range) << first;
  }
  // Other compilers' and the preprocessor's, and those of the Cilk-5 compiler.
  if (!oneOf({"once", "push_macro", "pop_macro", "ident", "message", "omp", "region", "endregion", "mark", "nd",
          "ndwarn", "cilk", "segments", "optional", "int_to_unsigned", "intrinsic", "no-side-effects"}))
    diags.report(diag::unknown_pragma, p.range) << (first.empty() ? p.text : first);
  return nullptr;
}

}  // namespace cilkc::parsing
