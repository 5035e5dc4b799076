// serial.cpp - Cilk procedures as plain C functions (--serial): a spawn is a call, an inlet call is the call followed by the inlet's body, sync and abort are
// nothing, SYNCHED is 1. This is also what the default BodyStrategy does, so nothing but the function itself is left to emit here.
#include "codegen/function.h"

namespace cilkc::cg {
namespace {

class SerialEmitter : public ProcedureEmitter {
  ModuleEmitter &m;
  std::unordered_map<const FunctionDecl *, LLVMValueRef> functions;

public:
  explicit SerialEmitter(ModuleEmitter &me) : m(me) {}
  LLVMValueRef reference(const FunctionDecl *f) override {
    LLVMValueRef &v = functions[f];
    if (!v) {
      LLVMLinkage l = f->linkage == Linkage::Internal && f->def ? LLVMInternalLinkage : LLVMExternalLinkage;
      v = m.makeFunction(m.linkName(f, f->attrs), f->type->as<FunctionType>(), l, f);
    }
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
  }
  void finish() override {}
};

}  // namespace

std::unique_ptr<ProcedureEmitter> makeSerialEmitter(ModuleEmitter &m) { return std::make_unique<SerialEmitter>(m); }

}  // namespace cilkc::cg
