// The formats that can be imported. Each adds itself to `tessera import`.
#pragma once

#include "sim/app/command.hpp"

namespace tessera::sim {

[[nodiscard]] Command scalesim_import(CLI::App& import);
[[nodiscard]] Command dramsim3_import(CLI::App& import);

}  // namespace tessera::sim
