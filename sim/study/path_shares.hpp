// What explains a run's time: its critical path, cause by cause.
#pragma once

#include <optional>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "sim/study/result.hpp"
#include "traces/event.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

/// The largest first: computation and memory by operator and phase, and by group of an array with
/// several, communication by the edge and the narrowest link of its way, waiting for others'
/// messages by link, the rest as a whole. They add up to the run's time. None where the run was not
/// explained.
[[nodiscard]] std::optional<std::vector<PathShare>> path_shares_of(
    traces::RunSummary const& summary, workloads::Network const& network,
    arch::ArraySpec const& array);

/// Likewise.
[[nodiscard]] std::optional<Named<FasterTime>> faster_times_of(traces::RunSummary const& summary);

}  // namespace tessera::sim
