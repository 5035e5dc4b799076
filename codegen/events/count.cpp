// count.cpp - --cilk-count: units are counted and strands reported to the profiler (rt/tools/profile/abi.h), in the
// serial form of a program.
//
// The units of a function's strand are counted by units.h. They are added to the line that they belong to as well: in
// its record in memory where a block runs once, through a local variable of the line where it is on a cycle; those are
// emptied where a strand or the function ends. That is done when all of the function is emitted, since only then it is
// known which blocks lie on cycles.
#include <algorithm>
#include <map>
#include <unordered_set>
#include "codegen/events/units.h"
#include "rt/tools/profile/abi.h"

namespace cilkc::cg {
namespace {

class CountEvents : public UnitEvents {
public:
  explicit CountEvents(ModuleEmitter &me) : m(me) {}

  void procedureBegins(FunctionEmitter &fe) override {
    fe.callRuntime("cilk_profile_begin", fe.t.voidTy, {procedureRecord(fe)});
  }
  void procedureEnds(FunctionEmitter &fe) override { strandEnds(fe, "cilk_profile_end", {}); }
  void spawns(FunctionEmitter &fe, const SpawnStmt &s) override {
    strandEnds(fe, "cilk_profile_spawn", {siteRecord(fe, s)});
  }
  void spawnReturned(FunctionEmitter &fe, const SpawnStmt &) override { strandEnds(fe, "cilk_profile_joined", {}); }
  void returned(FunctionEmitter &fe, const CallSite &c) override {
    if (LLVMValueRef lock = lockOf(c, locking))
      strandEnds(fe, "cilk_profile_lock", {lock, lockRecord(fe, c.where.begin)});
    else if (LLVMValueRef tried = lockOf(c, trying))
      strandEnds(fe, "cilk_profile_tried",
          {tried, lockRecord(fe, c.where.begin), LLVMGetLastInstruction(LLVMGetInsertBlock(fe.builder))});
  }
  void calls(FunctionEmitter &fe, const CallSite &c) override {
    if (LLVMValueRef lock = lockOf(c, unlocking)) strandEnds(fe, "cilk_profile_unlock", {lock});
    else if (c.direct && (c.direct->procedure || c.direct->name == "wsp_getworkspan"))
      strandEnds(fe, "cilk_profile_strand", {});
  }
  void synced(FunctionEmitter &fe) override { strandEnds(fe, "cilk_profile_sync", {}); }
  void fills(FunctionEmitter &fe, const SpawnStmt &, LLVMValueRef future) override {
    fe.callRuntime("cilk_profile_filled", fe.t.voidTy, {future});
  }
  void touches(FunctionEmitter &fe, const TouchStmt &s, LLVMValueRef future, LLVMValueRef size) override {
    LLVMValueRef at = s.future ? touchRecord(fe, s.range) : LLVMConstNull(fe.t.ptr);
    strandEnds(fe, "cilk_profile_touch", {future, size, at});
  }
  void inletBegins(FunctionEmitter &fe, const FunctionDecl *inlet) override {
    fe.callRuntime("cilk_profile_inlet", fe.t.voidTy, {m.cstring(nameOf(inlet))});
  }
  void aborts(FunctionEmitter &fe) override { fe.callRuntime("cilk_profile_abort", fe.t.voidTy, {}); }
  LLVMValueRef measured(FunctionEmitter &fe, bool criticalPath) override {
    return fe.callRuntime(criticalPath ? "cilk_profile_span" : "cilk_profile_work", fe.t.i64, {take(fe)});
  }
  void loopBegins(FunctionEmitter &fe, Range r) override {
    strandEnds(fe, "cilk_profile_loop_begin", {loopRecord(fe, r)});
  }
  void iterationBegins(FunctionEmitter &fe, Range r, const VarDecl *number) override {
    if (!number) strandEnds(fe, "cilk_profile_iteration", {loopRecord(fe, r)});
  }
  void loopEnds(FunctionEmitter &fe, Range r) override { strandEnds(fe, "cilk_profile_loop_end", {loopRecord(fe, r)}); }
  void functionEnds(FunctionEmitter &fe) override {
    if (!fe.fn->isCilk) handOver(fe);
  }
  void leavesForGood(FunctionEmitter &fe) override { handOver(fe); }

private:
  using Line = LLVMValueRef;               // its record
  struct Lines {                           // of a function
    std::vector<Line> all;
    std::unordered_map<uint64_t, unsigned> numbers;   // of (file, line, of the C library?)
  };
  ModuleEmitter &m;
  std::unordered_map<FunctionEmitter *, Lines> lines;
  std::unordered_map<const FunctionDecl *, LLVMValueRef> procedures;
  std::map<std::pair<const FunctionDecl *, uint64_t>, Line> records;
  std::unordered_map<uint32_t, LLVMValueRef> loops, touched, locked;
  static constexpr const char *locking[] = {"Cilk_lock", "pthread_mutex_lock", "mtx_lock", "pthread_spin_lock",
      "pthread_rwlock_wrlock"},
                              *trying[] = {"pthread_mutex_trylock", "pthread_mutex_timedlock",
                                  "pthread_mutex_clocklock", "mtx_trylock", "mtx_timedlock", "pthread_spin_trylock",
                                  "pthread_rwlock_trywrlock", "pthread_rwlock_timedwrlock",
                                  "pthread_rwlock_clockwrlock"},
                              *unlocking[] = {"Cilk_unlock", "pthread_mutex_unlock", "mtx_unlock",
                                  "pthread_spin_unlock", "pthread_rwlock_unlock"};

