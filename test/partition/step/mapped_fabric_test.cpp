// What becomes of links and routes where a grid is shifted or reflected.
#include "partition/step/mapped_fabric.hpp"

#include <gtest/gtest.h>

#include "arch/array/translation.hpp"
#include "test/support/small_grid.hpp"

namespace tessera::partition {
namespace {

struct Maps {
  explicit Maps(std::string const& kind) : topology{test::row_of_four(kind)} {}

  [[nodiscard]] MappedFabric shifted() const { return by(grid.along(0, 1)); }
  [[nodiscard]] MappedFabric reflected() const { return by(grid.reversed(0)); }
  [[nodiscard]] MappedFabric by(std::vector<std::size_t> map) const {
    return {topology, positions, outgoing, std::move(map)};
  }

  arch::Topology topology;
  arch::NodePositions positions{topology};
  OutgoingLinks outgoing{topology};
  arch::Translations grid{topology};
};

TEST(MappedFabric, OfARingIsShiftedAndReflectedAndOfAMeshReflected) {
  Maps const ring{"kind: torus"};
  EXPECT_TRUE(ring.shifted().maps_links());
  EXPECT_TRUE(ring.reflected().maps_links());
  Maps const mesh{"kind: mesh"};
  EXPECT_FALSE(mesh.shifted().maps_links());
  EXPECT_TRUE(mesh.reflected().maps_links());
}

TEST(MappedFabric, KeepsRoutesWhereWaysGoByDirectionOrAreTheOnlyOnes) {
  Maps const ring{"kind: torus, half_way: both"};
  std::vector<Exchange> const next = {{0, 1, Elements{3}, {}}};
  EXPECT_TRUE(ring.shifted().maps_routes(next, Bytes{1}));
  EXPECT_TRUE(ring.reflected().maps_routes(next, Bytes{1}));
  Maps const one_way{"kind: torus"};
  std::vector<Exchange> const half_way = {{0, 2, Elements{4}, {}}};
  EXPECT_FALSE(one_way.shifted().maps_routes(half_way, Bytes{1})) << "odd ones go back";
  EXPECT_TRUE(one_way.reflected().maps_routes(half_way, Bytes{1})) << "3 goes back, too";
}

TEST(MappedFabric, TakesEitherOfTwoWaysToTheOtherWhereBothCarryTheSame) {
  Maps const ring{"kind: torus, half_way: both"};
  auto reflected = ring.reflected();
  EXPECT_TRUE(reflected.maps_routes({{0, 2, Elements{4}, {}}}, Bytes{1}));
  EXPECT_FALSE(reflected.maps_routes({{0, 2, Elements{3}, {}}}, Bytes{1})) << "halves of 2 and 1";
  EXPECT_TRUE(reflected.maps_routes({{0, 2, Elements{3}, {}}}, Bytes{2}));
  EXPECT_TRUE(ring.shifted().maps_routes({{0, 2, Elements{3}, {}}}, Bytes{1}));
}

}  // namespace
}  // namespace tessera::partition
