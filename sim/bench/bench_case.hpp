// What `tessera bench` measures.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/study/experiment.hpp"

namespace tessera::sim {

/// What was done while it was timed.
struct Workout {
  double amount = 0;            ///< how many `unit`s
  double simulated_cycles = 0;  ///< of the component's clock, or the accelerators'
};

/// One model alone, driven as hard as it goes; or plan after plan in a search.
struct ComponentCase {
  std::string name;
  std::string description;
  std::string unit;  ///< what it does: "requests", "packets"
  std::function<Workout()> run;
};

/// A whole training step, detailed.
struct SystemCase {
  std::string name;
  std::string network;
  std::string array;
  std::string planner;
  std::vector<std::string> settings;  ///< of the array
  std::int64_t batch = 256;
  std::int64_t small_batch = 0;  ///< at which it is also simulated in full; 0: that takes too long
  std::string (*text)() = nullptr;  ///< makes the network's YAML; none: `network` is of the zoo
  /// Keys and values, as of --set planner.
  std::vector<std::pair<std::string, std::string>> planner_options = {};
  std::string element = {};  ///< of a network of the zoo; none: its own
};

[[nodiscard]] std::vector<ComponentCase> component_cases();
[[nodiscard]] std::vector<ComponentCase> search_cases();
[[nodiscard]] std::vector<SystemCase> system_cases();

/// The experiment of a case at a batch.
[[nodiscard]] Experiment experiment_of(SystemCase const& bench, std::int64_t batch);

}  // namespace tessera::sim
