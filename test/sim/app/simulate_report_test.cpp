// What a report says of memories and links.
#include "sim/app/simulate_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "sim/study/measurement.hpp"

namespace tessera::sim {
namespace {

using testing::HasSubstr;
using testing::Not;

/// 400 MB must be there at once, and take addresses up to 412 MB.
Point with_addresses(std::int64_t wrapped_bytes) {
  Point point;
  point.details.memory = {3,           400'000'000, 66'500'000,   66'500'000,
                          166'800'000, 100'200'000, 8'590'000'000};
  point.details.addresses = {412'000'000, wrapped_bytes};
  return point;
}

// The symptom: "holds 299.8 MB of 8.590 GB" beside "take 15.76 GB", and nothing said what either is.
TEST(Report, SaysWhatAddressesAddToWhatIsNeeded) {
  auto const report = simulate_report(with_addresses(0), ShownLayers::longest);
  EXPECT_THAT(report, HasSubstr("memory: accelerator 3 needs 400.0 MB of 8.590 GB (weights 66.50 "
                                "MB, gradients 66.50 MB, activations kept 166.8 MB, working 100.2 "
                                "MB)\naddresses: 412.0 MB, 3.0 % more, as tensors begin at "
                                "stripes of the memory and leave gaps\n"));
  EXPECT_THAT(report, Not(HasSubstr("beyond the memory's end")));
}

TEST(Report, SaysWhichAddressesAreBeyondTheMemorysEnd) {
  EXPECT_THAT(simulate_report(with_addresses(12'000'000), ShownLayers::longest),
              HasSubstr("; 12.00 MB of it beyond the memory's end\n"));
}

TEST(Report, OfTooSmallAMemorySaysThatThisIsAllowed) {
  EXPECT_THAT(memory_line({0, 2000, 1000, 1000, 0, 0, 1500}),
              HasSubstr("needs 2.000 kB of 1.500 kB (weights 1.000 kB, gradients 1.000 kB, "
                        "activations kept 0 B, working 0 B): more than there is, which "
                        "planner.fit=ignore allows"));
}

TEST(Report, SaysThatItDoesNotKnowWhatFasterResourcesBring) {
  Point point;
  EXPECT_THAT(simulate_report(point, ShownLayers::longest), Not(HasSubstr("if faster")));
  point.details.what_if.emplace();
  EXPECT_THAT(simulate_report(point, ShownLayers::longest), HasSubstr("if faster: not known; "));
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
