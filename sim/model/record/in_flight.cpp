#include "sim/model/record/in_flight.hpp"

#include <algorithm>
#include <map>

namespace tessera::sim {

using workloads::Phase;

namespace {

/// Within an instant what an accelerator does is in the order of its tasks.
using Instant = std::pair<Time, TaskId>;

struct Interval {
  Instant begin;
  Instant end;

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

template <typename Key>
std::int64_t most_at_once(Intervals<Key> const& intervals) {
  enum Change {
    begins,
    ends
  };  // NOLINT(cppcoreguidelines-use-enum-class): of a task in this order
  std::vector<std::pair<Instant, Change>> changes;
  changes.reserve(2 * intervals.size());
  for (auto const& [key, interval] : intervals) {
    changes.emplace_back(interval.begin, begins);
    changes.emplace_back(interval.end, ends);
  }
  std::sort(changes.begin(), changes.end());
  std::int64_t now = 0;
  std::int64_t most = 0;
  for (auto const& [instant, change] : changes) {
    now += change == begins ? 1 : -1;
    most = std::max(most, now);
  }
  return most;
}

/// Collects the intervals of one accelerator in one stage.
class InFlightMeter final {
 public:
  void add(Task const& task, Passage const& passage, Interval const& interval) {
    auto& versions = versions_[task.op];
    if (task.phase == Phase::update) {
      cover(versions, passage.version, interval);
      return;
    }
    cover(activations_, {passage.micro_batch, passage.chunk}, interval);
    if (passage.version == 0) {
      cover(versions, passage.version, {{}, interval.end});
    } else if (auto const made = versions.find(passage.version); made != versions.end()) {
      made->second.end = std::max(made->second.end, interval.end);
    }
  }

  [[nodiscard]] InFlight most() const {
    InFlight most{most_at_once(activations_)};
    for (auto const& [op, versions] : versions_) {
      most.weight_versions = std::max(most.weight_versions, most_at_once(versions));
    }
    return most;
  }

 private:
  Intervals<std::pair<std::int64_t, std::size_t>> activations_;
  std::map<workloads::OperatorId, Intervals<std::int64_t>> versions_;
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
    meter.add(task, passage,
              {{journal.started(id).value(), id}, {journal.completed(id).value(), id}});
  }
  return meter.most();
}

}  // namespace tessera::sim
