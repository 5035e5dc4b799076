// interfaces.cpp - what this unit takes for the types of Cilk procedures, as text for the command to compare before it
// links (driver/cilkc_driver/interfaces.py).
//
// The records are in a section of their own that linkers leave out, so they cost nothing at run time. One is there for
// each procedure with external linkage that the unit defines or uses: one of Cilk-5, a thread of Cilk-1 as the
// procedure that it is for others, and a C function mt_f, by which C calls f. A unit in OpenCilk's spelling has one for
// each spawning function that it defines. Such a unit also has one of a kind of its own for each C function that it
// uses of other files: records of this kind are compared with spawning functions alone.
#include "codegen/module/interfaces.h"
#include "codegen/core/module.h"

namespace cilkc::cg {

namespace {

constexpr const char *kSection = ".cilkc.types";

// What must be equal for a call to be right. Pointers are one kind: all are passed alike.
std::string code(QualType q, TypeLowering &t) {
  const Type *type = q.type;
  if (type->isEnum() && type->as<EnumType>()->underlying) type = type->as<EnumType>()->underlying;
  if (type->isPointer()) return "*";
  if (type->isCont()) return "cont " + code(type->as<RecordType>()->continues, t);
  if (type->isRecord()) {
    const auto *r = type->as<RecordType>();
    return std::string(r->isUnion ? "union " : "struct ") + std::string(r->tag) + "/" +
           (r->complete ? std::to_string(t.size(q)) : "?");
  }
  return toString(QualType(type));
}

enum class Kind : char { Use = '0', Definition = '1', UseInC = '2' };

void record(std::string &out, const FunctionDecl *f, Kind kind, std::string_view name, const FunctionType *type,
    size_t first, TypeLowering &t, const SourceManager &sm) {
  std::string key = code(type->result, t) + "(",
              shown = toString(type->result.unqual()) + " " + std::string(name) + "(";
  for (size_t i = first; i < type->params.size(); i++) {
    key += (i > first ? "," : "") + code(type->params[i], t);
    shown += (i > first ? ", " : "") + toString(type->params[i].unqual());
  }
  if (type->variadic) key += ",...", shown += ", ...";
  if (!type->prototype) key += "?";
  Presumed where = f->range.valid() ? sm.presumed(f->range.begin) : Presumed{};
  out += "cilkc-type\t" + std::string(name) + "\t" + key + ")\t" + shown + ")\t" + static_cast<char>(kind) + "\t" +
         (where.file ? where.file->name : sm.mainName()) + "\t" + std::to_string(where.line) + "\n";
}

}  // namespace

void recordInterfaces(ModuleEmitter &m) {
  const bool openCilk = (m.ast.lang.openCilk || m.ast.openCilkWords) && !m.options.serial;
  std::string text;
  for (const FunctionDecl *f : m.unit.functions) {
    if (f->parent || f->linkage != Linkage::External || f->isThread || !f->type || !f->type->isFunction() ||
        !(f->def || f->used))
      continue;
    const auto *type = f->type->as<FunctionType>();
    const SourceManager &sm = m.diags.sources();
    if (f->isCilk) record(text, f, f->def ? Kind::Definition : Kind::Use, f->name, type, 0, *m.types, sm);
    else if (f->name.starts_with("mt_") && !f->def && !type->params.empty())
      record(text, f, Kind::Use, f->name.substr(3), type, 1, *m.types, sm);
    else if (openCilk && f->procedure && f->procedure->def)
      record(text, f, Kind::Definition, f->name, type, 0, *m.types, sm);
    else if (openCilk && !f->def && !f->builtin && !f->implicit && f->range.valid() &&
             !sm.inSystemHeader(f->range.begin))
      record(text, f, Kind::UseInC, f->name, type, 0, *m.types, sm);
  }
  if (text.empty()) return;
  LLVMValueRef bytes = LLVMConstStringInContext2(m.context, text.data(), text.size(), 1),
               g = LLVMAddGlobal(m.module, LLVMTypeOf(bytes), "cilkc.types");
  LLVMSetInitializer(g, bytes);
  LLVMSetLinkage(g, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetAlignment(g, 1);
  LLVMSetSection(g, kSection);
  LLVMGlobalSetMetadata(g, LLVMGetMDKindIDInContext(m.context, "exclude", 7),
      LLVMMDNodeInContext2(m.context, nullptr, 0));
  m.useLater(g);
}

}  // namespace cilkc::cg
