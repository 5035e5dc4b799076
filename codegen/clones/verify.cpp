// verify.cpp - reads the code of a clone back and holds it against the plan, as it was emitted and before LLVM's
// passes. Is each entry point resumed where the plan has one? Are the variables that the plan lists saved before, and
// restored after it? The verifier does not know how the emission came to its code. It recognises memory: stores to and
// loads from constant offsets of the closure, beside the store of an entry's number or the call that releases a frame.
//
// For tests (--verify-clones). Of clones with deliveries that never end only the entries are looked at. Entry 0 is
// never resumed: the fast clone alone begins there, with its parameters.
#include <cstddef>
#include <set>
#include "codegen/clones/procedure.h"

namespace cilkc::cg {
namespace {

using Offsets = std::set<uint64_t>;

// The pointer that a constant number of bytes is added to, and how many. Null: v is something else.
std::pair<LLVMValueRef, uint64_t> place(LLVMValueRef v) {
  if (!LLVMIsAGetElementPtrInst(v) || LLVMGetNumOperands(v) != 2 || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
    return {nullptr, 0};
  return {LLVMGetOperand(v, 0), LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1))};
}

class Reader {
public:
  // holder: where a fast clone keeps the address of its closure.
  Reader(Procedure &p, LLVMValueRef function, const char *clone, LLVMValueRef holder = nullptr)
      : p(p), function(function), clone(clone), holder(holder) {}

  void slow() {
    LLVMValueRef c = LLVMGetParam(function, 1), sw = nullptr;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && !sw; b = LLVMGetNextBasicBlock(b))
      if (LLVMValueRef t = LLVMGetBasicBlockTerminator(b); t && LLVMIsASwitchInst(t)) sw = t;
    if (!sw) return fails(p.fn->def->range, "no entry switch");
    std::map<uint64_t, std::vector<LLVMBasicBlockRef>> cases;
    for (unsigned i = 1; i < LLVMGetNumSuccessors(sw); i++)
      cases[LLVMConstIntGetZExtValue(LLVMGetOperand(sw, 2 * i))].push_back(LLVMGetSuccessor(sw, i));
    for (size_t n = 0; n < p.plan.entries.size(); n++) {
      const EntryPoint &e = p.plan.entries[n];
      const auto &at = cases[n];
      if (at.size() != (p.plan.resumable(e) ? 1u : 0u))
        return fails(e.range,
            "entry point " + std::to_string(n) + " is " + std::to_string(at.size()) + " times in the entry switch");
      if (at.empty()) continue;
      Offsets restored = moved(Move::Restore, LLVMGetFirstInstruction(at[0]), nullptr, c);
      same(e, n, e.kind == EntryPoint::AtReturn ? Offsets{} : slots(e.live, true), restored, "restored", true);
    }
    if (uint64_t last = cases.rbegin()->first; last >= p.plan.entries.size())
      return fails(p.fn->def->range,
          "entry point " + std::to_string(last) + ", which the plan has not, is in the entry switch");
    stores(true);
  }

  void fast() {
    if (does(p.plan.strategy, Step::ReleaseFrame)) releases();
    else stores(false);
  }

private:
  Procedure &p;
  LLVMValueRef function;
  const char *clone;
  LLVMValueRef holder;

  bool isClosure(LLVMValueRef c) const {
    return holder ? LLVMIsALoadInst(c) && LLVMGetOperand(c, 0) == holder : c == LLVMGetParam(function, 1);
  }

  void fails(Range at, const std::string &what) const {
    p.m.impossible(at, what + " in the " + clone + " of '" + p.name() + "': its code is not what its plan asks for");
  }

  Offsets slots(const std::vector<const VarDecl *> &vars, bool registersOnly) const {
    Offsets found;
    for (auto *v : vars) {
      VarHome h = p.plan.home(v);
      if (h == VarHome::Register || (h == VarHome::Delivered && !registersOnly))
        found.insert(p.plan.closure.offsets.at(v));
    }
    return found;
  }

