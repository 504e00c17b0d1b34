// The same channel as dram_channel.hpp for requests that are served in order (FCFS), in closed form: when a request arrives, all its
// commands follow at once from what older requests have reserved, because no younger request can ever delay an older one.
//
// Exact where that is true: scheduler fcfs (which has one queue) without bank queues, page policy open or closed, one rank, and refreshes of all banks
// or none. Between two refreshes a channel starts afresh, with all rows closed, so that a request that does not fit before a refresh
// is simply carried over; what older requests prepared in vain before it is accounted for, as the event-driven channel does it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "arch/dram_spec.hpp"
#include "sim/model/memory/dram_statistics.hpp"
#include "sim/model/memory/dram_timer.hpp"
#include "sim/model/memory/slot_calendar.hpp"

namespace tessera::sim {

class DramStream final {
 public:
  /// Called for every command; those of one request in order, but requests interleave.
  using Observer = std::function<void(DramCommand const&)>;

  /// Whether the closed form is exact.
  [[nodiscard]] static bool serves(arch::DramSpec const& spec);

  explicit DramStream(arch::DramSpec const& spec, Observer observer = {});

  /// A request that is offered from `cycle` on, which is no earlier than the one before. It arrives
  /// when the queue has a place.
  DramCompletion serve(std::int64_t cycle, DramRequest const& request);
  /// Does the refreshes up to cycle `now`. Requires that no request arrives before it any more.
  void finish(std::int64_t now);

  [[nodiscard]] DramStatistics const& statistics() const { return statistics_; }

  void serialize(std::int64_t now, StateWriter& out) const;
  /// Moves everything by `by` clocks, a multiple of tREFI where there are refreshes.
  void shift(std::int64_t by);

 private:
  /// From one refresh to the next.
  struct Epoch {
    std::int64_t number = -1;
    std::int64_t start = 0;     ///< the refresh
    std::int64_t close_by = 0;  ///< when all rows are precharged for the next one
    DramTimer timer;
    std::int64_t last_column = -1;
    std::uint64_t open_banks = 0;
    std::uint64_t blocked_banks = 0;  ///< a request that waits for the next epoch is first there
    bool no_activates = false;        ///< an older request is not prepared in this epoch
    bool no_columns = false;          ///< an older request is not served in this epoch
  };

  [[nodiscard]] Epoch& epoch(std::int64_t number);
  [[nodiscard]] bool prepare(Epoch& epoch, std::int64_t from, DramRequest const& request);
  [[nodiscard]] bool precharge(Epoch& epoch, std::int64_t from, DramRequest const& request);
  [[nodiscard]] std::int64_t serve_columns(Epoch& epoch, std::int64_t from, DramRequest& request);
  void take_row_slot(std::int64_t cycle) { slots_.take(cycle, arrived_); }
  void close_epoch();
  void record(DramCommand::Kind kind, std::int64_t cycle, std::size_t bank, std::uint32_t row = 0);

  static constexpr std::int64_t never = INT64_MAX / 2;

  arch::DramSpec spec_;
  Observer observer_;
  bool has_refresh_;
  bool shared_bus_;
  bool closes_rows_;
  std::int64_t read_guard_, write_guard_, open_guard_;
  std::int64_t oldest_end_;  ///< of the oldest epoch
  DramTimer fresh_;
  std::vector<Epoch> epochs_;         ///< a ring
  std::int64_t oldest_epoch_ = 0;     ///< the first that is not over for new arrivals
  std::int64_t arrived_ = 0;          ///< the last arrival
  SlotCalendar slots_;                ///< of the row command bus, or of the shared one
  std::vector<std::int64_t> issued_;  ///< a ring over the places of the queue: when each is free
  std::size_t place_ = 0;
  DramStatistics statistics_;
};

}  // namespace tessera::sim
