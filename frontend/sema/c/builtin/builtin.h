// builtin.h - private to this folder: the families of builtins whose types depend on their arguments.
#pragma once
#include "frontend/builtins/builtins.h"
#include "frontend/sema/c/core/sema.h"

namespace cilkc {

// Each types one call of a builtin with signature '?'. The arguments are not typed yet. Returns the node to use
// instead of the call.
class BuiltinChecker {
public:
  BuiltinChecker(Sema &sema, Call *call)
      : s(sema), cx(sema.cx), c(call), id(static_cast<BuiltinId>(call->builtin)), name(builtinInfo(id).name) {}
  Expr *custom();

private:
  Expr *general();           // hints, objects, vectors (builtin.cpp)
  Expr *vaStart();
  Expr *floating();          // classification and comparison (sema/c/builtin/math.cpp)
  Expr *integers();          // overflow, bit counts
  Expr *tgmath();
  Expr *atomic(const AtomicInfo &);  // sema/c/builtin/atomic.cpp
  Expr *atomicAsDescribed(const AtomicInfo &);
  Expr *fetchOp(const AtomicInfo &);
  Expr *lockFree(const AtomicInfo &);
  Expr *vectors();           // builtin.cpp

  bool count(size_t least, size_t most);              // reports; false if wrong
  bool values();                                      // all arguments to rvalues; false if one is in error
  Expr *wrong(size_t i, const char *wanted);          // reports argument i (from 0)
  bool constant(size_t i, __int128 lo, __int128 hi);  // argument i must be a constant within the bounds
  void to(size_t i, QualType t);                      // converts argument i as by assignment
  Expr *result(QualType t) {
    c->type = t;
    return c;
  }
  Expr *result(TypeKind k) { return result(QualType(cx.basic(k))); }
  Expr *bad() { return s.conv.error(c->range); }
  bool anyError() const;
  QualType atomicPointee(size_t i, bool integerOnly, bool &ok);
  void order(size_t i, bool loads, bool stores);

  Sema &s;
  AstContext &cx;
  Call *c;
  BuiltinId id;
  std::string_view name;
};

}  // namespace cilkc
