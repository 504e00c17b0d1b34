#include "partition/step/conversion.hpp"

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

Conversion output_to_loss(Operator const& op, Splits const& splits) {
  auto written = layout_written(op.output, splits);
  auto loss = layout_of_loss(written);
  return {Kind::features, op.output.tensor, std::move(written), std::move(loss)};
}

Conversion error_from_loss(Operator const& op, Splits const& splits) {
  return {Kind::errors, op.output.tensor, layout_of_loss(layout_written(op.output, splits)),
          layout_read(op.output, splits)};
}

}  // namespace tessera::partition
