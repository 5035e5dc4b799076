// race.h - --cilk-race: the program runs serially and reports to the race detector (rt/tools/race) which memory it
// touches, and where children begin and end.
//
// Each access is a call of the detector with the place of the access in the source, a `site`; shim/race.cpp makes tests
// in line of them, and takes out those that are certain to find nothing new. What no other strand can reach is not
// reported: locals whose address goes nowhere (escape.cpp), thread-locals, constants, `private` variables. Calls of
// the C library's functions go to functions of the detector that know what they do to memory
// (rt/tools/race/library.def).
//
// The detector on several workers (strands.cpp) hears of accesses and of the library in the same way.
#pragma once
#include "codegen/core/events.h"
#include "codegen/events/escape.h"
#include "codegen/events/library.h"
#include "codegen/events/race_uses.h"
#include "codegen/shim/shim.h"
#include "rt/tools/race/abi.h"

namespace cilkc::cg {

class RaceEvents : public Events {
protected:
  static constexpr size_t kMostText = 60;
  ModuleEmitter &m;
  const Library library{"cilk_race_libc_", {
#define LIBRARY(name) #name,
#include "rt/tools/race/library.def"
#undef LIBRARY
                                           }};
  std::unordered_map<std::string, LLVMValueRef> texts, sites;
  Escapes escapes;
  std::unordered_map<const FunctionDecl *, RaceUses> uses;
  struct Running {
    LLVMValueRef mark;
  };  // how many locals were known when the function or inlet began
  std::unordered_map<FunctionEmitter *, std::vector<Running>> running;
  const SpawnStmt *delivery = nullptr;  // while a result is stored
  std::vector<std::pair<uint32_t, bool>> switches,
      speculations;  // #pragma cilk race, speculative: from here on, is it reported; may it depend on the order?

public:
  explicit RaceEvents(ModuleEmitter &me) : m(me) { readPragmas(); }

  // ---- accesses ----
  void access(FunctionEmitter &fe, const Access &a) override {
    Range where = delivery ? delivery->spawned : a.at.where;
    if (!shared(a.at) || !isOn(switches, where.begin) || has(fe.fn, "cilk-race")) return;
    RaceUse use = useOf(fe, a);
    LLVMValueRef at = site(fe, where, use);
    if (use.use & CILK_RACE_VIEW && !(use.use & CILK_RACE_SPECULATES))
      fe.callRuntime("cilk_race_viewed", fe.t.voidTy, {a.at.ptr, at});
    if (!reachable(a.at)) {
      confined(fe, a, at);
      return;
    }
    if (a.kind == AccessKind::Atomic) {
      fe.callRuntime("cilk_race_atomic", fe.t.voidTy,
          {a.at.ptr, a.size, at, fe.i32c(a.mode == AccessMode::Read ? CILK_RACE_READ : CILK_RACE_WRITE)});
      return;
    }
    if (static_cast<int>(a.mode) & static_cast<int>(AccessMode::Read)) emit(fe, "read", a, at);
    if (static_cast<int>(a.mode) & static_cast<int>(AccessMode::Write)) emit(fe, "write", a, at);
  }

