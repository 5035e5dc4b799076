// index.cpp - one walk in the order of the text. Expressions and statements come from eachNode, which needs no stack
// for deep trees; the pieces of declarations, which have no kind, are taken apart here. Where a local name is visible
// is known from the blocks that are open.
//
// Symbols are keyed by what sema made of them: Decl, FieldDecl, RecordType, EnumType. Typedef names are looked up by
// name: types do not keep them. A symbol gets its number when it is first met in the user's text, so that system
// headers cost nothing.
#include "frontend/index/index.h"
#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/source/json.h"
#include "frontend/source/layout.h"

namespace cilkc {

namespace {

enum class Kind : uint8_t {
  Function,
  Procedure,
  Inlet,
  Thread,
  Variable,
  Parameter,
  Field,
  Struct,
  Union,
  Enum,
  Enumerator,
  Typedef,
  Label
};
constexpr const char *kindNames[] = {"function", "procedure", "inlet", "thread", "variable", "parameter", "field",
    "struct", "union", "enum", "enumerator", "typedef", "label"};
enum class Role : uint8_t { Read, Declares, Defines, Writes, Spawns };

struct Place {
  const SourceFile *file = nullptr;
  uint32_t line = 0, column = 0, endLine = 0, endColumn = 0;
};

struct Symbol {
  Kind kind{};
  std::string_view name;
  std::string type, value;
  Range at;  // the name where it is defined, or first declared
  bool defined = false;
  Range all, visible;
  int parent = -1, record = -1;  // the record or function around it; the record that its type ends in
};

struct Use {
  Place place;
  size_t symbol;
  Role role;
};

class Indexer {
public:
  Indexer(const TranslationUnit &unit, const SourceManager &sm) : unit(unit), sm(sm) {}

  void run() {
    for (const ExternalDecl &d : unit.decls) {
      bool system = sm.inSystemHeader(d.range.begin);
      inSystem = system;
      if (d.decl) {
        if (system) libraryNames(d.decl);
        declaration(d.decl);
        if (!system) bodies(d.decl);
      }
      if (d.function) function(d.function);
      if (d.sassert && !system) bodies(d.sassert);
    }
    inSystem = false;
    // Bodies of OpenCilk's loops and blocks. An inner one was made first. It may use the variable of its loop, which is
    // declared in the outer body.
    for (auto f = unit.functions.rbegin(); f != unit.functions.rend(); ++f)
      if ((*f)->isOutlined && (*f)->def) function((*f)->def);
  }

  void write(std::ostream &out);

private:
  const TranslationUnit &unit;
  const SourceManager &sm;
  std::vector<Symbol> symbols;
  std::unordered_map<const void *, size_t> number;
  std::unordered_map<std::string_view, const Decl *> typedefs;
  struct Tag {
    Range at;
    bool defined;
  };
  std::unordered_map<const void *, Tag> tags;  // of records, by type
  std::unordered_map<std::string_view, Tag> enumTags;
  std::vector<Use> uses;
  struct Open {
    uint32_t end;
    Range range;
  };
  std::vector<Open> blocks;
  struct Spawned {
    Range keyword, call;
    int callee;
    const SpawnStmt *stmt;
  };
  std::vector<Spawned> spawns;
  std::vector<std::array<std::string, 3>> library;
  std::vector<ParallelPlace> parallel;
  int current = -1;
  bool inSystem = false;
  std::vector<const SourceFile *> files;

  // ---- places ----

  // The range as it is in the user's text; nothing for what came out of a macro.
  std::optional<Place> placeOf(Range r) const {
    if (!r.valid() || !(r.begin < r.end)) return {};
    Presumed begin = sm.resolve(r.begin), end = sm.resolveEnd(r.end);
    if (!begin.file || !begin.original || begin.fromMacro || end.file != begin.file || !begin.column) return {};
    return Place{begin.file, begin.line, begin.column, end.line, end.column};
  }
  bool isText(Range r, std::string_view name) const {
    return r.valid() && !name.empty() && wordAt(sm, r.begin) == name;
  }
  static Range nameAt(Loc begin, std::string_view name) { return {begin, Loc::at(begin.offset() + name.size())}; }

  void use(size_t symbol, Range at, Role role) {
    std::string_view name = symbols[symbol].name;
    if (inSystem || !at.valid() || sm.inSystemHeader(at.begin) || !isText(at, name)) return;
    if (auto place = placeOf(nameAt(at.begin, name))) uses.push_back({*place, symbol, role});
  }

