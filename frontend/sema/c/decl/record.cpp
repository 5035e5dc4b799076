// record.cpp - struct, union and enum specifiers (C17 6.7.2.1 to 6.7.2.3): tags, members, enumerators.
//
// A tag is declared in its own scope; `struct s;` alone always declares it in the innermost one, otherwise
// a visible tag is meant. A record becomes complete at its closing brace, when its layout is computed.
#include <algorithm>
#include "frontend/sema/c/core/declstate.h"
#include "frontend/types/layout.h"
#include "diag/parse.h"
#include "diag/sema_decl.h"
#include "diag/sema_expr.h"

namespace cilkc {

namespace {

Range rangeOf(const Type *t) {
  if (t->isRecord()) return {Loc{t->as<RecordType>()->rangeBegin}, Loc{t->as<RecordType>()->rangeEnd}};
  return {Loc{t->as<EnumType>()->rangeBegin}, Loc{t->as<EnumType>()->rangeEnd}};
}

const char *tagWord(const Type *t) { return t->isEnum() ? "enum" : t->as<RecordType>()->isUnion ? "union" : "struct"; }

void wrongTag(Sema &s, Range where, std::string_view tag, const Type *found) {
  s.diags.report(diag::wrong_tag_kind, where).note(rangeOf(found), "it was declared here") << tag << tagWord(found);
}

// Names of members, those of anonymous members included; reports duplicates.
struct MemberNames {
  Sema &s;
  std::unordered_map<std::string_view, FieldDecl *> names;
  void add(FieldDecl *f, Range where) {
    if (f->anonymous) {
      const Type *t = f->type.type;
      if (t->isRecord())
        for (FieldDecl *inner : t->as<RecordType>()->fields)
          add(inner, t->as<RecordType>()->tag.empty() ? Range{Loc{inner->rangeBegin}, Loc{inner->rangeEnd}} : where);
      return;
    }
    if (f->name.empty()) return;
    auto [it, fresh] = names.emplace(f->name, f);
    if (!fresh)
      s.diags.report(diag::duplicate_member, where)
              .note({Loc{it->second->rangeBegin}, Loc{it->second->rangeEnd}}, "the first one is here")
          << f->name;
  }
};

struct RecordBuilder {
  Sema &s;
  RecordType *r;
  MemberNames names{s, {}};
  bool named = false;

  FieldDecl *field(std::string_view name, QualType t, Range where) {
    auto *f = s.cx.make<FieldDecl>();
    f->name = name;
    f->type = t;
    f->parent = r;
    f->index = static_cast<uint32_t>(r->fields.size());
    f->rangeBegin = where.begin.raw;
    f->rangeEnd = where.end.raw;
    r->fields.push_back(f);
    return f;
  }

  void attributes(FieldDecl *f, const Attrs &attrs) {
    for (Attr *a : attrs) {
      if (s.ds->specifiers.taken.count(a)) continue;
      if (a->name == "packed") f->attrPacked = true;
      else if (a->name == "deprecated" || a->name == "unavailable") restrictUse(s.ds->specifiers.deprecated[f], a);
    }
    f->attrAlign = std::max(f->attrAlign, attrAlignment(s, attrs, false));
  }

  // The liveness of sizes follows arrays and pointers, not records (frontend/flow/cfg.cpp). So these sizes do not move.
  static void keepSizes(const Type *t) {
    for (;;) {
      if (t->isPointer()) t = t->as<PointerType>()->pointee.type;
      else if (t->isFunction()) t = t->as<FunctionType>()->result.type;
      else if (t->isArray()) {
        if (VarDecl *size = t->as<ArrayType>()->sizeVar) size->addressTaken = true;
        t = t->as<ArrayType>()->elem.type;
      } else return;
    }
  }

