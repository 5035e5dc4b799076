// target.h - the C facts of a target: what the types, their layout and the checks have to know of a processor and its
// ABI. Pure data, one object per target, in the file of its name in this folder; targets.def lists them. How code is
// made for a target is codegen/target/'s.
//
// All targets are ELF on Linux and LP64: int 4, long and pointers 8 bytes. They differ in byte order, and in the
// largest alignment of a scalar.
#pragma once
#include <string_view>
#include <vector>

namespace cilkc {

struct TargetFacts {
  std::string_view name;                     // of the processor: the first word of its triples
  std::string_view otherName;                // another word for it, or empty
  std::string_view triple;
  bool host = false;                         // this program runs on it

  // ---- types
  bool charSigned = true, wcharSigned = true;
  bool halves = true;  // _Float16 exists
  bool quadLongDouble = false;  // long double is IEEE's format of 128 bits; else x87's of 80, in 16 bytes
  bool unnamedBitFieldsAlign = false;  // a record is aligned for its unnamed bit-fields, too
  unsigned largestAlign = 16;  // what __attribute__((aligned)) asks for
  unsigned bitIntAlign = 16;  // no _BitInt is aligned to more
  unsigned widestBitInt = 128;  // that LLVM divides and converts there
  struct VaList {
    std::string_view tag;
    bool array = false;  // va_list is an array of one such record; else the record
    struct Member {
      std::string_view name;
      enum Type : unsigned char { Pointer, Int, Unsigned } type;
    };
    std::vector<Member> members;
  } vaList;

  // ---- names
  // that a variable at file scope may stand for: no function allocates them
  std::vector<std::string_view> globalRegisters{};
  // beginnings of the names of builtins that need not exist on other targets
  std::vector<std::string_view> builtins{};

  // ---- constraints of inline assembly: letters beyond those that every target has
  std::string_view registerConstraints, constantConstraints;  // of one character
  struct LongConstraint {
    char first;
    unsigned length;
  };
  std::vector<LongConstraint> longConstraints{};  // of several: registers
  std::vector<std::string_view> memoryConstraints{};  // which of these stand for memory instead
};

// The target of a compilation: its facts, and what the command line changes of them.
struct TargetInfo {
  const TargetFacts *facts;
  bool charSigned;  // -fsigned-char
  bool shortEnums = false;  // -fshort-enums
  TargetInfo();  // the machine that we run on
  explicit TargetInfo(const TargetFacts &f) : facts(&f), charSigned(f.charSigned) {}
};

const std::vector<const TargetFacts *> &allTargets();
const TargetFacts *targetOfTriple(std::string_view triple);  // by the first word; null if there is none
// for messages: "x86_64-linux-gnu and aarch64-linux-gnu"
std::string_view targetNames();
bool targetHasBuiltin(const TargetFacts &, std::string_view name);  // else: no other than those that list it

// Where the operand of a constraint may be, over all alternatives.
struct AsmPlaces {
  bool known = true, reg = false, mem = false, imm = false, tied = false;
};
AsmPlaces asmPlaces(std::string_view constraint, const TargetFacts &);
unsigned constraintLength(std::string_view at, const TargetFacts &);  // characters of the letter at the beginning

}  // namespace cilkc
