// predefine.cpp - the names that a C compiler for a target has before the first line, for a preprocessor that is
// another target's: those of the types' sizes, limits and formats follow from the facts, the processor's own are among
// them. What a C library's headers ask of gcc beyond this is not here: they come with a compiler of their target.
#include "frontend/types/predefine.h"
#include <cstring>

namespace cilkc {

// The macros by which programs recognise the processor, from the target's own file.
#define TARGET(name) extern const char *const names_##name;
#include "frontend/types/targets.def"
#undef TARGET
#define TARGET(name) extern const TargetFacts facts_##name;
#include "frontend/types/targets.def"
#undef TARGET

namespace {

struct Integer {
  const char *name;
  int width;
  bool isSigned;
  const char *type;
  const char *suffix;
  bool named;
};   // named: has __NAME_TYPE__

std::string largest(const Integer &i) {
  static const char digits[] = "ffffffffffffffff";
  std::string s =
      "0x" + std::string(i.isSigned ? "7" : "f") + std::string(digits, static_cast<size_t>(i.width / 4 - 1));
  return s + i.suffix;
}

struct Format {
  const char *name;
  int digits, mantissa, minExp, minExp10, maxExp, maxExp10, decimal;
  const char *denorm, *epsilon, *max, *min, *left, *right;
};

const Format single = {"FLT", 6, 24, -125, -37, 128, 38, 9, "1.40129846432481707092372958328991613e-45",
    "1.19209289550781250000000000000000000e-7", "3.40282346638528859811704183484516925e+38",
    "1.17549435082228750796873653722224568e-38", "", "F"};
const Format twice = {"DBL", 15, 53, -1021, -307, 1024, 308, 17, "4.94065645841246544176568792868221372e-324",
    "2.22044604925031308084726333618164062e-16", "1.79769313486231570814527423731704357e+308",
    "2.22507385850720138309023271733240406e-308", "((double)", "L)"};
const Format extended = {"LDBL", 18, 64, -16381, -4931, 16384, 4932, 21, "3.64519953188247460252840593361941982e-4951",
    "1.08420217248550443400745280086994171e-19", "1.18973149535723176502126385303097021e+4932",
    "3.36210314311209350626267781732175260e-4932", "", "L"};
const Format quad = {"LDBL", 33, 113, -16381, -4931, 16384, 4932, 36, "6.47517511943802511092443895822764655e-4966",
    "1.92592994438723585305597794258492732e-34", "1.18973149535723176508575932662800702e+4932",
    "3.36210314311209350626267781732175260e-4932", "", "L"};

}  // namespace

std::vector<std::string> predefined(const TargetFacts &target) {
  std::vector<std::string> out;
  auto define = [&](const std::string &name, const std::string &value) { out.push_back(name + "=" + value); };
  bool w = target.wcharSigned;
  const Integer integers[] = {{"SCHAR", 8, true, "", "", false}, {"SHRT", 16, true, "", "", false},
      {"INT", 32, true, "", "", false}, {"LONG", 64, true, "", "L", false}, {"LONG_LONG", 64, true, "", "LL", false},
      {"SIZE", 64, false, "long unsigned int", "UL", true}, {"PTRDIFF", 64, true, "long int", "L", true},
      {"INTMAX", 64, true, "long int", "L", true}, {"UINTMAX", 64, false, "long unsigned int", "UL", true},
      {"INTPTR", 64, true, "long int", "L", true}, {"UINTPTR", 64, false, "long unsigned int", "UL", true},
      {"WCHAR", 32, w, w ? "int" : "unsigned int", w ? "" : "U", true}, {"WINT", 32, false, "unsigned int", "U", true},
      {"SIG_ATOMIC", 32, true, "int", "", true}};
  const Integer exact[] = {{"8", 8, true, "signed char", "", true}, {"16", 16, true, "short int", "", true},
      {"32", 32, true, "int", "", true}, {"64", 64, true, "long int", "L", true},
      {"8", 8, false, "unsigned char", "", true}, {"16", 16, false, "short unsigned int", "", true},
      {"32", 32, false, "unsigned int", "U", true}, {"64", 64, false, "long unsigned int", "UL", true}};
  auto integer = [&](const std::string &name, const Integer &i, bool width) {
    define("__" + name + "_MAX__", largest(i));
    if (i.named) define("__" + name + "_TYPE__", i.type);
    if (width && i.isSigned) define("__" + name + "_WIDTH__", std::to_string(i.width));
  };
  for (const Integer &i : integers) integer(i.name, i, true);
  for (const Integer &i : exact) {
    std::string sign = i.isSigned ? "INT" : "UINT";
    const Integer &fast = i.width == 16 || i.width == 32 ? exact[i.isSigned ? 3 : 7] : i;      // the machine's words
    integer(sign + i.name, i, false);
    integer(sign + "_LEAST" + i.name, i, true);
    integer(sign + "_FAST" + i.name, fast, true);
  }
  define("__WCHAR_MIN__", w ? "(-__WCHAR_MAX__ - 1)" : "0U");
  define("__WINT_MIN__", "0U");
  define("__SIG_ATOMIC_MIN__", "(-__SIG_ATOMIC_MAX__ - 1)");
  define("__CHAR16_TYPE__", "short unsigned int");
  define("__CHAR32_TYPE__", "unsigned int");
  static const struct {
    const char *name;
    int size;
  } sizes[] = {{"SHORT", 2}, {"INT", 4}, {"LONG", 8}, {"LONG_LONG", 8}, {"POINTER", 8}, {"SIZE_T", 8}, {"PTRDIFF_T", 8},
      {"WCHAR_T", 4}, {"WINT_T", 4}, {"FLOAT", 4}, {"DOUBLE", 8}, {"LONG_DOUBLE", 16}, {"INT128", 16}};
  for (auto &s : sizes) define(std::string("__SIZEOF_") + s.name + "__", std::to_string(s.size));
  for (const Format *f : {&single, &twice, target.quadLongDouble ? &quad : &extended}) {
    std::string p = std::string("__") + f->name + "_";
    auto negative = [](int n) { return "(" + std::to_string(n) + ")"; };
    define(p + "DIG__", std::to_string(f->digits));
    define(p + "MANT_DIG__", std::to_string(f->mantissa));
    define(p + "DECIMAL_DIG__", std::to_string(f->decimal));
    define(p + "MIN_EXP__", negative(f->minExp));
    define(p + "MIN_10_EXP__", negative(f->minExp10));
    define(p + "MAX_EXP__", std::to_string(f->maxExp));
    define(p + "MAX_10_EXP__", std::to_string(f->maxExp10));
    for (auto &[name, digits] :
        {std::pair{"DENORM_MIN__", f->denorm}, {"EPSILON__", f->epsilon}, {"MAX__", f->max}, {"MIN__", f->min}})
      define(p + name, std::string(f->left) + digits + f->right);
    for (const char *name : {"HAS_DENORM__", "HAS_INFINITY__", "HAS_QUIET_NAN__"}) define(p + name, "1");
  }
  if (!target.charSigned) define("__CHAR_UNSIGNED__", "1");
  for (const char *pair : {"__FLT_RADIX__=2", "__FLT_EVAL_METHOD__=0", "__CHAR_BIT__=8", "__ORDER_LITTLE_ENDIAN__=1234",
           "__ORDER_BIG_ENDIAN__=4321", "__ORDER_PDP_ENDIAN__=3412", "__BYTE_ORDER__=__ORDER_LITTLE_ENDIAN__",
           "__FLOAT_WORD_ORDER__=__ORDER_LITTLE_ENDIAN__", "__ATOMIC_RELAXED=0", "__ATOMIC_CONSUME=1",
           "__ATOMIC_ACQUIRE=2", "__ATOMIC_RELEASE=3", "__ATOMIC_ACQ_REL=4", "__ATOMIC_SEQ_CST=5", "__GNUC__=12",
           "__GNUC_MINOR__=2", "__GNUC_PATCHLEVEL__=0", "__GNUC_STDC_INLINE__=1", "__LP64__=1", "_LP64=1", "__ELF__=1",
           "__linux__=1", "__linux=1", "linux=1", "__unix__=1", "__unix=1", "unix=1", "__gnu_linux__=1"})
    out.push_back(pair);
  define("__BIGGEST_ALIGNMENT__", std::to_string(target.largestAlign));
  const char *own = "";
#define TARGET(name) \
  if (&target == &facts_##name) own = names_##name;
#include "frontend/types/targets.def"
#undef TARGET
  if (std::strstr(own, "__BYTE_ORDER__="))
    std::erase_if(out, [](const std::string &s) { return s.find("_ORDER__=__ORDER_LITTLE") != s.npos; });
  for (const char *end; *own; own = *end ? end + 1 : end) {
    end = std::strchr(own, ' ');
    if (!end) end = own + std::strlen(own);
    out.emplace_back(own, end);
  }
  return out;
}

}  // namespace cilkc
