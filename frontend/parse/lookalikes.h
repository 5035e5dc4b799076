// lookalikes.h - characters beyond ASCII that editors, word processors and web pages put where C has one of its own:
// quotes, blanks, dashes.
#pragma once
#include <cstdint>
#include <string_view>

namespace cilkc::parsing {

struct Lookalike {
  std::string_view bytes;          // in UTF-8
  const char *name;                // as in Unicode, with its number
  const char *meant;               // the characters of C; empty for a mere blank
  uint16_t token = 0;              // whose token they are; 0 for blanks and quotes
};

// The one that the text begins with; null if it begins with none.
const Lookalike *lookalikeAt(std::string_view text);

// How much of a text is well-formed UTF-8, up to a lookalike.
size_t utf8Prefix(std::string_view);

// The text begins with a lookalike of a quote: up to the one that closes, or to the end of the line.
size_t quotedLength(std::string_view text, bool &closed);

}  // namespace cilkc::parsing
