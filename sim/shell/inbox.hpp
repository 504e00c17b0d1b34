// Messages on their way to one core, in the order that no kernel can change: by time, port and content.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/model/core.hpp"

namespace tessera::sim::shell {

class Inbox final {
 public:
  void add(Time at, Port port, Message const& message) {
    entries_.push_back({at, port, message});
    std::push_heap(entries_.begin(), entries_.end(), comes_later);
  }

  /// When the next message arrives.
  [[nodiscard]] std::optional<Time> next() const {
    if (entries_.empty()) return std::nullopt;
    return entries_.front().at;
  }

  /// Hands every message of `now` to `take(port, message)`. Requires that none was missed.
  template <typename Take>
  void drain(Time now, Take take) {
    while (!entries_.empty() && entries_.front().at <= now) {
      std::pop_heap(entries_.begin(), entries_.end(), comes_later);
      Outbox::Entry const entry = entries_.back();
      entries_.pop_back();
      EXPECTS(entry.at == now, entry.at, now);
      take(entry.port, entry.message);
    }
  }

 private:
  static bool comes_later(Outbox::Entry const& a, Outbox::Entry const& b) {
    if (a.at != b.at) return a.at > b.at;
    if (a.port != b.port) return a.port > b.port;
    return b.message < a.message;
  }

  std::vector<Outbox::Entry> entries_;  ///< a heap, the earliest in front
};

}  // namespace tessera::sim::shell
