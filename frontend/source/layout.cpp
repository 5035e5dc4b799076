// layout.cpp - see layout.h. Reads the lines of the original files, which source.cpp keeps.
#include "frontend/source/layout.h"
#include <algorithm>
#include <cctype>

namespace cilkc {

std::string wordAt(const SourceManager &sm, Loc l) {
  if (!l.valid()) return {};
  Presumed at = sm.resolve(l);
  const std::string *line = at.file && at.column ? sm.originalLine(at.file, at.line) : nullptr;
  if (!line || at.column > line->size()) return {};
  size_t b = at.column - 1, e = b;
  while (e < line->size() && (isalnum(static_cast<unsigned char>((*line)[e])) || (*line)[e] == '_')) e++;
  return line->substr(b, e - b);
}

bool commentBefore(const SourceManager &sm, Loc l, std::initializer_list<const char *> words) {
  Presumed at = sm.resolve(l);
  for (uint32_t back = 0; at.file && back < 4 && back < at.line; back++) {
    const std::string *line = sm.originalLine(at.file, at.line - back);
    if (!line) break;
    if (!back && (!at.original || !at.column)) continue;
    std::string_view text = back ? std::string_view(*line)
                                 : std::string_view(*line).substr(0, std::min<size_t>(at.column - 1, line->size()));
    for (const char *word : words)
      if (text.find(word) != text.npos) return true;
  }
  return false;
}

namespace {

// The column, from 1, of a place with only blanks before it in its line; else 0.
unsigned columnOf(const SourceManager &sm, const Presumed &p) {
  const std::string *line = sm.originalLine(p.file, p.line);
  if (!line || p.column == 0 || p.column > line->size() + 1) return 0;
  unsigned col = 0;
  for (size_t k = 0; k + 1 < p.column; k++) {
    if ((*line)[k] == '\t') col = (col / 8 + 1) * 8;
    else if ((*line)[k] == ' ') col++;
    else return 0;
  }
  return col + 1;
}

bool directiveBetween(const SourceManager &sm, const Presumed &from, const Presumed &to) {
  for (uint32_t line = from.line + 1; line < to.line && line < from.line + 200; line++) {
    const std::string *text = sm.originalLine(to.file, line);
    size_t at = text ? text->find_first_not_of(" \t") : std::string::npos;
    if (at != std::string::npos && (*text)[at] == '#') return true;
  }
  return false;
}

// A directive or comment further left than the guard shows that the columns mean nothing. Nor do those of a
// macro's arguments.
bool outdentedBetween(const SourceManager &sm, const Presumed &body, const Presumed &next, unsigned guard) {
  bool outdented = false;
  for (uint32_t at = body.line + 1; at < next.line && !outdented; at++) {
    const std::string *line = sm.originalLine(body.file, at);
    size_t text = line ? line->find_first_not_of(" \t\r\f") : std::string::npos;
    if (text != std::string::npos) outdented = text == 0 ? guard > 1 : line->find('\t') > text && text + 1 < guard;
  }
  for (uint32_t at = next.line - 1; at > body.line; at--) {
    const std::string *line = sm.originalLine(body.file, at);
    size_t last = line ? line->find_last_not_of(" \t\r\f") : std::string::npos;
    if (last != std::string::npos) return outdented || (*line)[last] == '(' || (*line)[last] == ',';
  }
  return outdented;
}

}  // namespace

bool looksGuarded(const SourceManager &sm, Loc guard, Loc body, bool emptyBody, Loc next) {
  Presumed g = sm.resolve(guard), b = sm.resolve(body), n = sm.resolve(next);
  for (const Presumed *p : {&g, &b, &n})
    if (!p->original || p->fromMacro || p->file != n.file) return false;
  if (n.line <= b.line) return b.line == n.line && g.line < b.line;  // on one line
  // `while (a)` and a ';' alone on its line are seen for what they are, and so is what #if leaves out.
  if ((emptyBody && b.line != g.line) || directiveBetween(sm, g, n)) return false;
  unsigned cg = columnOf(sm, g), cb = columnOf(sm, b), cn = columnOf(sm, n);
  return cg && cb && cn && b.line > g.line && cn == cb && cg < cn && !outdentedBetween(sm, b, n, cg);
}

bool emptyBodyLooksWrong(const SourceManager &sm, Loc loop, Loc semicolon, Loc next, bool isBlock) {
  Presumed l = sm.resolve(loop), b = sm.resolve(semicolon), n = sm.resolve(next);
  uint32_t at = 0;
  for (const Presumed *p : {&l, &b, &n})
    if (!p->original || p->fromMacro || p->file != n.file) return false;
  if (!sm.originalOffset(b, at)) return false;
  std::string_view text = sm.originalText(b.file);
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
  if (at == 0 || text[at - 1] != ')' || directiveBetween(sm, l, n)) return false;
  return isBlock || n.line == b.line || columnOf(sm, n) > columnOf(sm, l);
}

}  // namespace cilkc
