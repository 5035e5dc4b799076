// standard.h - what nearly every file includes, compiled once for all (Makefile: STANDARD_OF).
//
// No file includes this header, nor may any rely on it: each file names what it uses, and builds with SANITIZE, which
// go without it, find the one that forgot.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>
#include "frontend/ast/ast.h"
#include "frontend/source/diagnostics.h"
