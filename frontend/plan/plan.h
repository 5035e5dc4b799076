// plan.h - the clones of Cilk procedures as data: everything about f.fast, f.slow, their copies, f.deliver.N and f.sig
// that is decided before an instruction is made. codegen/clones emits it, frontend/show writes it down, printPlan lists
// it.
//
// The ideas. The slow clone resumes at an *entry point*; what it needs there are the variables that are live at that
// point and may have a value. Three things make a variable live that the procedure's own text does not show:
//  * an `op=` delivery or an inlet may run at any time until the next sync. So everything that deliveries read is used
//    by every sync and return that a child may reach.
//  * a spawn's plain receiver keeps its old value until the delivery. A stolen parent may look at that value
//    (`if (!hit) spawn ...`), so a delivery does not kill it.
//  * objects whose address may be live across a spawn must not move at all: they live in the closure in both clones.
// See Frigo, Leiserson, Randall, PLDI'98, section 4: "all live, dirty variables".
//
// A plan is a pure function of the typed tree, the target's C facts and PlanOptions: the fast and the slow clone of a
// procedure, and every unrolled copy, see the same answers. Nothing is noted on the tree.
#pragma once
#include <iosfwd>
#include <memory>
#include <unordered_map>
#include <vector>
#include "frontend/ast/ast.h"
#include "frontend/plan/options.h"
#include "frontend/plan/steps.h"

namespace cilkc {

enum class VarHome : uint8_t {
  // no spawn or sync in its scope, or a constant parameter: an ordinary local of whatever clone runs, never saved
  Scratch,
  // an ordinary local in both clones; saved in its slot where it is live across an entry point, restored on resumption
  Register,
  // receivers and what inlets touch: an ordinary local in the fast clone (saved like Register), the slot itself in the
  // slow clone
  Delivered,
  // the slot itself in both clones: address taken, arrays, VLAs (the slot holds the block's address), volatile objects,
  // variables that are live at so many entry points that saving them everywhere would be most of the code
  Closure
};

// Does a fast clone have its closure when control comes to a place?
enum class Presence : uint8_t { No, Maybe, Yes };

// Where a procedure can be resumed. Both strategies number them alike. Where children are out only after AfterSpawn, a
// thread ends at every AfterSpawn, AtSync and AtReturn (and at returns without children).
struct EntryPoint {
  enum Kind : uint8_t {
    Start,  // entries[0]: never resumed
    AfterSpawn,  // the child is out (or came back); the continuation of the spawn
    BeforeSpawn,  // lazy: a release point before a first spawn or before the outermost loop around it
    AtTouch,  // before a touch, or before a future's declaration that comes again
    AtSync,  // an explicit sync
    AtReturn  // the implicit sync; the return value is saved in its own slot; at most one per procedure
  } kind = Start;
  const SpawnStmt *spawn = nullptr;  // AfterSpawn
  const Stmt *stmt = nullptr;  // the statement: spawn's, the one that BeforeSpawn precedes, the sync
  Range range;
  bool mayBeOutstanding = false;  // children may be out when control comes here (before this spawn itself)
  Presence closure = Presence::No;  // of the fast clone's own, before this spawn itself
  // Variables of homes Register and Delivered.
  // needed after resumption here: what the slow clone saves before and restores after (Registers only)
  std::vector<const VarDecl *> live;
  // what the fast clone saves here. Eager: the live ones whose slot may be out of date; lazy: all, the child's delivery
  // pending
  std::vector<const VarDecl *> save;
  std::vector<const VarDecl *> saveDelivered;  // lazy, AfterSpawn: when the child's delivery has just been made
};

// What a return record holds, and how the delivery finds the receiver. The record belongs to the child: it is in the
// parent's closure only until the parent is stolen or released.
struct RecordLayout {
  enum ReceiverKind : uint8_t {
    NoReceiver,
    Recomputed,  // a variable or a fixed part of one: the deliver function finds it by itself
    Stored  // its address is fixed at the spawn and stored in the record
  } receiver = NoReceiver;
  std::vector<uint64_t> argOffsets;  // extra inlet arguments, from the record's start
  std::vector<QualType> argTypes;
  uint64_t size = 0;
  uint32_t align = 8;
};

struct PlannedSpawn {
  const SpawnStmt *site = nullptr;
  int entry = 0;
  RecordLayout record;
  const FunctionDecl *callee = nullptr;  // the procedure that it names, if no other definition may run in its place
  bool expands = false;  // its callee is of the same recursive group: with levels left, a copy is called (lazy)
  bool leaf = false;  // the callee's leaf copy runs first, in place
};

// The offsets in the closure: header, return value, variables, one return record (only one spawn of a frame
// can be unstolen at a time), the array space (rt/core/abi.h).
struct ClosureLayout {
  std::unordered_map<const VarDecl *, uint64_t> offsets;  // homes Register, Delivered, Closure
  std::vector<const VarDecl *> variables;  // the same, in the order of their declarations
  // With PlanOptions::redZones, those of home Closure in the order of their offsets. They come after all others, with
  // red zones before, between and after them.
  std::vector<const VarDecl *> zoned;
  uint64_t zonesBegin = 0, zonesEnd = 0;
  uint64_t returnOffset = 0, returnSize = 0;
  uint64_t recordOffset = 0;
  uint64_t arraySpace = 0;  // bytes at its end, where a fast clone puts small VLAs
  uint64_t size = 0;  // whole closure
};

// When a fast clone takes its closure.
enum class ClosureTaken : uint8_t {
  AtEntry,  // objects in it are needed from the start
  Late,  // ... from the statement `take` on
  AtSpawn,  // at the first spawn that control meets (eager)
  AtRelease  // not before a release (lazy)
};

struct Ending {  // a return, or the closing brace
  bool outstanding = false;  // children may be out
  Presence closure = Presence::No;
};

struct ClonePlan {
  const FunctionDecl *fn = nullptr;
  SpawnStrategy strategy{};
  std::vector<EntryPoint> entries;  // by number; [0] is Start
  // parameters, locals and hidden ones of the procedure (not of its inlets)
  std::unordered_map<const VarDecl *, VarHome> homes;
  std::vector<PlannedSpawn> spawns;  // by entry
  std::unordered_map<const Stmt *, int> before;  // statement -> BeforeSpawn entry to test just before it
  std::unordered_map<const Stmt *, Ending> returns;  // by ReturnStmt
  Ending end;  // where control falls off
  bool endReachable = true;
  int returnEntry = 0;  // the AtReturn entry, 0 if no return can have children out
  // parameters with one value in all calls: a constant expression
  std::vector<std::pair<const VarDecl *, const Expr *>> constants;
  ClosureLayout closure;
  ClosureTaken taken{};
  bool residents = false;  // has Closure homes or dynamic blocks

