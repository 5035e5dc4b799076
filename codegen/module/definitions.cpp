// definitions.cpp - which definitions a unit emits and under which linkage. External definitions are emitted in source
// order; internal and inline ones when something refers to them; aliases, constructors and `used` lists at the end.
#include "codegen/module/interfaces.h"
#include "codegen/core/module.h"
#include "codegen/core/target.h"
#include <algorithm>
#include <cstring>
#include "codegen/module/debug.h"
#include "codegen/core/events.h"
#include "codegen/core/function.h"
#include "codegen/shim/shim.h"

#include "rt/core/abi.h"
namespace cilkc::cg {

ModuleEmitter::ModuleEmitter(const TranslationUnit &u, const AstContext &a, DiagnosticEngine &d,
    const CodegenOptions &o, LLVMContextRef c, LLVMTargetMachineRef tm)
    : unit(u), ast(a), diags(d), options(o), target(targetFor(a.target)), context(c), machine(tm) {
  const std::string &name = d.sources().mainName();
  module = LLVMModuleCreateWithNameInContext(name.c_str(), context);
  LLVMSetSourceFileName(module, name.data(), name.size());
  char *triple = LLVMGetTargetMachineTriple(tm);
  LLVMSetTarget(module, triple);
  LLVMDisposeMessage(triple);
  layout = LLVMCreateTargetDataLayout(tm);
  LLVMSetModuleDataLayout(module, layout);
  types = std::make_unique<TypeLowering>(*this);
  if (o.debugLevel > 0 || o.covers()) debug = std::make_unique<DebugInfo>(*this);
  events = makeEvents(*this);
  procedures = o.serial ? makeSerialEmitter(*this) : makeProcedureEmitter(*this);
}

ModuleEmitter::~ModuleEmitter() {
  debug.reset();
  if (module) shimDisposeModule(module);
  LLVMDisposeTargetData(layout);
}

void ModuleEmitter::impossible(Range r, const std::string &what) const {
  Presumed at = r.valid() ? diags.sources().presumed(r.begin) : Presumed{};
  throw LlvmFatal{"internal error in codegen, " + (at.file ? at.file->name : diags.sources().mainName()) + ":" +
                  std::to_string(at.line) + ": " + what};
}

// ---- the unit -----------------------------------------------------------------------------------------------------

void ModuleEmitter::run() {
  for (auto *f : unit.functions)
    if (f->used && f->name.starts_with("mt_")) stubs.insert(f->name);
  moduleFlags();
  emitFileAsm();
  emitSymbolVersions();
  // Aliases first: an address that is compared before LLVM knows that it is an alias would be folded wrongly.
  for (auto *f : unit.functions)
    if ((!f->attrs.alias.empty() || !f->attrs.ifuncResolver.empty()) && !f->attrs.weakref) emitAlias(f, f->attrs, true);
  for (auto *g : unit.globals)
    if (!g->attrs.alias.empty() && !g->attrs.weakref) emitAlias(g, g->attrs, false);

  for (auto *g : unit.globals)
    if (mustEmit(g)) global(g);
  for (auto *f : unit.functions) {
    if (f->def && !f->parent && mustEmit(f)) {
      if (f->isCilk || f->isThread) needed(f);
      else function(f);
    }
    emitDeferred();
  }
  emitDeferred();
  procedures->finish();
  emitDeferred();
  events->unitEnds();
  finishConstructors();
  recordInterfaces(*this);
  finishUsed();
  if (debug) debug->finish();
}

void ModuleEmitter::emitDeferred() {
  while (!pendingFunctions.empty() || !pendingGlobals.empty()) {
    if (!pendingGlobals.empty()) {
      const VarDecl *v = pendingGlobals.front();
      pendingGlobals.pop_front();
      defineGlobal(v);
      continue;
    }
    const FunctionDecl *f = pendingFunctions.front();
    pendingFunctions.pop_front();
    if (f->isCilk) procedures->define(f);
    else if (f->isThread) threads.define(f);
    else defineFunction(f);
  }
}

void ModuleEmitter::emitFileAsm() {
  if (debug && !options.gdbScript.empty()) {  // the section and its form are gdb's; the linker merges equal entries
    std::string entry = ".pushsection .debug_gdb_scripts,\"MS\",@progbits,1\n.byte 1\n.asciz \"";
    for (char c : mapped(options, options.gdbScript))
      entry += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    entry += "\"\n.popsection\n";
    LLVMAppendModuleInlineAsm(module, entry.data(), entry.size());
  }
  for (auto &d : unit.decls)
    if (d.fileAsm) {
      std::string text = d.fileAsm->text + "\n";
      LLVMAppendModuleInlineAsm(module, text.data(), text.size());
    }
}

// Attribute symver: the assembler gives the symbol its versioned names.
void ModuleEmitter::emitSymbolVersions() {
  auto versions = [&](const Decl *d, const DeclAttrs &a) {
    std::string_view rest = a.symver;
    for (size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1)) {
      std::string text = ".symver " + linkName(d, a) + ", " + std::string(rest.substr(0, end)) + "\n";
      LLVMAppendModuleInlineAsm(module, text.data(), text.size());
    }
  };
  for (auto *f : unit.functions)
    if (f->linkage == Linkage::External && (f->def || !f->attrs.alias.empty())) versions(f, f->attrs);
  for (auto *v : unit.globals)
    if (v->linkage == Linkage::External && (v->isDefinition || !v->attrs.alias.empty())) versions(v, v->attrs);
}

