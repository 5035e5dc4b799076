// values.h - the typing of an initialiser: what one item gives to one subobject.
//
// Invariant: what is stored has its subobject's type, by conversion as if by assignment, and is a constant where the
// object is static. An item that cannot be is reported once, gives no store, and sets `failed`.
#pragma once
#include "frontend/sema/c/init/stores.h"

namespace cilkc {

struct InitValues : InitStores {
  InitValues(Sema &sema, bool staticStorage) : InitStores(sema), isStatic(staticStorage) {}
  const bool isStatic;

  QualType errorType() const { return s.cx.basic(TypeKind::Error); }
  Expr *typed(Expr *e) { return s.exprs.exprIn(SpawnPlace::Initializer, e); }
  void touch(Initializer *);  // types what no subobject takes

  // A typed expression as the value of a scalar, or of a record or vector as a whole; null: it is none.
  Expr *value(Expr *, QualType, const FieldDecl *bitField = nullptr);
  // The same for the expression of an initialiser, and stored.
  void scalar(Initializer *, QualType, uint64_t offset, FieldDecl *);
  // A struct, union or vector value; compound literals among static initialisers are flattened.
  void whole(Expr *, QualType, uint64_t offset);
  // Returns the type with its size.
  QualType string(QualType, uint64_t offset, StringLit *, Range where);

  static StringLit *asString(Expr *);
  bool isCharArray(QualType) const;
  bool is(const Expr *e, QualType t) const { return s.compat.compatible(e->type.unqual(), t.unqual()); }
  // Is this, without braces, the first of the object's scalars?
  bool elides(QualType, Initializer *);
  static bool hasScalar(QualType);  // something inside that is not an aggregate

private:
  bool stringFits(const StringLit *, QualType element) const;
  void constantCheck(Expr *, QualType, const FieldDecl *bitField);
};

inline bool isAggregate(QualType t) { return t->isArray() || t->isRecord() || t->isVector(); }

}  // namespace cilkc