  // ---- children ----
  void spawns(FunctionEmitter &fe, const SpawnStmt &s) override {
    fe.callRuntime(s.awaited ? "cilk_race_spawn_awaited" : "cilk_race_spawn", fe.t.voidTy, {site(fe, s.spawned)});
  }
  void delivers(FunctionEmitter &fe, const SpawnStmt &s) override {
    if (!s.fills && !isSilent(s.receiver())) {  // a future's value is its child's, which is atomic with no other access
      bool aborts = s.inlet && usesOf(fe.fn).aborting.count(s.inlet);
      fe.callRuntime("cilk_race_deliver", fe.t.voidTy, {fe.i32c(aborts ? CILK_RACE_ABORTS : 0)});
    }
    if (s.form != SpawnForm::Inlet) delivery = &s;
  }
  void delivered(FunctionEmitter &, const SpawnStmt &) override { delivery = nullptr; }
  void spawnReturned(FunctionEmitter &fe, const SpawnStmt &) override {
    fe.callRuntime("cilk_race_joined", fe.t.voidTy, {});
  }
  // Where no child is out, which the first word of the running instance says (rt/tools/race/abi.h), there is nothing to
  // wait for.
  void synced(FunctionEmitter &fe) override {
    if (!fe.open()) return;
    LLVMValueRef frame = LLVMGetNamedGlobal(m.module, "cilk_race_frame");
    if (!frame) frame = LLVMAddGlobal(m.module, fe.t.ptr, "cilk_race_frame");
    LLVMValueRef out = fe.loadRaw(fe.t.i32, fe.loadRaw(fe.t.ptr, frame, 8), 4);
    LLVMBasicBlockRef waits = fe.newBlock("race.waits"), synced = fe.newBlock("race.synced");
    fe.branch(LLVMBuildIsNull(fe.builder, out, ""), synced, waits);
    fe.place(waits);
    fe.callRuntime("cilk_race_sync", fe.t.voidTy, {});
    fe.jump(synced);
    fe.place(synced);
  }
  void fills(FunctionEmitter &fe, const SpawnStmt &s, LLVMValueRef future) override {
    fe.callRuntime("cilk_race_filled", fe.t.voidTy, {future, futureSite(fe, s.receiver(), s.spawned)});
  }
  void touches(FunctionEmitter &fe, const TouchStmt &s, LLVMValueRef future, LLVMValueRef size) override {
    if (s.future) fe.callRuntime("cilk_race_touch", fe.t.voidTy, {future, futureSite(fe, s.future, s.range)});
    else fe.callRuntime("cilk_race_renew", fe.t.voidTy, {future, size});
    if (s.own && s.own->hidden) fe.callRuntime("cilk_race_awaited", fe.t.voidTy, {});
  }
  void posts(FunctionEmitter &fe, Range where) override {
    fe.callRuntime("cilk_race_post", fe.t.voidTy, {site(fe, where)});
  }
  LLVMValueRef synched(FunctionEmitter &fe) override { return fe.callRuntime("cilk_race_synched", fe.t.i32, {}); }

  // ---- objects ----
  // A C function with a procedure's text is the stub by which C calls it (serial.cpp).
  void functionBegins(FunctionEmitter &fe) override {
    if (fe.fn && fe.fn->isCilk) {
      LLVMValueRef stub = LLVMGetBasicBlockParent(LLVMGetInsertBlock(fe.builder));
      unsigned sret = LLVMGetEnumAttributeKindForName("sret", 4);
      bool indirect = LLVMGetEnumAttributeAtIndex(stub, 1, sret) != nullptr;
      bool context = !fe.fn->entered;  // OpenCilk's functions have none
      fe.callRuntime("cilk_race_root", fe.t.voidTy,
          {context ? LLVMGetParam(stub, indirect ? 1 : 0) : LLVMConstNull(fe.t.ptr)});
    } else begin(fe, fe.fn);
  }
  void functionEnds(FunctionEmitter &fe) override {
    if (fe.fn && fe.fn->isCilk) fe.callRuntime("cilk_race_root_ended", fe.t.voidTy, {});
    else end(fe);
  }
  void procedureBegins(FunctionEmitter &fe) override { begin(fe, fe.fn); }
  void procedureEnds(FunctionEmitter &fe) override { end(fe); }
  void inletBegins(FunctionEmitter &fe, const FunctionDecl *inlet) override { begin(fe, inlet); }
  void inletEnds(FunctionEmitter &fe, const FunctionDecl *) override { end(fe); }
  void objectBegins(FunctionEmitter &fe, const Object &o) override {
    if (o.kind == Object::Dynamic || o.kind == Object::Vla || o.kind == Object::Cilk)
      fe.callRuntime("cilk_race_automatic", fe.t.voidTy, {o.ptr, o.size, site(fe, o.where)});
  }

