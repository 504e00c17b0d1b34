// The state of a channel in closed form (dram_stream.hpp) at its last arrival: written down whatever rows are open, kept, and put back
// later, at another time, in other banks and with other rows.
//
// What a request takes depends on the rows that are open by whether its own is among them, and on nothing else of a row. So two channels
// whose states are written alike serve walks alike where they find the same rows open, be it others. Where nothing waits for the next
// refresh (the channel is alone with what is between two of them) the calendar is left out, too, as in dram_stream_calm.hpp; else it is
// in the state.
#pragma once

#include <array>

#include "sim/model/memory/dram/dram_stream.hpp"

namespace tessera::sim {

class DramStream::Moment final {
 public:
  /// From one refresh to the next: as many as one that is kept spans.
  static constexpr std::size_t most_epochs = 2;
  static constexpr std::int64_t closed = -1;
  /// The row that is open in each bank, or `closed`, in each epoch that has begun.
  using Rows = std::array<std::array<std::int64_t, 64>, most_epochs>;

  /// Begins the epoch of the last arrival. Do no more have begun than may be kept?
  [[nodiscard]] static bool begin(DramStream& stream);
  static void write(DramStream const& stream, BankView const& view, StateWriter& out);
  [[nodiscard]] static Rows rows(DramStream const& stream);

  Moment(DramStream const& stream, BankView const& view);
  /// The channel becomes it, the last arrival being `at`, but for what it has counted.
  void put_back(DramStream& stream, std::int64_t at, BankView const& view, Rows const& rows) const;

  /// Does no request wait for the next refresh?
  [[nodiscard]] bool is_alone() const { return is_alone_; }
  /// Of the clocks after it, without an arrival, those with an open row. Requires that it is alone.
  [[nodiscard]] std::int64_t active_clocks(std::int64_t clocks) const {
    return epochs_.front().rows.clocks_to(at_ + clocks);
  }
  /// After so many clocks without an arrival it lies all in the past.
  [[nodiscard]] std::int64_t settles() const { return settles_; }

 private:
  [[nodiscard]] static bool is_alone(DramStream const& stream);
  [[nodiscard]] static std::int64_t settled(DramStream const& stream);

  std::vector<Epoch> epochs_;
  SlotCalendar slots_;
  std::vector<std::int64_t> issued_;
  std::size_t place_;
  std::int64_t at_;
  std::int64_t settles_;
  BankView view_;
  bool is_alone_;
};

}  // namespace tessera::sim
