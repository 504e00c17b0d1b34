#include "partition/cost_model.hpp"

#include <algorithm>
#include <cmath>

#include "arch/topology.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::Operator;
using workloads::OperatorId;
using workloads::Phase;
using workloads::TensorAccess;

namespace {

using Kind = Holding::Kind;

/// The share of a tensor that a group holds while one of its inner levels is worked on: every outer
/// level that has it split halves it. `whole_while_partial`: reduce-scatter runs innermost first
/// (outer levels still hold whole summands), all-gather outermost first.
double outer_share(Layout const& from, Layout const& to, std::size_t level, bool reducing,
                   bool gathering) {
  double share = 1;
  for (std::size_t outer = 0; outer < level; ++outer) {
    bool const whole =
        (from[outer].kind == Kind::replicated && to[outer].kind == Kind::replicated) ||
        (reducing && from[outer].kind == Kind::partial) ||
        (gathering && to[outer].kind == Kind::replicated);
    if (!whole) share /= 2;
  }
  return share;
}

/// Groups at a level, times the copies of each exchange that inner replication makes.
double exchanging_groups(Layout const& from, Layout const& to, std::size_t level) {
  double groups = std::exp2(static_cast<double>(level));
  for (auto inner = level + 1; inner < from.size(); ++inner) {
    if (from[inner].kind == Kind::replicated && to[inner].kind == Kind::replicated) groups *= 2;
  }
  return groups;
}

double elements_of(workloads::Network const& network, TensorAccess const& access) {
  return static_cast<double>(network.at(access.tensor).elements().value());
}

/// MACs of one accelerator in one phase: every split halves the loop nest; the update works on the
/// weights that it holds.
double macs_per_accelerator(workloads::Network const& network,
                            arch::AcceleratorSpec const& accelerator, OperatorId id,
                            Splits const& splits, Phase phase) {
  auto const& op = network.at(id);
  double share = 1;
  for (auto const& split : splits) {
    bool const cut = split && (phase != Phase::update || op.weight->axis_of(*split));
    if (cut) share /= 2;
  }
  return share * static_cast<double>(macs_charged(accelerator, op, phase).value());
}

double macs_of_step(Problem const& problem, Plan const& plan,
                    arch::AcceleratorSpec const& accelerator) {
  double macs = 0;
  for (auto const id : problem.network.operators().ids()) {
    for (auto const phase : workloads::all_phases) {
      if (!problem.network.at(id).has(phase)) continue;
      macs += macs_per_accelerator(problem.network, accelerator, id, plan.splits[id], phase);
    }
  }
  return macs;
}

/// The slowest accelerator's time: all have equal shares.
double compute_seconds(Problem const& problem, Plan const& plan, double& total_macs) {
  double slowest = 0;
  total_macs = 0;
  for (auto const& [count, accelerator] : problem.array.groups) {
    auto const macs = macs_of_step(problem, plan, accelerator);
    auto const rate = static_cast<double>(accelerator.macs_per_cycle()) *
                      static_cast<double>(accelerator.clock.value());
    slowest = std::max(slowest, macs / rate);
    total_macs += macs * static_cast<double>(count);
  }
  return slowest;
}

/// When every accelerator exchanges with its counterpart at a level. As a rate, since a plan may
/// move more than a Time can count.
double seconds_per_byte(arch::Topology const& topology, int level) {
  Bytes const sample{1'000'000};
  return seconds(topology.exchange_time(level, sample)) / static_cast<double>(sample.value());
}

/// All communication of one level, both directions, all groups.
double level_elements(Problem const& problem, Plan const& plan, std::size_t level) {
  LevelPricer const pricer{problem.network, level};
  double elements = 0;
  for (auto const id : problem.network.operators().ids()) {
    elements += pricer.operator_elements(id, plan.splits[id]);
    for (auto const consumer : problem.network.at(problem.network.at(id).output.tensor).consumers) {
      elements += pricer.edge_elements(id, plan.splits[id], consumer, plan.splits[consumer]);
    }
  }
  return elements;
}

}  // namespace

