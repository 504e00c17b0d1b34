// What a run put on the links of the array's fabric, and who sent how much to whom.
#pragma once

#include <vector>

#include "sim/outcome/summary.hpp"

namespace tessera::sim::outcome {

/// One entry per link of the whole array, in the order of its topology: what was simulated, and
/// what mirrors it. Empty where nothing joins the accelerators.
[[nodiscard]] std::vector<traces::LinkEntry> link_entries(Outcome const& outcome);

/// The traffic matrix of the whole array, without zeros, by (source, destination): every transfer
/// that has arrived.
[[nodiscard]] std::vector<traces::TrafficEntry> traffic_entries(Outcome const& outcome);

}  // namespace tessera::sim::outcome
