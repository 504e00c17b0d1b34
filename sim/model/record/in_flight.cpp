#include "sim/model/record/in_flight.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

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

/// By key: a sorted list, as those that are new nearly always come last.
template <typename Key>
class Intervals final {
 public:
  void cover(Key const& key, Interval const& interval) {
    auto const known = from(key);
    if (known != all_.end() && known->first == key) {
      known->second.cover(interval);
    } else {
      all_.insert(known, {key, interval});
    }
  }
  /// None if there is none.
  [[nodiscard]] Interval* find(Key const& key) {
    auto const known = from(key);
    return known != all_.end() && known->first == key ? &known->second : nullptr;
  }

  [[nodiscard]] std::int64_t most_at_once() const {
    if (all_.size() < 2) return static_cast<std::int64_t>(all_.size());
    enum Change {
      begins,
      ends
    };  // NOLINT(cppcoreguidelines-use-enum-class): of a task in this order
    std::vector<std::pair<Instant, Change>> changes;
    changes.reserve(2 * all_.size());
    for (auto const& [key, interval] : all_) {
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

 private:
  using All = std::vector<std::pair<Key, Interval>>;

  /// The first one that is not before it.
  [[nodiscard]] typename All::iterator from(Key const& key) {
    if (all_.empty() || all_.back().first < key) return all_.end();
    return std::lower_bound(all_.begin(), all_.end(), key,
                            [](auto const& entry, Key const& than) { return entry.first < than; });
  }

  All all_;
};

/// Collects the intervals of one accelerator in one stage.
class InFlightMeter final {
 public:
  void add(Task const& task, Passage const& passage, Interval const& interval) {
    auto& versions = versions_[task.op];
    if (task.phase == Phase::update) {
      versions.cover(passage.version, interval);
      return;
    }
    activations_.cover({passage.micro_batch, passage.chunk}, interval);
    if (passage.version == 0) {
      versions.cover(passage.version, {{}, interval.end});
    } else if (auto* const made = versions.find(passage.version)) {
      made->end = std::max(made->end, interval.end);
    }
  }

  [[nodiscard]] InFlight most() const {
    InFlight most{activations_.most_at_once()};
    for (auto const& [op, versions] : versions_) {
      most.weight_versions = std::max(most.weight_versions, versions.most_at_once());
    }
    return most;
  }

 private:
  Intervals<std::pair<std::int64_t, std::size_t>> activations_;
  std::unordered_map<workloads::OperatorId, Intervals<std::int64_t>> versions_;
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
