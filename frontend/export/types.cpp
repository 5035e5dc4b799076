// types.cpp - rows are written until none names a type without a row: records may lead to themselves.
#include "frontend/export/types.h"
#include "frontend/export/object.h"

namespace cilkc::exporting {

namespace {

const char *kindOf(const Type *t) {
  switch (t->kind) {
    case TypeKind::Error: return "error";
    case TypeKind::Void: return "void";
    case TypeKind::Bool: return "bool";
    case TypeKind::Char:
    case TypeKind::SChar:
    case TypeKind::UChar:
    case TypeKind::Short:
    case TypeKind::UShort:
    case TypeKind::Int:
    case TypeKind::UInt:
    case TypeKind::Long:
    case TypeKind::ULong:
    case TypeKind::LongLong:
    case TypeKind::ULongLong:
    case TypeKind::Int128:
    case TypeKind::UInt128:
    case TypeKind::WideBits: return "integer";
    case TypeKind::Float16:
    case TypeKind::Float:
    case TypeKind::Double:
    case TypeKind::LongDouble:
    case TypeKind::Float128:
    case TypeKind::Float32:
    case TypeKind::Float64:
    case TypeKind::Float32x:
    case TypeKind::Float64x: return "floating";
    case TypeKind::Complex: return "complex";
    case TypeKind::Pointer: return "pointer";
    case TypeKind::Array: return "array";
    case TypeKind::Vector: return "vector";
    case TypeKind::Function: return "function";
    case TypeKind::Record: return "record";
    case TypeKind::Enum: return "enum";
    case TypeKind::Auto: return "auto";
  }
  return "error";
}

bool hasSize(const Type *t) {
  return isComplete(t) && !t->isFunction() && !t->isVoid() && !t->isError() && t->kind != TypeKind::Auto &&
         !hasVariableSize(t);
}

}  // namespace

size_t Types::number(QualType t) {
  auto [at, isNew] = numbers.try_emplace({t.type, t.quals}, rows.size());
  if (isNew) rows.push_back(t);
  return at->second;
}

void Types::write(std::ostream &out) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i) out << ",\n";
    row(i, rows[i], out);
  }
}

void Types::row(size_t id, QualType q, std::ostream &out) {
  const Type *t = q.type;
  Object o(out);
  o.number("id", static_cast<__int128>(id));
  o.text("kind", kindOf(t));
  o.text("spelling", toString(q));
  o.flag("const", q.isConst());
  o.flag("volatile", q.isVolatile());
  o.flag("restrict", q.isRestrict());
  o.flag("atomic", q.isAtomic());
  if (hasSize(t)) {
    o.number("size", sizeOf(t, target));
    o.number("align", alignOf(t, target));
  }
  if (t->isInteger()) o.flag("signed", isSigned(t, target));
  if (t->isPointer()) o.number("of", static_cast<__int128>(number(t->as<PointerType>()->pointee)));
  if (t->isComplex()) o.number("of", static_cast<__int128>(number(t->as<ComplexType>()->elem)));
  if (t->isVector()) o.number("of", static_cast<__int128>(number(t->as<VectorType>()->elem)));
  if (t->isArray()) {
    const auto *a = t->as<ArrayType>();
    o.number("of", static_cast<__int128>(number(a->elem)));
    if (a->arrayKind == ArrayKind::Constant) o.number("count", a->count);
    o.flag("variable", a->arrayKind == ArrayKind::Variable || a->arrayKind == ArrayKind::Star);
  }
  if (t->isFunction()) {
    const auto *f = t->as<FunctionType>();
    o.number("result", static_cast<__int128>(number(f->result)));
    o.list("parameters", f->params, [&](QualType p) { out << number(p); });
    o.flag("variadic", f->variadic);
    o.flag("unprototyped", !f->prototype);
    o.flag("cilk", f->isCilk);
    o.flag("inlet", f->isInlet);
    o.flag("thread", f->isThread);
  }
  if (t->isRecord()) {
    const auto *r = t->as<RecordType>();
    o.flag("union", r->isUnion);
    if (t->isFuture()) o.number("future", static_cast<__int128>(number(r->awaits)));
    if (t->isReducer()) o.number("reducer", static_cast<__int128>(number(r->reduces)));
    if (t->isCont()) o.number("continuation", static_cast<__int128>(number(r->continues)));
    o.list("fields", r->fields, [&](const FieldDecl *f) {
      Object field(out);
      field.text("name", f->name);
      field.number("type", static_cast<__int128>(number(f->type)));
      field.number("offset", f->offset);
      if (!f->bitField) return;
      field.number("bit", f->bitOffset);
      field.number("width", f->width);
      field.number("unit", f->unitBytes);
    });
  }
}

}  // namespace cilkc::exporting
