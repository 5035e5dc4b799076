// signature.cpp - `f.sig`: the constant that tells the runtime (and a debugger) all about the procedure. Its form is cilk_sig in rt/abi.h.
#include "codegen/clones/procedure.h"

namespace cilkc::cg {

void emitSignature(Procedure &p, RuntimeOps &ops) {
  ModuleEmitter &m = p.m;
  TypeLowering &t = *m.types;
  auto u32 = [&](uint64_t v) { return LLVMConstInt(t.i32, v, 0); };
  auto u64 = [&](uint64_t v) { return LLVMConstInt(t.i64, v, 0); };
  const SourceManager &sm = m.diags.sources();

  LLVMTypeRef entryFields[] = {t.ptr, t.i64, t.i32, t.i32, t.i32, t.i32};
  LLVMTypeRef entryType = LLVMStructTypeInContext(m.context, entryFields, 6, 0);
  std::vector<LLVMValueRef> entries;
  for (auto &e : p.flow.entries) {
    LLVMValueRef deliver = emitDeliver(p, ops, e);
    uint64_t recordSize = 0, resultSize = 0, flags = 0;
    if (e.kind == EntryPoint::AfterSpawn)
      if (auto it = p.sites.find(e.spawn); it != p.sites.end()) {
        recordSize = p.records.at(e.spawn).size;
        QualType r = it->second.procType()->result;
        if (!r->isVoid()) resultSize = t.size(r);
        if (it->second.inlet) flags |= CILK_ENTRY_INLET;
      }
    LLVMValueRef fields[] = {deliver ? deliver : LLVMConstNull(t.ptr), u64(p.layout.recordOffset), u32(recordSize), u32(resultSize), u32(flags),
                             u32(e.range.valid() ? sm.presumed(e.range.begin).line : 0)};
    entries.push_back(LLVMConstStructInContext(m.context, fields, 6, 0));
  }
  LLVMTypeRef tableType = LLVMArrayType2(entryType, entries.size());
  LLVMValueRef table = m.privateConstant(LLVMConstArray2(entryType, entries.data(), entries.size()), 8, "cilk.entries");
  (void)tableType;

  LLVMTypeRef slotFields[] = {t.ptr, t.ptr, t.i64, t.i64};
  LLVMTypeRef slotType = LLVMStructTypeInContext(m.context, slotFields, 4, 0);
  std::vector<LLVMValueRef> slots;
  if (m.options.debugLevel > 0 || m.options.modes.wants(ModeProperty::NamesSlots)) {
    auto add = [&](const VarDecl *v) {
      auto it = p.layout.offsets.find(v);
      if (it == p.layout.offsets.end() || v->name.empty()) return;
      LLVMValueRef fields[] = {m.cstring(std::string(v->name), "cilk.slot"), m.cstring(toString(v->type), "cilk.slot"), u64(it->second), u64(p.slotSize(v))};
      slots.push_back(LLVMConstStructInContext(m.context, fields, 4, 0));
    };
    for (auto *v : p.fn->params) add(v);
    for (auto *v : p.fn->locals) add(v);
  }
  LLVMValueRef slotTable = slots.empty() ? LLVMConstNull(t.ptr) : m.privateConstant(LLVMConstArray2(slotType, slots.data(), slots.size()), 8, "cilk.slots");

  Presumed where = sm.presumed(p.fn->def->range.begin);
  LLVMValueRef fields[] = {u32(CILK_ABI_VERSION), u32(p.flow.closureAtEntry ? CILK_SIG_BLOCKS : 0), p.slow, m.cstring(p.name(), "cilk.name"),
                           m.cstring(where.file ? where.file->name : sm.mainName(), "cilk.file"), u64(p.layout.size), u64(p.flow.entries.size()), table, slotTable,
                           u64(slots.size())};
  LLVMValueRef init = LLVMConstStructInContext(m.context, fields, 10, 0);
  LLVMSetInitializer(p.sig, init);
  LLVMSetGlobalConstant(p.sig, 1);
}

}  // namespace cilkc::cg
