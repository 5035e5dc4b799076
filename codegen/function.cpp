// function.cpp - one body: entry, parameters, storage of locals, scopes with their cleanups, return. Statements are in stmt.cpp.
//
// Allocas stand at the head of the entry block, so that LLVM promotes them and a clone may enter anywhere. Cleanups (VLA memory, cleanup attribute, lifetime ends)
// belong to scopes; jumps emit those of the scopes they leave. Nested functions get the addresses of the variables they use in a record of pointers
// (the static chain), whose layout follows from the declarations alone.
#include <utility>
#include "codegen/core/function.h"
#include <algorithm>
#include <cstring>
#include "codegen/debug.h"
#include "codegen/core/events.h"
#include "frontend/types/layout.h"

namespace cilkc::cg {

FunctionEmitter::FunctionEmitter(ModuleEmitter &me, LLVMValueRef f, const FunctionDecl *d, BodyStrategy &s)
    : m(me), t(*me.types), context(me.context), builder(LLVMCreateBuilderInContext(me.context)), function(f), fn(d), strategy(s), events(*me.events),
      watching(me.options.modes.wants(ModeProperty::Accesses)), tellingObjects(me.options.modes.wants(ModeProperty::Objects)),
      weighing(me.options.modes.wants(ModeProperty::Units)) {}

FunctionEmitter::~FunctionEmitter() { LLVMDisposeBuilder(builder); }

// ---- entry and exit -----------------------------------------------------------------------------------------------------------------

void FunctionEmitter::begin() {
  LLVMBasicBlockRef first = LLVMCountBasicBlocks(function) ? LLVMGetFirstBasicBlock(function) : nullptr;
  entryBlock = LLVMAppendBasicBlockInContext(context, function, "entry");
  if (first) LLVMMoveBasicBlockBefore(entryBlock, first);  // label blocks may have been asked for already
  LLVMPositionBuilderAtEnd(builder, entryBlock);
  returnBlock = newBlock("return");
  if (m.debug) {
    subprogram = LLVMGetSubprogram(function);
    if (!subprogram) subprogram = m.debug->function(function, fn);
  }
  if (fn) hasLabels = !fn->labels.empty();
  chooseChecks();
  scopes.emplace_back();
  scopes.back().debugScope = subprogram;
  if (fn && (fn->callsSetjmp || fn->usesFrameAddress)) m.attr(function, static_cast<unsigned>(LLVMAttributeFunctionIndex), "noinline");
  strategy.prologue(*this);
  if (fn && fn->def) setLocation(fn->def->body ? fn->def->body->range : fn->def->range);
  else if (subprogram)  // what the compiler makes has no line; its calls must be somewhere all the same
    LLVMSetCurrentDebugLocation2(builder, LLVMDIBuilderCreateDebugLocation(context, 0, 0, subprogram, nullptr));
}

void FunctionEmitter::bindParameters(const AbiFunction &f, unsigned first) {
  abi = &f;
  unsigned index = first;
  if (fn->parent && !fn->isInlet && first) chainParam = LLVMGetParam(function, first - 1);
  if (f.sret()) {
    returnSlot = Address{LLVMGetParam(function, index++), std::max(f.result.align, 1u), fn->type->as<FunctionType>()->result.unqual()};
    returnSlot.own = true;
  }
  unsigned n = 0;
  for (size_t i = 0; i < f.params.size(); i++) {
    const VarDecl *p = i < fn->params.size() ? fn->params[i] : nullptr;
    unsigned before = index;
    QualType type = f.types[i];
    RValue v = raiseParameter(f.params[i], type, index);
    if (!p) continue;
    n++;
    if (!p->name.empty() && index > before) {
      std::string name(p->name);
      if (index == before + 1) LLVMSetValueName2(LLVMGetParam(function, before), name.data(), name.size());
    }
    if (v.kind == RValue::Aggregate && hasVariableSize(p->type.type)) {
      Address slot{entryAlloca(t.ptr, 8, "param"), 8, p->type};  // as for a VLA: the address of the object
      storeRaw(v.addr.ptr, slot.ptr, 8);
      storage[p] = slot;
      continue;
    }
    if (v.kind == RValue::Aggregate && !strategy.storageFor(*this, p) && v.addr.align >= std::max(t.align(p->type), p->attrs.align)) {
      v.addr.type = p->type;
      bindParameter(p, v.addr);
      continue;
    }
    Address a = variable(p);
    if (v.kind == RValue::None) continue;
    if (v.kind == RValue::Scalar) v.value = convertScalar(v.value, type, p->type);  // K&R: passed promoted
    Address plain = a;
    plain.type = a.type.unqual();
    plain.own = true;  // passing arguments is the call's business
    if (m.debug) LLVMSetCurrentDebugLocation2(builder, nullptr);  // part of the prologue: a breakpoint stands behind it
    storeToLvalue(plain, v);
  }
  if (m.debug && n) setLocation(fn->range);
  buildChain();
  armNonlocalLabels();
  // Variably modified parameter types: their sizes are computed on entry.
  for (const VarDecl *p : fn->params)
    if (isVariablyModified(p->type.type)) emitVlaSizes(p->type, p);
}

void FunctionEmitter::bindParameter(const VarDecl *v, const Address &a) {
  Address &mine = storage[v] = a;
  mine.own = false;
  mine.object = v;
  if (m.debug && open()) m.debug->local(LLVMGetInsertBlock(builder), v, a.ptr, hasVariableSize(v->type.type), scopes.back().debugScope, v->range.begin);
}

void FunctionEmitter::emitBody(const FunctionDef &def) {
  strategy.bodyBegins(*this);
  if (!def.body) {
    strategy.fallOff(*this);
    return;
  }
  scanBody(def.body);
  emitCompound(def.body, true);
  if (open()) {
    setLocation(def.body->closing);
    strategy.fallOff(*this);
  }
}

void FunctionEmitter::emitPart(const FunctionDef &def, size_t from, size_t to) {
  if (!from) strategy.bodyBegins(*this);
  std::vector<std::pair<const void *, unsigned>> chain{{def.body, 0}};
  for (size_t i = from; i < to; i++) scanStmt(def.body->body[i], chain);
  pushScope();
  scopes.back().node = def.body;
  for (size_t i = from; i < to; i++) emitStmt(def.body->body[i]);
  popScope();
}

void FunctionEmitter::tellObject(bool begins, Object::Kind kind, const VarDecl *v, LLVMValueRef ptr, LLVMValueRef size) {
  if (!tellingObjects || !open()) return;
  Object o{kind, v, ptr, size, v ? v->range.begin : calledAt};
  begins ? events.objectBegins(*this, o) : events.objectEnds(*this, o);
}

void FunctionEmitter::finish() {
  LLVMPositionBuilderAtEnd(builder, entryBlock);
  // The common return.
  if (returnUsed) {
    place(returnBlock);
    strategy.epilogue(*this);
    if (fn && fn->def && fn->def->body) setLocation(fn->def->body->closing);
    LLVMTypeRef ret = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    if (LLVMGetTypeKind(ret) == LLVMVoidTypeKind) LLVMBuildRetVoid(builder);
    else if (abi && returnSlot.ptr && !abi->sret()) {
      LLVMValueRef v = nullptr;
      if (abi->result.kind == AbiSlot::Pieces) {
        v = lowerResult(abi->result, RValue::aggregate(returnSlot), returnSlot.type);
      } else v = lowerResult(abi->result, load(returnSlot), returnSlot.type);
      v ? LLVMBuildRet(builder, v) : LLVMBuildRetVoid(builder);
    } else LLVMBuildRet(builder, LLVMGetUndef(ret));
  } else {  // only a block of a function can be deleted
    LLVMAppendExistingBasicBlock(function, returnBlock);
    LLVMDeleteBasicBlock(returnBlock);
  }
  // Computed gotos: one indirectbr to every label whose address is taken.
  if (indirectBlock) {
    std::vector<LLVMBasicBlockRef> targets;
    for (auto &l : addressTaken) targets.push_back(l.second);
    if (fn)
      for (auto *l : fn->labels)
        if (l->addressTaken && std::none_of(addressTaken.begin(), addressTaken.end(), [&](auto &x) { return x.first == l; })) targets.push_back(labelBlock(l));
    place(indirectBlock);
    LLVMValueRef br = LLVMBuildIndirectBr(builder, indirectPhi, static_cast<unsigned>(targets.size()));
    for (auto b : targets) LLVMAddDestination(br, b);
  }
  // LLVM aligns the frame to what arguments in memory ask for, but dynamic memory only to what it asks for itself; the arguments lie below it.
  if (argumentAlign > 16 && fn && (fn->usesAlloca || fn->usesVla))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) && LLVMGetAlignment(i) < argumentAlign) LLVMSetAlignment(i, argumentAlign);
  // Every block ends; empty ones that nothing reaches go.
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function), next; b; b = next) {
    next = LLVMGetNextBasicBlock(b);
    if (LLVMGetBasicBlockTerminator(b)) continue;
    LLVMPositionBuilderAtEnd(builder, b);
    LLVMBuildUnreachable(builder);
  }
  events.functionEmitted(*this);
}

