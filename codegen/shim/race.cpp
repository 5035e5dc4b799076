// race.cpp - calls of the race detector become tests in line (rt/tools/race/abi.h), and as few of them as will do. In
// C++, since it asks for dominance, loops and the evolution of addresses, which the C API does not have.
//
// A check may go where another one of the same strand covers it: the detector would find nothing new. A strand goes on
// until a `barrier`: a spawn, a lock, memory that begins a new life, or a call of a function that may do such a thing.
//
//   1. A check goes if it is dominated by one for the same bytes, without a barrier on any way between. The dominating
//      check is of at least its kind, and of its purpose or of none. Also, a read goes before a write of the same bytes
//      from the same line.
//   2. In a loop without barriers, each round may make a check at an address that advances by the same step, or not at
//      all. Such a check is made once before the loop, for all rounds, and for a range where the step is its own size.
//      Views of reducers, which stay the same in a strand, are looked up before the loop, too.
//   3. What is left of 1, 2, and few times 4 bytes is tested in line: was it noted in this strand, or, of reads, is it
//      such as the last one that was found harmless here?
//
// This runs before the optimiser, which then works around the tests as around the program's own branches.
#include "codegen/shim/shim.h"
#include "rt/tools/race/abi.h"
#include "rt/tools/strands/abi.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#pragma GCC diagnostic pop

namespace cilkc::cg {

using namespace llvm;

namespace {

struct Check {
  CallInst *call = nullptr;
  Value *p = nullptr, *site = nullptr;
  uint64_t size = 0;  // 0: not constant
  bool write = false;
};

bool checkOf(Instruction &i, Check &c) {
  auto *call = dyn_cast<CallInst>(&i);
  Function *f = call ? call->getCalledFunction() : nullptr;
  if (!f || !f->isDeclaration()) return false;
  StringRef n = f->getName();
  if (!n.consume_front("cilk_race_")) return false;
  c.write = n.consume_front("write");
  if (!c.write && !n.consume_front("read")) return false;
  c.call = call;
  c.p = call->getArgOperand(0);
  c.site = call->getArgOperand(call->arg_size() - 1);
  if (n == "4" || n == "8") c.size = n == "4" ? 4 : 8;
  else if (n.empty()) {
    auto *size = dyn_cast<ConstantInt>(call->getArgOperand(1));
    c.size = size ? size->getZExtValue() : 0;
  } else return false;
  return true;
}

// Aligned accesses of 4 and 8 bytes have their own functions in the detector.
Align alignOf(const Check &c) { return c.call->arg_size() == 2 ? Align(4) : c.call->getParamAlign(0).valueOrOne(); }

// fields of cilk_race_site, of which `record` counts as two
enum { kSiteHarmless = 2, kSiteOrder = 3, kSiteLine = 4, kSiteUpdate = 9, kSiteUse = 10 };

uint64_t fieldOf(Value *site, unsigned n) {
  auto *g = dyn_cast<GlobalVariable>(site);
  auto *s = g && g->hasInitializer() ? dyn_cast<ConstantStruct>(g->getInitializer()) : nullptr;
  auto *field = s && s->getNumOperands() > n ? dyn_cast<ConstantInt>(s->getOperand(n)) : nullptr;
  return field ? field->getZExtValue() : 0;
}
// What the one does, and what it is for: a pair with another access is judged by that (rt/tools/race/results.c).
uint64_t purposeOf(Value *site) {
  return fieldOf(site, kSiteUpdate) << 32 | (fieldOf(site, kSiteUse) & ~uint64_t(CILK_RACE_FLOATING));
}

// Functions that stay in the strand of their caller and hold the locks that it holds.
class Quiet {
  TargetLibraryInfoImpl tlii;
  TargetLibraryInfo tli;
  SmallPtrSet<Function *, 32> quiet;
  bool known(const CallBase &c) const {
    if (isa<IntrinsicInst>(c) || c.onlyAccessesArgMemory() || c.doesNotAccessMemory()) return true;
    Function *f = c.getCalledFunction();
    if (!f) return false;
    StringRef n = f->getName();
    if (n.starts_with("cilk_race_libc_")) return !n.contains("pthread") && !n.contains("sort");
    if (checks(c) || n == "cilk_race_confined") return true;
    return quiet.count(f) || computes(*f);
  }
  // A function of the C library from numbers to a number.
  bool computes(const Function &f) const {
    LibFunc known;
    return f.getReturnType()->isFloatingPointTy() && tli.getLibFunc(f, known) &&
           all_of(f.args(), [](const Argument &a) { return !a.getType()->isPointerTy(); });
  }

