// The built-in planners, one .cpp each. Their constructors read the options that they have out of a map of all planners'.
#pragma once

#include <optional>

#include "partition/planners/accpar.hpp"
#include "partition/planners/planner.hpp"
#include "partition/planners/soybean.hpp"
#include "partition/price/footprint.hpp"
#include "partition/search/level_problem.hpp"
#include "partition/search/pipedream.hpp"

namespace tessera::partition {

/// Every operator n at every level.
class DataParallel final : public Planner {
 public:
  explicit DataParallel(ConfigMap&) {}
  [[nodiscard]] Plan solve(Problem const& problem) const override;
};

/// Every operator c at every level; one without input channels of its own (an element-wise sum) n.
class ModelParallel final : public Planner {
 public:
  explicit ModelParallel(ConfigMap&) {}
  [[nodiscard]] Plan solve(Problem const& problem) const override;
};

/// Krizhevsky's rule: n for convolutions, where activations outweigh weights; c for fully connected
/// operators, where it is the other way round; n for the rest.
class OneWeirdTrick final : public Planner {
 public:
  explicit OneWeirdTrick(ConfigMap&) {}
  [[nodiscard]] Plan solve(Problem const& problem) const override;
};

/// HyPar: level by level from the top, the cheapest choice of n or c for all operators at once (a
/// dynamic programme over the graph), on the shapes that the levels above have left. Greedy over
/// levels, optimal within one unless the plan says otherwise (Plan::optimality_gap). Ties: n.
class HyPar final : public Planner {
 public:
  explicit HyPar(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  InterLayer inter_layer_;
  Fit fit_;
};

/// AccPar: like HyPar, with a third choice, k, and with ratios where the halves of a group differ
/// in speed; it minimises time, computation included. For the networks of
/// AccParOptions::shortcut_spans it searches as the authors' released solver does. Ties: n, then c.
class AccPar final : public Planner {
 public:
  explicit AccPar(ConfigMap& options) : options_{AccParOptions::from(options)} {}
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  AccParOptions options_;
};

/// SoyBean: one cut in two after another, each the cheapest of all layouts of tensors and aligned
/// forms of operators (soybean.hpp). All passes of an operator have the same form, so that the plan
/// can be simulated.
class SoyBean final : public Planner {
 public:
  explicit SoyBean(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  SoyBeanOptions::Errors errors_ = SoyBeanOptions::Errors::free;
};

/// Tofu: like SoyBean, with cuts in as many parts as the array's levels have, and a coarsened graph
/// (soybean.hpp; SoyBeanOptions::Coarsening). Errors always lie as their activations.
class Tofu final : public Planner {
 public:
  explicit Tofu(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  SoyBeanOptions::Coarsening coarsening_ = SoyBeanOptions::Coarsening::element_wise;
};

/// OptCNN: one configuration per operator for all levels at once, how many of them are split over
/// n, k, and rows and columns from the top, with the least predicted time of the whole step
/// (optcnn.cpp). Ties: fewer levels h and w, then more levels n.
class OptCnn final : public Planner {
 public:
  explicit OptCnn(ConfigMap& options) : fit_{fit_from(options)} {}
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  Fit fit_;
};

/// PipeDream: stages, each on one or more accelerators with whole micro-batches of their own, so
/// that the slowest stage is as fast as possible (pipedream.hpp says by which rules). Options:
///   rule: paper | released            the recurrence, or what the authors' optimizer does
///   straight: true                    no stage is replicated (the optimizer's --straight_pipeline)
///   machines: fewer                   some may idle (--use_fewer_machines)
///   activation_compression_ratio: 1   (the option of that name)
///   memory: 16 GB                     that a stage stashes at most (--memory_size; by the paper's
///                                     rule as much as it has in flight)
///   micro_batches: 16                 of a step, PipeDream's minibatches; default: what gives one
///   as
///                                     many samples as an accelerator has under dp, if that divides
///                                     the batch, else the next fewer that do (SOSP 2019, section
///                                     5: as large a minibatch per worker as data parallelism has)
///   schedule: pipedream               by which micro-batches go through the stages
/// `fit: search` lowers the limit on what is stashed until the plan fits.
class PipeDreamPlanner final : public Planner {
 public:
  explicit PipeDreamPlanner(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  PipeDreamOptions search_;
  std::string schedule_;
  std::optional<std::int64_t> micro_batches_;
  Fit fit_;
};

/// HyPar's choice, or with the option `oracle_of: accpar` AccPar's, by enumeration. Throws
/// ConfigError where a level has more than 65536 combinations.
class Exhaustive final : public Planner {
 public:
  explicit Exhaustive(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  Fit fit_;
  InterLayer inter_layer_ = InterLayer::as_evaluated;
  std::optional<AccParLevelOptions> accpar_;  ///< where AccPar's choices are enumerated
};

}  // namespace tessera::partition
