// Transfers through the memory of an accelerator: what they ask it for is what they move, and where there are none nothing changes.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/symmetry.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "test/support/forked.hpp"
#include "traces/sink.hpp"
#include "workloads/load.hpp"

namespace tessera {
namespace {

using Counts = std::map<std::string, std::int64_t>;

std::string const through_memory = "accelerator.transfers={path: through-memory, block: 4 KiB}";
std::string const beside_memory = "accelerator.transfers={path: beside-memory}";

/// Sums over all resources by counter ("bytes_read"), the step's time and its fingerprint.
Counts simulated(std::string const& count, std::string const& path, std::string const& memory) {
  auto const text = test::forked([&] {
    auto const network = workloads::load("hypar/lenet-c", {"batch=16"});
    auto const array = arch::load(
        "hmc-htree-16", {"accelerators=" + count, path, "accelerator.memory.dram=" + memory,
                         "fabric.link.bandwidth=64 Gb/s", "execution.overlap=communication",
                         "execution.kernels=free"});
    auto const plan = partition::make_planner("dp")->solve({network, array});
    auto const folding = partition::symmetry({network, array}, plan);
    traces::NullSink sink;
    auto const summary = sim::run(array, sim::lower(network, array, plan, folding), sink).summary;
    std::ostringstream out;
    out << "time " << summary.time.value() << "\nfingerprint "
        << static_cast<std::int64_t>(summary.fingerprint >> 1) << '\n';
    for (auto const& counter : summary.counters) {
      out << counter.name << ' ' << counter.value << '\n';
    }
    for (auto const& entry : summary.energy) out << entry.event << ' ' << entry.count << '\n';
    return out.str();
  });
  Counts counts;
  std::istringstream in{text};
  std::string name;
  for (std::int64_t value = 0; in >> name >> value;) counts[name] += value;
  return counts;
}

TEST(TransfersThroughMemory, ReadWhatIsSentAndSummandsAndWriteWhatArrives) {
  for (auto const* const memory : {"hmc-2.1", "tpu-v3"}) {
    auto beside = simulated("8", beside_memory, memory);
    auto through = simulated("8", through_memory, memory);
    EXPECT_GT(beside["bytes_sent"], 0);
    EXPECT_EQ(through["bytes_sent"], beside["bytes_sent"]);
    EXPECT_EQ(through["bytes_written"], beside["bytes_written"] + beside["bytes_received"]);
    EXPECT_EQ(through["bytes_read"],
              beside["bytes_read"] + beside["bytes_sent"] + 4 * beside["words_reduced"]);
    EXPECT_GT(beside["exchange_access"], 0);
    EXPECT_EQ(through["exchange_access"], 0);  // counted as commands of the memory
    EXPECT_GT(through["time"], beside["time"]);
  }
}

TEST(TransfersThroughMemory, ChangeNothingWhereThereAreNone) {
  for (auto const* const memory : {"hmc-2.1", "tpu-v3"}) {
    EXPECT_EQ(simulated("1", through_memory, memory), simulated("1", beside_memory, memory));
  }
}

}  // namespace
}  // namespace tessera
