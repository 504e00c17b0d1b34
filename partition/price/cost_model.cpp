#include "partition/price/cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <variant>

#include "arch/array/topology.hpp"
#include "partition/price/exchange_cost.hpp"
#include "partition/price/pipeline_cost.hpp"
#include "partition/price/ring_sum_cost.hpp"
#include "partition/price/traffic.hpp"
#include "partition/price/work.hpp"
#include "partition/step/conversion_memo.hpp"
#include "partition/step/exchanges.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

namespace {

using Actions = IdVector<ActionId, Action>;

Work work_of_actions(Problem const& problem, Plan const& plan, Actions const& actions) {
  Work sum;
  for (auto const& action : actions) {
    if (!action.is_computation()) continue;
    sum += work_of(problem, action.op, plan.splits_of(action.op, action.phase), action.phase);
  }
  return sum;
}

/// All communication of one level that goes level by level.
Traffic level_traffic(Problem const& problem, Actions const& actions, std::size_t level) {
  auto const shape = shape_of(problem.array);
  Traffic traffic;
  for (auto const& action : actions) {
    if (!action.conversion || action.conversion->collective) continue;
    traffic += traffic_of(problem.network, *action.conversion, level, shape);
  }
  return traffic;
}

/// Of all accelerators' memories. Those without banks spend only what accesses cost.
double standby_watts(arch::ArraySpec const& array) {
  double watts = 0;
  for (auto const& group : array.groups) {
    auto const* const memory = std::get_if<arch::DramMemorySpec>(&group.accelerator.memory);
    if (memory != nullptr) watts += static_cast<double>(group.count) * memory->standby_watts();
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
      time += seconds(arch::exchange_time(topology, level, sample, turn));
    }
    rates.push_back(time / static_cast<double>(siblings) / static_cast<double>(sample.value()));
  }
  return rates;
}

std::vector<double> seconds_per_element(Problem const& problem) {
  if (problem.byte_rates->empty()) *problem.byte_rates = seconds_per_byte(problem.array);
  auto rates = *problem.byte_rates;
  for (auto& rate : rates) {
    rate *= static_cast<double>(problem.network.element_size().value()) /
            static_cast<double>(problem.array.accelerators);
  }
  return rates;
}

namespace {

/// Prices collectives of whole groups, those that are alike once.
class CollectivePricer final {
 public:
  /// Of a step without stages. Both must outlive it.
  CollectivePricer(Problem const& problem, Step const& step)
      : topology_{problem.array},
        tiling_{tiling_of(step, StageId{0})},
        mesh_{step.stages[StageId{0}].mesh},
        element_size_{problem.network.element_size()},
        all_{everybody(mesh_.devices.size())},
        known_{tiling_} {}

  [[nodiscard]] ExchangeCost of(Conversion const& conversion) {
    return known_.of(conversion, [&] { return work_out(conversion); });
  }

 private:
  [[nodiscard]] ExchangeCost work_out(Conversion const& conversion) {
    auto const sum = ring_sum_of(tiling_, conversion);
    if (!sum) return of_all(conversion);
    auto const [known, is_new] = sums_.try_emplace(sum->kind());
    if (is_new) {
      known->second = ring_sum_cost(topology_, tiling_.hierarchy(), mesh_, element_size_, *sum);
    }
    return known->second;
  }

  [[nodiscard]] ExchangeCost of_all(Conversion const& conversion) const {
    return exchange_cost(topology_, tiling_.hierarchy(), mesh_, element_size_,
                         exchanges_of(tiling_, conversion, all_, Waits::left_out));
  }

  arch::Topology topology_;
  Tiling const& tiling_;
  DeviceMesh const& mesh_;
  Bytes element_size_;
  Holders all_;
  ConversionMemo<ExchangeCost> known_;
  std::map<RingSum::Kind, ExchangeCost> sums_;
};

/// Prices plans without stages, or some actions of their steps.
class FlatPricer final {
 public:
  /// The problem, the plan and `step`, which is all of it, must outlive it.
  FlatPricer(Problem const& problem, Plan const& plan, Step const& step)
      : problem_{problem}, plan_{plan} {
    bool const has_collectives = std::any_of(
        step.actions.begin(), step.actions.end(),
        [](Action const& action) { return action.conversion && action.conversion->collective; });
    if (has_collectives) collectives_.emplace(problem, step);
  }

