// Which activity counts at an instant.
#include "sim/model/record/activity_meter.hpp"

namespace tessera::sim {

ActivityMeter::ActivityMeter(AcceleratorId accelerator, Schedule const& schedule,
                             Breakdown& breakdown)
    : schedule_{schedule},
      tasks_{schedule.tasks_of(accelerator)},
      breakdown_{breakdown},
      outstanding_{tasks_.size()} {
  if (!tasks_.empty()) completed(tasks_[0]);
}

void ActivityMeter::account_until(Time now) {
  EXPECTS(now >= accounted_, now, accounted_);
  Time const elapsed = now - accounted_;
  accounted_ = now;
  for (Activity const activity : {Activity::compute, Activity::memory, Activity::communication}) {
    auto const oldest = outstanding_.oldest(activity);
    if (!oldest) continue;
    breakdown_.add(schedule_.graph().at(tasks_[*oldest]), activity, elapsed);
    return;
  }
  breakdown_.add(last_completed_, Activity::idle, elapsed);
}

}  // namespace tessera::sim
