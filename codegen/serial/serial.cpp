// serial.cpp - Cilk procedures as plain C functions (--serial): a spawn is a call; an inlet call is the call followed
// by the inlet's body; sync and abort are nothing; SYNCHED is 1 unless a mode has an answer of its own. This is also
// what the default BodyStrategy does; what is added here are the events of an instance, for tools that run the program
// in this form. Without such a mode they add no code. C calls a procedure by the same name as in a parallel program,
// `mt_f`, which takes a context and has no use for it. A Cilk main is given to the runtime's start-up object, which
// takes Cilk's options as for a parallel program and then calls it.
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "codegen/serial/futures.h"
#include "rt/core/abi.h"

namespace cilkc::cg {
namespace {

// An instance of a procedure that runs with its children in the order of the text.
class SerialBody : public BodyStrategy {
public:
  // Objects of blocks beside each other have separate places where modes distinguish them, or come back to a future of
  // before.
  explicit SerialBody(bool shared) : sharesPlaces(shared) {}
  bool lifetimeMarkers() const override { return sharesPlaces; }
  void bodyBegins(FunctionEmitter &fe) override {
    if (fe.fn->isCilk) fe.events.procedureBegins(fe);
    else BodyStrategy::bodyBegins(fe);
  }
  void epilogue(FunctionEmitter &fe) override {
    if (!fe.fn->isCilk) return BodyStrategy::epilogue(fe);
    emitSync(fe, nullptr);
    fe.events.procedureEnds(fe);
  }
  void emitTouch(FunctionEmitter &fe, const TouchStmt &s) override { reportTouched(fe, s); }
  void emitSync(FunctionEmitter &fe, const SyncStmt *s) override {
    fe.events.syncs(fe, s);
    fe.events.synced(fe);
  }
  LLVMValueRef emitSynched(FunctionEmitter &fe, const Synched *e) override {
    LLVMValueRef answer = fe.events.synched(fe);
    return answer ? answer : BodyStrategy::emitSynched(fe, e);
  }

private:
  bool sharesPlaces;
};

struct Glue : BodyStrategy {
  bool usersCode() const override { return false; }
};

void giveBack(FunctionEmitter &fe, const AbiFunction &abi, LLVMValueRef stub, QualType rt, const RValue &result) {
  LLVMValueRef value = nullptr;
  if (abi.sret()) {
    Address to;
    to.ptr = LLVMGetParam(stub, 0);
    to.type = rt;
    to.align = fe.t.align(rt);
    to.mayAlias = to.own = true;
    fe.memory.storeToLvalue(to, result);
  } else if (!rt->isVoid()) {
    value = fe.calls.lowerResult(abi.result, result, rt);
  }
  if (value) LLVMBuildRet(fe.builder, value);
  else LLVMBuildRetVoid(fe.builder);
}

// `T mt_f(CilkContext *, args...)` calls f.
void emitStub(ModuleEmitter &m, const FunctionDecl *f, LLVMValueRef procedure) {
  TypeLowering &t = *m.types;
  const auto *plain = f->type->as<FunctionType>();
  const FunctionType *type;
  LLVMValueRef stub = m.makeExport(f, type);
  Glue glue;
  FunctionEmitter fe(m, stub, f, glue);
  fe.begin(false);
  const AbiFunction &abi = t.abi(type);
  std::vector<RValue> values;
  std::vector<QualType> types;
  unsigned index = abi.sret() ? 1 : 0;
  for (size_t i = 0; i < abi.params.size(); i++) {
    RValue v = fe.calls.raiseParameter(abi, i, 0, index);
    if (i == 0) continue;
    values.push_back(v);
    types.push_back(plain->params[i - 1].unqual());
  }
  fe.events.functionBegins(fe);
  RValue result = fe.calls.emitCallTo(procedure, plain, values, types);
  fe.events.functionEnds(fe);
  QualType rt = plain->result.unqual();
  LLVMValueRef given = LLVMGetParam(stub, abi.sret() ? 1 : 0), kept = LLVMConstNull(t.ptr);
  if (!rt->isVoid()) {
    Address to = fe.locals.temporary(rt, "result");
    fe.memory.storeToLvalue(to, result);
    kept = to.ptr;
  }
  fe.callRuntime("cilk_rt_serial_ended", t.voidTy,
      {given, kept, fe.i64c(rt->isVoid() ? 0 : static_cast<int64_t>(t.size(rt)))});
  giveBack(fe, abi, stub, rt, result);
  fe.finish();
}

class SerialEmitter : public ProcedureEmitter {
  ModuleEmitter &m;
  std::unordered_map<const FunctionDecl *, LLVMValueRef> functions;

public:
  explicit SerialEmitter(ModuleEmitter &me) : m(me) {}
  LLVMValueRef reference(const FunctionDecl *f) override {
    LLVMValueRef &v = functions[f];
    if (!v)
      v = m.makeFunction(m.linkName(f, f->attrs) + (isMain(f)       ? ".serial"
                                                       : f->entered ? ".body"
                                                                    : ""),
          f->type->as<FunctionType>(), m.procedureLinkage(f), f);
    return v;
  }
  // `T f(args...)` calls the procedure that has its body.
  void enter(const FunctionDecl *f, LLVMValueRef function) override {
    const auto *type = f->entered->type->as<FunctionType>();
    LLVMValueRef procedure = m.function(f);
    TypeLowering &t = *m.types;
    Glue glue;
    FunctionEmitter fe(m, function, f, glue);
    fe.begin(false);
    const AbiFunction &abi = t.abi(type);
    std::vector<RValue> values;
    std::vector<QualType> types;
    unsigned index = abi.sret() ? 1 : 0;
    for (size_t i = 0; i < abi.params.size(); i++) {
      values.push_back(fe.calls.raiseParameter(abi, i, 0, index));
      types.push_back(type->params[i].unqual());
    }
    if (type->variadic) {
      LLVMValueRef list = fe.locals.temporary(m.ast.vaListType(), "rest").ptr;
      fe.callIntrinsic("llvm.va_start", {t.ptr}, {list});
      values.push_back(RValue::scalar(list));
      types.push_back(f->type->as<FunctionType>()->params.back());
    }
    fe.events.functionBegins(fe);
    RValue result = fe.calls.emitCallTo(procedure, f->type->as<FunctionType>(), values, types);
    fe.events.functionEnds(fe);
    giveBack(fe, abi, function, type->result.unqual(), result);
    fe.finish();
  }
  void define(const FunctionDecl *f) override {
    any |= f->isCilk;
    LLVMValueRef v = reference(f);
    SerialBody body(!m.options.modes.wants(ModeProperty::Objects) && !m.options.modes.wants(ModeProperty::Futures));
    FunctionEmitter fe(m, v, f, body);
    fe.begin();
    fe.bindParameters(m.types->abi(f->type->as<FunctionType>()));
    fe.emitBody(*f->def);
    fe.finish();
    if (f->isCilk && m.exported(f) && !isMain(f)) emitStub(m, f, v);
    if (isMain(f)) {
      TypeLowering &t = *m.types;
      LLVMValueRef fields[] = {v, m.cstring(std::string(f->name), "cilk.name"),
          LLVMConstInt(t.i32, CILK_ROOT_SERIAL, 0),
          LLVMConstInt(t.i32, f->type->as<FunctionType>()->result->isVoid() ? 0 : 4, 0)};
      LLVMValueRef root = LLVMConstStructInContext(m.context, fields, 4, 0),
                   g = LLVMAddGlobal(m.module, LLVMTypeOf(root), "cilk_main_root");
      LLVMSetInitializer(g, root);
      LLVMSetGlobalConstant(g, 1);
      LLVMSetLinkage(g, m.procedureLinkage(f));
    }
  }
  // What a tool's mode put into C code, too, is understood by its library alone.
  void finish() override {
    std::string_view form = "serial";
    for (auto &mode : kModes)
      if (mode.has(ModeProperty::OwnForm) && m.options.modes.contains(mode.id)) form = mode.name;
    if (any || form != "serial") m.tag({{"form", form}});
    for (auto &mode : kModes)
      if (any && mode.has(ModeProperty::Serial)) m.tag({{mode.name, m.options.modes.contains(mode.id) ? "on" : "off"}});
  }

private:
  bool any = false;
  static bool isMain(const FunctionDecl *f) {
    return f->isCilk && f->linkage != Linkage::Internal && (f->name == "main" || f->name == "cilk_main");
  }
};

}  // namespace

std::unique_ptr<ProcedureEmitter> makeSerialEmitter(ModuleEmitter &m) { return std::make_unique<SerialEmitter>(m); }

}  // namespace cilkc::cg