  // ---- symbols ----

  static Kind kindOf(const Decl *d) {
    switch (d->kind) {
      case DeclKind::Var: return d->as<VarDecl>()->isParam ? Kind::Parameter : Kind::Variable;
      case DeclKind::Function: {
        const auto *f = d->as<FunctionDecl>();
        return f->isInlet                ? Kind::Inlet
               : f->isThread             ? Kind::Thread
               : f->isCilk || f->entered ? Kind::Procedure
                                         : Kind::Function;
      }
      case DeclKind::Typedef: return Kind::Typedef;
      case DeclKind::EnumConst: return Kind::Enumerator;
      case DeclKind::Label: return Kind::Label;
    }
    __builtin_unreachable();
  }

  // What the user wrote: not the procedure that sema made of an OpenCilk function, nor a copy that a loop's body
  // captured.
  const Decl *written(const Decl *d, Range at) const {
    if (d->kind == DeclKind::Function)
      if (const auto *f = d->as<FunctionDecl>(); f->procedure && isOfProcedure(f)) return f->procedure;
    if (d->kind == DeclKind::Var && d->as<VarDecl>()->fn && d->as<VarDecl>()->fn->isOutlined && !number.count(d)) {
      std::string text = wordAt(sm, at.begin);  // a view of a reducer has another name
      const Decl *best = d;
      uint32_t from = 0;
      for (const auto &[key, n] : number) {
        const Symbol &s = symbols[n];
        if (s.name != text || !s.visible.valid() || s.visible.begin.raw > at.begin.raw ||
            s.visible.end.raw < at.begin.raw || s.visible.begin.raw < from)
          continue;
        best = static_cast<const Decl *>(key);
        from = s.visible.begin.raw;
      }
      return best;
    }
    return d;
  }
  static bool isOfProcedure(const FunctionDecl *f) { return f->procedure->entered == f; }

  size_t make(const void *key, Symbol s) {
    auto [found, fresh] = number.try_emplace(key, symbols.size());
    if (fresh) symbols.push_back(std::move(s));
    return found->second;
  }

  // The record of a pointer to a record, of an array of records, of a function that returns a record.
  int recordOf(QualType t) {
    if (t && t->isFunction()) t = t->as<FunctionType>()->result;
    const Chain *chain = t ? chainOf(t.type) : nullptr;
    const Type *end = chain ? chain->end : t.type;
    return end && end->isRecord() ? static_cast<int>(symbolOf(end->as<RecordType>())) : -1;
  }

  size_t symbolOf(const Decl *d) {
    const void *key = d->kind == DeclKind::EnumConst ? enumeratorKey(d->range) : d;
    if (auto found = number.find(key); found != number.end()) {
      if (d->kind == DeclKind::EnumConst) symbols[found->second].value = decimal(d->as<EnumConstDecl>()->value);
      return found->second;
    }
    Symbol s;
    s.kind = kindOf(d);
    s.name = d->name;
    if (d->type) s.type = toString(d->type);
    s.at = d->range;
    s.parent = current;
    if (d->kind == DeclKind::EnumConst) s.value = decimal(d->as<EnumConstDecl>()->value);
    if (d->kind == DeclKind::Function && !d->as<FunctionDecl>()->parent) s.parent = -1;
    if (!blocks.empty()) s.visible = {d->range.begin, blocks.back().range.end};
    s.record = recordOf(d->type);
    if (d->kind == DeclKind::Typedef && s.record >= 0 && d->type->isRecord() &&
        symbols[static_cast<size_t>(s.record)].name.empty())
      symbols[static_cast<size_t>(s.record)].type = d->name;
    return make(key, std::move(s));
  }

  size_t symbolOf(const RecordType *r) {
    if (auto found = number.find(r); found != number.end()) return found->second;
    Symbol s;
    s.kind = r->isUnion ? Kind::Union : Kind::Struct;
    s.name = r->tag;
    s.type = toString(QualType(r));
    if (auto tag = tags.find(r); tag != tags.end()) s.at = tag->second.at;
    size_t n = make(r, std::move(s));
    for (const FieldDecl *f : r->fields) {
      if (f->name.empty()) {
        if (f->anonymous && f->type && f->type->isRecord()) {
          size_t inner = symbolOf(f->type->as<RecordType>());
          symbols[inner].parent = static_cast<int>(n);
        }
        continue;
      }
      Symbol m;
      m.kind = Kind::Field;
      m.name = f->name;
      if (f->type) m.type = toString(f->type);
      m.at = {Loc{f->rangeBegin}, Loc{f->rangeEnd}};
      m.parent = static_cast<int>(n);
      make(f, std::move(m));
    }
    for (const FieldDecl *f : r->fields)
      if (auto made = number.find(f); made != number.end()) {
        int record = recordOf(f->type);
        symbols[made->second].record = record;
      }
    return n;
  }