  // The lock of a call of one of these functions; null: another call.
  template <size_t n> static LLVMValueRef lockOf(const CallSite &c, const char *const (&names)[n]) {
    if (!c.direct || c.args->empty() || !(*c.args)[0].value) return nullptr;
    bool one = std::any_of(names, names + n, [&](const char *name) { return c.direct->name == name; });
    return one && LLVMGetTypeKind(LLVMTypeOf((*c.args)[0].value)) == LLVMPointerTypeKind ? (*c.args)[0].value : nullptr;
  }

  void strandEnds(FunctionEmitter &fe, const char *event, std::vector<LLVMValueRef> args) {
    args.push_back(take(fe));
    fe.callRuntime(event, fe.t.voidTy, args);
  }

  void handOver(FunctionEmitter &fe) {
    if (!counts(fe)) return;
    LLVMValueRef n = take(fe), pending = external(fe, "cilk_profile_pending");
    fe.storeRaw(LLVMBuildAdd(fe.builder, fe.loadRaw(fe.t.i64, pending, 8), n, ""), pending, 8);
  }

  // ---- when the function is complete ----

  void counted(FunctionEmitter &fe, Piece &p, uint64_t n, Loc where, bool ofLibrary) override {
    p.lines[line(fe, where, ofLibrary)] += n;
  }

  void countedMeasured(FunctionEmitter &fe, LLVMValueRef n, Loc where) override {
    unsigned number = line(fe, where);
    add(fe, fe.builder, place(fe, fe.builder, lines[&fe].all[number]), n);
  }

  void finish(FunctionEmitter &fe, Body &b) override {
    std::vector<Line> mine = std::move(lines[&fe].all);
    lines.erase(&fe);
    std::unordered_set<LLVMBasicBlockRef> cyclic = onCycles(fe.function);
    std::vector<LLVMValueRef> locals(mine.size());
    auto each = [&](Piece &p, auto f) {    // in the order of the lines: what is emitted is the same each time
      std::map<unsigned, uint64_t> sorted(p.lines.begin(), p.lines.end());
      for (auto &[n, units] : sorted) f(n, units);
    };
    for (Piece &p : b.pieces)
      if (cyclic.count(p.block))
        each(p, [&](unsigned n, uint64_t) {
          if (!locals[n]) locals[n] = local(fe, "line.units");
        });
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(fe.context);
    for (Piece &p : b.pieces) {
      LLVMPositionBuilderBefore(builder,
          LLVMGetNextInstruction(p.after) ? LLVMGetNextInstruction(p.after) : LLVMGetBasicBlockTerminator(p.block));
      each(p, [&](unsigned n, uint64_t units) {
        add(fe, builder, locals[n] && cyclic.count(p.block) ? locals[n] : place(fe, builder, mine[n]),
            LLVMConstInt(fe.t.i64, units, false));
      });
    }
    for (LLVMValueRef at : b.taken)
      for (size_t n = 0; n < locals.size(); n++) {
        if (!locals[n]) continue;
        LLVMPositionBuilderBefore(builder, at);
        LLVMValueRef units = runtimeLoad(builder, fe.t.i64, locals[n], 8);
        add(fe, builder, place(fe, builder, mine[n]), units);
        runtimeStore(builder, LLVMConstNull(fe.t.i64), locals[n], 8);
      }
    LLVMDisposeBuilder(builder);
  }

