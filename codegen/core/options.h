// options.h - what a caller of the code generator may ask for. codegen/codegen.h is the room's public face.
#pragma once
#include <string>
#include <string_view>
#include <vector>
#include "codegen/core/checks.h"
#include "frontend/plan/mode.h"
#include "frontend/plan/options.h"
#include "frontend/ast/ast.h"

namespace cilkc {

enum class OutputKind : uint8_t { Object, Assembly, Ir, Bitcode };
enum class PicLevel : uint8_t { None, Pie, Pic };
enum class StackProtector : uint8_t { None, Explicit, Default, Strong, All };
enum class FramePointer : uint8_t { None, NonLeaf, All };
enum class AutoInit : uint8_t { None, Zero, Pattern };
enum class FpContract : uint8_t { Off, On, Fast };

struct CodegenOptions {
  // What is made
  OutputKind output = OutputKind::Object;
  int optLevel = 0;                   // 0..3
  int sizeLevel = 0;                  // 1 = -Os, 2 = -Oz
  bool optDebug = false;              // -Og
  int debugLevel = 0;                 // -g: 0..3
  // what -g means: LLVM writes version 5 with forms that older valgrinds report on every run
  int dwarfVersion = 4;
  // Target
  std::string cpu, tuneCpu;           // empty: the triple's baseline; "native"
  std::vector<std::string> features;  // "+avx2", "-sse3"
  PicLevel pic = PicLevel::None;
  bool plt = true;                    // -fno-plt
  bool redZone = true;
  std::string codeModel;              // "", small, kernel, medium, large
  std::string tlsModel;               // -ftls-model=, "" = by the rules
  // Cilk
  SpawnStrategy spawn = SpawnStrategy::Eager;
  bool serial = false;                // procedures are plain C functions, spawns are calls
  std::vector<uint32_t> loopLines;      // modes hear of the loops around these lines
  bool anySync = false;               // race: a run may leave out any sync, so each use of a result is reported
  ModeSet modes;                      // instrumentation: profile, span, ...
  int inlineRecursion = -1;           // levels a lazy fast clone is unrolled into itself; -1: the generator decides
  size_t largeProcedures = PlanOptions().large;   // entry points beyond which the optimiser leaves a procedure alone
  bool inlineLeaves = true;  // -fno-inline-leaves: leaves of procedures are not run at the place of the spawn
  // -fno-constant-parameters: parameters with one value in all calls are passed and saved like others
  bool constantParameters = true;
  // Instrumentation
  bool sanitizeThread = false, sanitizeAddress = false;
  bool useAfterScope = true;  // with sanitizeAddress: objects are poisoned where their block ends
  CheckSet checks = 0, checksRecover = allChecks,
           // -fsanitize=undefined and its parts; after which the program goes on; which trap without a report
      checksTrap = 0;
  StackProtector stackProtector = StackProtector::None;
  FramePointer framePointer = FramePointer::None;
  bool instrumentFunctions = false;
  // Hardening
  bool cfBranch = false, cfReturn = false;  // -fcf-protection=, -mbranch-protection=
  bool returnThunk = false;  // -mfunction-return=thunk-extern
  bool stackClash = false;  // -fstack-clash-protection
  AutoInit autoInit = AutoInit::None;  // -ftrivial-auto-var-init=
  std::string zeroCallUsedRegs;  // -fzero-call-used-regs=
  unsigned alignFunctions = 0;  // -falign-functions=N, bytes; 0: not asked for
  unsigned patchableEntry = 0, patchableBefore = 0;  // -fpatchable-function-entry=N,M
  bool profileMcount = false;  // -pg
  // Profiles, in LLVM's formats: the file that the program writes its counts to; the one that the optimiser reads
  std::string profileGenerate, profileUse;
  bool profileAtomic = true;  // -fprofile-update=: no worker's count is lost
  bool coverageNotes = false, coverageData = false;  // -ftest-coverage, -fprofile-arcs
  std::string coverageFile;  // the name of their files without .gcno and .gcda
  // Semantics
  bool wrapv = false, trapv = false, strictAliasing = true, nullPointerChecks = true;
  bool racePragmas = true;  // the race detector heeds `#pragma cilk race off` and the like of user code
  bool fastMath = false, finiteMath = false, noSignedZeros = false, associativeMath = false, reciprocalMath = false,
       mathErrno = true, roundingMath = false, trappingMath = false;
  FpContract fpContract = FpContract::On;
  bool builtins = true;  // -fno-builtin, -ffreestanding
  std::vector<std::string> noBuiltin;  // -fno-builtin-NAME
  bool exceptions = false;  // -fexceptions: C code is unwound through, nounwind is not assumed
  bool asyncUnwindTables = true;
  bool common = false;
  Visibility visibility = Visibility::Default;
  bool semanticInterposition = false;
  // Shape
  bool functionSections = false, dataSections = false, uniqueSectionNames = true;
  bool unrollLoops = true, loopIdioms = true, vectorize = true, slpVectorize = true, inlining = true,
       optimizeSiblingCalls = true, jumpTables = true, merge = false;
  bool verboseAsm = false;
  bool ident = true;  // -fno-ident: objects do not say what made them
  // --verify-clones: the IR, and the clones against their plan (the IR always with CILKC_DEBUG)
  bool verify = false;
  bool lto = false;  // -flto: objects carry their bitcode, too, for generateLinked()
  bool keepNames = false;  // value names in the IR (set for OutputKind::Ir)
  std::string producer = "cilkc";  // DW_AT_producer and !llvm.ident
  // with -g: the script of gdb's commands for Cilk, which gdb loads with the program; empty: none
  std::string gdbScript;
  std::string compilationDir;  // DW_AT_comp_dir; empty: current directory
  // -ffile-prefix-map=OLD=NEW: names in debug information; the last that fits counts
  std::vector<std::pair<std::string, std::string>> prefixMap;

  // Switches that asked for what is not supported, as written: the user is warned of each. `refused` is the last one
  // that would change the layout of data, calls or symbols: an error.
  std::vector<std::string> withoutEffect;
  std::string refused;

  // Takes one `-f…`, `-m…`, `-O…` or `-g…` switch as written on the command line ("-fno-plt", "-mavx2", "-O2",
  // "-ggdb3"). False if it is none that the code generator knows.
  bool applySwitch(std::string_view text);
  PlanOptions plan() const;  // what of these decides how clones look
  bool covers() const { return coverageNotes || coverageData; }
};

}  // namespace cilkc
