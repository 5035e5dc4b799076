// inlets.cpp - an inlet becomes a static function before the procedure. What it uses of the procedure's
// variables it gets as pointers:
//
//     cilk int fib(int n) {                              static void fib_add(int *const x, int r) { *x += r; }
//         int x = 0;                                     int fib(int n) {
//         inlet void add(int r) { x += r; }       =>         int x = 0;
//         add(spawn fib(n - 1));                             fib_add(&x, fib(n - 1));
//
// Pointers are not null and not changed, so nothing else about the body changes: each use of x is a use of *x. Sizes of
// arrays that are known at run time only are passed before the array: `int m[n][3]` arrives as
// `unsigned long m_0, int (*const m)[m_0][3]`. For a spawn without a value, inl(spawn v(a), k) becomes v(a), inl(k). A
// variable that macros name in the inlet's text is #defined as (*itself) in the body.
#include "frontend/elide/inlets.h"
#include <algorithm>
#include <cctype>
#include <memory>
#include <unordered_map>
#include "frontend/ast/query.h"
#include "frontend/elide/uses.h"
#include "diag/main.h"

namespace cilkc {

namespace {

struct Lifted {
  const FunctionDef *def = nullptr;
  std::string name;
  std::vector<const VarDecl *> captured;
  std::vector<std::pair<std::string, std::string>> passed;  // the parameters and arguments for it, in order
};

class Inlets {
public:
  Inlets(const TranslationUnit &tu, const SourceManager &sm, DiagnosticEngine &d, const TextOf &t, bool nested,
      std::unordered_set<std::string> &taken)
      : tu(tu), sm(sm), diags(d), textOf(t), keepNested(nested), taken(taken), names(typedefNames(tu)) {}

  void run() {
    for (const ExternalDecl &d : tu.decls)
      if (d.function && d.function->fn && d.function->fn->isCilk && !d.function->fn->inlets.empty())
        procedure(d.function);
  }

private:
  const TranslationUnit &tu;
  const SourceManager &sm;
  DiagnosticEngine &diags;
  TextOf textOf;
  bool keepNested;
  std::unordered_set<std::string> &taken;
  TypeNames names;
  const FunctionDef *owner = nullptr;

  void cannot(const FunctionDecl *inlet, Range where, std::string_view why) {
    diags.report(diag::elide_inlet, where) << inlet->name << owner->fn->name << why;
  }

  EditedText *place(Range r, uint32_t &begin, uint32_t &end) { return placeOf(sm, textOf, r, begin, end); }

  void procedure(const FunctionDef *f) {
    owner = f;
    Procedure p;
    p.walk(f);
    std::unordered_map<const FunctionDecl *, Lifted> lifted;
    for (const FunctionDecl *in : f->fn->inlets) {
      if (!in->isInlet || !in->def) continue;
      Lifted l;
      l.def = in->def;
      l.name = std::string(in->name);
      if (keepNested ? !newHead(l) : !lift(l, p)) continue;
      lifted.emplace(in, std::move(l));
    }
    for (const Procedure::InletCall &c : p.calls) {
      auto it = lifted.find(c.call->inlet);
      if (it != lifted.end()) call(c, it->second);
    }
  }

  // An inlet that stays nested: an old-style head is rewritten, since a call must convert the arguments.
  bool newHead(const Lifted &l) {
    const FunctionDecl *in = l.def->fn;
    if (l.def->krDecls.empty()) return true;
    uint32_t begin = 0, end = 0;
    EditedText *text = place(l.def->range, begin, end);
    size_t body = text ? text->tokenAt(begin) : EditedText::npos;
    if (body == EditedText::npos)
      return cannot(in, l.def->declarator->nameRange, "its definition is in a macro"), false;
    while (body < text->tokens().size() && !text->is(body, "{")) ++body;
    std::string head = "void " + l.name + "(";
    for (const VarDecl *v : in->params) head += (head.back() == '(' ? "" : ", ") + declToC(v->type, v->name, names);
    text->replace(begin, text->tokens()[body - 1].end, head + ")");
    return true;
  }

  std::string freshName(std::string_view inlet) {
    std::string base = std::string(owner->fn->name == "cilk_main" ? std::string_view("main") : owner->fn->name) + "_" +
                       std::string(inlet),
                name = base;
    for (int n = 2; taken.count(name); ++n) name = base + "_" + std::to_string(n);
    taken.insert(name);
    return name;
  }

