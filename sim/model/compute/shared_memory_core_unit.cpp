// One task after another, each as far as time has come.
#include "sim/model/compute/shared_memory_core_unit.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

/// The instant is over.
constexpr Time a_moment{1};

}  // namespace

SharedMemoryCoreUnit::SharedMemoryCoreUnit(arch::CoreSpec const& core,
                                           ProcessingUnitParts const& parts)
    : core_{core},
      clock_{parts.clock},
      graph_{parts.schedule.graph()},
      programs_{parts.programs},
      engine_{parts.clock.clock(), parts.memory, parts.utilisation} {
  parts.memory.set_master(*this);
}

void SharedMemoryCoreUnit::push(Time now, Port port, Message const& message) {
  EXPECTS(port == TaskServer::from_dispatcher && message.kind == Message::Kind::issue, port);
  issued_.push_back({message, now});
}

std::optional<Time> SharedMemoryCoreUnit::advance(Time now, Outbox& out) {
  while (!issued_.empty()) {
    if (program_ == nullptr) begin_next();
    ask_before(now);
    if (!engine_.is_over()) return std::max(now, engine_.next_ask()) + a_moment;
    end(out);
  }
  return std::nullopt;
}

void SharedMemoryCoreUnit::ask_before(Time now) {
  if (program_ != nullptr) engine_.ask_before(now);
}

void SharedMemoryCoreUnit::begin_next() {
  auto const& next = issued_.front();
  auto const& task = graph_.at(next.message.task);
  EXPECTS(task.kind == TaskKind::compute, static_cast<int>(task.kind));
  program_ = &programs_.program(core_, graph_, task);
  first_ = clock_.clock().edge_at_or_after(std::max(next.at, free_));
  engine_.begin(*program_, graph_.operands(task.operands), clock_.clock().edge(first_));
}

void SharedMemoryCoreUnit::end(Outbox& out) {
  auto const outcome = engine_.outcome();
  free_ = std::max(outcome.end, clock_.clock().edge(first_ + Cycles{1}));
  Message done = issued_.front().message;
  counters_.count(graph_.at(done.task), outcome, program_->cost());
  done.kind = Message::Kind::done;
  done.waited = outcome.waited;
  out.send(clock_.arrival(free_), TaskServer::to_dispatcher, done);
  issued_.pop_front();
  program_ = nullptr;
}

}  // namespace tessera::sim
