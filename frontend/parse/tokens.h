// tokens.h - what lexing makes of one preprocessed text: a vector of tokens, the words in it, and its pragmas.
//
// Every token knows its place in the text, and a word its number in the table of words; what an identifier means is not
// decided here but each time the parser looks at it (token_stream.h). Line markers are gone; their effect, which tokens
// are Cilk, is in the tokens. Nothing here outlives the parse, and the text must outlive everything here.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include "Token.h"
#include "frontend/source/dialect.h"
#include "frontend/source/source.h"

namespace antlr4 {
class TokenSource;
class CharStream;
}

namespace cilkc::parsing {

// A word's number; 0 for tokens that are not words.
using Symbol = uint32_t;

struct Token final : antlr4::Token {
  const char *text = nullptr;  // into the preprocessed text
  uint32_t start = 0, length = 0;
  Symbol symbol = 0;  // of words that may be names
  uint32_t elements = 1;  // of a ConstantRun
  uint32_t index = 0;
  uint32_t depth = 0;  // number of brackets around it; a bracket itself is outside
  mutable uint16_t type = 0;  // what the parser sees; of names, set by the last look
  bool lineStart = false;  // the first token of its line
  Dialect dialect = Dialect::C;  // of the text
  bool system = false;  // in a system header
  bool cutOff = false;  // an unterminated literal: what follows it on its line is lost, too

  std::string_view view() const { return {text, length}; }
  Range range() const { return {Loc::at(start), Loc::at(start + length)}; }

  std::string getText() const override { return std::string(view()); }
  size_t getType() const override { return type == UINT16_MAX ? antlr4::Token::EOF : type; }
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() const override { return start; }
  size_t getChannel() const override { return DEFAULT_CHANNEL; }
  size_t getTokenIndex() const override { return index; }
  size_t getStartIndex() const override { return start; }
  size_t getStopIndex() const override { return start + length - 1; }
  antlr4::TokenSource *getTokenSource() const override { return nullptr; }
  antlr4::CharStream *getInputStream() const override { return nullptr; }
  std::string toString() const override { return getText(); }
};

// The words of a text, each with a small number. A hash table with open addressing: looking a word up is most of what a
// lexer does with C.
class Words {
public:
  Words();
  Symbol number(std::string_view);
  std::string_view operator[](Symbol s) const { return entries[s].text; }
  size_t size() const { return entries.size(); }
  struct Entry {
    std::string_view text;
    uint32_t hash = 0;
    uint16_t keyword = 0;
    Dialect since = Dialect::C;  // a keyword in this dialect and those after it
  };
  Entry &entry(Symbol s) { return entries[s]; }
private:
  void grow();
  std::vector<Entry> entries;  // entries[0] is no word
  std::vector<Symbol> table;
};

// A '#pragma' that a later stage may care about. It precedes the token `index`.
struct Pragma {
  uint32_t index = 0;
  std::string_view text;  // after 'pragma', blanks trimmed
  Range range;
};

struct Tokens {
  Words words;
  std::vector<Token> list;  // the last is the end of file
  std::vector<Pragma> pragmas;
  std::deque<std::string> expanded;  // texts of pragmas in which macros were replaced
  bool tooDeep = false;  // brackets were nested deeper than maxBracketDepth; the list ends there
};

// Deeper nesting of brackets is an error: it would exhaust the stack of some later stage.
inline constexpr uint32_t maxBracketDepth = 16000;

}  // namespace cilkc::parsing
