// Stages: which accelerators have which operators, and in what order micro-batches go through them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/base/config.hpp"
#include "arch/base/id.hpp"
#include "partition/plan/device_mesh.hpp"
#include "partition/schedule/order_check.hpp"
#include "partition/schedule/schedule.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

using StageId = Id<struct StageTag>;

/// A part of the array that has operators of its own.
struct Stage {
  /// What it keeps of a micro-batch from the forward to the backward pass.
  enum class Activations {
    stored,      ///< what its backward passes read
    recomputed,  ///< what comes into it; all else it makes anew, just before it goes backward
  };

  /// Its accelerators. With replicas the outermost axis has one part for each: a micro-batch goes
  /// through one of them, and operators are not split along that axis.
  DeviceMesh mesh;
  std::size_t replicas = 1;
  /// Its parts of the network, one most often: chunk c of stage s of p is part c p + s.
  std::vector<std::vector<workloads::OperatorId>> chunks;
  Activations activations = Activations::stored;
  /// Schedule `explicit`: what each replica does in a step; else none.
  std::vector<Order> orders = {};

  [[nodiscard]] bool recomputes() const { return activations == Activations::recomputed; }
  /// Axes of the mesh that its operators can be split along.
  [[nodiscard]] std::size_t free_axes() const { return mesh.arity.size() - (replicas > 1 ? 1 : 0); }
};

/// Stages that micro-batches go through.
struct Pipeline {
  /// One micro-batch after another, each operator as soon as its inputs are there: no stage has an
  /// order of its own.
  static constexpr char const* layerwise = "layerwise";
  /// The stages have their orders.
  static constexpr char const* explicit_orders = "explicit";
  /// When the error of a stage leaves, where a schedule has a backward pass in one unit: when its
  /// gradients are there too, or before they are begun.
  enum class Backward { fused, split };

  IdVector<StageId, Stage> stages;
  std::string schedule = layerwise;  ///< that, explicit, or a name of builtin_schedules()
  std::int64_t micro_batches = 1;    ///< of a step; equally many samples each
  Backward backward = Backward::fused;
  ScheduleOptions options = {};

  [[nodiscard]] std::size_t chunks() const { return stages.begin()->chunks.size(); }
};

/// What a plan's file may have as its schedule, with what that is.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> plan_schedules();

/// Where an operator is.
struct StagePart {
  StageId stage;
  std::size_t chunk = 0;
  std::size_t part = 0;  ///< of the network, in the order in which micro-batches go forward
};

/// By operator. Requires a valid pipeline.
[[nodiscard]] IdVector<workloads::OperatorId, StagePart> parts_of(
    Pipeline const& pipeline, workloads::Network const& network);

/// Throws ConfigError unless every operator is in one stage, accelerators exist and (but for
/// `layerwise`) are in one stage, no operator reads what a later part of the network computes, the
/// batch divides, nothing is recomputed where only one micro-batch is under way (`layerwise`), and
/// the schedule can be for so many stages, replicas, chunks and micro-batches, and updates stages
/// with tied weights after the same ones.
void validate(Pipeline const& pipeline, workloads::Network const& network,
              std::size_t accelerators);

/// What each stage's replicas do in so many steps. Requires a valid pipeline that is not layerwise.
[[nodiscard]] PipelineProgram program_of(Pipeline const& pipeline, std::int64_t steps);

/// The same, with what the network ties over stages: what can be run, or timed.
[[nodiscard]] PipelineProgram program_of(Pipeline const& pipeline,
                                         workloads::Network const& network, std::int64_t steps);

/// Of one replica of a stage: that of its orders in program_of().
[[nodiscard]] Order order_of(Pipeline const& pipeline, StageId stage, std::size_t replica,
                             std::int64_t steps);

/// Does every step end with an update before the next one begins? The same.
[[nodiscard]] bool flushes(Pipeline const& pipeline);

/// What is wrong with the orders of schedule `explicit`. Requires stages with equally many chunks.
[[nodiscard]] std::optional<OrderProblem> order_problem(Pipeline const& pipeline,
                                                        workloads::Network const& network);

/// The section `pipeline` of a plan's file (schema tessera.plan/2):
///   schedule: 1f1b                    # tessera list schedules; default layerwise
///   micro_batches: 8                  # default 1
///   backward: split                   # default fused; of schedules that do not split it anyway
///   vertical_sync: true               # default false; of schedule pipedream
///   stages:
///     - accelerators: [0-3]           # numbers and ranges, row by row over the arities
///       arity: [2, 2]                 # default: prime factors, the largest first
///       replicas: 2                   # default 1; the first arity is for them
///       operators: [conv1, conv2]     # or chunks: [[conv1, conv2], [fc1]]
///       activations: recomputed       # default stored; not with layerwise
///       orders: [[F0, B0, F2, B2, U], [F1, B1, F3, B3, U]]    # explicit (explicit_orders.hpp)
[[nodiscard]] Pipeline pipeline_from(ConfigNode const& node, workloads::Network const& network,
                                     std::size_t accelerators);
[[nodiscard]] ConfigNode to_config(Pipeline const& pipeline, workloads::Network const& network);

}  // namespace tessera::partition
