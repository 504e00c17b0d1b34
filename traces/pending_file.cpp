// POSIX files, every return code looked at.
#include "traces/pending_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include "arch/base/config_error.hpp"
#include "arch/base/contract.hpp"

namespace tessera::traces {

namespace {

[[noreturn]] void refuse(std::string const& target, std::string const& why) {
  throw ConfigError({}, {}, "cannot write " + target + ": " + why);
}

[[nodiscard]] std::string message(int error) { return std::generic_category().message(error); }

constexpr std::string_view partial_suffix = ".partial-";

/// Another name for every `attempt`: what has the first may be a stranger's.
[[nodiscard]] std::string partial_name(std::string const& target, int attempt) {
  auto const name = target + std::string{partial_suffix} + std::to_string(getpid());
  return attempt == 0 ? name : name + '-' + std::to_string(attempt);
}

/// Of what a file of that name is the unfinished one; "" of none.
[[nodiscard]] std::string target_of(std::string const& name) {
  auto const suffix = name.rfind(partial_suffix);
  if (suffix == std::string::npos) return {};
  auto const number = suffix + partial_suffix.size();
  bool const is_partial =
      number < name.size() && name.find_first_not_of("0123456789-", number) == std::string::npos;
  return is_partial ? name.substr(0, suffix) : std::string{};
}

/// Takes the lock of an open file; false when another process holds it, or nobody can.
[[nodiscard]] bool try_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

/// Is the open file still the one of that name?
[[nodiscard]] bool is_named(int descriptor, std::string const& path) {
  struct stat opened {};
  struct stat named {};
  return fstat(descriptor, &opened) == 0 && lstat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

[[nodiscard]] bool is_ours(int descriptor) {
  struct stat opened {};
  return fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_uid == geteuid();
}

/// Removes an unfinished file whose writer is gone; true when its writer is at work.
[[nodiscard]] bool remove_unless_locked(std::string const& path) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): open(2) is declared so
  int const descriptor = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  bool is_busy = false;
  if (is_ours(descriptor)) {
    if (try_lock(descriptor)) {
      if (is_named(descriptor, path)) unlink(path.c_str());
    } else {
      is_busy = errno == EWOULDBLOCK;
    }
  }
  close(descriptor);
  return is_busy;
}

/// Removes the unfinished files of dead writers of `target`, or of all targets in the folder where
/// it is ""; the name of a living writer's, if there is one.
std::optional<std::string> remove_dead_in(std::filesystem::path const& folder,
                                          std::string const& target) {
  std::optional<std::string> busy;
  std::error_code error;
  for (std::filesystem::directory_iterator entry{folder, error}, end; !error && entry != end;
       entry.increment(error)) {
    auto const name = entry->path().filename().string();
    auto const of = target_of(name);
    if (of.empty() || (!target.empty() && of != target)) continue;
    if (remove_unless_locked(entry->path().string())) busy = name;
  }
  return busy;
}

std::optional<std::string> remove_dead(std::string const& target) {
  std::filesystem::path const path{target};
  auto const folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path{"."};
  return remove_dead_in(folder, path.filename().string());
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

/// Opens a file of a new name, never what somebody has put there, and locks it. Before it is
/// locked, another writer may take it for a dead one's and remove it.
[[nodiscard]] int create(std::string const& target, OtherWriters others, std::string& partial) {
  check_replaceable(target);
  auto const busy = remove_dead(target);
  if (busy && others == OtherWriters::refused) {
    refuse(target, "another process is writing it, in " + *busy);
  }
  constexpr mode_t everybody = 0666;  // less the umask
  constexpr int attempts = 100;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    partial = partial_name(target, attempt);
    constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): open(2) is declared so
    int const descriptor = open(partial.c_str(), flags, everybody);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) refuse(target, message(errno));
    bool const is_taken = !try_lock(descriptor) && errno == EWOULDBLOCK;
    if (!is_taken && is_named(descriptor, partial)) return descriptor;
    close(descriptor);
  }
  refuse(target, message(EEXIST) + " (" + partial + ")");
}

}  // namespace

PendingFile::PendingFile(std::string target, OtherWriters others)
    : target_{std::move(target)}, descriptor_{create(target_, others, partial_)} {}

PendingFile::~PendingFile() {
  if (!published_) unlink(partial_.c_str());
  if (descriptor_ >= 0) close(descriptor_);  // and with it the lock: last
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
  if (!failed() && std::rename(partial_.c_str(), target_.c_str()) != 0) keep_error();
  check();
  published_ = true;
  close(descriptor_);  // its lock would keep readers away
  descriptor_ = -1;
}

void PendingFile::keep_error() {
  if (!failed()) error_ = errno != 0 ? errno : EIO;
}

void remove_abandoned(std::string const& target) { static_cast<void>(remove_dead(target)); }

void remove_abandoned_in(std::string const& folder) {
  static_cast<void>(remove_dead_in(folder, {}));
}

}  // namespace tessera::traces
