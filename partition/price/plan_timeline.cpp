#include "partition/price/plan_timeline.hpp"

namespace tessera::partition {

namespace {

std::int64_t const most_accelerators = 128;

}  // namespace

bool has_timeline(Problem const& problem, Plan const& plan) {
  return problem.array.accelerators <= most_accelerators && StepTimeline::is_for(plan);
}

std::optional<TimelinePrice> timeline_price(Problem const& problem, Plan const& plan,
                                            OperatorTimes const& times) {
  if (!has_timeline(problem, plan)) return std::nullopt;
  return StepTimeline{problem, plan, times}.price();
}

}  // namespace tessera::partition
