#include <algorithm>
#include <map>
#include <utility>

#include "partition/schedule/order_check.hpp"

namespace tessera::partition {

namespace {

/// From one slot to another, both included.
struct Lifetime {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::int64_t most_at_once(std::vector<Lifetime> const& lifetimes, std::size_t slots) {
  std::vector<std::int64_t> change(slots + 1);
  for (auto const& lifetime : lifetimes) {
    ++change[lifetime.begin];
    --change[lifetime.end + 1];
  }
  std::int64_t alive = 0;
  std::int64_t most = 0;
  for (auto const difference : change) most = std::max(most, alive += difference);
  return most;
}

/// From the first to the last pass of each chunk of a micro-batch, with its forward pass or
/// without.
std::vector<Lifetime> passes_in(Order const& order, bool with_forward) {
  std::map<std::pair<std::int64_t, std::int64_t>, Lifetime> found;
  for (std::size_t i = 0; i < order.size(); ++i) {
    bool const is_forward = order[i].pass == Pass::forward;
    if (order[i].pass == Pass::update || (is_forward && !with_forward)) continue;
    found.emplace(std::make_pair(order[i].micro_batch, order[i].chunk), Lifetime{i, i})
        .first->second.end = i;
  }
  std::vector<Lifetime> lifetimes;
  lifetimes.reserve(found.size());
  for (auto const& entry : found) lifetimes.push_back(entry.second);
  return lifetimes;
}

/// The newest version may outlive its last pass, but only until another is made: that is no new
/// maximum.
std::vector<Lifetime> versions_in(Order const& order) {
  std::vector<Lifetime> lifetimes = {{0, 0}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i].pass == Pass::update) lifetimes.push_back({i, i});
    auto const version = order[i].pass == Pass::update ? lifetimes.size() - 1
                                                       : static_cast<std::size_t>(order[i].version);
    lifetimes[version].end = i;
  }
  return lifetimes;
}

}  // namespace

HighWater high_water(Order const& order) {
  return {most_at_once(passes_in(order, true), order.size()),
          most_at_once(versions_in(order), order.size()),
          most_at_once(passes_in(order, false), order.size())};
}

}  // namespace tessera::partition