Address FunctionEmitter::resultSlot() {
  if (!returnSlot.ptr) { returnSlot = temporary(fn->type->as<FunctionType>()->result.unqual(), "retval"); }
  return returnSlot;
}

void FunctionEmitter::emitReturnValue(const Expr *value) {
  if (!value) return;
  QualType r = fn->type->as<FunctionType>()->result;
  if (r->isVoid() || value->type->isVoid()) {
    emitIgnored(value);
    return;
  }
  if (checks(Check::ReturnsNonnull) && r->isPointer()) {
    LLVMValueRef p = emitScalar(value);
    checkResult(p, value->range.begin);
    storeToLvalue(resultSlot(), RValue::scalar(p));
    return;
  }
  emitInto(value, resultSlot());
}
void FunctionEmitter::emitReturnValue(const RValue &v) {
  if (v.kind != RValue::None && !fn->type->as<FunctionType>()->result->isVoid()) storeToLvalue(resultSlot(), v);
}
void FunctionEmitter::emitReturnJump() {
  if (!open()) return;
  unwindScopes(inlineDepth ? inlineBase : 0);
  if (!open()) return;
  if (inlineDepth) jump(inlineEnd);
  else {
    returnUsed = true;
    jump(returnBlock);
  }
}
void FunctionEmitter::emitReturnUndef() {
  LLVMTypeRef ret = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  if (LLVMGetTypeKind(ret) == LLVMVoidTypeKind) LLVMBuildRetVoid(builder);
  else LLVMBuildRet(builder, LLVMGetUndef(ret));
}

