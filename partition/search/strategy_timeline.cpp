#include "partition/search/strategy_timeline.hpp"

#include <utility>

namespace tessera::partition {

StrategyTimeline::StrategyTimeline(Problem const& problem, Strategy strategy, OperatorTimes times)
    : problem_{problem},
      strategy_{std::move(strategy)},
      timeline_{problem, plan_of("", problem, strategy_), std::move(times)} {}

Time StrategyTimeline::propose(std::vector<OperatorMove> const& moves) {
  before_ = strategy_;
  for (auto const& move : moves) strategy_[move.op] = move.config;
  timeline_.begin_trial();
  auto const looks = timeline_.follow(plan_of("", problem_, strategy_));
  looked_at_ += static_cast<double>(looks) / static_cast<double>(timeline_.timeline().size());
  ++proposals_;
  ++evaluations_;
  return timeline_.length();
}

void StrategyTimeline::accept() { timeline_.keep_trial(); }

void StrategyTimeline::reject() {
  timeline_.undo_trial();
  strategy_ = std::move(before_);
}

void StrategyTimeline::restart(Strategy strategy) {
  strategy_ = std::move(strategy);
  timeline_.follow(plan_of("", problem_, strategy_));
  ++evaluations_;
}

double StrategyTimeline::mean_share_looked_at() const {
  return proposals_ == 0 ? 0 : looked_at_ / static_cast<double>(proposals_);
}

}  // namespace tessera::partition
