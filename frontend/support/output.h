// output.h - results are written under another name beside their own and renamed when they are complete, so that no
// reader sees half a file.
#pragma once
#include <string>
#include <string_view>

namespace cilkc {

// A file that is being written. What is not complete when this object goes is removed.
class OutputFile {
public:
  // "-" is standard output; a device or a pipe is written to, not replaced
  explicit OutputFile(const std::string &name);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  int fd() const { return descriptor; }               // -1: it could not be opened, complete() says why
  bool isFile() const { return !temporary.empty(); }  // else what is written is seen at once
  void write(std::string_view data);
  void fails(int error) { code = code ? code : error; }   // of the code that writes to fd()
  // under its own name from now on: empty if all went well, else why not; then nothing of it is left
  std::string complete();

private:
  std::string name, temporary, refused;
  int descriptor = -1, code = 0;
  void close();
};

// Puts data into the file of that name; "-" is standard output. A device or a pipe is written to, not replaced. Empty
// if all went well, else why not; then nothing of it is left.
std::string writeFileAtOnce(const std::string &name, std::string_view data);

// As messages name it: "-" is standard output.
inline std::string shownName(const std::string &name) { return name == "-" ? "standard output" : name; }

// For a signal handler that ends the process in the middle of that: the file to remove, or null. Of several threads
// that write at once it is the last one's.
const char *unfinishedFile();

}  // namespace cilkc
