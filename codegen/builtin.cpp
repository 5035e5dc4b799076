// builtin.cpp - builtin functions that have code of their own. Those that are just library functions ("__builtin_printf") return false: the call goes to the
// library's name (ModuleEmitter::linkName). Numbers are in builtin_math.cpp, atomics in builtin_atomic.cpp, those of a processor in target/.
#include <algorithm>
#include <cstring>
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "codegen/core/target.h"
#include "frontend/ast/query.h"
#include "frontend/builtins/builtins.h"

namespace cilkc::cg {
namespace {

// Free of side effects, so that an operand that is not to be evaluated may be emitted all the same.
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
    case ExprKind::Member: return isPure(e->as<Member>()->base);
    case ExprKind::Index: return isPure(e->as<Index>()->base) && isPure(e->as<Index>()->index);
    default: return false;
  }
}

// gcc's enum type_class.
int typeClass(const Type *t) {
  switch (t->kind) {
    case TypeKind::Void: return 0;
    case TypeKind::Pointer: return 5;
    case TypeKind::Complex: return 9;
    case TypeKind::Function: return 10;
    case TypeKind::Record: return t->as<RecordType>()->isUnion ? 13 : 12;
    case TypeKind::Array: return 14;
    default: return t->isFloating() ? 8 : 1;
  }
}

}  // namespace

