// All routers and links in one core against a core each: every task, counter and histogram, under heavy random traffic.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "sim/engine/run.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/shell/random_tasks.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/run_text.hpp"

namespace tessera::sim {
namespace {

std::string outcome(arch::ArraySpec const& array, TaskGraph const& tasks,
                    PhaseMemo::Use fast_forward) {
  test::TextSink sink;
  RunOptions options;
  options.fast_forward = fast_forward;
  auto const summary = engine::run(array, tasks, sink, options).summary;
  return sink.text.str() + test::everything(summary);
}

arch::ArraySpec random_array(std::mt19937& random) {
  auto const kind = random() % 8;
  std::array<char const*, 6> const networks = {"torus:4x2", "torus:2x2x2", "mesh:4x2",
                                               "torus:8",   "tree:2x4",    "dragonfly:2x2x2"};
  auto array = kind < networks.size() ? small_network(networks.at(kind))
               : kind == 6            ? small_array(8)
                                      : small_array(8, arch::FabricSpec::Topology::torus);
  array.fabric.clock = Frequency{random() % 2 == 0 ? 1'000'000'000 : 940'000'000};
  array.fabric.hop_latency = Cycles{static_cast<std::int64_t>(random() % 3)};
  array.fabric.latency = Time{static_cast<std::int64_t>(random() % 3 * 700)};
  auto& accelerator = array.groups.front().accelerator;
  accelerator.clock = Frequency{random() % 2 == 0 ? 1'000'000'000 : 700'000'000};
  accelerator.dispatch_latency = Cycles{static_cast<std::int64_t>(random() % 2)};
  if (random() % 3 == 0) accelerator.transfer_block = Bytes{128};
  return array;
}

TEST(MessagesInOneCore, TakeTheTimesThatRoutersAndLinksTakeByThemselves) {
  for (std::uint32_t seed = 1; seed <= test::cases(200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    auto const array = random_array(random);
    auto const tasks = random_tasks(seed, static_cast<std::size_t>(array.accelerators), 300);
    auto const by_themselves = outcome(array, tasks, PhaseMemo::Use::off);
    EXPECT_EQ(outcome(array, tasks, PhaseMemo::Use::on), by_themselves);
  }
}

}  // namespace
}  // namespace tessera::sim
