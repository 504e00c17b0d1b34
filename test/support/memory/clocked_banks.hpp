// The banks of the clocked twin of a DRAM channel: when each last did what, and what the timing, the buses and the calendar of
// refreshes allow now. Plain loops over everything that still matters, nothing remembered that could be looked up.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "arch/memory/dram_spec.hpp"

namespace tessera::test {

class ClockedBanks final {
 public:
  struct Bank {
    static constexpr std::int64_t long_ago = -1'000'000'000;

    std::optional<std::uint32_t> row;
    std::int64_t activated = long_ago, precharged = long_ago, read = long_ago, written = long_ago;
    std::int64_t refreshed = long_ago;
  };

  explicit ClockedBanks(arch::DramSpec const& spec);

  [[nodiscard]] Bank const& operator[](int index) const {
    return banks_[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] int count() const { return static_cast<int>(banks_.size()); }

  // The calendar: what is refreshed together, and when.
  [[nodiscard]] std::int64_t targets() const;
  [[nodiscard]] bool belongs(int index, std::int64_t target) const;
  [[nodiscard]] bool is_refreshed_at(std::int64_t target, std::int64_t cycle) const;

  /// A clock of the row command bus that is the calendar's, needed or not.
  [[nodiscard]] bool is_slot(std::int64_t cycle) const;

  /// Ranks that have a row open at the end of clock `now`, or one that still closes by itself.
  [[nodiscard]] std::int64_t active_ranks(std::int64_t now) const;

  // What is legal now.
  [[nodiscard]] bool may_activate(std::int64_t now, int index) const;
  [[nodiscard]] bool may_precharge(std::int64_t now, int index) const;
  [[nodiscard]] bool may_access(std::int64_t now, int index, bool writes) const;

  // What is done.
  void activate(std::int64_t now, int index, std::uint32_t row);
  void precharge(std::int64_t now, int index);
  void access(std::int64_t now, int index, bool writes);
  /// After an access, by itself, as soon as it may.
  void close(int index);
  void refresh(std::int64_t now, int index) { bank(index).refreshed = now; }

 private:
  struct Column {
    std::int64_t cycle;
    int bank;
    bool is_write;
  };

  [[nodiscard]] Bank& bank(int index) { return banks_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] int rank_of(int index) const;
  [[nodiscard]] int group_of(int index) const;
  [[nodiscard]] int bus_of(int index) const;
  /// When an activate of now has been sent, from where on timing counts.
  [[nodiscard]] std::int64_t sent(std::int64_t now) const { return now + spec_.timing.tACT - 1; }
  /// No constraint between commands of different banks reaches further back.
  [[nodiscard]] std::int64_t reach() const;
  [[nodiscard]] std::int64_t closed_from(std::int64_t now, int index) const;

  arch::DramSpec spec_;
  std::vector<Bank> banks_;
  std::deque<Column> columns_;
  std::deque<std::pair<std::int64_t, int>> activates_;
};

}  // namespace tessera::test
