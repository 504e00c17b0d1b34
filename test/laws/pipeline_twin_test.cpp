// Pipelines of stages that are not alike: the passes that are simulated end when the event-by-event twin of their orders says.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "test/support/cases/cases.hpp"
#include "test/support/draw.hpp"
#include "test/support/pipeline/staged_chain.hpp"
#include "test/support/random_pipeline.hpp"

namespace tessera::test {
namespace {

using Transfers = PipelineTimes::Transfers;
using Updates = PipelineTimes::Updates;

std::vector<std::string> const schedules = {
    "gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "pipedream", "2bw"};

/// A shape that the schedule is for.
partition::PipelineShape random_shape(Draw& draw, std::string const& schedule) {
  if (schedule == "interleaved-1f1b") {
    auto const stages = draw(1, 3);
    auto const micro_batches = stages * draw(1, 3);
    return straight(stages, micro_batches, draw(2, 3));
  }
  bool const is_alike = schedule == "2bw" || schedule == "zb-h1" || schedule == "zb-h2";
  auto replicas = random_replicas(draw, 4, 3);
  if (is_alike) replicas.assign(replicas.size(), replicas.front());
  auto const fewest = static_cast<std::int64_t>(replicas.size() * replicas.front());
  return {replicas, 1, draw(is_alike ? fewest : 1, fewest + 8), 1};
}

StagedChain random_chain(Draw& draw, std::string const& schedule) {
  StagedChain chain;
  chain.schedule = schedule;
  chain.shape = random_shape(draw, schedule);
  chain.shape.steps = draw(1, 2);
  bool const has_replicas = chain.accelerators() > chain.shape.stages();
  chain.times = random_stage_times(chain.shape, draw, has_replicas ? 0 : 5);
  chain.times.transfer = draw(0, 12);
  chain.times.leaving =
      std::array<std::int64_t, 6>{0, 1, 2, 4, 8, 20}.at(static_cast<std::size_t>(draw(0, 5)));
  bool const is_beside = draw(0, 2) > 0;
  chain.times.transfers =
      is_beside ? Transfers::beside_computation : Transfers::leaving_before_computation;
  chain.times.updates = is_beside && has_replicas ? Updates::beside_passes : Updates::in_order;
  if (draw(0, 1) == 0) chain.backward = partition::Pipeline::Backward::split;
  return chain;
}

/// Memories in place of the times, of stages without replicas. Where a pass goes on beside an
/// update, or an update beside that of another chunk, the memory serves one while the multiplier
/// has the other: those take turns here, or there is but one step.
void give_memories(StagedChain& chain, Draw& draw) {
  chain.backward = partition::Pipeline::Backward::split;
  chain.shape.replicas.assign(chain.shape.stages(), 1);
  chain.times.updates = Updates::in_order;
  bool const flushes = chain.schedule != "pipedream" && chain.schedule != "2bw";
  if (chain.shape.chunks > 1) chain.shape.steps = 1;
  if (!flushes) chain.times.transfers = Transfers::leaving_before_computation;
  for (std::size_t stage = 0; stage < chain.shape.stages(); ++stage) {
    StagedChain::Memory const memory{std::int64_t{1} << draw(0, 3), draw(0, 9)};
    auto const pass = memory.pass();
    chain.memories.push_back(memory);
    chain.times.stages[stage] = {pass, pass, pass, pass};
  }
}

/// What stages do, as the plan has it, by the twin. An update is of all chunks.
Timeline twin_of(StagedChain const& chain) {
  auto times = chain.times;
  for (auto& stage : times.stages) stage.update *= chain.shape.chunks;
  times.tied.assign(chain.tied.begin(), chain.tied.end());
  times.tied.push_back(0);
  auto const network = network_of(chain);
  auto const plan = plan_of(chain, network, array_of(chain));
  return run_pipeline(partition::program_of(*plan.pipeline, network, chain.shape.steps), times);
}

TEST(PipelineTwin, EndsEveryPassWhenTheSimulatorDoes) {
  Draw draw{1};
  for (std::uint64_t i = 0; i < test::cases(210); ++i) {
    auto const& schedule = schedules[i % schedules.size()];
    auto const chain = random_chain(draw, schedule);
    ASSERT_EQ(simulated_passes(chain), passes_of(chain, twin_of(chain))) << i << ", " << schedule;
  }
}

TEST(PipelineTwin, EndsEveryPassWhenTheSimulatorDoesWithMemoriesToo) {
  Draw draw{2};
  for (std::uint64_t i = 0; i < test::cases(70); ++i) {
    auto const& schedule = schedules[i % schedules.size()];
    auto chain = random_chain(draw, schedule);
    give_memories(chain, draw);
    ASSERT_EQ(simulated_passes(chain), passes_of(chain, twin_of(chain))) << i << ", " << schedule;
  }
}

TEST(PipelineTwin, EndsEveryPassWhenTheSimulatorDoesWithWeightsTiedOverStagesToo) {
  Draw draw{3};
  for (std::uint64_t i = 0; i < test::cases(105); ++i) {
    auto const& schedule = schedules[i % schedules.size()];
    auto chain = random_chain(draw, schedule);
    chain.shape.replicas.assign(chain.shape.stages(), 1);
    chain.shape.steps = 3;
    chain.times.leaving = 0;
    chain.times.transfers = Transfers::beside_computation;
    chain.times.updates = Updates::beside_passes;
    for (auto& stage : chain.times.stages) stage.update = 0;
    auto const parts = chain.shape.stages() * static_cast<std::size_t>(chain.shape.chunks);
    for (std::size_t part = 1; part < parts; ++part) {
      if (part + 1 == parts || draw(0, 3) == 0) chain.tied.push_back(part);
    }
    ASSERT_EQ(simulated_passes(chain), passes_of(chain, twin_of(chain))) << i << ", " << schedule;
  }
}

}  // namespace
}  // namespace tessera::test
