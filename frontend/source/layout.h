// layout.h - what only the text as its author laid it out can tell: columns, comments, the names of macros. The tree
// knows none of these, since the preprocessor took them away. Whoever is behind the parser asks here and reads no text
// of its own.
#pragma once
#include <initializer_list>
#include "frontend/source/source.h"

namespace cilkc {

// The word that stands at a place, or the macro's name that it came out of; empty if the file cannot be read or no word
// stands there.
std::string wordAt(const SourceManager &, Loc);

// Does one of these words stand on the lines above a place (three of them), or before it on its own?
bool saidBefore(const SourceManager &, Loc, std::initializer_list<const char *> words);

// `if (a) b; c;`, or c below b in b's column: does c look as if the word at `guard` held for it, as it does for the
// body?
bool looksGuarded(const SourceManager &, Loc guard, Loc body, bool emptyBody, Loc next);

// `while (a);` with its ';' right after the ')': does what follows look like the loop's body, a block or a statement
// further to the right?
bool emptyBodyLooksWrong(const SourceManager &, Loc loop, Loc semicolon, Loc next, bool isBlock);

}  // namespace cilkc
