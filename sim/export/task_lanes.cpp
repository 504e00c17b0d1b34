#include "sim/export/task_lanes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "sim/export/lanes.hpp"
#include "sim/export/names.hpp"

namespace tessera::sim {

namespace {

enum class UnitKind : std::uint8_t { compute, memory, send, barrier };
constexpr std::array<char const*, 4> unit_names = {"compute", "memory", "send", "barrier"};

[[nodiscard]] UnitKind unit_of(std::string const& kind) {
  if (kind == "transfer") return UnitKind::send;
  if (kind == "load" || kind == "store") return UnitKind::memory;
  return kind == "barrier" ? UnitKind::barrier : UnitKind::compute;
}

/// (accelerator, unit, lane of it), in the order in which they are drawn.
using LaneKey = std::array<std::size_t, 3>;

}  // namespace

LanedTasks laned_tasks(traces::RunFile const& run, TasksDone const& done) {
  TaskNames const names{run};
  std::map<std::pair<std::size_t, UnitKind>, Lanes> units;
  std::map<LaneKey, std::vector<LanedTask>> lanes;
  std::map<std::size_t, Time> idle_since;  // of processing units, by accelerator
  LanedTasks result;
  std::size_t count = 0;
  run.for_each_task([&](traces::TaskEvent const& event) {
    auto const unit = unit_of(names.kind_of(event.kind));
    static_cast<void>(names.operator_of(event.op));
    static_cast<void>(names.phase_of(event.phase));
    done(++count);
    if (event.start == event.end) {
      ++result.instants;
      return;
    }
    LanedTask task{event, event.start};
    if (unit == UnitKind::compute) {
      auto& idle = idle_since[event.accelerator];
      task.begin = std::max(event.start, idle);
      idle = event.end;
    }
    auto const lane = units[{event.accelerator, unit}].take(task.begin, event.end);
    lanes[{event.accelerator, static_cast<std::size_t>(unit), lane}].push_back(task);
  });

  result.has_causes = names.has_causes();
  result.tasks.reserve(count - static_cast<std::size_t>(result.instants));
  for (auto& [key, tasks] : lanes) {
    result.lanes.push_back({static_cast<std::int64_t>(key[0]), unit_names.at(key[1]),
                            static_cast<std::int64_t>(tasks.size())});
    result.tasks.insert(result.tasks.end(), tasks.begin(), tasks.end());
    tasks = {};
  }
  return result;
}

}  // namespace tessera::sim
