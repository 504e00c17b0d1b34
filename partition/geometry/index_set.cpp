#include "partition/geometry/index_set.hpp"

#include <algorithm>
#include <cmath>
#include <set>

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

std::int64_t IndexSet::common_size(IndexSet const& other) const {
  std::int64_t size = 0;
  auto mine = ranges_.begin();
  auto theirs = other.ranges_.begin();
  while (mine != ranges_.end() && theirs != other.ranges_.end()) {
    auto const begin = std::max(mine->first, theirs->first);
    size += std::max<std::int64_t>(0, std::min(mine->second, theirs->second) - begin);
    if (mine->second < theirs->second) {
      ++mine;
    } else {
      ++theirs;
    }
  }
  return size;
}

IndexSet IndexSet::unite(IndexSet const& other) const {
  auto all = ranges_;
  all.insert(all.end(), other.ranges_.begin(), other.ranges_.end());
  std::sort(all.begin(), all.end());
  IndexSet united;
  std::int64_t end = 0;  // of what is there so far
  for (auto const& range : all) {
    if (united.ranges_.empty() || range.first > end) {
      united.ranges_.push_back(range);
    } else {
      united.ranges_.back().second = std::max(end, range.second);
    }
    end = united.ranges_.back().second;
  }
  return united;
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

namespace {

bool are_equal(std::vector<std::int64_t> const& sizes, Cut const& cut) {
  return sizes.size() == cut.ways &&
         std::all_of(sizes.begin(), sizes.end(),
                     [&sizes](std::int64_t size) { return size == sizes.front(); });
}

/// Is this one of the parts between the ratios of a cut that make up the part that is taken? Of the
/// first half those up to its share.
bool is_within(std::size_t part, Part const& taken, Cut const& cut) {
  if (cut.ways > 2) return part == taken.index;
  auto const share = std::find(cut.shares.begin(), cut.shares.end(), taken.first);
  EXPECTS(share != cut.shares.end(), cut.level, taken.first);
  bool const is_second = part > static_cast<std::size_t>(share - cut.shares.begin());
  return is_second == (taken.index == 1);
}

bool is_in_half(Cut const& cut) {
  return cut.ways == 2 && cut.shares.size() == 1 && cut.shares.front() == 0.5;
}

/// A way to round a cut: what the first half gets, when the slowest holder of either half is done,
/// and how many indices it is off.
struct Rounding {
  std::int64_t first_part;
  double first_done;
  double second_done;
  double miss;

  [[nodiscard]] double slower() const { return std::max(first_done, second_done); }
  [[nodiscard]] double faster() const { return std::min(first_done, second_done); }
};

/// Shares are inexact: 1/3 and 1 - 2/3 have different last digits.
bool differ(double a, double b) {
  double const digits = 1e-9;
  return std::abs(a - b) > digits * std::max(a, b);
}

bool is_better(Rounding const& a, Rounding const& b, double share) {
  if (differ(a.slower(), b.slower())) return a.slower() < b.slower();
  if (differ(a.faster(), b.faster())) return a.faster() < b.faster();
  if (differ(a.miss, b.miss)) return a.miss < b.miss;
  return share < 0.5 ? a.first_part < b.first_part : a.first_part > b.first_part;
}

}  // namespace

std::int64_t equal_part(std::int64_t extent, std::size_t part, std::size_t ways) {
  auto const parts = static_cast<std::int64_t>(ways);
  return (extent + parts - 1 - static_cast<std::int64_t>(part)) / parts;
}

std::int64_t first_part(std::int64_t extent, double share, std::int64_t holders) {
  if (share == 0.5) return equal_part(extent, 0, 2);
  auto const wanted = share * static_cast<double>(extent);
  auto const least = std::int64_t{extent > 1 ? 1 : 0};
  auto const whole = [holders](double indices) {
    return static_cast<std::int64_t>(indices) / holders * holders;
  };
  auto const rounded = [&](std::int64_t first) {
    auto const part = std::clamp(first, least, extent - least);
    auto const most = [holders](std::int64_t indices) {
      auto const each = (indices + holders - 1) / holders;
      return static_cast<double>(each);
    };
    return Rounding{part, most(part) / share, most(extent - part) / (1 - share),
                    std::abs(static_cast<double>(part) - wanted)};
  };
  // Left of `wanted` the second half is the slower one and right of it the first: from there, one
  // step to where the slower half fits its holders is the only one that may pay.
  auto const down = static_cast<std::int64_t>(wanted);
  auto best = rounded(down);
  for (auto const first :
       {down + 1, whole(wanted), extent - whole(static_cast<double>(extent) - wanted)}) {
    if (auto const other = rounded(first); is_better(other, best, share)) best = other;
  }
  return best.first_part;
}

bool AxisTree::is_cut_at(std::size_t level) const {
  return std::any_of(cuts_.begin(), cuts_.end(),
                     [level](Cut const& cut) { return cut.level == level; });
}

/// Where all parts are equal, so are the parts that further cuts make of them.
bool AxisTree::is_even(std::size_t level) const {
  std::set<std::int64_t> extents{extent_};
  for (std::size_t cut = 0; cut < cuts_.size(); ++cut) {
    std::set<std::int64_t> parts;
    for (auto const extent : extents) {
      auto const of_extent = parts_of(extent, cut);
      if (cuts_[cut].level == level && !are_equal(of_extent, cuts_[cut])) return false;
      parts.insert(of_extent.begin(), of_extent.end());
    }
    extents = std::move(parts);
  }
  return true;
}

IndexSet AxisTree::select(Parts const& parts) const {
  IndexSet set;
  collect(0, 0, extent_, parts, set);
  return set;
}

std::vector<std::int64_t> AxisTree::parts_of(std::int64_t extent, std::size_t cut) const {
  std::int64_t holders = 1;
  for (auto later = cut + 1; later < cuts_.size(); ++later) {
    holders *= static_cast<std::int64_t>(cuts_[later].ways);
  }
  std::vector<std::int64_t> parts;
  if (auto const ways = cuts_[cut].ways; ways > 2) {
    for (std::size_t part = 0; part < ways; ++part) parts.push_back(equal_part(extent, part, ways));
    return parts;
  }
  std::int64_t end = 0;
  for (auto const share : cuts_[cut].shares) {
    auto const next = std::max(end, first_part(extent, share, holders));
    parts.push_back(next - end);
    end = next;
  }
  parts.push_back(extent - end);
  return parts;
}

void AxisTree::collect(std::size_t cut, std::int64_t begin, std::int64_t end, Parts const& parts,
                       IndexSet& into) const {
  if (begin == end) return;
  auto const is_whole = [&](Cut const& later) {
    EXPECTS(later.level < parts.size(), later.level, parts.size());
    return !parts[later.level];
  };
  if (std::all_of(cuts_.begin() + static_cast<std::ptrdiff_t>(cut), cuts_.end(), is_whole)) {
    into.append(begin, end);
    return;
  }
  auto const& taken = parts[cuts_[cut].level];
  if (taken && is_in_half(cuts_[cut])) {
    auto const middle = begin + equal_part(end - begin, 0, 2);
    bool const is_first = taken->index == 0;
    collect(cut + 1, is_first ? begin : middle, is_first ? middle : end, parts, into);
    return;
  }
  auto const sizes = parts_of(end - begin, cut);
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    auto const next = begin + sizes[part];
    if (!taken || is_within(part, *taken, cuts_[cut])) collect(cut + 1, begin, next, parts, into);
    begin = next;
  }
}

}  // namespace tessera::partition
