// Many simulated points, and how they compare with each other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/app/experiment.hpp"
#include "sim/app/progress.hpp"
#include "sim/app/result.hpp"

namespace tessera::sim {

/// Simulates every experiment in a process of its own; points in the order of the experiments.
[[nodiscard]] std::vector<Point> simulate_all(std::vector<Experiment> const& experiments,
                                              std::size_t workers, Progress::Wanted progress);

struct MeanResult {
  std::string arch;
  std::string planner;
  double speedup = 1;
  double energy_efficiency = 1;
};

struct Comparison {
  std::vector<Result> results;
  std::vector<MeanResult> geomean;  ///< over the workloads, per planner
};

/// Speedup and energy efficiency of each workload's planners against its first. Points come
/// workload by workload, `planners` >= 1 of each.
[[nodiscard]] Comparison compare(std::vector<Point> const& points, std::size_t planners);

/// How many times better `value` is than `baseline`, less being better; 1 when both are 0.
[[nodiscard]] double ratio(double baseline, double value);

/// The n-th root of the product; requires values >= 0.
[[nodiscard]] double geometric_mean(std::vector<double> const& values);

}  // namespace tessera::sim
