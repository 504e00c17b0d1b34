// The inventory of an array: which cores there are, what they are called, whose histogram is whose.
#include "sim/model/array/array_cores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "test/sim/model/fabric/small_arrays.hpp"

namespace tessera::sim {
namespace {

using arch::FabricSpec;

/// The cores of an array without tasks.
class Inventory {
 public:
  explicit Inventory(arch::ArraySpec the_array,
                     MessageCarriers the_carriers = MessageCarriers::one_core)
      : array{std::move(the_array)},
        tasks{static_cast<std::size_t>(array.accelerators)},
        carriers{the_carriers} {}

  [[nodiscard]] std::size_t count(Resource::Kind kind) const {
    auto const resources = cores.resources();
    return static_cast<std::size_t>(
        std::count_if(resources.begin(), resources.end(),
                      [kind](Resource const& resource) { return resource.kind == kind; }));
  }

  arch::ArraySpec array;
  TaskGraph tasks;
  MessageCarriers carriers;
  Blueprint blueprint{array, tasks};
  Records records{tasks};
  KeptWork kept;
  ArrayCores cores{blueprint, records, kept, carriers};
};

TEST(ArrayCores, OfAnHTreeHaveARouterPerSwitch) {
  Inventory const inventory{small_array(8)};
  EXPECT_EQ(inventory.count(Resource::Kind::dispatcher), 8U);
  EXPECT_EQ(inventory.count(Resource::Kind::router), 7U);  // 1 + 2 + 4 switches
  EXPECT_EQ(inventory.count(Resource::Kind::link), 28U);   // 14 children, up and down
  EXPECT_EQ(inventory.count(Resource::Kind::synchronizer), 1U);
}

TEST(ArrayCores, OfATorusHaveARouterPerAccelerator) {
  Inventory const inventory{small_array(16, FabricSpec::Topology::torus)};
  EXPECT_EQ(inventory.count(Resource::Kind::router), 16U);
  EXPECT_EQ(inventory.count(Resource::Kind::link), 64U);
}

TEST(ArrayCores, HaveTheSameResourcesWhoeverCarriesMessages) {
  for (auto const& array : {small_array(8), small_array(16, FabricSpec::Topology::torus),
                            small_network("tree:2x4"), small_network("dragonfly:2x2x2")}) {
    Inventory const one{array};
    Inventory const each{array, MessageCarriers::each_by_itself};
    EXPECT_TRUE(one.cores.links.empty() && one.cores.switches.empty());
    EXPECT_FALSE(each.cores.messages.has_value());
    auto const names = [](Inventory const& inventory) {
      std::vector<std::string> all;
      for (auto const& resource : inventory.cores.resources()) all.push_back(resource.name);
      return all;
    };
    EXPECT_EQ(names(one), names(each));
  }
}

TEST(ArrayCores, RunModulesWhereHopsTakeNoTime) {
  auto array = small_array(8);
  array.fabric.hop_latency = Cycles{0};
  EXPECT_FALSE(Inventory{array}.cores.messages.has_value());
}

TEST(ArrayCores, HaveNamesOfTheirOwn) {
  Inventory const inventory{small_array(8)};
  std::set<std::string> names;
  for (Resource const& resource : inventory.cores.resources()) {
    EXPECT_TRUE(names.insert(resource.name).second) << resource.name;
  }
  EXPECT_EQ(names.count("accelerator-3.memory"), 1U);
  EXPECT_EQ(names.count("switch-1.0"), 1U);
}

TEST(ArrayCores, NamesHistogramsThatExist) {
  for (std::int64_t const accelerators : {1, 8, 1024}) {
    Inventory const inventory{small_array(accelerators)};
    for (Resource const& resource : inventory.cores.resources()) {
      if (resource.histogram.empty()) continue;
      EXPECT_EQ(inventory.records.utilisation.count(resource.histogram), 1U) << resource.name;
    }
  }
}

TEST(Blueprint, RefusesAGraphForAnotherNumberOfAccelerators) {
  auto const array = small_array(4);
  TaskGraph const tasks{2};
  EXPECT_THROW((Blueprint{array, tasks}), ContractError);
}

TEST(Total, SumsAStatisticOverAKind) {
  Inventory inventory{small_array(2), MessageCarriers::each_by_itself};
  EXPECT_EQ(total(inventory.cores.resources(), Resource::Kind::link, "bytes"), 0);
  Message packet;
  packet.kind = Message::Kind::packet;
  packet.bytes = Bytes{7};
  for (Link& link : inventory.cores.links) {
    link.push(Time{0}, Link::head, packet);
    Outbox out{Time{0}};
    EXPECT_EQ(link.advance(Time{0}, out), std::nullopt);
  }
  EXPECT_EQ(total(inventory.cores.resources(), Resource::Kind::link, "bytes"), 4 * 7);
  EXPECT_EQ(total(inventory.cores.resources(), Resource::Kind::router, "bytes"), 0);
}

}  // namespace
}  // namespace tessera::sim
