// Counting down predecessors.
#include "sim/model/control/dispatcher.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

/// Where a task of this kind goes, and what its accelerator does meanwhile.
struct Unit {
  Dispatcher::Out port;
  Activity activity;
};

Unit unit_of(TaskKind kind) {
  switch (kind) {
    case TaskKind::compute:
      return {Dispatcher::to_processing_unit, Activity::compute};
    case TaskKind::load:
    case TaskKind::store:
      return {Dispatcher::to_memory, Activity::memory};
    case TaskKind::transfer:
      return {Dispatcher::to_network_interface, Activity::communication};
    case TaskKind::barrier:
      break;
  }
  return {Dispatcher::to_synchronizer, Activity::idle};
}

}  // namespace

Dispatcher::Dispatcher(AcceleratorId accelerator, MessageClock clock, Schedule const& schedule,
                       Records& records)
    : accelerator_{accelerator},
      clock_{clock},
      schedule_{schedule},
      graph_{schedule.graph()},
      journal_{records.journal},
      meter_{accelerator, schedule, records.breakdown} {
  auto const tasks = schedule_.tasks_of(accelerator_);
  unmet_.reserve(tasks.size());
  for (TaskId const task : tasks) {
    Unmet& unmet = unmet_.emplace_back();
    for (TaskId const before : graph_.after(task)) {
      ++(is_incoming(before) ? unmet.incoming : unmet.own);
    }
  }
}

void Dispatcher::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port < inputs, port);
  arrived_.push_back(message);
}

std::optional<Time> Dispatcher::advance(Time now, Outbox& out) {
  meter_.account_until(now);
  if (!started_) start();
  for (Message const& message : arrived_) take(message, now);
  arrived_.clear();
  issue_ready(now, out);
  return std::nullopt;
}

void Dispatcher::start() {
  started_ = true;
  for (TaskId const task : schedule_.tasks_of(accelerator_)) {
    Unmet const& unmet = unmet_[schedule_.place(task)];
    if (unmet.own > 0) continue;
    if (unmet.incoming > 0) {
      meter_.begin(Activity::communication, task);
    } else {
      ready_.push_back(task);
    }
  }
}

void Dispatcher::take(Message const& message, Time now) {
  switch (message.kind) {
    case Message::Kind::sent:
      journal_.leave(message.task, now);
      meter_.end(Activity::communication, message.task);
      if (!is_incoming(message.task)) release_successors(message.task);
      return;
    case Message::Kind::done:
    case Message::Kind::release:
      complete(message.task, now);
      journal_.wait(message.task, message.waited);
      meter_.waited(message.task, message.waited);
      release_successors(message.task);
      return;
    default:
      EXPECTS(false && "not a message for a dispatcher", static_cast<int>(message.kind));
  }
}

void Dispatcher::complete(TaskId task, Time now) {
  Task const& completed = graph_.at(task);
  EXPECTS(completes_at(completed) == accelerator_, task, accelerator_);
  journal_.complete(task, now);
  meter_.completed(task);
  if (!is_incoming(task)) meter_.end(unit_of(completed.kind).activity, task);
  statistics_[tasks_completed].add(1);
}

void Dispatcher::release_successors(TaskId task) {
  bool const incoming = is_incoming(task);
  for (TaskId const successor : schedule_.successors(task)) {
    if (schedule_.accelerator(successor) == accelerator_) count_down(successor, incoming);
  }
}

void Dispatcher::count_down(TaskId task, bool incoming) {
  Unmet& unmet = unmet_[schedule_.place(task)];
  std::uint32_t& count = incoming ? unmet.incoming : unmet.own;
  EXPECTS(count > 0, task);
  --count;
  if (unmet.own > 0) return;
  if (unmet.incoming > 0) {
    if (!incoming) meter_.begin(Activity::communication, task);
    return;
  }
  if (incoming) meter_.end(Activity::communication, task);
  ready_.push_back(task);
}

void Dispatcher::issue_ready(Time now, Outbox& out) {
  if (ready_.empty()) return;
  std::sort(ready_.begin(), ready_.end());
  Time const arrival = clock_.arrival(now);
  for (TaskId const id : ready_) {
    Task const& task = graph_.at(id);
    Unit const unit = unit_of(task.kind);
    journal_.start(id, now);
    meter_.begin(unit.activity, id);
    Message message;
    message.kind = task.kind == TaskKind::barrier ? Message::Kind::arrive : Message::Kind::issue;
    message.task = id;
    message.barrier = task.barrier;
    message.source = accelerator_;
    message.destination = completes_at(task);
    message.receiver = task.receiver.value_or(message.destination);
    message.level = task.level;
    message.bytes = bytes_of_round(task);
    out.send(arrival, unit.port, message);
  }
  auto const issued = static_cast<std::int64_t>(ready_.size());
  statistics_[tasks_issued].add(issued);
  ready_.clear();
}

/// As far as this accelerator is concerned: an own transfer is done when it has left.
bool Dispatcher::is_done(TaskId task) const {
  if (is_incoming(task)) return journal_.completed(task).has_value();
  Activity const activity = unit_of(graph_.at(task).kind).activity;
  return journal_.started(task) && !meter_.is_outstanding(activity, task);
}

bool Dispatcher::is_incoming(TaskId task) const {
  return arrives_at(graph_.at(task), accelerator_);
}

/// Every task under way, and the first that is not: whatever stops the accelerator is among them.
std::vector<std::string> Dispatcher::waits_for() const {
  std::vector<std::string> lines;
  for (TaskId const task : schedule_.tasks_of(accelerator_)) {
    if (is_done(task)) continue;
    lines.push_back(describe_wait(task));
    if (!journal_.started(task)) break;
  }
  return lines;
}

std::string Dispatcher::describe_wait(TaskId task) const {
  std::string const line = graph_.describe(accelerator_) + ": " + graph_.describe(task) + ' ';
  if (!journal_.started(task)) return line + "waits for " + describe_unmet(task);
  if (graph_.at(task).kind != TaskKind::barrier) return line + "is under way";
  return line + "waits at barrier " + std::to_string(graph_.at(task).barrier.index());
}

std::string Dispatcher::describe_unmet(TaskId task) const {
  for (TaskId const before : graph_.after(task)) {
    if (is_done(before)) continue;
    std::string name = "task " + std::to_string(before.index());
    if (!is_incoming(before)) return name;
    return name + " (transfer from " + graph_.describe(graph_.at(before).accelerator) +
           (journal_.started(before) ? ", under way)" : ", never sent)");
  }
  return "nothing";
}

}  // namespace tessera::sim
