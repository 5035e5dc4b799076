// print.cpp - a ProcedureFlow in words, one procedure after another in the order of the text. Entry points are numbered as the slow clone
// numbers them; a line of the user's text tells where each stands.
#include "frontend/flow/print.h"
#include <ostream>
#include "frontend/flow/procedure.h"

namespace cilkc {
namespace {

const char *homeText(VarHome home) {
  switch (home) {
    case VarHome::Scratch: return "scratch: no spawn or sync in its scope, never saved";
    case VarHome::Register: return "register in both clones, saved where it is live";
    case VarHome::Delivered: return "register in the fast clone, closure slot in the slow clone: children deliver to it";
    case VarHome::Closure: return "closure slot in both clones: its address may be live across a spawn";
  }
  return "";
}

const char *kindText(EntryPoint::Kind kind) {
  switch (kind) {
    case EntryPoint::Start: return "start";
    case EntryPoint::AfterSpawn: return "after spawn";
    case EntryPoint::BeforeSpawn: return "before spawn, lazy only";
    case EntryPoint::AtSync: return "sync";
    case EntryPoint::AtReturn: return "implicit sync at return";
  }
  return "";
}

void list(const char *title, const std::vector<VarDecl *> &vars, std::ostream &out) {
  out << "    " << title << ":";
  if (vars.empty()) out << " nothing";
  for (const VarDecl *v : vars) out << ' ' << (v->name.empty() ? std::string_view("(hidden)") : v->name);
  out << '\n';
}

class Printer {
public:
  Printer(const SourceManager &sources, std::ostream &out) : sources(sources), out(out) {}

  void procedure(const FunctionDecl *fn) {
    ProcedureFlow flow = analyzeProcedure(fn->def);
    out << "procedure " << fn->name << ": " << toString(fn->type) << '\n';
    for (const VarDecl *v : fn->params) variable("parameter", v, flow);
    for (const VarDecl *v : fn->locals) variable("local", v, flow);
    for (const FunctionDecl *inlet : fn->inlets)
      if (inlet->isInlet) out << "  inlet " << inlet->name << ": " << toString(inlet->type) << '\n';
    out << "  closure: " << (flow.closureAtEntry ? (flow.cut ? "taken at the cut, " + place(flow.cut->range.begin) : std::string("taken at entry"))
                                                 : std::string("taken at a spawn (eager), a steal or a release")) << '\n';
    for (size_t n = 1; n < flow.entries.size(); ++n) entry(n, flow.entries[n]);
    out << '\n';
  }

private:
  const SourceManager &sources;
  std::ostream &out;

  std::string place(Loc loc) const {
    Presumed p = sources.resolve(loc);
    std::string text = "line " + std::to_string(p.line);
    if (p.column) text += ":" + std::to_string(p.column);
    return text;
  }

  void variable(const char *what, const VarDecl *v, const ProcedureFlow &flow) {
    if (v->name.empty() && flow.home(v) == VarHome::Scratch) return;
    out << "  " << what << ' ' << (v->name.empty() ? std::string_view("(hidden)") : v->name) << ": " << toString(v->type) << "  "
        << homeText(flow.home(v)) << '\n';
  }

  void entry(size_t number, const EntryPoint &e) {
    out << "  entry " << number << ": " << kindText(e.kind);
    if (e.kind != EntryPoint::AtReturn) out << ", " << place(e.range.begin);
    out << (e.mayBeOutstanding ? ", children may be out\n" : "\n");
    list("live", e.live, out);
    if (e.kind != EntryPoint::BeforeSpawn) list("saved by the eager fast clone", e.save, out);
  }
};

}  // namespace

void printClones(const TranslationUnit &unit, const AstContext &, const SourceManager &sources, std::ostream &out) {
  Printer printer(sources, out);
  for (const ExternalDecl &d : unit.decls)
    if (d.function && d.function->fn && d.function->fn->isCilk && d.function->fn->name.substr(0, 5) != "Cilk_")
      printer.procedure(d.function->fn);   // the library's own, of cilk.h, are not the user's concern
}

}  // namespace cilkc
