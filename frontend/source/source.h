// source.h - files, locations, ranges.
//
// One compilation reads one preprocessed text. A location is a byte offset into that text; the line markers
// (`# 12 "f.c" 1 3`) give each offset its file, line, and whether that file is a system header or Cilk text. `cc -E`
// keeps lines but collapses blanks and comments, and a macro's tokens are all on the line of its invocation; so
// columns for carets and ranges come from the original file: `resolve` re-lexes the original line and aligns the tokens
// (see align.h). Nothing here but `compilingNow` is global: several SourceManagers may live in one process; one
// SourceManager belongs to one thread at a time.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cilkc {

// Byte offset + 1 into the preprocessed text; 0 = no location.
struct Loc {
  uint32_t raw = 0;
  static Loc at(size_t offset) { return Loc{static_cast<uint32_t>(offset + 1)}; }
  bool valid() const { return raw != 0; }
  uint32_t offset() const { return raw - 1; }
  friend bool operator==(Loc a, Loc b) { return a.raw == b.raw; }
  friend bool operator<(Loc a, Loc b) { return a.raw < b.raw; }
};

// Half-open: [begin, end) in bytes of the preprocessed text.
struct Range {
  Loc begin, end;
  bool valid() const { return begin.valid(); }
  static Range join(Range a, Range b) {
    if (!a.valid()) return b;
    if (!b.valid()) return a;
    return Range{a.begin < b.begin ? a.begin : b.begin, a.end < b.end ? b.end : a.end};
  }
};

// Where the compiler is: every stage sets it when it begins with an external declaration. Only the message of an
// internal error reads it.
inline thread_local Loc compilingNow;

// A file named by line markers.
struct SourceFile {
  std::string name;  // as in the line marker, unescaped; "<stdin>", "<built-in>", "<command-line>" happen
  bool system = false;  // marker flag 3
  bool cilk = false;  // by its suffix: dialect.h
};

// A position in the user's own text. line and column count from 1; column 0 = unknown. column counts bytes.
struct Presumed {
  const SourceFile *file = nullptr;
  uint32_t line = 0, column = 0;
  bool fromMacro = false;  // the token came out of a macro: the position is the invocation's
  // line and column were found in the original file (else column counts in the preprocessed line)
  bool original = false;
};

class SourceManager {
public:
  // Takes the whole preprocessed text; scans its line markers. mainName is what the user called the file.
  SourceManager(std::string text, std::string mainName);
  ~SourceManager();
  SourceManager(const SourceManager &) = delete;

  std::string_view text() const;
  Loc end() const { return Loc::at(text().size()); }
  const std::string &mainName() const;
  // File and line by the markers alone: cheap, used for every debug location. column = column in the preprocessed line.
  Presumed presumed(Loc) const;
  // File, line and column of the original text (re-reads the original file once, caches it); falls back to presumed().
  Presumed resolve(Loc) const;
  // The original text of a line without its newline; nullptr if the file can't be read (then callers use the
  // preprocessed text).
  const std::string *originalLine(const SourceFile *, uint32_t line) const;
  // Like resolve, for the end of a half-open range: the place after the token (or macro invocation) that ends there.
  Presumed resolveEnd(Loc) const;
  // The line of the preprocessed text that holds a location.
  std::string_view preprocessedLine(Loc) const;
  // Where the location's file was included, innermost first; columns are unknown.
  std::vector<Presumed> includeStack(Loc) const;
  // The text of a file as it is on disk (read once, cached); empty view with a null pointer if it can't be read.
  std::string_view originalText(const SourceFile *) const;
  // The offset in that text of a position found by resolve() or resolveEnd(); false if it has none.
  bool originalOffset(const Presumed &, uint32_t &offset) const;
  // A range as written in its file, on one line, and at most so long; empty if it cannot be found there.
  std::string asWritten(Range, size_t most) const;
  // Which file was included at which line of which file, in order.
  struct Inclusion {
    const SourceFile *from, *to;
    uint32_t line;
    bool system;
  };
  std::vector<Inclusion> inclusions() const;
  // Offsets of the lines of the preprocessed text that are pragmas.
  const std::vector<uint32_t> &pragmaLines() const;
  bool inSystemHeader(Loc) const;
  // Is the token at this location in Cilk text by its file's suffix (pragma lang is the token stream's affair)?
  bool inCilkFile(Loc) const;
  const std::vector<std::unique_ptr<SourceFile>> &files() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

}  // namespace cilkc
