// Walks whose turns are repeated against a channel that works out block by block: completions, counts and what is left behind.
#include "sim/model/memory/dram/dram_repeater.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/support/draw.hpp"

namespace tessera::sim {
namespace {

using test::Draw;

std::string one_of(Draw& draw, std::vector<std::string> const& all) {
  return all.at(static_cast<std::size_t>(draw(0, static_cast<std::int64_t>(all.size()) - 1)));
}

/// Refreshes from none to so often that a turn does not fit between two of them.
arch::DramSpec random_memory(Draw& draw) {
  auto const name = one_of(draw, {"tpu-v3", "tpu-v3", "tpu-v2", "hbm1", "hbm2", "hbm2e"});
  return arch::load_dram(
      name, {"policy.page=" + one_of(draw, {"open", "open", "open", "closed"}),
             "policy.refresh=" + one_of(draw, {"all-bank", "all-bank", "all-bank", "none"}),
             "policy.queue_depth=" + std::to_string(draw(0, 1) == 0 ? 32 : draw(1, 40)),
             "policy.command_bus=" + one_of(draw, {"split", "split", "shared"}), "timing.tACT=1",
             "timing.tREFI=" + std::to_string(draw(0, 1) == 0 ? 3392 : draw(1000, 8000)),
             "timing.tFAW=" + std::to_string(draw(0, 60))});
}

/// What is asked for again and again: pieces of a few kinds, at places that are near each other, so
/// that rows are found open or not.
struct Stream {
  Access access;
  std::uint64_t first, step, count;
};

Stream random_stream(Draw& draw, DramWalk const& walk) {
  auto const blocks = [&](std::int64_t most) { return static_cast<std::uint64_t>(draw(1, most)); };
  auto const turn = walk.turn();
  Stream stream{draw(0, 2) == 0 ? Access::write : Access::read, 0, 0, 0};
  auto const kind = draw(0, 3);
  stream.count = kind == 0   ? blocks(12) * turn
                 : kind == 1 ? blocks(40)
                             : blocks(static_cast<std::int64_t>(5 * turn));
  stream.step = draw(0, 2) == 0 ? 0 : draw(0, 1) == 0 ? stream.count : turn * blocks(20);
  stream.first = draw(0, 3) == 0 ? walk.blocks() - blocks(2000) : blocks(3000);
  return stream;
}

/// A loop over a few streams, with gaps of a few kinds in between. How many blocks were repeated.
std::int64_t repeated_blocks(Draw& draw, arch::DramSpec const& spec, DramLibrary& library) {
  auto const bursts = static_cast<std::uint16_t>(spec.block() / spec.organization.burst());
  std::array<DramWalk, 2> const walks = {DramWalk{spec, Access::read, bursts},
                                         DramWalk{spec, Access::write, bursts}};
  DramStream single{spec};
  DramRepeater repeating{spec, library};
  std::vector<Stream> streams;
  for (std::int64_t i = draw(1, 3); i > 0; --i) streams.push_back(random_stream(draw, walks[0]));
  auto const pause = draw(0, 3) * draw(1, 2000);
  auto const is_dense = draw(0, 1) == 0;  // asked for without waiting for what was asked before
  std::int64_t cycle = 0;
  std::int64_t done = 0;
  for (std::uint64_t round = 0; round < 30; ++round) {
    for (auto const& stream : streams) {
      auto const& walk = walks.at(index_of(stream.access));
      auto const first = (stream.first + round * stream.step) % walk.blocks();
      DramCompletion last;
      for (std::uint64_t i = 0; i < stream.count; ++i) {
        last = single.serve(cycle, walk(first + i));
      }
      auto const repeated = repeating.serve_stream(cycle, walk, first, stream.count);
      EXPECT_EQ(repeated.tag, last.tag);
      EXPECT_EQ(repeated.issued, last.issued);
      EXPECT_EQ(repeated.done, last.done);
      EXPECT_TRUE(repeating.statistics() == single.statistics());
      done = std::max(done, last.done);
      if (is_dense) cycle += draw(0, 60);
    }
    if (!is_dense && draw(0, 9) > 0) cycle = done + pause;
    if (draw(0, 9) == 0) cycle += draw(0, 20'000);
    if (draw(0, 19) > 0) continue;
    DramRepeater const copy{repeating};
    repeating = copy;
  }
  repeating.finish(done);
  single.finish(done);
  StateWriter left, expected;
  repeating.serialize(done, left);
  single.serialize(done, expected);
  EXPECT_EQ(left.words(), expected.words());
  EXPECT_TRUE(repeating.statistics() == single.statistics());
  return repeating.repeated_blocks();
}

TEST(DramRepeater, DoesWhatTheChannelDoesBlockByBlock) {
  std::int64_t repeated = 0;
  for (std::uint64_t seed = 1; seed <= 150 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw{seed};
    auto const spec = random_memory(draw);
    DramLibrary library;
    repeated += repeated_blocks(draw, spec, library);
  }
  EXPECT_GT(repeated, 1'000'000);
}

TEST(DramRepeater, FindsWhatAnotherOneHasWorkedOut) {
  std::int64_t of_first = 0;
  std::int64_t of_second = 0;
  for (std::uint64_t seed = 1; seed <= 40 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw{seed};
    auto const spec = random_memory(draw);
    DramLibrary library;
    auto again = draw;
    of_first += repeated_blocks(draw, spec, library);
    of_second += repeated_blocks(again, spec, library);
    static_cast<void>(repeated_blocks(draw, spec, library));  // something else
  }
  EXPECT_GT(of_second, of_first + of_first / 100);
}

TEST(DramRepeater, ServesWhereTurnsAreLongAndNothingOvertakes) {
  EXPECT_TRUE(DramRepeater::serves(arch::load_dram("tpu-v3")));
  EXPECT_FALSE(DramRepeater::serves(
      arch::load_dram("tpu-v3", {"policy.scheduler=frfcfs", "policy.starvation_cap=500"})));
  EXPECT_FALSE(DramRepeater::serves(arch::load_dram("hmc-2.1")));
}

}  // namespace
}  // namespace tessera::sim
