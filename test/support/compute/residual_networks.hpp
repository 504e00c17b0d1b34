// The convolutions of ResNet-18 and ResNet-50 (He et al., CVPR 2016, Table 1; strides on the 3 x 3 of a bottleneck), and
// what comes between them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/compute/operator_shape.hpp"

namespace tessera::sim {

/// A network as its operators: convolutions (the classifier is one of 1 x 1) and additions.
class ResidualNetwork final {
 public:
  [[nodiscard]] static ResidualNetwork resnet18(std::int64_t samples) {
    return {samples, {2, 2, 2, 2}, Block::basic};
  }
  [[nodiscard]] static ResidualNetwork resnet50(std::int64_t samples) {
    return {samples, {3, 4, 6, 3}, Block::bottleneck};
  }

  [[nodiscard]] std::vector<OperatorShape> const& operators() const { return operators_; }
  [[nodiscard]] Macs macs(workloads::Phase phase) const {
    Macs sum{0};
    for (auto const& shape : operators_) sum += analytical_macs(shape, phase);
    return sum;
  }

 private:
  enum class Block { basic, bottleneck };

  ResidualNetwork(std::int64_t samples, std::vector<int> const& blocks, Block kind)
      : samples_{samples} {
    conv(3, 64, 7, 2);
    side_ = 56;  // a 3 x 3 pool of stride 2
    std::int64_t channels = 64;
    std::int64_t width = 64;
    for (auto const count : blocks) {
      for (int block = 0; block < count; ++block) {
        channels = add_block(channels, width, block == 0 && width > 64 ? 2 : 1, kind);
      }
      width *= 2;
    }
    side_ = 1;  // the average of the map
    conv(channels, 1000, 1, 1);
  }

  std::int64_t add_block(std::int64_t channels, std::int64_t width, std::int64_t stride,
                         Block kind) {
    auto const outputs = kind == Block::basic ? width : 4 * width;
    auto const input_side = side_;
    if (kind == Block::basic) {
      conv(channels, width, 3, stride);
      conv(width, width, 3, 1);
    } else {
      conv(channels, width, 1, 1);
      conv(width, width, 3, stride);
      conv(width, outputs, 1, 1);
    }
    if (channels != outputs) {
      side_ = input_side;
      conv(channels, outputs, 1, stride);
    }
    operators_.emplace_back(ElementwiseShape{samples_ * outputs * side_ * side_, 2});
    return outputs;
  }

  void conv(std::int64_t channels, std::int64_t filters, std::int64_t taps, std::int64_t stride) {
    auto const input = operators_.empty() ? 224 : side_;
    auto const padding = taps / 2;
    side_ = (input + 2 * padding - taps) / stride + 1;
    ConvSide const side{input, side_, taps, stride, 1, padding};
    operators_.emplace_back(ConvShape{samples_, filters, channels, 1, side, side});
  }

  std::int64_t samples_;
  std::int64_t side_ = 224;
  std::vector<OperatorShape> operators_;
};

}  // namespace tessera::sim
