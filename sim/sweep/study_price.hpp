// What the rest of a study will take, from what a few of its points took.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/sweep/study_work.hpp"

namespace tessera::sim {

struct StudyPrice {
  std::size_t left = 0;     ///< points
  std::size_t sampled = 0;  ///< that ended, and whose time is known
  double core_s = 0;        ///< of one core of this machine, for those left; 0 without a sample
};

/// Simulates `sample` points that have no result yet, or takes what they took before: every K-th in
/// the order of network, planner and array, as these decide what a point costs. They are results as
/// all others. Those left are priced with the mean of the sample.
[[nodiscard]] StudyPrice price_study(std::string const& folder, StudyWork work, std::size_t sample);

}  // namespace tessera::sim