  static bool local(const CallBase &c) {
    Function *f = c.getCalledFunction();
    return f && (f->getName() == "cilk_race_local" || f->getName() == "cilk_race_confined_local");
  }

public:
  explicit Quiet(Module &m) : tlii(Triple(m.getTargetTriple())), tli(tlii) {
    for (Function &f : m)
      if (!f.isDeclaration() && f.isDefinitionExact()) quiet.insert(&f);
    for (bool changed = true; changed;) {
      changed = false;
      for (Function &f : m) {
        if (!quiet.count(&f)) continue;
        for (Instruction &i : instructions(f)) {
          auto *c = dyn_cast<CallBase>(&i);
          // a local of its own
          if (!c || known(*c) || local(*c)) continue;
          quiet.erase(&f);
          changed = true;
          break;
        }
      }
    }
  }
  bool barrier(const Instruction &i) const {
    auto *c = dyn_cast<CallBase>(&i);
    return c && !known(*c);
  }
  static bool checks(const CallBase &c) {
    Function *f = c.getCalledFunction();
    return f && (f->getName().starts_with("cilk_race_read") || f->getName().starts_with("cilk_race_write"));
  }
  // The lookup of a view, whose `identity` does nothing else.
  bool view(const Instruction &i) const {
    auto *c = dyn_cast<CallInst>(&i);
    Function *f = c ? c->getCalledFunction() : nullptr;
    if (!f || f->getName() != "cilk_race_view") return false;
    auto *identity = dyn_cast<Function>(c->getArgOperand(3));
    return identity && quiet.count(identity);
  }
};

struct Known {
  Value *base;
  int64_t from, to;
  bool write;
  unsigned age;
  uint64_t purpose;
};

class Thinning {
  Function &f;
  const Quiet &quiet;
  const DataLayout &layout;
  DominatorTree dt;
  SmallPtrSet<BasicBlock *, 16> loud;  // blocks with a barrier
  std::vector<Known> known;
  unsigned age = 0;

