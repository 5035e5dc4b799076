// deliver.cpp - deliver functions: `void f.deliver.N(cilk_closure *parent, void *record, void *result)` does for spawn
// N, whenever the runtime decides, what the fast clone does inline after the call: the store, the `op=`, or the inlet
// with its body. The parent is not running then; its receivers and whatever its inlets touch lie in their slots.
#include "codegen/clones/procedure.h"

namespace cilkc::cg {
namespace {

class DeliverBody : public SlotBody {
public:
  using SlotBody::SlotBody;
  void prologue(FunctionEmitter &fe) override { useClosure(fe, LLVMGetParam(fe.function, 0)); }

  void emit(FunctionEmitter &fe, const SpawnStmt &s) {
    LLVMValueRef record = LLVMGetParam(fe.function, 1), result = LLVMGetParam(fe.function, 2);
    const RecordLayout &r = p.plan.spawn(&s).record;
    RValue value;
    QualType type = s.type()->result.unqual();
    if (!type->isVoid()) value = readAt(fe, result, type);
    Address receiver;
    if (r.receiver == RecordLayout::Stored) {
      receiver.ptr = fe.loadRaw(fe.t.ptr, record, 8);
      receiver.align = p.receiverAlign.count(&s) ? p.receiverAlign.at(&s) : 1;
      receiver.type = s.receiver()->type;
      receiver.mayAlias = true;
      receiver.where = s.receiver()->range;
    } else if (r.receiver == RecordLayout::Recomputed) {
      receiver = fe.lvalues.emitLvalue(s.receiver());
    }
    std::vector<RValue> args;
    for (size_t i = 0; i < r.argOffsets.size(); i++)
      args.push_back(readAt(fe, fe.offsetPtr(record, r.argOffsets[i]), r.argTypes[i]));
    fe.stmts.emitDelivery(s, value, receiver, args);
    if (fe.open()) { LLVMBuildRetVoid(fe.builder); }
  }

private:
  // Records and results lie at least at their own alignment up to 16 bytes.
  RValue readAt(FunctionEmitter &fe, LLVMValueRef at, QualType type) {
    Address a;
    a.ptr = at;
    a.align = std::min<uint32_t>(fe.t.align(type), 16);
    a.type = type;
    a.mayAlias = true;
    a.own = true;
    if (type->isRecord()) return RValue::aggregate(a);
    return fe.memory.load(a);
  }
};

}  // namespace

LLVMValueRef emitDeliver(Procedure &p, RuntimeOps &ops, const EntryPoint &e) {
  if (e.kind != EntryPoint::AfterSpawn) return nullptr;
  const PlannedSpawn &planned = p.plan.spawn(e.spawn);
  if (planned.site->form == SpawnForm::Plain) return nullptr;
  TypeLowering &t = *p.m.types;
  LLVMTypeRef params[] = {t.ptr, t.ptr, t.ptr};
  LLVMValueRef fn = p.m.makeRawFunction(p.name() + ".deliver." + std::to_string(planned.entry),
      LLVMFunctionType(t.voidTy, params, 3, 0), LLVMInternalLinkage);
  DeliverBody strategy(p, ops);
  FunctionEmitter fe(p.m, fn, p.fn, strategy);
  fe.begin(false);
  strategy.emit(fe, *planned.site);
  fe.finish();
  return fn;
}

}  // namespace cilkc::cg
