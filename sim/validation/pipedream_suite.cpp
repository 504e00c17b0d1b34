// PipeDream's measured speedups over data parallelism (SOSP 2019, Table 1), simulated: its clusters as arrays, its measured times as
// profiled units, its stages (or those of a planner) under its schedule, in steady state.
#include <algorithm>
#include <array>
#include <numeric>
#include <sstream>

#include "arch/array/load.hpp"
#include "partition/planners/staged_plan.hpp"
#include "sim/study/comparison.hpp"
#include "sim/validation/pipedream_profiles.hpp"
#include "sim/validation/suites.hpp"

namespace tessera::sim {

namespace {

using partition::Stage;
using partition::StageId;
using workloads::Network;
using workloads::OperatorId;

constexpr std::int64_t simulated_steps = 10;

std::vector<std::string> words(std::string text, char separator) {
  std::replace(text.begin(), text.end(), separator, ' ');
  std::istringstream stream{text};
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

struct PublishedSpeedup {
  std::string model;
  std::string cluster;
  std::int64_t minibatch = 1;
  std::string stages;
  std::vector<std::string> starts;
  std::string options;
  std::string speedup;
  std::string deviation;
};

/// A line of the table.
PublishedSpeedup speedup_from(ConfigNode const& line) {
  auto map = line.as_map();
  PublishedSpeedup published;
  published.model = map.required<std::string>("model");
  published.cluster = map.required<std::string>("cluster");
  published.minibatch = map.required<std::int64_t>("minibatch");
  published.stages = map.node("stages").text();
  published.starts = words(map.node("starts").text(), ' ');
  published.options = map.node("options").text();
  published.speedup = map.required<std::string>("speedup");
  published.deviation = map.node("deviation").text();
  map.finish();
  return published;
}

constexpr std::array<char const*, 2> clusters{"a", "b"};
constexpr std::int64_t workers = 16;
constexpr Frequency gigahertz{1'000'000'000};

/// Of so many minibatches a step.
Experiment experiment_of(PublishedSpeedup const& published, std::int64_t minibatches) {
  auto [network, times] = profiled_network(published.model, minibatches * published.minibatch);
  Experiment experiment;
  experiment.network = std::move(network);
  experiment.array = arch::load("pipedream-" + published.cluster);
  auto& accelerator = experiment.array.groups.front().accelerator;
  accelerator.processing_unit = std::move(times);
  accelerator.clock = gigahertz;  // whole picoseconds, so that what repeats itself does so exactly
  experiment.planner_options.override_key("fit", "ignore", "pipedream");
  experiment.steps = simulated_steps;
  experiment.run.explain = false;  // no row says why
  return experiment;
}

/// Each worker has a minibatch.
Experiment data_parallel(PublishedSpeedup const& published) {
  auto experiment = experiment_of(published, workers);
  experiment.planner = "dp";
  return experiment;
}

Experiment planned(PublishedSpeedup const& published) {
  auto experiment = experiment_of(published, workers);
  experiment.planner = "pipedream";
  auto const option = words(published.options, '=');
  experiment.planner_options.override_key(option.at(0), option.at(1), "pipedream");
  return experiment;
}

/// The operator that was measured as node `node`.
OperatorId operator_of(Network const& network, std::string const& node) {
  for (auto const id : network.operators().ids()) {
    if (words(network.at(id).name, '.').front() == node) return id;
  }
  EXPECTS(false, node);
  return {};
}

/// Operators in order, those from `starts` on in stages of their own, on accelerators in order.
IdVector<StageId, Stage> stages_of(PublishedSpeedup const& published, Network const& network) {
  std::vector<OperatorId> starts;
  for (auto const& node : published.starts) starts.push_back(operator_of(network, node));
  auto const all = network.operators().ids();
  IdVector<StageId, Stage> stages;
  std::size_t first_device = 0;
  auto next = all.begin();
  for (auto const& replicas : words(published.stages, '-')) {
    std::vector<OperatorId> operators;
    auto const index = stages.size();
    for (; next != all.end() && (index == starts.size() || *next < starts[index]); ++next) {
      operators.push_back(*next);
    }
    std::vector<std::size_t> devices(static_cast<std::size_t>(std::stol(replicas)));
    std::iota(devices.begin(), devices.end(), first_device);
    first_device += devices.size();
    stages.push_back(partition::replicated_stage(std::move(operators), std::move(devices)));
  }
  return stages;
}

/// As many as there are workers, or the next fewer (or more) that replicas of all stages share
/// evenly.
std::int64_t minibatches_of(PublishedSpeedup const& published) {
  std::int64_t shared = 1;
  for (auto const& replicas : words(published.stages, '-')) {
    shared = std::lcm(shared, std::stol(replicas));
  }
  return std::max(workers / shared, std::int64_t{1}) * shared;
}

/// The stages that the table names.
Experiment deployed(PublishedSpeedup const& published) {
  auto const minibatches = minibatches_of(published);
  auto experiment = experiment_of(published, minibatches);
  partition::Problem const problem{experiment.network, experiment.array};
  experiment.plan = partition::finished_stages(
      partition::unpriced_plan(
          "deployed", problem,
          {stages_of(published, experiment.network), "pipedream", minibatches}),
      problem);
  return experiment;
}

/// In steady state; where that does not repeat itself exactly (replicas whose messages share
/// links), of all steps after the first one.
double samples_per_s(Result const& result) {
  EXPECTS(result.steps.has_value(), result.workload);
  auto const& steps = *result.steps;
  if (steps.steady) return steps.steady->samples_per_s;
  auto const others = static_cast<double>((steps.count - 1) * result.batch);
  return others / (result.simulated.time_s - steps.first_s);
}

Row row_of(PublishedSpeedup const& published, Result const& baseline, Result const& pipelined) {
  Row row;
  row.suite = "pipedream";
  row.source = "SOSP 2019, Table 1";
  row.title = published.model + " on cluster " + published.cluster + ", " +
              (published.stages.empty() ? published.options : published.stages);
  row.metric = "speedup over dp";
  row.reference = Figure::written(published.speedup);
  row.value = Figure::of(samples_per_s(pipelined) / samples_per_s(baseline));
  row.tolerance = {Tolerance::Kind::relative, 0.15};
  if (!published.deviation.empty()) row.deviation = published.deviation;
  return judged(row);
}

/// GNMT-16's straight pipeline, 16 minibatches in flight.
Experiment straight(std::string const& cluster, std::string const& schedule) {
  PublishedSpeedup pipeline;
  pipeline.model = "gnmt_large";
  pipeline.cluster = cluster;
  pipeline.minibatch = 64;
  pipeline.options = "straight=true";
  auto experiment = planned(pipeline);
  experiment.planner_options.override_key("schedule", schedule, "pipedream");
  return experiment;
}

/// How much longer GPipe takes for a minibatch: at least and at most what the paper found.
std::vector<Row> rows_of_gpipe(std::string const& cluster, Result const& pipedream,
                               Result const& gpipe) {
  Row row;
  row.suite = "pipedream";
  row.source = "SOSP 2019, section 5";
  row.title = "gnmt_large on cluster " + cluster + ", gpipe against pipedream";
  row.metric = "longer";
  row.unit = "%";
  row.value = Figure::of(100 * (samples_per_s(pipedream) / samples_per_s(gpipe) - 1));
  auto least = row;
  least.reference = Figure::written("35");
  least.tolerance.kind = Tolerance::Kind::at_least;
  row.reference = Figure::written("71");
  row.tolerance.kind = Tolerance::Kind::at_most;
  return {judged(least), judged(row)};
}

class PipeDreamSuite final : public Suite {
 public:
  [[nodiscard]] std::vector<Row> run(ValidationOptions const& options) const override {
    std::vector<PublishedSpeedup> published;
    std::vector<Experiment> experiments;
    for (auto const& line : reference_table("pipedream/speedups")) {
      auto const& point = published.emplace_back(speedup_from(line));
      experiments.push_back(data_parallel(point));
      experiments.push_back(point.stages.empty() ? planned(point) : deployed(point));
    }
    for (auto const* const cluster : clusters) {
      for (auto const* const schedule : {"pipedream", "gpipe"}) {
        experiments.push_back(straight(cluster, schedule));
      }
    }
    auto const points = simulate_all(experiments, options.workers, options.progress);
    std::vector<Row> rows;
    auto next = points.begin();
    for (auto const& point : published) {
      rows.push_back(row_of(point, next[0].result, next[1].result));
      next += 2;
    }
    for (auto const* const cluster : clusters) {
      for (auto& row : rows_of_gpipe(cluster, next[0].result, next[1].result)) {
        rows.push_back(std::move(row));
      }
      next += 2;
    }
    return rows;
  }
};

}  // namespace

std::unique_ptr<Suite> pipedream_suite() { return std::make_unique<PipeDreamSuite>(); }

}  // namespace tessera::sim
