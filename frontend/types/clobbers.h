// clobbers.h - what an asm statement may say that it changes.
#pragma once
#include <string_view>
#include "frontend/types/target.h"

namespace cilkc {

bool isClobber(std::string_view name, const TargetFacts &);
// Is the constraint's letter that of one register alone, and the clobber a name of that register?
bool sameRegister(char letter, std::string_view clobber, const TargetFacts &);

}  // namespace cilkc
