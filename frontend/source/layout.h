// layout.h - what only the text as its author laid it out shows: columns, comments, the names of macros. The tree
// knows none of these, since the preprocessor took them away. A stage after the parser asks here and reads no text
// itself.
#pragma once
#include <initializer_list>
#include "frontend/source/source.h"

namespace cilkc {

// The word at a place, or the macro's name that it came out of; empty if the file cannot be read or no word is
// there.
std::string wordAt(const SourceManager &, Loc);

// Is one of these words on the lines above a place (three of them), or before it on its own line?
bool commentBefore(const SourceManager &, Loc, std::initializer_list<const char *> words);

// `if (a) b; c;`, or c below b in b's column: does c look as if the word at `guard` held for it, as it does for the
// body?
bool looksGuarded(const SourceManager &, Loc guard, Loc body, bool emptyBody, Loc next);

// `while (a);` with its ';' right after the ')': does what follows look like the loop's body, a block or a statement
// further to the right?
bool emptyBodyLooksWrong(const SourceManager &, Loc loop, Loc semicolon, Loc next, bool isBlock);

}  // namespace cilkc
