// What PipeDream's released optimizer prints for profiles of its repository, from our planner on the same profiles, imported.
#include <map>
#include <sstream>

#include "partition/search/pipeline_problem.hpp"
#include "sim/validation/pipedream_profiles.hpp"
#include "sim/validation/suites.hpp"

namespace tessera::sim {

namespace {

using partition::PipeDreamOptions;
using partition::PipelineLevel;

constexpr double closeness_s = 1e-9;

partition::PipelineGraph imported_graph(std::string const& model) {
  auto const [network, times] = profiled_network(model);
  arch::AcceleratorSpec accelerator;
  accelerator.processing_unit = times;
  return partition::pipeline_graph(network, accelerator);
}

/// "4x2" or "1.2e+10/1.25e+09": a number for each level, the lowest first.
std::vector<double> numbers(std::string text) {
  for (auto& letter : text) {
    if (letter == 'x' || letter == '/') letter = ' ';
  }
  std::istringstream words{text};
  std::vector<double> all;
  for (double number = 0; words >> number;) all.push_back(number);
  return all;
}

/// A line of a table.
struct Case {
  explicit Case(ConfigNode const& line) {
    auto map = line.as_map();
    model = map.required<std::string>("model");
    states = map.required<std::int64_t>("states");
    machines = map.required<std::string>("machines");
    bandwidth = map.required<std::string>("bandwidth");
    bottleneck_s = map.required<std::string>("bottleneck_s");
    data_parallel_s = map.required<std::string>("data_parallel_s");
    options.rule = PipeDreamOptions::Rule::released;
    if (!map.node("compression").text().empty()) {
      options.activation_compression_ratio = map.required<double>("compression");
    }
    if (!map.node("memory").text().empty()) {
      options.memory_limit_bytes = map.required<double>("memory");
    }
    if (map.required<std::int64_t>("straight") != 0) {
      options.shape = PipeDreamOptions::Shape::straight;
    }
    if (map.required<std::int64_t>("fewer") != 0) {
      options.machines = PipeDreamOptions::Machines::fewer;
    }
    map.finish();
  }

  [[nodiscard]] std::vector<PipelineLevel> levels() const {
    auto const counts = numbers(machines);
    auto const rates = numbers(bandwidth);
    EXPECTS(counts.size() == rates.size(), counts.size(), rates.size());
    std::vector<PipelineLevel> levels;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      levels.push_back({static_cast<std::int64_t>(counts[i]), rates[i]});
    }
    return levels;
  }

  [[nodiscard]] std::string title() const {
    auto text = model + ", " + machines + " at " + bandwidth + " B/s";
    if (options.activation_compression_ratio) text += ", activations sent";
    if (options.memory_limit_bytes) text += ", memory limit";
    if (options.shape == PipeDreamOptions::Shape::straight) text += ", straight";
    if (options.machines == PipeDreamOptions::Machines::fewer) text += ", or fewer";
    return text;
  }

  std::string model;
  std::int64_t states = 0;
  std::string machines;
  std::string bandwidth;
  std::string bottleneck_s;
  std::string data_parallel_s;
  PipeDreamOptions options;
};

Row row_of(Case const& point, char const* metric, std::string const& reference, double value) {
  Row row;
  row.suite = "pipedream-optimizer";
  row.source = "PipeDream's released optimizer";
  row.title = point.title();
  row.metric = metric;
  row.unit = "s";
  row.reference = Figure::written(reference);
  row.value = Figure::of(value);
  row.tolerance = {Tolerance::Kind::absolute, closeness_s};
  return judged(row);
}

class PipeDreamOptimizerSuite final : public Suite {
 public:
  [[nodiscard]] std::vector<Row> run(ValidationOptions const& /*options*/) const override {
    std::map<std::string, std::vector<partition::PipelineState>> states;
    std::vector<Row> rows;
    for (auto const* const table : {"pipedream/flat", "pipedream/hierarchical"}) {
      for (auto const& line : reference_table(table)) {
        Case const point{line};
        auto& known = states[point.model];
        if (known.empty()) known = partition::pipeline_states(imported_graph(point.model));
        EXPECTS(known.size() == static_cast<std::size_t>(point.states), point.model, known.size());
        auto const found =
            partition::pipedream_partition(known, point.levels(), point.options).value();
        rows.push_back(row_of(point, "bottleneck", point.bottleneck_s, found.bottleneck_s));
        rows.push_back(
            row_of(point, "all in parallel", point.data_parallel_s, found.data_parallel_s));
      }
    }
    return rows;
  }
};

}  // namespace

std::unique_ptr<Suite> pipedream_optimizer_suite() {
  return std::make_unique<PipeDreamOptimizerSuite>();
}

}  // namespace tessera::sim
