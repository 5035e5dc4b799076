// explore.cpp - -cilk-explore: where one worker may be stopped and another one go on, for `cilkc explore`
// (rt/extensions/replay/points.c).
//
// The program calls the runtime with the place in the source. The call is before each access to memory that other
// strands can reach, each spawn and each call of a function of the library. Another call is where a procedure begins.
// What waits in a way of its own (a mutex, a sleep) is replaced: else the worker that has the turn would wait for one
// that has not.
#include "codegen/events/explore.h"
#include "codegen/clones/abi.h"
#include "rt/core/abi.h"

namespace cilkc::cg {
namespace {

constexpr size_t kMostText = 60;

// The first argument: the lock, of functions that take or release one.
LLVMValueRef pointer(const CallSite &c) {
  const LLVMValueRef v = c.args && !c.args->empty() ? c.args->front().value : nullptr;
  return v && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind ? v : nullptr;
}

// <cilk.h>'s, which are one step each: what they do inside differs with -cilk-debug.
bool isLock(const FunctionDecl *f) {
  return f && (f->name == "Cilk_lock" || f->name == "Cilk_unlock" || f->name == "Cilk_lock_init");
}

}  // namespace

void ExploreEvents::access(FunctionEmitter &fe, const Access &a) {
  if (delivering || isLock(fe.fn) || a.kind == AccessKind::Initial ||
      !isReachable(a.at, [this](const FunctionDecl *f, const VarDecl *v) { return escapes.has(f, v); }))
    return;
  int kind = a.kind == AccessKind::Atomic ? CILK_PLACE_ATOMIC
             : a.mode == AccessMode::Read ? CILK_PLACE_READ
                                          : CILK_PLACE_WRITE;
  point(fe, kind, a.at.ptr, a.at.where, {}, &a);
}

void ExploreEvents::procedureBegins(FunctionEmitter &fe) {
  point(fe, CILK_PLACE_BEGIN, nullptr, fe.fn ? fe.fn->range : Range{}, fe.fn ? std::string(fe.fn->shownName()) : "");
}

void ExploreEvents::calls(FunctionEmitter &fe, const CallSite &c) {
  if (!c.direct || c.direct->isCilk || isLock(fe.fn)) return;
  std::string_view name = c.direct->name;
  if (name == "cilk_rt_lock_checked") name = "Cilk_lock";  // -cilk-debug
  if (name == "cilk_rt_unlock_checked") name = "Cilk_unlock";
  if (name == "Cilk_lock" || name == "Cilk_unlock" ||
      (!c.direct->def && !name.starts_with("cilk_") && !name.starts_with("Cilk_")))
    point(fe, CILK_PLACE_CALL, name.ends_with("lock") ? pointer(c) : nullptr, Range{c.where.begin, c.where.begin},
        std::string(name));
}

// By its plain name alone: what <cilk.h> calls, by labels for the assembler, is inside of one step.
std::string ExploreEvents::externalName(const FunctionDecl *f, const std::string &name) {
  static const std::unordered_set<std::string_view> waiting{
#define LIBRARY(name) #name,
#include "rt/extensions/replay/library.def"
#undef LIBRARY
  };
  return !f->def && f->linkage == Linkage::External && waiting.count(name) ? "cilk_rt_point_" + name : name;
}

void ExploreEvents::point(FunctionEmitter &fe, int kind, LLVMValueRef place, Range where, const std::string &written,
    const Access *access) {
  if (!fe.open() || m.options.serial) return;
  beforePoint(fe, access);
  fe.callRuntime("cilk_rt_point", fe.t.voidTy,
      {fe.i32c(kind), place ? place : LLVMConstNull(fe.t.ptr), site(fe, where, written)});
}

LLVMValueRef ExploreEvents::text(const std::string &s) {
  LLVMValueRef &v = texts[s];
  return v ? v : v = m.cstring(s, "point.text");
}

// One for each place and procedure.
LLVMValueRef ExploreEvents::site(FunctionEmitter &fe, Range where, std::string written) {
  const SourceManager &sources = m.diags.sources();
  Presumed p = where.valid() ? sources.resolve(where.begin) : Presumed{};
  std::string procedure = fe.fn ? std::string(fe.fn->shownName()) : "", file = p.file ? p.file->name : "";
  if (written.empty()) written = sources.asWritten(where, kMostText);
  LLVMValueRef &v =
      sites[procedure + '\n' + file + ':' + std::to_string(p.line) + ':' + std::to_string(p.column) + ':' + written];
  if (v) return v;
  LLVMValueRef fields = abi::constant(m, abi::cilk_point_site{.procedure = text(procedure),
                                             .file = text(file),
                                             .text = text(written),
                                             .line = LLVMConstInt(fe.t.i32, p.line, 0),
                                             .column = LLVMConstInt(fe.t.i32, p.column, 0)});
  return v = m.privateConstant(fields, 8, "point.site");
}

std::unique_ptr<Events> makeExploreEvents(ModuleEmitter &m) { return std::make_unique<ExploreEvents>(m); }

}  // namespace cilkc::cg
