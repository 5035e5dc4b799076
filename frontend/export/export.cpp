// export.cpp - the document: declarations and bodies in the order of the text, then the tables that they point into.
//
// A node is an object whose members are its children by name. Children of a kind that needs no name of its own come
// from nodes.def, in its order, as `children`: a new kind of node is exported as soon as it is in that table. What is
// written here by hand are the kinds whose parts readers ask for by name.
#include "frontend/export/export.h"
#include <algorithm>
#include <sstream>
#include <unordered_map>
#include "frontend/ast/kinds.h"
#include "frontend/ast/visit.h"
#include "frontend/consteval/consteval.h"
#include "frontend/export/object.h"
#include "frontend/export/types.h"

namespace cilkc {

namespace {

using exporting::Object;

constexpr const char *exprNames[] = {
#define EXPR(kind, cls, children, facts) #kind,
#include "frontend/ast/nodes.def"
};

constexpr const char *formNames[] = {"plain", "receiver", "op", "inlet"};
constexpr const char *threadForms[] = {"spawn", "spawn_next", "tail_call", "root"};

// The bytes, in their record, of the bit-fields that are one place in memory with it (C17 3.14): those beside it
// that no field of width 0 separates.
std::pair<uint64_t, uint64_t> bitFieldsAround(const FieldDecl *f) {
  const auto &fields = f->parent->fields;
  auto isPart = [&](size_t i) { return fields[i]->bitField && fields[i]->width; };
  size_t low = f->index, high = f->index;
  while (low > 0 && isPart(low - 1)) --low;
  while (high + 1 < fields.size() && isPart(high + 1)) ++high;
  uint64_t first = UINT64_MAX, end = 0;
  for (size_t i = low; i <= high; ++i) {
    uint64_t bit = fields[i]->offset * 8 + fields[i]->bitOffset;
    first = std::min(first, bit / 8);
    end = std::max(end, (bit + fields[i]->width + 7) / 8);
  }
  return {first, end};
}

class Exporter {
public:
  Exporter(const TranslationUnit &u, const AstContext &c, const SourceManager &s)
      : unit(u), cx(c), sm(s), types(c.target) {}

  void run(std::ostream &to) {
    std::ostringstream bodies;
    out = &bodies;
    const char *comma = "";
    for (const FunctionDecl *f : unit.functions) {
      if (!f->def || !f->def->body || f->parent) continue;  // inlets are where they are written
      if (f->linkage == Linkage::Internal && !f->references && !f->used) continue;
      bodies << comma << '\n';
      definition(f);
      comma = ",";
    }
    for (const VarDecl *v : unit.globals) declaration(v);
    for (const VarDecl *v : unit.literals) declaration(v);
    std::ostringstream rows;
    out = &rows;
    for (size_t i = 0; i < decls.size(); ++i) {  // a row may name further declarations
      rows << (i ? ",\n" : "\n");
      row(i, decls[i]);
    }
    to << "{\"format\": \"cilkc-tree\", \"version\": " << exportVersion << ", \"target\": ";
    quoteJson(to, cx.target.facts->triple);
    to << ", \"file\": ";
    quoteJson(to, sm.mainName());
    to << (unit.typesAlias ? ", \"typesAlias\": true" : "") << ",\n\"functions\": [" << bodies.str()
       << "],\n\"declarations\": [" << rows.str() << "],\n\"types\": [\n";
    types.write(to);
    to << "],\n\"assembly\": " << assembly() << ",\n\"files\": [";
    for (size_t i = 0; i < files.size(); ++i) {
      to << (i ? ", " : "");
      Object o(to);
      o.text("name", files[i]->name);
    }
    to << "]}\n";
  }

private:
  const TranslationUnit &unit;
  const AstContext &cx;
  const SourceManager &sm;
  exporting::Types types;
  std::ostream *out = nullptr;
  std::unordered_map<const Decl *, size_t> numbers;
  std::vector<const Decl *> decls;
  std::vector<const SourceFile *> files;

  size_t assembly() const {  // at file scope
    size_t n = 0;
    for (const ExternalDecl &d : unit.decls) n += d.fileAsm != nullptr;
    return n;
  }

  // ---- places, declarations ----

  size_t fileNumber(const SourceFile *f) {
    for (size_t i = 0; i < files.size(); ++i)
      if (files[i] == f) return i;
    files.push_back(f);
    return files.size() - 1;
  }
  void at(Object &o, Range r) {
    if (!r.valid()) return;
    Presumed p = sm.inSystemHeader(r.begin) ? sm.presumed(r.begin) : sm.resolve(r.begin);
    if (p.file) o.key("at") << '[' << fileNumber(p.file) << ", " << p.line << ", " << p.column << ']';
  }

