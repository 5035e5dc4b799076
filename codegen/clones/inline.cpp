// inline.cpp - which procedures are inlined into which, how deep, and the leaf copies. The rules look at the spawn graph and at sizes only.
//
// A procedure's fast clone is expanded over the spawns that stay in its recursive group, level by level, as long as the whole stays under a budget of AST
// nodes. Code size is bounded by that budget per procedure, and the copies are shared by all procedures of the module until LLVM inlines them.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include "codegen/clones/abi.h"
#include "codegen/clones/procedure.h"
#include "frontend/ast/visit.h"

namespace cilkc::cg {
namespace {

constexpr size_t kBudget = 700;             // AST nodes of one fully expanded fast clone
constexpr size_t kLevels = 4;
constexpr size_t kLeafBudget = 120;         // of a procedure whose leaf is inlined

// Runs up to the cut; there it gives back the work.
class LeafBody : public FastClone {
public:
  using FastClone::FastClone;
  void prologue(FunctionEmitter &fe) override {
    holder = fe.entryAlloca(fe.t.ptr, 8, "closure.own");
    fe.storeRaw(LLVMConstNull(fe.t.ptr), holder, 8);
  }
  void epilogue(FunctionEmitter &) override {}
  void beforeStmt(FunctionEmitter &fe, const Stmt *s) override {
    if (s != p.flow.cut) return;
    giveUp(fe);
    fe.ensureOpen();                        // the rest is unreachable; it is emitted into nothing
    dead = true;
  }
  void emitSpawn(FunctionEmitter &, const SpawnSite &) override {}
  LLVMValueRef storageFor(FunctionEmitter &fe, const VarDecl *v) override {
    // Objects of the closure are met behind the cut only.
    return dead && p.flow.home(v) == VarHome::Closure ? LLVMGetUndef(fe.t.ptr) : nullptr;
  }
  LLVMValueRef allocateDynamic(FunctionEmitter &fe, LLVMValueRef, uint32_t, const VarDecl *) override { return LLVMGetUndef(fe.t.ptr); }
  LLVMValueRef cilkAlloca(FunctionEmitter &fe, LLVMValueRef) override { return LLVMGetUndef(fe.t.ptr); }
  LLVMValueRef dynamicMark(FunctionEmitter &fe, const VarDecl *) override { return LLVMGetUndef(fe.t.ptr); }
  void dynamicReset(FunctionEmitter &, LLVMValueRef) override {}
private:
  bool dead = false;
};

size_t weightOf(StmtKind k) {
  switch (k) {
    case StmtKind::Expr: case StmtKind::Compound: case StmtKind::Decl: case StmtKind::Label: return 0;   // their parts count
    case StmtKind::While: case StmtKind::Do: case StmtKind::For: case StmtKind::Switch: return 2;
    case StmtKind::If: case StmtKind::Case: case StmtKind::Default: case StmtKind::Return: case StmtKind::Error: case StmtKind::Goto: case StmtKind::GotoExpr: case StmtKind::Continue:
    case StmtKind::Break: case StmtKind::Asm: case StmtKind::Null: case StmtKind::LocalLabel: case StmtKind::Sync: case StmtKind::Abort: case StmtKind::Function: case StmtKind::Pragma: return 1;
  }
  return 1;
}

// Nodes that become code. An inlet counts where it is called.
size_t weigh(const Stmt *body) {
  size_t n = 0;
  eachNode(body, Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Stmt *>) {
      n += weightOf(node->kind);
    } else {
      if (node->kind != ExprKind::ImplicitCast && node->kind != ExprKind::Paren) n++;
      if (node->kind == ExprKind::Call && node->template as<Call>()->inlet && node->template as<Call>()->inlet->def) n += weigh(node->template as<Call>()->inlet->def->body);
    }
  });
  return n;
}

}  // namespace

struct Procedures::Impl {
  ModuleEmitter &m;
  std::map<const FunctionDecl *, std::unique_ptr<Procedure>> procedures;
  std::map<const FunctionDecl *, LLVMValueRef> fasts, leaves;
  std::map<const FunctionDecl *, const FunctionType *> marked;
  std::map<std::pair<const FunctionDecl *, size_t>, LLVMValueRef> copies;
  std::map<const FunctionDecl *, const FunctionDecl *> groups;         // a representative
  struct Todo { const FunctionDecl *fn; long level; LLVMValueRef function; };
  std::deque<Todo> todo;
  explicit Impl(ModuleEmitter &m) : m(m) {}
};