  static uint32_t declaredAt(const Type *t) {
    return t->isRecord() ? t->as<RecordType>()->rangeBegin : t->isEnum() ? t->as<EnumType>()->rangeBegin : 0;
  }
  bool inOwner(uint32_t at) const { return at >= owner->range.begin.raw && at < owner->range.end.raw; }
  // The first part of the type that is declared in the procedure (and not in [from, to)); null if there is none.
  const Type *localPart(const Type *t, uint32_t from, uint32_t to, int depth = 0) {
    if (depth > 30) return nullptr;
    switch (t->kind) {
      case TypeKind::Pointer: return localPart(t->as<PointerType>()->pointee.type, from, to, depth + 1);
      case TypeKind::Array: return localPart(t->as<ArrayType>()->elem.type, from, to, depth + 1);
      case TypeKind::Function: {
        const auto *f = t->as<FunctionType>();
        if (const Type *l = localPart(f->result.type, from, to, depth + 1)) return l;
        for (QualType p : f->params)
          if (const Type *l = localPart(p.type, from, to, depth + 1)) return l;
        return nullptr;
      }
      case TypeKind::Enum:  // passes as the integer type that it is compatible with
        if (const auto *e = t->as<EnumType>();
            (inOwner(declaredAt(t)) || e->tag.empty()) && e->underlying && !names.count(t)) {
          names.emplace(t, keepName(toString(e->underlying)));
        }
        return nullptr;
      case TypeKind::Record: {
        uint32_t at = declaredAt(t);
        bool inside = inOwner(at) && !(at >= from && at < to) && !hoisted.count(t);
        for (const auto &r : hoistedRanges) inside = inside && !(at >= r.first && at < r.second);
        return inside ? t : nullptr;
      }
      default: return nullptr;
    }
  }

  std::unordered_set<const Type *> hoisted;  // local types that are at file scope now
  std::vector<std::pair<uint32_t, uint32_t>> hoistedRanges;  // ... with what is inside them

  // Is the word used in the file outside the procedure?
  bool usedElsewhere(const EditedText &text, std::string_view word) {
    uint32_t b = 0, e = 0;
    if (!place(owner->range, b, e)) return true;
    for (size_t i = 0; i < text.tokens().size(); ++i)
      if ((text.tokens()[i].begin < b || text.tokens()[i].begin >= e) && text.spelling(i) == word) return true;
    return false;
  }

  // `enum tag` of an enumeration that the procedure declares, in text that moves to file scope: becomes the type's
  // integer type. False: it can't.
  bool namedByNumber(const EnumSpec *e, const Procedure &p, EditedText *text, uint32_t from, uint32_t to) {
    size_t local = 0, within = 0;
    auto range = p.enumNames.equal_range(e->tag);
    for (auto it = range.first; it != range.second; ++it)
      if (it->second->hasBody) {
        ++local;
        uint32_t at = it->second->tagRange.begin.raw;
        if (at >= from && at < to) ++within;
      }
    if (local == within) return true;
    auto types = p.enumTypes.find(e->tag);
    uint32_t b = 0, end = 0;
    if (local > 1 || types == p.enumTypes.end() || types->second.size() != 1 || place(e->tagRange, b, end) != text)
      return false;
    size_t k = text->tokenAt(b);
    if (k == EditedText::npos || k == 0 || !text->is(k - 1, "enum")) return false;
    text->replace(text->tokens()[k - 1].begin, end, toString((*types->second.begin())->underlying));
    return true;
  }

  // What text names that is to move to file scope: local types move first, constants become numbers. False: it can't
  // move. [from, to): where it is.
  bool detach(const Uses &u, const Procedure &p, EditedText *text, uint32_t from, uint32_t to) {
    auto within = [&](uint32_t at) { return at >= from && at < to; };
    if (!u.captured.empty()) return false;
    for (std::string_view t : u.localTypedefs)
      if (!hoistTypedef(t, p, text)) return false;
    for (const RecordType *r : u.records)
      if (const Type *local = localPart(r, from, to))
        if (!hoist(local, p, text, r->tag)) return false;
    for (const EnumSpec *e : u.enums)
      if (!namedByNumber(e, p, text, from, to)) return false;
    for (const auto &[id, decl] : u.idents) {
      if (decl->kind != DeclKind::EnumConst || !inOwner(decl->range.begin.raw) || within(decl->range.begin.raw))
        continue;
      uint32_t b = 0, e = 0;
      if (place(id->range, b, e) != text || text->text().substr(b, e - b) != id->name) return false;
      text->replace(b, e, constantText(decl->as<EnumConstDecl>()));
    }
    return true;
  }

  // Do the constants of an enumeration that moves to file scope mean something else there?
  bool constantsClash(const Type *t, const EditedText &text) {
    if (!t->isEnum()) return false;
    for (const Enumerator &c : t->as<EnumType>()->constants)
      if (usedElsewhere(text, c.name) || !fileScope.insert(std::string(c.name)).second) return true;
    return false;
  }
  std::unordered_set<std::string> fileScope;  // names of types and constants that moved there