  void bitField(FieldDecl *f, Expr *&width, Range where) {
    f->bitField = true;
    std::string what = f->name.empty() ? "unnamed bit-field" : "bit-field '" + std::string(f->name) + "'";
    auto w = s.conv.integerConstant(width, "width of a bit-field");
    QualType &t = f->type;
    f->width = 1;
    if (t->isError()) {
      t = s.cx.basic(TypeKind::Int);
      return;
    }
    if (!t->isInteger() || t.isAtomic() || (t->isEnum() && !isComplete(t.type))) {
      s.diags.report(diag::bitfield_type, where) << what << toString(t);
      t = s.cx.basic(TypeKind::Int);
      return;
    }
    if (s.cx.lang.std < LangOptions::C99 && t->kind != TypeKind::Int && t->kind != TypeKind::UInt &&
        t->kind != TypeKind::Bool && !t->isEnum())
      s.diags.report(diag::bitfield_extended, where) << what << toString(t);
    if (!w) return;
    uint64_t max = t->isBool() ? 1 : t->isBitInt() ? t->as<WideBitsType>()->width : sizeOf(t.type, s.cx.target) * 8;
    if (*w < 0) s.diags.report(diag::bitfield_negative, width->range) << what;
    else if (static_cast<unsigned __int128>(*w) > max)
      s.diags.report(diag::bitfield_too_wide, width->range)
          << what << static_cast<unsigned long long>(max) << toString(t);
    else if (*w == 0 && !f->name.empty()) s.diags.report(diag::bitfield_zero, width->range) << what;
    else f->width = static_cast<uint32_t>(*w);
  }

  void member(DeclSpecs *specs, QualType base, FieldDeclarator &fd, bool lastOfRecord) {
    Declarator *d = fd.declarator;
    std::string_view name = d ? d->name : std::string_view{};
    Range where = d && d->nameRange.valid() ? d->nameRange : fd.width ? fd.width->range : specs->range;
    QualType t = s.types.declaratorType(base, d, specs);
    if (!fd.attrs.empty()) t = s.types.typeAttrs(t, fd.attrs, where);
    s.types.refuseTwoConventions(t, fd.attrs);
    const SpecFacts facts = s.ds->specifiers.facts(specs);
    if (s.hooks.refuseMember(t, where)) t = s.cx.basic(TypeKind::Error);
    if (t->isFunction()) {
      s.diags.report(diag::function_member, where) << name;
      t = s.cx.basic(TypeKind::Error);
    } else if (t->kind == TypeKind::Auto) {
      s.diags.report(diag::bad_auto, where);
      t = s.cx.basic(TypeKind::Error);
    } else if (t->isArray() && t->as<ArrayType>()->arrayKind == ArrayKind::Incomplete) {
      if (!lastOfRecord && !r->isUnion) {
        s.diags.report(diag::flexible_not_last, where) << name;
        t = s.cx.arrayOf(t->as<ArrayType>()->elem, 0);
      } else if (r->isUnion) {
        s.diags.report(diag::flexible_in_union, where) << name;
        t = s.cx.arrayOf(t->as<ArrayType>()->elem, 0);
      } else {
        if (!named) s.diags.report(diag::flexible_alone, where) << name;
        r->flexible = true;
        if (s.cx.lang.std < LangOptions::C99) s.diags.report(diag::c99_extension, where) << "flexible array members";
      }
    } else if (isVariablyModified(t.type)) {
      if (s.fs || s.scope->kind == Scope::Prototype) {
        s.diags.report(diag::pedantic_syntax, where) << "ISO C has no members of variably modified types";
        r->variable = true;
        keepSizes(t.type);
      } else {
        s.diags.report(diag::member_variable_size, where) << name;
        t = s.cx.basic(TypeKind::Error);
      }
    } else if (!s.types.requireComplete(t, where,
                   name.empty() ? "member" : ("member '" + std::string(name) + "'").c_str())) {
      t = s.cx.basic(TypeKind::Error);
    } else if (t->isRecord() && t->as<RecordType>()->flexible) {
      if (!lastOfRecord && !r->isUnion) s.diags.report(diag::flexible_nested, where);
      else r->flexible = true;
      if (lastOfRecord && !r->isUnion) s.diags.report(diag::flexible_nested, where);
    }
    FieldDecl *f = field(name, t, where);
    f->typedefAlign = typedefAlignment(s, d, facts);
    f->attrAlign = facts.alignAs;
    attributes(f, specs->attrs);
    if (d) attributes(f, d->attrs);
    attributes(f, fd.attrs);
    if (fd.width) {
      if (facts.anyAlignAs) s.diags.report(diag::bad_alignment, where) << "'_Alignas' on a bit-field";
      bitField(f, fd.width, where);
    } else if (facts.alignAs && !t->isError() && facts.alignAs < alignOf(t.type, s.cx.target)) {
      s.diags.report(diag::bad_alignment, where) << "'_Alignas' cannot reduce the alignment of a member";
    }
    if (!name.empty()) named = true;
    names.add(f, where);
  }

