// Schedules: the shape of a pipeline in, every stage's program order out. Stateless and deterministic.
#pragma once

#include <optional>
#include <string>

#include "arch/base/registry.hpp"
#include "partition/schedule/pipeline_program.hpp"

namespace tessera::partition {

struct ScheduleOptions {
  /// PipeDream: do all stages pass a micro-batch on the weights that its input stage had for it
  /// (SOSP'19, section 3.3), or each on its newest? Its default is that they do not.
  enum class VerticalSync { off, on };
  VerticalSync vertical_sync = VerticalSync::off;
};

/// Why a schedule cannot be for a shape.
struct Refusal {
  std::string key;      ///< the member of the shape that it is about: "micro_batches"
  std::string problem;  ///< in an error's words
};

class Schedule {
 public:
  virtual ~Schedule() = default;
  /// None when it can be.
  [[nodiscard]] virtual std::optional<Refusal> refusal(PipelineShape const& shape) const = 0;
  /// What a replica does, over all steps. Requires a shape that is not refused.
  [[nodiscard]] virtual Order order(PipelineShape const& shape, std::size_t stage,
                                    std::size_t replica) const = 0;
  /// Every step ends with an update before the next one begins, on the weights that it made. That
  /// is said of each stage by itself: its update takes the step's gradients of all of its replicas
  /// and waits for no other stage, so that a stage whose gradients are there early begins the next
  /// step while others end this one, but for those to which its weights are tied. (Stages that also
  /// agree on something first, as the norm of all gradients, would wait for each other, which no
  /// paper's closed form counts.)
  [[nodiscard]] virtual bool flushes() const = 0;
};

using ScheduleRegistry = Registry<Schedule, ScheduleOptions const&>;
/// The table of contents of partition/schedule/builtin.
[[nodiscard]] ScheduleRegistry builtin_schedules();

/// What is wrong with a shape under any schedule, or under this one.
[[nodiscard]] std::optional<Refusal> refusal_of(Schedule const& schedule,
                                                PipelineShape const& shape);

/// The orders of all stages and replicas. Throws ConfigError with the refusal.
[[nodiscard]] PipelineProgram program_of(Schedule const& schedule, PipelineShape const& shape);

}  // namespace tessera::partition
