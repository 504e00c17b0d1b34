#include "sim/study/step_limit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arch/base/config_error.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

/// All that is kept of a simulated task: itself, whom it waits for, when it was under way.
/// Measured: the peak memory of 1000 steps and more over their tasks is 245 to 277 B.
constexpr double bytes_per_task = 300;

}  // namespace

void check_steps(Experiment const& experiment, TaskGraph const& step, std::int64_t memory_bytes) {
  auto const of_step = static_cast<double>(std::max<std::size_t>(step.size(), 1));
  auto const copies = static_cast<double>(step.folding().copies());
  auto const most = std::min(static_cast<double>(memory_bytes) / bytes_per_task,
                             double{std::numeric_limits<std::uint32_t>::max()} / copies);
  auto const steps = static_cast<double>(experiment.steps);
  if (steps * of_step <= most) return;
  throw ConfigError(
      {"--steps"}, {},
      std::to_string(experiment.steps) + " steps of " + title(experiment) + " are " +
          std::to_string(std::llround(steps * of_step * copies)) + " tasks, which need about " +
          bytes_text(steps * of_step * bytes_per_task) + " of the " +
          bytes_text(static_cast<double>(memory_bytes)) +
          " of memory that this machine has (and have 32-bit numbers); use at most " +
          std::to_string(std::max<std::int64_t>(1, static_cast<std::int64_t>(most / of_step))));
}

}  // namespace tessera::sim
