// print.cpp - the tree as text, one node a line:
//
//     Function fib : cilk int (int)
//       param n : int
//       Compound
//         If
//           Binary < : int
//
// After sema each expression shows its type; an lvalue is marked. Works on trees before sema, too, where types are not
// yet known.
#include <cstdio>
#include <ostream>
#include "frontend/ast/kinds.h"
#include "frontend/ast/visit.h"

namespace cilkc {

namespace {

std::string quoted(std::string_view bytes, size_t limit = 60) {
  std::string s = "\"";
  char hex[8];
  for (size_t i = 0; i < bytes.size() && i < limit; ++i) {
    unsigned char c = static_cast<unsigned char>(bytes[i]);
    if (c == '"' || c == '\\') s += '\\', s += static_cast<char>(c);
    else if (c == '\n') s += "\\n";
    else if (c < 0x20 || c >= 0x7F) std::snprintf(hex, sizeof hex, "\\x%02x", c), s += hex;
    else s += static_cast<char>(c);
  }
  return s + (bytes.size() > limit ? "\"..." : "\"");
}

class Printer {
public:
  explicit Printer(std::ostream &o) : out(o) {}

  void unit(const TranslationUnit &tu) {
    for (const ExternalDecl &d : tu.decls) {
      if (d.function) functionDef(d.function);
      if (d.decl) declaration(d.decl);
      if (d.sassert) staticAssert(d.sassert);
      if (d.fileAsm) line() << "Asm " << quoted(d.fileAsm->text) << '\n';
      if (d.pragma) line() << "Pragma " << d.pragma->text << '\n';
    }
  }

private:
  struct Indent {
    int &d;
    explicit Indent(int &depth) : d(depth) { ++d; }
    ~Indent() { --d; }
  };
  std::ostream &out;
  int depth = 0;

  // Deep trees are printed with their depth as a number, or a sum of 10,000 terms would be all blanks.
  std::ostream &line() {
    if (depth <= 60) out << std::string(static_cast<size_t>(depth) * 2, ' ');
    else out << std::string(120, ' ') << '[' << depth << "] ";
    return out;
  }

  void printUnder(const char *label, const Expr *e) {
    if (!e) return;
    Indent i(depth);
    line() << label << ":\n";
    expr(e);
  }
  void printUnder(const char *label, const Stmt *s) {
    if (!s) return;
    Indent i(depth);
    line() << label << ":\n";
    stmt(s);
  }

  std::string spelling(const TypeName *t) const {
    if (!t) return "";
    return t->type ? toString(t->type) : "(type)";
  }

  // ---- declarations ----
  void functionDef(const FunctionDef *f) {
    std::string n = f->declarator ? std::string(f->declarator->name) : std::string();
    line() << (f->fn && f->fn->isInlet ? "Inlet " : "Function ") << n;
    if (f->fn) {
      out << " : " << toString(f->fn->type);
      if (f->fn->storage == StorageClass::Static) out << " static";
      if (f->fn->isInline) out << " inline";
      if (f->fn->externInline) out << " extern-inline";
      if (f->fn->isNoreturn) out << " noreturn";
      if (!f->fn->spawns.empty()) out << " spawns=" << f->fn->spawns.size();
    }
    out << '\n';
    Indent i(depth);
    if (f->fn)
      for (const VarDecl *p : f->fn->params) {
        line() << "param ";
        variable(p);
      }
    for (const Declaration *d : f->krDecls) declaration(d);
    if (f->body) stmt(f->body);
  }

  void variable(const VarDecl *v) {
    out << (v->name.empty() ? std::string_view("(unnamed)") : v->name) << " : " << (v->type ? toString(v->type) : "?");
    if (v->storage == StorageClass::Static) out << " static";
    if (v->storage == StorageClass::Extern) out << " extern";
    if (v->storage == StorageClass::Register) out << " register";
    if (v->threadLocal) out << " thread-local";
    if (v->isPrivate) out << " private";
    if (v->hidden) out << " hidden";
    if (v->addressTaken) out << " address-taken";
    if (v->inletTouches) out << " inlet-touched";
    if (v->isReceiver) out << " receiver";
    if (v->crossesNested) out << " crosses-nested";
    out << '\n';
  }

