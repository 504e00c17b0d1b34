// How much of a run is written.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::traces {

enum class TraceLevel : std::uint8_t {
  none,      ///< what the run was and how it ended
  tasks,     ///< and every task
  commands,  ///< and every command of the memories
};

/// As the run file and the command line spell it.
[[nodiscard]] inline std::string name(TraceLevel level) {
  switch (level) {
    case TraceLevel::none:
      return "none";
    case TraceLevel::tasks:
      return "tasks";
    case TraceLevel::commands:
      break;
  }
  return "commands";
}

}  // namespace tessera::traces
