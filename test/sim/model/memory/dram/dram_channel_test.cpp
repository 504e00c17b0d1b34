// The channel, event-driven and in closed form, against its clocked twin and against the checker of commands.
#include "sim/model/memory/dram/dram_channel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/model/memory/dram/dram_stream.hpp"
#include "test/support/memory/command_checker.hpp"
#include "test/support/memory/run_length.hpp"
#include "test/support/memory/run_result.hpp"

namespace tessera::test {

namespace {

using Overrides = std::vector<std::string>;

Overrides const policies[] = {
    {"policy.page=open", "policy.scheduler=fcfs", "policy.queues=shared"},
    {"policy.page=closed", "policy.scheduler=fcfs", "policy.queues=shared"},
    {"policy.page=timeout", "policy.page_timeout=60", "policy.scheduler=fcfs",
     "policy.queues=shared"},
    {"policy.page=open", "policy.scheduler=frfcfs", "policy.starvation_cap=200",
     "policy.queues=shared"},
    {"policy.page=closed", "policy.scheduler=frfcfs", "policy.starvation_cap=200",
     "policy.queues=shared"},
    {"policy.page=timeout", "policy.page_timeout=25", "policy.scheduler=frfcfs",
     "policy.starvation_cap=60", "policy.queues=shared"},
    {"policy.page=open", "policy.scheduler=frfcfs", "policy.starvation_cap=100",
     "policy.queues=separate", "policy.high_watermark=12", "policy.low_watermark=4",
     "policy.queue_depth=16"},
    {"policy.page=closed", "policy.scheduler=frfcfs", "policy.starvation_cap=100",
     "policy.queues=separate", "policy.high_watermark=3", "policy.low_watermark=1",
     "policy.queue_depth=4"},
    {"policy.page=timeout", "policy.page_timeout=40", "policy.scheduler=frfcfs",
     "policy.starvation_cap=1000000", "policy.queues=separate", "policy.high_watermark=8",
     "policy.low_watermark=0", "policy.queue_depth=8"},
};

Overrides const variants[] = {
    {},
    {"policy.refresh=none"},
    {"policy.refresh=per-bank", "timing.tRFCpb=100"},
    {"policy.command_bus=shared", "policy.bank_queue_depth=2", "policy.queue_depth=12"},
    {"policy.command_bus=split", "policy.queue_depth=5", "policy.high_watermark=3",
     "policy.low_watermark=1"},
};

TrafficShape const shapes[] = {
    {},
    {1, 2, 0, 80, 30, 4},
    {2, 16, 0, 0, 50, 1},
    {20, 3, 60, 20, 10, 2},
    {0, 8, 0, 95, 5, 3},
    {120, 4, 30, 50, 40, 2},
    {40, 4, 10, 50, 40, 30},
};

void expect_equal(RunResult const& fast, RunResult const& clocked) {
  ASSERT_EQ(fast.commands.size(), clocked.commands.size());
  for (std::size_t i = 0; i < fast.commands.size(); ++i) {
    ASSERT_TRUE(fast.commands[i] == clocked.commands[i])
        << "command " << i << ": cycle " << fast.commands[i].cycle << " kind "
        << static_cast<int>(fast.commands[i].kind) << " bank " << fast.commands[i].bank
        << "; clocked: cycle " << clocked.commands[i].cycle << " kind "
        << static_cast<int>(clocked.commands[i].kind) << " bank " << clocked.commands[i].bank;
  }
  ASSERT_EQ(fast.completions.size(), clocked.completions.size());
  for (std::size_t i = 0; i < fast.completions.size(); ++i) {
    ASSERT_EQ(fast.completions[i].tag, clocked.completions[i].tag);
    ASSERT_EQ(fast.completions[i].issued, clocked.completions[i].issued);
    ASSERT_EQ(fast.completions[i].done, clocked.completions[i].done);
  }
  ASSERT_EQ(fast.active_clocks, clocked.active_clocks);
}

/// The closed form tells commands request by request, and only those up to the last request.
void expect_equal_stream(RunResult stream, RunResult clocked) {
  auto const last = clocked.completions.back().issued;
  auto const is_late = [&](sim::DramCommand const& it) { return it.cycle > last; };
  for (auto* const commands : {&stream.commands, &clocked.commands}) {
    commands->erase(std::remove_if(commands->begin(), commands->end(), is_late), commands->end());
    std::sort(commands->begin(), commands->end(),
              [](auto const& a, auto const& b) { return a.key() < b.key(); });
  }
  expect_equal(stream, clocked);
}

/// Other ranks and timing than any real memory has, but legal ones.
arch::DramSpec perturbed(arch::DramSpec spec, std::uint64_t seed) {
  std::mt19937_64 generator{seed};
  auto const between = [&](std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(most - least + 1));
  };
  auto& t = spec.timing;
  if (seed % 3 == 0) spec.organization.pseudo_channels = between(1, 2);
  if (seed % 3 == 0) spec.organization.ranks = between(1, 2);
  for (auto* const value :
       {&t.tRCD, &t.tRCDWR, &t.tCL, &t.tCWL, &t.tRP, &t.tRAS, &t.tWR, &t.tRTP}) {
    *value = between(1, *value + 3);
  }
  if (spec.policy.refresh != arch::DramPolicy::Refresh::none) {
    spec.policy.refresh_stagger = t.tRP + between(2, 9);
  }
  t.tRC = t.tRAS + t.tRP + between(0, 5);
  t.tCCD_S = between(1, 5);
  t.tCCD_L = t.tCCD_S + between(0, 3);
  t.tRRD_S = between(1, 6);
  t.tRRD_L = t.tRRD_S + between(0, 3);
  t.tWTR_S = between(0, 5);
  t.tWTR_L = t.tWTR_S + between(0, 5);
  t.tFAW = between(0, 40);
  t.tRTRS = between(0, 4);
  t.tACT = between(1, std::min<std::int64_t>(3, t.tRP));
  return spec;
}

class EveryMemory : public testing::TestWithParam<std::string> {
 protected:
  static void compare(arch::DramSpec const& spec, std::size_t requests, std::uint64_t seed) {
    auto const& shape = shapes[seed % std::size(shapes)];
    auto const traffic = random_traffic(spec, shape, requests, seed);
    auto const fast = run_channel(spec, traffic);
    auto const clocked = run_clocked(spec, traffic);
    ASSERT_EQ(fast.completions.size(), traffic.size());
    ASSERT_NO_FATAL_FAILURE(expect_equal(fast, clocked));
    ASSERT_EQ(violations(spec, fast.commands), std::vector<std::string>{});
    if (!sim::DramStream::serves(spec)) return;
    ASSERT_NO_FATAL_FAILURE(expect_equal_stream(run_stream(spec, traffic), clocked));
  }
};

TEST_P(EveryMemory, DoesTheSameAsItsClockedTwinAndViolatesNoConstraint) {
  std::uint64_t seed = 1;
  for (auto const& policy : policies) {
    for (auto const& variant : variants) {
      auto overrides = policy;
      overrides.insert(overrides.end(), variant.begin(), variant.end());
      auto const spec = arch::load_dram(GetParam(), overrides);
      for (auto const& it : {spec, perturbed(spec, seed)}) {
        SCOPED_TRACE(testing::PrintToString(overrides) + " seed " + std::to_string(seed));
        ASSERT_NO_FATAL_FAILURE(compare(it, 100 * run_length, seed++));
      }
    }
  }
}

std::vector<std::string> channel_memories() {
  std::vector<std::string> names;
  for (auto const& memory : arch::builtin_memories()) names.push_back(memory.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Presets, EveryMemory, testing::ValuesIn(channel_memories()),
                         [](auto const& it) {
                           auto name = it.param;
                           for (auto& c : name)
                             c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return name;
                         });

}  // namespace

}  // namespace tessera::test