  size_t declaration(const Decl *d) {
    auto [found, isNew] = numbers.try_emplace(d, decls.size());
    if (isNew) decls.push_back(d);
    return found->second;
  }
  void refer(Object &o, std::string_view key, const Decl *d) {
    if (d) o.number(key, static_cast<__int128>(declaration(d)));
  }
  void typed(Object &o, QualType t) {
    if (t) o.number("type", static_cast<__int128>(types.number(t)));
  }

  void row(size_t id, const Decl *d) {
    static const char *const kinds[] = {"variable", "function", "typedef", "enumerator", "label"};
    Object o(*out);
    o.number("id", static_cast<__int128>(id));
    o.text("kind", kinds[static_cast<int>(d->kind)]);
    o.text("name", d->name);
    at(o, d->range);
    o.flag("system", d->range.valid() && sm.inSystemHeader(d->range.begin));
    typed(o, d->type);
    if (d->kind == DeclKind::Var) variable(o, d->as<VarDecl>());
    else if (d->kind == DeclKind::Function) function(o, d->as<FunctionDecl>());
    else if (d->kind == DeclKind::EnumConst) o.number("value", d->as<EnumConstDecl>()->value);
  }

  void linked(Object &o, Linkage l, const DeclAttrs &a) {
    if (l != Linkage::None) o.text("linkage", l == Linkage::Internal ? "internal" : "external");
    o.flag("weak", a.weak);
    if (!a.alias.empty()) o.text("alias", a.alias);
    if (!a.section.empty()) o.text("section", a.section);
    if (a.hasAsmLabel) o.text("symbol", a.asmLabel);
    if (a.align) o.number("align", a.align);
    refer(o, "cleanup", a.cleanup);
  }

  void variable(Object &o, const VarDecl *v) {
    o.text("storage", v->isLocal ? "automatic" : v->threadLocal ? "thread" : "static");
    linked(o, v->linkage, v->attrs);
    refer(o, "function", v->fn);
    if (v->isParam) o.number("parameter", v->paramIndex);
    o.flag("defined", v->isDefinition || v->isLocal || v->fn);
    o.flag("private", v->isPrivate);
    o.flag("hidden", v->hidden);
    o.flag("assigned", v->assigned);
    o.flag("addressTaken", v->addressTaken);
    o.flag("inletTouches", v->inletTouches);
    o.flag("receiver", v->isReceiver);
    o.flag("crossesNested", v->crossesNested);
    if (v->init && !v->isLocal) init(o, v->init);
  }

  void function(Object &o, const FunctionDecl *f) {
    linked(o, f->linkage, f->attrs);
    o.list("parameters", f->params, [&](const VarDecl *p) { *out << declaration(p); });
    o.flag("defined", f->def != nullptr);
    o.flag("cilk", f->isCilk);
    o.flag("inlet", f->isInlet);
    o.flag("thread", f->isThread);
    o.flag("noreturn", f->isNoreturn || f->attrs.noreturn);
    o.flag("returnsTwice", f->attrs.returnsTwice);
    if (!f->attrs.touches.empty()) o.text("touches", f->attrs.touches);
    o.flag("constructor", f->attrs.constructor || f->attrs.destructor);
    o.flag("ifunc", f->attrs.ifunc);
    o.flag("ofReducers", f->ofReducers);
    o.flag("outlined", f->isOutlined);
    o.flag("loop", f->isLoop);
    if (f->isOutlined) o.text("shown", f->shown);
    refer(o, "parent", f->parent);
    refer(o, "enters", f->entered);
    refer(o, "procedure", f->procedure);
    if (f->builtin) o.flag("builtin", true);
    o.number("spawns", static_cast<__int128>(f->spawns.size()));
  }

  void definition(const FunctionDecl *f) {
    Object o(*out);
    o.text("kind", "Function");
    at(o, f->def->range);
    refer(o, "declaration", f);
    o.key("body");
    node(static_cast<const Stmt *>(f->def->body));
  }

  // ---- initialisers ----

  void init(Object &o, const Initializer *i) {
    o.key("init");
    if (i->expr) node(i->expr);
    else if (i->list && i->list->plan) plan(i->list->plan);
    else *out << "null";
  }
  void plan(const InitPlan *p) {
    Object o(*out);
    o.text("kind", "InitPlan");
    typed(o, p->type);
    o.number("size", p->size);
    o.list("stores", p->stores, [&](const InitStore &s) {
      Object store(*out);
      store.number("offset", s.offset);
      typed(store, s.type);
      if (s.bitField) store.number("bit", s.bitField->bitOffset), store.number("width", s.bitField->width);
      if (s.repeat != 1) store.number("repeat", s.repeat), store.number("stride", s.stride);
      child(store, "value", s.value);
    });
  }

