// The probes: one component alone, for calibration. Each adds itself to `tessera probe`.
#pragma once

#include <string>

#include "sim/app/command.hpp"

namespace tessera::sim {

[[nodiscard]] Command compute_probe(CLI::App& probe);
[[nodiscard]] Command fabric_probe(CLI::App& probe);
[[nodiscard]] Command memory_probe(CLI::App& probe, std::string const& command_line);
[[nodiscard]] Command collective_probe(CLI::App& probe);

}  // namespace tessera::sim
