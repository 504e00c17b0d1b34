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

#include "arch/base/contract.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

class OpenRows final {
 public:
  /// For so many banks, where what is past is counted whenever a row opens.
  void reserve(std::size_t banks) { changes_.reserve(banks + 1); }

  void open(std::int64_t cycle) { insert(cycle, 1); }
  void close(std::int64_t cycle) { insert(cycle, -1); }

  /// The clocks with an open row up to `now` that were not counted before, as far as is known.
  [[nodiscard]] std::int64_t clocks_to(std::int64_t now) const {
    auto open = open_;
    auto from = counted_;
    std::int64_t clocks = 0;
    for (auto const& it : changes_) {
      if (it.cycle >= now) break;
      if (open > 0) clocks += it.cycle - from;
      from = it.cycle;
      open += it.by;
    }
    return open > 0 && now > from ? clocks + now - from : clocks;
  }
  /// Counts these, but none from `end` on, when all rows close. Requires that nothing opens or
  /// closes before `now` any more.
  std::int64_t count_to(std::int64_t now, std::int64_t end = INT64_MAX) {
    if (now <= counted_) return 0;
    auto const clocks = clocks_to(std::min(now, end));
    auto next = changes_.begin();
    for (; next != changes_.end() && next->cycle <= now; ++next) open_ += next->by;
    changes_.erase(changes_.begin(), next);
    counted_ = now;
    return clocks;
  }

  /// When the last one opens or closes that is known of.
  [[nodiscard]] std::int64_t last() const {
    return changes_.empty() ? counted_ : changes_.back().cycle;
  }
  [[nodiscard]] bool any_open() const { return open_ > 0; }

  /// Counts from `cycle` on, with no row open.
  void restart(std::int64_t cycle) {
    changes_.clear();
    open_ = 0;
    counted_ = cycle;
  }

  /// What will be counted after `now`.
  void serialize(std::int64_t now, StateWriter& out) const {
    auto next = changes_.begin();
    auto open = open_;
    for (; next != changes_.end() && next->cycle <= now; ++next) open += next->by;
    out.put(open);
    for (; next != changes_.end(); ++next) out.put(next->by * (next->cycle - now));
    out.put(0);
  }
  void shift(std::int64_t by) {
    counted_ += by;
    for (auto& it : changes_) it.cycle += by;
  }

 private:
  struct Change {
    std::int64_t cycle;
    std::int64_t by;  ///< open rows
  };

  void insert(std::int64_t cycle, std::int64_t by) {
    EXPECTS(cycle >= counted_, cycle, counted_);
    auto const place = std::find_if(changes_.rbegin(), changes_.rend(),
                                    [cycle](Change const& it) { return it.cycle <= cycle; });
    changes_.insert(place.base(), {cycle, by});
  }

  std::vector<Change> changes_;  ///< still to come, by cycle
  std::int64_t open_ = 0;        ///< rows, at counted_
  std::int64_t counted_ = 0;
};

/// Of the ranks of a channel, whose banks are numbered one rank behind the other.
class OpenRowsByRank final {
 public:
  OpenRowsByRank(std::int64_t ranks, std::size_t banks)
      : ranks_(static_cast<std::size_t>(ranks)), banks_of_rank_{banks / ranks_.size()} {
    for (auto& rank : ranks_) rank.reserve(banks_of_rank_);
  }

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
