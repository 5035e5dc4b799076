// procedure.cpp - the closure's layout and the record of each spawn.
#include "codegen/clones/procedure.h"
#include <algorithm>
#include "frontend/analysis/limits.h"
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"

namespace cilkc::cg {
namespace {

uint64_t alignUp(uint64_t n, uint64_t a) { return (n + a - 1) / a * a; }

}  // namespace

Procedure::Procedure(ModuleEmitter &m, const FunctionDecl *fn)
    : m(m), fn(fn), type(fn->type->as<FunctionType>()), flow(analyzeProcedure(fn->def, m.options.debugLevel > 1 && !m.optimizing())) {
  collectSites();
  layOut();
}

// In large procedures such receivers are Stored, for deliver functions to be shared.
static bool wholeLocal(const Expr *e) {
  bool whole = false;
  return baseVariable(e, &whole) && whole;
}

// A receiver that is a variable, or a part of one at a constant offset, is the same object whenever it is evaluated.
bool Procedure::fixedSite(const Expr *e) const {
  for (e = ignoreParens(e); e; e = ignoreParens(e)) {
    switch (e->kind) {
      case ExprKind::Member:
        if (e->as<Member>()->arrow) return false;
        e = e->as<Member>()->base;
        break;
      case ExprKind::Unary:
        if (e->as<Unary>()->op != UnaryOp::Real && e->as<Unary>()->op != UnaryOp::Imag) return false;
        e = e->as<Unary>()->sub;
        break;
      case ExprKind::Ident: {
        const Decl *d = e->as<Ident>()->decl;
        if (!d || d->kind != DeclKind::Var) return false;
        auto *v = d->as<VarDecl>();
        if (v->tls != TlsKind::None || v->isPrivate) return false;     // the address belongs to the thread that spawns
        if (!v->isLocal) return true;
        VarHome h = flow.home(v);
        return h == VarHome::Delivered || h == VarHome::Closure;
      }
      default: return false;
    }
  }
  return false;
}

void Procedure::collectSites() {
  std::vector<SpawnSite> all;
  eachNode(fn->def->body, Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Stmt *>) {
      SpawnSite s;
      if (node->kind == StmtKind::Expr && node->template as<ExprStmt>()->expr && FunctionEmitter::spawnSite(node->template as<ExprStmt>()->expr, s)) all.push_back(s);
      return true;
    } else {
      return false;
    }
  });
  for (const SpawnSite &s : all) {
    RecordLayout r;
    if (s.assign) {
      r.receiver = fixedSite(s.assign->lhs) && !(compact() && wholeLocal(s.assign->lhs)) ? RecordLayout::Recomputed : RecordLayout::Stored;
      if (r.receiver == RecordLayout::Stored) r.size = 8;
    }
    if (s.inlet) {
      auto *it = s.inlet->type->as<FunctionType>();
      size_t first = s.procType()->result->isVoid() ? 0 : 1;            // a void child has no first formal
      for (size_t i = first; i < it->params.size(); i++) {
        QualType t = it->params[i].unqual();
        uint32_t align = heapAlign(m.types->align(t));
        r.size = alignUp(r.size, align);
        r.align = std::max(r.align, align);
        r.argOffsets.push_back(r.size);
        r.argTypes.push_back(t);
        r.size += m.types->size(t);
      }
    }
    QualType result = s.procType()->result;
    if (r.size > UINT32_MAX || (!result->isVoid() && m.types->size(result) > UINT32_MAX))   // as far as cilk_entry's fields reach
      m.impossible(s.spawn->range, "a spawn with a result or inlet arguments of more than 4 gigabytes");
    sites.emplace(s.spawn, s);
    records.emplace(s.spawn, std::move(r));
  }
}

uint64_t Procedure::slotSize(const VarDecl *v) const {
  return hasVariableSize(v->type.type) ? 8 : m.types->size(v->type);
}
uint32_t Procedure::slotAlign(const VarDecl *v) const {
  uint32_t a = hasVariableSize(v->type.type) ? 8 : std::max(m.types->align(v->type), v->attrs.align);
  return std::max<uint32_t>(a, 1);
}

static_assert(kLargestLocalAlign == CILK_FREE_UNIT);

void Procedure::layOut() {
  uint64_t at = CILK_CLOSURE_HEADER;
  if (!type->result->isVoid()) {
    at = alignUp(at, heapAlign(m.types->align(type->result)));
    layout.returnOffset = at;
    layout.returnSize = m.types->size(type->result);
    at += layout.returnSize;
  }
  auto place = [&](const VarDecl *v) {
    VarHome h = flow.home(v);
    if (h == VarHome::Scratch || layout.offsets.count(v)) return;
    if (slotAlign(v) > CILK_FREE_UNIT) m.impossible(Range{Loc{v->range.begin.raw}, Loc{v->range.end.raw}}, "alignment above 64 bytes for a local of a cilk procedure");
    at = alignUp(at, slotAlign(v));
    layout.offsets[v] = at;
    layout.variables.push_back(v);
    at += slotSize(v);
  };
  for (auto *v : fn->params) place(v);
  for (auto *v : fn->locals) place(v);
  uint64_t widest = 0;
  uint32_t align = 16;                                                  // a link, where the record goes from here, has it at a multiple of 64
  for (auto &r : records) {
    widest = std::max(widest, r.second.size);
    align = std::max(align, r.second.align);
  }
  at = alignUp(at, align);
  layout.recordOffset = at;
  layout.size = alignUp(at + widest, 16);
}

}  // namespace cilkc::cg
