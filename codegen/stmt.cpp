// stmt.cpp - statements; spawn, sync, abort and inlet calls are handed to the strategy. Code after a jump that no label makes reachable is not emitted.
#include <algorithm>
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "codegen/debug.h"

namespace cilkc::cg {

// ---- spawns ---------------------------------------------------------------------------------------------------------------------------

void Statements::emitInletArgs(const SpawnStmt &s, std::vector<RValue> &args) {
  for (const Expr *e : s.arguments) {
    RValue v = fe.exprs.emitExpr(e);
    if (v.kind == RValue::Aggregate) {  // the object may change before the inlet runs
      Address copy = fe.locals.temporary(e->type, "inlet.arg");
      fe.memory.copyAggregate(copy, v.addr);
      v.addr = copy;
    }
    args.push_back(v);
  }
}

void Statements::emitDelivery(const SpawnStmt &s, const RValue &result, const Address &receiver, const std::vector<RValue> &inletArgs) {
  if (s.form == SpawnForm::Plain) return;
  events.delivers(fe, s);
  fe.exprs.bindExpr(s.result, result);
  if (s.delivery) fe.ops.emitAssignTo(s.delivery, receiver);
  else {
    std::vector<RValue> args;
    if (s.value) args.push_back(fe.exprs.emitExpr(s.value));
    args.insert(args.end(), inletArgs.begin(), inletArgs.end());
    fe.emitInline(*s.inlet->def, args);
  }
  fe.exprs.unbindExpr(s.result);
  if (fe.open()) events.delivered(fe, s);
}

// ---- statements -----------------------------------------------------------------------------------------------------------------------

void Statements::emitStmt(const Stmt *s) {
  if (!s) return;
  if (s->range.valid()) compilingNow = s->range.begin;
  if (!fe.open()) {
    if (s->kind != StmtKind::Decl && s->kind != StmtKind::Function && !fe.labels.containsLabel(s)) return;
    if (s->kind != StmtKind::Decl && s->kind != StmtKind::Function && s->kind != StmtKind::Label && s->kind != StmtKind::Case && s->kind != StmtKind::Default &&
        s->kind != StmtKind::Compound)
      fe.ensureOpen();
  }
  if (!fe.inInline()) strategy.beforeStmt(fe, s);
  switch (s->kind) {
    case StmtKind::Compound:
    case StmtKind::Label:
    case StmtKind::Case:
    case StmtKind::Default:
    case StmtKind::Null: break;
    default: fe.setLocation(s->range);
  }
  switch (s->kind) {
    case StmtKind::Error:
    case StmtKind::Null:
    case StmtKind::LocalLabel:
    case StmtKind::Function:
    case StmtKind::Pragma: return;
    case StmtKind::Expr:
      if (const Expr *e = s->as<ExprStmt>()->expr) {
        fe.weights.weigh(e);
        fe.exprs.emitIgnored(e);
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
        if (!around.switches.empty()) {
          if (LLVMBasicBlockRef b = around.switches.back().blocks[c]) fe.place(b);
        }
        c = c->kind == StmtKind::Case ? c->as<CaseStmt>()->sub : c->as<DefaultStmt>()->sub;
      }
      emitStmt(c);
      return;
    }
    case StmtKind::Label: {
      auto *l = s->as<LabelStmt>();
      fe.place(fe.labels.labelBlock(l->label));
      emitStmt(l->sub);
      return;
    }
    case StmtKind::Goto: return fe.labels.emitGoto(s->as<GotoStmt>());
    case StmtKind::GotoExpr: {
      fe.weights.weighCondition(s->as<GotoExprStmt>()->target);
      fe.labels.emitComputedGoto(fe.exprs.emitScalar(s->as<GotoExprStmt>()->target));
      return;
    }
    case StmtKind::Continue:
      if (around.continues.empty()) return;
      fe.scopes.unwindScopes(around.continues.back().depth);
      fe.jump(around.continues.back().target);
      return;
    case StmtKind::Break:
      if (around.breaks.empty()) return;
      fe.scopes.unwindScopes(around.breaks.back().depth);
      fe.jump(around.breaks.back().target);
      return;
    case StmtKind::Return: return emitReturnStmt(s->as<ReturnStmt>());
    case StmtKind::Asm: fe.weights.weighStatement(s); return emitAsm(s->as<AsmStmt>());
    case StmtKind::Spawn: fe.weights.weigh(*s->as<SpawnStmt>()); return strategy.emitSpawn(fe, *s->as<SpawnStmt>());
    case StmtKind::Thread: return fe.threads.emitThread(*s->as<ThreadStmt>());
    case StmtKind::Send: return fe.threads.emitSend(*s->as<SendStmt>());
    case StmtKind::Touch: return strategy.emitTouch(fe, *s->as<TouchStmt>());
    case StmtKind::Sync: return strategy.emitSync(fe, s->as<SyncStmt>());
    case StmtKind::Abort: events.aborts(fe); return strategy.emitAbort(fe, s->as<AbortStmt>());
  }
}