  Value *baseOf(Value *p, int64_t &offset) const {
    APInt o(layout.getIndexTypeSizeInBits(p->getType()), 0);
    Value *base = p->stripAndAccumulateConstantOffsets(layout, o, true);
    offset = o.getSExtValue();
    return base;
  }
  // Is there a barrier on a way from the end of `from`, which dominates it, to the begin of `to`?
  bool barrierBetween(BasicBlock *from, BasicBlock *to) const {
    if (loud.empty()) return false;
    SmallVector<BasicBlock *, 32> work(predecessors(to));
    SmallPtrSet<BasicBlock *, 32> seen;
    while (!work.empty()) {
      BasicBlock *b = work.pop_back_val();
      if (b == from || !seen.insert(b).second) continue;
      if (loud.count(b)) return true;
      work.append(pred_begin(b), pred_end(b));
    }
    // A way round that comes through `from` again passes what is known there again.
    return false;
  }
  void visit(DomTreeNode *node) {
    BasicBlock *b = node->getBlock();
    size_t had = known.size();
    unsigned before = age;
    if (node->getIDom() && b->getSinglePredecessor() != node->getIDom()->getBlock() &&
        barrierBetween(node->getIDom()->getBlock(), b))
      age = ++ages;
    thin(b);
    unsigned mine = age;
    for (DomTreeNode *child : *node) {
      age = mine;
      visit(child);
    }
    known.resize(had);
    age = before;
  }
  unsigned ages = 0;
  void thin(BasicBlock *b) {
    std::vector<Check> reads;  // of this block, since the last barrier
    for (Instruction &i : make_early_inc_range(*b)) {
      if (quiet.barrier(i)) {
        age = ++ages;
        reads.clear();
        continue;
      }
      Check c;
      if (!checkOf(i, c) || !c.size) continue;
      int64_t from;
      Value *base = baseOf(c.p, from);
      int64_t to = from + static_cast<int64_t>(c.size);
      bool covered = false;
      uint64_t purpose = purposeOf(c.site);
      for (size_t k = known.size(); k-- && !covered;)
        covered = known[k].age == age && known[k].base == base && known[k].from <= from && known[k].to >= to &&
                  known[k].write >= c.write && (!known[k].purpose || known[k].purpose == purpose);
      if (covered) {
        i.eraseFromParent();
        continue;
      }
      if (c.write) {
        for (Check &r : reads) {
          int64_t start;
          if (!r.call || baseOf(r.p, start) != base || start != from || r.size != c.size ||
              fieldOf(r.site, kSiteLine) != fieldOf(c.site, kSiteLine) || purposeOf(r.site) != purposeOf(c.site))
            continue;
          r.call->eraseFromParent();
          r.call = nullptr;
        }
      } else reads.push_back(c);
      known.push_back({base, from, to, c.write, age, purpose});
    }
  }

public:
  Thinning(Function &fn, const Quiet &q) : f(fn), quiet(q), layout(fn.getParent()->getDataLayout()), dt(fn) {
    for (BasicBlock &b : f)
      for (Instruction &i : b)
        if (quiet.barrier(i)) {
          loud.insert(&b);
          break;
        }
  }
  void run() { visit(dt.getRootNode()); }
};

// One check for all rounds of a loop.
class Ranges {
  Function &f;
  const Quiet &quiet;
  DominatorTree dt;
  LoopInfo li;
  AssumptionCache ac;
  TargetLibraryInfoImpl tlii;
  TargetLibraryInfo tli;
  ScalarEvolution se;
  SCEVExpander expander;
  Type *i64;

  // A view is the same in all rounds. What precedes it in the first round may be checked after it.
  bool hoistViews(Loop *l, BasicBlock *before) {
    SmallVector<CallInst *, 4> views;
    for (BasicBlock *b : l->blocks())
      for (Instruction &i : *b) {
        if (!quiet.barrier(i)) continue;
        if (!quiet.view(i) || b != l->getHeader() || !l->hasLoopInvariantOperands(&i)) return false;
        views.push_back(cast<CallInst>(&i));
      }
    for (CallInst *view : views) view->moveBefore(before->getTerminator());
    return true;
  }

  // The same for all rounds of an inner loop, each time.
  void hoistRanges(Loop *l, Instruction *at) {
    for (Instruction &i : make_early_inc_range(*l->getHeader())) {
      auto *call = dyn_cast<CallInst>(&i);
      Check c;
      if (!call || !quiet.checks(*call) || (checkOf(i, c) && c.size)) continue;
      bool changed = false;
      if (all_of(call->args(), [&](Value *v) { return l->makeLoopInvariant(v, changed, at, nullptr, &se); }))
        call->moveBefore(at);
    }
  }

  // What one check does in all rounds: so many times `size` bytes from `start` on, each `step` further.
  struct Series {
    Check check;
    const SCEV *start, *step, *times;
    int64_t least = 0, most = 0;  // of dense ones: where the first bytes begin and end that are checked so far
    bool dense() const {
      auto *s = dyn_cast<SCEVConstant>(step);
      return s && s->getAPInt().abs() == check.size;
    }
    bool backwards() const { return cast<SCEVConstant>(step)->getAPInt().isNegative(); }
  };

