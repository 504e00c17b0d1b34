#include "partition/price/timeline.hpp"

#include <algorithm>
#include <functional>

namespace tessera::partition {

namespace {

/// Looks that may be spent before all tasks are worked out anew: one for so many tasks. A look
/// costs two to three times what a task costs anew (test/bench/MEASURED.md), and changes of one
/// kind move few tasks or nearly all: so fewer are spent where they were in vain the last time.
std::size_t const fewest_tasks_per_look = 4;
std::size_t const most_tasks_per_look = 64;

Time ready_by_those_before(TimelineGraph const& graph, TimelineTaskId id) {
  Time latest{0};
  for (auto const before : graph.before(id)) latest = std::max(latest, graph.end(before));
  return latest;
}

/// Of one that is changed when it will be ready, as far as is known.
Time known_ready(TimelineTask const& task) { return task.is_changed ? task.wanted : task.ready; }

TimelineTask task_on(std::optional<ResourceId> resource, Time duration) {
  EXPECTS(duration >= Time{resource ? 1 : 0}, duration);
  TimelineTask task;
  task.duration = duration;
  task.has_queue = resource.has_value();
  if (resource) task.queue = TimelineTaskId{resource->index()};
  return task;
}

}  // namespace

TimelineTaskId Timeline::add(Time duration, std::optional<ResourceId> resource,
                             std::optional<std::uint64_t> rank) {
  EXPECTS(!resource || resource->index() < queues_.resources(), resource->index());
  auto const id = graph_.add(task_on(resource, duration));
  graph_.change(id).rank = rank.value_or(id.index());
  mark(id, Time{0});
  return id;
}

void Timeline::remove(TimelineTaskId id) {
  while (graph_.after(id).size() > 0) disconnect(id, *graph_.after(id).begin());
  while (graph_.before(id).size() > 0) graph_.disconnect(*graph_.before(id).begin(), id);
  auto const [is_queued, next] = std::pair{graph_.at(id).is_queued, graph_.at(id).next};
  if (is_queued) queues_.remove(graph_, id);
  graph_.remove(id);
  if (is_queued) mark_follower(next);
}

void Timeline::connect(TimelineTaskId before, TimelineTaskId after) {
  EXPECTS(before != after, before);
  graph_.connect(before, after);
  notice(after, Time{0}, graph_.end(before));
}

void Timeline::disconnect(TimelineTaskId before, TimelineTaskId after) {
  graph_.disconnect(before, after);
  notice(after, graph_.end(before), Time{0});
}

void Timeline::set_duration(TimelineTaskId id, Time duration) {
  auto& task = graph_.change(id);
  EXPECTS(duration >= Time{task.has_queue ? 1 : 0}, duration);
  task.duration = duration;
  mark(id, known_ready(task));
}

void Timeline::set_resource(TimelineTaskId id, std::optional<ResourceId> resource) {
  auto& task = graph_.change(id);
  if (task.is_queued) {
    queues_.remove(graph_, id);
    mark_follower(task.next);
  }
  auto const moved = task_on(resource, task.duration);
  task.has_queue = moved.has_queue;
  task.queue = moved.queue;
  mark(id, known_ready(task));
}

void Timeline::simulate() {
  std::vector<std::uint32_t> missing(graph_.slots());
  std::vector<Moment> ready;
  auto const add_ready = [&](TimelineTaskId id) {
    ready.push_back(moment_of(id, graph_.at(id).ready));
    std::push_heap(ready.begin(), ready.end(), std::greater<>{});
  };
  changed_.clear();
  is_simulated_ = true;
  queues_.clear(graph_);
  for (auto slot = queues_.resources(); slot < graph_.slots(); ++slot) {
    TimelineTaskId const id{slot};
    if (!graph_.at(id).exists) continue;
    auto& task = graph_.change(id);
    task.is_changed = task.is_queued = false;
    task.ready = Time{0};
    missing[slot] = static_cast<std::uint32_t>(graph_.before(id).size());
    if (missing[slot] == 0) add_ready(id);
  }
  while (!ready.empty()) {
    std::pop_heap(ready.begin(), ready.end(), std::greater<>{});
    auto const id = ready.back().task;
    ready.pop_back();
    if (graph_.at(id).has_queue) queues_.append(graph_, id);
    auto const end = end_in_queue(graph_, graph_.at(id));
    graph_.set_end(id, end);
    for (auto const next : graph_.after(id)) {
      auto& waiting = graph_.change(next).ready;
      waiting = std::max(waiting, end);
      if (--missing[next.index()] == 0) add_ready(next);
    }
  }
}

std::size_t Timeline::update() {
  EXPECTS(is_simulated_, graph_.tasks());
  for (auto& moment : changed_) {  // of some that may have been marked again, or be gone
    moment = moment_of(moment.task, graph_.at(moment.task).wanted);
  }
  std::make_heap(changed_.begin(), changed_.end(), std::greater<>{});
  is_looking_ = true;
  std::size_t looks = 0;
  auto const most_looks = graph_.tasks() / tasks_per_look_;
  while (!changed_.empty() && looks <= most_looks) {
    std::pop_heap(changed_.begin(), changed_.end(), std::greater<>{});
    auto const [time, has_queue, rank, id] = changed_.back();
    changed_.pop_back();
    if (!graph_.at(id).is_changed || graph_.at(id).wanted != time) continue;
    look_at(id);
    ++looks;
  }
  is_looking_ = false;
  bool const is_in_vain = !changed_.empty();
  tasks_per_look_ =
      is_in_vain ? std::min(most_tasks_per_look, 2 * tasks_per_look_) : fewest_tasks_per_look;
  if (is_in_vain) simulate();
  return looks;
}

/// Moves a task to where it belongs now; then whatever waits for it, and whatever follows it on its
/// resource, may be elsewhere, too.
void Timeline::look_at(TimelineTaskId id) {
  auto& task = graph_.change(id);
  bool const is_moved = task.ready != task.wanted;
  auto const followed_by = task.next;
  task.is_changed = false;
  task.ready = task.wanted;
  if (task.is_queued) {
    if (is_moved) queues_.move(graph_, id);
    if (task.next != followed_by) mark_follower(followed_by);
  } else if (task.has_queue) {
    queues_.insert(graph_, id);
  }
  auto const old_end = graph_.end(id);
  auto const new_end = end_in_queue(graph_, task);
  graph_.set_end(id, new_end);
  if (new_end != old_end) {
    for (auto const next : graph_.after(id)) notice(next, old_end, new_end);
  }
  if (task.is_queued) mark_follower(task.next);
}

/// One of the tasks before it ends otherwise (0: none such): is it ready at another moment?
void Timeline::notice(TimelineTaskId id, Time old_end, Time new_end) {
  if (!is_simulated_) return;
  auto const known = known_ready(graph_.at(id));
  if (new_end > known) return mark(id, new_end);
  if (old_end != known || new_end >= old_end) return;
  auto const ready = ready_by_those_before(graph_, id);
  if (ready != known) mark(id, ready);
}

/// To be looked at when it will be ready.
void Timeline::mark(TimelineTaskId id, Time wanted) {
  if (!is_simulated_) return;
  bool const is_known = graph_.at(id).is_changed;
  if (is_known && graph_.at(id).wanted == wanted) return;
  auto& task = graph_.change(id);
  task.is_changed = true;
  task.wanted = wanted;
  if (is_looking_) {
    changed_.push_back(moment_of(id, wanted));
    std::push_heap(changed_.begin(), changed_.end(), std::greater<>{});
  } else if (!is_known) {
    changed_.push_back(moment_of(id, wanted));
  }
}

/// If it starts at another moment behind what is before it on its resource now. (If it is marked it
/// will find out.)
void Timeline::mark_follower(TimelineTaskId id) {
  auto const& task = graph_.at(id);
  if (!is_simulated_ || !task.is_queued || task.is_changed) return;
  if (end_in_queue(graph_, task) != graph_.end(id)) mark(id, task.ready);
}

Timeline::Moment Timeline::moment_of(TimelineTaskId id, Time time) const {
  auto const& task = graph_.at(id);
  return {time, task.has_queue, task.rank, id};
}

void Timeline::begin_trial() {
  EXPECTS(changed_.empty(), changed_.size());
  graph_.begin_trial();
}

void Timeline::keep_trial() { graph_.keep_trial(); }

void Timeline::undo_trial() {
  graph_.undo_trial();
  queues_.forget_places();
  changed_.clear();
}

}  // namespace tessera::partition
