// vaarg.cpp - va_arg for both ABIs, written out as the ABI documents do: registers saved by the prologue while they last, the stack afterwards.
#include <algorithm>
#include "codegen/function.h"

namespace cilkc::cg {

// The address of the va_list object, given as an lvalue (array or record) or as a pointer to it.
LLVMValueRef FunctionEmitter::emitVaList(const Expr *e) {
  const Expr *s = e;
  while (s->kind == ExprKind::Paren) s = s->as<ParenExpr>()->sub;
  if (s->type->isPointer()) {
    // An lvalue of pointer type is a va_list parameter on x86-64.
    return s->lvalue ? loadScalar(emitLvalue(s)) : emitScalar(s);
  }
  if (s->kind == ExprKind::ImplicitCast && !s->lvalue && s->as<ImplicitCast>()->castKind == CastKind::LvalueToRvalue) return emitLvalue(s->as<ImplicitCast>()->sub).ptr;
  return s->lvalue ? emitLvalue(s).ptr : emitAggregate(s).ptr;
}

RValue FunctionEmitter::emitVaArg(const VaArg *e) {
  LLVMValueRef list = emitVaList(e->list);
  QualType q = e->target ? e->target->type.unqual() : e->type;
  if (isVariablyModified(q.type)) emitVlaSizes(q, nullptr);
  if (q->isRecord() && hasVariableSize(q.type)) {              // passed by reference
    QualType word = m.ast.basic(TypeKind::ULong);
    LLVMValueRef at = loadRaw(t.ptr, emitVaArgAddress(list, word), 8);
    return RValue::aggregate(Address{at, t.align(q), q});
  }
  if (hasVariableSize(q.type)) q = m.ast.basic(TypeKind::Int);
  LLVMValueRef p = emitVaArgAddress(list, q);
  Address a{p, t.align(q), q};
  if (q->isVoid()) return {};
  return load(a);
}

LLVMValueRef FunctionEmitter::emitVaArgAddress(LLVMValueRef list, QualType q) {
  FunctionType proto;
  proto.result = m.ast.basic(TypeKind::Void);
  proto.variadic = true;
  AbiFunction abi = t.abiForCall(&proto, {q});
  const AbiSlot &s = abi.params[0];
  uint64_t size = t.size(q);
  uint32_t align = t.align(q);
  auto gep = [&](LLVMValueRef base, LLVMValueRef off) { return LLVMBuildGEP2(builder, t.i8, base, &off, 1, ""); };
  auto alignUp = [&](LLVMValueRef ptr, uint64_t to) {
    LLVMValueRef x = LLVMBuildAdd(builder, LLVMBuildPtrToInt(builder, ptr, t.i64, ""), i64c(static_cast<int64_t>(to - 1)), "");
    return LLVMBuildIntToPtr(builder, LLVMBuildAnd(builder, x, i64c(-static_cast<int64_t>(to)), ""), t.ptr, "");
  };
  if (s.kind == AbiSlot::Ignore) return entryAlloca(LLVMArrayType2(t.i8, std::max<uint64_t>(size, 1)), align, "empty");

  if (t.target().arch == TargetInfo::AArch64) {
    // struct { void *stack, *gr_top, *vr_top; int gr_offs, vr_offs; }
    bool indirect = s.kind == AbiSlot::Indirect;
    LLVMTypeRef piece = indirect ? t.ptr : s.pieces[0].type;
    LLVMTypeRef elem = LLVMGetTypeKind(piece) == LLVMArrayTypeKind ? LLVMGetElementType(piece) : piece;
    uint64_t count = LLVMGetTypeKind(piece) == LLVMArrayTypeKind ? LLVMGetArrayLength2(piece) : 1;
    LLVMTypeKind k = LLVMGetTypeKind(elem);
    bool fp = k != LLVMIntegerTypeKind && k != LLVMPointerTypeKind;
    uint64_t argSize = indirect ? 8 : size, argAlign = indirect ? 8 : align;
    uint64_t regBytes = fp ? count * 16 : (argSize + 7) / 8 * 8;
    LLVMValueRef offsP = offsetPtr(list, fp ? 28 : 24);
    LLVMBasicBlockRef maybe = newBlock("vaarg.maybe"), reg = newBlock("vaarg.reg"), stack = newBlock("vaarg.stack"), end = newBlock("vaarg.end");
    LLVMValueRef offs = loadRaw(t.i32, offsP, 4);
    branch(LLVMBuildICmp(builder, LLVMIntSGE, offs, i32c(0), ""), stack, maybe);
    place(maybe);
    if (!fp && argAlign > 8) offs = LLVMBuildAnd(builder, LLVMBuildAdd(builder, offs, i32c(15), ""), i32c(-16), "");
    LLVMValueRef next = LLVMBuildAdd(builder, offs, i32c(static_cast<int64_t>(regBytes)), "");
    storeRaw(next, offsP, 4);
    branch(LLVMBuildICmp(builder, LLVMIntSLE, next, i32c(0), ""), reg, stack);
    place(reg);
    LLVMValueRef top = loadRaw(t.ptr, offsetPtr(list, fp ? 16 : 8), 8);
    LLVMValueRef p = gep(top, LLVMBuildSExt(builder, offs, t.i64, ""));
    if (fp && count > 1) {                                     // gather the members from their 16-byte places
      uint64_t es = LLVMStoreSizeOfType(m.layout, elem);
      LLVMValueRef tmp = entryAlloca(LLVMArrayType2(t.i8, size), std::max(align, 16u), "hfa");
      for (uint64_t i = 0; i < count; i++) storeRaw(loadRaw(elem, offsetPtr(p, i * 16), static_cast<uint32_t>(es)), offsetPtr(tmp, i * es), static_cast<uint32_t>(es));
      p = tmp;
    }
    LLVMBasicBlockRef fromReg = LLVMGetInsertBlock(builder);
    jump(end);
    place(stack);
    LLVMValueRef sp = loadRaw(t.ptr, list, 8);
    if (argAlign > 8) sp = alignUp(sp, std::min<uint64_t>(argAlign, 16));
    storeRaw(gep(sp, i64c(static_cast<int64_t>((argSize + 7) / 8 * 8))), list, 8);
    LLVMBasicBlockRef fromStack = LLVMGetInsertBlock(builder);
    place(end);
    LLVMValueRef phi = LLVMBuildPhi(builder, t.ptr, "");
    LLVMAddIncoming(phi, &p, &fromReg, 1);
    LLVMAddIncoming(phi, &sp, &fromStack, 1);
    return indirect ? loadRaw(t.ptr, phi, 8) : phi;
  }

  // x86-64: struct { unsigned gp_offset, fp_offset; void *overflow_arg_area, *reg_save_area; }[1]
  auto isGpr = [&](LLVMTypeRef ty) { LLVMTypeKind k = LLVMGetTypeKind(ty); return k == LLVMIntegerTypeKind || k == LLVMPointerTypeKind; };
  unsigned gpr = 0, sse = 0;
  bool inMemory = s.kind == AbiSlot::Indirect;
  if (!inMemory)
    for (auto &p : s.pieces) {
      if (p.type == t.f80 || LLVMStoreSizeOfType(m.layout, p.type) > 16) inMemory = true;
      else if (isGpr(p.type)) gpr += p.type == t.i128 ? 2 : 1;
      else sse++;
    }
  auto fromStack = [&] {
    LLVMValueRef areaP = offsetPtr(list, 8);
    LLVMValueRef area = loadRaw(t.ptr, areaP, 8);
    if (align > 8) area = alignUp(area, align);
    storeRaw(gep(area, i64c(static_cast<int64_t>((size + 7) / 8 * 8))), areaP, 8);
    return area;
  };
  if (inMemory) return fromStack();
  LLVMBasicBlockRef reg = newBlock("vaarg.reg"), stack = newBlock("vaarg.stack"), end = newBlock("vaarg.end");
  LLVMValueRef fits = nullptr, gpOff = nullptr, fpOff = nullptr;
  if (gpr) {
    gpOff = loadRaw(t.i32, list, 4);
    fits = LLVMBuildICmp(builder, LLVMIntULE, gpOff, i32c(48 - 8 * static_cast<int>(gpr)), "");
  }
  if (sse) {
    fpOff = loadRaw(t.i32, offsetPtr(list, 4), 4);
    LLVMValueRef ok = LLVMBuildICmp(builder, LLVMIntULE, fpOff, i32c(176 - 16 * static_cast<int>(sse)), "");
    fits = fits ? LLVMBuildAnd(builder, fits, ok, "") : ok;
  }
  branch(fits, reg, stack);
  place(reg);
  LLVMValueRef save = loadRaw(t.ptr, offsetPtr(list, 16), 8);
  auto at = [&](LLVMValueRef off) { return gep(save, LLVMBuildZExt(builder, off, t.i64, "")); };
  LLVMValueRef p;
  if (s.pieces.size() == 1 && ((gpr && align <= 8) || (sse == 1 && !gpr))) p = at(gpr ? gpOff : fpOff);
  else if (gpr && !sse && s.pieces.size() == 2 && align <= 8) p = at(gpOff);
  else {
    p = entryAlloca(LLVMArrayType2(t.i8, std::max<uint64_t>(size, 16)), std::max(align, 16u), "vaarg.tmp");
    unsigned g = 0, x = 0;
    for (auto &piece : s.pieces) {
      LLVMValueRef from;
      if (isGpr(piece.type)) { from = LLVMBuildAdd(builder, gpOff, i32c(8 * static_cast<int>(g)), ""); g += piece.type == t.i128 ? 2 : 1; }
      else from = LLVMBuildAdd(builder, fpOff, i32c(16 * static_cast<int>(x++)), "");
      storeRaw(loadRaw(piece.type, at(from), 8), offsetPtr(p, piece.offset), 8);
    }
  }
  if (gpr) storeRaw(LLVMBuildAdd(builder, gpOff, i32c(8 * static_cast<int>(gpr)), ""), list, 4);
  if (sse) storeRaw(LLVMBuildAdd(builder, fpOff, i32c(16 * static_cast<int>(sse)), ""), offsetPtr(list, 4), 4);
  LLVMBasicBlockRef fromReg = LLVMGetInsertBlock(builder);
  jump(end);
  place(stack);
  LLVMValueRef sp = fromStack();
  LLVMBasicBlockRef fromMem = LLVMGetInsertBlock(builder);
  place(end);
  LLVMValueRef phi = LLVMBuildPhi(builder, t.ptr, "");
  LLVMAddIncoming(phi, &p, &fromReg, 1);
  LLVMAddIncoming(phi, &sp, &fromMem, 1);
  return phi;
}

}  // namespace cilkc::cg
