// strands.cpp - --cilk-strands: the clones report to the detector on several workers (rt/tools/strands) which strand
// runs. What it cannot follow ends the run there: the serial detector sees the program then.
//
// A result counts as an access of its child, and is reported when the child is spawned: the code that delivers it, on
// any worker, reports nothing. A local variable that no other strand can reach has no address that stays. If it is a
// scalar, the instance has a bit for it (cilk_strands_frame), which says that a result may not have arrived; else its
// place in the closure stands for it.
#include <algorithm>
#include <map>
#include "codegen/events/race.h"
#include "frontend/ast/query.h"
#include "rt/core/abi.h"
#include "rt/tools/strands/abi.h"

namespace cilkc::cg {
namespace {

class StrandsEvents : public RaceEvents {
  const SpawnStmt *receiving = nullptr;
  LLVMValueRef afterRoot = nullptr;
  std::unordered_map<const FunctionDecl *, std::map<std::pair<const VarDecl *, uint32_t>, unsigned>> bits;

public:
  using RaceEvents::RaceEvents;

  void access(FunctionEmitter &fe, const Access &a) override {
    if (receiving) receives(fe, a);
    else if (!delivery && !updates(fe, a)) RaceEvents::access(fe, a);
  }

  void procedureBegins(FunctionEmitter &fe) override {
    if (fe.fn && fe.fn->pedigree) cannot(fe, "pedigrees");
    strand(fe, "begin");
  }
  void parametersBound(FunctionEmitter &fe) override { begin(fe, fe.fn); }
  void spawns(FunctionEmitter &fe, const SpawnStmt &s) override {
    if (s.form == SpawnForm::Inlet) cannot(fe, "inlets");
    if (s.fills && !s.awaited) cannot(fe, "futures");
    strand(fe, s.awaited ? "call" : "spawn");
  }
  void receiver(FunctionEmitter &fe, const SpawnStmt &s, const Address &a) override {
    if (s.fills) return;  // read after a touch alone
    receiving = &s;
    fe.memory.access(a.ptr ? a : fe.lvalues.emitLvalue(s.receiver()), AccessMode::Write, AccessKind::Plain);
    receiving = nullptr;
  }
  void spawnReturned(FunctionEmitter &fe, const SpawnStmt &) override { strand(fe, "returned"); }
  void delivers(FunctionEmitter &, const SpawnStmt &s) override {
    if (s.form != SpawnForm::Inlet) delivery = &s;
  }
  void resumes(FunctionEmitter &fe) override { strand(fe, "resume"); }
  void releases(FunctionEmitter &fe) override { strand(fe, "leave"); }
  void waits(FunctionEmitter &fe, const TouchStmt &) override { strand(fe, "leave"); }
  void syncs(FunctionEmitter &fe, const SyncStmt *) override { strand(fe, "leave"); }
  void synced(FunctionEmitter &fe) override { strand(fe, "sync"); }
  void fills(FunctionEmitter &, const SpawnStmt &, LLVMValueRef) override {}
  void touches(FunctionEmitter &fe, const TouchStmt &s, LLVMValueRef, LLVMValueRef) override {
    if (s.future && !(s.own && s.own->hidden)) cannot(fe, "futures");
  }
  void posts(FunctionEmitter &fe, Range) override { cannot(fe, "threads of Cilk-1"); }
  void aborts(FunctionEmitter &fe) override { cannot(fe, "abort"); }
  void asksSynched(FunctionEmitter &fe, LLVMValueRef) override { cannot(fe, "SYNCHED"); }
  LLVMValueRef view(FunctionEmitter &fe, const std::vector<LLVMValueRef> &, bool) override {
    cannot(fe, "reducers");
    return nullptr;
  }

