// outline.h - a procedure made of a part of a function (outline.cpp), and its spawns (await.cpp).
#pragma once
#include "frontend/sema/cilk/build.h"

namespace cilkc {

// A procedure of sema's own while its body is made: its function state and scope.
class Outline {
public:
  // `shown`: as users read of it; empty: "<what> of <function> (line N)"
  Outline(CilkSema &, const char *what, QualType result, Range, std::string_view shown = {});
  ~Outline();
  VarDecl *parameter(QualType, std::string_view name);
  FunctionDecl *finish(std::vector<Stmt *> body);             // the procedure; its captures are its last parameters
  // the arguments for them, after finish(), in the function around
  std::vector<Expr *> captured(const Build &) const;
  std::vector<Expr *> passedOn(const Build &) const;  // the same in the procedure itself, for a spawn of itself
  FunctionDecl *fn;
  FunctionState state;
  OpenCilkFunction own;

private:
  CilkSema &sema;
  Range where;
  bool finished = false;
};

// Can the call neither use a reducer nor end the strand? Then it is one of a builtin that gets numbers only.
bool isArithmetic(const Call *);
// About how many instructions an iteration with this body is; 0 where the text does not tell: it calls, loops, jumps.
unsigned long long costOf(const Stmt *body, const AstContext &);

// Notes the names whose objects a text writes to.
void namesWritten(const Stmt *, OpenCilkFunction &);

// spawn procedure(arguments); the value is dropped.
SpawnStmt *spawnOf(const Build &, FunctionDecl *procedure, std::vector<Expr *> arguments);
// A call: what goes before the statement that it is in, and its value, null for a void procedure.
struct Awaited {
  std::vector<Stmt *> first;
  SpawnStmt *spawn = nullptr;
  Expr *value = nullptr;
};
Awaited await(const Build &, FunctionDecl *procedure, std::vector<Expr *> arguments);

}  // namespace cilkc
