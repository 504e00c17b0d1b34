// The formats that can be imported. Each adds itself to `tessera import`.
#pragma once

#include <string>

#include "sim/app/command.hpp"

namespace tessera::sim {

[[nodiscard]] Command scalesim_import(CLI::App& import);
[[nodiscard]] Command dramsim3_import(CLI::App& import);
[[nodiscard]] Command pipedream_import(CLI::App& import);

/// The file appears when all of it is there.
void write_whole_file(std::string const& path, std::string const& text);

}  // namespace tessera::sim