  // What is chosen by Self belongs to one worker, which runs one strand at a time.
  void workersOwn(FunctionEmitter &fe, const Address &a) override {
    if (!hasVariableSize(a.type.type) && isComplete(a.type.type))
      fe.callRuntime("cilk_race_own", fe.t.voidTy, {a.ptr, fe.i64c(static_cast<int64_t>(fe.t.size(a.type)))});
  }

  LLVMValueRef view(FunctionEmitter &fe, const std::vector<LLVMValueRef> &of, bool begins) override {
    return fe.callRuntime(begins ? "cilk_race_view_register" : "cilk_race_view", begins ? fe.t.voidTy : fe.t.ptr, of);
  }

  // ---- the library ----
  std::string externalName(const FunctionDecl *f, const std::string &name) override { return library.called(f, name); }
  void calls(FunctionEmitter &fe, const CallSite &c) override {
    if (isArtificial(fe.fn)) return;
    if (c.direct) jumps(fe, c);
    if (c.direct && !isArtificial(c.direct)) {
      size_t n;
      const char *name = LLVMIsAFunction(c.callee) ? LLVMGetValueName2(c.callee, &n) : "";
      if (!std::string_view(name).starts_with("cilk_race_") && !std::string_view(name).starts_with("mt_")) {
        if (oneWorker() && fe.fn && fe.fn->isCilk && !c.direct->isCilk)
          fe.storeRaw(site(fe, c.where), global("cilk_race_calling"), 8);
        return;
      }
    }
    bool off = !isOn(switches, c.where.begin) || has(fe.fn, "cilk-race");
    fe.storeRaw(
        off ? LLVMConstNull(fe.t.ptr)
            : site(fe, c.where,
                  {0, CILK_RACE_CALL | speculates(fe, c.where.begin) * static_cast<uint32_t>(CILK_RACE_SPECULATES)}),
        called(), 8);
  }

  // The names of the globals that this unit defines.
  void unitEnds() override {
    std::vector<LLVMValueRef> rows;
    auto reportGlobal = [&](const VarDecl *v) {
      LLVMValueRef g = m.emitted(v);
      if (!g || !LLVMIsAGlobalVariable(g) || !LLVMGetInitializer(g) || v->threadLocal) return;
      rows.push_back(variable(g, v, v->fn));
    };
    for (auto *g : m.unit.globals) reportGlobal(g);
    for (auto *f : m.unit.functions)
      for (auto *v : f->statics) reportGlobal(v);
    if (rows.empty()) return;
    LLVMTypeRef type = LLVMTypeOf(rows[0]);
    LLVMValueRef table = LLVMAddGlobal(m.module, LLVMArrayType2(type, rows.size()), "cilk_race_names");
    LLVMSetInitializer(table, LLVMConstArray2(type, rows.data(), rows.size()));
    LLVMSetLinkage(table, LLVMInternalLinkage);
    LLVMSetSection(table, "cilk_race_globals");
    LLVMSetAlignment(table, 8);
    m.useLater(table);
  }
  void prepares(const std::function<void(const std::string &)> &failed) override {
    if (!m.optimizing()) return;
    std::string error = shimRaceChecks(m.module, m.machine, oneWorker());
    if (!error.empty()) failed(error);
  }

protected:
  virtual bool oneWorker() const { return true; }

