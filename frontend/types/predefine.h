// predefine.h - the names that a C compiler for a target has before the first line.
#pragma once
#include <string>
#include <vector>
#include "frontend/types/target.h"

namespace cilkc {

std::vector<std::string> predefined(const TargetFacts &);    // NAME=VALUE

}  // namespace cilkc
