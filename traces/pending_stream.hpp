// A PendingFile that is written from its beginning to its end, through a buffer.
#pragma once

#include <string>
#include <string_view>

#include "traces/overwrite.hpp"
#include "traces/pending_file.hpp"

namespace tessera::traces {

class PendingStream final {
 public:
  /// Throws ConfigError at once when `target` cannot be written.
  explicit PendingStream(std::string target);

  /// Throws ConfigError when the disk is full.
  void write(std::string_view bytes);
  /// What is not in the file yet: all, as long as it is less than a megabyte.
  [[nodiscard]] std::string_view unwritten() const { return buffer_; }
  /// Puts the file under its name; nothing may be written afterwards.
  void publish();

 private:
  void flush();

  PendingFile file_;
  std::string buffer_;
};

/// May what is exported go to `path`? Unless it is forced, throws ConfigError when a file is there
/// that does not begin with `beginning`, which tells one run from another.
void check_same_beginning(std::string const& path, std::string_view beginning, Overwrite overwrite);

}  // namespace tessera::traces