  // Moves the definition of a local record to file scope. False: it can't be.
  bool hoist(const Type *t, const Procedure &p, EditedText *text, std::string_view hint) {
    Loc at{declaredAt(t)};
    uint32_t b = 0, e = 0;
    if (place(Range{at, Loc{at.raw + 1}}, b, e) != text) return false;
    size_t k = text->tokenAt(b);
    if (k == EditedText::npos) return false;
    bool anonymous = text->is(k, "struct") || text->is(k, "union");
    size_t keyword = anonymous ? k : k - 1, open = k + 1;
    if (!text->is(open, "{") || !(text->is(keyword, "struct") || text->is(keyword, "union"))) return false;
    size_t close = text->closing(open);
    if (close == EditedText::npos || text->is(close + 1, "__attribute__")) return false;
    const auto &tokens = text->tokens();
    std::string tag(anonymous ? std::string_view() : text->spelling(k));
    const RecordSpec *definition = nullptr;
    auto mentions = p.recordNames.equal_range(t);
    for (auto it = mentions.first; it != mentions.second; ++it) {
      uint32_t nb = 0, ne = 0;
      if (it->second->hasBody) definition = it->second;
      // `struct tag;` would declare another one
      else if (place(it->second->tagRange, nb, ne) != text || text->is(text->tokenAt(nb) + 1, ";")) return false;
    }
    if (!definition) return false;
    hoisted.insert(t);  // first: a record may point to itself
    for (const FieldDecl *f : t->as<RecordType>()->fields) {
      if (const Type *inner = localPart(f->type.type, at.raw, at.raw))
        if (!(tokens[open].begin < tokenOffset(inner) && tokenOffset(inner) < tokens[close].end) &&
            !hoist(inner, p, text, f->name))
          return false;
      if (uint32_t where = declaredAt(f->type.type); where > at.raw && inOwner(where) &&
                                                     tokenOffset(f->type.type) < tokens[close].end &&
                                                     constantsClash(f->type.type, *text))
        return false;
    }
    DeclSpecs alone;
    RecordSpec copy = *definition;
    alone.record = &copy;
    Uses u(nullptr, p.typedefs);
    u.walk(&alone);
    if (!detach(u, p, text, at.raw, definition->members.empty() ? at.raw : owner->range.end.raw)) return false;
    if (anonymous) {
      tag = freshName(hint);
      text->insert(tokens[keyword].end, " " + tag);
    } else if (usedElsewhere(*text, tag) || !fileScope.insert(tag).second) {
      std::string fresh = freshName(tag);  // another type has the name there
      for (auto it = mentions.first; it != mentions.second; ++it) {
        uint32_t nb = 0, ne = 0;
        place(it->second->tagRange, nb, ne);
        text->replace(nb, ne, fresh);
      }
      tag = fresh;
    }
    names[t] = keepName(std::string(text->spelling(keyword)) + " " + tag);
    pending.push_back({text, tokens[open].begin, tokens[close].end, indentationAt(*text, tokens[keyword].begin), owner,
        std::string(names[t]) + " ", ";"});
    uint32_t from = tokens[open].begin;
    while (from > tokens[k].end &&
           (text->text()[from - 1] == ' ' || text->text()[from - 1] == '\t' || text->text()[from - 1] == '\n'))
      --from;
    if (text->is(close + 1, ";") && !anonymous) {  // nothing but the type was declared
      text->moveAway(tokens[keyword].begin, tokens[open].begin);
      text->moveAway(tokens[close].end, tokens[close + 1].end);
    } else if (from < tokens[open].begin) {
      text->moveAway(from, tokens[open].begin);
    }
    text->moveAway(tokens[open].begin, tokens[close].end);
    return true;
  }
  uint32_t tokenOffset(const Type *t) {
    uint32_t b = 0, e = 0;
    Loc at{declaredAt(t)};
    place(Range{at, Loc{at.raw + 1}}, b, e);
    return b;
  }
  static std::string indentationAt(const EditedText &text, uint32_t at) {
    uint32_t b = at;
    while (b > 0 && text.text()[b - 1] != '\n') --b;
    uint32_t e = b;
    while (e < at && (text.text()[e] == ' ' || text.text()[e] == '\t')) ++e;
    return std::string(text.text().substr(b, e - b));
  }

