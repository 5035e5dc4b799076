// render.cpp - what diagnostics look like: text in clang's manner, or JSON in gcc's (-fdiagnostics-format=json: an
// array of objects with kind, message, locations, children, fixits; `code` is ours).
//
//     fib.cilk:12:9: error: spawn must be in a cilk procedure [spawn-outside-procedure]
//        12 |     x = spawn fib(n - 1);
//           |         ^~~~~~~~~~~~~~~~
//
// The source line is shown as it is on disk. Tabs are expanded; characters take one or two columns; bytes that are not
// UTF-8 and control characters are shown as <XX>. Of a long line only a window around the caret is looked at. So a
// diagnostic costs the same in a line of ten megabytes.
#include <algorithm>
#include <ostream>
#include "frontend/source/diagnostics.h"
#include "frontend/source/json.h"

namespace cilkc {

namespace {

// ---- the width of characters --------------------------------------------------------------------------------------

struct Char {
  uint32_t code;
  unsigned bytes;
  bool valid;
};

Char decode(std::string_view s, size_t at) {
  unsigned char c = static_cast<unsigned char>(s[at]);
  if (c < 0x80) return {c, 1, true};
  unsigned n = c >= 0xF0 && c < 0xF5 ? 4 : c >= 0xE0 ? 3 : c >= 0xC2 ? 2 : 0;
  if (c >= 0xF5 || n == 0 || at + n > s.size()) return {c, 1, false};
  uint32_t v = c & (0xFFu >> (n + 1));
  for (unsigned i = 1; i < n; ++i) {
    unsigned char d = static_cast<unsigned char>(s[at + i]);
    if ((d & 0xC0) != 0x80) return {c, 1, false};
    v = v << 6 | (d & 0x3F);
  }
  if ((n == 3 && (v < 0x800 || (v >= 0xD800 && v < 0xE000))) || (n == 4 && (v < 0x10000 || v > 0x10FFFF)))
    return {c, 1, false};
  return {v, n, true};
}

unsigned charWidth(uint32_t c) {
  struct Span {
    uint32_t lo, hi;
  };
  static constexpr Span zero[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},
      {0x064B, 0x065F}, {0x0900, 0x0902}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E},
      {0x2060, 0x2064}, {0x20D0, 0x20F0}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF}};
  static constexpr Span wide[] = {{0x1100, 0x115F}, {0x231A, 0x231B}, {0x2E80, 0x303E}, {0x3041, 0x33FF},
      {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xA000, 0xA4CF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},
      {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
      {0x20000, 0x3FFFD}};
  for (Span s : zero)
    if (c >= s.lo && c <= s.hi) return 0;
  for (Span s : wide)
    if (c >= s.lo && c <= s.hi) return 2;
  return 1;
}

bool bidiControl(uint32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F;
}

// A line (or a window of one) laid out in columns; column[i] is that of byte `from + i`, one more for the end.
struct Layout {
  size_t from = 0;
  std::string shown;
  std::vector<unsigned> column;
  unsigned total() const { return column.back(); }
  unsigned at(size_t byte) const { return column[std::clamp(byte, from, from + column.size() - 1) - from]; }
};

Layout layOut(std::string_view line, size_t from, size_t to) {
  Layout l;
  l.from = from;
  unsigned col = 0;
  static const char hex[] = "0123456789ABCDEF";
  for (size_t i = from; i < to;) {
    Char c = decode(line, i);
    l.column.push_back(col);
    for (unsigned k = 1; k < c.bytes; ++k) l.column.push_back(col);
    if (c.valid && c.code == '\t') {
      unsigned n = 8 - col % 8;
      l.shown.append(n, ' ');
      col += n;
    } else if (!c.valid || c.code < 0x20 || c.code == 0x7F) {
      l.shown += {'<', hex[c.code >> 4 & 15], hex[c.code & 15], '>'};
      col += 4;
    } else if (bidiControl(c.code)) {
      l.shown += "<U+";
      for (int s = 12; s >= 0; s -= 4) l.shown += hex[c.code >> s & 15];
      l.shown += '>';
      col += 8;
    } else {
      l.shown.append(line.substr(i, c.bytes));
      col += charWidth(c.code);
    }
    i += c.bytes;
  }
  l.column.push_back(col);
  return l;
}

// ---- places -------------------------------------------------------------------------------------------------------

// The place of a range in the user's text, and the text of its first line.
struct Place {
  Presumed begin, end;  // end.line 0: a point
  std::string_view line;
};