void FunctionEmitter::emitInline(const FunctionDef &def, const std::vector<RValue> &args) {
  const FunctionDecl *d = def.fn;
  for (auto *v : d->params) storage.erase(v);
  for (auto *v : d->locals) storage.erase(v);
  for (auto *l : d->labels) labels.erase(l);
  auto oldBreaks = std::move(breaks), oldContinues = std::move(continues);
  auto oldSwitches = std::move(switches);
  breaks.clear();
  continues.clear();
  switches.clear();
  LLVMBasicBlockRef oldEnd = inlineEnd;
  size_t oldBase = inlineBase;
  bool oldLabels = hasLabels;
  hasLabels = hasLabels || !d->labels.empty();
  inlineEnd = newBlock("inlet.end");
  pushScope();
  if (m.debug && subprogram && !expansion && m.options.debugLevel > 1) scopes.back().debugScope = m.debug->lexicalBlock(subprogram, def.range.begin);
  inlineBase = scopes.size();
  inlineDepth++;
  if (d->isInlet) events.inletBegins(*this, d);
  const auto &passed = d->type->as<FunctionType>()->params;
  for (size_t i = 0; i < d->params.size() && i < args.size(); i++) {
    Address a = variable(d->params[i]);
    a.type = a.type.unqual();
    a.own = true;
    RValue v = args[i];
    if (v.kind == RValue::Scalar && i < passed.size()) v.value = convertScalar(v.value, passed[i].unqual(), a.type);  // K&R: passed promoted
    storeToLvalue(a, v);
    if (isVariablyModified(d->params[i]->type.type)) emitVlaSizes(d->params[i]->type, d->params[i]);
  }
  if (def.body) {
    scanBody(def.body);
    emitCompound(def.body, true);
  }
  inlineDepth--;
  place(inlineEnd);
  if (d->isInlet) events.inletEnds(*this, d);
  inlineEnd = oldEnd;
  inlineBase = oldBase;
  hasLabels = oldLabels;
  popScope();
  breaks = std::move(oldBreaks);
  continues = std::move(oldContinues);
  switches = std::move(oldSwitches);
}

// ---- blocks ---------------------------------------------------------------------------------------------------------------------------

LLVMBasicBlockRef FunctionEmitter::newBlock(const char *name) { return LLVMCreateBasicBlockInContext(context, name); }

bool FunctionEmitter::open() const {
  LLVMBasicBlockRef b = LLVMGetInsertBlock(builder);
  return b && !LLVMGetBasicBlockTerminator(b);
}

void FunctionEmitter::place(LLVMBasicBlockRef b) {
  LLVMBasicBlockRef cur = LLVMGetInsertBlock(builder);
  if (open()) LLVMBuildBr(builder, b);
  if (LLVMGetBasicBlockParent(b)) LLVMMoveBasicBlockAfter(b, LLVMGetLastBasicBlock(function));
  else if (cur && LLVMGetBasicBlockParent(cur)) {
    LLVMAppendExistingBasicBlock(function, b);
    if (LLVMGetLastBasicBlock(function) != b) LLVMMoveBasicBlockAfter(b, LLVMGetLastBasicBlock(function));
  } else LLVMAppendExistingBasicBlock(function, b);
  LLVMPositionBuilderAtEnd(builder, b);
}

void FunctionEmitter::ensureOpen() {
  if (!open()) {
    LLVMBasicBlockRef b = LLVMAppendBasicBlockInContext(context, function, "dead");
    LLVMPositionBuilderAtEnd(builder, b);
  }
}
void FunctionEmitter::jump(LLVMBasicBlockRef b) {
  if (open()) LLVMBuildBr(builder, b);
}

void FunctionEmitter::branch(LLVMValueRef c, LLVMBasicBlockRef yes, LLVMBasicBlockRef no, int expect) {
  if (!open()) return;
  if (LLVMIsAConstantInt(c)) {
    jump(LLVMConstIntGetZExtValue(c) ? yes : no);
    return;
  }
  if (expect >= 0 && m.optimizing()) c = callIntrinsic("llvm.expect", {t.i1}, {c, LLVMConstInt(t.i1, expect != 0, false)});
  LLVMBuildCondBr(builder, c, yes, no);
}

