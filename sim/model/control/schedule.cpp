// Counting sort, twice: tasks by accelerator, and edges by predecessor.
#include "sim/model/control/schedule.hpp"

#include <numeric>

namespace tessera::sim {

template <typename ForEachPair>
TaskRows Schedule::collect(std::size_t rows, ForEachPair for_each_pair) {
  std::vector<std::size_t> starts(rows + 1, 0);
  for_each_pair([&](std::size_t row, TaskId) { ++starts[row + 1]; });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<TaskId> ids(starts.back());
  std::vector<std::size_t> next = starts;
  for_each_pair([&](std::size_t row, TaskId id) { ids[next[row]++] = id; });
  return {std::move(starts), std::move(ids)};
}

Schedule::Schedule(TaskGraph const& graph) : graph_{graph}, places_{graph.size()} {
  auto const ids = graph.tasks().ids();
  std::vector<std::uint32_t> counts(graph.accelerators(), 0);
  for (TaskId const id : ids) {
    auto const& task = graph.at(id);
    EXPECTS(task.rounds == 1 || graph.at(task.next).rounds == task.rounds, id);
    places_[id] = {task.accelerator, counts[task.accelerator.index()]++};
  }
  own_ = collect(graph.accelerators(), [&](auto const& visit) {
    for (TaskId const id : ids) visit(accelerator(id).index(), id);
  });
  successors_ = collect(graph.size(), [&](auto const& visit) {
    for (TaskId const id : ids) {
      for (TaskId const before : graph.after(id)) visit(before.index(), id);
    }
  });
}

}  // namespace tessera::sim