void Statements::emitReturnStmt(const ReturnStmt *s) {
  fe.weights.weigh(s->value);
  if (fe.inInline()) {  // of an inlet, or of a call that is expanded
    if (s->value && fe.expansions.current() && fe.expansions.current()->result.ptr && !s->value->type->isVoid())
      fe.exprs.emitInto(s->value, fe.expansions.current()->result);
    else if (s->value) fe.exprs.emitIgnored(s->value);
    fe.emitReturnJump();
    return;
  }
  strategy.emitReturn(fe, s);
}

void Statements::emitCompound(const CompoundStmt *s, bool newScope) {
  if (newScope) {
    fe.scopes.pushScope();
    fe.scopes.innermost().node = s;
    fe.scopes.innermost().bypassed = fe.labels.bypasses(s);
    if (m.debug && fe.subprogram && !fe.expansions.current() && m.options.debugLevel > 1 && fe.scopes.depth() > 2 &&
        std::any_of(s->body.begin(), s->body.end(), [](const Stmt *c) { return c->kind == StmtKind::Decl; }))
      fe.scopes.innermost().debugScope = m.debug->lexicalBlock(fe.scopes.innermost().debugScope, s->range.begin);
  }
  for (auto *c : s->body) emitStmt(c);
  if (newScope) {
    if (fe.open() && !fe.scopes.innermost().cleanups.empty()) fe.setLocation(s->closing);
    fe.scopes.popScope();
  }
}

// The value of the last expression statement, copied out before the block's objects end.
RValue Statements::emitStmtExpr(const StmtExpr *e) {
  RValue r;
  const CompoundStmt *s = e->body;
  fe.scopes.pushScope();
  fe.scopes.innermost().node = s;
  fe.scopes.innermost().bypassed = true;
  for (size_t i = 0; i < s->body.size(); i++) {
    const Stmt *c = s->body[i];
    if (i + 1 == s->body.size() && !e->type->isVoid()) {
      while (c->kind == StmtKind::Label) {
        fe.place(fe.labels.labelBlock(c->as<LabelStmt>()->label));
        c = c->as<LabelStmt>()->sub;
      }
      if (c->kind == StmtKind::Expr && c->as<ExprStmt>()->expr) {
        fe.setLocation(c->range);
        fe.weights.weigh(c->as<ExprStmt>()->expr);
        r = fe.exprs.emitExpr(c->as<ExprStmt>()->expr);
        if (r.kind == RValue::Aggregate && !hasVariableSize(e->type.type)) {
          Address copy = fe.locals.temporary(e->type, "stmtexpr");
          fe.memory.copyAggregate(copy, r.addr);
          r.addr = copy;
        }
        continue;
      }
    }
    emitStmt(c);
  }
  fe.scopes.popScope();
  fe.ensureOpen();
  return r;
}

void Statements::emitIf(const IfStmt *s) {
  // else-if chains are walked, not recursed into.
  LLVMBasicBlockRef end = fe.newBlock("if.end");
  for (;;) {
    if (auto k = evaluate(s->cond, m.ast, EvalMode::Fold); k && k->kind == ConstValue::Int) {
      const Stmt *live = k->i ? s->then : s->otherwise, *dead = k->i ? s->otherwise : s->then;
      if (!fe.labels.containsLabel(dead)) {
        emitStmt(live);
        fe.place(end);
        return;
      }
    }
    LLVMBasicBlockRef yes = fe.newBlock("if.then"), no = s->otherwise ? fe.newBlock("if.else") : end;
    fe.weights.weighCondition(s->cond);
    fe.exprs.emitBranch(s->cond, yes, no);
    fe.place(yes);
    emitStmt(s->then);
    fe.jump(end);
    if (!s->otherwise) break;
    fe.place(no);
    if (s->otherwise->kind != StmtKind::If) {
      emitStmt(s->otherwise);
      break;
    }
    s = s->otherwise->as<IfStmt>();
    fe.setLocation(s->range);
  }
  fe.place(end);
}

void Statements::emitWhile(const WhileStmt *s) {
  bool told = fe.weights.tellsLoop(s, s->range);
  if (told) events.loopBegins(fe, s->range);
  LLVMBasicBlockRef cond = fe.newBlock("while.cond"), body = fe.newBlock("while.body"), end = fe.newBlock("while.end");
  fe.place(cond);
  fe.weights.weighCondition(s->cond);
  fe.exprs.emitBranch(s->cond, body, end);
  around.breaks.push_back({end, fe.scopes.depth()});
  around.continues.push_back({cond, fe.scopes.depth()});
  fe.place(body);
  if (told) events.iterationBegins(fe, s->range);
  emitStmt(s->body);
  fe.jump(cond);
  around.breaks.pop_back();
  around.continues.pop_back();
  fe.place(end);
  if (told) events.loopEnds(fe, s->range);
}

