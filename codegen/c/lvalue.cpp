// lvalue.cpp - expressions that designate objects: their address and how to access it.
#include "frontend/types/access.h"
#include "frontend/ast/visit.h"
#include "frontend/builtins/builtins.h"
#include <algorithm>
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "codegen/shim/shim.h"
#include "codegen/core/target.h"
#include "frontend/ast/query.h"

namespace cilkc::cg {

// A union's members, and vectors, are accessed as bytes for alias analysis.
static bool inUnion(const std::vector<FieldDecl *> &path) {
  return std::any_of(path.begin(), path.end(), [](const FieldDecl *f) { return f->parent && f->parent->isUnion; });
}

static uint32_t alignInside(uint32_t align, uint64_t offset) {
  while (align > 1 && offset % align) align /= 2;
  return align ? align : 1;
}

Address Lvalues::emitMember(const Member *e) {
  Address a = memberOf(e);
  a.where = e->range;
  return a;
}

Address Lvalues::memberOf(const Member *e) {
  Address a;
  if (e->arrow) {
    QualType rec = e->base->type->isPointer() ? e->base->type->as<PointerType>()->pointee : e->base->type;
    a.ptr = fe.exprs.emitScalar(e->base);
    a.type = rec;
    a.align = isComplete(rec.type) ? accessAlign(rec, t.align(rec)) : 1;
    if (fe.ubsan.enabled()) fe.ubsan.checkMember(a, e->range.begin);
  } else if (e->base->lvalue) a = emitLvalue(e->base);
  else a = fe.aggregates.emitAggregate(e->base);
  unsigned quals = a.type.quals & (QConst | QVolatile);
  uint64_t offset = 0;
  for (const FieldDecl *f : e->path) {
    if (f->parent && f->parent->variable) {
      LLVMValueRef off = fe.locals.variableOffset(f->parent, f);
      if (LLVMIsAConstantInt(off)) offset += LLVMConstIntGetZExtValue(off);
      else {
        a.ptr = fe.offsetPtr(a.ptr, offset);
        a.ptr = LLVMBuildInBoundsGEP2(builder, t.i8, a.ptr, &off, 1, "");
        a.align = f->bitField || f->attrPacked || f->parent->isPackedAttr || f->parent->packAlign
                      ? 1
                      : std::min(a.align, t.align(f->type));
        offset = 0;
      }
    } else offset += f->offset;
    quals |= f->type.quals;
    if (f->bitField) a.bitField = f;
  }
  const FieldDecl *last = e->path.empty() ? nullptr : e->path.back();
  if (!last) return a;
  bool alias = a.mayAlias || inUnion(e->path);
  uint32_t align = alignInside(a.align, offset);
  a.ptr = fe.offsetPtr(a.ptr, offset);
  a.type = QualType(last->type.type, quals);
  a.align = align;
  a.mayAlias = alias;
  if (a.type->isArray()) a.type.quals = quals & (QVolatile | QConst);
  return a;
}

static bool choosesBySelf(const Expr *index) {
  return anyExpr(index, Walk::Evaluated, [](const Expr *e) {
    return e->kind == ExprKind::Call && e->as<Call>()->builtin == static_cast<int>(BuiltinId::cilk_self);
  });
}

Address Lvalues::emitIndex(const Index *e, bool used) {
  Address a = elementOf(e, used);
  a.where = e->range;
  if (fe.memory.watched() && choosesBySelf(e->index)) events.workersOwn(fe, a);
  return a;
}

Address Lvalues::elementOf(const Index *e, bool used) {
  if (e->base->type->isVector()) {
    Address a = e->base->lvalue ? emitLvalue(e->base) : fe.locals.temporary(e->base->type);
    if (!e->base->lvalue) fe.memory.storeScalar(a, fe.exprs.emitScalar(e->base));
    auto *v = e->base->type->as<VectorType>();
    LLVMValueRef i = fe.exprs.emitScalar(e->index);
    if (LLVMTypeOf(i) != t.i64) i = LLVMBuildIntCast2(builder, i, t.i64, t.isSigned(e->index->type.type), "");
    LLVMValueRef p = LLVMBuildInBoundsGEP2(builder, t.memory(v->elem), a.ptr, &i, 1, "");
    Address r = a.as(QualType(v->elem, a.type.quals & (QVolatile | QConst)));
    r.ptr = p;
    r.align = std::min(a.align, t.align(v->elem));
    r.mayAlias = true;
    return r;
  }
  // An array lvalue underneath keeps what is known of it (alignment, union membership).
  const Expr *base = e->base;
  base = ignoreParens(base);
  bool alias = false;
  uint32_t known = 0;
  bool own = false;
  const VarDecl *object = nullptr;
  Loc through;
  bool packedArray = false;
  LLVMValueRef p;
  if (base->kind == ExprKind::ImplicitCast && base->as<ImplicitCast>()->castKind == CastKind::ArrayToPointer) {
    Address arr = base->as<ImplicitCast>()->sub->lvalue ? emitLvalue(base->as<ImplicitCast>()->sub)
                                                        : fe.aggregates.emitAggregate(base->as<ImplicitCast>()->sub);
    alias = arr.mayAlias;
    packedArray = isComplete(arr.type.type) && !hasVariableSize(arr.type.type) && arr.align < t.align(arr.type);
    known = arr.align;
    own = arr.own;
    object = arr.object;
    through = arr.through;
    p = arr.ptr;
  } else {
    p = fe.exprs.emitScalar(e->base);
    through = fe.ubsan.throughPointer(e->range);
  }
  LLVMValueRef i = fe.exprs.emitScalar(e->index);
  if (LLVMTypeOf(i) != t.i64) i = LLVMBuildIntCast2(builder, i, t.i64, t.isSigned(e->index->type.type), "");
  if (fe.ubsan.enabled()) fe.ubsan.checkIndex(base, i, e->index, used, e->range.begin);
  p = fe.ops.emitPointerArith(p, i, e->base->type, false, e->range.begin);
  QualType elem = e->base->type->as<PointerType>()->pointee;
  uint32_t align = elem->isVoid() || elem->isFunction() ? 1 : accessAlign(elem, t.align(elem));
  if (packedArray) align = std::min(align, known);
  Address a{p, align, elem};
  a.mayAlias = alias;
  a.own = own;
  a.object = object;
  a.through = through;
  return a;
}

// A function's address; that of a nested one is a trampoline, which supplies the static chain.
Address Lvalues::functionAddress(const FunctionDecl *f, QualType type) {
  LLVMValueRef p = m.function(f);
  if (f->parent && !f->isInlet) {
    m.target.prepareTrampolines(m);
    LLVMValueRef tramp = fe.entryAlloca(LLVMArrayType2(t.i8, m.target.trampolineBytes), 16, "tramp");
    fe.callIntrinsic("llvm.init.trampoline", {}, {tramp, p, fe.nested.staticChainFor(f)});
    p = fe.callIntrinsic("llvm.adjust.trampoline", {}, {tramp});
  }
  return Address{p, 1, type};
}

Address Lvalues::compoundLiteral(const CompoundLit *c) {
  const VarDecl *v = c->object;
  if (!v->isLocal) return fe.locals.variable(v);
  if (isVariablyModified(v->type.type)) fe.locals.emitVlaSizes(v->type, nullptr);
  Address a = fe.locals.variable(v);
  Address dest = a;
  dest.type = a.type.unqual();
  if (c->init && c->init->plan) {
    // An initialiser that reads the object itself (p = &(T){.a = p->a} in a loop) must be evaluated before the object
    // is overwritten.
    if (m.tryPlanConstant(*c->init->plan)) fe.aggregates.emitPlan(*c->init->plan, dest);
    else {
      Address tmp = fe.locals.temporary(c->init->plan->type, "literal");
      fe.aggregates.emitPlan(*c->init->plan, tmp);
      fe.memory.copyAggregate(dest.as(tmp.type), tmp);
    }
  } else if (v->init) fe.aggregates.emitInitializer(v->init, dest);
  return a;
}

Address Lvalues::emitLvalue(const Expr *e) {
  Address a = lvalueOf(e);
  a.where = e->range;
  return a;
}

Address Lvalues::lvalueOf(const Expr *e) {
  if (const RValue *known = fe.exprs.boundTo(e); known && known->kind == RValue::Aggregate) return known->addr;
  switch (e->kind) {
    case ExprKind::Paren: return emitLvalue(e->as<ParenExpr>()->sub);
    case ExprKind::Ident: {
      const Decl *d = e->as<Ident>()->decl;
      if (d->kind == DeclKind::Function) {
        auto *f = d->as<FunctionDecl>();
        if (f->parent && !f->isInlet && !m.target.trampolineBytes)
          throw LlvmFatal{m.diags.sources().presumed(e->range.begin).file->name + ":" +
                          std::to_string(m.diags.sources().presumed(e->range.begin).line) +
                          ": the address of a nested function on " + std::string(m.ast.target.facts->triple) +
                          " is not supported"};
        return functionAddress(f, e->type);
      }
      Address a = fe.locals.variable(d->as<VarDecl>());
      if (e->type && e->type->isArray() && a.type->isArray() && !isComplete(a.type.type)) a.type = e->type;
      return a;
    }
    case ExprKind::StringLit: {
      auto *s = e->as<StringLit>();
      return Address{m.stringLiteral(s, e->type), s->unit, e->type};
    }
    case ExprKind::CompoundLit: return compoundLiteral(e->as<CompoundLit>());
    case ExprKind::Unary: {
      auto *u = e->as<Unary>();
      switch (u->op) {
        case UnaryOp::Deref: {
          const Expr *sub = ignoreParens(u->sub);  // *&x is x (C17 6.5.3.2), and modes see which object it is
          if (sub->kind == ExprKind::Unary && sub->as<Unary>()->op == UnaryOp::AddrOf)
            return emitLvalue(sub->as<Unary>()->sub);
          QualType p = u->sub->type->isPointer() ? u->sub->type->as<PointerType>()->pointee : e->type;
          LLVMValueRef v = fe.exprs.emitScalar(u->sub);
          uint32_t align =
              p->isVoid() || p->isFunction() || !isComplete(p->isArray() ? p->as<ArrayType>()->elem.type : p.type)
                  ? 1
                  : accessAlign(p, t.align(p));
          Address a{v, align, p};
          a.through = fe.ubsan.throughPointer(e->range);
          return a;
        }
        case UnaryOp::Real:
        case UnaryOp::Imag: {
          Address a = emitLvalue(u->sub);
          if (!a.type->isComplex()) return a;
          const Type *el = a.type->as<ComplexType>()->elem;
          if (u->op == UnaryOp::Imag) {
            a.ptr = fe.offsetPtr(a.ptr, t.size(el));
            a.align = alignInside(a.align, t.size(el));
          }
          a.type = QualType(el, a.type.quals);
          return a;
        }
        default: break;
      }
      break;
    }
    case ExprKind::Member: return emitMember(e->as<Member>());
    case ExprKind::Index: return emitIndex(e->as<Index>());
    case ExprKind::Generic: return emitLvalue(e->as<Generic>()->chosen);
    case ExprKind::ChooseExpr: return emitLvalue(e->as<ChooseExpr>()->chosen);
    case ExprKind::Cast:  // GNU: a cast that changes nothing of an lvalue
      if (e->as<Cast>()->castKind == CastKind::NoOp && e->as<Cast>()->sub->lvalue)
        return emitLvalue(e->as<Cast>()->sub);
      break;
    case ExprKind::ImplicitCast:
      if (e->as<ImplicitCast>()->castKind == CastKind::NoOp) return emitLvalue(e->as<ImplicitCast>()->sub);
      break;
    case ExprKind::Assign: {
      auto *a = e->as<Assign>();
      if (isScalarType(e->type.type) || e->type->isComplex()) break;
      Address dest = emitLvalue(a->lhs);
      fe.ops.emitAssignTo(a, dest);
      return dest;
    }
    case ExprKind::Binary:
      if (e->as<Binary>()->op == BinaryOp::Comma && e->as<Binary>()->rhs->lvalue) {
        fe.exprs.emitIgnored(e->as<Binary>()->lhs);
        return emitLvalue(e->as<Binary>()->rhs);
      }
      break;
    case ExprKind::Conditional:
    case ExprKind::Error:
    case ExprKind::IntLit:
    case ExprKind::FloatLit:
    case ExprKind::CharLit:
    case ExprKind::Data:
    case ExprKind::Call:
    case ExprKind::SizeofExpr:
    case ExprKind::SizeofType:
    case ExprKind::AlignofExpr:
    case ExprKind::AlignofType:
    case ExprKind::StmtExpr:
    case ExprKind::LabelAddr:
    case ExprKind::VaArg:
    case ExprKind::Offsetof:
    case ExprKind::TypesCompatible:
    case ExprKind::Spawn:
    case ExprKind::Touch:
    case ExprKind::Hole:
    case ExprKind::ChildResult:
    case ExprKind::Synched: break;
  }
  // A value where memory is asked for: keep it in a temporary.
  RValue v = fe.exprs.emitExpr(e);
  if (v.kind == RValue::Aggregate) return v.addr;
  Address a = fe.locals.temporary(e->type->isVoid() ? QualType(m.ast.basic(TypeKind::Char)) : e->type);
  fe.memory.storeToLvalue(a, v);
  return a;
}

}  // namespace cilkc::cg
