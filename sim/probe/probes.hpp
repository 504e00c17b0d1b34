// The probes: one component alone, for calibration. Each adds itself to `tessera probe`.
#pragma once

#include <string>

#include "sim/command/command.hpp"

namespace tessera::sim {

[[nodiscard]] Command compute_probe(Parser& probe);
[[nodiscard]] Command fabric_probe(Parser& probe);
[[nodiscard]] Command memory_probe(Parser& probe, std::string const& command_line);
[[nodiscard]] Command collective_probe(Parser& probe);

}  // namespace tessera::sim
