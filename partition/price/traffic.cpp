#include "partition/price/traffic.hpp"

#include <algorithm>

#include "partition/price/halo_traffic.hpp"

namespace tessera::partition {

using workloads::OperatorId;

namespace {

using Kind = Holding::Kind;

/// The parts of a reshard, in their order (reshard.hpp): reduce-scatters from the innermost level
/// out, the others from the outermost level in.
enum class Move { reduce, exchange, gather };

/// Shares of what a group holds.
struct Received {
  double first;
  double second;  ///< and every further part
};

/// One part of a reshard at one level.
struct LevelMove {
  Layout const* from = nullptr;
  Layout const* to = nullptr;
  std::size_t level = 0;
  Move move = Move::reduce;
  ArrayShape const* shape = nullptr;

  [[nodiscard]] double ways(std::size_t at) const {
    return static_cast<double>(shape->ways_at(at));
  }
};

/// Do the halves at another level both hold all of what the step moves? Outer levels still hold
/// whole summands while inner ones reduce, and whole copies again when inner ones gather.
bool is_whole(LevelMove const& at, std::size_t other) {
  auto const from = (*at.from)[other].kind;
  auto const to = (*at.to)[other].kind;
  if (from == Kind::replicated && to == Kind::replicated) return true;
  if (other > at.level) return false;
  return (at.move == Move::reduce && from == Kind::partial) ||
         (at.move == Move::gather && to == Kind::replicated);
}

/// How another level, of which the halves do not hold all, lies by the time of the step: what was
/// replicated has been dropped, what was partial is scattered (evenly where nobody reads it split),
/// and a split changes in its own stage.
Holding meanwhile(LevelMove const& at, std::size_t other) {
  auto const from = (*at.from)[other];
  auto const to = (*at.to)[other];
  if (from.kind == Kind::replicated) return to;
  if (from.kind == Kind::partial) return to.kind == Kind::split ? to : Holding::split(0);
  bool const is_over = at.move == Move::gather || (at.move == Move::exchange && other < at.level);
  return is_over && to.kind == Kind::split ? to : from;
}

Traffic traffic_at(LevelMove const& at, Received received, double elements) {
  auto const ways = at.ways(at.level);
  Traffic traffic{elements * (received.first + (ways - 1) * received.second),
                  elements * ways * std::max(received.first, received.second)};
  for (std::size_t other = 0; other < at.from->size(); ++other) {
    if (other == at.level) continue;
    bool const whole = is_whole(at, other);
    if (whole) traffic.elements *= at.ways(other);
    auto const share = whole ? 1 : at.shape->slower_share(other, meanwhile(at, other).first);
    traffic.critical *= at.ways(other) * share;
  }
  return traffic;
}

/// The same for each of `ways` equal parts: what all others have of `share`.
Received from_the_others(std::size_t ways, double share = 1) {
  auto const parts = static_cast<double>(ways);
  auto const each = share * (parts - 1) / parts;
  return {each, each};
}

/// What moves when a partial sum is scattered.
Received scattered(std::size_t ways, Holding after) {
  return ways == 2 ? Received{after.first, 1 - after.first} : from_the_others(ways);
}

/// What moves when a split is gathered.
Received gathered(std::size_t ways, Holding before) {
  return ways == 2 ? Received{1 - before.first, before.first} : from_the_others(ways);
}

/// What moves when a split becomes another split.
Received exchanged(std::size_t ways, Holding before, Holding after) {
  if (ways != 2) return from_the_others(ways, 1 / static_cast<double>(ways));
  if (before.axis == after.axis) {
    return {std::max(0.0, after.first - before.first), std::max(0.0, before.first - after.first)};
  }
  return {after.first * (1 - before.first), (1 - after.first) * before.first};
}

/// How many elements there are to sum: of padded pieces (of equal parts, step.hpp) more than the
/// gradient has.
std::int64_t summed(Conversion const& conversion, Elements gradient, ArrayShape const& shape) {
  auto const ways_at = [&](std::size_t level) { return shape.ways_at(level); };
  auto const parts = parts_in(conversion.from, Kind::split, ways_at);
  auto const pieces_of_each = parts_in(conversion.from, Kind::partial, ways_at);
  return size_in(conversion.pieces, gradient.value(), parts * pieces_of_each);
}

}  // namespace

Traffic& Traffic::operator+=(Traffic const& other) {
  elements += other.elements;
  critical += other.critical;
  return *this;
}

Pace pace_of(arch::ArraySpec const& array) {
  if (array.groups.size() != 2) return {};
  auto const first = static_cast<double>(array.link_bandwidth(array.groups.front()).value());
  auto const second = static_cast<double>(array.link_bandwidth(array.groups.back()).value());
  auto const slower = std::min(first, second);
  return {slower / first, slower / second};
}

ArrayShape shape_of(arch::ArraySpec const& array) {
  return {pace_of(array), array.hierarchy().ways()};
}

Traffic moved(Layout const& from, Layout const& to, std::size_t level, double elements,
              ArrayShape const& shape) {
  auto const before = from[level];
  auto const after = to[level];
  if (before == after || before.kind == Kind::replicated) return {};
  auto const ways = shape.ways_at(level);
  auto const step = [&](Move move, Received received) {
    return traffic_at({&from, &to, level, move, &shape}, received, elements);
  };
  if (before.kind == Kind::partial) {
    auto traffic = step(Move::reduce, scattered(ways, after));
    if (after.kind == Kind::replicated) traffic += step(Move::gather, gathered(ways, after));
    return traffic;
  }
  if (after.kind == Kind::replicated) return step(Move::gather, gathered(ways, before));
  return step(Move::exchange, exchanged(ways, before, after));
}

Traffic moved_both_ways(TensorLayouts const& producer, TensorLayouts const& consumer,
                        std::size_t level, double elements, ArrayShape const& shape) {
  auto traffic = moved(producer.written, consumer.read, level, elements, shape);
  traffic += moved(consumer.written, producer.read, level, elements, shape);
  return traffic;
}

Traffic traffic_of(workloads::Network const& network, Conversion const& conversion,
                   std::size_t level, ArrayShape const& shape) {
  auto const elements = summed(conversion, network.at(conversion.tensor).elements(), shape);
  auto traffic = moved(conversion.from, conversion.to, level, static_cast<double>(elements), shape);
  if (conversion.halo) {
    auto const& [reader, input, splits] = *conversion.halo;
    traffic += halo_traffic(network, *input, *splits, level, shape);
  }
  return traffic;
}

Traffic LevelPricer::within(OperatorId id, Splits const& splits) const {
  auto const& op = network_->at(id);
  Traffic traffic;
  if (op.weight) traffic += price(gradient_sum(op, splits));
  if (network_->at(op.output.tensor).consumers.empty()) {
    traffic += price(output_to_loss(op, splits));
    traffic += price(error_from_loss(op, splits, splits));
  }
  return traffic;
}

Traffic LevelPricer::between(OperatorId producer, Splits const& producer_splits,
                             OperatorId consumer, Splits const& consumer_splits) const {
  auto traffic =
      price(features_between(*network_, producer, producer_splits, consumer, consumer_splits));
  traffic += price(errors_between(*network_, producer, producer_splits, consumer, consumer_splits));
  return traffic;
}

Traffic LevelPricer::price(Conversion const& conversion) const {
  return traffic_of(*network_, conversion, level_, shape_);
}

}  // namespace tessera::partition
