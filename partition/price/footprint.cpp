#include "partition/price/footprint.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "arch/base/folding.hpp"
#include "partition/geometry/halo.hpp"
#include "partition/geometry/layout.hpp"
#include "partition/geometry/tiling.hpp"
#include "partition/price/work.hpp"
#include "partition/schedule/order_check.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {

using workloads::Network;
using workloads::Operator;
using workloads::OperatorId;
using workloads::Phase;
using workloads::TensorAccess;
using workloads::TensorId;

namespace {

/// Does a backward pass read the inputs?
bool keeps_inputs(Operator const& op) {
  return op.has(Phase::backward_weight) ||
         (op.has(Phase::backward_data) && workloads::error_needs_inputs(op.kind));
}

/// A part of a tensor that an operator keeps.
struct KeptTensor {
  OperatorId by;
  Region region;
  bool is_recomputed = false;  ///< made anew for the backward pass
};

bool contains(Region const& outer, Region const& inner) {
  return outer.intersect(inner).elements() == inner.elements();
}

/// Is it within what another operator keeps? Of equal parts the first counts.
bool is_counted_elsewhere(std::vector<KeptTensor> const& all, std::size_t index) {
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (other == index || !contains(all[other].region, all[index].region)) continue;
    bool const is_equal = contains(all[index].region, all[other].region);
    if (!is_equal || other < index) return true;
  }
  return false;
}

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
  /// Without stages.
  Holdings(Network const& network, Plan const& plan)
      : network_{network},
        plan_{plan},
        tiling_{network, plan},
        operators_{network.operators().ids()} {}

  /// `network` is of a micro-batch.
  Holdings(Network const& network, Plan const& plan, Stage const& stage, Copies copies)
      : network_{network},
        plan_{plan},
        tiling_{network, plan, stage},
        copies_{copies},
        recomputes_{stage.recomputes()},
        parts_{parts_of(*plan.pipeline, network)} {
    for (auto const& chunk : stage.chunks) {
      operators_.insert(operators_.end(), chunk.begin(), chunk.end());
    }
  }

  [[nodiscard]] Tiling const& tiling() const { return tiling_; }

  /// By position in the stage's mesh.
  [[nodiscard]] IdVector<OperatorId, Footprint> of(std::size_t position) const {
    IdVector<OperatorId, Footprint> held{network_.operators().size()};
    IdVector<TensorId, std::vector<KeptTensor>> kept{network_.tensors().size()};
    for (auto const id : operators_) {
      auto const& op = network_.at(id);
      if (op.weight) {
        auto const layout = layout_read(*op.weight, plan_.splits[id]);
        auto const weights = bytes(tiling_.region(op.weight->tensor, layout, position));
        held[id].weights = weights * copies_.versions;
        if (op.has(Phase::backward_weight)) held[id].gradients = weights;
      }
      for (auto const& input : op.inputs) {
        bool const is_recomputed = recomputes_ && is_made_in_part_of(id, input.tensor);
        if (!keeps_inputs(op) && (is_recomputed || !recomputes_)) continue;
        kept[input.tensor].push_back(
            {id, region_read(tiling_, id, input, position), is_recomputed});
      }
    }
    for (auto const& of_tensor : kept) {
      for (std::size_t i = 0; i < of_tensor.size(); ++i) {
        if (is_counted_elsewhere(of_tensor, i)) continue;
        auto const& [by, region, is_recomputed] = of_tensor[i];
        auto const copies = is_recomputed ? copies_.recomputed : copies_.activations;
        held[by].activations += Bytes{bytes(region).value() * copies / copies_.chunks};
      }
    }
    return held;
  }

 private:
  [[nodiscard]] bool is_made_in_part_of(OperatorId reader, TensorId tensor) const {
    auto const producer = network_.at(tensor).producer;
    return producer && parts_[*producer].part == parts_[reader].part;
  }

  [[nodiscard]] Bytes bytes(Region const& region) const {
    return network_.element_size() * region.elements().value();
  }

  Network const& network_;
  Plan const& plan_;
  Tiling tiling_;
  Copies copies_;
  bool recomputes_ = false;
  IdVector<OperatorId, StagePart> parts_;  ///< none without stages
  std::vector<OperatorId> operators_;
};