  void specs(const DeclSpecs *s) {
    if (!s) return;
    if (s->record && s->record->hasBody) {
      Indent i(depth);
      line() << (s->record->isUnion ? "Union " : "Struct ") << s->record->tag << '\n';
      for (const StructMember &m : s->record->members) {
        if (m.sassert) staticAssert(m.sassert);
        Indent j(depth);
        specs(m.specs);
        for (const FieldDeclarator &f : m.fields) {
          line() << "field " << (f.declarator ? f.declarator->name : std::string_view())
                 << (f.width ? " bit-field" : "") << '\n';
          if (f.width) printUnder("width", f.width);
        }
      }
    }
    if (s->enumeration && s->enumeration->hasBody) {
      Indent i(depth);
      line() << "Enum " << s->enumeration->tag << '\n';
      for (const EnumSpec::Item &m : s->enumeration->items) {
        Indent j(depth);
        line() << "enumerator " << m.name << '\n';
        if (m.value) printUnder("value", m.value);
      }
    }
  }

  void declaration(const Declaration *d) {
    if (d->declarators.empty()) line() << "Declaration\n";
    if (d->declarators.empty()) specs(d->specs);
    bool first = true;
    for (const InitDeclarator &i : d->declarators) {
      const Decl *x = i.decl;
      if (!x) {
        line() << "Declare " << (i.declarator ? i.declarator->name : std::string_view()) << '\n';
      } else if (x->kind == DeclKind::Var) {
        line() << "Var ";
        variable(x->as<VarDecl>());
      } else if (x->kind == DeclKind::Typedef) {
        line() << "Typedef " << x->name << " : " << toString(x->type) << '\n';
      } else {
        line() << (x->kind == DeclKind::Function ? "Prototype " : "Declare ") << x->name << " : " << toString(x->type)
               << '\n';
      }
      if (first) specs(d->specs);
      first = false;
      if (i.init) {
        Indent j(depth);
        initializer(i.init);
      }
    }
  }

  void staticAssert(const StaticAssert *s) {
    line() << "StaticAssert\n";
    Indent i(depth);
    if (s->cond) expr(s->cond);
  }

  void initializer(const Initializer *i) {
    if (i->expr) expr(i->expr);
    if (i->list) initList(i->list);
  }

  void initList(const InitList *l) {
    if (const InitPlan *p = l->plan) {
      line() << "InitPlan : " << toString(p->type) << " size=" << p->size << " stores=" << p->stores.size() << '\n';
      Indent i(depth);
      for (const InitStore &s : p->stores) {
        line() << "at " << s.offset << " : " << toString(s.type);
        if (s.bitField) out << " bits " << s.bitField->bitOffset << "+" << s.bitField->width;
        if (s.repeat != 1) out << " repeat " << s.repeat << " stride " << s.stride;
        out << '\n';
        Indent j(depth);
        if (s.value) expr(s.value);
      }
      return;
    }
    line() << "InitList " << l->items.size() << '\n';
    Indent i(depth);
    for (const InitItem &it : l->items) {
      for (const Designator &d : it.designators) {
        line() << "designator " << (d.field.empty() ? std::string_view(d.hi ? "[a ... b]" : "[a]") : d.field) << '\n';
        if (d.lo) printUnder("index", d.lo);
        if (d.hi) printUnder("to", d.hi);
      }
      if (it.init) initializer(it.init);
    }
  }

