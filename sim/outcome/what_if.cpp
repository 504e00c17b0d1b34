#include "sim/outcome/what_if.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "sim/outcome/retiming.hpp"

namespace tessera::sim::outcome {

namespace {

/// What if the resources of a class were faster?
struct Question {
  Question(ResourceClass const& asked, RerunTasks const& tasks)
      : resources{asked},
        least{tasks, {asked, Speed::infinite}},
        doubled{tasks, {asked, Speed::doubled}},
        infinite{tasks, {asked, Speed::infinite}} {}

  ResourceClass resources;
  LeastDurations least;
  RecordedDurations doubled;
  RecordedDurations infinite;
};

/// How long the busiest of what is not faster is at work.
class Loads final {
 public:
  Loads(Outcome const& outcome, RerunTasks const& tasks, std::deque<Question> const& questions)
      : outcome_{outcome}, whole_{outcome.blueprint.array} {
    auto const moved = moved_by(tasks);
    for (auto const& [resources, least, doubled, infinite] : questions) {
      if (most_.count(resources.kind) == 0) most_[resources.kind] = most_of(tasks, least, moved);
    }
  }

  [[nodiscard]] Time most(Question const& question) const {
    auto const& resources = question.resources;
    return std::max(most_.at(resources.kind), of_links(resources));
  }

 private:
  /// What tasks move to or from each memory; transfers aside.
  [[nodiscard]] IdVector<AcceleratorId, Bytes> moved_by(RerunTasks const& tasks) const {
    auto const& graph = tasks.graph();
    IdVector<AcceleratorId, Bytes> moved{graph.accelerators(), Bytes{0}};
    for (auto const id : graph.tasks().ids()) {
      auto const& task = graph.at(id);
      if (task.kind != TaskKind::transfer) moved[task.accelerator] += outcome_.work[id].memory;
    }
    return moved;
  }

  /// Of the processing unit or the memory that is busy longest.
  [[nodiscard]] Time most_of(RerunTasks const& tasks, LeastDurations const& durations,
                             IdVector<AcceleratorId, Bytes> const& moved) const {
    IdVector<AcceleratorId, Cycles> cycles{moved.size(), Cycles{0}};
    for (auto const& task : tasks.all()) {
      if (task.kind == TaskKind::compute) cycles[task.runs_at] += durations.cycles(task);
    }
    Time most{0};
    for (auto const id : cycles.ids()) {
      auto const& clock = outcome_.blueprint.clock(id).clock();
      most = std::max({most, clock.edge(cycles[id]), durations.moving(id, moved[id])});
    }
    return most;
  }

  /// Of the mean lane of the link that is busy longest, of those that are not faster. Packets may
  /// take other ways.
  [[nodiscard]] Time of_links(ResourceClass const& faster) const {
    Time most{0};
    if (outcome_.blueprint.array.fabric.packets) return most;
    arch::LinkId link;
    for (auto const& resource : outcome_.resources) {
      if (resource.kind != Resource::Kind::link) continue;
      Time const busy{resource.statistic("busy") / resource.lanes};
      if (!faster.has_links_of(whole_.links()[link].level)) most = std::max(most, busy);
      link = arch::LinkId{link.index() + 1};
    }
    return most;
  }

  Outcome const& outcome_;
  arch::Topology whole_;
  std::map<ResourceKind, Time> most_;  ///< of accelerators, by what is faster
};

}  // namespace

std::vector<traces::WhatIfEntry> what_if(Outcome const& outcome, UnitTimes& times,
                                         RecordedRounds const& rounds) {
  RerunTasks const tasks{outcome, times, rounds};
  RecordedDurations const as_it_was{tasks, {}};
  std::vector<Rerun> reruns{{&as_it_was, Queues::observed}};
  std::deque<Question> questions;
  for (auto const& resources : resource_classes(outcome.blueprint)) {
    auto const& asked = questions.emplace_back(resources, tasks);
    reruns.insert(reruns.end(), {{&asked.least, Queues::ignored},
                                 {&asked.doubled, Queues::observed},
                                 {&asked.infinite, Queues::observed}});
  }
  auto const ends = ends_of(tasks, reruns);
  std::vector<traces::WhatIfEntry> entries;
  if (ends.front() != outcome.end) return entries;
  Loads const loads{outcome, tasks, questions};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    auto const* const answers = &ends.at(1 + 3 * i);
    auto const bound = std::max(answers[0], loads.most(questions[i]));
    entries.push_back({questions[i].resources.name, bound, std::max(answers[1], bound),
                       std::max(answers[2], bound)});
  }
  return entries;
}

}  // namespace tessera::sim::outcome
