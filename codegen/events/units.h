// units.h - counting units (Events::units) in a local variable of each function, which LLVM makes a register and a
// loop's counting a product. What is added in a block is at its begin as one addition, whose amount is known when all
// of the function is emitted.
#pragma once
#include <unordered_map>
#include <vector>
#include "codegen/core/events.h"

namespace cilkc::cg {

class UnitEvents : public Events {
public:
  void units(FunctionEmitter &fe, uint64_t n, Loc where) override { add(fe, n, where, false); }
  void unitsOfLibrary(FunctionEmitter &fe, uint64_t n, Loc where) override { add(fe, n, where, true); }
  void unitsMeasured(FunctionEmitter &, LLVMValueRef, Loc) override;
  void functionEmitted(FunctionEmitter &) override;

protected:
  struct Piece {  // one addition
    LLVMBasicBlockRef block;
    LLVMValueRef sum, after;  // the addition; the instruction after which more may be added
    uint64_t total = 0;
    std::unordered_map<unsigned, uint64_t> lines;  // for count.cpp
  };
  struct Body {
    LLVMValueRef units = nullptr;
    std::vector<Piece> pieces;
    std::vector<LLVMValueRef> taken;  // where counting began again: this instruction reads what was counted
    bool current = false;  // the last piece is the running one
  };
  std::unordered_map<FunctionEmitter *, Body> bodies;

  bool counts(FunctionEmitter &fe) const { return bodies.count(&fe); }
  LLVMValueRef take(FunctionEmitter &);  // i64: what was counted in this function since the last time
  static LLVMValueRef local(FunctionEmitter &, const char *name);  // a variable that is 0 at the begin of the function
  virtual void counted(FunctionEmitter &, Piece &, uint64_t, Loc, bool /*of the C library*/) {}
  virtual void countedMeasured(FunctionEmitter &, LLVMValueRef, Loc) {}
  virtual void finish(FunctionEmitter &, Body &) {}  // the function is emitted, the amounts are known

private:
  void add(FunctionEmitter &, uint64_t, Loc, bool ofLibrary);
};

}  // namespace cilkc::cg
