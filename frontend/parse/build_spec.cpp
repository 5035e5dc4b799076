// build_spec.cpp - declaration specifiers, structs, enums and attributes: parse tree -> AST.
#include "frontend/parse/build.h"
#include "diag/parse.h"
#include "diag/sema_decl.h"
#include "diag/warn.h"

namespace cilkc::parsing {

using P = CilkParser;

void Builder::specifiersInto(Rule *r, DeclSpecs *s) {
  s->range = Range::join(s->range, range(r));
  switch (r->getRuleIndex()) {
    case P::RulePlainSpecifier: plainSpecifier(r, s); return;
    case P::RuleSpecifier: {
      Rule *inner = asRule(r->children[0]);
      if (inner->getRuleIndex() == P::RuleAttribute) attribute(inner, s->attrs);
      else plainSpecifier(inner, s);
      return;
    }
    default: break;
  }
  // typeSpecifiers. Attributes right after the '}' of a struct or enum belong to the struct or enum.
  Attrs *body = nullptr;
  for (Node *c : r->children) {
    switch (rule(c)) {
      case LeafRule: typedefName(token(c), s); break;
      case P::RuleTypeSpecifier: {
        // `struct s { .. } cilk int f(..)`
        if ((s->record && s->record->hasBody) || (s->enumeration && s->enumeration->hasBody)) {
          const Token *brace = &tokens.list[static_cast<const Token *>(asRule(c)->start)->index];
          while (brace->index && brace->type != P::RightBrace) brace--;
          Loc end = brace->range().end;
          std::string what = s->enumeration ? "enum" : s->record->isUnion ? "union" : "struct";
          std::string_view tag = s->enumeration ? s->enumeration->tag : s->record->tag;
          if (!tag.empty()) what += " " + std::string(tag);
          diags.report(diag::missing_semicolon_struct, Range{end, end}).fixit(Range{end, end}, ";") << what;
          s->unendedRecord = s->record;
          s->unendedEnum = s->enumeration;
          s->record = nullptr;
          s->enumeration = nullptr;
        }
        typeSpecifier(asRule(c), s);
        size_t kind = rule(asRule(c)->children[0]);
        body = kind == P::RuleStructSpecifier && s->record && s->record->hasBody           ? &s->record->attrs
               : kind == P::RuleEnumSpecifier && s->enumeration && s->enumeration->hasBody ? &s->enumeration->attrs
                                                                                           : nullptr;
        break;
      }
      default: {
        Rule *inner = asRule(asRule(c)->children[0]);
        if (inner->getRuleIndex() == P::RuleAttribute) {
          // [[ ]] after the brace is about this use of the type (C23 6.7.3.2)
          size_t had = body ? body->size() : 0;
          attribute(inner, body ? *body : s->attrs);
          for (size_t i = had; body && i < body->size(); i++)
            if ((*body)[i]->standard)
              diags.report(diag::attribute_ignored, (*body)[i]->range) << (*body)[i]->name << "a use of a type";
          if (body)
            body->erase(std::remove_if(body->begin() + static_cast<std::ptrdiff_t>(had), body->end(),
                            [](Attr *a) { return a->standard; }),
                body->end());
        } else {
          plainSpecifier(inner, s);
          body = nullptr;
        }
      }
    }
  }
}

void Builder::finishSpecifiers(DeclSpecs *s) {
  // C2x's `auto x = e`.
  if (!s->autoWord) return;
  s->autoWord = false;
  if (!s->anyTypeSpec) {
    s->counts[static_cast<int>(BasicSpec::AutoType)] = 1;
    s->anyTypeSpec = true;
    return;
  }
  if (s->storage != StorageClass::None) s->multipleStorage = true;
  s->storage = StorageClass::Auto;
}

void Builder::plainSpecifier(Rule *r, DeclSpecs *s) {
  Node *first = r->children[0];
  auto storage = [&](StorageClass c) {
    if (s->storage != StorageClass::None) s->multipleStorage = true;
    s->lateStorage |= s->anyTypeSpec || s->quals != 0;
    s->storage = c;
    s->storageRange = rangeOf(first);
  };
  switch (rule(first)) {
    case P::RuleTypeQualifier: qualifier(first, s->quals, s, nullptr); return;
    case P::RuleAlignmentSpecifier: {
      Rule *a = asRule(first);
      TypeName *type = nullptr;
      Expr *value = nullptr;
      if (Rule *t = child(a, P::RuleTypeName)) type = typeName(t);
      else value = assignment(child(a, P::RuleAssignmentExpression));
      s->alignAs.emplace_back(type, value);
      return;
    }
    default: break;
  }
  switch (token(first).type) {
    case P::Typedef: storage(StorageClass::Typedef); break;
    case P::Extern: storage(StorageClass::Extern); break;
    case P::Static: storage(StorageClass::Static); break;
    case P::Auto:
      if (cx.lang.std < LangOptions::C2x) {
        storage(StorageClass::Auto);
        break;
      }
      if (s->autoWord) s->multipleStorage = true;
      s->autoWord = true;
      if (s->storage == StorageClass::None) s->storageRange = rangeOf(first);
      break;
    case P::Register: storage(StorageClass::Register); break;
    case P::Thread: s->gnuThread = true; [[fallthrough]];
    case P::ThreadLocal: s->threadLocal = true; break;
    case P::Inline: s->isInline = true; break;
    case P::Noreturn: s->isNoreturn = true; break;
    case P::Constexpr: s->isConstexpr = true; break;
    case P::CilkThread:
      s->thread = true;
      s->cilkRange = Range::join(s->cilkRange, rangeOf(first));
      break;
    case P::Cont:
      s->cont = true;
      s->cilkRange = Range::join(s->cilkRange, rangeOf(first));
      break;
    case P::Future:
      s->future = cx.futures = true;
      s->cilkRange = Range::join(s->cilkRange, rangeOf(first));
      break;
    case P::Shared:
      s->shared = true;
      s->cilkRange = Range::join(s->cilkRange, rangeOf(first));
      break;
    case P::Private:
      s->priv = true;
      s->cilkRange = Range::join(s->cilkRange, rangeOf(first));
      break;
    default: break;
  }
}

// A typeQualifier, of specifiers or of a pointer or array.
void Builder::qualifier(Node *n, uint8_t &quals, DeclSpecs *s, DeclChunk *chunk) {
  Token &t = token(asRule(n)->children[0]);
  uint8_t bit = t.type == P::Const      ? QConst
                : t.type == P::Volatile ? QVolatile
                : t.type == P::Restrict ? QRestrict
                : t.type == P::Atomic   ? QAtomic
                                        : 0;
  if ((quals & bit) && !diags.sources().resolve(t.range().begin).fromMacro)
    diags.report(cx.lang.std < LangOptions::C99 ? diag::duplicate_specifier : diag::duplicate_qualifier, t.range())
        << t.view();
  switch (t.type) {
    case P::Const: quals |= QConst; break;
    case P::Volatile: quals |= QVolatile; break;
    case P::Restrict: quals |= QRestrict; break;
    case P::Atomic: quals |= QAtomic; break;
    default:
      if (s) {
        (t.type == P::Cilk ? s->cilk : s->inlet) = true;
        s->cilkRange = Range::join(s->cilkRange, t.range());
      }
      if (chunk) (t.type == P::Cilk ? chunk->cilk : chunk->inlet) = true;
  }
}

void Builder::typedefName(const Token &t, DeclSpecs *s) {
  s->anyTypeSpec = true;
  auto count = [&](BasicSpec b) { s->counts[static_cast<int>(b)]++; };
  std::string_view text = name(t);
  // The predeclared ones have no declaration to be found.
  if (text == "__builtin_va_list") {
    count(BasicSpec::VaList);
    return;
  }
  if (text == "__int128_t") {
    count(BasicSpec::Int128);
    return;
  }
  if (text == "__uint128_t") {
    count(BasicSpec::Unsigned);
    count(BasicSpec::Int128);
    return;
  }
  s->typedefName = text;
  s->typedefRange = t.range();
}

void Builder::typeSpecifier(Rule *r, DeclSpecs *s) {
  s->anyTypeSpec = true;
  auto count = [&](BasicSpec b) { s->counts[static_cast<int>(b)]++; };
  Node *first = r->children[0];
  switch (rule(first)) {
    case P::RuleStructSpecifier: s->record = record(asRule(first)); return;
    case P::RuleEnumSpecifier: s->enumeration = enumeration(asRule(first)); return;
    default: break;
  }
  Token &t = token(first);
  switch (t.type) {
    case P::Void: count(BasicSpec::Void); break;
    case P::Char: count(BasicSpec::Char); break;
    case P::Short: count(BasicSpec::Short); break;
    case P::Int: count(BasicSpec::Int); break;
    case P::Long: count(BasicSpec::Long); break;
    case P::Float: count(BasicSpec::Float); break;
    case P::Double: count(BasicSpec::Double); break;
    case P::Signed: count(BasicSpec::Signed); break;
    case P::Unsigned: count(BasicSpec::Unsigned); break;
    case P::Bool: count(BasicSpec::Bool); break;
    case P::Complex: count(BasicSpec::Complex); break;
    case P::Int128: count(BasicSpec::Int128); break;
    case P::Float16: count(BasicSpec::Float16); break;
    case P::Float32: count(BasicSpec::Float32); break;
    case P::Float64: count(BasicSpec::Float64); break;
    case P::Float128:
    case P::GnuFloat128: count(BasicSpec::Float128); break;
    case P::Float32x: count(BasicSpec::Float32x); break;
    case P::Float64x: count(BasicSpec::Float64x); break;
    case P::GnuFloat80:
      count(BasicSpec::Long);
      count(BasicSpec::Double);
      break;
    case P::AutoType: count(BasicSpec::AutoType); break;
    case P::Decimal32:
    case P::Decimal64:
    case P::Decimal128: count(BasicSpec::Decimal); break;
    case P::Bfloat16:
    // Headers of compilers that know it mention it; it has the size and alignment of _Float16.
      if (!t.system) diags.report(diag::unsupported_type, t.range()) << t.view();
      count(BasicSpec::Float16);
      break;
    case P::BitInt:
      count(BasicSpec::BitInt);
      s->bitIntWidth = assignment(child(r, P::RuleAssignmentExpression));
      if (cx.lang.std < LangOptions::C2x)
        diags.report(diag::pedantic_syntax, t.range()) << "ISO C has no '_BitInt' before C23";
      break;
    case P::Float128x:
      diags.report(diag::unsupported_type, range(r)) << t.view();
      count(BasicSpec::Int);
      break;
    case P::AtomicSpecifier:
      if (Rule *target = child(r, P::RuleTypeName)) s->atomicType = typeName(target);
      break;
    case P::ContSpecifier:
      if (Rule *target = child(r, P::RuleTypeName)) s->contType = typeName(target);
      break;
    default:                                          // typeof, typeof_unqual
      if (s->typeofType || s->typeofExpr) diags.report(diag::bad_specifiers, range(r)) << "two or more data types";
      s->typeofUnqual = t.type == P::TypeofUnqual;
      if (Rule *target = child(r, P::RuleTypeName)) s->typeofType = typeName(target);
      else s->typeofExpr = comma(child(r, P::RuleExpression));
      break;
  }
}

// ---- struct, union, enum ------------------------------------------------------------------------------------------

RecordSpec *Builder::record(Rule *r) {
  RecordSpec *s = cx.make<RecordSpec>();
  for (Node *c : r->children) {
    switch (rule(c)) {
      case LeafRule:
        if (type(c) == P::Union) s->isUnion = true;
        if (isName(type(c))) {
          s->tag = name(token(c));
          s->tagRange = rangeOf(c);
        }
        break;
      case P::RuleAttribute: attribute(asRule(c), s->attrs); break;
      case P::RuleStructBody:
        s->hasBody = true;
        for (Node *m : asRule(c)->children) {
          if (!isLeaf(m)) {
            structMember(asRule(m), s);
          } else if (type(m) == P::RightBrace) {
            while (pragmaPending(nullptr) && tokens.pragmas[pragmaIndex].range.begin < rangeOf(m).begin)
              if (PragmaDecl *p = nextPragma()) s->members.emplace_back().pragma = p;
          }
        }
        break;
      default: break;
    }
  }
  if (!s->tagRange.valid()) s->tagRange = rangeOf(r->children[0]);
  return s;
}

void Builder::structMember(Rule *r, RecordSpec *s) {
  while (pragmaPending(r))
    if (PragmaDecl *p = nextPragma()) s->members.emplace_back().pragma = p;
  if (!r->exception && r->children.size() == 1 && isLeaf(r->children[0]))
    diags.report(diag::pedantic_syntax, range(r)) << "ISO C forbids a ';' without a member before it";
  if (r->exception || r->children.empty() || isLeaf(r->children[0])) return;      // ';'
  StructMember m;
  if (rule(r->children[0]) == P::RuleStaticAssert) {
    m.sassert = staticAssert(asRule(r->children[0]));
  } else {
    m.specs = cx.make<DeclSpecs>();
    for (Node *c : r->children) {
      if (isLeaf(c)) break;
      if (rule(c) == P::RuleStructDeclarators) structDeclarators(asRule(c), m);
      else specifiersInto(asRule(c), m.specs);
    }
    if (m.fields.empty()) checkNoDeclarator(m.specs);
  }
  s->members.push_back(std::move(m));
}

void Builder::structDeclarators(Rule *r, StructMember &m) {
  Attrs before;                                     // of the next declarator
  for (Node *c : r->children) {
    if (rule(c) == P::RuleAttribute) attribute(asRule(c), before);
    if (rule(c) != P::RuleStructDeclarator) continue;
    FieldDeclarator &field = m.fields.emplace_back();
    field.attrs = std::move(before);
    before.clear();
    for (Node *d : asRule(c)->children) {
      switch (rule(d)) {
        case P::RuleDeclarator: field.declarator = declarator(asRule(d)); break;
        case P::RuleAssignmentExpression: field.width = assignment(asRule(d)); break;
        case P::RuleAttribute:
        case P::RuleGnuAttribute: attribute(asRule(d), field.attrs); break;
        default: break;
      }
    }
  }
}

EnumSpec *Builder::enumeration(Rule *r) {
  EnumSpec *s = cx.make<EnumSpec>();
  for (Node *c : r->children) {
    switch (rule(c)) {
      case LeafRule:
        if (isName(type(c))) {
          s->tag = name(token(c));
          s->tagRange = rangeOf(c);
        }
        break;
      case P::RuleAttribute: attribute(asRule(c), s->attrs); break;
      case P::RuleUnderlyingType: {
        TypeName *t = at<TypeName>(rangeOf(c));
        t->specs = at<DeclSpecs>(rangeOf(c));
        for (Node *u : asRule(c)->children) {
          if (!isLeaf(u)) {
            qualifier(u, t->specs->quals, t->specs, nullptr);
            continue;
          }
          if (isName(type(u))) {
            typedefName(token(u), t->specs);
            continue;
          }
          BasicSpec b = BasicSpec::Int;
          switch (type(u)) {
            case P::Char: b = BasicSpec::Char; break;
            case P::Short: b = BasicSpec::Short; break;
            case P::Long: b = BasicSpec::Long; break;
            case P::Signed: b = BasicSpec::Signed; break;
            case P::Unsigned: b = BasicSpec::Unsigned; break;
            case P::Bool: b = BasicSpec::Bool; break;
            case P::Int128: b = BasicSpec::Int128; break;
            default: break;
          }
          t->specs->counts[static_cast<int>(b)]++;
          t->specs->anyTypeSpec = true;
        }
        s->underlying = t;
        break;
      }
      case P::RuleEnumBody: {
        s->hasBody = true;
        bool comma = true;
        for (Node *e : asRule(c)->children) {
          if (comma && isLeaf(e) && type(e) == P::RightBrace && !s->items.empty() && cx.lang.std < LangOptions::C99)
            diags.report(diag::c99_extension, rangeOf(e)) << "comma at the end of an enumerator list";
          if (isLeaf(e)) {
            if (type(e) == P::Comma) {
              if (comma) diags.report(diag::syntax_expected, rangeOf(e)) << "identifier" << "','";
              comma = true;
            }
            continue;
          }
          comma = false;
          Rule *item = asRule(e);
          EnumSpec::Item i{name(token(item->children[0])), rangeOf(item->children[0]), nullptr, {}};
          for (Node *p : item->children) {
            if (rule(p) == P::RuleAttribute) attribute(asRule(p), i.attrs);
            else if (rule(p) == P::RuleAssignmentExpression) i.value = assignment(asRule(p));
          }
          s->items.push_back(std::move(i));
        }
        break;
      }
      default: break;
    }
  }
  if (!s->tagRange.valid()) s->tagRange = rangeOf(r->children[0]);
  return s;
}

// ---- attributes ---------------------------------------------------------------------------------------------------

// attribute, gnuAttribute, standardAttribute or statementAttribute.
void Builder::attribute(Rule *r, Attrs &out) {
  if (r->getRuleIndex() == P::RuleAttribute) r = asRule(r->children[0]);
  bool standard = type(r->children[0]) == P::AttributeBracket || type(r->children[0]) == P::StatementAttributeBracket;
  if (standard && cx.lang.std < LangOptions::C2x)
    diags.report(diag::pedantic_syntax, range(r)) << "ISO C has no '[[]]' attributes before C2x";
  if (Rule *list = child(r, P::RuleAttributeList)) attributeList(list, standard, out);
}

static bool isStandardAttribute(std::string_view name) {
  for (std::string_view known : {"deprecated", "fallthrough", "maybe_unused", "nodiscard", "noreturn", "_Noreturn",
           "reproducible", "unsequenced"})
    if (name == known) return true;
  return false;
}

void Builder::attributeList(Rule *r, bool standard, Attrs &out) {
  for (Node *c : r->children) {
    if (isLeaf(c)) continue;
    Rule *item = asRule(c);
    Attr *a = at<Attr>(range(item));
    a->standard = standard;
    std::string_view space;
    bool parentheses = false;
    for (Node *n : item->children) {
      parentheses |= type(n) == P::LeftParen;
      if (isName(type(n))) {
        if (!a->name.empty()) space = a->name;
        a->name = name(token(n));
      } else if (rule(n) == P::RuleAttributeArgument) {
        Rule *argument = asRule(asRule(n)->children[0]);
        if (argument->getRuleIndex() == P::RuleTypeName) a->typeArgs.push_back(typeName(argument));
        else a->args.push_back(assignment(argument));
      }
    }
    auto plain = [&](std::string_view s) {
      return s.size() > 4 && s.substr(0, 2) == "__" && s.substr(s.size() - 2) == "__"
                 ? cx.intern(s.substr(2, s.size() - 4))
                 : s;
    };
    a->name = plain(a->name);
    space = plain(space);
    if (standard && space.empty() && !isStandardAttribute(a->name)) {          // [[packed]] is not [[gnu::packed]]
      diags.report(diag::unknown_attribute, a->range) << a->name;
      continue;
    }
    if (standard && space.empty() && parentheses) {
      bool reason = a->name == "deprecated" || a->name == "nodiscard";
      if (!reason) diags.report(diag::attribute_parentheses, a->range) << a->name;
      else if (a->args.empty()) diags.report(diag::attribute_argument, a->range) << a->name << "a string";
    }
    if (!space.empty() && space != "gnu" && space != "clang")
      a->name = cx.intern(std::string(space) + "::" + std::string(a->name));
    if (a->name == "may_alias" && !diags.sources().inSystemHeader(a->range.begin)) unit.typesAlias = true;
    if (a->name == "optimize")
      for (const Expr *option : a->args)
        if (option->kind == ExprKind::StringLit) aliasing(option->as<StringLit>()->bytes, a->range);
    out.push_back(a);
  }
}

}  // namespace cilkc::parsing
