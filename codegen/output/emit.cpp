// emit.cpp - generate(): target machine, the module, LLVM's passes, the output file.
//
// LLVM reports errors in two ways, and neither may end the process: diagnostics (inline assembly, back end) go through
// the context's handler to the engine; fatal errors are caught by guarded() and abandon the module.
#include <unistd.h>
#include <cstdio>
#include <cstring>
#include <utility>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include "codegen/module/debug.h"
#include "codegen/output/emit.h"
#include "codegen/core/events.h"
#include "codegen/core/module.h"
#include "codegen/shim/shim.h"
#include "codegen/core/target.h"
#include "frontend/support/output.h"
#include "diag/codegen.h"

namespace cilkc {
namespace cg {

template <class Strings> static std::string joined(const Strings &v, const char *between = ",") {
  std::string s;
  for (auto &x : v) s += (s.empty() ? "" : between) + x;
  return s;
}

LLVMTargetMachineRef targetMachine(const AstContext &ast, const CodegenOptions &o, DiagnosticEngine &diags) {
  TargetSettings s;
  s.triple = ast.target.facts->triple;
  char *norm = LLVMNormalizeTargetTriple(s.triple.c_str());
  s.triple = norm;
  LLVMDisposeMessage(norm);
  s.cpu = o.cpu;
  s.features = joined(o.features);
  if (o.cpu == "native") {
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    s.cpu = cpu;
    s.features = std::string(features) + (s.features.empty() ? "" : "," + s.features);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
  } else if (o.cpu.empty()) {
    const Target &target = targetFor(ast.target);
    s.cpu = target.cpu;
    s.features = target.features + (s.features.empty() ? "" : "," + s.features);
  }
  s.codegenLevel = o.optLevel;
  s.pic = static_cast<int>(o.pic);
  s.functionSections = o.functionSections;
  s.dataSections = o.dataSections;
  s.uniqueSectionNames = o.uniqueSectionNames;
  s.verboseAsm = o.verboseAsm;
  s.fastMath = o.fastMath;
  s.fpContractFast = o.fpContract == FpContract::Fast;
  s.fpContractOff = o.fpContract == FpContract::Off;
  s.codeModel = o.codeModel;
  std::string error;
  LLVMTargetMachineRef tm = shimTargetMachine(s, error);
  if (!tm) diags.report(diag::unknown_target, Range{}) << s.triple << error;
  return tm;
}

// A message about inline assembly has its line of the assembly after it, and a line that points into that. LLVM writes
// control characters as <0A>.
void reportLines(DiagnosticEngine &diags, Range where, std::string_view text) {
  std::vector<std::string> lines(1);
  for (size_t i = 0; i < text.size(); i++) {
    const bool control =
        text[i] == '<' && i + 3 < text.size() && text[i + 3] == '>' && (text[i + 1] == '0' || text[i + 1] == '1');
    const char c = control ? static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16)) : text[i];
    if (control) i += 3;
    if (c == '\n') lines.emplace_back();
    else lines.back() += c;
  }
  auto d = diags.report(diag::backend, where);
  d << lines[0];
  for (size_t i = 1; i < lines.size(); i++)
    if (size_t begin = lines[i].find_first_not_of(" \t"); lines[i].find_first_not_of(" \t^~") != std::string::npos)
      d.note(where, "in this line: `" + lines[i].substr(begin) + "`");
}

// LLVM warns about one clone: `... (hash mismatch) fib.fast Hash = ...`.
static std::string staleFunction(std::string_view text) {
  constexpr std::string_view before = "mismatch) ";
  size_t name = text.find(before);
  if (name == text.npos) return std::string(text);
  text.remove_prefix(name + before.size());
  return std::string(text.substr(0, text.find_first_of(". ")));
}