  // The same for a local typedef, with the whole declaration.
  bool hoistTypedef(std::string_view name, const Procedure &p, EditedText *text) {
    if (p.typedefDeclarations.count(name) != 1) return false;
    const Declaration *d = p.typedefDeclarations.find(name)->second;
    for (const auto &r : hoistedRanges)
      if (r.first == d->range.begin.raw) return true;
    uint32_t b = 0, e = 0;
    if (place(d->range, b, e) != text || e <= b || usedElsewhere(*text, name)) return false;
    size_t last = 0;
    while (last < text->tokens().size() && text->tokens()[last].end < e) ++last;
    if (text->text()[e - 1] != ';') {
      if (!text->is(last + 1, ";")) return false;
      e = text->tokens()[last + 1].end;
    }
    for (const InitDeclarator &i : d->declarators)
      if (!i.decl || isVariablyModified(i.decl->type.type) || constantsClash(i.decl->type.type, *text) ||
          !fileScope.insert(std::string(i.decl->name)).second)
        return false;
    hoistedRanges.emplace_back(d->range.begin.raw, d->range.end.raw);
    Uses u(nullptr, p.typedefs);
    u.walk(d);
    u.localTypedefs.erase(std::remove(u.localTypedefs.begin(), u.localTypedefs.end(), name), u.localTypedefs.end());
    if (!detach(u, p, text, d->range.begin.raw, d->range.end.raw)) return false;
    for (const InitDeclarator &i : d->declarators) {
      const Type *l = localPart(i.decl->type.type, 0, 0);
      if (l && !hoist(l, p, text, i.decl->name)) return false;
      const Type *t = i.decl && i.decl->kind == DeclKind::Typedef ? i.decl->type.type : nullptr;
      if (t && ((t->isRecord() && t->as<RecordType>()->tag.empty()) || (t->isEnum() && t->as<EnumType>()->tag.empty())))
        names.emplace(t, i.decl->name);
    }
    std::string indentation = indentationAt(*text, b);
    uint32_t lineBegin = b, lineEnd = e;
    while (lineBegin > 0 && (text->text()[lineBegin - 1] == ' ' || text->text()[lineBegin - 1] == '\t')) --lineBegin;
    if (lineEnd < text->text().size() && text->text()[lineEnd] == '\n' &&
        (lineBegin == 0 || text->text()[lineBegin - 1] == '\n')) {
      text->moveAway(lineBegin, b);
      text->moveAway(e, lineEnd + 1);
    }
    text->moveAway(b, e);
    pending.push_back({text, b, e, indentation, owner, "", ""});
    return true;
  }

  static bool variable(std::string_view name, const Procedure &p) {
    auto all = p.typedefDeclarations.equal_range(name);
    return std::any_of(all.first, all.second, [&](const auto &d) {
      return std::any_of(d.second->declarators.begin(), d.second->declarators.end(), [&](const InitDeclarator &i) {
        return i.decl && i.decl->name == name && isVariablyModified(i.decl->type.type);
      });
    });
  }

  bool unspeakable(const Type *t) const {  // an anonymous record without a typedef at file scope
    if (t->isPointer()) return unspeakable(t->as<PointerType>()->pointee.type);
    if (t->isArray()) return unspeakable(t->as<ArrayType>()->elem.type);
    if (t->isRecord()) return t->as<RecordType>()->tag.empty() && !names.count(t);
    if (t->isEnum()) return false;
    return false;
  }

  // Names for the sizes of arrays of variable length in a captured variable's type, with what to pass for each. False:
  // some part of the type is neither array nor pointer, and has a size that is known at run time only.
  bool sizes(const VarDecl *v, Lifted &l) {
    std::string path(v->name);
    int n = 0;
    for (const Type *t = v->type.type;;) {
      if (t->isPointer()) {
        t = t->as<PointerType>()->pointee.type;
      } else if (t->isArray()) {
        const auto *a = t->as<ArrayType>();
        bool variable = a->arrayKind == ArrayKind::Variable || a->arrayKind == ArrayKind::Star;
        if (variable && !names.count(a)) {
          std::string name;
          do name = std::string(v->name) + "_" + std::to_string(n++);
          while (taken.count(name));
          l.passed.emplace_back("unsigned long " + name, "sizeof " + path + " / sizeof " + path + "[0]");
          names.emplace(a, keepName(name));
          sizeNames.push_back(a);
        }
        t = a->elem.type;
      } else {
        return !isVariablyModified(t);
      }
      path += "[0]";
    }
  }
  std::vector<const Type *> sizeNames;  // in `names` for the inlet in hand only

  std::string parameter(const VarDecl *v) const {
    std::string n(v->name);
    return declToC(v->type, v->type->isArray() || v->type->isFunction() ? "(*const " + n + ")" : "*const " + n, names);
  }

  // An enumeration constant's value as an expression of its type.
  static std::string constantText(const EnumConstDecl *e) {
    __int128 v = e->value;
    bool wide = v > 0x7fffffff || v<-0x7fffffff, positive = v> INT64_MAX;
    std::string suffix =
        wide ? positive || (e->type && !e->type->isEnum() && e->type->kind == TypeKind::ULong) ? "UL" : "L" : "";
    if (v == INT64_MIN) return "(-9223372036854775807L - 1)";
    return v < 0 ? "(-" + std::to_string(static_cast<unsigned long long>(-v)) + suffix + ")"
                 : std::to_string(static_cast<unsigned long long>(v)) + suffix;
  }

