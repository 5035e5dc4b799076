// uses.h - what the text of inlets and procedures names, as the lifting of inlets needs it. Private to elide/.
#pragma once
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>
#include "frontend/elide/walk.h"

namespace cilkc {

// What an inlet's text uses: outer variables in order of appearance, outer enumeration constants, names of outer local
// typedefs.
class Uses final : public AstWalker {
public:
  explicit Uses(const FunctionDecl *inlet, const std::unordered_set<std::string_view> &typedefs)
      : inlet(inlet), typedefs(typedefs) {}
  std::vector<const VarDecl *> captured;
  std::vector<std::pair<const Ident *, const Decl *>> idents;      // uses of captured variables and outer constants
  std::vector<std::string_view> localTypedefs;
  std::vector<const VarDecl *> own;
  std::vector<const RecordType *> records;                         // named by `struct tag`
  std::vector<const EnumSpec *> enums;                             // `enum tag`
  std::vector<const Decl *> outside;                               // functions, and objects of external linkage

private:
  const FunctionDecl *inlet;
  const std::unordered_set<std::string_view> &typedefs;
  // names that the inlet's own declarations hide, by scopes
  std::vector<std::string_view> hidden;
  std::vector<size_t> marks;
  void enterScope() override { marks.push_back(hidden.size()); }
  void leaveScope() override {
    hidden.resize(marks.back());
    marks.pop_back();
  }
  void onExpr(const Expr *e) override {
    if (e->kind != ExprKind::Ident) return;
    const auto *id = e->as<Ident>();
    if (!id->decl) return;
    if (id->decl->kind == DeclKind::Var) {
      const auto *v = id->decl->as<VarDecl>();
      if (v->linkage != Linkage::None) outside.push_back(v);
      if (!v->fn || (inlet && (v->fn == inlet || v->fn->parent == inlet)) || v->linkage != Linkage::None) return;
      if (std::find(captured.begin(), captured.end(), v) == captured.end()) captured.push_back(v);
      idents.emplace_back(id, v);
    } else if (id->decl->kind == DeclKind::EnumConst) {
      idents.emplace_back(id, id->decl);
    } else if (id->decl->kind == DeclKind::Function) {
      outside.push_back(id->decl);
    }
  }
  void onSpecs(const DeclSpecs *s) override {
    if (s->record && s->record->type && !s->record->hasBody) records.push_back(s->record->type);
    if (s->enumeration && !s->enumeration->hasBody) enums.push_back(s->enumeration);
    if (!s->typedefName.empty() && typedefs.count(s->typedefName) &&
        std::find(hidden.begin(), hidden.end(), s->typedefName) == hidden.end())
      localTypedefs.push_back(s->typedefName);
  }
  void onDecl(const Decl *d, const DeclSpecs *) override {
    if (d->kind == DeclKind::Var) own.push_back(d->as<VarDecl>());
    if (inlet && d->kind == DeclKind::Typedef) hidden.push_back(d->name);
  }
};

// What a procedure's text has outside its inlets: local typedefs, calls of inlets with their scopes, `register`s.
class Procedure final : public AstWalker {
public:
  std::unordered_set<std::string_view> typedefs;
  std::unordered_multimap<std::string_view, const Declaration *> typedefDeclarations;
  std::unordered_multimap<const Type *, const RecordSpec *> recordNames;       // each place that names a record
  std::unordered_multimap<std::string_view, const EnumSpec *> enumNames;       // ... an enumeration
  std::unordered_map<std::string_view, std::unordered_set<const EnumType *>> enumTypes;
  std::unordered_map<const VarDecl *, Range> registers;
  struct InletCall {
    const SpawnStmt *call;
    std::unordered_map<std::string_view, const Decl *> hiding;
  };
  std::vector<InletCall> calls;

private:
  std::vector<std::pair<std::string_view, const Decl *>> visible;
  std::vector<size_t> marks;
  void enterScope() override { marks.push_back(visible.size()); }
  void leaveScope() override {
    visible.resize(marks.back());
    marks.pop_back();
  }
  bool inInlet = false;
  void onFunction(const FunctionDef *def) override {
    bool was = inInlet;
    inInlet = inInlet || (def->fn && def->fn->isInlet);
    if (inInlet) walk(def->specs);
    walk(def);
    inInlet = was;
  }
  void onSpecs(const DeclSpecs *s) override {
    if (s->record && s->record->type) recordNames.emplace(s->record->type, s->record);
    if (s->enumeration && !s->enumeration->tag.empty()) enumNames.emplace(s->enumeration->tag, s->enumeration);
  }
  void onDeclaration(const Declaration *d) override {
    for (const InitDeclarator &i : d->declarators)
      if (i.decl && i.decl->kind == DeclKind::Typedef && !inInlet) typedefDeclarations.emplace(i.decl->name, d);
  }
  void onDecl(const Decl *d, const DeclSpecs *s) override {
    visible.emplace_back(d->name, d);
    if (d->kind == DeclKind::Typedef && !inInlet) typedefs.insert(d->name);
    if (d->type && d->type->isEnum()) enumTypes[d->type->as<EnumType>()->tag].insert(d->type->as<EnumType>());
    if (d->kind == DeclKind::Var && s && s->storage == StorageClass::Register)
      registers[d->as<VarDecl>()] = s->storageRange;
  }
  void onExpr(const Expr *e) override {
    if (e->type && e->type->isEnum()) enumTypes[e->type->as<EnumType>()->tag].insert(e->type->as<EnumType>());
  }
  void onStmt(const Stmt *s) override {
    if (s->kind != StmtKind::Spawn || !s->as<SpawnStmt>()->inlet) return;
    InletCall c{s->as<SpawnStmt>(), {}};
    for (const auto &v : visible) c.hiding[v.first] = v.second;     // the innermost is the last
    calls.push_back(std::move(c));
  }
};

}  // namespace cilkc
