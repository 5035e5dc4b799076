// options.h - cilkc1's command line. The driver turns what users write into this shape; cilkc1 can also be called by
// hand.
#pragma once
#include <string>
#include <vector>
#include "codegen/codegen.h"
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"

namespace cilkc {

enum class Emit {
  Object,
  Assembly,
  Ir,
  Bitcode,
  Ast,
  Tree,
  Tokens,
  Clones,
  Plan,
  Elide,
  Closures,
  Threads,
  Index,
  Export,
  Check
};

struct Options {
  Emit emit = Emit::Object;
  std::string input, output;            // "-": standard input, standard output
  bool link = false;  // --link: the inputs are objects made with -flto; one object is made from them
  std::vector<std::string> objects;  // --link
  std::string mainFile;  // as the user named it; empty: the input's name
  LangOptions lang;
  TargetInfo target;
  DiagOptions diag;
  CodegenOptions codegen;
  bool timeReport = false;
  bool standalone = false, gnuElision = false;
  std::string procedure;  // --emit=clones, plan: the one to show; empty: all
  bool checkTree = false;  // --check-ast: verify the AST's invariants (always in builds with CILKC_DEBUG)
  std::string explain;  // --explain=CODE or list
  std::string print;  // --print=: the table whose names to print
  bool help = false, version = false;
  std::vector<std::string> unknownWarnings;  // unknown names in -W
};

// Empty if the command line is right, else what is wrong with it.
std::string parseOptions(const std::vector<std::string> &args, Options &);
extern const char usageText[];

}  // namespace cilkc