LLVMValueRef FunctionEmitter::call(LLVMTypeRef type, LLVMValueRef callee, std::vector<LLVMValueRef> args, const char *name) {
  return LLVMBuildCall2(builder, type, callee, args.data(), static_cast<unsigned>(args.size()),
      LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind ? "" : name);
}
LLVMValueRef FunctionEmitter::callIntrinsic(const char *name, std::vector<LLVMTypeRef> overloads, std::vector<LLVMValueRef> args) {
  LLVMValueRef f = m.intrinsic(name, overloads);
  if (!f) return LLVMGetUndef(t.i32);
  return call(LLVMGlobalGetValueType(f), f, std::move(args));
}
LLVMValueRef FunctionEmitter::callRuntime(const char *name, LLVMTypeRef result, std::vector<LLVMValueRef> args) {
  std::vector<LLVMTypeRef> types;
  for (auto a : args) types.push_back(LLVMTypeOf(a));
  LLVMTypeRef ft = LLVMFunctionType(result, types.data(), static_cast<unsigned>(types.size()), false);
  return call(ft, m.runtimeFunction(name, ft), std::move(args));
}

LLVMValueRef FunctionEmitter::entryAlloca(LLVMTypeRef type, uint32_t align, const char *name) {
  LLVMBasicBlockRef cur = LLVMGetInsertBlock(builder);
  LLVMMetadataRef loc = LLVMGetCurrentDebugLocation2(builder);
  LLVMValueRef at = allocaPoint ? LLVMGetNextInstruction(allocaPoint) : LLVMGetFirstInstruction(entryBlock);
  if (at) LLVMPositionBuilderBefore(builder, at);
  else LLVMPositionBuilderAtEnd(builder, entryBlock);
  LLVMSetCurrentDebugLocation2(builder, nullptr);
  LLVMValueRef a = LLVMBuildAlloca(builder, type, name);
  LLVMSetAlignment(a, align ? align : 1);
  allocaPoint = a;
  if (cur) LLVMPositionBuilderAtEnd(builder, cur);
  LLVMSetCurrentDebugLocation2(builder, loc);
  return a;
}

Address FunctionEmitter::temporary(QualType q, const char *name) {
  uint32_t align = t.align(q);
  Address a{hasVariableSize(q.type) ? strategy.allocateDynamic(*this, sizeOfType(q), align) : entryAlloca(t.memory(q), align, name), align, q.unqual()};
  a.own = true;
  return a;
}

LLVMValueRef FunctionEmitter::i32c(int64_t v) { return LLVMConstInt(t.i32, static_cast<uint64_t>(v), true); }
LLVMValueRef FunctionEmitter::i64c(int64_t v) { return LLVMConstInt(t.i64, static_cast<uint64_t>(v), true); }
LLVMValueRef FunctionEmitter::offsetPtr(LLVMValueRef p, uint64_t bytes) {
  if (!bytes) return p;
  LLVMValueRef off = i64c(static_cast<int64_t>(bytes));
  return LLVMBuildInBoundsGEP2(builder, t.i8, p, &off, 1, "");
}

// ---- storage ----------------------------------------------------------------------------------------------------------------------------

bool FunctionEmitter::hasStorage(const VarDecl *v) const { return storage.count(v) != 0; }
void FunctionEmitter::forgetStorage(const VarDecl *v) { storage.erase(v); }

static bool isAncestor(const FunctionDecl *f, const FunctionDecl *of) {
  for (const FunctionDecl *p = of ? of->parent : nullptr; p; p = p->parent)
    if (p == f) return true;
  return false;
}

// Which slot of f's chain record holds the address of v; slot 0 is the chain of f itself.
static unsigned chainSlot(const FunctionDecl *f, const VarDecl *v) {
  unsigned n = 1;
  for (auto *p : f->params) {
    if (p == v) return n;
    if (p->crossesNested) n++;
  }
  for (auto *p : f->locals) {
    if (p == v) return n;
    if (p->crossesNested) n++;
  }
  return 0;
}

// The slot behind the variables: the jump buffer.
unsigned jumpSlot(const FunctionDecl *f) {
  unsigned n = 1;
  for (auto *p : f->params) n += p->crossesNested;
  for (auto *p : f->locals) n += p->crossesNested;
  return n;
}

void FunctionEmitter::buildChain() {
  if (!fn || fn->inlets.empty() || fn->isCilk) return;
  std::vector<const VarDecl *> vars;
  for (auto *p : fn->params)
    if (p->crossesNested) vars.push_back(p);
  for (auto *p : fn->locals)
    if (p->crossesNested) vars.push_back(p);
  chainRecord = entryAlloca(LLVMArrayType2(t.ptr, vars.size() + 2), 8, "chain");
  if (chainParam) storeRaw(chainParam, chainRecord, 8);
  unsigned n = 1;
  for (auto *v : vars) {
    Address a;
    if (hasVariableSize(v->type.type)) {
      auto it = storage.find(v);
      if (it == storage.end()) {
        variable(v);
        it = storage.find(v);
      }
      a = it->second;
    } else a = variable(v);
    storeRaw(a.ptr, offsetPtr(chainRecord, 8 * n++), 8);
  }
}

