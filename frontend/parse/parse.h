// parse.h - the public face of the parser: preprocessed text -> AST.
//
// Input: the text of a SourceManager; the language in AstContext::lang. Output: a TranslationUnit in the context's
// arena, purely syntactic, every node with its range. Errors go to the engine. Declarations and statements in error are
// left out or replaced by error nodes, so the unit is never null. The unit is fit for sema only if no error was
// reported, or if sema's further errors are wanted. Never throws, never exits; no state is kept between calls, and
// calls in different threads do not disturb each other. Any bytes are accepted. Nesting is bounded by the stack that
// the caller has (about 1 KB for each level).
#pragma once
#include <iosfwd>
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc {

struct ParseStatistics {
  size_t tokens = 0;
  double lexSeconds = 0, parseSeconds = 0;
};

TranslationUnit *parse(const SourceManager &, AstContext &, DiagnosticEngine &, ParseStatistics * = nullptr);

// The expression that is the text of a pragma; its nodes have the pragma's range. nullptr: it is none.
Expr *parseExpression(std::string_view text, Range, AstContext &);

// --emit=tokens: one token a line: file:line:column, kind, text.
void dumpTokens(const SourceManager &, AstContext &, DiagnosticEngine &, std::ostream &);
// --emit=tree: the parse tree by the rules of grammar/CilkParser.g4, one node a line, indented.
void dumpTree(const SourceManager &, AstContext &, DiagnosticEngine &, std::ostream &);

}  // namespace cilkc
