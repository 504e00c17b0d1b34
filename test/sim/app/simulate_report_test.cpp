// What a report says of memories and links.
#include "sim/app/simulate_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/load.hpp"
#include "sim/app/measurement.hpp"

namespace tessera::sim {
namespace {

using testing::HasSubstr;
using testing::Not;

/// VGG-A's step on a cube of 8.590 GB: 299.8 MB must be held at once, 15.76 GB have addresses.
Point with_two_accounts() {
  Point point;
  point.details.memory = {3, 299'800'000, 66'500'000, 66'500'000, 166'800'000, 8'590'000'000};
  point.details.addresses = {15'761'000'000, 7'171'000'000};
  return point;
}

// The symptom: "holds 299.8 MB of 8.590 GB" beside "take 15.76 GB", and nothing said what either is.
TEST(Report, SaysWhatEachOfItsTwoAccountsOfMemoryMeans) {
  auto const report = simulate_report(with_two_accounts(), ShownLayers::longest);
  EXPECT_THAT(report,
              HasSubstr("memory: accelerator 3 holds 299.8 MB of 8.590 GB (weights 66.50 MB, "
                        "gradients 66.50 MB, activations kept 166.8 MB)\naddresses: "));
  EXPECT_THAT(report,
              HasSubstr("addresses: the simulated memory gives every tensor of the step room "
                        "of its own and reuses none, 15.76 GB; the 7.171 GB beyond its end "
                        "share addresses with what lies at its beginning (timing only; what "
                        "must be held at once is the line above)\n"));
}

TEST(Report, SaysNothingOfAddressesThatAllFit) {
  auto point = with_two_accounts();
  point.details.addresses->wrapped_bytes = 0;
  EXPECT_THAT(simulate_report(point, ShownLayers::longest), Not(HasSubstr("addresses")));
}

TEST(Report, OfTooSmallAMemorySaysThatThisIsAllowed) {
  EXPECT_THAT(
      memory_line({0, 2000, 1000, 1000, 0, 1500}),
      HasSubstr("holds 2.000 kB of 1.500 kB (weights 1.000 kB, gradients 1.000 kB, "
                "activations kept 0 B): more than there is, which planner.fit=ignore allows"));
}

std::string links_of_array(std::string const& name, std::vector<std::string> const& settings = {}) {
  return links_line(link_bandwidth_of(arch::load(name, settings)));
}

TEST(Report, StatesALinksOwnBandwidthWhateverTheFabric) {
  EXPECT_EQ(links_of_array("tpu-v3-128"), "links: 656.0 Gb/s each way\n");
  EXPECT_EQ(links_of_array("hypar-paper", {"fabric.topology=torus"}),
            "links: 62.50 Mb/s each way\n");
  EXPECT_EQ(links_of_array("hypar-paper"),
            "links: 125.0 Mb/s each way, an accelerator's own; the widest 1.000 Gb/s\n");
  EXPECT_EQ(links_of_array("accpar-paper-128"), "links: 128.0 Gb/s each way\n");
  EXPECT_EQ(links_of_array("accpar-paper-256"),
            "links: 64.00 Gb/s each way, an accelerator's own; the widest 128.0 Gb/s\n");
  EXPECT_EQ(
      links_of_array("hypar-paper", {"fabric={clock: 1 GHz, topology: {kind: mesh, shape: [4, "
                                     "4], link: {bandwidth: 240 Gb/s, latency: 11 ns}}}"}),
      "links: 240.0 Gb/s each way\n");
  EXPECT_EQ(links_of_array("eyeriss"), "");
}

}  // namespace
}  // namespace tessera::sim
