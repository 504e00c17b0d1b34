// How long operators take on the cores of an array, for planners: cycles of the core model that `probe compute` asks, for the very share
// of the loop nest that an accelerator has. Planners' own prices count on peak rates (partition/price/work.hpp), from which a core with
// small tiles is far away.
//
// Tiles stream in and out at the core's memory bandwidth. Left out: what a detailed memory does beyond that, and waiting for tasks.
#pragma once

#include "partition/price/plan_timeline.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

/// Each shape is worked out once, whoever asks, on a core. Of units without a core model, the peak
/// rate or the profile (partition::peak_rates()).
[[nodiscard]] partition::OperatorTimes core_times(workloads::Network const& network);

}  // namespace tessera::sim