  // ---- statements ----
  void stmt(const Stmt *s) { dispatch(*this, s); }

public:
  // Its name, and what belongs to it.
  template <class S>
    requires std::is_base_of_v<Stmt, S>
  void on(const S &s) {
    line() << name(s.kind) << '\n';
    Indent i(depth);
    eachChild(&s, Walk::Written, [this](const auto *child) { part(child); });
  }
  void on(const ErrorStmt &) { line() << "ErrorStmt\n"; }
  void on(const NullStmt &s) { line() << (s.attrs.empty() ? "Null" : "Null [attributes]") << '\n'; }
  void on(const DeclStmt &s) {
    if (s.decl) declaration(s.decl);
    if (s.sassert) staticAssert(s.sassert);
  }
  void on(const IfStmt &s) {                   // else-if chains are printed flat
    line() << "If\n";
    const IfStmt *f = &s;
    for (;; f = f->otherwise->as<IfStmt>()) {
      printUnder("cond", f->cond);
      printUnder("then", f->then);
      if (!f->otherwise || f->otherwise->kind != StmtKind::If) break;
      line() << "ElseIf\n";
    }
    printUnder("else", f->otherwise);
  }
  void on(const WhileStmt &s) {
    line() << "While\n";
    printUnder("cond", s.cond);
    printUnder("body", s.body);
  }
  void on(const DoStmt &s) {
    line() << "Do\n";
    printUnder("body", s.body);
    printUnder("cond", s.cond);
  }
  void on(const ForStmt &s) {
    line() << "For\n";
    printUnder("init", s.init);
    printUnder("cond", s.cond);
    printUnder("step", s.step);
    printUnder("body", s.body);
  }
  void on(const SwitchStmt &s) {
    line() << "Switch cases=" << s.cases.size() << (s.def ? " default" : "") << '\n';
    printUnder("on", s.cond);
    printUnder("body", s.body);
  }
  void on(const CaseStmt &s) {
    line() << "Case " << decimal(s.lo);
    if (s.high) out << " ... " << decimal(s.hi);
    out << '\n';
    Indent i(depth);
    if (s.sub) stmt(s.sub);
  }
  void on(const LabelStmt &s) {
    line() << "Label " << s.name << '\n';
    Indent i(depth);
    if (s.sub) stmt(s.sub);
  }
  void on(const GotoStmt &s) { line() << "Goto " << s.name << '\n'; }
  void on(const GotoExprStmt &s) {
    line() << "GotoExpr\n";
    printUnder("target", s.target);
  }
  void on(const AsmStmt &a) {
    line() << "Asm" << (a.isVolatile ? " volatile" : "") << (a.isGoto ? " goto" : "") << ' ' << quoted(a.text) << '\n';
    Indent i(depth);
    for (const auto *list : {&a.outputs, &a.inputs})
      for (const AsmOperand &o : *list) {
        line() << (list == &a.outputs ? "output " : "input ") << quoted(o.constraint) << '\n';
        Indent j(depth);
        if (o.expr) expr(o.expr);
      }
    for (const std::string &c : a.clobbers) line() << "clobber " << quoted(c) << '\n';
    for (const auto &g : a.gotoLabels) line() << "label " << g.first << '\n';
  }
  void on(const LocalLabelStmt &s) {
    line() << "LocalLabel";
    for (const auto &n : s.names) out << ' ' << n.first;
    out << '\n';
  }
  void on(const SpawnStmt &s) {
    line() << "Spawn";
    if (s.inlet) out << " to " << s.inlet->name;
    out << '\n';
    printUnder("call", s.call);
    printUnder("delivery", s.delivery ? static_cast<const Expr *>(s.delivery) : s.value);
    for (const Expr *a : s.arguments) printUnder("argument", a);
  }
  void on(const TouchStmt &s) {
    line() << (s.renewed ? "Renew " + std::string(s.renewed->name) : "Touch") << '\n';
    Indent i(depth);
    if (s.future) expr(s.future);
  }
  void on(const ThreadStmt &t) {
    static const char *const forms[] = {"Spawn", "SpawnNext", "TailCall", "Root"};
    line() << "Thread" << forms[static_cast<int>(t.form)] << ' ' << t.thread->name << '\n';
    {
      Indent i(depth);
      for (const Expr *e : t.arguments) expr(e);
    }
    printUnder("on", t.placement);
    printUnder("receiver", t.receiver);
  }
  void on(const SendStmt &s) {
    line() << "SendArgument\n";
    Indent i(depth);
    expr(s.continuation);
    expr(s.value);
  }
  void on(const FunctionStmt &s) { functionDef(s.def); }
  void on(const PragmaStmt &s) { line() << "Pragma " << s.pragma->text << '\n'; }

private:
  void part(const Expr *e) { expr(e); }
  void part(const Stmt *s) { stmt(s); }
  template <class N> void part(const N *) {}

  // ---- expressions ----
  void end(const Expr *e) {
    if (e->type) out << " : " << toString(e->type);
    if (e->lvalue) out << " lvalue";
    if (e->bitField) out << " bit-field";
    out << '\n';
  }
  void child(const Expr *e) {
    if (!e) return;
    Indent i(depth);
    expr(e);
  }

