// expand.cpp - functions that ask about the call they are inlined into: those of the C library's headers under
// _FORTIFY_SOURCE, and others written so.
//
// __builtin_va_arg_pack() stands for the variable arguments of the call. __builtin_object_size(p, 1) stands for what is
// left of the member or array that the caller wrote as argument. Neither is known from the function alone, and LLVM's
// inliner knows neither members nor packs. So a call of an always_inline function whose body asks
// (FunctionDecl::asksCall) is expanded here, from the typed tree. Through a pointer, and inside its own expansion, such
// a function is the one that the library defines.
#include <cstring>
#include "codegen/core/function.h"
#include "frontend/ast/query.h"
#include "frontend/builtins/builtins.h"

namespace cilkc::cg {

static const Decl *named(const Expr *e) { return e->kind == ExprKind::Ident ? e->as<Ident>()->decl : nullptr; }

// ---- the expansion ------------------------------------------------------------------------------------------------

bool Expansions::isArgumentPack(const Expr *e) {
  e = ignorePointerCasts(e);
  return e->kind == ExprKind::Call && e->as<Call>()->builtin == static_cast<int>(BuiltinId::va_arg_pack);
}

const FunctionDecl *Expansions::expandable(const Call *e) const {
  const Expr *c = ignorePointerCasts(e->callee);
  if (c->kind == ExprKind::ImplicitCast && c->as<ImplicitCast>()->castKind == CastKind::FunctionToPointer)
    c = ignorePointerCasts(c->as<ImplicitCast>()->sub);
  const Decl *d = named(c);
  if (!d || d->kind != DeclKind::Function) return nullptr;
  auto *f = d->as<FunctionDecl>();
  if (!f->asksCall || !f->def || !f->def->body || f->usesVaStart || f->callsSetjmp || !f->inlets.empty() || f->parent ||
      e->args.size() < f->params.size())
    return nullptr;
  for (const LabelDecl *l : f->labels)
    if (l->addressTaken) return nullptr;
  for (const Expansion *x = innermost; x; x = x->outer)
    if (x->fn == f) return nullptr;
  return f == fn ? nullptr : f;
}

RValue Expansions::emitExpansion(const Call *e, const FunctionDecl *f) {
  Expansion x;
  std::vector<RValue> args;
  std::vector<QualType> types;
  fe.calls.emitArgs(e, args, types);
  if (fe.ubsan.enabled()) fe.ubsan.checkArguments(e, f, args);
  size_t n = f->params.size();
  x.fn = f;
  x.call = e;
  x.place = placeOf(e->range.begin);
  x.packed.assign(args.begin() + static_cast<std::ptrdiff_t>(n), args.end());
  x.packedTypes.assign(types.begin() + static_cast<std::ptrdiff_t>(n), types.end());
  args.resize(n);
  QualType result = f->type->as<FunctionType>()->result.unqual();
  if (!result->isVoid()) x.result = fe.locals.temporary(result, "expanded");
  fe.setLocation(e->range);
  x.outer = innermost;
  innermost = &x;
  fe.emitInline(*f->def, args);
  innermost = x.outer;
  fe.ensureOpen();
  return result->isVoid() ? RValue{} : fe.memory.load(x.result);
}

// Where the back end is to report a call of a function with the attribute error or warning. The back end reports a call
// that is still there when it sees the call.
void Expansions::notePlace(LLVMValueRef call, Loc at) {
  LLVMMetadataRef place = LLVMValueAsMetadata(fe.i64c(static_cast<int64_t>((placeOf(at)).raw)));
  LLVMSetMetadata(call, LLVMGetMDKindIDInContext(context, "srcloc", 6),
      LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, &place, 1)));
}

// ---- sizes of objects ---------------------------------------------------------------------------------------------

// LLVM knows the whole object (types 0 and 2). Of the member or array around the pointer (1 and 3) the tree knows more,
// where it is written there.
LLVMValueRef Expansions::emitObjectSize(const Expr *pointer, unsigned type, bool dynamic) {
  bool least = type & 2;
  Extent part;
  bool known = extentOfPointer(pointer, part) && (type & 1);
  if (known && least && part.exact) return fe.i64c(static_cast<int64_t>(part.bytes));
  LLVMValueRef at = fe.exprs.emitScalar(pointer), whole;
  if (const VarDecl *v = part.root; v && v->storage == StorageClass::Extern && !v->threadLocal) {
    // LLVM does not believe that an object of another file is as large as it is declared here.
    auto address = [&](LLVMValueRef p) { return LLVMBuildPtrToInt(builder, p, t.i64, ""); };
    LLVMValueRef before = LLVMBuildSub(builder, address(at), address(fe.locals.variable(v).ptr), "");
    whole = fe.callIntrinsic("llvm.usub.sat", {t.i64}, {fe.i64c(static_cast<int64_t>(t.size(v->type))), before});
    if (!dynamic && m.optimizing())
      whole = LLVMBuildSelect(builder, fe.callIntrinsic("llvm.is.constant", {t.i64}, {before}), whole,
          fe.i64c(least ? 0 : -1), "");
  } else {
    whole = fe.callIntrinsic("llvm.objectsize", {t.i64, t.ptr},
        {at, LLVMConstInt(t.i1, least, false), LLVMConstInt(t.i1, 1, false), LLVMConstInt(t.i1, dynamic, false)});
  }
  if (!known || least) return whole;
  return fe.callIntrinsic("llvm.umin", {t.i64}, {whole, fe.i64c(static_cast<int64_t>(part.bytes))});
}

