// json.h - text as a string of JSON.
#pragma once
#include <iosfwd>
#include <string_view>

namespace cilkc {

// With its quotes; bytes that are not UTF-8 become U+FFFD.
void quoteJson(std::ostream &, std::string_view);

}  // namespace cilkc
