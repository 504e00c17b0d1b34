// A vault or channel of an accelerator's DRAM: in closed form where requests cannot overtake each other (dram_stream.hpp), equal turns of
// the address map once where turns are long (dram_repeater.hpp); else request by request (dram_feed.hpp). A value: a copy goes on from the
// same state.
#pragma once

#include <cstdint>
#include <variant>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_feed.hpp"
#include "sim/model/memory/dram/dram_repeater.hpp"
#include "sim/model/memory/memory_channel.hpp"

namespace tessera::sim {

class SimulatedChannel final : public MemoryChannel {
 public:
  enum class Repeats {
    skipped,    ///< what comes back to a state that it was in is not worked out again
    worked_out  ///< block by block
  };

  /// `spec` and `library` must outlive it and its copies.
  SimulatedChannel(arch::DramSpec const& spec, DramLibrary& library, Repeats repeats,
                   DramChannel::Observer const& observer = {});

  [[nodiscard]] std::int64_t serve(std::int64_t cycle, DramWalk const& walk, std::uint64_t first,
                                   std::uint64_t count) override;
  /// Does what happens before `now` (DramFeed), or counts its refreshes (DramStream). Requires that
  /// no request arrives before it any more.
  void finish(std::int64_t now);
  /// Serves what is left, and goes on through `now`. Requires that no request arrives any more.
  void close(std::int64_t now);

  [[nodiscard]] DramStatistics const& statistics() const;
  /// Nothing of a channel that finds no courses again.
  [[nodiscard]] RepeatedBlocks repeated_blocks() const;
  void serialize(std::int64_t now, StateWriter& out) const;
  /// Moves everything by `by` clocks, a multiple of the period of refreshes.
  void shift(std::int64_t by);
  /// The channel in closed form, if it is one that repeats nothing by itself beyond one transfer.
  [[nodiscard]] DramStream* stream() { return std::get_if<DramStream>(&model_); }

 private:
  using Model = std::variant<DramStream, DramRepeater, DramFeed>;
  [[nodiscard]] static Model make(arch::DramSpec const& spec, DramLibrary& library, Repeats repeats,
                                  DramChannel::Observer const& observer);

  Model model_;
  Repeats repeats_;
};

}  // namespace tessera::sim
