// Steps that are repeated against the tile engine that works every step out: times, counters and histograms.
#include "sim/model/compute/step_repeater.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "test/support/draw.hpp"
#include "test/support/engine/engine_bench.hpp"

namespace tessera::sim {
namespace {

using test::Draw;
using test::EngineBench;
using workloads::Phase;

void expect_same(TileEngine::Outcome const& a, TileEngine::Outcome const& b) {
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.computed, b.computed);
  EXPECT_EQ(a.waited, b.waited);
  EXPECT_EQ(a.tiles, b.tiles);
  EXPECT_EQ(a.late_tiles, b.late_tiles);
}

void expect_same(EngineBench& a, EngineBench& b, Time end) {
  a.memory.close(end);
  b.memory.close(end);
  for (std::size_t i = 0; i < a.memory.statistics().size(); ++i) {
    EXPECT_EQ(a.memory.statistics()[i].value, b.memory.statistics()[i].value)
        << a.memory.statistics()[i].name;
  }
  EXPECT_EQ(a.of_memory.bins(end), b.of_memory.bins(end));
  EXPECT_EQ(a.of_unit.bins(end), b.of_unit.bins(end));
}

std::string one_of(Draw& draw, std::vector<std::string> const& all) {
  return all.at(static_cast<std::size_t>(draw(0, static_cast<std::int64_t>(all.size()) - 1)));
}

/// Refreshes from hardly ever to so often that few steps come between two of them.
arch::DramSpec random_memory(Draw& draw) {
  auto const name = one_of(draw, {"hmc-1.0", "hmc-2.0", "hmc-2.1", "hmc-2.1"});
  auto const refresh = one_of(draw, {"all-bank", "all-bank", "all-bank", "none"});
  std::vector<std::string> settings = {
      "policy.page=" + one_of(draw, {"closed", "closed", "open"}),
      "policy.refresh=" + refresh,
      "policy.queue_depth=" + std::to_string(draw(1, 32)),
      "timing.tREFI=" + std::to_string(draw(9, 120) * 80),
      "timing.tRFC=" + std::to_string(draw(60, 320)),
      "clock_period=" + one_of(draw, {"800 ps", "1000 ps", "2000 ps"})};
  return arch::load_dram(name, settings);
}

/// The row-stationary core at clocks whose edges are whole clocks of the memory, or not.
arch::CoreSpec random_core(Draw& draw) {
  auto core = arch::load_core("hypar-pu");
  core.clock = Frequency{draw(1, 8) == 1 ? 300'000'000 : 250'000'000 * draw(1, 4)};
  return core;
}

/// A fully connected layer, whose passes are many and alike, or what is one stream of elements.
OperatorShape random_shape(Draw& draw) {
  if (draw(0, 2) == 0) {
    ElementwiseShape shape;
    shape.rows = draw(1, 200);
    shape.elements = shape.rows * draw(2000, 40'000);
    shape.tensors = shape.inputs = draw(1, 2);
    shape.read = shape.tensors * shape.elements;
    return shape;
  }
  return ConvShape{draw(200, 2000), draw(300, 2000), draw(300, 2000), 1, {}, {}};
}

TileEngine::Addresses random_addresses(Draw& draw) {
  TileEngine::Addresses addresses;
  for (auto& address : addresses) {
    address = Bytes{draw(0, 1) == 0 ? draw(0, 99) * 8192 : draw(0, 99'999) * 64};
  }
  return addresses;
}

/// Three programs in a random order, so that later ones find much that is known.
std::int64_t repeated_tiles(Draw& draw) {
  auto const core = random_core(draw);
  auto const spec = random_memory(draw);
  EngineBench full{core, spec};
  EngineBench repeating{core, spec};
  StepMemo memo;
  StepRepeater repeater{repeating.engine, repeating.clock, *repeating.memory.calm(),
                        repeating.of_unit, memo};
  std::vector<TileProgram> programs;
  programs.reserve(3);
  for (int i = 0; i < 3; ++i)
    programs.emplace_back(core, random_shape(draw), Phase::forward, ComputeOptions{});
  Time start{0};
  for (int run = 0; run < 6; ++run) {
    auto const& program = programs[static_cast<std::size_t>(draw(0, 2))];
    auto const addresses = random_addresses(draw);
    start = full.clock.edge(full.clock.edge_at_or_after(start) + Cycles{draw(0, 2000)});
    auto const worked_out = full.engine.run(program, addresses, start);
    expect_same(repeater.run(program, addresses, start), worked_out);
    start = worked_out.end;
  }
  expect_same(full, repeating, start);
  return repeater.repeated_tiles();
}

TEST(StepRepeater, DoesWhatTheEngineDoesOnAnyMemoryOfShortTurns) {
  std::int64_t repeated = 0;
  for (std::uint64_t seed = 1; seed <= 60 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw{seed};
    repeated += repeated_tiles(draw);
  }
  EXPECT_GT(repeated, 10'000);
}

}  // namespace
}  // namespace tessera::sim
