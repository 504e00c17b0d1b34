// What lives together: one micro-batch pass by pass, then all that an order has under way.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "partition/step/liveness.hpp"

namespace tessera::partition {

namespace {

/// What a micro-batch holds during a pass, and after it.
struct PassDemand {
  Bytes most{0};
  Bytes after{0};
};

using ChunkPass = std::pair<std::size_t, Pass>;

/// Of one micro-batch by itself.
std::map<ChunkPass, PassDemand> demands(Step const& step, LiveValues const& held,
                                        Order const& order, bool kept_only) {
  using Moment = std::tuple<std::size_t, Pass, ActionId, bool>;  // false: is made; true: is gone
  std::vector<std::pair<Moment, Bytes>> changes;
  bool const in_units = has_backward_units(order);
  auto const add = [&](LiveValue const& value, ActionId at, bool is_gone, Bytes change) {
    changes.push_back({{value.chunk, pass_of(step.actions[at], in_units), at, is_gone}, change});
  };
  for (auto const& value : held.values) {
    if (kept_only && !value.is_kept) continue;
    add(value, value.made, false, value.bytes);
    add(value, value.last, true, Bytes{0} - value.bytes);
  }
  std::sort(changes.begin(), changes.end(),
            [](auto const& a, auto const& b) { return a.first < b.first; });
  std::map<ChunkPass, PassDemand> found;
  Bytes alive{0};
  for (auto const& [moment, change] : changes) {
    auto& demand =
        found.try_emplace({std::get<0>(moment), std::get<1>(moment)}, PassDemand{alive, alive})
            .first->second;
    alive += change;
    demand.most = std::max(demand.most, alive);
    demand.after = alive;
  }
  return found;
}

Bytes most_of(Step const& step, LiveValues const& held, Order const& order, bool kept_only) {
  auto const of_pass = demands(step, held, order, kept_only);
  std::map<std::pair<std::int64_t, std::int64_t>, Bytes> of_micro_batch;
  Bytes alive{0};
  Bytes most{0};
  for (auto const& slot : order) {
    auto const found = of_pass.find({static_cast<std::size_t>(slot.chunk), slot.pass});
    if (slot.pass == Pass::update || found == of_pass.end()) continue;
    auto& own = of_micro_batch.try_emplace({slot.micro_batch, slot.chunk}, Bytes{0}).first->second;
    most = std::max(most, alive - own + found->second.most);
    alive += found->second.after - own;
    own = found->second.after;
  }
  return most;
}

}  // namespace

bool has_backward_units(Order const& order) {
  return std::any_of(order.begin(), order.end(),
                     [](Slot const& slot) { return slot.pass == Pass::backward; });
}

Pass pass_of(Action const& action, bool in_backward_units) {
  if (action.pass == Pass::forward || action.pass == Pass::update) return action.pass;
  return in_backward_units ? Pass::backward : action.pass;
}

MostAlive most_alive(Step const& step, LiveValues const& held, Order const& order) {
  return {most_of(step, held, order, false), most_of(step, held, order, true)};
}

Order one_by_one(std::int64_t micro_batches, std::int64_t steps) {
  Order order;
  for (std::int64_t number = 0; number < micro_batches * steps; ++number) {
    order.push_back({Pass::forward, number});
    order.push_back({Pass::backward, number});
    if ((number + 1) % micro_batches == 0) order.push_back({Pass::update});
  }
  return on_newest_weights(std::move(order));
}

}  // namespace tessera::partition
