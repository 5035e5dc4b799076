// nested.cpp - nested functions of GNU C: they get the addresses of the variables they use in a record of pointers (the
// static chain), whose layout follows from the declarations alone. A jump from one of them to a label of its owner is a
// longjmp.
#include "codegen/core/function.h"
#include <algorithm>
#include <cstring>

namespace cilkc::cg {

bool isAncestor(const FunctionDecl *f, const FunctionDecl *of) {
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

// The slot after the variables: the jump buffer.
unsigned jumpSlot(const FunctionDecl *f) {
  unsigned n = 1;
  for (auto *p : f->params) n += p->crossesNested;
  for (auto *p : f->locals) n += p->crossesNested;
  return n;
}

void NestedFunctions::buildChain() {
  if (!fn || fn->inlets.empty() || fn->isCilk) return;
  std::vector<const VarDecl *> vars;
  for (auto *p : fn->params)
    if (p->crossesNested) vars.push_back(p);
  for (auto *p : fn->locals)
    if (p->crossesNested) vars.push_back(p);
  chainRecord = fe.entryAlloca(LLVMArrayType2(t.ptr, vars.size() + 2), 8, "chain");
  if (chainParam) fe.storeRaw(chainParam, chainRecord, 8);
  unsigned n = 1;
  for (auto *v : vars) {
    Address a = fe.locals.slotOf(v);
    fe.storeRaw(a.ptr, fe.offsetPtr(chainRecord, 8 * n++), 8);
  }
}

LLVMValueRef NestedFunctions::captured(const VarDecl *v) {
  if (!v->fn || v->fn == fn || !fn || fn->isInlet || !isAncestor(v->fn, fn) || !chainParam) return nullptr;
  LLVMValueRef c = chainParam;
  for (const FunctionDecl *f = fn->parent; f && f != v->fn; f = f->parent) c = fe.loadRaw(t.ptr, c, 8);
  return fe.loadRaw(t.ptr, fe.offsetPtr(c, 8 * chainSlot(v->fn, v)), 8);
}

// The chain record of an enclosing function.
LLVMValueRef NestedFunctions::chainOf(const FunctionDecl *owner) {
  LLVMValueRef c = chainParam;
  for (const FunctionDecl *f = fn; c && f && f->parent != owner; f = f->parent) c = fe.loadRaw(t.ptr, c, 8);
  return c;
}

// The chain a callee expects: the record of its parent.
LLVMValueRef NestedFunctions::staticChainFor(const FunctionDecl *callee) {
  if (callee->parent == fn) return chainRecord ? chainRecord : LLVMConstNull(t.ptr);
  LLVMValueRef c = chainOf(callee->parent);
  return c ? c : LLVMConstNull(t.ptr);
}

// setjmp at entry; its other returns go to the labels. Optimisation must leave the function alone: a jump may find any
// variable changed.
void NestedFunctions::armNonlocalLabels() {
  if (!chainRecord || !fn || std::none_of(fn->labels.begin(), fn->labels.end(), [](auto *l) { return l->nonlocal; }))
    return;
  const unsigned F = static_cast<unsigned>(LLVMAttributeFunctionIndex);
  for (const char *name : {"alwaysinline", "optsize", "minsize", "inlinehint"})
    LLVMRemoveEnumAttributeAtIndex(function, F, LLVMGetEnumAttributeKindForName(name, strlen(name)));
  m.attributes.attr(function, F, "noinline");
  m.attributes.attr(function, F, "optnone");
  jumpBuffer = fe.entryAlloca(LLVMArrayType2(t.i8, 528), 16, "nonlocal");
  fe.storeRaw(jumpBuffer, fe.offsetPtr(chainRecord, 8 * jumpSlot(fn)), 8);
  noteStack();
  LLVMValueRef r = fe.callRuntime("_setjmp", t.i32, {fe.offsetPtr(jumpBuffer, 16)});
  m.attributes.callAttr(r, F, "returns_twice");
  m.attributes.attr(LLVMGetCalledValue(r), F, "returns_twice");
  LLVMBasicBlockRef go = fe.newBlock("nonlocal.none");
  LLVMValueRef sw = LLVMBuildSwitch(builder, r, go, static_cast<unsigned>(fn->labels.size()));
  for (size_t i = 0; i < fn->labels.size(); i++) {
    if (!fn->labels[i]->nonlocal) continue;
    LLVMBasicBlockRef in = fe.newBlock("nonlocal");
    fe.place(in);
    LLVMAddCase(sw, fe.i32c(static_cast<int64_t>(i) + 1), in);
    fe.callIntrinsic("llvm.stackrestore", {t.ptr}, {fe.loadRaw(t.ptr, jumpBuffer, 8)});
    fe.jump(fe.labels.labelBlock(fn->labels[i]));
  }
  fe.place(go);
}

// After every change of the stack pointer, where nonlocal jumps may come in.
void NestedFunctions::noteStack() {
  if (jumpBuffer) fe.storeRaw(fe.callIntrinsic("llvm.stacksave", {t.ptr}, {}), jumpBuffer, 8);
}

}  // namespace cilkc::cg
