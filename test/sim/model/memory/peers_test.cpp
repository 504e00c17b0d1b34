// Other DRAM simulators, given their own parameters and their traffic: sustained bandwidth within 3 %, mean read latency within 5 %.
//
// The rows are in test/validation/references/memory, the parameters in arch/presets/memory/peers. What differs for a known reason is
// listed with it, and must go on differing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "test/support/memory/closed_loop.hpp"

namespace tessera::test {

namespace {

struct Row {
  std::string config, mode, pattern;
  std::size_t requests = 0;
  double mean_latency = 0, bandwidth = 0;
};

struct Peer {
  char const* file;
  char const* config;  ///< in the file
  char const* preset;
  std::uint64_t bytes;
  std::uint64_t gibibytes;
  std::uint64_t stride;
  std::size_t outstanding;  ///< of w1 and w8
};

Peer const peers[] = {
    {"dramsim3", "HMC_4GB_4Lx16", "peers/dramsim3-hmc-4gb", 64, 4, 65536, SIZE_MAX},
    {"dramsim3", "HBM2_8Gb_x128", "peers/dramsim3-hbm2-8gb", 64, 8, 262144, SIZE_MAX},
    {"ramulator1", "HBM_4Gb_8ch_1Gbps", "peers/ramulator1-hbm-4gb", 64, 4, 262144, SIZE_MAX},
    {"ramulator2", "HBM2_8Gb_8ch_2pc_2000", "peers/ramulator2-hbm2-8gb", 32, 8, 262144, SIZE_MAX},
    {"ramulator_pim", "HMC_4GB_32vault_pim1_64B", "peers/ramulator-pim-hmc-4gb", 64, 4, 65536, 512},
};

enum class Quantity { bandwidth, latency };

struct Difference {
  char const* config;
  char const* mode;
  char const* pattern;
  Quantity quantity;
  char const* reason;
};

// Who is right by the standard stands behind the rule.
constexpr auto posted =
    "it answers a write one clock after accepting it (posted; a matter of definition)";
constexpr auto links =
    "it has links and a crossbar in front of the vaults, arbitrated by an age that it compares "
    "with an index "
    "(hmc.cc, BuildAgeQueue); its peers disagree by 70 % here";
constexpr auto link_queues =
    "its requests wait in link queues as well, which hold more of them (a matter of definition)";
constexpr auto two_stages =
    "at most one transaction per clock moves from its queue to the queues of banks, which take "
    "turns instead of serving the oldest; "
    "what it keeps waiting outside counts as latency (the standard says nothing)";
constexpr auto long_activate =
    "its activates take two clocks of the row command bus (JESD235 is on its side)";

Difference const differences[] = {
    {"HMC_4GB_4Lx16", "w1", "rand", Quantity::bandwidth, links},
    {"HMC_4GB_4Lx16", "w8", "rand", Quantity::bandwidth, links},
    {"HMC_4GB_4Lx16", "w8", "rand", Quantity::latency, links},
    {"HMC_4GB_4Lx16", "chain", "seqrw", Quantity::bandwidth, posted},
    {"HMC_4GB_4Lx16", "chain", "seqrw", Quantity::latency, posted},
    {"HMC_4GB_4Lx16", "w1", "seqrw", Quantity::latency, posted},
    {"HMC_4GB_4Lx16", "w8", "seqrw", Quantity::bandwidth, links},
    {"HMC_4GB_4Lx16", "w8", "seqrw", Quantity::latency, posted},
    {"HMC_4GB_4Lx16", "w1", "conflict", Quantity::latency, link_queues},
    {"HMC_4GB_4Lx16", "w8", "conflict", Quantity::latency, link_queues},
    {"HBM2_8Gb_x128", "w8", "seq", Quantity::latency, two_stages},
    {"HBM2_8Gb_x128", "w1", "rand", Quantity::latency, two_stages},
    {"HBM2_8Gb_x128", "w8", "rand", Quantity::latency, two_stages},
    {"HBM2_8Gb_x128", "chain", "seqrw", Quantity::bandwidth, posted},
    {"HBM2_8Gb_x128", "chain", "seqrw", Quantity::latency, posted},
    {"HBM2_8Gb_x128", "w1", "seqrw", Quantity::latency, posted},
    {"HBM2_8Gb_x128", "w8", "seqrw", Quantity::latency, posted},
    {"HBM2_8Gb_8ch_2pc_2000", "w8", "rand", Quantity::bandwidth, long_activate},
    {"HBM2_8Gb_8ch_2pc_2000", "w8", "rand", Quantity::latency, long_activate},
};

std::vector<Row> rows_of(Peer const& peer) {
  auto const here = std::filesystem::path{__FILE__}.parent_path();
  auto const folder = here / "../../../validation/references/memory";
  std::ifstream file{folder / (std::string{peer.file} + ".csv")};
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(peer.config, 0) != 0) continue;
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields{line};
    Row row;
    double cycles = 0;
    double least = 0;
    fields >> row.config >> row.mode >> row.pattern >> row.requests >> cycles >> least >>
        row.mean_latency >> row.bandwidth;
    EXPECT_FALSE(fields.fail()) << line;
    rows.push_back(row);
  }
  return rows;
}

char const* known_difference(Row const& row, Quantity quantity) {
  for (auto const& it : differences) {
    if (row.config == it.config && row.mode == it.mode && row.pattern == it.pattern &&
        quantity == it.quantity) {
      return it.reason;
    }
  }
  return nullptr;
}

void compare(Row const& row, Quantity quantity, double ours, double theirs, double tolerance) {
  auto const error = ours / theirs - 1;
  SCOPED_TRACE(row.config + " " + row.mode + " " + row.pattern + ": ours " + std::to_string(ours) +
               ", theirs " + std::to_string(theirs));
  if (auto const* const reason = known_difference(row, quantity)) {
    EXPECT_GT(std::abs(error), tolerance) << "differs no longer: " << reason;
  } else {
    EXPECT_LE(std::abs(error), tolerance);
  }
}

class EveryPeer : public testing::TestWithParam<Peer> {};

TEST_P(EveryPeer, AgreesOnBandwidthAndLatency) {
  auto const& peer = GetParam();
  auto const spec = arch::load_dram(peer.preset);
  auto const rows = rows_of(peer);
  ASSERT_FALSE(rows.empty());
  for (auto const& row : rows) {
    LoopRule rule{row.mode == "w8" ? 8 : 1, row.mode == "chain" ? 1 : peer.outstanding};
    Traffic const traffic{row.pattern, row.requests, peer.bytes, peer.gibibytes << 30U,
                          peer.stride};
    auto const result = closed_loop(spec, traffic, rule);
    compare(row, Quantity::bandwidth, result.gigabytes_per_second, row.bandwidth, 0.03);
    compare(row, Quantity::latency, result.mean_latency, row.mean_latency, 0.05);
  }
}

INSTANTIATE_TEST_SUITE_P(Peers, EveryPeer, testing::ValuesIn(peers), [](auto const& it) {
  std::string name = it.param.preset;
  for (auto& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace

}  // namespace tessera::test
