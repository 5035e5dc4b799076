// The verifier of clones (codegen/clones/verify.cpp) and the ledger (ledger.cpp) find what they are for. Each case
// emits a small unit. It takes one thing out of the code, or changes one thing of the plan that the code is held
// against. It expects the message of the check that is there for this. The rest is what the code of clones has and no
// run shows: how often a fast clone reads the release flag, and which deliver functions are shared. Exit status 0: all
// hold.
#include <pthread.h>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include "codegen/clones/procedure.h"
#include "codegen/shim/shim.h"
#include "codegen/core/target.h"
#include "codegen/output/emit.h"
#include "frontend/parse/parse.h"
#include "frontend/sema/analyze.h"

using namespace cilkc;
using namespace cilkc::cg;

static int failures = 0;

static void check(bool ok, const std::string &what) {
  if (ok) return;
  failures++;
  std::fprintf(stderr, "FAILED: %s\n", what.substr(0, 600).c_str());
}

// `a` and `b` are registers, `r` and `sum` are delivered. The entry points of g: 1 before a spawn, 2 and 3 after the
// spawns, 4 the sync. Those of h: 1 and 2 likewise, 3 the implicit sync. k does something before it takes its closure.
static const char *const kText =
    "cilk int f(int n);\n"
    "cilk int g(int n) { int a = n + 1, b = n * 2, r, sum = 0; r = spawn f(a); sum += spawn f(b); sync; return r + sum + a + b; }\n"
    "cilk int h(int n) { int a = n + 1, r; if (n > 3) return n; r = spawn f(a); return a; }\n"
    "int c(int n);\n"
    "cilk int k(int n) { int r; c(n); r = spawn f(n); sync; return r; }\n";

static LangOptions cilk() {
  LangOptions o;
  o.dialect = Dialect::Cilk5;
  return o;
}

static CodegenOptions options(SpawnStrategy spawn) {
  CodegenOptions o;
  o.spawn = spawn;
  return o;
}

// The module of a text as it is before LLVM's passes.
struct Emitted {
  Emitted(const std::string &text, const CodegenOptions &o)
      : options(o), sources(text, "test.cilk"), diags(sources, {}), cx({}, cilk()), unit(parse(sources, cx, diags)) {
    initTargets();
    check(unit && analyze(*unit, cx, diags), "should be accepted: " + text);
    machine = targetMachine(cx, options, diags);
    context = LLVMContextCreate();
    m = std::make_unique<ModuleEmitter>(*unit, cx, diags, options, context, machine);
    m->run();
    plans = std::make_unique<UnitPlan>(*unit, cx, options.plan());
  }
  ~Emitted() {
    m.reset();
    LLVMContextDispose(context);
    LLVMDisposeTargetMachine(machine);
  }
  LLVMValueRef function(const std::string &name) const { return LLVMGetNamedFunction(m->module, name.c_str()); }
  const FunctionDecl *procedure(const std::string &name) const {
    for (const FunctionDecl *f : unit->functions)
      if (f->name == name && f->def) return f;
    return nullptr;
  }

  CodegenOptions options;
  SourceManager sources;
  DiagnosticEngine diags;
  AstContext cx;
  TranslationUnit *unit;
  LLVMTargetMachineRef machine;
  LLVMContextRef context;
  std::unique_ptr<ModuleEmitter> m;
  std::unique_ptr<UnitPlan> plans;
};

template <class F> static void eachInstruction(LLVMValueRef fn, F f) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      f(i);
    }
}

static void erase(LLVMValueRef i) {
  if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) LLVMReplaceAllUsesWith(i, LLVMGetUndef(LLVMTypeOf(i)));
  LLVMInstructionEraseFromParent(i);
}

static std::string calleeName(LLVMValueRef i) {
  size_t length = 0;
  const char *name = LLVMIsACallInst(i) ? LLVMGetValueName2(LLVMGetCalledValue(i), &length) : nullptr;
  return name ? std::string(name, length) : std::string();
}

