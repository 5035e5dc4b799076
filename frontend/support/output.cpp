// output.cpp - plain system calls: what is known of an unfinished file must be true at every instruction.
#include "frontend/support/output.h"
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cilkc {

namespace {

std::atomic<const char *> unfinished{nullptr};

// False with errno set.
bool writeAll(int fd, std::string_view data) {
  while (!data.empty()) {
    ssize_t n = write(fd, data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    data.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

}  // namespace

const char *unfinishedFile() { return unfinished.load(); }

std::string writeFileAtOnce(const std::string &name, std::string_view data) {
  if (name == "-") {
    std::fflush(stdout);
    return writeAll(1, data) ? "" : std::strerror(errno);
  }
  struct stat st;
  if (stat(name.c_str(), &st) == 0 && !S_ISREG(st.st_mode)) {
    if (S_ISDIR(st.st_mode)) return "is a directory";
    int fd = open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return std::strerror(errno);
    int error = writeAll(fd, data) ? 0 : errno;
    if (close(fd) != 0 && !error) error = errno;
    return error ? std::strerror(error) : "";
  }
  std::string temporary = name + ".tmp" + std::to_string(getpid());
  unfinished = temporary.c_str();
  int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int error = fd < 0 || !writeAll(fd, data) ? errno : 0;
  if (fd >= 0 && close(fd) != 0 && !error) error = errno;
  if (!error && std::rename(temporary.c_str(), name.c_str()) != 0) error = errno;
  if (error && fd >= 0) unlink(temporary.c_str());
  unfinished = nullptr;
  return error ? std::strerror(error) : "";
}

}  // namespace cilkc
