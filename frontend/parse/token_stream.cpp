// token_stream.cpp - see token_stream.h.
#include "frontend/parse/token_stream.h"
#include <algorithm>
#include "CilkLexer.h"

namespace cilkc::parsing {

TokenStream::TokenStream(Tokens &t, Names &n) : tokens(t), names(n) {}

Token &TokenStream::look(size_t i) {
  Token &t = tokens.list[i];
  if (t.type == CilkLexer::Identifier || t.type == CilkLexer::TypedefName)
    t.type = names[t.symbol] == Names::Type ? CilkLexer::TypedefName : CilkLexer::Identifier;
  return t;
}

antlr4::Token *TokenStream::LT(ssize_t k) {
  if (k > 0) return &look(std::min(at + static_cast<size_t>(k) - 1, tokens.list.size() - 1));
  size_t back = static_cast<size_t>(-k);
  return k < 0 && back <= at ? &tokens.list[at - back] : nullptr;
}

size_t TokenStream::LA(ssize_t k) {
  antlr4::Token *t = LT(k);
  return t ? t->getType() : IntStream::EOF;
}

}  // namespace cilkc::parsing
