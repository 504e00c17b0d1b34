#include "partition/price/plan_timeline.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "arch/array/topology.hpp"
#include "partition/price/timeline.hpp"
#include "partition/price/work.hpp"
#include "partition/step/exchanges.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::Operator;
using workloads::PerDim;
using workloads::Phase;

namespace {

std::int64_t const most_accelerators = 128;
std::size_t const most_tasks = 1 << 20;
Time const shortest{1};

/// Whatever an accelerator waits for.
using Tasks = std::vector<TimelineTaskId>;

void add_to(Tasks& tasks, Tasks const& more) {
  tasks.insert(tasks.end(), more.begin(), more.end());
  std::sort(tasks.begin(), tasks.end());
  tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
}

Time in_picoseconds(double seconds) { return Time{std::llround(seconds * 1e12)}; }

/// What an accelerator has of an operator's loop nest in a phase; of an update, of the weights.
PerDim<std::int64_t> part_of(Tiling const& tiling, workloads::OperatorId id, Operator const& op,
                             Phase phase, std::size_t accelerator) {
  auto part = op.extents;
  for (auto const& split : tiling.splits(id, phase)) {
    if (!split || (phase == Phase::update && !op.weight->axis_of(split->dim))) continue;
    part[split->dim] = tiling.loop_extent(id, split->dim, accelerator, phase);
  }
  return part;
}

/// The lanes of all links, and where each link's begin.
class Lanes final {
 public:
  explicit Lanes(arch::Topology const& topology) : topology_{&topology} {
    for (auto const& link : topology.links()) {
      first_.push_back(count_);
      count_ += static_cast<std::size_t>(link.lanes);
    }
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t of(arch::LinkId link, arch::NodeId source) const {
    return first_[link] + static_cast<std::size_t>(topology_->lane(link, source));
  }

 private:
  arch::Topology const* topology_;
  IdVector<arch::LinkId, std::size_t> first_;
  std::size_t count_ = 0;
};

/// The tasks of a step. Cores are the first resources.
class StepTasks final {
 public:
  StepTasks(Problem const& problem, Plan const& plan, OperatorTimes const& times)
      : problem_{problem},
        times_{times},
        step_{step_of(problem, plan)},
        topology_{problem.array},
        tiling_{problem.network, plan},
        lanes_{topology_},
        all_(tiling_.accelerators()),
        busy_(tiling_.accelerators() + lanes_.count(), Time{0}),
        timeline_{busy_.size()} {
    std::iota(all_.begin(), all_.end(), std::size_t{0});
  }

  /// Returns nothing where they would be too many.
  [[nodiscard]] std::optional<TimelinePrice> priced() {
    for (auto const id : step_.actions.ids()) {
      done_.push_back(done_with(step_.actions[id]));
      if (timeline_.size() > most_tasks) return std::nullopt;
    }
    timeline_.simulate();
    auto const cores = busy_.begin() + static_cast<std::ptrdiff_t>(all_.size());
    TimelinePrice price;
    price.step = timeline_.length();
    price.busiest_core = *std::max_element(busy_.begin(), cores);
    if (cores != busy_.end()) price.busiest_lane = *std::max_element(cores, busy_.end());
    price.tasks = timeline_.size();
    return price;
  }

 private:
  using ByAccelerator = std::vector<Tasks>;

  [[nodiscard]] bool takes_turns() const {
    return problem_.array.execution.overlap == arch::ExecutionSpec::Overlap::none;
  }

  /// What each accelerator's part of an action is done with.
  [[nodiscard]] ByAccelerator done_with(Action const& action) {
    ByAccelerator operands(all_.size());
    for (auto const before : action.after) {
      for (auto const accelerator : all_) {
        add_to(operands[accelerator], done_[before][accelerator]);
      }
    }
    if (takes_turns()) operands.assign(all_.size(), turn_);
    return action.is_computation() ? computed(action, std::move(operands))
                                   : converted(*action.conversion, std::move(operands));
  }

