// cfg.h - the control-flow graph of one function, a Cilk procedure or a C function, as a list of blocks of events.
//
// Expressions are flattened into uses and definitions in evaluation order. Inside conditional parts of an expression
// (&&, ||, ?:) uses count as if they always happened and definitions do not kill: both are on the safe side for
// liveness, and keep branches out of expressions.
#pragma once
#include <unordered_map>
#include <vector>
#include "frontend/ast/ast.h"

namespace cilkc {

struct Event {
  enum Kind : uint8_t {
    // var's value is read; expr is where the user's text does so, null where nothing comes of it or the text does not
    // show it
    Use,
    Define,  // var gets a new value and the old one is dead
    Undefine,  // var's declaration is reached and gives it no value; the old one is dead
    Modify,  // var changes, but the old value may still matter (partial or conditional store)
    SpawnPoint,  // the child starts
    Deliver,  // the receiver of the spawn before it changes (in the un-stolen case)
    DeliverInlet,  // ... and the same for all variables of Cfg::inletTouched
    SyncPoint,
    TouchPoint,  // the procedure may wait here, and goes on before what follows
    ReturnPoint,
    BeforePoint,  // a place where BeforeSpawn may be
    // For readers that look at expressions themselves:
    Evaluate,  // expr, a full expression of stmt, is evaluated; before the events that it is flattened into
    Declared  // var's declaration is reached and its initialiser is evaluated
  } kind;
  const VarDecl *var = nullptr;
  const SpawnStmt *spawn = nullptr;
  const Stmt *stmt = nullptr;
  const Expr *expr = nullptr;
};

struct Block {
  std::vector<Event> events;
  std::vector<int> next;
  // A block that ends in a test: what is tested, and where control goes. Both are in `next`, too.
  const Expr *condition = nullptr;
  int whenTrue = -1, whenFalse = -1;
  // A block that ends in a switch: its labels' blocks, the default's or the one after it. They are in `next`, too.
  const Expr *selector = nullptr;
  std::vector<std::pair<const CaseStmt *, int>> cases;
  int otherwise = -1;
  // in a noreturn call. Successors are kept: liveness must not rely on another file's declaration
  bool ends = false;
};

struct Cfg {
  std::vector<Block> blocks;  // [0] is the entry
  int exit = -1;  // where control falls off the end; it may be unreachable
  std::vector<const VarDecl *> inletTouched;
  // case and default labels that control reaches from the statement before: with its last block
  std::vector<std::pair<const Stmt *, int>> fallsInto;
  std::vector<const VarDecl *> delivered;  // receivers of op= and whatever inlets touch: read by deliveries

  std::vector<int>
  // the blocks that can be reached, each after all that lead to it but around a loop (reverse postorder); bodies of
  // loops before what follows
  inOrder() const;
};

Cfg buildCfg(const FunctionDef *);

// Is there a spawn or sync statement below s?
bool containsCilkPoint(const Stmt *s);

}  // namespace cilkc
