// From the keys of a sweep to what is run.
#include "sim/sweep/study_point.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "arch/array/load.hpp"
#include "arch/base/config_path.hpp"
#include "sim/study/settings.hpp"
#include "traces/fingerprint.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

std::string hash_of(std::string const& text) {
  traces::Fingerprint fingerprint;
  fingerprint.add(text);
  return traces::to_hex(fingerprint.value());
}

SweepSetting const* find(SweepPoint const& point, std::string const& key) {
  auto const found = std::find_if(point.begin(), point.end(),
                                  [&](auto const& setting) { return setting.key == key; });
  return found == point.end() ? nullptr : &*found;
}

SweepSetting const& required(SweepPoint const& point, std::string const& key) {
  if (auto const* const setting = find(point, key)) return *setting;
  throw ConfigError{point.front().value.where(),
                    {},
                    "a point has no " + key + "; give it in options or as an axis"};
}

/// "accelerators=4" of "arch.accelerators": what --set would say, for each setting of `prefix`.
std::vector<std::string> overrides_of(SweepPoint const& point, std::string const& prefix) {
  std::vector<std::string> overrides;
  for (auto const& setting : point) {
    if (setting.key.compare(0, prefix.size() + 1, prefix + ".") != 0) continue;
    overrides.push_back(setting.key.substr(prefix.size() + 1) + "=" + text_of(setting));
  }
  return overrides;
}

/// The setting that something about `where` is about, as far as that tells; else that of `key`.
SweepSetting const* blamed(SweepPoint const& point, SourceLocation const& where,
                           std::string const& key) {
  auto const& place = where.file;
  for (auto const& setting : point) {
    auto const typed = "--set " + setting.key;
    bool const is_it = place.compare(0, typed.size(), typed) == 0 &&
                       (place.size() == typed.size() || place[typed.size()] == '=');
    if (is_it) return &setting;
  }
  return place.empty() ? find(point, key) : nullptr;
}

/// What `read` returns; its errors at the place in the sweep that is to blame.
template <typename Read>
decltype(auto) at_its_place(SweepPoint const& point, std::string const& key, Read const& read) {
  try {
    return read();
  } catch (ConfigError const& error) {
    auto const* const setting = blamed(point, error.where(), key);
    if (setting == nullptr) throw;
    auto const key_path = error.key_path().empty() ? setting->key : error.key_path();
    throw ConfigError{setting->value.where(), key_path, error.problem()};
  }
}

/// What is read under a name with overrides, once for each different text of both.
template <typename Value>
class ReadOnce final {
 public:
  template <typename Read>
  Value const& operator()(std::string const& name, std::vector<std::string> const& overrides,
                          Read const& read) {
    auto key = name;
    for (auto const& text : overrides) key += '\n' + text;
    auto const found = values_.find(key);
    if (found != values_.end()) return found->second;
    return values_.emplace(key, read(name, overrides)).first->second;
  }

 private:
  std::map<std::string, Value> values_;
};

/// Options that the planner reads; another one's in an array's file are not of this point.
ConfigNode read_options(std::string const& planner, ConfigNode const& options) {
  auto const names = partition::options_read_by(planner, options);
  auto read = ConfigNode::map();
  for (auto const& [key, value] : options.entries()) {
    if (names.count(key) > 0) read.add(key, value);
  }
  return read;
}

ConfigNode undescribed(ConfigNode const& node) {
  auto copy = ConfigNode::map();
  for (auto const& [key, value] : node.entries()) {
    if (key != "description") copy.add(key, value);
  }
  return copy;
}

ConfigNode without_fabric(ConfigNode const& array) {
  auto copy = ConfigNode::map();
  for (auto const& [key, value] : array.entries()) {
    if (key != "fabric") copy.add(key, value);
  }
  return copy;
}

/// What readers remark, once for each setting that it is about.
class Remarks final {
 public:
  void add(SweepPoint const& point, arch::Remark const& remark) {
    auto const* const setting = blamed(point, remark.where, {});
    auto const key = setting == nullptr ? remark.text : setting->key;
    auto const [entry, is_new] = index_.try_emplace(key, remarks_.size());
    if (is_new) {
      remarks_.push_back({setting == nullptr ? remark.text : at_place(remark, *setting), 0});
    } else {
      ++remarks_[entry->second].others;
    }
  }

  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (auto const& [text, others] : remarks_) {
      auto const more = " (and " + std::to_string(others) + " more like it)";
      texts.push_back(text + (others == 0 ? "" : more));
    }
    return texts;
  }

 private:
  struct Remarked {
    std::string text;
    std::size_t others = 0;
  };

  /// With the place in the sweep instead of the option that it would have been.
  static std::string at_place(arch::Remark const& remark, SweepSetting const& setting) {
    auto const option = remark.where.file + ": ";
    bool const begins_with_it = remark.text.compare(0, option.size(), option) == 0;
    auto const text = begins_with_it ? remark.text.substr(option.size()) : remark.text;
    return ConfigError{setting.value.where(), {}, text}.what();
  }

  std::map<std::string, std::size_t> index_;
  std::vector<Remarked> remarks_;
};

class Resolver final {
 public:
  [[nodiscard]] StudyPoint operator()(SweepPoint const& point) {
    auto const& network = network_of(point);
    auto const& array = array_of(point);
    StudyPoint study;
    study.network = input(network.text);
    study.array = input(array.text);
    if (auto const* const steps = find(point, "steps")) study.steps = steps_of(*steps);
    plan_or_planner(point, network.value, array.value, study);
    for (auto const& setting : point) study.keys.emplace_back(setting.key, text_of(setting));
    study.id = id_of(study, network.canonical, array.canonical);
    return study;
  }

