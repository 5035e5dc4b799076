// clones.cpp - the ProcedureEmitter of Cilk units: makes every procedure's functions in the right order, and the
// symbols by which objects agree at link time.
#include "codegen/clones/abi.h"
#include "codegen/clones/procedure.h"

namespace cilkc::cg {
namespace {

class ClonesEmitter : public ProcedureEmitter {
public:
  explicit ClonesEmitter(ModuleEmitter &m) : m(m), all(m), ops(m) { ops.all = &all; }

  LLVMValueRef reference(const FunctionDecl *fn) override {
    referenced = true;
    return all.fast(fn);
  }

  void define(const FunctionDecl *fn) override {
    Procedure &p = all.of(fn);
    emitFast(p, ops);
    const FunctionDecl *inlined;
    long level;
    LLVMValueRef function;
    while (all.pending(inlined, level, function)) {
      Procedure &q = all.of(inlined);
      if (level < 0) emitLeafCopy(q, ops, function);
      else emitFastCopy(q, ops, function, static_cast<size_t>(level));
    }
    emitSlow(p, ops);
    emitSignature(p, ops);
    bool isMain = fn->linkage != Linkage::Internal && (fn->name == "main" || fn->name == "cilk_main");
    bool exported = m.exported(fn);
    if (isMain || exported || fn->offers) emitThunk(p);
    if (fn->offers) emitRemote(p);
    if (isMain) emitMainRoot(p);
    else if (exported) emitExport(p);
    defined.push_back(&p);
  }

  void enter(const FunctionDecl *fn, LLVMValueRef function) override {
    m.function(fn);
    Procedure &p = all.of(fn);
    if (!p.thunk) emitThunk(p);
    emitEntry(p, function);
  }

  void finish() override {
    if (!privateTable() && defined.empty() && !referenced) return;
    // An object that refers to a wrong flavour does not link, and the symbol's name says why (rt/core/abi.h, ABI tags).
    std::vector<ModuleEmitter::AbiTag> all{{"form", "parallel"}, {"spawn", strategyInfo(m.options.spawn).name}};
    for (auto &mode : kModes)
      if (!mode.has(ModeProperty::AnyRuntime))
        all.emplace_back(mode.name, m.options.modes.contains(mode.id) ? "on" : "off");
    m.tag(all);
    if (defined.empty()) return;
    emitLayouts(m);
    emitShapes(m, defined);
  }

private:
  ModuleEmitter &m;
  Procedures all;
  RuntimeOps ops;
  std::vector<const Procedure *> defined;
  bool referenced = false;

  // `private` variables are thread-local; the runtime finds them in the image's section cilk_private, to let worker 0
  // share the caller's copy (rt/core/abi.h).
  bool privateTable() {
    TypeLowering &t = *m.types;
    bool some = false;
    for (auto *v : m.unit.globals) {
      if (!v->isPrivate || !v->isDefinition || !v->threadLocal) continue;
      LLVMValueRef address = m.makeRawFunction(std::string(v->name) + ".private.address",
          LLVMFunctionType(t.ptr, nullptr, 0, 0), LLVMInternalLinkage);
      BodyStrategy plain;
      FunctionEmitter fe(m, address, nullptr, plain);
      fe.begin();
      LLVMBuildRet(fe.builder, fe.locals.variable(v).ptr);
      fe.finish();
      LLVMValueRef init =
          abi::constant(m, abi::cilk_private{.address = address, .size = LLVMConstInt(t.i64, t.size(v->type), 0)});
      LLVMValueRef entry = LLVMAddGlobal(m.module, LLVMTypeOf(init), (std::string(v->name) + ".private").c_str());
      LLVMSetInitializer(entry, init);
      LLVMSetGlobalConstant(entry, m.options.pic == PicLevel::None);
      LLVMSetLinkage(entry, LLVMInternalLinkage);
      LLVMSetSection(entry, "cilk_private");
      LLVMSetAlignment(entry, 8);
      m.useLater(entry);
      some = true;
    }
    return some;
  }
};

}  // namespace

std::unique_ptr<ProcedureEmitter> makeProcedureEmitter(ModuleEmitter &m) { return std::make_unique<ClonesEmitter>(m); }

}  // namespace cilkc::cg
