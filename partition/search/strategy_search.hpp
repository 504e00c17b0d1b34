// FlexFlow's search (Jia et al., SysML'19, section 6): a Markov chain over strategies (Metropolis and Hastings) whose stationary distribution
// prefers short steps, p(S) proportional to exp(-beta * length(S)).
//
//   proposal: a random operator, a random configuration for it (config_space.hpp); accepted with min(1, exp(-beta * (longer by)))
// Where the paper leaves something open the released search decides (FlexFlow at 4e7e6e8, 2018, and 0e1e7dd, 2020); each option says which.
// Ours: operators that share weights may move together; a chain whose patience is over goes on for half as long at a third of its beta; and
// the best strategy of all chains is polished, each operator tried in all its configurations until no such change makes the step shorter, or
// the budget is over.
//
// Only strategies whose operators fit into memory are accepted (price/footprint.hpp), unless that is not asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "partition/price/footprint.hpp"
#include "partition/search/config_space.hpp"
#include "partition/search/strategy_timeline.hpp"

namespace tessera::partition {

struct StrategySearchOptions {
  /// Per millisecond that a step is longer. None: `beta_relative` in parts of the first length.
  std::optional<double> beta = std::nullopt;  ///< the released search: 5 (2018)
  /// The same 5 per millisecond where a step takes 6 ms: networks differ a thousandfold in length.
  double beta_relative = 30;
  /// Of each chain. The released search makes 250,000 (2018), the paper what 30 minutes allow.
  std::int64_t proposals = 2000;
  /// A chain is reheated when it has not found a better strategy in this part of its proposals, and
  /// ends after half of it more (the paper: half of the search time, and no reheating).
  double patience = 0.5;
  /// How often neighbours along the network's edges take over the operator's configuration in the
  /// same proposal (the released search, 2020: 0.25, going on with 0.75).
  double propagation = 0.25;
  /// How often all operators that share weights, as the steps of an unrolled layer do, move
  /// together (ours: one that moves alone leaves the others, and needs a copy of their weights).
  double together = 0.5;
  enum class Polish { off, on };
  Polish polish = Polish::on;
  std::uint64_t seed = 1;
  Fit fit = Fit::reject;
};

/// What a search has to keep to, beside its options.
struct SearchLimits {
  std::function<bool()> is_interrupted = [] { return false; };
  /// The part of a budget that is used after so many evaluations: then chains share what there is
  /// in equal parts, in place of `proposals`. Unset: no budget.
  std::function<double(std::int64_t evaluations)> used = {};
  std::size_t chains = 1;  ///< that share it one after another, the polish among them
  /// Told after every evaluation.
  std::function<void(std::int64_t evaluations, std::optional<Time> best)> progress =
      [](std::int64_t, std::optional<Time>) {};
};

class StrategySearch final {
 public:
  /// The problem's network and array, and the space, must outlive this.
  StrategySearch(Problem const& problem, ConfigSpace const& space,
                 StrategySearchOptions const& options, SearchLimits limits,
                 OperatorTimes times = peak_rates());

  /// A chain from there. Interrupted, or out of budget, it goes nowhere; but the first one always
  /// knows what it starts from.
  void run_from(std::string const& name, Strategy const& initial);
  /// Of the best strategy so far. Is it shortened by no change of one operator now?
  bool polish();

  /// None where nothing fits into memory so far.
  [[nodiscard]] std::optional<Strategy> const& best() const { return best_; }
  [[nodiscard]] Time length() const { return length_; }
  [[nodiscard]] std::string const& found_from() const { return found_from_; }
  [[nodiscard]] std::int64_t evaluations() const;
  /// How a chain, or the polish, ended; a line each.
  [[nodiscard]] std::vector<std::string> const& history() const { return history_; }

 private:
  [[nodiscard]] std::vector<OperatorMove> any_moves();
  void propagate(std::vector<OperatorMove>& moves);
  [[nodiscard]] std::vector<OperatorMove> together(workloads::OperatorId op,
                                                   OperatorConfig const& config) const;
  bool shortens_by(std::vector<OperatorMove> const& moves);
  [[nodiscard]] bool is_accepted(Time before, Time proposed, double beta);
  [[nodiscard]] bool fits() const;
  bool note_best(std::string const& name);
  bool shortens_by_any_config(workloads::OperatorId op);
  void begin_chain();
  [[nodiscard]] double used_of_chain() const;
  [[nodiscard]] double chain_length() const;
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] bool is_chain_over() const;
  void tell() const;
  [[nodiscard]] double beta_for(Time first) const;
  [[nodiscard]] double uniform();

  Problem problem_;
  ConfigSpace const& space_;
  StrategySearchOptions options_;
  SearchLimits limits_;
  OperatorTimes times_;
  std::mt19937_64 random_;
  std::optional<StrategyTimeline> timeline_;
  std::optional<Strategy> best_;
  Time length_{0};
  std::string found_from_;
  std::size_t chain_ = 0;       ///< how many have begun
  std::int64_t proposals_ = 0;  ///< of this chain
  double begin_ = 0;            ///< of the budget, used before this chain
  double end_ = 1;              ///< and after it
  std::vector<std::string> history_;
};

}  // namespace tessera::partition
