// What fast-forward asks of a channel: moved in time it does the same later, and equal states say so.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/model/memory/dram/dram_channel.hpp"
#include "sim/model/memory/dram/dram_stream.hpp"
#include "test/support/memory/traffic.hpp"

namespace tessera::test {

namespace {

using sim::DramChannel;
using sim::DramCompletion;
using sim::DramStream;
using sim::StateWriter;

template <typename Model>
std::vector<std::int64_t> state_of(Model const& model, std::int64_t now) {
  StateWriter writer;
  model.serialize(now, writer);
  return writer.words();
}

/// Offers requests, `by` clocks later than they say; answers the last arrival.
std::int64_t feed(DramChannel& channel, std::vector<Arrival> const& arrivals, std::int64_t cycle,
                  std::int64_t by, std::vector<DramCompletion>& out) {
  for (auto const& [at, request] : arrivals) {
    cycle = std::max(cycle, at + by);
    channel.advance(cycle - 1, out);
    while (!channel.has_room(request.access)) {
      cycle = *channel.next_wakeup() + 1;
      channel.advance(cycle - 1, out);
    }
    channel.push(cycle, request);
  }
  return cycle;
}

void expect_later(std::vector<DramCompletion> const& first,
                  std::vector<DramCompletion> const& later, std::int64_t by) {
  ASSERT_EQ(first.size(), later.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].tag, later[i].tag);
    EXPECT_EQ(first[i].issued + by, later[i].issued);
    EXPECT_EQ(first[i].done + by, later[i].done);
  }
}

class Shifted : public testing::TestWithParam<char const*> {};

TEST_P(Shifted, ChannelDoesTheSameLater) {
  for (auto const* const scheduler : {"fcfs", "frfcfs"}) {
    auto const spec = arch::load_dram(
        GetParam(), {std::string{"policy.scheduler="} + scheduler, "policy.starvation_cap=300"});
    auto const before = random_traffic(spec, {6, 4, 0, 40, 30, 2}, 3000, 11);
    auto after = random_traffic(spec, {6, 4, 0, 40, 30, 2}, 3000, 12);
    DramChannel channel{spec};
    std::vector<DramCompletion> out;
    auto const now = feed(channel, before, 0, 0, out);
    for (auto& it : after) it.cycle += now;
    auto moved = channel;
    auto const by = 7 * channel.refresh_period();
    moved.shift(by);
    EXPECT_EQ(state_of(moved, now + by), state_of(channel, now));
    std::vector<DramCompletion> first;
    std::vector<DramCompletion> later;
    static_cast<void>(feed(channel, after, now, 0, first));
    static_cast<void>(feed(moved, after, now + by, by, later));
    expect_later(first, later, by);
    EXPECT_TRUE(channel.statistics() == moved.statistics());
  }
}

TEST_P(Shifted, StreamDoesTheSameLater) {
  auto const spec = arch::load_dram(GetParam());
  auto const before = random_traffic(spec, {6, 4, 0, 40, 30, 2}, 3000, 11);
  auto const after = random_traffic(spec, {6, 4, 0, 40, 30, 2}, 3000, 12);
  DramStream stream{spec};
  std::int64_t now = 0;
  for (auto const& [at, request] : before) now = std::max(now, stream.serve(at, request).issued);
  stream.finish(now);
  auto moved = stream;
  auto const by = 7 * spec.timing.tREFI;
  moved.shift(by);
  EXPECT_EQ(state_of(moved, now + by), state_of(stream, now));
  std::vector<DramCompletion> first;
  std::vector<DramCompletion> later;
  for (auto const& [at, request] : after) {
    first.push_back(stream.serve(now + at, request));
    later.push_back(moved.serve(now + by + at, request));
  }
  expect_later(first, later, by);
  EXPECT_TRUE(stream.statistics() == moved.statistics());
}

TEST_P(Shifted, EqualStatesMeanEqualFutures) {
  // A periodic stream: one block per 64 clocks. States at refreshes repeat, and so does what follows.
  auto const spec = arch::load_dram(GetParam());
  auto const period = spec.timing.tREFI;
  DramStream stream{spec};
  std::vector<std::vector<std::int64_t>> states;
  for (std::int64_t cycle = 0; cycle < 6 * period; cycle += 64) {
    if (cycle % period == 0) states.push_back(state_of(stream, cycle));
    static_cast<void>(stream.serve(cycle, {0, sim::Access::read, 0, 1, 5}));
  }
  ASSERT_EQ(period % 64, 0);
  ASSERT_EQ(states.size(), 6U);
  EXPECT_EQ(states[2], states[3]);
  EXPECT_EQ(states[3], states[5]);
}

INSTANTIATE_TEST_SUITE_P(Presets, Shifted, testing::Values("hmc-2.1", "hbm2e", "tpu-v3"));

}  // namespace

}  // namespace tessera::test