  void declares(const Decl *d, Range name, bool defines, Range all = {}) {
    size_t n = symbolOf(d);
    Symbol &s = symbols[n];
    if (defines || !s.at.valid() || (!s.defined && isText(name, s.name) && !isText(s.at, s.name))) {
      s.at = name;
      s.defined |= defines;
    }
    if (defines && all.valid()) s.all = all;
    use(n, name, defines ? Role::Defines : Role::Declares);
  }

  // ---- declarations ----

  void libraryNames(const Declaration *d) {
    for (const InitDeclarator &i : d->declarators)
      if (i.decl && !i.decl->name.empty() && i.decl->name[0] != '_')
        library.push_back({std::string(i.decl->name), kindNames[static_cast<int>(kindOf(i.decl))],
            i.decl->type ? toString(i.decl->type) : ""});
  }

  void declaration(const Declaration *d) {
    specs(d->specs);
    for (const InitDeclarator &i : d->declarators) {
      if (!i.declarator) continue;
      if (i.decl) {
        if (i.decl->kind == DeclKind::Typedef) typedefs[i.decl->name] = i.decl;
        if (!inSystem) {
          bool defines =
              i.decl->kind == DeclKind::Typedef ||
              (i.decl->kind == DeclKind::Var && (i.init || !d->specs || d->specs->storage != StorageClass::Extern));
          declares(i.decl, i.declarator->nameRange, defines, defines ? d->range : Range{});
        }
      }
      declarator(i.declarator);
      if (i.init && i.init->list) designators(i.init->list);
    }
  }

  void specs(const DeclSpecs *s) {
    if (!s) return;
    if (s->record && s->record->type) {
      const RecordType *r = s->record->type;
      auto [tag, fresh] = tags.try_emplace(r, Tag{s->record->tagRange, s->record->hasBody});
      if (!fresh && s->record->hasBody && !tag->second.defined) tag->second = {s->record->tagRange, true};
      if (!inSystem) {
        size_t n = symbolOf(r);
        if (s->record->hasBody) {
          symbols[n].at = s->record->tagRange;
          symbols[n].all = s->range;
          symbols[n].defined = true;
        }
        use(n, s->record->tagRange, s->record->hasBody ? Role::Defines : Role::Read);
        members(s->record, r, n);
      }
    }
    if (s->enumeration) enumeration(s, s->enumeration);
    if (!inSystem && !s->typedefName.empty())
      if (auto found = typedefs.find(s->typedefName); found != typedefs.end())
        use(symbolOf(found->second), s->typedefRange, Role::Read);
    typeName(s->typeofType);
    typeName(s->atomicType);
    typeName(s->contType);
  }

  // Enumerations are known by their tags: the tree does not lead from a specifier to its type.
  void enumeration(const DeclSpecs *s, const EnumSpec *e) {
    if (!e->tag.empty()) {
      auto [tag, fresh] = enumTags.try_emplace(e->tag, Tag{e->tagRange, e->hasBody});
      if (!fresh && e->hasBody) tag->second = {e->tagRange, true};
      if (inSystem) return;
      Symbol made;
      made.kind = Kind::Enum;
      made.name = e->tag;
      made.type = "enum " + std::string(e->tag);
      made.at = tag->second.at;
      size_t n = make(&tag->second, std::move(made));
      if (e->hasBody) symbols[n].at = e->tagRange, symbols[n].all = s->range;
      use(n, e->tagRange, e->hasBody ? Role::Defines : Role::Read);
    }
    if (inSystem) return;
    for (const EnumSpec::Item &i : e->items) {
      Symbol made;
      made.kind = Kind::Enumerator;
      made.name = i.name;
      made.type = "int";
      made.at = i.range;
      made.parent = current;
      use(make(enumeratorKey(i.range), std::move(made)), i.range, Role::Defines);
    }
  }
  // A declaration of an enumerator has the range of its name.
  static const void *enumeratorKey(Range r) {
    return reinterpret_cast<const void *>(static_cast<uintptr_t>(r.begin.raw));
  }

