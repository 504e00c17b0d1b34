// Kernels that begin in phase with their memory: as on a memory of their own, whenever they begin and wherever their operands lie.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "arch/memory/dram_stripe.hpp"
#include "test/support/draw.hpp"
#include "test/support/engine/engine_bench.hpp"
#include "test/support/engine/small_core.hpp"
#include "test/support/engine/tile_engine_twin.hpp"
#include "test/support/memory/command_checker.hpp"

namespace tessera::sim {
namespace {

using test::Draw;
using test::systolic_core;
using workloads::Phase;
using Kernels = arch::ExecutionSpec::Kernels;

OperatorShape product(Draw& draw, std::int64_t kernels) {
  return MatmulShape{{kernels, draw(1, 80), draw(1, 80), draw(1, 80)}};
}

/// Of computations that begin at an edge, after refreshes that are due.
struct PhaseBench : test::EngineBench {
  using EngineBench::EngineBench;

  TileEngine::Outcome run(TileProgram const& program, TileEngine::Addresses const& addresses,
                          Time now) {
    auto const first = clock.edge_at_or_after(now);
    auto const wait = memory.kernels()->begin_task(clock.edge(first));
    start = clock.edge(first + clock.cycles_of(wait));
    return engine.run(program, addresses, start);
  }
  [[nodiscard]] std::int64_t cycles(TileEngine::Outcome const& outcome) const {
    return (clock.edge_at_or_after(outcome.end) - clock.edge_at_or_after(start)).value();
  }

