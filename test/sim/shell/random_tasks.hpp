// Random task graphs: every kind of task, random dependencies, now and then a ring or a barrier.
#pragma once

#include <random>

#include "test/sim/shell/task_builder.hpp"

namespace tessera::sim {

/// What tasks of each accelerator may wait for.
class KnownTasks final {
 public:
  KnownTasks(std::size_t accelerators, std::mt19937& random)
      : tasks_(accelerators), random_{random} {}

  void add(std::size_t accelerator, TaskId task) { tasks_[accelerator].push_back(task); }
  /// Members of a ring know what they send and what comes to them.
  void add_ring(std::vector<std::size_t> const& members, std::vector<TaskId> const& sent) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      add(members[i], sent[i]);
      add(members[(i + 1) % members.size()], sent[i]);
    }
  }

  /// None of them, one or two.
  [[nodiscard]] std::vector<TaskId> pick(std::size_t accelerator) {
    std::vector<TaskId> after;
    auto const& candidates = tasks_[accelerator];
    for (auto left = random_() % 3; left > 0 && !candidates.empty(); --left) {
      after.push_back(candidates[random_() % candidates.size()]);
    }
    return after;
  }

 private:
  std::vector<std::vector<TaskId>> tasks_;
  std::mt19937& random_;
};

/// Of less work than `most` each: MACs or bytes.
[[nodiscard]] inline TaskGraph random_tasks(unsigned seed, std::size_t accelerators,
                                            std::size_t count, unsigned most = 1'000) {
  std::mt19937 random{seed};
  TaskBuilder build{accelerators};
  KnownTasks known{accelerators, random};
  for (std::size_t task = 0; task < count; ++task) {
    std::size_t const here = random() % accelerators;
    std::size_t const there = random() % accelerators;
    std::int64_t const amount = static_cast<std::int64_t>(random() % most);
    build.op = workloads::OperatorId{task * 5 / count};
    build.phase = workloads::all_phases.at(random() % workloads::all_phases.size());
    build.reduces = random() % 2 == 0;
    TaskId added;
    if (here != there) {
      added = build.transfer(here, there, 1 + amount, known.pick(here));
      known.add(there, added);
    } else if (random() % 3 == 0) {
      added = build.load(here, amount, known.pick(here));
    } else {
      added = build.compute(here, amount, known.pick(here));
    }
    known.add(here, added);
    if (random() % 30 == 0) {
      std::vector<std::size_t> members;
      std::vector<std::vector<TaskId>> after;
      for (auto left = 2 + random() % (accelerators - 1); left > 0; --left) {
        members.push_back((here + left) % accelerators);
        after.push_back(known.pick(members.back()));
      }
      auto const rounds = static_cast<std::uint32_t>(1 + random() % 6);
      auto const sent = build.ring(members, rounds, 1 + amount / 8, after);
      known.add_ring(members, sent);
    }
    if (random() % 40 != 0) continue;
    BarrierId const barrier = build.graph.add_barrier();
    for (std::size_t member = 0; member < accelerators; ++member) {
      known.add(member, build.reach(barrier, member, known.pick(member)));
    }
  }
  return build.graph;
}

}  // namespace tessera::sim
