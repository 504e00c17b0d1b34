// What a strategy takes by its timeline, while one operator after another is configured otherwise: what a local search, or a Markov chain,
// over strategies asks. A proposal costs what it changes (step_timeline.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "partition/price/step_timeline.hpp"
#include "partition/search/operator_config.hpp"

namespace tessera::partition {

class StrategyTimeline final {
 public:
  /// The problem's network and array must outlive this.
  StrategyTimeline(Problem const& problem, Strategy strategy, OperatorTimes times = peak_rates());

  [[nodiscard]] Strategy const& strategy() const { return strategy_; }
  [[nodiscard]] Time length() const { return timeline_.length(); }
  /// Of which length() is.
  [[nodiscard]] Plan const& plan() const { return timeline_.plan(); }

  [[nodiscard]] Timeline const& timeline() const { return timeline_.timeline(); }

  /// What the step takes with these configurations. Then accept() or reject() it.
  Time propose(std::vector<OperatorMove> const& moves);
  void accept();
  void reject();

  /// Goes to another strategy, whatever it is.
  void restart(Strategy strategy);

  /// How many strategies were priced.
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }
  /// The mean part of all tasks that a proposal had to look at.
  [[nodiscard]] double mean_share_looked_at() const;

 private:
  Problem problem_;
  Strategy strategy_;
  Strategy before_;  ///< a proposal
  StepTimeline timeline_;
  std::int64_t evaluations_ = 1;
  std::int64_t proposals_ = 0;
  double looked_at_ = 0;
};

}  // namespace tessera::partition
