// One DRAM channel with its controller: an HMC vault, or a channel or pseudo channel of an HBM stack.
//
// What it does in a cycle, and thus what it does at all:
//
//   1. The requests that arrive take their places in the queue.
//   2. A refresh, or the precharge before one, when the calendar says so (refresh_calendar.hpp). It takes the (row) command bus,
//      which no activate that takes several clocks may still occupy then.
//   3. A column command, if the (column) command bus is free: of the oldest request whose row is open and whose command is legal.
//   4. A row command, if the (row) command bus is free: of the oldest request that needs one which is legal. A closed bank is
//      activated for its oldest request. An open one is precharged when its oldest request wants another row and no request is
//      waiting for the open one.
//   5. With page policy timeout, if the (row) command bus is still free: the precharge of the first bank that nobody is waiting for
//      and whose row was not used for the timeout.
//
// With separate queues of reads and writes not all requests count in 3 to 5: see dram_queues.hpp.
// FR-FCFS: as above; but at the bank of the oldest request, once that is `starvation_cap` clocks old, only that request counts.
// FCFS: only the oldest request of each bank counts, and column commands go strictly in order of arrival. So do activates: a bank is
// activated for a request only when all older ones are prepared, that is, have their row open (closed: and are first at their bank).
// Page policy closed: only the oldest request of each bank counts, and its last column command closes the row.
//
// The core sleeps until something can happen: between two events no decision changes, so the next event is the earliest cycle at
// which a command that is wanted now becomes legal. A clocked twin in test/ does the same cycle by cycle.
//
// Leaves out: data (a read may overtake an earlier write to its address, which real controllers answer from the write queue), ECC,
// power-down.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_queues.hpp"
#include "sim/model/memory/dram/dram_statistics.hpp"
#include "sim/model/memory/dram/dram_timer.hpp"
#include "sim/model/memory/dram/dram_wishes.hpp"
#include "sim/model/memory/dram/open_rows.hpp"
#include "sim/model/memory/dram/refresh_calendar.hpp"

namespace tessera::sim {

class DramChannel final {
 public:
  /// Called for every command, in order.
  using Observer = std::function<void(DramCommand const&)>;

  explicit DramChannel(arch::DramSpec const& spec, Observer observer = {});

  /// Whether the queue has a place. A place is taken by push() and given back when the completion
  /// is `issued`.
  [[nodiscard]] bool has_room(Access access) const { return !queues_.is_full(access); }
  /// A request that arrives at `cycle`, the one after the last that was advanced over. Requires
  /// room.
  void push(std::int64_t cycle, DramRequest const& request);
  /// The first cycle at which a request may still arrive.
  [[nodiscard]] std::int64_t next_arrival() const { return seen_ + 1; }
  /// Runs through cycle `now`, unless it is past already, appending what is completed. Requires
  /// that every request that arrives up to `now` was pushed.
  void advance(std::int64_t now, std::vector<DramCompletion>& out);
  /// Runs on until there is room, and answers the first cycle at which a request may be pushed.
  /// Requires that no other request arrives before.
  std::int64_t advance_to_room(Access access, std::vector<DramCompletion>& out);
  /// The next cycle at which something will happen to a waiting request, if nothing arrives.
  [[nodiscard]] std::optional<std::int64_t> next_wakeup() const;

  [[nodiscard]] bool is_idle() const { return queues_.is_empty(); }
  [[nodiscard]] DramStatistics const& statistics() const { return statistics_; }

  /// Tells nobody of its commands any more.
  void silence() { observer_ = {}; }

  /// Without the tags of requests, which are their requester's. Requires that it was advanced to
  /// now.
  void serialize(std::int64_t now, StateWriter& out) const;
  /// Moves everything by `by` clocks, a multiple of refresh_period().
  void shift(std::int64_t by);
  /// 0 where nothing is refreshed.
  [[nodiscard]] std::int64_t refresh_period() const { return calendar_.period(); }

 private:
  using Slot = DramQueues::Slot;
  static constexpr std::int64_t never = DramChoice::never;

  // What to do next (dram_channel_choice.cpp).
  [[nodiscard]] DramChoice choose();
  [[nodiscard]] DramChoice choose_first_ready();
  [[nodiscard]] DramChoice choose_in_order() const;
  void consider_idle_rows(DramChoice& best) const;
  /// What this request needs next, at cycle `from` or later.
  [[nodiscard]] DramChoice wanted_by(Slot slot, std::int64_t from = 0) const;
  [[nodiscard]] BankCommand needed_by(Slot slot) const;
  [[nodiscard]] bool is_prepared(Slot slot) const;
  /// Finds out anew what the bank wishes for.
  void look_at(std::size_t bank);
  void look_at(BankSet banks);
  [[nodiscard]] Slot hit_at(std::size_t bank, Access access) const;
  void wish(BankCommand command, Slot slot);

  // Doing it.
  void issue(DramChoice const& choice, std::vector<DramCompletion>& out);
  [[nodiscard]] BankSet issue_column(DramChoice const& choice, std::vector<DramCompletion>& out);
  void issue_calendar_event();
  [[nodiscard]] BankSet open(DramChoice const& choice);
  /// Its row is open until `cycle`, now or later.
  void close(std::size_t bank, std::int64_t cycle);
  void update_last_activate() { buses_.last_act = calendar_.next().cycle - activate_clocks_; }
  void take_bus(std::int64_t cycle, BankCommand command);
  void record(DramCommand::Kind kind, std::int64_t cycle, std::size_t bank, std::uint32_t row = 0);

  // Not the whole of the memory: what sees ahead copies channels again and again, and its texts too.
  arch::DramPolicy policy_;
  std::int64_t activate_clocks_;  ///< that the command takes
  Observer observer_;
  bool in_order_;
  bool oldest_of_bank_only_;
  DramTimer timer_;
  RefreshCalendar calendar_;
  DramWishes wishes_;  ///< FR-FCFS: of the requests that count
  DramQueues queues_;
  BankSet open_banks_;
  OpenRowsByRank open_rows_;
  DramChoice chosen_;  ///< what choose() answers
  std::uint64_t pushed_ = 0;
  std::int64_t seen_ = -1;  ///< the last cycle that was advanced over
  DramBuses buses_;
  DramStatistics statistics_;
};

}  // namespace tessera::sim
