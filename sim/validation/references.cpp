// Reads reference files. A check's keys are what its cases have in common.
#include "sim/validation/references.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "arch/array/load.hpp"
#include "arch/base/config_path.hpp"
#include "arch/base/nearest_name.hpp"
#include "partition/planners/planner.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

std::vector<BuiltinConfig> reference_files();  // generated from sim/validation/references

namespace {

std::vector<std::string> strings(ConfigNode const* node) {
  std::vector<std::string> texts;
  if (node == nullptr) return texts;
  for (auto const& item : node->as_list()) texts.push_back(item.as<std::string>());
  return texts;
}

std::string planner_of(ConfigMap& map, std::string const& otherwise) {
  auto const* const node = map.find("planner");
  if (node == nullptr) return otherwise;
  auto planner = node->as<std::string>();
  auto const known = partition::builtin_planners().names();
  if (std::find(known.begin(), known.end(), planner) != known.end()) return planner;
  throw node->error(unknown_name("planner", planner, known));
}

Metric metric_of(ConfigMap& check) {
  return check.choice<Metric>("metric", {{"choices", Metric::choices},
                                         {"communication", Metric::communication},
                                         {"speedup", Metric::speedup},
                                         {"energy_efficiency", Metric::energy_efficiency}});
}

bool is_ratio(Metric metric) {
  return metric == Metric::speedup || metric == Metric::energy_efficiency;
}

/// Half a unit in the last digit of a number as it is written: 0.05 for "13.0".
double half_last_digit(std::string const& written) {
  auto const point = written.find('.');
  auto const decimals = point == std::string::npos ? 0 : written.size() - point - 1;
  return 0.5 * std::pow(10.0, -static_cast<double>(decimals));
}

Tolerance tolerance_of(ConfigNode const& node, std::string const& value) {
  auto const text = node.as<std::string>();
  if (text == "exact") return {Tolerance::Kind::exact, 0};
  if (text == "at least") return {Tolerance::Kind::at_least, 0};
  if (text == "printed digits") return {Tolerance::Kind::absolute, half_last_digit(value)};
  char* end = nullptr;
  auto const percent = std::strtod(text.c_str(), &end);
  if (std::string{end} != " %" || !(percent > 0)) {
    throw node.error("'" + text +
                     "' is no tolerance; write exact, printed digits, at least, or a percentage "
                     "(0.5 %)");
  }
  return {Tolerance::Kind::relative, percent / 100};
}

/// What the cases of a check share.
struct Check {
  std::string source;
  std::string note;
  Metric metric = Metric::choices;
  PointName point;
  std::optional<PointName> baseline;
  ConfigNode tolerance;
  std::vector<std::string> networks;  ///< of a geometric mean; none: those of the cases
};

Check check_of(ConfigMap& map) {
  Check check;
  check.source = map.required<std::string>("source");
  check.note = map.optional<std::string>("note", "");
  check.metric = metric_of(map);
  check.point.arch = name_or_path(map.node("arch"), arch::builtin_arrays);
  check.point.planner = planner_of(map, "");
  check.point.settings = strings(map.find("set"));
  check.tolerance = map.node("tolerance");
  if (auto const* const networks = map.find("networks")) {
    for (auto const& network : networks->as_list()) {
      check.networks.push_back(name_or_path(network, workloads::builtin_networks));
    }
  }
  if (is_ratio(check.metric)) {
    auto baseline = map.node("baseline").as_map();
    check.baseline = check.point;
    check.baseline->arch = baseline.optional<std::string>("arch", check.point.arch);
    check.baseline->planner = planner_of(baseline, "");
    if (auto const* const set = baseline.find("set")) check.baseline->settings = strings(set);
    baseline.finish();
  }
  return check;
}

/// The baseline of a point: its network and, where the check names none, its planner.
PointName baseline_of(Check const& check, PointName const& point) {
  auto baseline = *check.baseline;
  baseline.workload = point.workload;
  baseline.where = point.where;
  if (baseline.planner.empty()) baseline.planner = point.planner;
  return baseline;
}

std::string title_of(std::string const& workload, PointName const& point, Check const& check) {
  auto title = workload + ", " + point.planner;
  for (auto const& setting : point.settings) title += ", " + setting;
  bool const has_own_array = check.baseline && check.baseline->arch != point.arch;
  return has_own_array ? title + ", against " + check.baseline->arch : title;
}

Reference case_of(ConfigNode const& node, Check const& check) {
  auto map = node.as_map();
  auto point = check.point;
  point.where = node.where();
  auto const workload = name_or_path(map.node("workload"), workloads::builtin_networks);
  point.planner = planner_of(map, point.planner);
  if (auto const* const set = map.find("set")) point.settings = strings(set);
  if (point.planner.empty()) throw map.error("no planner (neither here nor in the check)");

  Reference reference;
  reference.title = title_of(workload, point, check);
  reference.metric = check.metric;
  reference.source = check.source;
  reference.value = map.required<std::string>("value");
  if (check.metric != Metric::choices && map.required<double>("value") < 0) {
    throw map.node("value").error("is negative");
  }
  auto const* const tolerance = map.find("tolerance");
  reference.tolerance =
      tolerance_of(tolerance == nullptr ? check.tolerance : *tolerance, reference.value);
  reference.note = map.optional<std::string>("note", check.note);
  reference.deviation = map.optional<std::string>("deviation");
  for (auto const& network :
       workload == "geomean" ? check.networks : std::vector<std::string>{workload}) {
    point.workload = network;
    reference.points.push_back(point);
    if (check.baseline) reference.baselines.push_back(baseline_of(check, point));
  }
  map.finish();
  return reference;
}

std::vector<std::string> networks_of(std::vector<ConfigNode> const& cases) {
  std::vector<std::string> networks;
  for (auto const& entry : cases) {
    auto const workload =
        name_or_path(entry.as_map().node("workload"), workloads::builtin_networks);
    if (workload != "geomean") networks.push_back(workload);
  }
  return networks;
}

void append_check(ReferenceFile& file, ConfigNode const& node) {
  auto map = node.as_map();
  auto check = check_of(map);
  auto const& cases = map.node("cases").as_list();
  if (check.networks.empty()) check.networks = networks_of(cases);
  for (auto const& entry : cases) file.references.push_back(case_of(entry, check));
  map.finish();
}

}  // namespace

char const* name(Metric metric) {
  switch (metric) {
    case Metric::choices:
      return "choices";
    case Metric::communication:
      return "communication";
    case Metric::speedup:
      return "speedup";
    case Metric::energy_efficiency:
      return "energy_efficiency";
  }
  return "?";
}

ReferenceFile references_from(ConfigNode const& node) {
  auto map = node.as_map();
  map.expect_schema("tessera.references/1", "a table of references");
  ReferenceFile file;
  file.description = map.required<std::string>("description");
  for (auto const& check : map.node("checks").as_list()) append_check(file, check);
  map.finish();
  return file;
}

ReferenceFile load_references(std::string const& name_or_path) {
  return references_from(load_config({"suite", "suite", reference_files(), {}}, name_or_path, {}));
}

std::vector<std::string> builtin_references() {
  std::vector<std::string> names;
  for (auto const& file : reference_files()) names.emplace_back(file.name);
  return names;
}

}  // namespace tessera::sim