// LLVMAddModuleFlag knows only some behaviours (not max, which most of clang's flags have), so the node is made by
// hand.
void ModuleEmitter::flag(const char *key, unsigned behaviour, uint32_t value) {
  LLVMMetadataRef ops[3] = {LLVMValueAsMetadata(LLVMConstInt(types->i32, behaviour, false)),
      LLVMMDStringInContext2(context, key, strlen(key)), LLVMValueAsMetadata(LLVMConstInt(types->i32, value, false))};
  LLVMAddNamedMetadataOperand(module, "llvm.module.flags",
      LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, ops, 3)));
}

void ModuleEmitter::moduleFlags() {
  enum { Error = 1, Max = 7, Min = 8 };  // Module::ModFlagBehavior
  flag("wchar_size", Error, 4);
  if (options.pic != PicLevel::None) flag("PIC Level", Min, 2);
  if (options.pic == PicLevel::Pie) flag("PIE Level", Max, 2);
  if (options.pic == PicLevel::Pic && options.semanticInterposition) flag("SemanticInterposition", Error, 1);
  if (options.cfBranch && target.branchProtection) flag(target.branchProtection, Min, 1);
  if (options.cfReturn && target.returnProtection) flag(target.returnProtection, Min, 1);
  if (options.asyncUnwindTables) flag("uwtable", Max, 2);
  if (options.framePointer != FramePointer::None)
    flag("frame-pointer", Max, options.framePointer == FramePointer::All ? 2 : 1);
  if (!options.ident) return;
  LLVMMetadataRef text = LLVMMDStringInContext2(context, options.producer.data(), options.producer.size());
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, &text, 1);
  LLVMAddNamedMetadataOperand(module, "llvm.ident", LLVMMetadataAsValue(context, node));
}

// ---- functions ----------------------------------------------------------------------------------------------------

std::string ModuleEmitter::linkName(const Decl *d, const DeclAttrs &a) const {
  if (a.hasAsmLabel) {
    // ELF on both targets puts nothing before names. A function that is only declared is kept apart from one of that
    // name in this unit (\1 means the same symbol, literally): the C library's inline functions call themselves so, to
    // reach what is linked.
    bool apart = d->kind == DeclKind::Function && !d->as<FunctionDecl>()->def &&
                 d->as<FunctionDecl>()->linkage == Linkage::External;
    return (apart ? "\1" : "") + std::string(a.asmLabel);
  }
  // __builtin_printf is printf.
  constexpr std::string_view prefix = "__builtin_";
  if (d->kind == DeclKind::Function && d->as<FunctionDecl>()->builtin && d->name.starts_with(prefix))
    return std::string(d->name.substr(prefix.size()));
  return std::string(d->name);
}

