// What a memory offers to a core unit whose kernels begin in phase with it (arch::ExecutionSpec::Kernels): the unit says when a
// computation and each of its kernels begins and ends, and asks for nothing outside of a kernel or before its start. So what a kernel
// finds depends neither on when it begins nor on what was before.
#pragma once

#include <array>

#include "arch/base/quantity.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

class KernelMemory {
 public:
  struct Region {
    Bytes address{0};
    Bytes size{0};
  };

  virtual ~KernelMemory() = default;

  /// Answers how long the computation waits before its first kernel, for refreshes.
  [[nodiscard]] virtual Time begin_task(Time now) = 0;
  /// Its next kernel begins, and asks first after `start`.
  virtual void begin_kernel(Time now, Time start) = 0;
  /// All that it asked for is there. Answers how long the computation waits before the next one.
  [[nodiscard]] virtual Time end_kernel(Time now) = 0;
  /// The same of its last kernel.
  virtual void end_task(Time now) = 0;

  /// Writes how operands lie in banks and rows, as far as kernels depend on it. An operand without
  /// a size is not there.
  virtual void write_layout(std::array<Region, 3> const& operands, StateWriter& out) const = 0;
};

}  // namespace tessera::sim
