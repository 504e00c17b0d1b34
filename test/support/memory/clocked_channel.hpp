// The clocked twin of a DRAM channel: one step per clock, plain loops over everything that ever mattered, nothing remembered that
// could be looked up. It follows the numbered list in sim/model/memory/dram/dram_channel.hpp and shares no code with the channel.
#pragma once

#include <memory>

#include "test/support/memory/run_result.hpp"

namespace tessera::test {

class ClockedChannel {
 public:
  /// Appends what it does to `result`.
  ClockedChannel(arch::DramSpec const& spec, RunResult& result);
  ~ClockedChannel();
  ClockedChannel(ClockedChannel const&) = delete;
  ClockedChannel& operator=(ClockedChannel const&) = delete;

  /// False where the queue is full. Before the step of the same clock.
  [[nodiscard]] bool accept(std::int64_t now, sim::DramRequest const& request);
  /// Clock by clock, from 0.
  void step(std::int64_t now);
  [[nodiscard]] bool is_idle() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace tessera::test