  // ---- what is reported ----
  // `#pragma cilk race off` and `on`; the Nondeterminator's `#pragma nd -` and `+`; `#pragma cilk speculative on` and
  // `off`.
  void readPragmas() {
    const SourceManager &sources = m.diags.sources();
    for (uint32_t at : sources.pragmaLines()) {
      if (!heeded(Loc::at(at))) continue;
      std::string words;
      for (char c : sources.preprocessedLine(Loc::at(at)))
        if (c != ' ' && c != '\t' && c != '\r') words += c;
      if (words == "#pragmacilkraceoff" || words == "#pragmand-") switches.emplace_back(at, false);
      else if (words == "#pragmacilkraceon" || words == "#pragmand+") switches.emplace_back(at, true);
      else if (words == "#pragmacilkspeculativeon") speculations.emplace_back(at, false);
      else if (words == "#pragmacilkspeculativeoff") speculations.emplace_back(at, true);
    }
  }
  // -fno-cilk-race-pragmas: those of system headers only.
  bool heeded(Loc where) const { return m.options.racePragmas || m.diags.sources().inSystemHeader(where); }
  static bool isOn(const std::vector<std::pair<uint32_t, bool>> &pragmas, Loc where) {
    bool result = true;
    if (where.valid())
      for (auto &[from, on] : pragmas)
        if (from <= where.offset()) result = on;
    return result;
  }
  // __attribute__((cilk_no_race)) and cilk_speculative, of the function or of the one around it.
  bool has(const FunctionDecl *f, std::string_view wanted) const {
    for (; f; f = f->parent)
      for (std::string_view words = f->attrs.noSanitize; !words.empty();) {
        std::string_view word = words.substr(0, words.find('\n'));
        if (word == wanted && heeded(f->range.begin)) return true;
        words.remove_prefix(std::min(words.size(), word.size() + 1));
      }
    return false;
  }
  bool speculates(FunctionEmitter &fe, Loc where) const {
    return !isOn(speculations, where) || has(fe.fn, "cilk-speculative");
  }
  // Volatile and atomic objects say themselves that they change while they are looked at.
  RaceUse useOf(FunctionEmitter &fe, const Access &a) {
    RaceUse u = delivery ? usesOf(fe.fn).deliveries[delivery] : fe.fn ? usesOf(fe.fn).of(a.at.where) : RaceUse{};
    if (a.at.isVolatile() || a.kind == AccessKind::Atomic || speculates(fe, a.at.where.begin))
      u.use |= CILK_RACE_SPECULATES;
    if (a.at.isVolatile() && a.kind != AccessKind::Atomic) u.use |= CILK_RACE_VOLATILE;
    return u;
  }
  RaceUses &usesOf(const FunctionDecl *f) {
    f = ownerOfFrame(f);
    auto it = uses.find(f);
    if (it == uses.end()) it = uses.emplace(f, findRaceUses(f, m.ast, m.options.anySync)).first;
    return it->second;
  }
  // A receiver that no other strand can reach.
  bool isSilent(const Expr *receiver) {
    const VarDecl *v = receiver ? variableAround(receiver) : nullptr;
    return v && (v->isLocal || v->isParam) && v->fn && !isShared(v->fn, v);
  }
  // The program reads the nodes that the runtime writes into a frame of pedigrees.
  bool isShared(const FunctionDecl *f, const VarDecl *v) { return isReached(f, v) || usesOf(f).ordered.count(v); }
  bool shared(const Address &a) {
    return isReachable(a, [this](const FunctionDecl *f, const VarDecl *v) { return isShared(f, v); });
  }
  bool isReached(const FunctionDecl *f, const VarDecl *v) { return v == f->pedigree || escapes.has(f, v); }
  bool reachable(const Address &a) {
    return isReachable(a, [this](const FunctionDecl *f, const VarDecl *v) { return isReached(f, v); });
  }
  // Such an access races with none, but may come too early while results are awaited. Atomic ones never do.
  virtual void confined(FunctionEmitter &fe, const Access &a, LLVMValueRef at) {
    if (a.kind == AccessKind::Atomic) return;
    LLVMValueRef first = LLVMGetNamedGlobal(m.module, "cilk_race_first");
    if (!first) first = LLVMAddGlobal(m.module, fe.t.i32, "cilk_race_first");
    LLVMValueRef all = LLVMBuildICmp(fe.builder, LLVMIntEQ, fe.loadRaw(fe.t.i32, first, 4), fe.i32c(INT32_MAX), "");
    LLVMBasicBlockRef looks = fe.newBlock("race.looks"), goesOn = fe.newBlock("race.goes.on");
    fe.branch(all, looks, goesOn);
    fe.place(looks);
    for (int kind : {CILK_RACE_READ, CILK_RACE_WRITE})
      if (static_cast<int>(a.mode) & static_cast<int>(kind == CILK_RACE_READ ? AccessMode::Read : AccessMode::Write))
        fe.callRuntime("cilk_race_confined", fe.t.voidTy, {a.at.ptr, a.size, at, fe.i32c(kind)});
    fe.jump(goesOn);
    fe.place(goesOn);
  }
  void emit(FunctionEmitter &fe, const char *kind, const Access &a, LLVMValueRef at) {
    uint64_t n = LLVMIsAConstantInt(a.size) ? LLVMConstIntGetZExtValue(a.size) : 0;
    std::string name = std::string("cilk_race_") + kind;
    if (a.at.align >= 4 && (n == 4 || n == 8))
      fe.callRuntime((name + std::to_string(n)).c_str(), fe.t.voidTy, {a.at.ptr, at});
    else {
      LLVMValueRef call = fe.callRuntime(name.c_str(), fe.t.voidTy, {a.at.ptr, a.size, at});
      if (LLVMIsACallInst(call)) LLVMSetInstrParamAlignment(call, 1, static_cast<unsigned>(a.at.align));
    }
  }

