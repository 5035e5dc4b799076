// signature.cpp - `f.sig`: the constant that describes the procedure to the runtime and to a debugger. Its form is
// cilk_sig in rt/core/abi.h.
#include "codegen/clones/abi.h"
#include "codegen/clones/hash.h"
#include "codegen/clones/procedure.h"
#include "frontend/ast/query.h"

namespace cilkc::cg {
namespace {

// Two compilations of one procedure whose closures mean the same have the same number here: a restart refuses others.
// Lines do not count. A type whose representation depends on the processor counts with its name.
uint64_t layoutOf(const Procedure &p, const TargetInfo &target) {
  Hash hash;
  auto variable = [&](const VarDecl *v) {
    auto it = p.plan.closure.offsets.find(v);
    if (it == p.plan.closure.offsets.end()) return;
    std::string type = toString(v->type);
    hash.add(v->name);
    hash.add(type);
    if (type.find("long double") != std::string::npos) hash.add(target.facts->name);
    hash.add(it->second);
    hash.add(slotSize(v, target));
  };
  hash.add(p.plan.closure.size);
  for (auto *v : p.fn->params) variable(v);
  for (auto *v : p.fn->locals) variable(v);
  for (auto &e : p.plan.entries) {
    hash.add(e.kind);
    for (auto *list : {&e.live, &e.save, &e.saveDelivered}) {
      hash.add(list->size());
      for (auto *v : *list) hash.add(v->name);
    }
    if (e.kind != EntryPoint::AfterSpawn) continue;
    const RecordLayout &r = p.plan.spawn(e.spawn).record;
    hash.add(r.size);
    hash.add(r.receiver);
    for (auto offset : r.argOffsets) hash.add(offset);
    hash.add(toString(e.spawn->type()->result));
  }
  return hash.value;
}

}  // namespace

void emitSignature(Procedure &p, RuntimeOps &ops) {
  ModuleEmitter &m = p.m;
  TypeLowering &t = *m.types;
  auto u32 = [&](uint64_t v) { return LLVMConstInt(t.i32, v, 0); };
  auto u64 = [&](uint64_t v) { return LLVMConstInt(t.i64, v, 0); };
  const SourceManager &sm = m.diags.sources();

  constexpr size_t kMostText = 80;
  const bool named = m.options.debugLevel > 0 || m.options.modes.wants(ModeProperty::NamesSlots);
  std::vector<LLVMValueRef> entries;
  for (auto &e : p.plan.entries) {
    LLVMValueRef deliver = emitDeliver(p, ops, e);
    uint64_t recordSize = 0, recordOffset = p.plan.closure.recordOffset, resultSize = 0, flags = 0;
    LLVMValueRef text = LLVMConstNull(t.ptr), receiver = text;
    if (e.kind == EntryPoint::AfterSpawn) {
      const PlannedSpawn &s = p.plan.spawn(e.spawn);
      recordSize = s.record.size;
      QualType r = s.site->type()->result;
      if (!r->isVoid()) resultSize = t.size(r);
      if (s.site->inlet) flags |= CILK_ENTRY_INLET;
      if (s.site->fills) flags |= CILK_ENTRY_FUTURE;
      if (s.site->fills && !recordSize)
        recordOffset = p.plan.closure.offsets.at(baseVariable(s.site->receiver())) + CILK_FUTURE_HEADER;
      if (s.record.receiver == RecordLayout::Stored) flags |= CILK_ENTRY_RECEIVER;
      auto written = [&](Range r) {
        std::string s = sm.asWritten(r, kMostText);
        while (!s.empty() && (s.back() == ';' || s.back() == ' ')) s.pop_back();
        return m.cstring(s, "cilk.text");
      };
      if (named) text = written(s.site->range);
      if (named && s.site->receiver()) receiver = written(s.site->receiver()->range);
    }
    if (e.kind == EntryPoint::AtTouch) flags |= CILK_ENTRY_TOUCH;
    entries.push_back(abi::constant(m, abi::cilk_entry{.deliver = deliver ? deliver : LLVMConstNull(t.ptr),
                                           .record_offset = u64(recordOffset),
                                           .record_size = u32(recordSize),
                                           .result_size = u32(resultSize),
                                           .flags = u32(flags),
                                           .line = u32(e.range.valid() ? sm.presumed(e.range.begin).line : 0),
                                           .text = text,
                                           .receiver = receiver}));
  }
  LLVMValueRef table = m.privateConstant(LLVMConstArray2(abi::type<abi::cilk_entry>(m), entries.data(), entries.size()),
      8, "cilk.entries");

  std::vector<LLVMValueRef> slots;
  if (named) {
    auto add = [&](const VarDecl *v) {
      auto it = p.plan.closure.offsets.find(v);
      if (it == p.plan.closure.offsets.end() || v->name.empty()) return;
      slots.push_back(abi::constant(m, abi::cilk_slot_info{.name = m.cstring(std::string(v->name), "cilk.slot"),
                                           .type = m.cstring(toString(v->type), "cilk.slot"),
                                           .offset = u64(it->second),
                                           .size = u64(slotSize(v, m.ast.target)),
                                           .line = u64(sm.presumed(v->range.begin).line)}));
    };
    for (auto *v : p.fn->params) add(v);
    for (auto *v : p.fn->locals) add(v);
  }
  LLVMValueRef slotTable =
      slots.empty() ? LLVMConstNull(t.ptr)
                    : m.privateConstant(LLVMConstArray2(abi::type<abi::cilk_slot_info>(m), slots.data(), slots.size()),
                          8, "cilk.slots");

  Presumed where = sm.presumed(p.fn->def->range.begin);
  LLVMValueRef init = abi::constant(m,
      abi::cilk_sig{.abi_version = u32(CILK_ABI_VERSION),
          .flags = u32((p.plan.residents ? CILK_SIG_BLOCKS : 0) | p.plan.closure.arraySpace << CILK_SIG_ARRAYS),
          .slow = p.slow,
          .name = m.cstring(p.shownName(), "cilk.name"),
          .file = m.cstring(where.file ? where.file->name : sm.mainName(), "cilk.file"),
          .closure_size = u64(p.plan.closure.size),
          .nentries = u64(p.plan.entries.size()),
          .entries = table,
          .slots = slotTable,
          .nslots = u64(slots.size()),
          .layout = u64(layoutOf(p, m.ast.target))});
  LLVMSetInitializer(p.sig, init);
  LLVMSetGlobalConstant(p.sig, 1);
}

}  // namespace cilkc::cg
