// tree.cpp - see tree.h.
#include "frontend/parse/tree.h"
#include "RuleContext.h"
#include "misc/Interval.h"
#include "support/Any.h"

namespace cilkc::parsing {

antlr4::Token *Leaf::getSymbol() { return token; }
void Leaf::setParent(antlr4::RuleContext *p) { parent = p; }
std::string Leaf::toStringTree(bool) { return getText(); }
std::string Leaf::toString() { return getText(); }
std::string Leaf::toStringTree(antlr4::Parser *, bool) { return getText(); }
antlrcpp::Any Leaf::accept(antlr4::tree::ParseTreeVisitor *) { return {}; }
std::string Leaf::getText() { return token->getText(); }
antlr4::misc::Interval Leaf::getSourceInterval() {
  return {static_cast<ssize_t>(token->index), static_cast<ssize_t>(token->index)};
}

Leaves::Leaves(std::vector<Token> &tokens)
    : block(static_cast<Leaf *>(::operator new(sizeof(Leaf) * tokens.size(), std::align_val_t{alignof(Leaf)}))),
      made(tokens.size()) {}

Leaves::~Leaves() {
  for (size_t i = 0; i < made.size(); i++)
    if (made[i]) block[i].~Leaf();
  ::operator delete(block, std::align_val_t{alignof(Leaf)});
}

}  // namespace cilkc::parsing