bool FunctionEmitter::emitBuiltin(const Call *e, RValue &out, const Address &dest) {
  (void)dest;
  BuiltinId id = static_cast<BuiltinId>(e->builtin);
  std::string_view name = builtinInfo(id).name;
  const auto &args = e->args;
  auto scalar = [&](size_t i) { return emitScalar(args[i]); };
  auto give = [&](LLVMValueRef v) {
    out = RValue::scalar(v);
    return true;
  };
  auto constantArg = [&](size_t i) -> int64_t {
    auto c = evaluate(args[i], m.ast, EvalMode::Fold);
    return c && c->kind == ConstValue::Int ? static_cast<int64_t>(c->i) : 0;
  };
  if (m.target.emitBuiltin(*this, e, name, out)) return true;
  if (name.starts_with("__sync_") || name.starts_with("__atomic_") || name.starts_with("__c11_")) return emitAtomicBuiltin(e, name, out);
  auto accessBlock = [&](LLVMValueRef to, LLVMValueRef from, LLVMValueRef n) {
    if (from) access(from, n, AccessMode::Read, AccessKind::Block, e->range);
    access(to, n, AccessMode::Write, AccessKind::Block, e->range);
  };
  switch (id) {
  // ---- hints ----
    case BuiltinId::expect: {
      LLVMValueRef v = scalar(0);
      if (!m.optimizing()) {
        emitIgnored(args[1]);
        return give(v);
      }
      return give(callIntrinsic("llvm.expect", {LLVMTypeOf(v)}, {v, scalar(1)}));
    }
    case BuiltinId::expect_with_probability: {
      LLVMValueRef v = scalar(0);
      auto p = evaluate(args[2], m.ast, EvalMode::Fold);
      if (!m.optimizing() || !p) return give(v);
      return give(callIntrinsic("llvm.expect.with.probability", {LLVMTypeOf(v)},
          {v, scalar(1), m.floatConst(m.ast.basic(TypeKind::Double), p->kind == ConstValue::Int ? static_cast<__float128>(p->i) : p->re)}));
    }
    case BuiltinId::constant_p: {
      auto c = evaluate(args[0], m.ast, EvalMode::Fold);
      if (c && (c->kind != ConstValue::Address || (!c->base && !c->label))) return give(LLVMConstInt(t.value(e->type), 1, false));
      if (!m.optimizing() || !isPure(args[0]) || !isScalarType(args[0]->type.type)) return give(LLVMConstNull(t.value(e->type)));
      LLVMValueRef v = scalar(0);
      return give(LLVMBuildZExt(builder, callIntrinsic("llvm.is.constant", {LLVMTypeOf(v)}, {v}), t.value(e->type), ""));
    }
    case BuiltinId::assoc_barrier:
    case BuiltinId::speculation_safe_value: {
      LLVMValueRef v = scalar(0);
      if (args.size() > 1) emitIgnored(args[1]);
      return give(v);
    }
    case BuiltinId::unreachable:
      checkUnreachable(e->range.begin);
      LLVMBuildUnreachable(builder);
      ensureOpen();
      return true;
    case BuiltinId::trap:
      emitTrap();
      ensureOpen();
      return true;
    case BuiltinId::debugtrap: callIntrinsic("llvm.debugtrap", {}, {}); return true;
    case BuiltinId::assume:
      if (m.optimizing() && isPure(args[0])) callIntrinsic("llvm.assume", {}, {emitBool(args[0])});
      return true;
    case BuiltinId::prefetch: {
      LLVMValueRef p = scalar(0);
      callIntrinsic("llvm.prefetch", {t.ptr}, {p, i32c(args.size() > 1 ? constantArg(1) : 0), i32c(args.size() > 2 ? constantArg(2) : 3), i32c(1)});
      return true;
    }
    case BuiltinId::assume_aligned: {
      LLVMValueRef p = scalar(0);
      int64_t align = constantArg(1);
      for (size_t i = 2; i < args.size(); i++) emitIgnored(args[i]);
      if (m.optimizing() && align > 1 && args.size() == 2) {
        LLVMValueRef low = LLVMBuildAnd(builder, LLVMBuildPtrToInt(builder, p, t.i64, ""), i64c(align - 1), "");
        callIntrinsic("llvm.assume", {}, {LLVMBuildICmp(builder, LLVMIntEQ, low, i64c(0), "")});
      }
      return give(p);
    }
  // ---- stack and control ----
    case BuiltinId::alloca: {
      LLVMValueRef n = scalar(0), p = strategy.allocateDynamic(*this, n, 16);
      tellObject(true, Object::Dynamic, nullptr, p, n);
      noteStack();
      return give(p);
    }
    case BuiltinId::alloca_with_align:
    case BuiltinId::alloca_with_align_and_max: {
      LLVMValueRef n = scalar(0), p = strategy.allocateDynamic(*this, n, static_cast<uint32_t>(std::max<int64_t>(constantArg(1) / 8, 1)));
      tellObject(true, Object::Dynamic, nullptr, p, n);
      return give(p);
    }
    case BuiltinId::stack_save: return give(callIntrinsic("llvm.stacksave", {t.ptr}, {}));
    case BuiltinId::stack_restore: callIntrinsic("llvm.stackrestore", {t.ptr}, {scalar(0)}); return true;
    case BuiltinId::frame_address: return give(callIntrinsic("llvm.frameaddress", {t.ptr}, {i32c(constantArg(0))}));
    case BuiltinId::return_address: return give(callIntrinsic("llvm.returnaddress", {}, {i32c(constantArg(0))}));
    case BuiltinId::extract_return_addr:
    case BuiltinId::frob_return_addr: return give(scalar(0));
    case BuiltinId::clear_cache: {
      LLVMValueRef a = scalar(0);
      callIntrinsic("llvm.clear_cache", {}, {a, scalar(1)});
      return true;
    }
    case BuiltinId::thread_pointer: return give(callIntrinsic("llvm.thread.pointer", {}, {}));
    case BuiltinId::readcyclecounter: return give(callIntrinsic("llvm.readcyclecounter", {}, {}));
    case BuiltinId::setjmp: {
    // The jump finds the variables as they are then: they stay in memory.
      for (const char *name : {"alwaysinline", "optsize", "minsize", "inlinehint"})
        LLVMRemoveEnumAttributeAtIndex(function, static_cast<unsigned>(LLVMAttributeFunctionIndex), LLVMGetEnumAttributeKindForName(name, std::strlen(name)));
      for (const char *name : {"noinline", "optnone"}) m.attr(function, static_cast<unsigned>(LLVMAttributeFunctionIndex), name);
      LLVMValueRef buf = scalar(0);
      storeAt(callIntrinsic("llvm.frameaddress", {t.ptr}, {i32c(0)}), buf, 8, e->range);
      storeAt(callIntrinsic("llvm.stacksave", {t.ptr}, {}), offsetPtr(buf, 16), 8, e->range);
      return give(callIntrinsic("llvm.eh.sjlj.setjmp", {}, {buf}));
    }
    case BuiltinId::longjmp: {
      LLVMValueRef buf = scalar(0);
      emitIgnored(args[1]);
      callIntrinsic("llvm.eh.sjlj.longjmp", {}, {buf});
      LLVMBuildUnreachable(builder);
      ensureOpen();
      return true;
    }
    case BuiltinId::va_start:
    case BuiltinId::va_end: {
      LLVMValueRef list = emitVaList(args[0]);
      accessVaList(list, AccessMode::Write, e->range);
      callIntrinsic(id == BuiltinId::va_start ? "llvm.va_start" : "llvm.va_end", {t.ptr}, {list});
      return true;
    }
    case BuiltinId::va_copy: {
      LLVMValueRef d = emitVaList(args[0]), s = emitVaList(args[1]);
      accessVaList(s, AccessMode::Read, e->range);
      accessVaList(d, AccessMode::Write, e->range);
      callIntrinsic("llvm.va_copy", {t.ptr}, {d, s});
      return true;
    }
  // ---- about types and objects ----
    case BuiltinId::classify_type: return give(i32c(typeClass(args[0]->type.type)));
    case BuiltinId::object_size:
    case BuiltinId::dynamic_object_size: {
      int64_t type = constantArg(1);
      if (!isPure(args[0])) return give(LLVMConstInt(t.i64, type & 2 ? 0 : ~0ull, false));
      return give(emitObjectSize(args[0], static_cast<unsigned>(type), id == BuiltinId::dynamic_object_size && m.optimizing()));
    }
    case BuiltinId::LINE: return give(i32c(m.diags.sources().presumed(e->range.begin).line));
    case BuiltinId::COLUMN: return give(i32c(m.diags.sources().presumed(e->range.begin).column));
    case BuiltinId::FILE: {
      Presumed p = m.diags.sources().presumed(e->range.begin);
      return give(m.cstring(p.file ? p.file->name : m.diags.sources().mainName()));
    }
    case BuiltinId::FUNCTION: return give(m.cstring(fn ? std::string(fn->name) : std::string()));
    case BuiltinId::nontemporal_load: {
      Address a{scalar(0), t.align(e->type), e->type};
      a.where = e->range;
      out = load(a);
      return true;
    }
    case BuiltinId::nontemporal_store: {
      RValue v = emitExpr(args[0]);
      QualType q = args[1]->type->as<PointerType>()->pointee;
      storeToLvalue(Address{scalar(1), t.align(q), q}, v);
      return true;
    }
    case BuiltinId::clear_padding: {
      LLVMValueRef p = scalar(0);
      QualType q = args[0]->type->as<PointerType>()->pointee;
      access(p, i64c(static_cast<int64_t>(t.size(q))), AccessMode::ReadWrite, AccessKind::Plain, e->range);
      std::vector<bool> used(t.size(q) * 8);
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
          for (uint64_t i = 0; i < a->count; i++) self(self, a->elem.type, bit + i * t.size(a->elem) * 8);
        } else {
          uint64_t n = t.size(ty);
          if (ty->kind == TypeKind::LongDouble && !m.ast.target.facts->quadLongDouble) n = 10;
          for (uint64_t i = 0; i < n * 8; i++) used[bit + i] = true;
        }
      };
      mark(mark, q.type, 0);
      for (uint64_t b = 0; b < t.size(q); b++) {
        unsigned keep = 0;
        for (unsigned i = 0; i < 8; i++)
          if (used[b * 8 + i]) keep |= 1u << i;
        if (keep == 255) continue;
        LLVMValueRef at = offsetPtr(p, b);
        storeRaw(keep ? LLVMBuildAnd(builder, loadRaw(t.i8, at, 1), LLVMConstInt(t.i8, keep, false), "") : LLVMConstInt(t.i8, 0, false), at, 1);
      }
      return true;
    }
    case BuiltinId::va_arg_pack_len:
    case BuiltinId::va_arg_pack:
      if (!expansion || id == BuiltinId::va_arg_pack) m.impossible(e->range, "'" + std::string(name) + "' that is not expanded");
      return give(i32c(static_cast<int64_t>(expansion->packed.size())));
  // ---- memory ----
    case BuiltinId::memcpy:
    case BuiltinId::memcpy_inline: {
      LLVMValueRef d = scalar(0), s = scalar(1), n = scalar(2);
      weighBytes(n, e->range.begin);
      accessBlock(d, s, n);
      copyBytes(d, 1, s, 1, n);
      return give(d);
    }
    case BuiltinId::memmove: {
      LLVMValueRef d = scalar(0), s = scalar(1), n = scalar(2);
      weighBytes(n, e->range.begin);
      accessBlock(d, s, n);
      moveBytes(d, 1, s, 1, n);
      return give(d);
    }
    case BuiltinId::memset: {
      LLVMValueRef d = scalar(0), c = scalar(1), n = scalar(2);
      weighBytes(n, e->range.begin);
      accessBlock(d, nullptr, n);
      fillBytes(d, 1, LLVMBuildTrunc(builder, c, t.i8, ""), n);
      return give(d);
    }
    case BuiltinId::bzero: {
      LLVMValueRef d = scalar(0), n = scalar(1);
      accessBlock(d, nullptr, n);
      zeroFill(d, 1, n);
      return true;
    }
    case BuiltinId::bcopy: {
      LLVMValueRef s = scalar(0), d = scalar(1), n = scalar(2);
      accessBlock(d, s, n);
      moveBytes(d, 1, s, 1, n);
      return true;
    }
  // ---- vectors ----
    case BuiltinId::shuffle: {
      LLVMValueRef a = scalar(0), b = args.size() == 3 ? scalar(1) : a, mask = scalar(args.size() - 1);
      auto *vt = e->type->as<VectorType>();
      unsigned n = static_cast<unsigned>(vt->count);
      LLVMTypeRef me = LLVMGetElementType(LLVMTypeOf(mask));
      mask = LLVMBuildAnd(builder, mask,
          convertScalar(m.intConst(me, (args.size() == 3 ? 2 * n : n) - 1), args.back()->type->as<VectorType>()->elem, args.back()->type), "");
      if (LLVMIsConstant(mask)) {
        std::vector<LLVMValueRef> idx;
        for (unsigned i = 0; i < n; i++) idx.push_back(i32c(static_cast<int64_t>(LLVMConstIntGetZExtValue(LLVMGetAggregateElement(mask, i)))));
        return give(LLVMBuildShuffleVector(builder, a, b, LLVMConstVector(idx.data(), n), ""));
      }
    // Element by element through memory.
      LLVMTypeRef el = t.memory(vt->elem);
      LLVMValueRef both = entryAlloca(LLVMArrayType2(LLVMTypeOf(a), 2), t.align(e->type), "shuffle");
      storeRaw(a, both, t.align(e->type));
      storeRaw(b, offsetPtr(both, t.size(e->type)), t.align(e->type));
      LLVMValueRef r = LLVMGetUndef(LLVMTypeOf(a));
      for (unsigned i = 0; i < n; i++) {
        LLVMValueRef k = LLVMBuildIntCast2(builder, LLVMBuildExtractElement(builder, mask, i32c(i), ""), t.i64, false, "");
        LLVMValueRef p = LLVMBuildInBoundsGEP2(builder, el, both, &k, 1, "");
        r = LLVMBuildInsertElement(builder, r, loadRaw(el, p, t.align(vt->elem)), i32c(i), "");
      }
      return give(r);
    }
    case BuiltinId::shufflevector: {
      LLVMValueRef a = scalar(0), b = scalar(1);
      auto *at = args[0]->type->as<VectorType>(), *bt = args[1]->type->as<VectorType>();
      std::vector<LLVMValueRef> idx;
      if (at->count != bt->count) {                               // LLVM wants two of one length: widen the shorter
        unsigned n = static_cast<unsigned>(std::max(at->count, bt->count));
        auto widen = [&](LLVMValueRef v, uint64_t have) {
          std::vector<LLVMValueRef> w;
          for (unsigned i = 0; i < n; i++) w.push_back(i < have ? i32c(i) : LLVMGetUndef(t.i32));
          return LLVMBuildShuffleVector(builder, v, LLVMGetUndef(LLVMTypeOf(v)), LLVMConstVector(w.data(), n), "");
        };
        if (at->count < n) a = widen(a, at->count);
        if (bt->count < n) b = widen(b, bt->count);
        for (size_t i = 2; i < args.size(); i++) {
          int64_t k = constantArg(i);
          idx.push_back(k < 0 ? LLVMGetUndef(t.i32) : i32c(k < static_cast<int64_t>(at->count) ? k : k - static_cast<int64_t>(at->count) + n));
        }
      } else
        for (size_t i = 2; i < args.size(); i++) {
          int64_t k = constantArg(i);
          idx.push_back(k < 0 ? LLVMGetUndef(t.i32) : i32c(k));
        }
      return give(LLVMBuildShuffleVector(builder, a, b, LLVMConstVector(idx.data(), static_cast<unsigned>(idx.size())), ""));
    }
    case BuiltinId::convertvector: {
      LLVMValueRef v = scalar(0);
      const Type *from = args[0]->type->as<VectorType>()->elem, *to = e->type->as<VectorType>()->elem;
      LLVMTypeRef lt = t.value(e->type);
      if (from->isFloating() && to->isFloating()) v = LLVMBuildFPCast(builder, v, lt, "");
      else if (from->isFloating()) v = t.isSigned(to) ? LLVMBuildFPToSI(builder, v, lt, "") : LLVMBuildFPToUI(builder, v, lt, "");
      else if (to->isFloating()) v = t.isSigned(from) ? LLVMBuildSIToFP(builder, v, lt, "") : LLVMBuildUIToFP(builder, v, lt, "");
      else v = LLVMBuildIntCast2(builder, v, lt, t.isSigned(from), "");
      return give(v);
    }
  // ---- Cilk ----
    case BuiltinId::cilk_self: return give(m.options.serial ? i32c(0) : callRuntime("cilk_rt_self", t.i32, {}));
    case BuiltinId::cilk_active_size: return give(m.options.serial ? i32c(1) : callRuntime("cilk_rt_active_size", t.i32, {}));
    case BuiltinId::cilk_alloca: {
      LLVMValueRef n = scalar(0), p = strategy.cilkAlloca(*this, n);
      tellObject(true, Object::Cilk, nullptr, p, n);
      return give(p);
    }
    case BuiltinId::cilk_user_work: return give(events.userWork(*this));
    case BuiltinId::cilk_user_critical_path: return give(events.userCriticalPath(*this));
    case BuiltinId::cilk_synched: {
      LLVMValueRef answer = strategy.emitSynched(*this, nullptr);
      events.asksSynched(*this, answer);
      return give(answer);
    }
    default: break;
  }
  return emitMathBuiltin(e, name, out);
}

}  // namespace cilkc::cg
