// locals.cpp - where variables live: a local is given its place when it is first met, by the strategy or in an alloca
// of the entry block. Types of variable size: their sizes are hidden variables, set where a declaration is reached; a
// variable of such a type has the address of its object for storage.
#include <algorithm>
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "codegen/module/debug.h"
#include "frontend/types/layout.h"

namespace cilkc::cg {

Address Locals::variable(const VarDecl *v) {
  Address a = storageOf(v);
  a.object = v;
  a.where = v->range;
  return a;
}

Address Locals::storageOf(const VarDecl *v) {
  bool vla = hasVariableSize(v->type.type);
  auto it = storage.find(v);
  if (it != storage.end()) {
    Address a = it->second;
    if (!vla) return a;
    return Address{fe.loadRaw(t.ptr, a.ptr, 8), t.align(v->type), v->type};
  }
  if (!v->isLocal && !v->isParam) {
    if (v->storage == StorageClass::Register && v->attrs.hasAsmLabel) {
      Address a;
      a.type = v->type;
      LLVMMetadataRef s = LLVMMDStringInContext2(context, v->attrs.asmLabel.data(), v->attrs.asmLabel.size());
      a.namedRegister = LLVMMDNodeInContext2(context, &s, 1);
      return a;
    }
    LLVMValueRef g = m.global(v);
    if (v->threadLocal) g = threadLocalAddress(g);
    uint32_t align = isComplete(v->type.type) ? std::max(t.align(v->type), v->attrs.align)
                                              : t.align(v->type->isArray() ? v->type->as<ArrayType>()->elem : v->type);
    return Address{g, align, v->type};
  }
  if (LLVMValueRef p = fe.nested.captured(v)) {
    if (vla) p = fe.loadRaw(t.ptr, p, 8);
    return Address{p, std::max(t.align(v->type), 1u), v->type};
  }
  Address a;
  a.type = v->type;
  a.align = vla ? 8 : std::max(t.align(v->type), v->attrs.align);
  a.ptr = strategy.storageFor(fe, v);
  if (!a.ptr) a.ptr = fe.placeOfResult(v);
  if (!a.ptr) {
    std::string name(v->name);
    if (!vla && v->type->isArray() && t.size(v->type) >= 16) a.align = std::max(a.align, 16u);
    a.ptr = fe.entryAlloca(vla ? t.ptr : t.memory(v->type), a.align, name.c_str());
  }
  storage[v] = a;
  if (!v->hidden) describe(v, a);
  return vla ? Address{fe.loadRaw(t.ptr, a.ptr, 8), t.align(v->type), v->type} : a;
}

// For the debugger.
void Locals::describe(const VarDecl *v, const Address &a) {
  if (!m.debug || fe.expansions.current() || m.options.debugLevel <= 1) return;
  if (v->isParam && LLVMGetInsertBlock(builder) == fe.entryBlock) fe.setLocation(v->range);
  fe.ensureOpen();
  // Where control enters in the middle, it does not pass the declaration: all are at the entry.
  BodyStrategy::DebugPlace place = strategy.debugPlace(v);
  m.debug->local(strategy.lifetimeMarkers() ? LLVMGetInsertBlock(builder) : fe.entryBlock, v,
      place.base ? place.base : a.ptr, hasVariableSize(v->type.type),
      v->isParam && !fe.inInline() ? fe.subprogram : fe.scopes.innermost().debugScope, v->range.begin,
      place.base ? &place.offset : nullptr);
}

Address Locals::slotOf(const VarDecl *v) {
  if (!hasVariableSize(v->type.type)) return variable(v);
  if (!known(v)) variable(v);
  return storage.at(v);
}

void Locals::bindParameter(const VarDecl *v, const Address &a) {
  Address &mine = storage[v] = a;
  mine.own = false;
  mine.object = v;
  if (m.debug && fe.open())
    m.debug->local(LLVMGetInsertBlock(builder), v, a.ptr, hasVariableSize(v->type.type),
        fe.scopes.innermost().debugScope, v->range.begin);
}

Address Locals::temporary(QualType q, const char *name) {
  uint32_t align = t.align(q);
  Address a{hasVariableSize(q.type) ? strategy.allocateDynamic(fe, sizeOfType(q), align)
                                    : fe.entryAlloca(t.memory(q), align, name),
      align, q.unqual()};
  a.own = true;
  return a;
}

LLVMValueRef Locals::threadLocalAddress(LLVMValueRef g) {
  LLVMValueRef p = fe.callIntrinsic("llvm.threadlocal.address", {t.ptr}, {g});
  return p;
}

void Locals::reportClosure(LLVMValueRef holder) {
  if (m.debug && !fe.expansions.current()) m.debug->closure(fe.entryBlock, holder, fe.subprogram);
}

// ---- variable sizes -----------------------------------------------------------------------------------------------

Address Locals::sizeVariable(const VarDecl *v) {
  bool fresh = !known(v);
  Address a = variable(v);
  if (fresh && known(v)) describe(v, a);  // the bound of an array's type
  a.own = true;
  return a;
}

// Members after one of variable size follow it as their alignment asks; bit-fields keep the places that layout gave
// them relative to the first one of their run.
LLVMValueRef Locals::variableOffset(const RecordType *r, const FieldDecl *wanted) {
  auto alignUp = [&](LLVMValueRef v, uint64_t to) {
    if (to <= 1) return v;
    return LLVMBuildAnd(builder, LLVMBuildAdd(builder, v, fe.i64c(static_cast<int64_t>(to - 1)), ""),
        fe.i64c(-static_cast<int64_t>(to)), "");
  };
  LLVMValueRef at = nullptr;  // after the last member, once that is not constant
  LLVMValueRef runAt = nullptr;
  const FieldDecl *run = nullptr;  // the first bit-field of the current run
  uint64_t runEnd = 0;
  for (const FieldDecl *f : r->fields) {
    if (r->isUnion) {
      if (f == wanted) return fe.i64c(0);
      LLVMValueRef size = f->bitField ? fe.i64c((f->width + 7) / 8) : sizeOfType(f->type);
      at = at ? LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntUGT, size, at, ""), size, at, "") : size;
      continue;
    }
    if (!at) {
      if (f == wanted) return fe.i64c(static_cast<int64_t>(f->offset));
      if (!f->bitField && hasVariableSize(f->type.type))
        at = LLVMBuildAdd(builder, fe.i64c(static_cast<int64_t>(f->offset)), sizeOfType(f->type), "");
      continue;
    }
    if (f->bitField && f->width) {
      if (!run) {
        run = f;
        runAt = at = alignUp(at, memberAlign(r, f, m.ast.target));
      }
      if (f == wanted) return LLVMBuildAdd(builder, runAt, fe.i64c(static_cast<int64_t>(f->offset - run->offset)), "");
      runEnd = f->offset * 8 + f->bitOffset + f->width - run->offset * 8;
      at = LLVMBuildAdd(builder, runAt, fe.i64c(static_cast<int64_t>((runEnd + 7) / 8)), "");
      continue;
    }
    run = nullptr;
    if (f->bitField) continue;
    at = alignUp(at, memberAlign(r, f, m.ast.target));
    if (f == wanted) return at;
    at = LLVMBuildAdd(builder, at, sizeOfType(f->type), "");
  }
  return at ? alignUp(at, t.align(r)) : fe.i64c(static_cast<int64_t>(r->size));
}

