// The user's fault: something in a file or an option, with the place, the problem and what to do about it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tessera {

/// Where a value was written. `file` may also be an option (`--set arch.fabric`), then line is 0.
struct SourceLocation {
  std::string file;
  int line = 0;    ///< from 1; 0 = no line
  int column = 0;  ///< from 1
};

/// One line: `file:line:column: key.path: problem (why it is one); suggestion`. Exit code 2.
class ConfigError final : public std::runtime_error {
 public:
  /// `problem` says what is wrong and why; an empty `key_path` is left out. Control characters are
  /// shown escaped, so that the message stays one line.
  ConfigError(SourceLocation where, std::string key_path, std::string problem);

  [[nodiscard]] SourceLocation const& where() const { return where_; }
  [[nodiscard]] std::string const& key_path() const { return key_path_; }
  [[nodiscard]] std::string const& problem() const { return problem_; }

 private:
  SourceLocation where_;
  std::string key_path_;
  std::string problem_;
};

/// `text` as a message quotes it: in single quotes, and no longer than a reader cares for.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace tessera
