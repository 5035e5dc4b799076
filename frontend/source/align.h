// align.h - from tokens of the preprocessed text to the user's own text. The private half of SourceManager::resolve.
//
// A group of preprocessed lines (all with one presumed line) comes from some lines of the original file, in which
// macros are not yet expanded. Both are lexed; tokens that are equal are paired by a longest common subsequence; what
// the preprocessed side has in between came out of the macro invocation that the original has there: those tokens get
// the invocation's place, or, when they are words of its arguments, the place of the argument.
#pragma once
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>
#include "frontend/source/source.h"

namespace cilkc {

// The text of a file as it is on disk now.
class OriginalFile {
public:
  // Null if it can't be read (or is no regular file, or is absurdly large).
  static std::unique_ptr<OriginalFile> read(const std::string &name);
  // Line without its newline; null if there is no such line. The pointer stays valid.
  const std::string *line(uint32_t number) const;
  std::string_view text() const { return contents; }
  uint32_t lineCount() const { return static_cast<uint32_t>(starts.size()); }
  uint32_t lineStart(uint32_t number) const { return starts[number - 1]; }
  // Where the tokens of a line begin: after the end of a comment that began on an earlier line.
  uint32_t codeStart(uint32_t number) const;
  // The line (from 1) that holds an offset.
  uint32_t lineOf(uint32_t offset) const;
private:
  std::string contents;
  std::vector<uint32_t> starts;
  std::vector<bool> inComment;          // does the line begin inside a block comment?
  mutable std::unordered_map<uint32_t, std::string> cut;
};

struct PreprocessedPiece {
  uint32_t offset;
  std::string_view text;
};

class Alignment {
public:
  struct Token {
    uint32_t begin, end;                 // in the preprocessed text
    uint32_t line = 0, column = 0, endLine = 0, endColumn = 0;   // line 0: unknown
    bool fromMacro = false, exact = false;   // exact: the bytes correspond one to one
  };
  // Sets line, column, fromMacro, original for the byte at an offset of the preprocessed text (atEnd: for the place
  // after it). False: unknown, p is left alone.
  bool place(uint32_t offset, bool atEnd, Presumed &p) const;

private:
  friend std::unique_ptr<Alignment> align(const OriginalFile &, uint32_t, uint32_t,
      const std::vector<PreprocessedPiece> &);
  std::vector<Token> tokens;
};

// Null when nothing fits (the file has changed).
std::unique_ptr<Alignment> align(const OriginalFile &, uint32_t line, uint32_t nextLine,
    const std::vector<PreprocessedPiece> &);

}  // namespace cilkc
