// keywords.h - the part of the elision that needs no tree: Cilk words in one file's raw tokens. Private to elide/.
#pragma once
#include <string>
#include <vector>
#include "frontend/elide/text.h"
#include "frontend/source/dialect.h"

namespace cilkc {

struct KeywordOptions {
  Dialect dialect = Dialect::C;   // by the file's name
  bool onlyIncludes = false;      // edits nothing
  bool renameMain = false;        // cilk_main -> main
  bool future = false, touch = false;   // the unit has them as words of Cilk
  bool openCilk = false;          // cilk_spawn and its like are words
};

// An #include directive.
struct IncludeLine {
  uint32_t begin, end;            // from '#' to the end of the file name
  std::string name;               // without its quotes
  bool quoted;                    // "name", not <name>
};

struct KeywordResult {
  std::vector<IncludeLine> includes;
  std::vector<std::pair<uint32_t, uint32_t>> onces;   // `#pragma once` and what else belongs in headers only
  bool usedCilkWords = false;
};

// Edits the Cilk words away; places that are edited already are left alone.
KeywordResult elideKeywords(EditedText &, const KeywordOptions &);

}  // namespace cilkc
