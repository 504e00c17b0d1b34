// When a DRAM command is legal: the timing state of a channel's banks, bank groups, ranks and data buses.
//
// Each command pushes the earliest times of those that it constrains, so that asking is a maximum over four registers: one of the
// bank, and those that the banks of a group have in common (their group's, rank's and bus's). The constraints are JEDEC's (JESD235 for HBM; HMC's DRAM dies keep the same ones). Leaves out: power-down and self-refresh,
// tRREFD between refreshes of different banks, the second clock of HBM2's activate.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "arch/dram_spec.hpp"
#include "sim/model/core.hpp"
#include "sim/model/memory/dram_command.hpp"

namespace tessera::sim {

namespace detail {
inline void raise(std::int64_t& earliest, std::int64_t to) { earliest = std::max(earliest, to); }
}  // namespace detail

class DramTimer final {
 public:
  explicit DramTimer(arch::DramSpec const& spec);

  [[nodiscard]] std::size_t banks() const { return banks_.size(); }
  [[nodiscard]] bool is_open(std::size_t bank) const { return banks_[bank].is_open; }
  [[nodiscard]] bool is_open_at(std::size_t bank, std::uint32_t row) const {
    return banks_[bank].is_open && banks_[bank].row == row;
  }
  /// When its row was last activated or accessed.
  [[nodiscard]] std::int64_t last_use(std::size_t bank) const { return banks_[bank].last_use; }

  // The first cycle that violates no constraint; whether the bank is in the right state is the
  // caller's business.
  [[nodiscard]] std::int64_t earliest_activate(std::size_t bank) const {
    return std::max(bank_activate(bank), group_activate(banks_[bank].group));
  }
  [[nodiscard]] std::int64_t earliest_precharge(std::size_t bank) const {
    return banks_[bank].precharge;
  }
  [[nodiscard]] std::int64_t earliest_column(Access access, std::size_t bank) const {
    return std::max(bank_column(access, bank), group_column(access, banks_[bank].group));
  }

  // The two parts of these: what the bank itself demands, and what all banks of its group feel.
  [[nodiscard]] std::int64_t bank_activate(std::size_t bank) const { return banks_[bank].activate; }
  [[nodiscard]] std::int64_t bank_column(Access access, std::size_t bank) const {
    return access == Access::read ? banks_[bank].read : banks_[bank].write;
  }
  [[nodiscard]] std::int64_t group_activate(std::size_t group) const;
  [[nodiscard]] std::int64_t group_column(Access access, std::size_t group) const;

  void activate(std::int64_t cycle, std::size_t bank, std::uint32_t row);
  void precharge(std::int64_t cycle, std::size_t bank);
  void column(std::int64_t cycle, Access access, std::size_t bank);
  /// The last column command of a row that closes itself.
  void auto_precharge(std::size_t bank);
  /// No activate before `until`.
  void block(std::size_t bank, std::int64_t until);

  /// From a column command to the end of its data.
  [[nodiscard]] std::int64_t data_end(Access access) const {
    return (access == Access::read ? timing_.tCL : timing_.tCWL) + timing_.tBL;
  }

  /// What legality depends on; rows as seen from `row`.
  void serialize(std::int64_t now, StateWriter& out, std::uint32_t row = 0) const;
  /// When the open rows were last used.
  void serialize_uses(std::int64_t now, StateWriter& out) const;
  void shift(std::int64_t by);
  void move_rows(std::uint32_t by);

 private:
  static constexpr std::int64_t long_ago = -(std::int64_t{1} << 40);

  struct Bank {
    bool is_open = false;
    std::uint32_t row = 0;
    std::int64_t activate = long_ago;  ///< earliest
    std::int64_t precharge = long_ago;
    std::int64_t read = long_ago;
    std::int64_t write = long_ago;
    std::int64_t last_use = long_ago;
    std::uint16_t group = 0, rank = 0, bus = 0;
  };
  struct Shared {  ///< of a bank group or a rank
    std::int64_t activate = long_ago;
    std::int64_t read = long_ago;
    std::int64_t write = long_ago;
  };
  struct Group : Shared {
    std::uint16_t rank = 0, bus = 0;
  };
  struct Rank : Shared {
    std::array<std::int64_t, 4> activates{long_ago, long_ago, long_ago, long_ago};
    std::size_t oldest = 0;
  };
  struct Bus {
    std::int64_t free = long_ago;
    std::uint16_t rank = 0;
    Access access = Access::read;
  };

  arch::DramTiming timing_;
  std::vector<Bank> banks_;
  std::vector<Group> groups_;
  std::vector<Rank> ranks_;
  std::vector<Bus> buses_;
};

// The innermost functions of all: inline.

inline std::int64_t DramTimer::group_activate(std::size_t index) const {
  auto const& group = groups_[index];
  auto const& rank = ranks_[group.rank];
  auto const window = rank.activates[rank.oldest] + timing_.tFAW;
  return std::max({group.activate, rank.activate, window});
}

inline std::int64_t DramTimer::group_column(Access access, std::size_t index) const {
  auto const& group = groups_[index];
  auto const& rank = ranks_[group.rank];
  auto const& bus = buses_[group.bus];
  bool const turns = bus.rank != group.rank || bus.access != access;
  auto const data = bus.free + (turns ? timing_.tRTRS : 0);
  if (access == Access::read) return std::max({group.read, rank.read, data - timing_.tCL});
  return std::max({group.write, rank.write, data - timing_.tCWL});
}

inline void DramTimer::column(std::int64_t cycle, Access access, std::size_t index) {
  auto& bank = banks_[index];
  auto& group = groups_[bank.group];
  auto& rank = ranks_[bank.rank];
  auto const end = cycle + data_end(access);
  if (access == Access::read) {
    detail::raise(group.read, cycle + timing_.tCCD_L);
    detail::raise(rank.read, cycle + timing_.tCCD_S);
    detail::raise(bank.precharge, cycle + timing_.tRTP);
  } else {
    detail::raise(group.write, cycle + timing_.tCCD_L);
    detail::raise(rank.write, cycle + timing_.tCCD_S);
    detail::raise(group.read, end + timing_.tWTR_L);
    detail::raise(rank.read, end + timing_.tWTR_S);
    detail::raise(bank.precharge, end + timing_.tWR);
  }
  bank.last_use = cycle;
  buses_[bank.bus] = {end, bank.rank, access};
}

}  // namespace tessera::sim
