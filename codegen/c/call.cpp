// call.cpp - calls: C values into LLVM arguments by the lowered signature, results back; the same for a definition's
// parameters and result.
#include <algorithm>
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "frontend/ast/query.h"
#include "frontend/builtins/builtins.h"

namespace cilkc::cg {

// ---- between C values and pieces ----------------------------------------------------------------------------------

static uint64_t storeSize(const TypeLowering &, LLVMTargetDataRef td, LLVMTypeRef ty) {
  return LLVMStoreSizeOfType(td, ty);
}

// Bytes that the pieces reach; may be more than sizeof.
static uint64_t pieceEnd(const AbiSlot &s, const TypeLowering &t, LLVMTargetDataRef td) {
  uint64_t end = 0;
  for (auto &p : s.pieces) end = std::max<uint64_t>(end, p.offset + storeSize(t, td, p.type));
  return end;
}

// Are the pieces of a complex value just its two parts?
static bool isPair(const AbiSlot &s, LLVMTypeRef elem, uint64_t elemSize) {
  return s.pieces.size() == 2 && s.pieces[0].type == elem && s.pieces[1].type == elem && s.pieces[1].offset == elemSize;
}

// The alignment of an object at an offset from an aligned address.
static uint32_t alignAt(uint32_t align, uint64_t offset) {
  while (align > 1 && offset % align) align /= 2;
  return align;
}

void Calls::lowerArgument(const AbiSlot &s, const RValue &v, QualType q, std::vector<LLVMValueRef> &out) {
  for (unsigned i = 0; i < s.padBefore; i++) out.push_back(LLVMGetUndef(t.i64));
  switch (s.kind) {
    case AbiSlot::Ignore:
    case AbiSlot::Stacked: return;
    case AbiSlot::Direct: out.push_back(v.value); return;
    case AbiSlot::Indirect: {
      if (s.byval) largest = std::max(largest, s.align);
      if (v.kind == RValue::Aggregate && s.byval && v.addr.align >= s.align) {
        fe.memory.access(v.addr, AccessMode::Read);
        out.push_back(v.addr.ptr);
        return;
      }
    // A copy: the callee owns it (plain reference), or the object is not aligned as byval promises.
      Address tmp = fe.locals.temporary(q, "byref");
      if (tmp.align < s.align) {
        LLVMSetAlignment(tmp.ptr, s.align);
        tmp.align = s.align;
      }
      fe.memory.storeToLvalue(tmp, v);
      out.push_back(tmp.ptr);
      return;
    }
    case AbiSlot::Pieces: break;
  }
  if (v.kind == RValue::Complex) {
    const Type *e = q->as<ComplexType>()->elem;
    if (isPair(s, t.memory(e), t.size(e))) {
      out.push_back(v.value);
      out.push_back(v.imag);
      return;
    }
  }
  if (q->isBitInt() && s.pieces.size() == 1) {
    LLVMValueRef value = v.kind == RValue::Aggregate ? fe.memory.loadScalar(v.addr) : v.value;
    out.push_back(LLVMBuildIntCast2(builder, value, s.pieces[0].type, t.isSigned(q.type), ""));
    return;
  }
  Address a = v.addr;
  uint64_t size = t.size(q), end = pieceEnd(s, t, m.layout);
  if (v.kind != RValue::Aggregate || end > size) {
    uint64_t n = std::max(size, end);
    Address tmp{fe.entryAlloca(LLVMArrayType2(t.i8, n), std::max(16u, t.align(q)), "coerce"), std::max(16u, t.align(q)),
        q.unqual()};
    tmp.own = true;
    fe.memory.storeToLvalue(tmp, v);
    a = tmp;
  } else {
    fe.memory.access(a, AccessMode::Read);
  }
  for (auto &p : s.pieces) out.push_back(fe.loadRaw(p.type, fe.offsetPtr(a.ptr, p.offset), alignAt(a.align, p.offset)));
}

// A small integer fills the half of its eightbyte that other compilers' callees read.
void Calls::storeStacked(const AbiSlot &s, const RValue &v, QualType q, LLVMValueRef block, uint32_t align) {
  Address a{fe.offsetPtr(block, s.offset), alignAt(align, s.offset), q.unqual()};
  a.own = true;
  if (s.signExt || s.zeroExt)
    fe.storeRaw((s.signExt ? LLVMBuildSExt : LLVMBuildZExt)(builder, v.value, t.i32, ""), a.ptr, a.align);
  else fe.memory.storeToLvalue(a, v);
}

void Calls::lowerArguments(const AbiFunction &f, const std::vector<RValue> &values, std::vector<LLVMValueRef> &out) {
  if (f.stack) largest = std::max(largest, f.stack.align);
  LLVMValueRef block = f.stack ? fe.entryAlloca(LLVMArrayType2(t.i8, f.stack.size), f.stack.align, "stack") : nullptr;
  for (size_t i = 0; i < f.params.size(); i++) {
    if (i == f.fixed && block) out.push_back(block);
    if (i >= values.size()) continue;
    if (f.params[i].kind == AbiSlot::Stacked) storeStacked(f.params[i], values[i], f.types[i], block, f.stack.align);
    else lowerArgument(f.params[i], values[i], f.types[i], out);
  }
  if (block && f.fixed == f.params.size()) out.push_back(block);
}

Address Calls::stackedParameter(const AbiFunction &f, size_t i, unsigned hidden) {
  uint32_t offset = f.params[i].offset;
  Address a{fe.offsetPtr(LLVMGetParam(function, hidden + f.stack.index), offset), alignAt(f.stack.align, offset),
      f.types[i].unqual()};
  a.own = true;
  return a;
}

RValue Calls::raiseParameter(const AbiFunction &f, size_t i, unsigned hidden, unsigned &index) {
  const AbiSlot &s = f.params[i];
  QualType q = f.types[i];
  index += s.padBefore;
  switch (s.kind) {
    case AbiSlot::Stacked: {
      Address a = stackedParameter(f, i, hidden);
      return q->isRecord() ? RValue::aggregate(a) : fe.memory.load(a);
    }
    case AbiSlot::Ignore:
      if (q->isRecord() || q->isArray()) return RValue::aggregate(fe.locals.temporary(q, "empty"));
      return {};
    case AbiSlot::Direct: return RValue::scalar(LLVMGetParam(function, index++));
    case AbiSlot::Indirect: {
      Address a{LLVMGetParam(function, index++), std::max(s.align, 1u), q.unqual()};
      a.own = true;
      return q->isRecord() ? RValue::aggregate(a) : fe.memory.load(a);
    }
    case AbiSlot::Pieces: break;
  }
  if (q->isComplex()) {
    const Type *e = q->as<ComplexType>()->elem;
    if (isPair(s, t.memory(e), t.size(e))) {
      LLVMValueRef re = LLVMGetParam(function, index++);
      return RValue::complex(re, LLVMGetParam(function, index++));
    }
  }
  uint64_t n = std::max(t.size(q), pieceEnd(s, t, m.layout));
  uint32_t align = std::max(t.align(q), 8u);
  Address a{fe.entryAlloca(LLVMArrayType2(t.i8, n), align, "param"), align, q.unqual()};
  a.own = true;
  for (auto &p : s.pieces)
    fe.storeRaw(LLVMGetParam(function, index++), fe.offsetPtr(a.ptr, p.offset), alignAt(align, p.offset));
  return q->isRecord() || q->isArray() ? RValue::aggregate(a) : fe.memory.load(a);
}

RValue Calls::raiseResult(const AbiSlot &s, QualType q, LLVMValueRef r, const Address &dest) {
  switch (s.kind) {
    case AbiSlot::Ignore:
      if (q->isRecord()) return RValue::aggregate(fe.locals.temporary(q, "empty"));
      return {};
    case AbiSlot::Direct: return RValue::scalar(r);
    case AbiSlot::Indirect: return q->isRecord() ? RValue::aggregate(dest) : fe.memory.load(dest);
    case AbiSlot::Stacked:                   // no result is
    case AbiSlot::Pieces: break;
  }
  if (q->isComplex()) {
    const Type *e = q->as<ComplexType>()->elem;
    if (isPair(s, t.memory(e), t.size(e)))
      return RValue::complex(LLVMBuildExtractValue(builder, r, 0, ""), LLVMBuildExtractValue(builder, r, 1, ""));
  }
  uint64_t n = std::max(t.size(q), pieceEnd(s, t, m.layout));
  uint32_t align = std::max(t.align(q), 8u);
  bool direct = dest.ptr && q->isRecord() && n <= t.size(q) && !dest.isVolatile();
  Address a = direct ? Address{dest.ptr, dest.align, q.unqual()}
                     : Address{fe.entryAlloca(LLVMArrayType2(t.i8, n), align, "result"), align, q.unqual()};
  a.own = true;                              // a value still: its store is reported
  for (size_t i = 0; i < s.pieces.size(); i++) {
    LLVMValueRef part = s.pieces.size() == 1 ? r : LLVMBuildExtractValue(builder, r, static_cast<unsigned>(i), "");
    fe.storeRaw(part, fe.offsetPtr(a.ptr, s.pieces[i].offset), alignAt(a.align, s.pieces[i].offset));
  }
  return q->isRecord() ? RValue::aggregate(a) : fe.memory.load(a);
}

LLVMValueRef Calls::lowerResult(const AbiSlot &s, const RValue &v, QualType q) {
  if (s.kind == AbiSlot::Ignore || s.kind == AbiSlot::Indirect) return nullptr;
  std::vector<LLVMValueRef> parts;
  lowerArgument(s, v, q, parts);
  if (parts.size() == 1) return parts[0];
  std::vector<LLVMTypeRef> types;
  for (auto p : parts) types.push_back(LLVMTypeOf(p));
  LLVMValueRef r =
      LLVMGetUndef(LLVMStructTypeInContext(context, types.data(), static_cast<unsigned>(types.size()), false));
  for (size_t i = 0; i < parts.size(); i++)
    r = LLVMBuildInsertValue(builder, r, parts[i], static_cast<unsigned>(i), "");
  return r;
}

// ---- the call -----------------------------------------------------------------------------------------------------

LLVMValueRef Calls::emitCallee(const Call *e, const FunctionDecl *&direct) {
  direct = nullptr;
  const Expr *c = e->callee;
  for (;;) {
    if (c->kind == ExprKind::Paren) c = c->as<ParenExpr>()->sub;
    else if (c->kind == ExprKind::ImplicitCast && (c->as<ImplicitCast>()->castKind == CastKind::FunctionToPointer ||
                                                      c->as<ImplicitCast>()->castKind == CastKind::NoOp))
      c = c->as<ImplicitCast>()->sub;
    else if (c->kind == ExprKind::Unary &&
             (c->as<Unary>()->op == UnaryOp::Deref || c->as<Unary>()->op == UnaryOp::AddrOf)) {
      // *f and &f of a function are f.
      const Expr *s = c->as<Unary>()->sub;
      while (s->kind == ExprKind::Paren ||
             (s->kind == ExprKind::ImplicitCast && s->as<ImplicitCast>()->castKind == CastKind::FunctionToPointer))
        s = s->kind == ExprKind::Paren ? s->as<ParenExpr>()->sub : s->as<ImplicitCast>()->sub;
      if (s->kind == ExprKind::Ident && s->as<Ident>()->decl && s->as<Ident>()->decl->kind == DeclKind::Function) c = s;
      else break;
    } else break;
  }
  if (c->kind == ExprKind::Ident && c->as<Ident>()->decl && c->as<Ident>()->decl->kind == DeclKind::Function) {
    direct = c->as<Ident>()->decl->as<FunctionDecl>();
    return m.function(direct);
  }
  return fe.exprs.emitScalar(e->callee);
}

void Calls::emitArgs(const Call *e, std::vector<RValue> &args, std::vector<QualType> &types, size_t first) {
  for (size_t i = first; i < e->args.size(); i++) {
    const Expr *a = e->args[i];
    if (fe.expansions.current() && fe.expansions.isArgumentPack(a)) {
      args.insert(args.end(), fe.expansions.current()->packed.begin(), fe.expansions.current()->packed.end());
      types.insert(types.end(), fe.expansions.current()->packedTypes.begin(),
          fe.expansions.current()->packedTypes.end());
      continue;
    }
    RValue v = fe.exprs.emitExpr(a);
    QualType q = a->type.unqual();
    if (e->fnType && i < e->fnType->params.size() && e->fnType->params[i]->isRecord() &&
        e->fnType->params[i]->as<RecordType>()->transparentUnion && !q->isRecord()) {
      // A transparent union takes any of its members.
      Address u = fe.locals.temporary(e->fnType->params[i], "union");
      Address member = u;
      member.type = q;
      fe.memory.storeToLvalue(member, v);
      v = RValue::aggregate(u);
      q = e->fnType->params[i];
    }
    args.push_back(v);
    types.push_back(q);
  }
}

RValue Calls::emitCallTo(LLVMValueRef callee, const FunctionType *ft, const std::vector<RValue> &args,
    const std::vector<QualType> &types, const Address &dest, const FunctionDecl *direct) {
  // With the definition at hand an unprototyped call that fits it uses its type, so that it can be inlined.
  AbiFunction own;
  const AbiFunction *f = nullptr;
  if (direct && direct->def && !ft->prototype && direct->type->isFunction()) {
    const AbiFunction &d = t.abiOf(direct);
    bool fits = !d.variadic && d.types.size() == types.size() && t.memory(d.resultType) == t.memory(ft->result);
    for (size_t i = 0; fits && i < types.size(); i++)
      fits = t.memory(d.types[i]) == t.memory(types[i]) && d.types[i]->isRecord() == types[i]->isRecord();
    if (fits) f = &d;
  }
  fe.cutLongBlock();
  if (!f) {
    if (ft->prototype && !ft->variadic && types.size() == ft->params.size()) f = &t.abi(ft);
    else {
      own = t.abiForCall(ft, types);
      f = &own;
    }
  }
  std::vector<LLVMValueRef> out;
  LLVMTypeRef type = f->type;
  bool chain = direct && direct->parent && !direct->isInlet;
  if (chain) {
    out.push_back(fe.nested.staticChainFor(direct));
    std::vector<LLVMTypeRef> ps(LLVMCountParamTypes(type) + 1);
    LLVMGetParamTypes(type, ps.data() + 1);
    ps[0] = t.ptr;
    type = LLVMFunctionType(LLVMGetReturnType(type), ps.data(), static_cast<unsigned>(ps.size()), f->variadic);
  }
  Address result;
  if (f->sret()) {
    result = dest.ptr && !dest.isVolatile() && dest.align >= f->result.align
                 ? Address{dest.ptr, dest.align, ft->result.unqual()}
                 : fe.locals.temporary(ft->result, "result");
    result.own = true;                       // a value still: its store is reported
    out.push_back(result.ptr);
  }
  std::vector<RValue> values = args;
  for (size_t i = 0; i < args.size() && i < f->params.size(); i++) {
    const AbiSlot &s = f->params[i];
    if (values[i].kind == RValue::Scalar && (s.kind == AbiSlot::Direct || s.kind == AbiSlot::Stacked) &&
        LLVMTypeOf(values[i].value) != t.value(f->types[i]))
      values[i].value = fe.conv.convertScalar(values[i].value, types[i], f->types[i]);
  }
  lowerArguments(*f, values, out);
  if (!direct) {
    // gcc asm statements aside, only direct calls of nested functions carry a chain.
    chain = false;
  }
  const CallSite site{callee, direct, &args, place};
  if (strategy.usersCode()) events.calls(fe, site);
  LLVMValueRef c;
  if (LLVMBasicBlockRef pad = m.options.exceptions ? fe.scopes.landingPad() : nullptr) {
    LLVMBasicBlockRef after = fe.newBlock("returned");
    LLVMAppendExistingBasicBlock(function, after);
    c = LLVMBuildInvoke2(builder, type, callee, out.data(), static_cast<unsigned>(out.size()), after, pad, "");
    LLVMPositionBuilderAtEnd(builder, after);
  } else c = fe.ops.fast(fe.call(type, callee, out));
  m.attributes.abiAttributes(c, *f, true, chain);
  if (chain) m.attributes.callAttr(c, 1, "nest");
  const unsigned F = static_cast<unsigned>(LLVMAttributeFunctionIndex);
  if (!m.options.exceptions) m.attributes.callAttr(c, F, "nounwind");
  if (direct && direct->attrs.returnsTwice) m.attributes.callAttr(c, F, "returns_twice");
  if (direct && (!direct->attrs.callError.empty() || !direct->attrs.callWarning.empty()))
    fe.expansions.notePlace(c, place.begin);
  if (Attributes::neverReturns(ft, direct)) {
    m.attributes.callAttr(c, F, "noreturn");
    LLVMBuildUnreachable(builder);
    fe.ensureOpen();
    if (ft->result->isVoid()) return {};
    if (ft->result->isRecord()) return RValue::aggregate(f->sret() ? result : fe.locals.temporary(ft->result));
    if (ft->result->isComplex()) return fe.memory.load(fe.locals.temporary(ft->result));
    return RValue::scalar(LLVMGetUndef(t.value(ft->result)));
  }
  if (strategy.usersCode()) events.returned(fe, site);
  return raiseResult(f->result, ft->result.unqual(), c, f->sret() ? result : dest);
}

// The family of the function of one argument of the C library that e calls, if it may be replaced.
static BuiltinId replaceable(const Call *e, const CodegenOptions &options) {
  const Expr *callee = ignoreParensAndImplicit(e->callee);
  if (!options.builtins || callee->kind != ExprKind::Ident || e->args.size() != 1) return BuiltinId::None;
  const Decl *d = callee->as<Ident>()->decl;
  if (e->builtin || !d || d->kind != DeclKind::Function) return BuiltinId::None;
  auto f = d->as<FunctionDecl>();
  if (!f->builtin || f->linkage != Linkage::External || f->def ||
      std::find(options.noBuiltin.begin(), options.noBuiltin.end(), d->name) != options.noBuiltin.end())
    return BuiltinId::None;
  return builtinFamily(static_cast<BuiltinId>(f->builtin));
}

// fabs, creal, cimag, conj and theirs for float and long double are an instruction at every level, as with other
// compilers: programs that use no more of <math.h> and <complex.h> link without -lm. Null: it is none of them.
LLVMValueRef Calls::emitAbsolute(const Call *e) {
  if (replaceable(e, m.options) != BuiltinId::fabs || !e->type->isFloating() ||
      e->args[0]->type.unqual() != e->type.unqual())
    return nullptr;
  LLVMTypeRef type = t.value(e->type);
  LLVMValueRef x = fe.exprs.emitScalar(e->args[0]);
  return fe.callIntrinsic("llvm.fabs", {type}, {x});
}

static bool emitPart(FunctionEmitter &fe, const Call *e, BuiltinId id, RValue &out) {
  bool conj = id == BuiltinId::conj;
  if (!conj && id != BuiltinId::creal && id != BuiltinId::cimag) return false;
  if (!e->args[0]->type->isComplex() || e->type->isComplex() != conj) return false;
  RValue z = fe.complexes.emitComplex(e->args[0]);
  out = conj ? RValue::complex(z.value, LLVMBuildFNeg(fe.builder, z.imag, ""))
             : RValue::scalar(id == BuiltinId::creal ? z.value : z.imag);
  return true;
}

// The function of the C library that a call names, not by its __builtin_ name.
static const FunctionDecl *libraryFunction(const Call *e) {
  const Expr *c = e->callee;
  c = ignoreParensAndImplicit(c);
  const Decl *d = c->kind == ExprKind::Ident ? c->as<Ident>()->decl : nullptr;
  return d && d->kind == DeclKind::Function && !d->name.starts_with("__builtin_") ? d->as<FunctionDecl>() : nullptr;
}

RValue Calls::emitCall(const Call *e, const Address &dest) {
  if (!fe.open()) fe.ensureOpen();
  if (const RValue *known = fe.exprs.boundTo(e)) return *known;
  RValue out;
  if (e->builtin && !(fe.ubsan.enabled() && fe.ubsan.checksArguments(libraryFunction(e))) &&
      fe.builtins.emitBuiltin(e, out, dest))
    return out;
  if (LLVMValueRef v = emitAbsolute(e)) return RValue::scalar(v);
  if (emitPart(fe, e, replaceable(e, m.options), out)) return out;
  if (const FunctionDecl *f = fe.expansions.expandable(e)) return fe.expansions.emitExpansion(e, f);
  const FunctionDecl *direct;
  LLVMValueRef callee = emitCallee(e, direct);
  const FunctionType *ft = e->fnType;
  if (!ft) {
    QualType ct = e->callee->type;
    if (ct->isPointer()) ct = ct->as<PointerType>()->pointee;
    ft = ct->as<FunctionType>();
  }
  std::vector<RValue> args;
  std::vector<QualType> types;
  emitArgs(e, args, types);
  if (fe.ubsan.enabled()) fe.ubsan.checkArguments(e, direct, args);
  fe.weights.weighLength(direct, args, e->range.begin);
  place = e->range;
  if (Attributes::neverReturns(ft, direct)) events.leavesForGood(fe);
  return emitCallTo(callee, ft, args, types, dest, direct);
}

}  // namespace cilkc::cg
