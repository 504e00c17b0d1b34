// The formats that can be imported. Each adds itself to `tessera import`.
#pragma once

#include "sim/command/command.hpp"

namespace tessera::sim {

[[nodiscard]] Command scalesim_import(Parser& import);
[[nodiscard]] Command dramsim3_import(Parser& import);
[[nodiscard]] Command pipedream_import(Parser& import);

}  // namespace tessera::sim
