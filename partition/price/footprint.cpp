#include "partition/price/footprint.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "arch/base/folding.hpp"
#include "partition/geometry/layout.hpp"
#include "partition/geometry/tiling.hpp"
#include "partition/price/work.hpp"
#include "partition/schedule/order_check.hpp"
#include "partition/step/stage_values.hpp"

namespace tessera::partition {

using workloads::Network;
using workloads::Operator;
using workloads::OperatorId;
using workloads::Phase;
using workloads::TensorAccess;

namespace {

/// The accelerators among which every other one has an equal in what it holds and has.
Folding equals(Problem const& problem, Plan const& plan, Tiling const& tiling) {
  std::vector<bool> alike;
  for (std::size_t level = 0; level < tiling.levels(); ++level) {
    alike.push_back(tiling.is_even(level) && has_alike_halves(problem.array, level));
  }
  return {static_cast<std::size_t>(plan.accelerators), alike};
}

/// What the accelerators of a stage hold.
class Holdings final {
 public:
  Holdings(Step const& step, StageId stage, Copies copies)
      : step_{step},
        stage_{stage},
        tiling_{tiling_of(step, stage)},
        kept_{step, tiling_, stage, Wanted::kept},
        copies_{copies} {}

  [[nodiscard]] Tiling const& tiling() const { return tiling_; }

  /// By position in the stage's mesh.
  [[nodiscard]] IdVector<OperatorId, Footprint> of(std::size_t position) const {
    auto const live = kept_.at(position);
    IdVector<OperatorId, Footprint> held{step_.network->operators().size()};
    for (auto const id : held.ids()) {
      held[id].weights = live.weights[id] * copies_.versions;
      held[id].gradients = live.gradients[id];
    }
    for (auto const& value : live.values) {
      if (!value.is_kept) continue;
      bool const is_again = step_.actions[value.made].phase == Phase::recompute;
      auto const copies = is_again ? copies_.recomputed : copies_.activations;
      held[value.holder].activations += Bytes{value.bytes.value() * copies / copies_.chunks};
    }
    return held;
  }

  /// The accelerator at `position`.
  [[nodiscard]] Fullest filled(arch::ArraySpec const& array, std::size_t position) const {
    Fullest result;
    result.accelerator = step_.stages[stage_].mesh.devices[position];
    result.capacity = array.accelerator(result.accelerator).memory_capacity;
    auto const held = of(position);
    for (auto const op : held.ids()) {
      result.footprint += held[op];
      if (held[op].total() <= result.of_heaviest) continue;
      result.heaviest = op;
      result.of_heaviest = held[op].total();
    }
    return result;
  }