  static void add(FunctionEmitter &fe, LLVMBuilderRef b, LLVMValueRef to, LLVMValueRef n) {
    LLVMValueRef old = runtimeLoad(b, fe.t.i64, to, 8);
    runtimeStore(b, LLVMBuildAdd(b, old, n, ""), to, 8);
  }

  // Where the running strand counts this line: on the critical path or off it.
  LLVMValueRef place(FunctionEmitter &fe, LLVMBuilderRef b, Line l) {
    LLVMValueRef shift = runtimeLoad(b, fe.t.i64, external(fe, "cilk_profile_shift"), 8);
    LLVMValueRef offset = LLVMBuildAdd(b, shift, LLVMConstInt(fe.t.i64, offsetof(cilk_profile_line, units), false), "");
    return LLVMBuildInBoundsGEP2(b, fe.t.i8, l, &offset, 1, "");
  }

  // Blocks that control may come back to: the strongly connected components (Tarjan), without recursion.
  static std::unordered_set<LLVMBasicBlockRef> onCycles(LLVMValueRef function) {
    struct State {
      unsigned index = 0, low = 0;
      bool onStack = false;
    };
    std::unordered_map<LLVMBasicBlockRef, State> states;
    std::unordered_set<LLVMBasicBlockRef> found;
    std::vector<LLVMBasicBlockRef> stack;
    struct Visit {
      LLVMBasicBlockRef block;
      unsigned next;
    };
    std::vector<Visit> path;
    unsigned count = 0;
    auto open = [&](LLVMBasicBlockRef b) {
      states[b] = {++count, count, true};
      stack.push_back(b);
      path.push_back({b, 0});
    };
    for (LLVMBasicBlockRef root = LLVMGetFirstBasicBlock(function); root; root = LLVMGetNextBasicBlock(root)) {
      if (states.count(root)) continue;
      open(root);
      while (!path.empty()) {
        Visit &v = path.back();
        LLVMValueRef end = LLVMGetBasicBlockTerminator(v.block);
        if (end && v.next < LLVMGetNumSuccessors(end)) {
          LLVMBasicBlockRef to = LLVMGetSuccessor(end, v.next++), from = v.block;
          if (to == from) found.insert(to);
          auto it = states.find(to);
          if (it == states.end()) open(to);
          else if (it->second.onStack) states[from].low = std::min(states[from].low, it->second.index);
          continue;
        }
        LLVMBasicBlockRef b = v.block;
        path.pop_back();
        State s = states[b];
        if (!path.empty()) {
          State &above = states[path.back().block];
          above.low = std::min(above.low, s.low);
        }
        if (s.low != s.index) continue;
        bool several = stack.back() != b;
        for (LLVMBasicBlockRef x = nullptr; x != b;) {
          x = stack.back();
          stack.pop_back();
          states[x].onStack = false;
          if (several) found.insert(x);
        }
      }
    }
    return found;
  }

  // ---- records ----

  LLVMValueRef external(FunctionEmitter &fe, const char *name) {
    LLVMValueRef g = LLVMGetNamedGlobal(m.module, name);
    return g ? g : LLVMAddGlobal(m.module, fe.t.i64, name);
  }

  std::string fileOf(Loc where) {
    Presumed p = m.diags.sources().presumed(where);
    return p.file ? p.file->name : m.diags.sources().mainName();
  }

  LLVMValueRef record(FunctionEmitter &fe, const char *section, std::vector<LLVMValueRef> fields, size_t size) {
    size_t bytes = 0;
    for (LLVMValueRef f : fields) bytes += LLVMStoreSizeOfType(m.layout, LLVMTypeOf(f));
    while (bytes < size) {
      fields.push_back(LLVMConstNull(fe.t.i64));
      bytes += 8;
    }
    LLVMValueRef value =
        LLVMConstStructInContext(m.context, fields.data(), static_cast<unsigned>(fields.size()), false);
    LLVMValueRef g = LLVMAddGlobal(m.module, LLVMTypeOf(value), "count.record");
    LLVMSetInitializer(g, value);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetSection(g, section);
    LLVMSetAlignment(g, 8);                // no gaps: the section is an array
    m.useLater(g);
    return g;
  }