// The chain record of a function around this one.
LLVMValueRef FunctionEmitter::chainOf(const FunctionDecl *owner) {
  LLVMValueRef c = chainParam;
  for (const FunctionDecl *f = fn; c && f && f->parent != owner; f = f->parent) c = loadRaw(t.ptr, c, 8);
  return c;
}

// The chain a callee expects: the record of its parent.
LLVMValueRef FunctionEmitter::staticChainFor(const FunctionDecl *callee) {
  if (callee->parent == fn) return chainRecord ? chainRecord : LLVMConstNull(t.ptr);
  LLVMValueRef c = chainOf(callee->parent);
  return c ? c : LLVMConstNull(t.ptr);
}

// setjmp at entry; its other returns go to the labels. Optimisation must leave the function alone: a jump may find any variable changed.
void FunctionEmitter::armNonlocalLabels() {
  if (!chainRecord || !fn || std::none_of(fn->labels.begin(), fn->labels.end(), [](auto *l) { return l->nonlocal; })) return;
  const unsigned F = static_cast<unsigned>(LLVMAttributeFunctionIndex);
  for (const char *name : {"alwaysinline", "optsize", "minsize", "inlinehint"})
    LLVMRemoveEnumAttributeAtIndex(function, F, LLVMGetEnumAttributeKindForName(name, strlen(name)));
  m.attr(function, F, "noinline");
  m.attr(function, F, "optnone");
  jumpBuffer = entryAlloca(LLVMArrayType2(t.i8, 528), 16, "nonlocal");
  storeRaw(jumpBuffer, offsetPtr(chainRecord, 8 * jumpSlot(fn)), 8);
  noteStack();
  LLVMValueRef r = callRuntime("_setjmp", t.i32, {offsetPtr(jumpBuffer, 16)});
  m.callAttr(r, F, "returns_twice");
  m.attr(LLVMGetCalledValue(r), F, "returns_twice");
  LLVMBasicBlockRef go = newBlock("nonlocal.none");
  LLVMValueRef sw = LLVMBuildSwitch(builder, r, go, static_cast<unsigned>(fn->labels.size()));
  for (size_t i = 0; i < fn->labels.size(); i++) {
    if (!fn->labels[i]->nonlocal) continue;
    LLVMBasicBlockRef in = newBlock("nonlocal");
    place(in);
    LLVMAddCase(sw, i32c(static_cast<int64_t>(i) + 1), in);
    callIntrinsic("llvm.stackrestore", {t.ptr}, {loadRaw(t.ptr, jumpBuffer, 8)});
    jump(labelBlock(fn->labels[i]));
  }
  place(go);
}

// After every change of the stack pointer, where nonlocal jumps may come in.
void FunctionEmitter::noteStack() {
  if (jumpBuffer) storeRaw(callIntrinsic("llvm.stacksave", {t.ptr}, {}), jumpBuffer, 8);
}

Address FunctionEmitter::variable(const VarDecl *v) {
  Address a = storageOf(v);
  a.object = v;
  a.where = v->range;
  return a;
}

Address FunctionEmitter::storageOf(const VarDecl *v) {
  bool vla = hasVariableSize(v->type.type);
  auto it = storage.find(v);
  if (it != storage.end()) {
    Address a = it->second;
    if (!strategy.storageStays())
      if (LLVMValueRef here = strategy.storageFor(*this, v)) a.ptr = here;
    if (!vla) return a;
    return Address{loadRaw(t.ptr, a.ptr, 8), t.align(v->type), v->type};
  }
  if (!v->isLocal && !v->isParam) {
    if (v->storage == StorageClass::Register && v->attrs.hasAsmLabel) {
      Address a;
      a.type = v->type;
      LLVMMetadataRef s = LLVMMDStringInContext2(context, v->attrs.asmLabel.data(), v->attrs.asmLabel.size());
      a.namedRegister = LLVMMDNodeInContext2(context, &s, 1);
      return a;
    }
    LLVMValueRef g = m.global(v);
    if (v->threadLocal) g = threadLocalAddress(g);
    uint32_t align =
        isComplete(v->type.type) ? std::max(t.align(v->type), v->attrs.align) : t.align(v->type->isArray() ? v->type->as<ArrayType>()->elem : v->type);
    return Address{g, align, v->type};
  }
  if (v->fn && v->fn != fn && fn && !fn->isInlet && isAncestor(v->fn, fn) && chainParam) {
    LLVMValueRef c = chainParam;
    for (const FunctionDecl *f = fn->parent; f && f != v->fn; f = f->parent) c = loadRaw(t.ptr, c, 8);
    LLVMValueRef p = loadRaw(t.ptr, offsetPtr(c, 8 * chainSlot(v->fn, v)), 8);
    if (vla) p = loadRaw(t.ptr, p, 8);
    return Address{p, std::max(t.align(v->type), 1u), v->type};
  }
  Address a;
  a.type = v->type;
  a.align = vla ? 8 : std::max(t.align(v->type), v->attrs.align);
  a.ptr = strategy.storageFor(*this, v);
  if (!a.ptr) {
    std::string name(v->name);
    if (!vla && v->type->isArray() && t.size(v->type) >= 16) a.align = std::max(a.align, 16u);
    a.ptr = entryAlloca(vla ? t.ptr : t.memory(v->type), a.align, name.c_str());
  }
  storage[v] = a;
  if (m.debug && !v->hidden && !expansion && m.options.debugLevel > 1) {
    if (v->isParam && LLVMGetInsertBlock(builder) == entryBlock) setLocation(v->range);
    ensureOpen();
    // Where control enters in the middle, it does not pass the declaration: all stand at the entry.
    BodyStrategy::DebugPlace place = strategy.debugPlace(v);
    m.debug->local(strategy.lifetimeMarkers() ? LLVMGetInsertBlock(builder) : entryBlock, v, place.base ? place.base : a.ptr, vla,
        v->isParam && !inlineDepth ? subprogram : scopes.back().debugScope, v->range.begin, place.base ? &place.offset : nullptr);
  }
  return vla ? Address{loadRaw(t.ptr, a.ptr, 8), t.align(v->type), v->type} : a;
}

