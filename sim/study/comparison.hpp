// Many simulated points, and how they compare with each other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/experiment.hpp"
#include "sim/study/result.hpp"
#include "sim/terminal/failure.hpp"
#include "sim/terminal/progress.hpp"

namespace tessera::sim {

/// Simulates every experiment in a process of its own; points in the order of the experiments.
/// Throws the first failure.
[[nodiscard]] std::vector<Point> simulate_all(std::vector<Experiment> const& experiments,
                                              std::size_t workers, Progress::Wanted progress);

/// A result, or why there is none: then only the keys that were asked for are true.
struct Entry {
  Result result;
  std::optional<Failure> failure = {};
};

/// Like simulate_all(), where one that fails is no end of the others. Throws the first failure when
/// all fail: then there is nothing to show.
[[nodiscard]] std::vector<Entry> try_all(std::vector<Experiment> const& experiments,
                                         std::size_t workers, Progress::Wanted progress);

struct MeanResult {
  std::string arch;
  std::string planner;
  double speedup = 1;
  double energy_efficiency = 1;
};

struct Comparison {
  std::vector<Entry> entries;
  /// Over the workloads that the first planner completed. A planner that failed on one of these has
  /// none, so that all means are over the same workloads.
  std::vector<MeanResult> geomean;
  std::size_t workloads = 0;  ///< that the means are over
};

/// Speedup (of several steps: in the steady state, where both have one) and energy efficiency of
/// each workload's planners against its first; none where that one failed. Entries come workload by
/// workload, `planners` >= 1 of each.
[[nodiscard]] Comparison compare(std::vector<Entry> const& entries, std::size_t planners);

/// How many times better `value` is than `baseline`, less being better; 1 when both are 0.
[[nodiscard]] double ratio(double baseline, double value);

/// The n-th root of the product; requires values >= 0.
[[nodiscard]] double geometric_mean(std::vector<double> const& values);

}  // namespace tessera::sim
