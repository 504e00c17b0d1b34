// PipeDream's measured speedups over data parallelism (SOSP 2019, Table 1), simulated: its clusters as arrays, its measured times as
// profiled units, its stages (or those of a planner) under its schedule, in steady state.
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <sstream>
#include <tuple>

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

Experiment planned(PublishedSpeedup const& published, std::string const& schedule) {
  auto experiment = experiment_of(published, workers);
  experiment.planner = "pipedream";
  auto const option = words(published.options, '=');
  experiment.planner_options.override_key(option.at(0), option.at(1), "pipedream");
  experiment.planner_options.override_key("schedule", schedule, "pipedream");
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
  auto const all = network.operators().ids().list();
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
PublishedSpeedup straight(std::string const& cluster) {
  PublishedSpeedup pipeline;
  pipeline.model = "gnmt_large";
  pipeline.cluster = cluster;
  pipeline.minibatch = 64;
  pipeline.options = "straight=true";
  return pipeline;
}

/// The simulations that lines need, each once.
class Points final {
 public:
  /// The index of its result.
  [[nodiscard]] std::size_t data_parallel(PublishedSpeedup const& published) {
    return index_of(published, "dp", [&] { return sim::data_parallel(published); });
  }
  [[nodiscard]] std::size_t planned(PublishedSpeedup const& published,
                                    std::string const& schedule) {
    return index_of(published, published.options + ' ' + schedule,
                    [&] { return sim::planned(published, schedule); });
  }
  [[nodiscard]] std::size_t pipelined(PublishedSpeedup const& published) {
    if (published.stages.empty()) return planned(published, "pipedream");
    return index_of(published, published.stages, [&] { return deployed(published); });
  }

  [[nodiscard]] std::vector<Experiment> const& experiments() const { return experiments_; }

 private:
  template <typename Make>
  std::size_t index_of(PublishedSpeedup const& published, std::string const& plan, Make make) {
    Key key{published.model, published.cluster, published.minibatch, plan};
    auto const [known, is_new] = indices_.emplace(std::move(key), experiments_.size());
    if (is_new) experiments_.push_back(make());
    return known->second;
  }

  using Key = std::tuple<std::string, std::string, std::int64_t, std::string>;
  std::map<Key, std::size_t> indices_;  ///< by model, cluster, minibatch and plan
  std::vector<Experiment> experiments_;
};

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

/// Indices of results.
struct Against {
  std::size_t baseline;
  std::size_t other;
};

class PipeDreamSuite final : public Suite {
 public:
  [[nodiscard]] std::vector<Row> run(ValidationOptions const& options) const override {
    std::vector<PublishedSpeedup> published;
    for (auto const& line : reference_table("pipedream/speedups")) {
      published.push_back(speedup_from(line));
    }
    Points points;
    std::vector<Against> speedups;
    speedups.reserve(published.size());
    for (auto const& line : published) {
      speedups.push_back({points.data_parallel(line), points.pipelined(line)});
    }
    std::vector<Against> gpipes;
    for (auto const* const cluster : clusters) {
      auto const line = straight(cluster);
      gpipes.push_back({points.planned(line, "pipedream"), points.planned(line, "gpipe")});
    }
    auto const results = simulate_all(points.experiments(), options.workers, options.progress);
    std::vector<Row> rows;
    for (std::size_t i = 0; i < published.size(); ++i) {
      rows.push_back(row_of(published[i], results[speedups[i].baseline].result,
                            results[speedups[i].other].result));
    }
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      for (auto& row : rows_of_gpipe(clusters[i], results[gpipes[i].baseline].result,
                                     results[gpipes[i].other].result)) {
        rows.push_back(std::move(row));
      }
    }
    return rows;
  }
};

}  // namespace

std::unique_ptr<Suite> pipedream_suite() { return std::make_unique<PipeDreamSuite>(); }

}  // namespace tessera::sim