  CallInst *emit(const Check &c, const char *suffix, Instruction *at, ArrayRef<Value *> of) {
    SmallVector<Type *, 5> types;
    for (Value *v : of) types.push_back(v->getType());
    std::string name = std::string(c.write ? "cilk_race_write" : "cilk_race_read") + suffix;
    FunctionCallee range =
        f.getParent()->getOrInsertFunction(name, FunctionType::get(Type::getVoidTy(f.getContext()), types, false));
    CallInst *call = CallInst::Create(range, of, "", at->getIterator());
    call->setDebugLoc(c.call->getDebugLoc());
    call->addParamAttr(0, Attribute::getWithAlignment(f.getContext(), alignOf(c)));
    return call;
  }
  bool emitRange(const Series &s, const SCEV *low, const SCEV *bytes, Instruction *at) {
    if (!expander.isSafeToExpandAt(low, at) || !expander.isSafeToExpandAt(bytes, at)) return false;
    emit(s.check, "", at,
        {expander.expandCodeFor(low, s.check.p->getType(), at), expander.expandCodeFor(bytes, i64, at), s.check.site});
    return true;
  }

  const SCEV *lowOf(const Series &s) {
    const SCEV *size = se.getConstant(i64, s.check.size);
    return s.backwards() ? se.getAddExpr(s.start, se.getMinusSCEV(size, se.getMulExpr(s.times, size))) : s.start;
  }

  // Neighbours, as v[i - 1] and v[i]: what the earlier ones do not check, which is at one end, is what remains.
  bool joins(Series &s, std::vector<Series> &earlier, Instruction *at) {
    auto size = static_cast<int64_t>(s.check.size);
    for (Series &e : earlier) {
      if (e.check.write != s.check.write || e.check.size != s.check.size || e.step != s.step || e.times != s.times ||
          purposeOf(e.check.site) != purposeOf(s.check.site))
        continue;
      auto *apart = dyn_cast<SCEVConstant>(se.getMinusSCEV(s.start, e.start));
      if (!apart || apart->getAPInt().abs().ugt(1 << 20)) continue;
      int64_t d = apart->getAPInt().getSExtValue();
      if (d < e.least - size || d > e.most + size) continue;
      int64_t more = d < e.least ? e.least - d : d > e.most ? d - e.most : 0;
      if (more) {
        const SCEV *low = lowOf(s);
        if (d > e.most)
          low = se.getAddExpr(low, se.getMinusSCEV(se.getMulExpr(s.times, se.getConstant(i64, s.check.size)),
                                       se.getConstant(i64, static_cast<uint64_t>(more))));
        const SCEV *once = se.getUMinExpr(s.times, se.getOne(i64));
        if (!emitRange(s, low, se.getMulExpr(once, se.getConstant(i64, static_cast<uint64_t>(more))), at)) return false;
      }
      e.least = std::min(e.least, d);
      e.most = std::max(e.most, d);
      return true;
    }
    return false;
  }

  bool replace(Series &s, std::vector<Series> &earlier, Instruction *at) {
    const SCEV *size = se.getConstant(i64, s.check.size);
    if (s.step->isZero())
      return emitRange(s, s.start, se.getMulExpr(se.getUMinExpr(s.times, se.getOne(i64)), size), at);
    if (s.dense()) {
      if (joins(s, earlier, at)) return true;
      if (!emitRange(s, lowOf(s), se.getMulExpr(s.times, size), at)) return false;
      earlier.push_back(s);
      return true;
    }
    const SCEV *step = se.getTruncateOrSignExtend(s.step, i64);
    for (const SCEV *x : {s.start, step, s.times})
      if (!expander.isSafeToExpandAt(x, at)) return false;
    emit(s.check, "_each", at,
        {expander.expandCodeFor(s.start, s.check.p->getType(), at), ConstantInt::get(i64, s.check.size),
            expander.expandCodeFor(step, i64, at), expander.expandCodeFor(s.times, i64, at), s.check.site});
    return true;
  }

