#include "sim/study/in_flight_law.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "partition/price/footprint.hpp"
#include "partition/schedule/order_check.hpp"

namespace tessera::sim {

using partition::Order;
using partition::Pass;
using partition::Pipeline;
using partition::StageId;
using workloads::Phase;

namespace {

/// What an accelerator does at all.
struct Duties {
  std::set<std::tuple<Pass, std::int64_t, std::int64_t>> passes;  ///< micro-batch, chunk
  bool updates = false;
  bool sums_gradients = false;
};

/// What is recomputed belongs to the pass of the errors.
Pass pass_of(Phase phase) {
  if (phase == Phase::forward) return Pass::forward;
  return phase == Phase::backward_weight ? Pass::backward_weight : Pass::backward_data;
}

/// By representative.
std::vector<Duties> duties_of(TaskGraph const& tasks) {
  std::vector<Duties> duties(tasks.accelerators());
  for (auto const id : tasks.tasks().ids()) {
    auto const& task = tasks.at(id);
    auto& own = duties[task.accelerator.index()];
    if (task.kind == TaskKind::transfer && task.phase == Phase::backward_weight) {
      own.sums_gradients = true;
      duties[task.destination.index()].sums_gradients = true;
    }
    if (task.kind != TaskKind::compute) continue;
    auto const& passage = tasks.passage_of(id);
    if (task.phase == Phase::update) {
      own.updates = true;
    } else {
      own.passes.insert(
          {pass_of(task.phase), passage.micro_batch, static_cast<std::int64_t>(passage.chunk)});
    }
  }
  return duties;
}

bool has(Duties const& duties, partition::Slot const& slot) {
  auto const is_there = [&](Pass pass) {
    return duties.passes.count({pass, slot.micro_batch, slot.chunk}) > 0;
  };
  if (slot.pass == Pass::update) return duties.updates;
  if (slot.pass != Pass::backward) return is_there(slot.pass);
  return is_there(Pass::backward_data) || is_there(Pass::backward_weight);
}

/// What is left of an order where an accelerator has nothing to do for some of it.
Order order_of(Duties const& duties, Order const& order) {
  Order own;
  for (auto slot : order) {
    if (!has(duties, slot)) continue;
    if (!duties.updates) slot.version = 0;
    own.push_back(slot);
  }
  return own;
}

std::size_t replica_at(partition::Stage const& stage, std::size_t accelerator) {
  auto const& devices = stage.mesh.devices;
  auto const found = std::find(devices.begin(), devices.end(), accelerator);
  EXPECTS(found != devices.end(), accelerator);
  auto const position = static_cast<std::size_t>(found - devices.begin());
  return position / (devices.size() / stage.replicas);
}

void check_order(traces::StageEntry const& entry, Duties const& duties, Order const& order) {
  auto const expected = high_water(order_of(duties, order));
  ENSURES(entry.in_flight == expected.activations, entry.stage, entry.accelerator, entry.in_flight,
          expected.activations);
  ENSURES(entry.weight_versions <= expected.weight_versions, entry.stage, entry.accelerator,
          entry.weight_versions, expected.weight_versions);
  ENSURES(duties.sums_gradients || entry.weight_versions == expected.weight_versions, entry.stage,
          entry.accelerator, entry.weight_versions, expected.weight_versions);
}

}  // namespace

void check_in_flight(partition::Plan const& plan, std::int64_t steps, TaskGraph const& tasks,
                     traces::RunSummary const& summary) {
  if (!plan.pipeline || plan.pipeline->schedule == Pipeline::layerwise) return;
  auto const program = program_of(*plan.pipeline, steps);
  auto const duties = duties_of(tasks);
  std::map<std::pair<std::size_t, std::size_t>, partition::Copies> footprint;
  for (auto const& entry : summary.stages) {
    StageId const stage{entry.stage};
    auto const replica = replica_at(plan.pipeline->stages[stage], entry.accelerator);
    check_order(entry, duties[tasks.folding().representative(entry.accelerator)],
                program.orders[entry.stage][replica]);
    auto const [room, is_new] = footprint.try_emplace({entry.stage, replica});
    if (is_new) room->second = copies_of(*plan.pipeline, stage, replica);
    ENSURES(entry.in_flight <= room->second.activations, entry.stage, entry.in_flight,
            room->second.activations);
    ENSURES(entry.weight_versions <= room->second.versions, entry.stage, entry.weight_versions,
            room->second.versions);
  }
}

}  // namespace tessera::sim