  // ---- nodes ----

  template <class N> void child(Object &o, std::string_view key, const N *n) {
    if (!n) return;
    o.key(key);
    node(n);
  }
  void node(const Expr *e) {
    Object o(*out);
    o.text("kind", exprNames[static_cast<size_t>(e->kind)]);
    at(o, e->range);
    typed(o, e->type);
    o.flag("lvalue", e->lvalue);
    o.flag("bitField", e->bitField);
    Parts{*this, o}.show(e);
  }
  void node(const Stmt *s) {
    Object o(*out);
    o.text("kind", name(s->kind));
    at(o, s->range);
    Parts{*this, o}.show(s);
  }

  // What distinguishes a node of each kind, and its children.
  struct Parts {
    Exporter &x;
    Object &o;

    template <class N> void show(const N *n) { dispatch(*this, n); }

    template <class N> void others(const N *n) {
      bool any = false;
      auto one = [&](const auto *c) {
        if constexpr (std::is_base_of_v<Expr, std::remove_cvref_t<decltype(*c)>> ||
                      std::is_base_of_v<Stmt, std::remove_cvref_t<decltype(*c)>>) {
          if (!any) o.key("children") << '[';
          else *x.out << ", ";
          any = true;
          x.node(c);
        }
      };
      eachChild(n, Walk::Evaluated, one);
      if (any) *x.out << ']';
    }
    void value(const Expr *e) {  // where it is an integer that the compiler knows
      if (!e->type || !e->type->isInteger()) return;
      auto v = evaluate(e, x.cx, EvalMode::Fold);
      if (v && v->kind == ConstValue::Int) o.number("value", v->i);
    }

    // Kinds without parts of their own to name.
    template <class S>
      requires std::is_base_of_v<Stmt, S>
    void on(const S &s) {
      others(static_cast<const Stmt *>(&s));
    }
    template <class E>
      requires std::is_base_of_v<Expr, E>
    void on(const E &e) {
      others(static_cast<const Expr *>(&e));
    }

    // ---- expressions
    void on(const IntLit &n) { value(&n); }
    void on(const CharLit &n) { value(&n); }
    void on(const FloatLit &n) { o.text("text", n.text); }
    void on(const StringLit &n) { o.number("length", static_cast<__int128>(n.length())); }
    void on(const Data &n) { o.number("count", n.count); }
    void on(const Ident &n) {
      o.text("name", n.name);
      x.refer(o, "declaration", n.decl);
      if (n.decl && n.decl->kind == DeclKind::EnumConst) o.number("value", n.decl->as<EnumConstDecl>()->value);
    }
    void on(const ParenExpr &n) { x.child(o, "operand", n.sub); }
    void on(const Unary &n) {
      o.text("op", name(n.op));
      x.child(o, "operand", n.sub);
    }
    void on(const Binary &n) {
      o.text("op", spelling(n.op));
      x.child(o, "left", n.lhs);
      x.child(o, "right", n.rhs);
    }
    void on(const Assign &n) {
      if (n.compound) o.text("op", spelling(n.op));
      if (n.compound && n.computeType) o.number("computed", static_cast<__int128>(x.types.number(n.computeType)));
      o.flag("initializes", n.initializes);
      x.child(o, "left", n.lhs);
      x.child(o, "right", n.rhs);
    }
    void on(const Conditional &n) {
      x.child(o, "cond", n.cond);
      x.child(o, "then", n.then);
      x.child(o, "else", n.otherwise);
    }
    void on(const Cast &n) {
      o.text("cast", name(n.castKind));
      x.child(o, "operand", n.sub);
    }
    void on(const ImplicitCast &n) {
      o.text("cast", name(n.castKind));
      x.child(o, "operand", n.sub);
    }
    void on(const CompoundLit &n) {
      x.refer(o, "declaration", n.object);
      if (n.init && n.init->plan) {
        o.key("init");
        x.plan(n.init->plan);
      }
    }
    void on(const Call &n) {
      if (n.builtin) {
        o.flag("builtin", true);
        value(&n);
      }
      x.child(o, "callee", n.callee);
      o.list("arguments", n.args, [&](const Expr *a) { x.node(a); });
    }
    void on(const Member &n) {
      o.text("member", n.name);
      o.flag("arrow", n.arrow);
      uint64_t offset = 0;
      bool inUnion = false;
      for (const FieldDecl *f : n.path) offset += f->offset, inUnion |= f->parent && f->parent->isUnion;
      o.number("offset", offset);
      o.flag("inUnion", inUnion);
      if (n.bitField && !n.path.empty()) {
        const FieldDecl *f = n.path.back();
        o.number("bit", f->bitOffset);
        o.number("width", f->width);
        auto [first, end] = bitFieldsAround(f);
        o.key("around") << '[' << offset - f->offset + first << ", " << end - first << ']';
      }
      x.child(o, "base", n.base);
    }
    void on(const Index &n) {
      x.child(o, "base", n.base);
      x.child(o, "index", n.index);
    }
    void on(const SizeofExpr &n) { value(&n); }
    void on(const SizeofType &n) { value(&n); }
    void on(const Offsetof &n) {
      value(&n);
      others(static_cast<const Expr *>(&n));
    }
    void on(const TypesCompatible &n) { value(&n); }
    void on(const StmtExpr &n) { x.child(o, "body", static_cast<const Stmt *>(n.body)); }

