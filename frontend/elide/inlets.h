// inlets.h - inlets and what calls them, in plain C; procedures exported to C. Needs the typed tree. Private to elide/.
#pragma once
#include <functional>
#include <string>
#include <unordered_set>
#include "frontend/ast/ast.h"
#include "frontend/elide/text.h"
#include "frontend/source/diagnostics.h"

namespace cilkc {

// Gives the text that a file is edited in; null for files that are not edited.
using TextOf = std::function<EditedText *(const SourceFile *)>;

// Offsets of a range in its file; null if it came out of a macro or the file is not edited.
EditedText *placeOf(const SourceManager &, const TextOf &, Range, uint32_t &begin, uint32_t &end);

// Lifts each inlet out of its procedure (keepNested: leaves it as a GNU nested function) and rewrites the calls.
// `taken`: words that the program uses; new names are added. Reports what can't be done. The function returned puts the
// lifted inlets into their places; call it when all other edits are made, as their text is final then.
std::function<void()> elideInlets(const TranslationUnit &, const SourceManager &, DiagnosticEngine &, const TextOf &,
    bool keepNested, std::unordered_set<std::string> &taken);

// The C functions mt_NAME for procedures that the program calls by EXPORT(NAME) and does not define itself.
std::string exportedProcedures(const TranslationUnit &, const std::function<bool(std::string_view)> &definedByUser);

// Their prototypes, where the program calls them without: before the first function that does.
void declareExports(const TranslationUnit &, const SourceManager &, const TextOf &);

// Keeps a name for a TypeNames until the process ends.
std::string_view keepName(std::string);

// Names for anonymous types: their typedefs at file scope.
TypeNames typedefNames(const TranslationUnit &);

}  // namespace cilkc
