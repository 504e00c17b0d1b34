// The plan: who computes what. One representation for every planner (values in, values out, a YAML file that can be edited by hand).
//
// The array is a hierarchy of groups (base/hierarchy.hpp), binary where accelerators are a power of two; level 1 is the top. At every
// level each operator splits one loop dimension between the halves of a group, or none (both halves compute the same); where groups
// have three parts or more, between all of them. In the literature's words:
//   n = HyPar dp = AccPar Type-I      c = HyPar mp = AccPar Type-II      k = AccPar Type-III
// and h and w, rows and columns of a map, are OptCNN's, FlexFlow's attribute dimensions; their windows may overlap (halo.hpp).
// One choice serves all groups of a level, and all four phases unless a backward phase has one of its own (SoyBean); tensor layouts and
// all communication follow from it (layout.hpp). A split may be uneven, so that the faster half of a heterogeneous group gets more
// (AccPar).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "arch/base/config.hpp"
#include "partition/plan/pipeline.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

/// How a level splits an operator between the halves of each group. A bare dimension means equal
/// halves, so it converts. Of more than two parts all are equal, and `first` stays 0.5.
struct Split {
  workloads::Dim dim;
  double first;  ///< the share of the first half, in (0, 1); the second has the rest

  Split(workloads::Dim over, double share_of_first = 0.5) : dim{over}, first{share_of_first} {}
  [[nodiscard]] bool is_even() const { return first == 0.5; }
  friend bool operator==(Split a, Split b) { return a.dim == b.dim && a.first == b.first; }
  friend bool operator!=(Split a, Split b) { return !(a == b); }
};

/// The larger of the shares of a split in so many parts.
[[nodiscard]] inline double larger_share(Split split, std::size_t ways) {
  if (ways != 2) return 1 / static_cast<double>(ways);
  return split.first < 0.5 ? 1 - split.first : split.first;
}

/// Is it split over `dim`, evenly or not?
[[nodiscard]] inline bool is_over(std::optional<Split> const& split, workloads::Dim dim) {
  return split && split->dim == dim;
}

/// An operator's choice at each level, top first; none = not split.
using Splits = std::vector<std::optional<Split>>;

/// What a cost model says of a plan (cost_model.hpp).
struct Prediction {
  double time_s = 0;
  Bytes communication{0};
  double energy_j = 0;
  double compute_s = 0;                ///< of the time; not in a plan's file, as the next
  std::vector<double> level_elements;  ///< crossing each level's cuts, as Cost has them
};

struct Plan {
  std::string planner;
  std::string network;
  std::string array;
  std::int64_t batch = 0;
  std::int64_t accelerators = 1;
  IdVector<workloads::OperatorId, Splits> splits;  ///< along the axes of its operators' mesh
  /// Of backward phases that are split otherwise than the operator's forward phase. (Only of
  /// operators none of whose phases is split over rows or columns: halos are of all phases.)
  std::map<std::pair<workloads::OperatorId, workloads::Phase>, Splits> phase_splits;
  std::optional<Pipeline> pipeline;  ///< none: all operators on the array's hierarchy
  std::optional<Prediction> predicted;
  /// How far the planner's choice is from what it can prove to be the least that any costs: at most
  /// this fraction of its cost lies between (optimality_gap()). 0: its choice is optimal, or it
  /// follows a rule. Where it decides level by level, that of the level with the largest.
  double optimality_gap = 0;
  std::int64_t evaluations = 0;  ///< how many terms or plans the planner priced
  /// How a search came to it, a line each: not in a plan's file.
  std::vector<std::string> history = {};

  [[nodiscard]] Hierarchy hierarchy() const;
  [[nodiscard]] int levels() const;
  /// How a phase of an operator is split. Weights are held and updated as the forward phase reads
  /// them.
  [[nodiscard]] Splits const& splits_of(workloads::OperatorId op, workloads::Phase phase) const;
};

/// Why an operator cannot be split over a dimension, and over which it can; empty when it can.
[[nodiscard]] std::string split_problem(workloads::Operator const& op, workloads::Dim dim);

/// Throws ConfigError unless the plan fits the network and the array: same network, batch and size,
/// every operator once, every level, only dimensions that the operator can split, shares in (0, 1),
/// unequal ones only between halves.
void validate(Plan const& plan, workloads::Network const& network, arch::ArraySpec const& array);

/// Can the batch be cut as the plan splits samples at the levels that it has so far? (Of a plan
/// without a pipeline.)
[[nodiscard]] bool divides_samples(Plan const& plan);

/// Is any phase of any operator split over samples at `level`?
[[nodiscard]] bool splits_samples(Plan const& plan, std::size_t level);

/// Schema tessera.plan/2 (of which /1 is all but `pipeline` and splits of phases):
///   schema: tessera.plan/2
///   planner: hypar
///   network: hypar/lenet-c
///   array: hypar-paper
///   batch: 256
///   accelerators: 16
///   optimality_gap: 0.01     # only where the planner has not proven its choice optimal
///   pipeline: {...}                      # stages (pipeline.hpp); none: the array's hierarchy
///   operators: {conv1: [n, n, n, n], fc1: [c, c, n, c]}      # level 1 first; "-" = not split
///                          # {n: 0.3} instead of n: the first half of each group has 0.3, not 0.5
///                          # {forward: [n, n], backward_weight: [c, n]}: a backward phase that
///                          # is split otherwise; those that are left out are as forward
///   predicted: {time_s: 0.0012, communication: 16068000 B, energy_j: 0.1}
[[nodiscard]] ConfigNode to_config(Plan const& plan, workloads::Network const& network);
/// What a file says of it before what was decided: planner, network, array, batch, accelerators.
[[nodiscard]] ConfigNode heading_of(Plan const& plan);
/// Reads and validates.
[[nodiscard]] Plan plan_from(ConfigNode const& node, workloads::Network const& network,
                             arch::ArraySpec const& array);
[[nodiscard]] Plan load_plan(std::string const& path, workloads::Network const& network,
                             arch::ArraySpec const& array);

/// "I", "II", "III" (n, c, k), the dimension's letter for others, "-" for none.
[[nodiscard]] std::string type_name(std::optional<Split> const& split);

/// The part of a cost that may be more than the optimum is, of which a bound from below is known:
/// from 0, it is the optimum, to 1, nothing is known.
[[nodiscard]] double optimality_gap(double cost, double bound);

/// An operator of the plan that is split unevenly, if any.
[[nodiscard]] std::optional<workloads::OperatorId> unevenly_split(Plan const& plan);

}  // namespace tessera::partition
