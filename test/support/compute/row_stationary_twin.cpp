#include "test/support/compute/row_stationary_twin.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

using Index = std::int64_t;

/// A PE: row i of a filter, output row j, in a set for some channels and some filters.
struct Pe {
  Index i = 0;
  Index j = 0;
  Index channels = 0;              ///< the set's index along r
  Index filters = 0;               ///< and along t
  std::vector<Index> filter;       ///< [p][q][S]
  std::vector<Index> window;       ///< [q][S], of the position at work
  std::vector<Index> next_window;  ///< [q][S], arriving
  std::vector<Index> sums;         ///< [p], at work
  std::vector<Index> done;         ///< [p], leaving
};

struct FilterWord {
  Index filter, channel, row, tap;
};
struct InputWord {
  Index channel, row, column;
};
struct SumWord {
  Index filter, row;
};

class PassTwin final {
 public:
  PassTwin(arch::RowStationaryCoreSpec const& core, ConvShape const& conv,
           RowStationaryMapping const& mapping, PassNumbers const& numbers)
      : core_{core},
        map_{mapping},
        taps_{conv.rows.taps},
        row_taps_{conv.columns.taps},
        row_stride_{conv.rows.stride},
        stride_{conv.columns.stride},
        numbers_{numbers},
        result_{0, 0, 0, 0, numbers.sums} {
    auto const size = [](Index count) {
      return std::vector<Index>(static_cast<std::size_t>(count));
    };
    for (Index r = 0; r < map_.r; ++r) {
      for (Index t = 0; t < map_.t; ++t) {
        for (Index i = 0; i < taps_; ++i) {
          for (Index j = 0; j < map_.e; ++j) {
            pes_.push_back({i, j, r, t, size(map_.p * map_.q * row_taps_), size(map_.q * row_taps_),
                            size(map_.q * row_taps_), size(map_.p), size(map_.p)});
          }
        }
      }
    }
  }

  [[nodiscard]] PassTwinResult run() {
    load_filters();
    Index const positions = map_.n * map_.f;
    for (Index slot = -1; slot <= positions; ++slot) run_slot(slot, positions);
    return result_;
  }

 private:
  static std::size_t at(Index index) { return static_cast<std::size_t>(index); }

  void load_filters() {
    std::vector<FilterWord> words;
    for (Index k = 0; k < map_.p * map_.t; ++k) {
      for (Index c = 0; c < map_.q * map_.r; ++c) {
        for (Index i = 0; i < taps_; ++i) {
          for (Index s = 0; s < row_taps_; ++s) words.push_back({k, c, i, s});
        }
      }
    }
    result_.filter_words = static_cast<Index>(words.size());
    for (std::size_t next = 0; next < words.size(); ++result_.cycles) {
      for (Index lane = 0; lane < core_.networks.filter && next < words.size(); ++lane) {
        deliver(words[next++]);
      }
    }
  }

  /// To the e PEs of a row.
  void deliver(FilterWord const& word) {
    for (auto& pe : pes_) {
      if (pe.i != word.row || pe.filters != word.filter / map_.p ||
          pe.channels != word.channel / map_.q) {
        continue;
      }
      auto const place =
          (word.filter % map_.p * map_.q + word.channel % map_.q) * row_taps_ + word.tap;
      pe.filter[at(place)] = numbers_.filters.at(word.filter, word.channel, word.row, word.tap);
    }
  }

  /// Position `slot` is at work, slot + 1 arrives, slot - 1 leaves.
  void run_slot(Index slot, Index positions) {
    auto const arriving = slot + 1 < positions ? arrivals(slot + 1) : std::vector<InputWord>{};
    auto const leaving = slot > 0 ? departures() : std::vector<SumWord>{};
    Index const macs = slot >= 0 && slot < positions ? map_.p * map_.q * row_taps_ : 0;
    slide(slot + 1);
    std::size_t arrived = 0;
    std::size_t left = 0;
    Index multiplied = 0;
    while (arrived < arriving.size() || left < leaving.size() || multiplied < macs) {
      for (Index lane = 0; lane < core_.networks.ifmap && arrived < arriving.size(); ++lane) {
        deliver(arriving[arrived++], slot + 1);
      }
      for (Index lane = 0; lane < core_.networks.psum && left < leaving.size(); ++lane) {
        collect(leaving[left++], slot - 1);
      }
      if (multiplied < macs) multiply(multiplied++);
      ++result_.cycles;
    }
    hand_over();
  }

