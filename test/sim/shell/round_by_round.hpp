// A task graph whose transfers of several rounds are a task for each round: what they mean, written out.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/task/task_graph.hpp"

namespace tessera::sim {

struct RoundByRound {
  TaskGraph graph;
  IdVector<TaskId, std::vector<TaskId>> rounds;  ///< by task of the graph before
};

/// Every round waits for what the first one waits for, and for the one before of the transfer
/// behind it. Of arrays that are not folded, without barriers; transfers of one ring have
/// consecutive ids.
[[nodiscard]] inline RoundByRound round_by_round(TaskGraph const& graph) {
  RoundByRound made{TaskGraph{graph.accelerators()}, {}};
  made.rounds = IdVector<TaskId, std::vector<TaskId>>{graph.size()};
  IdVector<TaskId, TaskId> behind{graph.size()};
  for (auto const id : graph.tasks().ids()) {
    if (graph.at(id).rounds > 1) behind[graph.at(id).next] = id;
  }
  auto const add = [&](TaskId id, std::uint32_t round) {
    auto task = graph.at(id);
    std::vector<TaskId> after;
    for (auto const before : graph.after(id)) after.push_back(made.rounds[before].back());
    if (round > 0) after.push_back(made.rounds[behind[id]].at(round - 1));
    if (task.rank > 0) task.rank += round * graph.accelerators();
    task.bytes = bytes_of_round(task);
    task.rounds = 1;
    made.rounds[id].push_back(made.graph.add(task, after));
  };
  for (std::size_t index = 0; index < graph.size();) {
    auto last = index;
    for (auto end = index; last <= end; ++last) {
      auto const& task = graph.at(TaskId{last});
      if (task.rounds > 1) end = std::max({end, task.next.index(), behind[TaskId{last}].index()});
    }
    auto const rounds = graph.at(TaskId{index}).rounds;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (auto member = index; member < last; ++member) add(TaskId{member}, round);
    }
    index = last;
  }
  return made;
}

}  // namespace tessera::sim
