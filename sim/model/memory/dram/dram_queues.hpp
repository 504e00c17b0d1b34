// The requests that wait in a channel, and which of them count: one queue for all, or one of reads and one of writes that take turns.
//
// With separate queues the controller serves reads until there are `high_watermark` writes or nothing but writes; then writes, until
// `low_watermark` are left and a read is waiting, or none is left. A request that has begun, by an activate for it or a first burst,
// leaves its queue and counts whichever is served: the row that was opened for a read is not closed for a write before the read has
// it (Ramulator 2, m_active_buffer).
// Where banks have queues of their own, the queue that is served fills them, oldest request first, and all requests in them count,
// reads and writes alike. Writes are all there is when these queues are empty, too; and writes that come while others are written back
// wait for the next time (DRAMsim3, command_queue.cc and controller.cc, write_draining_).
#pragma once

#include <array>
#include <cstdint>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_queue.hpp"

namespace tessera::sim {

class DramQueues final {
 public:
  /// Where a request waits.
  struct Slot {
    std::uint8_t queue = 0;
    DramQueue::Place place = DramQueue::none;

    [[nodiscard]] bool is_none() const { return place == DramQueue::none; }
  };

  DramQueues(arch::DramPolicy const& policy, std::size_t banks);

  /// No more requests of this kind can come.
  [[nodiscard]] bool is_full(Access access) const { return queues_[queue_of(access)].is_full(); }
  [[nodiscard]] bool is_empty() const {
    return queues_[0].is_empty() && queues_[1].is_empty() && queues_[begun].is_empty();
  }

  // Of the requests that count.
  [[nodiscard]] BankSet banks() const { return counting().banks() | queues_[begun].banks(); }
  [[nodiscard]] Slot oldest() const;
  /// One that has begun, else the oldest.
  [[nodiscard]] Slot first_of(std::size_t bank) const;
  /// The oldest read or write for the open row of the bank.
  [[nodiscard]] Slot oldest_hit(std::size_t bank, Access access) const;
  [[nodiscard]] DramQueue::Entry const& operator[](Slot slot) const {
    return queues_[slot.queue][slot.place];
  }
  /// The queue of all requests where they are served in order. Requires that they share one.
  [[nodiscard]] DramQueue const& in_order() const { return queues_[0]; }

  // These answer the banks that have another first request or hit than before.
  /// Requires a free place. `is_hit`: its row is open.
  BankSet push(std::int64_t arrival, std::uint64_t age, DramRequest const& request, bool is_hit);
  /// A row is opened for it. Call row_opened() before.
  BankSet activated(Slot slot);
  /// Takes one burst off.
  BankSet served(Slot slot);

  void row_opened(std::size_t bank, std::uint32_t row) {
    for (auto& queue : queues_) queue.row_opened(bank, row);
  }
  void row_closed(std::size_t bank) {
    for (auto& queue : queues_) queue.row_closed(bank);
  }

  /// `age_of_next`: of the request that comes next.
  void serialize(std::int64_t now, std::uint64_t age_of_next, StateWriter& out) const;
  void shift(std::int64_t by);

 private:
  static constexpr std::uint8_t begun = 2;  ///< those that have, or the queues of the banks

  [[nodiscard]] std::uint8_t queue_of(Access access) const {
    return is_separate_ && access == Access::write ? 1 : 0;
  }
  /// Beside those that have begun.
  [[nodiscard]] DramQueue const& counting() const {
    return queues_[has_bank_queues_ ? begun : served_];
  }
  [[nodiscard]] Slot older(DramQueue::Place of_begun, DramQueue::Place of_counting) const;
  void begin(Slot slot);
  [[nodiscard]] bool may_fill(std::size_t bank) const;
  [[nodiscard]] BankSet fill(std::size_t bank);
  [[nodiscard]] BankSet fill_banks();
  [[nodiscard]] BankSet settle(BankSet changed);
  [[nodiscard]] bool has_other_mode() const;

  arch::DramPolicy policy_;
  bool is_separate_;
  bool has_bank_queues_;             ///< separate: shared by reads and writes
  std::array<DramQueue, 3> queues_;  ///< shared: the first; separate: reads, writes, begun
  std::uint8_t served_ = 0;          ///< the queue of which requests are begun
  std::int64_t writes_left_ = 0;     ///< to be put into the queues of banks this time
};

}  // namespace tessera::sim
