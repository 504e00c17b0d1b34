// Standard output, with every error looked at: a full disk or a closed pipe is the end of a command, not of its text. And standard
// error, which nobody has to listen to.
#pragma once

#include <string>

namespace tessera::sim {

/// Throws ConfigError when the text cannot be written.
void write_stdout(std::string const& text);

/// As far as it can be written.
void write_stderr(std::string const& text);

/// Gives file descriptors 0, 1 and 2 to /dev/null where they are closed, so that no file that is
/// opened later becomes standard output by accident. Writing to a standard output that was closed
/// still fails.
void reserve_standard_descriptors();

}  // namespace tessera::sim
