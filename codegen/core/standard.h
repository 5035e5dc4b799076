// standard.h - what nearly every file of this room includes, compiled once for all; see frontend/ast/standard.h.
#include "frontend/ast/standard.h"
#include "codegen/core/function.h"
