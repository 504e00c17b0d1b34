#include "sim/outcome/unit_times.hpp"

#include <algorithm>
#include <tuple>
#include <variant>

#include "sim/outcome/barrier_order.hpp"

namespace tessera::sim::outcome {

namespace {

/// When a unit was done of which the dispatcher heard at `heard`: rounded up to its clock.
Time before_message(MessageClock const& clock, Time heard) {
  auto const latency = clock.latency();
  auto const edge = clock.clock().edge_at_or_after(heard);
  return edge < latency ? Time{0} : clock.clock().edge(edge - latency);
}

/// What a memory may do for the next request before the one before is done.
Time overlap(arch::MemorySpec const& memory) {
  auto const* const spec = std::get_if<arch::BandwidthMemorySpec>(&memory);
  return spec == nullptr ? Time{0} : spec->latency;
}

bool takes_time(arch::MemorySpec const& memory) {
  return !std::holds_alternative<arch::IdealMemorySpec>(memory);
}

}  // namespace

UnitTimes::UnitTimes(Outcome const& outcome)
    : graph_{outcome.blueprint.schedule.graph()},
      journal_{outcome.records.journal},
      blueprint_{outcome.blueprint},
      idle_{outcome.blueprint},
      shapes_{outcome, idle_},
      times_{graph_.size()},
      sent_{blueprint_.topology.links().size()} {
  order_ = members_first(outcome, by_issue());
  IdVector<AcceleratorId, Last> last{graph_.accelerators()};
  for (auto const id : order_) add(id, last[graph_.at(id).accelerator]);
}

/// By (issued, released, task).
std::vector<TaskId> UnitTimes::by_issue() const {
  auto order = journal_.by_start();
  auto const issued = [this](TaskId id) { return *journal_.started(id); };
  auto const comes_first = [this](TaskId a, TaskId b) {
    return std::pair{released(a), a} < std::pair{released(b), b};
  };
  for (auto from = order.begin(); from != order.end();) {
    auto const at = issued(*from);
    auto const to = std::find_if(from, order.end(), [&](TaskId id) { return issued(id) != at; });
    std::sort(from, to, comes_first);
    from = to;
  }
  return order;
}

Time UnitTimes::released(TaskId id) const {
  auto const left = journal_.left(id);
  return left ? *left : *journal_.completed(id);
}

void UnitTimes::add(TaskId id, Last& last) {
  auto const& task = graph_.at(id);
  auto const& spec = blueprint_.spec(task.accelerator);
  auto const& clock = idle_.clock(task.accelerator);
  auto& time = times_[id];
  auto const end = *journal_.completed(id);
  time.arrived = time.begun = clock.arrival(*journal_.started(id));
  time.served = time.free = before_message(idle_.clock(completes_at(task)), end);
  switch (task.kind) {
    case TaskKind::compute:
      return queue_behind(last.computed, id);
    case TaskKind::load:
    case TaskKind::store:
      time.free = std::max(time.begun, time.served - overlap(spec.memory));
      if (takes_time(spec.memory)) queue_behind(last.moved, id);
      return;
    case TaskKind::transfer:
      return add_transfer(id);
    case TaskKind::barrier:
      time.served = time.free = end;
  }
}

void UnitTimes::add_transfer(TaskId id) {
  auto const& task = graph_.at(id);
  auto& time = times_[id];
  time.arrived = time.begun = idle_.arrival_at_link(task, *journal_.started(id));
  auto const left = journal_.left(id);
  EXPECTS(left.has_value(), id);
  time.free = std::max(time.begun, before_message(idle_.clock(task.accelerator), *left));
  if (auto const link = shapes_.first_link(id)) queue_behind(sent_[*link], id);
}

void UnitTimes::queue_behind(std::optional<TaskId>& last, TaskId id) {
  auto& time = times_[id];
  bool const is_in_order = last && times_[*last].free <= time.free;
  if (is_in_order) {
    time.ahead = last;
    time.begun = std::max(time.begun, times_[*last].free);
    time.free = std::max(time.free, time.begun);
  }
  last = id;
}

}  // namespace tessera::sim::outcome