// An `extern inline` of gnu89, or a C99 inline without extern: its body may be inlined, but the definition is
// elsewhere.
static bool inlineOnly(const FunctionDecl *f) {
  if (!f->isInline || f->linkage != Linkage::External) return false;
  if (f->attrs.gnuInline) return f->storage == StorageClass::Extern;
  return !f->externInline;
}

LLVMLinkage ModuleEmitter::linkageOf(const FunctionDecl *f) const {
  // A static function without a definition has been warned about; the linker says the rest.
  if ((f->linkage == Linkage::Internal && (f->def || !f->attrs.alias.empty() || !f->attrs.ifuncResolver.empty())) ||
      f->parent)
    return LLVMInternalLinkage;
  if (!f->def) return f->attrs.weak ? LLVMExternalWeakLinkage : LLVMExternalLinkage;
  if (inlineOnly(f)) return LLVMAvailableExternallyLinkage;
  return f->attrs.weak ? LLVMWeakAnyLinkage : LLVMExternalLinkage;
}

// Clones are code of the unit that spawns. So every unit that uses an inline definition has it; the linker takes one.
LLVMLinkage ModuleEmitter::procedureLinkage(const FunctionDecl *f) const {
  if (f->linkage == Linkage::Internal && f->def) return LLVMInternalLinkage;
  if (f->def && inlineOnly(f)) return LLVMLinkOnceODRLinkage;
  if (!f->attrs.weak) return LLVMExternalLinkage;
  return f->def ? LLVMWeakAnyLinkage : LLVMExternalWeakLinkage;
}

bool ModuleEmitter::mustEmit(const FunctionDecl *f) const {
  if (!f->def || f->parent || f->isInlet) return false;
  if (f->attrs.used || f->attrs.constructor || f->attrs.destructor || f->attrs.externallyVisible) return true;
  if (f->linkage == Linkage::Internal) return f->isCilk && exported(f);
  return f->linkage == Linkage::External && !inlineOnly(f);
}

bool ModuleEmitter::mustEmit(const VarDecl *v) const {
  if (!v->isDefinition || !v->attrs.alias.empty()) return false;
  // a function's static; a global may have been declared first in a function's block
  if (v->fn && v->linkage != Linkage::External) return false;
  return v->linkage == Linkage::External || v->attrs.used;
}

// n replaces the declaration `old` everywhere, name included.
void ModuleEmitter::takeOver(LLVMValueRef old, LLVMValueRef n) {
  size_t len;
  std::string name(LLVMGetValueName2(old, &len));
  LLVMSetValueName2(old, "", 0);
  LLVMReplaceAllUsesWith(old, n);
  for (auto &r : runtimeFns)
    if (r.second == old) r.second = n;
  for (auto &r : functions)
    if (r.second == old) r.second = n;
  LLVMDeleteFunction(old);
  LLVMSetValueName2(n, name.data(), name.size());
}

LLVMValueRef ModuleEmitter::makeRawFunction(const std::string &name, LLVMTypeRef type, LLVMLinkage linkage) {
  LLVMValueRef existing = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage
                              ? nullptr
                              : LLVMGetNamedFunction(module, name.c_str());
  LLVMValueRef f = LLVMAddFunction(module, name.c_str(), type);
  if (existing && !LLVMCountBasicBlocks(existing)) takeOver(existing, f);
  LLVMSetLinkage(f, linkage);
  if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage || options.pic != PicLevel::Pic)
    shimSetDsoLocal(f, true);
  attributes.unitAttributes(f);
  return f;
}

LLVMValueRef ModuleEmitter::makeFunction(const std::string &name, const FunctionType *ft, LLVMLinkage linkage,
    const FunctionDecl *fn) {
  const AbiFunction &abi = types->abi(ft);
  LLVMValueRef f = makeRawFunction(name, abi.type, linkage);
  attributes.abiAttributes(f, abi, false);
  if (fn) {
    attributes.declAttributes(f, fn);
    attributes.parameterAttributes(f, abi, fn);
    attributes.globalProperties(f, fn, fn->attrs, fn->def != nullptr);
    LLVMSetLinkage(f, linkage);
  }
  return f;
}