    // ---- statements
    void on(const CompoundStmt &s) {
      o.list("body", s.body, [&](const Stmt *c) { x.node(c); });
    }
    void on(const ExprStmt &s) { x.child(o, "expr", s.expr); }
    void on(const DeclStmt &s) {
      std::vector<const InitDeclarator *> vars;
      if (s.decl)
        for (const InitDeclarator &i : s.decl->declarators)
          if (i.decl && i.decl->kind == DeclKind::Var) vars.push_back(&i);
      o.list("variables", vars, [&](const InitDeclarator *i) {
        Object v(*x.out);
        x.refer(v, "declaration", i->decl);
        if (i->init && i->decl->as<VarDecl>()->isLocal) x.init(v, i->init);
      });
    }
    void on(const IfStmt &s) {
      x.child(o, "cond", s.cond);
      x.child(o, "then", s.then);
      x.child(o, "else", s.otherwise);
    }
    void on(const WhileStmt &s) {
      x.child(o, "cond", s.cond);
      x.child(o, "body", s.body);
    }
    void on(const DoStmt &s) {
      x.child(o, "body", s.body);
      x.child(o, "cond", s.cond);
    }
    void on(const ForStmt &s) {
      x.child(o, "init", s.init);
      x.child(o, "cond", s.cond);
      x.child(o, "step", s.step);
      x.child(o, "body", s.body);
    }
    void on(const SwitchStmt &s) {
      o.number("cases", static_cast<__int128>(s.cases.size()));
      o.flag("default", s.def != nullptr);
      x.child(o, "cond", s.cond);
      x.child(o, "body", s.body);
    }
    void on(const CaseStmt &s) {
      o.number("low", s.lo);
      o.number("high", s.high ? s.hi : s.lo);
      x.child(o, "statement", s.sub);
    }
    void on(const DefaultStmt &s) { x.child(o, "statement", s.sub); }
    void on(const LabelStmt &s) {
      x.refer(o, "label", s.label);
      x.child(o, "statement", s.sub);
    }
    void on(const GotoStmt &s) { x.refer(o, "label", s.label); }
    void on(const ReturnStmt &s) { x.child(o, "value", s.value); }
    void on(const SpawnStmt &s) {
      o.text("form", formNames[static_cast<int>(s.form)]);
      o.flag("called", s.called);
      o.flag("fills", s.fills);
      x.child(o, "call", static_cast<const Expr *>(s.call));
      x.child(o, "delivery", static_cast<const Expr *>(s.delivery));
      if (!s.inlet) return;
      x.refer(o, "inlet", s.inlet);
      x.child(o, "value", s.value);
      o.list("arguments", s.arguments, [&](const Expr *a) { x.node(a); });
    }
    void on(const TouchStmt &s) {
      x.refer(o, "own", s.own);
      x.refer(o, "renewed", s.renewed);
      x.child(o, "future", s.future);
    }
    void on(const ThreadStmt &s) {
      o.text("form", threadForms[static_cast<int>(s.form)]);
      x.refer(o, "thread", s.thread);
      o.list("arguments", s.arguments, [&](const Expr *a) { x.node(a); });
    }
    void on(const SyncStmt &s) { o.flag("written", s.isWritten); }
    void on(const AsmStmt &s) {
      o.flag("volatile", s.isVolatile);
      o.text("text", s.text);
      others(static_cast<const Stmt *>(&s));
    }
    void on(const FunctionStmt &s) {
      if (!s.def || !s.def->fn) return;
      x.refer(o, "declaration", s.def->fn);
      if (s.def->body) x.child(o, "body", static_cast<const Stmt *>(s.def->body));
    }
    void on(const PragmaStmt &s) { o.text("text", s.pragma ? s.pragma->text : std::string_view()); }
  };
};

}  // namespace

void exportTree(const TranslationUnit &unit, const AstContext &cx, const SourceManager &sm, std::ostream &out) {
  Exporter(unit, cx, sm).run(out);
}

}  // namespace cilkc
