// layout.cpp - the offset of everything: the return record of each spawn, and the closure. Sizes and alignments are the
// target's C facts; the header before the slots and the unit of the runtime's memory come from the contract with it
// (rt/core/abi.h).
#include <algorithm>
#include "frontend/ast/query.h"
#include "frontend/plan/build.h"
#include "rt/core/abi.h"

namespace cilkc {
namespace {

// Bytes for the VLAs of one frame: the nodes and results of a dozen children. What is larger costs the runtime's call
// little, because the program fills it.
constexpr uint64_t kArraySpace = 512;

// AddressSanitizer: it marks 8 bytes at a time. A larger object has a larger zone after it, since what overruns it
// may do so in larger steps.
constexpr uint64_t kMarked = 8;
uint64_t redZone(uint64_t size) { return std::clamp<uint64_t>(size / 4 / kMarked * kMarked, 32, 256); }

uint64_t alignUp(uint64_t n, uint64_t a) { return (n + a - 1) / a * a; }
uint32_t alignment(QualType t, const TargetInfo &target) { return std::max<uint32_t>(alignOf(t.type, target), 1); }

}  // namespace

uint32_t heapAlign(uint32_t typeAlign) { return std::min<uint32_t>(typeAlign, CILK_FREE_UNIT); }

uint64_t slotSize(const VarDecl *v, const TargetInfo &target) {
  return hasVariableSize(v->type.type) ? 8 : sizeOf(v->type.type, target);
}
uint32_t slotAlign(const VarDecl *v, const TargetInfo &target) {
  return hasVariableSize(v->type.type) ? 8 : std::max(alignment(v->type, target), v->attrs.align);
}

namespace planning {
namespace {

// A receiver that is a variable, or a part of one at a constant offset, is the same object whenever it is evaluated.
bool fixed(const ClonePlan &plan, const Expr *e) {
  for (e = ignoreParens(e); e; e = ignoreParens(e)) {
    if (e->kind == ExprKind::Member && !e->as<Member>()->arrow) {
      e = e->as<Member>()->base;
    } else if (e->kind == ExprKind::Unary &&
               (e->as<Unary>()->op == UnaryOp::Real || e->as<Unary>()->op == UnaryOp::Imag)) {
      e = e->as<Unary>()->sub;
    } else {
      const Decl *d = e->kind == ExprKind::Ident ? e->as<Ident>()->decl : nullptr;
      if (!d || d->kind != DeclKind::Var) return false;
      auto *v = d->as<VarDecl>();
      if (v->threadLocal || v->isPrivate) return false;  // the address belongs to the thread that spawns
      VarHome h = plan.home(v);
      return !v->isLocal || h == VarHome::Delivered || h == VarHome::Closure;
    }
  }
  return false;
}

RecordLayout record(const Work &w, const SpawnStmt &s) {
  RecordLayout r;
  if (s.delivery) {
    bool found = fixed(w.plan, s.receiver());
    r.receiver = found ? RecordLayout::Recomputed : RecordLayout::Stored;
    if (!found) r.size = 8;
  }
  if (s.inlet) {
    auto *type = s.inlet->type->as<FunctionType>();
    // the first formal is the result, if there is one
    for (size_t i = s.isVoid() ? 0 : 1; i < type->params.size(); i++) {
      QualType t = type->params[i].unqual();
      uint32_t align = heapAlign(alignment(t, w.target));
      r.size = alignUp(r.size, align);
      r.align = std::max(r.align, align);
      r.argOffsets.push_back(r.size);
      r.argTypes.push_back(t);
      r.size += sizeOf(t.type, w.target);
    }
  }
  return r;
}

}  // namespace

void layOut(Work &w) {
  ClonePlan &plan = w.plan;
  ClosureLayout &c = plan.closure;
  uint64_t at = CILK_CLOSURE_HEADER;
  QualType result = plan.fn->type->as<FunctionType>()->result;
  if (!result->isVoid()) {
    at = c.returnOffset = alignUp(at, heapAlign(alignment(result, w.target)));
    c.returnSize = sizeOf(result.type, w.target);
    at += c.returnSize;
  }
  for (auto *list : {&plan.fn->params, &plan.fn->locals})
    for (auto *v : *list) {
      if (plan.home(v) == VarHome::Scratch || c.offsets.count(v)) continue;
      c.variables.push_back(v);
      if (w.options.redZones && plan.home(v) == VarHome::Closure) {
        c.zoned.push_back(v);
        c.offsets[v] = 0;
        continue;
      }
      at = alignUp(at, slotAlign(v, w.target));
      c.offsets[v] = at;
      at += slotSize(v, w.target);
    }
  if (!c.zoned.empty()) {
    at = c.zonesBegin = alignUp(at, kMarked);
    at += redZone(0);
    for (auto *v : c.zoned) {
      at = c.offsets[v] = alignUp(at, std::max<uint64_t>(slotAlign(v, w.target), kMarked));
      uint64_t size = slotSize(v, w.target);
      at = alignUp(at + size, kMarked) + redZone(size);
    }
    c.zonesEnd = at;
  }
  uint64_t widest = 0;
  uint32_t align = 16;  // a link, where the record goes from here, has it at a multiple of 64
  for (auto &s : plan.spawns) {
    s.record = record(w, *s.site);
    widest = std::max(widest, s.record.size);
    align = std::max(align, s.record.align);
  }
  c.recordOffset = alignUp(at, align);
  c.size = alignUp(c.recordOffset + widest, 16);
  if (plan.residents && plan.fn->usesVla && w.options.arraySpace) {
    // A larger closure would come from the runtime each time.
    uint64_t whole =
        std::min<uint64_t>(alignUp(c.size + kArraySpace, CILK_FREE_UNIT), CILK_FREE_CLASSES * CILK_FREE_UNIT);
    if (whole > c.size) c.arraySpace = whole - c.size;
    c.size += c.arraySpace;
  }
}

}  // namespace planning
}  // namespace cilkc
