// The same channel as dram_channel.hpp for requests that are served in order (FCFS), in closed form: when a request arrives, all its
// commands follow at once from what older requests have reserved, because no younger request can ever delay an older one.
//
// Exact where that is true: scheduler fcfs (which has one queue) without bank queues, page policy open or closed, one rank, and
// refreshes of all banks or none. Between two refreshes a channel starts afresh, with all rows closed, so that a request that does not
// fit before a refresh is simply carried over; what older requests prepared in vain before it is accounted for, as the event-driven
// channel does it.
//
// A walk through many blocks soon repeats itself: along the columns of a row, from one row to the next (of another bank), and as a
// whole after a number of refreshes. serve_stream compares its states, each relative to its time, bank and row. Equal states have equal
// futures, so it multiplies what happened between them: up to the end of the row, to the next refresh or, where the states are equal in
// the calendar too, to the end.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_statistics.hpp"
#include "sim/model/memory/dram/dram_timer.hpp"
#include "sim/model/memory/dram/dram_walk.hpp"
#include "sim/model/memory/dram/open_rows.hpp"
#include "sim/model/memory/dram/slot_calendar.hpp"

namespace tessera::sim {

class DramStream final {
 public:
  /// Called for every command; those of one request in order, but requests interleave.
  using Observer = std::function<void(DramCommand const&)>;
  /// Its state between two refreshes, to be compared and put back (dram_stream_calm.hpp).
  class Calm;
  /// Its state at the last arrival, for any open rows (dram_stream_moment.hpp).
  class Moment;

  /// Whether the closed form is exact.
  [[nodiscard]] static bool serves(arch::DramSpec const& spec);

  explicit DramStream(arch::DramSpec const& spec, Observer observer = {});

  /// A request that is offered from `cycle` on, which is no earlier than the one before. It arrives
  /// when the queue has a place.
  DramCompletion serve(std::int64_t cycle, DramRequest const& request);
  /// `count` blocks of a walk, from block `first` on, all offered from `cycle` on: the same as to
  /// serve() one after another. Answers the last one. An observer hears only of those that were not
  /// skipped.
  DramCompletion serve_stream(std::int64_t cycle, DramWalk const& walk, std::uint64_t first,
                              std::uint64_t count);
  /// Does the refreshes up to cycle `now`. Requires that no request arrives before it any more.
  void finish(std::int64_t now);

  [[nodiscard]] DramStatistics const& statistics() const { return statistics_; }

  void serialize(std::int64_t now, StateWriter& out) const { serialize(now, out, BankView{}); }
  /// Moves everything by `by` clocks, on or back, a multiple of tREFI where there are refreshes.
  void shift(std::int64_t by);

 private:
  friend class DramRepeater;  // does the same, but for what repeats

  /// From one refresh to the next.
  struct Epoch {
    std::int64_t number = -1;
    std::int64_t start = 0;     ///< the refresh
    std::int64_t close_by = 0;  ///< when all rows are precharged for the next one
    DramTimer timer;            ///< of no banks until a request comes to the epoch
    OpenRows rows;
    std::int64_t last_column = -1;
    std::uint64_t open_banks = 0;
    std::uint64_t blocked_banks = 0;  ///< a request that waits for the next epoch is first there
    bool no_activates = false;        ///< an older request is not prepared in this epoch
    bool no_columns = false;          ///< an older request is not served in this epoch

    /// The clocks with an open row that were not counted before. As OpenRows::count_to().
    std::int64_t count_active(std::int64_t now) { return rows.count_to(now, close_by); }
  };

  /// The state between two blocks of a walk.
  struct Checkpoint {
    bool is_valid = false;
    bool is_alone = false;  ///< no request waits for the next refresh
    std::uint64_t block = 0;
    std::int64_t arrived = 0;
    std::int64_t epoch = 0;
    DramStatistics statistics;
    StateWriter state;  ///< relative to its time, bank and row
  };
  enum class Skip { along_row, to_refresh, over_refreshes };

  void checkpoint(DramWalk const& walk, std::uint64_t block);
  // These answer the block to go on with.
  [[nodiscard]] std::uint64_t skip_along_row(DramWalk const& walk, std::uint64_t end,
                                             DramCompletion& last);
  [[nodiscard]] std::uint64_t skip_rows(DramWalk const& walk, std::uint64_t end,
                                        DramCompletion& last);
  [[nodiscard]] std::uint64_t skip(DramWalk const& walk, std::uint64_t end, Skip skip,
                                   DramCompletion& last);
  [[nodiscard]] bool repeats(Checkpoint const& before, Skip skip) const;
  void repeat(Checkpoint const& before, std::int64_t times, Skip skip, DramWalk const& walk);
  void move_far();

  void serialize(std::int64_t now, StateWriter& out, BankView const& view) const;
  void turn(Epoch& epoch, BankView const& from, BankView const& to);
  [[nodiscard]] Epoch& epoch(std::int64_t number);
  [[nodiscard]] bool prepare(Epoch& epoch, std::int64_t from, DramRequest const& request);
  [[nodiscard]] bool precharge(Epoch& epoch, std::int64_t from, DramRequest const& request);
  /// As many of the bursts that are left as fit into the epoch; when the last of them was issued.
  [[nodiscard]] std::int64_t serve_columns(Epoch& epoch, std::int64_t from,
                                           DramRequest const& request, std::uint16_t& left);
  void close_row(Epoch& epoch, std::size_t bank);
  static void shift(Epoch& epoch, std::int64_t by);
  void shift_arrivals(std::int64_t by);
  void close_epochs();
  void record(DramCommand::Kind kind, std::int64_t cycle, std::size_t bank, std::uint32_t row = 0);

  static constexpr std::int64_t never = INT64_MAX / 2;

  arch::DramSpec spec_;
  Observer observer_;
  bool has_refresh_;
  bool shared_bus_;
  bool closes_rows_;
  std::int64_t read_guard_, write_guard_, open_guard_;
  std::int64_t burst_step_;  ///< from one burst of a request to the next
  std::int64_t oldest_end_;  ///< of the oldest epoch
  DramTimer fresh_;
  DramTimer turned_;                  ///< while an epoch is turned
  std::vector<Epoch> epochs_;         ///< a ring
  std::int64_t oldest_epoch_ = 0;     ///< the first that is not over for new arrivals
  std::int64_t arrived_ = 0;          ///< the last arrival
  SlotCalendar slots_;                ///< of the row command bus, or of the shared one
  std::vector<std::int64_t> issued_;  ///< a ring over the places of the queue: when each is free
  std::size_t place_ = 0;
  DramStatistics statistics_;

  Checkpoint now_;
  Checkpoint last_;         ///< the one before, at the end of rows
  Checkpoint last_of_row_;  ///< within a row
  /// One further back at the end of rows. It moves on after 1, 2, 4, ... checkpoints, so that it is
  /// found whatever the period (Brent, BIT 1980).
  Checkpoint far_;
  std::int64_t since_far_ = 0, far_length_ = 1;
};

}  // namespace tessera::sim
