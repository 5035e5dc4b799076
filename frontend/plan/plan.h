// procedure.h - what the code generator must know about one Cilk procedure: where each local lives, where the procedure can be
// resumed, and what must be saved there. The room's only public header.
//
// Input: a typed Cilk procedure without errors. Output: a ProcedureFlow; the AST is not changed except for Spawn::entry and SyncStmt::entry.
// No LLVM here. Everything is a pure function of the AST: the fast and the slow clone of a procedure, and every unrolled copy, see the
// same answers.
//
// The ideas. The slow clone resumes at an *entry point*; what it needs there are the variables that are live at that point (dead
// ones are not kept alive). Three things make a variable live that the procedure's own text does not show:
//  * an `op=` delivery or an inlet may run at any time until the next sync, so everything that deliveries read is used by every
//    sync and return that a child may reach;
//  * a spawn's plain receiver keeps its old value until the delivery, and a stolen parent may look at it (`if (!hit) spawn ...`),
//    so a delivery does not kill it;
//  * objects whose address may be live across a spawn must not move at all: they live in the closure in both clones.
// Frigo, Leiserson, Randall, PLDI'98 section 4 ("all live, dirty variables"); DESIGN "what lives in the closure".
#pragma once
#include <unordered_map>
#include <vector>
#include "frontend/ast/ast.h"

namespace cilkc {

enum class VarHome : uint8_t {
  Scratch,     // no spawn or sync lies in its scope, or it is a constant parameter: an ordinary local of whatever clone runs, never saved
  Register,    // an ordinary local in both clones; saved in its slot where it is live across an entry point, restored on resumption
  Delivered,   // receivers and what inlets touch: an ordinary local in the fast clone (saved like Register), the slot itself in the slow clone
  Closure      // the slot itself in both clones: address taken, arrays, VLAs (the slot holds the block's address), volatile objects, variables
               // that are live at so many entry points that saving them everywhere would be most of the code
};

struct EntryPoint {
  enum Kind : uint8_t {
    Start,       // entries[0]: never resumed
    AfterSpawn,  // the child is out (or came back); the continuation of the spawn
    BeforeSpawn, // lazy: a release point before a first spawn or before the outermost loop around it
    AtSync,      // an explicit sync
    AtReturn     // the implicit sync; the return value is saved in its own slot; at most one per procedure
  } kind = Start;
  Spawn *spawn = nullptr;            // AfterSpawn
  const Stmt *stmt = nullptr;        // the statement: spawn's, the one that BeforeSpawn stands before, the sync
  Range range;
  bool mayBeOutstanding = false;     // children may be out when control comes here (before this spawn itself)
  std::vector<VarDecl *> live;       // homes Register and Delivered: needed after resumption here
  std::vector<VarDecl *> save;       // eager: the part of `live` that may differ from its slot when the fast clone comes here
  std::vector<VarDecl *> saveBesideLeaves;   // ... where spawns of this unit's procedures may be run in place, that is, may have saved nothing
};

struct ProcedureFlow {
  const FunctionDef *def = nullptr;
  std::vector<EntryPoint> entries;                              // by number; [0] is Start
  std::unordered_map<const VarDecl *, VarHome> homes;           // parameters, locals and hidden ones of the procedure (not of its inlets)
  std::unordered_map<const Stmt *, int> before;                 // statement -> BeforeSpawn entry to test just before it
  std::unordered_map<const Stmt *, bool> returnOutstanding;     // ReturnStmt -> children may be out
  bool endOutstanding = false;                                  // the same where control falls off the end
  bool endReachable = true;
  int returnEntry = 0;                                          // the AtReturn entry, 0 if no return can have children out
  // Very many entry points: every variable that is live at one has home Closure, so that nothing is saved anywhere, and the code generator keeps the
  // rare paths of each spawn out of line.
  bool large = false;
  bool closureAtEntry = false;                                  // has Closure homes or dynamic blocks: take the closure at entry, or at `cut`
  // The leaf prefix: what the body does before it commits itself to more than a leaf's work. Up to the statement `cut` there are only tests without
  // side effects and branches that return; every path passes the cut at most once or returns before it. So code up to the cut may be
  // copied to the place of a call, and a closure may be taken as late as the cut. Null: there is none (the cut is the entry).
  const Stmt *cut = nullptr;
  bool leafReturns = false;                                     // some path returns before the cut
  bool leafCheap = false;                                       // ... without loops and calls
  bool cheap = false;                                           // the whole body has no loops and no calls but spawns
  VarHome home(const VarDecl *v) const {
    auto it = homes.find(v);
    return it == homes.end() ? VarHome::Scratch : it->second;
  }
};

// keepAll: every variable counts as live as long as it is in scope, for a debugger that is to show it.
ProcedureFlow analyzeProcedure(const FunctionDef *, bool keepAll = false);

// The procedure that the spawn names, but null when it is weak: another file's definition may run in the place of the one that is seen here.
const FunctionDecl *knownCallee(const Spawn *);

}  // namespace cilkc
