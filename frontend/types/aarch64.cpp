// aarch64.cpp - the C facts of AArch64 under AAPCS64 on Linux.
#include "frontend/types/target.h"

namespace cilkc {

extern const TargetFacts facts_aarch64 = {
    .name = "aarch64",
    .otherName = "arm64",
    .triple = "aarch64-linux-gnu",
#ifdef __aarch64__
    .host = true,
#endif
    .charSigned = false,
    .wcharSigned = false,
    .quadLongDouble = true,
    .unnamedBitFieldsAlign = true,
    .vaList = {"__va_list", false,
        {{"__stack", TargetFacts::VaList::Member::Pointer}, {"__gr_top", TargetFacts::VaList::Member::Pointer},
            {"__vr_top", TargetFacts::VaList::Member::Pointer}, {"__gr_offs", TargetFacts::VaList::Member::Int},
            {"__vr_offs", TargetFacts::VaList::Member::Int}}},
    .globalRegisters = {"sp", "wsp"},
    .builtins = {},
    .registerConstraints = "kwxy",
    .constantConstraints = "IJKLMNSYZ",
    .longConstraints = {{'U', 3}},
    .memoryConstraints = {"Q", "Ump"},
};

// What programs know the processor by (predefine.cpp).
extern const char *const names_aarch64 =
    "__aarch64__=1 __AARCH64EL__=1 __ARM_64BIT_STATE=1 __ARM_ARCH=8 __ARM_ARCH_ISA_A64=1 __ARM_NEON=1 __ARM_PCS_AAPCS64=1";

// The registers that an asm statement may say it changes (clobbers.cpp).
extern const char *const clobbers_aarch64 =
    "x0-30 w0-30 v0-31 q0-31 d0-31 s0-31 h0-31 b0-31 z0-31 p0-15 sp wsp lr fp ip0 ip1 ffr vg x18 sfp ap";

// A row is the letter of a constraint for one register alone, and the names of that register.
extern const char *const operandRegisters_aarch64 = "";

}  // namespace cilkc
