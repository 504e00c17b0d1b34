#include "sim/outcome/what_if.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "sim/outcome/retiming.hpp"

namespace tessera::sim::outcome {

namespace {

/// What if the resources of a class were faster?
struct Question {
  Question(ResourceClass const& asked, Outcome const& outcome, UnitTimes const& times,
           TransferShapes const& shapes)
      : resources{asked},
        least{outcome, times, shapes, {asked, Speed::infinite}},
        doubled{outcome, shapes, {asked, Speed::doubled}},
        infinite{outcome, shapes, {asked, Speed::infinite}} {}

  ResourceClass resources;
  LeastDurations least;
  RecordedDurations doubled;
  RecordedDurations infinite;
};

/// How long the busiest of what is not faster is at work.
class Loads final {
 public:
  explicit Loads(Outcome const& outcome)
      : outcome_{outcome},
        graph_{outcome.blueprint.schedule.graph()},
        whole_{outcome.blueprint.array} {}

  [[nodiscard]] Time most(Question const& question) {
    auto const& resources = question.resources;
    auto const [known, is_new] = of_accelerators_.try_emplace(resources.kind, Time{0});
    if (is_new) known->second = of_accelerators(question.least);
    return std::max(known->second, of_links(resources));
  }

 private:
  /// Of the processing unit or the memory that is busy longest.
  [[nodiscard]] Time of_accelerators(LeastDurations const& durations) const {
    Time most{0};
    for (std::size_t index = 0; index < graph_.accelerators(); ++index) {
      AcceleratorId const accelerator{index};
      Cycles cycles{0};
      Bytes moved{0};
      for (auto const id : outcome_.blueprint.schedule.tasks_of(accelerator)) {
        auto const kind = graph_.at(id).kind;
        if (kind == TaskKind::compute) cycles += durations.cycles(id);
        if (kind != TaskKind::transfer) moved += outcome_.work[id].memory;
      }
      auto const clock = outcome_.blueprint.clock(accelerator).clock();
      most = std::max({most, clock.edge(cycles), durations.moving(accelerator, moved)});
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
  TaskGraph const& graph_;
  arch::Topology whole_;
  std::map<ResourceKind, Time> of_accelerators_;  ///< by what is faster
};

}  // namespace

std::vector<traces::WhatIfEntry> what_if(Outcome const& outcome, UnitTimes& times) {
  TransferShapes const shapes{outcome, times};
  RecordedDurations const as_it_was{outcome, shapes, {}};
  std::vector<Rerun> reruns{{&as_it_was, Queues::as_recorded}};
  std::deque<Question> questions;
  for (auto const& resources : resource_classes(outcome.blueprint)) {
    auto const& asked = questions.emplace_back(resources, outcome, times, shapes);
    reruns.insert(reruns.end(), {{&asked.least, Queues::ignored},
                                 {&asked.doubled, Queues::as_recorded},
                                 {&asked.infinite, Queues::as_recorded}});
  }
  auto const ends = ends_of(RerunTasks{outcome, times}, reruns);
  std::vector<traces::WhatIfEntry> entries;
  if (ends.front() != outcome.end) return entries;
  Loads loads{outcome};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    auto const* const answers = &ends.at(1 + 3 * i);
    auto const bound = std::max(answers[0], loads.most(questions[i]));
    entries.push_back({questions[i].resources.name, bound, answers[1], answers[2]});
  }
  return entries;
}

}  // namespace tessera::sim::outcome
