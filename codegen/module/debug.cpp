// debug.cpp - DWARF through LLVM's DIBuilder. Types are made on demand and cached by Type pointer; a record is first
// made as a replaceable forward declaration, because its members may point back to it. Places come from
// SourceManager::presumed, that is, from the line markers alone.
#include "codegen/module/debug.h"
#include <llvm-c/DebugInfo.h>
#include <unistd.h>
#include <climits>
#include "codegen/shim/shim.h"

namespace cilkc::cg {
namespace {

enum : unsigned {                                    // DWARF 5, table 7.11 and 7.3
  ATE_boolean = 2,
  ATE_complex_float = 3,
  ATE_float = 4,
  ATE_signed = 5,
  ATE_signed_char = 6,
  ATE_unsigned = 7,
  ATE_unsigned_char = 8,
  TAG_const_type = 0x26,
  TAG_volatile_type = 0x35,
  TAG_restrict_type = 0x37,
  TAG_atomic_type = 0x47,
  TAG_structure_type = 0x13,
  TAG_union_type = 0x17
};
constexpr uint64_t OP_deref = 0x06, OP_plus_uconst = 0x23;
constexpr size_t memberLimit = 100000;

std::string directoryOf(const CodegenOptions &o) {
  if (!o.compilationDir.empty()) return o.compilationDir;
  char buffer[PATH_MAX];
  return mapped(o, getcwd(buffer, sizeof buffer) ? buffer : ".");
}

}  // namespace

std::string mapped(const CodegenOptions &o, const std::string &name) {
  for (auto map = o.prefixMap.rbegin(); map != o.prefixMap.rend(); ++map)
    if (name.compare(0, map->first.size(), map->first) == 0) return map->second + name.substr(map->first.size());
  return name;
}

DebugInfo::DebugInfo(ModuleEmitter &m) : m(m), b(LLVMCreateDIBuilder(m.module)) {
  const std::string name = mapped(m.options, m.diags.sources().mainName());
  std::string dir = directoryOf(m.options);
  mainFile = LLVMDIBuilderCreateFile(b, name.data(), name.size(), dir.data(), dir.size());
  const std::string &producer = m.options.producer;
  // without -g the places are for counting lines (-ftest-coverage) alone
  LLVMDWARFEmissionKind kind = m.options.debugLevel > 1    ? LLVMDWARFEmissionFull
                               : m.options.debugLevel == 1 ? LLVMDWARFEmissionLineTablesOnly
                                                           : LLVMDWARFEmissionNone;
  unit = LLVMDIBuilderCreateCompileUnit(b, LLVMDWARFSourceLanguageC11, mainFile, producer.data(), producer.size(),
      m.optimizing(), "", 0, 0, "", 0, kind, 0, 0, 0, "", 0, "", 0);
  m.flag("Debug Info Version", LLVMModuleFlagBehaviorWarning, LLVMDebugMetadataVersion());
  m.flag("Dwarf Version", LLVMModuleFlagBehaviorWarning, static_cast<uint32_t>(m.options.dwarfVersion));
  if (m.options.debugLevel > 1) nameTypes();
}

// `typedef struct { … } name;`: the type has no other name by which a debugger could show it.
void DebugInfo::nameTypes() {
  for (const ExternalDecl &d : m.unit.decls) {
    if (!d.decl) continue;
    for (const InitDeclarator &i : d.decl->declarators) {
      if (!i.decl || i.decl->kind != DeclKind::Typedef || !i.decl->type) continue;
      const Type *t = i.decl->type.type;
      bool untagged = t->isRecord() ? t->as<RecordType>()->tag.empty() : t->isEnum() && t->as<EnumType>()->tag.empty();
      if (untagged) nameOf.emplace(t, i.decl);
    }
  }
}

DebugInfo::~DebugInfo() { LLVMDisposeDIBuilder(b); }

void DebugInfo::finish() {
  LLVMDIBuilderFinalize(b);
  if (!m.options.covers()) return;
  auto text = [&](const char *suffix) {
    const std::string name = m.options.coverageFile + suffix;
    return LLVMMDStringInContext2(m.context, name.data(), name.size());
  };
  LLVMMetadataRef parts[] = {text(".gcno"), text(".gcda"), unit};
  LLVMValueRef node = LLVMMetadataAsValue(m.context, LLVMMDNodeInContext2(m.context, parts, 3));
  LLVMAddNamedMetadataOperand(m.module, "llvm.gcov", node);
}

LLVMMetadataRef DebugInfo::file(const SourceFile *f) {
  if (!f || f->name == m.diags.sources().mainName()) return mainFile;
  auto [it, fresh] = files.try_emplace(f, nullptr);
  if (fresh) {
    std::string name = mapped(m.options, f->name), dir = name.empty() || name[0] == '/' ? "" : directoryOf(m.options);
    it->second = LLVMDIBuilderCreateFile(b, name.data(), name.size(), dir.data(), dir.size());
  }
  return it->second;
}

LLVMMetadataRef DebugInfo::function(LLVMValueRef fn, const FunctionDecl *decl, const std::string &shownName) {
  bounds.clear();
  Presumed at = decl && decl->def ? m.diags.sources().presumed(decl->def->range.begin) : Presumed{};
  LLVMMetadataRef where = file(at.file);
  size_t linkLength = 0;
  const char *link = LLVMGetValueName2(fn, &linkLength);
  std::string name = shownName.empty() && decl ? std::string(decl->name) : shownName;
  if (name.empty()) name.assign(link, linkLength);
  LLVMMetadataRef ty = m.options.debugLevel > 1 && decl
                           ? functionType(decl->type->as<FunctionType>())
                           : LLVMDIBuilderCreateSubroutineType(b, where, nullptr, 0, LLVMDIFlagZero);
  unsigned bodyLine =
      decl && decl->def && decl->def->body ? m.diags.sources().presumed(decl->def->body->range.begin).line : at.line;
  bool local = LLVMGetLinkage(fn) == LLVMInternalLinkage || LLVMGetLinkage(fn) == LLVMPrivateLinkage;
  // No linkage name: a debugger would show that (f.fast) and not know f.
  LLVMDIFlags flags =
      decl ? (decl->type->as<FunctionType>()->prototype ? LLVMDIFlagPrototyped : LLVMDIFlagZero) : LLVMDIFlagArtificial;
  LLVMMetadataRef sp = LLVMDIBuilderCreateFunction(b, where, name.data(), name.size(), "", 0, where, at.line, ty, local,
      1, bodyLine ? bodyLine : at.line, flags, m.optimizing());
  LLVMSetSubprogram(fn, sp);
  return sp;
}

LLVMMetadataRef DebugInfo::lexicalBlock(LLVMMetadataRef scope, Loc l) {
  Presumed p = m.diags.sources().presumed(l);
  return LLVMDIBuilderCreateLexicalBlock(b, scope, file(p.file), p.line, p.column);
}

// A location's file is its scope's; text that came from another file (an included piece of a function) gets a scope of
// that file.
LLVMMetadataRef DebugInfo::location(Loc l, LLVMMetadataRef scope) {
  Presumed p = m.diags.sources().presumed(l);
  LLVMMetadataRef f = file(p.file), scopeFile = LLVMDIScopeGetFile(scope);
  if (f != scopeFile && p.file) scope = LLVMDIBuilderCreateLexicalBlockFile(b, scope, f, 0);
  return LLVMDIBuilderCreateDebugLocation(m.context, p.line, p.column, scope, nullptr);
}

void DebugInfo::local(LLVMBasicBlockRef block, const VarDecl *v, LLVMValueRef address, bool indirect,
    LLVMMetadataRef scope, Loc l, const uint64_t *inside) {
  if (v->name.empty() || !scope || m.options.debugLevel < 2) return;
  Presumed p = m.diags.sources().presumed(l.valid() ? l : v->range.begin);
  LLVMMetadataRef ty = type(v->type), f = file(p.file);
  LLVMMetadataRef var;
  // An inlet is part of its procedure: its parameters are locals there. So are those of a procedure that sema made of a
  // block.
  if (v->isParam && !(v->fn && (v->fn->isInlet || v->fn->isOutlined))) {
    var = LLVMDIBuilderCreateParameterVariable(b, scope, v->name.data(), v->name.size(), v->paramIndex + 1, f, p.line,
        ty, 1, LLVMDIFlagZero);
  } else {
    var = LLVMDIBuilderCreateAutoVariable(b, scope, v->name.data(), v->name.size(), f, p.line, ty, 1,
        v->hidden ? LLVMDIFlagArtificial : LLVMDIFlagZero, 0);
  }
  if (v->hidden) bounds[v] = var;
  std::vector<uint64_t> ops;
  bool value = inside && !LLVMIsAAllocaInst(address);  // of the pointer to its place, not that pointer's place
  if (value) ops = {OP_plus_uconst, *inside, OP_deref};
  else if (inside) ops = {OP_deref, OP_plus_uconst, *inside};
  if (indirect) ops.push_back(OP_deref);
  LLVMMetadataRef expr = LLVMDIBuilderCreateExpression(b, ops.data(), ops.size());
  if (!block) return;
  LLVMMetadataRef where = LLVMDIBuilderCreateDebugLocation(m.context, p.line, p.column, scope, nullptr);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (value && end) LLVMDIBuilderInsertDbgValueRecordBefore(b, address, var, expr, where, end);
  else if (value) LLVMDIBuilderInsertDbgValueRecordAtEnd(b, address, var, expr, where, block);
  else if (end) LLVMDIBuilderInsertDeclareRecordBefore(b, address, var, expr, where, end);
  else LLVMDIBuilderInsertDeclareRecordAtEnd(b, address, var, expr, where, block);
}

void DebugInfo::closure(LLVMBasicBlockRef block, LLVMValueRef address, LLVMMetadataRef scope) {
  if (!scope || !block || m.options.debugLevel < 2) return;
  static constexpr std::string_view name = "cilk.closure";
  LLVMMetadataRef pointer = LLVMDIBuilderCreatePointerType(b, nullptr, 64, 0, 0, "", 0), f = LLVMDIScopeGetFile(scope);
  unsigned line = LLVMDISubprogramGetLine(scope);
  LLVMMetadataRef var =
      LLVMDIBuilderCreateAutoVariable(b, scope, name.data(), name.size(), f, line, pointer, 1, LLVMDIFlagArtificial, 0);
  LLVMMetadataRef where = LLVMDIBuilderCreateDebugLocation(m.context, line, 0, scope, nullptr);
  LLVMMetadataRef plain = LLVMDIBuilderCreateExpression(b, nullptr, 0);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (end) LLVMDIBuilderInsertDeclareRecordBefore(b, address, var, plain, where, end);
  else LLVMDIBuilderInsertDeclareRecordAtEnd(b, address, var, plain, where, block);
}

void DebugInfo::global(const VarDecl *v, LLVMValueRef g) {
  if (m.options.debugLevel < 2 || v->name.empty()) return;
  Presumed p = m.diags.sources().presumed(v->range.begin);
  LLVMMetadataRef scope = unit;
  if (v->fn && v->fn->def) scope = file(p.file);  // a local static: shown by its name in its file
  LLVMMetadataRef expr = LLVMDIBuilderCreateExpression(b, nullptr, 0);
  LLVMMetadataRef e = LLVMDIBuilderCreateGlobalVariableExpression(b, scope, v->name.data(), v->name.size(), "", 0,
      file(p.file), p.line, type(v->type), v->linkage != Linkage::External, expr, nullptr, 0);
  LLVMGlobalSetMetadata(g, LLVMGetMDKindIDInContext(m.context, "dbg", 3), e);
}

LLVMMetadataRef DebugInfo::type(QualType q) {
  if (!q || q->isVoid()) {
    if (!q || !q.quals) return nullptr;
  }
  LLVMMetadataRef t = nullptr;
  if (!q->isVoid()) {
    auto it = types.find(q.type);
    if (it != types.end()) t = it->second;
    else {
      t = build(q.type);
      if (auto named = nameOf.find(q.type); named != nameOf.end()) {
        std::string_view name = named->second->name;
        Presumed at = m.diags.sources().presumed(named->second->range.begin);
        t = LLVMDIBuilderCreateTypedef(b, t, name.data(), name.size(), file(at.file), at.line, unit, 0);
      }
      if (!isVariablyModified(q.type)) types[q.type] = t;  // each clone has variables of its own for the sizes
    }
  }
  if (q.isAtomic()) t = LLVMDIBuilderCreateQualifiedType(b, TAG_atomic_type, t);
  if (q.isRestrict() && q->isPointer()) t = LLVMDIBuilderCreateQualifiedType(b, TAG_restrict_type, t);
  if (q.isVolatile()) t = LLVMDIBuilderCreateQualifiedType(b, TAG_volatile_type, t);
  if (q.isConst()) t = LLVMDIBuilderCreateQualifiedType(b, TAG_const_type, t);
  return t;
}

LLVMMetadataRef DebugInfo::functionType(const FunctionType *f) {
  std::vector<LLVMMetadataRef> list{type(f->result)};
  for (auto &p : f->params) list.push_back(type(p));
  if (f->variadic) list.push_back(LLVMDIBuilderCreateUnspecifiedType(b, "...", 3));
  return LLVMDIBuilderCreateSubroutineType(b, mainFile, list.data(), static_cast<unsigned>(list.size()),
      LLVMDIFlagZero);
}

LLVMMetadataRef DebugInfo::build(const Type *t) {
  auto basic = [&](unsigned encoding) {
    std::string name = toString(QualType(t));
    return LLVMDIBuilderCreateBasicType(b, name.data(), name.size(), m.types->size(t) * 8, encoding, LLVMDIFlagZero);
  };
  switch (t->kind) {
    case TypeKind::Bool: return basic(ATE_boolean);
    case TypeKind::Char: return basic(m.types->isSigned(t) ? ATE_signed_char : ATE_unsigned_char);
    case TypeKind::SChar: return basic(ATE_signed_char);
    case TypeKind::UChar: return basic(ATE_unsigned_char);
    case TypeKind::Pointer:
      return LLVMDIBuilderCreatePointerType(b, type(t->as<PointerType>()->pointee), 64, 64, 0, "", 0);
    case TypeKind::Function: return functionType(t->as<FunctionType>());
    case TypeKind::Complex: return basic(t->as<ComplexType>()->elem->isInteger() ? ATE_signed : ATE_complex_float);
    case TypeKind::Array: {
      std::vector<LLVMMetadataRef> ranges;
      const Type *at = t;
      QualType elem;
      while (at->isArray()) {
        auto *a = at->as<ArrayType>();
        // -1: no bound given
        int64_t count = a->arrayKind == ArrayKind::Constant ? static_cast<int64_t>(a->count) : -1;
        auto bound = bounds.find(a->sizeVar);
        ranges.push_back(bound == bounds.end() ? LLVMDIBuilderGetOrCreateSubrange(b, 0, count)
                                               : shimVariableRange(b, bound->second));
        elem = a->elem;
        at = elem.type;
      }
      uint64_t size = hasVariableSize(t) || !isComplete(t) ? 0 : m.types->size(t) * 8;
      return LLVMDIBuilderCreateArrayType(b, size, m.types->align(elem) * 8, type(elem), ranges.data(),
          static_cast<unsigned>(ranges.size()));
    }
    case TypeKind::Vector: {
      auto *v = t->as<VectorType>();
      LLVMMetadataRef range = LLVMDIBuilderGetOrCreateSubrange(b, 0, static_cast<int64_t>(v->count));
      return LLVMDIBuilderCreateVectorType(b, m.types->size(t) * 8, m.types->align(t) * 8, type(QualType(v->elem)),
          &range, 1);
    }
    case TypeKind::Record: return record(t->as<RecordType>());
    case TypeKind::Enum: {
      auto *e = t->as<EnumType>();
      std::vector<LLVMMetadataRef> items;
      for (const Enumerator &c : e->constants)
        items.push_back(LLVMDIBuilderCreateEnumerator(b, c.name.data(), c.name.size(), static_cast<int64_t>(c.value),
            !m.types->isSigned(t)));
      Presumed p = m.diags.sources().presumed(Loc{e->rangeBegin});
      uint64_t bits = e->complete ? m.types->size(t) * 8 : 32;
      return LLVMDIBuilderCreateEnumerationType(b, unit, e->tag.data(), e->tag.size(), file(p.file), p.line, bits,
          static_cast<uint32_t>(bits), items.data(), static_cast<unsigned>(items.size()),
          e->underlying ? type(QualType(e->underlying)) : nullptr);
    }
    default:
      if (t->isFloating()) return basic(ATE_float);
      if (t->isInteger()) return basic(m.types->isSigned(t) ? ATE_signed : ATE_unsigned);
      return LLVMDIBuilderCreateUnspecifiedType(b, "?", 1);
  }
}

LLVMMetadataRef DebugInfo::record(const RecordType *r) {
  Presumed p = m.diags.sources().presumed(Loc{r->rangeBegin});
  LLVMMetadataRef f = file(p.file);
  unsigned tag = r->isUnion ? TAG_union_type : TAG_structure_type;
  if (!r->complete)
    return LLVMDIBuilderCreateForwardDecl(b, tag, r->tag.data(), r->tag.size(), unit, f, p.line, 0, 0, 0, "", 0);
  LLVMMetadataRef stand = LLVMDIBuilderCreateReplaceableCompositeType(b, tag, r->tag.data(), r->tag.size(), unit, f,
      p.line, 0, 0, 0, LLVMDIFlagFwdDecl, "", 0);
  types[r] = stand;
  std::vector<LLVMMetadataRef> members;
  for (auto *d : r->fields) {
    if (members.size() >= memberLimit) break;
    if (d->name.empty() && d->bitField) continue;
    Presumed at = m.diags.sources().presumed(Loc{d->rangeBegin});
    LLVMMetadataRef mf = file(at.file), ty = type(d->type);
    uint64_t bits = !isComplete(d->type.type) ? 0 : m.types->size(d->type) * 8;
    if (d->bitField) {
      uint64_t first = d->offset * 8 + d->bitOffset;
      uint64_t unitBits = m.types->size(d->type) * 8;
      members.push_back(LLVMDIBuilderCreateBitFieldMemberType(b, stand, d->name.data(), d->name.size(), mf, at.line,
          d->width, first, unitBits ? first / unitBits * unitBits : 0, LLVMDIFlagZero, ty));
    } else {
      members.push_back(LLVMDIBuilderCreateMemberType(b, stand, d->name.data(), d->name.size(), mf, at.line, bits, 0,
          d->offset * 8, LLVMDIFlagZero, ty));
    }
  }
  LLVMMetadataRef whole;
  unsigned n = static_cast<unsigned>(members.size());
  if (r->isUnion)
    whole = LLVMDIBuilderCreateUnionType(b, unit, r->tag.data(), r->tag.size(), f, p.line, r->size * 8, r->align * 8,
        LLVMDIFlagZero, members.data(), n, 0, "", 0);
  else
    whole = LLVMDIBuilderCreateStructType(b, unit, r->tag.data(), r->tag.size(), f, p.line, r->size * 8, r->align * 8,
        LLVMDIFlagZero, nullptr, members.data(), n, 0, nullptr, "", 0);
  LLVMMetadataReplaceAllUsesWith(stand, whole);
  types[r] = whole;
  return whole;
}

}  // namespace cilkc::cg