Procedures::Procedures(ModuleEmitter &m) : impl(std::make_unique<Impl>(m)) {}
Procedures::~Procedures() = default;

// To the optimizer a store through null is a place that is never reached, and a branch with one such side goes to the other: the program would be made
// to release, or to take its child as stolen, always, and go on without the store. In a clone null is an address like others: the store traps.
static void mayBeNull(ModuleEmitter &m, LLVMValueRef f) { m.attr(f, static_cast<unsigned>(LLVMAttributeFunctionIndex), "null_pointer_is_valid"); }

LLVMValueRef Procedures::fast(const FunctionDecl *fn) {
  auto it = impl->fasts.find(fn);
  if (it != impl->fasts.end()) return it->second;
  ModuleEmitter &m = impl->m;
  LLVMValueRef f = m.makeFunction(m.linkName(fn, fn->attrs) + ".fast", fn->type->as<FunctionType>(), m.procedureLinkage(fn), fn);
  mayBeNull(m, f);
  impl->fasts.emplace(fn, f);
  return f;
}

Procedure &Procedures::of(const FunctionDecl *fn) {
  auto &p = impl->procedures[fn];
  if (p) return *p;
  ModuleEmitter &m = impl->m;
  TypeLowering &t = *m.types;
  p = std::make_unique<Procedure>(m, fn);
  p->fast = fast(fn);
  p->weight = weigh(fn->def->body) + 1;
  LLVMTypeRef slowParams[] = {t.ptr, t.ptr};
  p->slow = m.makeRawFunction(p->name() + ".slow", LLVMFunctionType(t.voidTy, slowParams, 2, 0), LLVMInternalLinkage);
  mayBeNull(m, p->slow);
  p->sig = LLVMAddGlobal(m.module, abi::type<abi::cilk_sig>(m), (p->name() + ".sig").c_str());
  LLVMSetLinkage(p->sig, LLVMInternalLinkage);
  LLVMSetAlignment(p->sig, 8);
  for (auto &[spawn, site] : p->sites)
    if (auto *callee = knownCallee(spawn)) p->directSpawns.push_back({callee, spawn});
  return *p;
}

const FunctionType *Procedures::markedType(const FunctionDecl *fn) {
  auto &t = impl->marked[fn];
  if (t) return t;
  auto &context = const_cast<AstContext &>(impl->m.ast);
  FunctionType f = *fn->type->as<FunctionType>();
  f.prototype = true;
  f.isCilk = false;
  f.params.push_back(context.pointerTo(QualType(context.basic(TypeKind::Void))));
  return t = context.functionType(f)->as<FunctionType>();
}

// Strongly connected components of the spawn graph (Tarjan), found for all that `root` reaches. What an earlier search has found is complete: it reaches
// nothing new. No recursion, since chains of procedures may be long.
void Procedures::findGroups(const FunctionDecl *root) {
  std::vector<const FunctionDecl *> work{root};                 // procedures come into being in this order
  std::set<const FunctionDecl *> seen;
  while (!work.empty()) {
    const FunctionDecl *f = work.back();
    work.pop_back();
    if (!f->def || impl->groups.count(f)) continue;
    for (auto &[callee, spawn] : of(f).directSpawns)
      if (seen.insert(callee).second) work.push_back(callee);
  }
  struct Visit { const FunctionDecl *fn; size_t next; };
  std::map<const FunctionDecl *, std::pair<size_t, size_t>> numbers;   // number, lowest number reached
  std::vector<const FunctionDecl *> open;
  std::vector<Visit> visits;
  auto enter = [&](const FunctionDecl *f) {
    size_t n = numbers.size();
    numbers[f] = {n, n};
    open.push_back(f);
    visits.push_back({f, 0});
  };
  enter(root);
  while (!visits.empty()) {
    const FunctionDecl *fn = visits.back().fn;
    static const std::vector<std::pair<const FunctionDecl *, const Spawn *>> none;
    auto &spawns = fn->def ? of(fn).directSpawns : none;
    auto &low = numbers[fn].second;
    if (visits.back().next < spawns.size()) {
      const FunctionDecl *callee = spawns[visits.back().next++].first;
      if (impl->groups.count(callee)) continue;
      auto it = numbers.find(callee);
      if (it == numbers.end()) enter(callee);
      else low = std::min(low, it->second.first);
      continue;
    }
    size_t reached = low;
    visits.pop_back();
    if (!visits.empty()) numbers[visits.back().fn].second = std::min(numbers[visits.back().fn].second, reached);
    if (reached != numbers[fn].first) continue;
    for (const FunctionDecl *member = nullptr; member != fn;) {
      member = open.back();
      open.pop_back();
      impl->groups[member] = fn;
    }
  }
}