// One clone, the code and the plan that a case changes.
struct Case {
  Case(SpawnStrategy spawn, const std::string &name, bool slow)
      : e(kText, ::options(spawn)), slow(slow), plan(e.plans->of(e.procedure(name))) {
    fn = e.function(name + (slow ? ".slow" : ".fast"));
    eachInstruction(fn, [&](LLVMValueRef i) {
      size_t length = 0;
      if (const char *n = LLVMGetValueName2(i, &length); std::string_view(n, length) == "closure.own") holder = i;
    });
  }

  const VarDecl *variable(std::string_view name) const {
    for (auto *v : plan.closure.variables)
      if (v->name == name) return v;
    check(false, "no variable " + std::string(name));
    return nullptr;
  }
  uint64_t at(std::string_view name) const { return plan.closure.offsets.at(variable(name)); }

  // The accesses to a place of some closure, in order of the code.
  std::vector<LLVMValueRef> accesses(uint64_t offset, bool store) const {
    std::vector<LLVMValueRef> found;
    eachInstruction(fn, [&](LLVMValueRef i) {
      if (store ? !LLVMIsAStoreInst(i) : !LLVMIsALoadInst(i)) return;
      LLVMValueRef to = LLVMGetOperand(i, store ? 1 : 0);
      if (LLVMIsAGetElementPtrInst(to) && LLVMIsAConstantInt(LLVMGetOperand(to, 1)) &&
          LLVMConstIntGetZExtValue(LLVMGetOperand(to, 1)) == offset)
        found.push_back(i);
    });
    return found;
  }
  // The store of an entry's number.
  LLVMValueRef noted(uint64_t n) const {
    for (LLVMValueRef i : accesses(offsetof(cilk_closure, entry), true))
      if (LLVMIsAConstantInt(LLVMGetOperand(i, 0)) && LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) == n) return i;
    check(false, "no store of entry " + std::to_string(n));
    return nullptr;
  }
  // The access to a variable's slot in the block of an instruction.
  LLVMValueRef inBlockOf(LLVMValueRef other, std::string_view name, bool store) const {
    for (LLVMValueRef i : accesses(at(name), store))
      if (LLVMGetInstructionParent(i) == LLVMGetInstructionParent(other)) return i;
    check(false, "no access to " + std::string(name) + " beside this");
    return nullptr;
  }
  LLVMValueRef entrySwitch() const {
    LLVMValueRef found = nullptr;
    eachInstruction(fn, [&](LLVMValueRef i) {
      if (!found && LLVMIsASwitchInst(i)) found = i;
    });
    return found;
  }
  LLVMBasicBlockRef resumed(uint64_t n) const {
    LLVMValueRef sw = entrySwitch();
    for (unsigned i = 1; i < LLVMGetNumSuccessors(sw); i++)
      if (LLVMConstIntGetZExtValue(LLVMGetOperand(sw, 2 * i)) == n) return LLVMGetSuccessor(sw, i);
    check(false, "entry " + std::to_string(n) + " is not resumed");
    return nullptr;
  }
  // The calls that release the frame for this entry.
  std::vector<LLVMValueRef> releases(uint64_t n) const {
    std::vector<LLVMValueRef> found;
    eachInstruction(fn, [&](LLVMValueRef i) {
      if (calleeName(i) == "cilk_rt_release_frame" && LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2)) == n)
        found.push_back(i);
    });
    return found;
  }
  // The instruction once more, at the end of its block.
  void again(LLVMValueRef i) const {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(e.context);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(i)));
    LLVMInsertIntoBuilder(builder, LLVMInstructionClone(i));
    LLVMDisposeBuilder(builder);
  }
  // Moves it there.
  void late(LLVMValueRef i) const {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(e.context);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(i));
    LLVMInstructionRemoveFromParent(i);
    LLVMPositionBuilderBefore(builder, end);
    LLVMInsertIntoBuilder(builder, i);
    LLVMDisposeBuilder(builder);
  }
  void number(LLVMValueRef i, unsigned operand, uint64_t n) const {
    LLVMSetOperand(i, operand, LLVMConstInt(LLVMTypeOf(LLVMGetOperand(i, operand)), n, 0));
  }
  EntryPoint &entry(size_t n) { return plan.entries.at(n); }
  void forget(std::vector<const VarDecl *> &list, std::string_view name) {
    check(std::erase(list, variable(name)) == 1, "is in the list");
  }

  // What the verifier reports; empty if all is well.
  std::string verified() {
    e.options.verify = true;
    const_cast<CodegenOptions &>(e.m->options).verify = true;
    Procedure p(*e.m, plan);
    p.slow = fn;
    try {
      slow ? verifySlow(p) : verifyFast(p, fn, holder);
    } catch (const LlvmFatal &fatal) { return fatal.message; }
    return {};
  }

  Emitted e;
  bool slow;
  ClonePlan plan;
  LLVMValueRef fn, holder = nullptr;
};

