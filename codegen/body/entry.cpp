// entry.cpp - one body: entry, parameters, result and end; a body in the middle of another one.
#include <algorithm>
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "codegen/module/debug.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"

namespace cilkc::cg {

FunctionEmitter::FunctionEmitter(ModuleEmitter &me, LLVMValueRef f, const FunctionDecl *d, BodyStrategy &s)
    : FunctionBuilder(me, f), fn(d), strategy(s), events(*me.events) {}

// ---- entry and exit -----------------------------------------------------------------------------------------------

// head: --coverage counts a call of fn.
void FunctionEmitter::begin(bool head) {
  head |= !m.options.covers();
  LLVMBasicBlockRef first = LLVMCountBasicBlocks(function) ? LLVMGetFirstBasicBlock(function) : nullptr;
  entryBlock = LLVMAppendBasicBlockInContext(context, function, "entry");
  if (first) LLVMMoveBasicBlockBefore(entryBlock, first);  // label blocks may have been asked for already
  LLVMPositionBuilderAtEnd(builder, entryBlock);
  returnBlock = newBlock("return");
  if (m.debug) {
    subprogram = LLVMGetSubprogram(function);
    if (!subprogram) subprogram = m.debug->function(function, head ? fn : nullptr, head ? "" : std::string(fn->name));
  }
  if (fn) hasLabels = !fn->labels.empty();
  ubsan.chooseChecks();
  scopes.pushScope();
  if (fn && (fn->callsSetjmp || fn->usesFrameAddress))
    m.attributes.attr(function, static_cast<unsigned>(LLVMAttributeFunctionIndex), "noinline");
  strategy.prologue(*this);
  if (head && fn && fn->def) setLocation(fn->def->body ? fn->def->body->range : fn->def->range);
  else setNoLine();
}

// The local record that each return of the function gives back, and that is over with it: it may be made where the
// caller wants the result. There LLVM keeps its members in registers, each on its own: its SLP vectoriser would join
// them for the sake of the copy.
static const VarDecl *returnedBy(const FunctionDecl *fn) {
  const VarDecl *found = nullptr;
  bool other = fn->callsSetjmp;
  eachNode(static_cast<const Stmt *>(fn->def->body), Walk::Evaluated, [&](const auto *n) {
    if constexpr (std::is_same_v<decltype(n), const Stmt *>) {
      if (n->kind != StmtKind::Return) return;
      const Expr *e = n->template as<ReturnStmt>()->value;
      const VarDecl *v = e ? namedVariable(e) : nullptr;
      other |= !v || (found && v != found);
      found = v;
    }
  });
  if (other || !found || !found->isLocal || found->isParam || found->fn != fn || found->crossesNested) return nullptr;
  const QualType result = fn->type->as<FunctionType>()->result.unqual();
  if (!found->type->isRecord() || found->type.unqual() != result || found->type.isVolatile() || found->type.isAtomic())
    return nullptr;
  // What is called at the end of its block may change it, after the value was taken.
  const auto cleans = [](const VarDecl *v) { return v->attrs.cleanup != nullptr; };
  return std::any_of(fn->locals.begin(), fn->locals.end(), cleans) ? nullptr : found;
}

void FunctionEmitter::bindParameters(const AbiFunction &f, unsigned first) {
  abi = &f;
  unsigned index = first;
  if (fn->parent && !fn->isInlet && first) nested.enter(LLVMGetParam(function, first - 1));
  if (f.sret()) {
    returnSlot = Address{LLVMGetParam(function, index++), std::max(f.result.align, 1u),
        fn->type->as<FunctionType>()->result.unqual()};
    returnSlot.own = true;
    const CodegenOptions &o = m.options;
    // Clones go on in closures: what lives across their spawns is better in registers.
    if (m.optimizing() && fn->def && !fn->isCilk && !o.sanitizeAddress && !o.modes.wants(ModeProperty::EventsInPlace))
      returned = returnedBy(fn);
    if (returned && returned->attrs.align > returnSlot.align) returned = nullptr;
  }
  unsigned n = 0;
  for (size_t i = 0; i < f.params.size(); i++) {
    const VarDecl *p = i < fn->params.size() ? fn->params[i] : nullptr;
    unsigned before = index;
    QualType type = f.types[i];
    if (p && f.params[i].kind == AbiSlot::Stacked && p->type.unqual() == type.unqual() &&
        !strategy.storageFor(*this, p)) {
      Address a = calls.stackedParameter(f, i, first);      // it stays where it was passed
      if (a.align >= std::max(t.align(p->type), p->attrs.align)) {
        a.type = p->type;
        locals.bindParameter(p, a);
        n++;
        continue;
      }
    }
    RValue v = calls.raiseParameter(f, i, first, index);
    if (!p) continue;
    n++;
    if (!p->name.empty() && index > before) {
      std::string name(p->name);
      if (index == before + 1) LLVMSetValueName2(LLVMGetParam(function, before), name.data(), name.size());
    }
    if (v.kind == RValue::Aggregate && hasVariableSize(p->type.type)) {
      Address slot{entryAlloca(t.ptr, 8, "param"), 8, p->type};  // as for a VLA: the address of the object
      storeRaw(v.addr.ptr, slot.ptr, 8);
      locals.keepAt(p, slot);
      continue;
    }
    if (v.kind == RValue::Aggregate && !strategy.storageFor(*this, p) &&
        v.addr.align >= std::max(t.align(p->type), p->attrs.align)) {
      v.addr.type = p->type;
      locals.bindParameter(p, v.addr);
      continue;
    }
    Address a = locals.variable(p);
    if (v.kind == RValue::None) continue;
    if (v.kind == RValue::Scalar) v.value = conv.convertScalar(v.value, type, p->type);  // K&R: passed promoted
    Address plain = a;
    plain.type = a.type.unqual();
    plain.own = true;  // passing arguments is the call's business
    if (m.debug) LLVMSetCurrentDebugLocation2(builder, nullptr);  // part of the prologue: a breakpoint comes after it
    memory.storeToLvalue(plain, v);
  }
  if (m.debug && n) setLocation(fn->range);
  nested.buildChain();
  nested.armNonlocalLabels();
  // Variably modified parameter types: their sizes are computed on entry.
  for (const VarDecl *p : fn->params)
    if (isVariablyModified(p->type.type)) locals.emitVlaSizes(p->type, p);
}

void FunctionEmitter::emitBody(const FunctionDef &def) {
  strategy.bodyBegins(*this);
  if (!def.body) {
    strategy.fallOff(*this);
    return;
  }
  labels.scanBody(def.body);
  stmts.emitCompound(def.body, true);
  if (open()) {
    setLocation(def.body->closing);
    strategy.fallOff(*this);
  }
}

void FunctionEmitter::finish() {
  LLVMPositionBuilderAtEnd(builder, entryBlock);
  // The common return.
  if (returnUsed) {
    place(returnBlock);
    if (fn && fn->def && fn->def->body && m.options.covers()) setLocation(fn->def->body->closing);
    strategy.epilogue(*this);
    if (fn && fn->def && fn->def->body) setLocation(fn->def->body->closing);
    LLVMTypeRef ret = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    if (LLVMGetTypeKind(ret) == LLVMVoidTypeKind) LLVMBuildRetVoid(builder);
    else if (abi && returnSlot.ptr && !abi->sret()) {
      LLVMValueRef v = nullptr;
      if (abi->result.kind == AbiSlot::Pieces) {
        v = calls.lowerResult(abi->result, RValue::aggregate(returnSlot), returnSlot.type);
      } else v = calls.lowerResult(abi->result, memory.load(returnSlot), returnSlot.type);
      v ? LLVMBuildRet(builder, v) : LLVMBuildRetVoid(builder);
    } else LLVMBuildRet(builder, LLVMGetUndef(ret));
  } else {  // only a block of a function can be deleted
    LLVMAppendExistingBasicBlock(function, returnBlock);
    LLVMDeleteBasicBlock(returnBlock);
  }
  labels.finish();
  // LLVM aligns the frame to what arguments in memory ask for, but dynamic memory only to what it asks for itself; the
  // arguments lie below it.
  if (calls.argumentAlign() > 16 && fn && (fn->usesAlloca || fn->usesVla))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
            LLVMGetAlignment(i) < calls.argumentAlign())
          LLVMSetAlignment(i, calls.argumentAlign());
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
  if (!returnSlot.ptr) { returnSlot = locals.temporary(fn->type->as<FunctionType>()->result.unqual(), "retval"); }
  return returnSlot;
}