/// After so many steps a schedule without flushes has had as much in flight as it ever has: each
/// replica has passed as many micro-batches as there are replicas, more than once.
std::int64_t steps_until_steady(Pipeline const& pipeline) {
  std::int64_t replicas = 0;
  for (auto const& stage : pipeline.stages) replicas += static_cast<std::int64_t>(stage.replicas);
  auto const rounds = 4 * replicas * replicas;
  return std::max<std::int64_t>(4, 1 + rounds / pipeline.micro_batches);
}

/// The accelerator at `position` of a stage, or of the array.
Fullest filled(Holdings const& holdings, arch::ArraySpec const& array, std::size_t accelerator,
               std::size_t position) {
  Fullest result;
  result.accelerator = accelerator;
  result.capacity = array.accelerator(accelerator).memory_capacity;
  auto const held = holdings.of(position);
  for (auto const op : held.ids()) {
    result.footprint += held[op];
    if (held[op].total() <= result.of_heaviest) continue;
    result.heaviest = op;
    result.of_heaviest = held[op].total();
  }
  return result;
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

Copies copies_of(Pipeline const& pipeline, StageId stage, std::size_t replica) {
  if (pipeline.schedule == Pipeline::layerwise) return {};
  auto const steps = flushes(pipeline) ? 2 : steps_until_steady(pipeline);
  auto const high = high_water(order_of(pipeline, stage, replica, steps));
  return {high.weight_versions, high.activations, static_cast<std::int64_t>(pipeline.chunks()),
          high.backward};
}

IdVector<OperatorId, Footprint> footprints(Network const& network, Plan const& plan,
                                           std::size_t accelerator) {
  if (!plan.pipeline) return Holdings{network, plan}.of(accelerator);
  auto const micro_batch = with_batch(network, network.batch() / plan.pipeline->micro_batches);
  for (auto const id : plan.pipeline->stages.ids()) {
    auto const& stage = plan.pipeline->stages[id];
    auto const& devices = stage.mesh.devices;
    auto const found = std::find(devices.begin(), devices.end(), accelerator);
    if (found == devices.end()) continue;
    auto const position = static_cast<std::size_t>(found - devices.begin());
    auto const replica = position / (devices.size() / stage.replicas);
    return Holdings{micro_batch, plan, stage, copies_of(*plan.pipeline, id, replica)}.of(position);
  }
  return IdVector<OperatorId, Footprint>{network.operators().size()};
}

namespace {

void keep_fuller(std::optional<Fullest>& fullest, Fullest const& next) {
  if (!fullest || next.filled() > fullest->filled()) fullest = next;
}

/// Of the first replicas, which have most in flight.
Fullest fullest_of_stages(Problem const& problem, Plan const& plan) {
  auto const& pipeline = *plan.pipeline;
  auto const micro_batch =
      with_batch(problem.network, problem.network.batch() / pipeline.micro_batches);
  std::optional<Fullest> result;
  for (auto const id : pipeline.stages.ids()) {
    auto const& stage = pipeline.stages[id];
    Holdings const holdings{micro_batch, plan, stage, copies_of(pipeline, id, 0)};
    for (std::size_t i = 0; i < stage.mesh.devices.size() / stage.replicas; ++i) {
      keep_fuller(result, filled(holdings, problem.array, stage.mesh.devices[i], i));
    }
  }
  return *result;
}

}  // namespace

Fullest fullest(Problem const& problem, Plan const& plan) {
  if (plan.pipeline) return fullest_of_stages(problem, plan);
  Holdings const holdings{problem.network, plan};
  auto const representatives = equals(problem, plan, holdings.tiling());
  std::optional<Fullest> result;
  for (std::size_t i = 0; i < representatives.representatives(); ++i) {
    auto const accelerator = representatives.accelerator(i);
    keep_fuller(result, filled(holdings, problem.array, accelerator, accelerator));
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
