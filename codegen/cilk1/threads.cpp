// threads.cpp - threads of Cilk-1 (rt/extensions/cilk1/cilk1.h): what a thread `f` becomes, and what the statements
// that make closures and send values become.
//
//   f.thread        the constant that describes it: the size of its closure, a row for each argument.
//   f.thread.run    what the scheduler calls: copies the arguments out of the closure and calls the body.
//   f.thread.go     the same for generated code that runs a closure at once (thread_paths.h).
//   f.thread.body   the body, a function of the pool, the level and the arguments. Its convention is tailcc, so that a
//                   tail call takes no stack. Where the arguments are not all words in registers, it gets the closure
//                   in their place and copies them: LLVM's callers and callees in that convention do not agree on the
//                   size of a stack on which something is aligned to 16 bytes.
//   f.thread.call   the thunk of the procedure that the thread is for Cilk-5 and C.
//
// A Cilk-5 procedure p that a thread spawns has a thread in this unit, which has no body: its run function gives the
// arguments to the runtime, which sends the result on. The content of a closure depends on the parameters' types
// alone, so units agree on it.
#include <cstddef>
#include "codegen/clones/abi.h"
#include "codegen/clones/procedure.h"
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "codegen/shim/shim.h"
#include "codegen/cilk1/thread_paths.h"
#include "rt/extensions/cilk1/cilk1.h"

