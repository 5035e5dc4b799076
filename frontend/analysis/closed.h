// closed.h - ways that a constant closes: `if (0)`, `while (1)`. Private to the room.
#pragma once
#include "frontend/flow/cfg.h"

namespace cilkc::analysis {
// The successor to which the test at a block's end never leads; -1 where there is no test, its outcome is not known, or both outcomes lead to one block.
int closedWay(const Block &, const AstContext &);
}