Macs macs_charged(arch::AcceleratorSpec const& accelerator, Operator const& op, Phase phase) {
  auto const macs = op.macs(phase);
  auto const* const rated = std::get_if<arch::MacRateUnitSpec>(&accelerator.processing_unit);
  if (rated == nullptr) return macs;
  auto const& unit = *rated;
  if (phase == Phase::update) return unit.charges_update ? macs : Macs{0};
  if (unit.mac_count == arch::MacRateUnitSpec::MacCount::output_map) return macs;
  auto const output_positions = op.extents[Dim::h] * op.extents[Dim::w];
  return Macs{macs.value() / output_positions * op.input_rows * op.input_columns};
}

double moved_elements(Layout const& from, Layout const& to, std::size_t level, double elements) {
  auto const before = from[level];
  auto const after = to[level];
  if (before == after || before.kind == Kind::replicated) return 0;
  auto const groups = elements * exchanging_groups(from, to, level);
  if (before.kind == Kind::partial) {
    auto const scatter = groups * outer_share(from, to, level, true, false);
    auto const gather = groups * outer_share(from, to, level, false, true);
    return after.kind == Kind::replicated ? scatter + gather : scatter;
  }
  if (after.kind == Kind::replicated) return groups * outer_share(from, to, level, false, true);
  return groups * outer_share(from, to, level, false, false) / 2;
}

double LevelPricer::operator_elements(OperatorId id, Splits const& splits) const {
  auto const& op = network_->at(id);
  double elements = 0;
  if (op.weight) {
    elements += moved_elements(layout_written(*op.weight, splits), layout_read(*op.weight, splits),
                               level_, elements_of(*network_, *op.weight));
  }
  if (network_->at(op.output.tensor).consumers.empty()) {
    auto const written = layout_written(op.output, splits);
    auto const loss = layout_of_loss(written);
    auto const size = elements_of(*network_, op.output);
    elements += moved_elements(written, loss, level_, size) +
                moved_elements(loss, layout_read(op.output, splits), level_, size);
  }
  return elements;
}

double LevelPricer::edge_elements(OperatorId producer_id, Splits const& producer_splits,
                                  OperatorId consumer_id, Splits const& consumer_splits) const {
  auto const& output = network_->at(producer_id).output;
  auto const& consumer = network_->at(consumer_id);
  auto const& input = input_of(consumer, output.tensor);
  auto const size = elements_of(*network_, output);
  auto const features = moved_elements(layout_written(output, producer_splits),
                                       layout_read(input, consumer_splits), level_, size);
  auto const errors = moved_elements(layout_written(input, consumer_splits),
                                     layout_read(output, producer_splits), level_, size);
  return features + errors;
}

Cost cost(Problem const& problem, Plan const& plan) {
  Cost cost;
  double macs = 0;
  cost.compute_s = compute_seconds(problem, plan, macs);
  arch::Topology const topology{problem.array};
  auto const element_size = static_cast<double>(problem.network.element_size().value());
  double bytes = 0;
  for (std::size_t level = 0; level < static_cast<std::size_t>(plan.levels()); ++level) {
    auto const elements = level_elements(problem, plan, level);
    cost.level_elements.push_back(elements);
    auto const level_bytes = elements * element_size;
    cost.communication_s += level_bytes / static_cast<double>(plan.accelerators) *
                            seconds_per_byte(topology, static_cast<int>(level) + 1);
    bytes += level_bytes;
  }
  cost.communication = Bytes{std::llround(bytes)};
  auto const& energy = problem.array.energy;
  double const word = 4;  // bytes; EnergyTable prices 32-bit words
  cost.energy_j = macs * (energy.multiply + energy.add).value() +
                  bytes / word * static_cast<double>(energy.memory_accesses_per_exchanged_word) *
                      energy.memory_access.value();
  return cost;
}

Prediction predict(Problem const& problem, Plan const& plan) {
  auto const priced = cost(problem, plan);
  return {priced.time_s(), priced.communication, priced.energy_j};
}

}  // namespace tessera::partition
