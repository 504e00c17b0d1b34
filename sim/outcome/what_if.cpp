#include "sim/outcome/what_if.hpp"

#include <algorithm>

#include "sim/outcome/retiming.hpp"

namespace tessera::sim::outcome {

namespace {

class WhatIf final {
 public:
  WhatIf(Outcome const& outcome, UnitTimes& times)
      : outcome_{outcome},
        graph_{outcome.blueprint.schedule.graph()},
        times_{times},
        shapes_{outcome, times} {}

  [[nodiscard]] Time estimate(Faster const& faster) {
    RecordedDurations const durations{outcome_, times_, shapes_, faster};
    return Retiming{outcome_, times_, durations, Queues::as_recorded}.run();
  }

  [[nodiscard]] Time bound(ResourceClass const& resources) {
    Faster const faster{resources, Speed::infinite};
    LeastDurations const durations{outcome_, times_, shapes_, faster};
    auto const path = Retiming{outcome_, times_, durations, Queues::ignored}.run();
    return std::max({path, load_of_accelerators(durations), load_of_links(resources)});
  }

 private:
  /// Of the processing unit or the memory that is busy longest.
  [[nodiscard]] Time load_of_accelerators(LeastDurations const& durations) const {
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
  [[nodiscard]] Time load_of_links(ResourceClass const& faster) const {
    Time most{0};
    if (outcome_.blueprint.array.fabric.packets) return most;
    arch::Topology const whole{outcome_.blueprint.array};
    arch::LinkId link;
    for (auto const& resource : outcome_.resources) {
      if (resource.kind != Resource::Kind::link) continue;
      Time const busy{resource.statistic("busy") / resource.lanes};
      if (!faster.has(whole.links()[link])) most = std::max(most, busy);
      link = arch::LinkId{link.index() + 1};
    }
    return most;
  }

  Outcome const& outcome_;
  TaskGraph const& graph_;
  UnitTimes& times_;
  TransferShapes shapes_;
};

}  // namespace

std::vector<traces::WhatIfEntry> what_if(Outcome const& outcome, UnitTimes& times) {
  WhatIf question{outcome, times};
  std::vector<traces::WhatIfEntry> entries;
  if (question.estimate({}) != outcome.end) return entries;
  for (auto const& resources : resource_classes(outcome.blueprint)) {
    entries.push_back({resources.name, question.bound(resources),
                       question.estimate({resources, Speed::doubled}),
                       question.estimate({resources, Speed::infinite})});
  }
  return entries;
}

}  // namespace tessera::sim::outcome