  // The slots of closure c that instructions from `from` to `to` (null: the block's end) load from, or store to.
  // Aggregates are copied by a call.
  enum class Move : uint8_t { Restore, Save };
  Offsets moved(Move how, LLVMValueRef from, LLVMValueRef to, LLVMValueRef c) const {
    Offsets found;
    for (LLVMValueRef i = from; i && i != to; i = LLVMGetNextInstruction(i)) {
      unsigned first = 0, end = 0;
      if (how == Move::Restore && LLVMIsALoadInst(i)) end = 1;
      if (how == Move::Save && LLVMIsAStoreInst(i)) first = 1, end = 2;
      if (LLVMIsACallInst(i)) end = static_cast<unsigned>(LLVMGetNumOperands(i));
      for (unsigned k = first; k < end; k++)
        if (auto [base, offset] = place(LLVMGetOperand(i, k)); base && base == c) found.insert(offset);
    }
    return found;
  }

  // exactly: slots that the plan does not list are wrong, too.
  void same(const EntryPoint &e, size_t n, const Offsets &want, const Offsets &found, const char *what,
      bool exactly) const {
    for (auto *v : p.plan.closure.variables) {
      uint64_t at = p.plan.closure.offsets.at(v);
      bool wanted = want.count(at), is = found.count(at);
      VarHome h = p.plan.home(v);
      if (wanted == is || (!wanted && (!exactly || (h != VarHome::Register && h != VarHome::Delivered)))) continue;
      fails(e.range,
          "'" + std::string(v->name) + "' is " + (is ? "" : "not ") + what + " at entry point " + std::to_string(n));
    }
  }

  // Stores of an entry's number into a closure: what is live is stored before, in the same block.
  void stores(bool resumed) {
    std::vector<unsigned> seen(p.plan.entries.size());
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAStoreInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0))) continue;
        auto [c, offset] = place(LLVMGetOperand(i, 1));
        if (!c || offset != offsetof(cilk_closure, entry) || !isClosure(c)) continue;
        size_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
        if (n >= p.plan.entries.size()) return fails(p.fn->def->range, "the number of no entry point");
        const EntryPoint &e = p.plan.entries[n];
        seen[n]++;
        if (e.kind == EntryPoint::AtReturn) continue;
        same(e, n, resumed ? slots(e.live, true) : slots(e.save, false),
            moved(Move::Save, LLVMGetFirstInstruction(b), i, c), "saved", false);
      }
    for (size_t n = 1; n < seen.size(); n++) {
      const EntryPoint &e = p.plan.entries[n];
      bool stored = resumed ? p.plan.resumable(e) && e.kind != EntryPoint::BeforeSpawn
                            : e.kind == EntryPoint::AfterSpawn || ClonePlan::savesAt(e);
      if (seen[n] != (stored ? 1u : 0u))
        fails(e.range, "entry point " + std::to_string(n) + " is noted " + std::to_string(seen[n]) + " times");
    }
  }

  // Calls that release the frame: what the plan lists is stored after each, in the same block.
  void releases() {
    std::map<size_t, std::vector<Offsets>> found;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsACallInst(i)) continue;
        LLVMValueRef callee = LLVMGetCalledValue(i);
        size_t length = 0;
        const char *name = LLVMGetValueName2(callee, &length);
        if (std::string_view(name, length) != "cilk_rt_release_frame") continue;
        found[LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2))].push_back(moved(Move::Save, i, nullptr, i));
      }
    for (auto &[n, sets] : found) {
      const EntryPoint &e = p.plan.entries.at(n);
      bool spawn = e.kind == EntryPoint::AfterSpawn;
      if (sets.size() > (spawn ? 2u : 1u))
        fails(e.range,
            "entry point " + std::to_string(n) + " is released to " + std::to_string(sets.size()) + " times");
      // With the delivery made first, then with the delivery pending; only the latter where a delivery never ends.
      if (spawn && sets.size() == 2) same(e, n, slots(e.saveDelivered, false), sets[0], "saved", true);
      same(e, n, slots(e.save, false), sets.back(), "saved", true);
    }
    for (size_t n = 1; n < p.plan.entries.size(); n++) {
      const EntryPoint &e = p.plan.entries[n];
      if ((e.kind == EntryPoint::AfterSpawn || ClonePlan::savesAt(e)) && !found.count(n))
        fails(e.range, "entry point " + std::to_string(n) + " is never released to");
    }
  }
};

}  // namespace

void verifySlow(Procedure &p) {
  if (p.m.options.verify) Reader(p, p.slow, "slow clone").slow();
}
void verifyFast(Procedure &p, LLVMValueRef function, LLVMValueRef holder) {
  if (p.m.options.verify) Reader(p, function, "fast clone", holder).fast();
}

}  // namespace cilkc::cg
