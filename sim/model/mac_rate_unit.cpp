// Whole cycles, one task after another.
#include "sim/model/mac_rate_unit.hpp"

#include <algorithm>

namespace tessera::sim {

MacRateUnit::MacRateUnit(arch::MacRateUnitSpec const& spec, Clock clock, TaskGraph const& graph,
                         BusyHistogram& utilisation)
    : macs_per_cycle_{spec.macs_per_cycle},
      clock_{clock},
      graph_{graph},
      utilisation_{utilisation} {
  EXPECTS(macs_per_cycle_ > 0, macs_per_cycle_);
}

void MacRateUnit::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port == from_dispatcher && message.kind == Message::Kind::issue, port);
  arrived_.push_back(message);
}

std::optional<Time> MacRateUnit::advance(Time now, Outbox& out) {
  for (Message const& issue : arrived_) compute(issue, now, out);
  arrived_.clear();
  return std::nullopt;
}

void MacRateUnit::compute(Message const& issue, Time now, Outbox& out) {
  Task const& task = graph_.at(issue.task);
  EXPECTS(task.kind == TaskKind::compute, issue.task);
  std::int64_t const length = std::max(
      std::int64_t{1}, detail::multiply_divide_ceil(task.macs.value(), 1, macs_per_cycle_));
  Cycles const first = clock_.edge_at_or_after(std::max(now, free_));
  Time const start = clock_.edge(first);
  free_ = clock_.edge(first + Cycles{length});

  utilisation_.add(start, free_);
  statistics_[busy].add((free_ - start).value());
  statistics_[task_macs].add(task.macs.value());
  statistics_[tasks].add(1);
  statistics_[buffer_accesses].add(task.buffer_accesses.value());

  Message done = issue;
  done.kind = Message::Kind::done;
  out.send(clock_.after(free_, Cycles{1}), to_dispatcher, done);
}

void MacRateUnit::serialize(Time now, StateWriter& out) const {
  out.put_phase(clock_, now);
  out.put_future(free_, now);
  for (Message const& message : arrived_) out.put(message);
}

}  // namespace tessera::sim