  void callsRoot(FunctionEmitter &fe, LLVMValueRef arguments) override {
    afterRoot = fe.callRuntime("cilk_strands_root", fe.t.i32, {arguments});
  }
  void rootReturned(FunctionEmitter &fe) override {
    fe.callRuntime("cilk_strands_root_ended", fe.t.voidTy, {afterRoot});
  }
  void rootBegins(FunctionEmitter &fe, LLVMValueRef arguments) override {
    fe.callRuntime("cilk_strands_root_begins", fe.t.voidTy, {arguments, fe.i32c(isMain(fe))});
  }
  void procedureEnds(FunctionEmitter &fe) override {
    if (isMain(fe)) fe.callRuntime("cilk_strands_main_ended", fe.t.voidTy, {});
  }

protected:
  bool oneWorker() const override { return false; }

  void begin(FunctionEmitter &fe, const FunctionDecl *f) override {
    auto report = [&](const VarDecl *v) {
      if (hasVariableSize(v->type.type) || v->type->isVoid() || !isShared(f, v)) return;
      LLVMValueRef at = isReached(f, v)              ? fe.locals.variable(v).ptr
                        : isScalarType(v->type.type) ? nullptr
                                                     : fe.strategy.home(fe, v);
      if (at) fe.callRuntime("cilk_race_fresh", fe.t.voidTy, {at, fe.i64c(static_cast<int64_t>(fe.t.size(v->type)))});
    };
    if (!f) return;
    for (auto *v : f->params) report(v);
    for (auto *v : f->locals) report(v);
  }
  void end(FunctionEmitter &) override {}

  void confined(FunctionEmitter &fe, const Access &a, LLVMValueRef at) override {
    const VarDecl *v = a.at.object;
    if (a.kind == AccessKind::Atomic || !v || !fe.strategy.instance(fe)) return;
    if (!isScalarType(v->type.type)) {
      if (uint32_t update = useOf(fe, a).update)
        return report(fe, "cilk_strands_update", a, inClosure(fe, a), at, update);
      for (int kind : {CILK_RACE_READ, CILK_RACE_WRITE})
        if (static_cast<int>(a.mode) & static_cast<int>(kind == CILK_RACE_READ ? AccessMode::Read : AccessMode::Write))
          fe.callRuntime(kind == CILK_RACE_READ ? "cilk_race_read" : "cilk_race_write", fe.t.voidTy,
              {inClosure(fe, a), a.size, at});
      return;
    }
    early(fe, at, wordsOf(fe.fn, v, useOf(fe, a).update).second);
  }

private:
  static bool isMain(const FunctionEmitter &fe) {
    return fe.fn && (fe.fn->name == "main" || fe.fn->name == "cilk_main");
  }
  LLVMValueRef frame(FunctionEmitter &fe, size_t field) {
    static_assert(sizeof(cilk_strands_frame) <= 2 * sizeof(uint64_t) &&
                  offsetof(cilk_closure, span) == offsetof(cilk_closure, work) + sizeof(uint64_t));
    LLVMValueRef instance = fe.strategy.instance(fe);
    return instance ? fe.offsetPtr(instance, offsetof(cilk_closure, work) + field) : nullptr;
  }
  void strand(FunctionEmitter &fe, const char *event) {
    if (LLVMValueRef f = fe.open() ? frame(fe, 0) : nullptr)
      fe.callRuntime((std::string("cilk_strands_") + event).c_str(), fe.t.voidTy, {f});
  }
  void cannot(FunctionEmitter &fe, const char *what) {
    if (fe.open()) fe.callRuntime("cilk_strands_cannot", fe.t.voidTy, {text(what)});
  }

  // Where a confined object that is no scalar is known by: as far into its place in the closure as the access is into
  // it.
  LLVMValueRef inClosure(FunctionEmitter &fe, const Access &a) {
    LLVMValueRef home = fe.strategy.home(fe, a.at.object);
    if (!home) return a.at.ptr;
    LLVMTypeRef i64 = fe.t.i64;
    LLVMValueRef into = LLVMBuildSub(fe.builder, LLVMBuildPtrToInt(fe.builder, a.at.ptr, i64, ""),
        LLVMBuildPtrToInt(fe.builder, fe.locals.variable(a.at.object).ptr, i64, ""), "");
    return LLVMBuildGEP2(fe.builder, fe.t.i8, home, &into, 1, "");
  }

