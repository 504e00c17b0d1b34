// The general channel (dram_channel.hpp) behind a requester that asks for runs of blocks and wants to know at once when each is done.
//
// The blocks of all runs are offered in order, each as soon as the queue takes it. What happens up to the last arrival is certain. From
// there on the channel is run ahead without further arrivals, and thrown away, to see when the run is done: requests of a later run
// that overtake its last ones, of which there are no more than the queue holds, delay what follows them but not the answer. Of
// requests that cannot overtake each other the answer is exact, and the same as the closed form's (dram_stream.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_channel.hpp"
#include "sim/model/memory/dram/dram_walk.hpp"

namespace tessera::sim {

class DramFeed final {
 public:
  explicit DramFeed(arch::DramSpec const& spec, DramChannel::Observer const& observer = {})
      : channel_{spec, observer}, ahead_{spec} {}

  /// `count` blocks of a walk, from block `first` on, all offered from `cycle` on. When the last
  /// one is done.
  [[nodiscard]] std::int64_t serve(std::int64_t cycle, DramWalk const& walk, std::uint64_t first,
                                   std::uint64_t count);
  /// Does what happens before `now`. Requires that no request arrives before it any more.
  void finish(std::int64_t now) { channel_.advance(now - 1, out_); }
  /// Serves what is left, and goes on through `now`. Requires that no request arrives any more.
  void close(std::int64_t now);

  [[nodiscard]] DramStatistics const& statistics() const { return channel_.statistics(); }

  void serialize(std::int64_t now, StateWriter& out) const;
  /// Moves everything by `by` clocks, a multiple of DramChannel::refresh_period().
  void shift(std::int64_t by) { channel_.shift(by); }

 private:
  /// Counts the answers to the run that is served, and forgets the others.
  void take_answers();
  [[nodiscard]] std::int64_t run_ahead();

  DramChannel channel_;    ///< up to the last arrival
  DramChannel ahead_;      ///< a copy to be run ahead
  std::uint64_t run_ = 0;  ///< tag of its requests
  std::uint64_t waiting_ = 0;
  std::int64_t done_ = 0;
  std::vector<DramCompletion> out_;
};

}  // namespace tessera::sim
