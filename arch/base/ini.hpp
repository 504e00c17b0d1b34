// Ini files: text in, ConfigNodes out, so that numbers, choices and errors read as those of every other file.
//
//   [timing]                 ; a section
//   tREFI = 9364; 7.5 us     ; what stands behind a semicolon, or on a line that begins with #, is a comment
//
// Strict: a key before the first section, a key or section twice, a line that is neither, and a key without a value are errors.
#pragma once

#include <string>
#include <string_view>

#include "arch/base/config.hpp"

namespace tessera {

/// A map of sections, each a map of scalars. Throws ConfigError.
[[nodiscard]] ConfigNode read_ini_text(std::string_view text, std::string const& name);
[[nodiscard]] ConfigNode read_ini_file(std::string const& path);

}  // namespace tessera
