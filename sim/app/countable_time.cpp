// An estimate of a step's time, cause by cause: each at its peak rate, one behind the other.
#include "sim/app/countable_time.hpp"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "arch/topology.hpp"
#include "partition/cost_model.hpp"
#include "sim/app/table.hpp"

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

[[nodiscard]] Demand demand_of(TaskGraph const& tasks, std::size_t representative) {
  Demand demand;
  for (auto const& task : tasks.tasks()) {
    if (task.accelerator.index() != representative) continue;
    if (task.kind == TaskKind::transfer) ++demand.messages;
    if (task.kind != TaskKind::load && task.kind != TaskKind::store) continue;
    ++demand.accesses;
    demand.bytes += static_cast<double>(task.bytes.value());
  }
  return demand;
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

[[nodiscard]] Time longest_latency(arch::ArraySpec const& array) {
  Time latency{0};
  arch::Topology const topology{array};
  for (auto const& link : topology.links()) latency = std::max(latency, link.latency);
  return latency;
}

/// The slowest links, as often as messages may go up and down the hierarchy.
[[nodiscard]] std::vector<Cause> latency_causes(arch::ArraySpec const& array, Time latency,
                                                Demand const& demand) {
  auto const hops = 2 * static_cast<double>(std::max(1, array.levels())) * demand.messages;
  auto const cycle = 1 / static_cast<double>(array.fabric.clock.value());
  bool const is_network = array.fabric.topology == arch::FabricSpec::Topology::network;
  return {{is_network ? "arch.fabric.topology" : "arch.fabric.link.latency", "faster links",
           hops * seconds(latency)},
          {"arch.fabric.clock", "a faster clock", hops * cycle}};
}

/// Of a profile, whose times are what they are: none.
[[nodiscard]] double macs_per_second(arch::AcceleratorSpec const& accelerator) {
  if (std::holds_alternative<arch::ProfileUnitSpec>(accelerator.processing_unit)) return 0;
  return static_cast<double>(accelerator.macs_per_cycle()) *
         static_cast<double>(accelerator.clock.value());
}

[[nodiscard]] std::vector<Cause> causes_of(Experiment const& experiment,
                                           partition::Plan const& plan, TaskGraph const& tasks) {
  auto const& array = experiment.array;
  auto const cost = partition::cost({experiment.network, array}, plan);
  bool const is_network = array.fabric.topology == arch::FabricSpec::Topology::network;
  std::vector<Cause> causes = {{is_network ? "arch.fabric.topology" : "arch.fabric.link.bandwidth",
                                "faster links", cost.communication_s}};
  auto const latency = longest_latency(array);
  auto slowest_clock = key_of(array, 0) + ".clock";
  auto slowest_rate = 0.0;
  for (std::size_t i = 0; i < tasks.folding().representatives(); ++i) {
    auto const index = tasks.folding().accelerator(i);
    auto const& accelerator = array.accelerator(index);
    auto const demand = demand_of(tasks, i);
    auto const key = key_of(array, index);
    for (auto const& cause : memory_causes(accelerator, key, demand)) causes.push_back(cause);
    for (auto const& cause : latency_causes(array, latency, demand)) causes.push_back(cause);
    auto const rate = macs_per_second(accelerator);
    bool const is_core = std::holds_alternative<arch::CoreUnitSpec>(accelerator.processing_unit);
    if (rate == 0 || (slowest_rate != 0 && rate >= slowest_rate)) continue;
    slowest_rate = rate;
    slowest_clock = key + (is_core ? ".processing_unit.core.clock" : ".clock");
  }
  causes.push_back({slowest_clock, "a faster clock", cost.compute_s});
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
          "a step of " + title(experiment) + " takes " + time_text(cause.seconds) +
              " or more for this alone, on " + std::to_string(experiment.array.accelerators) +
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