  // A function or an object that has its only declaration so far in the procedure: declares it before the inlet, too.
  bool declareOutside(const Decl *d, EditedText *text) {
    if (d->kind == DeclKind::Function &&
        (d->as<FunctionDecl>()->isInlet || d->as<FunctionDecl>()->builtin || d->as<FunctionDecl>()->implicit))
      return true;
    if (!declaredBefore.count(owner)) {
      auto &known = declaredBefore[owner];
      for (const ExternalDecl &x : tu.decls) {
        if (x.function == owner) break;
        if (x.function && x.function->fn) known.insert(x.function->fn->name);
        if (x.decl)
          for (const InitDeclarator &i : x.decl->declarators)
            if (i.decl) known.insert(i.decl->name);
      }
      known.insert(owner->fn->name);
    }
    if (!declaredBefore[owner].insert(d->name).second) return true;
    if (localPart(d->type.type, 0, 0) || unspeakable(d->type.type) || isVariablyModified(d->type.type)) return false;
    uint32_t at = 0, end = 0;
    place(owner->range, at, end);
    pending.push_back({text, at, at, "", owner, "extern " + declToC(d->type, d->name, names) + ";", ""});
    return true;
  }
  std::unordered_map<const FunctionDef *, std::unordered_set<std::string_view>> declaredBefore;

  // How often the preprocessed text has this word, outside of literals.
  size_t wordsIn(Range r, std::string_view word) const {
    std::string s(sm.text().substr(r.begin.offset(), r.end.offset() - r.begin.offset()));
    char quote = 0;
    for (size_t i = 0; i < s.size(); ++i) {
      char c = s[i];
      if (quote) s[i] = ' ';
      if (quote && c == '\\' && i + 1 < s.size()) s[++i] = ' ';
      else if (quote ? c == quote || c == '\n' : c == '"' || c == '\'') quote = quote ? 0 : c;
    }
    auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; };
    size_t n = 0;
    for (size_t at = s.find(word); at != std::string_view::npos; at = s.find(word, at + 1))
      n += (at == 0 || !part(s[at - 1])) && (at + word.size() == s.size() || !part(s[at + word.size()]));
    return n;
  }

  // An inlet on its way out of the procedure.
  struct Lifting {
    Lifted &l;
    const Procedure &p;
    const FunctionDecl *in;
    Uses u;
    EditedText *text = nullptr;
    uint32_t begin = 0, end = 0, nameBegin = 0, nameEnd = 0;  // the definition in it, and the name
    // variables that macros name: a macro for *itself in the body
    std::vector<const VarDecl *> byMacro{};
    Lifting(Lifted &l, const Procedure &p) : l(l), p(p), in(l.def->fn), u(l.def->fn, p.typedefs) {
      u.walk(l.def->specs);
      u.walk(l.def);
    }
    bool written(uint32_t b, uint32_t e, std::string_view name) const {
      return b >= begin && e <= end && text->text().substr(b, e - b) == name;
    }
  };
  bool unable(const Lifting &x, const std::string &why) {
    return cannot(x.in, x.l.def->declarator->nameRange, why), false;
  }

  bool lift(Lifted &l, const Procedure &p) {
    Lifting x(l, p);
    x.text = place(l.def->range, x.begin, x.end);
    if (!x.text || x.text != place(l.def->declarator->nameRange, x.nameBegin, x.nameEnd))
      return unable(x, "its definition is in a macro");
    if (!moveTypes(x) || !editUses(x) || !addressable(x)) return false;
    size_t name = x.text->tokenAt(x.nameBegin), open = name + 1;
    size_t close = name != EditedText::npos && x.text->is(open, "(") ? x.text->closing(open) : EditedText::npos;
    if (close == EditedText::npos || x.text->tokenAt(x.begin) == EditedText::npos)
      return unable(x, "its declarator is unusual");
    if (!editHead(x, name, open, close) || !bracketMacros(x, close + 1)) return false;
    takeAway(x);
    return true;
  }

