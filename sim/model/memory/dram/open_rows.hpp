// The clocks in which a rank has a row open, and thus takes the current of active standby (IDD3N) and not that of precharge standby
// (IDD2N; JESD235).
//
// Rows open and close in the order of their commands, but who works out one request after another hears of them in the order of
// requests, and of a row that closes itself when its last column command is sent. So what is still to come is kept, sorted, until no
// earlier command can come any more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/model/memory/dram/fifo.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

class OpenRows final {
 public:
  void open(std::int64_t cycle) { opens_.insert(cycle); }
  void close(std::int64_t cycle) { closes_.insert(cycle); }

  /// Counts the clocks with an open row up to `now`, but none from `end` on, when all rows close.
  /// Answers those that were not counted before. Requires that nothing opens or closes before `now`
  /// any more.
  std::int64_t count_to(std::int64_t now, std::int64_t end = INT64_MAX) {
    if (now <= counted_) return 0;
    std::int64_t clocks = 0;
    for (auto next = next_change(); next <= now; next = next_change()) {
      clocks += go_to(next);
      bool const opens = next == next_of(opens_);
      (opens ? opens_ : closes_).pop_front();
      open_ += opens ? 1 : -1;
    }
    clocks += std::max<std::int64_t>(go_to(std::min(now, end)), 0);
    counted_ = now;
    return clocks;
  }
  /// What count_to(now) would answer.
  [[nodiscard]] std::int64_t clocks_to(std::int64_t now) const {
    auto copy = *this;
    return copy.count_to(now);
  }
  /// When the last row opens or closes that is known of.
  [[nodiscard]] std::int64_t last() const {
    auto last = counted_;
    for_each_change(
        [&last](std::int64_t cycle, std::int64_t /*by*/) { last = std::max(last, cycle); });
    return last;
  }
  [[nodiscard]] bool any_open() const { return open_ > 0; }

  /// Counts from `cycle` on, with no row open.
  void restart(std::int64_t cycle) {
    opens_.clear();
    closes_.clear();
    open_ = 0;
    counted_ = cycle;
  }

  /// What will be counted after `now`.
  void serialize(std::int64_t now, StateWriter& out) const {
    auto open = open_;
    for_each_change([&](std::int64_t cycle, std::int64_t by) { open += cycle <= now ? by : 0; });
    out.put(open);
    for_each_change([&](std::int64_t cycle, std::int64_t by) {
      if (cycle > now) out.put(by * (cycle - now));
    });
    out.put(0);
  }
  void shift(std::int64_t by) {
    counted_ += by;
    for (auto* const changes : {&opens_, &closes_}) {
      changes->change_each([by](std::int64_t& cycle) { cycle += by; });
    }
  }

 private:
  using Changes = Fifo<std::int64_t>;
  static constexpr std::size_t places = 16;  // as many rows as hardly ever are still to open

  [[nodiscard]] static std::int64_t next_of(Changes const& changes) {
    return changes.empty() ? INT64_MAX : changes.front();
  }
  [[nodiscard]] std::int64_t next_change() const {
    return std::min(next_of(opens_), next_of(closes_));
  }
  std::int64_t go_to(std::int64_t cycle) {
    auto const clocks = open_ > 0 ? cycle - counted_ : 0;
    counted_ = cycle;
    return clocks;
  }
  template <typename Visit>
  void for_each_change(Visit const& visit) const {
    opens_.for_each([&](std::int64_t cycle) { visit(cycle, 1); });
    closes_.for_each([&](std::int64_t cycle) { visit(cycle, -1); });
  }

  Changes opens_{places}, closes_{places};  ///< still to come, by cycle
  std::int64_t open_ = 0;                   ///< rows, at counted_
  std::int64_t counted_ = 0;
};

/// Of the ranks of a channel, whose banks are numbered one rank behind the other.
class OpenRowsByRank final {
 public:
  OpenRowsByRank(std::int64_t ranks, std::size_t banks)
      : ranks_(static_cast<std::size_t>(ranks)), banks_of_rank_{banks / ranks_.size()} {}

  /// `cycle`, now or later, is the first one with the row open. Answers the clocks of its rank with
  /// open rows before now that were not counted before.
  std::int64_t open(std::int64_t now, std::size_t bank, std::int64_t cycle) {
    auto& rank = ranks_[bank / banks_of_rank_];
    auto const clocks = rank.count_to(now);
    rank.open(cycle);
    return clocks;
  }
  void close(std::size_t bank, std::int64_t cycle) { ranks_[bank / banks_of_rank_].close(cycle); }
  std::int64_t count_to(std::int64_t now) {
    std::int64_t clocks = 0;
    for (auto& rank : ranks_) clocks += rank.count_to(now);
    return clocks;
  }

  void serialize(std::int64_t now, StateWriter& out) const {
    for (auto const& rank : ranks_) rank.serialize(now, out);
  }
  void shift(std::int64_t by) {
    for (auto& rank : ranks_) rank.shift(by);
  }

 private:
  std::vector<OpenRows> ranks_;
  std::size_t banks_of_rank_;
};

}  // namespace tessera::sim
