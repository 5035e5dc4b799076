// align.cpp - see align.h. Costs: linear where both sides are equal (common prefix and suffix are taken off first).
// What is left costs a table of at most two million cells. Where even that is too much, a window slides along.
#include "frontend/source/align.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <sys/stat.h>
#include "frontend/source/rawlex.h"

namespace cilkc {

// ---- the file -----------------------------------------------------------------------------------------------------

namespace {

// Characters at which something may begin or end; all others are passed over in one go. The zero after the text is
// among them.
constexpr auto telling = [] {
  std::array<bool, 256> t{};
  for (unsigned char c : {'\n', '"', '\'', '/', '*', '\\', '\0'}) t[c] = true;
  return t;
}();

}  // namespace

std::unique_ptr<OriginalFile> OriginalFile::read(const std::string &name) {
  struct stat st;
  if (name.empty() || name[0] == '<' || stat(name.c_str(), &st) != 0 || !S_ISREG(st.st_mode) ||
      st.st_size > (1ll << 30))
    return nullptr;
  FILE *f = std::fopen(name.c_str(), "rb");
  if (!f) return nullptr;
  auto o = std::make_unique<OriginalFile>();
  o->contents.resize(static_cast<size_t>(st.st_size));
  size_t got = o->contents.empty() ? 0 : std::fread(o->contents.data(), 1, o->contents.size(), f);
  std::fclose(f);
  o->contents.resize(got);
  const std::string &s = o->contents;
  // One pass: where lines begin, and which begin inside a block comment.
  o->starts.push_back(0);
  o->inComment.push_back(false);
  enum { Code, Line, Block, String, Char } state = Code;
  for (size_t i = 0;; ++i) {
    while (!telling[static_cast<unsigned char>(s[i])]) ++i;
    if (i >= s.size()) break;
    char c = s[i];
    if (c == '\n') {
      bool spliced = i > 0 && (s[i - 1] == '\\' || (s[i - 1] == '\r' && i > 1 && s[i - 2] == '\\'));
      if (state != Block && !spliced) state = Code;
      o->starts.push_back(static_cast<uint32_t>(i + 1));
      o->inComment.push_back(state == Block);
      continue;
    }
    switch (state) {
      case Code:
        if (c == '"') state = String;
        else if (c == '\'') state = Char;
        else if (c == '/' && i + 1 < s.size() && s[i + 1] == '/') state = Line;
        else if (c == '/' && i + 1 < s.size() && s[i + 1] == '*') state = Block, ++i;
        break;
      case Block:
        if (c == '*' && i + 1 < s.size() && s[i + 1] == '/') state = Code, ++i;
        break;
      case String:
      case Char:
        if (c == '\\' && i + 1 < s.size() && s[i + 1] != '\n' && s[i + 1] != '\r') ++i;
        else if (c == (state == String ? '"' : '\'')) state = Code;
        break;
      case Line: break;
    }
  }
  return o;
}

const std::string *OriginalFile::line(uint32_t n) const {
  if (n == 0 || n > starts.size()) return nullptr;
  auto it = cut.find(n);
  if (it != cut.end()) return &it->second;
  uint32_t b = starts[n - 1], e = n < starts.size() ? starts[n] : static_cast<uint32_t>(contents.size());
  while (e > b && (contents[e - 1] == '\n' || contents[e - 1] == '\r')) --e;
  return &cut.emplace(n, contents.substr(b, e - b)).first->second;
}

uint32_t OriginalFile::codeStart(uint32_t n) const {
  uint32_t b = starts[n - 1];
  if (!inComment[n - 1]) return b;
  size_t e = contents.find("*/", b);
  return e == std::string::npos ? static_cast<uint32_t>(contents.size()) : static_cast<uint32_t>(e + 2);
}

uint32_t OriginalFile::lineOf(uint32_t offset) const {
  return static_cast<uint32_t>(std::upper_bound(starts.begin(), starts.end(), offset) - starts.begin());
}

// ---- alignment ----------------------------------------------------------------------------------------------------

namespace {

struct Item {
  uint64_t hash;                 // of the spelling
  uint32_t begin, end;
  RawKind kind;
  bool spliced;
  char punct;                    // '(' ')' of a one-character punctuator, else 0
  bool heavy() const { return kind != RawKind::Punct; }
};

Item item(const RawLexer &lx, const RawToken &t, uint32_t base) {
  Item i;
  i.hash = t.spliced ? std::hash<std::string>{}(lx.spelling(t)) : std::hash<std::string_view>{}(lx.raw(t));
  i.begin = t.begin + base;
  i.end = t.end + base;
  i.kind = t.kind;
  i.spliced = t.spliced;
  i.punct = t.kind == RawKind::Punct && t.end - t.begin == 1 ? lx.raw(t)[0] : '\0';
  return i;
}

constexpr int none = -1;

// Pairs o[ob..oe) with p[pb..pe): partner[j] = index into o.
void pairUp(const std::vector<Item> &o, const std::vector<Item> &p, std::vector<int> &partner) {
  size_t ob = 0, oe = o.size(), pb = 0, pe = p.size();
  auto same = [&](size_t i, size_t j) { return o[i].hash == p[j].hash; };
  auto pair = [&](size_t i, size_t j) { partner[j] = static_cast<int>(i); };
  while (ob < oe && pb < pe && same(ob, pb)) pair(ob++, pb++);
  while (ob < oe && pb < pe && same(oe - 1, pe - 1)) pair(--oe, --pe);
  size_t n = oe - ob, m = pe - pb;
  if (n == 0 || m == 0) return;
  // Longest common subsequence of o[i0..i1) and p[j0..j1), words weighing more than punctuation. Takes the pairs that
  // begin before o[limit); returns where it stopped.
  std::vector<uint32_t> best;
  auto common = [&](size_t i0, size_t i1, size_t j0, size_t j1, size_t limit) {
    size_t rows = i1 - i0, columns = j1 - j0;
    best.assign((rows + 1) * (columns + 1), 0);
    auto at = [&](size_t i, size_t j) -> uint32_t & { return best[i * (columns + 1) + j]; };
    auto weight = [&](size_t i) { return o[i0 + i].heavy() ? 4u : 1u; };
    for (size_t i = rows; i-- > 0;)
      for (size_t j = columns; j-- > 0;) {
        uint32_t v = std::max(at(i + 1, j), at(i, j + 1));
        if (same(i0 + i, j0 + j)) v = std::max(v, at(i + 1, j + 1) + weight(i));
        at(i, j) = v;
      }
    std::pair<size_t, size_t> stop{i0, j0};
    for (size_t i = 0, j = 0; i < rows && j < columns && i0 + i < limit;) {
      uint32_t v = at(i, j);
      if (same(i0 + i, j0 + j) && v == at(i + 1, j + 1) + weight(i)) {
        pair(i0 + i++, j0 + j++);
        stop = {i0 + i, j0 + j};
      } else if (v == at(i + 1, j)) {
        ++i;
      } else {
        ++j;
      }
    }
    return stop;
  };
  constexpr size_t cells = 2'000'000;
  if (n <= cells / m) {
    common(ob, oe, pb, pe, oe);
    return;
  }
  // Too much for one table: a window slides over both, and of each the first half is believed. An expansion that is
  // longer than the window makes it grow.
  size_t window = 200;
  for (size_t i = ob, j = pb; i < oe && j < pe;) {
    while (i < oe && j < pe && same(i, j)) pair(i++, j++);
    if (i >= oe || j >= pe) break;
    size_t i1 = std::min(oe, i + window), j1 = std::min(pe, j + 2 * window);
    auto [ni, nj] = common(i, i1, j, j1, i + (window + 1) / 2);
    if (ni == i) {
      if (window >= 1000) return;
      window *= 2;
      continue;
    }
    i = ni, j = nj;
    window = 200;
  }
}

std::vector<Item> preprocessedItems(const std::vector<PreprocessedPiece> &pieces) {
  std::vector<Item> p;
  for (const PreprocessedPiece &piece : pieces) {
    RawLexer lx(piece.text);
    for (RawToken t = lx.next(); t.kind != RawKind::End; t = lx.next()) p.push_back(item(lx, t, piece.offset));
  }
  return p;
}

// The items in the lines before nextLine; `directive`: one logical line and no more.
std::vector<Item> originalItems(const OriginalFile &file, uint32_t line, uint32_t nextLine, const std::vector<Item> &p,
    bool directive) {
  std::vector<Item> o;
  uint32_t from = file.codeStart(line);
  uint32_t to = nextLine <= file.lineCount() ? file.lineStart(nextLine) : static_cast<uint32_t>(file.text().size());
  if (directive) {
    RawLexer lx(file.text(), from, to);
    bool first = true;
    for (RawToken t = lx.next(); t.kind != RawKind::End && (first || !t.lineStart); t = lx.next(), first = false)
      o.push_back(item(lx, t, 0));
    return o;
  }
  auto step = [](const Item &i) { return i.punct == '(' ? 1 : i.punct == ')' ? -1 : 0; };
  // parentheses that the original opens and the preprocessed lines do not
  long open = 0;
  for (const Item &i : p) open -= step(i);
  RawLexer lx(file.text(), from);
  size_t limit = 4 * p.size() + 20000, beyond = 0;
  for (RawToken t = lx.next(); t.kind != RawKind::End && o.size() < limit; t = lx.next()) {
    // The invocation of a macro may go on in the lines of the next group.
    if (t.begin >= to && (open <= 0 || ++beyond > 5000)) break;
    Item i = item(lx, t, 0);
    if (t.lineStart && i.punct == '#') break;
    open += step(i);
    o.push_back(i);
  }
  return o;
}

// A macro invocation in the original.
struct Extent {
  size_t first, last;
  bool call;
};

// One group of lines: its items before and after preprocessing, the pairs of them, and the invocations between.
class Matching {
public:
  Matching(const OriginalFile &file, std::vector<Item> original, std::vector<Item> preprocessed)
      : file(file), o(std::move(original)), p(std::move(preprocessed)), partner(p.size(), none), back(o.size(), none),
        extentOf(o.size(), none) {
    pairUp(o, p, partner);
    for (size_t j = 0; j < p.size(); ++j)
      if (partner[j] != none) back[static_cast<size_t>(partner[j])] = static_cast<int>(j), ++matched;
    findExtents();
  }
  bool empty() const { return matched == 0 && extents.empty(); }