  [[nodiscard]] StudyInputs take_inputs() && { return std::move(inputs_); }
  [[nodiscard]] std::vector<std::string> remarks() const { return remarks_.texts(); }

 private:
  template <typename Value>
  struct Read {
    Value value;
    std::string text;
    std::string canonical;
  };

  Read<workloads::Network> const& network_of(SweepPoint const& point) {
    return at_its_place(
        point, "workload", [&]() -> auto const& {
          auto const name =
              name_or_path(required(point, "workload").value, workloads::builtin_networks);
          return networks_(name, overrides_of(point, "workload"), [](auto const&... named) {
            auto network = workloads::load(named...);
            auto const text = network.source_text();
            auto const canonical =
                write_config(undescribed(read_config_text(text, network.name())));
            return Read<workloads::Network>{std::move(network), text, canonical};
          });
        });
  }

  Read<arch::ArraySpec> const& array_of(SweepPoint const& point) {
    return at_its_place(
        point, "arch", [&]() -> auto const& {
          auto const name = name_or_path(required(point, "arch").value, arch::builtin_arrays);
          return arrays_(name, overrides_of(point, "arch"), [&](auto const&... named) {
            auto array = arch::load(named...);
            for (auto const& remark : array.remarks) remarks_.add(point, remark);
            auto const text = write_config(arch::to_config(array));
            auto const canonical = write_config(without_defaults(array));
            return Read<arch::ArraySpec>{std::move(array), text, canonical};
          });
        });
  }

  void plan_or_planner(SweepPoint const& point, workloads::Network const& network,
                       arch::ArraySpec const& array, StudyPoint& study) {
    if (auto const* const plan = find(point, "plan")) {
      if (find(point, "planner") != nullptr) {
        throw plan->value.error("beside a planner (a plan needs none); leave one out");
      }
      auto const path = name_or_path(plan->value, [] { return std::vector<BuiltinEntry>{}; });
      auto loaded = partition::load_plan(path, network, array);
      loaded.predicted.reset();  // is predicted again
      study.plan = input(write_config(partition::to_config(loaded, network)));
    } else {
      study.planner = text_of(required(point, "planner"));
      at_its_place(point, "planner", [&] { check_planner(study.planner); });
    }
    std::vector<std::string> planners;
    if (study.plan.empty()) planners.push_back(study.planner);
    Settings settings;
    settings.planner = overrides_of(point, "planner");
    auto const options = at_its_place(
        point, "planner", [&] { return planner_options(array, settings, planners, {network}); });
    study.planner_options =
        write_config(study.plan.empty() ? read_options(study.planner, options) : options);
  }

  [[nodiscard]] static std::int64_t steps_of(SweepSetting const& setting) {
    auto const steps = setting.value.as<std::int64_t>();
    if (steps < 1) throw setting.value.error("a run has at least 1 step");
    return steps;
  }

  std::string input(std::string const& text) {
    return inputs_.emplace(hash_of(text), text).first->first;
  }

  [[nodiscard]] static std::string id_of(StudyPoint const& study, std::string const& network,
                                         std::string const& array) {
    traces::Fingerprint fingerprint;
    for (auto const* const text :
         {&network, &array, &study.planner, &study.planner_options, &study.plan}) {
      fingerprint.add(*text);
    }
    fingerprint.add(study.steps);
    return traces::to_hex(fingerprint.value());
  }

  ReadOnce<Read<workloads::Network>> networks_;
  ReadOnce<Read<arch::ArraySpec>> arrays_;
  StudyInputs inputs_;
  Remarks remarks_;
};

}  // namespace

StudyPoints resolved(std::vector<SweepPoint> const& points) {
  Resolver resolver;
  StudyPoints study;
  std::set<std::string> seen;
  for (auto const& point : points) {
    auto resolved_point = resolver(point);
    if (seen.insert(resolved_point.id).second) study.points.push_back(std::move(resolved_point));
  }
  study.remarks = resolver.remarks();
  study.inputs = std::move(resolver).take_inputs();
  return study;
}

void StudyProblems::read(StudyPoint const& point) {
  if (networks_.count(point.network) == 0) {
    networks_.emplace(point.network, workloads::network_from(read_config_text(
                                         inputs_->at(point.network), point.network)));
  }
  if (arrays_.count(point.array) == 0) {
    auto const node = read_config_text(inputs_->at(point.array), point.array);
    arrays_.emplace(point.array, arch::array_from(node));
    without_fabric_.emplace(point.array, hash_of(write_config(without_fabric(node))));
  }
}

std::string StudyProblems::alike(StudyPoint const& point) const {
  return point.network + without_fabric_.at(point.array);
}

Experiment StudyProblems::experiment_of(StudyPoint const& point) const {
  Experiment experiment;
  experiment.network = networks_.at(point.network);
  experiment.array = arrays_.at(point.array);
  experiment.planner = point.planner;
  experiment.planner_options = read_config_text(point.planner_options, "planner");
  if (!point.plan.empty()) {
    experiment.plan = partition::plan_from(read_config_text(inputs_->at(point.plan), point.plan),
                                           experiment.network, experiment.array);
  }
  experiment.steps = point.steps;
  return experiment;
}

}  // namespace tessera::sim
