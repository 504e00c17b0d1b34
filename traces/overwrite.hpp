// What an output may replace: nothing, an empty file, or what the same experiment wrote before;
// anything else only when the user says --force. Every file that the program writes comes through
// here: texts by write_text_file(), runs by Hdf5Sink.
#pragma once

#include <cstdint>
#include <string>

#include "arch/base/config.hpp"

namespace tessera::traces {

enum class Overwrite : std::uint8_t {
  same,    ///< what the same experiment wrote
  forced,  ///< any regular file
};

/// Is there no such file, or an empty one?
[[nodiscard]] bool holds_nothing(std::string const& path);

/// "an HDF5 file", "a tessera.plan/1", "a file of another kind".
[[nodiscard]] std::string kind_of_file(std::string const& path);

/// Throws ConfigError: "cannot write PATH: WHY; ... --force".
[[noreturn]] void refuse_to_replace(std::string const& path, std::string const& why);

/// Writes a text file, which appears when it is complete. Throws ConfigError when it cannot be
/// written, and unless it is `forced`, when a file with another text is there: texts are written
/// from an experiment alone, so another text is of another one (or edited by hand).
void write_text_file(std::string const& path, std::string const& text, Overwrite overwrite);

/// Before the work that makes the text of a file of `schema`, whatever its version
/// ("tessera.plan"): throws as write_text_file() would, as far as the keys of `heading` tell.
void check_heading(std::string const& path, std::string const& schema, ConfigNode const& heading,
                   Overwrite overwrite);

}  // namespace tessera::traces
