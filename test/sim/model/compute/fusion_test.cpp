// Which operators of a network share a kernel with a product.
#include "sim/model/compute/fusion.hpp"

#include <gtest/gtest.h>

#include "test/support/network_text.hpp"

namespace tessera::sim {
namespace {

class FusionOf final {
 public:
  explicit FusionOf(std::vector<std::string> const& operators)
      : network_{test::network_of(
            test::NetworkText{"{name: x, positions: 8, features: 16}"}.with(operators))},
        fusions_{fusions_of(network_.operators())} {}

  [[nodiscard]] Fusion operator()(std::string const& name) const {
    return fusions_[network_.find(name)];
  }

 private:
  workloads::Network network_;
  IdVector<workloads::OperatorId, Fusion> fusions_;
};

TEST(Fusion, TheSoftmaxOfAttentionIsBetweenTwoProducts) {
  FusionOf const fusion{{"{name: k, kind: recast, input: x, positions: 8, features: 16}",
                         "{name: s, kind: scores, inputs: [x, k], heads: 2}",
                         "{name: p, kind: softmax, input: s}",
                         "{name: c, kind: context, inputs: [p, x]}"}};
  EXPECT_TRUE(fusion("p").behind_product);
  EXPECT_TRUE(fusion("p").in_front_of_product);
}

TEST(Fusion, ASumIsBehindAProductThatNobodyElseReads) {
  FusionOf const fusion{{"{name: a, kind: linear, input: x, outputs: 16}",
                         "{name: sum, kind: add, inputs: [a, x]}",
                         "{name: norm, kind: layer_norm, input: sum}"}};
  EXPECT_TRUE(fusion("sum").behind_product);
  EXPECT_FALSE(fusion("sum").in_front_of_product);
  EXPECT_FALSE(fusion("norm").behind_product);
}

TEST(Fusion, WhatOthersReadAsWellIsWrittenFirst) {
  FusionOf const fusion{{"{name: a, kind: linear, input: x, outputs: 16}",
                         "{name: sum, kind: add, inputs: [a, x]}",
                         "{name: b, kind: linear, input: a, outputs: 16}",
                         "{name: c, kind: linear, input: sum, outputs: 16}",
                         "{name: end, kind: add, inputs: [b, c]}"}};
  EXPECT_FALSE(fusion("sum").behind_product);
  EXPECT_TRUE(fusion("sum").in_front_of_product);
  EXPECT_TRUE(fusion("end").behind_product);
}

}  // namespace
}  // namespace tessera::sim