void Statements::emitDo(const DoStmt *s) {
  LLVMBasicBlockRef body = fe.newBlock("do.body"), cond = fe.newBlock("do.cond"), end = fe.newBlock("do.end");
  fe.place(body);
  around.breaks.push_back({end, fe.scopes.depth()});
  around.continues.push_back({cond, fe.scopes.depth()});
  emitStmt(s->body);
  around.breaks.pop_back();
  around.continues.pop_back();
  fe.place(cond);
  fe.setLocation(s->cond->range);
  fe.weights.weighCondition(s->cond);
  fe.exprs.emitBranch(s->cond, body, end);
  fe.place(end);
}

void Statements::emitFor(const ForStmt *s) {
  bool told = fe.weights.tellsLoop(s, s->range);
  fe.scopes.pushScope();
  fe.scopes.innermost().node = s;
  fe.scopes.innermost().bypassed = fe.labels.bypasses(s);
  if (m.debug && fe.subprogram && m.options.debugLevel > 1 && s->init && s->init->kind == StmtKind::Decl)
    fe.scopes.innermost().debugScope = m.debug->lexicalBlock(fe.scopes.innermost().debugScope, s->range.begin);
  if (s->init) emitStmt(s->init);
  if (told) events.loopBegins(fe, s->range);
  LLVMBasicBlockRef cond = fe.newBlock("for.cond"), body = fe.newBlock("for.body"), step = fe.newBlock("for.inc"), end = fe.newBlock("for.end");
  fe.place(cond);
  if (s->cond) {
    fe.setLocation(s->cond->range);
    fe.weights.weighCondition(s->cond);
    fe.exprs.emitBranch(s->cond, body, end);
  }
  around.breaks.push_back({end, fe.scopes.depth()});
  around.continues.push_back({step, fe.scopes.depth()});
  fe.place(body);
  if (told) events.iterationBegins(fe, s->range);
  emitStmt(s->body);
  around.breaks.pop_back();
  around.continues.pop_back();
  fe.place(step);
  if (s->step) {
    fe.setLocation(s->step->range);
    fe.weights.weigh(s->step);
    fe.exprs.emitIgnored(s->step);
  }
  fe.jump(cond);
  fe.place(end);
  if (told) events.loopEnds(fe, s->range);
  fe.scopes.popScope();
}

void Statements::emitSwitch(const SwitchStmt *s) {
  fe.weights.weighCondition(s->cond);
  LLVMValueRef v = fe.exprs.emitScalar(s->cond);
  LLVMBasicBlockRef end = fe.newBlock("sw.epilog"), dflt = s->def ? fe.newBlock("sw.default") : end;
  LLVMTypeRef ty = LLVMTypeOf(v);
  around.switches.emplace_back();
  auto &blocks = around.switches.back().blocks;
  if (s->def) blocks[s->def] = dflt;
  // Small ranges become single cases; large ones are compared before the switch.
  std::vector<const CaseStmt *> wide;
  unsigned count = 0;
  for (auto *c : s->cases) {
    blocks[c] = fe.newBlock("sw.bb");
    __int128 span = c->hi - c->lo;
    if (span > 64) wide.push_back(c);
    else if (span >= 0) count += static_cast<unsigned>(span) + 1;
  }
  for (auto *c : wide) {
    LLVMBasicBlockRef next = fe.newBlock("sw.next");
    LLVMValueRef off = LLVMBuildSub(builder, v, m.intConst(ty, c->lo), "");
    fe.branch(LLVMBuildICmp(builder, LLVMIntULE, off, m.intConst(ty, c->hi - c->lo), ""), blocks[c], next);
    fe.place(next);
  }
  LLVMValueRef inst = LLVMBuildSwitch(builder, v, dflt, count);
  for (auto *c : s->cases) {
    __int128 span = c->hi - c->lo;
    if (span > 64 || span < 0) continue;
    for (__int128 x = c->lo; x <= c->hi; x++) LLVMAddCase(inst, m.intConst(ty, x), blocks[c]);
  }
  around.breaks.push_back({end, fe.scopes.depth()});
  emitStmt(s->body);
  around.breaks.pop_back();
  // Cases that the body never reached (inside skipped code) still need their blocks.
  for (auto &b : around.switches.back().blocks)
    if (b.second && !LLVMGetBasicBlockParent(b.second)) {
      LLVMBasicBlockRef cur = LLVMGetInsertBlock(builder);
      LLVMAppendExistingBasicBlock(function, b.second);
      LLVMPositionBuilderAtEnd(builder, b.second);
      LLVMBuildUnreachable(builder);
      LLVMPositionBuilderAtEnd(builder, cur);
    }
  around.switches.pop_back();
  fe.place(end);
}

}  // namespace cilkc::cg