  // Very many entry points: every variable that is live at one has home Closure, so that nothing is saved anywhere, and
  // the optimiser leaves both clones alone. So compile time is linear in the number of entry points.
  bool large = false;

  // The leaf prefix: what the body does before it commits itself to more than a leaf's work. Up to the statement `cut`
  // there are only tests without side effects and branches that return; every path passes the cut at most once or
  // returns before it. So code up to the cut may be copied to the place of a call. Null: there is none (the cut is the
  // entry). A loop (FunctionDecl::isLoop) has done a part of its iterations when it comes to its cut: what is left is
  // called for.
  const Stmt *cut = nullptr;
  // The first statement of the body that needs the closure, its objects or a spawn; every path passes it at most once.
  // Null: it is the entry.
  const Stmt *take = nullptr;
  bool leafReturns = false;  // some path returns before the cut, or without it
  // Work comes before the cut, and may not be done twice: a leaf copy first tests this condition of the parameters,
  // which no path changes. Where it has the value `leafWhen`, control does not come to the cut.
  const Expr *leafTest = nullptr;
  bool leafWhen = false;
  bool leafCheap = false;  // ... without loops and calls
  bool cheap = false;  // the whole body has no loops and no calls but spawns
  bool leafCopy = false;  // there is a leaf copy, for spawns of it to run in place
  size_t weight = 0;  // size of the body, in nodes
  size_t levels = 0;  // of copies of the recursive group's members that f.fast is expanded by (lazy)

  VarHome home(const VarDecl *v) const {
    auto it = homes.find(v);
    return it == homes.end() ? VarHome::Scratch : it->second;
  }
  // These throw std::logic_error, an internal error, for what the plan does not know: emitting it as anything else
  // would be wrong code. A touch of another's future: the fast clone may have to turn into a slow one there.
  static bool savesAt(const EntryPoint &e) {
    return e.kind == EntryPoint::AtTouch && e.stmt->as<TouchStmt>()->future && !e.stmt->as<TouchStmt>()->own;
  }
  const PlannedSpawn &spawn(const SpawnStmt *) const;
  int entryOf(const SyncStmt *) const;
  int entryOf(const TouchStmt *) const;
  const Ending &ending(const ReturnStmt *) const;
  const EntryPoint &entry(int number) const { return entries.at(static_cast<size_t>(number)); }
  bool resumable(const EntryPoint &) const;  // can an instance be resumed there at all under this strategy?

  std::unordered_map<const Stmt *, int> syncs;  // SyncStmt -> entry
  std::unordered_map<const Stmt *, int> touches;  // TouchStmt -> entry
  std::unordered_map<const SpawnStmt *, size_t> spawnIndex;  // into spawns
};

uint64_t slotSize(const VarDecl *, const TargetInfo &);
uint32_t slotAlign(const VarDecl *, const TargetInfo &);
// how far an object of such a type can count on it in closures, links and records
uint32_t heapAlign(uint32_t typeAlign);

// The plans of all Cilk procedures that the unit defines. They depend on each other by inlining and constant
// parameters.
class UnitPlan {
public:
  UnitPlan(const TranslationUnit &, const AstContext &, const PlanOptions &);
  ~UnitPlan();
  const ClonePlan &of(const FunctionDecl *) const;  // throws for a procedure that the unit does not define
  bool has(const FunctionDecl *fn) const { return plans.count(fn); }
  const PlanOptions options;
private:
  std::unordered_map<const FunctionDecl *, std::unique_ptr<ClonePlan>> plans;
};

// Lists a plan, for people and for golden tests. The tests compare what is compiled, since nothing else is emitted.
void printPlan(const ClonePlan &, const SourceManager &, const TargetInfo &, std::ostream &);

}  // namespace cilkc
