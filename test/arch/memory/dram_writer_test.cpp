// A memory that was written and read again is the same.
#include "arch/memory/dram_writer.hpp"

#include <gtest/gtest.h>

namespace tessera::arch {

namespace {

TEST(DramWriter, WritesEveryBuiltInMemorySoThatItReadsBack) {
  ASSERT_FALSE(builtin_memories().empty());
  for (auto const& entry : builtin_memories()) {
    auto const text = write_config(to_config(load_dram(entry.name)));
    auto const again = dram_from(read_config_text(text, entry.name));
    EXPECT_EQ(write_config(to_config(again)), text);
    EXPECT_EQ(again.organization.capacity(), load_dram(entry.name).organization.capacity());
  }
}

/// As text: what the preset says and what is derived from it, key by key.
TEST(DramWriter, WritesWhatTheFileSays) {
  auto const node = to_config(load_dram(
      "hmc-2.1", {"policy.page=timeout", "policy.page_timeout=7", "policy.refresh=per-bank",
                  "timing.tRFCpb=100", "timing.tRCDWR=16", "timing.tACT=2"}));
  auto map = node.as_map();
  EXPECT_EQ(map.required<Time>("clock_period"), Time{800});
  auto timing = map.node("timing").as_map();
  EXPECT_EQ(timing.required<std::int64_t>("tRCDWR"), 16);
  EXPECT_EQ(timing.required<std::int64_t>("tACT"), 2);
  EXPECT_EQ(timing.required<std::int64_t>("tFAW"), 17);
  auto policy = map.node("policy").as_map();
  EXPECT_EQ(policy.required<std::string>("page"), "timeout");
  EXPECT_EQ(policy.required<std::int64_t>("page_timeout"), 7);
  EXPECT_EQ(policy.required<std::string>("refresh"), "per-bank");
  EXPECT_EQ(policy.required<std::int64_t>("refresh_stagger"), 9600 / 16);
  EXPECT_EQ(map.node("hmc").as_map().required<Bandwidth>("lane_rate"), Bandwidth{30'000'000'000});
}

}  // namespace

}  // namespace tessera::arch
