// The tile engine against its clocked twin, against the closed form of phase_stream.hpp, and at the limits.
#include "sim/model/compute/tile_engine.hpp"

#include <gtest/gtest.h>

#include <array>

#include "sim/model/compute/systolic_array.hpp"
#include "sim/model/memory/bandwidth_memory.hpp"
#include "sim/model/memory/dram_memory.hpp"
#include "sim/model/memory/ideal_memory.hpp"
#include "test/support/compute/tile_twin.hpp"
#include "test/support/draw.hpp"
#include "test/support/engine/small_core.hpp"
#include "test/support/engine/tile_engine_twin.hpp"

namespace tessera::sim {
namespace {

using test::Draw;
using test::systolic_core;
using workloads::Phase;

ConvSide side(Draw& draw) {
  ConvSide side;
  side.output = draw(1, 12);
  side.taps = draw(1, 3);
  side.stride = draw(1, 2);
  side.input = (side.output - 1) * side.stride + side.taps;
  return side;
}

ConvShape convolution(Draw& draw) {
  return {draw(1, 6), draw(1, 40), draw(1, 30), 1, side(draw), side(draw)};
}

ElementwiseShape element_wise(Draw& draw) {
  using Work = ElementwiseShape::Work;
  ElementwiseShape shape;
  shape.work = std::array{Work::combine, Work::softmax, Work::layer_norm}.at(
      static_cast<std::size_t>(draw(0, 2)));
  shape.rows = draw(1, 40);
  shape.elements = shape.rows * draw(1, 400);
  shape.tensors = shape.inputs = draw(1, 3);
  shape.read = shape.tensors * shape.elements;
  shape.weights = draw(0, 9999);
  shape.fusion = {draw(0, 1) == 1, draw(0, 1) == 1};
  return shape;
}

OperatorShape any_shape(Draw& draw) {
  switch (draw(0, 3)) {
    case 0:
      return convolution(draw);
    case 1:
      return MatmulShape{{draw(1, 4), draw(1, 60), draw(1, 60), draw(1, 60)}};
    case 2:
      return LstmShape{draw(1, 4), draw(1, 9), draw(1, 30), draw(1, 30)};
    default:
      return element_wise(draw);
  }
}

struct Bench {
  TaskGraph graph{1};
  BusyHistogram of_memory;
  BusyHistogram of_unit;
  DramLibrary drams;
  Clock clock;

