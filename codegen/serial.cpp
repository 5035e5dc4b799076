// serial.cpp - Cilk procedures as plain C functions (--serial): a spawn is a call, an inlet call is the call followed by the inlet's body, sync and abort are
// nothing, SYNCHED is 1. This is also what the default BodyStrategy does, so nothing but the function itself is left to emit here. A Cilk main is given to
// the runtime's start-up object, which takes Cilk's options as for a parallel program and then calls it.
#include "codegen/function.h"
#include "rt/abi.h"

namespace cilkc::cg {
namespace {

class SerialEmitter : public ProcedureEmitter {
  ModuleEmitter &m;
  std::unordered_map<const FunctionDecl *, LLVMValueRef> functions;

public:
  explicit SerialEmitter(ModuleEmitter &me) : m(me) {}
  LLVMValueRef reference(const FunctionDecl *f) override {
    LLVMValueRef &v = functions[f];
    if (!v)
      v = m.makeFunction(m.linkName(f, f->attrs) + (isMain(f) ? ".serial" : ""), f->type->as<FunctionType>(), m.procedureLinkage(f), f);
    return v;
  }
  void define(const FunctionDecl *f) override {
    LLVMValueRef v = reference(f);
    BodyStrategy plain;
    FunctionEmitter fe(m, v, f, plain);
    fe.begin();
    fe.bindParameters(m.types->abi(f->type->as<FunctionType>()));
    fe.emitBody(*f->def);
    fe.finish();
    if (isMain(f)) {
      TypeLowering &t = *m.types;
      LLVMValueRef fields[] = {v, m.cstring(std::string(f->name), "cilk.name"), LLVMConstInt(t.i32, CILK_ROOT_SERIAL, 0),
                               LLVMConstInt(t.i32, f->type->as<FunctionType>()->result->isVoid() ? 0 : 4, 0)};
      LLVMValueRef root = LLVMConstStructInContext(m.context, fields, 4, 0), g = LLVMAddGlobal(m.module, LLVMTypeOf(root), "cilk_main_root");
      LLVMSetInitializer(g, root);
      LLVMSetGlobalConstant(g, 1);
      LLVMSetLinkage(g, m.procedureLinkage(f));
    }
  }
  void finish() override {}

private:
  static bool isMain(const FunctionDecl *f) { return f->isCilk && f->linkage != Linkage::Internal && (f->name == "main" || f->name == "cilk_main"); }
};

}  // namespace

std::unique_ptr<ProcedureEmitter> makeSerialEmitter(ModuleEmitter &m) { return std::make_unique<SerialEmitter>(m); }

}  // namespace cilkc::cg