  // The bit of results of this kind in v; those that an access of this kind may not meet. The last bit is for all
  // variables that find no other one.
  std::pair<uint64_t, uint64_t> wordsOf(const FunctionDecl *f, const VarDecl *v, uint32_t update) {
    auto &known = bits[ownerOfFrame(f)];
    uint64_t own = 0, others = 0;
    for (const SpawnStmt *s : ownerOfFrame(f)->spawns) {
      const VarDecl *to = s->receiver() ? variableAround(s->receiver()) : nullptr;
      if (!to) continue;
      uint32_t kind = usesOf(f).deliveries[s].update;
      auto bit = known.try_emplace({to, kind}, std::min<unsigned>(static_cast<unsigned>(known.size()), 63));
      uint64_t word = UINT64_C(1) << bit.first->second;
      if (to != v) continue;
      if (kind == update) own = word;
      if (!update || kind != update || word >> 63) others |= word;
    }
    return {own, others};
  }
  void early(FunctionEmitter &fe, LLVMValueRef at, uint64_t wrong) {
    if (!wrong) return;
    LLVMValueRef word = fe.loadRaw(fe.t.i64, frame(fe, offsetof(cilk_strands_frame, results)), 8),
                 met = LLVMBuildAnd(fe.builder, word, fe.i64c(static_cast<int64_t>(wrong)), "");
    LLVMBasicBlockRef looks = fe.newBlock("race.looks"), goesOn = fe.newBlock("race.goes.on");
    fe.branch(LLVMBuildIsNull(fe.builder, met, ""), goesOn, looks, 1);
    fe.place(looks);
    fe.callRuntime("cilk_strands_early", fe.t.voidTy, {at});
    fe.jump(goesOn);
    fe.place(goesOn);
  }

  // An update that commutes with results of this instance (the read before it says nothing more).
  bool updates(FunctionEmitter &fe, const Access &a) {
    if (!fe.fn || !fe.fn->isCilk || a.kind != AccessKind::Plain || !reachable(a.at)) return false;
    RaceUse use = useOf(fe, a);
    const auto &spawns = fe.fn->spawns;
    bool alike = use.update && std::any_of(spawns.begin(), spawns.end(), [&](const SpawnStmt *s) {
      return s->delivery && usesOf(fe.fn).deliveries[s].update == use.update;
    });
    if (!alike || !shared(a.at) || !isOn(switches, a.at.where.begin) || has(fe.fn, "cilk-race")) return false;
    report(fe, "cilk_strands_update", a, a.at.ptr, site(fe, a.at.where, use), use.update);
    return true;
  }
  void report(FunctionEmitter &fe, const char *what, const Access &a, LLVMValueRef place, LLVMValueRef at,
      uint32_t update) {
    fe.callRuntime(what, fe.t.voidTy, {frame(fe, 0), place, a.size, at, fe.i32c(static_cast<int32_t>(update))});
  }

  // The child's result will be stored there.
  void receives(FunctionEmitter &fe, const Access &a) {
    const SpawnStmt &s = *receiving;
    if (!shared(a.at) || !isOn(switches, s.spawned.begin) || has(fe.fn, "cilk-race")) return;
    RaceUse use = usesOf(fe.fn).deliveries[&s];
    LLVMValueRef at = site(fe, s.spawned, use), place = a.at.ptr;
    const VarDecl *v = a.at.object;
    if (!reachable(a.at) && v) {
      if (s.awaited) return;
      if (isScalarType(v->type.type)) {
        auto [own, wrong] = wordsOf(fe.fn, v, use.update);
        early(fe, at, wrong);
        LLVMValueRef word = frame(fe, offsetof(cilk_strands_frame, results));
        fe.storeRaw(LLVMBuildOr(fe.builder, fe.loadRaw(fe.t.i64, word, 8), fe.i64c(static_cast<int64_t>(own)), ""),
            word, 8);
        return;
      }
      place = inClosure(fe, a);
    }
    report(fe, "cilk_strands_receive", a, place, at, use.update);
  }
};

}  // namespace

std::unique_ptr<Events> makeStrandsEvents(ModuleEmitter &m) { return std::make_unique<StrandsEvents>(m); }

}  // namespace cilkc::cg
