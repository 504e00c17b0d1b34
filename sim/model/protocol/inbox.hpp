// Messages on their way to one core, in the order that nobody who wakes cores can change: by time, port and content.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

/// `At`: when messages arrive, a Time or a finer instant.
template <typename At>
class Inbox final {
 public:
  void add(At at, Port port, Message const& message) {
    entries_.push_back({at, port, message});
    std::push_heap(entries_.begin(), entries_.end(), comes_later);
  }

  /// When the next message arrives.
  [[nodiscard]] std::optional<At> next() const {
    if (entries_.empty()) return std::nullopt;
    return entries_.front().at;
  }

  /// Hands every message of `now` to `take(port, message)`. Requires that none was missed.
  template <typename Take>
  void drain(At now, Take take) {
    while (!entries_.empty() && !(now < entries_.front().at)) {
      std::pop_heap(entries_.begin(), entries_.end(), comes_later);
      auto const entry = entries_.back();
      entries_.pop_back();
      EXPECTS(entry.at == now && "a message was missed");
      take(entry.port, entry.message);
    }
  }

 private:
  struct Entry {
    At at;
    Port port = 0;
    Message message;
  };

  static bool comes_later(Entry const& a, Entry const& b) {
    if (a.at != b.at) return b.at < a.at;
    if (a.port != b.port) return a.port > b.port;
    return b.message < a.message;
  }

  std::vector<Entry> entries_;  ///< a heap, the earliest in front
};

}  // namespace tessera::sim
