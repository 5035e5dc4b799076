// literals.h - the text of number, character and string literals -> their values (C17 6.4.4, 6.4.5).
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/parse/tokens.h"
#include "frontend/source/diagnostics.h"

namespace cilkc::parsing {

class Literals {
public:
  Literals(AstContext &c, DiagnosticEngine &d) : cx(c), diags(d) {}
  // An IntLit or a FloatLit; an ErrorExpr after a report.
  Expr *number(const Token &);
  CharLit *character(const Token &);
  // Adjacent literals, joined (at least one).
  StringLit *string(const std::vector<const Token *> &);
  // The same where only a plain string is allowed: asm, alias names.
  std::string plainString(const std::vector<const Token *> &);

private:
  struct Piece {
    StrPrefix prefix;
    std::string_view body;
    uint32_t offset;
    bool raw;
  };   // between the quotes
  Piece take(const Token &, char quote) const;
  // Decodes one piece into code units of `unit` bytes; narrow text is passed through byte by byte.
  template <class Put> void decode(const Piece &, unsigned unit, bool unicode, Put put);
  uint32_t escape(std::string_view s, size_t &i, uint32_t offset, unsigned unit, bool &codePoint);
  Expr *integer(const Token &, std::string_view digits, unsigned base);
  Expr *floating(const Token &, std::string_view text, bool hex);
  Expr *error(const Token &);
  unsigned unitOf(StrPrefix) const;

  AstContext &cx;
  DiagnosticEngine &diags;
};

}  // namespace cilkc::parsing