void onDiagnostic(LLVMDiagnosticInfoRef info, void *data) {
  auto *h = static_cast<Handler *>(data);
  bool error = LLVMGetDiagInfoSeverity(info) == LLVMDSError;
  std::string note;
  Loc at{h->placed ? static_cast<uint32_t>(shimPlace(info)) : 0};   // notePlace
  if (shimDontCall(info, note)) {                              // declAttributes
    size_t end = std::min(note.find('\n'), note.size());
    h->diags->report(error ? diag::call_attribute_error : diag::call_attribute_warning, Range{at, at})
        << note.substr(0, end) << note.substr(std::min(end + 1, note.size()));
    h->failed |= error;
    return;
  }
  if (!error && !shimOfProfile(info)) return;
  char *text = LLVMGetDiagInfoDescription(info);
  if (error) {
    reportLines(*h->diags, Range{at, at}, text);
    h->failed = true;
  } else h->stale.insert(staleFunction(text));
  LLVMDisposeMessage(text);
}

// The sanitizer's pass calls __tsan_memcpy and its like, which the C compiler's library (GCC 12's, say) need not have.
// That of any compiler intercepts the plain functions, which check the same.
static void plainMemoryCalls(LLVMModuleRef module) {
  for (const char *name : {"memcpy", "memmove", "memset"}) {
    LLVMValueRef checked = LLVMGetNamedFunction(module, (std::string("__tsan_") + name).c_str());
    if (!checked) continue;
    LLVMValueRef plain = LLVMGetNamedFunction(module, name);
    if (plain) LLVMReplaceAllUsesWith(checked, plain);
    else LLVMSetValueName2(checked, name, strlen(name));
  }
}

bool runPasses(LLVMModuleRef module, LLVMTargetMachineRef machine, const CodegenOptions &o, DiagnosticEngine &diags) {
  bool vec = o.optLevel >= 2 && o.sizeLevel < 2;
  PassTuning tuning;
  tuning.loopVectorize = vec && o.vectorize;
  tuning.slpVectorize = vec && o.slpVectorize;
  tuning.loopIdioms = o.loopIdioms;
  tuning.unroll = o.unrollLoops && o.optLevel >= 2;
  tuning.mergeFunctions = o.merge;
  tuning.useAfterScope = o.useAfterScope;
  tuning.profileGenerate = o.profileGenerate;
  tuning.profileUse = o.profileUse;
  tuning.profileAtomic = o.profileAtomic;
  tuning.coverageNotes = o.coverageNotes;
  tuning.coverageData = o.coverageData;
  std::string passes = o.optLevel == 0    ? "default<O0>"
                       : o.sizeLevel == 2 ? "default<Oz>"
                       : o.sizeLevel == 1 ? "default<Os>"
                       : o.optLevel == 1  ? "default<O1>"
                       : o.optLevel == 2  ? "default<O2>"
                                          : "default<O3>";
  if (o.instrumentFunctions) passes = "function(ee-instrument)," + passes;
  if (o.sanitizeAddress) passes += ",asan";
  if (o.sanitizeThread) passes += ",tsan-module,function(tsan)";
  std::string error = shimRunPasses(module, machine, passes, tuning);
  if (!error.empty()) {
    diags.report(diag::backend, Range{}) << error;
    return false;
  }
  if (o.sanitizeThread) plainMemoryCalls(module);
  return true;
}

#ifdef CILKC_DEBUG
constexpr bool alwaysVerify = true;
#else
constexpr bool alwaysVerify = false;
#endif

bool verified(LLVMModuleRef module, const CodegenOptions &o, DiagnosticEngine &diags) {
  if (!alwaysVerify && !o.verify) return true;
  std::string text = shimVerify(module);
  if (text.empty()) return true;
  if (getenv("CILKC_DUMP_BROKEN")) LLVMDumpModule(module);
  diags.report(diag::backend, Range{}) << "internal error in codegen, the IR is not valid: " + text.substr(0, 2000);
  return false;
}

static bool writeFile(const std::string &path, std::string_view data, DiagnosticEngine &diags) {
  std::string why = writeFileAtOnce(path, data);
  if (!why.empty()) diags.report(diag::output_file, Range{}) << shownName(path) << why;
  return why.empty();
}

// Runs f; a fatal error of LLVM in it becomes a diagnostic. LLVM was left in the middle of something then: its objects
// are not touched again.
bool guarded(DiagnosticEngine &diags, const std::function<bool()> &f) {
  try {
    FatalGuard guard;
    return f();
  } catch (const LlvmFatal &e) {
    auto report = diags.report(diag::backend, Range{});
    report << e.message;
    if (e.message.rfind("Cannot select", 0) == 0)
      report.note(Range{},
          "the target has no instruction for this: an option may be missing, as -mssse3 or -march=native");
    return false;
  }
}

