// Runs of blocks through the general channel: against the closed form where both apply, and against the clocked twin where requests
// overtake each other.
#include "sim/model/memory/dram/dram_feed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/model/memory/dram/dram_stream.hpp"
#include "test/support/memory/run_result.hpp"

namespace tessera::test {

namespace {

using sim::Access;
using sim::DramFeed;
using sim::DramStream;
using sim::DramWalk;

struct Run {
  std::int64_t cycle = 0;
  Access access = Access::read;
  std::uint64_t first = 0, count = 1;
};

std::vector<Run> random_runs(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<Run> runs(count);
  std::int64_t cycle = 0;
  for (auto& run : runs) {
    cycle += static_cast<std::int64_t>(random() % 3 == 0 ? random() % 1500 : random() % 60);
    run = {cycle, random() % 2 == 0 ? Access::read : Access::write, random() % 4096,
           1 + random() % 50};
  }
  return runs;
}

class Walks {
 public:
  explicit Walks(arch::DramSpec const& spec)
      : reads_{spec, Access::read, bursts(spec)}, writes_{spec, Access::write, bursts(spec)} {}

  [[nodiscard]] DramWalk const& operator()(Access access) const {
    return access == Access::read ? reads_ : writes_;
  }

 private:
  [[nodiscard]] static std::uint16_t bursts(arch::DramSpec const& spec) {
    return static_cast<std::uint16_t>(spec.block() / spec.organization.burst());
  }
  DramWalk reads_, writes_;
};

/// When the last of the runs is done, by a clocked channel that all of them and nothing else go
/// through.
std::int64_t done_by_clock(arch::DramSpec const& spec, Walks const& walks,
                           std::vector<Run> const& runs, std::size_t last) {
  std::vector<Arrival> arrivals;
  for (std::size_t i = 0; i <= last; ++i) {
    for (std::uint64_t block = 0; block < runs[i].count; ++block) {
      auto request = walks(runs[i].access)(runs[i].first + block);
      request.tag = i;
      arrivals.push_back({runs[i].cycle, request});
    }
  }
  std::int64_t done = 0;
  for (auto const& it : run_clocked(spec, arrivals).completions) {
    if (it.tag == last) done = std::max(done, it.done);
  }
  return done;
}

std::vector<std::string> const overtaking[] = {
    {"policy.scheduler=frfcfs", "policy.starvation_cap=400"},
    {"policy.scheduler=frfcfs", "policy.starvation_cap=400", "policy.page=timeout",
     "policy.page_timeout=60"},
    {"policy.scheduler=frfcfs", "policy.starvation_cap=400", "policy.queues=separate",
     "policy.high_watermark=12", "policy.low_watermark=3", "policy.queue_depth=16"},
    {"policy.scheduler=frfcfs", "policy.starvation_cap=400", "policy.queues=separate",
     "policy.high_watermark=12", "policy.low_watermark=0", "policy.queue_depth=16",
     "policy.bank_queue_depth=4", "policy.refresh=per-bank", "timing.tRFCpb=100"},
};

class FeedOf : public testing::TestWithParam<char const*> {};

TEST_P(FeedOf, RequestsThatOvertakeEachOtherAnswersAsAClockedChannelWithoutLaterRuns) {
  for (std::size_t policy = 0; policy < std::size(overtaking); ++policy) {
    SCOPED_TRACE(policy);
    auto const spec = arch::load_dram(GetParam(), overtaking[policy]);
    Walks const walks{spec};
    auto const runs = random_runs(7, policy + 1);
    DramFeed feed{spec};
    for (std::size_t i = 0; i < runs.size(); ++i) {
      auto const& [cycle, access, first, count] = runs[i];
      auto const done = feed.serve(cycle, walks(access), first, count);
      if (i % 2 != 0) continue;  // the twin starts afresh
      ASSERT_EQ(done, done_by_clock(spec, walks, runs, i)) << i;
    }
  }
}

TEST_P(FeedOf, RequestsInOrderAnswersAsTheClosedForm) {
  for (auto const* const page : {"open", "closed"}) {
    auto const spec = arch::load_dram(
        GetParam(), {"policy.scheduler=fcfs", "policy.queues=shared", "policy.bank_queue_depth=0",
                     std::string{"policy.page="} + page});
    if (!DramStream::serves(spec)) continue;
    Walks const walks{spec};
    DramFeed feed{spec};
    DramStream stream{spec};
    std::int64_t end = 0;
    for (auto const& [cycle, access, first, count] : random_runs(100, 5)) {
      auto const done = feed.serve(cycle, walks(access), first, count);
      ASSERT_EQ(done, stream.serve_stream(cycle, walks(access), first, count).done);
      end = std::max(end, done);
    }
    feed.close(end);
    stream.finish(end);
    EXPECT_TRUE(feed.statistics() == stream.statistics());
  }
}

TEST_P(FeedOf, EqualStatesAnswerEqually) {
  auto const spec = arch::load_dram(GetParam(), overtaking[2]);
  Walks const walks{spec};
  auto const runs = random_runs(20, 3);
  auto const by = spec.timing.tREFI * 7;
  DramFeed feed{spec};
  for (auto const& run : runs) {
    static_cast<void>(feed.serve(run.cycle, walks(run.access), run.first, run.count));
  }
  auto later = feed;
  later.shift(by);
  auto const now = runs.back().cycle;
  sim::StateWriter state, state_later;
  feed.serialize(now, state);
  later.serialize(now + by, state_later);
  EXPECT_EQ(state.words(), state_later.words());
  for (auto const& [cycle, access, first, count] : random_runs(20, 4)) {
    auto const done = feed.serve(now + cycle, walks(access), first, count);
    EXPECT_EQ(later.serve(now + by + cycle, walks(access), first, count), done + by);
  }
}

TEST_P(FeedOf, EveryBurstIsServedOnce) {
  for (auto const& policy : overtaking) {
    auto const spec = arch::load_dram(GetParam(), policy);
    Walks const walks{spec};
    auto const bursts = spec.block() / spec.organization.burst();
    DramFeed feed{spec};
    std::int64_t reads = 0, writes = 0, end = 0;
    for (auto const& [cycle, access, first, count] : random_runs(200, 9)) {
      end = std::max(end, feed.serve(cycle, walks(access), first, count));
      (access == Access::read ? reads : writes) += static_cast<std::int64_t>(count) * bursts;
    }
    feed.close(end);
    EXPECT_EQ(feed.statistics().reads, reads);
    EXPECT_EQ(feed.statistics().writes, writes);
  }
}

INSTANTIATE_TEST_SUITE_P(Presets, FeedOf,
                         testing::Values("hmc-2.1", "hbm2", "peers/dramsim3-hbm2-8gb",
                                         "peers/ramulator2-hbm2-8gb"));

}  // namespace

}  // namespace tessera::test
