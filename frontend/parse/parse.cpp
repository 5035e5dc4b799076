// parse.cpp - see parse.h. Each external declaration is parsed, built and its parse tree freed before the next is read.
// So the memory for parse trees is that of the largest one.
#include "frontend/parse/parse.h"
#include <chrono>
#include "frontend/ast/visit.h"
#include "frontend/parse/build.h"
#include "frontend/parse/session.h"

namespace cilkc {

namespace parsing {

Session::Lexed::Lexed(const SourceManager &sm, const LangOptions &lang, DiagnosticEngine &diags, Tokens &tokens) {
  lex(sm, lang, diags, tokens);
  // Names that are types without a declaration; numbered before the table of names is made.
  for (const char *s : {"__builtin_va_list", "__int128_t", "__uint128_t"}) tokens.words.number(s);
}

Session::Session(const SourceManager &sm, const LangOptions &lang, DiagnosticEngine &diags)
    : lexed(sm, lang, diags, tokens), names(tokens.words.size()), stream(tokens, names), leaves(tokens.list),
      parser(stream, names, leaves, diags, lang.std >= LangOptions::C2x) {
  for (const char *s : {"__builtin_va_list", "__int128_t", "__uint128_t"})
    names.declare(tokens.words.number(s), Names::Type);
}

}  // namespace parsing

TranslationUnit *parse(const SourceManager &sm, AstContext &cx, DiagnosticEngine &diags, ParseStatistics *statistics) {
  using namespace parsing;
  auto now = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
  double start = now();
  TranslationUnit *unit = cx.make<TranslationUnit>();
  Session session(sm, cx.lang, diags);
  double lexed = now();
  Builder builder(cx, diags, session.tokens, session.leaves, session.parser, *unit);
  session.run([&](CilkParser::ExternalDeclarationContext *context) { builder.external(context); });
  builder.finish();
  unit->damaged = session.parser.isDamaged();
  unit->abandoned = session.stopped;
  for (const auto *names : {&session.parser.damagedNames(), &session.parser.unknownTypeNames()})
    for (Symbol s : *names) unit->damagedNames.insert(cx.intern(session.tokens.words[s]));
  if (statistics) *statistics = {session.tokens.list.size(), lexed - start, now() - lexed};
  return unit;
}

Expr *parseExpression(std::string_view text, Range range, AstContext &cx) {
  SourceManager sm("long expression = (" + std::string(text) + "\n);\n", "pragma");
  DiagnosticEngine quiet(sm, DiagOptions{});
  const TranslationUnit *unit = parse(sm, cx, quiet);
  if (quiet.hadError() || unit->damaged || unit->decls.size() != 1) return nullptr;
  const Declaration *d = unit->decls[0].decl;
  if (!d || d->declarators.size() != 1 || !d->declarators[0].init || !d->declarators[0].init->expr) return nullptr;
  Expr *e = d->declarators[0].init->expr;
  eachNode(static_cast<const Expr *>(e), Walk::Written,
      [&](const auto *n) { const_cast<std::remove_cvref_t<decltype(*n)> *>(n)->range = range; });
  return e;
}

}  // namespace cilkc
