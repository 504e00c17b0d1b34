// A processing unit that takes a while to start whatever it computes, as a GPU takes to launch a kernel.
#pragma once

#include <algorithm>

#include "arch/base/config.hpp"
#include "sim/model/compute/timed_unit.hpp"

namespace tessera::sim {

/// Key: launch (clocks). A task takes launch + ceil(macs / macs_per_cycle) clocks. In an array's
/// file:
///
///   processing_unit: {kind: model, model: launched, macs_per_cycle: 4096, keys: {launch: 5000}}
///
/// Leaves out: the mapping onto PEs; that launches of one kernel overlap the work of another.
class LaunchedUnit final : public TimedUnit {
 public:
  LaunchedUnit(ConfigMap& keys, ProcessingUnitParts const& parts)
      : TimedUnit{parts.clock, parts.schedule.graph(), parts.utilisation},
        macs_per_cycle_{parts.macs_per_cycle},
        launch_{launch_of(keys)} {}

  [[nodiscard]] char const* kind() const override { return "launched unit"; }

 private:
  static std::int64_t launch_of(ConfigMap& keys) {
    auto const clocks = keys.required<std::int64_t>("launch");
    if (clocks < 0) throw keys.node("launch").error("must be 0 or more");
    return clocks;
  }

  [[nodiscard]] Cycles length_of(Task const& task) const override {
    auto const work = tessera::detail::multiply_divide_ceil(task.macs.value(), 1, macs_per_cycle_);
    return Cycles{std::max(std::int64_t{1}, launch_ + work)};
  }

  std::int64_t macs_per_cycle_;
  std::int64_t launch_;
};

}  // namespace tessera::sim
