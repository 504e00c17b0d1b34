// A point of a study as it is run and known: its inputs as texts, so that it means the same on every machine, and its identity.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/study/experiment.hpp"
#include "sim/sweep/sweep_points.hpp"

namespace tessera::sim {

struct StudyPoint {
  /// Sixteen hexadecimal digits: the hash of the resolved network, array, planner with the options
  /// that it reads or plan, and steps. An array's keys at their defaults are left out of it, so
  /// that a new key with a default changes none, and so are descriptions. Of a network and of
  /// options the texts count: a default that is written is another point.
  std::string id;
  std::string network;  ///< the name of its text among the inputs
  std::string array;    ///< likewise
  std::string planner;
  std::string planner_options;  ///< as YAML
  std::string plan;             ///< likewise, in place of a planner; or empty
  std::int64_t steps = 1;
  std::vector<std::pair<std::string, std::string>> keys;  ///< as the sweep has them
};

/// Texts of networks, arrays and plans under the hash of each.
using StudyInputs = std::map<std::string, std::string>;

struct StudyPoints {
  std::vector<StudyPoint> points;
  StudyInputs inputs;
  std::vector<std::string> remarks;  ///< for the user to know; of several alike the first
};

/// Reads everything that the points name, so that what is wrong is said before anything runs.
/// Throws ConfigError at the value in the sweep's file that is to blame. Of several points that
/// are the same the first is kept.
[[nodiscard]] StudyPoints resolved(std::vector<SweepPoint> const& points);

/// Inputs that were read once for many points.
class StudyProblems final {
 public:
  explicit StudyProblems(StudyInputs const& inputs) : inputs_{&inputs} {}

  [[nodiscard]] Experiment experiment_of(StudyPoint const& point) const;
  /// Reads what the point needs, unless it is there.
  void read(StudyPoint const& point);
  /// Equal for points of one network on arrays that differ in nothing but their fabrics.
  [[nodiscard]] std::string alike(StudyPoint const& point) const;

 private:
  StudyInputs const* inputs_;
  std::map<std::string, workloads::Network> networks_;
  std::map<std::string, arch::ArraySpec> arrays_;
  std::map<std::string, std::string> without_fabric_;  ///< texts of arrays
};

/// `array`'s configuration without its description and without keys that are at their defaults.
[[nodiscard]] ConfigNode without_defaults(arch::ArraySpec const& array);

}  // namespace tessera::sim
