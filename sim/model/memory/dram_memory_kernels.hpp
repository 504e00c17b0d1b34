// A DRAM memory whose kernels begin in phase with it (kernel_memory.hpp): each finds channels as they were at first.
#pragma once

#include "sim/model/memory/dram/kernel_phase.hpp"
#include "sim/model/memory/dram_memory.hpp"

namespace tessera::sim {

class DramMemory::Kernels final : public KernelMemory {
 public:
  Kernels(DramMemory& memory, arch::DramSpec const& spec) : memory_{memory}, phase_{spec} {}

  [[nodiscard]] Time begin_task(Time now) override;
  void begin_kernel(Time now, Time start) override;
  [[nodiscard]] Time end_kernel(Time now) override;
  void end_task(Time now) override;
  void write_layout(std::array<Region, 3> const& operands, StateWriter& out) const override;

  [[nodiscard]] KernelPhase const& phase() const { return phase_; }
  /// As KernelPhase.
  void repeat(KernelPhase::Debt const& debt, Time begin, Time end) {
    phase_.repeat(debt, begin, end);
    memory_.origin_ = end;
  }
  void close(Time end);

 private:
  template <typename Act>
  Time rest_and_log(Time rests_since, Act const& act);
  void rest(Time now);

  DramMemory& memory_;
  KernelPhase phase_;
};

}  // namespace tessera::sim
