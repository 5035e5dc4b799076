// clones.cpp - a Cilk procedure's closure, clones, deliveries and signature in the form of Figure 3 of Frigo, Leiserson
// and Randall (PLDI'98): C with a comment at the right of whatever the compiler added.
//
// The procedure's plan says where variables live and what is saved where; these files only write that down, in the
// order in which codegen/clones emits it: the bodies in clone_body.cpp, what surrounds them here.
#include <ostream>
#include "frontend/show/show.h"
#include "frontend/show/shown.h"

namespace cilkc {
namespace show {
namespace {

const char *homeText(VarHome home) {
  switch (home) {
    case VarHome::Register: return "a register, saved here where it is live";
    case VarHome::Delivered: return "fast clone: a register; slow clone: here, for deliveries";
    case VarHome::Closure: return "always here: its address must not change";
    case VarHome::Scratch: break;
  }
  return "";
}

void closureStruct(Shown &p, Lines &out) {
  out.add(p.structName(), "one per instance, on the heap");
  out.add("{");
  out.in();
  out.add("struct header header;", "sig, entry (the PC), join counter, ...");
  if (!p.isVoid())
    out.add(p.decl(p.fn->type->as<FunctionType>()->result.unqual(), "result") + ";",
        "the value waits here for the implicit sync");
  for (auto *v : p.plan.closure.variables)
    out.add((hasVariableSize(v->type.type) ? "void *" + p.slots.at(v) : p.decl(v->type.unqual(), p.slots.at(v))) + ";",
        homeText(p.plan.home(v)));
  Lines records;
  for (auto &s : p.plan.spawns) {
    std::string fields;
    if (s.record.receiver == RecordLayout::Stored) fields += p.decl(s.site->receiver()->type, "*receiver") + "; ";
    for (size_t i = 0; i < s.record.argTypes.size(); i++)
      fields += p.decl(s.record.argTypes[i], "arg" + std::to_string(i + 1)) + "; ";
    if (fields.empty()) continue;
    if (!records.count()) {
      records.add("");
      out.add("union {", "the return record; when the parent is stolen it goes with the child");
    }
    out.add("    struct { " + fields + "} of_" + std::to_string(s.entry) + ";");
  }
  if (records.count()) out.add("} record;");
  out.out();
  out.add("};");
}

void inlets(Shown &p, Lines &out) {
  for (auto *inlet : p.fn->inlets) {
    if (!inlet->isInlet || !inlet->def) continue;
    std::string params = p.structName() + " *" + p.f;
    for (auto *v : inlet->params) params += ", " + p.decl(v->type, v->name);
    out.blank();
    out.add(
        p.decl(inlet->type->as<FunctionType>()->result, p.name + "_" + std::string(inlet->name) + "(" + params + ")"),
        "the inlet, when its parent was stolen");
    out.add("{");
    out.in();
    inletBody(p, out, inlet->def);
    out.out();
    out.add("}");
  }
}

void deliveries(Shown &p, Lines &out) {
  for (auto &s : p.plan.spawns) {
    if (s.site->form == SpawnForm::Plain) continue;
    std::string n = std::to_string(s.entry), result, receiver;
    if (p.value(s)) result = "*(" + p.decl(s.site->type()->result.unqual(), "*") + ")result";
    if (s.record.receiver != RecordLayout::NoReceiver)
      receiver = s.record.receiver == RecordLayout::Stored ? "*record->of_" + n + ".receiver"
                                                           : receiverText(p, s.site->receiver());
    std::vector<std::string> args;
    for (size_t i = 1; i <= s.record.argTypes.size(); i++)
      args.push_back("record->of_" + n + ".arg" + std::to_string(i));
    out.blank();
    out.add("void " + p.name + "_deliver_" + n + "(" + p.structName() + " *" + p.f +
            ", union record *record, void *result)");
    out.add("{", p.statement(p.plan.entry(s.entry)));
    out.in();
    out.add(deliveryText(p, s, result, receiver, args), "the child comes back to a stolen parent");
    out.out();
    out.add("}");
  }
}

void signature(Shown &p, Lines &out) {
  out.add("const struct signature " + p.name + "_sig = {", "what the runtime knows of " + p.name);
  out.in();
  out.add("\"" + p.name + "\", " + p.name + "_slow, sizeof(" + p.structName() + "),");
  out.add("{");
  out.in();
  for (size_t n = 1; n < p.plan.entries.size(); n++) {
    const EntryPoint &e = p.plan.entries[n];
    std::string code = "[" + std::to_string(n) + "] = { ", where;
    bool delivers = e.spawn && p.plan.spawn(e.spawn).site->form != SpawnForm::Plain;
    code += delivers ? p.name + "_deliver_" + std::to_string(n) : "NULL";
    switch (e.kind) {
      case EntryPoint::AfterSpawn: where = "line " + p.line(e.range) + ", after " + p.statement(e); break;
      case EntryPoint::BeforeSpawn:
        if (!p.plan.resumable(e)) continue;
        where = "line " + p.line(e.range) + ", before a first spawn";
        break;
      case EntryPoint::AtTouch:
        where = "line " + p.line(e.range) +
                (e.stmt->as<TouchStmt>()->renewed ? ", a future's declaration comes again" : ", before touch");
        break;
      case EntryPoint::AtSync: where = "line " + p.line(e.range) + ", sync"; break;
      case EntryPoint::AtReturn: where = "the implicit sync"; break;
      case EntryPoint::Start: continue;
    }
    out.add(code + " },", where);
  }
  out.out();
  out.add("}");
  out.out();
  out.add("};");
}

void procedure(const SourceManager &sources, const ClonePlan &plan, const TypeNames &types, std::ostream &o) {
  Shown p(sources, plan, types);
  o << "/* ---- cilk " << p.decl(plan.fn->type, plan.fn->name) << ", " << strategyInfo(plan.strategy).name
    << " spawns ---- */\n\n";
  Lines out;
  closureStruct(p, out);
  out.blank();
  std::set<std::string> names = p.taken;
  fastClone(p, out);
  p.taken = names;
  out.blank();
  slowClone(p, out);
  inlets(p, out);
  deliveries(p, out);
  out.blank();
  signature(p, out);
  out.print(o);
  o << '\n';
}

}  // namespace
}  // namespace show

bool showClones(const TranslationUnit &unit, const UnitPlan &plans, const SourceManager &sources, std::string_view only,
    std::ostream &out) {
  std::vector<const FunctionDecl *> shown;
  for (const ExternalDecl &d : unit.decls) {
    const FunctionDecl *fn = d.function ? d.function->fn : nullptr;
    if (!fn || !fn->isCilk) continue;
    // the library's own, of cilk.h, are not the user's concern
    if (only.empty() ? fn->name.substr(0, 5) != "Cilk_" : fn->name == only) shown.push_back(fn);
  }
  if (shown.empty() && !only.empty()) return false;
  out << "/* What the compiler makes of each Cilk procedure. In this text\n"
         "     self            is the worker that runs\n"
         "     alloc, free     take and free a closure: a few instructions on the worker's own free list\n"
         "     push, pop       put a closure on the worker's deque and take it off again: no lock unless a thief is at the same closure\n";
  if (!plans.options.pushes())
    out << "     release         a thief found every deque empty and asked for work: CONTINUE nothing to do, INITIATE the youngest frame begins,\n"
           "                     PROPAGATE a younger frame has begun, UNWIND the instance was aborted\n"
           "     release_frame   makes a closure of the running frame, to be resumed at the given entry\n";
  out << "     sync            runs the deliveries that wait; SUSPENDED: children are still out, this worker steals\n"
         "     finish          delivers the value to the parent's closure */\n\n";
  TypeNames types;  // types without a tag by their typedef names
  for (const ExternalDecl &d : unit.decls)
    if (d.decl)
      for (auto &id : d.decl->declarators) {
        const Type *t = id.decl && id.decl->kind == DeclKind::Typedef ? id.decl->type.type : nullptr;
        if ((t && t->isRecord() && t->as<RecordType>()->tag.empty()) ||
            (t && t->kind == TypeKind::Enum && t->as<EnumType>()->tag.empty()))
          types.emplace(t, id.decl->name);
      }
  for (auto *fn : shown) show::procedure(sources, plans.of(fn), types, out);
  return true;
}

}  // namespace cilkc