constexpr SpawnStrategy kEager = SpawnStrategy::Eager, kLazy = SpawnStrategy::Lazy;

static void finds(const char *message, SpawnStrategy spawn, bool slow, const std::function<void(Case &)> &change,
    const char *name = "g") {
  Case c(spawn, name, slow);
  check(c.verified().empty(), "as it is emitted: " + c.verified());
  change(c);
  std::string found = c.verified();
  check(found.find(message) != std::string::npos, "expected \"" + std::string(message) + "\", found \"" + found + "\"");
}

static void slowClones() {
  for (SpawnStrategy s : {kEager, kLazy}) {
    finds("no entry switch", s, true, [](Case &c) { c.fn = c.e.function("g.deliver.2"); });
    finds("is 0 times in the entry switch", s, true, [](Case &c) { c.plan.entries.push_back(c.plan.entries.back()); });
    finds("is 1 times in the entry switch", s, true, [](Case &c) { c.plan.entries.back().mayBeOutstanding = false; });
    finds("which the plan has not, is in the entry switch", s, true, [](Case &c) { c.plan.entries.pop_back(); });
    finds("'b' is not restored", s, true, [](Case &c) {
      LLVMBasicBlockRef b = c.resumed(2);
      erase(c.inBlockOf(LLVMGetFirstInstruction(b), "b", false));
    });
    finds("'b' is restored", s, true, [](Case &c) { c.forget(c.entry(2).live, "b"); });
    finds("'a' is not saved", s, true, [](Case &c) { erase(c.inBlockOf(c.noted(3), "a", true)); });
    finds("'b' is not saved", s, true, [](Case &c) { erase(c.inBlockOf(c.noted(4), "b", true)); });
    // After the number is stored, the frame may be stolen at any time.
    finds("'a' is not saved", s, true, [](Case &c) { c.late(c.inBlockOf(c.noted(3), "a", true)); });
    // What is only looked at is not saved.
    finds("'a' is not saved", s, true, [](Case &c) {
      LLVMValueRef i = c.inBlockOf(c.noted(3), "a", true);
      LLVMBuilderRef builder = LLVMCreateBuilderInContext(c.e.context);
      LLVMPositionBuilderBefore(builder, i);
      LLVMBuildLoad2(builder, LLVMInt32TypeInContext(c.e.context), LLVMGetOperand(i, 1), "");
      LLVMDisposeBuilder(builder);
      erase(i);
    });
    finds("is noted 0 times", s, true, [](Case &c) { erase(c.noted(3)); });
    finds("is noted 2 times", s, true, [](Case &c) { c.again(c.noted(3)); });
    finds("the number of no entry point", s, true, [](Case &c) { c.number(c.noted(4), 0, 77); });
    // The number of another closure's entry is none of this clone's.
    finds("is noted 0 times", s, true, [](Case &c) {
      LLVMValueRef place = LLVMGetOperand(c.noted(3), 1);
      LLVMSetOperand(place, 0, LLVMGetUndef(LLVMTypeOf(LLVMGetOperand(place, 0))));
    });
    // What waits at the implicit sync needs nothing but its value.
    finds(
        "'a' is restored", s, true,
        [](Case &c) {
          LLVMBasicBlockRef b = c.resumed(c.plan.returnEntry);
          LLVMBuilderRef builder = LLVMCreateBuilderInContext(c.e.context);
          LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(b));
          LLVMTypeRef i8 = LLVMInt8TypeInContext(c.e.context);
          LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(c.e.context), c.at("a"), 0);
          LLVMBuildLoad2(builder, i8, LLVMBuildInBoundsGEP2(builder, i8, LLVMGetParam(c.fn, 1), &index, 1, ""), "");
          LLVMDisposeBuilder(builder);
        },
        "h");
    // No way into the slow clone begins at its start: what is not resumable is in no switch.
    finds("entry point 0 is 0 times", s, true, [](Case &c) { c.plan.entries[0].kind = EntryPoint::AfterSpawn; });
  }
}

