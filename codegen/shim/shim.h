// shim.h - the few things that LLVM's C API lacks, each with its reason. Implemented in shim.cpp, passes.cpp
// and race.cpp, the only files that include LLVM's C++ headers.
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <cstddef>
#include <cstdint>
#include <string>

namespace cilkc::cg {

struct TargetSettings {
  std::string triple, cpu, features, codeModel;
  int codegenLevel = 0;  // 0..3
  int pic = 0;  // 0 none, 1 pie, 2 pic
  bool functionSections = false, dataSections = false, uniqueSectionNames = true;
  bool verboseAsm = false, fastMath = false, fpContractFast = false, fpContractOff = false, emulatedTls = false;
};

// Reason: the C API cannot set TargetOptions (sections, .init_array, FP contraction). Null and a message when the
// target is unknown.
LLVMTargetMachineRef shimTargetMachine(const TargetSettings &, std::string &error);

// A function attribute: the clones of a procedure with very many entry points (ClonePlan::large) have it.
inline constexpr char kLargeProcedure[] = "cilk-large";

// Reason: the C API's emission does not inform the passes which library functions there are, so that calls of sqrt stay
// calls. Null and a message on failure. Code, into `bytes` or, where that is null, straight into the file, so that a
// large object is nowhere in memory. False: `error` says why, or nothing where `system` is errno.
bool shimEmit(LLVMTargetMachineRef, LLVMModuleRef, bool assembly, std::string *bytes, int fd, std::string &error,
    int &system);

struct PassTuning {
  bool loopVectorize = false, slpVectorize = false, loopIdioms = true, unroll = false, mergeFunctions = false;
  bool useAfterScope = false;  // AddressSanitizer reports it
  std::string profileGenerate, profileUse;  // CodegenOptions
  bool profileAtomic = false, coverageNotes = false, coverageData = false;
};
// Reason: the C API cannot put passes of ours into LLVM's pipeline (passes.cpp says which). A message on failure,
// else empty.
std::string shimRunPasses(LLVMModuleRef, LLVMTargetMachineRef, const std::string &passes, const PassTuning &);

// Reason: the C API makes a ConstantDataArray only through one Value per element, which is slow for big tables.
// bytes holds n little-endian elements of an i8..i64, half, float or double type.
LLVMValueRef shimConstDataArray(LLVMTypeRef element, const void *bytes, size_t n);

// Reason: the C API makes floating constants from double or text only. quad: IEEE binary128 bits, low word first;
// rounded to the type.
LLVMValueRef shimConstFloat(LLVMTypeRef type, const uint64_t quad[2]);
// The bit pattern of the same (16 bytes; x87: 10 used).
void shimFloatBits(LLVMTypeRef type, const uint64_t quad[2], uint64_t out[2]);

// Reason: the C API has no access to `dso_local`.
void shimSetDsoLocal(LLVMValueRef global, bool local);
// Reason: the C API cannot say why a module is broken without printing; this returns the verifier's text, empty if it
// is sound.
std::string shimVerify(LLVMModuleRef);
// Reason: fatal errors of LLVM (bad inline asm registers, unsupported lowering) end the process by default. While a
// guard lives, they are turned into a C++ exception that leaves the LLVM call; the module and its context are then
// abandoned, not freed.
struct LlvmFatal {
  std::string message;
};
class FatalGuard {
public:
  FatalGuard();
  ~FatalGuard();
};
// Reason: the C API's function takes n^2 time for a table of n addresses of labels, which it makes again for each label
// that goes. Here the table goes first.
void shimDisposeModule(LLVMModuleRef);
// Reason: the C API cannot build floating-point operations that round as fesetround says.
void shimConstrainFloats(LLVMBuilderRef, bool rounding, bool trapping);
// Reason: LLVMSetFastMathFlags asserts on instructions that cannot carry them; this function ignores those.
bool shimCanUseFastMath(LLVMValueRef);
// Reason: the C API does not know which intrinsic a compiler builtin stands for ("__builtin_ia32_paddsb128"). 0: none.
unsigned shimBuiltinIntrinsic(const char *targetPrefix, const char *builtin);
// Reason: the C API makes ranges of constants alone. The range is from 0 on, with as many elements as a variable says.
LLVMMetadataRef shimVariableRange(LLVMDIBuilderRef, LLVMMetadataRef count);
// Reason: the C API has no access to what a diagnostic holds. The !srcloc of the call or the inline assembly that it is
// about, or 0.
uint64_t shimPlace(LLVMDiagnosticInfoRef);
// Whether it is about the file of -fprofile-use.
bool shimOfProfile(LLVMDiagnosticInfoRef);
// A call of a function with "dontcall-error" or "dontcall-warn": the attribute's text.
bool shimDontCall(LLVMDiagnosticInfoRef, std::string &note);
// Reason: the C API has no dominance, loops or evolution of addresses. Tests in line for calls of the race detector, as
// few as will do (race.cpp); why not, or "".
std::string shimRaceChecks(LLVMModuleRef, LLVMTargetMachineRef, bool oneWorker);

}  // namespace cilkc::cg
