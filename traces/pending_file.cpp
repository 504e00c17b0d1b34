// POSIX files, every return code looked at.
#include "traces/pending_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "arch/base/config_error.hpp"
#include "arch/base/contract.hpp"

namespace tessera::traces {

namespace {

[[noreturn]] void refuse(std::string const& target, std::string const& why) {
  throw ConfigError({}, {}, "cannot write " + target + ": " + why);
}

[[nodiscard]] std::string message(int error) { return std::generic_category().message(error); }

[[nodiscard]] std::string partial_name(std::string const& target, int process) {
  return target + ".partial-" + std::to_string(process);
}

/// Renaming would replace whatever has the target's name, so only regular files may have it.
void check_replaceable(std::string const& target) {
  if (target.empty()) refuse("''", "the name is empty");
  std::error_code error;
  auto const status = std::filesystem::status(target, error);
  if (!std::filesystem::exists(status)) return;
  if (std::filesystem::is_directory(status)) refuse(target, "it is a directory; name a file in it");
  if (!std::filesystem::is_regular_file(status)) {
    refuse(target, "it is not a regular file (it would be replaced)");
  }
  if (access(target.c_str(), W_OK) != 0) refuse(target, message(errno));
}

[[nodiscard]] int create(std::string const& target, std::string const& partial) {
  check_replaceable(target);
  constexpr mode_t everybody = 0666;  // less the umask
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): open(2) is declared so
  int const descriptor = open(partial.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, everybody);
  if (descriptor < 0) refuse(target, message(errno));
  return descriptor;
}

}  // namespace

PendingFile::PendingFile(std::string target)
    : target_{std::move(target)},
      partial_{partial_name(target_, getpid())},
      descriptor_{create(target_, partial_)} {}

PendingFile::~PendingFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!published_) unlink(partial_.c_str());
}

void PendingFile::write_at(std::int64_t offset, void const* data, std::size_t size) {
  EXPECTS(descriptor_ >= 0, target_);
  auto const* next = static_cast<char const*>(data);
  while (size > 0 && !failed()) {
    auto const written = pwrite(descriptor_, next, size, offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return keep_error();
    next += written;
    offset += written;
    size -= static_cast<std::size_t>(written);
    size_ = std::max(size_, offset);
  }
}

void PendingFile::read_at(std::int64_t offset, void* data, std::size_t size) {
  EXPECTS(descriptor_ >= 0, target_);
  auto* next = static_cast<char*>(data);
  while (size > 0) {
    auto const count = pread(descriptor_, next, size, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) keep_error();
    if (count <= 0) break;
    next += count;
    offset += count;
    size -= static_cast<std::size_t>(count);
  }
  std::memset(next, 0, size);
}

void PendingFile::resize(std::int64_t size) {
  EXPECTS(descriptor_ >= 0 && size >= 0, target_, size);
  if (failed() || size == size_) return;
  if (ftruncate(descriptor_, size) != 0) return keep_error();
  size_ = size;
}

void PendingFile::check() const {
  if (failed()) refuse(target_, message(error_));
}

void PendingFile::publish() {
  EXPECTS(descriptor_ >= 0, target_);
  if (!failed() && fsync(descriptor_) != 0) keep_error();
  if (close(descriptor_) != 0 && !failed()) keep_error();
  descriptor_ = -1;
  if (!failed() && std::rename(partial_.c_str(), target_.c_str()) != 0) keep_error();
  check();
  published_ = true;
}

void PendingFile::keep_error() {
  if (!failed()) error_ = errno != 0 ? errno : EIO;
}

void remove_partial_file(std::string const& target, int process) {
  unlink(partial_name(target, process).c_str());
}

}  // namespace tessera::traces
