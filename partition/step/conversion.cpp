#include "partition/step/conversion.hpp"

#include <utility>

namespace tessera::partition {

using workloads::Network;
using workloads::Operator;
using workloads::OperatorId;

namespace {

using Kind = Conversion::Kind;

}  // namespace

Conversion features_between(Network const& network, OperatorId producer,
                            Splits const& producer_splits, OperatorId consumer,
                            Splits const& consumer_splits) {
  auto const& output = network.at(producer).output;
  auto const& input = input_of(network.at(consumer), output.tensor);
  return {Kind::features, output.tensor, layout_written(output, producer_splits),
          layout_read(input, consumer_splits), HaloOf{consumer, &input, &consumer_splits}};
}

Conversion errors_between(Network const& network, OperatorId producer,
                          Splits const& producer_splits, OperatorId consumer,
                          Splits const& consumer_splits) {
  auto const& output = network.at(producer).output;
  auto const& input = input_of(network.at(consumer), output.tensor);
  return {Kind::errors, output.tensor, layout_written(input, consumer_splits),
          layout_read(output, producer_splits), HaloOf{consumer, &input, &consumer_splits}};
}

Conversion gradient_sum(Operator const& op, Splits const& splits) {
  EXPECTS(op.weight.has_value(), op.name);
  return {Kind::gradient_sum, op.weight->tensor, layout_written(*op.weight, splits),
          layout_read(*op.weight, splits)};
}

std::vector<Conversion> gradient_to_weights(Operator const& op, Splits const& written,
                                            Splits const& kept, std::size_t replicas) {
  auto sum = gradient_sum(op, written);
  if (replicas > 1) sum.from.front() = Holding::partial();
  auto const lies = layout_read(*op.weight, kept);
  if (sum.to == lies) return {sum};
  bool all_scattered = true;
  for (std::size_t level = 0; level < lies.size(); ++level) {
    bool const is_sum = sum.from[level] == Holding::partial();
    all_scattered = all_scattered && (!is_sum || lies[level].kind == Holding::Kind::split);
  }
  if (all_scattered) return {{Kind::phases, sum.tensor, sum.from, lies}};
  return {sum, {Kind::phases, sum.tensor, sum.to, lies}};
}

std::optional<Conversion> between_phases(workloads::TensorAccess const& access, Splits const& from,
                                         Splits const& to) {
  if (from == to) return std::nullopt;
  auto before = layout_read(access, from);
  auto after = layout_read(access, to);
  if (before == after) return std::nullopt;
  return Conversion{Kind::phases, access.tensor, std::move(before), std::move(after)};
}

Conversion output_to_loss(Operator const& op, Splits const& forward) {
  auto written = layout_written(op.output, forward);
  auto loss = layout_of_loss(written);
  return {Kind::features, op.output.tensor, std::move(written), std::move(loss)};
}

Conversion error_from_loss(Operator const& op, Splits const& forward, Splits const& backward) {
  return {Kind::errors, op.output.tensor, layout_of_loss(layout_written(op.output, forward)),
          layout_read(op.output, backward)};
}

}  // namespace tessera::partition