  std::vector<Alignment::Token> places() {
    std::vector<Alignment::Token> tokens;
    tokens.reserve(p.size());
    for (size_t j = 0; j < p.size(); ++j) tokens.push_back(placeOf(j));
    return tokens;
  }

private:
  const OriginalFile &file;
  const std::vector<Item> o, p;
  std::vector<int> partner, back, extentOf;
  size_t matched = 0;
  std::vector<Extent> extents;  // in order
  int previous = none;  // last o token seen
  size_t nextExtent = 0;  // first extent that ends after it

  void findExtents() {
    for (size_t i = 0; i < o.size(); ++i) {
      if (back[i] != none || o[i].kind != RawKind::Identifier) continue;
      Extent x = extentAt(i);
      for (size_t q = x.first; q <= x.last; ++q) extentOf[q] = static_cast<int>(extents.size());
      extents.push_back(x);
      i = x.last;
    }
  }

  // The extent of the macro that is named at i, with its arguments.
  Extent extentAt(size_t i) const {
    Extent x{i, i, false};
    if (i + 1 >= o.size() || o[i + 1].punct != '(') return x;
    size_t depth = 0, k = i + 1;
    for (; k < o.size(); ++k) {
      if (o[k].punct == '(') ++depth;
      if (o[k].punct == ')' && --depth == 0) break;
    }
    if (k >= o.size()) return x;
    // `(…)` came through untouched: an object-like macro before a parenthesis
    bool plain = true;
    for (size_t q = i + 1; q <= k && plain; ++q) plain = back[q] != none && (q == i + 1 || back[q] == back[q - 1] + 1);
    if (!plain) x.last = k, x.call = true;
    return x;
  }

