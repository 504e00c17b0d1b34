// The order in which each resource of a timeline takes its tasks: by (ready, rank), as a ring of links through the tasks themselves and the
// resource's head. A task most often stays between its neighbours, so that nothing is searched.
#pragma once

#include <cstddef>

#include "partition/price/timeline_graph.hpp"

namespace tessera::partition {

class ResourceQueues final {
 public:
  ResourceQueues(TimelineGraph& graph, std::size_t resources);

  /// All empty. What was queued is not told.
  void clear(TimelineGraph& graph);

  /// Behind all others of its resource.
  void append(TimelineGraph& graph, TimelineTaskId task);

  /// To where it belongs by when it is ready. Requires that it is queued.
  void move(TimelineGraph& graph, TimelineTaskId task);
  /// The same of one that is not; looks for the place from where the last one was put.
  void insert(TimelineGraph& graph, TimelineTaskId task);
  void remove(TimelineGraph& graph, TimelineTaskId task);

  /// Looks for places from the beginning again.
  void forget_places();

  [[nodiscard]] std::size_t resources() const { return last_placed_.size(); }

 private:
  void put(TimelineGraph& graph, TimelineTaskId task, TimelineTaskId place);

  IdVector<TimelineTaskId, TimelineTaskId> last_placed_;  ///< by head
};

/// When a task ends that starts as soon as it is ready and what is before it in its queue is done.
[[nodiscard]] Time end_in_queue(TimelineGraph const& graph, TimelineTask const& task);

}  // namespace tessera::partition
