#include "sim/outcome/explanation.hpp"

#include "sim/outcome/critical_path.hpp"
#include "sim/outcome/what_if.hpp"

namespace tessera::sim::outcome {

Explanation::Explanation(Outcome const& outcome)
    : outcome_{outcome},
      numbers_{outcome.blueprint.schedule},
      times_{outcome},
      rounds_{outcome.blueprint, times_},
      waits_{outcome, times_, numbers_} {}

void Explanation::complete(traces::RunSummary& summary) {
  summary.reasons = {critical_path(outcome_, times_, rounds_, numbers_, waits_),
                     what_if(outcome_, times_, rounds_)};
}

void Explanation::complete(traces::TaskEvent& event, TaskCopy const& copy) {
  if (!slacks_) slacks_ = slacks(outcome_, times_, rounds_, waits_);
  auto const wait = waits_.last_wait(copy);
  event.cause = static_cast<std::uint8_t>(wait.cause);
  event.waited_for = wait.task ? numbers_.of(*wait.task) : -1;
  event.slack = (*slacks_)[copy.task];
}

}  // namespace tessera::sim::outcome
