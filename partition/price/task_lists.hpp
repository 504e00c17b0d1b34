// Many short lists of tasks in one array: the edges of a timeline, in both directions. Lists grow into blocks twice as large and leave
// the old ones to others, so that a graph that is changed all the time neither allocates for each edge nor scatters them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "arch/base/id.hpp"

namespace tessera::partition {

using TimelineTaskId = Id<struct TimelineTaskTag>;

/// For example, after push(list, a) and push(list, b) it has a and b in a block of two.
class TaskLists final {
 public:
  /// Of one array; empty as it is made.
  struct List {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    std::uint32_t room = 0;  ///< a power of two, or none
  };

  [[nodiscard]] TimelineTaskId const* begin(List list) const { return items_.data() + list.first; }
  [[nodiscard]] TimelineTaskId const* end(List list) const { return begin(list) + list.size; }

  void push(List& list, TimelineTaskId task) {
    if (list.size == list.room) grow(list);
    items_[list.first + list.size++] = task;
  }

  /// Requires that it is in the list. The others may change their places.
  void erase(List& list, TimelineTaskId task) {
    auto const first = items_.begin() + list.first;
    auto const found = std::find(first, first + list.size, task);
    EXPECTS(found != first + list.size, task);
    *found = items_[list.first + --list.size];
  }

  /// Empty again.
  void release(List& list) {
    if (list.room > 0) free_.at(class_of(list.room)).push_back(list.first);
    list = {};
  }

 private:
  [[nodiscard]] static std::size_t class_of(std::uint32_t room) {
    std::size_t log = 0;
    while (room > 1) {
      room /= 2;
      ++log;
    }
    return log;
  }

  void grow(List& list) {
    List larger;
    larger.room = std::max<std::uint32_t>(2, 2 * list.room);
    larger.size = list.size;
    auto& free = free_.at(class_of(larger.room));
    if (free.empty()) {
      larger.first = static_cast<std::uint32_t>(items_.size());
      items_.resize(items_.size() + larger.room);
    } else {
      larger.first = free.back();
      free.pop_back();
    }
    std::copy_n(items_.begin() + list.first, list.size, items_.begin() + larger.first);
    release(list);
    list = larger;
  }

  std::vector<TimelineTaskId> items_;
  std::array<std::vector<std::uint32_t>, 32> free_;  ///< blocks, by the logarithm of their size
};

}  // namespace tessera::partition
