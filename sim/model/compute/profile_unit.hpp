// A processing unit that takes measured times.
#pragma once

#include <array>

#include "arch/accelerator/profile_spec.hpp"
#include "sim/model/compute/timed_unit.hpp"

namespace tessera::sim {

/// A task takes its share of the time that the profile has for the operator and phase. Of the
/// iterations of the operator's loops it has as many as its part; samples count against the
/// profile's batch, which may be another than the network's. An update is shared as the weights
/// are. The product is rounded up to whole cycles; a phase that took no time takes none.
///
/// Leaves out: that a chip computes a small share less efficiently than a large one.
class ProfileUnit final : public TimedUnit {
 public:
  /// The profile must have every operator of the graph.
  ProfileUnit(arch::ProfileSpec const& profile, MessageClock clock, TaskGraph const& graph,
              BusyHistogram& utilisation);

  [[nodiscard]] char const* kind() const override { return "measured times"; }

 private:
  [[nodiscard]] Cycles length_of(Task const& task) const override;

  std::int64_t batch_;
  TaskGraph const& graph_;
  IdVector<workloads::OperatorId, std::array<Time, 4>> times_;  ///< by phase
};

}  // namespace tessera::sim
