// source.cpp - SourceManager: one pass over the preprocessed text finds its lines and line markers. Positions are found
// by binary search, with the last answer remembered, since neighbours are asked for together. The originals of files
// are read when the first column is wanted; what their tokens have to do with the preprocessed ones is align.cpp's
// affair.
#include "frontend/source/source.h"
#include "frontend/source/dialect.h"
#include "frontend/source/align.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unordered_map>

namespace cilkc {

namespace {

// From one line marker to the next: text that comes from consecutive lines of one file.
struct Segment {
  uint32_t physical;  // index of its first line in the preprocessed text
  uint32_t line;  // the number this line has in its file
  uint32_t file;  // index into files
  bool system;
  int32_t includer;  // index into includes, -1: none
};

struct Include {
  uint32_t file, line;
  int32_t up;
  uint32_t entered;
  bool system;
};

struct Marker {
  uint32_t line = 0;
  std::string name;
  bool named = false, enter = false, leave = false, system = false;
};

// `# 12 "name" 1 3` or `#line 12 "name"`. False: some other directive.
bool parseMarker(std::string_view s, Marker &m) {
  size_t i = 1;
  auto blanks = [&] {
    while (i < s.size() && (s[i] == ' ' || s[i] == '\t')) ++i;
  };
  blanks();
  if (s.substr(i, 4) == "line" && i + 4 < s.size() && (s[i + 4] == ' ' || s[i + 4] == '\t')) i += 4, blanks();
  if (i >= s.size() || s[i] < '0' || s[i] > '9') return false;
  uint64_t n = 0;
  for (; i < s.size() && s[i] >= '0' && s[i] <= '9'; ++i)
    n = std::min<uint64_t>(n * 10 + static_cast<unsigned>(s[i] - '0'), 0x7fffffff);
  m.line = static_cast<uint32_t>(n);
  blanks();
  if (i < s.size() && s[i] == '"') {
    m.named = true;
    for (++i; i < s.size() && s[i] != '"'; ++i) {
      if (s[i] != '\\' || i + 1 >= s.size()) {
        m.name += s[i];
        continue;
      }
      ++i;
      if (s[i] >= '0' && s[i] <= '7') {
        int c = 0, k = 0;
        for (; k < 3 && i < s.size() && s[i] >= '0' && s[i] <= '7'; ++k, ++i) c = c * 8 + (s[i] - '0');
        --i;
        m.name += static_cast<char>(c);
      } else {
        m.name += s[i];
      }
    }
    for (++i; i < s.size(); ++i) {
      if (s[i] == '1') m.enter = true;
      if (s[i] == '2') m.leave = true;
      if (s[i] == '3') m.system = true;
    }
  }
  return true;
}

}  // namespace

struct SourceManager::Impl {
  std::string text, mainName;
  std::vector<uint32_t> lines;  // offset of each line of the preprocessed text
  std::vector<Segment> segments;
  std::vector<Include> includes;
  std::vector<std::unique_ptr<SourceFile>> files;
  std::vector<uint32_t> pragmas;
  mutable uint32_t lastLine = 0, lastSegment = 0;
  mutable std::vector<std::unique_ptr<OriginalFile>> originals;  // by file index; made on demand
  mutable std::vector<bool> tried;
  // by the first physical line of the group
  mutable std::unordered_map<uint32_t, std::unique_ptr<Alignment>> alignments;

  uint32_t fileIndex(const SourceFile *f) const {
    for (uint32_t i = 0; i < files.size(); ++i)
      if (files[i].get() == f) return i;
    return ~0u;
  }

  uint32_t physicalLine(uint32_t offset) const {
    uint32_t l = lastLine;
    if (!(lines[l] <= offset && (l + 1 == lines.size() || offset < lines[l + 1])))
      l = static_cast<uint32_t>(std::upper_bound(lines.begin(), lines.end(), offset) - lines.begin()) - 1;
    return lastLine = l;
  }
  uint32_t segmentIndex(uint32_t physical) const {
    uint32_t s = lastSegment;
    if (!(segments[s].physical <= physical && (s + 1 == segments.size() || physical < segments[s + 1].physical)))
      s = static_cast<uint32_t>(std::upper_bound(segments.begin(), segments.end(), physical,
                                    [](uint32_t p, const Segment &g) { return p < g.physical; }) -
                                segments.begin()) -
          1;
    return lastSegment = s;
  }
  const Segment &segmentOf(uint32_t physical) const { return segments[segmentIndex(physical)]; }
  uint32_t lineNumber(uint32_t physical) const {
    const Segment &s = segmentOf(physical);
    return s.line + (physical - s.physical);
  }
  std::string_view lineText(uint32_t physical) const {
    uint32_t b = lines[physical],
             e = physical + 1 < lines.size() ? lines[physical + 1] : static_cast<uint32_t>(text.size());
    while (e > b && (text[e - 1] == '\n' || text[e - 1] == '\r')) --e;
    return std::string_view(text).substr(b, e - b);
  }
  uint32_t clamp(Loc l) const { return std::min(l.offset(), static_cast<uint32_t>(text.size())); }