  // A type that the procedure declares and the inlet names moves with it; so do declarations. The sizes of arrays
  // become parameters.
  bool moveTypes(Lifting &x) {
    uint32_t from = x.l.def->range.begin.raw, to = x.l.def->range.end.raw;
    auto uses = [&](const char *what, std::string_view name, const char *rest) {
      return unable(x, std::string(what) + " '" + std::string(name) + "'" + rest);
    };
    auto hoistParts = [&](const Type *t, std::string_view hint) {
      while (const Type *local = localPart(t, from, to))
        if (!hoist(local, x.p, x.text, hint)) return false;
      return true;
    };
    for (std::string_view t : x.u.localTypedefs)
      if (!hoistTypedef(t, x.p, x.text))
        return uses("it uses the type", t,
            variable(t, x.p) ? " of variable length of the procedure: repeat its typedef in the inlet"
                             : " of the procedure");
    for (const RecordType *r : x.u.records)
      if (!hoistParts(r, r->tag)) return uses("it uses the type", r->tag, " of the procedure");
    for (const EnumSpec *e : x.u.enums)
      if (!namedByNumber(e, x.p, x.text, from, to)) return uses("it uses the type", e->tag, " of the procedure");
    for (const Type *t : sizeNames) names.erase(t);
    sizeNames.clear();
    for (const VarDecl *v : x.u.captured) {
      if (!hoistParts(v->type.type, v->name))
        return uses("it uses", v->name, ", whose type is declared in the procedure");
      if (unspeakable(v->type.type)) return uses("the type of", v->name, " has no name");
      if (isVariablyModified(v->type.type) && !sizes(v, x.l))
        return uses("it uses", v->name, ", whose type has a variable length");
    }
    for (const VarDecl *v : x.u.own)
      if (!hoistParts(v->type.type, v->name))
        return uses("it uses", v->name, ", whose type is declared in the procedure");
    for (const Decl *d : x.u.outside)
      if (!declareOutside(d, x.text)) return uses("it uses", d->name, ", which is declared in the procedure");
    return true;
  }

  // Each use of a captured variable is one of what its pointer leads to; constants of the procedure become numbers.
  bool editUses(Lifting &x) {
    EditedText *text = x.text;
    std::unordered_map<const Decl *, size_t> times;
    auto isByMacro = [&](const Decl *d) { return std::find(x.byMacro.begin(), x.byMacro.end(), d) != x.byMacro.end(); };
    for (const auto &[id, decl] : x.u.idents) {
      uint32_t b = 0, e = 0;
      ++times[decl];
      bool written = place(id->range, b, e) == text && x.written(b, e, id->name);
      if (!written && decl->kind == DeclKind::Var && !isByMacro(decl)) x.byMacro.push_back(decl->as<VarDecl>());
    }
    for (const VarDecl *v : x.byMacro)
      if (wordsIn(x.l.def->range, v->name) != times[v])
        return unable(x, "'" + std::string(v->name) +
                             "' is used in it by way of a macro, and the name means something else there, too");
    for (const auto &[id, decl] : x.u.idents) {
      if (isByMacro(decl)) continue;
      if (decl->kind == DeclKind::EnumConst &&
          !(owner->range.begin < decl->range.begin && decl->range.begin < x.l.def->range.begin))
        continue;
      uint32_t b = 0, e = 0;
      if (place(id->range, b, e) != text || !x.written(b, e, id->name))
        return cannot(x.in, id->range, "'" + std::string(id->name) + "' is used in it by way of a macro"), false;
      if (decl->kind == DeclKind::EnumConst) {
        text->replace(b, e, constantText(decl->as<EnumConstDecl>()));
        continue;
      }
      size_t k = text->tokenAt(b);
      bool plain = k != EditedText::npos && k > 0 &&
                   (text->is(k - 1, ";") || text->is(k - 1, "{") || text->is(k - 1, "}")) &&
                   text->spelling(k + 1).size() <= 3 && text->spelling(k + 1).back() == '=' && !text->is(k + 1, "==");
      if (k != EditedText::npos && text->is(k + 1, "."))
        text->replace(b, text->tokens()[k + 1].end, std::string(id->name) + "->");
      else text->replace(b, e, plain ? "*" + std::string(id->name) : "(*" + std::string(id->name) + ")");
    }
    return true;
  }

  // The address of a captured variable is passed, so it is not a register any more.
  bool addressable(Lifting &x) {
    for (const VarDecl *v : x.u.captured) {
      auto r = x.p.registers.find(v);
      uint32_t b = 0, e = 0;
      if (r == x.p.registers.end()) continue;
      EditedText *t = place(r->second, b, e);
      size_t k = t ? t->tokenAt(b) : EditedText::npos;
      if (k == EditedText::npos)
        return cannot(x.in, r->second, "'" + std::string(v->name) + "' is a register variable"), false;
      t->erase(k);
    }
    return true;
  }

