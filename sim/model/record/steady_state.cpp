#include "sim/model/record/steady_state.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

/// Does every stage complete micro-batch b + p one period after b?
bool repeats(Completions const& completions, std::size_t b, std::size_t p, Time period) {
  return std::all_of(completions.begin(), completions.end(),
                     [&](auto const& times) { return times[b + p] - times[b] == period; });
}

/// As far as it goes to both sides of `middle`; 0 micro-batches: nowhere.
RepeatedPart part_around(Completions const& completions, std::size_t middle, std::size_t p) {
  auto const& times = completions.front();
  auto const period = times[middle + p] - times[middle];
  if (!repeats(completions, middle, p, period)) return {};
  auto first = middle;
  while (first > 0 && repeats(completions, first - 1, p, period)) --first;
  auto last = middle + p;
  while (last + 1 < times.size() && repeats(completions, last + 1 - p, p, period)) ++last;
  return {p, period, first, last};
}

}  // namespace

/// What covers half of the run has micro-batch n / 2 in it, as one that is repeated or as the
/// repetition of one, or ends right before it.
std::optional<RepeatedPart> repeated_part(Completions const& completions) {
  EXPECTS(!completions.empty());
  auto const n = completions.front().size();
  for (auto const& times : completions) EXPECTS(times.size() == n, times.size(), n);
  for (std::size_t p = 1; 3 * p <= n; ++p) {
    for (auto const middle : {n / 2, n / 2 - p, n / 2 - p - 1}) {
      if (middle >= n || middle + p >= n) continue;  // below 0, or not repeated
      auto const part = part_around(completions, middle, p);
      auto const length = part.last + 1 - part.first;
      if (part.micro_batches > 0 && length >= 3 * p && 2 * length >= n) return part;
    }
  }
  return std::nullopt;
}

}  // namespace tessera::sim
