// An estimate of a step's time, cause by cause: each at its peak rate, one behind the other.
#include "sim/study/countable_time.hpp"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "arch/array/topology.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

/// Why a step takes how long: a key of the array, and what to do about it.
struct Cause {
  std::string key;
  std::string remedy;
  double seconds = 0;
};

/// What an accelerator's memory and links are asked for.
struct Demand {
  double bytes = 0;
  double accesses = 0;
  double messages = 0;
};

/// By representative.
[[nodiscard]] std::vector<Demand> demands_of(TaskGraph const& tasks) {
  std::vector<Demand> demands(tasks.folding().representatives());
  for (auto const& task : tasks.tasks()) {
    auto& demand = demands[task.accelerator.index()];
    if (task.kind == TaskKind::transfer) demand.messages += task.rounds;
    if (task.kind != TaskKind::load && task.kind != TaskKind::store) continue;
    ++demand.accesses;
    demand.bytes += static_cast<double>(task.bytes.value());
  }
  return demands;
}

/// "arch.accelerator", or "arch.groups.1.accelerator"
[[nodiscard]] std::string key_of(arch::ArraySpec const& array, std::size_t accelerator) {
  if (array.groups.size() == 1) return "arch.accelerator";
  auto left = static_cast<std::int64_t>(accelerator);
  std::size_t group = 0;
  while (left >= array.groups[group].count) left -= array.groups[group++].count;
  return "arch.groups." + std::to_string(group) + ".accelerator";
}

/// Its bandwidth and its latency.
[[nodiscard]] std::vector<Cause> memory_causes(arch::AcceleratorSpec const& accelerator,
                                               std::string const& key, Demand const& demand) {
  if (auto const* const memory = std::get_if<arch::BandwidthMemorySpec>(&accelerator.memory)) {
    auto const rate = static_cast<double>(memory->bandwidth.value()) / 8;
    return {
        {key + ".memory.bandwidth", "a faster memory", demand.bytes / rate},
        {key + ".memory.latency", "a faster memory", demand.accesses * seconds(memory->latency)}};
  }
  if (auto const* const memory = std::get_if<arch::DramMemorySpec>(&accelerator.memory)) {
    auto const block = static_cast<double>(memory->dram.block().value());
    return {{key + ".memory.dram.clock_period", "a faster memory",
             (demand.bytes / block + demand.accesses) * seconds(memory->dram.clock_period)}};
  }
  return {};
}

/// The slowest links, as often as messages may go up and down the hierarchy.
[[nodiscard]] std::vector<Cause> latency_causes(arch::ArraySpec const& array, double messages) {
  Time latency{0};
  arch::Topology const topology{array};
  for (auto const& link : topology.links()) latency = std::max(latency, link.latency);
  auto const hops = 2 * static_cast<double>(std::max(1, array.levels())) * messages;
  auto const cycle = 1 / static_cast<double>(array.fabric.clock.value());
  bool const is_network = array.fabric.topology == arch::FabricSpec::Topology::network;
  return {{is_network ? "arch.fabric.topology" : "arch.fabric.link.latency", "faster links",
           hops * seconds(latency)},
          {"arch.fabric.clock", "a faster clock", hops * cycle}};
}

/// The clock of the accelerator that computes at the lowest rate, or its measured times.
[[nodiscard]] Cause compute_cause(arch::ArraySpec const& array, double seconds) {
  Cause cause;
  double slowest = 0;
  std::size_t first = 0;
  for (auto const& [count, accelerator, link] : array.groups) {
    auto const key = key_of(array, first);
    first += static_cast<std::size_t>(count);
    if (std::holds_alternative<arch::ProfileUnitSpec>(accelerator.processing_unit)) {
      return {key + ".processing_unit.times", "shorter times", seconds};
    }
    auto const rate = static_cast<double>(accelerator.macs_per_cycle()) *
                      static_cast<double>(accelerator.clock.value());
    if (slowest != 0 && rate >= slowest) continue;
    slowest = rate;
    bool const is_core = std::holds_alternative<arch::CoreUnitSpec>(accelerator.processing_unit);
    cause = {key + (is_core ? ".processing_unit.core.clock" : ".clock"), "a faster clock", seconds};
  }
  return cause;
}

[[nodiscard]] std::vector<Cause> causes_of(Experiment const& experiment,
                                           partition::Plan const& plan, TaskGraph const& tasks) {
  auto const& array = experiment.array;
  auto const& predicted = plan.predicted.value();
  auto const steps = static_cast<double>(experiment.steps);
  bool const is_network = array.fabric.topology == arch::FabricSpec::Topology::network;
  std::vector<Cause> causes = {{is_network ? "arch.fabric.topology" : "arch.fabric.link.bandwidth",
                                "faster links", (predicted.time_s - predicted.compute_s) * steps},
                               compute_cause(array, predicted.compute_s * steps)};
  auto const demands = demands_of(tasks);
  double messages = 0;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    auto const index = tasks.folding().accelerator(i);
    auto const key = key_of(array, index);
    for (auto const& cause : memory_causes(array.accelerator(index), key, demands[i])) {
      causes.push_back(cause);
    }
    messages = std::max(messages, demands[i].messages);
  }
  for (auto const& cause : latency_causes(array, messages)) causes.push_back(cause);
  return causes;
}

/// What takes longest.
[[nodiscard]] Cause largest(std::vector<Cause> const& causes) {
  return *std::max_element(causes.begin(), causes.end(),
                           [](auto const& a, auto const& b) { return a.seconds < b.seconds; });
}

[[nodiscard]] double countable_s() {
  return static_cast<double>(INT64_MAX / picoseconds_per_second) / 4;
}

[[nodiscard]] ConfigError error_at(Cause const& cause, Experiment const& experiment) {
  return {{},
          cause.key,
          (experiment.steps == 1 ? "a step" : std::to_string(experiment.steps) + " steps") +
              " of " + title(experiment) + (experiment.steps == 1 ? " takes " : " take ") +
              time_text(cause.seconds) + " or more for this alone, on " +
              std::to_string(experiment.array.accelerators) +
              " accelerators (picoseconds summed over them cannot be counted beyond " +
              time_text(countable_s()) + "); use " + cause.remedy +
              ", fewer accelerators or a smaller batch"};
}

}  // namespace

void check_countable(Experiment const& experiment, partition::Plan const& plan,
                     TaskGraph const& tasks) {
  auto const worst = largest(causes_of(experiment, plan, tasks));
  auto const accelerators = static_cast<double>(experiment.array.accelerators);
  if (worst.seconds * accelerators > countable_s()) throw error_at(worst, experiment);
}

ConfigError uncountable(Experiment const& experiment, partition::Plan const& plan,
                        TaskGraph const& tasks) {
  return error_at(largest(causes_of(experiment, plan, tasks)), experiment);
}

bool is_overflow(ContractError const& error) {
  std::string const text = error.what();
  return text.find("broken: !overflow") != std::string::npos ||
         text.find("INT64_MAX") != std::string::npos;
}

}  // namespace tessera::sim
