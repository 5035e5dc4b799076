// labels.cpp - labels and jumps. A goto emits the cleanups of the scopes it leaves: scanBody notes beforehand for each
// label which blocks enclose it, and which variables are declared before it.
#include <algorithm>
#include "codegen/core/function.h"
#include "frontend/ast/visit.h"

namespace cilkc::cg {

// ---- what a body contains -----------------------------------------------------------------------------------------

void Labels::scanBody(const CompoundStmt *body) {
  Chain scopeChain;
  scanStmt(body, scopeChain);
}

// The statements directly below one. Those in expressions are no business of the functions here.
template <class F> static void eachSubstatement(const Stmt *s, F &&f) {
  eachChild(s, Walk::Evaluated, [&](const auto *child) {
    if constexpr (std::is_convertible_v<decltype(child), const Stmt *>) f(static_cast<const Stmt *>(child));
  });
}

// Returns whether the statement holds a label or a case of an enclosing switch; marks the blocks that do, since control
// may enter them past declarations.
bool Labels::scanStmt(const Stmt *s, Chain &chain) {
  bool scope = s->kind == StmtKind::Compound || s->kind == StmtKind::For;
  if (scope) chain.push_back(s);
  if (s->kind == StmtKind::Label) {
    const LabelDecl *l = s->as<LabelStmt>()->label;
    enclosing[l] = chain;
    order.try_emplace(l, order.size());
  }
  if (s->kind == StmtKind::Decl && s->as<DeclStmt>()->decl)
    for (auto &d : s->as<DeclStmt>()->decl->declarators) order.try_emplace(d.decl, order.size());
  bool any = s->kind == StmtKind::Label || s->kind == StmtKind::Case || s->kind == StmtKind::Default;
  eachNode(s, Walk::Evaluated, [&](const auto *n) {
    if constexpr (std::is_convertible_v<decltype(n), const Stmt *>) {  // below s, or in an expression of s
      if (n == s) return true;
      any |= scanStmt(n, chain);
      return false;
    } else return true;
  });
  if (scope) chain.pop_back();
  if (scope && any) bypassedBlocks.insert(s);
  return s->kind == StmtKind::Switch ? fe.hasLabels : any;
}

// Could control enter this statement otherwise than from before it?
bool Labels::canBeEnteredInside(const Stmt *s, bool inSwitch) {
  if (!s) return false;
  if (s->kind == StmtKind::Label || s->kind == StmtKind::Spawn || s->kind == StmtKind::Sync ||
      s->kind == StmtKind::Touch)
    return true;  // of the latter three: a slow clone's entry
  if (inSwitch && (s->kind == StmtKind::Case || s->kind == StmtKind::Default)) return true;
  bool found = false;
  eachSubstatement(s,
      [&](const Stmt *c) { found = found || canBeEnteredInside(c, inSwitch && s->kind != StmtKind::Switch); });
  return found;
}

// ---- labels -------------------------------------------------------------------------------------------------------

LLVMBasicBlockRef Labels::labelBlock(const LabelDecl *l) {
  auto it = blocks.find(l);
  if (it != blocks.end()) return it->second;
  LLVMBasicBlockRef b = nullptr;
  bool plain = l->addressTaken && !fe.inInline() && fn && !fn->isCilk && l->fn == fn;
  if (plain) {
    auto known = m.labelBlocks.find(l);
    if (known != m.labelBlocks.end()) b = known->second;
  }
  if (!b) b = fe.newBlock(std::string(l->name).c_str());
  if (plain) {
    if (!LLVMGetBasicBlockParent(b)) LLVMAppendExistingBasicBlock(function, b);
    m.labelBlocks[l] = b;
  }
  return blocks[l] = b;
}

LLVMValueRef Labels::emitLabelAddress(const LabelDecl *l) {
  if (l->fn && l->fn != fn && !fe.inInline() && !l->fn->isCilk) {  // of an enclosing function
    LLVMBasicBlockRef b = m.labelBlock(l);
    return LLVMBlockAddress(m.function(l->fn), b);
  }
  LLVMBasicBlockRef b = labelBlock(l);
  if (!LLVMGetBasicBlockParent(b)) LLVMAppendExistingBasicBlock(function, b);
  if (isTaken.insert(l).second) addressTaken.emplace_back(l, b);
  return LLVMBlockAddress(function, b);
}

// ---- jumps --------------------------------------------------------------------------------------------------------

void Labels::emitGoto(const GotoStmt *s) {
  const LabelDecl *l = s->label;
  if (!l) return;
  if (l->fn && l->fn != fn && !fe.inInline() && fn && fn->parent && !fn->isInlet) {
    LLVMValueRef chain = fe.nested.chainOf(l->fn);
    if (!chain || l->fn->isCilk || l->fn->isInlet)
      m.impossible(s->range, "a goto out of a nested function into a cilk procedure");
    LLVMValueRef buffer = fe.loadRaw(t.ptr, fe.offsetPtr(chain, 8 * jumpSlot(l->fn)), 8);
    auto index = std::find(l->fn->labels.begin(), l->fn->labels.end(), l) - l->fn->labels.begin();
    fe.callRuntime("longjmp", t.voidTy, {fe.offsetPtr(buffer, 16), fe.i32c(index + 1)});
    LLVMBuildUnreachable(builder);
    return;
  }
  auto it = enclosing.find(l);
  if (it != enclosing.end()) {
    auto &chain = it->second;
    // The innermost scope that encloses both. Of its variables those that are declared before the label stay.
    size_t keep = fe.outermostScope();
    bool common = false;
    for (size_t i = keep; i < fe.scopes.depth(); i++) {
      if (!fe.scopes.at(i).node) {
        keep = i + 1;
        common = false;
        continue;
      }
      if (std::find(chain.begin(), chain.end(), fe.scopes.at(i).node) == chain.end()) break;
      keep = i + 1;
      common = true;
    }
    fe.scopes.unwindScopes(keep);
    if (common && keep > 0) {
      auto cleanups = fe.scopes.at(keep - 1).cleanups;
      for (size_t i = cleanups.size(); i-- > 0;)
        if (order.at(cleanups[i].var) > order.at(l)) fe.scopes.emitCleanup(cleanups[i]);
    }
  }
  fe.jump(labelBlock(l));
}

void Labels::emitComputedGoto(LLVMValueRef target) {
  if (!indirectBlock) {
    indirectBlock = fe.newBlock("indirectgoto");
    LLVMBasicBlockRef cur = LLVMGetInsertBlock(builder);
    LLVMPositionBuilderAtEnd(builder, indirectBlock);
    indirectPhi = LLVMBuildPhi(builder, t.ptr, "target");
    LLVMPositionBuilderAtEnd(builder, cur);
  }
  LLVMBasicBlockRef from = LLVMGetInsertBlock(builder);
  LLVMAddIncoming(indirectPhi, &target, &from, 1);
  fe.jump(indirectBlock);
}

void Labels::finish() {
  if (!indirectBlock) return;
  std::vector<LLVMBasicBlockRef> targets;
  for (auto &l : addressTaken) targets.push_back(l.second);
  if (fn)
    for (auto *l : fn->labels)
      if (l->addressTaken && !isTaken.count(l)) targets.push_back(labelBlock(l));
  fe.place(indirectBlock);
  LLVMValueRef br = LLVMBuildIndirectBr(builder, indirectPhi, static_cast<unsigned>(targets.size()));
  for (auto b : targets) LLVMAddDestination(br, b);
}

}  // namespace cilkc::cg
