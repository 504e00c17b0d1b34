// The built-in planners, one .cpp each. Their constructors read the options that they have out of a map of all planners'.
#pragma once

#include <optional>

#include "partition/planners/accpar.hpp"
#include "partition/planners/planner.hpp"
#include "partition/planners/search_options.hpp"
#include "partition/planners/soybean.hpp"
#include "partition/price/footprint.hpp"
#include "partition/search/level_problem.hpp"
#include "partition/search/pipedream.hpp"
#include "partition/search/pipeline_grid.hpp"
#include "partition/search/strategy_search.hpp"
#include "partition/search/timeline_descent.hpp"

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
  Price price_;
  TimesOf times_;  ///< by price: timeline
};

/// AccPar: like HyPar, with a third choice, k, and with ratios where the halves of a group differ
/// in speed; it minimises time, computation included. For the networks of
/// AccParOptions::shortcut_spans it searches as the authors' released solver does. Ties: n, then c.
class AccPar final : public Planner {
 public:
  explicit AccPar(ConfigMap& options) : options_{AccParOptions::from(options)} {}
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  /// With both halves of the array at work.
  [[nodiscard]] Plan on_all(Problem const& problem) const;

  AccParOptions options_;
};

/// SoyBean: one cut in two after another, each the cheapest of all layouts of tensors and aligned
/// forms of operators (soybean.hpp). The option `forms`: do all passes of an operator have one form
/// (the default), both backward passes another, as in SoyBean's code, or each its own?
class SoyBean final : public Planner {
 public:
  explicit SoyBean(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  SoyBeanOptions::Errors errors_ = SoyBeanOptions::Errors::free;
  SoyBeanOptions::Forms forms_ = SoyBeanOptions::Forms::per_operator;
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
/// (optcnn.cpp). Ties: fewer levels h and w, then more levels n. By `price: timeline` it then
/// changes n and k of single levels, in any order.
class OptCnn final : public Planner {
 public:
  explicit OptCnn(ConfigMap& options)
      : fit_{fit_from(options)},
        price_{price_from(options)},
        times_{times_from(options, TimesOf::peak)} {}
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  Fit fit_;
  Price price_;
  TimesOf times_;  ///< by price: timeline
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

/// GPipe: stages of one accelerator each and replicas of the whole pipeline, so that the slowest
/// stage is as fast as possible (balanced_stages.hpp). Options:
///   stages: 8            default: the most that the operators allow, and that divide the array
///   micro_batches: 32    of a step; default: the fewest of which every accelerator has four times
///                        as many as a pipeline has stages, or as many as there are samples
///                        (NeurIPS 2019, section 2.3)
///   activations: stored  or recomputed
///   imbalance: 0.1       the part of its least time that the slowest stage may take longer, where
///                        then fewer bytes go from stage to stage (ours: the least cuts attention
///                        between its products)
/// `fit: search` recomputes activations, and has stages hold less where a slower slowest stage
/// allows it.
class GPipePlanner final : public Planner {
 public:
  explicit GPipePlanner(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  [[nodiscard]] std::size_t stages_for(Problem const& problem,
                                       std::vector<PipelineState> const& states) const;
  [[nodiscard]] std::int64_t micro_batches_for(Problem const& problem) const;

  std::optional<std::int64_t> stages_;
  double imbalance_ = 0.1;
  std::optional<std::int64_t> micro_batches_;
  std::optional<Stage::Activations> activations_;
  Fit fit_;
};

/// PipeDream-2BW: replicas of a pipeline with equally many blocks in every stage, micro-batches of
/// any size, activations stored or recomputed, by enumeration (pipedream_2bw.cpp). It chooses among
/// what fits; with `fit: ignore` among all. Options, each in place of all values of it:
///   depth: 8, width: 8    stages, and replicas of each
///   micro_batches: 64     of a step, of all replicas together
///   activations: stored   or recomputed
class PipeDream2bw final : public Planner {
 public:
  explicit PipeDream2bw(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  [[nodiscard]] bool allows(std::int64_t depth, std::int64_t width,
                            std::int64_t micro_batches) const;
  [[nodiscard]] std::vector<PipelineGrid> grids_of(Problem const& problem,
                                                   std::vector<GridDepth> const& depths) const;

  std::optional<std::int64_t> depth_;
  std::optional<std::int64_t> width_;
  std::optional<std::int64_t> micro_batches_;
  std::optional<Stage::Activations> activations_;
  Fit fit_;
};

/// GNMT's authors' placement: a layer per accelerator, the softmax on all of a node, samples split
/// between nodes (gnmt_expert.cpp). Option:
///   node_size: 8    accelerators of a node; default: the most up to 8 that divide the array (Wu et
///                   al., arXiv:1609.08144, section 3.3: eight)
class GnmtExpert final : public Planner {
 public:
  explicit GnmtExpert(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  std::optional<std::int64_t> node_size_;
};

/// Columns then rows of weights, as Megatron-LM within a node (tensor_parallel.cpp). Options:
///   tensor: 8        accelerators that share every operator, the others having other samples;
///                    default: the whole array
///   groups: block    what the innermost levels cut off; `rows`: in a grid, whole rows along a
///                    dimension or several; default: `quicker`, by predicted time
class TensorParallel final : public Planner {
 public:
  explicit TensorParallel(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  enum class Groups { quicker, block, rows };

  std::optional<std::int64_t> tensor_;
  Groups groups_;
};

/// Stages of equally many blocks, in each groups that split samples, of accelerators that share
/// every operator: Megatron-LM's tensor, pipeline and data parallelism, least predicted time of
/// what fits (megatron.cpp). With `fit: ignore` of all. Options, each in place of all values of it:
///   tensor: 8            accelerators of a group
///   stages: 16
///   chunks: 2            of a stage, by an interleaved schedule; default: 1
///   micro_batches: 64    of a step, each split over the groups of a stage
///   activations: stored  or recomputed
///   node_size: 8         the most accelerators of a group where `tensor` is left out (SC 2021,
///                        section 3, takeaway 1: those of a server, eight there)
class Megatron final : public Planner {
 public:
  explicit Megatron(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  struct Choice;
  [[nodiscard]] bool is_possible(Problem const& problem, Choice const& choice) const;
  [[nodiscard]] double least_time_of(Problem const& problem, Choice const& choice) const;
  /// Those that compute least first.
  [[nodiscard]] std::vector<Choice> choices_of(Problem const& problem,
                                               std::vector<GridDepth> const& depths) const;
  [[nodiscard]] bool may_fit(Problem const& problem, GridProblem const& network,
                             Choice const& choice) const;
  [[nodiscard]] Plan plan_of(Problem const& problem, Choice const& choice) const;
  [[nodiscard]] ConfigError no_grid(Problem const& problem) const;

  std::optional<std::int64_t> tensor_;
  std::optional<std::int64_t> stages_;
  std::int64_t chunks_ = 1;
  std::optional<std::int64_t> micro_batches_;
  std::optional<Stage::Activations> activations_;
  std::int64_t node_size_ = 8;
  Fit fit_;
};

/// FlexFlow: every operator split and placed by itself, the shortest step by the timeline that a
/// Markov chain finds (strategy_search.hpp). Options, each with its source there:
///   beta: 5              per millisecond; default beta_relative: 30, per the first step's length
///   proposals: 2000      of each chain, and of the polish
///   patience: 0.5        a chain is reheated after this part of its proposals without a better
///                        strategy, and ends after half of it more
///   devices: runs        of a proposal, or `aligned`, `whole`, `any` (config_space.hpp)
///   initial: all         chains from data-parallel, expert and random, or from one of them
///   propagation: 0.25    how often configurations are taken over by neighbours
///   together: 0.5        how often operators that share weights move together
///   polish: on           or `off`
///   seed: 1
///   budget: 5000         evaluations, or "60 s", which the chains and the polish share in place of
///                        proposals
///   times: peak          or `core` (search_options.hpp)
/// Of `fit: search` no more than of `reject`: what does not fit is never accepted.
class FlexFlow final : public Planner {
 public:
  explicit FlexFlow(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

  [[nodiscard]] bool is_anytime() const override { return true; }

  enum class Initial { all, data_parallel, expert, random };

 private:
  [[nodiscard]] std::vector<std::pair<std::string, Strategy>> starts(
      Problem const& problem, ConfigSpace const& space) const;

  StrategySearchOptions search_;
  ConfigSpace::Devices devices_;
  Initial initial_;
  BudgetOption budget_;
  TimesOf times_ = TimesOf::peak;
};

/// ColocRL: groups of operators, each whole on one accelerator, by policy gradient against the
/// timeline (colocrl.cpp). Options:
///   rounds: 200, samples: 10    placements per update of the policy: as many evaluations as a
///   chain
///                               of FlexFlow has
///   rate: 5, seed: 1            of learning (ours)
///   budget: 5000                evaluations, or "60 s", in place of rounds
///   times: peak                 or `core` (search_options.hpp)
class ColocRl final : public Planner {
 public:
  explicit ColocRl(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;
  [[nodiscard]] bool is_anytime() const override { return true; }

 private:
  std::int64_t rounds_;
  std::int64_t samples_;
  double rate_;
  std::uint64_t seed_;
  Fit fit_;
  BudgetOption budget_;
  TimesOf times_;
};

/// HyPar's choice, or with the option `oracle_of: accpar` AccPar's, by enumeration. Throws
/// ConfigError where a level has more than 65536 combinations. With `oracle_of: flexflow`, which
/// has FlexFlow's options `devices` and `times`, the shortest timeline (strategy_oracle.hpp).
class Exhaustive final : public Planner {
 public:
  explicit Exhaustive(ConfigMap& options);
  [[nodiscard]] Plan solve(Problem const& problem) const override;

 private:
  [[nodiscard]] Plan of_flexflow(Problem const& problem) const;

  Fit fit_;
  InterLayer inter_layer_ = InterLayer::as_evaluated;
  std::optional<AccParLevelOptions> accpar_;     ///< where AccPar's choices are enumerated
  std::optional<ConfigSpace::Devices> devices_;  ///< where FlexFlow's are
  TimesOf times_ = TimesOf::peak;
};

}  // namespace tessera::partition
