// root.cpp - calls from C. The thunk `void f.thunk(void *args, void *result)` calls the fast clone with arguments out
// of a struct; the export stub `T mt_f(CilkContext *ctx, args…)`, or the C function `T f(args…)` of OpenCilk, packs
// that struct and has the runtime run the thunk; a Cilk main is the constant `cilk_main_root`.
#include "codegen/clones/abi.h"
#include "codegen/clones/procedure.h"
#include "codegen/core/events.h"
#include "rt/extensions/cilk1/cilk1.h"

namespace cilkc::cg {
ArgsLayout layoutArgs(ModuleEmitter &m, const FunctionType *type) {
  ArgsLayout a;
  for (auto &t : type->params) {
    uint32_t al = m.types->align(t);
    a.align = std::max(a.align, al);
    a.size = (a.size + al - 1) / al * al;
    a.offsets.push_back(a.size);
    a.size += m.types->size(t);
  }
  a.size = (a.size + a.align - 1) / a.align * a.align;
  return a;
}

Address packedArgument(LLVMValueRef ptr, QualType type, uint32_t align) {
  Address a;
  a.ptr = ptr;
  a.type = type;
  a.align = align;
  a.mayAlias = true;
  a.own = true;
  return a;
}

namespace {

struct Glue : BodyStrategy {
  bool usersCode() const override { return false; }
};

LLVMValueRef rootConstant(Procedure &p) {
  ModuleEmitter &m = p.m;
  TypeLowering &t = *m.types;
  ArgsLayout args = layoutArgs(m, p.type);
  return abi::constant(m,
      abi::cilk_root{.thunk = p.thunk,
          .name = m.cstring(p.name(), "cilk.name"),
          .args_size = LLVMConstInt(t.i32, args.size, 0),
          .result_size = LLVMConstInt(t.i32, p.type->result->isVoid() ? 0 : t.size(p.type->result), 0)});
}

}  // namespace

void emitThunk(Procedure &p) {
  ModuleEmitter &m = p.m;
  TypeLowering &t = *m.types;
  LLVMTypeRef params[] = {t.ptr, t.ptr};
  p.thunk = m.makeRawFunction(p.name() + ".thunk", LLVMFunctionType(t.voidTy, params, 2, 0), LLVMInternalLinkage);
  Glue plain;
  FunctionEmitter fe(m, p.thunk, p.fn, plain);
  fe.begin(false);
  ArgsLayout args = layoutArgs(m, p.type);
  LLVMValueRef block = LLVMGetParam(p.thunk, 0), result = LLVMGetParam(p.thunk, 1);
  std::vector<RValue> values;
  std::vector<QualType> types;
  for (size_t i = 0; i < p.type->params.size(); i++) {
    QualType type = p.type->params[i].unqual();
    Address a = packedArgument(fe.offsetPtr(block, args.offsets[i]), type, t.align(type));
    values.push_back(type->isRecord() ? RValue::aggregate(a) : fe.memory.load(a));
    types.push_back(type);
  }
  fe.events.rootBegins(fe, block);
  RValue r = fe.calls.emitCallTo(p.fast, p.type, values, types);
  if (r.kind != RValue::None)
    fe.memory.storeToLvalue(packedArgument(result, p.type->result.unqual(), heapAlign(t.align(p.type->result))), r);
  LLVMBuildRetVoid(fe.builder);
  fe.finish();
}

void remoteEntry(ModuleEmitter &m, LLVMValueRef what, const std::string &name, unsigned kind) {
  TypeLowering &t = *m.types;
  static_assert(offsetof(cilk_remote, kind) == 8 && sizeof(cilk_remote) == 16);
  LLVMValueRef fields[] = {what, LLVMConstInt(t.i64, kind, 0)};
  LLVMValueRef init = LLVMConstStructInContext(m.context, fields, 2, 0),
               entry = LLVMAddGlobal(m.module, LLVMTypeOf(init), name.c_str());
  LLVMSetInitializer(entry, init);
  LLVMSetGlobalConstant(entry, m.options.pic == PicLevel::None);
  LLVMSetLinkage(entry, LLVMInternalLinkage);
  LLVMSetSection(entry, "cilk_remote");
  LLVMSetAlignment(entry, 8);
  m.useLater(entry);
}

// The parameters of fe's function in a block as a thunk finds them. With `context` the first one is the runtime's, and
// is passed on.
static LLVMValueRef pack(FunctionEmitter &fe, Procedure &p, const AbiFunction &abi, bool context,
    std::vector<LLVMValueRef> &passed) {
  TypeLowering &t = fe.t;
  ArgsLayout args = layoutArgs(fe.m, p.type);
  LLVMValueRef block = fe.entryAlloca(LLVMArrayType2(t.i8, args.size ? args.size : 1), args.align, "args");
  unsigned index = abi.sret() ? 1 : 0;
  for (size_t i = 0; i < abi.params.size(); i++) {
    RValue v = fe.calls.raiseParameter(abi, i, 0, index);
    if (context && i == 0) {
      passed.push_back(v.value);
      continue;
    }
    QualType ty = p.type->params[i - context].unqual();
    fe.memory.storeToLvalue(packedArgument(fe.offsetPtr(block, args.offsets[i - context]), ty, t.align(ty)), v);
  }
  return block;
}

// Where fe's function puts its result before it returns that; null: nowhere.
static Address resultPlace(FunctionEmitter &fe, const AbiFunction &abi, QualType type) {
  if (type->isVoid()) return {};
  return abi.sret() ? packedArgument(LLVMGetParam(fe.function, 0), type, fe.t.align(type))
                    : fe.locals.temporary(type, "result");
}

static void returnFrom(FunctionEmitter &fe, const AbiFunction &abi, const Address &result, QualType type) {
  LLVMValueRef ret = nullptr;
  if (!type->isVoid() && !abi.sret())
    ret = fe.calls.lowerResult(abi.result, type->isRecord() ? RValue::aggregate(result) : fe.memory.load(result), type);
  if (ret) LLVMBuildRet(fe.builder, ret);
  else LLVMBuildRetVoid(fe.builder);
}

// f.offer: the runtime, if it wants an offer, gets the root and the arguments; it returns the future, or null.
static void emitOffer(Procedure &p, LLVMValueRef root) {
  ModuleEmitter &m = p.m;
  Glue plain;
  FunctionEmitter fe(m, m.function(p.fn->offers), p.fn->offers, plain);
  fe.begin(false);
  LLVMValueRef wanted = LLVMGetNamedGlobal(m.module, "cilk_rt_offers_wanted");
  if (!wanted) wanted = LLVMAddGlobal(m.module, fe.t.i32, "cilk_rt_offers_wanted");
  LLVMBasicBlockRef no = fe.newBlock("offer.none"), yes = fe.newBlock("offer.wanted");
  LLVMValueRef now = fe.loadRaw(fe.t.i32, wanted, 4);
  LLVMSetVolatile(now, 1);
  fe.branch(LLVMBuildIsNull(fe.builder, now, ""), no, yes, 1);
  fe.place(no);
  LLVMBuildRet(fe.builder, LLVMConstNull(fe.t.ptr));
  fe.place(yes);
  std::vector<LLVMValueRef> passed;
  LLVMValueRef block = pack(fe, p, fe.t.abi(p.fn->offers->type->as<FunctionType>()), false, passed);
  LLVMBuildRet(fe.builder, fe.callRuntime("cilk_rt_offer", fe.t.ptr, {root, block}));
  fe.finish();
}

// f.taken: the value, which is there, out of the future, which ends.
static void emitTaken(Procedure &p) {
  ModuleEmitter &m = p.m;
  const FunctionDecl *f = p.fn->takes;
  Glue plain;
  FunctionEmitter fe(m, m.function(f), f, plain);
  fe.begin(false);
  const AbiFunction &abi = fe.t.abi(f->type->as<FunctionType>());
  QualType type = p.type->result.unqual();
  Address result = resultPlace(fe, abi, type);
  LLVMValueRef future = LLVMGetParam(fe.function, abi.sret() ? 1 : 0);
  fe.callRuntime("cilk_rt_taken", fe.t.voidTy,
      {future, result.ptr ? result.ptr : LLVMConstNull(fe.t.ptr),
          fe.i64c(type->isVoid() ? 0 : static_cast<int64_t>(fe.t.size(type)))});
  returnFrom(fe, abi, result, type);
  fe.finish();
}

void emitRemote(Procedure &p) {
  LLVMValueRef root = p.m.privateConstant(rootConstant(p), 8, "cilk.root");
  remoteEntry(p.m, root, p.name() + ".remote", CILK_REMOTE_ROOT);
  emitOffer(p, root);
  emitTaken(p);
}

// Packs the parameters, has the runtime run the root, and returns the result. With `context` the first parameter is the
// runtime's.
static void packAndRun(Procedure &p, LLVMValueRef stub, const FunctionType *type, bool context) {
  ModuleEmitter &m = p.m;
  TypeLowering &t = *m.types;
  LLVMValueRef rootGlobal = m.privateConstant(rootConstant(p), 8, "cilk.root");
  Glue plain;
  FunctionEmitter fe(m, stub, p.fn, plain);
  fe.begin(false);
  const AbiFunction &abi = t.abi(type);
  std::vector<LLVMValueRef> passed;
  LLVMValueRef block = pack(fe, p, abi, context, passed);
  if (type->variadic) {
    QualType pointer = p.type->params.back();
    LLVMValueRef list = fe.locals.temporary(m.ast.vaListType(), "rest").ptr;
    fe.callIntrinsic("llvm.va_start", {t.ptr}, {list});
    fe.memory.storeToLvalue(
        packedArgument(fe.offsetPtr(block, layoutArgs(m, p.type).offsets.back()), pointer, t.align(pointer)),
        RValue::scalar(list));
  }
  QualType rt = p.type->result.unqual();
  Address result = resultPlace(fe, abi, rt);
  passed.insert(passed.end(), {rootGlobal, block, result.ptr ? result.ptr : LLVMConstNull(t.ptr)});
  fe.events.callsRoot(fe, block);
  fe.callRuntime(context ? "cilk_rt_call_root" : "cilk_rt_enter", t.voidTy, passed);
  fe.events.rootReturned(fe);
  returnFrom(fe, abi, result, rt);
  fe.finish();
}

void emitExport(Procedure &p) {
  const FunctionType *type;
  LLVMValueRef stub = p.m.makeExport(p.fn, type);
  packAndRun(p, stub, type, true);
}

void emitEntry(Procedure &p, LLVMValueRef function) {
  packAndRun(p, function, p.fn->entered->type->as<FunctionType>(), false);
}

void emitMainRoot(Procedure &p) {
  LLVMValueRef root = rootConstant(p);
  LLVMValueRef g = LLVMAddGlobal(p.m.module, LLVMTypeOf(root), "cilk_main_root");
  LLVMSetInitializer(g, root);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, p.m.procedureLinkage(p.fn));
}

}  // namespace cilkc::cg