  void structMember(StructMember &m, bool last) {
    if (m.pragma) {
      s.decls.pragma(m.pragma);
      return;
    }
    if (m.sassert) {
      s.decls.staticAssert(m.sassert);
      return;
    }
    if (!m.specs) return;
    DeclSpecs *specs = m.specs;
    if (m.fields.empty()) s.ds->tags.solo = specs->quals == 0;
    QualType base = s.types.specifiers(specs);
    s.ds->tags.solo = false;
    if (s.ds->specifiers.facts(specs).implicitInt) s.diags.report(implicitInt(s), specs->range) << "member";
    if (specs->storage != StorageClass::None || specs->threadLocal || specs->isInline || specs->isNoreturn ||
        specs->isConstexpr)
      s.diags.report(diag::member_storage, specs->storageRange.valid() ? specs->storageRange : specs->range);
    if (m.fields.empty()) {
      bool own = specs->record && specs->record->hasBody;
      if (base->isRecord() &&
          ((own && specs->record->tag.empty()) || (s.cx.lang.msExtensions && isComplete(base.type)))) {
        if (s.cx.lang.std < LangOptions::C11) s.diags.report(diag::anonymous_member, specs->range);
        FieldDecl *f = field({}, base, specs->range);
        f->anonymous = true;
        f->attrAlign = s.ds->specifiers.facts(specs).alignAs;
        attributes(f, specs->attrs);
        named = true;
        if (base->as<RecordType>()->flexible && last) r->flexible = true;
        names.add(f, specs->range);
      } else if (!base->isError() && !(specs->enumeration && specs->enumeration->hasBody)) {
        s.diags.report(diag::declares_nothing, specs->range);
      }
      return;
    }
    for (size_t i = 0; i < m.fields.size(); ++i) member(specs, base, m.fields[i], last && i + 1 == m.fields.size());
  }
};

// A place after the attributes before the keyword, and before the attributes after the closing brace.
Loc recordStart(const RecordSpec *spec, const DeclSpecs *specs) {
  if (spec->tagRange.valid()) return spec->tagRange.begin;
  for (const StructMember &m : spec->members)
    if (m.specs && m.specs->range.valid()) return m.specs->range.begin;
  return specs->range.begin;
}

// __attribute__((copy(e))) on a record: how the record that e is, or points to, lays out its members.
void copyRecord(Sema &s, RecordType *r, Attr *a) {
  if (a->args.empty()) return;
  ++s.unevaluated;
  QualType t = s.exprs.expr(a->args[0])->type;
  --s.unevaluated;
  if (t->isPointer()) t = t->as<PointerType>()->pointee;
  if (t->isError()) return;
  if (!t->isRecord()) {
    s.diags.report(diag::attribute_ignored, a->range) << a->name << "a record whose source is no record";
    return;
  }
  const auto *from = t->as<RecordType>();
  r->isPackedAttr |= from->isPackedAttr;
  r->attrAlign = std::max(r->attrAlign, from->attrAlign);
  r->mayBeUnused |= from->mayBeUnused;
}

}  // namespace

QualType Types::recordSpec(RecordSpec *spec, const DeclSpecs *specs) {
  bool solo = sema.ds->tags.solo;
  sema.ds->tags.solo = false;
  // first: C23, an earlier definition in this scope, which the new definition repeats
  RecordType *r = nullptr, *first = nullptr;
  Range where = spec->tagRange.valid() ? spec->tagRange : specs ? specs->range : Range{};
  if (!spec->tag.empty()) {
    const Type *found = sema.scopes.lookupTag(spec->tag, spec->hasBody || solo);
    if (found && (!found->isRecord() || found->as<RecordType>()->isUnion != spec->isUnion)) {
      wrongTag(sema, where, spec->tag, found);
      if (!spec->hasBody) return cx.basic(TypeKind::Error);
      found = nullptr;
    }
    if (found) r = const_cast<RecordType *>(found->as<RecordType>());
    if (r && spec->hasBody) {
      bool open = std::find(sema.ds->tags.open.begin(), sema.ds->tags.open.end(), r) != sema.ds->tags.open.end();
      if (!open && r->complete && cx.lang.std >= LangOptions::C2x) {
        first = r;
        r = nullptr;
      } else if (open || r->complete) {
        diags.report(open ? diag::nested_redefinition : diag::redefined_tag, where)
                .note(rangeOf(r), "the first definition is here")
            << (std::string(spec->isUnion ? "union " : "struct ") + std::string(spec->tag));
        r = nullptr;
      }
    }
  }
  if (!r) {
    r = cx.record(spec->tag, spec->isUnion);
    r->rangeBegin = where.begin.raw;
    r->rangeEnd = where.end.raw;
    if (!spec->tag.empty() && !first) {
      sema.scope->tags[spec->tag] = r;
      if (sema.scope->kind == Scope::Prototype)
        diags.report(diag::tag_in_parameters, where)
            << (std::string(spec->isUnion ? "union " : "struct ") + std::string(spec->tag));
    }
  }
  spec->type = r;
  if (!spec->hasBody) return r;
  r->rangeBegin = where.begin.raw;
  r->rangeEnd = where.end.raw;
  // Attributes before the tag and those after the closing brace; those before the keyword belong to what is
  // declared.
  Attrs attrs = spec->attrs;
  if (specs)
    for (Attr *a : specs->attrs)
      if (recordStart(spec, specs) < a->range.begin) {
        attrs.push_back(a);
        sema.ds->specifiers.taken.insert(a);
      }
  bool transparent = false;
  for (Attr *a : attrs) {
    if (a->name == "packed") r->isPackedAttr = true;
    else if (a->name == "transparent_union") transparent = true;
    else if (a->name == "nodiscard") sema.ds->tags.nodiscard.insert(r);
    else if (a->name == "unused" || a->name == "maybe_unused") r->mayBeUnused = true;
    else if (a->name == "copy") copyRecord(sema, r, a);
    else if (a->name == "ms_struct") diags.report(diag::unsupported, a->range) << "the layout of 'ms_struct'";
  }
  r->attrAlign = std::max(r->attrAlign, attrAlignment(sema, attrs, true));
  for (Attr *a : attrs)
    if (a->name == "scalar_storage_order")
      if (auto order = attrString(sema, a, 0); order && *order != "little-endian")
        diags.report(diag::unsupported, a->range) << "'scalar_storage_order' other than the target's own";
  sema.ds->tags.open.push_back(r);
  RecordBuilder b{sema, r};
  size_t lastMember = spec->members.size();
  while (lastMember > 0 && !spec->members[lastMember - 1].specs) --lastMember;
  for (size_t i = 0; i < spec->members.size(); ++i) b.structMember(spec->members[i], i + 1 == lastMember);
  sema.ds->tags.open.pop_back();
  if (r->fields.empty()) diags.report(diag::empty_record, where) << (spec->isUnion ? "union" : "struct");
  else if (!b.named) diags.report(diag::no_named_members, where) << (spec->isUnion ? "union" : "struct");
  if (transparent) {
    if (r->isUnion) r->transparentUnion = true;
    else diags.report(diag::attribute_ignored, where) << "transparent_union" << "a struct";
  }
  r->packAlign = sema.ds->pragmas.pack;  // the value in effect at the closing brace
  if (!layoutRecord(r, cx.target)) diags.report(diag::type_too_large, where) << toString({r});
  r->complete = true;
  if (first) {
    if (sema.compat.sameRecord(first, r)) {
      spec->type = first;
      return first;
    }
    diags.report(diag::redefined_tag, where).note(rangeOf(first), "the first definition is here")
        << (std::string(spec->isUnion ? "union " : "struct ") + std::string(spec->tag));
  }
  return r;
}

// ---- enumerations -------------------------------------------------------------------------------------------------

namespace {

const Type *enumUnderlying(Sema &s, __int128 lo, __int128 hi, bool packed, Range where) {
  auto fits = [&](TypeKind k) {
    const Type *t = s.cx.basic(k);
    return wrapInt(lo, t, s.cx.target) == lo && wrapInt(hi, t, s.cx.target) == hi;
  };
  static constexpr TypeKind packedUnsigned[] = {TypeKind::UChar, TypeKind::UShort},
                            packedSigned[] = {TypeKind::SChar, TypeKind::Short};
  if (packed || s.cx.target.shortEnums || s.cx.lang.shortEnums)
    for (TypeKind k : lo >= 0 ? packedUnsigned : packedSigned)
      if (fits(k)) return s.cx.basic(k);
  for (TypeKind k : {lo >= 0 ? TypeKind::UInt : TypeKind::Int, lo >= 0 ? TypeKind::ULong : TypeKind::Long})
    if (fits(k)) return s.cx.basic(k);
  for (TypeKind k : {TypeKind::Int128, TypeKind::UInt128})
    if (fits(k)) {
      s.diags.report(diag::enum_too_large, where);
      return s.cx.basic(k);
    }
  return s.cx.basic(TypeKind::Int);
}

// enum e {..} __attribute__((mode(QI))): the type that the mode makes of int is the underlying one.
void withMode(Sema &s, EnumType *e, QualType own) {
  if (!own->isInteger()) return;
  e->underlying = own.type;
  for (const Enumerator &c : e->constants)
    if (wrapInt(c.value, own.type, s.cx.target) != c.value)
      s.diags.report(diag::enum_fixed_range, c.decl->range) << c.name << toString(own);
}

// Enumerators one after the other.
struct Enumerators {
  Sema &s;
  EnumType *e;
  const EnumType *first;  // the type that is defined a second time, or null
  const Type *intType = s.cx.basic(TypeKind::Int);
  __int128 next = 0, lo = 0, hi = 0;
  bool overflowed = false;