// Bytes of a type of variable size.
LLVMValueRef Locals::sizeOfType(QualType q) {
  if (q->isRecord() && q->as<RecordType>()->variable) return variableOffset(q->as<RecordType>(), nullptr);
  if (!q->isArray() || !hasVariableSize(q.type)) return fe.i64c(static_cast<int64_t>(t.size(q)));
  auto *a = q->as<ArrayType>();
  LLVMValueRef n;
  if (a->arrayKind == ArrayKind::Variable) {
    if (a->sizeVar) n = fe.memory.loadScalar(sizeVariable(a->sizeVar));
    else n = a->size ? fe.exprs.emitScalar(a->size) : fe.i64c(0);
    if (LLVMTypeOf(n) != t.i64) n = LLVMBuildIntCast2(builder, n, t.i64, false, "");
  } else n = fe.i64c(static_cast<int64_t>(a->count));
  return LLVMBuildMul(builder, n, sizeOfType(a->elem), "");
}

// Evaluates the sizes of a variably modified type into their hidden variables where its declaration is reached. A type
// belongs to the first declaration that has it; a later one (through a typedef or typeof) uses the sizes as they are.
// No owner: a type name in an expression.
void Locals::emitVlaSizes(QualType q, const void *owner) {
  const Type *ty = q.type;
  switch (ty->kind) {
    case TypeKind::Pointer:
      if (isVariablyModified(ty->as<PointerType>()->pointee.type)) emitVlaSizes(ty->as<PointerType>()->pointee, owner);
      break;
    case TypeKind::Array: {
      auto *a = ty->as<ArrayType>();
      // a type of a function around has its sizes; in an inlet, its procedure's types have them, too
      bool around =
          a->sizeVar && (isAncestor(a->sizeVar->fn, fn) || (fe.inInline() && fn && fn->isCilk && a->sizeVar->fn == fn));
      if (a->arrayKind == ArrayKind::Variable && a->sizeVar && a->size && !around) {
        auto it = vlaOwner.find(a->sizeVar);  // not the type: a qualified copy of it shares its sizes
        if (it == vlaOwner.end() || it->second == owner) {
          if (owner) vlaOwner[a->sizeVar] = owner;
          LLVMValueRef n = fe.exprs.emitScalar(a->size);
          n = fe.conv.convertScalar(n, a->size->type, a->sizeVar->type);
          fe.ubsan.checkVlaSize(n, a->size);
          fe.memory.storeScalar(sizeVariable(a->sizeVar), n);
        }
      }
      if (isVariablyModified(a->elem.type)) emitVlaSizes(a->elem, owner);
      break;
    }
    case TypeKind::Record:
      if (auto *r = ty->as<RecordType>(); r->variable && std::ranges::find(measured, r) == measured.end()) {
        measured.push_back(r);
        for (const FieldDecl *f : r->fields) emitVlaSizes(f->type, owner);
        measured.pop_back();
      }
      break;
    case TypeKind::Function:
      if (isVariablyModified(ty->as<FunctionType>()->result.type)) emitVlaSizes(ty->as<FunctionType>()->result, owner);
      break;
    default: break;
  }
}

}  // namespace cilkc::cg
