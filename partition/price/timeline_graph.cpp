#include "partition/price/timeline_graph.hpp"

#include <algorithm>

namespace tessera::partition {

TimelineTaskId TimelineGraph::add(TimelineTask const& task) {
  if (free_.empty()) {
    free_.push_back(nodes_.push_back({}));
    ends_.push_back(Time{0});
  }
  auto const id = free_.back();
  free_.pop_back();
  nodes_[id].task = task;
  nodes_[id].task.exists = true;
  nodes_[id].saved_in = trials_;
  ends_[id] = Time{0};
  ++count_;
  note({Edit::Kind::added, id});
  return id;
}

void TimelineGraph::remove(TimelineTaskId id) {
  auto& node = nodes_[id];
  EXPECTS(node.before.size == 0 && node.after.size == 0, id);
  auto& task = change(id);
  task.exists = task.is_changed = false;
  ends_[id] = Time{0};
  --count_;
  lists_.release(node.before);
  lists_.release(node.after);
  note({Edit::Kind::removed, id});
  if (!is_trial_) free_.push_back(id);
}

void TimelineGraph::connect(TimelineTaskId before, TimelineTaskId after) {
  lists_.push(nodes_[before].after, after);
  lists_.push(nodes_[after].before, before);
  note({Edit::Kind::connected, before, after});
}

void TimelineGraph::disconnect(TimelineTaskId before, TimelineTaskId after) {
  lists_.erase(nodes_[before].after, after);
  lists_.erase(nodes_[after].before, before);
  note({Edit::Kind::disconnected, before, after});
}

Time TimelineGraph::last_end() const {
  auto const last = std::max_element(ends_.begin(), ends_.end());
  return last == ends_.end() ? Time{0} : *last;
}

void TimelineGraph::begin_trial() {
  EXPECTS(!is_trial_, trials_);
  is_trial_ = true;
  ++trials_;
}

void TimelineGraph::keep_trial() {
  EXPECTS(is_trial_, trials_);
  is_trial_ = false;
  for (auto const& edit : edits_) {
    if (edit.kind == Edit::Kind::removed) free_.push_back(edit.task);
  }
  saved_.clear();
  edits_.clear();
}

void TimelineGraph::undo_trial() {
  EXPECTS(is_trial_, trials_);
  is_trial_ = false;
  for (auto const& [id, task, end] : saved_) {
    nodes_[id].task = task;
    ends_[id] = end;
  }
  std::for_each(edits_.rbegin(), edits_.rend(), [this](Edit const& edit) { take_back(edit); });
  saved_.clear();
  edits_.clear();
}

void TimelineGraph::save(TimelineTaskId id) {
  nodes_[id].saved_in = trials_;
  saved_.push_back({id, nodes_[id].task, ends_[id]});
}

void TimelineGraph::note(Edit const& edit) {
  if (is_trial_) edits_.push_back(edit);
}

/// Tasks that were there before the trial are what they were already.
void TimelineGraph::take_back(Edit const& edit) {
  auto& node = nodes_[edit.task];
  switch (edit.kind) {
    case Edit::Kind::added:
      lists_.release(node.before);
      lists_.release(node.after);
      node.task = {};
      ends_[edit.task] = Time{0};
      free_.push_back(edit.task);
      --count_;
      return;
    case Edit::Kind::removed:
      ++count_;
      return;
    case Edit::Kind::connected:
      lists_.erase(node.after, edit.after);
      lists_.erase(nodes_[edit.after].before, edit.task);
      return;
    case Edit::Kind::disconnected:
      lists_.push(node.after, edit.after);
      lists_.push(nodes_[edit.after].before, edit.task);
      return;
  }
}

}  // namespace tessera::partition
