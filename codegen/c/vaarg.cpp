// vaarg.cpp - va_list and va_arg. Where the next argument is only the target knows (target/).
#include <algorithm>
#include "codegen/core/function.h"
#include "codegen/core/target.h"
#include "frontend/ast/query.h"

namespace cilkc::cg {

// The address of the va_list object, given as an lvalue (array or record) or as a pointer to it.
LLVMValueRef VarArgs::emitVaList(const Expr *e) {
  const Expr *s = e;
  s = ignoreParens(s);
  if (s->type->isPointer()) {
    // An lvalue of pointer type is a parameter of a va_list that is an array.
    return s->lvalue ? fe.memory.loadScalar(fe.lvalues.emitLvalue(s)) : fe.exprs.emitScalar(s);
  }
  if (s->kind == ExprKind::ImplicitCast && !s->lvalue && s->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue)
    return fe.lvalues.emitLvalue(s->as<ImplicitCast>()->sub).ptr;
  return s->lvalue ? fe.lvalues.emitLvalue(s).ptr : fe.aggregates.emitAggregate(s).ptr;
}

RValue VarArgs::emitVaArg(const VaArg *e) {
  LLVMValueRef list = emitVaList(e->list);
  QualType q = e->target ? e->target->type.unqual() : e->type;
  if (isVariablyModified(q.type)) fe.locals.emitVlaSizes(q, nullptr);
  accessVaList(list, AccessMode::ReadWrite, e->range);
  auto argument = [&](LLVMValueRef at) {
    Address a{at, t.align(q), q};
    a.own = true;
    return a;
  };
  if (q->isRecord() && hasVariableSize(q.type)) {              // passed by reference
    QualType word = m.ast.basic(TypeKind::ULong);
    LLVMValueRef at = fe.loadRaw(t.ptr, emitVaArgAddress(list, word), 8);
    return RValue::aggregate(argument(at));
  }
  if (hasVariableSize(q.type)) q = m.ast.basic(TypeKind::Int);
  LLVMValueRef p = emitVaArgAddress(list, q);
  if (q->isVoid()) return {};
  return fe.memory.load(argument(p));
}

// A va_list is an object of the user's; the arguments that it leads to are the call's.
void VarArgs::accessVaList(LLVMValueRef list, AccessMode mode, Range where) {
  int64_t bytes = 0;
  for (auto &member : m.ast.target.facts->vaList.members)
    bytes += member.type == TargetFacts::VaList::Member::Pointer ? 8 : 4;
  fe.memory.access(list, fe.i64c(bytes), mode, AccessKind::VaList, where);
}

LLVMValueRef VarArgs::emitVaArgAddress(LLVMValueRef list, QualType q) {
  FunctionType proto;
  proto.result = m.ast.basic(TypeKind::Void);
  proto.variadic = true;
  AbiFunction abi = t.abiForCall(&proto, {q});
  const AbiSlot &s = abi.params[0];
  if (s.kind == AbiSlot::Ignore)
    return fe.entryAlloca(LLVMArrayType2(t.i8, std::max<uint64_t>(t.size(q), 1)), t.align(q), "empty");

  return m.target.vaArg(fe, list, q, s);
}

}  // namespace cilkc::cg