Place place(const SourceManager &sm, Range r) {
  Place p;
  p.begin = sm.resolve(r.begin);
  if (!p.begin.file) return p;
  const std::string *original = p.begin.original ? sm.originalLine(p.begin.file, p.begin.line) : nullptr;
  if (original) {
    p.line = *original;
  } else {
    p.begin = sm.presumed(r.begin);
    p.line = sm.preprocessedLine(r.begin);
  }
  if (r.end.valid() && r.begin < r.end) {
    p.end = p.begin.original ? sm.resolveEnd(r.end) : sm.presumed(r.end);
    bool sane = p.end.file == p.begin.file && p.end.original == p.begin.original &&
                (p.end.line > p.begin.line || (p.end.line == p.begin.line && p.end.column > p.begin.column));
    if (!sane) p.end = Presumed{};
  }
  return p;
}

// Where a correction begins in the user's text. What is inserted after a token goes where the token ends in the
// original.
Presumed fixBegins(const SourceManager &sm, const FixIt &f) {
  bool insertion = !(f.where.begin < f.where.end);
  if (insertion && f.where.begin.raw > 1) {
    char previous = sm.text()[f.where.begin.offset() - 1];
    if (previous != ' ' && previous != '\n' && previous != '\t') return sm.resolveEnd(f.where.begin);
  }
  return sm.resolve(f.where.begin);
}

struct Colors {
  const char *bold, *red, *magenta, *cyan, *green, *off;
};
constexpr Colors plain{"", "", "", "", "", ""};
constexpr Colors ansi{"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[32m", "\033[0m"};

const char *word(Severity s) {
  switch (s) {
    case Severity::Note: return "note";
    case Severity::Remark: return "remark";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
    case Severity::Fatal: return "fatal error";
  }
  return "";
}

// The word in brackets: of a warning the flag that governs it, of an error the code that `cilkc explain` takes (it
// takes both).
std::string tag(const Diagnostic &d) {
  std::string code = diagInfo(d.id).code;
  if (diagInfo(d.id).severity != Severity::Warning) return code;
  return (d.severity == Severity::Error ? "-Werror=" : "-W") + code;
}

// ---- text ---------------------------------------------------------------------------------------------------------

class TextRenderer {
public:
  TextRenderer(const DiagnosticEngine &e, std::ostream &o)
      : sm(e.sources()), out(o), c(e.options().color ? ansi : plain),
        width(e.options().width ? std::max(40u, e.options().width) : 160) {}

  void diagnostic(const Diagnostic &d, const Diagnostic *above = nullptr) {
    Place p = place(sm, d.range);
    if (d.severity != Severity::Note) includes(d.range.begin, p);
    out << c.bold;
    if (p.begin.file) {
      out << p.begin.file->name << ':' << p.begin.line << ':';
      if (p.begin.column) out << p.begin.column << ':';
    } else {
      out << "cilkc:";
    }
    const char *color = d.severity == Severity::Note      ? c.cyan
                        : d.severity == Severity::Warning ? c.magenta
                        : d.severity == Severity::Remark  ? c.cyan
                                                          : c.red;
    out << ' ' << color << word(d.severity) << ": " << c.off << c.bold;
    message(d.message);
    if (d.severity != Severity::Note) out << " [" << tag(d) << ']';
    out << c.off << '\n';
    // A note about the very place that has just been shown shows it again only if it has something to write there.
    bool shown = above && above->range.begin.raw == d.range.begin.raw && above->range.end.raw == d.range.end.raw &&
                 d.fixits.empty();
    if (p.begin.file && p.begin.column && !shown) snippet(d, p);
    for (const Diagnostic &n : d.notes) diagnostic(n, &d);
  }

private:
  // Messages quote source text, which may hold anything: what a terminal would act on is shown as <XX>.
  void message(const std::string &text) {
    bool clean = std::all_of(text.begin(), text.end(),
        [](char ch) { return static_cast<unsigned char>(ch) >= 0x20 && static_cast<unsigned char>(ch) < 0x7F; });
    if (clean) out << text;
    else out << layOut(text, 0, std::min<size_t>(text.size(), 4000)).shown;
  }

  // The chain of #includes, said once as long as it does not change.
  void includes(Loc at, const Place &p) {
    std::vector<Presumed> stack = sm.includeStack(at);
    std::string chain = p.begin.file ? p.begin.file->name : std::string();
    for (const Presumed &i : stack) chain += '\n' + i.file->name + ':' + std::to_string(i.line);
    if (chain == lastChain) return;
    lastChain = chain;
    for (size_t i = 0; i < stack.size() && i < 20; ++i)
      out << (i ? "                 from " : "In file included from ") << stack[i].file->name << ':' << stack[i].line
          << (i + 1 < stack.size() && i < 19 ? "," : ":") << '\n';
  }

