#include "partition/traffic.hpp"

#include <algorithm>

#include "partition/halo.hpp"

namespace tessera::partition {

using workloads::OperatorId;
using workloads::TensorAccess;

namespace {

using Kind = Holding::Kind;

/// The parts of a reshard, in their order (reshard.hpp): reduce-scatters from the innermost level
/// out, the others from the outermost level in.
enum class Stage { reduce, exchange, gather };

/// Shares of what a group holds.
struct Received {
  double first;
  double second;  ///< and every further part
};

/// One stage of a reshard at one level.
struct Step {
  Layout const* from = nullptr;
  Layout const* to = nullptr;
  std::size_t level = 0;
  Stage stage = Stage::reduce;
  ArrayShape const* shape = nullptr;

  [[nodiscard]] double ways(std::size_t at) const {
    return static_cast<double>(shape->ways_at(at));
  }
};

/// Do the halves at another level both hold all of what the step moves? Outer levels still hold
/// whole summands while inner ones reduce, and whole copies again when inner ones gather.
bool is_whole(Step const& step, std::size_t other) {
  auto const from = (*step.from)[other].kind;
  auto const to = (*step.to)[other].kind;
  if (from == Kind::replicated && to == Kind::replicated) return true;
  if (other > step.level) return false;
  return (step.stage == Stage::reduce && from == Kind::partial) ||
         (step.stage == Stage::gather && to == Kind::replicated);
}

/// How another level, of which the halves do not hold all, lies by the time of the step: what was
/// replicated has been dropped, what was partial is scattered (evenly where nobody reads it split),
/// and a split changes in its own stage.
Holding meanwhile(Step const& step, std::size_t other) {
  auto const from = (*step.from)[other];
  auto const to = (*step.to)[other];
  if (from.kind == Kind::replicated) return to;
  if (from.kind == Kind::partial) return to.kind == Kind::split ? to : Holding::split(0);
  bool const is_over =
      step.stage == Stage::gather || (step.stage == Stage::exchange && other < step.level);
  return is_over && to.kind == Kind::split ? to : from;
}

Traffic traffic_of(Step const& step, Received received, double elements) {
  auto const ways = step.ways(step.level);
  Traffic traffic{elements * (received.first + (ways - 1) * received.second),
                  elements * ways * std::max(received.first, received.second)};
  for (std::size_t other = 0; other < step.from->size(); ++other) {
    if (other == step.level) continue;
    bool const whole = is_whole(step, other);
    if (whole) traffic.elements *= step.ways(other);
    auto const share = whole ? 1 : step.shape->slower_share(other, meanwhile(step, other).first);
    traffic.critical *= step.ways(other) * share;
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

double elements_of(workloads::Network const& network, TensorAccess const& access) {
  return static_cast<double>(network.at(access.tensor).elements().value());
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
  auto const step = [&](Stage stage, Received received) {
    return traffic_of({&from, &to, level, stage, &shape}, received, elements);
  };
  if (before.kind == Kind::partial) {
    auto traffic = step(Stage::reduce, scattered(ways, after));
    if (after.kind == Kind::replicated) traffic += step(Stage::gather, gathered(ways, after));
    return traffic;
  }
  if (after.kind == Kind::replicated) return step(Stage::gather, gathered(ways, before));
  return step(Stage::exchange, exchanged(ways, before, after));
}

Traffic moved_both_ways(TensorLayouts const& producer, TensorLayouts const& consumer,
                        std::size_t level, double elements, ArrayShape const& shape) {
  auto traffic = moved(producer.written, consumer.read, level, elements, shape);
  traffic += moved(consumer.written, producer.read, level, elements, shape);
  return traffic;
}

Traffic LevelPricer::within(OperatorId id, Splits const& splits) const {
  auto const& op = network_->at(id);
  Traffic traffic;
  if (op.weight) {
    traffic += moved(layout_written(*op.weight, splits), layout_read(*op.weight, splits), level_,
                     elements_of(*network_, *op.weight), shape_);
  }
  if (network_->at(op.output.tensor).consumers.empty()) {
    auto const written = layout_written(op.output, splits);
    auto const loss = layout_of_loss(written);
    auto const size = elements_of(*network_, op.output);
    traffic += moved(written, loss, level_, size, shape_);
    traffic += moved(loss, layout_read(op.output, splits), level_, size, shape_);
  }
  return traffic;
}

Traffic LevelPricer::between(OperatorId producer_id, Splits const& producer_splits,
                             OperatorId consumer_id, Splits const& consumer_splits) const {
  auto const& output = network_->at(producer_id).output;
  auto const& input = input_of(network_->at(consumer_id), output.tensor);
  auto traffic =
      moved_both_ways(layouts_of(output, producer_splits), layouts_of(input, consumer_splits),
                      level_, elements_of(*network_, output), shape_);
  auto const halo = halo_traffic(*network_, input, consumer_splits, level_, shape_);
  traffic += halo;  // features
  traffic += halo;  // errors
  return traffic;
}

}  // namespace tessera::partition
