// stmt.cpp - statements; spawn, sync, abort and inlet calls are handed to the strategy. Code after a jump that no label
// makes reachable is not emitted.
#include <algorithm>
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "codegen/module/debug.h"
#include "frontend/ast/visit.h"

namespace cilkc::cg {

// ---- spawns -------------------------------------------------------------------------------------------------------

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

void Statements::emitDelivery(const SpawnStmt &s, const RValue &result, const Address &receiver,
    const std::vector<RValue> &inletArgs) {
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

// ---- statements ---------------------------------------------------------------------------------------------------

static bool declares(StmtKind k) { return k == StmtKind::Decl || k == StmtKind::Function; }
static bool holdsOthers(StmtKind k) {
  return k == StmtKind::Compound || k == StmtKind::Label || k == StmtKind::Case || k == StmtKind::Default;
}

// Every statement of the body itself comes by here, also where several are walked in one go: the strategy may have
// something to do before any of them.
void Statements::announce(const Stmt *s) {
  if (!fe.inInline()) strategy.beforeStmt(fe, s);
}

void Statements::emitStmt(const Stmt *s) {
  if (!s) return;
  if (s->range.valid()) compilingNow = s->range.begin;
  if (!fe.open() && !declares(s->kind)) {
    if (!fe.labels.canBeEnteredInside(s)) return;
    if (!holdsOthers(s->kind)) fe.ensureOpen();
  }
  fe.cutLongBlock();
  announce(s);
  if (!holdsOthers(s->kind) && s->kind != StmtKind::Null) fe.setLocation(s->range);
  // --coverage: what goes on after a touch or an awaited call was counted with it.
  const bool waits = s->kind == StmtKind::Touch || (s->kind == StmtKind::Spawn && s->as<SpawnStmt>()->awaited);
  if (waits) touched = s->range.begin;
  else if (!holdsOthers(s->kind) && s->kind != StmtKind::Sync) {
    const Loc before = std::exchange(touched, Loc{});
    const auto line = [&](Loc l) { return m.diags.sources().presumed(l).line; };
    if (m.options.covers() && before.valid() && line(before) == line(s->range.begin)) fe.bookkeeping();
  }
  dispatch(*this, s);
  fe.bookkeeping();
  if (!fe.inInline()) strategy.afterStmt(fe, s);
}

// What makes no code at its place.
void Statements::on(const ErrorStmt &) {}
void Statements::on(const NullStmt &) {}
void Statements::on(const LocalLabelStmt &) {}
void Statements::on(const FunctionStmt &) {}
void Statements::on(const PragmaStmt &) {}

void Statements::on(const ExprStmt &s) {
  if (!s.expr) return;
  fe.weights.weigh(s.expr);
  fe.exprs.emitIgnored(s.expr);
}

void Statements::on(const CompoundStmt &s) { emitCompound(&s); }

void Statements::on(const CaseStmt &s) { emitCases(&s); }
void Statements::on(const DefaultStmt &s) { emitCases(&s); }

// The case label or `default:` directly after this label, or null. A run of them, `case 1: case 2: …`, is one block:
// LLVM takes n^2 time to merge n empty ones.
static const Stmt *nextLabel(const Stmt *s) {
  const Stmt *sub = s->kind == StmtKind::Case ? s->as<CaseStmt>()->sub : s->as<DefaultStmt>()->sub;
  return sub && (sub->kind == StmtKind::Case || sub->kind == StmtKind::Default) ? sub : nullptr;
}

// Long runs are walked, not recursed into.
void Statements::emitCases(const Stmt *s) {
  if (!around.switches.empty()) {
    if (LLVMBasicBlockRef b = around.switches.back().blocks[s]) fe.place(b);
  }
  while (const Stmt *next = nextLabel(s)) announce(s = next);
  emitStmt(s->kind == StmtKind::Case ? s->as<CaseStmt>()->sub : s->as<DefaultStmt>()->sub);
}

void Statements::on(const LabelStmt &s) {
  fe.place(fe.labels.labelBlock(s.label));
  emitStmt(s.sub);
}

void Statements::on(const GotoStmt &s) { fe.labels.emitGoto(&s); }

void Statements::on(const GotoExprStmt &s) {
  fe.weights.weighCondition(s.target);
  fe.labels.emitComputedGoto(fe.exprs.emitScalar(s.target));
}

void Statements::jumpTo(const std::vector<Jump> &targets) {
  if (targets.empty()) return;
  fe.scopes.unwindScopes(targets.back().depth);
  fe.jump(targets.back().target);
}
void Statements::on(const ContinueStmt &) { jumpTo(around.continues); }
void Statements::on(const BreakStmt &) { jumpTo(around.breaks); }

void Statements::on(const SpawnStmt &s) {
  fe.weights.weigh(s);
  strategy.emitSpawn(fe, s);
}
void Statements::on(const ThreadStmt &s) { fe.threads.emitThread(s); }
void Statements::on(const SendStmt &s) { fe.threads.emitSend(s); }
void Statements::on(const TouchStmt &s) { strategy.emitTouch(fe, s); }
void Statements::on(const SyncStmt &s) { strategy.emitSync(fe, &s); }
void Statements::on(const AbortStmt &s) {
  events.aborts(fe);
  strategy.emitAbort(fe, &s);
}

void Statements::on(const ReturnStmt &s) {
  fe.weights.weigh(s.value);
  if (fe.inInline()) {  // of an inlet, or of a call that is expanded
    if (s.value && fe.expansions.current() && fe.expansions.current()->result.ptr && !s.value->type->isVoid())
      fe.exprs.emitInto(s.value, fe.expansions.current()->result);
    else if (s.value) fe.exprs.emitIgnored(s.value);
    fe.emitReturnJump();
    return;
  }
  strategy.emitReturn(fe, &s);
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
      for (; c->kind == StmtKind::Label; c = c->as<LabelStmt>()->sub) {
        announce(c);
        fe.place(fe.labels.labelBlock(c->as<LabelStmt>()->label));
      }
      if (c->kind == StmtKind::Expr && c->as<ExprStmt>()->expr) {
        announce(c);
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

// else-if chains are walked, not recursed into.
void Statements::on(const IfStmt &first) {
  const IfStmt *s = &first;
  LLVMBasicBlockRef end = fe.newBlock("if.end");
  for (;;) {
    if (auto k = evaluate(s->cond, m.ast, EvalMode::Fold); k && k->kind == ConstValue::Int) {
      const Stmt *live = k->i ? s->then : s->otherwise, *dead = k->i ? s->otherwise : s->then;
      if (!fe.labels.canBeEnteredInside(dead)) {
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
    announce(s);
    fe.setLocation(s->range);
  }
  fe.place(end);
}

// What is repeated: `break` in it leads to `end`, `continue` to `next`.
void Statements::emitLoopBody(const Stmt *s, LLVMBasicBlockRef in, LLVMBasicBlockRef next, LLVMBasicBlockRef end,
    bool reported, Range loop) {
  around.breaks.push_back({end, fe.scopes.depth()});
  around.continues.push_back({next, fe.scopes.depth()});
  fe.place(in);
  if (reported) events.iterationBegins(fe, loop, nullptr);
  emitStmt(s);
  around.breaks.pop_back();
  around.continues.pop_back();
}

void Statements::on(const WhileStmt &s) {
  bool reported = fe.weights.reportsLoop(&s, s.range);
  if (reported) events.loopBegins(fe, s.range);
  LLVMBasicBlockRef cond = fe.newBlock("while.cond"), body = fe.newBlock("while.body"), end = fe.newBlock("while.end");
  fe.place(cond);
  fe.weights.weighCondition(s.cond);
  fe.exprs.emitBranch(s.cond, body, end);
  emitLoopBody(s.body, body, cond, end, reported, s.range);
  fe.jump(cond);
  fe.place(end);
  if (reported) events.loopEnds(fe, s.range);
}

void Statements::on(const DoStmt &s) {
  LLVMBasicBlockRef body = fe.newBlock("do.body"), cond = fe.newBlock("do.cond"), end = fe.newBlock("do.end");
  emitLoopBody(s.body, body, cond, end, false, s.range);
  fe.place(cond);
  fe.setLocation(s.cond->range);
  fe.weights.weighCondition(s.cond);
  fe.exprs.emitBranch(s.cond, body, end);
  fe.place(end);
}

void Statements::on(const ForStmt &s) {
  bool reported = fe.weights.reportsLoop(&s, s.range);
  fe.scopes.pushScope();
  fe.scopes.innermost().node = &s;
  fe.scopes.innermost().bypassed = fe.labels.bypasses(&s);
  if (m.debug && fe.subprogram && m.options.debugLevel > 1 && s.init && s.init->kind == StmtKind::Decl)
    fe.scopes.innermost().debugScope = m.debug->lexicalBlock(fe.scopes.innermost().debugScope, s.range.begin);
  if (s.init) emitStmt(s.init);
  if (reported) events.loopBegins(fe, s.range);
  LLVMBasicBlockRef cond = fe.newBlock("for.cond"), body = fe.newBlock("for.body"), step = fe.newBlock("for.inc"),
                    end = fe.newBlock("for.end");
  fe.place(cond);
  if (s.cond) {
    fe.setLocation(s.cond->range);
    fe.weights.weighCondition(s.cond);
    fe.exprs.emitBranch(s.cond, body, end);
  }
  if (s.iteration) {
    fe.place(body);
    events.iterationBegins(fe, s.range, s.iteration);
    body = fe.newBlock("iteration");
    fe.jump(body);
  }
  emitLoopBody(s.body, body, step, end, reported, s.range);
  fe.place(step);
  if (s.step) {
    fe.setLocation(s.step->range);
    fe.weights.weigh(s.step);
    fe.exprs.emitIgnored(s.step);
  }
  fe.jump(cond);
  fe.place(end);
  if (reported) events.loopEnds(fe, s.range);
  fe.scopes.popScope();
}

// Goes to the block of the range that v is in, of n > 0 that are in order and apart, or to `rest`.
void Statements::findRange(LLVMValueRef v, bool isSigned, const CaseStmt *const *ranges, size_t n,
    LLVMBasicBlockRef rest) {
  LLVMTypeRef ty = LLVMTypeOf(v);
  if (n == 1) {
    const CaseStmt *c = *ranges;
    LLVMValueRef offset = LLVMBuildSub(builder, v, m.intConst(ty, c->lo), "");
    fe.branch(LLVMBuildICmp(builder, LLVMIntULE, offset, m.intConst(ty, c->hi - c->lo), ""),
        around.switches.back().blocks[c], rest);
    return;
  }
  LLVMBasicBlockRef below = fe.newBlock("sw.below"), above = fe.newBlock("sw.above");
  fe.branch(LLVMBuildICmp(builder, isSigned ? LLVMIntSLT : LLVMIntULT, v, m.intConst(ty, ranges[n / 2]->lo), ""), below,
      above);
  fe.place(below);
  findRange(v, isSigned, ranges, n / 2, rest);
  fe.place(above);
  findRange(v, isSigned, ranges + n / 2, n - n / 2, rest);
}

void Statements::on(const SwitchStmt &s) {
  fe.weights.weighCondition(s.cond);
  LLVMValueRef v = fe.exprs.emitScalar(s.cond);
  LLVMBasicBlockRef end = fe.newBlock("sw.epilog"), dflt = end;
  LLVMTypeRef ty = LLVMTypeOf(v);
  around.switches.emplace_back();
  auto &blocks = around.switches.back().blocks;
  // From the last label to the first, so that the block of the next one is there; `default:` has its turn when it is
  // met, or in the end.
  auto blockOf = [&](const Stmt *label, const char *name) {
    const Stmt *next = nextLabel(label);
    if (next && next == s.def && !blocks[next]) {
      const Stmt *behind = nextLabel(next);
      blocks[next] = behind ? blocks[behind] : fe.newBlock("sw.default");
    }
    return blocks[label] = next ? blocks[next] : fe.newBlock(name);
  };
  for (auto c = s.cases.rbegin(); c != s.cases.rend(); ++c) blockOf(*c, "sw.bb");
  if (s.def) dflt = blocks[s.def] ? blocks[s.def] : blockOf(s.def, "sw.default");
  // The values of small ranges become cases of their own; large ranges, and all of them where that would be very many
  // values, are found by bisection before. The optimiser makes one table of what it can, and minds comparisons more
  // than cases; without it, LLVM looks through the table once for each block.
  bool isSigned = t.isSigned(s.cond->type.type);
  auto less = [&](__int128 a, __int128 b) {
    return isSigned ? a < b : static_cast<unsigned __int128>(a) < static_cast<unsigned __int128>(b);
  };
  auto span = [](const CaseStmt *c) {
    return static_cast<unsigned __int128>(c->hi) - static_cast<unsigned __int128>(c->lo);
  };
  const unsigned wide = 64, many = m.optimizing() ? 1 << 16 : 1 << 10;
  std::vector<const CaseStmt *> single, ranges;
  unsigned __int128 values = 0;
  for (auto *c : s.cases) {
    if (less(c->hi, c->lo)) continue;
    (span(c) > wide ? ranges : single).push_back(c);
    if (span(c) <= wide) values += span(c);
  }
  if (values > many) {
    auto range = std::stable_partition(single.begin(), single.end(), [&](const CaseStmt *c) { return span(c) == 0; });
    ranges.insert(ranges.end(), range, single.end());
    single.erase(range, single.end());
    values = 0;
  }
  if (!ranges.empty()) {
    std::sort(ranges.begin(), ranges.end(), [&](const CaseStmt *a, const CaseStmt *b) { return less(a->lo, b->lo); });
    LLVMBasicBlockRef rest = fe.newBlock("sw.rest");
    findRange(v, isSigned, ranges.data(), ranges.size(), rest);
    fe.place(rest);
  }
  LLVMValueRef inst = LLVMBuildSwitch(builder, v, dflt, static_cast<unsigned>(single.size() + values));
  for (auto *c : single)
    for (unsigned __int128 i = 0; i <= span(c); i++)
      LLVMAddCase(inst, m.intConst(ty, static_cast<__int128>(c->lo + i)), blocks[c]);
  around.breaks.push_back({end, fe.scopes.depth()});
  emitStmt(s.body);
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
