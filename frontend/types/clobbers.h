// clobbers.h - what an asm statement may say that it changes.
#pragma once
#include <string_view>
#include "frontend/types/target.h"

namespace cilkc {

bool isClobber(std::string_view name, const TargetFacts &);

}  // namespace cilkc
