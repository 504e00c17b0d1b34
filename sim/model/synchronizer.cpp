// Gathering and releasing.
#include "sim/model/synchronizer.hpp"

namespace tessera::sim {

void Synchronizer::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port == from_dispatchers && message.kind == Message::Kind::arrive, port);
  arrived_.push_back(message);
}

std::optional<Time> Synchronizer::advance(Time now, Outbox& out) {
  for (Message const& arrival : arrived_) collect(arrival, now, out);
  arrived_.clear();
  return std::nullopt;
}

void Synchronizer::collect(Message const& arrival, Time now, Outbox& out) {
  Gathering& gathering = gatherings_[arrival.barrier];
  gathering.tasks.resize(accelerators_);
  auto& task = gathering.tasks.at(arrival.source.index());
  EXPECTS(!task, arrival.barrier, arrival.source);
  task = arrival.task;
  if (++gathering.reached < accelerators_) return;
  release(arrival.barrier, gathering, now, out);
  gatherings_.erase(arrival.barrier);
}

void Synchronizer::release(BarrierId barrier, Gathering const& gathering, Time now, Outbox& out) {
  statistics_[barriers].add(1);
  for (std::size_t accelerator = 0; accelerator < accelerators_; ++accelerator) {
    Message message;
    message.kind = Message::Kind::release;
    message.barrier = barrier;
    message.task = *gathering.tasks[accelerator];
    message.destination = AcceleratorId{accelerator};
    out.send(now + period_, static_cast<Port>(accelerator), message);
  }
}

void Synchronizer::serialize(Time /*now*/, StateWriter& out) const {
  for (auto const& [barrier, gathering] : gatherings_) {
    out.put(static_cast<std::int64_t>(barrier.index()));
    for (auto const& task : gathering.tasks) {
      out.put(task ? 1 : 0);
      out.put(task ? static_cast<std::int64_t>(task->index()) : 0);
    }
  }
  for (Message const& message : arrived_) out.put(message);
}

std::vector<std::string> Synchronizer::waits_for() const {
  std::vector<std::string> lines;
  for (auto const& [barrier, gathering] : gatherings_) {
    lines.push_back("synchronizer: barrier " + std::to_string(barrier.index()) + ", reached by " +
                    std::to_string(gathering.reached * folding_.copies()) + " of " +
                    std::to_string(folding_.accelerators()) + ", waits for " + missing(gathering));
  }
  return lines;
}

std::string Synchronizer::missing(Gathering const& gathering) const {
  constexpr std::size_t most = 8;
  std::size_t const count = accelerators_ - gathering.reached;
  std::string names;
  std::size_t named = 0;
  for (std::size_t accelerator = 0; accelerator < accelerators_ && named < most; ++accelerator) {
    if (gathering.tasks[accelerator]) continue;
    names += (named == 0 ? "accelerator-" : ", accelerator-") +
             std::to_string(folding_.accelerator(accelerator));
    ++named;
  }
  auto const unnamed = count * folding_.copies() - named;
  return unnamed > 0 ? names + " and " + std::to_string(unnamed) + " more" : names;
}

}  // namespace tessera::sim
