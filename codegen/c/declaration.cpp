// declaration.cpp - declarations in blocks: the storage, the initialiser and the cleanup of an object where its
// declaration is reached.
#include <algorithm>
#include "codegen/core/function.h"

namespace cilkc::cg {

void Statements::on(const DeclStmt &s) {
  if (!s.decl) return;
  if (s.decl->specs && s.decl->specs->record && fe.open()) {
    const RecordSpec *r = s.decl->specs->record;
    if (r->hasBody && r->type && r->type->variable) fe.locals.emitVlaSizes(r->type, r);
  }
  for (auto &d : s.decl->declarators) {
    if (!d.decl) continue;
    if (d.decl->kind == DeclKind::Var) emitLocalDecl(d.decl->as<VarDecl>());
    else if (d.decl->kind == DeclKind::Typedef && isVariablyModified(d.decl->type.type) && fe.open())
      fe.locals.emitVlaSizes(d.decl->type, d.decl);
  }
}

void Statements::emitLocalDecl(const VarDecl *v) {
  if (!v->isLocal) {
    // a static pointer to a VLA: the sizes are those of this call
    if (fe.open() && isVariablyModified(v->type.type)) fe.locals.emitVlaSizes(v->type, v);
    if (v->attrs.used && v->linkage == Linkage::None) m.global(v);
    return;
  }
  auto registerCleanup = [&] {
    if (!v->attrs.cleanup) return;
    fe.scopes.innermost().cleanups.push_back({Scopes::Cleanup::Function, v});
  };
  // Jumped over: its storage is made when something reaches it. Control may enter the block after it, and leave it.
  if (!fe.open()) return registerCleanup();
  fe.setLocation(v->range);
  if (isVariablyModified(v->type.type)) fe.locals.emitVlaSizes(v->type, v);
  if (hasVariableSize(v->type.type)) {
    // One mark for a scope: where it ends, all go. A jump back in the scope gives back only what is declared after its
    // label.
    if (!fe.scopes.innermost().marked || fe.hasLabels) {
      LLVMValueRef mark = strategy.dynamicMark(fe, v);
      if (mark) {
        fe.scopes.innermost().marked = true;
        Scopes::Cleanup c{Scopes::Cleanup::Dynamic, v};
        c.value = mark;
        fe.scopes.innermost().cleanups.push_back(c);
      }
    }
    LLVMValueRef size = fe.locals.sizeOfType(v->type);
    uint32_t align = std::max(t.align(v->type), v->attrs.align);
    LLVMValueRef p = strategy.allocateDynamic(fe, size, align, v);
    fe.nested.noteStack();
    fe.storeRaw(p, fe.locals.slotOf(v).ptr, 8);
    fe.memory.reportObject(true, Object::Vla, v, p, size);
  }
  // Without optimisation there is nothing to win from markers, but AddressSanitizer reads them. Where control may enter
  // past the declaration they would be wrong.
  const bool poisons = m.options.sanitizeAddress && m.options.useAfterScope;
  bool markers = (m.optimizing() || poisons) && strategy.lifetimeMarkers() && !fe.hasLabels &&
                 !fe.scopes.innermost().bypassed && !v->crossesNested && !v->inletTouches &&
                 !hasVariableSize(v->type.type) && !(m.options.sanitizeAddress && !poisons) &&
                 !(fn && fn->callsSetjmp) && !fe.inInline();
  bool fresh = !fe.locals.known(v);
  Address a = fe.locals.variable(v);
  if (markers && fresh && LLVMIsAAllocaInst(a.ptr)) {
    uint64_t size = t.size(v->type);
    fe.callIntrinsic("llvm.lifetime.start", {t.ptr}, {fe.i64c(static_cast<int64_t>(size)), a.ptr});
    Scopes::Cleanup c{Scopes::Cleanup::Lifetime, v};
    c.value = a.ptr;
    c.size = size;
    fe.scopes.innermost().cleanups.push_back(c);
  }
  // In the outermost block of the body and of a function that is expanded in place, it ends with them.
  if (poisons && strategy.endsWithItsBlock(v) && !fe.hasLabels && !fe.scopes.innermost().bypassed && !fe.inInline() &&
      !(fn && fn->callsSetjmp) && fe.scopes.depth() > 2) {
    uint64_t size = t.size(v->type);
    fe.callRuntime("__asan_unpoison_stack_memory", t.voidTy, {a.ptr, fe.i64c(static_cast<int64_t>(size))});
    Scopes::Cleanup c{Scopes::Cleanup::Poison, v};
    c.value = a.ptr;
    c.size = size;
    fe.scopes.innermost().cleanups.push_back(c);
  }
  if (fe.memory.reportsObjects()) {
    Scopes::Cleanup c{Scopes::Cleanup::Reported, v};
    if (!hasVariableSize(v->type.type)) {
      c.value = a.ptr;
      c.size = t.size(v->type);
      fe.memory.reportObject(true, Object::Local, v, a.ptr, fe.i64c(static_cast<int64_t>(c.size)));
    }
    fe.scopes.innermost().cleanups.push_back(c);
  }
  if (!v->init && m.options.autoInit != AutoInit::None && !v->attrs.uninitialized && !v->hidden) {
    LLVMValueRef size =
        hasVariableSize(v->type.type) ? fe.locals.sizeOfType(v->type) : fe.i64c(static_cast<int64_t>(t.size(v->type)));
    fe.fillBytes(a.ptr, a.align, LLVMConstInt(t.i8, m.options.autoInit == AutoInit::Zero ? 0 : 0xaa, false), size);
  }
  // A continuation that nothing was assigned to goes nowhere, and a value that is sent there is reported.
  if (!v->init && v->type->isCont()) fe.zeroFill(a.ptr, a.align, fe.i64c(static_cast<int64_t>(t.size(v->type))));
  if (v->init) {
    Address dest = a;
    dest.type = QualType(a.type.type, a.type.quals & QVolatile);
    fe.weights.weigh(v->init, v->range.begin);
    // of futures: sema gives no other
    if (hasVariableSize(v->type.type)) fe.zeroFill(a.ptr, a.align, fe.locals.sizeOfType(v->type));
    else fe.aggregates.emitInitializer(v->init, dest);
  }
  registerCleanup();
}

}  // namespace cilkc::cg