bool Procedures::sameGroup(const FunctionDecl *a, const FunctionDecl *b) {
  for (auto *f : {a, b})
    if (!impl->groups.count(f)) findGroups(f);
  if (a != b) return impl->groups[a] == impl->groups[b];
  if (!a->def) return false;
  for (auto &[callee, spawn] : of(a).directSpawns)
    if (impl->groups[callee] == impl->groups[a]) return true;     // itself, or another of a group
  return false;
}

size_t Procedures::levels(Procedure &p) {
  const CodegenOptions &o = p.m.options;
  if (!strategyInfo(o.spawn).has(StrategyProperty::InlinesGroups)) return 0;
  if (o.inlineRecursion == 0 || o.optLevel < 2 || o.sizeLevel > 0 || p.fn->attrs.noinline || o.modes.wants(ModeProperty::EventsInPlace)) return 0;
  // Nodes of the expansion by level, for every member that occurs.
  std::map<const FunctionDecl *, size_t> counts{{p.fn, 1}};
  size_t total = p.weight, depth = 0, limit = o.inlineRecursion > 0 ? static_cast<size_t>(o.inlineRecursion) : kLevels;
  while (depth < limit) {
    std::map<const FunctionDecl *, size_t> next;
    size_t added = 0;
    for (auto &[fn, n] : counts)
      for (auto &[callee, spawn] : of(fn).directSpawns)
        if (callee->def && !callee->attrs.noinline && sameGroup(p.fn, callee)) {
          next[callee] += n;
          added += n * of(callee).weight;
        }
    if (!added || (o.inlineRecursion < 0 && total + added > kBudget)) break;
    total += added;
    counts = std::move(next);
    depth++;
  }
  return depth;
}

LLVMValueRef Procedures::copy(const FunctionDecl *fn, size_t r) {
  auto &c = impl->copies[{fn, r}];
  if (c) return c;
  c = impl->m.makeFunction(std::string(fn->name) + ".fast." + std::to_string(r), markedType(fn), LLVMInternalLinkage, nullptr);
  mayBeNull(impl->m, c);
  impl->m.attr(c, static_cast<unsigned>(LLVMAttributeFunctionIndex), "alwaysinline");
  impl->todo.push_back({fn, static_cast<long>(r), c});
  return c;
}

LLVMValueRef Procedures::leaf(const FunctionDecl *fn) {
  auto it = impl->leaves.find(fn);
  if (it != impl->leaves.end()) return it->second;
  Procedure &p = of(fn);
  const CodegenOptions &o = p.m.options;
  LLVMValueRef c = nullptr;
  if (p.flow.cut && p.flow.leafReturns && p.weight <= kLeafBudget && o.inlining && o.inlineLeaves && o.optLevel >= 2 && o.sizeLevel == 0 && !fn->attrs.noinline && !o.modes.wants(ModeProperty::EventsInPlace)) {
    c = p.m.makeFunction(std::string(fn->name) + ".leaf", markedType(fn), LLVMInternalLinkage, nullptr);
    mayBeNull(p.m, c);
    p.m.attr(c, static_cast<unsigned>(LLVMAttributeFunctionIndex), "alwaysinline");
    impl->todo.push_back({fn, -1, c});
  }
  impl->leaves[fn] = c;
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

std::unique_ptr<FastClone> makeLeafClone(Procedure &p, RuntimeOps &ops, LLVMValueRef mark) { return std::make_unique<LeafBody>(p, ops, mark); }

}  // namespace cilkc::cg