void FunctionEmitter::tellClosure(LLVMValueRef holder) {
  if (m.debug && !expansion) m.debug->closure(entryBlock, holder, subprogram);
}

Address FunctionEmitter::sizeVariable(const VarDecl *v) {
  Address a = variable(v);
  a.own = true;
  return a;
}

LLVMValueRef FunctionEmitter::vlaPointer(const VarDecl *v) { return variable(v).ptr; }

LLVMValueRef FunctionEmitter::threadLocalAddress(LLVMValueRef g) {
  LLVMValueRef p = callIntrinsic("llvm.threadlocal.address", {t.ptr}, {g});
  return p;
}

// Members behind one of variable size follow it as their alignment asks; bit-fields keep the places that layout gave them relative to the
// first one of their run.
LLVMValueRef FunctionEmitter::variableOffset(const RecordType *r, const FieldDecl *wanted) {
  auto alignUp = [&](LLVMValueRef v, uint64_t to) {
    if (to <= 1) return v;
    return LLVMBuildAnd(builder, LLVMBuildAdd(builder, v, i64c(static_cast<int64_t>(to - 1)), ""), i64c(-static_cast<int64_t>(to)), "");
  };
  LLVMValueRef at = nullptr;  // behind the last member, once that is not constant
  LLVMValueRef runAt = nullptr;
  const FieldDecl *run = nullptr;  // the first bit-field of the current run
  uint64_t runEnd = 0;
  for (const FieldDecl *f : r->fields) {
    if (r->isUnion) {
      if (f == wanted) return i64c(0);
      LLVMValueRef size = f->bitField ? i64c((f->width + 7) / 8) : sizeOfType(f->type);
      at = at ? LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntUGT, size, at, ""), size, at, "") : size;
      continue;
    }
    if (!at) {
      if (f == wanted) return i64c(static_cast<int64_t>(f->offset));
      if (!f->bitField && hasVariableSize(f->type.type)) at = LLVMBuildAdd(builder, i64c(static_cast<int64_t>(f->offset)), sizeOfType(f->type), "");
      continue;
    }
    if (f->bitField && f->width) {
      if (!run) {
        run = f;
        runAt = at = alignUp(at, memberAlign(r, f, m.ast.target));
      }
      if (f == wanted) return LLVMBuildAdd(builder, runAt, i64c(static_cast<int64_t>(f->offset - run->offset)), "");
      runEnd = f->offset * 8 + f->bitOffset + f->width - run->offset * 8;
      at = LLVMBuildAdd(builder, runAt, i64c(static_cast<int64_t>((runEnd + 7) / 8)), "");
      continue;
    }
    run = nullptr;
    if (f->bitField) continue;
    at = alignUp(at, memberAlign(r, f, m.ast.target));
    if (f == wanted) return at;
    at = LLVMBuildAdd(builder, at, sizeOfType(f->type), "");
  }
  return at ? alignUp(at, t.align(r)) : i64c(static_cast<int64_t>(r->size));
}

// Bytes of a type of variable size.
LLVMValueRef FunctionEmitter::sizeOfType(QualType q) {
  if (q->isRecord() && q->as<RecordType>()->variable) return variableOffset(q->as<RecordType>(), nullptr);
  if (!q->isArray() || !hasVariableSize(q.type)) return i64c(static_cast<int64_t>(t.size(q)));
  auto *a = q->as<ArrayType>();
  LLVMValueRef n;
  if (a->arrayKind == ArrayKind::Variable) {
    if (a->sizeVar) n = loadScalar(sizeVariable(a->sizeVar));
    else n = a->size ? emitScalar(a->size) : i64c(0);
    if (LLVMTypeOf(n) != t.i64) n = LLVMBuildIntCast2(builder, n, t.i64, false, "");
  } else n = i64c(static_cast<int64_t>(a->count));
  return LLVMBuildMul(builder, n, sizeOfType(a->elem), "");
}

