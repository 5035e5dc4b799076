// x86_64.cpp - the C facts of x86-64 under the System V ABI.
#include "frontend/types/type.h"

namespace cilkc {

extern const TargetFacts facts_x86_64 = {
    .name = "x86_64",
    .otherName = "amd64",
    .triple = "x86_64-linux-gnu",
#ifdef __x86_64__
    .host = true,
#endif
    .bitIntAlign = 8,
    .widestBitInt = maxBitInt,
    .vaList = {"__va_list_tag", true,
        {{"gp_offset", TargetFacts::VaList::Member::Unsigned}, {"fp_offset", TargetFacts::VaList::Member::Unsigned},
            {"overflow_arg_area", TargetFacts::VaList::Member::Pointer},
            {"reg_save_area", TargetFacts::VaList::Member::Pointer}}},
    .globalRegisters = {"rsp", "esp", "rbp", "ebp"},
    .builtins = {"__builtin_ia32_", "__builtin_cpu_", "__builtin_setjmp", "__builtin_longjmp"},
    .registerConstraints = "RqQlabcdSDAftuxyvk",
    .constantConstraints = "IJKLMNOeZGC",
    .longConstraints = {{'Y', 2}, {'W', 2}},
    .memoryConstraints = {},
};

// What programs know the processor by (predefine.cpp).
extern const char *const names_x86_64 =
    "__x86_64__=1 __x86_64=1 __amd64__=1 __amd64=1 __SSE__=1 __SSE2__=1 __MMX__=1 __SIZEOF_FLOAT128__=16 __SIZEOF_FLOAT80__=16";

}  // namespace cilkc
