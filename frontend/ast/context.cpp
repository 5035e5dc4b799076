// context.cpp - AstContext: one bump arena for nodes, strings and types. Nodes with non-trivial members (vectors, strings) are
// registered for destruction; everything else just goes away with the chunks. Types are hash-consed: the same arguments
// give the same pointer, except records, enumerations and variable arrays, which are fresh.
#include "frontend/ast/ast.h"
#include <cstring>

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
  return a.result == b.result && a.variadic == b.variadic && a.prototype == b.prototype && a.isCilk == b.isCilk && a.isInlet == b.isInlet &&
         a.isThread == b.isThread && a.noreturn == b.noreturn && a.msAbi == b.msAbi && a.params == b.params;
}

size_t hashFunction(const FunctionType &f) {
  size_t h = mix(reinterpret_cast<size_t>(f.result.type), f.result.quals);
  for (QualType p : f.params) h = mix(h, reinterpret_cast<size_t>(p.type) + p.quals);
  return mix(h, f.variadic + 2 * f.prototype + 4 * f.isCilk + 8 * f.isInlet + 16 * f.noreturn + 32 * f.msAbi + 64 * f.isThread);
}

}  // namespace

struct AstContext::Impl {
  static constexpr size_t chunkSize = 256 * 1024;
  std::vector<std::unique_ptr<char[]>> chunks;
  char *at = nullptr, *end = nullptr;
  size_t total = 0;
  std::vector<std::pair<void *, void (*)(void *)>> destructors;
  std::unordered_set<std::string_view> strings;
  std::unordered_map<TypeKey, const Type *, TypeKeyHash> types;
  std::unordered_multimap<size_t, const FunctionType *> functions;
  QualType vaList, nullptrType;
};

AstContext::AstContext(TargetInfo t, LangOptions l) : target(std::move(t)), lang(l), impl(std::make_unique<Impl>()) {
  for (int k = 0; k <= static_cast<int>(TypeKind::Auto); ++k) basics[k] = make<BasicType>(static_cast<TypeKind>(k));
}

AstContext::~AstContext() {
  for (size_t i = impl->destructors.size(); i-- > 0;) impl->destructors[i].second(impl->destructors[i].first);
}

void *AstContext::allocate(size_t size, size_t align) {
  Impl &m = *impl;
  uintptr_t p = (reinterpret_cast<uintptr_t>(m.at) + align - 1) & ~(uintptr_t(align) - 1);
  if (!m.at || p + size > reinterpret_cast<uintptr_t>(m.end)) {
    size_t want = size + align > Impl::chunkSize / 4 ? size + align : Impl::chunkSize;
    m.chunks.emplace_back(new char[want]);
    m.total += want;
    char *chunk = m.chunks.back().get();
    p = (reinterpret_cast<uintptr_t>(chunk) + align - 1) & ~(uintptr_t(align) - 1);
    if (want != Impl::chunkSize) return reinterpret_cast<void *>(p);   // a big object keeps its chunk for itself
    m.end = chunk + want;
  }
  m.at = reinterpret_cast<char *>(p + size);
  return reinterpret_cast<void *>(p);
}

void AstContext::onDestroy(void *p, void (*f)(void *)) { impl->destructors.emplace_back(p, f); }

std::string_view AstContext::intern(std::string_view s) {
  if (s.empty()) return {};
  auto it = impl->strings.find(s);
  if (it != impl->strings.end()) return *it;
  char *p = static_cast<char *>(allocate(s.size() + 1, 1));   // a zero follows, for the C API of code generation
  std::memcpy(p, s.data(), s.size());
  p[s.size()] = 0;
  return *impl->strings.emplace(p, s.size()).first;
}

size_t AstContext::bytesUsed() const { return impl->total; }

// ---- types ------------------------------------------------------------------------------------------------------------------

QualType AstContext::pointerTo(QualType to) {
  const Type *&t = impl->types[{uint8_t(TypeKind::Pointer), 0, to.quals, to.type, 0}];
  if (!t) t = make<PointerType>(to);
  return t;
}

QualType AstContext::nullptrType() {
  if (!impl->nullptrType) {
    auto *t = make<PointerType>(QualType(basic(TypeKind::Void)));
    t->null = true;
    impl->nullptrType = t;
  }
  return impl->nullptrType;
}

QualType AstContext::complexOf(const Type *elem) {
  const Type *&t = impl->types[{uint8_t(TypeKind::Complex), 0, 0, elem, 0}];
  if (!t) t = make<ComplexType>(elem);
  return t;
}

const Type *AstContext::wideBits(const Type *declared, uint32_t width) {
  const Type *&t = impl->types[{uint8_t(TypeKind::WideBits), 0, 0, declared, width}];
  if (!t) t = make<WideBitsType>(declared, width, false);
  return t;
}

