// Links in a row, driven event by event: each forwards to the next; at the end messages arrive.
#pragma once

#include <deque>
#include <map>
#include <set>

#include "sim/model/fabric/link.hpp"
#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {

class LinkChain final {
 public:
  LinkChain(std::vector<arch::Link> const& specs, Clock clock) {
    for (arch::Link const& spec : specs) {
      auto const lane_of = [lanes = spec.lanes](AcceleratorId source) {
        return static_cast<std::int64_t>(source.index()) % lanes;
      };
      links_.emplace_back(spec, clock.period(), lane_of, utilisation_);
    }
  }

  /// The head of `message` arrives at the first link at `at`.
  void inject(Time at, Message const& message) { arrivals_[{at, 0}].insert(message); }

  /// When the last byte of each task is at the end, once nothing moves any more.
  [[nodiscard]] std::map<TaskId, Time> run() {
    std::map<TaskId, Time> ends;
    while (!arrivals_.empty()) {
      auto const [place, messages] = *arrivals_.begin();
      arrivals_.erase(arrivals_.begin());
      auto const [now, index] = place;
      std::vector<Arrival> arrivals;
      for (Message const& message : messages) arrivals.push_back({Link::head, message});
      for (auto const& entry : advance(links_[index], now, arrivals)) {
        if (entry.port != Link::forward) continue;
        if (index + 1 < links_.size()) {
          arrivals_[{entry.at, index + 1}].insert(entry.message);
        } else {
          ends[entry.message.task] = entry.at + entry.message.tail;
        }
      }
    }
    return ends;
  }

  [[nodiscard]] Link const& link(std::size_t index) const { return links_[index]; }

 private:
  BusyHistogram utilisation_;
  std::deque<Link> links_;
  /// Heads on their way, by (time, link); those of one instant in canonical order.
  std::map<std::pair<Time, std::size_t>, std::set<Message>> arrivals_;
};

}  // namespace tessera::sim