  void gutter(uint32_t line) {
    if (!line) {
      out << "      | ";
      return;
    }
    std::string n = std::to_string(line);
    out << std::string(n.size() < 5 ? 5 - n.size() : 0, ' ') << n << " | ";
  }

  void snippet(const Diagnostic &d, const Place &p) {
    std::string_view line = p.line;
    size_t caret = std::min<size_t>(p.begin.column - 1, line.size());
    // The window: whole characters of it, as wide as the display (a character is at most four bytes).
    size_t from = 0, to = line.size();
    bool cutLeft = false, cutRight = false;
    size_t reach = size_t(width) * 4;
    if (line.size() > width) {
      from = caret > reach ? caret - reach : 0;
      to = std::min(line.size(), caret + reach);
      while (from > 0 && from < line.size() && (static_cast<unsigned char>(line[from]) & 0xC0) == 0x80) ++from;
      while (to < line.size() && (static_cast<unsigned char>(line[to]) & 0xC0) == 0x80) ++to;
      Layout probe = layOut(line, from, to);
      unsigned here = probe.at(caret);
      unsigned left = here > width / 2 ? here - width / 2 : 0, right = left + width - 6;
      if (from > 0 || probe.total() > width || to < line.size()) {
        size_t lo = from, hi = to;
        if (left > 0)
          while (lo < caret && probe.at(lo) < left) ++lo;
        while (hi > caret && probe.at(hi) > right) --hi;
        auto inside = [&](size_t i) { return i < line.size() && (static_cast<unsigned char>(line[i]) & 0xC0) == 0x80; };
        while (lo < caret && inside(lo)) ++lo;
        while (hi > caret && inside(hi)) --hi;
        cutLeft = lo > 0;
        cutRight = hi < line.size();
        from = lo, to = hi;
      }
    }
    Layout l = layOut(line, from, to);
    unsigned shift = cutLeft ? 3 : 0;
    std::string_view ellipsis = "...";
    gutter(p.begin.line);
    out << (cutLeft ? ellipsis : "") << l.shown << (cutRight ? ellipsis : "") << '\n';

    std::string marks(l.total() + shift + 1, ' ');
    auto underline = [&](const Place &q) {
      if (!q.end.line || q.begin.file != p.begin.file || q.begin.original != p.begin.original ||
          q.begin.line > p.begin.line || q.end.line < p.begin.line)
        return;
      size_t b = q.begin.line == p.begin.line ? q.begin.column - 1 : 0;
      size_t e = q.end.line == p.begin.line ? q.end.column - 1 : line.size();
      e = std::min(e, line.size());
      while (b < e && (line[b] == ' ' || line[b] == '\t')) ++b;
      if (b >= e || e <= from || b >= to) return;
      for (unsigned k = l.at(b), end = l.at(e); k < end; ++k) marks[k + shift] = '~';
    };
    underline(p);
    for (const Range &r : d.also) underline(place(sm, r));
    marks[l.at(caret) + shift] = '^';
    while (!marks.empty() && marks.back() == ' ') marks.pop_back();
    gutter(0);
    out << c.green << marks << c.off << '\n';

    // Insertions and replacements on this line.
    std::string row;
    for (const FixIt &f : d.fixits) {
      if (f.replacement.empty() || f.replacement.find('\n') != std::string::npos) continue;
      Presumed at = fixBegins(sm, f);
      if (at.file != p.begin.file || at.line != p.begin.line || at.original != p.begin.original || at.fromMacro ||
          !at.column)
        continue;
      size_t byte = at.column - 1;
      if (byte < from || byte > to) continue;
      size_t col = l.at(byte) + shift;
      if (row.size() > col) continue;
      row.append(col - row.size(), ' ');
      row += f.replacement;
    }
    if (!row.empty()) {
      gutter(0);
      out << c.green << row << c.off << '\n';
    }
  }

  const SourceManager &sm;
  std::ostream &out;
  Colors c;
  unsigned width;
  std::string lastChain;
};

// ---- JSON ---------------------------------------------------------------------------------------------------------

class JsonRenderer {
public:
  JsonRenderer(const DiagnosticEngine &e, std::ostream &o) : sm(e.sources()), out(o) {}

