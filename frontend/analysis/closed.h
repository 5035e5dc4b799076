// closed.h - edges that control never takes: a constant decides otherwise (`if (0)`, `while (1)`, `switch (0)`), or a
// call does not return. Private to the room.
#pragma once
#include "frontend/flow/cfg.h"

namespace cilkc::analysis {
// Takes such ways out of the graph: out of `next`, `whenTrue` and `whenFalse`.
void closeWays(Cfg &, const AstContext &);
}
