// shim.cpp - see shim.h. Every function here exists because the C API of LLVM 19 lacks it; nothing else may be put
// here.
#include "codegen/shim/shim.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/GlobalValue.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#pragma GCC diagnostic pop

#include <mutex>

namespace cilkc::cg {

using namespace llvm;

LLVMTargetMachineRef shimTargetMachine(const TargetSettings &s, std::string &error) {
  const Target *target = TargetRegistry::lookupTarget(s.triple, error);
  if (!target) return nullptr;
  TargetOptions o;
  o.UseInitArray = true;
  // Where the optimizer proves that a place is not reached because what leads there is undefined (a store through
  // null), the program stops.
  o.TrapUnreachable = o.NoTrapAfterNoreturn = true;
  o.FunctionSections = s.functionSections;
  o.DataSections = s.dataSections;
  o.UniqueSectionNames = s.uniqueSectionNames;
  o.EmulatedTLS = s.emulatedTls;
  o.MCOptions.AsmVerbose = s.verboseAsm;
  o.UnsafeFPMath = o.NoInfsFPMath = o.NoNaNsFPMath = o.NoSignedZerosFPMath = s.fastMath;
  o.AllowFPOpFusion = s.fpContractFast ? FPOpFusion::Fast : s.fpContractOff ? FPOpFusion::Strict : FPOpFusion::Standard;
  std::optional<CodeModel::Model> cm;
  if (s.codeModel == "small") cm = CodeModel::Small;
  else if (s.codeModel == "kernel") cm = CodeModel::Kernel;
  else if (s.codeModel == "medium") cm = CodeModel::Medium;
  else if (s.codeModel == "large") cm = CodeModel::Large;
  else if (s.codeModel == "tiny") cm = CodeModel::Tiny;
  static const CodeGenOptLevel levels[] = {CodeGenOptLevel::None, CodeGenOptLevel::Less, CodeGenOptLevel::Default,
      CodeGenOptLevel::Aggressive};
  TargetMachine *tm = target->createTargetMachine(s.triple, s.cpu, s.features, o, s.pic ? Reloc::PIC_ : Reloc::Static,
      cm, levels[s.codegenLevel & 3]);
  if (!tm) error = "no code generator for target '" + s.triple + "'";
  return reinterpret_cast<LLVMTargetMachineRef>(tm);
}

// The allocator of optimised code takes more than linear time over the clones of a large procedure. LLVM chooses it for
// a module, so all of such a unit is generated without optimisation.
static bool hasLargeProcedures(const Module &m) {
  return std::any_of(m.begin(), m.end(), [](const Function &f) { return f.hasFnAttribute(kLargeProcedure); });
}

static bool emitTo(TargetMachine *tm, Module *m, bool assembly, raw_pwrite_stream &os) {
  if (hasLargeProcedures(*m)) tm->setOptLevel(CodeGenOptLevel::None);
  m->setDataLayout(tm->createDataLayout());
  legacy::PassManager passes;
  passes.add(new TargetLibraryInfoWrapperPass(Triple(m->getTargetTriple())));
  if (tm->addPassesToEmitFile(passes, os, nullptr,
          assembly ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile))
    return false;
  passes.run(*m);
  return true;
}

bool shimEmit(LLVMTargetMachineRef machine, LLVMModuleRef module, bool assembly, std::string *bytes, int fd,
    std::string &error, int &system) {
  auto *tm = reinterpret_cast<TargetMachine *>(machine);
  const char *cannot = "the target cannot write this kind of file";
  if (bytes) {
    SmallString<0> text;
    raw_svector_ostream os(text);
    bool made = emitTo(tm, unwrap(module), assembly, os);
    if (made) bytes->assign(text.data(), text.size());
    else error = cannot;
    return made;
  }
  raw_fd_ostream os(fd, false);
  os.SetBufferSize(1 << 16);
  bool made = emitTo(tm, unwrap(module), assembly, os);
  if (!made) error = cannot;
  os.flush();
  if (os.has_error()) {
    system = os.error().value();
    os.clear_error();
  }
  return made && !system;
}

LLVMValueRef shimConstDataArray(LLVMTypeRef element, const void *bytes, size_t n) {
  Type *t = unwrap(element);
  size_t size = t->getPrimitiveSizeInBits().getFixedValue() / 8 * n;
  return wrap(ConstantDataArray::getRaw(StringRef(static_cast<const char *>(bytes), size), n, t));
}

static APFloat rounded(LLVMTypeRef type, const uint64_t quad[2]) {
  APFloat f(APFloat::IEEEquad(), APInt(128, ArrayRef<uint64_t>(quad, 2)));
  bool lost, signaling = f.isSignaling();
  const fltSemantics &to = unwrap(type)->getFltSemantics();
  f.convert(to, APFloat::rmNearestTiesToEven, &lost);
  if (!signaling) return f;
  // The conversion has made the NaN quiet.
  APInt bits = f.bitcastToAPInt();
  return APFloat::getSNaN(to, f.isNegative(), &bits);
}
LLVMValueRef shimConstFloat(LLVMTypeRef type, const uint64_t quad[2]) {
  return wrap(ConstantFP::get(unwrap(type)->getContext(), rounded(type, quad)));
}
void shimFloatBits(LLVMTypeRef type, const uint64_t quad[2], uint64_t out[2]) {
  APInt bits = rounded(type, quad).bitcastToAPInt();
  out[0] = bits.getRawData()[0];
  out[1] = bits.getNumWords() > 1 ? bits.getRawData()[1] : 0;
}

void shimDisposeModule(LLVMModuleRef module) {
  Module *m = unwrap(module);
  for (GlobalVariable &g : m->globals()) g.dropAllReferences();
  for (Function &f : *m)
    for (BasicBlock &b : f)
      if (b.hasAddressTaken()) BlockAddress::get(&b)->removeDeadConstantUsers();
  delete m;
}

void shimSetDsoLocal(LLVMValueRef global, bool local) { cast<GlobalValue>(unwrap(global))->setDSOLocal(local); }

std::string shimVerify(LLVMModuleRef m) {
  std::string text;
  raw_string_ostream os(text);
  if (!verifyModule(*unwrap(m), &os)) return {};
  return os.str().empty() ? "broken module" : os.str();
}

// LLVM's handler is one per process; ours is installed once and acts for threads that are inside a FatalGuard.
static thread_local int guardDepth = 0;
static void onFatal(void *, const char *reason, bool) {
  if (guardDepth > 0) throw LlvmFatal{reason ? reason : "unknown error"};
}
static void onOutOfMemory(void *, const char *, bool) {
  if (guardDepth > 0) throw std::bad_alloc();
}
FatalGuard::FatalGuard() {
  static std::once_flag once;
  std::call_once(once, [] {
    install_fatal_error_handler(onFatal);
    install_bad_alloc_error_handler(onOutOfMemory);
  });
  guardDepth++;
}
FatalGuard::~FatalGuard() { guardDepth--; }

void shimConstrainFloats(LLVMBuilderRef builder, bool rounding, bool trapping) {
  IRBuilder<> *b = unwrap(builder);
  b->setIsFPConstrained(rounding || trapping);
  b->setDefaultConstrainedRounding(rounding ? RoundingMode::Dynamic : RoundingMode::NearestTiesToEven);
  b->setDefaultConstrainedExcept(trapping ? fp::ebStrict : fp::ebIgnore);
}

bool shimCanUseFastMath(LLVMValueRef v) { return isa<FPMathOperator>(unwrap(v)); }

unsigned shimBuiltinIntrinsic(const char *targetPrefix, const char *builtin) {
  return Intrinsic::getIntrinsicForClangBuiltin(targetPrefix, builtin);
}

LLVMMetadataRef shimVariableRange(LLVMDIBuilderRef builder, LLVMMetadataRef count) {
  return wrap(unwrap(builder)->getOrCreateSubrange(unwrap(count), nullptr, nullptr, nullptr));
}

uint64_t shimPlace(LLVMDiagnosticInfoRef info) {
  const DiagnosticInfo *any = unwrap(info);
  if (auto *d = dyn_cast<DiagnosticInfoDontCall>(any)) return d->getLocCookie();
  if (auto *d = dyn_cast<DiagnosticInfoInlineAsm>(any)) return d->getLocCookie();
  if (auto *d = dyn_cast<DiagnosticInfoSrcMgr>(any)) return d->getLocCookie();
  return 0;
}
bool shimOfProfile(LLVMDiagnosticInfoRef info) { return isa<DiagnosticInfoPGOProfile>(unwrap(info)); }
bool shimDontCall(LLVMDiagnosticInfoRef info, std::string &note) {
  auto *d = dyn_cast<DiagnosticInfoDontCall>(unwrap(info));
  if (d) note = d->getNote().str();
  return d;
}

}  // namespace cilkc::cg
