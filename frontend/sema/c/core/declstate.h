// declstate.h - what the analysis of declarations remembers between them; what expressions and statements ask of it
// (whether a record is still being defined, say) is read here, too. Private to sema; one DeclState lives on analyze()'s
// stack for the time of one analysis.
#pragma once
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include "frontend/sema/c/core/sema.h"
#include "frontend/sema/c/core/union_members.h"
#include "diag/sema_decl.h"

namespace cilkc {

// What a list of specifiers says beyond its type.
struct SpecFacts {
  uint32_t alignAs = 0;  // the strictest _Alignas, bytes
  uint32_t typedefAlign = 0;  // alignment that a typedef name brought along
  bool anyAlignAs = false;  // even _Alignas(0), which asks for nothing
  bool implicitInt = false;
  bool mayBeUnused = false;  // the attribute of a typedef name
};

// How a function or object with linkage has been declared so far.
struct Declared {
  Range where;  // the latest declaration, for notes
  bool atFile = false;  // visible at file scope
  bool plainOrExtern = false;  // some file-scope declaration without inline, or with extern (C99 6.7.4p7)
  bool anyNotExternInline = false;  // gnu89: some declaration that is not `extern inline`
  bool defExternInline = false;  // the definition is `extern inline`
  bool hasProto = false;
};

// What the pragmas before a declaration say of it (analyze.cpp; applied in decl/decl.cpp).
struct Pragmas {
  std::unordered_set<std::string_view> weakNames;  // weak seen before the declaration
  std::map<std::string_view, std::string_view> weakAliases, renamed;  // weak a = b; redefine_extname a b
  std::vector<Visibility> visibility;  // GCC visibility
  std::string target;  // GCC target
  std::vector<std::string> pushedTargets;  // GCC push_options
  uint32_t pack = 0;
  std::vector<uint32_t> pushedPacks;
};

// Names with linkage (decl/redeclare.cpp).
struct Linkages {
  std::unordered_map<std::string_view, Decl *> linked;  // every function and object with linkage
  std::unordered_map<const Decl *, Declared> declared;
};

// Lists of specifiers (decl/types.cpp, decl/attr.cpp).
struct Specifiers {
  std::unordered_map<const DeclSpecs *, SpecFacts> known;  // of those that say anything
  SpecFacts facts(const DeclSpecs *d) const {
    if (known.empty()) return {};
    auto it = known.find(d);
    return it == known.end() ? SpecFacts{} : it->second;
  }
  std::unordered_set<const Attr *> taken;  // applied to a struct, union or enum, not to what is declared
  std::unordered_set<const Decl *> usedTypedefs;  // of blocks
  // Typedef names, enumerators, members: `deprecated` or `unavailable`.
  std::unordered_map<const void *, Attr *> deprecated;
};

// Structures, unions and enumerations (decl/record.cpp).
struct Tags {
  std::vector<const RecordType *> open;  // being defined, outermost first
  std::unordered_map<const EnumConstDecl *, const EnumType *> enumOf;
  bool solo = false;  // `struct s;` is alone: declares s in this very scope
  Attrs afterEnum;  // those after the closing brace of the enum that comes
  std::unordered_set<const Type *> nodiscard;  // the result of a call that has such a type should be used
};

// Declarators, and the parameters in them (decl/declarators.cpp, decl/function.cpp).
struct Declarators {
  const DeclChunk *lastList = nullptr;  // the parameter list analysed last and its scope, for the function's body
  Scope *lastScope = nullptr;
  Scope *prototypeOf(const DeclChunk *c) const { return c == lastList ? lastScope : nullptr; }
  std::unordered_map<const Declarator *, std::vector<Expr *>> outerSizes;  // a[n++] of a parameter: evaluated at entry
  std::unordered_set<const Decl *> arrayParameters;  // declared as arrays
  int depth = 0;  // nesting of declarators
};

// Initialisers (init.cpp).
struct Initialisers {
  // of those that name members of unions: a compound literal's may be gone on in
  std::unordered_map<const InitPlan *, UnionMembers> unionsOf;
};

struct DeclState {
  Linkages linkage;
  Specifiers specifiers;
  Tags tags;
  Declarators declarators;
  Pragmas pragmas;
  Initialisers initialisers;
};

// The value of an attribute's integer argument; analyses it once.
std::optional<__int128> attrInt(Sema &, Attr *, size_t index);
// Notes `deprecated` or `unavailable`. Where both are given, the latter counts.
inline void restrictUse(Attr *&noted, Attr *a) {
  if (!noted || noted->name != "unavailable") noted = a;
}
// A string argument of an attribute, or nothing.
std::optional<std::string_view> attrString(Sema &, Attr *, size_t index);
// The largest alignment asked for by `aligned` in a list, 0 if none; reports bad values.
uint32_t attrAlignment(Sema &, const Attrs &, bool typeOnly);
// The warning for a missing type: C99 took implicit int away.
inline DiagId implicitInt(const Sema &s) {
  return s.cx.lang.std < LangOptions::C99 ? diag::implicit_int_c89 : diag::implicit_int;
}
// The alignment that an aligned typedef gives to what is declared with it: the object itself or arrays of it.
uint32_t typedefAlignment(Sema &, const Declarator *, const SpecFacts &);
// The attributes after the `*` of a declarator that are those of what it declares: char *__attribute__((cleanup(f)))
// p. As gcc has it, they go as far as the next pointer; alignment is the pointer's, and stays with typedefAlignment.
Attrs pointerAttributes(Sema &, const Declarator *);
// Gives the variable arrays in a type that have none their hidden size variables (parameters of a definition).
void giveSizeVariables(Sema &, QualType);

}  // namespace cilkc
