// events.h - what happens in the user's code, reported to the instrumentation modes that the program is compiled with
// (frontend/plan/modes.def).
//
// FunctionEmitter, memory.cpp and the clones call `fe.events` where they emit the code of each event; a mode adds its
// own code there, at the builder's place. The default of every event is nothing. An event whose code would need values
// that are otherwise not made is only reported to modes with the property that asks for it (mode.h). Each mode is one
// file of codegen/events, with a factory make<id>Events(ModuleEmitter &) that may give null; Events of several modes
// are informed one after the other, in the order of the table.
#pragma once
#include <memory>
#include <vector>
#include "codegen/core/function.h"

namespace cilkc::cg {

// What the text touches, and how much of it there is.
class TextEvents {
public:
  // ---- memory ----
  virtual void access(FunctionEmitter &, const Access &) {}  // reported to modes with the property Accesses
  // Objects come and go: reported to modes with the property Objects. A closure's residents live as long as their
  // closure.
  virtual void objectBegins(FunctionEmitter &, const Object &) {}
  virtual void objectEnds(FunctionEmitter &, const Object &) {}
  // an element that is chosen by Self; reported to modes with the property Accesses
  virtual void workersOwn(FunctionEmitter &, const Address &) {}

  // ---- how much the text weighs (frontend/plan/weights.def) ----
  // control is here, and what was written there is done next; reported to modes with Units
  virtual void units(FunctionEmitter &, uint64_t, Loc) {}
  // the same of functions of the C library that are called
  virtual void unitsOfLibrary(FunctionEmitter &fe, uint64_t n, Loc where) { units(fe, n, where); }
  // as units, where only the run knows how much
  virtual void unitsMeasured(FunctionEmitter &, LLVMValueRef /*i64*/, Loc) {}
  virtual void loopBegins(FunctionEmitter &, Range) {}  // one of the loops that CodegenOptions::loopLines asks for
  // after its condition; or one of a `cilk_for`, and its number
  virtual void iterationBegins(FunctionEmitter &, Range, const VarDecl *) {}
  virtual void loopEnds(FunctionEmitter &, Range) {}
  virtual void leavesForGood(FunctionEmitter &) {}  // a call that does not return comes next
  virtual void functionEmitted(FunctionEmitter &) {}  // all its blocks are complete
};

class Events : public TextEvents {
public:
  virtual ~Events() = default;

  // ---- functions of C ----
  virtual void functionBegins(FunctionEmitter &) {}            // its parameters are in place
  virtual void functionEnds(FunctionEmitter &) {}              // its value is stored, its scopes are left

  // ---- calls, from C and from procedures: of functions and, by a spawn, of children; not of what is expanded in
  // place ----
  virtual void calls(FunctionEmitter &, const CallSite &) {}   // arguments are evaluated
  virtual void returned(FunctionEmitter &, const CallSite &) {}

  // ---- instances of Cilk procedures: a fast clone, or the function under --serial, runs one from its begin on, a slow
  // clone from where it was left ----
  virtual void procedureBegins(FunctionEmitter &) {}  // first thing in a fast clone
  virtual void parametersBound(FunctionEmitter &) {}  // then, in a fast clone
  virtual void procedureEnds(FunctionEmitter &) {}  // last thing in either clone, after the implicit sync
  // a slow clone is entered, or goes on without the result of a child that was aborted
  virtual void resumes(FunctionEmitter &) {}
  // all is evaluated; now the child begins: a thread ends
  virtual void spawns(FunctionEmitter &, const SpawnStmt &) {}
  // then, in clones: where its result goes; without a pointer where that is a fixed part of a variable
  virtual void receiver(FunctionEmitter &, const SpawnStmt &, const Address &) {}
  // The child is done and its parent was not stolen: the next thread begins. Before the delivery, which is the
  // parent's; under --serial after it.
  virtual void spawnReturned(FunctionEmitter &, const SpawnStmt &) {}
  // around the store, `op=` or inlet, wherever it is done
  virtual void delivers(FunctionEmitter &, const SpawnStmt &) {}
  virtual void delivered(FunctionEmitter &, const SpawnStmt &) {}
  // a thread ends: also before the implicit sync, which is null
  virtual void syncs(FunctionEmitter &, const SyncStmt *) {}
  virtual void synced(FunctionEmitter &) {}  // no child is out, the next thread begins
  // a fast clone saves itself and ends: its slow clone goes on
  virtual void releases(FunctionEmitter &) {}
  // Futures, reported to modes with the property Futures. Of a child whose value is stored: in the elision and in fast
  // clones (in slow ones the runtime fills it).
  virtual void fills(FunctionEmitter &, const SpawnStmt &, LLVMValueRef /*future*/) {}
  // A touch, or a declaration that comes again (TouchStmt::renewed): what it waited for is done. So many bytes of
  // futures.
  virtual void touches(FunctionEmitter &, const TouchStmt &, LLVMValueRef /*future*/, LLVMValueRef /*i64*/) {}
  // in slow clones, to all modes: the value may not be there. A thread ends
  virtual void waits(FunctionEmitter &, const TouchStmt &) {}
  // Cilk-1: a thread makes a closure, sends, or goes on as another: what depends on that starts here
  virtual void posts(FunctionEmitter &, Range) {}
  virtual void aborts(FunctionEmitter &) {}
  virtual void asksSynched(FunctionEmitter &, LLVMValueRef /*i32: the answer*/) {}
  // Clones: C calls a procedure with this block of arguments, which is then over; the procedure begins on some worker.
  virtual void callsRoot(FunctionEmitter &, LLVMValueRef /*ptr*/) {}
  virtual void rootReturned(FunctionEmitter &) {}
  virtual void rootBegins(FunctionEmitter &, LLVMValueRef /*ptr*/) {}
  virtual void inletBegins(FunctionEmitter &, const FunctionDecl *) {}  // its body, inline
  virtual void inletEnds(FunctionEmitter &, const FunctionDecl *) {}

  // ---- the unit: all definitions are emitted; what is added here is optimised with them ----
  virtual void unitEnds() {}

  // the unit is valid, the optimiser comes next
  virtual void prepares(const std::function<void(const std::string &)> & /*failed, and why*/) {}

  // ---- the library ----
  // The function that stands for one that is defined elsewhere.
  virtual std::string externalName(const FunctionDecl *, const std::string &name) { return name; }
  // --serial: the answer of SYNCHED; null: 1.
  virtual LLVMValueRef synched(FunctionEmitter &) { return nullptr; }
  // Cilk_user_work and Cilk_user_critical_path of the instance; null: this mode does not know (no mode does: 0).
  // Reducers: the mode's own view, or null. `of`: the object, its size, its alignment, identity, reduce. begins: the
  // object is its own view here.
  virtual LLVMValueRef view(FunctionEmitter &, const std::vector<LLVMValueRef> & /*of*/, bool /*begins*/) {
    return nullptr;
  }
  virtual LLVMValueRef measured(FunctionEmitter &, bool /*the critical path, not the work*/) { return nullptr; }
};

// The events of all modes of this compilation.
std::unique_ptr<Events> makeEvents(ModuleEmitter &);

}  // namespace cilkc::cg
