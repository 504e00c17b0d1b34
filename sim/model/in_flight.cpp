#include "sim/model/in_flight.hpp"

#include <algorithm>
#include <map>

namespace tessera::sim {

using workloads::Phase;

namespace {

struct Interval {
  Time begin{0};
  Time end{0};

  void cover(Interval const& other) {
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
};

template <typename Key>
using Intervals = std::map<Key, Interval>;

template <typename Key>
void cover(Intervals<Key>& intervals, Key const& key, Interval const& interval) {
  intervals.try_emplace(key, interval).first->second.cover(interval);
}

/// What ends when another begins is not there together with it.
template <typename Key>
std::int64_t most_at_once(Intervals<Key> const& intervals) {
  std::vector<std::pair<Time, std::int64_t>> changes;
  changes.reserve(2 * intervals.size());
  for (auto const& [key, interval] : intervals) {
    changes.emplace_back(interval.begin, 1);
    changes.emplace_back(interval.end, -1);
  }
  std::sort(changes.begin(), changes.end());  // at the same time -1 first
  std::int64_t now = 0;
  std::int64_t most = 0;
  for (auto const& [time, change] : changes) most = std::max(most, now += change);
  return most;
}

/// Collects the intervals of one accelerator in one stage.
class InFlightMeter final {
 public:
  void add(Task const& task, Passage const& passage, Interval const& interval) {
    if (task.phase == Phase::update) {
      cover(versions_, passage.version, interval);
      return;
    }
    cover(activations_, {passage.micro_batch, passage.chunk}, interval);
    if (passage.version == 0) {
      cover(versions_, passage.version, {Time{0}, interval.end});
    } else if (auto const made = versions_.find(passage.version); made != versions_.end()) {
      made->second.end = std::max(made->second.end, interval.end);
    }
  }

  [[nodiscard]] InFlight most() const {
    return {most_at_once(activations_), most_at_once(versions_)};
  }

 private:
  Intervals<std::pair<std::int64_t, std::size_t>> activations_;
  Intervals<std::int64_t> versions_;
};

}  // namespace

bool is_local(Task const& task) {
  return task.kind == TaskKind::load || task.kind == TaskKind::compute ||
         task.kind == TaskKind::store;
}

InFlight in_flight(Schedule const& schedule, Journal const& journal, AcceleratorId accelerator,
                   std::size_t stage) {
  InFlightMeter meter;
  for (auto const id : schedule.tasks_of(accelerator)) {
    auto const& task = schedule.graph().at(id);
    auto const& passage = schedule.graph().passage_of(id);
    if (!is_local(task) || passage.stage != stage) continue;
    meter.add(task, passage, {journal.started(id).value(), journal.completed(id).value()});
  }
  return meter.most();
}

}  // namespace tessera::sim