static void fastClones() {
  finds("'a' is not saved", kEager, false, [](Case &c) { erase(c.inBlockOf(c.noted(2), "a", true)); });
  finds("'r' is not saved", kEager, false, [](Case &c) { erase(c.inBlockOf(c.noted(3), "r", true)); });
  finds("is noted 0 times", kEager, false, [](Case &c) { erase(c.noted(2)); });
  finds("is noted 0 times", kEager, false, [](Case &c) {
    LLVMValueRef place = LLVMGetOperand(c.noted(2), 1);
    LLVMSetOperand(place, 0, LLVMGetUndef(LLVMTypeOf(LLVMGetOperand(place, 0))));
  });
  finds("is noted 2 times", kEager, false, [](Case &c) { c.again(c.noted(2)); });

  finds("'b' is not saved", kLazy, false, [](Case &c) { erase(c.inBlockOf(c.releases(2).at(0), "b", true)); });
  finds("'b' is not saved", kLazy, false, [](Case &c) { erase(c.inBlockOf(c.releases(2).at(1), "b", true)); });
  finds("'a' is not saved", kLazy, false, [](Case &c) { erase(c.inBlockOf(c.releases(1).at(0), "a", true)); }, "h");
  finds("'b' is saved", kLazy, false, [](Case &c) { c.forget(c.entry(2).save, "b"); });
  finds("'r' is saved", kLazy, false, [](Case &c) { c.forget(c.entry(2).saveDelivered, "r"); });
  finds("is released to 3 times", kLazy, false, [](Case &c) { c.number(c.releases(2).at(0), 2, 3); });
  finds("is released to 2 times", kLazy, false, [](Case &c) { c.number(c.releases(2).at(0), 2, 1); });
  finds("is never released to", kLazy, false, [](Case &c) {
    for (LLVMValueRef i : c.releases(3)) erase(i);
  });
}

// ---- the ledger

static void ledger() {
  for (SpawnStrategy s : {kEager, kLazy})
    for (const char *name : {"g", "h", "k"}) {
      Emitted e(kText, options(s));
      const ClonePlan &plan = e.plans->of(e.procedure(name));
      const bool apart = plan.take && plan.take != plan.cut;
      check(apart == (*name == 'k'), std::string(name) + " takes its closure elsewhere");
      const int entries = static_cast<int>(plan.entries.size());
      for (bool resumed : {false, true}) {
        auto obeyed = [&](int n) {
          const EntryPoint &p = plan.entry(n);
          return p.kind == EntryPoint::AtReturn ? resumed : p.kind != EntryPoint::BeforeSpawn || s == kLazy;
        };
        // A clone that has met all that it has to, and entry `n` so many times more.
        auto reported = [&](int n, int more, int cuts, int takes) {
          Ledger l(plan);
          for (int k = 1; k < entries; k++)
            for (int times = obeyed(k) + (k == n ? more : 0); times > 0; times--) l.entry(k);
          for (; cuts > 0; cuts--) l.statement(plan.cut);
          for (; apart && takes > 0; takes--) l.statement(plan.take);
          try {
            l.checkWhole(*e.m, "clone", resumed);
            return std::string();
          } catch (const LlvmFatal &fatal) { return fatal.message; }
        };
        auto expects = [&](int n, int more, int cuts, const char *message, int takes = 1) {
          std::string found = reported(n, more, cuts, takes);
          check(message ? found.find(message) != std::string::npos : found.empty(),
              std::string(name) + ", entry " + std::to_string(n) + ": \"" + found + "\"");
        };
        expects(0, 0, 1, nullptr);
        if (plan.cut) {
          expects(0, 0, 0, "the end of the leaf prefix is not in ");
          expects(0, 0, 2, "the end of the leaf prefix is 2 times in ");
        }
        if (apart) {
          expects(0, 0, 1, "the place where the closure is taken is not in ", 0);
          expects(0, 0, 1, "the place where the closure is taken is 2 times in ", 2);
        }
        for (int n = 1; n < entries; n++) {
          expects(n, 1, 1, obeyed(n) ? " is 2 times in " : " is 1 times in ");
          if (obeyed(n)) expects(n, -1, 1, " is not in ");
        }
      }
    }
}

