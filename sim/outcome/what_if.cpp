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
           RecordedRounds const& rounds)
      : resources{asked},
        least{outcome, times, rounds.times(), {asked, Speed::infinite}},
        doubled{outcome, times.transfer_shapes(), rounds, {asked, Speed::doubled}},
        infinite{outcome, times.transfer_shapes(), rounds, {asked, Speed::infinite}} {}

  ResourceClass resources;
  LeastDurations least;
  RecordedDurations doubled;
  RecordedDurations infinite;
};

/// How long the busiest of what is not faster is at work.
class Loads final {
 public:
  Loads(Outcome const& outcome, std::deque<Question> const& questions)
      : outcome_{outcome}, whole_{outcome.blueprint.array} {
    for (auto const& question : questions) {
      of_accelerators_.try_emplace(question.resources.kind, Work{&question.least, {}, {}});
    }
    auto const& schedule = outcome.blueprint.schedule;
    for (std::size_t index = 0; index < schedule.graph().accelerators(); ++index) {
      count(AcceleratorId{index});
    }
  }

  [[nodiscard]] Time most(Question const& question) const {
    auto const& resources = question.resources;
    return std::max(of_accelerators_.at(resources.kind).most, of_links(resources));
  }

 private:
  /// Of accelerators, where something is faster.
  struct Work {
    LeastDurations const* durations = nullptr;
    Cycles cycles{0};  ///< of the accelerator that is counted
    Time most{0};      ///< of the processing unit or the memory that is busy longest
  };

  void count(AcceleratorId accelerator) {
    auto const& schedule = outcome_.blueprint.schedule;
    auto const& graph = schedule.graph();
    Bytes moved{0};
    for (auto& [kind, work] : of_accelerators_) work.cycles = Cycles{0};
    for (auto const id : schedule.tasks_of(accelerator)) {
      auto const kind = graph.at(id).kind;
      if (kind == TaskKind::transfer) continue;
      moved += outcome_.work[id].memory;
      if (kind != TaskKind::compute) continue;
      for (auto& [faster, work] : of_accelerators_) work.cycles += work.durations->cycles(id);
    }
    auto const clock = outcome_.blueprint.clock(accelerator).clock();
    for (auto& [kind, work] : of_accelerators_) {
      work.most = std::max(
          {work.most, clock.edge(work.cycles), work.durations->moving(accelerator, moved)});
    }
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
  std::map<ResourceKind, Work> of_accelerators_;  ///< by what is faster
};

}  // namespace

std::vector<traces::WhatIfEntry> what_if(Outcome const& outcome, UnitTimes& times,
                                         RecordedRounds const& rounds) {
  RecordedDurations const as_it_was{outcome, times.transfer_shapes(), rounds, {}};
  std::vector<Rerun> reruns{{&as_it_was, Queues::observed}};
  std::deque<Question> questions;
  for (auto const& resources : resource_classes(outcome.blueprint)) {
    auto const& asked = questions.emplace_back(resources, outcome, times, rounds);
    reruns.insert(reruns.end(), {{&asked.least, Queues::ignored},
                                 {&asked.doubled, Queues::observed},
                                 {&asked.infinite, Queues::observed}});
  }
  auto const ends = ends_of(RerunTasks{outcome, times, rounds}, reruns);
  std::vector<traces::WhatIfEntry> entries;
  if (ends.front() != outcome.end) return entries;
  Loads const loads{outcome, questions};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    auto const* const answers = &ends.at(1 + 3 * i);
    auto const bound = std::max(answers[0], loads.most(questions[i]));
    entries.push_back({questions[i].resources.name, bound, std::max(answers[1], bound),
                       std::max(answers[2], bound)});
  }
  return entries;
}

}  // namespace tessera::sim::outcome
