// scope.cpp - cilk_scope: a statement at whose end, and where a jump leaves it, all is joined that was spawned in it.
// And the jumps that a loop or a spawned block does not allow.
#include "frontend/ast/visit.h"
#include "frontend/sema/opencilk/outline.h"
#include "diag/cilk.h"
#include "diag/warn.h"

namespace cilkc {

Stmt *OpenCilkRules::scope(CompoundStmt *c) {
  CompoundStmt *inner =
      c->body.size() == 1 && c->body[0]->kind == StmtKind::Compound ? c->body[0]->as<CompoundStmt>() : c;
  if (c->body.size() == 1 && c->body[0]->kind == StmtKind::Null && c->body[0]->attrs.empty())
    diags.report(diag::empty_loop_body, c->body[0]->range) << "cilk_scope";
  c->isScope = false;
  OpenCilkFunction::ScopeMark mark{sema.fs->inside.loops, sema.fs->inside.breakables, {}};
  eachNode(static_cast<const Stmt *>(c), Walk::Written, [&](const auto *n) {
    if constexpr (std::is_base_of_v<Stmt, std::remove_cvref_t<decltype(*n)>>)
      if (n->kind == StmtKind::Label) mark.labels.insert(n->template as<LabelStmt>()->name);
  });
  sema.here()->scopes.push_back(std::move(mark));
  {
    Saved body(sema.os.scopeBody, static_cast<const CompoundStmt *>(inner));
    auto *entered = cx.make<JumpScope>();
    entered->up = sema.fs->inside.jumpScope;
    entered->what = "a cilk_scope";
    Saved jumps(sema.fs->inside.jumpScope, entered);
    sema.stmts.compound(c, true);
  }
  sema.here()->scopes.pop_back();
  auto *sync = cx.make<SyncStmt>();
  sync->range = c->closing;
  c->body.push_back(sync);
  return c;
}

Stmt *OpenCilkRules::leaving(Stmt *jump, bool leavesScope) {
  if (!leavesScope) return jump;
  auto *sync = cx.make<SyncStmt>();
  auto *block = cx.make<CompoundStmt>();
  sync->range = block->range = jump->range;
  block->closing = Range{jump->range.end, jump->range.end};
  block->body = {sync, jump};
  return block;
}

const char *OpenCilkRules::labelAdvice() const {
  return std::string_view(sema.here()->outlined) == "for" ? "a goto cannot leave cilk_for"
                                                          : "a goto cannot leave a spawned block";
}

Stmt *OpenCilkRules::cannotLeave(Stmt *jump, const char *word) {
  bool loop = std::string_view(sema.here()->outlined) == "for";
  diags.report(diag::cilk_jump, jump->range)
          .note(jump->range, loop ? "`continue` ends the iteration; no iteration can end the others"
                                  : "let the block end, and test a variable after `cilk_sync;`")
      << word << (loop ? "cilk_for" : "a spawned block");
  return jump;
}

}  // namespace cilkc
