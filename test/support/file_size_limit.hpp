// A disk that is full after so many bytes, without needing one: this process may write no longer
// files until the limit is destroyed. The system's answer is EFBIG instead of ENOSPC; the way to it
// is the same.
#pragma once

#include <sys/resource.h>

#include <csignal>
#include <stdexcept>

namespace tessera::test {

class FileSizeLimit final {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);  // else the kernel ends the process at the limit
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit const limit{bytes, before_.rlim_max};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) throw std::runtime_error("cannot limit file sizes");
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(FileSizeLimit const&) = delete;
  FileSizeLimit& operator=(FileSizeLimit const&) = delete;

 private:
  rlimit before_{};
};

}  // namespace tessera::test
