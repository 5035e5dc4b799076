// passes.cpp - LLVM's pass pipeline with one change of order, one of an option, and one of where it unrolls, which the
// C API has no way to ask for.
//
// The pipeline unrolls loops of constant length completely before it vectorises. What is left of
// `for (i = 0; i < 16; i++) y[i] -= a * x[i]` is straight code, which is never vectorised unless x and y are known not
// to overlap: only loops get a test for that at run time. So such a loop, and the loops around it, are marked, skipped
// by the early unrolling, and unmarked where the vectorisers begin. What they leave of it is unrolled after them as any
// other loop.
//
// The other way round, a loop whose next round waits for two choices, as in dynamic programming, gains nothing from
// copies of its body: LLVM makes them branches and waits for each, where one round has conditional moves.
#include "codegen/shim/shim.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/PGOOptions.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Instrumentation/GCOVProfiler.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#pragma GCC diagnostic pop

namespace cilkc::cg {

using namespace llvm;

namespace {

constexpr const char *kLater = "cilkc.unroll.later", *kDisable = "llvm.loop.unroll.disable",
                     *kUnroll = "llvm.loop.unroll.";
constexpr unsigned kLeastTrips = 8;  // shorter loops are better straight

// Does vectorising the loop take a test at run time, and is it otherwise likely?
bool wantsTest(Loop &l, ScalarEvolution &se) {
  if (!l.isInnermost() || l.getNumBlocks() != 1 || se.getSmallConstantTripCount(&l) < kLeastTrips) return false;
  SmallVector<const Value *, 8> loads, stores;
  for (Instruction &i : *l.getHeader()) {
    if (!i.mayReadOrWriteMemory()) continue;
    const Value *p = getLoadStorePointerOperand(&i);
    auto *step = p ? dyn_cast<SCEVAddRecExpr>(se.getSCEV(const_cast<Value *>(p))) : nullptr;
    bool simple = isa<LoadInst>(i) ? cast<LoadInst>(i).isSimple() : isa<StoreInst>(i) && cast<StoreInst>(i).isSimple();
    if (!simple || !step || step->getLoop() != &l) return false;
    (isa<StoreInst>(i) ? stores : loads).push_back(getUnderlyingObject(p));
  }
  for (const Value *to : stores)
    for (const Value *from : loads)
      if (to != from && !(isIdentifiedObject(to) && isIdentifiedObject(from)) && !isa<AllocaInst>(to) &&
          !isa<AllocaInst>(from))
        return true;
  return false;
}

struct MarkLoops : PassInfoMixin<MarkLoops> {
  PreservedAnalyses run(Loop &l, LoopAnalysisManager &, LoopStandardAnalysisResults &ar, LPMUpdater &) {
    if (findOptionMDForLoop(&l, kLater)) return PreservedAnalyses::all();
    MDNode *id = l.getLoopID();
    if (id)  // the user's own #pragma unroll
      for (unsigned i = 1; i < id->getNumOperands(); i++)
        if (auto *n = dyn_cast<MDNode>(id->getOperand(i)); n && n->getNumOperands())
          if (auto *s = dyn_cast<MDString>(n->getOperand(0)); s && s->getString().starts_with(kUnroll))
            return PreservedAnalyses::all();
    bool around = any_of(l.getSubLoops(), [](Loop *in) { return findOptionMDForLoop(in, kLater); });
    if (around || wantsTest(l, ar.SE)) {
      addStringMetadataToLoop(&l, kDisable, 1);
      addStringMetadataToLoop(&l, kLater, 1);
    }
    return PreservedAnalyses::all();
  }
};

// On the way from the last round's value to v: selections, or none that leads there.
std::optional<int> choices(const Value *v, const PHINode *last, const Loop &l, int depth = 0) {
  if (v == last) return 0;
  const auto *i = dyn_cast<Instruction>(v);
  if (!i || depth > 8 || isa<PHINode>(i) || !l.contains(i)) return std::nullopt;
  std::optional<int> most;
  for (const Value *o : i->operand_values())
    if (auto n = choices(o, last, l, depth + 1); n && (!most || *n > *most)) most = n;
  const bool chooses = isa<MinMaxIntrinsic>(i) || (isa<SelectInst>(i) && !i->getType()->isIntegerTy(1));
  return most ? std::optional(*most + chooses) : most;
}

// Does a round store a value that the next one chooses from twice? Then it is no reduction, which vectorises.
bool waitsForChoices(const Loop &l) {
  const BasicBlock *latch = l.getLoopLatch();
  if (!latch || !l.isInnermost()) return false;
  return any_of(l.getHeader()->phis(), [&](const PHINode &p) {
    const Value *next = p.getIncomingValueForBlock(latch);
    const bool stored =
        any_of(next->users(), [&](const User *u) { return isa<StoreInst>(u) && l.contains(cast<Instruction>(u)); });
    return stored && choices(next, &p, l).value_or(0) >= 2;
  });
}

struct KeepSmall : PassInfoMixin<KeepSmall> {
  PreservedAnalyses run(Function &f, FunctionAnalysisManager &am) {
    for (Loop *l : am.getResult<LoopAnalysis>(f).getLoopsInPreorder())
      if (waitsForChoices(*l)) addStringMetadataToLoop(l, "llvm.loop.unroll.runtime.disable", 1);
    return PreservedAnalyses::all();
  }
};

struct UnmarkLoops : PassInfoMixin<UnmarkLoops> {
  PreservedAnalyses run(Function &f, FunctionAnalysisManager &am) {
    for (Loop *l : am.getResult<LoopAnalysis>(f).getLoopsInPreorder())
      if (findOptionMDForLoop(l, kLater))
        l->setLoopID(makePostTransformationMetadata(f.getContext(), l->getLoopID(), {kDisable, kLater}, {}));
    return PreservedAnalyses::all();
  }
};

// A leaf of a procedure runs its loops for `n <= SMALL` only, so LLVM knows a small bound of their trips. LLVM then
// unrolls the vectorised ones completely, with a way out after each copy. Inlined several levels deep, that code is
// fetched more slowly than the loop runs. No pass option can ask for it, only this option. The text of a pipeline
// cannot ask AddressSanitizer's pass for accesses after the end of a block, either.
template <class T> void setOption(const char *name, T value) {
  auto &options = cl::getRegisteredOptions();
  auto it = options.find(name);
  if (it != options.end()) static_cast<cl::opt<T> *>(it->second)->setValue(value);
}

// What no pass option can ask for is an option of LLVM's command line.
void setOption(const char *name, const char *value) {
  auto &options = cl::getRegisteredOptions();
  auto it = options.find(name);
  if (it != options.end()) it->second->addOccurrence(0, name, value, true);
}

// Several passes take the square of the number of blocks that lead to one. The blocks of a ladder of `else if`s or of a
// `switch` lead to one: 8,000 of them took a minute. A function with so many is not optimised.
constexpr unsigned kMostPredecessors = 4096;

void leaveOutLadders(Module &m) {
  for (Function &f : m) {
    if (f.hasFnAttribute(Attribute::AlwaysInline) ||
        none_of(f, [](const BasicBlock &b) { return b.hasNPredecessorsOrMore(kMostPredecessors); }))
      continue;
    for (auto size : {Attribute::OptimizeForSize, Attribute::MinSize}) f.removeFnAttr(size);
    for (auto none : {Attribute::NoInline, Attribute::OptimizeNone}) f.addFnAttr(none);
  }
}

// Counting, or the use of counts, after the first inlining; where, the pipeline knows.
std::optional<PGOOptions> profiling(const PassTuning &t) {
  if (t.profileGenerate.empty() && t.profileUse.empty()) return std::nullopt;
  const bool counts = !t.profileGenerate.empty();
  PGOOptions o(counts ? t.profileGenerate : t.profileUse, "", "", "", vfs::getRealFileSystem(),
      counts ? PGOOptions::IRInstr : PGOOptions::IRUse);
  o.AtomicCounterUpdate = t.profileAtomic;
  return o;
}

}  // namespace

std::string shimRunPasses(LLVMModuleRef module, LLVMTargetMachineRef machine, const std::string &passes,
    const PassTuning &t) {
  setOption("unroll-max-upperbound", 0u);
  setOption("asan-use-after-scope", t.useAfterScope);
  leaveOutLadders(*unwrap(module));
  // The tuning below alone leaves loops vectorised.
  if (!t.loopVectorize) setOption("vectorize-loops", "false");
  if (!t.slpVectorize) setOption("vectorize-slp", "false");
  if (!t.loopIdioms) setOption("disable-loop-idiom-all", "true");
  PipelineTuningOptions o;
  o.LoopVectorization = t.loopVectorize;
  o.SLPVectorization = t.slpVectorize;
  o.LoopInterleaving = o.LoopUnrolling = t.unroll;
  o.CallGraphProfile = true;
  o.MergeFunctions = t.mergeFunctions;
  // The analyses first: the instrumentations below refer to them to the end.
  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cgam;
  ModuleAnalysisManager mam;
  // It is these that pass functions with `optnone` over: those with setjmp and gotos from outside, and clones of large
  // procedures.
  PassInstrumentationCallbacks callbacks;
  StandardInstrumentations standard(unwrap(module)->getContext(), false);
  standard.registerCallbacks(callbacks, &mam);
  PassBuilder pb(reinterpret_cast<TargetMachine *>(machine), o, profiling(t), &callbacks);
  if (t.unroll && t.loopVectorize) {
    pb.registerLateLoopOptimizationsEPCallback([](LoopPassManager &pm, OptimizationLevel) { pm.addPass(MarkLoops()); });
    pb.registerVectorizerStartEPCallback([](FunctionPassManager &pm, OptimizationLevel) { pm.addPass(UnmarkLoops()); });
  }
  pb.registerVectorizerStartEPCallback([](FunctionPassManager &pm, OptimizationLevel) { pm.addPass(KeepSmall()); });
  if (t.coverageNotes || t.coverageData)
    pb.registerPipelineStartEPCallback([&t](ModulePassManager &pm, OptimizationLevel) {
      GCOVOptions g = GCOVOptions::getDefault();
      g.EmitNotes = t.coverageNotes, g.EmitData = t.coverageData, g.Atomic = t.profileAtomic;
      pm.addPass(GCOVProfilerPass(g));
    });
  pb.registerLoopAnalyses(lam);
  pb.registerFunctionAnalyses(fam);
  pb.registerCGSCCAnalyses(cgam);
  pb.registerModuleAnalyses(mam);
  pb.crossRegisterProxies(lam, fam, cgam, mam);
  ModulePassManager pm;
  if (Error e = pb.parsePassPipeline(pm, passes)) return toString(std::move(e));
  pm.run(*unwrap(module), mam);
  return {};
}

}  // namespace cilkc::cg
