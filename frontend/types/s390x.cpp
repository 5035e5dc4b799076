// s390x.cpp - the C facts of z/Architecture in its 64-bit mode, under the ELF ABI s390x on Linux: big endian, and no
// scalar is aligned to more than 8 bytes.
#include "frontend/types/target.h"

namespace cilkc {

extern const TargetFacts facts_s390x = {
    .name = "s390x",
    .otherName = "",
    .triple = "s390x-linux-gnu",
#ifdef __s390x__
    .host = true,
#endif
    .charSigned = false,
    .halves = false,
    .quadLongDouble = true,
    .largestAlign = 8,
    .bitIntAlign = 8,
    // the first two are `long` for gcc: programs read none of them
    .vaList = {"__va_list_tag", true,
        {{"__gpr", TargetFacts::VaList::Member::Pointer}, {"__fpr", TargetFacts::VaList::Member::Pointer},
            {"__overflow_arg_area", TargetFacts::VaList::Member::Pointer},
            {"__reg_save_area", TargetFacts::VaList::Member::Pointer}}},
    .globalRegisters = {"r15"},
    .builtins = {},
    .registerConstraints = "adf",
    .constantConstraints = "IJKLM",
    .longConstraints = {},
    .memoryConstraints = {"Q", "R", "S", "T"},
};

// What programs know the processor by (predefine.cpp).
extern const char *const names_s390x =
    "__s390x__=1 __s390__=1 __zarch__=1 __ARCH__=9 __BYTE_ORDER__=__ORDER_BIG_ENDIAN__ "
    "__FLOAT_WORD_ORDER__=__ORDER_BIG_ENDIAN__";

// The registers that an asm statement may say it changes (clobbers.cpp).
extern const char *const clobbers_s390x = "r0-15 f0-15 v0-31 a0-15 ap fp rp";

// A row is the letter of a constraint for one register alone, and the names of that register.
extern const char *const operandRegisters_s390x = "";

}  // namespace cilkc
