// session.h - what one parse needs, put together: tokens, names, stream, leaves, parser.
#pragma once
#include "frontend/parse/lex.h"
#include "frontend/parse/parser.h"

namespace cilkc::parsing {

struct Session {
  Session(const SourceManager &, const LangOptions &, DiagnosticEngine &);

  // Calls each(ExternalDeclarationContext *) for every external declaration, in order; the context dies after the call.
  template <class F> void run(F each) {
    stopped = tokens.tooDeep;
    if (stopped) return;
    try {
      while (stream.current().type != UINT16_MAX) {
        size_t at = stream.index();
        CilkParser::ExternalDeclarationContext *context = parser.externalDeclaration();
        each(context);
        parser.getTreeTracker().reset();
        if (stream.index() == at && !parser.readsAgain()) stream.consume();
      }
    } catch (const Stop &) { stopped = true; }
  }

  Tokens tokens;
  struct Lexed {
    Lexed(const SourceManager &, const LangOptions &, DiagnosticEngine &, Tokens &);
  } lexed;
  Names names;
  TokenStream stream;
  Leaves leaves;
  Parser parser;
  bool stopped = false;  // something was too much, and what follows it has not been read
};

}  // namespace cilkc::parsing
