// The program that works on a study somewhere else, later: a copy in its folder, so that a build in between changes nothing.
#pragma once

#include <string>
#include <vector>

namespace tessera::sim {

/// DIR/bin/FINGERPRINT/tessera: this program, copied unless it is there. An absolute path. Throws
/// ConfigError where it cannot be written.
[[nodiscard]] std::string copy_program_to(std::string const& folder);

/// Becomes another program, which is looked for in PATH. Throws ConfigError, with `advice`, where
/// there is none.
[[noreturn]] void become(std::vector<std::string> const& command, std::string const& advice);

}  // namespace tessera::sim
