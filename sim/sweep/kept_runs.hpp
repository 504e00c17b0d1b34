// What a process keeps from one point of a study to the next. Of points of one network on arrays whose accelerators are alike (an axis
// is a link's bandwidth) the tile programs and the records of computations are the same: they follow from core, operator and memory, and
// not from the fabric (kept_work.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/model/compute/kept_work.hpp"
#include "sim/study/experiment.hpp"

namespace tessera::sim {

class KeptRuns final {
 public:
  /// sim::simulate(), on the engine. Experiments of one `alike` have the same network, and arrays
  /// that differ in nothing but their fabrics.
  [[nodiscard]] Point simulate(Experiment experiment, std::string const& alike);

 private:
  void start_anew(Experiment const& experiment, std::string const& alike);

  std::string alike_;
  std::vector<arch::AcceleratorGroup> groups_;  ///< what is kept knows cores and memories by these
  std::unique_ptr<KeptWork> work_;
};

}  // namespace tessera::sim
