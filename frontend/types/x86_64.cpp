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

// The registers that an asm statement may say it changes (clobbers.cpp).
extern const char *const clobbers_x86_64 =
    "ax bx cx dx si di bp sp eax ebx ecx edx esi edi ebp esp rax rbx rcx rdx rsi rdi rbp rsp al bl cl dl ah bh "
    "ch dh sil dil bpl spl r8-15 st st(0) st(1) st(2) st(3) st(4) st(5) st(6) st(7) mm0-7 xmm0-31 ymm0-31 "
    "zmm0-31 k0-7 flags fpsr fpcr argp frame dirflag redzone";

// A row is the letter of a constraint for one register alone, and the names of that register.
extern const char *const operandRegisters_x86_64 = "a rax eax ax al ah\n"
                                                   "b rbx ebx bx bl bh\n"
                                                   "c rcx ecx cx cl ch\n"
                                                   "d rdx edx dx dl dh\n"
                                                   "S rsi esi si sil\n"
                                                   "D rdi edi di dil";

}  // namespace cilkc