  /// Computation and communication.
  [[nodiscard]] Cost times_of(Actions const& part, double& mac_energy_j) {
    Cost cost;
    auto const work = work_of_actions(problem_, plan_, part);
    mac_energy_j = work.mac_energy.value();
    cost.compute_s = work.slowest_s;
    for (std::size_t level = 0; level < static_cast<std::size_t>(plan_.levels()); ++level) {
      auto const traffic = level_traffic(problem_, part, level);
      cost.level_elements.push_back(traffic.elements);
      if (traffic.critical > 0) cost.communication_s += traffic.critical * rate_of(level);
    }
    add_collectives(part, cost);
    return cost;
  }

 private:
  /// Seconds per element; worked out where something goes level by level.
  [[nodiscard]] double rate_of(std::size_t level) {
    if (rates_.empty()) rates_ = seconds_per_element(problem_);
    return rates_[level];
  }

  /// One after another.
  void add_collectives(Actions const& part, Cost& cost) {
    for (auto const& action : part) {
      if (!action.conversion || !action.conversion->collective) continue;
      auto const own = collectives_->of(*action.conversion);
      cost.communication_s += own.seconds;
      for (std::size_t level = 0; level < own.level_elements.size(); ++level) {
        cost.level_elements[level] += own.level_elements[level];
      }
    }
  }

  Problem const& problem_;
  Plan const& plan_;
  std::vector<double> rates_;                    ///< by level, once somebody has asked
  std::optional<CollectivePricer> collectives_;  ///< if the step has any
};

Cost times_of_stages(Problem const& problem, Plan const& plan, Step const& step,
                     double& mac_energy_j) {
  auto const priced = pipeline_cost(problem, plan, step);
  mac_energy_j = priced.mac_energy_j;
  Cost cost;
  cost.compute_s = priced.compute_s;
  cost.communication_s = priced.time_s - priced.compute_s;
  cost.level_elements = priced.level_elements;
  return cost;
}

}  // namespace

Cost cost(Problem const& problem, Plan const& plan) {
  auto const step = step_of(problem, plan);
  double mac_energy_j = 0;
  auto cost = plan.pipeline ? times_of_stages(problem, plan, step, mac_energy_j)
                            : FlatPricer{problem, plan, step}.times_of(step.actions, mac_energy_j);
  auto const element_size = static_cast<double>(problem.network.element_size().value());
  double bytes = 0;
  for (auto const elements : cost.level_elements) bytes += elements * element_size;
  cost.communication = Bytes{std::llround(bytes)};
  auto const& energy = problem.array.energy;
  double const word = 4;  // bytes; EnergyTable prices 32-bit words
  cost.energy_j = mac_energy_j +
                  bytes / word * static_cast<double>(energy.memory_accesses_per_exchanged_word) *
                      energy.memory_access.value() +
                  standby_watts(problem.array) * cost.time_s();
  return cost;
}

namespace {

Bytes bytes_of(workloads::Network const& network, std::vector<double> const& level_elements) {
  auto const elements = std::accumulate(level_elements.begin(), level_elements.end(), 0.0);
  auto const element_size = static_cast<double>(network.element_size().value());
  return Bytes{std::llround(elements * element_size)};
}

std::map<PhaseKey, Actions> actions_by_phase(Step const& step) {
  std::map<PhaseKey, Actions> phases;
  for (auto const& action : step.actions) phases[{action.op, action.phase}].push_back(action);
  return phases;
}

}  // namespace

std::vector<PhaseCost> phase_costs(Problem const& problem, Plan const& plan) {
  auto const step = step_of(problem, plan);
  std::vector<PhaseCost> costs;
  auto const add = [&](PhaseKey const& key, double seconds, std::vector<double> const& elements) {
    costs.push_back({key.first, key.second, seconds, bytes_of(problem.network, elements)});
  };
  if (plan.pipeline) {
    for (auto const& [key, cost] : pipeline_cost(problem, plan, step).phases) {
      add(key, cost.seconds, cost.level_elements);
    }
    return costs;
  }
  FlatPricer pricer{problem, plan, step};
  for (auto const& [key, part] : actions_by_phase(step)) {
    double mac_energy_j = 0;
    auto const cost = pricer.times_of(part, mac_energy_j);
    add(key, cost.time_s(), cost.level_elements);
  }
  return costs;
}

Prediction predict(Problem const& problem, Plan const& plan) {
  auto const priced = cost(problem, plan);
  return {priced.time_s(), priced.communication, priced.energy_j, priced.compute_s,
          priced.level_elements};
}

}  // namespace tessera::partition
