// stmt.cpp - statements, declarations in blocks, jumps; spawn, sync, abort and inlet calls are handed to the strategy.
//
// Code after a jump that no label makes reachable is not emitted. A goto emits the cleanups of the scopes it leaves: scanBody notes beforehand for each label which
// blocks enclose it and how many cleanups are open there.
#include <algorithm>
#include "codegen/debug.h"
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "frontend/ast/visit.h"

namespace cilkc::cg {

// ---- what a body contains ----------------------------------------------------------------------------------------------------------------

static bool needsCleanup(const VarDecl *v, bool &dynamicSeen) {
  if (v->attrs.cleanup) return true;
  if (hasVariableSize(v->type.type) && v->isLocal && !dynamicSeen) {
    dynamicSeen = true;
    return true;
  }
  return false;
}

static const VarDecl *declaredVar(const InitDeclarator &d) { return d.decl && d.decl->kind == DeclKind::Var ? d.decl->as<VarDecl>() : nullptr; }

void FunctionEmitter::scanBody(const CompoundStmt *body) {
  std::vector<std::pair<const void *, unsigned>> scopeChain;
  scanStmt(body, scopeChain);
}

// The statements directly below one. Those in expressions are no business of the functions here.
template <class F> static void eachSubstatement(const Stmt *s, F &&f) {
  eachChild(s, Walk::Evaluated, [&](const auto *child) {
    if constexpr (std::is_convertible_v<decltype(child), const Stmt *>) f(static_cast<const Stmt *>(child));
  });
}

// Returns whether the statement holds a label or a case of an enclosing switch; marks the blocks that do, since control may enter them past declarations.
bool FunctionEmitter::scanStmt(const Stmt *s, std::vector<std::pair<const void *, unsigned>> &chain) {
  bool scope = s->kind == StmtKind::Compound || s->kind == StmtKind::For;
  if (scope) chain.emplace_back(s, 0);
  if (s->kind == StmtKind::Label) labelInfo[s->as<LabelStmt>()->label].scopes = chain;
  bool any = s->kind == StmtKind::Label || s->kind == StmtKind::Case || s->kind == StmtKind::Default, dynamicSeen = false;
  eachSubstatement(s, [&](const Stmt *c) {
    if (scope && c->kind == StmtKind::Decl && c->as<DeclStmt>()->decl)
      for (auto &d : c->as<DeclStmt>()->decl->declarators)
        if (auto *v = declaredVar(d); v && needsCleanup(v, dynamicSeen)) chain.back().second += 1 + (v->attrs.cleanup && hasVariableSize(v->type.type));
    any |= scanStmt(c, chain);
  });
  if (scope) chain.pop_back();
  if (scope && any) bypassedBlocks.insert(s);
  return s->kind == StmtKind::Switch ? hasLabels : any;
}

// Could control enter this statement otherwise than from before it?
bool FunctionEmitter::containsLabel(const Stmt *s, bool inSwitch) {
  if (!s) return false;
  if (s->kind == StmtKind::Label || s->kind == StmtKind::Spawn || s->kind == StmtKind::Sync || s->kind == StmtKind::Touch)
    return true;  // of the latter three: a slow clone's entry
  if (inSwitch && (s->kind == StmtKind::Case || s->kind == StmtKind::Default)) return true;
  bool found = false;
  eachSubstatement(s, [&](const Stmt *c) { found = found || containsLabel(c, inSwitch && s->kind != StmtKind::Switch); });
  return found;
}

// ---- spawns ------------------------------------------------------------------------------------------------------------------------------

void FunctionEmitter::emitInletArgs(const SpawnStmt &s, std::vector<RValue> &args) {
  for (const Expr *e : s.arguments) {
    RValue v = emitExpr(e);
    if (v.kind == RValue::Aggregate) {  // the object may change before the inlet runs
      Address copy = temporary(e->type, "inlet.arg");
      copyAggregate(copy, v.addr);
      v.addr = copy;
    }
    args.push_back(v);
  }
}

void FunctionEmitter::emitDelivery(const SpawnStmt &s, const RValue &result, const Address &receiver, const std::vector<RValue> &inletArgs) {
  if (s.form == SpawnForm::Plain) return;
  events.delivers(*this, s);
  bindExpr(s.result, result);
  if (s.delivery) emitAssignTo(s.delivery, receiver);
  else {
    std::vector<RValue> args;
    if (s.value) args.push_back(emitExpr(s.value));
    args.insert(args.end(), inletArgs.begin(), inletArgs.end());
    emitInline(*s.inlet->def, args);
  }
  unbindExpr(s.result);
  if (open()) events.delivered(*this, s);
}

// ---- statements -------------------------------------------------------------------------------------------------------------------------------------

void FunctionEmitter::emitStmt(const Stmt *s) {
  if (!s) return;
  if (s->range.valid()) compilingNow = s->range.begin;
  if (!open()) {
    if (s->kind != StmtKind::Decl && s->kind != StmtKind::Function && !containsLabel(s)) return;
    if (s->kind != StmtKind::Decl && s->kind != StmtKind::Function && s->kind != StmtKind::Label && s->kind != StmtKind::Case && s->kind != StmtKind::Default &&
        s->kind != StmtKind::Compound)
      ensureOpen();
  }
  if (!inInline()) strategy.beforeStmt(*this, s);
  switch (s->kind) {
    case StmtKind::Compound:
    case StmtKind::Label:
    case StmtKind::Case:
    case StmtKind::Default:
    case StmtKind::Null: break;
    default: setLocation(s->range);
  }
  switch (s->kind) {
    case StmtKind::Error:
    case StmtKind::Null:
    case StmtKind::LocalLabel:
    case StmtKind::Function:
    case StmtKind::Pragma: return;
    case StmtKind::Expr:
      if (const Expr *e = s->as<ExprStmt>()->expr) {
        weigh(e);
        emitIgnored(e);
      }
      return;
    case StmtKind::Compound: return emitCompound(s->as<CompoundStmt>());
    case StmtKind::Decl: return emitDeclStmt(s->as<DeclStmt>());
    case StmtKind::If: return emitIf(s->as<IfStmt>());
    case StmtKind::While: return emitWhile(s->as<WhileStmt>());
    case StmtKind::Do: return emitDo(s->as<DoStmt>());
    case StmtKind::For: return emitFor(s->as<ForStmt>());
    case StmtKind::Switch: return emitSwitch(s->as<SwitchStmt>());
    case StmtKind::Case:
    case StmtKind::Default: {
      // Long runs of `case 1: case 2: …` are walked, not recursed into.
      const Stmt *c = s;
      while (c && (c->kind == StmtKind::Case || c->kind == StmtKind::Default)) {
        if (!switches.empty()) {
          if (LLVMBasicBlockRef b = switches.back().blocks[c]) place(b);
        }
        c = c->kind == StmtKind::Case ? c->as<CaseStmt>()->sub : c->as<DefaultStmt>()->sub;
      }
      emitStmt(c);
      return;
    }
    case StmtKind::Label: {
      auto *l = s->as<LabelStmt>();
      place(labelBlock(l->label));
      emitStmt(l->sub);
      return;
    }
    case StmtKind::Goto: return emitGoto(s->as<GotoStmt>());
    case StmtKind::GotoExpr: {
      weighCondition(s->as<GotoExprStmt>()->target);
      LLVMValueRef target = emitScalar(s->as<GotoExprStmt>()->target);
      if (!indirectBlock) {
        indirectBlock = newBlock("indirectgoto");
        LLVMBasicBlockRef cur = LLVMGetInsertBlock(builder);
        LLVMPositionBuilderAtEnd(builder, indirectBlock);
        indirectPhi = LLVMBuildPhi(builder, t.ptr, "target");
        LLVMPositionBuilderAtEnd(builder, cur);
      }
      LLVMBasicBlockRef from = LLVMGetInsertBlock(builder);
      LLVMAddIncoming(indirectPhi, &target, &from, 1);
      jump(indirectBlock);
      return;
    }
    case StmtKind::Continue:
      if (continues.empty()) return;
      unwindScopes(continues.back().depth);
      jump(continues.back().target);
      return;
    case StmtKind::Break:
      if (breaks.empty()) return;
      unwindScopes(breaks.back().depth);
      jump(breaks.back().target);
      return;
    case StmtKind::Return: return emitReturnStmt(s->as<ReturnStmt>());
    case StmtKind::Asm: weighStatement(s); return emitAsm(s->as<AsmStmt>());
    case StmtKind::Spawn: weigh(*s->as<SpawnStmt>()); return strategy.emitSpawn(*this, *s->as<SpawnStmt>());
    case StmtKind::Thread: return emitThread(*s->as<ThreadStmt>());
    case StmtKind::Send: return emitSend(*s->as<SendStmt>());
    case StmtKind::Touch: return strategy.emitTouch(*this, *s->as<TouchStmt>());
    case StmtKind::Sync: return strategy.emitSync(*this, s->as<SyncStmt>());
    case StmtKind::Abort: events.aborts(*this); return strategy.emitAbort(*this, s->as<AbortStmt>());
  }
}

void FunctionEmitter::emitReturnStmt(const ReturnStmt *s) {
  weigh(s->value);
  if (inlineDepth) {  // of an inlet, or of a call that is expanded
    if (s->value && expansion && expansion->result.ptr && !s->value->type->isVoid()) emitInto(s->value, expansion->result);
    else if (s->value) emitIgnored(s->value);
    emitReturnJump();
    return;
  }
  strategy.emitReturn(*this, s);
}

void FunctionEmitter::emitCompound(const CompoundStmt *s, bool newScope) {
  if (newScope) {
    pushScope();
    scopes.back().node = s;
    scopes.back().bypassed = bypassedBlocks.count(s) != 0;
    if (m.debug && subprogram && !expansion && m.options.debugLevel > 1 && scopes.size() > 2 &&
        std::any_of(s->body.begin(), s->body.end(), [](const Stmt *c) { return c->kind == StmtKind::Decl; }))
      scopes.back().debugScope = m.debug->lexicalBlock(scopes.back().debugScope, s->range.begin);
  }
  for (auto *c : s->body) emitStmt(c);
  if (newScope) {
    if (open() && !scopes.back().cleanups.empty()) setLocation(s->closing);
    popScope();
  }
}

// The value of the last expression statement, copied out before the block's objects end.
RValue FunctionEmitter::emitStmtExpr(const StmtExpr *e) {
  RValue r;
  const CompoundStmt *s = e->body;
  pushScope();
  scopes.back().node = s;
  scopes.back().bypassed = true;
  for (size_t i = 0; i < s->body.size(); i++) {
    const Stmt *c = s->body[i];
    if (i + 1 == s->body.size() && !e->type->isVoid()) {
      while (c->kind == StmtKind::Label) {
        place(labelBlock(c->as<LabelStmt>()->label));
        c = c->as<LabelStmt>()->sub;
      }
      if (c->kind == StmtKind::Expr && c->as<ExprStmt>()->expr) {
        setLocation(c->range);
        weigh(c->as<ExprStmt>()->expr);
        r = emitExpr(c->as<ExprStmt>()->expr);
        if (r.kind == RValue::Aggregate && !hasVariableSize(e->type.type)) {
          Address copy = temporary(e->type, "stmtexpr");
          copyAggregate(copy, r.addr);
          r.addr = copy;
        }
        continue;
      }
    }
    emitStmt(c);
  }
  popScope();
  ensureOpen();
  return r;
}

void FunctionEmitter::emitIf(const IfStmt *s) {
  // else-if chains are walked, not recursed into.
  LLVMBasicBlockRef end = newBlock("if.end");
  for (;;) {
    if (auto k = evaluate(s->cond, m.ast, EvalMode::Fold); k && k->kind == ConstValue::Int) {
      const Stmt *live = k->i ? s->then : s->otherwise, *dead = k->i ? s->otherwise : s->then;
      if (!containsLabel(dead)) {
        emitStmt(live);
        place(end);
        return;
      }
    }
    LLVMBasicBlockRef yes = newBlock("if.then"), no = s->otherwise ? newBlock("if.else") : end;
    weighCondition(s->cond);
    emitBranch(s->cond, yes, no);
    place(yes);
    emitStmt(s->then);
    jump(end);
    if (!s->otherwise) break;
    place(no);
    if (s->otherwise->kind != StmtKind::If) {
      emitStmt(s->otherwise);
      break;
    }
    s = s->otherwise->as<IfStmt>();
    setLocation(s->range);
  }
  place(end);
}

void FunctionEmitter::emitWhile(const WhileStmt *s) {
  bool told = tellsLoop(s, s->range);
  if (told) events.loopBegins(*this, s->range);
  LLVMBasicBlockRef cond = newBlock("while.cond"), body = newBlock("while.body"), end = newBlock("while.end");
  place(cond);
  weighCondition(s->cond);
  emitBranch(s->cond, body, end);
  breaks.push_back({end, scopes.size()});
  continues.push_back({cond, scopes.size()});
  place(body);
  if (told) events.iterationBegins(*this, s->range);
  emitStmt(s->body);
  jump(cond);
  breaks.pop_back();
  continues.pop_back();
  place(end);
  if (told) events.loopEnds(*this, s->range);
}

void FunctionEmitter::emitDo(const DoStmt *s) {
  LLVMBasicBlockRef body = newBlock("do.body"), cond = newBlock("do.cond"), end = newBlock("do.end");
  place(body);
  breaks.push_back({end, scopes.size()});
  continues.push_back({cond, scopes.size()});
  emitStmt(s->body);
  breaks.pop_back();
  continues.pop_back();
  place(cond);
  setLocation(s->cond->range);
  weighCondition(s->cond);
  emitBranch(s->cond, body, end);
  place(end);
}

void FunctionEmitter::emitFor(const ForStmt *s) {
  bool told = tellsLoop(s, s->range);
  pushScope();
  scopes.back().node = s;
  scopes.back().bypassed = bypassedBlocks.count(s) != 0;
  if (m.debug && subprogram && m.options.debugLevel > 1 && s->init && s->init->kind == StmtKind::Decl)
    scopes.back().debugScope = m.debug->lexicalBlock(scopes.back().debugScope, s->range.begin);
  if (s->init) emitStmt(s->init);
  if (told) events.loopBegins(*this, s->range);
  LLVMBasicBlockRef cond = newBlock("for.cond"), body = newBlock("for.body"), step = newBlock("for.inc"), end = newBlock("for.end");
  place(cond);
  if (s->cond) {
    setLocation(s->cond->range);
    weighCondition(s->cond);
    emitBranch(s->cond, body, end);
  }
  breaks.push_back({end, scopes.size()});
  continues.push_back({step, scopes.size()});
  place(body);
  if (told) events.iterationBegins(*this, s->range);
  emitStmt(s->body);
  breaks.pop_back();
  continues.pop_back();
  place(step);
  if (s->step) {
    setLocation(s->step->range);
    weigh(s->step);
    emitIgnored(s->step);
  }
  jump(cond);
  place(end);
  if (told) events.loopEnds(*this, s->range);
  popScope();
}

void FunctionEmitter::emitSwitch(const SwitchStmt *s) {
  weighCondition(s->cond);
  LLVMValueRef v = emitScalar(s->cond);
  LLVMBasicBlockRef end = newBlock("sw.epilog"), dflt = s->def ? newBlock("sw.default") : end;
  LLVMTypeRef ty = LLVMTypeOf(v);
  switches.emplace_back();
  auto &blocks = switches.back().blocks;
  if (s->def) blocks[s->def] = dflt;
  // Small ranges become single cases; large ones are compared before the switch.
  std::vector<const CaseStmt *> wide;
  unsigned count = 0;
  for (auto *c : s->cases) {
    blocks[c] = newBlock("sw.bb");
    __int128 span = c->hi - c->lo;
    if (span > 64) wide.push_back(c);
    else if (span >= 0) count += static_cast<unsigned>(span) + 1;
  }
  for (auto *c : wide) {
    LLVMBasicBlockRef next = newBlock("sw.next");
    LLVMValueRef off = LLVMBuildSub(builder, v, m.intConst(ty, c->lo), "");
    branch(LLVMBuildICmp(builder, LLVMIntULE, off, m.intConst(ty, c->hi - c->lo), ""), blocks[c], next);
    place(next);
  }
  LLVMValueRef inst = LLVMBuildSwitch(builder, v, dflt, count);
  for (auto *c : s->cases) {
    __int128 span = c->hi - c->lo;
    if (span > 64 || span < 0) continue;
    for (__int128 x = c->lo; x <= c->hi; x++) LLVMAddCase(inst, m.intConst(ty, x), blocks[c]);
  }
  breaks.push_back({end, scopes.size()});
  emitStmt(s->body);
  breaks.pop_back();
  // Cases that the body never reached (inside skipped code) still need their blocks.
  for (auto &b : switches.back().blocks)
    if (b.second && !LLVMGetBasicBlockParent(b.second)) {
      LLVMBasicBlockRef cur = LLVMGetInsertBlock(builder);
      LLVMAppendExistingBasicBlock(function, b.second);
      LLVMPositionBuilderAtEnd(builder, b.second);
      LLVMBuildUnreachable(builder);
      LLVMPositionBuilderAtEnd(builder, cur);
    }
  switches.pop_back();
  place(end);
}

void FunctionEmitter::emitGoto(const GotoStmt *s) {
  const LabelDecl *l = s->label;
  if (!l) return;
  if (l->fn && l->fn != fn && !inlineDepth && fn && fn->parent && !fn->isInlet) {
    LLVMValueRef chain = chainOf(l->fn);
    if (!chain || l->fn->isCilk || l->fn->isInlet) m.impossible(s->range, "a goto out of a nested function into a cilk procedure");
    LLVMValueRef buffer = loadRaw(t.ptr, offsetPtr(chain, 8 * jumpSlot(l->fn)), 8);
    auto index = std::find(l->fn->labels.begin(), l->fn->labels.end(), l) - l->fn->labels.begin();
    callRuntime("longjmp", t.voidTy, {offsetPtr(buffer, 16), i32c(index + 1)});
    LLVMBuildUnreachable(builder);
    return;
  }
  auto it = labelInfo.find(l);
  if (it != labelInfo.end()) {
    auto &chain = it->second.scopes;
    // The innermost scope that encloses both, and how many of its cleanups stay.
    size_t keep = inlineDepth ? inlineBase : 0;
    unsigned open = 0;
    bool common = false;
    for (size_t i = keep; i < scopes.size(); i++) {
      if (!scopes[i].node) {
        keep = i + 1;
        common = false;
        continue;
      }
      auto c = std::find_if(chain.begin(), chain.end(), [&](auto &x) { return x.first == scopes[i].node; });
      if (c == chain.end()) break;
      keep = i + 1;
      open = c->second;
      common = true;
    }
    unwindScopes(keep);
    if (common && keep > 0) {
      auto &cl = scopes[keep - 1].cleanups;
      for (size_t i = cl.size(); i-- > open;) {
        Cleanup c = cl[i];
        emitCleanup(c);
      }
    }
  }
  jump(labelBlock(l));
}

// ---- declarations -----------------------------------------------------------------------------------------------------------------------------------------

void FunctionEmitter::emitDeclStmt(const DeclStmt *s) {
  if (!s->decl) return;
  if (s->decl->specs && s->decl->specs->record && open()) {
    const RecordSpec *r = s->decl->specs->record;
    if (r->hasBody && r->type && r->type->variable) emitVlaSizes(r->type, r);
  }
  for (auto &d : s->decl->declarators) {
    if (!d.decl) continue;
    if (d.decl->kind == DeclKind::Var) emitLocalDecl(d.decl->as<VarDecl>());
    else if (d.decl->kind == DeclKind::Typedef && isVariablyModified(d.decl->type.type) && open()) emitVlaSizes(d.decl->type, d.decl);
  }
}

void FunctionEmitter::emitLocalDecl(const VarDecl *v) {
  if (!v->isLocal) {
    if (open() && isVariablyModified(v->type.type)) emitVlaSizes(v->type, v);  // a static pointer to a VLA: the sizes are those of this call
    if (v->attrs.used && v->linkage == Linkage::None) m.global(v);
    return;
  }
  if (!open()) {
    if (!v->used && !hasLabels && switches.empty()) return;
    return;  // jumped over: its storage is made when something reaches it
  }
  setLocation(v->range);
  if (isVariablyModified(v->type.type)) emitVlaSizes(v->type, v);
  if (hasVariableSize(v->type.type)) {
    if (!scopes.back().marked) {
      LLVMValueRef mark = strategy.dynamicMark(*this, v);
      if (mark) {
        scopes.back().marked = true;
        LLVMValueRef slot = entryAlloca(t.ptr, 8, "saved.stack");
        storeRaw(mark, slot, 8);
        Cleanup c{Cleanup::Dynamic};
        c.value = slot;
        scopes.back().cleanups.push_back(c);
      }
    }
    LLVMValueRef size = sizeOfType(v->type);
    uint32_t align = std::max(t.align(v->type), v->attrs.align);
    LLVMValueRef p = strategy.allocateDynamic(*this, size, align, v);
    noteStack();
    auto it = storage.find(v);
    if (it == storage.end()) {
      variable(v);
      it = storage.find(v);
    }
    storeRaw(p, it->second.ptr, 8);
    tellObject(true, Object::Vla, v, p, size);
  }
  // Without optimisation there is nothing to win from markers; where control may enter past the declaration they would be wrong.
  bool markers = m.optimizing() && strategy.lifetimeMarkers() && !hasLabels && !scopes.back().bypassed && !v->crossesNested && !v->inletTouches &&
                 !hasVariableSize(v->type.type) && !m.options.sanitizeAddress && !(fn && fn->callsSetjmp) && inlineDepth == 0;
  const bool silent = !v->init && m.options.autoInit == AutoInit::None && !v->attrs.cleanup && !tellingObjects && !m.debug;
  if (silent && !strategy.storageStays()) return;  // its address is asked for where it is used
  bool fresh = !storage.count(v);
  Address a = variable(v);
  if (markers && fresh && LLVMIsAAllocaInst(a.ptr)) {
    uint64_t size = t.size(v->type);
    callIntrinsic("llvm.lifetime.start", {t.ptr}, {i64c(static_cast<int64_t>(size)), a.ptr});
    Cleanup c{Cleanup::Lifetime};
    c.value = a.ptr;
    c.size = size;
    scopes.back().cleanups.push_back(c);
  }
  if (tellingObjects) {
    Cleanup c{Cleanup::Told};
    c.var = v;
    if (!hasVariableSize(v->type.type)) {
      c.value = a.ptr;
      c.size = t.size(v->type);
      tellObject(true, Object::Local, v, a.ptr, i64c(static_cast<int64_t>(c.size)));
    }
    scopes.back().cleanups.push_back(c);
  }
  if (!v->init && m.options.autoInit != AutoInit::None && !v->attrs.uninitialized && !v->hidden) {
    LLVMValueRef size = hasVariableSize(v->type.type) ? sizeOfType(v->type) : i64c(static_cast<int64_t>(t.size(v->type)));
    fillBytes(a.ptr, a.align, LLVMConstInt(t.i8, m.options.autoInit == AutoInit::Zero ? 0 : 0xaa, false), size);
  }
  if (v->init) {
    Address dest = a;
    dest.type = QualType(a.type.type, a.type.quals & QVolatile);
    weigh(v->init, v->range.begin);
    if (hasVariableSize(v->type.type)) zeroFill(a.ptr, a.align, sizeOfType(v->type));  // of futures: sema gives no other
    else emitInitializer(v->init, dest);
  }
  if (v->attrs.cleanup) {
    Cleanup c{Cleanup::Function};
    c.var = v;
    scopes.back().cleanups.push_back(c);
  }
}

}  // namespace cilkc::cg
