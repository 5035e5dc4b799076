// clones.cpp - the ProcedureEmitter of Cilk units: makes every procedure's functions in the right order, and the symbols by which objects agree at link time.
#include <map>
#include "codegen/clones/procedure.h"

namespace cilkc::cg {
namespace {

class ClonesEmitter : public ProcedureEmitter {
public:
  explicit ClonesEmitter(ModuleEmitter &m) : m(m), ops(m) {}

  LLVMValueRef reference(const FunctionDecl *fn) override {
    auto it = fasts.find(fn);
    if (it != fasts.end()) return it->second;
    bool internal = fn->linkage == Linkage::Internal;
    LLVMValueRef f = m.makeFunction(m.linkName(fn, fn->attrs) + ".fast", fn->type->as<FunctionType>(), internal ? LLVMInternalLinkage : LLVMExternalLinkage, fn);
    fasts.emplace(fn, f);
    return f;
  }

  void define(const FunctionDecl *fn) override {
    TypeLowering &t = *m.types;
    Procedure p(m, fn);
    p.fast = reference(fn);
    LLVMTypeRef slowParams[] = {t.ptr, t.ptr};
    p.slow = m.makeRawFunction(p.name() + ".slow", LLVMFunctionType(t.voidTy, slowParams, 2, 0), LLVMInternalLinkage);
    LLVMTypeRef sigFields[] = {t.i32, t.i32, t.ptr, t.ptr, t.ptr, t.i32, t.i32, t.ptr, t.ptr, t.i32, t.i32};
    p.sig = LLVMAddGlobal(m.module, LLVMStructTypeInContext(m.context, sigFields, 11, 0), (p.name() + ".sig").c_str());
    LLVMSetLinkage(p.sig, LLVMInternalLinkage);
    LLVMSetAlignment(p.sig, 8);
    if (m.options.spawn == SpawnStrategy::Lazy) emitFastLazy(p, ops);
    else emitFastEager(p, ops);
    emitSlow(p, ops);
    emitSignature(p, ops);
    bool isMain = fn->linkage != Linkage::Internal && (fn->name == "main" || fn->name == "cilk_main");
    bool exported = fn->linkage != Linkage::Internal || declaresExport(fn);
    if (isMain || exported) emitThunk(p);
    if (isMain) emitMainRoot(p);
    else if (exported) emitExport(p);
    any = true;
  }

  void finish() override {
    if (!any && fasts.empty()) return;
    // An object that refers to a wrong flavour does not link, and the symbol's name says why (rt/abi.h, link-time agreement).
    std::string build = "cilk_build";
    if (m.options.cilkDebug) build += "_debug";
    if (m.options.cilkProfile) build += "_profile";
    if (m.options.cilkSpan) build += "_span";
    if (build == "cilk_build") build += "_plain";
    const std::string names[] = {m.options.spawn == SpawnStrategy::Lazy ? "cilk_spawn_lazy" : "cilk_spawn_eager", build};
    LLVMValueRef refs[2];
    for (int i = 0; i < 2; i++) {
      refs[i] = LLVMAddGlobal(m.module, m.types->i8, names[i].c_str());
      LLVMSetLinkage(refs[i], LLVMExternalLinkage);
    }
    LLVMValueRef g = m.privateConstant(LLVMConstArray2(m.types->ptr, refs, 2), 8, "cilk.agreement");
    m.useLater(g);
  }

private:
  ModuleEmitter &m;
  RuntimeOps ops;
  std::map<const FunctionDecl *, LLVMValueRef> fasts;
  bool any = false;

  bool declaresExport(const FunctionDecl *fn) const {
    std::string stub = "mt_" + std::string(fn->name);
    for (auto *f : m.unit.functions) if (f->name == stub) return true;
    return false;
  }
};

}  // namespace

std::unique_ptr<ProcedureEmitter> makeProcedureEmitter(ModuleEmitter &m) { return std::make_unique<ClonesEmitter>(m); }

}  // namespace cilkc::cg
