// lex.h - preprocessed text -> tokens. Drives the generated CilkLexer and does what its grammar leaves to the token
// source.
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/parse/tokens.h"
#include "frontend/source/diagnostics.h"

namespace cilkc::parsing {

// Never fails: what is wrong is reported and passed over. onlyGrammar switches the short cuts off, so that tests can
// compare them with the grammar.
void lex(const SourceManager &, const LangOptions &, DiagnosticEngine &, Tokens &out, bool onlyGrammar = false);

// Gives tokens another type where those after them decide it. The list is complete. decisions.cpp
void decideByContext(std::vector<Token> &);

// Puts the keywords of the language into the table of words (words.cpp). Call before lexing.
void enterKeywords(Words &, const LangOptions &);
bool isKeywordOfC23(std::string_view);  // and a name before
// The dialect that a keyword belongs to, C for all others; the keywords of a dialect.
Dialect dialectOfWord(size_t type);
std::vector<std::string_view> wordsOf(Dialect);
// How a word is to be taken: 0 as a name, `dropWord` not at all, `extensionWord` as the beginning of a stretch of GNU
// C, else a token type.
inline constexpr uint16_t dropWord = UINT16_MAX - 1, extensionWord = UINT16_MAX - 2;

}  // namespace cilkc::parsing