  void members(const RecordSpec *spec, const RecordType *r, size_t n) {
    for (const StructMember &m : spec->members) {
      specs(m.specs);
      for (const FieldDeclarator &f : m.fields) {
        if (!f.declarator) continue;
        for (const FieldDecl *field : r->fields)
          if (field->name == f.declarator->name && !field->name.empty()) {
            if (!number.count(field)) {  // the record was met before it was complete
              Symbol made;
              made.kind = Kind::Field;
              made.name = field->name;
              if (field->type) made.type = toString(field->type);
              made.parent = static_cast<int>(n);
              make(field, std::move(made));
            }
            size_t member = number[field];
            symbols[member].at = f.declarator->nameRange;
            use(member, f.declarator->nameRange, Role::Defines);
          }
        declarator(f.declarator);
      }
    }
  }

  void declarator(const Declarator *d) {
    if (!d) return;
    for (const DeclChunk &c : d->chunks)
      for (const ParamDecl *p : c.params) {
        specs(p->specs);
        if (p->var && p->declarator && !inSystem) declares(p->var, p->declarator->nameRange, true);
        declarator(p->declarator);
      }
  }

  void typeName(const TypeName *t) {
    if (!t) return;
    specs(t->specs);
    declarator(t->declarator);
  }

  void designators(const InitList *list) {
    const RecordType *r = list->plan && list->plan->type && list->plan->type.type->isRecord()
                              ? list->plan->type.type->as<RecordType>()
                              : nullptr;
    if (!r || inSystem) return;
    for (const InitItem &i : list->items)
      if (!i.designators.empty() && !i.designators[0].field.empty())
        for (const FieldDecl *f : r->fields)
          if (f->name == i.designators[0].field)
            if (auto found = number.find(f); found != number.end() && i.designators[0].range.valid()) {
              Range at = i.designators[0].range;  // it may begin with the dot
              if (!isText(at, f->name)) at.begin.raw++;
              use(found->second, at, Role::Writes);
            }
  }

  // ---- functions ----

  void function(const FunctionDef *def) {
    const FunctionDecl *fn = def->fn;
    bool outer = inSystem;
    inSystem |= sm.inSystemHeader(def->range.begin);
    specs(def->specs);
    if (fn && !inSystem && (def->declarator || fn->isOutlined)) {
      auto *shown = static_cast<const FunctionDecl *>(written(fn, def->range));
      if (def->declarator) declares(shown, def->declarator->nameRange, true, def->range);
      int outside = current;
      auto open = std::move(blocks);
      blocks.clear();
      current = def->declarator ? static_cast<int>(number[shown]) : -1;
      blocks.push_back({def->range.end.raw, def->range});
      declarator(def->declarator);
      for (const Declaration *k : def->krDecls) declaration(k);
      if (def->body) bodies(static_cast<const Stmt *>(def->body));
      size_t last = parallel.size();
      if (def->body && wellFormed(fn))
        for (ParallelPlace &p : parallelPlaces(def)) parallel.push_back(std::move(p));
      std::sort(parallel.begin() + static_cast<std::ptrdiff_t>(last), parallel.end(),
          [](const ParallelPlace &a, const ParallelPlace &b) { return a.where.begin < b.where.begin; });
      blocks = std::move(open);
      current = outside;
    } else if (fn && inSystem && fn->name[0] != '_' && !fn->name.empty()) {
      library.push_back(
          {std::string(fn->name), kindNames[static_cast<int>(kindOf(fn))], fn->type ? toString(fn->type) : ""});
    }
    inSystem = outer;
  }
  // After an error, the graph of control is made of what is there; a spawn that sema refused is in none.
  static bool wellFormed(const FunctionDecl *fn) {
    return !fn->spawns.empty() &&
           std::all_of(fn->spawns.begin(), fn->spawns.end(), [](const SpawnStmt *s) { return s->call && s->result; });
  }

  template <class N> void bodies(const N *root) {
    std::unordered_set<const Expr *> stored, spawned;
    std::vector<const FunctionDef *> nested;
    eachNode(root, Walk::Written, [&](const auto *node) { visit(node, stored, spawned, nested); });
    for (const FunctionDef *def : nested) function(def);
  }