// Evaluates the sizes of a variably modified type into their hidden variables where its declaration is reached. A type belongs to the first
// declaration that has it; a later one (through a typedef or typeof) uses the sizes as they are. No owner: a type name in an expression.
void FunctionEmitter::emitVlaSizes(QualType q, const void *owner) {
  const Type *ty = q.type;
  switch (ty->kind) {
    case TypeKind::Pointer:
      if (isVariablyModified(ty->as<PointerType>()->pointee.type)) emitVlaSizes(ty->as<PointerType>()->pointee, owner);
      break;
    case TypeKind::Array: {
      auto *a = ty->as<ArrayType>();
      if (a->arrayKind == ArrayKind::Variable && a->sizeVar && a->size && !isAncestor(a->sizeVar->fn, fn)) {  // a type of a function around has its sizes
        auto it = vlaOwner.find(a->sizeVar);  // not the type: a qualified copy of it shares its sizes
        if (it == vlaOwner.end() || it->second == owner) {
          if (owner) vlaOwner[a->sizeVar] = owner;
          LLVMValueRef n = emitScalar(a->size);
          n = convertScalar(n, a->size->type, a->sizeVar->type);
          checkVlaSize(n, a->size);
          storeScalar(sizeVariable(a->sizeVar), n);
        }
      }
      if (isVariablyModified(a->elem.type)) emitVlaSizes(a->elem, owner);
      break;
    }
    case TypeKind::Record:
      if (ty->as<RecordType>()->variable)
        for (const FieldDecl *f : ty->as<RecordType>()->fields) emitVlaSizes(f->type, owner);
      break;
    case TypeKind::Function:
      if (isVariablyModified(ty->as<FunctionType>()->result.type)) emitVlaSizes(ty->as<FunctionType>()->result, owner);
      break;
    default: break;
  }
}

// ---- scopes and cleanups ------------------------------------------------------------------------------------------------------------------

void FunctionEmitter::pushScope() {
  BlockScope s;
  s.debugScope = scopes.empty() ? subprogram : scopes.back().debugScope;
  scopes.push_back(s);
}

void FunctionEmitter::popScope() {
  auto &cleanups = scopes.back().cleanups;
  if (open())
    for (size_t i = cleanups.size(); i-- > 0;) emitCleanup(cleanups[i]);
  scopes.pop_back();
}

void FunctionEmitter::unwindScopes(size_t depth) {
  for (size_t s = scopes.size(); s-- > depth;)
    for (size_t i = scopes[s].cleanups.size(); i-- > 0;) {
      Cleanup c = scopes[s].cleanups[i];
      emitCleanup(c);
    }
}

void FunctionEmitter::emitCleanup(const Cleanup &c) {
  if (!open()) return;
  switch (c.kind) {
    case Cleanup::Dynamic:
      strategy.dynamicReset(*this, loadRaw(t.ptr, c.value, 8));
      noteStack();
      break;
    case Cleanup::Told:
      tellObject(false, c.size ? Object::Local : Object::Vla, c.var, c.size ? c.value : nullptr, c.size ? i64c(static_cast<int64_t>(c.size)) : nullptr);
      break;
    case Cleanup::Lifetime: callIntrinsic("llvm.lifetime.end", {t.ptr}, {i64c(static_cast<int64_t>(c.size)), c.value}); break;
    case Cleanup::Function: {
      const FunctionDecl *f = c.var->attrs.cleanup;
      auto *ft = f->type->as<FunctionType>();
      Address a = variable(c.var);
      QualType pt = ft->params.empty() ? QualType(m.ast.basic(TypeKind::ULong)) : ft->params[0];
      RValue arg = RValue::scalar(ft->params.empty() ? LLVMBuildPtrToInt(builder, a.ptr, t.i64, "") : a.ptr);
      const VarDecl *outer = std::exchange(cleaning, c.var);
      emitCallTo(m.function(f), ft, {arg}, {pt}, {}, f);
      cleaning = outer;
      break;
    }
  }
}

// -fexceptions: unwinding (a C++ exception, pthread_cancel) runs the functions of __attribute__((cleanup)). The landing pad runs the innermost one, then those around
// it. While one runs, be it in a pad or at the end of its block, only the ones around it are pending.
LLVMBasicBlockRef FunctionEmitter::landingPad() {
  std::vector<std::pair<size_t, size_t>> pending;
  for (size_t s = 0; s < scopes.size(); s++)
    for (size_t i = 0; i < scopes[s].cleanups.size(); i++) {
      if (scopes[s].cleanups[i].kind != Cleanup::Function) continue;
      if (cleaning && scopes[s].cleanups[i].var == cleaning) {
        s = scopes.size() - 1;
        break;
      }
      pending.emplace_back(s, i);
    }
  if (pending.empty()) return nullptr;
  auto [scope, index] = pending.back();
  if (LLVMBasicBlockRef known = scopes[scope].cleanups[index].pad) return known;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(builder), pad = LLVMAppendBasicBlockInContext(context, function, "unwinding");
  scopes[scope].cleanups[index].pad = pad;
  LLVMPositionBuilderAtEnd(builder, pad);
  LLVMTypeRef parts[2] = {t.ptr, t.i32}, caught = LLVMStructTypeInContext(context, parts, 2, false);
  if (!LLVMHasPersonalityFn(function)) {
    LLVMValueRef personality = LLVMGetNamedFunction(m.module, "__gcc_personality_v0");
    if (!personality) personality = LLVMAddFunction(m.module, "__gcc_personality_v0", LLVMFunctionType(t.i32, nullptr, 0, true));
    LLVMSetPersonalityFn(function, personality);
  }
  LLVMValueRef exception = LLVMBuildLandingPad(builder, caught, nullptr, 0, "");
  LLVMSetCleanup(exception, true);
  for (size_t k = pending.size(); k-- > 0;) {
    Cleanup c = scopes[pending[k].first].cleanups[pending[k].second];
    emitCleanup(c);
  }
  if (open()) LLVMBuildResume(builder, exception);
  LLVMPositionBuilderAtEnd(builder, here);
  return pad;
}

