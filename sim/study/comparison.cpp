// Ratios and geometric means.
#include "sim/study/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "arch/base/contract.hpp"

namespace tessera::sim {

namespace {

std::vector<Job> jobs_of(std::vector<Experiment> const& experiments) {
  std::vector<Job> jobs;
  jobs.reserve(experiments.size());
  for (auto const& experiment : experiments) jobs.push_back(job_of(experiment));
  return jobs;
}

Entry entry_of(Experiment const& experiment, Ended const& ended) {
  if (ended.text) return {point_from(*ended.text).result};
  Entry entry{{}, ended.failure};
  entry.result.workload = experiment.network.name();
  entry.result.arch = experiment.array.name;
  entry.result.batch = experiment.network.batch();
  entry.result.planner = experiment.planner;
  return entry;
}

/// Of a step in the steady state, where both have one; else of all that was simulated.
double speedup_of(Result const& baseline, Result const& result) {
  auto const has_steady = [](Result const& of) { return of.steps && of.steps->steady; };
  if (has_steady(baseline) && has_steady(result)) {
    return ratio(baseline.steps->steady->step_time_s, result.steps->steady->step_time_s);
  }
  return ratio(baseline.simulated.time_s, result.simulated.time_s);
}

/// The means of a planner over the workloads that the first one completed; none where it failed on
/// one of them.
std::optional<MeanResult> mean_of(std::vector<Entry> const& entries, std::size_t planner,
                                  std::size_t planners) {
  std::vector<double> speedups;
  std::vector<double> efficiencies;
  for (auto index = planner; index < entries.size(); index += planners) {
    if (entries[index - planner].failure) continue;
    if (entries[index].failure) return std::nullopt;
    speedups.push_back(entries[index].result.speedup.value());
    efficiencies.push_back(entries[index].result.energy_efficiency.value());
  }
  if (speedups.empty()) return std::nullopt;
  auto const& result = entries[planner].result;
  return MeanResult{result.arch, result.planner, geometric_mean(speedups),
                    geometric_mean(efficiencies)};
}

}  // namespace

std::vector<Point> simulate_all(std::vector<Experiment> const& experiments, std::size_t workers,
                                Progress::Wanted wanted) {
  Progress progress{experiments.size(), "runs", wanted};
  std::vector<Point> points;
  for (auto const& text :
       run_jobs(jobs_of(experiments), workers, [&](std::size_t done) { progress.update(done); })) {
    points.push_back(point_from(text));
  }
  return points;
}

std::vector<Entry> try_all(std::vector<Experiment> const& experiments, std::size_t workers,
                           Progress::Wanted wanted) {
  Progress progress{experiments.size(), "runs", wanted};
  auto const jobs = jobs_of(experiments);
  auto const ended = run_every_job(jobs, workers, [&](std::size_t done) { progress.update(done); });
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < ended.size(); ++i) {
    entries.push_back(entry_of(experiments[i], ended[i]));
  }
  bool const all_failed = std::all_of(entries.begin(), entries.end(),
                                      [](auto const& entry) { return entry.failure.has_value(); });
  if (all_failed) throw FailureError{in_context(ended.front().failure, jobs.front())};
  return entries;
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

Comparison compare(std::vector<Entry> const& entries, std::size_t planners) {
  EXPECTS(planners >= 1 && entries.size() % planners == 0, entries.size(), planners);
  Comparison comparison{entries, {}, 0};
  for (std::size_t index = 0; index < entries.size(); ++index) {
    auto const& first = entries[index - index % planners];
    if (index % planners == 0 && !first.failure) ++comparison.workloads;
    if (first.failure || entries[index].failure) continue;
    auto& result = comparison.entries[index].result;
    result.speedup = speedup_of(first.result, result);
    result.energy_efficiency = ratio(first.result.simulated.energy_j, result.simulated.energy_j);
  }
  for (std::size_t planner = 0; planner < planners; ++planner) {
    auto const mean = mean_of(comparison.entries, planner, planners);
    if (mean) comparison.geomean.push_back(*mean);
  }
  return comparison;
}

}  // namespace tessera::sim