namespace cilkc::cg {

namespace {

constexpr unsigned tailConvention = 18;   // llvm::CallingConv::Tail
constexpr unsigned bodyHidden = 2;        // parameters of a body before the thread's: the pool, the level

struct ThreadGlue : BodyStrategy {
  bool usersCode() const override { return false; }
};

std::string symbol(const FunctionDecl *f, const char *what = "") { return std::string(f->name) + ".thread" + what; }

// What other units refer to: with the types of the parameters, so that units which disagree about them do not link
// (driver/cilkc_driver/threads.py says why).
std::string shared(const FunctionDecl *f, const char *what = "") {
  std::string types;
  for (QualType p : f->type->as<FunctionType>()->params) types += (types.empty() ? "" : ", ") + toString(p.unqual());
  return symbol(f, what) + "(" + types + ")";
}

// A continuation as the two registers in which it is passed.
void lowerCont(FunctionEmitter &fe, const Address &k, std::vector<LLVMValueRef> &out) {
  out.push_back(fe.loadRaw(fe.t.ptr, k.ptr, 8));
  out.push_back(fe.loadRaw(fe.t.i64, fe.offsetPtr(k.ptr, 8), 8));
}

uint32_t alignAtOffset(uint64_t offset) {
  uint32_t a = CILK_FREE_UNIT;
  while (offset % a) a /= 2;
  return a;
}

Address slotOf(FunctionEmitter &fe, LLVMValueRef closure, uint64_t offset, QualType type) {
  return packedArgument(fe.offsetPtr(closure, offset), type.unqual(),
      std::min(alignAtOffset(offset), std::max(fe.t.align(type), 1u)));
}

}  // namespace

LLVMValueRef BodyStrategy::worker(FunctionEmitter &fe) { return fe.callRuntime("cilk1_worker", fe.t.ptr, {}); }

// ---- layout and constants -----------------------------------------------------------------------------------------

const ThreadEmitter::Layout &ThreadEmitter::layout(const FunctionDecl *f) {
  auto [it, fresh] = layouts.try_emplace(f);
  if (!fresh) return it->second;
  Layout &l = it->second;
  l.size = CILK1_ARGS;
  for (QualType p : f->type->as<FunctionType>()->params) {
    uint64_t a = std::min<uint64_t>(m.types->align(p), CILK_FREE_UNIT);
    l.size = (l.size + a - 1) / a * a;
    l.offsets.push_back(l.size);
    l.size += std::max<uint64_t>(m.types->size(p), 1);   // an empty struct has a place, too, by which it is known
  }
  l.size = (l.size + 15) / 16 * 16;
  return l;
}

LLVMTypeRef ThreadEmitter::bodyType(const FunctionDecl *f) {
  std::vector<LLVMTypeRef> args{m.types->ptr, m.types->i32, m.types->ptr};
  if (inRegisters(f)) {
    const AbiFunction &abi = m.types->abi(f->type->as<FunctionType>());
    args.resize(LLVMCountParamTypes(abi.type) + bodyHidden);
    LLVMGetParamTypes(abi.type, args.data() + bodyHidden);
  }
  return LLVMFunctionType(m.types->voidTy, args.data(), static_cast<unsigned>(args.size()), 0);
}

// Integers of one word each, and as many numbers as every target has registers for. The integers that no register has
// are on the stack.
bool ThreadEmitter::inRegisters(const FunctionDecl *f) {
  constexpr unsigned most = 8;
  const AbiFunction &abi = m.types->abi(f->type->as<FunctionType>());
  unsigned words = 0, numbers = 0;
  if (abi.stack) return false;
  for (const AbiSlot &s : abi.params) {
    words += s.padBefore;
    if (s.kind != AbiSlot::Ignore && s.kind != AbiSlot::Direct && s.kind != AbiSlot::Pieces) return false;
    for (const AbiPiece &p : s.pieces) switch (LLVMGetTypeKind(p.type)) {
        case LLVMPointerTypeKind: words++; break;
        case LLVMIntegerTypeKind:
          if (LLVMGetIntTypeWidth(p.type) > 64) return false;
          words++;
          break;
        case LLVMHalfTypeKind:
        case LLVMFloatTypeKind:
        case LLVMDoubleTypeKind: numbers++; break;
        default: return false;
      }
  }
  return words <= most && numbers <= most;
}

// Its convention, which is that of its calls.
static void bodyConvention(ModuleEmitter &m, LLVMValueRef functionOrCall, const FunctionDecl *f, bool isCall) {
  if (isCall) LLVMSetInstructionCallConv(functionOrCall, tailConvention);
  else LLVMSetFunctionCallConv(functionOrCall, tailConvention);
  if (m.threads.inRegisters(f))
    m.attributes.abiAttributes(functionOrCall, m.types->abi(f->type->as<FunctionType>()), isCall, bodyHidden);
}

LLVMValueRef ThreadEmitter::body(const FunctionDecl *f) {
  std::string name = shared(f, ".body");
  LLVMValueRef v = LLVMGetNamedFunction(m.module, name.c_str());
  if (!v) {
    v = m.makeRawFunction(name, bodyType(f), m.procedureLinkage(f));
    bodyConvention(m, v, f, false);
  }
  if (f->def) m.needed(f);
  return v;
}

LLVMValueRef ThreadEmitter::constant(const FunctionDecl *f) {
  LLVMValueRef &c = constants[f];
  if (!c) {
    TypeLowering &t = *m.types;
    LLVMTypeRef fields[] = {t.ptr, t.ptr, t.ptr, t.i32, t.i32, t.i32, t.i32, t.ptr, t.ptr};
    static_assert(offsetof(cilk1_thread, size) == 28 && offsetof(cilk1_thread, slots) == 40 &&
                  offsetof(cilk1_thread, go) == 48 && sizeof(cilk1_thread) == 56);
    c = LLVMAddGlobal(m.module, LLVMStructTypeInContext(m.context, fields, 9, 0), shared(f).c_str());
    LLVMSetGlobalConstant(c, 1);
    LLVMSetLinkage(c, m.procedureLinkage(f));
    if (m.options.pic != PicLevel::Pic || f->linkage == Linkage::Internal) shimSetDsoLocal(c, true);
  }
  if (f->def || f->isAdapter) m.needed(f);
  return c;
}

// A row for each parameter, and for each continuation inside of one.
LLVMValueRef ThreadEmitter::table(const FunctionDecl *f, unsigned &rows) {
  TypeLowering &t = *m.types;
  LLVMTypeRef fields[] = {t.ptr, t.i32, t.i32, t.i32, t.i32};
  static_assert(offsetof(cilk1_slot, offset) == 8 && offsetof(cilk1_slot, index) == 20 && sizeof(cilk1_slot) == 24);
  LLVMTypeRef type = LLVMStructTypeInContext(m.context, fields, 5, 0);
  std::vector<LLVMValueRef> list;
  auto u32 = [&](uint64_t n) { return LLVMConstInt(t.i32, n, 0); };
  const auto &params = f->type->as<FunctionType>()->params;
  const Layout &l = layout(f);
  LLVMValueRef name = nullptr;
  auto row = [&](size_t i, uint64_t offset, uint64_t size, unsigned flags) {
    LLVMValueRef v[] = {name, u32(offset), u32(size), u32(flags), u32(i)};
    list.push_back(LLVMConstStructInContext(m.context, v, 5, 0));
  };
  auto parts = [&](auto &self, size_t i, QualType q, uint64_t at, unsigned flags) -> void {
    if (q->isCont()) {
      if (flags) row(i, at, sizeof(cilk_cont), CILK1_SLOT_CONT | flags);
    } else if (q->isArray() && q->as<ArrayType>()->arrayKind == ArrayKind::Constant && list.size() < 1000) {
      const auto *a = q->as<ArrayType>();
      for (uint64_t k = 0; k < a->count && list.size() < 1000; k++)
        self(self, i, a->elem, at + k * t.size(a->elem), CILK1_SLOT_PART);
    } else if (q->isRecord()) {
      for (const FieldDecl *field : q->as<RecordType>()->fields)
        if (!field->bitField) self(self, i, field->type, at + field->offset, CILK1_SLOT_PART);
    }
  };
  for (size_t i = 0; i < params.size(); i++) {
    std::string_view own = i < f->params.size() ? f->params[i]->name : std::string_view();
    name = m.cstring(own.empty() ? "argument " + std::to_string(i + 1) : std::string(own), "cilk.slot");
    row(i, l.offsets[i], t.size(params[i]), params[i]->isCont() ? unsigned{CILK1_SLOT_CONT} : 0u);
    parts(parts, i, params[i], l.offsets[i], 0);
  }
  rows = static_cast<unsigned>(list.size());
  if (list.empty()) return LLVMConstNull(t.ptr);
  return m.privateConstant(LLVMConstArray2(type, list.data(), list.size()), 8, "cilk.slots");
}

void ThreadEmitter::defineConstant(const FunctionDecl *f, LLVMValueRef run, LLVMValueRef go) {
  TypeLowering &t = *m.types;
  const SourceManager &sm = m.diags.sources();
  Presumed where = f->range.valid() ? sm.presumed(f->range.begin) : Presumed{};
  unsigned rows = 0;
  LLVMValueRef slots = table(f, rows);
  bool remote = f->attrs.remote || (f->isAdapter && f->procedure->attrs.remote);
  LLVMValueRef v[] = {run, m.cstring(std::string(f->name), "cilk.name"),
      m.cstring(where.file ? where.file->name : sm.mainName(), "cilk.file"), LLVMConstInt(t.i32, where.line, 0),
      LLVMConstInt(t.i32, layout(f).size, 0), LLVMConstInt(t.i32, rows, 0),
      LLVMConstInt(t.i32,
          (remote ? unsigned{CILK1_THREAD_REMOTE} : 0u) | (f->isAdapter ? unsigned{CILK1_THREAD_PROCEDURE} : 0u), 0),
      slots, go ? go : LLVMConstNull(t.ptr)};
  LLVMValueRef c = constant(f);
  LLVMSetInitializer(c, LLVMConstStructInContext(m.context, v, 9, 0));
  LLVMSetAlignment(c, 8);
  if (remote) remoteEntry(m, c, symbol(f, ".remote"), CILK_REMOTE_THREAD);
}

// ---- definitions --------------------------------------------------------------------------------------------------

static std::vector<RValue> argumentsIn(FunctionEmitter &fe, LLVMValueRef closure, const FunctionType *type,
    const std::vector<uint64_t> &offsets) {
  std::vector<RValue> values;
  for (size_t i = 0; i < type->params.size(); i++) {
    Address a = slotOf(fe, closure, offsets[i], type->params[i]);
    if (!type->params[i]->isRecord()) {
      values.push_back(fe.memory.load(a));
      continue;
    }
    // The closure is given back before the body is done with what it was passed.
    Address copy = fe.locals.temporary(type->params[i], "argument");
    fe.copyBytes(copy.ptr, copy.align, a.ptr, a.align, fe.i64c(static_cast<int64_t>(fe.t.size(type->params[i]))));
    values.push_back(RValue::aggregate(copy));
  }
  return values;
}

// A function of a closure and the worker, or (go) the worker's pool.
static LLVMTypeRef runType(ModuleEmitter &m) {
  LLVMTypeRef params[] = {m.types->ptr, m.types->ptr};
  return LLVMFunctionType(m.types->voidTy, params, 2, 0);
}
static LLVMValueRef runFunction(ModuleEmitter &m, const FunctionDecl *f, const char *what = ".run") {
  return m.makeRawFunction(symbol(f, what), runType(m), LLVMInternalLinkage);
}

// The body once more, for calls of a thread by itself: LLVM puts it in their place, which it does with no function that
// calls itself.
static LLVMValueRef innerBody(ModuleEmitter &m, const FunctionDecl *f) {
  std::string name = symbol(f, ".inner");
  LLVMValueRef v = LLVMGetNamedFunction(m.module, name.c_str());
  if (v) return v;
  v = m.makeRawFunction(name, m.threads.bodyType(f), LLVMInternalLinkage);
  bodyConvention(m, v, f, false);
  m.attributes.attr(v, static_cast<unsigned>(LLVMAttributeFunctionIndex), "inlinehint");
  return v;
}

static void callBody(FunctionEmitter &fe, const FunctionDecl *f, LLVMValueRef pool, LLVMValueRef level,
    const std::vector<RValue> &values, bool last) {
  std::vector<LLVMValueRef> out{pool, level};
  fe.calls.lowerArguments(fe.t.abi(f->type->as<FunctionType>()), values, out);
  LLVMValueRef body = fe.m.threads.body(f);
  LLVMValueRef c = fe.call(fe.m.threads.bodyType(f), fe.function == body && !last ? innerBody(fe.m, f) : body, out);
  bodyConvention(fe.m, c, f, true);
  if (!last) return;
  LLVMSetTailCallKind(c, LLVMTailCallKindMustTail);
  LLVMBuildRetVoid(fe.builder);
}

// The arguments are copied: the closure is given back before the thread is done with them. One for which there is no
// free list is not, and holds what is large.
static void bindInMemory(FunctionEmitter &fe, const FunctionDecl *f, LLVMValueRef closure) {
  const ThreadEmitter::Layout &l = fe.m.threads.layout(f);
  for (size_t i = 0; i < f->params.size(); i++) {
    const VarDecl *p = f->params[i];
    Address a = slotOf(fe, closure, l.offsets[i], p->type);
    if (!ThreadPaths::fits(l.size) && a.align >= std::max(fe.t.align(p->type), p->attrs.align)) {
      a.type = p->type;
      fe.locals.bindParameter(p, a);
      continue;
    }
    Address own = fe.locals.variable(p);
    own.type = own.type.unqual();
    own.own = true;
    fe.memory.storeToLvalue(own, p->type->isRecord() ? RValue::aggregate(a) : fe.memory.load(a));
  }
}

void ThreadEmitter::define(const FunctionDecl *f) {
  // A continuation is a pointer and a word whose low half is the slot, here and in the runtime.
  if (LLVMByteOrder(m.layout) == LLVMBigEndian)
    throw LlvmFatal{"threads of Cilk-1 on " + std::string(m.ast.target.facts->triple) + " are not supported"};
  if (f->isAdapter) return defineAdapter(f);
  const auto *type = f->type->as<FunctionType>();
  LLVMValueRef function = body(f);
  for (bool again : {false, true}) {
    if (again && !(function = LLVMGetNamedFunction(m.module, symbol(f, ".inner").c_str()))) break;
    m.attributes.declAttributes(function, f);
    ThreadBody own(m, function, *f->def);
    FunctionEmitter fe(m, function, f, own);
    fe.begin();
    if (inRegisters(f)) fe.bindParameters(m.types->abi(type), bodyHidden);
    else bindInMemory(fe, f, LLVMGetParam(function, bodyHidden));
    fe.emitBody(*f->def);
    fe.finish();
  }
  bool direct = ThreadPaths::wanted(m) && ThreadPaths::fits(layout(f).size) && inRegisters(f);
  LLVMValueRef run = runFunction(m, f), go = direct ? runFunction(m, f, ".go") : nullptr;
  for (LLVMValueRef entry : {run, go}) {
    if (!entry) continue;
    LLVMValueRef pool = LLVMGetParam(entry, 0), c = LLVMGetParam(entry, 1);
    ThreadGlue plain;
    FunctionEmitter fe(m, entry, nullptr, plain);
    fe.begin();
    if (entry == go) {
      LLVMSetFunctionCallConv(go, tailConvention);
      ThreadPaths(fe, pool).freeClosure(c, layout(f).size);
    } else pool = fe.loadRaw(m.types->ptr, fe.offsetPtr(pool, offsetof(cilk_worker, pool)), 8);
    LLVMValueRef level = fe.loadRaw(m.types->i32, fe.offsetPtr(c, offsetof(cilk1_closure, level)), 4);
    if (inRegisters(f)) callBody(fe, f, pool, level, argumentsIn(fe, c, type, layout(f).offsets), entry == go);
    else bodyConvention(m, fe.call(bodyType(f), body(f), {pool, level, c}), f, true);
    if (entry == run) { LLVMBuildRetVoid(fe.builder); }
    fe.finish();
  }
  defineConstant(f, run, go);
}

// The root of a thread's procedure has a thunk that makes the first closure; that of a procedure which a thread spawns
// calls it.
LLVMValueRef ThreadEmitter::root(const FunctionDecl *p) {
  LLVMValueRef &made = roots[p];
  if (made) return made;
  TypeLowering &t = *m.types;
  const auto *type = p->type->as<FunctionType>();
  const FunctionDecl *thread = p->thread;
  bool ofThread = !thread->isAdapter;
  LLVMTypeRef params[] = {t.ptr, t.ptr};
  LLVMValueRef thunk =
      m.makeRawFunction(symbol(p, ".call"), LLVMFunctionType(t.voidTy, params, 2, 0), LLVMInternalLinkage);
  LLVMValueRef block = LLVMGetParam(thunk, 0), result = LLVMGetParam(thunk, 1);
  ArgsLayout args = layoutArgs(m, type);
  uint64_t resultSize = type->result->isVoid() ? 4 : t.size(type->result);
  ThreadGlue plain;
  FunctionEmitter fe(m, thunk, nullptr, plain);
  fe.begin();
  std::vector<RValue> values;
  std::vector<QualType> types;
  for (size_t i = 0; i < type->params.size(); i++) {
    types.push_back(type->params[i].unqual());
    values.push_back(fe.memory.load(packedArgument(fe.offsetPtr(block, args.offsets[i]), types[i], t.align(types[i]))));
  }
  if (ofThread) {
    LLVMTypeRef pair[] = {t.ptr, t.i64};
    LLVMValueRef w = plain.worker(fe);
    LLVMValueRef k = fe.callRuntime("cilk1_root", LLVMStructTypeInContext(m.context, pair, 2, 0),
        {w, fe.i64c(static_cast<int64_t>(resultSize))});
    LLVMValueRef c = fe.callRuntime("cilk1_first", t.ptr, {w, constant(thread)});
    const Layout &l = layout(thread);
    fe.storeRaw(LLVMBuildExtractValue(fe.builder, k, 0, ""), fe.offsetPtr(c, l.offsets[0]), 8);
    fe.storeRaw(LLVMBuildExtractValue(fe.builder, k, 1, ""), fe.offsetPtr(c, l.offsets[0] + 8), 8);
    for (size_t i = 0; i < values.size(); i++)
      fe.memory.storeToLvalue(slotOf(fe, c, l.offsets[i + 1], types[i]), values[i]);
    fe.callRuntime("cilk1_ready", t.voidTy, {w, c});
  } else {
    RValue r = fe.calls.emitCallTo(m.function(p), type, values, types);
    if (r.kind != RValue::None)
      fe.memory.storeToLvalue(packedArgument(result, type->result.unqual(), heapAlign(t.align(type->result))), r);
    else fe.storeRaw(fe.i32c(0), result, 4);
  }
  LLVMBuildRetVoid(fe.builder);
  fe.finish();
  return made = m.privateConstant(abi::constant(m, abi::cilk_root{.thunk = thunk,
                                                       .name = m.cstring(std::string(p->name), "cilk.name"),
                                                       .args_size = LLVMConstInt(t.i32, args.size, 0),
                                                       .result_size = LLVMConstInt(t.i32, resultSize, 0)}),
             8, "cilk.root");
}

void ThreadEmitter::defineAdapter(const FunctionDecl *f) {
  TypeLowering &t = *m.types;
  const FunctionType *type = f->type->as<FunctionType>();
  LLVMValueRef procedure = root(f->procedure), run = runFunction(m, f);
  ThreadGlue plain;
  FunctionEmitter fe(m, run, nullptr, plain);
  fe.begin();
  std::vector<RValue> values = argumentsIn(fe, LLVMGetParam(run, 1), type, layout(f).offsets);
  ArgsLayout args = layoutArgs(m, f->procedure->type->as<FunctionType>());
  LLVMValueRef block = fe.entryAlloca(LLVMArrayType2(t.i8, args.size ? args.size : 1), args.align, "args");
  for (size_t i = 1; i < values.size(); i++)
    fe.memory.storeToLvalue(
        packedArgument(fe.offsetPtr(block, args.offsets[i - 1]), type->params[i].unqual(), t.align(type->params[i])),
        values[i]);
  std::vector<LLVMValueRef> out{LLVMGetParam(run, 0)};
  lowerCont(fe, values[0].addr, out);
  out.push_back(procedure);
  out.push_back(block);
  fe.callRuntime("cilk1_call", t.voidTy, out);
  LLVMBuildRetVoid(fe.builder);
  fe.finish();
  defineConstant(f, run);
}

// ---- statements ---------------------------------------------------------------------------------------------------

static void runRoot(FunctionEmitter &fe, const ThreadStmt &s) {
  const FunctionDecl *p = s.thread->procedure;
  const auto *type = p->type->as<FunctionType>();
  ArgsLayout args = layoutArgs(fe.m, type);
  LLVMValueRef block = fe.entryAlloca(LLVMArrayType2(fe.t.i8, args.size ? args.size : 1), args.align, "args");
  for (size_t i = 0; i < s.arguments.size(); i++)
    fe.memory.storeToLvalue(
        packedArgument(fe.offsetPtr(block, args.offsets[i]), type->params[i].unqual(), fe.t.align(type->params[i])),
        fe.exprs.emitExpr(s.arguments[i]));
  Address result = fe.locals.temporary(type->result, "result");
  if (fe.m.options.serial)
    fe.callRuntime("cilk_rt_call_serial", fe.t.voidTy, {fe.m.threads.root(p), block, result.ptr});
  else
    fe.callRuntime("cilk_rt_call_root", fe.t.voidTy,
        {LLVMConstNull(fe.t.ptr), fe.m.threads.root(p), block, result.ptr});
  Address receiver = fe.lvalues.emitLvalue(s.receiver);
  receiver.own = true;
  fe.memory.storeToLvalue(receiver, fe.memory.load(result));
}

// A closure with the arguments that are there; not shared yet.
static LLVMValueRef makeClosure(FunctionEmitter &fe, const ThreadStmt &s, const std::vector<RValue> &values,
    LLVMValueRef level, uint32_t missing) {
  const FunctionDecl *f = s.thread;
  const ThreadEmitter::Layout &l = fe.m.threads.layout(f);
  LLVMValueRef thread = fe.m.threads.constant(f);
  LLVMValueRef c =
      missing && ThreadPaths::wanted(fe.m) && ThreadPaths::fits(l.size)
          ? ThreadPaths(fe, fe.strategy.thread()->pool).make(thread, l.size, missing, level)
          : fe.callRuntime("cilk1_spawn_at", fe.t.ptr, {fe.strategy.worker(fe), thread, fe.i32c(missing), level});
  for (size_t i = 0; i < values.size(); i++)
    if (s.arguments[i]->kind != ExprKind::Hole)
      fe.memory.storeToLvalue(slotOf(fe, c, l.offsets[i], f->type->as<FunctionType>()->params[i]), values[i]);
  return c;
}

// spawn of a thread that has all its arguments; `below` what was posted since.
static void post(FunctionEmitter &fe, const ThreadStmt &s, const std::vector<RValue> &values, LLVMValueRef level,
    bool below = false) {
  LLVMValueRef c = makeClosure(fe, s, values, level, 0);
  fe.callRuntime(below ? "cilk1_ready_below" : "cilk1_ready", fe.t.voidTy, {fe.strategy.worker(fe), c});
}

// A value that no longer depends on the object of which it was read.
static void settle(FunctionEmitter &fe, RValue &v) {
  if (v.kind != RValue::Aggregate) return;
  Address copy = fe.locals.temporary(v.addr.type.unqual(), "argument");
  fe.memory.storeToLvalue(copy, v);
  v.addr = copy;
}

bool ThreadBody::keep(FunctionEmitter &fe, const ThreadStmt &s, const std::vector<RValue> &values) {
  if (!endings.kept.count(&s)) return false;
  kept.push_back({&s, values});
  for (RValue &v : kept.back().values) settle(fe, v);
  return true;
}

void ThreadBody::afterStmt(FunctionEmitter &fe, const Stmt *s) {
  if (kept.empty() || endings.kept.at(kept.back().spawn) != s) return;
  fe.scopes.unwindScopes(0);
  if (kept.size() == 1) startOne(fe);
  else start(fe);
  kept.clear();
}

// A jump, if the pool would take what is posted now at once.
void ThreadBody::startOne(FunctionEmitter &fe) {
  const Kept &k = kept[0];
  ThreadPaths paths(fe, pool);
  LLVMValueRef its =
      k.spawn->form == ThreadForm::SpawnNext ? level : LLVMBuildNSWAdd(fe.builder, level, fe.i32c(1), "level");
  LLVMBasicBlockRef now = fe.newBlock("spawn.now"), later = fe.newBlock("spawn.later");
  fe.branch(LLVMBuildAnd(fe.builder, paths.isUndisturbed(), paths.nothingReadyBelow(its), ""), now, later, 1);
  fe.place(now);
  paths.countJump();
  callBody(fe, k.spawn->thread, pool, its, k.values, true);
  fe.place(later);
  post(fe, *k.spawn, k.values, its);
  LLVMBuildRetVoid(fe.builder);
}

// Calls from the last one back to the second, then a jump. Where the pool has something that would come before the next
// of them, it and all before it are posted. All are counted together, and what is posted is subtracted. The jump does
// not look at `attention`: if a thief raised it during the call, what the call posted is deeper. A tail call that is
// the last one runs at once in any case.
void ThreadBody::start(FunctionEmitter &fe) {
  ThreadPaths paths(fe, pool);
  LLVMValueRef its = LLVMBuildAdd(fe.builder, level, fe.i32c(1), "level");
  size_t n = kept.size();
  struct Other {
    LLVMBasicBlockRef block, from;
    LLVMValueRef its;
  };
  std::vector<Other> others(n);  // where the calls end, and the level of what is posted
  for (size_t i = n; i-- > 0;) {
    LLVMBasicBlockRef now = fe.newBlock("spawn.now");
    others[i] = {fe.newBlock(i + 1 == n ? "spawn.later" : "spawn.below"), LLVMGetInsertBlock(fe.builder), its};
    LLVMValueRef next = paths.nothingReadyFrom(its);
    fe.branch(i ? LLVMBuildAnd(fe.builder, paths.isUndisturbedWithRoomToCall(), next, "") : next, now, others[i].block,
        1);
    fe.place(now);
    if (i + 1 == n) paths.countCalls(static_cast<int64_t>(n));
    if (!i) {
      callBody(fe, kept[0].spawn->thread, pool, its, kept[0].values, true);
      continue;
    }
    LLVMValueRef before = paths.noteWaitingLevel(its);
    callBody(fe, kept[i].spawn->thread, pool, its, kept[i].values, false);
    its = paths.restoreWaitingLevel(before);
  }
  fe.place(others[n - 1].block);
  bool jumps = kept[n - 1].spawn->form == ThreadForm::TailCall;
  for (size_t i = 0; i < n - jumps; i++) post(fe, *kept[i].spawn, kept[i].values, others[n - 1].its);
  if (jumps) {
    paths.countJump();
    callBody(fe, kept[n - 1].spawn->thread, pool, others[n - 1].its, kept[n - 1].values, true);
  } else LLVMBuildRetVoid(fe.builder);
  for (size_t i = n - 1; i-- > 0;) {
    Other &o = others[i];
    LLVMBasicBlockRef posted = LLVMGetInsertBlock(fe.builder);
    fe.place(o.block);  // from the block before, too, but the first one
    LLVMValueRef phi = LLVMBuildPhi(fe.builder, fe.t.i32, "level");
    LLVMAddIncoming(phi, &o.its, &o.from, 1);
    if (i + 2 < n) LLVMAddIncoming(phi, &its, &posted, 1);
    its = phi;
    paths.countCalls(-1);
    post(fe, *kept[i].spawn, kept[i].values, its, true);
    if (!i) LLVMBuildRetVoid(fe.builder);
  }
}

void ThreadStatements::emitThread(const ThreadStmt &s) {
  if (s.form == ThreadForm::Root) return runRoot(fe, s);
  std::vector<RValue> values(s.arguments.size());
  for (size_t i = 0; i < values.size(); i++)
    if (s.arguments[i]->kind != ExprKind::Hole) {
      fe.weights.weigh(s.arguments[i]);
      values[i] = fe.exprs.emitExpr(s.arguments[i]);
      // The closure gets it when all are evaluated: what comes after may change the object.
      if (s.placement || i + 1 < values.size()) settle(fe, values[i]);
    }
  LLVMValueRef pool = strategy.thread()->pool, level = strategy.thread()->level;
  events.posts(fe, s.range);
  if (s.form != ThreadForm::SpawnNext) level = LLVMBuildNSWAdd(builder, level, fe.i32c(1), "level");
  if (s.form == ThreadForm::TailCall && strategy.thread()->keep(fe, s, values)) return;
  if (s.form == ThreadForm::TailCall && m.threads.inRegisters(s.thread)) {
    if (ThreadPaths::wanted(m)) ThreadPaths(fe, pool).countJump();
    else fe.callRuntime("cilk1_tail", t.voidTy, {strategy.worker(fe)});
    for (RValue &v : values) settle(fe, v);  // the objects end before the call
    fe.scopes.unwindScopes(0);
    callBody(fe, s.thread, pool, level, values, true);
    return;
  }
  uint64_t missing = 0;
  for (size_t i = 0; i < values.size(); i++)
    if (s.arguments[i]->kind == ExprKind::Hole) missing += m.threads.layout(s.thread).offsets[i];
  if (missing > INT32_MAX) throw LlvmFatal{"the arguments of '" + std::string(s.thread->name) + "' are too large"};
  LLVMValueRef place = s.placement ? fe.exprs.emitScalar(s.placement) : nullptr;
  if (!missing && !place) {
    if (!strategy.thread()->keep(fe, s, values)) post(fe, s, values, level);
  } else {
    LLVMValueRef c = makeClosure(fe, s, values, level, static_cast<uint32_t>(missing)), w = strategy.worker(fe);
    if (place && missing) fe.callRuntime("cilk1_place", t.voidTy, {w, c, place});
    for (size_t i = 0; i < values.size(); i++) {
      if (s.arguments[i]->kind != ExprKind::Hole) continue;
      Address k = fe.lvalues.emitLvalue(s.arguments[i]->as<Hole>()->sub);
      fe.memory.access(k, AccessMode::Write);
      fe.storeRaw(c, k.ptr, k.align);
      LLVMValueRef slot = fe.i32c(static_cast<int64_t>(m.threads.layout(s.thread).offsets[i]));
      // Without the debug build all serials are 0.
      LLVMValueRef serial =
          m.options.modes.wants(ModeProperty::NamesSlots) ? fe.callRuntime("cilk1_hole", t.i32, {c, slot}) : fe.i32c(0);
      fe.storeRaw(slot, fe.offsetPtr(k.ptr, offsetof(cilk_cont, slot)), std::min(k.align, 8u));
      fe.storeRaw(serial, fe.offsetPtr(k.ptr, offsetof(cilk_cont, serial)), 4);
    }
    if (missing == 0) fe.callRuntime("cilk1_ready_on", t.voidTy, {w, c, place});
  }
  if (s.form == ThreadForm::TailCall) fe.emitReturnJump();
}

// send_argument of 4 or 8 bytes.
static void sendWord(FunctionEmitter &fe, const SendStmt &s, const std::vector<LLVMValueRef> &out, LLVMValueRef value,
    const char *runtime) {
  ThreadBody *body = fe.strategy.thread();
  LLVMValueRef c = out[0], slot = out[1];
  bool last = body->last(&s);
  ThreadPaths paths(fe, body->pool);
  LLVMBasicBlockRef plain = fe.newBlock("send"), slow = fe.newBlock("send.slow"),
                    complete = fe.newBlock("send.complete"), done = fe.newBlock("sent");
  fe.branch(paths.isPlain(c), plain, slow, 1);
  fe.place(slow);
  fe.callRuntime(runtime, fe.t.voidTy, {body->worker(fe), c, slot, value});
  fe.jump(done);
  fe.place(plain);
  fe.storeRaw(value, LLVMBuildGEP2(fe.builder, fe.t.i8, c, &slot, 1, "slot"), 4);  // the serial in its upper half is 0
  paths.countDown(c, slot, complete, done);
  fe.place(complete);
  if (last) {
    LLVMBasicBlockRef look = fe.newBlock("send.quiet"), now = fe.newBlock("send.now"), post = fe.newBlock("send.post");
    fe.branch(paths.isUndisturbed(), look, post, 1);
    fe.place(look);
    LLVMValueRef thread = fe.loadRaw(fe.t.ptr, fe.offsetPtr(c, offsetof(cilk1_closure, thread)), 8);
    LLVMValueRef go = fe.loadRaw(fe.t.ptr, fe.offsetPtr(thread, offsetof(cilk1_thread, go)), 8);
    fe.branch(LLVMBuildAnd(fe.builder, LLVMBuildIsNotNull(fe.builder, go, ""), paths.wouldRunNext(c), ""), now, post,
        1);
    fe.place(now);
    fe.scopes.unwindScopes(0);
    LLVMValueRef call = fe.call(runType(fe.m), go, {body->pool, c});
    LLVMSetInstructionCallConv(call, tailConvention);
    LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
    LLVMBuildRetVoid(fe.builder);
    fe.place(post);
  }
  fe.callRuntime("cilk1_ready", fe.t.voidTy, {body->worker(fe), c});
  fe.jump(done);
  fe.place(done);
}

void ThreadStatements::emitSend(const SendStmt &s) {
  fe.weights.weigh(s.continuation);
  fe.weights.weigh(s.value);
  Address k = fe.aggregates.emitAggregate(s.continuation);
  fe.memory.access(k, AccessMode::Read);
  std::vector<LLVMValueRef> out;
  lowerCont(fe, k, out);
  QualType type = s.value->type.unqual();
  RValue v = fe.exprs.emitExpr(s.value);
  if (v.kind == RValue::Aggregate) fe.memory.access(v.addr, AccessMode::Read);
  Address value = v.kind == RValue::Aggregate ? v.addr : fe.locals.temporary(type, "sent");
  if (v.kind != RValue::Aggregate) fe.memory.storeToLvalue(value, v);
  uint64_t size = t.size(type);
  events.posts(fe, s.range);
  if (v.kind == RValue::Scalar && (size == 4 || size == 8)) {
    LLVMValueRef word = fe.loadRaw(size == 4 ? t.i32 : t.i64, value.ptr, value.align);
    const char *runtime = size == 4 ? "cilk1_send4" : "cilk1_send8";
    if (ThreadPaths::wanted(m)) return sendWord(fe, s, out, word, runtime);
    fe.callRuntime(runtime, t.voidTy, {strategy.worker(fe), out[0], out[1], word});
    return;
  }
  fe.callRuntime("cilk1_send", t.voidTy,
      {strategy.worker(fe), out[0], out[1], value.ptr, fe.i64c(static_cast<int64_t>(size))});
}

}  // namespace cilkc::cg
