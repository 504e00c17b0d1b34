// What one channel sees of a walk through consecutive addresses: its own blocks, one after another, in the order of the address map.
//
// Bits of the address that choose the channel, or lie within a block, are left out; the others number the blocks of the channel. Where
// the highest bits of the map are bits of the row, the walk repeats itself after period() blocks, in the next row of each bank. Where
// bits of the bank or the bank group come below them, it does the same after each turn(), in other banks. Within the bits of the column
// it repeats itself in the same rows.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_command.hpp"
#include "sim/model/memory/dram/dram_timer.hpp"

namespace tessera::sim {

class DramWalk final {
 public:
  /// Blocks of `bursts` bursts, a power of two, that lie within DramSpec::block().
  DramWalk(arch::DramSpec const& spec, Access access, std::uint16_t bursts);

  /// The request for a block; behind the last one comes block 0 again.
  [[nodiscard]] DramRequest operator()(std::uint64_t block) const {
    DramRequest request{block, access_, 0, bursts_, 0};
    for (auto const& [is_row, shift, up, mask] : fields_) {
      auto const part = static_cast<std::uint32_t>((block >> shift & mask) << up);
      if (is_row) {
        request.row |= part;
      } else {
        request.bank = static_cast<std::uint16_t>(request.bank | part);
      }
    }
    return request;
  }

  [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
  /// After this many blocks come the same banks, each row_step() rows higher; blocks() where it
  /// never repeats.
  [[nodiscard]] std::uint64_t period() const { return period_; }
  [[nodiscard]] std::uint32_t row_step() const { return row_step_; }
  /// After this many blocks come the same banks, in the same rows, as long as both blocks lie in
  /// the same run_length().
  [[nodiscard]] std::uint64_t run_period() const { return run_period_; }
  [[nodiscard]] std::uint64_t run_length() const { return run_length_; }
  /// After this many blocks it comes to other banks, which view() turns to: a part of the period,
  /// or the whole.
  [[nodiscard]] std::uint64_t turn() const { return turn_; }
  /// Within a turn it comes to the same banks after so many blocks.
  [[nodiscard]] std::uint64_t bank_period() const { return bank_period_; }
  /// Does every turn stay in one row of each of its banks?
  [[nodiscard]] bool keeps_rows() const { return keeps_rows_; }
  /// The banks as the walk sees them from this block on.
  [[nodiscard]] BankView view(std::uint64_t block) const {
    auto view = turning_;
    view.turn = static_cast<std::size_t>(block / turn_) & view.mask;
    view.row = static_cast<std::uint32_t>(block % blocks_ / period_) * row_step_;
    view.step = row_step_;
    return view;
  }

 private:
  struct Field {
    bool is_row;     ///< else of the bank
    unsigned shift;  ///< within the number of the block
    unsigned up;     ///< within the row or bank
    std::uint64_t mask;
  };

  Access access_;
  std::uint16_t bursts_;
  std::vector<Field> fields_;
  std::uint64_t blocks_ = 1, period_ = 1;
  std::uint32_t row_step_ = 0;
  std::uint64_t run_period_ = 1, run_length_ = 1;
  std::uint64_t turn_ = 1;
  std::uint64_t bank_period_ = 1;
  bool keeps_rows_ = true;
  BankView turning_;
};

}  // namespace tessera::sim