  // The tokens of the name and of the parentheses of its parameters. An old-style head is rewritten.
  bool editHead(Lifting &x, size_t name, size_t open, size_t close) {
    EditedText *text = x.text;
    x.l.name = freshName(x.in->name);
    x.l.captured = x.u.captured;
    for (const VarDecl *v : x.l.captured) x.l.passed.emplace_back(parameter(v), "&" + std::string(v->name));
    std::string captured;
    for (const auto &c : x.l.passed) captured += (captured.empty() ? "" : ", ") + c.first;
    const auto &tokens = text->tokens();
    if (!x.l.def->krDecls.empty()) {
      std::string head = "static void " + x.l.name + "(" + captured;
      for (const VarDecl *v : x.in->params)
        if (isVariablyModified(v->type.type))
          return unable(x, "its parameter '" + std::string(v->name) + "' has a variable length");
      for (const VarDecl *v : x.in->params) head += (head.back() == '(' ? "" : ", ") + declToC(v->type, v->name, names);
      size_t body = close + 1;
      while (body < tokens.size() && !text->is(body, "{")) ++body;
      text->replace(x.begin, tokens[body - 1].end, head + ")");
      return true;
    }
    bool isStatic = false;
    size_t first = text->tokenAt(x.begin);
    for (size_t k = first; k < name; ++k) isStatic = isStatic || text->is(k, "static");
    for (size_t k = first; k < name; ++k)
      if (text->is(k, "inlet")) {
        if (isStatic) text->erase(k);
        else text->replace(tokens[k].begin, tokens[k].end, "static");
        isStatic = true;
      }
    text->replace(x.nameBegin, x.nameEnd, x.l.name);
    if (x.in->params.empty()) {
      if (!captured.empty() || close == open + 1)
        text->replace(tokens[open].end, tokens[close].begin, captured.empty() ? "void" : captured);
    } else if (!captured.empty()) {
      text->insert(tokens[open].end, captured + ", ");
    }
    return true;
  }

  // Around the body, which begins at this token or after it.
  bool bracketMacros(Lifting &x, size_t open) {
    if (x.byMacro.empty()) return true;
    const auto &tokens = x.text->tokens();
    while (open < tokens.size() && !x.text->is(open, "{")) ++open;
    size_t close = open < tokens.size() ? x.text->closing(open) : EditedText::npos;
    if (close == EditedText::npos) return unable(x, "its body is unusual");
    std::string defines = "\n", undefines = "\n";
    for (const VarDecl *v : x.byMacro) {
      defines += "#define " + std::string(v->name) + " (*" + std::string(v->name) + ")\n";
      undefines += "#undef " + std::string(v->name) + "\n";
    }
    x.text->insert(tokens[open].end, defines);
    x.text->insert(tokens[close].begin, undefines);
    return true;
  }

  // Whole lines where nothing else is on them.
  void takeAway(Lifting &x) {
    EditedText *text = x.text;
    std::string_view s = text->text();
    uint32_t lineBegin = x.begin, lineEnd = x.end;
    while (lineBegin > 0 && (s[lineBegin - 1] == ' ' || s[lineBegin - 1] == '\t')) --lineBegin;
    while (lineEnd < s.size() && (s[lineEnd] == ' ' || s[lineEnd] == '\t' || s[lineEnd] == '\r')) ++lineEnd;
    bool own = (lineBegin == 0 || s[lineBegin - 1] == '\n') && (lineEnd == s.size() || s[lineEnd] == '\n');
    std::string indentation(s.substr(lineBegin, x.begin - lineBegin));
    if (own) {
      text->moveAway(lineBegin, x.begin);
      if (lineEnd < s.size()) text->moveAway(x.end, lineEnd + 1);
      // A blank line on both sides of the hole would leave two.
      bool blankBefore = lineBegin >= 2 && s[lineBegin - 1] == '\n' && s[lineBegin - 2] == '\n';
      if (blankBefore && lineEnd + 1 < s.size() && s[lineEnd + 1] == '\n') text->moveAway(lineEnd + 1, lineEnd + 2);
    }
    text->moveAway(x.begin, x.end);
    pending.push_back({text, x.begin, x.end, own ? indentation : std::string(), owner, "", ""});
  }

  struct Pending {
    EditedText *text;
    uint32_t begin, end;
    std::string indentation;
    const FunctionDef *owner;
    std::string head, tail;
  };
  std::vector<Pending> pending;