  void enter(Loc at) {
    while (blocks.size() > 1 && at.valid() && at.raw >= blocks.back().end) blocks.pop_back();
  }

  using Set = std::unordered_set<const Expr *>;
  void visit(const Stmt *s, Set &stored, Set &spawned, std::vector<const FunctionDef *> &nested) {
    enter(s->range.begin);
    dispatch(Statements{*this, stored, spawned, nested}, s);
  }

  // The statements in which names are written, and those that open a scope.
  struct Statements {
    Indexer &in;
    Set &stored, &spawned;
    std::vector<const FunctionDef *> &nested;

    void opens(const Stmt &s) {
      if (s.range.valid()) in.blocks.push_back({s.range.end.raw, s.range});
    }
    void on(const CompoundStmt &s) { opens(s); }
    void on(const ForStmt &s) { opens(s); }
    void on(const DeclStmt &s) {
      if (s.decl) in.declaration(s.decl);
    }
    void on(const FunctionStmt &s) {
      if (!s.def || !s.def->fn) return;
      in.symbolOf(s.def->fn);
      nested.push_back(s.def);
    }
    void on(const LabelStmt &s) {
      if (s.label) in.declares(s.label, s.nameRange, true);
    }
    void on(const GotoStmt &s) {
      if (s.label) in.use(in.symbolOf(s.label), s.nameRange, Role::Read);
    }
    void on(const SpawnStmt &s) {
      if (!s.call) return;
      const FunctionDecl *callee = directCallee(s.call);
      if (const Expr *named = ignoreParensAndImplicit(s.call->callee)) spawned.insert(named);
      in.spawns.push_back(
          {s.keyword, s.call->range, callee ? static_cast<int>(in.symbolOf(in.written(callee, s.range))) : -1, &s});
      if (const Expr *to = s.receiver()) stored.insert(ignoreParens(to));
    }
    void on(const ThreadStmt &s) {
      if (s.callee) spawned.insert(ignoreParensAndImplicit(s.callee));
    }
    template <class Other> void on(const Other &) {}  // names are in its parts
  };

  void visit(const Expr *e, Set &stored, Set &spawned, std::vector<const FunctionDef *> &) {
    dispatch(Names{*this, stored, spawned}, e);
  }

  // The expressions in which names are written.
  struct Names {
    Indexer &in;
    Set &stored, &spawned;

    void on(const Ident &i) {
      const Decl *named = i.decl ? in.written(i.decl, i.range) : nullptr;
      if (!named || !in.isText(i.range, named->name)) return;
      in.use(in.symbolOf(named), i.range,
          spawned.count(&i)  ? Role::Spawns
          : stored.count(&i) ? Role::Writes
                             : Role::Read);
    }
    void on(const Member &m) {
      const FieldDecl *f = m.path.empty() ? nullptr : m.path.back();
      if (!f || !f->parent || f->name.empty()) return;
      in.symbolOf(f->parent);
      if (auto found = in.number.find(f); found != in.number.end())
        in.use(found->second, m.nameRange, stored.count(&m) ? Role::Writes : Role::Read);
    }
    void on(const Assign &a) { stored.insert(ignoreParens(a.lhs)); }
    void on(const Unary &u) {
      if (isIncDec(u.op)) stored.insert(ignoreParens(u.sub));
    }
    void on(const LabelAddr &l) {
      if (l.label)
        in.use(in.symbolOf(l.label), {Loc{l.range.end.raw - static_cast<uint32_t>(l.name.size())}, l.range.end},
            Role::Read);
    }
    void on(const Cast &c) { in.typeName(c.target); }
    void on(const CompoundLit &c) {
      in.typeName(c.target);
      if (c.init) in.designators(c.init);
    }
    void on(const SizeofType &s) { in.typeName(s.target); }
    void on(const VaArg &v) { in.typeName(v.target); }
    void on(const Offsetof &o) { in.typeName(o.target); }
    void on(const Generic &g) {
      for (const GenericAssoc &a : g.assocs) in.typeName(a.type);
    }
    void on(const TypesCompatible &t) {
      in.typeName(t.a);
      in.typeName(t.b);
    }
    template <class Other> void on(const Other &) {}  // names are in its parts
  };