  // The site of an access to a future's state; null where no other strand can touch the future.
  LLVMValueRef futureSite(FunctionEmitter &fe, const Expr *future, Range where) {
    const VarDecl *v = variableAround(future);
    if ((v && v->isLocal && v->fn && !escapes.has(v->fn, v)) || !isOn(switches, where.begin) || has(fe.fn, "cilk-race"))
      return LLVMConstNull(fe.t.ptr);
    return site(fe, where, {0, CILK_RACE_SPECULATES});
  }

  // ---- locals ----
  virtual void begin(FunctionEmitter &fe, const FunctionDecl *f) {
    Running r{};
    auto reportLocal = [&](const VarDecl *v) {
      if (hasVariableSize(v->type.type) || v->type->isVoid() || !isShared(f, v)) return;
      if (!r.mark) {
        r.mark = fe.entryAlloca(fe.t.i32, 4, "race.locals");
        fe.storeRaw(fe.loadRaw(fe.t.i32, localCount(fe), 4), r.mark, 4);
      }
      LLVMValueRef info = variable(nullptr, v, f), g = LLVMAddGlobal(m.module, LLVMTypeOf(info), "race.variable");
      LLVMSetInitializer(g, info);
      LLVMSetLinkage(g, LLVMPrivateLinkage);
      fe.callRuntime(isReached(f, v) ? "cilk_race_local" : "cilk_race_confined_local", fe.t.voidTy,
          {fe.locals.variable(v).ptr, fe.i64c(static_cast<int64_t>(fe.t.size(v->type))), g});
    };
    if (f) {
      for (auto *v : f->params) reportLocal(v);
      for (auto *v : f->locals) reportLocal(v);
    }
    running[&fe].push_back(r);
  }
  virtual void end(FunctionEmitter &fe) {
    auto &stack = running[&fe];
    if (stack.empty()) return;
    if (stack.back().mark) fe.storeRaw(fe.loadRaw(fe.t.i32, stack.back().mark, 4), localCount(fe), 4);
    stack.pop_back();
    if (stack.empty()) running.erase(&fe);
  }
  LLVMValueRef localCount(FunctionEmitter &fe) {
    LLVMValueRef g = LLVMGetNamedGlobal(m.module, "cilk_race_locals");
    return g ? g : LLVMAddGlobal(m.module, fe.t.i32, "cilk_race_locals");
  }