// Whether `mt_f` is to be made: C elsewhere may call it, or EXPORT(f) is in this unit.
bool ModuleEmitter::exported(const FunctionDecl *f) const {
  return f->linkage != Linkage::Internal || stubs.contains("mt_" + std::string(f->name));
}

// `T mt_f(CilkContext *, args...)`, without its body. The unit's EXPORT(f) is this function, of a static procedure,
// too.
LLVMValueRef ModuleEmitter::makeExport(const FunctionDecl *f, const FunctionType *&type) {
  FunctionType stub = *f->type->as<FunctionType>();
  stub.isCilk = false;
  stub.prototype = true;
  stub.params.insert(stub.params.begin(), ast.pointerTo(QualType(ast.basic(TypeKind::Void))));
  type = ast.functionType(stub)->as<FunctionType>();
  LLVMLinkage linkage = procedureLinkage(f);
  LLVMValueRef v =
      makeFunction("mt_" + linkName(f, f->attrs), type, linkage == LLVMInternalLinkage ? LLVMExternalLinkage : linkage);
  LLVMSetLinkage(v, linkage);
  if (linkage == LLVMInternalLinkage) shimSetDsoLocal(v, true);
  return v;
}

LLVMValueRef ModuleEmitter::workerField(size_t offset) {
  LLVMValueRef self = LLVMGetNamedGlobal(module, "cilk_self");
  if (!self) {
    self = LLVMAddGlobal(module, LLVMArrayType2(types->i8, sizeof(cilk_worker)), "cilk_self");
    LLVMSetLinkage(self, LLVMExternalLinkage);
    LLVMSetAlignment(self, 64);
    bool shared = options.pic == PicLevel::Pic;
    LLVMSetThreadLocalMode(self, shared ? LLVMInitialExecTLSModel : LLVMLocalExecTLSModel);
    if (!shared) shimSetDsoLocal(self, true);
  }
  LLVMValueRef index = LLVMConstInt(types->i64, offset, 0);
  return LLVMConstInBoundsGEP2(types->i8, self, &index, 1);
}

LLVMValueRef ModuleEmitter::runtimeFunction(const char *name, LLVMTypeRef type) {
  LLVMValueRef &f = runtimeFns[name];
  if (!f) {
    f = LLVMGetNamedFunction(module, name);
    if (!f) {
      f = LLVMAddFunction(module, name, type);
      attributes.attr(f, LLVMAttributeFunctionIndex, "nounwind");
      if (options.pic == PicLevel::None) shimSetDsoLocal(f, true);
    }
  }
  return f;
}

// GNU nested functions get a static chain as a hidden first parameter; see NestedFunctions::buildChain.
static bool needsChain(const FunctionDecl *f) { return f->parent && !f->isInlet; }

LLVMValueRef ModuleEmitter::function(const FunctionDecl *f) {
  if (f->isCilk) {
    if (auto alias = functions.find(f); alias != functions.end()) return alias->second;
    if (f->def && defined.insert(f).second) pendingFunctions.push_back(f);
    return procedures->reference(f);
  }
  auto it = functions.find(f);
  if (it != functions.end()) return it->second;

  if (f->attrs.weakref && !f->attrs.alias.empty()) {
    std::string target(f->attrs.alias);
    LLVMValueRef v = LLVMGetNamedFunction(module, target.c_str());
    if (!v) {
      v = LLVMAddFunction(module, target.c_str(), types->abi(f->type->as<FunctionType>()).type);
      LLVMSetLinkage(v, LLVMExternalWeakLinkage);
    }
    return functions[f] = v;
  }

  std::string name = events->externalName(f, linkName(f, f->attrs));
  if (f->parent) name = std::string(f->parent->name) + "." + name;
  const AbiFunction &abi = types->abiOf(f);
  LLVMTypeRef type = abi.type;
  if (needsChain(f)) {
    std::vector<LLVMTypeRef> args(LLVMCountParamTypes(type) + 1);
    LLVMGetParamTypes(type, args.data() + 1);
    args[0] = types->ptr;
    type = LLVMFunctionType(LLVMGetReturnType(type), args.data(), static_cast<unsigned>(args.size()), abi.variadic);
  }
  // Another declaration, or the runtime, may have brought the symbol already.
  bool shared = f->linkage == Linkage::External || (!f->def && stubs.contains(f->name));
  LLVMValueRef existing = shared && !f->parent ? LLVMGetNamedFunction(module, name.c_str()) : nullptr;
  LLVMValueRef v;
  if (existing && (LLVMCountBasicBlocks(existing) || (!f->def && LLVMGlobalGetValueType(existing) != type)))
    return functions[f] = existing;
  if (existing && LLVMGlobalGetValueType(existing) == type) v = existing;
  else {
    v = LLVMAddFunction(module, name.c_str(), type);
    if (existing) takeOver(existing, v);
  }
  functions[f] = v;
  LLVMSetLinkage(v, linkageOf(f));
  attributes.abiAttributes(v, abi, false, needsChain(f));
  if (needsChain(f)) attributes.attr(v, 1, "nest");
  else attributes.parameterAttributes(v, abi, f);
  attributes.declAttributes(v, f);
  attributes.globalProperties(v, f, f->attrs, f->def != nullptr);
  LLVMSetLinkage(v, linkageOf(f));
  if (f->def) {
    // its calls are expanded, its address is the library's
    bool skip = inlineOnly(f) && (f->asksCall || (!optimizing() && !f->attrs.alwaysInline));
    if (skip) LLVMSetLinkage(v, LLVMExternalLinkage);
    else if (defined.insert(f).second) pendingFunctions.push_back(f);
  }
  return v;
}

