// When a DRAM command is legal: the timing state of a channel's banks and of what they share.
//
// Each command raises the earliest times of those that it constrains. A bank has four such registers of its own, and each bank group
// four that all its banks feel (what the group, its rank and its data bus demand): its gates. So asking is a maximum of two. The
// constraints are JEDEC's (JESD235 for HBM; HMC's DRAM dies keep the same ones). They count from the last clock of a command, which
// for an activate can be a later one than the cycle of its issue. Leaves out: power-down and self-refresh, tRREFD
// between refreshes of different banks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_command.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

/// The banks as a walk sees them that comes to one after another: some bits of the bank count them,
/// from `turn` on, and rows are counted from where it comes to a bank next.
struct BankView {
  unsigned shift = 0;      ///< where the bits that count lie in the number of a bank
  std::size_t mask = 0;    ///< as many of them, ones
  std::size_t turn = 0;    ///< the bank that comes next
  std::uint32_t row = 0;   ///< where it comes to that bank
  std::uint32_t step = 0;  ///< how many rows further it is when it has been to all banks

  /// The bank that comes `index - turn` after the next one, the other bits being equal.
  [[nodiscard]] std::size_t bank(std::size_t index) const {
    auto const others = index & ~(mask << shift);
    return others | (((index >> shift) + turn) & mask) << shift;
  }
  [[nodiscard]] std::uint32_t row_of(std::size_t bank) const {
    return ((bank >> shift) & mask) < turn ? row + step : row;
  }
  /// The set of banks that looks from `to` as these do from here.
  [[nodiscard]] std::uint64_t turned(std::uint64_t banks, BankView const& to) const {
    std::uint64_t set = 0;
    for (std::size_t i = 0; banks != 0 && i < 64; ++i) {
      if ((banks >> bank(i) & 1) != 0) set |= std::uint64_t{1} << to.bank(i);
    }
    return set;
  }
};

/// Where the time from which on a command is legal in a group of banks is, in a list of all.
[[nodiscard]] constexpr std::uint16_t gate_of_group(BankCommand command, std::size_t group) {
  return static_cast<std::uint16_t>(4 * group + index_of(command));
}

inline void raise_to(std::int64_t& earliest, std::int64_t to) { earliest = std::max(earliest, to); }

class DramTimer final {
 public:
  /// Of no banks, until it becomes a copy of one that has some.
  DramTimer() = default;
  explicit DramTimer(arch::DramSpec const& spec);

  [[nodiscard]] std::size_t banks() const { return banks_.size(); }
  [[nodiscard]] bool is_open(std::size_t bank) const { return banks_[bank].is_open; }
  [[nodiscard]] bool is_open_at(std::size_t bank, std::uint32_t row) const {
    return banks_[bank].is_open && banks_[bank].row == row;
  }
  /// When its row was last activated or accessed.
  [[nodiscard]] std::int64_t last_use(std::size_t bank) const { return banks_[bank].last_use; }

  /// The first cycle that violates no constraint; whether the bank is in the right state is the
  /// caller's business.
  [[nodiscard]] std::int64_t earliest(BankCommand command, std::size_t bank) const {
    return std::max(of_bank(command, bank), gate(gate_of(command, bank)));
  }

  // The two parts of it: what the bank itself demands, and what all banks of its group feel. The
  // first changes only with commands to the bank.
  [[nodiscard]] std::int64_t of_bank(BankCommand command, std::size_t bank) const {
    return banks_[bank].earliest[index_of(command)];
  }
  [[nodiscard]] std::int64_t gate(std::size_t gate) const { return gates_[gate]; }
  [[nodiscard]] std::uint16_t gate_of(BankCommand command, std::size_t bank) const {
    return gate_of_group(command, banks_[bank].group);
  }

  [[nodiscard]] std::uint32_t row(std::size_t bank) const { return banks_[bank].row; }
  /// As if another row of an open bank had been activated.
  void set_row(std::size_t bank, std::uint32_t row) { banks_[bank].row = row; }

