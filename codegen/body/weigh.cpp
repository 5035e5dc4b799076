// weigh.cpp - reports the weights of the text (frontend/plan/weights.h) where control reaches it: stmt.cpp does so for
// each full expression, the files of expressions for what is evaluated under a condition. C headers of the system weigh
// nothing, so that their inline functions, which differ between levels of optimisation, do not show. What their macros
// become in the program's files does weigh.
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include <algorithm>
#include "frontend/ast/visit.h"
#include "frontend/plan/weights.h"

namespace cilkc::cg {

static bool weighs(const SourceManager &sources, Loc where) {
  if (!where.valid()) return false;
  if (!sources.inSystemHeader(where) || sources.inCilkFile(where)) return true;
  const SourceFile *file = sources.presumed(where).file;
  auto all = sources.inclusions();
  return std::none_of(all.begin(), all.end(), [&](const auto &i) { return i.to == file && i.system; });
}

Weights::Weights(FunctionEmitter &fe) : BodyStage(fe), weighing(m.options.modes.wants(ModeProperty::Units)) {}

void Weights::weigh(const Weight &w, Loc where) {
  if ((!w.own && !w.library) || !fe.open() || !weighs(m.diags.sources(), where)) return;
  Loc place = fe.expansions.placeOf(where);
  if (w.own) events.units(fe, w.own, place);
  if (w.library) events.unitsOfLibrary(fe, w.library, place);
}

void Weights::weigh(const Expr *e) {
  if (weighing && e) weigh(weightOf(e, m.ast), e->range.begin);
}

void Weights::weigh(const SpawnStmt &s) {
  if (weighing) weigh(weightOf(&s, m.ast), s.range.begin);
}

void Weights::weighCondition(const Expr *e) {
  if (!weighing || !e) return;
  Weight w = weightOf(e, m.ast);
  w.own += unitsOf(Operation::Branch);
  weigh(w, e->range.begin);
}

void Weights::weigh(const Initializer *init, Loc where) {
  if (weighing && init) weigh(weightOf(init, m.ast), where);
}

void Weights::weighStatement(const Stmt *s) {
  if (weighing) weigh(Weight{unitsOf(Operation::Builtin), 0}, s->range.begin);
}

void Weights::weighBytes(LLVMValueRef n, Loc where) {
  if (!weighing || !fe.open() || !weighs(m.diags.sources(), where)) return;
  LLVMValueRef words = LLVMBuildLShr(builder, LLVMBuildIntCast2(builder, n, t.i64, false, ""), fe.i64c(3), "");
  events.unitsMeasured(fe, words, fe.expansions.placeOf(where));
}

void Weights::weighLength(const FunctionDecl *f, const std::vector<RValue> &args, Loc where) {
  int n = weighing ? lengthArgument(f) : -1;
  if (n >= 0 && static_cast<size_t>(n) < args.size() && args[n].kind == RValue::Scalar)
    weighBytes(args[n].value, where);
}

bool Weights::reportsLoop(const Stmt *s, Range r) {
  const auto &asked = m.options.loopLines;
  if (asked.empty() || fe.inInline()) return false;
  const SourceManager &sources = m.diags.sources();
  Presumed begin = sources.presumed(r.begin), end = sources.presumed(r.end.valid() ? r.end : r.begin);
  if (begin.file != end.file ||
      std::none_of(asked.begin(), asked.end(), [&](uint32_t l) { return begin.line <= l && l <= end.line; }))
    return false;
  bool plain = true;
  eachNode(s, Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Stmt *>)
      plain &= node->kind != StmtKind::Spawn && node->kind != StmtKind::Sync && node->kind != StmtKind::Touch &&
               node->kind != StmtKind::Return && node->kind != StmtKind::Goto && node->kind != StmtKind::GotoExpr;
  });
  return plain;
}

}  // namespace cilkc::cg