  void hoist(Loop *l) {
    for (Loop *in : *l) hoist(in);
    BasicBlock *before = l->getLoopPreheader(), *latch = l->getLoopLatch(), *exiting = l->getExitingBlock();
    if (!before || !latch || !exiting) return;
    if (!hoistViews(l, before)) return;
    hoistRanges(l, before->getTerminator());
    const SCEV *rounds = se.getBackedgeTakenCount(l);
    if (isa<SCEVCouldNotCompute>(rounds)) return;
    if (se.getTypeSizeInBits(rounds->getType()) > 64) return;
    std::vector<Check> checks;
    for (BasicBlock *b : l->blocks()) {
      if (li.getLoopFor(b) != l || !dt.dominates(b, latch)) continue;
      if (!dt.dominates(b, exiting) && exiting != l->getHeader()) continue;
      for (Instruction &i : *b) {
        Check c;
        if (checkOf(i, c) && c.size && isa<Constant>(c.site)) checks.push_back(c);
      }
    }
    std::vector<Series> earlier;
    for (Check &c : checks) {
      const SCEV *p = se.getSCEV(c.p);
      auto *r = dyn_cast<SCEVAddRecExpr>(p);
      Series s{c, p, se.getZero(i64), se.getNoopOrZeroExtend(rounds, i64)};
      if (r && r->getLoop() == l && r->isAffine()) {
        s.start = r->getStart();
        s.step = r->getStepRecurrence(se);
      } else if (!se.isLoopInvariant(p, l)) continue;
      // How often the check is made: once more than the loop turns back, unless the loop is left before it.
      if (dt.dominates(c.call->getParent(), exiting)) s.times = se.getAddExpr(s.times, se.getOne(i64));
      if (replace(s, earlier, before->getTerminator())) c.call->eraseFromParent();
    }
  }

public:
  Ranges(Function &fn, const Quiet &q)
      : f(fn), quiet(q), dt(fn), li(dt), ac(fn), tlii(Triple(fn.getParent()->getTargetTriple())), tli(tlii),
        se(fn, tli, ac, dt, li), expander(se, fn.getParent()->getDataLayout(), "race"),
        i64(Type::getInt64Ty(fn.getContext())) {}
  void run() {
    for (Loop *l : li) hoist(l);
  }
};

constexpr uint64_t kMostInLine = 32;

void testInLine(Check &c) {
  Module &m = *c.call->getModule();
  IRBuilder<> b(c.call);
  Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  auto global = [&](const char *name, Type *type) {
    auto *g = cast<GlobalVariable>(m.getOrInsertGlobal(name, type));
    g->setDSOLocal(true);
    return b.CreateLoad(type, g);
  };
  MDNode *rarely = MDBuilder(m.getContext()).createBranchWeights(1, 20);
  Value *a = b.CreatePtrToInt(c.p, i64);
  a = b.CreateShl(b.CreateAnd(a, b.getInt64(CILK_RACE_MASK & ~UINT64_C(3))), 1);
  Value *cell = b.CreateIntToPtr(b.CreateOr(a, b.getInt64(CILK_RACE_SHADOW)), b.getPtrTy());
  Value *from = global("cilk_race_first", i32), *good = nullptr;
  auto also = [&](Value *&all, Value *v) { all = all ? b.CreateAnd(all, v) : v; };
  unsigned cells = static_cast<unsigned>((c.size + 3) / 4);
  for (unsigned k = 0; k < cells; k++) {
    Value *last = b.CreateLoad(i32, b.CreateConstGEP1_32(b.getInt8Ty(), cell, 8 * k));
    if (!c.write)
      last = b.CreateBinaryIntrinsic(Intrinsic::smax, last,
          b.CreateLoad(i32, b.CreateConstGEP1_32(b.getInt8Ty(), cell, 8 * k + 4)));
    also(good, b.CreateICmpSGE(last, from));
  }
  Instruction *slow = SplitBlockAndInsertIfThen(b.CreateNot(good), c.call, false, rarely);
  if (!c.write)
    if (auto *site = dyn_cast<GlobalVariable>(c.site)) {
      b.SetInsertPoint(slow);
      auto field = [&](unsigned n, Type *type) {
        return b.CreateLoad(type, b.CreateStructGEP(site->getValueType(), site, n));
      };
      Value *harmless = field(kSiteHarmless, i64);
      good = b.CreateICmpEQ(field(kSiteOrder, i64), global("cilk_race_order", i64));
      for (unsigned k = 0; k < cells; k++)
        also(good, b.CreateICmpEQ(b.CreateLoad(i64, b.CreateConstGEP1_32(b.getInt8Ty(), cell, 8 * k)), harmless));
      slow = SplitBlockAndInsertIfThen(b.CreateNot(good), slow, false, rarely);
    }
  c.call->moveBefore(slow);
}

// The same for the detector on several workers (rt/tools/strands/abi.h): does the cell name the running strand?
void testStrandInLine(Check &c) {
  Module &m = *c.call->getModule();
  IRBuilder<> b(c.call);
  Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  auto *now = cast<GlobalVariable>(m.getOrInsertGlobal("cilk_strands_now", i32));
  now->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  Value *mine = b.CreateLoad(i32, now), *good = nullptr;
  Value *a = b.CreateAnd(b.CreatePtrToInt(c.p, i64), b.getInt64(CILK_STRANDS_MASK & ~UINT64_C(3)));
  Value *cells = b.CreateIntToPtr(b.CreateOr(b.CreateShl(a, 2), b.getInt64(CILK_STRANDS_SHADOW)), b.getPtrTy());
  auto names = [&](size_t at) {
    LoadInst *word = b.CreateAlignedLoad(i32, b.CreateConstGEP1_64(b.getInt8Ty(), cells, at), Align(4));
    word->setAtomic(AtomicOrdering::Monotonic);  // other workers write it (rt/tools/strands/shadow.c)
    return b.CreateICmpEQ(word, mine);
  };
  for (uint64_t k = 0; k < (c.size + 3) / 4; k++) {
    Value *known = names(sizeof(cilk_strands_cell) * k + offsetof(cilk_strands_cell, writer));
    if (!c.write)
      for (size_t reader : {offsetof(cilk_strands_cell, left), offsetof(cilk_strands_cell, right)})
        known = b.CreateOr(known, names(sizeof(cilk_strands_cell) * k + reader));
    good = good ? b.CreateAnd(good, known) : known;
  }
  MDNode *rarely = MDBuilder(m.getContext()).createBranchWeights(1, 20);
  c.call->moveBefore(SplitBlockAndInsertIfThen(b.CreateNot(good), c.call, false, rarely));
}

}  // namespace

std::string shimRaceChecks(LLVMModuleRef module, LLVMTargetMachineRef machine, bool oneWorker) {
  Module &m = *unwrap(module);
  for (Function &f : m) {  // the detector has memory of its own
    StringRef n = f.getName();
    if (!f.isDeclaration() || !(n.starts_with("cilk_race_read") || n.starts_with("cilk_race_write"))) continue;
    f.setOnlyAccessesInaccessibleMemory();
    f.setDoesNotThrow();
    f.setWillReturn();
    f.addParamAttr(0, Attribute::NoCapture);
  }
  std::string error = shimRunPasses(module, machine,
      "function(sroa,early-cse<memssa>,simplifycfg,loop-simplify,lcssa,loop-mssa(loop-rotate,licm<no-allowspeculation>),early-cse,loop-simplify,lcssa)",
      {});
  if (!error.empty()) return error;
  Quiet quiet(m);
  for (Function &f : m) {
    if (f.isDeclaration() || f.hasFnAttribute(Attribute::OptimizeNone)) continue;
    Thinning(f, quiet).run();
    Ranges(f, quiet).run();
    Thinning(f, quiet).run();
    std::vector<Check> checks;
    for (Instruction &i : instructions(f)) {
      Check c;
      if (!checkOf(i, c)) continue;
      uint64_t align = alignOf(c).value();
      bool inOneCell = c.size && c.size <= 4 && (c.size & (c.size - 1)) == 0 && align >= c.size;
      if (inOneCell || (align >= 4 && c.size && c.size % 4 == 0 && c.size <= kMostInLine)) checks.push_back(c);
    }
    for (Check &c : checks) oneWorker ? testInLine(c) : testStrandInLine(c);
  }
  for (Function &f : m)  // from here on they are what they are
    if (f.isDeclaration() && f.getName().starts_with("cilk_race_")) f.removeFnAttr(Attribute::Memory);
  return {};
}

}  // namespace cilkc::cg