  [[nodiscard]] ByAccelerator computed(Action const& action, ByAccelerator done) {
    auto const& op = problem_.network.at(action.op);
    for (auto const accelerator : all_) {
      auto const part = part_of(tiling_, action.op, op, action.phase, accelerator);
      auto const time =
          in_picoseconds(times_(problem_.array.accelerator(accelerator), op, action.phase, part));
      if (time < shortest) continue;
      done[accelerator] = {task(time, accelerator, done[accelerator])};
    }
    take_turns(done);
    return done;
  }

  /// In a round of a collective exchanges wait for some of earlier rounds, in any other step for
  /// all that their senders have received.
  [[nodiscard]] ByAccelerator converted(Conversion const& conversion, ByAccelerator done) {
    auto const element_size = problem_.network.element_size();
    ByAccelerator first_round;
    std::vector<Tasks> arrived;  // by exchange, since the first round
    for (auto const& step : exchanges_of(tiling_, conversion, all_)) {
      if (!step.is_later_round) {
        first_round = done;
        arrived.clear();
      }
      auto next = done;
      for (auto const& exchange : step.exchanges) {
        auto operands = first_round[exchange.from];
        for (auto const earlier : exchange.after) add_to(operands, arrived[earlier]);
        if (takes_turns()) operands = done[exchange.from];
        auto const arrives =
            message(exchange.from, exchange.to, element_size * exchange.elements.value(), operands);
        arrived.push_back(arrives);
        add_to(next[exchange.to], arrives);
      }
      done = std::move(next);
      take_turns(done);
    }
    return done;
  }

  /// Everybody goes on when all are done.
  void take_turns(ByAccelerator& done) {
    if (!takes_turns()) return;
    Tasks all;
    for (auto const& of_one : done) add_to(all, of_one);
    if (all.size() > 1) all = {task(shortest, std::nullopt, all)};
    turn_ = all;
    done.assign(all_.size(), all);
  }

  /// What is done when it has arrived: what it waits for where there is nothing to send.
  [[nodiscard]] Tasks message(std::size_t from, std::size_t to, Bytes size, Tasks const& operands) {
    arch::NodeId const source{from};
    Tasks on_links;
    Time latency = shortest;
    for (auto const& part : topology_.cut(source, arch::NodeId{to}, size)) {
      if (part.size == Bytes{0}) continue;
      Time of_path{0};
      for (auto const link : topology_.route(source, arch::NodeId{to}, part.turn)) {
        auto const& wire = topology_.links()[link];
        auto const time = std::max(shortest, part.size / wire.lane_bandwidth);
        on_links.push_back(task(time, all_.size() + lanes_.of(link, source), operands));
        of_path += wire.latency;
      }
      latency = std::max(latency, of_path);
    }
    return on_links.empty() ? operands : Tasks{task(latency, std::nullopt, on_links)};
  }

  TimelineTaskId task(Time time, std::optional<std::size_t> resource, Tasks const& after) {
    auto const id =
        timeline_.add(time, resource ? std::optional{ResourceId{*resource}} : std::nullopt);
    for (auto const before : after) timeline_.connect(before, id);
    if (resource) busy_[*resource] += time;
    return id;
  }

  Problem problem_;
  OperatorTimes const& times_;
  Step step_;
  arch::Topology topology_;
  Tiling tiling_;
  Lanes lanes_;
  Holders all_;
  std::vector<Time> busy_;  ///< by resource
  Timeline timeline_;
  IdVector<ActionId, ByAccelerator> done_;
  Tasks turn_;  ///< where actions take turns: the end of the last one
};

}  // namespace

OperatorTimes peak_rates() {
  return [](arch::AcceleratorSpec const& accelerator, Operator const& op, Phase phase,
            PerDim<std::int64_t> const& part) {
    auto time_s = seconds_on_one(accelerator, op, phase);
    for (auto const dim : workloads::all_dims) {
      time_s *= static_cast<double>(part[dim]) / static_cast<double>(op.extents[dim]);
    }
    return time_s;
  };
}

std::optional<TimelinePrice> timeline_price(Problem const& problem, Plan const& plan,
                                            OperatorTimes const& times) {
  if (plan.pipeline || problem.array.accelerators > most_accelerators) return std::nullopt;
  return StepTasks{problem, plan, times}.priced();
}

}  // namespace tessera::partition