void ModuleEmitter::defineFunction(const FunctionDecl *f) {
  LLVMValueRef v = function(f);
  attributes.unitAttributes(v);
  // what it says itself goes above what the unit says: target(…), no_instrument_function
  attributes.declAttributes(v, f);
  const AbiFunction &abi = types->abiOf(f);
  BodyStrategy plain;
  if (f->def->fn != f) {
    procedures->enter(f->def->fn, v);
  } else {
    FunctionEmitter fe(*this, v, f, plain);
    fe.begin();
    fe.bindParameters(abi, needsChain(f));
    fe.emitBody(*f->def);
    fe.finish();
  }
  if (f->attrs.constructor) staticConstructor(v, f->attrs.constructorPriority, false);
  if (f->attrs.destructor) staticConstructor(v, f->attrs.destructorPriority, true);
  if (f->attrs.used) llvmCompilerUsed.push_back(v);
}

LLVMBasicBlockRef ModuleEmitter::labelBlock(const LabelDecl *l) {
  auto it = labelBlocks.find(l);
  if (it != labelBlocks.end()) return it->second;
  if (!l->fn || l->fn->isCilk || l->fn->isInlet) return nullptr;
  LLVMBasicBlockRef b = LLVMAppendBasicBlockInContext(context, function(l->fn), "label");
  return labelBlocks[l] = b;
}

// ---- objects ------------------------------------------------------------------------------------------------------

LLVMLinkage ModuleEmitter::linkageOf(const VarDecl *v, bool definition) const {
  if (v->linkage == Linkage::Internal || v->linkage == Linkage::None) return LLVMInternalLinkage;
  if (!definition) return v->attrs.weak ? LLVMExternalWeakLinkage : LLVMExternalLinkage;
  if (v->attrs.weak) return LLVMWeakAnyLinkage;
  if (v->tentative && !v->init && !v->threadLocal && v->attrs.section.empty() && !v->attrs.nocommon &&
      (options.common || v->attrs.common))
    return LLVMCommonLinkage;
  return LLVMExternalLinkage;
}

static bool isDefinition(const VarDecl *v) { return v->isDefinition || v->linkage == Linkage::None; }

// The type of an object declared `extern T a[]` or completed by its initialiser.
static QualType objectType(const VarDecl *v) {
  if (v->init && v->init->list && v->init->list->plan && v->init->list->plan->type) return v->init->list->plan->type;
  return v->type;
}