  // The value, and its type.
  std::pair<__int128, const Type *> valueOf(EnumSpec::Item &item) {
    __int128 value = next;
    const Type *valueType = intType;
    if (item.value) {
      if (auto v = s.conv.integerConstant(item.value, "enumerator value")) {
        value = *v;
        if (item.value->type.type && item.value->type->isInteger()) valueType = item.value->type.type;
      }
      overflowed = false;
    } else if (overflowed) {
      s.diags.report(diag::enum_overflow, item.range) << item.name;
      overflowed = false;
    }
    if (e->fixed) {
      if (wrapInt(value, e->underlying, s.cx.target) != value) {
        s.diags.report(diag::enum_fixed_range, item.range) << item.name << toString(e->underlying);
        value = wrapInt(value, e->underlying, s.cx.target);
      }
      valueType = e->underlying;
    } else if (wrapInt(value, intType, s.cx.target) == value) {
      valueType = intType;
    } else {
      s.diags.report(diag::enum_not_int, item.range) << item.name;
      if (valueType == intType)
        valueType = value > static_cast<__int128>(INT64_MAX)                   ? s.cx.basic(TypeKind::ULong)
                    : value >= 0 && value <= static_cast<__int128>(UINT32_MAX) ? s.cx.basic(TypeKind::UInt)
                                                                               : s.cx.basic(TypeKind::Long);
    }
    return {value, valueType};
  }

