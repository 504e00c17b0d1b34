// Integer bins that double their width.
#include "sim/model/record/busy_histogram.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace tessera::sim {

void BusyIntervals::add(Time begin, Time end) {
  auto const last = intervals_.empty() ? Interval{begin, begin} : intervals_.back();
  EXPECTS(last.end <= begin && begin <= end, last.end, begin, end);
  if (begin == end) return;
  if (!intervals_.empty() && last.end == begin) {
    intervals_.back().end = end;
    return;
  }
  intervals_.push_back({begin, end});
}

void BusyIntervals::seal() {
  Time busy{0};
  busy_before_.reserve(intervals_.size());
  for (auto const& [begin, end] : intervals_) {
    busy_before_.push_back(busy);
    busy += end - begin;
  }
}

Time BusyIntervals::before(Time time) const {
  EXPECTS(busy_before_.size() == intervals_.size(), busy_before_.size(), intervals_.size());
  auto const begins_later = [](Time at, Interval const& it) { return at < it.begin; };
  auto const later = std::upper_bound(intervals_.begin(), intervals_.end(), time, begins_later);
  if (later == intervals_.begin()) return Time{0};
  auto const last = std::prev(later);
  auto const number = static_cast<std::size_t>(last - intervals_.begin());
  return busy_before_[number] + std::min(last->end, time) - last->begin;
}

Time BusyIntervals::total() const {
  EXPECTS(busy_before_.size() == intervals_.size(), busy_before_.size(), intervals_.size());
  if (intervals_.empty()) return Time{0};
  return busy_before_.back() + intervals_.back().end - intervals_.back().begin;
}

void BusyHistogram::add(Time begin, Time end) {
  if (record_) record_->add(begin, end);
  EXPECTS(Time{0} <= begin && begin <= end, begin, end);
  cover(end);
  last_ = std::max(last_, end);
  for (Time from = begin; from < end;) {
    auto const bin = from.value() >> width_bits_;
    Time const to = std::min(end, Time{(bin + 1) << width_bits_});
    bins_[static_cast<std::size_t>(bin)] += to - from;
    from = to;
  }
}

void BusyHistogram::add(BusyIntervals const& intervals, Time by) {
  auto const& all = intervals.all();
  if (record_) {
    for (auto const& it : all) record_->add(it.begin + by, it.end + by);
  }
  if (all.empty()) return;
  auto const begin = all.front().begin + by;
  auto const end = all.back().end + by;
  EXPECTS(Time{0} <= begin, begin);
  cover(end);
  last_ = std::max(last_, end);
  Time added{0};
  for (auto bin = begin.value() >> width_bits_; Time{bin << width_bits_} < end; ++bin) {
    Time const to{(bin + 1) << width_bits_};
    auto const so_far = to < end ? intervals.before(to - by) : intervals.total();
    bins_[static_cast<std::size_t>(bin)] += so_far - added;
    added = so_far;
  }
}

void BusyHistogram::add(BusyHistogram const& other, std::int64_t times) {
  EXPECTS(times > 0 && !record_, times);
  BusyHistogram widened = other;
  while (widened.width_bits_ < width_bits_) widened.merge_neighbours();
  while (width_bits_ < widened.width_bits_) merge_neighbours();
  last_ = std::max(last_, other.last_);
  for (std::size_t bin = 0; bin < bin_count; ++bin) bins_[bin] += widened.bins_[bin] * times;
}

void BusyHistogram::cover(Time end) {
  while (width() * static_cast<std::int64_t>(bin_count) < end) merge_neighbours();
}

void BusyHistogram::merge_neighbours() {
  for (std::size_t bin = 0; bin < bin_count / 2; ++bin) {
    bins_[bin] = bins_[2 * bin] + bins_[2 * bin + 1];
  }
  std::fill(bins_.begin() + bin_count / 2, bins_.end(), Time{0});
  ++width_bits_;
}

std::vector<Time> BusyHistogram::bins(Time end) const {
  auto const touched =
      tessera::detail::multiply_divide_ceil(std::max(end, last_).value(), 1, width().value());
  EXPECTS(touched <= static_cast<std::int64_t>(bin_count), end, width());
  return {bins_.begin(), bins_.begin() + touched};
}

Time BusyHistogram::total() const { return std::accumulate(bins_.begin(), bins_.end(), Time{0}); }

}  // namespace tessera::sim