  explicit Bench(arch::CoreSpec const& core) : clock{core.clock} {}
  [[nodiscard]] DramMemory dram(arch::DramSpec const& spec) {
    return {spec, {clock, graph, of_memory, drams}};
  }
};

void expect_equal(TileEngine::Outcome const& a, TileEngine::Outcome const& b) {
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.computed, b.computed);
  EXPECT_EQ(a.waited, b.waited);
  EXPECT_EQ(a.tiles, b.tiles);
  EXPECT_EQ(a.late_tiles, b.late_tiles);
}

/// On a row-stationary core what has no product is one stream, whatever the shape.
OperatorShape shape_for(arch::CoreSpec const& core, Draw& draw) {
  return core.has_vector_unit() ? any_shape(draw) : convolution(draw);
}

/// Two phases in a row, so that the second finds the memory as the first left it.
void compare_with_twin(arch::CoreSpec const& core, std::string const& memory, Draw& draw) {
  Bench bench{core};
  auto const spec = arch::load_dram(memory);
  auto ours = bench.dram(spec);
  auto theirs = bench.dram(spec);
  Time start = bench.clock.edge(Cycles{draw(0, 20'000)});
  for (auto const phase :
       {Phase::forward, workloads::all_phases.at(static_cast<std::size_t>(draw(0, 3)))}) {
    TileProgram const program{core, shape_for(core, draw), phase, {}};
    TileEngine::Addresses const addresses = {Bytes{draw(0, 99) * 8192}, Bytes{draw(0, 99) * 8192},
                                             Bytes{draw(0, 99) * 8192}};
    TileEngine engine{bench.clock, ours, bench.of_unit};
    auto const fast = engine.run(program, addresses, start);
    auto const slow = run_engine_twin(program, addresses, bench.clock, theirs, start);
    expect_equal(fast, slow);
    start = fast.end;
  }
  EXPECT_EQ(ours.statistics()[4].value, theirs.statistics()[4].value);
}

TEST(TileEngine, TakesTheTimesOfItsClockedTwinOnASystolicCore) {
  Draw draw{41};
  for (int trial = 0; trial < 400 && !testing::Test::HasFailure(); ++trial) {
    SCOPED_TRACE(trial);
    compare_with_twin(systolic_core(draw), trial % 2 == 0 ? "hmc-2.1" : "tpu-v3", draw);
  }
}

TEST(TileEngine, TakesTheTimesOfItsClockedTwinOnARowStationaryCore) {
  Draw draw{42};
  auto const core = arch::load_core("hypar-pu");
  for (int trial = 0; trial < 200 && !testing::Test::HasFailure(); ++trial) {
    SCOPED_TRACE(trial);
    compare_with_twin(core, trial % 2 == 0 ? "hmc-2.0" : "hbm2", draw);
  }
}

/// What somebody else asks a memory for.
struct ForeignRequest {
  Time at;
  Memory::Transfer transfer;
};

/// A memory that others use, too: what they ask for until a transfer is asked for comes before it.
class UsedMemory final : public Memory {
 public:
  UsedMemory(Memory& memory, Clock const& clock, TaskGraph const& graph,
             std::vector<ForeignRequest> const& requests)
      : Memory{clock, graph}, memory_{memory}, requests_{requests} {}

  [[nodiscard]] Time transfer(Time at, Transfer const& transfer) override {
    for (; next_ < requests_.size() && requests_[next_].at <= at; ++next_) {
      ends.push_back(memory_.transfer(requests_[next_].at, requests_[next_].transfer));
    }
    return memory_.transfer(at, transfer);
  }
  void serialize(Time /*now*/, StateWriter& /*out*/) const override {}
  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return memory_.statistics();
  }

  std::vector<Time> ends;

 private:
  Memory& memory_;
  std::vector<ForeignRequest> const& requests_;
  std::size_t next_ = 0;
};

std::vector<ForeignRequest> foreign_requests(Draw& draw, Time start) {
  std::vector<ForeignRequest> all;
  for (auto at = start; all.size() < 30; at += Time{draw(0, 3'000'000)}) {
    auto const access = draw(0, 1) == 0 ? Access::read : Access::write;
    all.push_back({at, {access, Bytes{draw(0, 99) * 8192}, Bytes{draw(1, 9) * 4096}}});
  }
  return all;
}

TEST(TileEngine, PieceByPieceBesideOthersTakesTheTimesOfItsClockedTwin) {
  Draw draw{44};
  for (int trial = 0; trial < 200 && !testing::Test::HasFailure(); ++trial) {
    SCOPED_TRACE(trial);
    auto const core = systolic_core(draw);
    Bench bench{core};
    auto const spec = arch::load_dram(trial % 2 == 0 ? "hmc-2.1" : "tpu-v3");
    auto ours = bench.dram(spec);
    auto theirs = bench.dram(spec);
    Time const start = bench.clock.edge(Cycles{draw(0, 20'000)});
    auto const requests = foreign_requests(draw, start);
    TileProgram const program{core, any_shape(draw), Phase::forward, {}};
    TileEngine::Addresses const addresses = {Bytes{0}, Bytes{8192 * 70}, Bytes{8192 * 140}};
    TileEngine engine{bench.clock, ours, bench.of_unit};
    engine.begin(program, addresses, start);
    std::vector<Time> ends;
    for (auto const& request : requests) {
      engine.ask_before(request.at);
      if (engine.is_over()) break;
      ends.push_back(ours.transfer(request.at, request.transfer));
    }
    engine.ask_before(Time{INT64_MAX});
    UsedMemory used{theirs, bench.clock, bench.graph, requests};
    auto const slow = run_engine_twin(program, addresses, bench.clock, used, start);
    expect_equal(engine.outcome(), slow);
    EXPECT_EQ(ends, used.ends);
  }
}

TEST(TileEngine, MovesWhatTheTilingSays) {
  Draw draw{43};
  for (int trial = 0; trial < 100; ++trial) {
    auto const core = systolic_core(draw);
    auto const conv = convolution(draw);
    Bytes moved{0};
    std::int64_t tiles = 0;
    TileProgram const program{core, conv, Phase::forward, {}};
    program.for_each([&](TileStep const& step) {
      moved += step.loads[0].size + step.loads[1].size + step.store.size;
      ++tiles;
    });
    ComputeOptions options;
    options.memory = ComputeOptions::Memory::core;
    auto const traffic = compute_cost(core, conv, Phase::forward, options).memory_traffic;
    EXPECT_GE(moved, traffic);
    // The distinct elements under overlapping windows are rounded up for every tile.
    EXPECT_LE(moved, traffic + options.element * tiles);
  }
}

TEST(TileEngine, PassesOfARowStationaryCoreMoveAndTakeWhatTheLayerCosts) {
  Draw draw{44};
  auto const core = arch::load_core("hypar-pu");
  auto const& unit = std::get<arch::RowStationaryCoreSpec>(core.unit);
  for (int trial = 0; trial < 200; ++trial) {
    auto const conv = convolution(draw);
    auto const mapping = choose_mapping(unit, conv);
    auto const cost = row_stationary_cost(unit, conv, mapping);
    Cycles cycles{0};
    std::int64_t words = 0;
    for_each_pass(unit, conv, mapping, [&](RowStationaryVisit const& pass) {
      cycles += pass.cycles;
      words += pass.ifmap_words + pass.filter_words + pass.ofmap_words;
    });
    EXPECT_EQ(cycles, cost.cycles);
    EXPECT_EQ(Elements{words}, cost.memory_words);
  }
}

/// A memory of one bandwidth whose transfers take whole cycles: as many as they have pairs of
/// bytes, or half as many.
arch::CoreSpec core_with_whole_cycles(Draw& draw) {
  auto core = systolic_core(draw);
  core.clock = Frequency{1'000'000'000};
  auto& unit = std::get<arch::SystolicCoreSpec>(core.unit);
  unit.memory_bandwidth = Bandwidth{8'000'000'000 * draw(1, 2)};
  core.kernel_start = Time{1'000 * draw(0, 99)};
  return core;
}

TEST(TileEngine, OnAMemoryOfOneBandwidthTakesWhatAPhaseCosts) {
  Draw draw{45};
  std::int64_t late_tiles = 0;
  for (int trial = 0; trial < 600; ++trial) {
    SCOPED_TRACE(trial);
    auto const core = core_with_whole_cycles(draw);
    auto const shape = any_shape(draw);
    auto const phase = workloads::own_phases.at(static_cast<std::size_t>(draw(0, 3)));
    ComputeOptions options;
    options.element = Bytes{2};
    Bench bench{core};
    auto const bandwidth = std::get<arch::SystolicCoreSpec>(core.unit).memory_bandwidth;
    BandwidthMemory memory{{bandwidth, Time{0}}, bench.clock, bench.graph, bench.of_memory};
    TileEngine engine{bench.clock, memory, bench.of_unit};
    auto const run = engine.run({core, shape, phase, options}, {}, Time{0});

    options.memory = ComputeOptions::Memory::core;
    auto const cost = compute_cost(core, shape, phase, options);
    ASSERT_EQ(run.end, bench.clock.edge(cost.cycles));
    ASSERT_GE(bench.of_memory.total(), cost.memory_traffic / bandwidth);
    late_tiles += run.late_tiles;
  }
  EXPECT_GT(late_tiles, 600);  // more than the first of each
}

TEST(TileEngine, NeverWaitsForAMemoryThatCostsNoTime) {
  Draw draw{46};
  for (int trial = 0; trial < 50; ++trial) {
    auto core = systolic_core(draw);
    core.kernel_start = Time{0};
    Bench bench{core};
    IdealMemory memory{bench.clock, bench.graph};
    TileEngine engine{bench.clock, memory, bench.of_unit};
    TileProgram const program{core, convolution(draw), Phase::backward_weight, {}};
    auto const run = engine.run(program, {}, Time{0});
    EXPECT_EQ(run.waited, Time{0});
    EXPECT_EQ(run.late_tiles, 0);
    EXPECT_EQ(run.end, run.computed);
  }
}

TEST(TileEngine, OnAMemoryThatCostsNoTimeTakesWhatItComputesAndKernelsStart) {
  Draw draw{48};
  Cycles starts{0};
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    auto core = trial % 3 == 0 ? arch::load_core("hypar-pu") : systolic_core(draw);
    core.kernel_start = Time{1'000 * draw(0, 999)};
    auto const phase = workloads::all_phases.at(static_cast<std::size_t>(draw(0, 3)));
    TileProgram const program{core, shape_for(core, draw), phase, {}};
    Bench bench{core};
    IdealMemory memory{bench.clock, bench.graph};
    TileEngine engine{bench.clock, memory, bench.of_unit};
    auto const totals = program.totals();
    EXPECT_EQ(engine.run(program, {}, Time{0}).end,
              bench.clock.edge(totals.kernel_starts + totals.compute));
    starts += totals.kernel_starts;
  }
  EXPECT_GT(starts, Cycles{0});
}

/// So slow that all tiles but the last of a kernel are computed beside loads. The last but one may
/// be stored meanwhile, too.
TEST(TileEngine, OnASlowMemoryTakesWhatItMovesAndComputesBehindLoads) {
  Draw draw{49};
  int times_behind = 0;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    auto core = trial % 3 == 0 ? arch::load_core("hypar-pu") : systolic_core(draw);
    core.kernel_start = Time{1'000 * draw(0, 999)};
    TileProgram const program{core, shape_for(core, draw), Phase::forward, {}};
    Bench bench{core};
    Bandwidth const bandwidth{1'000'000};
    BandwidthMemory memory{{bandwidth, Time{0}}, bench.clock, bench.graph, bench.of_memory};
    TileEngine engine{bench.clock, memory, bench.of_unit};
    auto const totals = program.totals();
    auto const moving = bench.clock.edge(totals.kernel_starts) + totals.memory_traffic / bandwidth;
    auto const end = engine.run(program, {}, Time{0}).end;
    std::int64_t kernels = 1;
    program.for_each([&](TileStep const& step) { kernels += step.kernel_start ? 1 : 0; });
    auto const rounded = bench.clock.edge(Cycles{2 * kernels});
    EXPECT_GE(end, moving);
    EXPECT_LE(end, moving + bench.clock.edge(totals.behind_loads) + rounded);
    times_behind += end - moving > rounded ? 1 : 0;
  }
  EXPECT_GT(times_behind, 100);
}

TEST(TileEngine, TakesAtLeastAsLongAsArraysAndMemoryAlone) {
  Draw draw{47};
  auto const spec = arch::load_dram("hmc-2.1");
  for (int trial = 0; trial < 50; ++trial) {
    auto const core = systolic_core(draw);
    Bench bench{core};
    auto memory = bench.dram(spec);
    TileEngine engine{bench.clock, memory, bench.of_unit};
    TileProgram const program{core, convolution(draw), Phase::forward, {}};
    auto const run = engine.run(program, {}, Time{0});
    EXPECT_EQ(run.end, run.computed + run.waited);
    Bytes moved{0};
    program.for_each([&](TileStep const& step) {
      moved += step.loads[0].size + step.loads[1].size + step.store.size;
    });
    EXPECT_GE(run.end, moved / spec.peak_bandwidth());
    EXPECT_EQ(bench.of_unit.total(), run.computed);
  }
}

}  // namespace
}  // namespace tessera::sim
