// tree.h - the parse tree as the builder walks it: leaves are ours, inner nodes are ANTLR's contexts.
//
// One leaf is made for every token at most, in one block of memory; so to distinguish a leaf from an inner node is a
// comparison of addresses, where ANTLR would want a dynamic_cast.
#pragma once
#include <memory>
#include <new>
#include <vector>
#include "ParserRuleContext.h"
#include "tree/TerminalNode.h"
#include "frontend/parse/tokens.h"

namespace cilkc::parsing {

using Node = antlr4::tree::ParseTree;
using Rule = antlr4::ParserRuleContext;

class Leaf final : public antlr4::tree::TerminalNode {
public:
  explicit Leaf(Token *t) : token(t) {}
  Token *token;
  antlr4::Token *getSymbol() override;
  void setParent(antlr4::RuleContext *p) override;
  std::string toStringTree(bool = false) override;
  std::string toString() override;
  std::string toStringTree(antlr4::Parser *, bool = false) override;
  antlrcpp::Any accept(antlr4::tree::ParseTreeVisitor *) override;
  std::string getText() override;
  antlr4::misc::Interval getSourceInterval() override;
};

class Leaves {
public:
  explicit Leaves(std::vector<Token> &);
  ~Leaves();
  Leaves(const Leaves &) = delete;
  Leaf *of(Token &t) {
    Leaf *l = block + t.index;
    if (!made[t.index]) {
      new (l) Leaf(&t);
      made[t.index] = true;
    }
    return l;
  }
  bool contains(const Node *n) const {
    auto *p = reinterpret_cast<const char *>(n);
    return p >= reinterpret_cast<const char *>(block) && p < reinterpret_cast<const char *>(block + made.size());
  }
private:
  Leaf *block;
  std::vector<bool> made;
};

}  // namespace cilkc::parsing