// How many bytes may be accessed through the pointer in the object that its expression names; false if that is not
// written there. exact: no fewer.
bool Expansions::extentOfPointer(const Expr *e, Extent &x) {
  e = ignorePointerCasts(e);
  switch (e->kind) {
    case ExprKind::ImplicitCast: {
      auto *c = e->as<ImplicitCast>();
      if (c->castKind == CastKind::ArrayToPointer) {
        if (!extentOfObject(c->sub, true, x)) return false;
        x.of = c->type->as<PointerType>()->pointee.type;
        return true;
      }
      // A parameter of what is expanded is its argument.
      const Decl *d = c->castKind == CastKind::LvalueToRvalue ? named(ignorePointerCasts(c->sub)) : nullptr;
      if (!d || d->kind != DeclKind::Var || d->as<VarDecl>()->assigned || d->as<VarDecl>()->addressTaken || !innermost)
        return false;
      for (size_t i = 0; i < innermost->fn->params.size(); i++) {
        if (innermost->fn->params[i] != d) continue;
        Expansion *inner = innermost;
        innermost = inner->outer;
        bool known = extentOfPointer(inner->call->args[i], x);
        innermost = inner;
        return known;
      }
      return false;
    }
    case ExprKind::Unary: return e->as<Unary>()->op == UnaryOp::AddrOf && extentOfObject(e->as<Unary>()->sub, false, x);
    case ExprKind::Binary: {
      auto *b = e->as<Binary>();
      if (b->op != BinaryOp::Add || !b->type->isPointer()) return false;
      bool left = b->lhs->type->isPointer();
      return extentOfPointer(left ? b->lhs : b->rhs, x) && stepInto(left ? b->rhs : b->lhs, b->type, x);
    }
    default: return false;
  }
}

// p + i, &p[i]: that many elements less.
bool Expansions::stepInto(const Expr *index, QualType pointer, Extent &x) {
  QualType q = pointer->as<PointerType>()->pointee;
  if (!q->isVoid() && !q->isFunction() && (!isComplete(q.type) || hasVariableSize(q.type))) return false;
  uint64_t size = q->isVoid() || q->isFunction() ? 1 : t.size(q);
  auto c = evaluate(index, m.ast, EvalMode::Fold);
  if (!c || c->kind != ConstValue::Int) {
    x.exact = false;
    return true;
  }
  if (c->i < 0) return false;
  x.bytes = size && static_cast<uint64_t>(c->i) > x.bytes / size ? 0 : x.bytes - static_cast<uint64_t>(c->i) * size;
  return true;
}

static bool flexible(QualType q) {
  if (!q->isRecord()) return false;
  auto &fields = q->as<RecordType>()->fields;
  return !fields.empty() && (!isComplete(fields.back()->type.type) ||
                                (fields.back()->type->isArray() && fields.back()->type->as<ArrayType>()->count == 0) ||
                                flexible(fields.back()->type));
}

// The same of &e, or of e where it is an array that decays.
bool Expansions::extentOfObject(const Expr *e, bool decays, Extent &x) {
  e = ignorePointerCasts(e);
  if (!isComplete(e->type.type) || hasVariableSize(e->type.type)) return false;
  switch (e->kind) {
    case ExprKind::Ident:
      if (!named(e) || named(e)->kind != DeclKind::Var || flexible(e->type)) return false;
      x.root = named(e)->as<VarDecl>();
      break;
    case ExprKind::StringLit:
    case ExprKind::CompoundLit: break;
    case ExprKind::Member: {
      auto *m = e->as<Member>();
      if (m->path.empty() || m->path.back()->bitField) return false;
      // The last array of a record that is reached through a pointer may go on after the record. A cast makes a record
      // of any object. All of the object may be accessed then.
      Extent base;
      const FieldDecl *f = m->path.back();
      if (m->arrow ? extentOfPointer(m->base, base) : extentOfObject(m->base, false, base))
        base.cast = base.of != (m->arrow ? m->base->type->as<PointerType>()->pointee : m->base->type).type;
      else if (f->type->isArray() && f == f->parent->fields.back()) base.cast = true;
      x.root = base.root;
      x.cast = base.cast;
      if (x.cast) return false;
      break;
    }
    case ExprKind::Index:
      if (!e->as<Index>()->base->type->isPointer()) return false;
      if (decays) break;
      return extentOfPointer(e->as<Index>()->base, x) && stepInto(e->as<Index>()->index, e->as<Index>()->base->type, x);
    case ExprKind::Unary: return e->as<Unary>()->op == UnaryOp::Deref && extentOfPointer(e->as<Unary>()->sub, x);
    default: return false;
  }
  x.bytes = t.size(e->type);
  x.exact = true;
  x.of = e->type.type;
  return true;
}

}  // namespace cilkc::cg
