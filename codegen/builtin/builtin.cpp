// builtin.cpp - builtin functions that have code of their own. Those that are just library functions
// ("__builtin_printf") return false: the call goes to the library's name (ModuleEmitter::linkName). Numbers are in
// math.cpp, atomics in atomic.cpp, those of a processor in target/.
#include <cstddef>
#include <algorithm>
#include <cstring>
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "codegen/core/target.h"
#include "frontend/ast/query.h"
#include "frontend/builtins/builtins.h"

#include "rt/core/abi.h"

namespace cilkc::cg {
namespace {

// Free of side effects, so that even an operand that is not to be evaluated may be emitted.
bool isPure(const Expr *e) {
  switch (e->kind) {
    case ExprKind::IntLit:
    case ExprKind::FloatLit:
    case ExprKind::CharLit:
    case ExprKind::StringLit:
    case ExprKind::Ident:
    case ExprKind::SizeofType:
    case ExprKind::AlignofType:
    case ExprKind::Offsetof:
    case ExprKind::TypesCompatible: return !e->type.isVolatile();
    case ExprKind::Paren: return isPure(e->as<ParenExpr>()->sub);
    case ExprKind::ImplicitCast: return isPure(e->as<ImplicitCast>()->sub);
    case ExprKind::Cast: return isPure(e->as<Cast>()->sub);
    case ExprKind::Unary: {
      auto *u = e->as<Unary>();
      return !isIncDec(u->op) && isPure(u->sub);
    }
    case ExprKind::Binary: return isPure(e->as<Binary>()->lhs) && isPure(e->as<Binary>()->rhs);
    case ExprKind::Conditional: {
      auto *c = e->as<Conditional>();
      return isPure(c->cond) && (!c->then || isPure(c->then)) && isPure(c->otherwise);
    }
    case ExprKind::Member: return isPure(e->as<Member>()->base);
    case ExprKind::Index: return isPure(e->as<Index>()->base) && isPure(e->as<Index>()->index);
    default: return false;
  }
}

// The arguments of a builtin's call: arg(i) emits one as a scalar.
struct Arguments {
  FunctionEmitter &fe;
  const Call *e;
  LLVMValueRef operator()(size_t i) const { return fe.exprs.emitScalar(e->args[i]); }
  int64_t constant(size_t i) const {
    auto c = evaluate(e->args[i], fe.m.ast, EvalMode::Fold);
    return c && c->kind == ConstValue::Int ? static_cast<int64_t>(c->i) : 0;
  }
};

bool give(RValue &out, LLVMValueRef v) {
  out = RValue::scalar(v);
  return true;
}

void accessBlock(FunctionEmitter &fe, const Call *e, LLVMValueRef to, LLVMValueRef from, LLVMValueRef n) {
  if (from) fe.memory.access(from, n, AccessMode::Read, AccessKind::Block, e->range);
  fe.memory.access(to, n, AccessMode::Write, AccessKind::Block, e->range);
}

// The families. Each returns false for a builtin of another one.
bool emitHint(FunctionEmitter &fe, const Call *e, BuiltinId id, RValue &out) {
  Arguments arg{fe, e};
  switch (id) {
    case BuiltinId::expect: {
      LLVMValueRef v = arg(0);
      if (!fe.m.optimizing()) {
        fe.exprs.emitIgnored(e->args[1]);
        return give(out, v);
      }
      return give(out, fe.callIntrinsic("llvm.expect", {LLVMTypeOf(v)}, {v, arg(1)}));
    }
    case BuiltinId::expect_with_probability: {
      LLVMValueRef v = arg(0);
      auto p = evaluate(e->args[2], fe.m.ast, EvalMode::Fold);
      if (!fe.m.optimizing() || !p) return give(out, v);
      return give(out, fe.callIntrinsic("llvm.expect.with.probability", {LLVMTypeOf(v)},
                           {v, arg(1),
                               fe.m.floatConst(fe.m.ast.basic(TypeKind::Double),
                                   p->kind == ConstValue::Int ? static_cast<__float128>(p->i) : p->re)}));
    }
    case BuiltinId::constant_p: {
      auto c = evaluate(e->args[0], fe.m.ast, EvalMode::Fold);
      if (c && (c->kind != ConstValue::Address || (!c->base && !c->label)))
        return give(out, LLVMConstInt(fe.t.value(e->type), 1, false));
      if (!fe.m.optimizing() || !isPure(e->args[0]) || !isScalarType(e->args[0]->type.type))
        return give(out, LLVMConstNull(fe.t.value(e->type)));
      LLVMValueRef v = arg(0);
      return give(out, LLVMBuildZExt(fe.builder, fe.callIntrinsic("llvm.is.constant", {LLVMTypeOf(v)}, {v}),
                           fe.t.value(e->type), ""));
    }
    case BuiltinId::assoc_barrier:
    case BuiltinId::speculation_safe_value: {
      LLVMValueRef v = arg(0);
      if (e->args.size() > 1) fe.exprs.emitIgnored(e->args[1]);
      return give(out, v);
    }
    case BuiltinId::unreachable:
      fe.ubsan.checkUnreachable(e->range.begin);
      LLVMBuildUnreachable(fe.builder);
      fe.ensureOpen();
      return true;
    case BuiltinId::trap:
      fe.emitTrap();
      fe.ensureOpen();
      return true;
    case BuiltinId::debugtrap: fe.callIntrinsic("llvm.debugtrap", {}, {}); return true;
    case BuiltinId::assume:
      if (fe.m.optimizing() && isPure(e->args[0])) fe.callIntrinsic("llvm.assume", {}, {fe.exprs.emitBool(e->args[0])});
      return true;
    case BuiltinId::prefetch: {
      LLVMValueRef p = arg(0);
      fe.callIntrinsic("llvm.prefetch", {fe.t.ptr},
          {p, fe.i32c(e->args.size() > 1 ? arg.constant(1) : 0), fe.i32c(e->args.size() > 2 ? arg.constant(2) : 3),
              fe.i32c(1)});
      return true;
    }
    case BuiltinId::assume_aligned: {
      LLVMValueRef p = arg(0);
      int64_t align = arg.constant(1);
      for (size_t i = 2; i < e->args.size(); i++) fe.exprs.emitIgnored(e->args[i]);
      if (fe.m.optimizing() && align > 1 && e->args.size() == 2) {
        LLVMValueRef low =
            LLVMBuildAnd(fe.builder, LLVMBuildPtrToInt(fe.builder, p, fe.t.i64, ""), fe.i64c(align - 1), "");
        fe.callIntrinsic("llvm.assume", {}, {LLVMBuildICmp(fe.builder, LLVMIntEQ, low, fe.i64c(0), "")});
      }
      return give(out, p);
    }
    default: return false;
  }
}

// p, as a value of which LLVM does not know where it comes from. The jump first restores the frame pointer, then reads
// the rest of the buffer: an address in the frame that it leaves must be in a register by then.
LLVMValueRef inRegister(FunctionEmitter &fe, LLVMValueRef p) {
  std::string_view constraint = "=r,0";
  LLVMTypeRef type = LLVMFunctionType(fe.t.ptr, &fe.t.ptr, 1, false);
  LLVMValueRef code =
      LLVMGetInlineAsm(type, "", 0, constraint.data(), constraint.size(), true, false, LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(fe.builder, type, code, &p, 1, "");
}

bool emitControl(FunctionEmitter &fe, const Call *e, BuiltinId id, RValue &out) {
  Arguments arg{fe, e};
  switch (id) {
    case BuiltinId::alloca: {
      LLVMValueRef n = arg(0), p = fe.strategy.allocateDynamic(fe, n, 16);
      fe.memory.reportObject(true, Object::Dynamic, nullptr, p, n, e->range);
      fe.nested.noteStack();
      return give(out, p);
    }
    case BuiltinId::alloca_with_align:
    case BuiltinId::alloca_with_align_and_max: {
      LLVMValueRef n = arg(0), p = fe.strategy.allocateDynamic(fe, n,
                                   static_cast<uint32_t>(std::max<int64_t>(arg.constant(1) / 8, 1)));
      fe.memory.reportObject(true, Object::Dynamic, nullptr, p, n, e->range);
      return give(out, p);
    }
    case BuiltinId::stack_save: return give(out, fe.callIntrinsic("llvm.stacksave", {fe.t.ptr}, {}));
    case BuiltinId::stack_restore: fe.callIntrinsic("llvm.stackrestore", {fe.t.ptr}, {arg(0)}); return true;
    case BuiltinId::frame_address:
      return give(out, fe.callIntrinsic("llvm.frameaddress", {fe.t.ptr}, {fe.i32c(arg.constant(0))}));
    case BuiltinId::return_address:
      return give(out, fe.callIntrinsic("llvm.returnaddress", {}, {fe.i32c(arg.constant(0))}));
    case BuiltinId::extract_return_addr:
    case BuiltinId::frob_return_addr: return give(out, arg(0));
    case BuiltinId::clear_cache: {
      LLVMValueRef a = arg(0);
      fe.callIntrinsic("llvm.clear_cache", {}, {a, arg(1)});
      return true;
    }
    case BuiltinId::thread_pointer: return give(out, fe.callIntrinsic("llvm.thread.pointer", {}, {}));
    case BuiltinId::readcyclecounter: return give(out, fe.callIntrinsic("llvm.readcyclecounter", {}, {}));
    case BuiltinId::setjmp: {
      // The jump finds the variables as they are then: they stay in memory.
      for (const char *name : {"alwaysinline", "optsize", "minsize", "inlinehint"})
        LLVMRemoveEnumAttributeAtIndex(fe.function, static_cast<unsigned>(LLVMAttributeFunctionIndex),
            LLVMGetEnumAttributeKindForName(name, std::strlen(name)));
      for (const char *name : {"noinline", "optnone"})
        fe.m.attributes.attr(fe.function, static_cast<unsigned>(LLVMAttributeFunctionIndex), name);
      LLVMValueRef buf = arg(0);
      fe.memory.storeAt(fe.callIntrinsic("llvm.frameaddress", {fe.t.ptr}, {fe.i32c(0)}), buf, 8, e->range);
      fe.memory.storeAt(fe.callIntrinsic("llvm.stacksave", {fe.t.ptr}, {}), fe.offsetPtr(buf, 16), 8, e->range);
      return give(out, fe.callIntrinsic("llvm.eh.sjlj.setjmp", {}, {buf}));
    }
    case BuiltinId::longjmp: {
      LLVMValueRef buf = arg(0);
      fe.exprs.emitIgnored(e->args[1]);
      fe.callIntrinsic("llvm.eh.sjlj.longjmp", {}, {inRegister(fe, buf)});
      LLVMBuildUnreachable(fe.builder);
      fe.ensureOpen();
      return true;
    }
    case BuiltinId::va_start:
    case BuiltinId::va_end: {
      LLVMValueRef list = fe.varargs.emitVaList(e->args[0]);
      fe.varargs.accessVaList(list, AccessMode::Write, e->range);
      if (e->args.size() == 2) {  // in the procedure of a function with `...`, which has begun the list
        fe.callIntrinsic("llvm.va_copy", {fe.t.ptr}, {list, fe.exprs.emitScalar(e->args[1])});
        return true;
      }
      fe.callIntrinsic(id == BuiltinId::va_start ? "llvm.va_start" : "llvm.va_end", {fe.t.ptr}, {list});
      return true;
    }
    case BuiltinId::va_copy: {
      LLVMValueRef d = fe.varargs.emitVaList(e->args[0]), s = fe.varargs.emitVaList(e->args[1]);
      fe.varargs.accessVaList(s, AccessMode::Read, e->range);
      fe.varargs.accessVaList(d, AccessMode::Write, e->range);
      fe.callIntrinsic("llvm.va_copy", {fe.t.ptr}, {d, s});
      return true;
    }
    default: return false;
  }
}

bool emitObjectQuestion(FunctionEmitter &fe, const Call *e, BuiltinId id, RValue &out) {
  Arguments arg{fe, e};
  switch (id) {
    case BuiltinId::classify_type: return give(out, fe.m.constant(*evaluate(e, fe.m.ast, EvalMode::Fold), e->type));
    case BuiltinId::object_size:
    case BuiltinId::dynamic_object_size: {
      int64_t type = arg.constant(1);
      if (!isPure(e->args[0])) return give(out, LLVMConstInt(fe.t.i64, type & 2 ? 0 : ~0ull, false));
      return give(out, fe.expansions.emitObjectSize(e->args[0], static_cast<unsigned>(type),
                           id == BuiltinId::dynamic_object_size && fe.m.optimizing()));
    }
    case BuiltinId::nontemporal_load: {
      Address a{arg(0), fe.t.align(e->type), e->type};
      a.where = e->range;
      out = fe.memory.load(a);
      return true;
    }
    case BuiltinId::nontemporal_store: {
      RValue v = fe.exprs.emitExpr(e->args[0]);
      QualType q = e->args[1]->type->as<PointerType>()->pointee;
      fe.memory.storeToLvalue(Address{arg(1), fe.t.align(q), q}, v);
      return true;
    }
    case BuiltinId::clear_padding: {
      LLVMValueRef p = arg(0);
      QualType q = e->args[0]->type->as<PointerType>()->pointee;
      fe.memory.access(p, fe.i64c(static_cast<int64_t>(fe.t.size(q))), AccessMode::ReadWrite, AccessKind::Plain,
          e->range);
      std::vector<bool> used(fe.t.size(q) * 8);
      auto mark = [&](auto &&self, const Type *ty, uint64_t bit) -> void {
        if (ty->isRecord()) {
          for (auto *f : ty->as<RecordType>()->fields) {
            if (f->bitField) {
              if (!f->name.empty())
                for (unsigned i = 0; i < f->width; i++) used[bit + f->offset * 8 + f->bitOffset + i] = true;
            } else if (isComplete(f->type.type)) self(self, f->type.type, bit + f->offset * 8);
          }
        } else if (ty->isArray()) {
          auto *a = ty->as<ArrayType>();
          for (uint64_t i = 0; i < a->count; i++) self(self, a->elem.type, bit + i * fe.t.size(a->elem) * 8);
        } else {
          uint64_t n = fe.t.size(ty);
          if (ty->kind == TypeKind::LongDouble && !fe.m.ast.target.facts->quadLongDouble) n = 10;
          for (uint64_t i = 0; i < n * 8; i++) used[bit + i] = true;
        }
      };
      mark(mark, q.type, 0);
      for (uint64_t b = 0; b < fe.t.size(q); b++) {
        unsigned keep = 0;
        for (unsigned i = 0; i < 8; i++)
          if (used[b * 8 + i]) keep |= LLVMByteOrder(fe.m.layout) == LLVMBigEndian ? 128u >> i : 1u << i;
        if (keep == 255) continue;
        LLVMValueRef at = fe.offsetPtr(p, b);
        fe.storeRaw(keep ? LLVMBuildAnd(fe.builder, fe.loadRaw(fe.t.i8, at, 1), LLVMConstInt(fe.t.i8, keep, false), "")
                         : LLVMConstInt(fe.t.i8, 0, false),
            at, 1);
      }
      return true;
    }
    case BuiltinId::va_arg_pack_len:
    case BuiltinId::va_arg_pack: {
      auto packed = fe.expansions.packedArguments();
      if (!packed || id == BuiltinId::va_arg_pack)
        fe.m.impossible(e->range, "'" + std::string(builtinInfo(id).name) + "' that is not expanded");
      return give(out, fe.i32c(static_cast<int64_t>(*packed)));
    }
    default: return false;
  }
}

bool emitMemory(FunctionEmitter &fe, const Call *e, BuiltinId id, RValue &out) {
  Arguments arg{fe, e};
  switch (id) {
    case BuiltinId::memcpy:
    case BuiltinId::memcpy_inline:
    case BuiltinId::memmove: {
      LLVMValueRef d = arg(0), s = arg(1), n = arg(2);
      fe.weights.weighBytes(n, e->range.begin);
      accessBlock(fe, e, d, s, n);
      if (id == BuiltinId::memmove) fe.moveBytes(d, 1, s, 1, n);
      else fe.copyBytes(d, 1, s, 1, n);
      return give(out, d);
    }
    case BuiltinId::memset: {
      LLVMValueRef d = arg(0), c = arg(1), n = arg(2);
      fe.weights.weighBytes(n, e->range.begin);
      accessBlock(fe, e, d, nullptr, n);
      fe.fillBytes(d, 1, LLVMBuildTrunc(fe.builder, c, fe.t.i8, ""), n);
      return give(out, d);
    }
    case BuiltinId::bzero: {
      LLVMValueRef d = arg(0), n = arg(1);
      accessBlock(fe, e, d, nullptr, n);
      fe.zeroFill(d, 1, n);
      return true;
    }
    case BuiltinId::bcopy: {
      LLVMValueRef s = arg(0), d = arg(1), n = arg(2);
      accessBlock(fe, e, d, s, n);
      fe.moveBytes(d, 1, s, 1, n);
      return true;
    }
    default: return false;
  }
}

bool emitVector(FunctionEmitter &fe, const Call *e, BuiltinId id, RValue &out) {
  Arguments arg{fe, e};
  switch (id) {
    case BuiltinId::shuffle: {
      LLVMValueRef a = arg(0), b = e->args.size() == 3 ? arg(1) : a, mask = arg(e->args.size() - 1);
      auto *vt = e->type->as<VectorType>();
      unsigned n = static_cast<unsigned>(vt->count);
      LLVMTypeRef me = LLVMGetElementType(LLVMTypeOf(mask));
      mask = LLVMBuildAnd(fe.builder, mask,
          fe.conv.convertScalar(fe.m.intConst(me, (e->args.size() == 3 ? 2 * n : n) - 1),
              e->args.back()->type->as<VectorType>()->elem, e->args.back()->type),
          "");
      if (LLVMIsConstant(mask)) {
        std::vector<LLVMValueRef> idx;
        for (unsigned i = 0; i < n; i++)
          idx.push_back(fe.i32c(static_cast<int64_t>(LLVMConstIntGetZExtValue(LLVMGetAggregateElement(mask, i)))));
        return give(out, LLVMBuildShuffleVector(fe.builder, a, b, LLVMConstVector(idx.data(), n), ""));
      }
      // Element by element through memory.
      LLVMTypeRef el = fe.t.memory(vt->elem);
      LLVMValueRef both = fe.entryAlloca(LLVMArrayType2(LLVMTypeOf(a), 2), fe.t.align(e->type), "shuffle");
      fe.storeRaw(a, both, fe.t.align(e->type));
      fe.storeRaw(b, fe.offsetPtr(both, fe.t.size(e->type)), fe.t.align(e->type));
      LLVMValueRef r = LLVMGetUndef(LLVMTypeOf(a));
      for (unsigned i = 0; i < n; i++) {
        LLVMValueRef k = LLVMBuildIntCast2(fe.builder, LLVMBuildExtractElement(fe.builder, mask, fe.i32c(i), ""),
            fe.t.i64, false, "");
        LLVMValueRef p = LLVMBuildInBoundsGEP2(fe.builder, el, both, &k, 1, "");
        r = LLVMBuildInsertElement(fe.builder, r, fe.loadRaw(el, p, fe.t.align(vt->elem)), fe.i32c(i), "");
      }
      return give(out, r);
    }
    case BuiltinId::shufflevector: {
      LLVMValueRef a = arg(0), b = arg(1);
      auto *at = e->args[0]->type->as<VectorType>(), *bt = e->args[1]->type->as<VectorType>();
      std::vector<LLVMValueRef> idx;
      if (at->count != bt->count) {  // LLVM wants two of one length: widen the shorter
        unsigned n = static_cast<unsigned>(std::max(at->count, bt->count));
        auto widen = [&](LLVMValueRef v, uint64_t have) {
          std::vector<LLVMValueRef> w;
          for (unsigned i = 0; i < n; i++) w.push_back(i < have ? fe.i32c(i) : LLVMGetUndef(fe.t.i32));
          return LLVMBuildShuffleVector(fe.builder, v, LLVMGetUndef(LLVMTypeOf(v)), LLVMConstVector(w.data(), n), "");
        };
        if (at->count < n) a = widen(a, at->count);
        if (bt->count < n) b = widen(b, bt->count);
        for (size_t i = 2; i < e->args.size(); i++) {
          int64_t k = arg.constant(i);
          idx.push_back(
              k < 0 ? LLVMGetUndef(fe.t.i32)
                    : fe.i32c(k < static_cast<int64_t>(at->count) ? k : k - static_cast<int64_t>(at->count) + n));
        }
      } else
        for (size_t i = 2; i < e->args.size(); i++) {
          int64_t k = arg.constant(i);
          idx.push_back(k < 0 ? LLVMGetUndef(fe.t.i32) : fe.i32c(k));
        }
      return give(out,
          LLVMBuildShuffleVector(fe.builder, a, b, LLVMConstVector(idx.data(), static_cast<unsigned>(idx.size())), ""));
    }
    case BuiltinId::convertvector: {
      LLVMValueRef v = arg(0);
      const Type *from = e->args[0]->type->as<VectorType>()->elem, *to = e->type->as<VectorType>()->elem;
      LLVMTypeRef lt = fe.t.value(e->type);
      if (from->isFloating() && to->isFloating()) v = LLVMBuildFPCast(fe.builder, v, lt, "");
      else if (from->isFloating())
        v = fe.t.isSigned(to) ? LLVMBuildFPToSI(fe.builder, v, lt, "") : LLVMBuildFPToUI(fe.builder, v, lt, "");
      else if (to->isFloating())
        v = fe.t.isSigned(from) ? LLVMBuildSIToFP(fe.builder, v, lt, "") : LLVMBuildUIToFP(fe.builder, v, lt, "");
      else v = LLVMBuildIntCast2(fe.builder, v, lt, fe.t.isSigned(from), "");
      return give(out, v);
    }
    default: return false;
  }
}

// The strand's map, null where every object is its view. A fast clone, and C code, stay in one strand: they load it
// once, in the entry block. A slow clone loads it where a strand begins.
LLVMValueRef viewsOf(FunctionEmitter &fe) {
  auto load = [&] { return fe.loadRaw(fe.t.ptr, fe.m.workerField(offsetof(cilk_worker, views)), 8); };
  if (LLVMValueRef kept = fe.strategy.viewsOfStrand()) return fe.loadRaw(fe.t.ptr, kept, 8);
  if (!fe.strategy.oneStrand()) return load();
  if (fe.views) return fe.views;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(fe.function), here = LLVMGetInsertBlock(fe.builder);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(entry);
  if (here == entry || !end) return fe.views = load();
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(fe.builder);
  LLVMPositionBuilderBefore(fe.builder, end);
  LLVMSetCurrentDebugLocation2(fe.builder, nullptr);
  fe.views = load();
  LLVMPositionBuilderAtEnd(fe.builder, here);
  LLVMSetCurrentDebugLocation2(fe.builder, location);
  return fe.views;
}

// ptr cilk.view(map, object, size, alignment, identity, reduce): the same test as a function that LLVM may call ahead
// of a loop, since it has no effect.
LLVMValueRef viewFunction(FunctionEmitter &fe) {
  ModuleEmitter &m = fe.m;
  if (LLVMValueRef f = LLVMGetNamedFunction(m.module, "cilk.view")) return f;
  LLVMTypeRef params[] = {fe.t.ptr, fe.t.ptr, fe.t.i64, fe.t.i64, fe.t.ptr, fe.t.ptr};
  LLVMValueRef f = m.makeRawFunction("cilk.view", LLVMFunctionType(fe.t.ptr, params, 6, 0), LLVMInternalLinkage);
  const unsigned F = static_cast<unsigned>(LLVMAttributeFunctionIndex);
  for (const char *name : {"noinline", "nounwind", "willreturn", "nofree", "nosync", "speculatable"})
    m.attributes.attr(f, F, name);
  LLVMAddAttributeAtIndex(f, F, LLVMCreateEnumAttribute(m.context, LLVMGetEnumAttributeKindForName("memory", 6), 0));
  BodyStrategy plain;
  FunctionEmitter body(m, f, nullptr, plain);
  body.begin();
  LLVMBasicBlockRef look = body.newBlock("look"), own = body.newBlock("own");
  body.branch(LLVMBuildIsNull(body.builder, LLVMGetParam(f, 0), ""), own, look, 1);
  body.place(own);
  LLVMBuildRet(body.builder, LLVMGetParam(f, 1));
  body.place(look);
  LLVMBuildRet(body.builder, body.callRuntime("cilk_rt_view", fe.t.ptr,
                                 {LLVMGetParam(f, 0), LLVMGetParam(f, 1), LLVMGetParam(f, 2), LLVMGetParam(f, 3),
                                     LLVMGetParam(f, 4), LLVMGetParam(f, 5)}));
  body.finish();
  return f;
}

// Are reducers registered in this function? Then none may be looked up ahead of that.
bool registersReducers(const FunctionEmitter &fe) {
  return fe.fn && std::any_of(fe.fn->locals.begin(), fe.fn->locals.end(), [](const VarDecl *v) {
    return v->attrs.cleanup && v->attrs.cleanup->name == "cilk_rt_view_unregister";
  });
}

// The same map has the same view of an object, until the object is registered or unregistered: where this may happen
// each call of an unknown function ends what is known. So LLVM leaves one of several equal calls.
void lookedUpOnce(FunctionEmitter &fe, LLVMValueRef call, bool registers) {
  enum : uint64_t { Nothing = 0, ReadsInaccessible = 1 << 2 };  // llvm::MemoryEffects
  const unsigned F = static_cast<unsigned>(LLVMAttributeFunctionIndex);
  fe.m.attributes.callAttr(call, F, "memory", registers ? ReadsInaccessible : Nothing);
  fe.m.attributes.callAttr(call, F, "willreturn", 0);
  fe.m.attributes.callAttr(call, F, "nounwind", 0);
}

LLVMValueRef viewOf(FunctionEmitter &fe, LLVMValueRef object, LLVMValueRef size, LLVMValueRef align,
    LLVMValueRef identity, LLVMValueRef reduce) {
  LLVMValueRef views = viewsOf(fe);
  bool known = fe.m.optimizing() && (fe.strategy.oneStrand() || fe.strategy.viewsOfStrand());
  bool registers = registersReducers(fe);
  if (known && fe.stmts.inLoop() && !registers) {
    LLVMValueRef f = viewFunction(fe);
    return fe.call(LLVMGlobalGetValueType(f), f, {views, object, size, align, identity, reduce}, "view");
  }
  LLVMBasicBlockRef look = fe.newBlock("view.look"), go = fe.newBlock("view");
  LLVMValueRef place = fe.entryAlloca(fe.t.ptr, 8, "view");
  fe.storeRaw(object, place, 8);
  fe.branch(LLVMBuildIsNull(fe.builder, views, ""), go, look, 1);
  fe.place(look);
  LLVMValueRef found = fe.callRuntime("cilk_rt_view", fe.t.ptr, {views, object, size, align, identity, reduce});
  if (known) lookedUpOnce(fe, found, registers);
  fe.storeRaw(found, place, 8);
  fe.jump(go);
  fe.place(go);
  return fe.loadRaw(fe.t.ptr, place, 8);
}

bool emitCilk(FunctionEmitter &fe, const Call *e, BuiltinId id, RValue &out) {
  Arguments arg{fe, e};
  switch (id) {
    case BuiltinId::cilk_view: {
      LLVMValueRef object = arg(0), view = fe.events.view(fe, {object, arg(3), arg(4), arg(1), arg(2)}, false);
      if (fe.m.options.serial) return give(out, view ? view : object);
      return give(out, viewOf(fe, object, arg(3), arg(4), arg(1), arg(2)));
    }
    case BuiltinId::cilk_view_register: {
      LLVMValueRef object = arg(0), identity = arg(1), reduce = arg(2);
      fe.events.view(fe, {object, arg(3), arg(4), identity, reduce}, true);
      if (!fe.m.options.serial)
        fe.callRuntime("cilk_rt_view_register", fe.t.voidTy, {object, arg(3), arg(4), identity, reduce});
      return true;
    }
    case BuiltinId::cilk_wanted: return give(out, fe.strategy.emitWanted(fe, !LLVMIsNull(arg(0))));
    case BuiltinId::cilk_self:
      return give(out, fe.m.options.serial ? fe.i32c(0) : fe.callRuntime("cilk_rt_self", fe.t.i32, {}));
    case BuiltinId::cilk_active_size:
      return give(out, fe.m.options.serial ? fe.i32c(1) : fe.callRuntime("cilk_rt_active_size", fe.t.i32, {}));
    case BuiltinId::cilk_alloca: {
      LLVMValueRef n = arg(0), p = fe.strategy.cilkAlloca(fe, n);
      fe.memory.reportObject(true, Object::Cilk, nullptr, p, n, e->range);
      return give(out, p);
    }
    case BuiltinId::cilk_user_work: return give(out, fe.events.measured(fe, false));
    case BuiltinId::cilk_user_critical_path: return give(out, fe.events.measured(fe, true));
    case BuiltinId::cilk_synched: {
      LLVMValueRef answer = fe.strategy.emitSynched(fe, nullptr);
      fe.events.asksSynched(fe, answer);
      return give(out, answer);
    }
    default: return false;
  }
}

}  // namespace

bool Builtins::emitBuiltin(const Call *e, RValue &out, const Address &) {
  BuiltinId id = static_cast<BuiltinId>(e->builtin);
  if (m.target.emitBuiltin(fe, e, out)) return true;
  if (const AtomicInfo *atomic = atomicInfo(id)) {
    out = emitAtomicBuiltin(e, *atomic);
    return true;
  }
  for (auto family : {emitHint, emitControl, emitObjectQuestion, emitMemory, emitVector, emitCilk})
    if (family(fe, e, id, out)) return true;
  return emitMathBuiltin(e, out);
}

}  // namespace cilkc::cg
