// build.h - parse tree -> AST, one external declaration at a time.
//
// One function per rule of the grammar, by a switch over the rules of a context's children; no visitor objects. Nodes
// whose context has an exception are not looked into: an ErrorStmt or nothing stands for them. What the grammar accepts
// too much is reported here. The builder recurses where the program nests (the parser has bounded that), and iterates
// along whatever is merely long: operators, labels, else-ifs, initialisers, pointers.
#pragma once
#include "frontend/ast/ast.h"
#include "frontend/parse/literals.h"
#include "frontend/parse/parser.h"

namespace cilkc::parsing {

class Builder {
public:
  Builder(AstContext &, DiagnosticEngine &, Tokens &, Leaves &, const Parser &, TranslationUnit &);
  // Appends what the context declares, after the pragmas that precede it.
  void external(CilkParser::ExternalDeclarationContext *);
  // The pragmas after the last declaration.
  void finish();

private:
  using P = CilkParser;
  static constexpr size_t LeafRule = SIZE_MAX;

  // ---- walking ----
  bool isLeaf(const Node *n) const { return leaves.contains(n); }
  Token &token(Node *n) const { return *static_cast<Leaf *>(n)->token; }
  size_t rule(Node *n) const { return isLeaf(n) ? LeafRule : static_cast<Rule *>(n)->getRuleIndex(); }
  size_t type(Node *n) const { return isLeaf(n) ? token(n).type : 0; }  // token type; 0: not a leaf
  Rule *asRule(Node *n) const { return static_cast<Rule *>(n); }
  Rule *child(Rule *, size_t rule) const;  // the first of that rule, or null
  Range range(const Rule *) const;
  Range rangeOf(Node *n) const { return isLeaf(n) ? token(n).range() : range(asRule(n)); }
  static bool isName(size_t type) { return type == P::Identifier || type == P::TypedefName; }
  std::string_view name(const Token &);
  template <class T> T *at(Range r) {
    T *n = cx.make<T>();
    n->range = r;
    return n;
  }

  // ---- declarations (build_decl.cpp) ----
  struct Declared {
    FunctionDef *function = nullptr;
    Declaration *decl = nullptr;
    StaticAssert *sassert = nullptr;
  };
  Declared declaration(Rule *);  // declaration or implicitIntDeclaration
  Declared declarators(Rule *list, Declarator *first, DeclSpecs *, Declaration *);
  InitDeclarator initDeclarator(Rule *, Attrs before);
  void declaratorSuffix(Rule *, Declarator *);
  void checkNoDeclarator(const DeclSpecs *);
  void redeclaresFloat(DeclSpecs *);
  FunctionDef *functionDefinition(Rule *body, DeclSpecs *, Declarator *);
  Declaration *oldStyleParameters(Rule *);
  StaticAssert *staticAssert(Rule *);
  FileAsm *fileAsm(Rule *);
  Declarator *declarator(Rule *);  // any of the four kinds
  void declaratorInto(Rule *, Declarator *);
  void pointersInto(Rule *, Declarator *);
  DeclChunk arraySuffix(Rule *);
  DeclChunk functionSuffix(Rule *);
  void parameters(Rule *list, DeclChunk &);
  ParamDecl *parameter(Rule *);
  TypeName *typeName(Rule *);
  Initializer *initializer(Rule *);
  InitList *bracedInitializer(Rule *);
  InitItem initializerItem(Rule *);
  bool pragmaPending(Rule *before) const;
  PragmaDecl *nextPragma();  // null: it says nothing to later stages
  void aliasing(std::string_view options, Range where);

  // ---- specifiers and attributes (build_spec.cpp) ----
  void specifiersInto(Rule *, DeclSpecs *);  // specifier, plainSpecifier or typeSpecifiers
  void plainSpecifier(Rule *, DeclSpecs *);
  void finishSpecifiers(DeclSpecs *);
  void typeSpecifier(Rule *, DeclSpecs *);
  void typedefName(const Token &, DeclSpecs *);
  void qualifier(Node *, uint8_t &quals, DeclSpecs *, DeclChunk *);
  RecordSpec *record(Rule *);
  void structMember(Rule *, RecordSpec *);
  void structDeclarators(Rule *, StructMember &);
  EnumSpec *enumeration(Rule *);
  void attribute(Rule *, Attrs &);
  void attributeList(Rule *, bool standard, Attrs &);

  // ---- statements (build_stmt.cpp) ----
  CompoundStmt *compound(Rule *);
  Stmt *statement(Rule *);  // statement: labels and all
  Stmt *nothing(Range where);  // the statement after a label at the end
  Stmt *unlabelled(Rule *);
  Stmt *label(Rule *, Stmt **&hole);
  Stmt *ifStatement(Rule *);
  Stmt *forStatement(Rule *);
  Stmt *jump(Rule *);
  Stmt *asmStatement(Rule *);
  void asmOperands(Rule *, std::vector<AsmOperand> &);
  Stmt *declarationStatement(Rule *);

  // ---- expressions (build_expr.cpp) ----
  Expr *expression(Rule *);  // expression, assignmentExpression, castExpression, …
  Expr *comma(Rule *);
  Expr *assignment(Rule *);
  Expr *cast(Rule *);
  Expr *parenthesised(Rule *, size_t &i);
  Expr *unary(Rule *);
  Expr *sizeofExpression(Rule *);
  Expr *postfixes(Expr *, Rule *, size_t from);
  Expr *postfix(Expr *, Rule *);
  Expr *primary(Rule *);
  Expr *primaryWord(Rule *, const Token &);
  Expr *generic(Rule *);
  Expr *sizeofType(TypeName *, Range);
  StringLit *stringLiteral(Rule *);
  std::string plainString(Rule *);
  std::vector<const Token *> stringTokens(Rule *);

  AstContext &cx;
  DiagnosticEngine &diags;
  Tokens &tokens;
  Leaves &leaves;
  const Parser &parser;
  TranslationUnit &unit;
  Literals literals;
  std::vector<std::string_view> interned;  // by symbol
  size_t pragmaIndex = 0;
  bool warnedOfOpenMp = false;
};

}  // namespace cilkc::parsing