  // What such a function does, an intrinsic of the processor for example, is done where it is called.
  static bool isArtificial(const FunctionDecl *f) { return f && f->attrs.artificial && !f->isCilk; }
  // setjmp writes what longjmp reads: the first word stands for all. No function of the detector can stand for one that
  // returns twice.
  void jumps(FunctionEmitter &fe, const CallSite &c) {
    bool sets = c.direct->name.ends_with("setjmp");
    if ((!sets && !c.direct->name.ends_with("longjmp")) || !c.args || c.args->empty()) return;
    if (isOn(switches, c.where.begin) && !has(fe.fn, "cilk-race"))
      fe.callRuntime(sets ? "cilk_race_write" : "cilk_race_read", fe.t.voidTy,
          {c.args->front().value, fe.i64c(8), site(fe, c.where)});
  }
  LLVMValueRef global(const char *name) {
    LLVMValueRef g = LLVMGetNamedGlobal(m.module, name);
    return g ? g : LLVMAddGlobal(m.module, m.types->ptr, name);
  }
  LLVMValueRef called() {
    LLVMValueRef g = global("cilk_race_called");
    if (!oneWorker()) LLVMSetThreadLocalMode(g, LLVMInitialExecTLSModel);
    return g;
  }

  // ---- tables (rt/tools/race/abi.h) ----
  LLVMValueRef text(const std::string &s) {
    LLVMValueRef &v = texts[s];
    return v ? v : v = m.cstring(s, "race.text");
  }
  LLVMValueRef number(LLVMTypeRef type, uint64_t n) { return LLVMConstInt(type, n, false); }
  LLVMValueRef variable(LLVMValueRef address, const VarDecl *v, const FunctionDecl *f) {
    TypeLowering &ty = *m.types;
    Presumed p = m.diags.sources().presumed(v->range.begin);
    LLVMValueRef none = LLVMConstNull(ty.ptr);
    LLVMValueRef fields[] = {address ? address : none,
        number(ty.i64, isComplete(v->type.type) && !hasVariableSize(v->type.type) ? ty.size(v->type) : 0),
        text(v->name.empty() || v->name[0] == '.' ? "(compound literal)" : std::string(v->name)),
        f ? text(std::string(f->name)) : none, text(p.file ? p.file->name : ""), number(ty.i64, p.line)};
    return LLVMConstStructInContext(m.context, fields, 6, 0);
  }
  // One site for each place and procedure.
  LLVMValueRef site(FunctionEmitter &fe, Range where, RaceUse use = {}) {
    if (isArtificial(fe.fn)) return fe.loadRaw(fe.t.ptr, called(), 8);
    const SourceManager &sources = m.diags.sources();
    Presumed p = where.valid() ? sources.resolve(where.begin) : Presumed{};
    std::string procedure = fe.fn ? std::string(fe.fn->name) : "", file = p.file ? p.file->name : "";
    std::string written = sources.asWritten(where, kMostText);
    LLVMValueRef &v = sites[procedure + '\n' + file + ':' + std::to_string(p.line) + ':' + std::to_string(p.column) +
                            ':' + std::to_string(use.update) + ':' + std::to_string(use.use) + ':' + written];
    if (v) return v;
    TypeLowering &ty = *m.types;
    LLVMValueRef zero = number(ty.i32, 0);
    LLVMValueRef fields[] = {zero, zero, number(ty.i64, 0), number(ty.i64, 0), number(ty.i32, p.line),
        number(ty.i32, p.column), text(file), text(procedure), text(written), number(ty.i32, use.update),
        number(ty.i32, use.use)};
    LLVMValueRef init = LLVMConstStructInContext(m.context, fields, 11, 0);
    v = LLVMAddGlobal(m.module, LLVMTypeOf(init), "race.site");
    LLVMSetInitializer(v, init);
    LLVMSetLinkage(v, LLVMPrivateLinkage);
    LLVMSetAlignment(v, 8);
    return v;
  }
};

}  // namespace cilkc::cg
