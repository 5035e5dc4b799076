// prefix.h - the leaf prefix of a procedure. Private to flow/; the answer is in ProcedureFlow.
#pragma once
#include "frontend/flow/cfg.h"
#include "frontend/plan/plan.h"

namespace cilkc {
void findLeafPrefix(ProcedureFlow &);
}
