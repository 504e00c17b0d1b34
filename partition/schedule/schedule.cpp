#include "partition/schedule/schedule.hpp"

#include <algorithm>

#include "partition/schedule/builtin/schedules.hpp"

namespace tessera::partition {

namespace {

std::optional<Refusal> refusal_of_any(PipelineShape const& shape) {
  if (shape.replicas.empty()) return Refusal{"stages", "a pipeline has at least one stage"};
  if (std::count(shape.replicas.begin(), shape.replicas.end(), 0U) > 0) {
    return Refusal{"replicas", "a stage has at least one replica"};
  }
  if (shape.chunks < 1) return Refusal{"chunks", "a stage has at least one chunk"};
  if (shape.micro_batches < 1) {
    return Refusal{"micro_batches", "a step has at least one micro-batch"};
  }
  if (shape.steps < 1) return Refusal{"steps", "there is at least one step"};
  return {};
}

}  // namespace

ScheduleRegistry builtin_schedules() {
  ScheduleRegistry schedules{"schedule"};
  schedules
      .add<GPipe>("gpipe",
                  "all micro-batches forward, then all backward, then an update (Huang et al., "
                  "NeurIPS'19)")
      .add<OneForwardOneBackward>(
          "1f1b",
          "one forward, one backward, a flush and an update per step (PipeDream-Flush, ICML'21)")
      .add<Interleaved>(
          "interleaved-1f1b",
          "1f1b over several chunks of the network per stage (Narayanan et al., SC'21)")
      .add<ZeroBubbleH1>(
          "zb-h1",
          "1f1b with the gradients of weights apart, later stages' held back; 1f1b's "
          "memory (Qi et al., ICLR'24)")
      .add<ZeroBubbleH2>(
          "zb-h2",
          "zb-h1 with twice the micro-batches in flight: next to no idle time (Qi et "
          "al., ICLR'24)")
      .add<PipeDream>("pipedream",
                      "1f1b without flushes: an update per round of a stage's replicas, weights "
                      "stashed (Narayanan et al., SOSP'19)")
      .add<TwoBufferedWeights>("2bw",
                               "1f1b without flushes: an update per step, two versions of the "
                               "weights (PipeDream-2BW, ICML'21)");
  return schedules;
}

std::optional<Refusal> refusal_of(Schedule const& schedule, PipelineShape const& shape) {
  auto refusal = refusal_of_any(shape);
  return refusal ? refusal : schedule.refusal(shape);
}

PipelineProgram program_of(Schedule const& schedule, PipelineShape const& shape) {
  if (auto const refusal = refusal_of(schedule, shape)) {
    throw ConfigError({}, refusal->key, refusal->problem);
  }
  PipelineProgram program{shape, {}};
  for (std::size_t stage = 0; stage < shape.stages(); ++stage) {
    program.orders.emplace_back();
    for (std::size_t replica = 0; replica < shape.replicas[stage]; ++replica) {
      program.orders.back().push_back(schedule.order(shape, stage, replica));
    }
  }
  return program;
}

}  // namespace tessera::partition