void FunctionEmitter::emitReturnValue(const Expr *value) {
  if (!value) return;
  QualType r = fn->type->as<FunctionType>()->result;
  if (r->isVoid() || value->type->isVoid()) {
    exprs.emitIgnored(value);
    return;
  }
  if (ubsan.checks(Check::ReturnsNonnull) && r->isPointer()) {
    LLVMValueRef p = exprs.emitScalar(value);
    ubsan.checkResult(p, value->range.begin);
    memory.storeToLvalue(resultSlot(), RValue::scalar(p));
    return;
  }
  const VarDecl *v = returned ? namedVariable(value) : nullptr;
  if (v && locals.variable(v).ptr == returnSlot.ptr) return;
  exprs.emitInto(value, resultSlot());
}

void FunctionEmitter::emitReturnJump() {
  if (!open()) return;
  scopes.unwindScopes(outermostScope());
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

// ---- a body in another one ----------------------------------------------------------------------------------------

void FunctionEmitter::emitInline(const FunctionDef &def, const std::vector<RValue> &args) {
  const FunctionDecl *d = def.fn;
  for (auto *v : d->params) locals.forget(v);
  for (auto *v : d->locals) locals.forget(v);
  for (auto *l : d->labels) labels.forget(l);
  auto around = stmts.startInline();
  LLVMBasicBlockRef oldEnd = inlineEnd;
  size_t oldBase = inlineBase;
  bool oldLabels = hasLabels;
  hasLabels = hasLabels || !d->labels.empty();
  inlineEnd = newBlock("inlet.end");
  scopes.pushScope();
  if (m.debug && subprogram && !expansions.current() && m.options.debugLevel > 1)
    scopes.innermost().debugScope = m.debug->lexicalBlock(subprogram, def.range.begin);
  inlineBase = scopes.depth();
  inlineDepth++;
  if (d->isInlet) events.inletBegins(*this, d);
  const auto &passed = d->type->as<FunctionType>()->params;
  for (size_t i = 0; i < d->params.size() && i < args.size(); i++) {
    Address a = locals.variable(d->params[i]);
    a.type = a.type.unqual();
    a.own = true;
    RValue v = args[i];
    // K&R: passed promoted
    if (v.kind == RValue::Scalar && i < passed.size())
      v.value = conv.convertScalar(v.value, passed[i].unqual(), a.type);
    memory.storeToLvalue(a, v);
    if (isVariablyModified(d->params[i]->type.type)) locals.emitVlaSizes(d->params[i]->type, d->params[i]);
  }
  if (def.body) {
    labels.scanBody(def.body);
    stmts.emitCompound(def.body, true);
  }
  inlineDepth--;
  place(inlineEnd);
  if (d->isInlet) events.inletEnds(*this, d);
  inlineEnd = oldEnd;
  inlineBase = oldBase;
  hasLabels = oldLabels;
  scopes.popScope();
  stmts.endInline(std::move(around));
}

// ---- debug --------------------------------------------------------------------------------------------------------

void FunctionEmitter::setLocation(Range r) { setLocation(r.begin); }
void FunctionEmitter::setLocation(Loc l) {
  if (!m.debug || !subprogram || !l.valid() || expansions.current()) return;  // what is expanded is at the user's call
  LLVMSetCurrentDebugLocation2(builder, m.debug->location(l, scopes.debugScope()));
}
// What the compiler makes has no line; but its calls must be somewhere.
void FunctionEmitter::setNoLine() {
  if (subprogram)
    LLVMSetCurrentDebugLocation2(builder, LLVMDIBuilderCreateDebugLocation(context, 0, 0, subprogram, nullptr));
}
void FunctionEmitter::bookkeeping() {
  if (m.options.covers()) setNoLine();
}

}  // namespace cilkc::cg
