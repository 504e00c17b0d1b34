// A file that appears only when it is complete: written beside its target as TARGET.partial-PID,
// renamed by publish(), removed when it is destroyed without.
//
// While it is written it is locked (flock(2)). A lock goes with its process, however that ends, also
// on another host of a shared file system; a number of a process may be another's by then. So what
// is there unlocked was left by a writer that died, and the next one for the same target removes it.
//
// Writing never fails at the call: the first error is kept, what comes after it is dropped, and
// check() and publish() report it. HDF5 needs it so, because it cannot close a file that it could
// not write (hdf5_driver.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tessera::traces {

/// May somebody else be writing the same target? Then the one who publishes last wins.
enum class OtherWriters : std::uint8_t { refused, allowed };

class PendingFile final {
 public:
  /// Throws ConfigError at once when `target` cannot be written: its directory does not exist or is
  /// not writable, something that is not a regular file has its name, or somebody else is writing
  /// it and must not.
  explicit PendingFile(std::string target, OtherWriters others = OtherWriters::refused);
  ~PendingFile();
  PendingFile(PendingFile const&) = delete;
  PendingFile& operator=(PendingFile const&) = delete;

  void write_at(std::int64_t offset, void const* data, std::size_t size);
  /// Bytes that were never written are zero.
  void read_at(std::int64_t offset, void* data, std::size_t size);
  void resize(std::int64_t size);
  [[nodiscard]] std::int64_t size() const { return size_; }

  /// Throws ConfigError if anything failed: "cannot write run.h5: No space left on device".
  void check() const;
  /// Puts the file on the disk and under its name. Throws ConfigError if that, or anything before
  /// it, failed. Nothing may be written afterwards.
  void publish();

 private:
  [[nodiscard]] bool failed() const { return error_ != 0; }
  void keep_error();

  std::string target_;
  std::string partial_;  // create() names it
  int descriptor_;
  std::int64_t size_ = 0;
  int error_ = 0;  ///< the first errno; 0 = none
  bool published_ = false;
};

/// Removes what writers of `target` left that died before they could publish it.
void remove_abandoned(std::string const& target);
/// The same of every target in a folder, which need not exist.
void remove_abandoned_in(std::string const& folder);

}  // namespace tessera::traces
