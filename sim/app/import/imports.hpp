// The formats that can be imported. Each adds itself to `tessera import`.
#pragma once

#include <string>

#include "sim/app/command.hpp"

namespace tessera::sim {

[[nodiscard]] Command scalesim_import(Parser& import);
[[nodiscard]] Command dramsim3_import(Parser& import);
[[nodiscard]] Command pipedream_import(Parser& import);

/// The file appears when all of it is there.
void write_whole_file(std::string const& path, std::string const& text);

}  // namespace tessera::sim
