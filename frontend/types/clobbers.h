// clobbers.h - what an asm statement may say that it changes.
#pragma once
#include <string_view>
#include "frontend/types/target.h"

namespace cilkc {

bool isClobber(std::string_view name, const TargetFacts &);
// Does the constraint's letter stand for one register alone, and the clobber for the same one?
bool sameRegister(char letter, std::string_view clobber, const TargetFacts &);

}  // namespace cilkc
