// How much of a run is written.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::traces {

enum class TraceLevel : std::uint8_t {
  none,      ///< what the run was and how it ended
  repeats,   ///< and the tasks of the accelerators that were simulated, none of those that mirror
             ///< them
  tasks,     ///< and every task
  commands,  ///< and every command of the memories
};

/// As the run file and the command line spell it.
[[nodiscard]] inline std::string name(TraceLevel level) {
  switch (level) {
    case TraceLevel::none:
      return "none";
    case TraceLevel::repeats:
      return "repeats";
    case TraceLevel::tasks:
      return "tasks";
    case TraceLevel::commands:
      break;
  }
  return "commands";
}

/// The schema of its run file: who counts tasks has to know that some stand for others'.
[[nodiscard]] inline std::string schema_of(TraceLevel level) {
  return level == TraceLevel::repeats ? "tessera.run/2" : "tessera.run/1";
}

}  // namespace tessera::traces
