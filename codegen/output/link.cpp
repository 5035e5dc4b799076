// link.cpp - link-time optimisation: objects that carry their bitcode, and one object made from several.
//
// An object made with -flto holds machine code as always, so that every linker, archiver and debugger can use it.
// Beside this code the object holds the module's bitcode from before the passes, in a section that the linker leaves
// out. At link time the bitcode of all such objects becomes one module, which goes through the passes again: procedures
// of one file are inlined into those of another. The level of optimisation travels with the bitcode, as
// `cc -flto a.o b.o` names none.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Object.h>
#include "codegen/output/emit.h"
#include "codegen/shim/shim.h"
#include "codegen/core/target.h"
#include "diag/codegen.h"

namespace cilkc {
namespace cg {
namespace {

constexpr const char *kBitcodeSection = ".cilkc.lto";
constexpr const char *kLevel = "cilkc.level";  // named metadata: one operand per unit, {i32 -O level, i32 size level}

LLVMMetadataRef number(LLVMContextRef context, int n) {
  return LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), static_cast<unsigned>(n), 0));
}

// The bytes of the object's bitcode section; empty when it has none. The buffer stays the caller's.
std::string section(LLVMMemoryBufferRef file, LLVMContextRef context) {
  std::string bytes;
  char *error = nullptr;
  LLVMBinaryRef object = LLVMCreateBinary(file, context, &error);
  if (!object) {
    LLVMDisposeMessage(error);
    return bytes;
  }
  LLVMBinaryType type = LLVMBinaryGetType(object);
  if (type == LLVMBinaryTypeELF64L || type == LLVMBinaryTypeELF64B) {
    LLVMSectionIteratorRef it = LLVMObjectFileCopySectionIterator(object);
    for (; !LLVMObjectFileIsSectionIteratorAtEnd(object, it); LLVMMoveToNextSection(it)) {
      const char *name = LLVMGetSectionName(it);
      if (name && strcmp(name, kBitcodeSection) == 0) bytes.assign(LLVMGetSectionContents(it), LLVMGetSectionSize(it));
    }
    LLVMDisposeSectionIterator(it);
  }
  LLVMDisposeBinary(object);
  return bytes;
}

// The module of one object; null after an error.
LLVMModuleRef moduleOf(const std::string &name, LLVMContextRef context, DiagnosticEngine &diags) {
  LLVMMemoryBufferRef file = nullptr;
  char *error = nullptr;
  if (LLVMCreateMemoryBufferWithContentsOfFile(name.c_str(), &file, &error)) {
    diags.report(diag::backend, Range{}) << name + ": " + error;
    LLVMDisposeMessage(error);
    return nullptr;
  }
  std::string bytes = section(file, context);
  LLVMDisposeMemoryBuffer(file);
  LLVMModuleRef module = nullptr;
  bool bad = true;
  if (!bytes.empty()) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.data(), bytes.size(), name.c_str());
    bad = LLVMParseBitcodeInContext2(context, buffer, &module);
    LLVMDisposeMemoryBuffer(buffer);
  }
  if (bad) diags.report(diag::backend, Range{}) << name + ": this object carries no bitcode that can be read (-flto)";
  return bad ? nullptr : module;
}

// What the objects joined so far define, and in which source file. LLVM's linker names the symbol alone, and one at a
// time.
class Definitions {
public:
  // False, with errors, where the module defines again what another has defined.
  bool add(LLVMModuleRef module, const std::string &object, DiagnosticEngine &diags) {
    size_t n;
    std::string source = LLVMGetSourceFileName(module, &n);
    std::set<std::string> twice;
    Place here{source, object};
    auto symbol = [&](LLVMValueRef v) {
      if (LLVMIsDeclaration(v) || LLVMGetLinkage(v) != LLVMExternalLinkage) return;
      std::string name = LLVMGetValueName2(v, &n);
      if (!seen.emplace(name, here).second) twice.insert(name);
    };
    for (LLVMValueRef v = LLVMGetFirstFunction(module); v; v = LLVMGetNextFunction(v)) symbol(v);
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v)) symbol(v);
    for (LLVMValueRef v = LLVMGetFirstGlobalAlias(module); v; v = LLVMGetNextGlobalAlias(v)) symbol(v);
    for (auto &name : twice) {
      // One report for each procedure, by its fast clone: its other symbols are defined twice, too.
      if (name == "cilk_main_root" ||
          (name.starts_with("mt_") && (twice.count(name.substr(3) + kFast) || twice.count(name.substr(3)))))
        continue;
      const Place &first = seen.at(name);
      bool same = first.source == source;
      diags.report(diag::multiply_defined, Range{})
          << (name.ends_with(kFast) ? name.substr(0, name.size() - strlen(kFast)) : name)
          << (same ? first.object : first.source) << (same ? object : source);
    }
    return twice.empty();
  }