  void diagnostic(const Diagnostic &d) {
    out << "{\"kind\": \"" << word(d.severity) << "\", \"message\": ";
    quoteJson(out, d.message);
    if (d.severity != Severity::Note) {
      out << ", \"code\": ";
      quoteJson(out, diagInfo(d.id).code);
      if (diagInfo(d.id).severity == Severity::Warning) {
        out << ", \"option\": ";
        quoteJson(out, (d.severity == Severity::Error ? "-Werror=" : "-W") + std::string(diagInfo(d.id).code));
      }
    }
    out << ", \"column-origin\": 1, \"locations\": [";
    location(d.range, true);
    for (const Range &r : d.also) {
      out << ", ";
      location(r, false);
    }
    out << "], \"fixits\": [";
    bool first = true;
    for (const FixIt &f : d.fixits) {
      Range w = f.where;
      Presumed b = fixBegins(sm, f), e = w.begin < w.end ? sm.resolveEnd(w.end) : b;
      // it cannot be written there
      if (!b.original || !e.original || b.fromMacro || e.fromMacro || b.file != e.file) continue;
      out << (first ? "" : ", ") << "{\"start\": ";
      first = false;
      position(b, line(w.begin, b));
      out << ", \"next\": ";
      position(e, line(w.end, e));
      out << ", \"string\": ";
      quoteJson(out, f.replacement);
      out << '}';
    }
    out << "], \"children\": [";
    for (size_t i = 0; i < d.notes.size(); ++i) {
      if (i) out << ", ";
      diagnostic(d.notes[i]);
    }
    out << "]}";
  }

private:
  std::string_view line(Loc l, const Presumed &p) const {
    const std::string *o = p.original ? sm.originalLine(p.file, p.line) : nullptr;
    return o ? std::string_view(*o) : sm.preprocessedLine(l);
  }
  void position(const Presumed &p, std::string_view line) {
    out << "{\"file\": ";
    quoteJson(out, p.file ? std::string_view(p.file->name) : std::string_view());
    out << ", \"line\": " << p.line << ", \"column\": " << p.column << ", \"byte-column\": " << p.column
        << ", \"display-column\": ";
    unsigned display = p.column;
    if (p.column > 0 && p.column - 1 <= line.size() && p.column < 20000)
      display = layOut(line, 0, p.column - 1).total() + 1;
    out << display << '}';
  }
  void location(Range r, bool) {
    Place p = place(sm, r);
    out << "{\"caret\": ";
    position(p.begin, p.line);
    if (p.end.line) {
      Presumed last = p.end;  // gcc's "finish" is the last character
      if (last.column > 1) --last.column;
      out << ", \"finish\": ";
      position(last, line(r.end, last));
    }
    out << '}';
  }
  const SourceManager &sm;
  std::ostream &out;
};

}  // namespace

void quoteJson(std::ostream &out, std::string_view s) {
  static const char hex[] = "0123456789abcdef";
  out << '"';
  for (size_t i = 0; i < s.size();) {
    Char c = decode(s, i);
    if (!c.valid) out << "\\ufffd";
    else if (c.code == '"' || c.code == '\\') out << '\\' << static_cast<char>(c.code);
    else if (c.code == '\n') out << "\\n";
    else if (c.code == '\t') out << "\\t";
    else if (c.code == '\r') out << "\\r";
    else if (c.code < 0x20 || c.code == 0x7F) out << "\\u00" << hex[c.code >> 4] << hex[c.code & 15];
    else out << s.substr(i, c.bytes);
    i += c.bytes;
  }
  out << '"';
}

void DiagnosticEngine::render(std::ostream &out) const {
  // In the order of the text, whichever stage found it first; what has no place comes before.
  std::vector<const Diagnostic *> inOrder;
  for (const Diagnostic &d : list) inOrder.push_back(&d);
  std::stable_sort(inOrder.begin(), inOrder.end(),
      [](const Diagnostic *a, const Diagnostic *b) { return a->range.begin.raw < b->range.begin.raw; });
  if (opts.format == DiagOptions::Json) {
    JsonRenderer r(*this, out);
    out << '[';
    for (size_t i = 0; i < inOrder.size(); ++i) {
      if (i) out << ",\n ";
      r.diagnostic(*inOrder[i]);
    }
    out << "]\n";
    return;
  }
  TextRenderer r(*this, out);
  for (const Diagnostic *d : inOrder) r.diagnostic(*d);
  if (opts.maxErrors && nerrors > opts.maxErrors)
    out << (opts.color ? ansi.red : "") << "fatal error: " << (opts.color ? ansi.off : "")
        << "too many errors, the rest is not shown (--max-errors=0 shows all)\n";
  auto count = [&](unsigned n, const char *what) { return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s"); };
  if (nerrors && nwarnings) out << count(nwarnings, "warning") << " and " << count(nerrors, "error") << " generated.\n";
  else if (nerrors) out << count(nerrors, "error") << " generated.\n";
  else if (nwarnings) out << count(nwarnings, "warning") << " generated.\n";
}

}  // namespace cilkc
