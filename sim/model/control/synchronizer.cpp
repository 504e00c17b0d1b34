// Gathering and releasing.
#include "sim/model/control/synchronizer.hpp"

#include <algorithm>

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

Synchronizer::Gathering Synchronizer::gathering_of(BarrierId barrier) const {
  auto const& members = (*members_)[barrier];
  auto const count = std::count(members.begin(), members.end(), true);
  return {std::vector<std::optional<TaskId>>(accelerators_), static_cast<std::size_t>(count)};
}

void Synchronizer::collect(Message const& arrival, Time now, Outbox& out) {
  auto const barrier = arrival.barrier;
  auto const [entry, is_new] = gatherings_.try_emplace(barrier);
  if (is_new) entry->second = gathering_of(barrier);
  auto& gathering = entry->second;
  auto& task = gathering.tasks.at(arrival.source.index());
  EXPECTS(!task && (*members_)[barrier].at(arrival.source.index()), barrier, arrival.source);
  task = arrival.task;
  if (--gathering.missing > 0) return;
  release(barrier, gathering, now, out);
  gatherings_.erase(barrier);
}

void Synchronizer::release(BarrierId barrier, Gathering const& gathering, Time now, Outbox& out) {
  statistics_[barriers].add(1);
  for (std::size_t accelerator = 0; accelerator < accelerators_; ++accelerator) {
    if (!gathering.tasks[accelerator]) continue;
    Message message;
    message.kind = Message::Kind::release;
    message.barrier = barrier;
    message.task = *gathering.tasks[accelerator];
    message.destination = AcceleratorId{accelerator};
    out.send(now + latency_, static_cast<Port>(accelerator), message);
  }
}

std::vector<std::string> Synchronizer::waits_for() const {
  std::vector<std::string> lines;
  for (auto const& [barrier, gathering] : gatherings_) {
    lines.push_back(waits_for(barrier, gathering));
  }
  return lines;
}

std::string Synchronizer::waits_for(BarrierId barrier, Gathering const& gathering) const {
  constexpr std::size_t most = 8;
  auto const& members = (*members_)[barrier];
  auto const all = static_cast<std::size_t>(std::count(members.begin(), members.end(), true));
  std::string names;
  std::size_t named = 0;
  for (std::size_t accelerator = 0; accelerator < accelerators_ && named < most; ++accelerator) {
    if (!members[accelerator] || gathering.tasks[accelerator]) continue;
    names += (named == 0 ? "accelerator-" : ", accelerator-") +
             std::to_string(folding_.accelerator(accelerator));
    ++named;
  }
  auto const unnamed = gathering.missing * folding_.copies() - named;
  if (unnamed > 0) names += " and " + std::to_string(unnamed) + " more";
  return "synchronizer: barrier " + std::to_string(barrier.index()) + ", reached by " +
         std::to_string((all - gathering.missing) * folding_.copies()) + " of " +
         std::to_string(all * folding_.copies()) + ", waits for " + names;
}

}  // namespace tessera::sim
