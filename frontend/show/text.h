// text.h - the user's text in small pieces with other names put in, and lines of code with comments to their right.
// Used by elide/ as well.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>
#include "frontend/ast/ast.h"
#include "frontend/source/source.h"

namespace cilkc::show {

// How a node of an expression is written instead of its text; empty: as it is.
using Rename = std::function<std::string(const Expr *)>;

// The preprocessed text of a range on one line, with the nodes below `roots` renamed. Macros are expanded in it: it is
// what is compiled. `into`: also inside of statement expressions.
std::string sourceText(const SourceManager &, Range, const std::vector<const Expr *> &roots, const Rename &,
    bool into = false);
std::string sourceText(const SourceManager &, const Expr *, const Rename &);

// Lines of C with indentation and comments; print() puts the comments in one column.
class Lines {
public:
  void add(std::string code, std::string comment = {});
  void label(std::string code, std::string comment = {}) {
    depth--;
    add(std::move(code), std::move(comment));
    depth++;
  }
  void blank() { lines.push_back({0, {}, {}}); }
  void in() { depth++; }
  void out() { depth--; }
  // The lines that `body` adds are below what was added last: indented, in braces unless it is one line.
  void block(const std::function<void()> &body, bool alwaysBraces = false);
  size_t count() const { return lines.size(); }
  void print(std::ostream &) const;
private:
  struct Line {
    int depth;
    std::string code, comment;
  };
  std::vector<Line> lines;
  int depth = 0;
};

}  // namespace cilkc::show