  // The invocation that follows the last paired token: the one around it, or the next one before any other paired
  // token.
  int nearestExtent() const {
    if (nextExtent < extents.size()) {
      bool near = true;
      for (size_t q = static_cast<size_t>(previous + 1); near && q < extents[nextExtent].first; ++q)
        near = back[q] == none;
      if (near) return static_cast<int>(nextExtent);
    }
    return nextExtent > 0 ? static_cast<int>(nextExtent) - 1 : none;
  }

  void setPlace(Alignment::Token &t, size_t first, size_t last) const {
    t.line = file.lineOf(o[first].begin);
    t.column = o[first].begin - file.lineStart(t.line) + 1;
    t.endLine = file.lineOf(o[last].end - 1);
    t.endColumn = o[last].end - file.lineStart(t.endLine) + 1;
  }
  void setExact(Alignment::Token &t, int i) const {
    setPlace(t, static_cast<size_t>(i), static_cast<size_t>(i));
    t.exact = !o[static_cast<size_t>(i)].spliced;
  }

  // The place of token j of p.
  Alignment::Token placeOf(size_t j) {
    Alignment::Token t{p[j].begin, p[j].end};
    int i = partner[j];
    int x = i != none ? extentOf[static_cast<size_t>(i)] : none;
    if (i != none) {
      previous = i;
      while (nextExtent < extents.size() && extents[nextExtent].last < static_cast<size_t>(i)) ++nextExtent;
    } else x = nearestExtent();
    if (i != none && x == none) setExact(t, i);
    else if (x != none) {
      const Extent &e = extents[static_cast<size_t>(x)];
      int arg = none;
      if (e.call && p[j].heavy()) {
        if (i != none) arg = i;
        size_t bound = std::min(e.last, e.first + 400);
        for (size_t q = e.first + 2; q < bound && arg == none; ++q)
          if (o[q].hash == p[j].hash) arg = static_cast<int>(q);
      }
      if (arg != none) setExact(t, arg);
      else {
        setPlace(t, e.first, e.last);
        t.fromMacro = true;
      }
    } else if (previous != none) {
      setPlace(t, static_cast<size_t>(previous), static_cast<size_t>(previous));
      t.fromMacro = true;
    }
    return t;
  }
};

}  // namespace

std::unique_ptr<Alignment> align(const OriginalFile &file, uint32_t line, uint32_t nextLine,
    const std::vector<PreprocessedPiece> &pieces) {
  if (line == 0 || line > file.lineCount()) return nullptr;
  bool directive = !pieces.empty() && !pieces[0].text.empty() && pieces[0].text[0] == '#';
  std::vector<Item> p = preprocessedItems(pieces);
  if (p.empty()) return nullptr;
  std::vector<Item> o = originalItems(file, line, nextLine, p, directive);
  Matching m(file, std::move(o), std::move(p));
  if (m.empty()) return nullptr;
  auto a = std::make_unique<Alignment>();
  a->tokens = m.places();
  return a;
}

bool Alignment::place(uint32_t offset, bool atEnd, Presumed &p) const {
  // The token that holds the byte; for a blank the next one (or, for an end, the one before).
  auto it =
      std::upper_bound(tokens.begin(), tokens.end(), offset, [](uint32_t v, const Token &t) { return v < t.end; });
  bool pastAll = it == tokens.end();
  if (pastAll || (atEnd && it->begin > offset)) {
    if (it == tokens.begin()) return false;
    --it;
  }
  const Token &t = *it;
  if (t.line == 0) return false;
  bool inside = t.begin <= offset && offset < t.end;
  p.original = true;
  p.fromMacro = t.fromMacro;
  if (pastAll || (atEnd && (!inside || !t.exact || offset + 1 == t.end))) {
    p.line = t.endLine;
    p.column = t.endColumn;
    return true;
  }
  p.line = t.line;
  p.column = t.column + (t.exact && inside ? offset - t.begin + (atEnd ? 1 : 0) : 0);
  return true;
}

}  // namespace cilkc
