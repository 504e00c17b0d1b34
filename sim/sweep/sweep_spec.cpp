// Reads sweeps.
#include "sim/sweep/sweep_spec.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "arch/base/config_name.hpp"
#include "arch/base/nearest_name.hpp"
#include "sim/sweep/study_record.hpp"

namespace tessera::sim {

namespace {

std::vector<std::string> const whole_keys = {"workload", "arch", "planner", "plan", "steps"};
std::vector<std::string> const prefixes = {"workload", "arch", "planner"};

/// A key of a point, as the head of sweep_spec.hpp says.
void check_key(std::string const& key, ConfigNode const& value) {
  auto const dot = key.find('.');
  auto const& known = dot == std::string::npos ? whole_keys : prefixes;
  auto const name = key.substr(0, dot);
  if (std::find(known.begin(), known.end(), name) != known.end() && dot + 1 != key.size()) return;
  throw value.error(unknown_name("key", key, whole_keys) +
                    ", or what --set takes: workload.KEY, arch.KEY, planner.KEY");
}

std::vector<SweepSetting> settings_of(ConfigNode const& node) {
  static_cast<void>(node.as_map());  // or an error
  std::vector<SweepSetting> settings;
  for (auto const& [key, value] : node.entries()) {
    check_key(key, value);
    settings.push_back({key, value});
  }
  return settings;
}

/// Of a key that has a list or a range.
std::vector<ConfigNode> axis_values(std::string const& key, ConfigNode const& node) {
  check_key(key, node);
  auto values = node.kind() == ConfigNode::Kind::map ? range_values(node) : node.as_list();
  if (values.empty()) throw node.error("has no value; an axis has a list or a range");
  return values;
}

/// Keys that vary together.
SweepAxis axis_of(std::vector<std::pair<std::string, ConfigNode>> const& entries) {
  SweepAxis axis;
  for (auto const& [key, node] : entries) {
    auto const values = axis_values(key, node);
    if (axis.keys.empty()) axis.settings.resize(values.size());
    if (values.size() != axis.settings.size()) {
      throw node.error("has " + std::to_string(values.size()) + " values and " + axis.keys.front() +
                       " beside it " + std::to_string(axis.settings.size()) +
                       "; keys that vary together have equally many");
    }
    axis.keys.push_back(key);
    for (std::size_t i = 0; i < values.size(); ++i) axis.settings[i].push_back({key, values[i]});
  }
  return axis;
}

void read_axes(ConfigMap& map, SweepSpec& spec) {
  if (auto const* const axes = map.find("axes")) {
    static_cast<void>(axes->as_map());
    for (auto const& entry : axes->entries()) spec.axes.push_back(axis_of({entry}));
  }
  auto const* const zip = map.find("zip");
  if (zip == nullptr) return;
  for (auto const& item : zip->as_list()) {
    static_cast<void>(item.as_map());
    spec.axes.push_back(axis_of(item.entries()));
  }
}

Expression expression_of(ConfigNode const& node) { return {node.as<std::string>(), node.where()}; }

/// In an order in which each can be computed.
std::vector<SweepDerived> derived_of(ConfigNode const& node) {
  static_cast<void>(node.as_map());
  std::vector<SweepDerived> waiting;
  std::set<std::string> open;
  for (auto const& [key, value] : node.entries()) {
    waiting.push_back({key, expression_of(value)});
    open.insert(key);
  }
  std::vector<SweepDerived> ordered;
  while (!waiting.empty()) {
    auto const is_ready = [&](SweepDerived const& derived) {
      auto const names = derived.expression.names();
      return std::none_of(names.begin(), names.end(),
                          [&](auto const& name) { return open.count(name) > 0; });
    };
    auto const ready = std::find_if(waiting.begin(), waiting.end(), is_ready);
    if (ready == waiting.end()) {
      throw ConfigError{waiting.front().expression.where(), waiting.front().key,
                        "needs itself, directly or through others"};
    }
    open.erase(ready->key);
    ordered.push_back(std::move(*ready));
    waiting.erase(ready);
  }
  return ordered;
}

std::vector<std::vector<SweepSetting>> points_of(ConfigMap& map, std::string const& key) {
  std::vector<std::vector<SweepSetting>> points;
  auto const* const list = map.find(key);
  if (list == nullptr) return points;
  for (auto const& item : list->as_list()) points.push_back(settings_of(item));
  return points;
}

SweepSample sample_of(ConfigNode const& node) {
  using Method = SweepSample::Method;
  auto map = node.as_map();
  map.require({"points"}, {"seed", "method"});
  SweepSample sample;
  sample.points = map.required<std::int64_t>("points");
  sample.place = map.node("points").where();
  if (sample.points < 1) throw map.node("points").error("a sample has at least 1 point");
  auto const seed = map.optional<std::int64_t>("seed", 0);
  if (seed < 0) throw map.node("seed").error("a seed is 0 or more");
  sample.seed = static_cast<std::uint64_t>(seed);
  sample.method = map.choice<Method>(
      "method", {{"random", Method::random}, {"latin-hypercube", Method::latin_hypercube}},
      Method::random);
  map.finish();
  return sample;
}

/// Where the keys of every point are set.
class KeyPlaces final {
 public:
  /// Every key has one source.
  void add(std::string const& key, SourceLocation const& where) {
    if (places_.emplace(key, where).second) return;
    throw ConfigError{where, key, "is set here and before; set it in one place"};
  }

