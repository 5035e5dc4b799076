// compat.cpp - most answers are pointer comparisons, since types are hash-consed; the walks below are for arrays
// without size, functions without prototype, enums against their integer types and types that hold variable arrays.
#include "frontend/types/compat.h"
#include <algorithm>
#include "frontend/types/access.h"

namespace cilkc {

bool Compatibility::compatible(QualType a, QualType b) const {
  if (!a.type || !b.type) return true;
  return ((a.quals ^ b.quals) & QualBits) == 0 && compatibleTypes(a.type, b.type);
}

// A transparent union is compatible, as a parameter, with the types of its members.
bool Compatibility::compatibleParameters(const Type *a, const Type *b) const {
  if (compatibleTypes(a, b)) return true;
  for (auto [u, t] : {std::pair{a, b}, {b, a}})
    if (u->isRecord() && u->as<RecordType>()->transparentUnion && !t->isRecord())
      for (const FieldDecl *f : u->as<RecordType>()->fields)
        if (compatibleTypes(f->type.type, t)) return true;
  return false;
}

bool Compatibility::compatibleFunctions(const FunctionType *a, const FunctionType *b) const {
  if (a->isCilk != b->isCilk || a->isInlet != b->isInlet || a->isThread != b->isThread || a->msAbi != b->msAbi)
    return false;
  if (!compatibleTypes(a->result.type, b->result.type)) return false;
  if (a->result.isAtomic() != b->result.isAtomic()) return false;
  if (a->prototype && b->prototype) {
    if (a->params.size() != b->params.size() || a->variadic != b->variadic) return false;
    for (size_t i = 0; i < a->params.size(); ++i)
      if (a->params[i].isAtomic() != b->params[i].isAtomic() ||
          !compatibleParameters(a->params[i].type, b->params[i].type))
        return false;
    return true;
  }
  if (!a->prototype && !b->prototype) return true;
  const FunctionType *proto = a->prototype ? a : b, *old = a->prototype ? b : a;
  if (proto->variadic) return false;
  if (!old->params.empty()) {      // a K&R definition: its parameters are kept promoted
    if (old->params.size() != proto->params.size()) return false;
    for (size_t i = 0; i < proto->params.size(); ++i)
      if (!compatibleTypes(proto->params[i].type, old->params[i].type)) return false;
    return true;
  }
  for (QualType p : proto->params) {
    if (p->isError()) continue;
    QualType promoted = types.defaultPromoted(p);
    if (promoted.type != p.type && !compatibleTypes(promoted.type, p.type)) return false;
  }
  return true;
}

bool Compatibility::compatibleTypes(const Type *a, const Type *b) const {
  if (a == b || !a || !b || a->isError() || b->isError()) return true;
  if (a->isEnum() != b->isEnum()) {
    const Type *e = a->isEnum() ? a : b, *o = a->isEnum() ? b : a;
    const Type *u = e->as<EnumType>()->underlying;
    return u ? u == o : o->kind == TypeKind::UInt;
  }
  if (a->kind != b->kind || a->isNullptr() || b->isNullptr()) return false;
  switch (a->kind) {
    case TypeKind::Pointer: return compatible(a->as<PointerType>()->pointee, b->as<PointerType>()->pointee);
    case TypeKind::Array: {
      const auto *x = a->as<ArrayType>(), *y = b->as<ArrayType>();
      if (!compatible(x->elem, y->elem)) return false;
      return x->arrayKind != ArrayKind::Constant || y->arrayKind != ArrayKind::Constant || x->count == y->count;
    }
    case TypeKind::Function: return compatibleFunctions(a->as<FunctionType>(), b->as<FunctionType>());
    case TypeKind::Record: {           // C23: of the same tag, in another scope
      const auto *x = a->as<RecordType>(), *y = b->as<RecordType>();
      return byTag && !x->tag.empty() && x->tag == y->tag && (!x->complete || !y->complete || sameRecord(x, y));
    }
    case TypeKind::Enum: {
      const auto *x = a->as<EnumType>(), *y = b->as<EnumType>();
      if (!byTag || x->tag.empty() || x->tag != y->tag || x->underlying != y->underlying) return false;
      auto holds = [](const EnumType *e, const Enumerator &c) {
        return std::any_of(e->constants.begin(), e->constants.end(),
            [&](const Enumerator &o) { return o.name == c.name && o.value == c.value; });
      };
      return x->constants.size() == y->constants.size() &&
             std::all_of(x->constants.begin(), x->constants.end(), [&](const Enumerator &c) { return holds(y, c); });
    }
    // records and enums are themselves only; basic, complex and vector types are hash-consed
    default: return false;
  }
}

size_t Compatibility::kin(const Type *t) const {
  // which is a pointer and which an array; not its size, since one without may be compatible with any
  size_t links = 0;
  for (const Chain *c; (c = chainOf(t));) {
    if (t->isNullptr()) return 0;
    for (; t != c->end; t = t->isPointer() ? t->as<PointerType>()->pointee.type : t->as<ArrayType>()->elem.type)
      links = links * 2 + t->isPointer();
    for (; t->isFunction(); t = t->as<FunctionType>()->result.type) links = links * 3 + 1;
  }
  if (const auto *e = t->isEnum() ? t->as<EnumType>() : nullptr)
    t = e->underlying ? e->underlying : types.basic(TypeKind::UInt);
  size_t end = byTag && t->isRecord() && !t->as<RecordType>()->tag.empty()
                   ? std::hash<std::string_view>()(t->as<RecordType>()->tag)
                   : std::hash<const Type *>()(t);
  return end * 31 + links;
}

// The same members in the same order (of a union in any), of compatible types, with the same names, widths and
// alignments. Records that refer to each other are the same unless something else distinguishes them.
bool Compatibility::sameRecord(const RecordType *x, const RecordType *y) const {
  if (x->isUnion != y->isUnion || x->fields.size() != y->fields.size() || x->size != y->size || x->align != y->align)
    return false;
  if (std::find(asked.begin(), asked.end(), std::pair(x, y)) != asked.end()) return true;
  asked.emplace_back(x, y);
  auto same = [&](const FieldDecl *f, const FieldDecl *g) {
    if (f->name != g->name || f->bitField != g->bitField || f->width != g->width || f->anonymous != g->anonymous ||
        f->attrAlign != g->attrAlign)
      return false;
    if (f->anonymous && f->type->isRecord() && g->type->isRecord())
      return sameRecord(f->type->as<RecordType>(), g->type->as<RecordType>());
    return compatible(f->type, g->type);
  };
  bool all = std::all_of(x->fields.begin(), x->fields.end(), [&](const FieldDecl *f) {
    if (!x->isUnion) return same(f, y->fields[f->index]);
    return std::any_of(y->fields.begin(), y->fields.end(), [&](const FieldDecl *g) { return same(f, g); });
  });
  asked.pop_back();
  return all;
}

bool Compatibility::sameType(QualType a, QualType b) const {
  if (a == b || !a.type || !b.type || a->isError() || b->isError()) return true;
  if (((a.quals ^ b.quals) & QualBits) || a->kind != b->kind || a->isNullptr() != b->isNullptr()) return false;
  switch (a->kind) {
    case TypeKind::Pointer: return sameType(a->as<PointerType>()->pointee, b->as<PointerType>()->pointee);
    case TypeKind::Array: {
      const auto *x = a->as<ArrayType>(), *y = b->as<ArrayType>();
      if (!sameType(x->elem, y->elem)) return false;
      bool variable = x->arrayKind == ArrayKind::Variable || x->arrayKind == ArrayKind::Star ||
                      y->arrayKind == ArrayKind::Variable || y->arrayKind == ArrayKind::Star;
      return variable || (x->arrayKind == y->arrayKind && x->count == y->count);
    }
    case TypeKind::Function: {
      const auto *x = a->as<FunctionType>(), *y = b->as<FunctionType>();
      if (!compatible(a.unqual(), b.unqual()) || !sameType(x->result.unqual(), y->result.unqual()) ||
          x->prototype != y->prototype)
        return false;
      for (size_t i = 0; i < x->params.size() && i < y->params.size(); i++)
        if (!sameType(x->params[i].unqual(), y->params[i].unqual())) return false;
      return true;
    }
    default: return a.type == b.type;
  }
}

QualType Compatibility::composite(QualType a, QualType b) const {
  if (!a.type || a.type == b.type || a->isError()) return b.type && a.type && b.type == a.type ? a : (b.type ? b : a);
  if (!b.type || b->isError()) return a;
  if (a->isEnum() || b->isEnum()) return a;
  if (a->kind != b->kind) return a;
  switch (a->kind) {
    case TypeKind::Pointer: {
      QualType p = composite(a->as<PointerType>()->pointee, b->as<PointerType>()->pointee);
      return {types.pointerTo(p).type, a.quals};
    }
    case TypeKind::Array: {
      const auto *x = a->as<ArrayType>(), *y = b->as<ArrayType>();
      QualType elem = composite(x->elem, y->elem);
      if (x->arrayKind == ArrayKind::Constant) return {types.arrayOf(elem, x->count).type, a.quals};
      if (y->arrayKind == ArrayKind::Constant) return {types.arrayOf(elem, y->count).type, a.quals};
      for (const auto &[array, own] : {std::pair(x, a), {y, b}})
        if (array->arrayKind == ArrayKind::Variable)
          return array->elem == elem ? own
                                     : QualType{types.variableArrayOf(elem, array->size, array->sizeVar), own.quals};
      if (x->arrayKind == ArrayKind::Star || y->arrayKind == ArrayKind::Star)
        return {types.starArrayOf(elem).type, a.quals};
      return {types.incompleteArrayOf(elem).type, a.quals};
    }
    case TypeKind::Function: {
      const auto *x = a->as<FunctionType>(), *y = b->as<FunctionType>();
      FunctionType f = x->prototype || !y->prototype ? *x : *y;
      f.result = composite(x->result, y->result);
      f.noreturn = x->noreturn || y->noreturn;
      f.isCilk = x->isCilk || y->isCilk;
      f.isInlet = x->isInlet || y->isInlet;
      f.isThread = x->isThread || y->isThread;
      if (x->prototype && y->prototype && x->params.size() == y->params.size())
        for (size_t i = 0; i < f.params.size(); ++i) f.params[i] = composite(x->params[i], y->params[i]);
      if (!x->prototype && !y->prototype && x->params.empty()) f.params = y->params;
      return {types.functionType(f).type, a.quals};
    }
    default: return a;
  }
}

}  // namespace cilkc
