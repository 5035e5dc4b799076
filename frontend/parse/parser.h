// parser.h - the generated CilkParser with what the grammar leaves out: scopes, a depth guard, error messages,
// recovery.
//
// Scopes follow the rules of the grammar: entering a compoundStatement opens one, leaving closes it; leaving a full
// declarator declares its name. All of it is done in four functions that the generated code calls anyhow, so the
// grammar needs no actions.
//
// Errors. The first RecognitionException in a rule is reported in C's words and thrown on to the next rule that can
// recover: an external declaration, a struct member, a statement. There tokens are skipped to a likely end of the
// construct, and parsing goes on. Nodes on the way keep their `exception`, by which the builder knows not to use them.
#pragma once
#include <unordered_set>
#include <vector>
#include "CilkParser.h"
#include "frontend/parse/token_stream.h"
#include "frontend/parse/tree.h"
#include "frontend/source/diagnostics.h"

namespace cilkc::parsing {

// Is the name a word with one letter too many, too few, another one, or two swapped?
bool misspells(std::string_view name, std::string_view word);

// Thrown out of the parser when it must stop altogether; already reported.
struct Stop {};

class Parser final : public CilkParser {
public:
  Parser(TokenStream &, Names &, Leaves &, DiagnosticEngine &, bool c23);

  // Was this name taken for a type because only a type is possible at its place? (Reported.)
  const std::unordered_set<Symbol> &unknownTypeNames() const { return unknownTypes; }
  // What recovery left out: was there anything, and the names in it.
  bool isDamaged() const { return left; }
  const std::unordered_set<Symbol> &damagedNames() const { return damaged; }
  // Is the external declaration that was just left to be read once more?
  bool readsAgain() const { return again; }

  // What the generated code calls.
  antlr4::Token *match(size_t type) override;
  antlr4::Token *consume() override;
  void enterRule(Rule *, size_t state, size_t rule) override;
  void triggerExitRuleEvent() override;
  void addContextToParseTree() override;

private:
  friend class ErrorStrategy;

  // ---- scopes (scopes.cpp) ----
  void enterScope(Rule *, size_t rule);
  void leaveScope(Rule *, size_t rule);
  void leaveDeclarator(Rule *);
  void enterBody();

  using Bindings = std::vector<std::pair<Symbol, Names::Meaning>>;
  // A declaration, parameter, member or type name that is being read.
  struct Declaring {
    bool isTypedef = false;
    bool isMember = false;
    Rule *declarator = nullptr;    // the last full declarator
    Bindings parameters;           // of the function that it declares, if any
  };
  // A full declarator that is being read.
  struct Declarator {
    Token *name = nullptr;
    bool haveParameters = false;
    Bindings parameters;
  };
  std::vector<Declaring> declarings;
  std::vector<Declarator> declarators;
  size_t lastNew = SIZE_MAX;       // the token that was declared last, if its name had been unknown

  // ---- errors (errors.cpp) ----
  void report(Rule *, Token &offending);
  void reportExpected(Rule *, size_t expected);
  bool unknownTypeName(Rule *, Token &offending);
  void unknownType(Token &name);
  std::string shown(const Token &) const;            // in a message
  const char *tagOf(const Token &name);
  bool strangeWord(Token &offending);
  bool isUnknown(const Token &name) const;
  size_t before(size_t closing);                     // the token before the parenthesis that is closed there

  // ---- what other languages and slips make of C (foreign.cpp) ----
  bool foreignWord(Token &word);
  bool foreignSyntax(Rule *, Token &offending);
  bool reducerMacro(const Token &offending);
  bool loopOfLibrary(Token &offending);
  bool keywordMisspelt(Token &offending);
  bool bodyCutOff(Token &offending);
  Token *functionInside(size_t end);                 // that begins at the margin, before another one is closed
  Token *openBrace(size_t end);                      // the '{' whose own '}' seems to be missing
  bool threadSpelling(Token &offending);             // thread_errors.cpp
  void otherCilk(Token &word, std::string_view advice);
  void enterExpressionStatement();
  void countError();
  bool insertable(size_t expected);
  void recover(Rule *);
  void leaveOut(size_t from, size_t to);
  void skipTo(const antlr4::misc::IntervalSet &first, bool inBraces);

  TokenStream &stream;
  Names &names;
  Leaves &leaves;
  DiagnosticEngine &diags;
  const bool c23;
  size_t depth = 0, maxDepth;
  size_t expectedType = 0;         // of a failed match(), for the message
  bool pending = false;            // an error is reported, and recovery still to come
  bool rewind = false;             // recovery: read the construct again
  bool again = false;              // the last recovery went back
  size_t lastError = SIZE_MAX;     // token at which the last error was reported
  unsigned errors = 0;
  std::unordered_set<Symbol> unknownTypes, damaged;
  bool left = false, reportedOtherCilk = false;
};

}  // namespace cilkc::parsing
