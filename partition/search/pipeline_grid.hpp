// Grids of replicated pipelines as PipeDream-2BW's planner prices them (Narayanan et al., ICML 2021, section 4): w replicas of a pipeline
// of d stages, and micro-batches of b samples, of which a replica has m = B / (w b) in a step:
//   throughput(w, d, b) = w b / max over stages i of max{ T_i(b) + sum over neighbours j of T_ij(b), T_i^sum / m }
// where T_i is what stage i computes (a forward pass more where activations are recomputed), T_ij the transfer of an activation or its
// error, and T_i^sum = 2 (w - 1) / w |W_i| / bandwidth that of the replicas' gradients, which overlaps the m micro-batches. What goes
// between two accelerators shares the link of the component that it leaves (pipedream.hpp) with the other replicas' transfers, or the other
// stages' sums, that leave it too. Sums of tied weights between stages are left out: a plan's price (price/pipeline_cost.hpp) has them.
//
// Stages are equal numbers of the network's repeated blocks, with what stands before them in the first and what follows in the last.
// Where blocks are less than half of the computation, or not there, stages are balanced (balanced_stages.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "partition/plan/pipeline.hpp"
#include "partition/plan/problem.hpp"
#include "partition/search/pipeline_problem.hpp"
#include "workloads/repeated_blocks.hpp"

namespace tessera::partition {

/// What a stage has, for one sample.
struct StageLoad {
  double compute_s = 0;
  double forward_s = 0;        ///< of that
  double sent_bytes = 0;       ///< to the next stage
  double kept_bytes = 0;       ///< until its backward passes
  double parameter_bytes = 0;  ///< whatever the samples
};

/// A network in stages, by stage.
struct GridDepth {
  std::vector<std::vector<std::size_t>> nodes;  ///< operators
  std::vector<StageLoad> loads;

  [[nodiscard]] std::int64_t stages() const { return static_cast<std::int64_t>(loads.size()); }
};

struct PipelineGrid {
  std::size_t depth = 0;     ///< index of a GridDepth
  std::int64_t width = 1;    ///< replicas
  std::int64_t samples = 1;  ///< of a micro-batch
  /// Are replicas of a stage neighbours in the array, or stages of a replica?
  enum class Neighbours { replicas, stages };
  Neighbours neighbours = Neighbours::replicas;
  Stage::Activations activations = Stage::Activations::stored;  ///< of all stages

  /// The accelerator of a stage's replica, of `stages`.
  [[nodiscard]] std::size_t device(std::size_t stages, std::size_t stage,
                                   std::size_t replica) const;
};

/// Everything about a problem that does not depend on the grid.
class GridProblem final {
 public:
  explicit GridProblem(Problem const& problem);

  [[nodiscard]] std::vector<GridDepth> const& depths() const { return depths_; }
  [[nodiscard]] double samples_per_second(PipelineGrid const& grid) const;

  /// What a stage holds at least: a version of the weights and a gradient, and what is kept of the
  /// micro-batches in flight, or is made anew of one. No more than the footprint counts.
  [[nodiscard]] double held_bytes(PipelineGrid const& grid) const;

 private:
  void find_depths();
  [[nodiscard]] std::optional<workloads::Repeat> main_blocks() const;
  [[nodiscard]] std::vector<std::vector<std::size_t>> equal_parts(workloads::Repeat const& blocks,
                                                                  std::int64_t depth) const;
  void add(std::vector<std::vector<std::size_t>> stages);
  [[nodiscard]] double forward_s(std::size_t node) const;
  void add_sent(GridDepth& depth, std::vector<std::size_t> const& stage_of) const;

  /// Of the highest level at which two accelerators differ.
  struct Crossing {
    std::size_t component = 1;  ///< accelerators in one of those that the level joins
    double bytes_per_second = 0;
  };
  [[nodiscard]] Crossing crossing(std::size_t a, std::size_t b) const;
  [[nodiscard]] double transfer_rate(PipelineGrid const& grid, std::size_t stage) const;
  [[nodiscard]] double sum_rate(PipelineGrid const& grid, std::size_t stage) const;

  Problem problem_;
  std::int64_t batch_;
  PipelineGraph graph_;
  std::vector<PipelineLevel> levels_;
  std::vector<PipelineState> states_;
  std::vector<double> kept_bytes_;  ///< by operator, of a sample
  std::vector<GridDepth> depths_;
};

/// In ascending order.
[[nodiscard]] std::vector<std::int64_t> divisors(std::int64_t number);

}  // namespace tessera::partition
