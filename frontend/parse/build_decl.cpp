// build_decl.cpp - declarations, declarators, function definitions and initialisers: parse tree -> AST.
#include "frontend/ast/run.h"
#include "frontend/parse/build.h"
#include "diag/parse.h"

namespace cilkc::parsing {

using P = CilkParser;

// specifier* typeSpecifiers? (declarators | implicitIntDeclaration | ';'), a static assertion, or
// implicitIntDeclaration alone.
Builder::Declared Builder::declaration(Rule *r) {
  Declared result;
  if (r->getRuleIndex() == P::RuleDeclaration && rule(r->children[0]) == P::RuleStaticAssert) {
    result.sassert = staticAssert(asRule(r->children[0]));
    return result;
  }
  Declaration *d = at<Declaration>(range(r));
  d->specs = cx.make<DeclSpecs>();
  result.decl = d;
  if (r->getRuleIndex() == P::RuleImplicitIntDeclaration) {
    Loc start = range(r).begin;
    d->specs->range = Range{start, start};
    return declarators(asRule(r->children[1]), declarator(asRule(r->children[0])), d->specs, d);
  }
  for (Node *c : r->children) {
    switch (rule(c)) {
      case LeafRule: break;
      case P::RuleDeclarators:
      case P::RuleImplicitIntDeclaration: {
        finishSpecifiers(d->specs);
        Rule *list = asRule(c);
        return declarators(asRule(list->children[1]), declarator(asRule(list->children[0])), d->specs, d);
      }
      default: specifiersInto(asRule(c), d->specs); break;
    }
  }
  finishSpecifiers(d->specs);
  checkNoDeclarator(d->specs);
  redeclaresFloat(d->specs);
  return result;
}

// `typedef float _Float32;`: C libraries write this for compilers without `_Float32`; we have it, so drop it.
void Builder::redeclaresFloat(DeclSpecs *s) {
  if (s->storage != StorageClass::Typedef) return;
  int named = 0, others = 0;
  uint8_t *name = nullptr;
  for (int i = 0; i < static_cast<int>(BasicSpec::count_); ++i) {
    auto b = static_cast<BasicSpec>(i);
    bool own = b == BasicSpec::Float32 || b == BasicSpec::Float64 || b == BasicSpec::Float128 ||
               b == BasicSpec::Float32x || b == BasicSpec::Float64x;
    (own ? named : others) += s->counts[i];
    if (own && s->counts[i]) name = &s->counts[i];
  }
  if (named == 1 && others) *name = 0;
}

// `int cilk;` is meant as a declaration of that name.
void Builder::checkNoDeclarator(const DeclSpecs *s) {
  if ((s->record && s->record->hasBody) || (s->enumeration && s->enumeration->hasBody)) return;
  const std::pair<bool, const char *> words[] = {{s->cilk, "cilk"}, {s->inlet, "inlet"}, {s->shared, "shared"},
      {s->priv, "private"}, {s->thread, "thread"}, {s->cont, "cont"}};
  for (auto [written, word] : words)
    if (written) return void(diags.report(diag::cilk_word_as_name, s->cilkRange) << word);
}

// declaratorsRest, after its first declarator.
Builder::Declared Builder::declarators(Rule *r, Declarator *first, DeclSpecs *specs, Declaration *d) {
  Declared result;
  InitDeclarator one;
  one.declarator = first;
  Attrs before;
  bool done = false;                                // with the first
  for (Node *c : r->children) {
    switch (rule(c)) {
      case P::RuleDeclaratorSuffix: declaratorSuffix(asRule(c), first); break;
      case P::RuleFunctionBody: result.function = functionDefinition(asRule(c), specs, first); return result;
      case P::RuleInitializer: one.init = initializer(asRule(c)); break;
      case P::RuleAttribute: attribute(asRule(c), before); break;
      case P::RuleInitDeclarator:
        if (!done) d->declarators.push_back(one);
        done = true;
        d->declarators.push_back(initDeclarator(asRule(c), std::move(before)));
        before.clear();
        break;
      default: break;
    }
  }
  if (!done) d->declarators.push_back(one);
  result.decl = d;
  return result;
}

InitDeclarator Builder::initDeclarator(Rule *r, Attrs before) {
  InitDeclarator result;
  for (Node *c : r->children) {
    switch (rule(c)) {
      case P::RuleDeclarator:
        result.declarator = declarator(asRule(c));
        result.declarator->attrs.insert(result.declarator->attrs.begin(), before.begin(), before.end());
        break;
      case P::RuleDeclaratorSuffix: declaratorSuffix(asRule(c), result.declarator); break;
      case P::RuleInitializer: result.init = initializer(asRule(c)); break;
      default: break;
    }
  }
  return result;
}

void Builder::declaratorSuffix(Rule *r, Declarator *d) {
  Rule *inner = asRule(r->children[0]);
  if (inner->getRuleIndex() == P::RuleGnuAttribute) {
    attribute(inner, d->attrs);
  } else if (Rule *text = child(inner, P::RuleStringLiteral)) {
    d->hasAsmLabel = true;
    d->asmLabel = cx.intern(plainString(text));
  }
}

FunctionDef *Builder::functionDefinition(Rule *body, DeclSpecs *specs, Declarator *d) {
  FunctionDef *f = cx.make<FunctionDef>();
  f->specs = specs;
  f->declarator = d;
  f->range = Range::join(Range::join(specs->range, d->range), range(body));
  f->cilkMode = isCilk(static_cast<Token *>(body->start)->dialect);
  for (Node *c : body->children) {
    if (rule(c) == P::RuleOldStyleParameters) f->krDecls.push_back(oldStyleParameters(asRule(c)));
    else if (rule(c) == P::RuleCompoundStatement) f->body = compound(asRule(c));
  }
  return f;
}

Declaration *Builder::oldStyleParameters(Rule *r) {
  Declaration *d = at<Declaration>(range(r));
  d->specs = cx.make<DeclSpecs>();
  Attrs before;
  for (Node *c : r->children) {
    switch (rule(c)) {
      case LeafRule: break;
      case P::RuleAttribute: attribute(asRule(c), before); break;
      case P::RuleImplicitIntDeclarator: d->declarators.push_back({declarator(asRule(c)), nullptr, nullptr}); break;
      case P::RuleInitDeclarator:
        d->declarators.push_back(initDeclarator(asRule(c), std::move(before)));
        before.clear();
        break;
      default: specifiersInto(asRule(c), d->specs); break;
    }
  }
  return d;
}

StaticAssert *Builder::staticAssert(Rule *r) {
  StaticAssert *s = at<StaticAssert>(range(r));
  s->cond = assignment(child(r, P::RuleAssignmentExpression));
  if (Rule *message = child(r, P::RuleStringLiteral)) s->message = stringLiteral(message);
  return s;
}

FileAsm *Builder::fileAsm(Rule *r) {
  FileAsm *a = at<FileAsm>(range(r));
  a->text = plainString(child(r, P::RuleStringLiteral));
  return a;
}

// ---- declarators --------------------------------------------------------------------------------------------------

Declarator *Builder::declarator(Rule *r) {
  Declarator *d = at<Declarator>(range(r));
  declaratorInto(r, d);
  return d;
}

// The chain from the name outwards: what is inside parentheses, then the suffixes, then the pointers, last one first.
void Builder::declaratorInto(Rule *r, Declarator *d) {
  // In `int (__attribute__((x)) *)(void)` the attribute makes what is in the parentheses look like a parameter that
  // lacks its type.
  auto attributed = [this](Rule *parentheses) -> Rule * {
    Rule *list = child(parentheses, P::RuleParameterList);
    if (!list || list->children.size() != 1 || isLeaf(list->children[0])) return nullptr;
    Rule *p = asRule(list->children[0]);
    size_t n = p->children.size();
    if (n < 2 || rule(p->children[n - 1]) != P::RuleImplicitLooseDeclarator) return nullptr;
    for (size_t i = 0; i + 1 < n; ++i) {
      Node *c = p->children[i];
      if (rule(c) == P::RuleSpecifier) c = asRule(c)->children[0];
      if (rule(c) != P::RuleAttribute) return nullptr;
    }
    return p;
  };
  for (Node *c : r->children) {
    switch (rule(c)) {
      case LeafRule:
        if (isName(type(c))) {
          d->name = name(token(c));
          d->nameRange = rangeOf(c);
        }
        break;
      case P::RuleDirectDeclarator:
      case P::RuleLooseDirectDeclarator:
      case P::RuleDeclarator:
      case P::RuleLooseDeclarator:
      case P::RuleImplicitLooseDeclarator: declaratorInto(asRule(c), d); break;
      case P::RuleLooseParentheses: {
        Rule *p = asRule(c);
        if (child(p, P::RuleLooseDeclarator)) declaratorInto(p, d);
        else if (Rule *inner = attributed(p)) declaratorInto(inner, d);
        else d->chunks.push_back(functionSuffix(p));
        break;
      }
      case P::RuleSpecifier: attribute(asRule(asRule(c)->children[0]), d->attrs); break;      // see `attributed`
      case P::RuleAttribute:
      case P::RuleGnuAttribute:
      case P::RuleStandardAttribute: attribute(asRule(c), d->attrs); break;
      case P::RuleArraySuffix: d->chunks.push_back(arraySuffix(asRule(c))); break;
      case P::RuleFunctionSuffix: d->chunks.push_back(functionSuffix(asRule(c))); break;
      default: break;
    }
  }
  pointersInto(r, d);
}

void Builder::pointersInto(Rule *r, Declarator *d) {
  size_t n = 0;
  while (n < r->children.size() && rule(r->children[n]) == P::RulePointer) n++;
  while (n--) {
    Rule *p = asRule(r->children[n]);
    DeclChunk &chunk = d->chunks.emplace_back();
    chunk.kind = type(p->children[0]) == P::CilkReducer ? DeclChunk::Reducer : DeclChunk::Pointer;
    chunk.range = range(p);
    for (Node *c : p->children) {
      if (rule(c) == P::RuleTypeQualifier) qualifier(c, chunk.quals, nullptr, &chunk);
      else if (rule(c) == P::RuleAttribute) attribute(asRule(c), chunk.attrs);
      else if (rule(c) == P::RuleAssignmentExpression)
        (chunk.identity ? chunk.reduce : chunk.identity) = assignment(asRule(c));
    }
  }
}

DeclChunk Builder::arraySuffix(Rule *r) {
  DeclChunk chunk;
  chunk.kind = DeclChunk::Array;
  chunk.range = range(r);
  for (Node *c : r->children) {
    switch (rule(c)) {
      case LeafRule:
        if (type(c) == P::Static) chunk.isStatic = true;
        if (type(c) == P::Star) chunk.star = true;
        break;
      case P::RuleTypeQualifier: qualifier(c, chunk.quals, nullptr, &chunk); break;
      case P::RuleAttribute:
      case P::RuleStandardAttribute: attribute(asRule(c), chunk.attrs); break;
      case P::RuleAssignmentExpression: chunk.size = assignment(asRule(c)); break;
      default: break;
    }
  }
  return chunk;
}

// functionSuffix, or looseParentheses that hold parameters.
DeclChunk Builder::functionSuffix(Rule *r) {
  DeclChunk chunk;
  chunk.kind = DeclChunk::Function;
  chunk.range = range(r);
  chunk.prototype = false;
  for (Node *c : r->children) {
    switch (rule(c)) {
      case P::RuleStandardAttribute: attribute(asRule(c), chunk.attrs); break;
      case P::RuleParameterList:
        chunk.prototype = true;
        parameters(asRule(c), chunk);
        break;
      case P::RuleIdentifierList:
        for (Node *n : asRule(c)->children)
          if (isName(type(n))) chunk.krNames.emplace_back(name(token(n)), rangeOf(n));
        break;
      default: break;
    }
  }
  return chunk;
}

void Builder::parameters(Rule *list, DeclChunk &chunk) {
  for (Node *c : list->children) {
    if (isLeaf(c)) {
      // they were forward declarations: sizes may name what comes later
      if (type(c) == P::Semicolon) {
        chunk.params.clear();
        chunk.star = true;
      }
      continue;
    }
    Rule *p = asRule(c);
    if (chunk.variadic) diags.report(diag::ellipsis_not_last, range(p));
    if (type(p->children[0]) == P::Ellipsis) chunk.variadic = true;
    else chunk.params.push_back(parameter(p));
  }
}

ParamDecl *Builder::parameter(Rule *r) {
  ParamDecl *p = at<ParamDecl>(range(r));
  p->specs = cx.make<DeclSpecs>();
  for (Node *c : r->children) {
    switch (rule(c)) {
      case P::RuleLooseDeclarator:
      case P::RuleImplicitLooseDeclarator: p->declarator = declarator(asRule(c)); break;
      default: specifiersInto(asRule(c), p->specs); break;
    }
  }
  finishSpecifiers(p->specs);
  return p;
}

TypeName *Builder::typeName(Rule *r) {
  TypeName *t = at<TypeName>(range(r));
  t->specs = cx.make<DeclSpecs>();
  for (Node *c : r->children) {
    switch (rule(c)) {
      case P::RuleLooseDeclarator:
      case P::RuleImplicitLooseDeclarator: t->declarator = declarator(asRule(c)); break;
      default: specifiersInto(asRule(c), t->specs); break;
    }
  }
  finishSpecifiers(t->specs);
  if (t->declarator && !t->declarator->name.empty()) {
    diags.report(diag::name_in_type_name, t->declarator->nameRange) << t->declarator->name;
    t->declarator->name = {};
  }
  return t;
}

// ---- initialisers -------------------------------------------------------------------------------------------------

Initializer *Builder::initializer(Rule *r) {
  Initializer *i = at<Initializer>(range(r));
  Rule *inner = asRule(r->children[0]);
  if (inner->getRuleIndex() == P::RuleBracedInitializer) i->list = bracedInitializer(inner);
  else i->expr = assignment(inner);
  return i;
}

InitList *Builder::bracedInitializer(Rule *r) {
  InitList *list = at<InitList>(range(r));
  list->items.reserve(r->children.size() / 2);
  bool comma = true;                                // a comma here would have nothing before it
  for (Node *c : r->children) {
    if (!isLeaf(c)) {
      list->items.push_back(initializerItem(asRule(c)));
      comma = false;
    } else if (type(c) == P::Comma) {
      if (comma) diags.report(diag::empty_initializer_place, rangeOf(c));
      comma = true;
    }
  }
  return list;
}

InitItem Builder::initializerItem(Rule *r) {
  InitItem item;
  for (Node *c : r->children) {
    switch (rule(c)) {
      case LeafRule:
        if (type(c) == P::ConstantRun) {
          item.run = cx.make<ConstantRun>();
          *item.run = {token(c).view(), token(c).range().begin, token(c).elements};
        } else if (isName(type(c))) {                 // GNU's old form f: value
          Designator d;
          d.field = name(token(c));
          d.range = rangeOf(c);
          item.designators.push_back(d);
          diags.report(diag::pedantic_syntax, rangeOf(c))
              << "ISO C has no designators with ':', write '." + std::string(d.field) + " ='";
        }
        break;
      case P::RuleDesignator: {
        Designator d;
        d.range = rangeOf(c);
        for (Node *n : asRule(c)->children) {
          if (isName(type(n))) d.field = name(token(n));
          else if (!isLeaf(n)) (d.lo ? d.hi : d.lo) = assignment(asRule(n));
        }
        item.designators.push_back(d);
        break;
      }
      default: item.init = initializer(asRule(c)); break;
    }
  }
  if (cx.lang.std < LangOptions::C99 && !item.designators.empty())
    diags.report(diag::c99_extension, item.designators[0].range) << "designators in initialisers";
  else if (rule(r->children[0]) == P::RuleDesignator && r->children.size() == item.designators.size() + 1 &&
           !r->exception)
    diags.report(diag::pedantic_syntax, item.designators[0].range) << "ISO C has no designators without '='";
  return item;
}

}  // namespace cilkc::parsing
