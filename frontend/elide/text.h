// text.h - one of the user's files while it is edited: its text, its raw tokens, and the edits to them. Private to
// elide/.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>
#include "frontend/source/rawlex.h"
#include "frontend/source/source.h"

namespace cilkc {

class EditedText {
public:
  EditedText(std::string_view text);
  std::string_view text() const { return whole; }
  const std::vector<RawToken> &tokens() const { return raw; }
  std::string_view spelling(size_t i) const { return whole.substr(raw[i].begin, raw[i].end - raw[i].begin); }
  bool is(size_t i, std::string_view s) const { return i < raw.size() && spelling(i) == s; }
  // The token that begins at an offset; npos if none does.
  size_t tokenAt(uint32_t offset) const;
  // The index of the bracket that closes the one at i; npos if it is not closed.
  size_t closing(size_t i) const;

  // The first replacement of a place wins: later ones that overlap it are dropped.
  void replace(uint32_t begin, uint32_t end, std::string with);
  bool replaced(uint32_t begin) const;
  // This text in place of whatever edits there are in [begin, end).
  void override(uint32_t begin, uint32_t end, std::string with);
  void insert(uint32_t at, std::string text);
  // Takes [begin, end) out of its place; render(begin, end) still gives it, edited.
  void moveAway(uint32_t begin, uint32_t end);
  // Deletes a token and the blanks that it leaves.
  void erase(size_t token);

  bool changed() const { return !replacements.empty() || !insertions.empty() || !moved.empty(); }
  std::string render(uint32_t begin, uint32_t end) const;
  std::string render() const { return render(0, static_cast<uint32_t>(whole.size())); }
  static constexpr size_t npos = ~size_t(0);

private:
  struct Replacement {
    uint32_t end;
    std::string text;
  };
  std::string_view whole;
  std::vector<RawToken> raw;
  std::map<uint32_t, Replacement> replacements;
  std::multimap<uint32_t, std::string> insertions;
  std::map<uint32_t, uint32_t> moved;
};

}  // namespace cilkc
