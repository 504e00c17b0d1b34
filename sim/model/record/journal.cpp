// Every task once, and in order.
#include "sim/model/record/journal.hpp"

#include <algorithm>

namespace tessera::sim {

void Journal::start(TaskId task, Time now) {
  Entry& entry = entries_[task];
  EXPECTS(entry.start == unknown && now >= last_start_, task, now, last_start_);
  entry.start = last_start_ = now;
  by_start_.push_back(task);
}

void Journal::complete(TaskId task, Time now) {
  Entry& entry = entries_[task];
  EXPECTS(entry.start != unknown && entry.start <= now && entry.end == unknown, task, now);
  entry.end = now;
  end_ = std::max(end_, now);
  ++completions_;
}

void Journal::leave(TaskId task, Time now) {
  Entry& entry = entries_[task];
  EXPECTS(entry.start != unknown && entry.start <= now && entry.left == unknown, task, now);
  entry.left = now;
}

void Journal::wait(TaskId task, Time time) {
  EXPECTS(time >= Time{0}, task, time);
  entries_[task].waited = time;
}

std::vector<TaskId> Journal::by_end() const {
  std::vector<TaskId> done;
  done.reserve(completions_);
  for (TaskId const task : entries_.ids()) {
    if (entries_[task].end != unknown) done.push_back(task);
  }
  std::stable_sort(done.begin(), done.end(),
                   [this](TaskId a, TaskId b) { return entries_[a].end < entries_[b].end; });
  return done;
}

}  // namespace tessera::sim
