// A memory that costs no time.
#pragma once

#include <vector>

#include "sim/model/memory/memory.hpp"

namespace tessera::sim {

/// Completes every load and store at the next clock, any number at once: HyPar's evaluation, whose
/// published times have no memory term. Never busy; counts what is read and written.
class IdealMemory final : public Memory {
 public:
  IdealMemory(MessageClock clock, TaskGraph const& graph) : Memory{clock, graph} {}

  [[nodiscard]] Time transfer(Time at, Transfer const& transfer) override;

  void serialize(Time /*now*/, StateWriter& /*out*/) const override {}
  [[nodiscard]] char const* kind() const override { return "ideal memory"; }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return counters_.all();
  }

 private:
  MemoryCounters counters_;
};

}  // namespace tessera::sim
