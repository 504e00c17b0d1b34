// Ratios and geometric means.
#include "sim/app/comparison.hpp"

#include <cmath>

#include "arch/base/contract.hpp"

namespace tessera::sim {

std::vector<Point> simulate_all(std::vector<Experiment> const& experiments, std::size_t workers,
                                Progress::Wanted wanted) {
  std::vector<Job> jobs;
  jobs.reserve(experiments.size());
  for (auto const& experiment : experiments) jobs.push_back(job_of(experiment));
  Progress progress{jobs.size(), "runs", wanted};
  std::vector<Point> points;
  for (auto const& text :
       run_jobs(jobs, workers, [&](std::size_t done) { progress.update(done); })) {
    points.push_back(point_from(text));
  }
  return points;
}

double ratio(double baseline, double value) {
  return baseline == 0 && value == 0 ? 1 : baseline / value;
}

double geometric_mean(std::vector<double> const& values) {
  EXPECTS(!values.empty());
  double sum = 0;
  for (auto const value : values) {
    EXPECTS(value >= 0, value);
    sum += std::log(value);
  }
  return std::exp(sum / static_cast<double>(values.size()));
}

Comparison compare(std::vector<Point> const& points, std::size_t planners) {
  EXPECTS(planners >= 1 && points.size() % planners == 0, points.size(), planners);
  Comparison comparison;
  for (std::size_t index = 0; index < points.size(); ++index) {
    auto const& first = points[index - index % planners].result.simulated;
    auto& result = comparison.results.emplace_back(points[index].result);
    result.speedup = ratio(first.time_s, result.simulated.time_s);
    result.energy_efficiency = ratio(first.energy_j, result.simulated.energy_j);
  }
  for (std::size_t planner = 0; planner < planners; ++planner) {
    std::vector<double> speedups;
    std::vector<double> efficiencies;
    for (auto index = planner; index < points.size(); index += planners) {
      speedups.push_back(comparison.results[index].speedup);
      efficiencies.push_back(comparison.results[index].energy_efficiency);
    }
    auto const& result = comparison.results[planner];
    comparison.geomean.push_back(
        {result.arch, result.planner, geometric_mean(speedups), geometric_mean(efficiencies)});
  }
  return comparison;
}

}  // namespace tessera::sim
