#include "partition/price/stage_pricer.hpp"

#include <algorithm>
#include <numeric>

#include "partition/price/exchange_cost.hpp"
#include "partition/price/work.hpp"

namespace tessera::partition {

namespace {

arch::ArraySpec array_of(arch::ArraySpec const& array, Stage const& stage) {
  auto part = array;
  part.accelerators = static_cast<std::int64_t>(stage.mesh.devices.size());
  part.groups.clear();
  for (auto const device : stage.mesh.devices) {
    auto const& group = array.group_of(device);
    bool const is_alike = !part.groups.empty() &&
                          &array.group_of(stage.mesh.devices.front()) == &group &&
                          part.groups.size() == 1;
    if (!is_alike) part.groups.push_back({0, group.accelerator, group.link_bandwidth});
    ++part.groups.back().count;
  }
  return part;
}

}  // namespace

StagePricer::StagePricer(Problem const& problem, Step const& step, Plan const& plan,
                         Stage const& stage, OperatorTimes const& times)
    : array_{&problem.array},
      network_{step.network.get()},
      stage_{&stage},
      hierarchy_{stage.mesh.hierarchy()},
      tiling_{*step.network, plan, stage},
      shape_{{}, stage.mesh.arity},
      of_stage_{array_of(problem.array, stage)},
      topology_{problem.array},
      times_{times} {
  for (std::size_t axis = 0; axis < hierarchy_.levels(); ++axis) {
    rates_.push_back(seconds_per_element(axis));
    levels_.push_back(level_of(axis));
  }
}

ActionCost StagePricer::computation(Action const& action, Splits const& splits) const {
  auto const& op = network_->at(action.op);
  auto const work = work_of(of_stage_, hierarchy_, op, splits, action.phase);
  auto const share = action.pass == Pass::update ? 1.0 : 1.0 / static_cast<double>(replicas());
  auto const slowest_s = times_ ? compute_s(op, action.phase, splits) : work.slowest_s;
  return {slowest_s, work.mac_energy.value() * share, {}};
}

/// Of the first accelerator of each kind, which has the largest of equal parts.
double StagePricer::compute_s(workloads::Operator const& op, workloads::Phase phase,
                              Splits const& splits) const {
  if (!op.has(phase)) return 0;
  double slowest_s = 0;
  std::size_t first = 0;
  for (auto const& group : of_stage_.groups) {
    auto const& accelerator = array_->accelerator(stage_->mesh.devices[first]);
    auto const part = largest_part(hierarchy_, op, phase, splits, first);
    slowest_s = std::max(slowest_s, times_(accelerator, op, phase, part));
    first += static_cast<std::size_t>(group.count);
  }
  return slowest_s;
}

ActionCost StagePricer::conversion(Action const& action) const {
  return exchange(*action.conversion, action.pass == Pass::update);
}

ActionCost StagePricer::exchange(Conversion const& conversion, bool of_all_replicas) const {
  if (conversion.collective) return as_sent(conversion, of_all_replicas);
  ActionCost cost;
  cost.level_elements.resize(static_cast<std::size_t>(array_->levels()));
  auto const share = of_all_replicas ? 1.0 : 1.0 / static_cast<double>(replicas());
  for (std::size_t axis = 0; axis < rates_.size(); ++axis) {
    auto const traffic = traffic_of(*network_, conversion, axis, shape_);
    cost.seconds += traffic.critical * rates_[axis];
    cost.level_elements[levels_[axis]] += traffic.elements * share;
  }
  return cost;
}

/// By collectives of whole groups: of one replica the time, and the mean of what all send.
ActionCost StagePricer::as_sent(Conversion const& conversion, bool of_all_replicas) const {
  auto const all = everybody(stage_->mesh.devices.size());
  auto const cost_of = [&](Holders const& positions) {
    return exchange_cost(topology_, array_->hierarchy(), stage_->mesh, network_->element_size(),
                         exchanges_of(tiling_, conversion, positions, Waits::left_out));
  };
  auto whole = cost_of(all);
  if (of_all_replicas || replicas() == 1)
    return {whole.seconds, 0, std::move(whole.level_elements)};
  for (auto& elements : whole.level_elements) elements /= static_cast<double>(replicas());
  return {cost_of(holders_of(0).positions).seconds, 0, std::move(whole.level_elements)};
}

MeshHolders StagePricer::holders() const { return all_holders(tiling_, stage_->mesh); }

MeshHolders StagePricer::holders_of(std::size_t replica) const {
  Holders positions(stage_->mesh.devices.size() / replicas());
  std::iota(positions.begin(), positions.end(), replica * positions.size());
  return {tiling_, stage_->mesh, positions};
}

/// While each accelerator of the stage exchanges with its siblings along an axis.
double StagePricer::seconds_per_element(std::size_t axis) const {
  Bytes const sample{1'000'000};
  auto const siblings = hierarchy_.ways(axis) - 1;
  double time = 0;
  for (std::size_t rotation = 1; rotation <= siblings; ++rotation) {
    std::vector<arch::Topology::Sent> messages;
    for (std::size_t position = 0; position < hierarchy_.accelerators(); ++position) {
      auto const sibling = hierarchy_.sibling(position, axis, rotation);
      messages.push_back({arch::NodeId{stage_->mesh.devices[position]},
                          arch::NodeId{stage_->mesh.devices[sibling]}, sample});
    }
    time += seconds(exchange_time(topology_.heaviest_loads(messages)));
  }
  auto const per_byte = time / static_cast<double>(siblings) / static_cast<double>(sample.value());
  return per_byte * static_cast<double>(network_->element_size().value()) /
         static_cast<double>(hierarchy_.accelerators());
}

/// Of the array, at which siblings along an axis differ.
std::size_t StagePricer::level_of(std::size_t axis) const {
  return array_->hierarchy().outermost_difference(
      stage_->mesh.devices[0], stage_->mesh.devices[hierarchy_.sibling(0, axis)]);
}

}  // namespace tessera::partition
