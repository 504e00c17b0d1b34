// Which activity counts at an instant.
#include "sim/model/record/activity_meter.hpp"

namespace tessera::sim {

ActivityMeter::ActivityMeter(TaskGraph const& graph, Task first, Breakdown& breakdown)
    : graph_{graph}, breakdown_{breakdown}, last_completed_{first} {}

void ActivityMeter::account_until(Time now) {
  EXPECTS(now >= accounted_, now, accounted_);
  Time const elapsed = now - accounted_;
  accounted_ = now;
  for (Activity const activity : {Activity::compute, Activity::memory, Activity::communication}) {
    TaskSet const& tasks = outstanding(activity);
    if (tasks.empty()) continue;
    breakdown_.add(graph_.at(tasks.oldest()), activity, elapsed);
    return;
  }
  breakdown_.add(last_completed_, Activity::idle, elapsed);
}

}  // namespace tessera::sim