private:
  static constexpr const char *kFast = ".fast";
  struct Place {
    std::string source, object;
  };
  std::map<std::string, Place> seen;
};

// The highest level that a unit was made with; size counts where all units ask for it.
void takeLevels(LLVMModuleRef module, CodegenOptions &o) {
  unsigned n = LLVMGetNamedMetadataNumOperands(module, kLevel);
  std::vector<LLVMValueRef> nodes(n);
  if (n) LLVMGetNamedMetadataOperands(module, kLevel, nodes.data());
  int size = n ? 2 : 0;
  for (LLVMValueRef node : nodes) {
    LLVMValueRef parts[2] = {};
    if (LLVMGetMDNodeNumOperands(node) != 2) continue;
    LLVMGetMDNodeOperands(node, parts);
    o.optLevel = std::max(o.optLevel, static_cast<int>(LLVMConstIntGetZExtValue(parts[0])));
    size = std::min(size, static_cast<int>(LLVMConstIntGetZExtValue(parts[1])));
  }
  o.sizeLevel = std::max(o.sizeLevel, size);
}

}  // namespace

LLVMMemoryBufferRef takeBitcode(LLVMModuleRef module, const CodegenOptions &o) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMMetadataRef parts[] = {number(context, o.optLevel), number(context, o.sizeLevel)};
  LLVMAddNamedMetadataOperand(module, kLevel, LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, parts, 2)));
  return LLVMWriteBitcodeToMemoryBuffer(module);
}

void embedBitcode(LLVMModuleRef module, LLVMMemoryBufferRef buffer) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef bytes = LLVMConstStringInContext2(context, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), 1);
  LLVMDisposeMemoryBuffer(buffer);
  LLVMValueRef g = LLVMAddGlobal(module, LLVMTypeOf(bytes), "cilkc.lto");
  LLVMSetInitializer(g, bytes);
  LLVMSetLinkage(g, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetAlignment(g, 1);
  LLVMSetSection(g, kBitcodeSection);
  LLVMGlobalSetMetadata(g, LLVMGetMDKindIDInContext(context, "exclude", 7), LLVMMDNodeInContext2(context, nullptr, 0));
}

static bool linkUnits(const std::vector<std::string> &objects, const AstContext &ast, DiagnosticEngine &diags,
    const CodegenOptions &given, const std::string &outPath, const TimeReport &report) {
  initTargets();
  CodegenOptions options = given;
  options.output = OutputKind::Object;
  Clock clock{report};
  LLVMContextRef context = LLVMContextCreate();
  Handler handler{&diags, false, false};
  LLVMContextSetDiagnosticHandler(context, onDiagnostic, &handler);
  LLVMModuleRef whole = nullptr;
  Definitions definitions;
  bool ok = true;
  for (auto &name : objects) {
    LLVMModuleRef module = moduleOf(name, context, diags);
    if (!module) return false;
    if (!definitions.add(module, name, diags)) ok = false;
    if (!whole) whole = module;
    else if (ok && LLVMLinkModules2(whole, module)) {  // the handler has said why
      diags.report(diag::backend, Range{}) << name + ": this object cannot be joined with those before it";
      return false;
    }
  }
  if (!whole || !ok) return false;
  takeLevels(whole, options);
  LLVMTargetMachineRef tm = targetMachine(ast, options, diags);
  if (!tm) return false;
  clock.stage("merge");
  ok = verified(whole, options, diags) && runPasses(whole, tm, options, diags);
  clock.stage("optimize");
  ok = ok && writeOutput(whole, tm, options, outPath, diags, handler);
  clock.stage("emit");
  shimDisposeModule(whole);
  LLVMDisposeTargetMachine(tm);
  LLVMContextDispose(context);
  return ok;
}

}  // namespace cg

bool generateLinked(const std::vector<std::string> &objects, const AstContext &ast, DiagnosticEngine &diags,
    const CodegenOptions &options, const std::string &outPath, const TimeReport &report) {
  return cg::guarded(diags, [&] { return cg::linkUnits(objects, ast, diags, options, outPath, report); });
}

}  // namespace cilkc
