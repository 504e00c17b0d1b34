// Simulates what references name, each point once.
#include "sim/validation/reference_suite.hpp"

#include <set>

#include "arch/array/load.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/experiment.hpp"
#include "sim/study/settings.hpp"
#include "sim/terminal/table.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

Experiment named_experiment(PointName const& point) {
  auto const settings = split_settings(point.settings);
  Experiment experiment;
  experiment.network = workloads::load(point.workload, settings.workload);
  experiment.array = arch::load(point.arch, settings.arch);
  experiment.planner = point.planner;
  experiment.run.explain = false;  // no row says why
  experiment.planner_options =
      planner_options(experiment.array, settings, {point.planner}, {experiment.network});
  return experiment;
}

/// What is wrong with names and settings has its place in the file of references.
Experiment experiment_of(PointName const& point) {
  try {
    return named_experiment(point);
  } catch (ConfigError const& error) {
    if (error.where().line > 0) throw;
    throw ConfigError{point.where, {}, error.what()};
  }
}

/// One string of 0 (I) and 1 (II) per level, as HyPar's Fig. 5 prints them.
std::string choices_of(Point const& point) {
  std::string text;
  for (auto const& level : point.details.levels) {
    if (!text.empty()) text += ' ';
    for (auto const& [layer, type] : level.types) {
      text += type == "I" ? '0' : type == "II" ? '1' : '?';
    }
  }
  return text;
}

double measure(Reference const& reference, std::size_t index, SimulatedPoints const& points) {
  auto const& simulated = points.at(reference.points[index]).result.simulated;
  if (reference.metric == Metric::communication) {
    return static_cast<double>(simulated.communication_bytes) / 1e9;
  }
  auto const& baseline = points.at(reference.baselines[index]).result.simulated;
  return reference.metric == Metric::speedup ? ratio(baseline.time_s, simulated.time_s)
                                             : ratio(baseline.energy_j, simulated.energy_j);
}

double mean_measure(Reference const& reference, SimulatedPoints const& points) {
  if (reference.points.size() == 1) return measure(reference, 0, points);
  std::vector<double> values;
  values.reserve(reference.points.size());
  for (std::size_t index = 0; index < reference.points.size(); ++index) {
    values.push_back(measure(reference, index, points));
  }
  return geometric_mean(values);
}

/// Everything that the references name, each point once.
SimulatedPoints simulate_points(std::vector<Reference> const& references,
                                ValidationOptions const& options) {
  std::set<PointName> names;
  for (auto const& reference : references) {
    names.insert(reference.points.begin(), reference.points.end());
    names.insert(reference.baselines.begin(), reference.baselines.end());
  }
  std::vector<Experiment> experiments;
  experiments.reserve(names.size());
  for (auto const& point : names) experiments.push_back(experiment_of(point));
  auto simulated = simulate_all(experiments, options.workers, options.progress);
  SimulatedPoints points;
  auto next = simulated.begin();
  for (auto const& point : names) points.emplace(point, std::move(*next++));
  return points;
}

/// A suite that is a reference file.
class ReferenceSuite final : public Suite {
 public:
  explicit ReferenceSuite(std::string name) : name_{std::move(name)} {}

  [[nodiscard]] std::vector<Row> run(ValidationOptions const& options) const override {
    auto const file = load_references(name_);
    auto const points = simulate_points(file.references, options);
    std::vector<Row> rows;
    for (auto const& reference : file.references) rows.push_back(judge(name_, reference, points));
    return rows;
  }

 private:
  std::string name_;
};

}  // namespace

Row judge(std::string const& suite, Reference const& reference, SimulatedPoints const& points) {
  bool const is_text = reference.metric == Metric::choices;
  Row row;
  row.suite = suite;
  row.source = reference.source;
  row.title = reference.title;
  row.metric = name(reference.metric);
  row.unit = reference.metric == Metric::communication ? "GB" : "";
  row.reference = is_text ? Figure::of_text(reference.value) : Figure::written(reference.value);
  row.value = is_text ? Figure::of_text(choices_of(points.at(reference.points.front())))
                      : Figure::of(mean_measure(reference, points));
  row.tolerance = reference.tolerance;
  row.note = reference.note;
  row.deviation = reference.deviation;
  return judged(row);
}

std::unique_ptr<Suite> reference_suite(std::string const& name_or_path) {
  return std::make_unique<ReferenceSuite>(name_or_path);
}

}  // namespace tessera::sim
