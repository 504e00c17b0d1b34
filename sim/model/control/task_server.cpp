#include "sim/model/control/task_server.hpp"

namespace tessera::sim {

void TaskServer::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port == from_dispatcher && message.kind == Message::Kind::issue, port);
  arrived_.push_back(message);
}

std::optional<Time> TaskServer::advance(Time now, Outbox& out) {
  for (Message const& issue : arrived_) {
    auto const result = perform(graph_.at(issue.task), now);
    Message done = issue;
    done.kind = Message::Kind::done;
    done.waited = result.waited;
    out.send(clock_.arrival(result.end), to_dispatcher, done);
  }
  arrived_.clear();
  return std::nullopt;
}

}  // namespace tessera::sim
