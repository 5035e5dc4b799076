// inline.cpp - the procedures of a module as LLVM functions, and the copies of their fast clones that the plan asks
// for.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include "codegen/clones/abi.h"
#include "codegen/clones/procedure.h"
#include "frontend/ast/visit.h"

namespace cilkc::cg {
namespace {

// Runs up to the cut; there it gives back the work.
class LeafBody : public FastClone {
public:
  using FastClone::FastClone;
  void prologue(FunctionEmitter &fe) override {
    holder = fe.entryAlloca(fe.t.ptr, 8, "closure.own");
    fe.storeRaw(LLVMConstNull(fe.t.ptr), holder, 8);
  }
  void epilogue(FunctionEmitter &) override {}
  void bodyBegins(FunctionEmitter &fe) override {
    if (!p.plan.leafTest) return;
    LLVMBasicBlockRef leaf = fe.newBlock("leaf"), other = fe.newBlock("no.leaf");
    LLVMValueRef test = fe.exprs.emitBool(p.plan.leafTest);
    p.plan.leafWhen ? fe.branch(test, leaf, other) : fe.branch(test, other, leaf);
    fe.place(other);
    giveUp(fe);
    fe.place(leaf);
  }
  void beforeStmt(FunctionEmitter &fe, const Stmt *s) override {
    CloneBody::beforeStmt(fe, s);
    if (s != p.plan.cut) return;
    if (p.fn->isLoop) {
      fe.memory.storeToLvalue(fe.resultSlot(), fe.memory.load(fe.locals.variable(p.fn->params[0])));
      setMark(fe);
      fe.emitReturnJump();
    } else giveUp(fe);
    fe.ensureOpen();                        // the rest is unreachable; it is emitted into nothing
    dead = true;
  }
  // It has but one piece.
  LLVMValueRef emitWanted(FunctionEmitter &fe, bool begun) override {
    return begun && p.plan.leafTest ? fe.i32c(1) : FastClone::emitWanted(fe, begun);
  }
  void emitSpawn(FunctionEmitter &, const SpawnStmt &) override {}
  void emitSync(FunctionEmitter &, const SyncStmt *) override {}
  void emitTouch(FunctionEmitter &, const TouchStmt &) override {}
  LLVMValueRef storageFor(FunctionEmitter &fe, const VarDecl *v) override {
    // Objects of the closure are used after the cut only.
    return dead && p.plan.home(v) == VarHome::Closure ? LLVMGetUndef(fe.t.ptr) : nullptr;
  }
  LLVMValueRef allocateDynamic(FunctionEmitter &fe, LLVMValueRef, uint32_t, const VarDecl *) override {
    return LLVMGetUndef(fe.t.ptr);
  }
  LLVMValueRef cilkAlloca(FunctionEmitter &fe, LLVMValueRef) override { return LLVMGetUndef(fe.t.ptr); }
  LLVMValueRef dynamicMark(FunctionEmitter &fe, const VarDecl *) override { return LLVMGetUndef(fe.t.ptr); }
  void dynamicReset(FunctionEmitter &, LLVMValueRef) override {}
private:
  bool dead = false;
};

}  // namespace

struct Procedures::Impl {
  ModuleEmitter &m;
  std::map<const FunctionDecl *, std::unique_ptr<Procedure>> procedures;
  std::map<const FunctionDecl *, LLVMValueRef> fasts, leaves;
  std::map<const FunctionDecl *, const FunctionType *> marked;
  std::map<std::pair<const FunctionDecl *, size_t>, LLVMValueRef> copies;
  struct Todo {
    const FunctionDecl *fn;
    long level;
    LLVMValueRef function;
  };
  std::deque<Todo> todo;
  UnitPlan plans;
  explicit Impl(ModuleEmitter &m) : m(m), plans(m.unit, m.ast, m.options.plan()) {}
};

Procedures::Procedures(ModuleEmitter &m) : impl(std::make_unique<Impl>(m)) {}
Procedures::~Procedures() = default;

// LLVM takes a store through null as unreachable and deletes the branch that guards it: a program with such a store
// after a spawn would release always, or always take its child as stolen, and go on without the store. In a clone null
// is an address like others, so that the store traps.
static void keepNullStores(ModuleEmitter &m, LLVMValueRef f) {
  m.attributes.attr(f, static_cast<unsigned>(LLVMAttributeFunctionIndex), "null_pointer_is_valid");
}

// A fast clone is called as often as any C function, and is mostly short: how fast it runs depends on where its calls
// and branches are in cache lines of code (fib: up to a quarter, from one multiple of 16 to another). It begins a line,
// so that it does not depend on what else is linked.
static void alignToCacheLine(ModuleEmitter &m, LLVMValueRef f) {
  constexpr unsigned line = 64;
  const CodegenOptions &o = m.options;
  if (o.optLevel >= 2 && !o.sizeLevel && !o.alignFunctions && LLVMGetAlignment(f) < line) LLVMSetAlignment(f, line);
}

LLVMValueRef Procedures::fast(const FunctionDecl *fn) {
  auto it = impl->fasts.find(fn);
  if (it != impl->fasts.end()) return it->second;
  ModuleEmitter &m = impl->m;
  LLVMValueRef f =
      m.makeFunction(m.linkName(fn, fn->attrs) + ".fast", fn->type->as<FunctionType>(), m.procedureLinkage(fn), fn);
  keepNullStores(m, f);
  alignToCacheLine(m, f);
  impl->fasts.emplace(fn, f);
  return f;
}

Procedure &Procedures::of(const FunctionDecl *fn) {
  auto &p = impl->procedures[fn];
  if (p) return *p;
  ModuleEmitter &m = impl->m;
  TypeLowering &t = *m.types;
  p = std::make_unique<Procedure>(m, impl->plans.of(fn));
  p->fast = fast(fn);
  LLVMTypeRef slowParams[] = {t.ptr, t.ptr};
  p->slow = m.makeRawFunction(p->name() + ".slow", LLVMFunctionType(t.voidTy, slowParams, 2, 0), LLVMInternalLinkage);
  keepNullStores(m, p->slow);
  p->sig = LLVMAddGlobal(m.module, abi::type<abi::cilk_sig>(m), (p->name() + ".sig").c_str());
  LLVMSetLinkage(p->sig, LLVMInternalLinkage);
  LLVMSetAlignment(p->sig, 8);
  return *p;
}

const FunctionType *Procedures::markedType(const FunctionDecl *fn) {
  auto &t = impl->marked[fn];
  if (t) return t;
  const TypeTable &context = impl->m.ast;
  FunctionType f = *fn->type->as<FunctionType>();
  f.prototype = true;
  f.isCilk = f.noreturn = false;
  f.params.push_back(context.pointerTo(QualType(context.basic(TypeKind::Void))));
  return t = context.functionType(f)->as<FunctionType>();
}

// Copies exist to be inlined. Those of large procedures are left alone by the optimiser (leaveUnoptimized), and stay
// calls.
void Procedures::inlined(const FunctionDecl *fn, LLVMValueRef copy) {
  if (!impl->plans.of(fn).large)
    impl->m.attributes.attr(copy, static_cast<unsigned>(LLVMAttributeFunctionIndex), "alwaysinline");
}

LLVMValueRef Procedures::copy(const FunctionDecl *fn, size_t r) {
  auto &c = impl->copies[{fn, r}];
  if (c) return c;
  c = impl->m.makeFunction(std::string(fn->name) + ".fast." + std::to_string(r), markedType(fn), LLVMInternalLinkage,
      nullptr);
  keepNullStores(impl->m, c);
  inlined(fn, c);
  impl->todo.push_back({fn, static_cast<long>(r), c});
  return c;
}

LLVMValueRef Procedures::leaf(const FunctionDecl *fn) {
  auto &c = impl->leaves[fn];
  if (c) return c;
  c = impl->m.makeFunction(std::string(fn->name) + ".leaf", markedType(fn), LLVMInternalLinkage, nullptr);
  keepNullStores(impl->m, c);
  inlined(fn, c);
  impl->todo.push_back({fn, -1, c});
  return c;
}

bool Procedures::pending(const FunctionDecl *&fn, long &level, LLVMValueRef &function) {
  if (impl->todo.empty()) return false;
  auto t = impl->todo.front();
  impl->todo.pop_front();
  fn = t.fn;
  level = t.level;
  function = t.function;
  return true;
}

std::unique_ptr<FastClone> makeLeafClone(Procedure &p, RuntimeOps &ops, LLVMValueRef mark) {
  return std::make_unique<LeafBody>(p, ops, mark);
}

}  // namespace cilkc::cg