LLVMValueRef ModuleEmitter::global(const VarDecl *v) {
  auto it = globals.find(v);
  if (it != globals.end()) return it->second;

  bool isFn = v->linkage == Linkage::None;  // local statics and literals: names need not be unique, LLVM numbers them
  std::string name = v->linkage == Linkage::None && !v->attrs.hasAsmLabel
                         ? (v->fn ? std::string(v->fn->name) + "." : std::string()) +
                               (v->name.empty() ? std::string(".compoundliteral") : std::string(v->name))
                         : linkName(v, v->attrs);
  if (v->attrs.weakref && !v->attrs.alias.empty()) {
    std::string target(v->attrs.alias);
    LLVMValueRef g = LLVMGetNamedGlobal(module, target.c_str());
    if (!g) {
      g = LLVMAddGlobal(module, types->memory(v->type), target.c_str());
      LLVMSetLinkage(g, LLVMExternalWeakLinkage);
    }
    return globals[v] = g;
  }
  QualType type = objectType(v);
  LLVMValueRef existing = !isFn && v->linkage == Linkage::External ? LLVMGetNamedGlobal(module, name.c_str()) : nullptr;
  // another name, by an asm label
  if (existing && !LLVMIsDeclaration(existing) && !isDefinition(v)) return globals[v] = existing;
  LLVMValueRef g =
      existing && LLVMIsDeclaration(existing) ? existing : LLVMAddGlobal(module, types->memory(type), name.c_str());
  globals[v] = g;
  bool def = isDefinition(v) && v->attrs.alias.empty();
  LLVMSetLinkage(g, linkageOf(v, def));
  if (v->threadLocal) {
    std::string_view model = !v->attrs.tlsModel.empty() ? v->attrs.tlsModel : std::string_view(options.tlsModel);
    LLVMSetThreadLocalMode(g, model == "local-exec"      ? LLVMLocalExecTLSModel
                              : model == "initial-exec"  ? LLVMInitialExecTLSModel
                              : model == "local-dynamic" ? LLVMLocalDynamicTLSModel
                                                         : LLVMGeneralDynamicTLSModel);
  }
  uint32_t align = std::max(isComplete(type.type) ? types->align(type) : 1u, v->attrs.align);
  if (type->isArray() && type->as<ArrayType>()->elem.type && isComplete(type.type) && def && types->size(type) >= 16)
    align = std::max(align, 16u);
  LLVMSetAlignment(g, std::max(align, target.globalAlign));
  attributes.globalProperties(g, v, v->attrs, def);
  if (def && defined.insert(v).second) pendingGlobals.push_back(v);
  return g;
}

static bool constObject(QualType t) {
  while (t->isArray()) t = t->as<ArrayType>()->elem;
  return t.isConst() && !t.isVolatile();
}

void ModuleEmitter::defineGlobal(const VarDecl *v) {
  LLVMValueRef g = global(v);
  QualType type = objectType(v);
  uint64_t size = isComplete(type.type) ? types->size(type)
                  : type->isArray()     ? types->size(type->as<ArrayType>()->elem)
                                        : 1;  // tentative `int a[];` is one element
  LLVMValueRef init;
  if (v->init) {
    if (v->init->list && v->init->list->plan) size = std::max(size, v->init->list->plan->size);
    init = staticInitializer(v->init, type, size);
  } else if (!isComplete(type.type) && type->isArray())
    init = LLVMConstNull(LLVMArrayType2(types->memory(type->as<ArrayType>()->elem), 1));
  else init = LLVMConstNull(types->memory(type));
  if (LLVMTypeOf(init) != LLVMGlobalGetValueType(g)) {
    // The image of a record has a type of its own: replace the declaration that was made first.
    LLVMValueRef n = LLVMAddGlobal(module, LLVMTypeOf(init), "");
    size_t len;
    std::string name(LLVMGetValueName2(g, &len));
    LLVMSetLinkage(n, LLVMGetLinkage(g));
    LLVMSetVisibility(n, LLVMGetVisibility(g));
    LLVMSetAlignment(n, LLVMGetAlignment(g));
    if (const char *s = LLVMGetSection(g))
      if (*s) LLVMSetSection(n, s);
    LLVMSetThreadLocalMode(n, LLVMGetThreadLocalMode(g));
    LLVMSetValueName2(g, "", 0);
    LLVMReplaceAllUsesWith(g, n);
    for (auto *list : {&llvmUsed, &llvmCompilerUsed})
      for (auto &u : *list)
        if (u == g) u = n;
    LLVMDeleteGlobal(g);
    LLVMSetValueName2(n, name.data(), name.size());
    globals[v] = g = n;
    attributes.globalProperties(g, v, v->attrs, true);
  }
  LLVMSetInitializer(g, init);
  if (constObject(v->type) && LLVMGetLinkage(g) != LLVMCommonLinkage && !v->threadLocal) LLVMSetGlobalConstant(g, true);
  if (LLVMGetLinkage(g) == LLVMCommonLinkage && LLVMIsNull(init) == 0) LLVMSetLinkage(g, LLVMExternalLinkage);
  if (v->attrs.used) llvmCompilerUsed.push_back(g);
  if (debug) debug->global(v, g);
}

