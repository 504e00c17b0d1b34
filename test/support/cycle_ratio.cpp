#include "test/support/cycle_ratio.hpp"

#include <optional>

namespace tessera::test {

namespace {

/// The arcs of a cycle whose ratio is larger than `ratio`, if there is one.
std::optional<std::vector<Arc>> better_cycle(std::size_t events, std::vector<Arc> const& arcs,
                                             Ratio ratio) {
  std::vector<std::int64_t> longest(events, 0);
  std::vector<Arc const*> last(events, nullptr);
  std::optional<std::size_t> changed;
  for (std::size_t round = 0; round <= events; ++round) {
    changed.reset();
    for (auto const& arc : arcs) {
      auto const length = longest[arc.from] + arc.weight * ratio.height - arc.height * ratio.weight;
      if (length <= longest[arc.to]) continue;
      longest[arc.to] = length;
      last[arc.to] = &arc;
      changed = arc.to;
    }
    if (!changed) return {};
  }
  auto event = *changed;
  for (std::size_t i = 0; i < events; ++i) event = last[event]->from;  // onto the cycle
  std::vector<Arc> cycle;
  do {
    cycle.push_back(*last[event]);
    event = last[event]->from;
  } while (event != cycle.front().to);
  return cycle;
}

}  // namespace

Ratio maximum_cycle_ratio(std::size_t events, std::vector<Arc> const& arcs) {
  Ratio best;
  while (auto const cycle = better_cycle(events, arcs, best)) {
    best = {0, 0};
    for (auto const& arc : *cycle) {
      best.weight += arc.weight;
      best.height += arc.height;
    }
  }
  return best;
}

}  // namespace tessera::test
