// run.h - many plain constants in a row, as tables of data have them: 0x7f, 69, 'x', -1, 2.5f, …
//
// Some programs have a file of two million bytes as an array. A node for each byte would take a hundred times the
// memory of the text. So the lexer makes one token of such a row, and the parser makes one item of the initialiser's
// list. Sema makes one Data value of what fits the array's elements as it is. RunReader is the one place that knows
// what a plain constant is and what it is worth. Every element keeps its place in the text, and a stage that needs one
// as a node makes it: element() gives what the parser would have made.
#pragma once
#include "frontend/ast/ast.h"

namespace cilkc {

// Shorter rows are read like everything else.
inline constexpr size_t shortestRun = 32;

class RunReader {
public:
  // Reads from `text`, which is at `begin` in the preprocessed text. It need not end where the row ends.
  RunReader(std::string_view text, Loc begin) : text(text), begin(begin) {}

  struct Element {
    enum Kind : uint8_t { Integer, Character, Floating } kind = Integer;
    bool negative = false;  // there is a '-' before it
    bool decimal = true, suffixU = false, suffixF = false;
    uint8_t suffixL = 0;
    uint64_t value = 0;  // of integers and characters
    std::string_view digits;  // of floating constants
    Loc at, number;  // of its first character, and of what follows the sign
    Loc end;
    Range range() const { return {at, end}; }
  };
  // False: the text there is no plain constant followed by ',' or '}'. Then `stopped()` is where it begins.
  bool next(Element &);
  bool comma();  // moves past a comma; false: there is none
  size_t stopped() const { return pos; }

private:
  bool integer(size_t &i, Element &) const;
  bool character(size_t &i, Element &) const;
  bool floating(size_t &i, Element &) const;
  void blanks(size_t &i) const {
    while (i < text.size() && (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))) i++;
  }
  std::string_view text;
  Loc begin;
  size_t pos = 0;
};

// A row in an initialiser's list. Sema takes elements off its front.
struct ConstantRun {
  std::string_view text;  // of the preprocessed text, which outlives the tree
  Loc begin;
  uint64_t left = 0;  // elements from `begin` on
  RunReader reader() const { return {text, begin}; }
  void skip(size_t bytes, uint64_t elements) {
    text.remove_prefix(bytes);
    begin.raw += static_cast<uint32_t>(bytes);
    left -= elements;
  }
};

// The nodes that stand for an element, untyped.
Expr *runElement(AstContext &, const RunReader::Element &);

}  // namespace cilkc