  Time start{0};
};

TileEngine::Addresses addresses_anywhere(Draw& draw) {
  return {Bytes{draw(0, 999) * 2048}, Bytes{draw(0, 999) * 2048}, Bytes{draw(0, 999) * 2048}};
}

/// Edges of such clocks are whole picoseconds, and so are the twin's.
TEST(KernelsInPhase, EachTakesWhatItTakesOnAMemoryOfItsOwn) {
  Draw draw{11};
  for (int trial = 0; trial < 300 && !testing::Test::HasFailure(); ++trial) {
    SCOPED_TRACE(trial);
    auto core = systolic_core(draw);
    core.clock = Frequency{500'000'000 * draw(1, 2)};
    auto const spec =
        arch::load_dram("tpu-v3", {"timing.tREFI=" + std::to_string(draw(7, 50) * 64),
                                   draw(0, 1) == 0 ? "policy.page=open" : "policy.page=closed"});
    PhaseBench ours{core, spec, Kernels::in_phase};
    Time now{0};
    for (int i = 0; i < 4; ++i) {
      TileProgram const program{core, product(draw, 1), Phase::forward, {}};
      auto const addresses = addresses_anywhere(draw);
      now += Time{draw(0, 5'000'000)};
      auto const outcome = ours.run(program, addresses, now);
      PhaseBench own{core, spec, Kernels::free};
      auto const alone = run_engine_twin(program, addresses, own.clock, own.memory, Time{0});
      EXPECT_EQ(outcome.end - ours.start, alone.end);
      EXPECT_EQ(outcome.waited, alone.waited);
      EXPECT_EQ(outcome.computed, alone.computed);
      EXPECT_EQ(outcome.late_tiles, alone.late_tiles);
      now = outcome.end;
    }
  }
}

/// Where a kernel leaves nothing that the next one feels: rows are closed, and nothing is
/// refreshed.
TEST(KernelsInPhase, OfOneProgramFollowEachOtherAsTheyDoOtherwise) {
  Draw draw{12};
  for (int trial = 0; trial < 200 && !testing::Test::HasFailure(); ++trial) {
    SCOPED_TRACE(trial);
    auto core = systolic_core(draw);
    core.clock = Frequency{500'000'000};
    auto const spec = arch::load_dram(
        "tpu-v3", {"clock_period=1000 ps", "policy.page=closed", "policy.refresh=none"});
    PhaseBench ours{core, spec, Kernels::in_phase};
    PhaseBench theirs{core, spec, Kernels::free};
    TileProgram const program{core, product(draw, draw(1, 5)), Phase::forward, {}};
    auto const addresses = addresses_anywhere(draw);
    auto const outcome = ours.run(program, addresses, Time{0});
    auto const twin = run_engine_twin(program, addresses, theirs.clock, theirs.memory, Time{0});
    EXPECT_EQ(outcome.end, twin.end);
    EXPECT_EQ(outcome.waited, twin.waited);
  }
}

/// Clocks whose edges meet every 28 us. Kernels of a computation wait for each other's refreshes.
TEST(KernelsInPhase, TakeAsManyCyclesWheneverTheyBeginAndWhereverTheirOperandsAre) {
  Draw draw{13};
  for (int trial = 0; trial < 100 && !testing::Test::HasFailure(); ++trial) {
    SCOPED_TRACE(trial);
    auto const core = systolic_core(draw);
    auto const spec =
        arch::load_dram("tpu-v3", {"timing.tREFI=" + std::to_string(draw(7, 50) * 64)});
    auto const turn = arch::tensor_alignment(spec);
    PhaseBench bench{core, spec, Kernels::in_phase};
    TileProgram const program{core, product(draw, draw(1, 6)), Phase::forward, {}};
    auto const at = addresses_anywhere(draw);
    auto const first = bench.run(program, at, Time{0});
    auto const cycles = bench.cycles(first);
    auto const words = [&](TileEngine::Addresses const& addresses) {
      std::array<KernelMemory::Region, 3> regions;
      auto const reach = program.totals().reach;
      for (std::size_t i = 0; i < 3; ++i) regions.at(i) = {addresses.at(i), reach.at(i)};
      StateWriter out;
      bench.memory.kernels()->write_layout(regions, out);
      return out.words();
    };
    auto now = first.end;
    for (int i = 0; i < 6; ++i) {
      auto const by = turn * draw(0, 40'000);
      TileEngine::Addresses const moved = {at[0] + by, at[1] + by, at[2] + by};
      EXPECT_EQ(words(moved), words(at));
      auto const again = bench.run(program, moved, now + Time{draw(1, 900'000'000)});
      now = again.end;
      EXPECT_EQ(bench.cycles(again), cycles);
      EXPECT_EQ(again.computed, first.computed);
      EXPECT_EQ(again.late_tiles, first.late_tiles);
    }
  }
}

/// Wherever texts of places are equal, times are; of operands in rows of each other, texts differ.
TEST(KernelsInPhase, TakeAsLongWhereverPlacesAreWrittenAlike) {
  Draw draw{14};
  std::size_t texts = 0;
  std::size_t times = 0;
  for (int trial = 0; trial < 60; ++trial) {
    auto const core = systolic_core(draw);
    auto const spec = arch::load_dram("tpu-v3", {"policy.refresh=none"});
    auto const turn = arch::tensor_alignment(spec);
    TileProgram const program{core, product(draw, 1), Phase::forward, {}};
    auto const reach = program.totals().reach;
    std::map<std::vector<std::int64_t>, std::int64_t> known;
    std::set<std::int64_t> different;
    for (int i = 0; i < 40; ++i) {
      PhaseBench bench{core, spec, Kernels::in_phase};
      TileEngine::Addresses at;
      std::array<KernelMemory::Region, 3> regions;
      for (std::size_t k = 0; k < 3; ++k) {
        at.at(k) = turn * draw(0, 12) + Bytes{draw(0, 1) * 2048};
        regions.at(k) = {at.at(k), reach.at(k)};
      }
      StateWriter out;
      bench.memory.kernels()->write_layout(regions, out);
      auto const cycles = bench.cycles(bench.run(program, at, Time{0}));
      auto const [found, is_new] = known.emplace(out.words(), cycles);
      EXPECT_EQ(found->second, cycles);
      different.insert(cycles);
    }
    texts += known.size();
    times += different.size();
  }
  EXPECT_GT(times, 2U * 60U);  // else they need not be written
  EXPECT_LT(texts, 40U * 60U);
}

/// A layer of VGG on HyPar's unit and its cube.
TEST(KernelsInPhase, OfARowStationaryArrayAreWholeComputations) {
  Draw draw{16};
  auto const core = arch::load_core("hypar-pu");
  auto const spec = arch::load_dram("hmc-2.1");
  TileProgram const program{core,
                            ConvShape{2, 64, 64, 1, {28, 28, 3, 1, 1, 1}, {28, 28, 3, 1, 1, 1}},
                            Phase::forward,
                            {}};
  std::vector<std::optional<Cycles>> starts;
  program.for_each([&](TileStep const& step) { starts.push_back(step.kernel_start); });
  ASSERT_GT(starts.size(), 10U);
  EXPECT_EQ(starts.front(), Cycles{100});
  EXPECT_EQ(std::count(starts.begin(), starts.end(), std::nullopt),
            static_cast<std::ptrdiff_t>(starts.size() - 1));

  PhaseBench own{core, spec, Kernels::free};
  auto const alone = run_engine_twin(program, {}, own.clock, own.memory, Time{0});
  PhaseBench bench{core, spec, Kernels::in_phase};
  Time now{0};
  for (int i = 0; i < 10; ++i) {
    auto const by = arch::tensor_alignment(spec) * draw(0, 9'000);
    auto const outcome = bench.run(program, {by, by, by}, now + Time{draw(0, 90'000'000)});
    EXPECT_EQ(outcome.end - bench.start, alone.end);
    EXPECT_EQ(outcome.waited, alone.waited);
    now = outcome.end;
  }
}

TEST(KernelsInPhase, OfARowStationaryArrayHaveNoBeginningWhereStartingCostsNothing) {
  auto const core = arch::load_core("eyeriss");
  TileProgram const program{
      core, ConvShape{1, 8, 8, 1, {14, 14, 3, 1, 1, 1}, {14, 14, 3, 1, 1, 1}}, Phase::forward, {}};
  program.for_each([](TileStep const& step) { EXPECT_EQ(step.kernel_start, std::nullopt); });
}

/// But for refreshes, which are late, by less than six intervals.
TEST(KernelsInPhase, GiveNoCommandTooEarly) {
  Draw draw{15};
  auto core = systolic_core(draw);
  core.clock = Frequency{500'000'000};
  auto const spec = arch::load_dram("tpu-v3", {"clock_period=1000 ps", "timing.tREFI=1536"});
  std::vector<DramCommand> commands;
  PhaseBench bench{core, spec, Kernels::in_phase, [&](Time time, DramCommand const& command) {
                     commands.push_back(command);
                     commands.back().cycle = time / spec.clock_period;
                   }};
  Time now{0};
  for (int i = 0; i < 30; ++i) {
    TileProgram const program{core, product(draw, draw(1, 4)), Phase::forward, {}};
    now = bench.run(program, addresses_anywhere(draw), now + Time{draw(0, 4'000'000)}).end;
  }
  bench.memory.close(now);
  auto complaints = test::violations(spec, commands);
  complaints.erase(std::remove_if(complaints.begin(), complaints.end(),
                                  [](auto const& line) {
                                    return line.find("is late (tREFI)") != std::string::npos;
                                  }),
                   complaints.end());
  EXPECT_EQ(complaints, std::vector<std::string>{});
  std::int64_t refreshed = 0;
  std::int64_t refreshes = 0;
  for (auto const& command : commands) {
    if (command.kind != DramCommand::Kind::refresh) continue;
    EXPECT_LT(command.cycle - refreshed, 7 * spec.timing.tREFI);
    refreshed = command.cycle;
    ++refreshes;
  }
  EXPECT_NEAR(static_cast<double>(refreshes),
              static_cast<double>(now / (spec.clock_period * spec.timing.tREFI)), 2);
}

}  // namespace
}  // namespace tessera::sim