bool writeOutput(LLVMModuleRef module, LLVMTargetMachineRef machine, const CodegenOptions &o, const std::string &path,
    DiagnosticEngine &diags, const Handler &h) {
  if (!h.stale.empty()) diags.report(diag::stale_profile, Range{}) << o.profileUse << joined(h.stale, ", ");
  if (o.output == OutputKind::Ir) {
    char *text = LLVMPrintModuleToString(module);
    bool ok = writeFile(path, text, diags);
    LLVMDisposeMessage(text);
    return ok;
  }
  if (o.output == OutputKind::Bitcode) {
    LLVMMemoryBufferRef buf = LLVMWriteBitcodeToMemoryBuffer(module);
    bool ok = !h.failed && writeFile(path, {LLVMGetBufferStart(buf), LLVMGetBufferSize(buf)}, diags);
    LLVMDisposeMemoryBuffer(buf);
    return ok;
  }
  OutputFile file(path);
  int system = 0;
  std::string error, bytes;
  bool made = file.fd() < 0 || shimEmit(machine, module, o.output == OutputKind::Assembly,
                                   file.isFile() ? nullptr : &bytes, file.fd(), error, system);
  if (!made && !system) diags.report(diag::backend, Range{}) << error;
  if (h.failed || (!made && !system)) return false;
  if (system) file.fails(system);
  file.write(bytes);
  std::string why = file.complete();
  if (!why.empty()) diags.report(diag::output_file, Range{}) << shownName(path) << why;
  return why.empty();
}

static bool generateUnit(const TranslationUnit &unit, const AstContext &ast, DiagnosticEngine &diags,
    const CodegenOptions &given, const std::string &outPath, const TimeReport &report) {
  initTargets();
  CodegenOptions options = given;
  // __builtin_return_address(1) finds its way by the frame pointers of the callers.
  for (const FunctionDecl *f : unit.functions)
    if (f->usesFrameAddress) options.framePointer = FramePointer::All;
  if (options.optLevel > 0 && options.strictAliasing && unit.typesAlias) options.strictAliasing = false;
  if (unit.readsFloatEnvironment) options.roundingMath = options.trappingMath = true;
  Clock clock{report};
  unsigned before = diags.errors();
  LLVMTargetMachineRef tm = targetMachine(ast, options, diags);
  if (!tm) return false;
  LLVMContextRef context = LLVMContextCreate();
  Handler handler{&diags};
  LLVMContextSetDiagnosticHandler(context, onDiagnostic, &handler);
  LLVMContextSetDiscardValueNames(context, !options.keepNames && options.output != OutputKind::Ir);
  auto *m = new ModuleEmitter(unit, ast, diags, options, context, tm);
  m->run();
  compilingNow = Loc{};
  bool ok = diags.errors() == before && verified(m->module, options, diags);
  if (ok) m->events->prepares([&](const std::string &why) { diags.report(diag::backend, Range{}) << why; });
  LLVMModuleRef module = std::exchange(m->module, nullptr);
  delete m;                                             // the plan and the tables are not wanted again
  clock.stage("irgen");
  if (ok) {
    bool carries = options.lto && options.output == OutputKind::Object;
    LLVMMemoryBufferRef bitcode = carries ? takeBitcode(module, options) : nullptr;
    ok = runPasses(module, tm, options, diags);
    if (bitcode) embedBitcode(module, bitcode);
    clock.stage("optimize");
  }
  ok = ok && writeOutput(module, tm, options, outPath, diags, handler) && diags.errors() == before;
  clock.stage("emit");
  shimDisposeModule(module);
  LLVMContextDispose(context);
  LLVMDisposeTargetMachine(tm);
  return ok;
}

}  // namespace cg

bool generate(const TranslationUnit &unit, const AstContext &ast, DiagnosticEngine &diags,
    const CodegenOptions &options, const std::string &outPath, const TimeReport &report) {
  return cg::guarded(diags, [&] { return cg::generateUnit(unit, ast, diags, options, outPath, report); });
}

}  // namespace cilkc
