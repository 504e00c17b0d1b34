#include "partition/cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "arch/topology.hpp"
#include "partition/traffic.hpp"
#include "partition/work.hpp"

namespace tessera::partition {

namespace {

Work work_of_step(Problem const& problem, Plan const& plan) {
  Work sum;
  for (auto const op : problem.network.operators().ids()) {
    sum += work_of(problem, op, plan.splits[op]);
  }
  return sum;
}

/// All communication of one level.
Traffic level_traffic(Problem const& problem, Plan const& plan, std::size_t level) {
  LevelPricer const pricer{problem.network, level, shape_of(problem.array)};
  Traffic traffic;
  for (auto const id : problem.network.operators().ids()) {
    traffic += pricer.within(id, plan.splits[id]);
    for (auto const consumer : problem.network.at(problem.network.at(id).output.tensor).consumers) {
      traffic += pricer.between(id, plan.splits[id], consumer, plan.splits[consumer]);
    }
  }
  return traffic;
}

/// Of all accelerators' memories. Those without banks spend only what accesses cost.
double standby_watts(arch::ArraySpec const& array) {
  double watts = 0;
  for (auto const& group : array.groups) {
    auto const* const memory = std::get_if<arch::DramMemorySpec>(&group.accelerator.memory);
    if (memory != nullptr) watts += static_cast<double>(group.count) * memory->dram.standby_watts();
  }
  return watts;
}

}  // namespace

std::vector<double> seconds_per_byte(arch::ArraySpec const& array) {
  arch::Topology const topology{array};
  // At most a second on the slowest link, or the time of very slow ones could not be counted.
  auto bytes = std::int64_t{1'000'000};
  for (auto const& link : topology.links()) {
    bytes = std::clamp<std::int64_t>(link.lane_bandwidth.value() / 8, 1, bytes);
  }
  Bytes const sample{bytes};
  auto const hierarchy = array.hierarchy();
  std::vector<double> rates;
  for (int level = 1; level <= array.levels(); ++level) {
    auto const siblings = hierarchy.ways(static_cast<std::size_t>(level - 1)) - 1;
    double time = 0;
    for (std::size_t turn = 1; turn <= siblings; ++turn) {
      time += seconds(topology.exchange_time(level, sample, turn));
    }
    rates.push_back(time / static_cast<double>(siblings) / static_cast<double>(sample.value()));
  }
  return rates;
}

std::vector<double> seconds_per_element(Problem const& problem) {
  auto rates = seconds_per_byte(problem.array);
  for (auto& rate : rates) {
    rate *= static_cast<double>(problem.network.element_size().value()) /
            static_cast<double>(problem.array.accelerators);
  }
  return rates;
}

Cost cost(Problem const& problem, Plan const& plan) {
  Cost cost;
  auto const work = work_of_step(problem, plan);
  cost.compute_s = work.slowest_s;
  auto const rates = seconds_per_element(problem);
  auto const element_size = static_cast<double>(problem.network.element_size().value());
  double bytes = 0;
  for (std::size_t level = 0; level < static_cast<std::size_t>(plan.levels()); ++level) {
    auto const traffic = level_traffic(problem, plan, level);
    cost.level_elements.push_back(traffic.elements);
    cost.communication_s += traffic.critical * rates[level];
    bytes += traffic.elements * element_size;
  }
  cost.communication = Bytes{std::llround(bytes)};
  auto const& energy = problem.array.energy;
  double const word = 4;  // bytes; EnergyTable prices 32-bit words
  cost.energy_j = work.mac_energy.value() +
                  bytes / word * static_cast<double>(energy.memory_accesses_per_exchanged_word) *
                      energy.memory_access.value() +
                  standby_watts(problem.array) * cost.time_s();
  return cost;
}

Prediction predict(Problem const& problem, Plan const& plan) {
  auto const priced = cost(problem, plan);
  return {priced.time_s(), priced.communication, priced.energy_j};
}

}  // namespace tessera::partition
