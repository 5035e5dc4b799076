// memory.cpp - --cilk-memory: the allocations of the program and, in its serial form, the instances that they belong
// to, for `cilkc memory` (rt/tools/memory).
//
// Calls of malloc and its like (rt/tools/memory/library.def) go to functions of rt/tools/memory, which find the place
// of the call in cilk_memory_called. What a procedure takes by Cilk_alloca, alloca or as a variable-length array is in
// its closure's blocks and lasts as long as the instance. A closure has the size that the plan of the clones gives it:
// the same at every level of optimisation.
#include "codegen/core/events.h"
#include "codegen/events/library.h"
#include "frontend/ast/query.h"
#include "frontend/plan/plan.h"
#include "rt/tools/memory/abi.h"

namespace cilkc::cg {
namespace {

class MemoryEvents : public Events {
  ModuleEmitter &m;
  const Library library{"cilk_memory_libc_", {
#define LIBRARY(name) #name,
#include "rt/tools/memory/library.def"
#undef LIBRARY
                                             }};
  std::unique_ptr<UnitPlan> plans;
  std::unordered_map<std::string, LLVMValueRef> sites;
  std::unordered_map<const FunctionDecl *, LLVMValueRef> procedures;

public:
  explicit MemoryEvents(ModuleEmitter &me) : m(me) {}

  std::string externalName(const FunctionDecl *f, const std::string &name) override { return library.called(f, name); }
  void calls(FunctionEmitter &fe, const CallSite &c) override {
    // Inline functions of the system's headers, getline for one, are the user's call of them.
    if (m.diags.sources().inSystemHeader(c.where.begin)) return;
    std::string what;
    if (c.direct) {
      size_t n;
      std::string_view name = LLVMIsAFunction(c.callee) ? LLVMGetValueName2(c.callee, &n) : "";
      if (name.starts_with(library.prefix)) name.remove_prefix(library.prefix.size());
      if (!library.names.count(name)) return;
      what = name;
    }
    LLVMValueRef called = LLVMGetNamedGlobal(m.module, "cilk_memory_called");
    if (!called) called = LLVMAddGlobal(m.module, fe.t.ptr, "cilk_memory_called");
    fe.storeRaw(site(fe, c.where.begin, what), called, 8);
  }

  void procedureBegins(FunctionEmitter &fe) override {
    if (m.options.serial) fe.callRuntime("cilk_memory_begin", fe.t.voidTy, {procedure(fe)});
  }
  void procedureEnds(FunctionEmitter &fe) override { emit(fe, "cilk_memory_end"); }
  void spawns(FunctionEmitter &fe, const SpawnStmt &s) override {
    if (!isCall(fe, s)) emit(fe, "cilk_memory_spawn");
  }
  void spawnReturned(FunctionEmitter &fe, const SpawnStmt &s) override {
    if (!isCall(fe, s)) emit(fe, "cilk_memory_joined");
  }
  void touches(FunctionEmitter &fe, const TouchStmt &s, LLVMValueRef, LLVMValueRef) override {
    if (!s.future || s.own || !m.options.serial) return;  // of its own: there is a worker below it, as at a sync
    emit(fe, "cilk_memory_touch");
    if (LLVMGetNamedGlobal(m.module, "cilk_memory_touches")) return;
    LLVMValueRef g = LLVMAddGlobal(m.module, fe.t.i8, "cilk_memory_touches");
    LLVMSetInitializer(g, LLVMConstInt(fe.t.i8, 1, false));
    LLVMSetLinkage(g, LLVMWeakODRLinkage);
    m.useLater(g);
  }
  void synced(FunctionEmitter &fe) override { emit(fe, "cilk_memory_sync"); }
  void objectBegins(FunctionEmitter &fe, const Object &o) override {
    bool dynamic = o.kind == Object::Dynamic || o.kind == Object::Vla || o.kind == Object::Cilk;
    if (!m.options.serial || !dynamic || !o.size || !fe.fn->isCilk) return;
    const char *what = o.kind == Object::Cilk  ? "Cilk_alloca"
                       : o.kind == Object::Vla ? "variable-length array"
                                               : "alloca";
    fe.callRuntime("cilk_memory_frame", fe.t.voidTy, {site(fe, o.where.begin, what), o.size});
  }

private:
  // A call in OpenCilk's spelling is a part of its caller: what follows it never runs beside it. The halves of a loop,
  // which are no calls, spawn the procedure that they are in.
  static bool isCall(FunctionEmitter &fe, const SpawnStmt &s) { return s.called && directCallee(&s) != fe.fn; }
  void emit(FunctionEmitter &fe, const char *event) {
    if (m.options.serial) fe.callRuntime(event, fe.t.voidTy, {});
  }

  uint64_t closureSize(const FunctionDecl *f) {
    if (!plans) {
      PlanOptions o = m.options.plan();
      o.optLevel = 2;
      o.sizeLevel = 0;
      o.debugger = o.eventsInPlace = o.closureFirst = false;
      o.arraySpace = false;  // arrays are reported one by one
      plans = std::make_unique<UnitPlan>(m.unit, m.ast, o);
    }
    return plans->has(f) ? plans->of(f).closure.size : 0;
  }

  LLVMValueRef number(LLVMTypeRef type, uint64_t n) { return LLVMConstInt(type, n, false); }

  // In a section of its own, which is an array: no gaps.
  LLVMValueRef record(const char *section, std::vector<LLVMValueRef> fields) {
    LLVMValueRef value =
        LLVMConstStructInContext(m.context, fields.data(), static_cast<unsigned>(fields.size()), false);
    LLVMValueRef g = LLVMAddGlobal(m.module, LLVMTypeOf(value), "memory.record");
    LLVMSetInitializer(g, value);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetSection(g, section);
    LLVMSetAlignment(g, 8);
    m.useLater(g);
    return g;
  }
  static std::string nameOf(const FunctionDecl *f) { return f ? std::string(f->shownName()) : std::string(); }

  LLVMValueRef site(FunctionEmitter &fe, Loc where, const std::string &what) {
    const SourceManager &sources = m.diags.sources();
    Presumed p = where.valid() ? sources.resolve(where) : Presumed{};
    std::string file = p.file ? p.file->name : sources.mainName(), procedureName = nameOf(fe.fn);
    LLVMValueRef &v =
        sites[procedureName + '\n' + file + ':' + std::to_string(p.line) + ':' + std::to_string(p.column) + ':' + what];
    if (!v) {
      LLVMTypeRef i32 = m.types->i32, i64 = m.types->i64;
      v = record("cilk_memory_site", {m.cstring(file), m.cstring(procedureName), m.cstring(what), number(i32, p.line),
                                         number(i32, p.column), number(i64, 0), number(i64, 0), number(i64, 0)});
    }
    return v;
  }
  LLVMValueRef procedure(FunctionEmitter &fe) {
    LLVMValueRef &v = procedures[fe.fn];
    if (!v) {
      Presumed p = m.diags.sources().presumed(fe.fn->range.begin);
      LLVMTypeRef i64 = m.types->i64;
      v = record("cilk_memory_procedure",
          {m.cstring(p.file ? p.file->name : m.diags.sources().mainName()), m.cstring(nameOf(fe.fn)),
              number(i64, p.line), number(i64, closureSize(fe.fn)), number(i64, 0), number(i64, 0)});
    }
    return v;
  }
};

}  // namespace

std::unique_ptr<Events> makeMemoryEvents(ModuleEmitter &m) { return std::make_unique<MemoryEvents>(m); }

}  // namespace cilkc::cg
