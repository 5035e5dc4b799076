// text.cpp - cutting pieces out of the preprocessed text, and two-column output.
//
// Ranges of nodes are exact in the preprocessed text, so a piece is right whatever macros it came from. Replacements
// are made at the ranges of nodes; line markers and layout go, string literals stay as they are.
#include "frontend/show/text.h"
#include <algorithm>
#include <ostream>
#include "frontend/ast/visit.h"

namespace cilkc::show {
namespace {

struct Replacement {
  Range range;
  std::string text;
};
// One line: runs of blanks become one blank, line markers vanish, literals are copied.
std::string oneLine(std::string_view s) {
  std::string out;
  bool blank = false, lineStart = false;
  for (size_t i = 0; i < s.size(); i++) {
    char ch = s[i];
    if (lineStart && ch == '#') {
      while (i < s.size() && s[i] != '\n') i++;
      continue;
    }
    if (ch == '\n' || ch == ' ' || ch == '\t' || ch == '\r' || ch == '\f' || ch == '\v') {
      lineStart = ch == '\n' || (lineStart && ch != '\n');
      blank = true;
      continue;
    }
    lineStart = false;
    if (blank && !out.empty()) out += ' ';
    blank = false;
    out += ch;
    if (ch == '"' || ch == '\'') {
      for (i++; i < s.size(); i++) {
        out += s[i];
        if (s[i] == '\\' && i + 1 < s.size()) out += s[++i];
        else if (s[i] == ch) break;
      }
    }
  }
  return out;
}

}  // namespace

std::string sourceText(const SourceManager &sources, Range range, const std::vector<const Expr *> &roots,
    const Rename &rename, bool into) {
  std::string_view text = sources.text();
  if (!range.valid() || range.end.offset() > text.size() || range.end < range.begin) return {};
  std::vector<Replacement> found;
  for (auto *root : roots)
    eachExpr(root, Walk::Written, [&](const Expr *e) {
      if (std::string name = rename(e); !name.empty()) found.push_back({e->range, std::move(name)});
      return into || e->kind != ExprKind::StmtExpr;
    });
  std::sort(found.begin(), found.end(), [](auto &a, auto &b) { return a.range.begin < b.range.begin; });
  std::string out;
  size_t at = range.begin.offset(), end = range.end.offset();
  for (auto &r : found) {
    // a node met twice, or made by the compiler
    if (!r.range.valid() || r.range.begin.offset() < at || r.range.end.offset() > end) continue;
    out += text.substr(at, r.range.begin.offset() - at);
    out += r.text;
    at = r.range.end.offset();
  }
  out += text.substr(at, end - at);
  return oneLine(out);
}

std::string sourceText(const SourceManager &sources, const Expr *e, const Rename &rename) {
  return e ? sourceText(sources, e->range, {e}, rename) : std::string();
}

void Lines::add(std::string code, std::string comment) {
  lines.push_back({depth, std::move(code), std::move(comment)});
}

void Lines::block(const std::function<void()> &body, bool alwaysBraces) {
  size_t head = lines.size() - 1, first = lines.size();
  in();
  body();
  out();
  if (lines.size() == first) add("    ;");
  if (!alwaysBraces && lines.size() == first + 1 && lines[first].code.rfind("if ", 0) != 0) return;
  lines[head].code += " {";
  add("}");
}

void Lines::print(std::ostream &out) const {
  constexpr size_t kColumn = 52;
  for (auto &l : lines) {
    std::string s =
        l.code.empty() ? std::string() : std::string(static_cast<size_t>(std::max(l.depth, 0)) * 4, ' ') + l.code;
    if (!l.comment.empty()) {
      size_t width = 0;
      for (unsigned char ch : s) width += (ch & 0xC0) != 0x80;
      s += std::string(width < kColumn ? kColumn - width : 2, ' ') + "// " + l.comment;
    }
    out << s << '\n';
  }
}

}  // namespace cilkc::show