  void expr(const Expr *e) { dispatch(*this, e); }

public:
  void on(const ErrorExpr &n) {
    line() << "ErrorExpr";
    end(&n);
  }
  void on(const IntLit &n) {
    line() << "Int " << (n.wide.empty() ? decimal(n.value) : std::string(n.wide)) << (n.imaginary ? "i" : "");
    end(&n);
  }
  void on(const FloatLit &n) {
    line() << "Float " << n.text << (n.imaginary ? "i" : "");
    end(&n);
  }
  void on(const CharLit &n) {
    line() << "Char " << n.value;
    end(&n);
  }
  void on(const StringLit &n) {
    line() << "String " << quoted(n.bytes);
    end(&n);
  }
  void on(const Data &n) {
    line() << "Data " << quoted(n.bytes);
    end(&n);
  }
  void on(const Ident &n) {
    line() << "Ident " << n.name;
    end(&n);
  }
  void on(const ParenExpr &n) {
    line() << "Paren";
    end(&n);
    child(n.sub);
  }
  void on(const Unary &n) {
    line() << "Unary " << name(n.op);
    end(&n);
    child(n.sub);
  }
  void on(const Binary &n) {
    line() << "Binary " << cilkc::spelling(n.op);
    end(&n);
    child(n.lhs);
    child(n.rhs);
  }
  void on(const Assign &n) {
    line() << "Assign " << (n.compound ? cilkc::spelling(n.op) : "") << '=';
    if (n.compound && n.computeType) out << " in " << toString(n.computeType);
    end(&n);
    child(n.lhs);
    child(n.rhs);
  }
  void on(const Conditional &n) {
    line() << "Conditional";
    end(&n);
    printUnder("cond", n.cond);
    printUnder("then", n.then);
    printUnder("else", n.otherwise);
  }
  void on(const Cast &n) {
    line() << "Cast " << name(n.castKind) << " to " << spelling(n.target);
    end(&n);
    child(n.sub);
  }
  void on(const ImplicitCast &n) {
    line() << "ImplicitCast " << name(n.castKind);
    end(&n);
    child(n.sub);
  }
  void on(const CompoundLit &n) {
    line() << "CompoundLit";
    end(&n);
    Indent i(depth);
    if (n.init) initList(n.init);
  }
  void on(const Call &n) {
    line() << "Call";
    if (n.builtin) out << " builtin=" << n.builtin;
    end(&n);
    printUnder("callee", n.callee);
    for (const Expr *a : n.args) printUnder("arg", a);
  }
  void on(const Member &n) {
    line() << "Member " << (n.arrow ? "->" : ".") << n.name;
    if (!n.path.empty()) {
      uint64_t offset = 0;
      for (const FieldDecl *f : n.path) offset += f->offset;
      out << " offset=" << offset;
    }
    end(&n);
    child(n.base);
  }
  void on(const Index &n) {
    line() << "Index";
    end(&n);
    child(n.base);
    child(n.index);
  }
  void on(const SizeofExpr &n) {
    line() << (n.kind == ExprKind::SizeofExpr ? "Sizeof" : "Alignof");
    end(&n);
    child(n.sub);
  }
  void on(const SizeofType &n) {
    line() << (n.kind == ExprKind::SizeofType ? "Sizeof " : "Alignof ") << spelling(n.target);
    end(&n);
  }
  void on(const Generic &n) {
    line() << "Generic of " << n.assocs.size();
    end(&n);
    printUnder("control", n.control);
    if (n.chosen) printUnder("chosen", n.chosen);
    else
      for (const GenericAssoc &a : n.assocs) printUnder(a.type ? "case" : "default", a.value);
  }
  void on(const StmtExpr &n) {
    line() << "StmtExpr";
    end(&n);
    Indent i(depth);
    if (n.body) stmt(n.body);
  }
  void on(const LabelAddr &n) {
    line() << "LabelAddr " << n.name;
    end(&n);
  }
  void on(const VaArg &n) {
    line() << "VaArg " << spelling(n.target);
    end(&n);
    child(n.list);
  }
  void on(const Offsetof &n) {
    line() << "Offsetof " << spelling(n.target);
    for (const OffsetofStep &s : n.steps) out << (s.index ? std::string("[]") : "." + std::string(s.member));
    out << " constant=" << n.constant;
    end(&n);
    for (const auto &t : n.terms) child(t.second);
  }
  void on(const TypesCompatible &n) {
    line() << "TypesCompatible " << spelling(n.a) << ", " << spelling(n.b) << " = " << n.value;
    end(&n);
  }
  void on(const ChooseExpr &n) {
    line() << "ChooseExpr";
    end(&n);
    if (n.chosen) printUnder("chosen", n.chosen);
    else printUnder("cond", n.cond), printUnder("then", n.then), printUnder("else", n.otherwise);
  }
  void on(const Spawn &n) {
    line() << "Spawn";
    end(&n);
    child(n.call ? static_cast<const Expr *>(n.call) : n.operand);
  }
  void on(const TouchExpr &n) {
    line() << "Touch";
    end(&n);
    child(n.sub);
  }
  void on(const Hole &n) {
    line() << "Hole";
    end(&n);
    child(n.sub);
  }
  void on(const ChildResult &n) {
    line() << "ChildResult";
    end(&n);
  }
  void on(const Synched &n) {
    line() << "Synched";
    end(&n);
  }
};

}  // namespace

void printAst(const TranslationUnit &tu, std::ostream &out) { Printer(out).unit(tu); }

}  // namespace cilkc