LLVMValueRef ModuleEmitter::privateConstant(LLVMValueRef init, uint32_t align, const char *name) {
  LLVMValueRef g = LLVMAddGlobal(module, LLVMTypeOf(init), name);
  LLVMSetInitializer(g, init);
  LLVMSetGlobalConstant(g, true);
  LLVMSetLinkage(g, LLVMPrivateLinkage);
  LLVMSetUnnamedAddress(g, LLVMGlobalUnnamedAddr);
  LLVMSetAlignment(g, std::max(align, target.globalAlign));
  return g;
}

void ModuleEmitter::tag(const std::vector<AbiTag> &all) {
  std::vector<LLVMValueRef> refs;
  for (auto &[group, value] : all) {
    refs.push_back(LLVMAddGlobal(module, types->i8, ("cilk_" + std::string(group) + "_" + std::string(value)).c_str()));
    LLVMSetLinkage(refs.back(), LLVMExternalLinkage);
  }
  useLater(privateConstant(LLVMConstArray2(types->ptr, refs.data(), refs.size()), 8, "cilk.agreement"));
}

LLVMValueRef ModuleEmitter::stringLiteral(const StringLit *s, QualType type) {
  uint64_t count = type && type->isArray() && type->as<ArrayType>()->arrayKind == ArrayKind::Constant
                       ? type->as<ArrayType>()->count
                       : s->length() + 1;
  std::string bytes = s->bytes;
  bytes.resize(count * s->unit, '\0');
  LLVMValueRef &g = strings[std::to_string(s->unit) + ":" + bytes];
  if (!g) {
    LLVMTypeRef e = types->intN(s->unit * 8);
    LLVMValueRef init = bytes.find_first_not_of('\0') == std::string::npos ? LLVMConstNull(LLVMArrayType2(e, count))
                                                                           : shimConstDataArray(e, bytes.data(), count);
    g = privateConstant(init, s->unit, ".str");
  }
  return g;
}

LLVMValueRef ModuleEmitter::cstring(const std::string &text, const char *name) {
  LLVMValueRef &g = strings["1:" + text + std::string(1, '\0')];
  if (!g) g = privateConstant(shimConstDataArray(types->i8, text.c_str(), text.size() + 1), 1, name);
  return g;
}

// ---- aliases and lists --------------------------------------------------------------------------------------------

