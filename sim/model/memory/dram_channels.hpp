// The channels of an accelerator's DRAM, which all see the same requests at the same clocks and so are in the same state for ever: all
// of them, or one that stands for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/model/memory/simulated_channel.hpp"

namespace tessera::sim {

class DramChannels final {
 public:
  enum class Simulated { all, one };

  /// `spec` and `library` must outlive them.
  DramChannels(arch::DramSpec const& spec, DramLibrary& library, Simulated simulated,
               SimulatedChannel::Repeats repeats, DramChannel::Observer const& observer);
  DramChannels(DramChannels const&) = delete;
  DramChannels& operator=(DramChannels const&) = delete;
  ~DramChannels() = default;

  /// As SimulatedChannel::serve() and the others, of each of them.
  [[nodiscard]] std::int64_t serve(std::int64_t cycle, DramWalk const& walk, std::uint64_t first,
                                   std::uint64_t count);
  void finish(std::int64_t now);
  void close(std::int64_t now);
  void serialize(std::int64_t now, StateWriter& out) const;
  [[nodiscard]] RepeatedBlocks repeated_blocks() const;

  /// They are as they were at first, and count clocks from 0.
  void restart();
  /// The one goes on from the state of another one, `by` clocks later.
  void go_on(SimulatedChannel const& from, std::int64_t by);

  /// What all of them did since the last call.
  [[nodiscard]] DramStatistics take_statistics();

  [[nodiscard]] std::int64_t count() const {
    return static_cast<std::int64_t>(simulated_.size()) * stands_for_;
  }
  [[nodiscard]] bool is_one() const { return simulated_.size() == 1; }
  [[nodiscard]] SimulatedChannel& first() { return simulated_.front(); }
  [[nodiscard]] std::vector<SimulatedChannel>& simulated() { return simulated_; }
  /// From now on one of them is called through something (Memory::call_through).
  void call_through(std::size_t channel, MemoryChannel& caller) { callers_.at(channel) = &caller; }

 private:
  [[nodiscard]] DramStatistics statistics() const;

  SimulatedChannel at_first_;
  std::vector<SimulatedChannel> simulated_;
  std::vector<MemoryChannel*> callers_;  ///< through which these are called
  std::int64_t stands_for_;              ///< how many each of these stands for
  DramStatistics taken_;                 ///< as far as take_statistics() has answered
  RepeatedBlocks before_restart_;
};

}  // namespace tessera::sim