  /// The words of a position that its predecessor in the same row did not have, each once.
  [[nodiscard]] std::vector<InputWord> arrivals(Index position) const {
    auto const x = position % map_.f;
    std::vector<InputWord> words;
    for (Index channel = 0; channel < map_.q * map_.r; ++channel) {
      for (Index row = 0; row < map_.e * row_stride_ + taps_; ++row) {
        if (!is_needed(row)) continue;
        for (Index s = 0; s < row_taps_; ++s) {
          bool const is_there = x > 0 && s + stride_ < row_taps_;
          if (!is_there) words.push_back({channel, row, x * stride_ + s});
        }
      }
    }
    return words;
  }

  [[nodiscard]] bool is_needed(Index row) const {
    return std::any_of(pes_.begin(), pes_.end(), [&](Pe const& pe) { return row_of(pe) == row; });
  }
  [[nodiscard]] Index row_of(Pe const& pe) const { return pe.j * row_stride_ + pe.i; }

  /// What the next window shares with this one moves over inside the PE.
  void slide(Index position) {
    bool const same_row = position % map_.f != 0;
    for (auto& pe : pes_) {
      for (Index q = 0; q < map_.q; ++q) {
        for (Index s = 0; s + stride_ < row_taps_ && same_row; ++s) {
          pe.next_window[at(q * row_taps_ + s)] = pe.window[at(q * row_taps_ + s + stride_)];
        }
      }
    }
  }

  /// Along a diagonal of every set with the word's channel.
  void deliver(InputWord const& word, Index position) {
    ++result_.input_words;
    auto const s = word.column - position % map_.f * stride_;
    auto const number = numbers_.inputs.at(position / map_.f, word.channel, word.row, word.column);
    for (auto& pe : pes_) {
      if (row_of(pe) != word.row || pe.channels != word.channel / map_.q) continue;
      pe.next_window[at(word.channel % map_.q * row_taps_ + s)] = number;
    }
  }

  void multiply(Index cycle) {
    auto const p = cycle / (map_.q * row_taps_);
    auto const word = cycle % (map_.q * row_taps_);
    for (auto& pe : pes_) {
      pe.sums[at(p)] += pe.filter[at(cycle)] * pe.window[at(word)];
    }
  }

  [[nodiscard]] std::vector<SumWord> departures() const {
    std::vector<SumWord> words;
    for (Index k = 0; k < map_.p * map_.t; ++k) {
      for (Index j = 0; j < map_.e; ++j) words.push_back({k, j});
    }
    return words;
  }

  /// Up the column of PEs, added to the sum from the buffer.
  void collect(SumWord const& word, Index position) {
    result_.sum_words += 2;
    auto& sum = result_.sums.at(position / map_.f, word.filter, word.row, position % map_.f);
    for (auto const& pe : pes_) {
      if (pe.j == word.row && pe.filters == word.filter / map_.p) {
        sum += pe.done[at(word.filter % map_.p)];
      }
    }
  }

  void hand_over() {
    for (auto& pe : pes_) {
      pe.done = pe.sums;
      std::fill(pe.sums.begin(), pe.sums.end(), 0);
      pe.window = pe.next_window;
    }
  }

  arch::RowStationaryCoreSpec const& core_;
  RowStationaryMapping const& map_;
  Index taps_;
  Index row_taps_;
  Index row_stride_;
  Index stride_;
  PassNumbers const& numbers_;
  PassTwinResult result_;
  std::vector<Pe> pes_;
};

}  // namespace

PassTwinResult run_row_stationary_twin(arch::RowStationaryCoreSpec const& core,
                                       ConvShape const& conv, RowStationaryMapping const& mapping,
                                       PassNumbers const& numbers) {
  return PassTwin(core, conv, mapping, numbers).run();
}

}  // namespace tessera::sim
