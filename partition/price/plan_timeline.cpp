#include "partition/price/plan_timeline.hpp"

namespace tessera::partition {

namespace {

std::int64_t const most_accelerators = 128;

}  // namespace

std::optional<TimelinePrice> timeline_price(Problem const& problem, Plan const& plan,
                                            OperatorTimes const& times) {
  bool const is_large = problem.array.accelerators > most_accelerators;
  if (is_large || !StepTimeline::is_for(plan)) return std::nullopt;
  return StepTimeline{problem, plan, times}.price();
}

}  // namespace tessera::partition
