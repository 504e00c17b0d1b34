// The state of a channel in closed form (dram_stream.hpp) between two refreshes: written down without its place in the calendar, kept, and
// put back later, elsewhere in the calendar and in other banks.
//
// The channel is calm where no request waits for the next refresh: then all that older requests have reserved lies between the last
// refresh and the next one, and what a request takes depends on the calendar only by whether its commands come in time before the next
// refresh. So two calm channels whose states are written alike serve equal requests alike as long as all commands come in time.
// Banks are written as a walk sees them from a block on (BankView), which DramStream::serve_stream does, too.
#pragma once

#include "sim/model/memory/dram/dram_stream.hpp"

namespace tessera::sim {

class DramStream::Calm final {
 public:
  /// Does the refreshes up to `now`, before which no request arrives any more. Is the channel calm?
  [[nodiscard]] static bool settle(DramStream& stream, std::int64_t now);
  [[nodiscard]] static bool is_calm(DramStream const& stream);
  /// Which refresh was the last one.
  [[nodiscard]] static std::int64_t epoch(DramStream const& stream) { return stream.oldest_epoch_; }
  /// Counts what is spent until `next`, before which nothing is asked for any more, without a
  /// refresh. Answers by when rows may be closed for one so that it changes nothing.
  [[nodiscard]] static std::int64_t rest(DramStream& stream, std::int64_t next);

  /// As if no refresh came up to `now`. Requires a calm channel.
  static void write(DramStream& stream, std::int64_t now, BankView const& view, StateWriter& out);

  /// Keeps it, as it is at `now`. Requires a calm channel.
  Calm(DramStream& stream, std::int64_t now, BankView const& view);
  /// The channel becomes at `now`, seen from `view`, what was kept.
  void put_back(DramStream& stream, std::int64_t now, BankView const& view) const;
  /// The channel becomes what it is at `now` where nothing was asked for since the last refresh.
  static void refresh(DramStream& stream, std::int64_t now);

 private:
  static void go_to(DramStream& stream, std::int64_t now);

  Epoch epoch_;
  SlotCalendar slots_;
  std::vector<std::int64_t> issued_;
  std::size_t place_;
  std::int64_t arrived_;
  std::int64_t now_;
  BankView view_;
};

}  // namespace tessera::sim