LLVMBasicBlockRef FunctionEmitter::labelBlock(const LabelDecl *l) {
  auto it = labels.find(l);
  if (it != labels.end()) return it->second;
  LLVMBasicBlockRef b = nullptr;
  bool plain = l->addressTaken && !inlineDepth && fn && !fn->isCilk && l->fn == fn;
  if (plain) {
    auto known = m.labelBlocks.find(l);
    if (known != m.labelBlocks.end()) b = known->second;
  }
  if (!b) b = newBlock(std::string(l->name).c_str());
  if (plain) {
    if (!LLVMGetBasicBlockParent(b)) LLVMAppendExistingBasicBlock(function, b);
    m.labelBlocks[l] = b;
  }
  return labels[l] = b;
}

void FunctionEmitter::setLocation(Range r) { setLocation(r.begin); }
void FunctionEmitter::setLocation(Loc l) {
  if (!m.debug || !subprogram || !l.valid() || expansion) return;  // what is expanded is at the user's call
  LLVMSetCurrentDebugLocation2(builder, m.debug->location(l, scopes.empty() || !scopes.back().debugScope ? subprogram : scopes.back().debugScope));
}

// ---- the default strategy: a C function -------------------------------------------------------------------------------------------------------

void BodyStrategy::emitSpawn(FunctionEmitter &fe, const SpawnStmt &s) {
  Address receiver;
  std::vector<RValue> extra, args;
  std::vector<QualType> types;
  if (s.delivery) receiver = fe.emitLvalue(s.receiver());
  if (s.inlet) fe.emitInletArgs(s, extra);
  const FunctionDecl *direct = nullptr;
  LLVMValueRef callee = fe.emitCallee(s.call, direct);
  fe.emitArgs(s.call, args, types);
  fe.events.spawns(fe, s);
  RValue result = fe.emitCallTo(callee, s.type(), args, types, {}, direct);
  fe.emitDelivery(s, result, receiver, extra);
  fe.events.spawnReturned(fe, s);
}
LLVMValueRef BodyStrategy::emitSynched(FunctionEmitter &fe, const Synched *) { return fe.i32c(1); }
void BodyStrategy::bodyBegins(FunctionEmitter &fe) { fe.events.functionBegins(fe); }
void BodyStrategy::epilogue(FunctionEmitter &fe) { fe.events.functionEnds(fe); }
void BodyStrategy::emitReturn(FunctionEmitter &fe, const ReturnStmt *s) {
  fe.emitReturnValue(s->value);
  fe.emitReturnJump();
}
void BodyStrategy::fallOff(FunctionEmitter &fe) {
  const FunctionDecl *f = fe.fn;
  if ((f->name == "main" || (f->isCilk && f->name == "cilk_main")) && !f->parent && f->type->as<FunctionType>()->result->isInteger())
    fe.storeScalar(fe.resultSlot(), LLVMConstNull(fe.t.value(f->type->as<FunctionType>()->result)));
  else if (!f->type->as<FunctionType>()->result->isVoid()) fe.resultSlot();
  fe.emitReturnJump();
}
LLVMValueRef BodyStrategy::allocateDynamic(FunctionEmitter &fe, LLVMValueRef size, uint32_t align, const VarDecl *) {
  LLVMValueRef a = LLVMBuildArrayAlloca(fe.builder, fe.t.i8, size, "vla");
  LLVMSetAlignment(a, align < 16 ? 16 : align);
  return a;
}
LLVMValueRef BodyStrategy::dynamicMark(FunctionEmitter &fe, const VarDecl *) { return fe.callIntrinsic("llvm.stacksave", {fe.t.ptr}, {}); }
void BodyStrategy::dynamicReset(FunctionEmitter &fe, LLVMValueRef mark) { fe.callIntrinsic("llvm.stackrestore", {fe.t.ptr}, {mark}); }
LLVMValueRef BodyStrategy::cilkAlloca(FunctionEmitter &fe, LLVMValueRef size) { return allocateDynamic(fe, size, 16); }

}  // namespace cilkc::cg
