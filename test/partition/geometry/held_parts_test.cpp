#include "partition/geometry/held_parts.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"

namespace tessera::partition {
namespace {

TEST(HeldParts, AreThoseOfTheRegionsOfATiling) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    test::RandomNetworkOptions options;
    options.extents = test::RandomNetworkOptions::Extents::arbitrary;
    auto const network = test::random_network(random, options);
    auto const array = arch::load("hmc-htree-16", {"accelerators=12"});
    auto const plan = test::random_plan(network, array, random);
    Tiling const tiling{network, plan};
    for (auto const id : network.operators().ids()) {
      auto const& output = network.at(id).output;
      auto const read = layout_read(output, tiling.splits(id));
      auto const written = layout_written(output, tiling.splits(workloads::OperatorId{0}));
      HeldParts of_read{tiling, output.tensor, read};
      HeldParts of_written{tiling, output.tensor, written};
      for (std::size_t a = 0; a < tiling.accelerators(); ++a) {
        auto const region = tiling.region(output.tensor, read, a);
        EXPECT_EQ(of_read.elements(a), region.elements());
        for (std::size_t b = 0; b < tiling.accelerators(); ++b) {
          auto const other = tiling.region(output.tensor, written, b);
          EXPECT_EQ(of_read.common_elements(a, of_written, b), region.common_elements(other));
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera::partition
