// The report of `tessera simulate` for people.
#pragma once

#include <optional>
#include <string>

#include "sim/study/result.hpp"

namespace tessera::sim {

enum class ShownLayers { all, longest };

/// "memory: accelerator 0 holds 1.200 GB of 8.000 GB (...)", a line.
[[nodiscard]] std::string memory_line(MemoryUse const& memory);

/// "links: 125.0 Mb/s each way, an accelerator's own; the widest 1.000 Gb/s", a line; nothing
/// without links.
[[nodiscard]] std::string links_line(std::optional<LinkBandwidth> const& bandwidth);

[[nodiscard]] std::string simulate_report(Point const& point, ShownLayers layers);

}  // namespace tessera::sim