  /// When it has been sent, and the row is open.
  std::int64_t activate(std::int64_t cycle, std::size_t bank, std::uint32_t row);
  void precharge(std::int64_t cycle, std::size_t bank);
  void column(std::int64_t cycle, Access access, std::size_t bank);
  /// The last column command of a row that closes itself. When it does.
  std::int64_t auto_precharge(std::size_t bank);
  /// No activate has been sent before `until`.
  void block(std::size_t bank, std::int64_t until);

  /// From a column command to the end of its data.
  [[nodiscard]] std::int64_t data_end(Access access) const {
    return (access == Access::read ? timing_.tCL : timing_.tCWL) + timing_.tBL;
  }

  enum class Rows { told, left_out };
  /// What legality depends on. Equal for two views: the walks that see them so have equal futures,
  /// because neither banks of a group nor groups of a rank differ but by their numbers.
  void serialize(std::int64_t now, StateWriter& out, BankView const& view = {},
                 Rows rows = Rows::told) const;
  /// From when on nothing is felt of what was done, but that rows are open.
  [[nodiscard]] std::int64_t settled() const;
  /// When the open rows were last used.
  void serialize_uses(std::int64_t now, StateWriter& out) const;
  void shift(std::int64_t by);
  /// Becomes what looks from `to` as `other` does from `from`. Requires the same organization.
  void turn(DramTimer const& other, BankView const& from, BankView const& to);

 private:
  static constexpr std::int64_t long_ago = -(std::int64_t{1} << 40);

  struct Bank {
    bool is_open = false;
    std::uint16_t group = 0;
    std::uint32_t row = 0;
    std::array<std::int64_t, 4> earliest{long_ago, long_ago, long_ago, long_ago};
    std::int64_t last_use = long_ago;
  };
  /// The last four activates of a rank, which tFAW is about.
  struct Window {
    std::array<std::int64_t, 4> activates{long_ago, long_ago, long_ago, long_ago};
    std::size_t oldest = 0;
  };
  /// Clocks from a column command to the next one, of a bank ...
  struct Gaps {
    std::array<std::int64_t, 2> same_group{};  ///< of the same group, by the access of the next
    std::array<std::int64_t, 2> same_rank{};
    std::array<std::int64_t, 2> same_bus{};  ///< of another rank at the same data bus
  };

  /// Views turn groups as wholes.
  [[nodiscard]] std::size_t group_of(BankView const& view, std::size_t group) const {
    return banks_[view.bank(group * banks_of_group_)].group;
  }
  [[nodiscard]] Gaps gaps_after(Access access) const;

  arch::DramTiming timing_;
  std::int64_t sending_ = 0;  ///< from the first clock of an activate to its last
  std::size_t banks_of_group_ = 0, groups_of_rank_ = 0, groups_of_bus_ = 0;
  std::array<Gaps, 2> gaps_{};  ///< by access
  std::vector<Bank> banks_;
  std::vector<std::int64_t> gates_;  ///< four of each group, as BankCommand
  std::vector<Window> windows_;      ///< by rank
};

// The innermost function of all: inline.

inline void DramTimer::column(std::int64_t cycle, Access access, std::size_t index) {
  auto& bank = banks_[index];
  bank.last_use = cycle;
  bool const reads = access == Access::read;
  auto const close = reads ? cycle + timing_.tRTP : cycle + data_end(access) + timing_.tWR;
  raise_to(bank.earliest[index_of(BankCommand::precharge)], close);
  auto const& gaps = gaps_[reads ? 0 : 1];
  auto const raise_gates = [&](std::size_t group, std::array<std::int64_t, 2> const& of_group) {
    raise_to(gates_[gate_of_group(BankCommand::read, group)], cycle + of_group[0]);
    raise_to(gates_[gate_of_group(BankCommand::write, group)], cycle + of_group[1]);
  };
  std::size_t const own = bank.group;
  auto const first = own - own % groups_of_bus_;
  auto const rank = own / groups_of_rank_;
  for (auto group = first; group < first + groups_of_bus_; ++group) {
    bool const is_of_rank = group / groups_of_rank_ == rank;
    raise_gates(group, is_of_rank ? gaps.same_rank : gaps.same_bus);
  }
  raise_gates(own, gaps.same_group);
}

}  // namespace tessera::sim
