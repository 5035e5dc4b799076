// atomic.cpp - __sync_*, __atomic_* and __c11_atomic_*.
//
// After sema: the first argument is a pointer value whose pointee is the object's type (qualifiers included); values
// are converted to the unqualified pointee, except that what is added to a pointer is a long that counts bytes;
// pointers to results keep their type; memory orders are ints, constant or not. The optional further arguments of
// __sync_* are dropped.
#include <cstring>
#include "frontend/sema/c/builtin/builtin.h"
#include "diag/sema_expr.h"

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
  using namespace memory_order;
  to(i, cx.basic(TypeKind::Int));
  if (auto v = s.conv.knownInteger(c->args[i])) {
    int o = static_cast<int>(*v & mask);
    bool wrongOrder = o > seq_cst || (loads && !stores && (o == release || o == acq_rel)) ||
                      (stores && !loads && (o == consume || o == acquire || o == acq_rel));
    if (wrongOrder) s.diags.report(diag::memory_order_invalid, c->args[i]->range) << o << name;
  }
}

// A call whose result and arguments the row describes (atomics.def). Further ones of __sync_* are dropped.
Expr *BuiltinChecker::atomicAsDescribed(const AtomicInfo &a) {
  char object = a.call[1];
  size_t i = object != '-', n = i + std::strlen(a.call + 2);
  bool ok = true;
  if (!count(n, a.group == AtomicGroup::sync ? 1000 : n) || !values()) return bad();
  c->args.resize(n);
  QualType t;
  if (object == 'i' || object == 'a') t = atomicPointee(0, object == 'i', ok);
  else if (object == 'x' && !c->args[0]->type->isPointer()) return wrong(0, "a pointer");
  if (!ok) return bad();
  for (const char *p = a.call + 2; *p; p++, i++) switch (*p) {
      case 't': to(i, t); break;
      case 'p': to(i, cx.pointerTo(t)); break;
      case 'c': to(i, cx.pointerTo(t.with(QConst))); break;
      case 'b': to(i, cx.basic(TypeKind::Bool)); break;
      default: order(i, *p != 's', *p != 'l');
    }
  if (anyError()) return bad();
  return a.call[0] == 't' ? result(t) : result(a.call[0] == 'b' ? TypeKind::Bool : TypeKind::Void);
}

// Operations that compute. What is added to a pointer counts bytes; only C11's count elements in the source.
Expr *BuiltinChecker::fetchOp(const AtomicInfo &a) {
  bool ok = false, sync = a.group == AtomicGroup::sync, c11 = a.group == AtomicGroup::c11_atomic;
  size_t n = sync ? 2 : 3;
  if (!count(n, sync ? 1000 : n) || !values()) return bad();
  QualType t = atomicPointee(0,
      !c11 || (c->args[0]->type->isPointer() && c->args[0]->type->as<PointerType>()->pointee->isBitInt()), ok);
  if (!ok) return bad();
  if (t->isBool())
    return wrong(0, sync ? "a pointer to an integer other than '_Bool' or to a pointer"
                         : "a pointer to an integer or pointer other than _Bool");
  QualType value = t;
  if (t->isPointer()) {
    if (c->args[1]->type->isPointer()) c->args[1] = s.conv.convert(c->args[1], cx.ptrdiffType());
    value = cx.ptrdiffType();
    if (c11 && (a.op == AtomicOp::Add || a.op == AtomicOp::Sub)) {
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
  c->args.resize(n);
  if (!sync) order(2, true, true);
  return anyError() ? bad() : result(t);
}

// (size_t, const volatile void *); C11's has the size alone
Expr *BuiltinChecker::lockFree(const AtomicInfo &a) {
  size_t n = a.group == AtomicGroup::c11_atomic ? 1 : 2;
  if (!count(n, n) || !values()) return bad();
  to(0, cx.sizeType());
  if (n == 2 && !c->args[1]->type->isPointer()) {
    if (!s.conv.isNullPointerConstant(c->args[1])) return wrong(1, "a pointer");
    c->args[1] = s.conv.convert(c->args[1], cx.pointerTo(cx.basic(TypeKind::Void)));
  }
  return anyError() ? bad() : result(TypeKind::Bool);
}

Expr *BuiltinChecker::atomic(const AtomicInfo &a) {
  switch (a.op) {
    case AtomicOp::Add:
    case AtomicOp::Sub:
    case AtomicOp::And:
    case AtomicOp::Or:
    case AtomicOp::Xor:
    case AtomicOp::Nand: return fetchOp(a);
    case AtomicOp::AlwaysLockFree:
    case AtomicOp::IsLockFree: return lockFree(a);
    case AtomicOp::Load:
    case AtomicOp::Store:
    case AtomicOp::Init:
    case AtomicOp::Release:
    case AtomicOp::Exchange:
    case AtomicOp::CompareExchange:
    case AtomicOp::BoolSwap:
    case AtomicOp::ValueSwap:
    case AtomicOp::TestAndSet:
    case AtomicOp::Clear:
    case AtomicOp::Synchronize:
    case AtomicOp::ThreadFence:
    case AtomicOp::SignalFence: break;
  }
  return atomicAsDescribed(a);
}

}  // namespace cilkc
