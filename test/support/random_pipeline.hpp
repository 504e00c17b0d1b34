// Pipelines for property tests: shapes, times, and the orders of a schedule by its name.
#pragma once

#include <algorithm>
#include <string>

#include "partition/schedule/schedule.hpp"
#include "test/support/draw.hpp"
#include "test/support/pipeline_twin.hpp"

namespace tessera::test {

[[nodiscard]] inline partition::PipelineProgram program_of(
    std::string const& schedule, partition::PipelineShape const& shape,
    partition::ScheduleOptions const& options = {}) {
  return partition::program_of(*partition::builtin_schedules().make(schedule, options), shape);
}

/// Stages without replicas.
[[nodiscard]] inline partition::PipelineShape straight(std::int64_t stages,
                                                       std::int64_t micro_batches,
                                                       std::int64_t chunks = 1,
                                                       std::int64_t steps = 1) {
  return {std::vector<std::size_t>(static_cast<std::size_t>(stages), 1), chunks, micro_batches,
          steps};
}

/// 1 to `most` of them with 1 to `most_replicas` each.
[[nodiscard]] inline std::vector<std::size_t> random_replicas(Draw& draw, std::int64_t most,
                                                              std::int64_t most_replicas) {
  std::vector<std::size_t> replicas(static_cast<std::size_t>(draw(1, most)));
  for (auto& count : replicas) count = static_cast<std::size_t>(draw(1, most_replicas));
  return replicas;
}

[[nodiscard]] inline PassTimes random_times(Draw& draw, std::int64_t longest = 20) {
  return {draw(1, longest), draw(1, longest), draw(1, longest)};
}

/// Every stage the same; transfers and updates take no time.
[[nodiscard]] inline PipelineTimes equal_times(partition::PipelineShape const& shape,
                                               PassTimes const& times) {
  PipelineTimes all;
  all.stages.assign(shape.stages(), times);
  return all;
}

/// Every stage its own; an update may take time, too.
[[nodiscard]] inline PipelineTimes random_stage_times(partition::PipelineShape const& shape,
                                                      Draw& draw, std::int64_t longest_update = 0) {
  PipelineTimes all;
  for (std::size_t stage = 0; stage < shape.stages(); ++stage) {
    all.stages.push_back(random_times(draw));
    all.stages.back().update = draw(0, longest_update);
  }
  return all;
}

}  // namespace tessera::test
