#include "partition/geometry/layout.hpp"

#include <gtest/gtest.h>

#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;

/// Layouts of a matmul at one level, per split dimension: planners.md's table of induced layouts
/// (0.3).
struct Induced {
  Dim split;
  Holding x, w, y, dx, dw;
};

class MatmulLayout : public testing::TestWithParam<Induced> {};

TEST_P(MatmulLayout, FollowsFromTheSplitDimension) {
  auto const network = workloads::load("hypar/sfc");
  auto const& fc2 = network.at(network.find("fc2"));
  auto const& [split, x, w, y, dx, dw] = GetParam();
  Splits const splits{split};
  EXPECT_EQ(layout_read(fc2.inputs.front(), splits).front(), x);
  EXPECT_EQ(layout_read(*fc2.weight, splits).front(), w);
  EXPECT_EQ(layout_written(fc2.output, splits).front(), y);
  EXPECT_EQ(layout_written(fc2.inputs.front(), splits).front(), dx);
  EXPECT_EQ(layout_written(*fc2.weight, splits).front(), dw);
}

auto const n_axis = Holding::split(0);
auto const feature_axis = Holding::split(1);
auto const k_of_weight = Holding::split(0);
auto const c_of_weight = Holding::split(1);
auto const everything = Holding::replicated();
auto const part = Holding::partial();

INSTANTIATE_TEST_SUITE_P(
    Splits, MatmulLayout,
    testing::Values(Induced{Dim::n, n_axis, everything, n_axis, n_axis, part},
                    Induced{Dim::c, feature_axis, c_of_weight, part, feature_axis, c_of_weight},
                    Induced{Dim::k, everything, k_of_weight, feature_axis, part, k_of_weight}));

TEST(Layout, OfTheLossScattersPartialSumsOverSamples) {
  EXPECT_EQ(layout_of_loss({part, n_axis, feature_axis, everything}),
            (Layout{n_axis, n_axis, feature_axis, everything}));
}

}  // namespace
}  // namespace tessera::partition
