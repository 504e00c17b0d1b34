#include "partition/index_set.hpp"

#include <algorithm>

#include "arch/base/contract.hpp"

namespace tessera::partition {

IndexSet IndexSet::range(std::int64_t begin, std::int64_t end) {
  IndexSet set;
  set.append(begin, end);
  return set;
}

std::int64_t IndexSet::size() const {
  std::int64_t total = 0;
  for (auto const& [begin, end] : ranges_) total += end - begin;
  return total;
}

IndexSet IndexSet::intersect(IndexSet const& other) const {
  IndexSet common;
  auto mine = ranges_.begin();
  auto theirs = other.ranges_.begin();
  while (mine != ranges_.end() && theirs != other.ranges_.end()) {
    common.append(std::max(mine->first, theirs->first), std::min(mine->second, theirs->second));
    if (mine->second < theirs->second) {
      ++mine;
    } else {
      ++theirs;
    }
  }
  return common;
}

void IndexSet::append(std::int64_t begin, std::int64_t end) {
  if (begin >= end) return;
  EXPECTS(ranges_.empty() || ranges_.back().second <= begin, begin, end);
  if (!ranges_.empty() && ranges_.back().second == begin) {
    ranges_.back().second = end;
  } else {
    ranges_.emplace_back(begin, end);
  }
}

/// Halving n times leaves whole numbers where 2^n divides the extent; after an odd part, one of two
/// neighbouring sizes is odd at every later cut.
bool AxisTree::is_even(std::size_t level) const {
  auto const cut = std::find(cuts_.begin(), cuts_.end(), level);
  if (cut == cuts_.end()) return true;
  auto const parts = std::int64_t{1} << (cut - cuts_.begin() + 1);
  return extent_ % parts == 0;
}

IndexSet AxisTree::select(Halves const& halves) const {
  IndexSet set;
  collect(0, 0, extent_, halves, set);
  return set;
}

void AxisTree::collect(std::size_t cut, std::int64_t begin, std::int64_t end, Halves const& halves,
                       IndexSet& into) const {
  if (cut == cuts_.size()) {
    into.append(begin, end);
    return;
  }
  EXPECTS(cuts_[cut] < halves.size(), cuts_[cut], halves.size());
  auto const middle = begin + (end - begin + 1) / 2;
  auto const& half = halves[cuts_[cut]];
  if (!half || !*half) collect(cut + 1, begin, middle, halves, into);
  if (!half || *half) collect(cut + 1, middle, end, halves, into);
}

}  // namespace tessera::partition
