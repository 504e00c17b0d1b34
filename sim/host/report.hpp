// What a run found out, whoever hosted it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "traces/event.hpp"

namespace tessera::sim {

/// A module of the hardware.
struct ModuleEntry {
  std::string name;     ///< "array.accelerator-3.memory.vault-17"
  std::string kind;     ///< "vault"
  std::string mirrors;  ///< the module that was simulated and stands for this one, too
  std::string unused;   ///< why nothing is simulated here; empty: something is
  std::string core;     ///< "messages": simulated by a core that does so for others, too

  [[nodiscard]] bool is_simulated() const { return mirrors.empty() && unused.empty(); }
};

struct Report {
  traces::RunSummary
      summary;  ///< complete = false: no task could proceed, though some were not done
  std::vector<std::string> stuck;  ///< then: who waits for whom, one line each; else empty
  /// Of all tiles, those that were worked out one by one; the others repeat them, from records
  /// (PhaseMemo) or on the copies of a folded array's representatives.
  std::int64_t worked_out_tiles = 0;
  std::int64_t simulated_tiles = 0;  ///< of representatives, repeated or not
  std::int64_t repeated_steps = 0;   ///< of these, that repeat steps of other tiles (StepRepeater)
  std::int64_t asked_blocks = 0;     ///< of simulated channels that repeat turns (DramRepeater)
  std::int64_t repeated_blocks = 0;  ///< of these, that took a known course
  std::vector<ModuleEntry> modules;  ///< if they were asked for
  /// How long the critical path and the what-ifs took, if RunOptions::explain asks for them.
  std::optional<double> explain_wall_s;
};

}  // namespace tessera::sim
