// The shortest step of all strategies of a space by the timeline, by trying them all: an oracle for what a search finds on tiny problems
// (Jia et al., SysML'19, section 8.4, have such a one for LeNet and two steps of a language model on four devices).
#pragma once

#include <cstdint>
#include <optional>

#include "partition/price/footprint.hpp"
#include "partition/search/config_space.hpp"
#include "partition/search/strategy_timeline.hpp"

namespace tessera::partition {

struct ShortestStrategy {
  std::optional<Strategy> strategy;  ///< none: nothing fits into memory
  std::int64_t evaluations = 0;
};

/// Of equally short ones the first. Throws ConfigError where there are more than 4,000,000.
[[nodiscard]] ShortestStrategy shortest_strategy(Problem const& problem, ConfigSpace const& space,
                                                 Fit fit, OperatorTimes times = peak_rates());

}  // namespace tessera::partition
