// The commands of a channel, passed to a listener in order of time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_channel.hpp"

namespace tessera::sim {

class DramCommandLog final {
 public:
  using Listener = std::function<void(Time, DramCommand const&)>;

  /// No listener: nobody asked.
  DramCommandLog(arch::DramSpec const& spec, Listener listener);

  [[nodiscard]] bool is_on() const { return static_cast<bool>(listener_); }
  /// For the channel; the log must outlive it.
  [[nodiscard]] DramChannel::Observer observer();

  /// Commands of later requests may come before those of earlier ones, but not before a clock,
  /// which is counted from `origin`.
  void emit_before(std::int64_t cycle, Time origin);
  /// Of a kernel that begins in phase: all, and that its rows are closed when it ends.
  void emit_kernel(Time begin, Time end);
  /// Outside of kernels, in which nothing is asked for.
  void emit_refreshes(std::int64_t count, Time begin, Time end);

 private:
  Listener listener_;
  Time clock_period_;
  Time precharge_;  ///< after the last data
  Time refresh_;    ///< likewise
  Time interval_;   ///< between refreshes
  Time length_;     ///< of one
  std::vector<DramCommand> pending_;
};

}  // namespace tessera::sim