  const OriginalFile *original(uint32_t file) const {
    if (tried.size() < files.size()) tried.resize(files.size()), originals.resize(files.size());
    if (!tried[file]) {
      tried[file] = true;
      originals[file] = OriginalFile::read(files[file]->name);
    }
    return originals[file].get();
  }

  const Alignment *alignment(uint32_t physical) const;
};

SourceManager::SourceManager(std::string text, std::string mainName) : impl(std::make_unique<Impl>()) {
  Impl &m = *impl;
  m.text = std::move(text);
  m.mainName = std::move(mainName);
  std::unordered_map<std::string, uint32_t> byName;
  auto file = [&](const std::string &name, bool system) {
    auto [it, fresh] = byName.try_emplace(name, static_cast<uint32_t>(m.files.size()));
    if (fresh) {
      auto f = std::make_unique<SourceFile>();
      f->name = name;
      f->system = system;
      f->cilk = isCilkFile(name);
      m.files.push_back(std::move(f));
    }
    return it->second;
  };
  uint32_t mainFile = file(m.mainName, false);
  m.segments.push_back({0, 1, mainFile, false, -1});
  int32_t stack = -1;
  const char *base = m.text.data(), *end = base + m.text.size();
  for (const char *p = base;;) {
    m.lines.push_back(static_cast<uint32_t>(p - base));
    const char *nl = p < end ? static_cast<const char *>(std::memchr(p, '\n', static_cast<size_t>(end - p))) : nullptr;
    if (p < end && *p == '#') {
      std::string_view line(p, static_cast<size_t>((nl ? nl : end) - p));
      Marker k;
      if (parseMarker(line, k)) {
        const Segment &prev = m.segments.back();
        uint32_t next = static_cast<uint32_t>(m.lines.size());
        uint32_t f = k.named ? file(k.name, k.system) : prev.file;
        bool system = k.named ? k.system : prev.system;
        if (k.enter) {
          m.includes.push_back({prev.file, prev.line + (next - 1 - prev.physical) - (next - 1 > prev.physical ? 1 : 0),
              stack, f, k.system});
          stack = static_cast<int32_t>(m.includes.size()) - 1;
        } else if (k.leave && stack >= 0) {
          // The text goes on after the #include: that line is certain, the count of lines before it is not.
          if (k.line > 1) m.includes[static_cast<size_t>(stack)].line = k.line - 1;
          stack = m.includes[static_cast<size_t>(stack)].up;
        }
        m.segments.push_back({next, k.line, f, system, stack});
      } else if (line.substr(1).find("pragma") <= 2) {
        m.pragmas.push_back(static_cast<uint32_t>(p - base));
      }
    }
    if (!nl) break;
    p = nl + 1;
  }
}

SourceManager::~SourceManager() = default;

std::string_view SourceManager::text() const { return impl->text; }
const std::string &SourceManager::mainName() const { return impl->mainName; }
const std::vector<std::unique_ptr<SourceFile>> &SourceManager::files() const { return impl->files; }
const std::vector<uint32_t> &SourceManager::pragmaLines() const { return impl->pragmas; }

Presumed SourceManager::presumed(Loc l) const {
  if (!l.valid()) return {};
  uint32_t at = impl->clamp(l), physical = impl->physicalLine(at);
  const Segment &s = impl->segmentOf(physical);
  Presumed p;
  p.file = impl->files[s.file].get();
  p.line = s.line + (physical - s.physical);
  p.column = at - impl->lines[physical] + 1;
  return p;
}

bool SourceManager::inSystemHeader(Loc l) const {
  return l.valid() && impl->segmentOf(impl->physicalLine(impl->clamp(l))).system;
}

bool SourceManager::inCilkFile(Loc l) const {
  return l.valid() && impl->files[impl->segmentOf(impl->physicalLine(impl->clamp(l))).file]->cilk;
}

std::vector<Presumed> SourceManager::includeStack(Loc l) const {
  std::vector<Presumed> out;
  if (!l.valid()) return out;
  for (int32_t i = impl->segmentOf(impl->physicalLine(impl->clamp(l))).includer; i >= 0;
      i = impl->includes[static_cast<size_t>(i)].up) {
    const Include &inc = impl->includes[static_cast<size_t>(i)];
    Presumed p;
    p.file = impl->files[inc.file].get();
    p.line = inc.line;
    out.push_back(p);
  }
  return out;
}

std::string_view SourceManager::originalText(const SourceFile *f) const {
  uint32_t i = f ? impl->fileIndex(f) : ~0u;
  const OriginalFile *o = i == ~0u ? nullptr : impl->original(i);
  return o ? o->text() : std::string_view();
}

bool SourceManager::originalOffset(const Presumed &p, uint32_t &offset) const {
  uint32_t i = p.file && p.original ? impl->fileIndex(p.file) : ~0u;
  const OriginalFile *o = i == ~0u ? nullptr : impl->original(i);
  if (!o || p.line == 0 || p.line > o->lineCount() || p.column == 0) return false;
  offset = o->lineStart(p.line) + p.column - 1;
  return offset <= o->text().size();
}

std::string SourceManager::asWritten(Range where, size_t most) const {
  if (!where.valid() || !(where.begin < where.end)) return {};
  Presumed from = resolve(where.begin), to = resolveEnd(where.end);
  uint32_t begin, end;
  if (from.file != to.file || !originalOffset(from, begin) || !originalOffset(to, end) || begin >= end) return {};
  std::string s;
  for (char c : originalText(from.file).substr(begin, end - begin))
    if (c != ' ' && c != '\n' && c != '\t') s += c;
    else if (!s.empty() && s.back() != ' ') s += ' ';
  return s.size() <= most ? s : s.substr(0, most - 3) + "...";
}

std::vector<SourceManager::Inclusion> SourceManager::inclusions() const {
  std::vector<Inclusion> v;
  for (const Include &i : impl->includes)
    v.push_back({impl->files[i.file].get(), impl->files[i.entered].get(), i.line, i.system});
  return v;
}

std::string_view SourceManager::preprocessedLine(Loc l) const {
  if (!l.valid()) return {};
  return impl->lineText(impl->physicalLine(impl->clamp(l)));
}

const std::string *SourceManager::originalLine(const SourceFile *f, uint32_t line) const {
  uint32_t i = f ? impl->fileIndex(f) : ~0u;
  if (i == ~0u) return nullptr;
  const OriginalFile *o = impl->original(i);
  return o ? o->line(line) : nullptr;
}

// The group of a physical line: all neighbouring lines of the preprocessed text that have the same file and line
// number. The reason is that a macro from a system header breaks a line in two by line markers. The group's original
// runs from that line to the line where the next group begins.
const Alignment *SourceManager::Impl::alignment(uint32_t physical) const {
  const Segment &s = segmentOf(physical);
  uint32_t file = s.file, line = lineNumber(physical);
  auto isMarker = [&](uint32_t p) {
    return p + 1 < lines.size() && text[lines[p]] == '#' && segmentOf(p + 1).physical == p + 1;
  };
  auto same = [&](uint32_t p) {
    const Segment &g = segmentOf(p);
    return g.file == file && g.line + (p - g.physical) == line;
  };
  uint32_t first = physical, last = physical;
  // a group is made of few lines; the bound is for malicious input
  for (uint32_t p = physical; p > 0 && physical - p < 4000; --p) {
    uint32_t q = p - 1;
    if (isMarker(q)) continue;
    if (!same(q)) break;
    first = q;
  }
  auto cached = alignments.find(first);
  if (cached != alignments.end()) return cached->second.get();
  uint32_t nextLine = ~0u;
  for (uint32_t p = physical + 1; p < lines.size() && p - physical < 4000; ++p) {
    if (isMarker(p)) continue;
    if (same(p)) {
      last = p;
      continue;
    }
    const Segment &g = segmentOf(p);
    if (g.file == file && g.line + (p - g.physical) > line) {
      bool blank = lineText(p).find_first_not_of(" \t\f\v") == std::string_view::npos;
      if (blank) continue;  // blank lines only keep the numbering in step
      nextLine = g.line + (p - g.physical);
    }
    break;
  }
  std::unique_ptr<Alignment> a;
  if (const OriginalFile *o = original(file)) {
    std::vector<PreprocessedPiece> pieces;
    for (uint32_t p = first; p <= last; ++p)
      if (!isMarker(p)) pieces.push_back({lines[p], lineText(p)});
    a = align(*o, line, nextLine, pieces);
  }
  return (alignments[first] = std::move(a)).get();
}

Presumed SourceManager::resolve(Loc l) const {
  Presumed p = presumed(l);
  if (!p.file) return p;
  uint32_t at = impl->clamp(l);
  const Alignment *a = impl->alignment(impl->physicalLine(at));
  if (a) a->place(at, false, p);
  return p;
}

Presumed SourceManager::resolveEnd(Loc l) const {
  if (!l.valid() || l.offset() == 0) return presumed(l);
  Loc last{l.raw - 1};
  Presumed p = presumed(last);
  uint32_t at = impl->clamp(last);
  const Alignment *a = impl->alignment(impl->physicalLine(at));
  if (!a || !a->place(at, true, p)) ++p.column;
  return p;
}

}  // namespace cilkc