// ---- what no run shows

// How often a fast clone loads the worker's release flag.
static size_t looksAtFlag(const Emitted &e, const std::string &function) {
  size_t n = 0;
  eachInstruction(e.function(function), [&](LLVMValueRef i) {
    size_t length = 0;
    if (!LLVMIsALoadInst(i)) return;
    const char *name = LLVMGetValueName2(i, &length);
    n += std::string_view(name, length).starts_with("release");
  });
  return n;
}

// After a child that ran in place, the flag is looked at unless the child was over in no time.
static void releaseFlag() {
  CodegenOptions o = options(kLazy);
  o.optLevel = 2;
  auto looks = [&](const char *leaf, const char *body, const char *function) {
    return looksAtFlag(Emitted(std::string("int helper(int); cilk int f(int n) { int x; if (n < 2) return ") + leaf +
                                   "; " + body +
                                   "; sync; return x; } cilk int g(int n) { int x; x = spawn f(n); sync; return x; }",
                           o),
        function);
  };
  const char *const cheap = "x = spawn f(n - 1)", *const dear = "x = spawn f(n - 1); helper(n)";
  // g: before its spawn; after the leaf of f unless it is cheap; after f.fast.
  check(looks("n", cheap, "g.fast") == 2,
      "after a cheap leaf no flag is read: " + std::to_string(looks("n", cheap, "g.fast")));
  check(looks("helper(n)", cheap, "g.fast") == 3,
      "after a leaf that calls the flag is read: " + std::to_string(looks("helper(n)", cheap, "g.fast")));
  // f.fast calls a copy of itself.
  check(looks("n", cheap, "f.fast") == 1,
      "a copy without calls has just looked: " + std::to_string(looks("n", cheap, "f.fast")));
  check(looks("n", dear, "f.fast") == 2,
      "a copy that calls may have taken long: " + std::to_string(looks("n", dear, "f.fast")));
}

// A recursive procedure has a copy for each level of inlining that its plan has.
static void copies() {
  CodegenOptions o = options(kLazy);
  o.optLevel = 2;
  Emitted e("cilk int f(int n) { int x; if (n < 2) return n; x = spawn f(n - 1); sync; return x; }", o);
  const size_t levels = e.plans->of(e.procedure("f")).levels;
  check(levels > 1, "f is inlined into itself some levels deep");
  for (size_t k = 0; k <= levels; k++)
    check((e.function("f.fast." + std::to_string(k)) != nullptr) == (k < levels),
        std::to_string(levels) + " levels, and copy " + std::to_string(k));
}

static void *all(void *) {
  slowClones();
  fastClones();
  ledger();
  releaseFlag();
  copies();
  return nullptr;
}

// The parser wants the compiler's large stack.
int main() {
  pthread_attr_t big;
  pthread_attr_init(&big);
  pthread_attr_setstacksize(&big, size_t(1) << 30);
  pthread_t thread;
  if (pthread_create(&thread, &big, all, nullptr) != 0) return 2;
  pthread_join(thread, nullptr);
  return failures != 0;
}
