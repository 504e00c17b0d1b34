#include "partition/price/resource_queues.hpp"

#include <algorithm>
#include <tuple>

namespace tessera::partition {

namespace {

bool is_before(TimelineGraph const& graph, TimelineTaskId a, TimelineTaskId b) {
  auto const& one = graph.at(a);
  auto const& other = graph.at(b);
  return std::tie(one.ready, one.rank) < std::tie(other.ready, other.rank);
}

void link_behind(TimelineGraph& graph, TimelineTaskId place, TimelineTaskId id) {
  auto& task = graph.change(id);
  auto const next = graph.at(place).next;
  task.previous = place;
  task.next = next;
  task.is_queued = true;
  graph.change(place).next = id;
  graph.change(next).previous = id;
}

}  // namespace

ResourceQueues::ResourceQueues(TimelineGraph& graph, std::size_t resources)
    : last_placed_{resources} {
  clear(graph);
}

void ResourceQueues::clear(TimelineGraph& graph) {
  for (auto const head : last_placed_.ids()) {
    auto& task = graph.change(head);
    task.previous = task.next = head;
  }
  forget_places();
}

void ResourceQueues::append(TimelineGraph& graph, TimelineTaskId id) {
  link_behind(graph, graph.at(graph.at(id).queue).previous, id);
}

void ResourceQueues::move(TimelineGraph& graph, TimelineTaskId id) {
  auto const [previous, next] = std::pair{graph.at(id).previous, graph.at(id).next};
  auto const head = graph.at(id).queue;
  bool const is_behind = previous == head || is_before(graph, previous, id);
  if (is_behind && (next == head || is_before(graph, id, next))) return;
  remove(graph, id);
  put(graph, id, previous);
}

void ResourceQueues::insert(TimelineGraph& graph, TimelineTaskId id) {
  put(graph, id, last_placed_[graph.at(id).queue]);
}

/// Near `place`, which is the head or a task in the queue.
void ResourceQueues::put(TimelineGraph& graph, TimelineTaskId id, TimelineTaskId place) {
  auto const head = graph.at(id).queue;
  while (place != head && is_before(graph, id, place)) place = graph.at(place).previous;
  auto next = graph.at(place).next;
  while (next != head && is_before(graph, next, id)) {
    place = next;
    next = graph.at(next).next;
  }
  link_behind(graph, place, id);
  last_placed_[head] = id;
}

void ResourceQueues::remove(TimelineGraph& graph, TimelineTaskId id) {
  auto& task = graph.change(id);
  task.is_queued = false;
  graph.change(task.previous).next = task.next;
  graph.change(task.next).previous = task.previous;
  auto& last = last_placed_[task.queue];
  if (last == id) last = task.previous;
}

void ResourceQueues::forget_places() {
  for (auto const head : last_placed_.ids()) last_placed_[head] = head;
}

Time end_in_queue(TimelineGraph const& graph, TimelineTask const& task) {
  auto const start = task.is_queued ? std::max(task.ready, graph.end(task.previous)) : task.ready;
  return start + task.duration;
}

}  // namespace tessera::partition
