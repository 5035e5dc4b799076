// output.h - results are written under another name beside their own and renamed when they are complete, so that nobody ever sees half a file.
#pragma once
#include <string>
#include <string_view>

namespace cilkc {

// Puts data into the file of that name; "-" is standard output. A device or a pipe is written to, not replaced. Empty if all went well, else why not; then
// nothing of it is left.
std::string writeFileAtOnce(const std::string &name, std::string_view data);

// For whoever ends the process in the middle of that (a signal handler): the file to remove, or null. Of several threads that write at once it is
// the last one's.
const char *unfinishedFile();

}  // namespace cilkc
