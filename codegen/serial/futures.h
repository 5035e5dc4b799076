// futures.h - which future a child fills and a touch waits for, reported to modes with the property Futures.
#pragma once
#include "codegen/core/function.h"

namespace cilkc::cg {

bool reportsFutures(const FunctionEmitter &);
LLVMValueRef futureAround(FunctionEmitter &, LLVMValueRef value);  // value: its address
// `future`: where it is; null: what the statement names is evaluated here.
void reportTouched(FunctionEmitter &, const TouchStmt &, LLVMValueRef future = nullptr);

}  // namespace cilkc::cg
