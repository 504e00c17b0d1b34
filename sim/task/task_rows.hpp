// Lists of tasks of different lengths in compressed sparse rows (CSR): what each task waits for, what each accelerator runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "arch/base/id.hpp"

namespace tessera::sim {

using TaskId = Id<struct TaskTag>;

/// A view of one row; valid until another row is added.
class TaskRange final {
 public:
  using value_type = TaskId;
  using const_iterator = TaskId const*;

  TaskRange(TaskId const* first, TaskId const* last) : first_{first}, last_{last} {}
  [[nodiscard]] TaskId const* begin() const { return first_; }
  [[nodiscard]] TaskId const* end() const { return last_; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(last_ - first_); }
  [[nodiscard]] bool empty() const { return first_ == last_; }
  [[nodiscard]] TaskId operator[](std::size_t index) const { return first_[index]; }

 private:
  TaskId const* first_;
  TaskId const* last_;
};

class TaskRows final {
 public:
  TaskRows() = default;
  /// `starts`: where each row begins in `ids`, and where the last one ends.
  TaskRows(std::vector<std::size_t> starts, std::vector<TaskId> ids)
      : starts_{std::move(starts)}, ids_{std::move(ids)} {
    EXPECTS(!starts_.empty() && starts_.back() == ids_.size(), starts_.size(), ids_.size());
  }

  /// Room for so many rows, of two tasks each.
  void reserve(std::size_t rows) {
    starts_.reserve(rows + 1);
    ids_.reserve(2 * rows);
  }

  /// A row of these tasks, each once, in id order.
  void add(std::vector<TaskId> const& tasks) {
    auto const begin = ids_.insert(ids_.end(), tasks.begin(), tasks.end());
    std::sort(begin, ids_.end());
    ids_.erase(std::unique(begin, ids_.end()), ids_.end());
    starts_.push_back(ids_.size());
  }

  [[nodiscard]] TaskRange row(std::size_t index) const {
    EXPECTS(index + 1 < starts_.size(), index, starts_.size());
    return {ids_.data() + starts_[index], ids_.data() + starts_[index + 1]};
  }
  /// Number of tasks in all rows together.
  [[nodiscard]] std::size_t tasks() const { return ids_.size(); }

 private:
  std::vector<std::size_t> starts_{0};
  std::vector<TaskId> ids_;
};

}  // namespace tessera::sim
