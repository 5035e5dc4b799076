// atomic.cpp - __sync_*, __atomic_* and __c11_atomic_*.
//
// After sema: the first argument is a pointer value whose pointee is the object's type (qualifiers included); values
// are converted to the unqualified pointee, except that what is added to a pointer is a long that counts bytes;
// pointers to results keep their type; memory orders are ints, constant or not. The optional further arguments of
// __sync_* are dropped.
#include "frontend/sema/c/builtin/builtin.h"

namespace cilkc {

// The unqualified type that argument i points to.
QualType BuiltinChecker::atomicPointee(size_t i, bool integerOnly, bool &ok) {
  QualType p = c->args[i]->type;
  ok = false;
  if (!p->isPointer()) {
    wrong(i, "a pointer");
    return cx.basic(TypeKind::Error);
  }
  QualType t = p->as<PointerType>()->pointee.unqual();
  if (t->isArray() || t->isFunction() || t->isVoid() || !isComplete(t.type) || !sizeOf(t.type, cx.target)) {
    wrong(i, "a pointer to an object that can be read and written at once");
    return cx.basic(TypeKind::Error);
  }
  if (integerOnly && !t->isInteger() && !t->isPointer()) {
    wrong(i, "a pointer to an integer or pointer");
    return cx.basic(TypeKind::Error);
  }
  if (integerOnly && t->isBitInt() && (t->isWide() || t->as<WideBitsType>()->width != 8 * sizeOf(t.type, cx.target))) {
    wrong(i, "a pointer to an integer that has all the bits of its memory, at most 128");
    return cx.basic(TypeKind::Error);
  }
  ok = true;
  return t;
}

void BuiltinChecker::order(size_t i, bool loads, bool stores) {
  to(i, cx.basic(TypeKind::Int));
  if (auto v = s.conv.knownInteger(c->args[i])) {
    int o = static_cast<int>(*v & 0xffff);
    bool wrongOrder =
        o > 5 || (loads && !stores && (o == 3 || o == 4)) || (stores && !loads && (o == 1 || o == 2 || o == 4));
    if (wrongOrder) s.diags.report(diag::memory_order_invalid, c->args[i]->range) << o << name;
  }
}

Expr *BuiltinChecker::sync() {
  bool ok = false;
  auto drop = [&](size_t keep) {
    if (c->args.size() > keep) c->args.resize(keep);
  };
  switch (id) {
    case BuiltinId::sync_synchronize:
      if (!values()) return bad();
      drop(0);
      return result(TypeKind::Void);
    case BuiltinId::sync_lock_release:
      if (!count(1, 1000) || !values()) return bad();
      atomicPointee(0, true, ok);
      drop(1);
      return ok ? result(TypeKind::Void) : bad();
    case BuiltinId::sync_bool_compare_and_swap:
    case BuiltinId::sync_val_compare_and_swap: {
      if (!count(3, 1000) || !values()) return bad();
      QualType t = atomicPointee(0, true, ok);
      if (!ok) return bad();
      to(1, t), to(2, t);
      drop(3);
      if (anyError()) return bad();
      return id == BuiltinId::sync_bool_compare_and_swap ? result(TypeKind::Bool) : result(t);
    }
    default: {
      if (!count(2, 1000) || !values()) return bad();
      QualType t = atomicPointee(0, true, ok);
      if (!ok) return bad();
      QualType value = t;
      if (t->isBool() && id != BuiltinId::sync_lock_test_and_set)
        return wrong(0, "a pointer to an integer other than '_Bool' or to a pointer");
      if (t->isPointer() && id != BuiltinId::sync_lock_test_and_set) {
        if (c->args[1]->type->isPointer()) c->args[1] = s.conv.convert(c->args[1], cx.ptrdiffType());
        value = cx.ptrdiffType();
      }
      to(1, value);
      drop(2);
      return anyError() ? bad() : result(t);
    }
  }
}

// fetch_op and op_fetch.
Expr *BuiltinChecker::fetchOp() {
  bool ok = false;
  if (!count(3, 3) || !values()) return bad();
  bool c11 = name.starts_with("__c11_");
  QualType t = atomicPointee(0,
      !c11 || (c->args[0]->type->isPointer() && c->args[0]->type->as<PointerType>()->pointee->isBitInt()), ok);
  if (!ok) return bad();
  if (t->isBool()) return wrong(0, "a pointer to an integer or pointer other than _Bool");
  QualType value = t;
  if (t->isPointer()) {
    if (c->args[1]->type->isPointer()) c->args[1] = s.conv.convert(c->args[1], cx.ptrdiffType());
    value = cx.ptrdiffType();
    if (c11 && (id == BuiltinId::c11_atomic_fetch_add || id == BuiltinId::c11_atomic_fetch_sub)) {
      // C11's operations count elements; from here on bytes are counted.
      QualType elem = t->as<PointerType>()->pointee;
      uint64_t size = isComplete(elem.type) ? sizeOf(elem.type, cx.target) : 1;
      to(1, value);
      if (anyError()) return bad();
      auto *mul = cx.make<Binary>();
      mul->op = BinaryOp::Mul;
      mul->range = c->args[1]->range;
      mul->lhs = c->args[1];
      mul->rhs = s.conv.intConstant(static_cast<__int128>(size), value, c->args[1]->range);
      mul->type = value;
      c->args[1] = mul;
    }
  }
  to(1, value);
  order(2, true, true);
  return anyError() ? bad() : result(t);
}

Expr *BuiltinChecker::atomic() {
  bool ok = false;
  QualType boolType = cx.basic(TypeKind::Bool);
  switch (id) {
    case BuiltinId::atomic_thread_fence:
    case BuiltinId::atomic_signal_fence:
    case BuiltinId::c11_atomic_thread_fence:
    case BuiltinId::c11_atomic_signal_fence:
      if (!count(1, 1) || !values()) return bad();
      order(0, true, true);
      return anyError() ? bad() : result(TypeKind::Void);
    case BuiltinId::atomic_always_lock_free:
    case BuiltinId::atomic_is_lock_free:   // (size_t, const volatile void *)
      if (!count(2, 2) || !values()) return bad();
      to(0, cx.sizeType());
      if (!c->args[1]->type->isPointer() && !s.conv.isNullPointerConstant(c->args[1])) return wrong(1, "a pointer");
      if (!c->args[1]->type->isPointer())
        c->args[1] = s.conv.convert(c->args[1], cx.pointerTo(cx.basic(TypeKind::Void)));
      return anyError() ? bad() : result(boolType);
    case BuiltinId::c11_atomic_is_lock_free:
      if (!count(1, 1) || !values()) return bad();
      to(0, cx.sizeType());
      return anyError() ? bad() : result(boolType);
    case BuiltinId::atomic_test_and_set:
    case BuiltinId::atomic_clear: {            // (volatile void *, order): a byte
      if (!count(2, 2) || !values()) return bad();
      if (!c->args[0]->type->isPointer()) return wrong(0, "a pointer");
      order(1, id == BuiltinId::atomic_test_and_set, true);
      if (anyError()) return bad();
      return id == BuiltinId::atomic_test_and_set ? result(boolType) : result(TypeKind::Void);
    }
    case BuiltinId::atomic_load_n:
    case BuiltinId::c11_atomic_load: {
      if (!count(2, 2) || !values()) return bad();
      QualType t = atomicPointee(0, id == BuiltinId::atomic_load_n, ok);
      if (!ok) return bad();
      order(1, true, false);
      return anyError() ? bad() : result(t);
    }
    case BuiltinId::atomic_load: {      // (T *, T *result, order)
      if (!count(3, 3) || !values()) return bad();
      QualType t = atomicPointee(0, false, ok);
      if (!ok) return bad();
      to(1, cx.pointerTo(t));
      order(2, true, false);
      return anyError() ? bad() : result(TypeKind::Void);
    }
    case BuiltinId::atomic_store_n:
    case BuiltinId::c11_atomic_store: {
      if (!count(3, 3) || !values()) return bad();
      QualType t = atomicPointee(0, id == BuiltinId::atomic_store_n, ok);
      if (!ok) return bad();
      to(1, t);
      order(2, false, true);
      return anyError() ? bad() : result(TypeKind::Void);
    }
    case BuiltinId::atomic_store: {     // (T *, T *value, order)
      if (!count(3, 3) || !values()) return bad();
      QualType t = atomicPointee(0, false, ok);
      if (!ok) return bad();
      to(1, cx.pointerTo(t.with(QConst)));
      order(2, false, true);
      return anyError() ? bad() : result(TypeKind::Void);
    }
    case BuiltinId::c11_atomic_init: {
      if (!count(2, 2) || !values()) return bad();
      QualType t = atomicPointee(0, false, ok);
      if (!ok) return bad();
      to(1, t);
      return anyError() ? bad() : result(TypeKind::Void);
    }
    case BuiltinId::atomic_exchange_n:
    case BuiltinId::c11_atomic_exchange: {
      if (!count(3, 3) || !values()) return bad();
      QualType t = atomicPointee(0, id == BuiltinId::atomic_exchange_n, ok);
      if (!ok) return bad();
      to(1, t);
      order(2, true, true);
      return anyError() ? bad() : result(t);
    }
    case BuiltinId::atomic_exchange: {  // (T *, T *value, T *result, order)
      if (!count(4, 4) || !values()) return bad();
      QualType t = atomicPointee(0, false, ok);
      if (!ok) return bad();
      to(1, cx.pointerTo(t.with(QConst))), to(2, cx.pointerTo(t));
      order(3, true, true);
      return anyError() ? bad() : result(TypeKind::Void);
    }
    case BuiltinId::atomic_compare_exchange_n:
    case BuiltinId::atomic_compare_exchange: {   // (T *, T *expected, T or T *desired, weak, order, order)
      if (!count(6, 6) || !values()) return bad();
      bool byValue = id == BuiltinId::atomic_compare_exchange_n;
      QualType t = atomicPointee(0, byValue, ok);
      if (!ok) return bad();
      to(1, cx.pointerTo(t));
      to(2, byValue ? t : cx.pointerTo(t.with(QConst)));
      to(3, boolType);
      order(4, true, true);
      order(5, true, false);
      return anyError() ? bad() : result(boolType);
    }
    case BuiltinId::c11_atomic_compare_exchange_strong:
    case BuiltinId::c11_atomic_compare_exchange_weak: {   // (T *, T *expected, T, order, order)
      if (!count(5, 5) || !values()) return bad();
      QualType t = atomicPointee(0, false, ok);
      if (!ok) return bad();
      to(1, cx.pointerTo(t)), to(2, t);
      order(3, true, true);
      order(4, true, false);
      return anyError() ? bad() : result(boolType);
    }
    default: return fetchOp();
  }
}

}  // namespace cilkc
