// The report of `tessera simulate` for people.
#pragma once

#include <string>

#include "sim/app/result.hpp"

namespace tessera::sim {

enum class ShownLayers { all, longest };

[[nodiscard]] std::string simulate_report(Point const& point, ShownLayers layers);

}  // namespace tessera::sim
