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

OutputFile::OutputFile(const std::string &given) : name(given) {
  struct stat st;
  if (name == "-") {
    std::fflush(stdout);
    descriptor = 1;
    return;
  }
  if (stat(name.c_str(), &st) == 0 && !S_ISREG(st.st_mode)) {
    if (S_ISDIR(st.st_mode)) refused = "is a directory";
    else descriptor = open(name.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary = name + ".tmp" + std::to_string(getpid());
    unfinished = temporary.c_str();
    descriptor = open(temporary.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (descriptor < 0) code = errno;
}

void OutputFile::write(std::string_view data) {
  if (descriptor >= 0 && !code && !writeAll(descriptor, data)) code = errno;
}

void OutputFile::close() {
  if (descriptor > 1 && ::close(descriptor) != 0 && !code) code = errno;
  descriptor = -1;
}

std::string OutputFile::complete() {
  bool opened = descriptor >= 0;
  close();
  if (!temporary.empty()) {
    if (!code && std::rename(temporary.c_str(), name.c_str()) != 0) code = errno;
    if (code && opened) unlink(temporary.c_str());
    unfinished = nullptr;
    temporary.clear();
  }
  return !refused.empty() ? refused : code ? std::strerror(code) : "";
}

OutputFile::~OutputFile() {
  if (temporary.empty()) {
    close();
    return;
  }
  fails(ECANCELED);
  complete();
}

std::string writeFileAtOnce(const std::string &name, std::string_view data) {
  OutputFile file(name);
  file.write(data);
  return file.complete();
}

}  // namespace cilkc
