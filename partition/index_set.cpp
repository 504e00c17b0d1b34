#include "partition/index_set.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

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

std::int64_t first_part(std::int64_t extent, double share, std::int64_t holders) {
  auto const wanted = share * static_cast<double>(extent);
  auto const whole = [holders](double indices) {
    return static_cast<std::int64_t>(indices) / holders * holders;
  };
  auto const slowest = [&](std::int64_t first) {
    auto const most = [holders](std::int64_t part) {
      auto const rounded_up = (part + holders - 1) / holders;
      return static_cast<double>(rounded_up);
    };
    return std::max(most(first) / share, most(extent - first) / (1 - share));
  };
  auto const rank = [&](std::int64_t first) {
    return std::tuple{slowest(first), std::abs(static_cast<double>(first) - wanted), -first};
  };
  auto const least = std::int64_t{extent > 1 ? 1 : 0};
  // Left of `wanted` the second half is the slower one and right of it the first: from there, one
  // step to where the slower half fits its holders is the only one that may pay.
  auto best = std::clamp(std::int64_t{std::llround(wanted)}, least, extent - least);
  for (auto const step : {whole(wanted), extent - whole(static_cast<double>(extent) - wanted)}) {
    auto const candidate = std::clamp(step, least, extent - least);
    if (rank(candidate) < rank(best)) best = candidate;
  }
  return best;
}

/// Where the two halves of all parts are equal, so are the parts that further cuts make of them.
bool AxisTree::is_even(std::size_t level) const {
  std::set<std::int64_t> extents{extent_};
  for (std::size_t cut = 0; cut < cuts_.size(); ++cut) {
    std::set<std::int64_t> parts;
    for (auto const extent : extents) {
      auto const of_extent = parts_of(extent, cut);
      if (cuts_[cut].level == level && (of_extent.size() != 2 || of_extent[0] != of_extent[1])) {
        return false;
      }
      parts.insert(of_extent.begin(), of_extent.end());
    }
    extents = std::move(parts);
  }
  return true;
}

IndexSet AxisTree::select(Halves const& halves) const {
  IndexSet set;
  collect(0, 0, extent_, halves, set);
  return set;
}

std::vector<std::int64_t> AxisTree::parts_of(std::int64_t extent, std::size_t cut) const {
  auto const holders = std::int64_t{1} << (cuts_.size() - cut - 1);
  std::vector<std::int64_t> parts;
  std::int64_t end = 0;
  for (auto const share : cuts_[cut].shares) {
    auto const next = std::max(end, first_part(extent, share, holders));
    parts.push_back(next - end);
    end = next;
  }
  parts.push_back(extent - end);
  return parts;
}

void AxisTree::collect(std::size_t cut, std::int64_t begin, std::int64_t end, Halves const& halves,
                       IndexSet& into) const {
  if (begin == end) return;
  if (cut == cuts_.size()) {
    into.append(begin, end);
    return;
  }
  auto const& [level, shares] = cuts_[cut];
  EXPECTS(level < halves.size(), level, halves.size());
  auto const& half = halves[level];
  // Parts of the first half: those up to its share.
  auto const share = half ? std::find(shares.begin(), shares.end(), half->first) : shares.begin();
  EXPECTS(share != shares.end(), level, half->first);
  auto const parts = parts_of(end - begin, cut);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    bool const is_second = part > static_cast<std::size_t>(share - shares.begin());
    auto const next = begin + parts[part];
    if (!half || half->second == is_second) collect(cut + 1, begin, next, halves, into);
    begin = next;
  }
}

}  // namespace tessera::partition