  void call(const Procedure::InletCall &c, const Lifted &l) {
    const SpawnStmt *x = c.call;
    const FunctionDecl *in = l.def->fn;
    bool nothing = x->isVoid();
    if (keepNested && !nothing) return;
    uint32_t b = 0, e = 0, sb = 0, se = 0, kb = 0, ke = 0;
    EditedText *t = place(ignoreParensAndImplicit(x->inletName)->range, b, e);
    // With a value the spawn is an argument like others, wherever its words come from.
    if (!t || (nothing && (place(x->spawned, sb, se) != t || place(x->keyword, kb, ke) != t)))
      return cannot(in, x->range, "a call of it is in a macro");
    size_t name = t->tokenAt(b), open = name == EditedText::npos ? name : name + 1;
    while (open != EditedText::npos && t->is(open, ")")) ++open;
    if (open == EditedText::npos || !t->is(open, "(")) return cannot(in, x->range, "a call of it has an unusual form");
    std::string pass;
    for (const VarDecl *v : l.captured) {
      auto h = c.hiding.find(v->name);
      if (h != c.hiding.end() && h->second != v)
        return cannot(in, x->range, "'" + std::string(v->name) + "' is another variable where it is called");
    }
    for (const auto &c : l.passed) pass += (pass.empty() ? "" : ", ") + c.second;
    bool more = !x->arguments.empty();
    if (!nothing) {
      t->replace(b, e, l.name);
      if (!pass.empty()) t->insert(t->tokens()[open].end, pass + ", ");
      return;
    }
    // A child without a value: first the child, then the inlet.
    uint32_t child = ke;
    while (child < t->text().size() && (t->text()[child] == ' ' || t->text()[child] == '\t')) ++child;
    t->replace(b, child, "");
    std::string then = ", " + l.name + "(" + pass;
    if (more) {
      size_t comma = 0;
      const auto &tokens = t->tokens();
      while (comma < tokens.size() && tokens[comma].begin < se) ++comma;
      if (!t->is(comma, ",")) return cannot(in, x->range, "a call of it has an unusual form");
      t->replace(tokens[comma].begin, tokens[comma].end, then + (pass.empty() ? "" : ","));
      if (pass.empty()) {
        uint32_t blank = tokens[comma].end;
        while (blank < t->text().size() && t->text()[blank] == ' ') ++blank;
        if (blank > tokens[comma].end) t->replace(tokens[comma].end, blank, "");
      }
    } else {
      t->insert(se, then);
    }
  }

public:
  // Puts the lifted inlets before their procedures, when all edits are made.
  void place() {
    std::unordered_map<const FunctionDef *, std::string> before;
    std::vector<std::pair<const FunctionDef *, EditedText *>> order;
    for (const Pending &p : pending) {
      std::string s = p.head + p.text->render(p.begin, p.end) + p.tail, out;
      // Lines lose the indentation of the first.
      for (size_t at = 0; at < s.size();) {
        size_t nl = std::min(s.find('\n', at), s.size());
        size_t skip = at && !p.indentation.empty() && s.compare(at, p.indentation.size(), p.indentation) == 0
                          ? p.indentation.size()
                          : 0;
        out += s.substr(at + skip, nl - at - skip);
        if (nl < s.size()) out += '\n';
        at = nl + 1;
      }
      std::string &b = before[p.owner];
      if (b.empty()) order.emplace_back(p.owner, p.text);
      b += out + "\n\n";
    }
    for (const auto &[def, text] : order) text->insert(spotBefore(def, *text), before[def]);
  }

private:
  // The beginning of the procedure's first line, or of the comment right above it.
  uint32_t spotBefore(const FunctionDef *f, const EditedText &text) const {
    uint32_t start = 0;
    Presumed p = sm.resolve(f->range.begin);
    sm.originalOffset(p, start);
    const auto &tokens = text.tokens();
    auto it = std::lower_bound(tokens.begin(), tokens.end(), start,
        [](const RawToken &t, uint32_t o) { return t.begin < o; });
    uint32_t from = it == tokens.begin() ? 0 : std::prev(it)->end;
    std::string_view s = text.text();
    uint32_t spot = from ? start : 0;
    bool inBlock = false, inLine = false, lineBlank = false, found = false;
    for (uint32_t k = from; k < start; ++k) {
      char c = s[k];
      if (inBlock) {
        if (c == '*' && s[k + 1] == '/') inBlock = false, ++k;
        continue;
      }
      if (c == '\n') {
        if (!found || lineBlank) spot = k + 1, found = true;
        lineBlank = true;
        inLine = false;
        continue;
      }
      if (inLine) continue;
      if (c == '/' && s[k + 1] == '*') inBlock = true, ++k, lineBlank = false;
      else if (c == '/' && s[k + 1] == '/') inLine = true, lineBlank = false;
      else if (c != ' ' && c != '\t' && c != '\r') lineBlank = false;
    }
    return spot;
  }
};

}  // namespace

EditedText *placeOf(const SourceManager &sm, const TextOf &textOf, Range r, uint32_t &begin, uint32_t &end) {
  Presumed b = sm.resolve(r.begin), e = sm.resolveEnd(r.end);
  if (b.fromMacro || e.fromMacro || b.file != e.file || !sm.originalOffset(b, begin) || !sm.originalOffset(e, end) ||
      end < begin)
    return nullptr;
  return textOf(b.file);
}

std::function<void()> elideInlets(const TranslationUnit &tu, const SourceManager &sm, DiagnosticEngine &diags,
    const TextOf &textOf, bool keepNested, std::unordered_set<std::string> &taken) {
  auto i = std::make_shared<Inlets>(tu, sm, diags, textOf, keepNested, taken);
  i->run();
  return [i] { i->place(); };
}

}  // namespace cilkc