 private:
  Step const& step_;
  StageId stage_;
  Tiling const& tiling_;
  StageValues kept_;
  Copies copies_;
};

/// After so many steps a schedule without flushes has had as much in flight as it ever has: each
/// replica has passed as many micro-batches as there are replicas, more than once.
std::int64_t steps_until_steady(Pipeline const& pipeline) {
  std::int64_t replicas = 0;
  for (auto const& stage : pipeline.stages) replicas += static_cast<std::int64_t>(stage.replicas);
  auto const rounds = 4 * replicas * replicas;
  return std::max<std::int64_t>(4, 1 + rounds / pipeline.micro_batches);
}

/// Four significant digits: "17.24 GB".
std::string rounded(Bytes bytes) {
  auto number = static_cast<double>(bytes.value());
  auto const* unit = "B";
  for (auto const* const larger : {"kB", "MB", "GB", "TB"}) {
    if (number < 999.95) break;
    number /= 1000;
    unit = larger;
  }
  std::ostringstream text;
  text << std::setprecision(4) << number << ' ' << unit;
  return text.str();
}

/// "accelerator 128 (group 2 of 2)"
std::string name_of(arch::ArraySpec const& array, std::size_t accelerator) {
  auto text = "accelerator " + std::to_string(accelerator);
  if (array.groups.size() == 1) return text;
  std::size_t group = 0;
  auto end = array.groups.front().count;
  while (static_cast<std::int64_t>(accelerator) >= end) end += array.groups[++group].count;
  return text + " (group " + std::to_string(group + 1) + " of " +
         std::to_string(array.groups.size()) + ")";
}

/// ", split I at level 1, 2; split II at level 3"; nothing where there are no levels.
std::string splits_text(Splits const& splits) {
  std::vector<std::pair<std::string, std::string>> levels;  // type, its levels
  for (std::size_t level = 0; level < splits.size(); ++level) {
    auto const type = type_name(splits[level]);
    auto const number = std::to_string(level + 1);
    auto const known = std::find_if(levels.begin(), levels.end(),
                                    [&](auto const& entry) { return entry.first == type; });
    if (known == levels.end()) {
      levels.emplace_back(type, number);
    } else {
      known->second += ", " + number;
    }
  }
  std::string text;
  for (auto const& [type, numbers] : levels) {
    text.append(text.empty() ? ", " : "; ").append(type == "-" ? "not split" : "split ");
    if (type != "-") text.append(type);
    text.append(" at level ").append(numbers);
  }
  return text;
}

std::string suggestion(Fit fit) {
  return fit == Fit::search
             ? "no plan that fits was found (hypar, accpar, optcnn and exhaustive search); use a "
               "smaller batch, more accelerators, another planner, or planner.fit=ignore"
             : "use a smaller batch, more accelerators, another planner, planner.fit=search, or "
               "planner.fit=ignore";
}

/// Does a backward pass read the inputs?
bool keeps_inputs(Operator const& op) {
  return op.has(Phase::backward_weight) ||
         (op.has(Phase::backward_data) && workloads::error_needs_inputs(op.kind));
}

double share_of(TensorAccess const& access, Splits const& splits, ArrayShape const& shape) {
  double share = 1;
  for (std::size_t level = 0; level < splits.size(); ++level) {
    auto const& split = splits[level];
    if (split && access.axis_of(split->dim)) share *= larger_share(*split, shape.ways_at(level));
  }
  return share;
}

}  // namespace

Footprint& Footprint::operator+=(Footprint const& other) {
  weights += other.weights;
  gradients += other.gradients;
  activations += other.activations;
  return *this;
}

namespace {

/// What a replica does until it has had as much in flight as it ever has.
Order order_until_steady(Pipeline const& pipeline, StageId stage, std::size_t replica) {
  if (pipeline.schedule == Pipeline::layerwise) return one_by_one(1, 1);
  return order_of(pipeline, stage, replica, flushes(pipeline) ? 2 : steps_until_steady(pipeline));
}

}  // namespace

Copies copies_of(Pipeline const& pipeline, StageId stage, std::size_t replica) {
  auto const high = high_water(order_until_steady(pipeline, stage, replica));
  return {high.weight_versions, high.activations, static_cast<std::int64_t>(pipeline.chunks()),
          high.backward};
}

namespace {

/// Where an accelerator is.
struct Seat {
  StageId stage;
  std::size_t position = 0;
  std::size_t replica = 0;
};

std::optional<Seat> seat_of(Step const& step, std::size_t accelerator) {
  for (auto const id : step.stages.ids()) {
    auto const& [mesh, replicas, chunks, activations, orders] = step.stages[id];
    auto const found = std::find(mesh.devices.begin(), mesh.devices.end(), accelerator);
    if (found == mesh.devices.end()) continue;
    auto const position = static_cast<std::size_t>(found - mesh.devices.begin());
    return Seat{id, position, position / (mesh.devices.size() / replicas)};
  }
  return std::nullopt;
}

Holdings holdings_of(Step const& step, Seat const& seat) {
  auto const& pipeline = step.plan->pipeline;
  if (!pipeline) return {step, seat.stage, {}};
  return {step, seat.stage, copies_of(*pipeline, seat.stage, seat.replica)};
}

}  // namespace

IdVector<OperatorId, Footprint> footprints(Network const& network, Plan const& plan,
                                           std::size_t accelerator) {
  auto const step = step_of(network, plan);
  auto const seat = seat_of(step, accelerator);
  if (!seat) return IdVector<OperatorId, Footprint>{network.operators().size()};
  return holdings_of(step, *seat).of(seat->position);
}

Bytes working_memory(Network const& network, Plan const& plan, std::size_t accelerator) {
  return working_memory(step_of(network, plan), accelerator);
}

Bytes working_memory(Step const& step, std::size_t accelerator) {
  auto const seat = seat_of(step, accelerator);
  if (!seat) return Bytes{0};
  auto const& pipeline = step.plan->pipeline;
  auto const order =
      pipeline ? order_until_steady(*pipeline, seat->stage, seat->replica) : one_by_one(1, 1);
  StageValues const values{step, tiling_of(step, seat->stage), seat->stage};
  auto const most = most_alive(step, values.at(seat->position), order);
  return most.all - most.kept;
}

namespace {

void keep_fuller(std::optional<Fullest>& fullest, Fullest const& next) {
  if (!fullest || next.filled() > fullest->filled()) fullest = next;
}

/// Of the first replicas, which have most in flight.
Fullest fullest_of_stages(Problem const& problem, Step const& step) {
  std::optional<Fullest> result;
  for (auto const id : step.stages.ids()) {
    auto const& stage = step.stages[id];
    auto const holdings = holdings_of(step, {id});
    for (std::size_t i = 0; i < stage.mesh.devices.size() / stage.replicas; ++i) {
      keep_fuller(result, holdings.filled(problem.array, i));
    }
  }
  return *result;
}

}  // namespace

Fullest fullest(Problem const& problem, Plan const& plan) {
  return fullest(problem, step_of(problem.network, plan));
}

Fullest fullest(Problem const& problem, Step const& step) {
  if (step.plan->pipeline) return fullest_of_stages(problem, step);
  auto const holdings = holdings_of(step, {StageId{0}});
  auto const representatives = equals(problem, *step.plan, holdings.tiling());
  std::optional<Fullest> result;
  for (std::size_t i = 0; i < representatives.representatives(); ++i) {
    keep_fuller(result, holdings.filled(problem.array, representatives.accelerator(i)));
  }
  return *result;
}

Fit fit_from(ConfigMap& options) {
  return options.choice<Fit>(
      "fit", {{"reject", Fit::reject}, {"ignore", Fit::ignore}, {"search", Fit::search}},
      Fit::reject);
}

void check_fit(Problem const& problem, Plan const& plan, Fit fit) {
  if (fit == Fit::ignore) return;
  auto const full = fullest(problem, plan);
  if (full.fits()) return;
  auto const& [weights, gradients, activations] = full.footprint;
  throw ConfigError{
      {},
      "planner.fit",
      "the plan of " + plan.planner + " for " + plan.network + ", batch " +
          std::to_string(plan.batch) + ", makes " + name_of(problem.array, full.accelerator) +
          " hold " + rounded(full.footprint.total()) + ", but its memory has " +
          rounded(full.capacity) + " (weights " + rounded(weights) + ", gradients " +
          rounded(gradients) + ", activations kept " + rounded(activations) + "; most in layer '" +
          problem.network.at(full.heaviest).name + "', " + rounded(full.of_heaviest) +
          splits_text(plan.splits[full.heaviest]) + "); " + suggestion(fit)};
}

double elements_held(Network const& network, OperatorId id, Splits const& splits,
                     ArrayShape const& shape) {
  auto const& op = network.at(id);
  auto const held = [&](TensorAccess const& access) {
    return static_cast<double>(network.at(access.tensor).elements().value()) *
           share_of(access, splits, shape);
  };
  double elements = 0;
  if (op.weight) elements += held(*op.weight) * (op.has(Phase::backward_weight) ? 2 : 1);
  if (keeps_inputs(op)) {
    for (auto const& input : op.inputs) elements += held(input);
  }
  return elements;
}

}  // namespace tessera::partition