  // What functions of the C library cost has a record of its own on each line.
  unsigned line(FunctionEmitter &fe, Loc where, bool ofLibrary = false) {
    Lines &known = lines[&fe];
    Presumed p = m.diags.sources().presumed(where);
    uint64_t key = p.line ^ static_cast<uint64_t>(reinterpret_cast<uintptr_t>(p.file)) << 24 ^
                   static_cast<uint64_t>(ofLibrary) << 63;
    auto [it, added] = known.numbers.try_emplace(key, static_cast<unsigned>(known.all.size()));
    if (added) {
      Line &l = records[{fe.fn, key}];
      if (!l)
        l = record(fe, "cilk_profile_line",
            {m.cstring(fileOf(where)), m.cstring(ofLibrary ? "C library" : nameOf(fe.fn)),
                LLVMConstInt(fe.t.i64, p.line, false)},
            sizeof(cilk_profile_line));
      known.all.push_back(l);
    }
    return it->second;
  }

  static std::string nameOf(const FunctionDecl *f) { return f ? std::string(f->shownName()) : std::string(); }

  LLVMValueRef siteRecord(FunctionEmitter &fe, const SpawnStmt &s) {
    Presumed p = m.diags.sources().resolve(s.keyword.valid() ? s.keyword.begin : s.spawned.begin);
    return record(fe, "cilk_profile_site",
        {m.cstring(p.file ? p.file->name : m.diags.sources().mainName()), m.cstring(nameOf(fe.fn)),
            fe.i32c(static_cast<int>(p.line)), fe.i32c(static_cast<int>(p.column)),
            LLVMConstInt(fe.t.i64, s.form == SpawnForm::Inlet || s.form == SpawnForm::Op, false)},
        sizeof(cilk_profile_site));
  }

  LLVMValueRef loopRecord(FunctionEmitter &fe, Range r) {
    LLVMValueRef &l = loops[r.begin.raw];
    if (!l) {
      uint64_t at = m.diags.sources().presumed(r.begin).line;
      l = record(fe, "cilk_profile_loop",
          {m.cstring(fileOf(r.begin)), m.cstring(nameOf(fe.fn)), LLVMConstInt(fe.t.i64, at, false)},
          sizeof(cilk_profile_loop));
    }
    return l;
  }

  LLVMValueRef lockRecord(FunctionEmitter &fe, Loc where) {
    LLVMValueRef &l = locked[where.raw];
    if (!l) {
      Presumed p = m.diags.sources().resolve(where);
      l = record(fe, "cilk_profile_locked",
          {m.cstring(fileOf(where)), m.cstring(nameOf(fe.fn)), LLVMConstInt(fe.t.i64, p.line, false)},
          sizeof(cilk_profile_locked));
    }
    return l;
  }

  LLVMValueRef touchRecord(FunctionEmitter &fe, Range r) {
    LLVMValueRef &t = touched[r.begin.raw];
    if (!t) {
      Presumed p = m.diags.sources().resolve(r.begin);
      t = record(fe, "cilk_profile_touched",
          {m.cstring(p.file ? p.file->name : m.diags.sources().mainName()), m.cstring(nameOf(fe.fn)),
              fe.i32c(static_cast<int>(p.line)), fe.i32c(static_cast<int>(p.column))},
          sizeof(cilk_profile_touched));
    }
    return t;
  }

  LLVMValueRef procedureRecord(FunctionEmitter &fe) {
    LLVMValueRef &r = procedures[fe.fn];
    if (!r) {
      uint64_t at = m.diags.sources().presumed(fe.fn->range.begin).line;
      r = record(fe, "cilk_profile_procedure",
          {m.cstring(fileOf(fe.fn->range.begin)), m.cstring(nameOf(fe.fn)), LLVMConstInt(fe.t.i64, at, false)},
          sizeof(cilk_profile_procedure));
    }
    return r;
  }
};

}  // namespace

std::unique_ptr<Events> makeCountEvents(ModuleEmitter &m) { return std::make_unique<CountEvents>(m); }

}  // namespace cilkc::cg
