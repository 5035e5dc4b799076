// exports.cpp - the C functions of exported procedures, and the names by which anonymous types can be spelled at file
// scope.
#include "frontend/elide/inlets.h"
#include <deque>
#include <unordered_map>

namespace cilkc {

std::string_view keepName(std::string name) {
  static std::deque<std::string> names;
  return names.emplace_back(std::move(name));
}

TypeNames typedefNames(const TranslationUnit &tu) {
  TypeNames n;
  auto anonymous = [](const Type *t) {
    return (t->isRecord() && t->as<RecordType>()->tag.empty()) || (t->isEnum() && t->as<EnumType>()->tag.empty());
  };
  for (bool directly : {true, false})
    for (const ExternalDecl &d : tu.decls) {
      if (!d.decl) continue;
      for (const InitDeclarator &i : d.decl->declarators) {
        if (!i.decl || !i.decl->type) continue;
        const Type *t = i.decl->type.type;
        bool isTypedef = i.decl->kind == DeclKind::Typedef;
        if (directly && isTypedef && anonymous(t)) n.emplace(t, i.decl->name);
        if (directly || (!isTypedef && i.decl->kind != DeclKind::Var)) continue;
        // Only a pointer or an array of it has a name, or an object.
        std::string path = isTypedef ? "*(" + std::string(i.decl->name) + " *)0" : std::string(i.decl->name);
        for (; t->isPointer() || t->isArray(); path = isTypedef ? "*" + path : path + "[0]")
          t = t->isPointer() ? t->as<PointerType>()->pointee.type : t->as<ArrayType>()->elem.type;
        if (anonymous(t)) n.emplace(t, keepName("__typeof__(" + path + ")"));
      }
    }
  return n;
}

namespace {

struct Export {
  const FunctionDecl *stub;
  std::string head, call;     // `T mt_f(CilkContext *const context, ..)`, `f(..)`
};

std::vector<Export> exportsOf(const TranslationUnit &tu) {
  TypeNames names = typedefNames(tu);
  std::unordered_map<std::string_view, const FunctionDef *> procedures;
  for (const ExternalDecl &d : tu.decls)
    if (const FunctionDecl *f = d.function ? d.function->fn : nullptr) {
      if (f->isCilk) procedures[f->name] = d.function;
      else if (f->isThread && f->procedure && f->procedure->def) procedures[f->name] = f->procedure->def;
    }
  std::vector<Export> found;
  for (const FunctionDecl *f : tu.functions) {
    if (f->def || f->name.substr(0, 3) != "mt_") continue;
    auto it = procedures.find(f->name.substr(3));
    if (it == procedures.end()) continue;
    const FunctionDecl *p = it->second->fn;
    const auto *type = p->type->as<FunctionType>();
    std::string head = std::string(f->name) + "(CilkContext *const context", arguments;
    for (size_t i = 0; i < p->params.size(); ++i) {
      std::string n = p->params[i]->name.empty() ? "argument" + std::to_string(i + 1) : std::string(p->params[i]->name);
      if (n == "context") n = "context_";
      head += ", " + declToC(p->params[i]->type, n, names);
      arguments += (i ? ", " : "") + n;
    }
    found.push_back({f, declToC(type->result, head + ")", names), std::string(p->name) + "(" + arguments + ")"});
  }
  return found;
}

}  // namespace

std::string exportedProcedures(const TranslationUnit &tu, const std::function<bool(std::string_view)> &definedByUser) {
  std::string out;
  for (const Export &e : exportsOf(tu))
    if (!definedByUser(e.stub->name.substr(3)))
      out += "\n" + e.head + "\n{\n    (void)context;\n    " +
             (e.stub->type->as<FunctionType>()->result->isVoid() ? "" : "return ") + e.call + ";\n}\n";
  return out;
}

void declareExports(const TranslationUnit &tu, const SourceManager &sm, const TextOf &textOf) {
  for (const Export &e : exportsOf(tu)) {
    if (!e.stub->implicit) continue;
    for (const ExternalDecl &d : tu.decls) {
      if (!d.function || e.stub->range.begin.raw < d.function->range.begin.raw ||
          e.stub->range.begin.raw >= d.function->range.end.raw)
        continue;
      uint32_t begin, end;
      if (EditedText *text =
              placeOf(sm, textOf, Range{d.function->range.begin, Loc{d.function->range.begin.raw + 1}}, begin, end))
        text->insert(begin, e.head + ";\n\n");
      break;
    }
  }
}

}  // namespace cilkc
