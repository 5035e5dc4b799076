// token_stream.h - the tokens as the parser sees them: at every look, a name becomes an Identifier or a TypedefName.
//
// Which one it is depends on the scopes open at that moment. So nothing is decided when a token is fetched, only when
// it is looked at: in `for (int T = 0; ..) T; T z;` the last T is a type again. A look is one array access.
#pragma once
#include <vector>
#include "TokenStream.h"
#include "frontend/parse/tokens.h"

namespace cilkc::parsing {

// What the names in scope mean, as far as the parser must know: a type or not. Scopes nest; closing one undoes what was
// declared in it.
class Names {
public:
  enum Meaning : uint8_t { Unknown, Ordinary, Type };

  explicit Names(size_t words) : meaning(words, Unknown) {}
  Meaning operator[](Symbol s) const { return static_cast<Meaning>(meaning[s]); }
  void open() { marks.push_back(static_cast<uint32_t>(log.size())); }
  void close() {
    for (size_t n = marks.back(); log.size() > n; log.pop_back()) meaning[log.back().symbol] = log.back().old;
    marks.pop_back();
  }
  void declare(Symbol s, Meaning m) {
    if (!marks.empty()) log.push_back({s, meaning[s]});
    meaning[s] = m;
  }
  // In the outermost scope, whatever scopes are open; and at once.
  void declareForGood(Symbol s, Meaning m) {
    for (auto &entry : log)
      if (entry.symbol == s) {
        entry.old = m;
        break;
      }
    meaning[s] = m;
  }
  // The names declared in the innermost scope.
  template <class F> void eachInnermost(F f) const {
    for (size_t i = marks.back(); i < log.size(); i++) f(log[i].symbol, static_cast<Meaning>(meaning[log[i].symbol]));
  }
private:
  struct Undo {
    Symbol symbol;
    uint8_t old;
  };
  std::vector<uint8_t> meaning;  // by symbol
  std::vector<Undo> log;
  std::vector<uint32_t> marks;
};

class TokenStream final : public antlr4::TokenStream {
public:
  TokenStream(Tokens &, Names &);

  // ANTLR's interface.
  antlr4::Token *LT(ssize_t k) override;
  size_t LA(ssize_t k) override;
  antlr4::Token *get(size_t i) const override { return &tokens.list[i]; }
  void consume() override {
    if (at + 1 < tokens.list.size()) at++;
  }
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  size_t index() override { return at; }
  void seek(size_t i) override { at = i; }
  size_t size() override { return tokens.list.size(); }
  antlr4::TokenSource *getTokenSource() const override { return nullptr; }
  std::string getSourceName() const override { return {}; }
  std::string getText(const antlr4::misc::Interval &) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext *) override { return {}; }
  std::string getText(antlr4::Token *, antlr4::Token *) override { return {}; }

  // Ours.
  Token &current() { return look(at); }
  Token &previous() { return tokens.list[at ? at - 1 : 0]; }
  Token &operator[](size_t i) { return tokens.list[i]; }
  Token &look(size_t i);  // with its name classified

private:
  Tokens &tokens;
  Names &names;
  size_t at = 0;
};

}  // namespace cilkc::parsing
