// The bytes of a text file before they are YAML, CSV, ini or requests. For readers of such files only.
#pragma once

#include <string>
#include <string_view>

namespace tessera::detail {

/// The content of a file. ConfigError when it is missing, a directory, unreadable or over 16 MiB.
[[nodiscard]] std::string read_text_file(std::string const& path);

/// Throws ConfigError at the first byte that no text file has: a control character (a parser may
/// take one for the end of the file) or invalid UTF-8; and when the text is over config_limits.
void check_text(std::string_view text, std::string const& name);

}  // namespace tessera::detail