const Type *AstContext::bitInt(uint32_t width, bool isUnsigned) {
  static constexpr struct {
    uint32_t bits;
    TypeKind kinds[2];
  } held[] = {{8, {TypeKind::SChar, TypeKind::UChar}}, {16, {TypeKind::Short, TypeKind::UShort}}, {32, {TypeKind::Int, TypeKind::UInt}},
      {64, {TypeKind::Long, TypeKind::ULong}}, {maxBitInt, {TypeKind::Int128, TypeKind::UInt128}}};
  const auto *h = held;
  while (h->bits < width) h++;
  const Type *declared = basic(h->kinds[isUnsigned]);
  const Type *&t = impl->types[{uint8_t(TypeKind::WideBits), 1, 0, declared, width}];
  if (!t) t = make<WideBitsType>(declared, width, true);
  return t;
}

QualType AstContext::arrayOf(QualType elem, uint64_t n) {
  const Type *&t = impl->types[{uint8_t(TypeKind::Array), uint8_t(ArrayKind::Constant), elem.quals, elem.type, n}];
  if (!t) t = make<ArrayType>(elem, ArrayKind::Constant, n);
  return t;
}

QualType AstContext::incompleteArrayOf(QualType elem) {
  const Type *&t = impl->types[{uint8_t(TypeKind::Array), uint8_t(ArrayKind::Incomplete), elem.quals, elem.type, 0}];
  if (!t) t = make<ArrayType>(elem, ArrayKind::Incomplete);
  return t;
}

ArrayType *AstContext::variableArrayOf(QualType elem, Expr *size) {
  ArrayType *t = make<ArrayType>(elem, ArrayKind::Variable);
  t->size = size;
  return t;
}

QualType AstContext::starArrayOf(QualType elem) {
  const Type *&t = impl->types[{uint8_t(TypeKind::Array), uint8_t(ArrayKind::Star), elem.quals, elem.type, 0}];
  if (!t) t = make<ArrayType>(elem, ArrayKind::Star);
  return t;
}

QualType AstContext::vectorOf(const Type *elem, uint64_t n) {
  const Type *&t = impl->types[{uint8_t(TypeKind::Vector), 0, 0, elem, n}];
  if (!t) t = make<VectorType>(elem, n);
  return t;
}

QualType AstContext::functionType(const FunctionType &proto) {
  size_t h = hashFunction(proto);
  auto [lo, hi] = impl->functions.equal_range(h);
  for (auto it = lo; it != hi; ++it)
    if (sameFunction(*it->second, proto)) return it->second;
  const FunctionType *t = make<FunctionType>(proto);
  impl->functions.emplace(h, t);
  return t;
}

RecordType *AstContext::record(std::string_view tag, bool isUnion) {
  RecordType *t = make<RecordType>();
  t->tag = intern(tag);
  t->isUnion = isUnion;
  return t;
}

// What the runtime knows as cilk_cont (rt/cilk1): the closure, the slot, the closure's serial number.
QualType AstContext::contOf(QualType value) {
  const Type *&t = impl->types[{uint8_t(TypeKind::Record), 1, value.quals, value.type, 0}];
  if (t) return t;
  RecordType *r = record({}, false);
  r->continues = value;
  for (QualType member : {pointerTo(basic(TypeKind::Void)), QualType(basic(TypeKind::UInt)), QualType(basic(TypeKind::UInt))}) {
    FieldDecl *f = make<FieldDecl>();
    f->name = intern(r->fields.empty() ? "<closure>" : r->fields.size() == 1 ? "<slot>" : "<serial>");
    f->type = member;
    f->parent = r;
    f->index = static_cast<uint32_t>(r->fields.size());
    f->offset = r->size;
    r->size += sizeOf(member.type, target);
    r->fields.push_back(f);
  }
  r->align = 8;
  r->complete = true;
  return t = r;
}

EnumType *AstContext::enumeration(std::string_view tag) {
  EnumType *t = make<EnumType>();
  t->tag = intern(tag);
  return t;
}

// The psABIs name the members; their layout is written out here because sema's layout has not run when the type is first needed.
QualType AstContext::vaListType() {
  if (impl->vaList) return impl->vaList;
  const TargetFacts::VaList &list = target.facts->vaList;
  RecordType *r = record(list.tag, false);
  for (const auto &member : list.members) {
    using Member = TargetFacts::VaList::Member;
    FieldDecl *f = make<FieldDecl>();
    f->name = intern(member.name);
    f->type = member.type == Member::Pointer ? pointerTo(basic(TypeKind::Void)) : QualType(basic(member.type == Member::Int ? TypeKind::Int : TypeKind::UInt));
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

}  // namespace cilkc