  /// One that is set inside of another would hide a part of it, or be hidden. An option may be
  /// changed inside: options come first.
  void check_insides(std::vector<SweepSetting> const& options) const {
    for (auto const& [key, where] : places_) {
      for (auto dot = key.rfind('.'); dot != std::string::npos; dot = key.rfind('.', dot - 1)) {
        auto const outer = key.substr(0, dot);
        bool const is_name = outer.find('.') == std::string::npos;  // arch, of arch.accelerators
        bool const is_changed = is_among(options, outer) && !is_among(options, key);
        if (is_name || is_changed || places_.count(outer) == 0) continue;
        throw ConfigError{where, key,
                          "is inside of " + outer + ", which is set too; leave one out"};
      }
    }
  }

 private:
  static bool is_among(std::vector<SweepSetting> const& options, std::string const& key) {
    return std::any_of(options.begin(), options.end(),
                       [&](auto const& setting) { return setting.key == key; });
  }

  std::map<std::string, SourceLocation> places_;
};

void check_keys_once(SweepSpec const& spec) {
  KeyPlaces keys;
  for (auto const& setting : spec.options) keys.add(setting.key, setting.value.where());
  for (auto const& axis : spec.axes) {
    for (auto const& setting : axis.settings.front()) keys.add(setting.key, setting.value.where());
  }
  for (auto const& derived : spec.derive) keys.add(derived.key, derived.expression.where());
  keys.check_insides(spec.options);
}

/// What a condition or a derived value reads is a key of the sweep.
void check_names(Expression const& expression, std::set<std::string> const& keys,
                 std::string const& kind = "key") {
  for (auto const& name : expression.names()) {
    if (keys.count(name) > 0) continue;
    throw ConfigError{expression.where(), {}, unknown_name(kind, name, {keys.begin(), keys.end()})};
  }
}

/// Those that are set before anything is derived.
std::set<std::string> keys_of(SweepSpec const& spec) {
  std::set<std::string> keys;
  for (auto const& setting : spec.options) keys.insert(setting.key);
  for (auto const& axis : spec.axes) keys.insert(axis.keys.begin(), axis.keys.end());
  return keys;
}

void check_expressions(SweepSpec const& spec) {
  auto keys = keys_of(spec);
  for (auto const& derived : spec.derive) {
    check_names(derived.expression, keys);
    keys.insert(derived.key);
  }
  for (auto const& condition : spec.where) check_names(condition, keys);
  for (auto const& point : spec.exclude) {
    for (auto const& setting : point) {
      if (keys.count(setting.key) > 0) continue;
      throw setting.value.error("excludes by a key that no point has");
    }
  }
}

}  // namespace

void check_results(SweepSpec const& spec) {
  auto names = keys_of(spec);
  for (auto const& derived : spec.derive) names.insert(derived.key);
  for (auto const& point : spec.include) {
    for (auto const& setting : point) names.insert(setting.key);
  }
  for (auto const& column : table_columns()) names.insert(column);
  for (auto const& [key, expression] : spec.results) {
    if (names.count(key) > 0) {
      throw ConfigError{expression.where(), key, "is a column already; call it something else"};
    }
    check_names(expression, names, "column");
    names.insert(key);
  }
}

SweepSpec sweep_from(ConfigNode const& node) {
  auto map = node.as_map();
  map.expect_schema("tessera.sweep/1", "a sweep", {"name"});
  SweepSpec spec;
  spec.name = read_name(map.node("name"));
  spec.place = map.node(map.find("axes") != nullptr ? "axes" : "name").where();
  static_cast<void>(map.find("description"));
  if (auto const* const options = map.find("options")) spec.options = settings_of(*options);
  read_axes(map, spec);
  if (auto const* const derive = map.find("derive")) {
    for (auto const& [key, value] : derive->entries()) check_key(key, value);
    spec.derive = derived_of(*derive);
  }
  if (auto const* const where = map.find("where")) {
    for (auto const& condition : where->as_list()) spec.where.push_back(expression_of(condition));
  }
  spec.exclude = points_of(map, "exclude");
  spec.include = points_of(map, "include");
  if (auto const* const sample = map.find("sample")) spec.sample = sample_of(*sample);
  if (auto const* const results = map.find("results")) spec.results = derived_of(*results);
  map.finish();
  check_keys_once(spec);
  check_expressions(spec);
  spec.text = write_config(node);
  return spec;
}

SweepSpec load_sweep(std::string const& path) { return sweep_from(read_config_file(path)); }

}  // namespace tessera::sim
