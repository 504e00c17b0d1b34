// Which of the two prices a planner minimises: what its step sums up to (cost_model.hpp), or what it takes on a timeline where work and
// messages overlap (plan_timeline.hpp).
//
// Planners that decide by dynamic programmes over sums have no such programme for a timeline. By `price: timeline` they begin with what
// they choose by the sum and change one operator at one level at a time, within their own choices, as long as the timeline gets shorter:
// the result is never longer by the timeline than their choice by the sum, and no such change would shorten it further. It need not be
// the best of their plans by the timeline.
#pragma once

#include <vector>

#include "arch/base/config.hpp"
#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"
#include "partition/price/footprint.hpp"
#include "partition/price/plan_timeline.hpp"

namespace tessera::partition {

enum class Price { sum, timeline };
/// The option `price`.
[[nodiscard]] Price price_from(ConfigMap& options);

/// The plan, or by the timeline what single changes make of it: to an even split over one of
/// `dims`, where the operator can be split over it, samples divide and memories are large enough
/// (unless `fit` ignores them). Of a plan of the whole array. Throws ConfigError where the array is
/// too large for a timeline.
[[nodiscard]] Plan by_price(Price price, Problem const& problem, Fit fit, Plan plan,
                            std::vector<workloads::Dim> const& dims,
                            OperatorTimes const& times = peak_rates());

}  // namespace tessera::partition
