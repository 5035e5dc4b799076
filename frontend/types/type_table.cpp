// type_table.cpp - the types that exist, by what they are made of.
#include "frontend/types/type_table.h"
#include <algorithm>
#include <map>
#include <tuple>

namespace cilkc {

namespace {

struct TypeKey {
  uint8_t kind, sub, quals;
  const void *a;
  uint64_t n;
  bool operator==(const TypeKey &) const = default;
};

size_t mix(size_t h, size_t v) { return (h ^ v) * 0x9E3779B97F4A7C15ull + (h >> 29); }

struct TypeKeyHash {
  size_t operator()(const TypeKey &k) const {
    size_t h = mix(k.kind * 65536u + k.sub * 256u + k.quals, reinterpret_cast<size_t>(k.a));
    return mix(h, k.n);
  }
};

bool sameFunction(const FunctionType &a, const FunctionType &b) {
  return a.result == b.result && a.variadic == b.variadic && a.prototype == b.prototype && a.isCilk == b.isCilk &&
         a.isInlet == b.isInlet && a.isThread == b.isThread && a.noreturn == b.noreturn && a.msAbi == b.msAbi &&
         a.params == b.params;
}

size_t hashFunction(const FunctionType &f) {
  size_t h = mix(reinterpret_cast<size_t>(f.result.type), f.result.quals);
  for (QualType p : f.params) h = mix(h, reinterpret_cast<size_t>(p.type) + p.quals);
  return mix(h,
      f.variadic + 2 * f.prototype + 4 * f.isCilk + 8 * f.isInlet + 16 * f.noreturn + 32 * f.msAbi + 64 * f.isThread);
}

}  // namespace

struct TypeTable::Impl {
  std::unordered_map<TypeKey, const Type *, TypeKeyHash> types;
  std::unordered_multimap<size_t, const FunctionType *> functions;
  std::map<std::tuple<const Type *, const void *, const void *>, std::vector<const RecordType *>> reducers;
  QualType vaList, nullptrType;
};

TypeTable::TypeTable(Arena &a, TargetInfo t) : target(t), arena(a), impl(std::make_unique<Impl>()) {
  for (int k = 0; k <= static_cast<int>(TypeKind::Auto); ++k)
    basics[k] = arena.make<BasicType>(static_cast<TypeKind>(k));
}

TypeTable::~TypeTable() = default;

QualType TypeTable::pointerTo(QualType to) const {
  const Type *&t = impl->types[{uint8_t(TypeKind::Pointer), 0, to.quals, to.type, 0}];
  if (!t) t = arena.make<PointerType>(to);
  return t;
}

QualType TypeTable::nullptrType() const {
  if (!impl->nullptrType) {
    auto *t = arena.make<PointerType>(QualType(basic(TypeKind::Void)));
    t->null = true;
    impl->nullptrType = t;
  }
  return impl->nullptrType;
}

QualType TypeTable::complexOf(const Type *elem) const {
  const Type *&t = impl->types[{uint8_t(TypeKind::Complex), 0, 0, elem, 0}];
  if (!t) t = arena.make<ComplexType>(elem);
  return t;
}

const Type *TypeTable::wideBits(const Type *declared, uint32_t width) const {
  const Type *&t = impl->types[{uint8_t(TypeKind::WideBits), 0, 0, declared, width}];
  if (!t) t = arena.make<WideBitsType>(declared, width, false);
  return t;
}

const Type *TypeTable::bitInt(uint32_t width, bool isUnsigned) const {
  static constexpr struct {
    uint32_t bits;
    TypeKind kinds[2];
  } held[] = {{8, {TypeKind::SChar, TypeKind::UChar}}, {16, {TypeKind::Short, TypeKind::UShort}},
      {32, {TypeKind::Int, TypeKind::UInt}}, {64, {TypeKind::Long, TypeKind::ULong}},
      {maxOrdinaryBits, {TypeKind::Int128, TypeKind::UInt128}}};
  const auto *h = held;
  while (h->bits < std::min(width, maxOrdinaryBits)) h++;
  const Type *declared = basic(h->kinds[isUnsigned]);
  const Type *&t = impl->types[{uint8_t(TypeKind::WideBits), 1, 0, declared, width}];
  if (!t) t = arena.make<WideBitsType>(declared, width, true);
  return t;
}

QualType TypeTable::arrayOf(QualType elem, uint64_t n) const {
  const Type *&t = impl->types[{uint8_t(TypeKind::Array), uint8_t(ArrayKind::Constant), elem.quals, elem.type, n}];
  if (!t) t = arena.make<ArrayType>(elem, ArrayKind::Constant, n);
  return t;
}

QualType TypeTable::incompleteArrayOf(QualType elem) const {
  const Type *&t = impl->types[{uint8_t(TypeKind::Array), uint8_t(ArrayKind::Incomplete), elem.quals, elem.type, 0}];
  if (!t) t = arena.make<ArrayType>(elem, ArrayKind::Incomplete);
  return t;
}

ArrayType *TypeTable::variableArrayOf(QualType elem, Expr *size, VarDecl *sizeVar) const {
  ArrayType *t = arena.make<ArrayType>(elem, ArrayKind::Variable);
  t->size = size;
  t->sizeVar = sizeVar;
  return t;
}

QualType TypeTable::starArrayOf(QualType elem) const {
  const Type *&t = impl->types[{uint8_t(TypeKind::Array), uint8_t(ArrayKind::Star), elem.quals, elem.type, 0}];
  if (!t) t = arena.make<ArrayType>(elem, ArrayKind::Star);
  return t;
}

QualType TypeTable::vectorOf(const Type *elem, uint64_t n) const {
  const Type *&t = impl->types[{uint8_t(TypeKind::Vector), 0, 0, elem, n}];
  if (!t) t = arena.make<VectorType>(elem, n);
  return t;
}

QualType TypeTable::functionType(const FunctionType &proto) const {
  size_t h = hashFunction(proto);
  auto [lo, hi] = impl->functions.equal_range(h);
  for (auto it = lo; it != hi; ++it)
    if (sameFunction(*it->second, proto)) return it->second;
  const FunctionType *t = arena.make<FunctionType>(proto);
  impl->functions.emplace(h, t);
  return t;
}

RecordType *TypeTable::record(std::string_view tag, bool isUnion) {
  RecordType *t = arena.make<RecordType>();
  t->tag = arena.intern(tag);
  t->isUnion = isUnion;
  return t;
}

// The next member of a record of the language's own, right after the previous one.
static void append(FieldDecl *f, RecordType *r, std::string_view name, QualType type, const TargetInfo &target) {
  f->name = name;
  f->type = type;
  f->parent = r;
  f->index = static_cast<uint32_t>(r->fields.size());
  f->offset = r->size;
  r->size += sizeOf(type.type, target);
  r->fields.push_back(f);
}

// What the runtime knows as cilk_cont (rt/extensions/cilk1): the closure, the slot, the closure's serial number.
QualType TypeTable::contOf(QualType value) const {
  const Type *&t = impl->types[{uint8_t(TypeKind::Record), 1, value.quals, value.type, 0}];
  if (t) return t;
  auto *r = arena.make<RecordType>();
  r->continues = value;
  for (QualType member :
      {pointerTo(basic(TypeKind::Void)), QualType(basic(TypeKind::UInt)), QualType(basic(TypeKind::UInt))}) {
    append(arena.make<FieldDecl>(), r,
        arena.intern(r->fields.empty()       ? "<closure>"
                     : r->fields.size() == 1 ? "<slot>"
                                             : "<serial>"),
        member, target);
  }
  r->align = 8;
  r->complete = true;
  return t = r;
}

// What the runtime knows as cilk_future (rt/core/abi.h), and then the value.
QualType TypeTable::futureOf(QualType value) const {
  const Type *&t = impl->types[{uint8_t(TypeKind::Record), 2, value.quals, value.type, 0}];
  if (t) return t;
  auto *r = arena.make<RecordType>();
  r->awaits = value;
  for (auto [name, member] : {std::pair{"<state>", QualType(basic(TypeKind::ULong))},
           {"<waiters>", pointerTo(basic(TypeKind::Void))}, {"<value>", value}}) {
    append(arena.make<FieldDecl>(), r, arena.intern(name), member, target);
  }
  r->align = 16;
  r->size = (r->size + 15) / 16 * 16;
  r->complete = true;
  return t = r;
}

QualType TypeTable::reducerOf(QualType value, Expr *identity, const void *identityKey, Expr *reduce,
    const void *reduceKey) {
  for (const RecordType *r : impl->reducers[{value.type, identityKey, reduceKey}])
    if (r->reduces == value) return QualType(r);
  auto *r = arena.make<RecordType>();
  r->reduces = value;
  r->identity = identity;
  r->reduce = reduce;
  append(arena.make<FieldDecl>(), r, arena.intern("<view>"), value, target);
  r->align = alignOf(value.type, target);
  r->complete = true;
  impl->reducers[{value.type, identityKey, reduceKey}].push_back(r);
  return QualType(r);
}

EnumType *TypeTable::enumeration(std::string_view tag) {
  EnumType *t = arena.make<EnumType>();
  t->tag = arena.intern(tag);
  return t;
}

// The psABIs name the members; their layout is written out here because layout.cpp has not run when the type is first
// needed.
QualType TypeTable::vaListType() const {
  if (impl->vaList) return impl->vaList;
  const TargetFacts::VaList &list = target.facts->vaList;
  auto *r = arena.make<RecordType>();
  r->tag = arena.intern(list.tag);
  for (const auto &member : list.members) {
    using Member = TargetFacts::VaList::Member;
    FieldDecl *f = arena.make<FieldDecl>();
    f->name = arena.intern(member.name);
    f->type = member.type == Member::Pointer
                  ? pointerTo(basic(TypeKind::Void))
                  : QualType(basic(member.type == Member::Int ? TypeKind::Int : TypeKind::UInt));
    f->parent = r;
    f->index = static_cast<uint32_t>(r->fields.size());
    f->offset = r->size;
    r->size += member.type == Member::Pointer ? 8 : 4;
    r->fields.push_back(f);
  }
  r->align = 8;
  r->complete = true;
  impl->vaList = list.array ? arrayOf(r, 1) : QualType(r);
  return impl->vaList;
}

// ---- types made of a type -----------------------------------------------------------------------------------------

QualType TypeTable::qualify(QualType t, unsigned quals) {
  if (!quals || !t.type) return t;
  if (!t->isArray()) return t.with(quals);
  const auto *a = t->as<ArrayType>();
  QualType elem = qualify(a->elem, quals);
  if (elem == a->elem) return t;
  switch (a->arrayKind) {
    case ArrayKind::Constant: return {arrayOf(elem, a->count).type, t.quals};
    case ArrayKind::Incomplete: return {incompleteArrayOf(elem).type, t.quals};
    case ArrayKind::Star: return {starArrayOf(elem).type, t.quals};
    case ArrayKind::Variable: return {variableArrayOf(elem, a->size, a->sizeVar), t.quals};
  }
  return t;
}

QualType TypeTable::adjustParameter(QualType t) const {
  if (t->isArray()) {
    const auto *a = t->as<ArrayType>();
    return {pointerTo(a->elem).type, a->paramQuals};
  }
  if (t->isFunction()) return pointerTo(t);
  return t;
}

QualType TypeTable::defaultPromoted(QualType t) const {
  const Type *u = t.type;
  if (u->isEnum()) u = u->as<EnumType>()->underlying ? u->as<EnumType>()->underlying : basic(TypeKind::Int);
  switch (u->kind) {
    case TypeKind::Bool:
    case TypeKind::Char:
    case TypeKind::SChar:
    case TypeKind::UChar:
    case TypeKind::Short:
    case TypeKind::UShort: return basic(TypeKind::Int);
    case TypeKind::Float: return basic(TypeKind::Double);
    default: return t.unqual();
  }
}

}  // namespace cilkc
