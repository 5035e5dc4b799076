// print.cpp - the tree as text, one node a line:
//
//     Function fib : cilk int (int)
//       param n : int
//       Compound
//         If
//           Binary < : int
//
// After sema each expression shows its type; an lvalue is marked. Works on trees before sema, too, where types are not yet known.
#include <cstdio>
#include <ostream>
#include "frontend/ast/query.h"

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

  void labelled(const char *label, const Expr *e) {
    if (!e) return;
    Indent i(depth);
    line() << label << ":\n";
    expr(e);
  }
  void labelled(const char *label, const Stmt *s) {
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
    if (v->tls != TlsKind::None) out << " thread-local";
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
          line() << "field " << (f.declarator ? f.declarator->name : std::string_view()) << (f.width ? " bit-field" : "") << '\n';
          if (f.width) labelled("width", f.width);
        }
      }
    }
    if (s->enumeration && s->enumeration->hasBody) {
      Indent i(depth);
      line() << "Enum " << s->enumeration->tag << '\n';
      for (const EnumSpec::Item &m : s->enumeration->items) {
        Indent j(depth);
        line() << "enumerator " << m.name << '\n';
        if (m.value) labelled("value", m.value);
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
        line() << (x->kind == DeclKind::Function ? "Prototype " : "Declare ") << x->name << " : " << toString(x->type) << '\n';
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
        if (d.lo) labelled("index", d.lo);
        if (d.hi) labelled("to", d.hi);
      }
      if (it.init) initializer(it.init);
    }
  }

  // ---- statements ----
  void stmt(const Stmt *s) {
    switch (s->kind) {
      case StmtKind::Error: line() << "ErrorStmt\n"; break;
      case StmtKind::Null: line() << (s->attrs.empty() ? "Null" : "Null [attributes]") << '\n'; break;
      case StmtKind::Expr: {
        line() << "Expr\n";
        Indent i(depth);
        if (s->as<ExprStmt>()->expr) expr(s->as<ExprStmt>()->expr);
        break;
      }
      case StmtKind::Compound: {
        line() << "Compound\n";
        Indent i(depth);
        for (const Stmt *t : s->as<CompoundStmt>()->body) stmt(t);
        break;
      }
      case StmtKind::Decl: {
        const auto *d = s->as<DeclStmt>();
        if (d->decl) declaration(d->decl);
        if (d->sassert) staticAssert(d->sassert);
        break;
      }
      case StmtKind::If: {
        // else-if chains are printed flat
        line() << "If\n";
        for (;;) {
          const auto *f = s->as<IfStmt>();
          labelled("cond", f->cond);
          labelled("then", f->then);
          if (f->otherwise && f->otherwise->kind == StmtKind::If) {
            line() << "ElseIf\n";
            s = f->otherwise;
            continue;
          }
          labelled("else", f->otherwise);
          break;
        }
        break;
      }
      case StmtKind::While:
        line() << "While\n";
        labelled("cond", s->as<WhileStmt>()->cond);
        labelled("body", s->as<WhileStmt>()->body);
        break;
      case StmtKind::Do:
        line() << "Do\n";
        labelled("body", s->as<DoStmt>()->body);
        labelled("cond", s->as<DoStmt>()->cond);
        break;
      case StmtKind::For: {
        const auto *f = s->as<ForStmt>();
        line() << "For\n";
        labelled("init", f->init);
        labelled("cond", f->cond);
        labelled("step", f->step);
        labelled("body", f->body);
        break;
      }
      case StmtKind::Switch: {
        const auto *w = s->as<SwitchStmt>();
        line() << "Switch cases=" << w->cases.size() << (w->def ? " default" : "") << '\n';
        labelled("on", w->cond);
        labelled("body", w->body);
        break;
      }
      case StmtKind::Case: {
        const auto *c = s->as<CaseStmt>();
        line() << "Case " << decimal(c->lo);
        if (c->high) out << " ... " << decimal(c->hi);
        out << '\n';
        Indent i(depth);
        if (c->sub) stmt(c->sub);
        break;
      }
      case StmtKind::Default: {
        line() << "Default\n";
        Indent i(depth);
        if (s->as<DefaultStmt>()->sub) stmt(s->as<DefaultStmt>()->sub);
        break;
      }
      case StmtKind::Label: {
        line() << "Label " << s->as<LabelStmt>()->name << '\n';
        Indent i(depth);
        if (s->as<LabelStmt>()->sub) stmt(s->as<LabelStmt>()->sub);
        break;
      }
      case StmtKind::Goto: line() << "Goto " << s->as<GotoStmt>()->name << '\n'; break;
      case StmtKind::GotoExpr:
        line() << "GotoExpr\n";
        labelled("target", s->as<GotoExprStmt>()->target);
        break;
      case StmtKind::Continue: line() << "Continue\n"; break;
      case StmtKind::Break: line() << "Break\n"; break;
      case StmtKind::Return: {
        line() << "Return\n";
        Indent i(depth);
        if (s->as<ReturnStmt>()->value) expr(s->as<ReturnStmt>()->value);
        break;
      }
      case StmtKind::Asm: {
        const auto *a = s->as<AsmStmt>();
        line() << "Asm" << (a->isVolatile ? " volatile" : "") << (a->isGoto ? " goto" : "") << ' ' << quoted(a->text) << '\n';
        Indent i(depth);
        for (const auto *list : {&a->outputs, &a->inputs})
          for (const AsmOperand &o : *list) {
            line() << (list == &a->outputs ? "output " : "input ") << quoted(o.constraint) << '\n';
            Indent j(depth);
            if (o.expr) expr(o.expr);
          }
        for (const std::string &c : a->clobbers) line() << "clobber " << quoted(c) << '\n';
        for (const auto &g : a->gotoLabels) line() << "label " << g.first << '\n';
        break;
      }
      case StmtKind::LocalLabel: {
        line() << "LocalLabel";
        for (const auto &n : s->as<LocalLabelStmt>()->names) out << ' ' << n.first;
        out << '\n';
        break;
      }
      case StmtKind::Spawn: spawn(s->as<SpawnStmt>()); break;
      case StmtKind::Thread: {
        static const char *const forms[] = {"Spawn", "SpawnNext", "TailCall", "Root"};
        const auto *t = s->as<ThreadStmt>();
        line() << "Thread" << forms[static_cast<int>(t->form)] << ' ' << t->thread->name << '\n';
        {
          Indent i(depth);
          for (const Expr *e : t->arguments) expr(e);
        }
        labelled("on", t->placement);
        labelled("receiver", t->receiver);
        break;
      }
      case StmtKind::Send: {
        line() << "SendArgument\n";
        Indent i(depth);
        expr(s->as<SendStmt>()->continuation);
        expr(s->as<SendStmt>()->value);
        break;
      }
      case StmtKind::Sync: line() << "Sync\n"; break;
      case StmtKind::Abort: line() << "Abort\n"; break;
      case StmtKind::Function: functionDef(s->as<FunctionStmt>()->def); break;
      case StmtKind::Pragma: line() << "Pragma " << s->as<PragmaStmt>()->pragma->text << '\n'; break;
    }
  }

  void spawn(const SpawnStmt *s) {
    line() << "Spawn";
    if (s->inlet) out << " to " << s->inlet->name;
    out << '\n';
    labelled("call", s->call);
    labelled("delivery", s->delivery ? static_cast<const Expr *>(s->delivery) : s->value);
    for (const Expr *a : s->arguments) labelled("argument", a);
  }

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

  void expr(const Expr *e) {
    switch (e->kind) {
      case ExprKind::Error:
        line() << "ErrorExpr";
        end(e);
        break;
      case ExprKind::IntLit:
        line() << "Int " << decimal(e->as<IntLit>()->value) << (e->as<IntLit>()->imaginary ? "i" : "");
        end(e);
        break;
      case ExprKind::FloatLit:
        line() << "Float " << e->as<FloatLit>()->text << (e->as<FloatLit>()->imaginary ? "i" : "");
        end(e);
        break;
      case ExprKind::CharLit:
        line() << "Char " << e->as<CharLit>()->value;
        end(e);
        break;
      case ExprKind::StringLit:
        line() << "String " << quoted(e->as<StringLit>()->bytes);
        end(e);
        break;
      case ExprKind::Data:
        line() << "Data " << quoted(e->as<Data>()->bytes);
        end(e);
        break;
      case ExprKind::Ident:
        line() << "Ident " << e->as<Ident>()->name;
        end(e);
        break;
      case ExprKind::Paren:
        line() << "Paren";
        end(e);
        child(e->as<ParenExpr>()->sub);
        break;
      case ExprKind::Unary:
        line() << "Unary " << name(e->as<Unary>()->op);
        end(e);
        child(e->as<Unary>()->sub);
        break;
      case ExprKind::Binary:
        line() << "Binary " << cilkc::spelling(e->as<Binary>()->op);
        end(e);
        child(e->as<Binary>()->lhs);
        child(e->as<Binary>()->rhs);
        break;
      case ExprKind::Assign: {
        const auto *a = e->as<Assign>();
        line() << "Assign " << (a->compound ? cilkc::spelling(a->op) : "") << '=';
        if (a->compound && a->computeType) out << " in " << toString(a->computeType);
        end(e);
        child(a->lhs);
        child(a->rhs);
        break;
      }
      case ExprKind::Conditional:
        line() << "Conditional";
        end(e);
        labelled("cond", e->as<Conditional>()->cond);
        labelled("then", e->as<Conditional>()->then);
        labelled("else", e->as<Conditional>()->otherwise);
        break;
      case ExprKind::Cast:
        line() << "Cast " << name(e->as<Cast>()->castKind) << " to " << spelling(e->as<Cast>()->target);
        end(e);
        child(e->as<Cast>()->sub);
        break;
      case ExprKind::ImplicitCast:
        line() << "ImplicitCast " << name(e->as<ImplicitCast>()->castKind);
        end(e);
        child(e->as<ImplicitCast>()->sub);
        break;
      case ExprKind::CompoundLit: {
        line() << "CompoundLit";
        end(e);
        Indent i(depth);
        if (e->as<CompoundLit>()->init) initList(e->as<CompoundLit>()->init);
        break;
      }
      case ExprKind::Call: {
        const auto *c = e->as<Call>();
        line() << "Call";
        if (c->builtin) out << " builtin=" << c->builtin;
        end(e);
        labelled("callee", c->callee);
        for (const Expr *a : c->args) labelled("arg", a);
        break;
      }
      case ExprKind::Member: {
        const auto *m = e->as<Member>();
        line() << "Member " << (m->arrow ? "->" : ".") << m->name;
        if (!m->path.empty()) {
          uint64_t offset = 0;
          for (const FieldDecl *f : m->path) offset += f->offset;
          out << " offset=" << offset;
        }
        end(e);
        child(m->base);
        break;
      }
      case ExprKind::Index:
        line() << "Index";
        end(e);
        child(e->as<Index>()->base);
        child(e->as<Index>()->index);
        break;
      case ExprKind::SizeofExpr:
      case ExprKind::AlignofExpr:
        line() << (e->kind == ExprKind::SizeofExpr ? "Sizeof" : "Alignof");
        end(e);
        child(e->as<SizeofExpr>()->sub);
        break;
      case ExprKind::SizeofType:
      case ExprKind::AlignofType:
        line() << (e->kind == ExprKind::SizeofType ? "Sizeof " : "Alignof ") << spelling(e->as<SizeofType>()->target);
        end(e);
        break;
      case ExprKind::Generic: {
        const auto *g = e->as<Generic>();
        line() << "Generic of " << g->assocs.size();
        end(e);
        labelled("control", g->control);
        if (g->chosen) labelled("chosen", g->chosen);
        else
          for (const GenericAssoc &a : g->assocs) labelled(a.type ? "case" : "default", a.value);
        break;
      }
      case ExprKind::StmtExpr: {
        line() << "StmtExpr";
        end(e);
        Indent i(depth);
        if (e->as<StmtExpr>()->body) stmt(e->as<StmtExpr>()->body);
        break;
      }
      case ExprKind::LabelAddr:
        line() << "LabelAddr " << e->as<LabelAddr>()->name;
        end(e);
        break;
      case ExprKind::VaArg:
        line() << "VaArg " << spelling(e->as<VaArg>()->target);
        end(e);
        child(e->as<VaArg>()->list);
        break;
      case ExprKind::Offsetof: {
        const auto *o = e->as<Offsetof>();
        line() << "Offsetof " << spelling(o->target);
        for (const OffsetofStep &s : o->steps) out << (s.index ? std::string("[]") : "." + std::string(s.member));
        out << " constant=" << o->constant;
        end(e);
        for (const auto &t : o->terms) child(t.second);
        break;
      }
      case ExprKind::TypesCompatible:
        line() << "TypesCompatible " << spelling(e->as<TypesCompatible>()->a) << ", " << spelling(e->as<TypesCompatible>()->b) << " = "
               << e->as<TypesCompatible>()->value;
        end(e);
        break;
      case ExprKind::ChooseExpr: {
        const auto *c = e->as<ChooseExpr>();
        line() << "ChooseExpr";
        end(e);
        if (c->chosen) labelled("chosen", c->chosen);
        else labelled("cond", c->cond), labelled("then", c->then), labelled("else", c->otherwise);
        break;
      }
      case ExprKind::Spawn: {
        const auto *s = e->as<Spawn>();
        line() << "Spawn";
        end(e);
        child(s->call ? static_cast<const Expr *>(s->call) : s->operand);
        break;
      }
      case ExprKind::Hole:
        line() << "Hole";
        end(e);
        child(e->as<Hole>()->sub);
        break;
      case ExprKind::ChildResult:
        line() << "ChildResult";
        end(e);
        break;
      case ExprKind::Synched:
        line() << "Synched";
        end(e);
        break;
    }
  }
};

}  // namespace

void printAst(const TranslationUnit &tu, std::ostream &out) { Printer(out).unit(tu); }

}  // namespace cilkc
