#include "arch/base/hierarchy.hpp"

namespace tessera {

Hierarchy::Hierarchy(std::size_t accelerators) : sizes_{} {
  EXPECTS(0 < accelerators && accelerators <= std::size_t{1} << most_levels, accelerators);
  // From the smallest factor up, groups grow from the inside out.
  std::array<std::size_t, most_levels + 1> inside_out{1};
  auto left = accelerators;
  for (std::size_t factor = 2; left > 1; ++factor) {
    for (; left % factor == 0; left /= factor, ++levels_) {
      inside_out[levels_ + 1] = inside_out[levels_] * factor;
    }
  }
  for (std::size_t level = 0; level <= levels_; ++level) {
    sizes_[level] = inside_out[levels_ - level];
  }
}

Hierarchy::Hierarchy(std::vector<std::size_t> const& ways) : levels_{ways.size()}, sizes_{} {
  EXPECTS(levels_ < sizes_.size(), levels_);
  sizes_[levels_] = 1;
  for (auto level = levels_; level-- > 0;) {
    EXPECTS(ways[level] >= 2, level, ways[level]);
    sizes_[level] = sizes_[level + 1] * ways[level];
  }
}

std::vector<std::size_t> Hierarchy::ways() const {
  std::vector<std::size_t> all;
  for (std::size_t level = 0; level < levels_; ++level) all.push_back(ways(level));
  return all;
}

std::size_t Hierarchy::outermost_difference(std::size_t a, std::size_t b) const {
  std::size_t level = 0;  // the groups around both are the same so far
  while (level < levels_ && a / sizes_[level + 1] == b / sizes_[level + 1]) ++level;
  return level;
}

std::size_t Hierarchy::first_like(std::size_t accelerator,
                                  std::vector<std::size_t> const& levels) const {
  for (auto const level : levels) accelerator -= part(accelerator, level) * group_size(level + 1);
  return accelerator;
}

std::size_t Hierarchy::sibling(std::size_t accelerator, std::size_t level, std::size_t turn) const {
  auto const here = part(accelerator, level);
  auto const there = (here + turn) % ways(level);
  return accelerator + there * group_size(level + 1) - here * group_size(level + 1);
}

}  // namespace tessera
