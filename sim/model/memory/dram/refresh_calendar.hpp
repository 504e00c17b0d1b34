// When a channel refreshes: on a fixed calendar that no traffic moves.
//
// The targets are the ranks (all-bank) or the banks (per-bank) of the channel. Target i is refreshed at n tREFI + i stagger for all
// n, i but at 0. tRP before its slot a target that is still open is precharged. The
// command slots of both cycles are kept free whether they are needed or not. A command that would keep the target open for longer
// is not issued; it waits until after the refresh (JEDEC allows refreshes to be moved, so any calendar with the right mean is legal).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_command.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

class RefreshCalendar final {
 public:
  explicit RefreshCalendar(arch::DramSpec const& spec);

  struct Event {
    std::int64_t cycle = never;
    bool is_refresh = false;     ///< else the precharge before it
    std::size_t first_bank = 0;  ///< of the target
  };
  static constexpr std::int64_t never = INT64_MAX / 2;

  [[nodiscard]] Event const& next() const { return next_; }
  void pop();
  [[nodiscard]] std::size_t banks_per_target() const { return banks_per_target_; }
  /// How long a refresh lasts.
  [[nodiscard]] std::int64_t length() const { return length_; }

  /// The last cycle at which this may be done to a bank before its next refresh.
  [[nodiscard]] std::int64_t last(BankCommand command, std::size_t bank) const {
    return close_by_[bank] - guard_[static_cast<std::size_t>(command)];
  }

  /// Where `now` lies in the calendar.
  void serialize(std::int64_t now, StateWriter& out) const;
  /// Requires `by` to be a multiple of period().
  void shift(std::int64_t by);
  /// After this many clocks the calendar looks the same.
  [[nodiscard]] std::int64_t period() const { return targets_ == 0 ? 0 : interval_; }

 private:
  [[nodiscard]] Event precharge_of(std::int64_t slot) const;

  std::int64_t targets_ = 0;
  std::int64_t interval_ = 1;  ///< tREFI
  std::int64_t stagger_ = 0;
  std::int64_t length_ = 0;
  std::int64_t recovery_;
  std::array<std::int64_t, 4> guard_;  ///< by BankCommand: from it until the bank may be closed
  std::size_t banks_per_target_ = 0;
  std::int64_t slot_ = 1;
  Event next_;
  std::vector<std::int64_t> close_by_;  ///< of each bank: its next slot - tRP
};

}  // namespace tessera::sim