  void add(EnumSpec::Item &item) {
    auto *c = s.cx.make<EnumConstDecl>();
    s.ds->tags.enumOf[c] = e;
    c->name = item.name;
    c->range = item.range;
    auto [value, valueType] = valueOf(item);
    c->value = value;
    c->type = valueType;
    for (Attr *a : item.attrs)
      if (a->name == "deprecated" || a->name == "unavailable") restrictUse(s.ds->specifiers.deprecated[c], a);
    if (e->constants.empty()) lo = hi = value;
    lo = std::min(lo, value);
    hi = std::max(hi, value);
    e->constants.push_back({c->name, value, c});
    auto it = s.scope->names.find(c->name);
    next = value + 1;
    if (first && it != s.scope->names.end() && it->second->kind == DeclKind::EnumConst &&
        s.ds->tags.enumOf[it->second->as<EnumConstDecl>()] == first && it->second->as<EnumConstDecl>()->value == value)
      return;  // it stays what it is
    if (it != s.scope->names.end() && !it->second->type->isError())
      s.diags.report(it->second->kind == DeclKind::EnumConst ? diag::redefined : diag::redeclared_kind, item.range)
              .note(it->second->range, "the previous declaration is here")
          << item.name;
    s.scopes.bind(c);
    if (value == static_cast<__int128>(UINT64_MAX) ||
        value == static_cast<__int128>((~static_cast<unsigned __int128>(0)) >> 1)) {
      overflowed = true;
      next = 0;
    }
  }
};

}  // namespace

QualType Types::enumSpec(EnumSpec *spec) {
  bool solo = sema.ds->tags.solo;
  sema.ds->tags.solo = false;
  EnumType *e = nullptr, *first = nullptr;
  const Type *fixedType = nullptr;
  if (spec->underlying) {
    QualType u = typeName(spec->underlying);
    if (u->isInteger() && !u->isEnum()) fixedType = u.type;
    else if (!u->isError()) diags.report(diag::enum_underlying, spec->underlying->range) << toString(u);
    if (cx.lang.std < LangOptions::C2x) diags.report(diag::enum_underlying_c2x, spec->underlying->range);
    if (!spec->hasBody && !solo) diags.report(diag::enum_underlying_use, spec->underlying->range) << spec->tag;
  }
  if (!spec->tag.empty()) {
    const Type *found = sema.scopes.lookupTag(spec->tag, spec->hasBody || solo);
    if (found && !found->isEnum()) {
      wrongTag(sema, spec->tagRange, spec->tag, found);
      if (!spec->hasBody) return cx.basic(TypeKind::Error);
      found = nullptr;
    }
    if (found) e = const_cast<EnumType *>(found->as<EnumType>());
    if (e && !spec->hasBody && !isComplete(e)) diags.report(diag::enum_forward, spec->tagRange) << spec->tag;
    if (e && spec->hasBody && !e->constants.empty() && cx.lang.std >= LangOptions::C2x) {
      first = e;
      e = nullptr;
    } else if (e && spec->hasBody && !e->constants.empty()) {
      diags.report(diag::redefined_tag, spec->tagRange).note(rangeOf(e), "the first definition is here")
          << "enum " + std::string(spec->tag);
      e = nullptr;
    }
  }
  if (e && e->complete && (fixedType ? !e->fixed || e->underlying != fixedType : e->fixed && spec->hasBody)) {
    diags.report(diag::redefined_tag, spec->tagRange).note(rangeOf(e), "it is declared here with another type")
        << "enum " + std::string(spec->tag);
    e = nullptr;
  }
  Range where = spec->tagRange;
  if (!where.valid() && !spec->items.empty()) where = spec->items[0].range;
  if (!e) {
    e = cx.enumeration(spec->tag);
    e->rangeBegin = where.begin.raw;
    e->rangeEnd = where.end.raw;
    if (!spec->tag.empty() && !first) sema.scope->tags[spec->tag] = e;
    if (!spec->hasBody && !fixedType) diags.report(diag::enum_forward, where) << spec->tag;
  }
  if (fixedType) {
    e->fixed = true;
    e->underlying = fixedType;
    e->complete = true;
  }
  if (!spec->hasBody) return e;
  e->rangeBegin = where.begin.raw;
  e->rangeEnd = where.end.raw;
  Attrs attrs = spec->attrs, modes;
  attrs.insert(attrs.end(), sema.ds->tags.afterEnum.begin(), sema.ds->tags.afterEnum.end());
  sema.ds->tags.afterEnum.clear();
  for (Attr *a : attrs) {
    if (a->name == "packed") e->packed = true;
    if (a->name == "mode") modes.push_back(a);
    if (a->name == "nodiscard") sema.ds->tags.nodiscard.insert(e);
  }
  Enumerators all{sema, e, first};
  for (EnumSpec::Item &item : spec->items) all.add(item);
  if (!e->fixed) {
    e->underlying = enumUnderlying(sema, all.lo, all.hi, e->packed, where);
    if (!modes.empty())
      withMode(sema, e, typeAttrs(cx.basic(all.lo < 0 ? TypeKind::Int : TypeKind::UInt), modes, where));
    auto isInt = [&](const Enumerator &c) { return wrapInt(c.value, all.intType, cx.target) == c.value; };
    bool ints = std::all_of(e->constants.begin(), e->constants.end(), isInt);
    for (const Enumerator &c : e->constants)  // C23: where one is no int, none is
      if (!isInt(c) || (!ints && cx.lang.std >= LangOptions::C2x)) c.decl->type = e->underlying;
  }
  e->complete = true;
  if (first) {
    auto same = [](const Enumerator &a, const Enumerator &b) { return a.name == b.name && a.value == b.value; };
    if (e->constants.size() == first->constants.size() && e->underlying == first->underlying &&
        e->fixed == first->fixed &&
        std::equal(e->constants.begin(), e->constants.end(), first->constants.begin(), same))
      return first;
    diags.report(diag::redefined_tag, spec->tagRange).note(rangeOf(first), "the first definition is here")
        << "enum " + std::string(spec->tag);
  }
  return e;
}

}  // namespace cilkc
