// An accelerator's cube over links, against the host that `tessera probe memory --through links` has.
#include "sim/model/memory/cube_memory.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sim/model/memory/dram_memory.hpp"
#include "sim/model/memory/hmc/hmc_host.hpp"
#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

arch::DramMemorySpec over_links(std::string const& name, std::int64_t outstanding = 512) {
  return {arch::load_dram(name), arch::DramMemorySpec::Links{outstanding}};
}

/// A memory, and the requests that its transfers are made of, as a probe would send them.
class Cube {
 public:
  explicit Cube(arch::DramMemorySpec spec)
      : spec_{std::move(spec)}, memory_{spec_, {ghz, graph_, histogram_, drams_}} {}

  Time transfer(Time at, Memory::Transfer const& transfer) {
    auto const block = largest_request(spec_.dram).value();
    auto const bursts = block / spec_.dram.organization.burst().value();
    for (auto i = transfer.address.value() / block;
         i * block < (transfer.address + transfer.size).value(); ++i) {
      DramStack::Request const request{requests_.size(), static_cast<std::uint64_t>(i * block),
                                       transfer.access, static_cast<std::uint16_t>(bursts)};
      requests_.push_back({request, at / spec_.dram.clock_period});
    }
    return memory_.transfer(at, transfer);
  }

  [[nodiscard]] MemoryRun probed() const {
    HostRule rule;
    rule.outstanding = static_cast<std::size_t>(spec_.links->outstanding);
    return run_host(spec_.dram, requests_, rule);
  }

  [[nodiscard]] std::int64_t counted(std::string const& name) const {
    for (auto const& statistic : memory_.statistics()) {
      if (statistic.name == name) return statistic.value;
    }
    ADD_FAILURE() << name;
    return -1;
  }

  [[nodiscard]] CubeMemory& memory() { return memory_; }
  [[nodiscard]] Time clocks(std::int64_t count) const { return spec_.dram.clock_period * count; }

 private:
  arch::DramMemorySpec spec_;
  TaskGraph graph_{1};
  BusyHistogram histogram_;
  DramLibrary drams_;
  CubeMemory memory_;
  std::vector<TimedRequest> requests_;
};

class EveryCube : public testing::TestWithParam<std::string> {};

TEST_P(EveryCube, EndsATransferWhenAProbeOfItsBlocksEnds) {
  for (std::int64_t const outstanding : {1, 7, 512}) {
    for (auto const access : {Access::read, Access::write}) {
      SCOPED_TRACE(outstanding);
      Cube cube{over_links(GetParam(), outstanding)};
      auto const end = cube.transfer(Time{0}, {access, Bytes{300}, Bytes{100'000}});
      EXPECT_EQ(end, cube.probed().finished);
    }
  }
}

TEST_P(EveryCube, DoesInManyTransfersWhatAProbeOfAllTheirBlocksDoes) {
  std::mt19937_64 random{3};
  Cube cube{over_links(GetParam())};
  std::int64_t clock = 0;
  Time end{0};
  for (int i = 0; i < 200; ++i) {
    clock += static_cast<std::int64_t>(random() % 3 == 0 ? random() % 5'000 : random() % 50);
    auto const access = random() % 2 == 0 ? Access::read : Access::write;
    Bytes const from{static_cast<std::int64_t>(random() % (1 << 28))};
    Bytes const size{static_cast<std::int64_t>(1 + random() % 40'000)};
    end = std::max(end, cube.transfer(cube.clocks(clock), {access, from, size}));
  }
  auto const probed = cube.probed();
  EXPECT_EQ(end, probed.finished);
  cube.memory().close(end);
  EXPECT_EQ(cube.counted("activates"), probed.dram.activates);
  EXPECT_EQ(cube.counted("bursts_read"), probed.dram.reads);
  EXPECT_EQ(cube.counted("bursts_written"), probed.dram.writes);
  EXPECT_EQ(cube.counted("link_flits"), probed.link_flits);
}

INSTANTIATE_TEST_SUITE_P(CubeMemory, EveryCube, testing::Values("hmc-1.0", "hmc-2.0", "hmc-2.1"));

TEST(CubeMemory, IsSlowerOverLinksThanFromTheLogicLayerWhichTheyBound) {
  auto const spec = over_links("hmc-2.1");
  Cube cube{spec};
  Bytes const size{1 << 20};
  auto const over = cube.transfer(Time{0}, {Access::read, Bytes{0}, size});
  TaskGraph const graph{1};
  BusyHistogram histogram;
  DramLibrary drams;
  DramMemory local{spec.dram, {ghz, graph, histogram, drams}};
  EXPECT_GT(over, local.transfer(Time{0}, {Access::read, Bytes{0}, size}));
  // A block of 256 bytes takes 17 FLITs of 16 bytes.
  auto const one_way = Bandwidth{spec.dram.hmc->peak_bandwidth().value() / 2};
  EXPECT_GE(over, Bytes{size.value() / 16 * 17} / one_way);
}

TEST(CubeMemory, CountsRefreshesUpToTheEndOfTheRun) {
  auto const spec = over_links("hmc-2.1");
  Cube cube{spec};
  static_cast<void>(cube.transfer(Time{0}, {Access::read, Bytes{0}, Bytes{256}}));
  cube.memory().close(cube.clocks(10 * spec.dram.timing.tREFI));
  EXPECT_NEAR(static_cast<double>(cube.counted("refreshes")),
              10.0 * static_cast<double>(spec.dram.organization.channels),
              static_cast<double>(spec.dram.organization.channels));
}

}  // namespace
}  // namespace tessera::sim
