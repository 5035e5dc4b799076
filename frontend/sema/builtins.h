// builtins.h - the builtin functions the compiler knows: BuiltinId for each, from builtins.def:
//
//     BUILTIN(clz, "__builtin_clz", "iu", "cn")            // name, spelling, signature, flags
//
// Signature: result then parameters. v void, b _Bool, c char, s short, i int, l long, L long long, Q __int128, capital U before = unsigned (Uc Us Ui Ul UL UQ),
// z size_t, h _Float16, f float, d double, e long double, q __float128, p void *, P const void *, C const char *, S char *, V va_list by reference,
// w wchar_t *, X complex prefix (Xf Xd Xe), F FILE * (as void *), . variadic, ? custom (sema/builtin*.cpp types it).
// Flags: c const, p pure, n nothrow, r noreturn, L library function (also known by its plain name, e.g. "memcpy" for "__builtin_memcpy", unless -fno-builtin),
// t returns twice, k legal only in Cilk procedures and inlets.
#pragma once
#include <string_view>
namespace cilkc {
enum class BuiltinId : int {
  None = 0,
#define BUILTIN(id, name, sig, flags) id,
#include "frontend/sema/builtins.def"
#undef BUILTIN
  count_
};
struct BuiltinInfo { const char *name, *sig, *flags; };
const BuiltinInfo &builtinInfo(BuiltinId);
BuiltinId builtinByName(std::string_view);     // None if unknown; plain library names included
}