void ModuleEmitter::emitAlias(const Decl *d, const DeclAttrs &a, bool isFunction) {
  if (isFunction ? functions.count(d->as<FunctionDecl>()) : globals.count(d->as<VarDecl>())) return;
  // The target is another symbol of this unit; it is emitted for the alias's sake, and may be an alias itself.
  std::string target(a.ifuncResolver.empty() ? a.alias : a.ifuncResolver);
  LLVMValueRef aliasee = nullptr;
  for (auto *f : unit.functions) {
    if (aliasee || f == d || f->parent || linkName(f, f->attrs) != target) continue;
    if (!f->attrs.alias.empty() && aliasDepth < 100) {
      aliasDepth++;
      emitAlias(f, f->attrs, true);
      aliasDepth--;
    }
    if (f->def || functions.count(f)) aliasee = function(f);
  }
  for (auto *g : unit.globals) {
    if (aliasee || g == d || g->fn || linkName(g, g->attrs) != target) continue;
    if (!g->attrs.alias.empty() && aliasDepth < 100) {
      aliasDepth++;
      emitAlias(g, g->attrs, false);
      aliasDepth--;
    }
    if (g->isDefinition || globals.count(g)) aliasee = global(g);
  }
  if (!aliasee) { impossible(d->range, "an alias of '" + target + "'"); }
  LLVMTypeRef vt = isFunction ? types->abi(d->type->as<FunctionType>()).type : types->memory(d->type);
  LLVMValueRef n = a.ifuncResolver.empty() ? LLVMAddAlias2(module, vt, 0, aliasee, "")
                                           : LLVMAddGlobalIFunc(module, "", 0, vt, 0, aliasee);
  Linkage l = isFunction ? d->as<FunctionDecl>()->linkage : d->as<VarDecl>()->linkage;
  LLVMSetLinkage(n, l == Linkage::Internal ? LLVMInternalLinkage : a.weak ? LLVMWeakAnyLinkage : LLVMExternalLinkage);
  std::string name = linkName(d, a);
  // the symbol that spawns refer to
  if (isFunction && d->as<FunctionDecl>()->isCilk && !options.serial) name += ".fast";
  LLVMSetValueName2(n, name.data(), name.size());
  if (isFunction) functions[d->as<FunctionDecl>()] = n;
  else globals[d->as<VarDecl>()] = n;
  if (a.visibilitySet)
    LLVMSetVisibility(n, a.visibility == Visibility::Hidden || a.visibility == Visibility::Internal
                             ? LLVMHiddenVisibility
                         : a.visibility == Visibility::Protected ? LLVMProtectedVisibility
                                                                 : LLVMDefaultVisibility);
  if (options.pic != PicLevel::Pic) shimSetDsoLocal(n, true);
}

void ModuleEmitter::staticConstructor(LLVMValueRef fn, int priority, bool destructor) {
  ctors.push_back({fn, priority, destructor});
}

void ModuleEmitter::finishConstructors() {
  for (bool dtor : {false, true}) {
    LLVMTypeRef fields[] = {types->i32, types->ptr, types->ptr};
    LLVMTypeRef st = LLVMStructTypeInContext(context, fields, 3, false);
    std::vector<LLVMValueRef> list;
    for (auto &c : ctors) {
      if (c.destructor != dtor) continue;
      LLVMValueRef v[] = {LLVMConstInt(types->i32, static_cast<unsigned>(c.priority), false), c.fn,
          LLVMConstNull(types->ptr)};
      list.push_back(LLVMConstStructInContext(context, v, 3, false));
    }
    if (list.empty()) continue;
    LLVMValueRef init = LLVMConstArray2(st, list.data(), list.size());
    LLVMValueRef g = LLVMAddGlobal(module, LLVMTypeOf(init), dtor ? "llvm.global_dtors" : "llvm.global_ctors");
    LLVMSetInitializer(g, init);
    LLVMSetLinkage(g, LLVMAppendingLinkage);
  }
}

void ModuleEmitter::finishUsed() {
  auto make = [&](const char *name, const std::vector<LLVMValueRef> &list) {
    if (list.empty()) return;
    std::vector<LLVMValueRef> copy = list;
    LLVMValueRef init = LLVMConstArray2(types->ptr, copy.data(), copy.size());
    LLVMValueRef g = LLVMAddGlobal(module, LLVMTypeOf(init), name);
    LLVMSetInitializer(g, init);
    LLVMSetLinkage(g, LLVMAppendingLinkage);
    LLVMSetSection(g, "llvm.metadata");
  };
  make("llvm.used", llvmUsed);
  make("llvm.compiler.used", llvmCompilerUsed);
}

LLVMValueRef ModuleEmitter::intrinsic(const char *name, std::vector<LLVMTypeRef> overloads) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  return id ? LLVMGetIntrinsicDeclaration(module, id, overloads.data(), overloads.size()) : nullptr;
}
LLVMTypeRef ModuleEmitter::intrinsicType(const char *name, std::vector<LLVMTypeRef> overloads) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  return id ? LLVMIntrinsicGetType(context, id, overloads.data(), overloads.size()) : nullptr;
}

}  // namespace cilkc::cg
