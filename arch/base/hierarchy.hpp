// The hierarchy of an array: how its accelerators form groups within groups.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "arch/base/contract.hpp"

namespace tessera {

/// At every level each group is cut into equal parts, as many as the next prime factor of the
/// number of accelerators, the largest first: 12 are three times two times two (Tofu, EuroSys'19,
/// factorises its workers like this), and a power of two is cut in halves all the way down.
///
/// An accelerator's index, written in these factors with the top level first, says in which part of
/// every group it is. Levels count from 0 at the top here; level h of the fabric is level h - 1.
class Hierarchy final {
 public:
  /// Of at least one accelerator, and at most 2^20.
  explicit Hierarchy(std::size_t accelerators);

  /// Groups cut in `ways` parts, level by level from the top: at most 20 levels of at least two.
  explicit Hierarchy(std::vector<std::size_t> const& ways);

  [[nodiscard]] std::size_t levels() const { return levels_; }
  [[nodiscard]] std::size_t accelerators() const { return sizes_[0]; }

  /// Into how many parts `level` cuts each group.
  [[nodiscard]] std::size_t ways(std::size_t level) const {
    EXPECTS(level < levels_, level, levels_);
    return sizes_[level] / sizes_[level + 1];
  }
  /// By level.
  [[nodiscard]] std::vector<std::size_t> ways() const;

  /// How many accelerators a group has that `levels` levels have cut off: all for 0.
  [[nodiscard]] std::size_t group_size(std::size_t levels) const {
    EXPECTS(levels <= levels_, levels, levels_);
    return sizes_[levels];
  }

  /// In which part of its group an accelerator is at `level`.
  [[nodiscard]] std::size_t part(std::size_t accelerator, std::size_t level) const {
    return accelerator / group_size(level + 1) % ways(level);
  }

  /// The outermost level at which two accelerators are in different parts: levels() for one and
  /// itself.
  [[nodiscard]] std::size_t outermost_difference(std::size_t a, std::size_t b) const;

  /// The first of the accelerators that differ from this one at `levels` alone, if at all.
  [[nodiscard]] std::size_t first_like(std::size_t accelerator,
                                       std::vector<std::size_t> const& levels) const;

  /// The accelerator at the same place of the part that comes `turn` parts later, round the group.
  [[nodiscard]] std::size_t sibling(std::size_t accelerator, std::size_t level,
                                    std::size_t turn = 1) const;

 private:
  static constexpr std::size_t most_levels = 20;

  std::size_t levels_ = 0;
  std::array<std::size_t, most_levels + 1> sizes_;  ///< of groups, by how many levels have cut them
};

}  // namespace tessera
