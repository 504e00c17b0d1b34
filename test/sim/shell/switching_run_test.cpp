// Random arrays with every switching, each run in a process of its own: complete, and the same in any order of modules and wake-ups. That
// bytes are conserved at every node and links are busy for what they carry, run() checks in each of them (check_laws).
#include <gtest/gtest.h>

#include "sim/shell/run.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/shell/random_tasks.hpp"
#include "test/support/forked.hpp"
#include "traces/fingerprint.hpp"

namespace tessera::sim {
namespace {

std::string fingerprint_of(arch::ArraySpec const& array, TaskGraph const& tasks,
                           RunOptions const& options) {
  return test::forked([&] {
    MemorySink sink;
    auto const report = run(array, tasks, sink, options);
    return std::string{report.summary.complete ? "" : "stuck "} +
           traces::to_hex(report.summary.fingerprint) + ' ' +
           std::to_string(report.summary.time.value());
  });
}

/// Links of 7 Gb/s, on which neither bytes nor cycles of a flit take whole picoseconds.
void make_links_odd(arch::ArraySpec& array, std::string const& topology) {
  auto spec = arch::topology_from(topology, {Bandwidth{7'000'000'000}, Time{5'001}});
  if (spec.kind != arch::TopologySpec::Kind::dragonfly) spec.port.reset();
  array.fabric.graph = std::make_shared<arch::Interconnect const>(spec);
}

/// Of eight accelerators.
arch::ArraySpec random_array(std::mt19937& random) {
  std::vector<std::string> const topologies = {"mesh:4x2", "torus:4x2",      "ring:8",
                                               "tree:2x4", "fat-tree:2x3",   "star:8",
                                               "full:8",   "dragonfly:2x2x2"};
  auto const& topology = topologies[random() % topologies.size()];
  Bytes const header{static_cast<std::int64_t>(random() % 3 * 8)};
  auto array =
      random() % 2 == 0 ? small_packets(topology, header) : small_wormhole(topology, header);
  if (random() % 2 == 0) make_links_odd(array, topology);
  auto& packets = *array.fabric.packets;
  if (packets.switching != arch::Switching::wormhole && random() % 3 == 0) {
    packets.switching = arch::Switching::store_and_forward;
  }
  packets.packet = Bytes{static_cast<std::int64_t>(16 + random() % 200)};
  packets.flit = Bytes{static_cast<std::int64_t>(1 + random() % 20)};
  auto& router = packets.router;
  router.virtual_channels = array.fabric.graph->classes() + static_cast<std::int64_t>(random() % 3);
  router.buffer_packets = 1 + static_cast<std::int64_t>(random() % 4);
  router.pipeline = Time{static_cast<std::int64_t>(1 + random() % 20'000)};
  if (router.buffer_flits) router.buffer_flits = 1 + static_cast<std::int64_t>(random() % 40);
  if (random() % 2 == 0) router.arbitration = arch::Arbitration::oldest_first;
  if (random() % 6 == 0) {
    packets.model =
        arch::ModelChoice{ConfigNode::scalar("circuit"),
                          ConfigNode::map().add("setup", std::to_string(random() % 3) + " ns")};
  }
  if (random() % 8 == 0) array.fabric.packets.reset();  // whole messages
  array.groups.front().accelerator.clock = Frequency{700'000'000};
  return array;
}

class RandomSwitching : public testing::TestWithParam<unsigned> {};

TEST_P(RandomSwitching, IsTheSameInReverseAndShuffledOrder) {
  for (unsigned seed = 4 * GetParam(); seed < 4 * GetParam() + 4; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random{seed};
    auto const array = random_array(random);
    auto const tasks = random_tasks(seed, 8, 120);
    auto const forward = fingerprint_of(array, tasks, {});
    EXPECT_EQ(forward.find("stuck"), std::string::npos);
    RunOptions reverse;
    reverse.module_order = RunOptions::ModuleOrder::reverse;
    reverse.shuffle_seed = 1 + seed;
    EXPECT_EQ(fingerprint_of(array, tasks, reverse), forward);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSwitching, testing::Range(0U, 15U));

}  // namespace
}  // namespace tessera::sim