  // ---- the document ----
  size_t fileNumber(const SourceFile *f) {
    auto found = std::find(files.begin(), files.end(), f);
    if (found == files.end()) found = files.insert(files.end(), f);
    return static_cast<size_t>(found - files.begin());
  }
  void writePlace(std::ostream &out, const Place &p) {
    out << fileNumber(p.file) << ',' << p.line << ',' << p.column << ',' << p.endLine << ',' << p.endColumn;
  }
  // A list of five numbers, or null.
  void writeRange(std::ostream &out, Range r) {
    auto p = placeOf(r);
    if (!p) {
      out << "null";
      return;
    }
    out << '[';
    writePlace(out, *p);
    out << ']';
  }
};

void Indexer::write(std::ostream &out) {
  out << "{\"symbols\": [";
  const char *comma = "";
  for (const Symbol &s : symbols) {
    out << comma << "\n{\"kind\": \"" << kindNames[static_cast<int>(s.kind)] << "\", \"name\": ";
    quoteJson(out, s.name);
    out << ", \"type\": ";
    quoteJson(out, s.type);
    out << ", \"at\": ";
    writeRange(out, s.name.empty() || !isText(s.at, s.name) ? s.at : nameAt(s.at.begin, s.name));
    if (s.all.valid()) out << ", \"all\": ", writeRange(out, s.all);
    if (s.visible.valid()) out << ", \"visible\": ", writeRange(out, s.visible);
    if (s.parent >= 0) out << ", \"parent\": " << s.parent;
    if (s.record >= 0) out << ", \"record\": " << s.record;
    if (!s.value.empty()) out << ", \"value\": \"" << s.value << '"';
    out << '}';
    comma = ",";
  }
  out << "],\n\"uses\": [";
  // A place with several uses, such as a reducer that is also registered there: the user wrote the declaration.
  auto weight = [](Role r) {
    return r == Role::Defines || r == Role::Declares ? -8 - static_cast<int>(r) : -static_cast<int>(r);
  };
  std::sort(uses.begin(), uses.end(), [&](const Use &a, const Use &b) {
    return std::make_tuple(a.place.file, a.place.line, a.place.column, a.symbol, weight(a.role)) <
           std::make_tuple(b.place.file, b.place.line, b.place.column, b.symbol, weight(b.role));
  });
  comma = "";
  const Use *before = nullptr;
  for (const Use &u : uses) {
    bool same = before && before->place.file == u.place.file && before->place.line == u.place.line &&
                before->place.column == u.place.column && before->symbol == u.symbol;
    before = &u;
    if (same) continue;
    out << comma << "\n[";
    writePlace(out, u.place);
    out << ',' << u.symbol << ',' << static_cast<int>(u.role) << ']';
    comma = ",";
  }
  out << "],\n\"spawns\": [";
  comma = "";
  std::unordered_map<const SpawnStmt *, size_t> spawnNumber;
  for (const Spawned &s : spawns) {
    if (!spawnNumber.try_emplace(s.stmt, spawnNumber.size()).second) continue;
    out << comma << "\n{\"keyword\": ";
    writeRange(out, s.keyword);
    out << ", \"call\": ";
    writeRange(out, s.call);
    out << ", \"callee\": " << s.callee << ", \"text\": ";
    quoteJson(out, sm.asWritten(s.call, 40));
    out << '}';
    comma = ",";
  }
  out << "],\n\"parallel\": [";
  comma = "";
  for (const ParallelPlace &p : parallel) {
    auto place = placeOf(p.where);
    if (!place) continue;
    out << comma << "\n[";
    writePlace(out, *place);
    out << ",[";
    const char *inner = "";
    for (const SpawnStmt *s : p.with)
      if (auto found = spawnNumber.find(s); found != spawnNumber.end()) out << inner << found->second, inner = ",";
    out << "]]";
    comma = ",";
  }
  out << "],\n\"library\": [";
  comma = "";
  for (const auto &[name, kind, type] : library) {
    out << comma << "\n[";
    quoteJson(out, name);
    out << ",\"" << kind << "\",";
    quoteJson(out, type);
    out << ']';
    comma = ",";
  }
  out << "],\n\"files\": [";
  comma = "";
  for (const SourceFile *f : files) {
    out << comma;
    quoteJson(out, f->name);
    comma = ",";
  }
  out << "]}\n";
}

}  // namespace

void writeIndex(const TranslationUnit &unit, const SourceManager &sm, std::ostream &out) {
  Indexer indexer(unit, sm);
  indexer.run();
  indexer.write(out);
}

}  // namespace cilkc
