// Lends the accelerators of the first array to the others.
#include "sim/sweep/kept_runs.hpp"

namespace tessera::sim {

void KeptRuns::start_anew(Experiment const& experiment, std::string const& alike) {
  work_ = std::make_unique<KeptWork>();
  groups_ = experiment.array.groups;
  alike_ = alike;
}

Point KeptRuns::simulate(Experiment experiment, std::string const& alike) {
  if (!work_ || alike != alike_) start_anew(experiment, alike);
  experiment.run.kept = work_.get();
  experiment.array.groups.swap(groups_);
  try {
    auto point = sim::simulate(experiment);
    experiment.array.groups.swap(groups_);
    return point;
  } catch (...) {  // what it left half done is of no use
    work_.reset();
    throw;
  }
}

}  // namespace tessera::sim
