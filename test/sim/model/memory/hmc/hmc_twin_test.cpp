// Cubes, event-driven, against their clocked twin: random traffic over links, locally and along chains.
#include <gtest/gtest.h>

#include <random>

#include "sim/model/memory/hmc/hmc_host.hpp"
#include "test/support/memory/clocked_host.hpp"

namespace tessera::test {

namespace {

using Side = sim::HmcCube::Side;

/// Blocks of 32 to 128 bytes all over the cube, or within a few rows.
std::vector<sim::TimedRequest> random_requests(arch::DramSpec const& spec, std::size_t count,
                                               std::uint64_t seed) {
  std::mt19937_64 generator{seed};
  auto const below = [&](std::uint64_t bound) { return generator() % bound; };
  auto const capacity = static_cast<std::uint64_t>(spec.organization.capacity().value());
  auto const span = seed % 2 == 0 ? capacity : std::uint64_t{1} << 14U;
  auto const gap = below(3);
  std::vector<sim::TimedRequest> all(count);
  std::int64_t cycle = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto const bursts = std::uint16_t{1} << below(3);
    cycle += static_cast<std::int64_t>(below(2 * gap + 1));
    all[i].cycle = cycle;
    all[i].request = {i, below(span) & ~std::uint64_t{127},
                      below(3) == 0 ? sim::Access::write : sim::Access::read,
                      static_cast<std::uint16_t>(bursts)};
  }
  return all;
}

struct Setting {
  std::string memory;
  std::vector<std::string> overrides;
  sim::HostRule rule;
};

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (auto const& it : arch::builtin_memories()) {
    if (!arch::load_dram(it.name).hmc) continue;
    auto const even = "hmc.lane_rate=10 Gb/s";  // 0.8 ns a FLIT
    for (std::size_t const outstanding : {1U, 8U, 300U}) {
      all.push_back({it.name, {even}, {Side::upstream, outstanding, 1}});
      all.push_back({it.name, {even}, {Side::local, outstanding, 1}});
      all.push_back({it.name, {even, "hmc.tokens=17"}, {Side::upstream, outstanding, 1}});
      all.push_back({it.name,
                     {even, "policy.queue_depth=2", "timing.tREFI=1280"},
                     {Side::upstream, outstanding, 2}});
      all.push_back({it.name,
                     {even, "policy.queue_depth=3", "policy.refresh=none", "hmc.crossbar_flits=1"},
                     {Side::local, outstanding, 1}});
    }
    // Few requests and one place each: nothing else wakes the cube when a place becomes free.
    for (std::size_t const outstanding : {2U, 3U, 5U, 8U}) {
      for (auto const crossbar : {"hmc.crossbar_flits=1", "hmc.crossbar_flits=2"}) {
        all.push_back(
            {it.name, {even, "policy.queue_depth=1", crossbar}, {Side::upstream, outstanding, 1}});
      }
    }
    // Quicker than a clock of the vaults: what a cube sends can be there before its next edge.
    for (std::size_t const cubes : {1U, 2U}) {
      all.push_back({it.name,
                     {"hmc.lane_rate=100 Gb/s", "hmc.crossbar_clock=5 GHz", "hmc.crossbar_cycles=0",
                      "hmc.tokens=17", "hmc.link_latency=0 ns"},
                     {Side::upstream, 300, cubes}});
    }
    all.push_back({it.name, {}, {Side::upstream, 300, 1}});
    all.push_back({it.name, {"hmc.crossbar_clock=1.1 GHz"}, {Side::upstream, 60, 3}});
  }
  return all;
}

void expect_equal(sim::MemoryRun const& run, std::vector<sim::TimedRequest> const& requests,
                  HostResult const& clocked) {
  std::size_t reads = 0, writes = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    bool const is_read = requests[i].request.access == sim::Access::read;
    auto const latency = is_read ? run.read_latency[reads++] : run.write_latency[writes++];
    ASSERT_EQ(latency.value(), clocked.latency[i]) << "request " << i;
  }
  EXPECT_EQ(run.finished.value(), clocked.finished);
  EXPECT_EQ(run.link_flits, clocked.link_flits);
}

TEST(HmcCube, DoesTheSameAsItsClockedTwinForRandomTraffic) {
  std::uint64_t seed = 1;
  for (auto const& [memory, overrides, rule] : settings()) {
    SCOPED_TRACE(memory + " " + testing::PrintToString(overrides) + " outstanding " +
                 std::to_string(rule.outstanding) + " seed " + std::to_string(seed));
    auto const spec = arch::load_dram(memory, overrides);
    auto const requests = random_requests(spec, rule.outstanding == 1 ? 20 : 400, seed++);
    std::vector<std::vector<sim::DramCommand>> commands(
        static_cast<std::size_t>(spec.organization.channels));
    auto const run = run_host(spec, requests, rule, [&](std::size_t vault, auto const& command) {
      commands[vault].push_back(command);
    });
    auto const clocked = run_clocked_host(spec, requests, rule);
    ASSERT_NO_FATAL_FAILURE(expect_equal(run, requests, clocked));
    ASSERT_EQ(commands == clocked.commands, true);
  }
}

}  // namespace

}  // namespace tessera::test
