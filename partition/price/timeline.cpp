#include "partition/price/timeline.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace tessera::partition {

namespace {

void erase_from(std::vector<TimelineTaskId>& tasks, TimelineTaskId task) {
  auto const found = std::find(tasks.begin(), tasks.end(), task);
  EXPECTS(found != tasks.end(), task);
  tasks.erase(found);
}

}  // namespace

TimelineTaskId Timeline::add(Time duration, std::optional<ResourceId> resource) {
  EXPECTS(duration > Time{0}, duration);
  Task task;
  task.duration = duration;
  task.resource = resource;
  TimelineTaskId id{tasks_.size()};
  if (free_.empty()) {
    tasks_.push_back(std::move(task));
  } else {
    id = free_.back();
    free_.pop_back();
    tasks_[id] = std::move(task);
  }
  mark(id);
  return id;
}

void Timeline::remove(TimelineTaskId id) {
  auto& task = tasks_[id];
  while (!task.before.empty()) disconnect(task.before.back(), id);
  while (!task.after.empty()) disconnect(id, task.after.back());
  leave_queue(id);
  task.exists = false;
  free_.push_back(id);
}

void Timeline::connect(TimelineTaskId before, TimelineTaskId after) {
  EXPECTS(before != after, before);
  tasks_[before].after.push_back(after);
  tasks_[after].before.push_back(before);
  mark(after);
}

void Timeline::disconnect(TimelineTaskId before, TimelineTaskId after) {
  erase_from(tasks_[before].after, after);
  erase_from(tasks_[after].before, before);
  mark(after);
}

void Timeline::set_duration(TimelineTaskId id, Time duration) {
  EXPECTS(duration > Time{0}, duration);
  tasks_[id].duration = duration;
  mark_all_after(id);
}

void Timeline::set_resource(TimelineTaskId id, std::optional<ResourceId> resource) {
  leave_queue(id);
  tasks_[id].resource = resource;
  mark(id);
}

Time Timeline::length() const {
  Time latest{0};
  for (auto const& task : tasks_) {
    if (task.exists) latest = std::max(latest, task.end());
  }
  return latest;
}

void Timeline::simulate() {
  std::priority_queue<Moment, std::vector<Moment>, std::greater<>> ready;
  std::vector<std::size_t> missing(tasks_.size());
  std::vector<Time> free(queues_.size(), Time{0});
  is_simulated_ = true;
  changed_.clear();
  for (auto& queue : queues_) queue.clear();
  for (auto const id : tasks_.ids()) {
    auto& task = tasks_[id];
    task.is_changed = false;
    task.is_queued = false;
    task.ready = Time{0};
    missing[id.index()] = task.before.size();
    if (task.exists && task.before.empty()) ready.emplace(Time{0}, id);
  }
  while (!ready.empty()) {
    auto const moment = ready.top();
    ready.pop();
    auto& task = tasks_[moment.second];
    task.start = task.ready;
    if (task.resource) {
      auto& resource_free = free[task.resource->index()];
      task.start = std::max(task.start, resource_free);
      resource_free = task.end();
      queues_[*task.resource].push_back(moment);
      task.is_queued = true;
    }
    for (auto const next : task.after) {
      auto& waiting = tasks_[next];
      waiting.ready = std::max(waiting.ready, task.end());
      if (--missing[next.index()] == 0) ready.emplace(waiting.ready, next);
    }
  }
}

std::size_t Timeline::update() {
  EXPECTS(is_simulated_, tasks_.size());
  std::size_t looks = 0;
  while (!changed_.empty()) {
    std::pop_heap(changed_.begin(), changed_.end(), std::greater<>{});
    auto const id = changed_.back().second;
    changed_.pop_back();
    auto& task = tasks_[id];
    if (!task.exists || !task.is_changed) continue;
    task.is_changed = false;
    look_at(id);
    ++looks;
  }
  return looks;
}

/// Moves a task to where it belongs now; then whatever waits for it, and whatever follows it on its
/// resource, may be elsewhere, too.
void Timeline::look_at(TimelineTaskId id) {
  auto& task = tasks_[id];
  auto const end = task.end();
  auto const ready = ready_by_those_before(task);
  if (task.resource && (!task.is_queued || ready != task.ready)) {
    leave_queue(id);
    task.ready = ready;
    enqueue(id);
  }
  task.ready = ready;
  task.start = std::max(ready, free_for(id));
  if (task.end() != end) mark_all_after(id);
}

Time Timeline::ready_by_those_before(Task const& task) const {
  Time latest{0};
  for (auto const before : task.before) latest = std::max(latest, tasks_[before].end());
  return latest;
}

/// When its resource has done what comes before it.
Time Timeline::free_for(TimelineTaskId id) const {
  auto const& task = tasks_[id];
  if (!task.resource) return Time{0};
  auto const& queue = queues_[*task.resource];
  auto const here = std::lower_bound(queue.begin(), queue.end(), Moment{task.ready, id});
  return here == queue.begin() ? Time{0} : tasks_[std::prev(here)->second].end();
}

/// The next one on its resource may start later.
void Timeline::enqueue(TimelineTaskId id) {
  auto& task = tasks_[id];
  auto& queue = queues_[*task.resource];
  Moment const moment{task.ready, id};
  auto const here = queue.insert(std::lower_bound(queue.begin(), queue.end(), moment), moment);
  task.is_queued = true;
  if (std::next(here) != queue.end()) mark_at(*std::next(here));
}

/// The next one on its resource may start earlier.
void Timeline::leave_queue(TimelineTaskId id) {
  auto& task = tasks_[id];
  if (!task.is_queued) return;
  auto& queue = queues_[*task.resource];
  auto const here = std::lower_bound(queue.begin(), queue.end(), Moment{task.ready, id});
  auto const next = queue.erase(here);
  task.is_queued = false;
  if (next != queue.end()) mark_at(*next);
}

void Timeline::mark_all_after(TimelineTaskId id) {
  auto const& task = tasks_[id];
  for (auto const next : task.after) mark(next);
  if (!task.is_queued) return;
  auto const& queue = queues_[*task.resource];
  auto const here = std::lower_bound(queue.begin(), queue.end(), Moment{task.ready, id});
  if (std::next(here) != queue.end()) mark_at(*std::next(here));
}

/// To be looked at when it was ready, or will be, whichever comes first.
void Timeline::mark(TimelineTaskId id) {
  if (!is_simulated_) return;
  auto const& task = tasks_[id];
  auto const ready = ready_by_those_before(task);
  mark_at({task.is_queued ? std::min(ready, task.ready) : ready, id});
}

void Timeline::mark_at(Moment moment) {
  auto& task = tasks_[moment.second];
  if (task.is_changed && task.looked_at_from <= moment.first) return;
  task.is_changed = true;
  task.looked_at_from = moment.first;
  changed_.push_back(moment);
  std::push_heap(changed_.begin(), changed_.end(), std::greater<>{});
}

}  // namespace tessera::partition
